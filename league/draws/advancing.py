"""Advances winners: settles ties from their sheets and makes or renames the sheets of the ties that follow.

Recording locks only its own sheet, so ties are settled when the table is recalculated, under the event's
lock. Everything here is derived, and settling twice changes nothing. Decisions by people are in `deciding`.
"""

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from league.draws.bracket_rounds import reason
from league.draws.forfeits import award_walkover
from league.draws.plans import PlannedMatch, RoundPlan
from league.draws.round_writing import erase_matches, write_matches
from league.draws.tie_tree import BracketNow, TieNow, bracket_now, has_hands
from league.errors import LeagueError
from league.matches.matches import appearances_of, bring_sheet, keep_voided_sheets, usual_line_ups
from league.matches.plans import forget_plans
from league.models import (
    Appearance,
    Entry,
    Event,
    EventState,
    Match,
    Round,
    RoundState,
    Tie,
    traits_of,
)
from league.notices.causes import match_added, matches_lost
from league.policy import Permission, can
from league.record.audit import as_noted, locked, record_audit
from league.record.locking import Clash, check_all_locked, lock_matches
from league.record.requests import request_standings
from scoring.core.actors import Actor, ActorKind
from scoring.models import SheetStatus

# The actor of changes that follow from results.
BRACKET: Final = Actor(ActorKind.OPERATOR, "bracket", "the bracket")

_TRIES: Final = 5


def settle_ties(event: Event) -> bool:
    """Bring the bracket of an event in line with its sheets; True if anything was written.

    Sets the winners of ties and the sides of the next ones, by walkover if an entry has withdrawn; renames
    blank sheets and opens further ones. Whatever has begun stays. Locks the sheets and matches it touches,
    then the event; the caller holds no locks. Refused (`clash`) if others keep changing the bracket
    meanwhile.
    """
    if not traits_of(event).has_bracket:
        return False
    for _try in range(_TRIES):
        now = bracket_now(event)
        if now is None or not (changes := _changes(now)):
            return False
        with suppress(Clash):
            return _settle(event, changes)
    raise Clash


@transaction.atomic
def _settle(event: Event, seen: "_Changes") -> bool:
    ids = lock_matches(Match.objects.filter(pk__in=seen.touched))
    event = locked(event)
    now = bracket_now(event)
    changes = _Changes() if now is None else _changes(now)
    # Another process has changed the bracket: start again, in the order of locks.
    if not changes.touched <= ids:
        raise Clash
    changes.write(event)
    return bool(changes)


def hold_bracket(event: Event, more: Q | None = None) -> Event:
    """Lock the matches of a bracket and `more` of the event, then the event; returns its current row."""
    of_it = Q(tie__isnull=False) if traits_of(event).has_bracket else Q(pk__in=[])
    matches = Match.objects.filter(of_it if more is None else of_it | more, event=event)
    ids = lock_matches(matches)
    event = locked(event)
    check_all_locked(matches, ids)
    return event


def settle_rows(event: Event, *, confirmed: Collection[int] = ()) -> None:
    """Like `settle_ties`, under the caller's locks on the event and its bracket (`hold_bracket`).

    Called before a round is paired from the bracket, so that what is stored is what is played.
    """
    now = bracket_now(event, confirmed=confirmed) if traits_of(event).has_bracket else None
    if now is not None:
        _changes(now).write(event)


def unsettled(event: Event) -> list[str]:
    """Return a sentence for each tie whose row differs from its sheets."""
    now = bracket_now(event) if traits_of(event).has_bracket else None
    if now is None:
        return []
    rows = {row.number for row in _changes(now).rows}
    return [
        f"bracket of {event}, match {tie.tie.number}: the sheets give {tie}, winner {tie.winner or 'nobody'}"
        for number, tie in now.ties.items()
        if number in rows
    ]


