"""Annuls all results of an entry that has withdrawn, and lets them count again (RULES §14).

Sheets, deals and results stay as they are, and stay rated: the entry and its matches are marked, and the
table is counted without them. So a later correction of a sheet does no harm, and taking the annulment back
gives the table that there would have been without it.
"""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.lifecycle import Doing, check_doing
from league.core.standings import annulled_by_rule
from league.draws.formats import format_of
from league.errors import LeagueError
from league.models import PLAYED, SAT_OUT, Entry, Event, Match, MatchState
from league.notices.causes import table_touched
from league.policy import Permission, require
from league.record.audit import change_row, given_reason, locked
from league.record.locking import check_all_locked, lock_matches
from league.record.requests import request_standings
from league.tables.results import Ranked, ranking_of
from scoring.core.actors import Actor


@dataclass(frozen=True, slots=True)
class UsualRule:
    """What the usual rule says of an entry: whether its results are annulled, and why, in a sentence."""

    annuls: bool
    words: str


@dataclass(frozen=True, slots=True)
class Moved:
    """The lines of an entry in two tables; None where it has none."""

    entry: Entry
    before: Ranked | None
    after: Ranked | None


@transaction.atomic
def annul_results(*, actor: Actor, entry: Entry, reason: str) -> Entry:
    """Annul all results of an entry that has withdrawn: its own, and those of its opponents against it.

    Refused: an entry that has not withdrawn (`not_withdrawn`), one whose results are annulled
    (`annulled_already`), one that the bracket after the groups has taken in (`in_bracket`), and formats in
    which results always stay (`results_stay`).
    """
    require(actor, Permission.DIRECT, entry.event.club)
    ids = lock_matches(Match.objects.of_entry(entry))
    event = locked(entry.event)
    entry = locked(entry)
    write_annulment(actor=actor, event=event, entry=entry, ids=ids, reason=given_reason(reason))
    return entry


def write_annulment(*, actor: Actor, event: Event, entry: Entry, ids: set[int], reason: str) -> None:
    """Annul as `annul_results`; the caller holds the locks of the matches `ids`, the event and the entry."""
    check_annullable(event, entry)
    check_all_locked(Match.objects.of_entry(entry), ids)
    _write(actor, event, entry, "entry.annul", timezone.now(), reason)


@transaction.atomic
def restore_results(*, actor: Actor, entry: Entry, reason: str) -> Entry:
    """Let annulled results count again; refused (`not_annulled`) if they are not annulled."""
    require(actor, Permission.DIRECT, entry.event.club)
    ids = lock_matches(Match.objects.of_entry(entry))
    event = locked(entry.event)
    check_doing(event.name, event.state, Doing.CORRECT)
    entry = locked(entry)
    if entry.annulled_at is None:
        raise LeagueError("not_annulled", _("The results of %(entry)s are not annulled.") % {"entry": entry})
    check_all_locked(Match.objects.of_entry(entry), ids)
    _write(actor, event, entry, "entry.restore", None, given_reason(reason))
    return entry


def check_annullable(event: Event, entry: Entry, *, withdraws: bool = False) -> None:
    """Refuse whatever `annul_results` refuses; `withdraws` if the entry is about to withdraw."""
    check_doing(event.name, event.state, Doing.CORRECT)
    own = format_of(event)
    if not own.may_annul:
        raise LeagueError(
            "results_stay",
            _("%(format)s: results stay when an entry withdraws.") % {"format": own.title},
        )
    if entry.withdrawn_at is None and not withdraws:
        raise LeagueError(
            "not_withdrawn", _("%(entry)s has not withdrawn: withdraw the entry first.") % {"entry": entry}
        )
    if entry.annulled_at is not None:
        raise LeagueError(
            "annulled_already", _("The results of %(entry)s are annulled already.") % {"entry": entry}
        )
    if event.ties.filter(Q(entry_a=entry) | Q(entry_b=entry)).exists():
        raise LeagueError(
            "in_bracket",
            _("%(entry)s is in the bracket, which was drawn by these results: they stay.") % {"entry": entry},
        )


def usual_rule(entry: Entry) -> UsualRule | None:
    """Return what the usual rule says of an entry that withdraws now; None where results always stay."""
    own = format_of(entry.event)
    if not own.may_annul:
        return None
    if not own.annuls_by_half:
        return UsualRule(
            False, _("By the usual rule results stay here: who met whom was drawn by the results before.")
        )
    matches = list(
        Match.objects.of_entry(entry)
        .filter(tie=None, play_off=None)
        .exclude(state__in=SAT_OUT)
        .order_by()
        .values_list("state", "sheet__deal_count")
    )
    played = sum(state in PLAYED or (state == MatchState.FORFEIT and bool(deals)) for state, deals in matches)
    annuls = annulled_by_rule(played, len(matches))
    said = ngettext(
        "%(played)d of its %(count)d match is played",
        "%(played)d of its %(count)d matches are played",
        len(matches),
    ) % {"played": played, "count": len(matches)}
    rule = (
        _("%(said)s, less than half: by the usual rule its results are annulled.")
        if annuls
        else _("%(said)s, half of them or more: by the usual rule its results stay.")
    )
    return UsualRule(annuls, rule % {"said": said})


def matches_annulled(entry: Entry) -> Sequence[Match]:
    """Return the matches with an opponent whose results go, or come back, by round."""
    rows = Match.objects.of_entry(entry).exclude(state__in=SAT_OUT).with_sides("round")
    return list(rows.order_by("round__number", "table", "pk"))


def table_without(entry: Entry, *, annulled: bool) -> list[Moved]:
    """Return everybody's lines in the public table now, and with the entry's results annulled or not.

    The other table is counted as it would be, in a transaction that is rolled back.
    """
    event = entry.event
    before = {line.entry_id: line for line in ranking_of(event, event.entries.all())}
    with transaction.atomic():
        lock_matches(Match.objects.of_entry(entry))
        now = timezone.now()
        Entry.objects.filter(pk=entry.pk).update(
            withdrawn_at=entry.withdrawn_at or now, annulled_at=now if annulled else None
        )
        _mark_matches(entry)
        after = {line.entry_id: line for line in ranking_of(event, event.entries.all())}
        transaction.set_rollback(True)
    entries = {each.pk: each for each in event.entries.all()}
    order = [*after, *(pk for pk in before if pk not in after)]
    return [Moved(entries[pk], before.get(pk), after.get(pk)) for pk in order]


def _write(
    actor: Actor, event: Event, entry: Entry, action: str, at: datetime.datetime | None, reason: str
) -> None:
    change_row(actor, action, entry, {"annulled_at": at}, reason=reason)
    _mark_matches(entry)
    table_touched(event)
    request_standings(event.pk)


def _mark_matches(entry: Entry) -> None:
    """Bring `Match.annulled` of the entry's matches in line with the entries on both sides."""
    annulled = Entry.objects.filter(event=entry.event_id).exclude(annulled_at=None)
    theirs = Match.objects.of_entries(annulled.order_by().values("pk")).order_by().values("pk")
    Match.objects.of_entry(entry).filter(annulled=False, pk__in=theirs).update(annulled=True)
    Match.objects.of_entry(entry).filter(annulled=True).exclude(pk__in=theirs).update(annulled=False)
