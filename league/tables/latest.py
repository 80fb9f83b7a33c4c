"""Latest results of an event, for feeds."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, QuerySet
from django.db.models.functions import Coalesce, Greatest
from django.utils.translation import gettext as _

from league.models import SAT_OUT, UNFINISHED, Event, Match, MatchState, Round
from league.policy.naming import Names
from league.policy.withholding import released
from scoring.templatetags.figures import signed

MOST_RESULTS = 50

# `LatestResult.since` in SQL.
_SINCE = Greatest("updated_at", Coalesce("round__released_at", F("updated_at")))


@dataclass(frozen=True, slots=True)
class LatestResult:
    """A match that counts, with its result in one line."""

    match: Match
    line: str

    @property
    def since(self) -> datetime:
        """When it became visible as it is: last written, or released later."""
        written, released_at = self.match.updated_at, self.match.round.released_at
        return written if released_at is None else max(written, released_at)


def latest_results(event: Event, names: Names, *, seen: QuerySet[Round]) -> Sequence[LatestResult]:
    """Return the visible results of an event in rounds `seen` by the reader, latest first."""
    matches = (
        Match.objects.filter(released(), event=event, round__in=seen, held=False, annulled=False)
        .exclude(state__in=[*UNFINISHED, *SAT_OUT])
        .with_sides("round", "sheet", "event")
        .defer("sheet__derived", "sheet__paper")
        .order_by(_SINCE.desc(), "-id")[:MOST_RESULTS]
    )
    return [LatestResult(match, result_line(match, names)) for match in matches]


def result_line(match: Match, names: Names) -> str:
    """Return the result of a match that counts: "Ann beats Bob, 2–1 in columns, net +227"."""
    if match.is_table:
        return ", ".join(
            _("%(place)s. %(entry)s %(net)s")
            % {"place": place, "entry": names.marked_side(match, side), "net": signed(net)}
            for place, side, net in match.by_place
        )
    sides = [names.marked_side(match, side) for side in match.sides]
    words = {"a": sides[0], "b": sides[1]}
    if match.winner_side is not None:
        words = {"a": sides[match.winner_side], "b": sides[1 - match.winner_side]}
    if match.state == MatchState.FORFEIT:
        if match.winner_side is None:
            return _("%(a)s and %(b)s both forfeit") % words
        return _("%(a)s gets the match: %(b)s forfeits") % words
    if match.state == MatchState.WALKOVER:
        if match.winner_side is None:
            return _("Neither %(a)s nor %(b)s came") % words
        return _("%(a)s gets a walkover against %(b)s") % words
    if match.state == MatchState.TAKEN_OVER:
        said = _("%(a)s and %(b)s drew") if match.winner_side is None else _("%(a)s beat %(b)s")
        return said % words
    columns = (match.columns_a, match.columns_b)
    if match.winner_side is None:
        figures = {"won": columns[0], "lost": columns[1]}
        return _("%(a)s and %(b)s are level, %(won)s–%(lost)s in columns") % (words | figures)
    figures = {"won": columns[match.winner_side], "lost": columns[1 - match.winner_side]}
    said = _("%(a)s beats %(b)s, %(won)s–%(lost)s in columns, net %(net)s")
    return said % (words | figures | {"net": signed(abs(match.net))})