def check_goes_on(match: Match, by: Actor) -> None:
    """Refuse (`next_begun`) a result that changes who has already gone on, unless a director enters it.

    The tie is then in doubt until the director confirms who goes on.
    """
    if match.tie is None or can(by, Permission.DIRECT, match.event.club):
        return
    now = bracket_now(match.event)
    if now is not None and (tie := now.tie_of(match.tie)).in_doubt:
        raise LeagueError(
            "next_begun",
            _(
                "This would change who goes on from match %(number)s of the bracket (%(tie)s), and what "
                "comes next has begun: only a director may do that."
            )
            % {"number": tie.tie.number, "tie": tie},
        )


def put_back(event: Event, tie: TieNow, match: Match) -> None:
    """Make the first sheet of a tie again for its present entries, after another was put away.

    The caller holds the event.
    """
    if tie.winner is None:
        _make(event, tie, match.round, 1, match.table)


@dataclass(slots=True)
class _Changes:
    """Pending writes: rows of ties, and changes to their sheets.

    `blank` are the matches to erase; of these `lost` are published ones whose entries do not meet any more.
    """

    rows: list[Tie] = field(default_factory=list)
    blank: list[Match] = field(default_factory=list)
    lost: list[Match] = field(default_factory=list)
    renamed: list[tuple[TieNow, Match]] = field(default_factory=list)
    given: list[tuple[TieNow, Match]] = field(default_factory=list)
    goes_on: list[TieNow] = field(default_factory=list)

    @property
    def touched(self) -> set[int]:
        """The ids of the matches to be written."""
        matches = [*self.blank, *(match for _tie, match in [*self.renamed, *self.given])]
        return {match.pk for match in [*matches, *(match for tie in self.goes_on for match in tie.sheets)]}

    def __bool__(self) -> bool:
        return bool(self.rows or self.blank or self.renamed or self.given or self.goes_on)

    def write(self, event: Event) -> None:
        """Write everything. The caller holds the matches touched, then the event."""
        Tie.objects.bulk_update(self.rows, ["entry_a", "entry_b", "winner", "decided_by"])
        matches_lost(event, [(match.round, entry) for match in self.lost for entry in _entries(match)])
        if self.blank:
            erase_matches(Match.objects.filter(pk__in=[match.pk for match in self.blank]))
        if self.renamed:
            _rename(event, self.renamed)
        for tie, match in self.given:
            award_walkover(
                actor=BRACKET,
                match=match,
                winner_side=_given_to(tie, match),
                reason=str(tie.tie.get_decided_by_display()),
            )
        for tie in self.goes_on:
            first = tie.sheets[0]
            _make(event, tie, first.round, tie.next_leg or 1, first.table)
        if self:
            request_standings(event.pk)


def _changes(now: BracketNow) -> _Changes:
    changes = _Changes()
    is_running = now.event.state == EventState.RUNNING
    for tie in now.ties.values():
        _bring_row(tie, changes)
        own = tie.own_sheets
        others = [match for match in tie.sheets if match not in own]
        if tie.misfits:
            continue
        if others:
            kept = others[0] if tie.pair is not None and not own and others[0].leg == 1 else None
            gone = [match for match in others if match is not kept]
            changes.blank += gone
            changes.lost += [match for match in gone if match.round.state != RoundState.DRAFTED]
            if kept is not None:
                changes.renamed.append((tie, kept))
        elif tie.in_doubt:
            continue
        elif tie.winner is not None:
            unplayed = [match for match in own if not has_hands(match)]
            first = unplayed[0] if len(unplayed) == len(own) and unplayed else None
            is_drafted = first is not None and first.round.state == RoundState.DRAFTED
            changes.blank += [match for match in unplayed if match is not first or is_drafted]
            if first is not None and not is_drafted and is_running:
                changes.given.append((tie, first))
        elif own and is_running and tie.next_leg is not None and tie.next_leg > own[-1].leg:
            changes.goes_on.append(tie)
    return changes


def _entries(match: Match) -> list[Entry]:
    return [entry for side in match.sides for entry in match.side(side)]


def _given_to(tie: TieNow, match: Match) -> int | None:
    """Return the side that gets the match without play; None if both have withdrawn."""
    if tie.winner is None or tie.winner.withdrawn_at is not None:
        return None
    return int(match.entry_b_id == tie.winner.pk)


