"""Whether a drafted round still fits what it was drawn from: results, who is kept apart, and who is here.

A round that is paired by results keeps digests of all that it was paired by. Who came or left since is seen
by comparing its places with who is here now. A round that was changed by hand is not stale by that.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping
from decimal import Decimal
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.standings import TableResult
from league.draws.formats import format_of
from league.draws.planning import attendance_of
from league.draws.qualifying import bracket_in_doubt
from league.draws.table_rounds import decided_at_tables
from league.models import SEATED, Adjustment, Entry, Event, MatchState, Round, RoundState, traits_of
from league.tables.results import results_of, scheme_of

# Keys of what belongs to no round: adjustments, pairs kept apart, virtual points, and the points of each late
# entry.
_ADJUSTED: Final = "0"
_APART: Final = "apart"
_VIRTUAL: Final = "virtual"
_SIZES: Final = "sizes of tables"
_DECIDED: Final = "decided at tables"
_LATE: Final = "late %d from %d"


def results_drawn_from(event: Event, number: int) -> dict[str, str] | None:
    """Return digests of what round `number` is paired by: results by round, adjustments, pairs kept apart.

    None if it is paired by no results; of tables of many that are not, sizes and who is kept apart are noted.
    A result is who met, how it ended, and the points it gave: a sheet corrected in its net alone changes
    nothing. Virtual points, and those of late entries, are written as they are.
    """
    own = format_of(event)
    if not (own.pairs_by_results or own.has_tables):
        return None
    facts: dict[str, list[str]] = {}
    entries = event.entries.filter(annulled_at=None).order_by()
    first_rounds = dict(entries.values_list("pk", "first_round")) if own.pairs_by_results else {}
    if own.pairs_by_results:
        facts |= _results(event, number, first_rounds)
        adjusted = Adjustment.objects.filter(event=event).order_by().values_list("entry_id", "points")
        facts[_ADJUSTED] = [f"{entry}: {points:f}" for entry, points in adjusted]
    if own.has_tables:
        facts[_SIZES] = [str(event.table_size)]
    if own.cuts_tables and (decided := decided_at_tables(event, number)):
        facts[_DECIDED] = decided
    apart = event.forbidden_pairs.order_by().values_list("entry_a", "entry_b")
    facts[_APART] = [f"{one} {other}" for one, other in apart]
    digests = {
        key: hashlib.sha256("\n".join(sorted(said)).encode()).hexdigest()[:16] for key, said in facts.items()
    }
    if virtual := own.accelerated_by(event, number):
        digests[_VIRTUAL] = virtual
    return digests | {
        _LATE % (entry, first): f"{event.late_points:f}"
        for entry, first in first_rounds.items()
        if 1 < first <= number
    }


def _results(event: Event, number: int, entries: Collection[int]) -> dict[str, list[str]]:
    """Return the results before a round among these entries (ids), by the number of their round, as texts."""
    scheme = scheme_of(event)
    facts: dict[str, list[str]] = {}
    for result in results_of(event, entries, withheld_too=True):
        if result.round < number:
            if isinstance(result, TableResult):
                ended: tuple[object, ...] = (result.entries, result.places)
                given = result.points(scheme.by_place)
            else:
                ended = (result.side_a, result.side_b, result.state.value, result.winner)
                given = scheme.points(result)
            points = [f"{figure:f}" for figure in map(Decimal, given)]
            facts.setdefault(str(result.round), []).append(repr((*ended, points)))
    return facts


def no_longer_fits(event: Event, round_: Round) -> list[str]:
    """Return a sentence for each change since a drafted round was paired; [] if it fits, or is published."""
    if round_.state != RoundState.DRAFTED:
        return []
    said = []
    then, now = round_.drawn_from, results_drawn_from(event, round_.number)
    if then is not None and now is not None:
        changed = _changed(then, now, round_.number)
        if numbers := sorted(int(key) for key in changed - {_ADJUSTED} if key.isdecimal()):
            said.append(
                ngettext(
                    "Results of round %(numbers)s have changed since this round was drawn.",
                    "Results of rounds %(numbers)s have changed since this round was drawn.",
                    len(numbers),
                )
                % {"numbers": ", ".join(map(str, numbers))}
            )
        if any(key == _ADJUSTED or key.startswith("late") for key in changed):
            said.append(_("Points given or deducted have changed since this round was drawn."))
        if _VIRTUAL in changed:
            said.append(_("Virtual points have changed since this round was drawn."))
        if _SIZES in changed:
            said.append(_("How many sit at a table has changed since this round was drawn."))
        if _DECIDED in changed:
            said.append(
                _("Who goes on from a table has been decided differently since this round was drawn.")
            )
        if _APART in changed:
            said.append(_("Who is kept apart has changed since this round was drawn."))
    has_ties = traits_of(event).has_bracket and round_.matches.exclude(tie=None).exists()
    if has_ties and (doubt := bracket_in_doubt(event)):
        said.append(doubt)
    return [*said, *_come_or_gone(event, round_)]


def _changed(then: Mapping[str, str], now: Mapping[str, str], number: int) -> set[str]:
    """Return the keys that differ, without late entries of this round, who came since it was drawn."""
    changed = {key for key in now.keys() | then.keys() if now.get(key) != then.get(key)}
    # Drawn by an earlier version, which noted results and adjustments alone, or no virtual points.
    if _APART not in then:
        return {key for key in changed if key.isdecimal()}
    if _VIRTUAL not in then:
        changed.discard(_VIRTUAL)
    return {key for key in changed if key in then or not key.endswith(f" from {number}")}


def _come_or_gone(event: Event, round_: Round) -> list[str]:
    if not format_of(event).night_by_night:
        return []
    attendance = attendance_of(event, round_.number)
    here, asked = (
        {entry.pk: entry for entry in entries} for entries in (attendance.present, attendance.asked_off)
    )
    places = list(round_.matches.order_by().values_list(*SEATED, "state", "play_off"))
    if any(play_off is not None for *_seats, play_off in places):
        # A play-off is drawn from those who are level alone.
        return []
    placed, resting, playing = set(), set(), set()
    for *entries, state, _play_off in places:
        named = {entry for entry in entries if entry is not None}
        placed |= named
        if state == MatchState.ABSENT:
            resting |= named
        elif len(named) > 1:
            playing |= named
    gone = Entry.objects.filter(pk__in=placed - here.keys() - asked.keys()).order_by("name")
    return [
        words % {"names": ", ".join(map(str, named))}
        for named, words in (
            (list(gone), _("No longer here: %(names)s.")),
            (_of(here, here.keys() - placed), _("Here and not in this round: %(names)s.")),
            (_of(asked, asked.keys() & playing), _("Asked to sit out since: %(names)s.")),
            (_of(here, here.keys() & resting), _("Here again, and drawn to sit out: %(names)s.")),
        )
        if named
    ]


def _of(entries: dict[int, Entry], ids: Iterable[int]) -> list[Entry]:
    wanted = set(ids)
    return [entry for pk, entry in entries.items() if pk in wanted]