def _bring_row(tie: TieNow, changes: _Changes) -> None:
    row, (first, second) = tie.tie, tie.entries
    wanted = (first and first.pk, second and second.pk, tie.winner and tie.winner.pk, str(tie.decided_by))
    if (row.entry_a_id, row.entry_b_id, row.winner_id, row.decided_by) != wanted:
        row.entry_a, row.entry_b, row.winner, row.decided_by = first, second, tie.winner, str(tie.decided_by)
        changes.rows.append(row)


def _make(event: Event, tie: TieNow, round_: Round, leg: int, table: int | None) -> None:
    """Make another sheet of a tie, in the round in which the tie is played."""
    if tie.pair is None:
        return
    planned = PlannedMatch(
        sides=((tie.pair[0],), (tie.pair[1],)), table=table, reasons=(reason(tie),), tie=tie.tie, leg=leg
    )
    plan = RoundPlan(number=round_.number, matches=(planned,))
    if round_.state == RoundState.COMPLETE:
        round_.state = RoundState.PUBLISHED
        round_.save(update_fields=["state"])
    write_matches(actor=BRACKET, event=event, rounds=[(round_, plan)])


def _rename(event: Event, renamed: Sequence[tuple[TieNow, Match]]) -> None:
    """Put the present entries of a tie into its match, and their names on its blank sheet.

    Who plays in it now is told, if it is published, and who does not any more. A team that must choose its
    line-up has no sheet until it does. A voided sheet stays with its former entries, and a new one is opened.
    """
    line_ups = usual_line_ups(event)
    before = {match.pk: as_noted(match) for _tie, match in renamed}
    changed = [
        (match, side, entry)
        for tie, match in renamed
        if tie.pair is not None
        for side, entry in enumerate(tie.pair)
        if entry != (match.entry_b if side else match.entry_a)
    ]
    lost = [
        (match.round, entry)
        for match, side, _entry in changed
        if match.round.state != RoundState.DRAFTED
        for entry in match.side(side)
    ]
    # Departures first, as two matches of a round may exchange players.
    for match, side, _entry in changed:
        match.appearances.filter(side=side).delete()
    for match, side, entry in changed:
        if match.bot_side == side:
            match.bot_side = None
        if side:
            match.entry_b = entry
        else:
            match.entry_a = entry
    for tie, match in renamed:
        match.reasons = [reason(tie)]
    matches = [match for _tie, match in renamed]
    _leave_voided_sheets(matches)
    Match.objects.bulk_update(matches, ["entry_a", "entry_b", "reasons", "sheet", "bot_side"])
    forget_plans(Match.objects.filter(pk__in=[match.pk for match in matches]))
    Appearance.objects.bulk_create(
        [
            appearance
            for match, side, entry in changed
            if match.round.state != RoundState.DRAFTED
            for appearance in appearances_of(match, side, line_ups.get(entry.pk, ()))
        ]
    )
    for match in matches:
        if match.sheet is not None and match.appearances.values("side").distinct().count() < 2:
            sheet, match.sheet = match.sheet, None
            match.save(update_fields=["sheet"])
            sheet.delete()
        elif match.round.state != RoundState.DRAFTED:
            bring_sheet(BRACKET, match)
        if match.round.state != RoundState.DRAFTED:
            match_added(match)
        record_audit(
            BRACKET, "match.advance", match, before={"match": before[match.pk]}, after={"match": match}
        )
    matches_lost(event, lost)


def _leave_voided_sheets(matches: Sequence[Match]) -> None:
    """Detach voided sheets from their matches and keep them on file; substitutes are not seated again."""
    voided = [
        match for match in matches if match.sheet is not None and match.sheet.status == SheetStatus.VOID
    ]
    ids = [match.pk for match in voided]
    keep_voided_sheets(Match.objects.filter(pk__in=ids))
    Appearance.objects.filter(match__in=ids, replaces__isnull=False).delete()
    for match in voided:
        match.sheet = None
