"""Decisions of directors in a bracket: ties that the sheets leave open, and changes of who has gone on."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from league.core.lifecycle import Doing, check_doing
from league.draws.advancing import hold_bracket, put_back, settle_rows
from league.draws.round_writing import erase_matches
from league.draws.tie_tree import TieNow, begun, bracket_now
from league.errors import LeagueError
from league.models import Entry, Event, EventState, Match, MatchState, Tie, TieDecision
from league.policy import Permission, require
from league.record.audit import given_reason, locked, record_audit
from league.record.requests import request_standings
from scoring.core.actors import Actor
from scoring.models import SheetStatus
from scoring.services import void_sheet


@dataclass(frozen=True, slots=True)
class ConfirmedChange:
    """The effect of confirming a change: who goes on instead of whom, and the matches put away.

    `says` is None if the sheets leave the tie open again; `instead_of` is None if nobody has gone on and the
    matches were begun by entries that no longer stand there.
    """

    tie: TieNow
    says: Entry | None
    instead_of: Entry | None
    put_away: tuple[tuple[TieNow, Match], ...]


@transaction.atomic
def decide_tie(*, actor: Actor, tie: Tie, winner: Entry, reason: str) -> Tie:
    """Decide a tie for an entry by the director's word; refused as by `check_decidable`."""
    require(actor, Permission.DIRECT, tie.event.club)
    reason = given_reason(reason)
    event, tie = _lock_tie(tie)
    pair = check_decidable(tie, winner)
    now = _now(event, tie)
    before = _facts(now)
    Tie.objects.filter(pk=tie.pk).update(
        entry_a=pair[0], entry_b=pair[1], winner=winner, decided_by=TieDecision.DIRECTOR
    )
    settle_rows(event)
    return _note(actor, event, tie, "tie.decide", before, reason)


def check_decidable(tie: Tie, winner: Entry) -> tuple[Entry, Entry]:
    """Return both entries of a tie that `decide_tie` can decide: it must be open or in doubt.

    Refused: a tie that lacks an entry (`not_ready`), is decided (`decided_already`) or in play (`has_hands`);
    a winner that does not stand in it (`other_entry`), has withdrawn (`withdrawn`), or would replace an entry
    that has begun to play on, here or in the next tie (`next_begun`).
    """
    now = _now(tie.event, tie)
    if now.pair is None:
        raise LeagueError("not_ready", _("It is not known yet who stands in this match of the bracket."))
    if winner not in now.pair:
        raise LeagueError("other_entry", _("%(entry)s is not in it.") % {"entry": winner}, field="winner")
    if winner.withdrawn_at is not None:
        raise LeagueError("withdrawn", _("%(entry)s has withdrawn.") % {"entry": winner}, field="winner")
    if now.misfits:
        raise LeagueError(
            "next_begun", _("Others have begun to play in this match of the bracket: put that away first.")
        )
    if now.in_doubt and winner != now.winner:
        raise LeagueError(
            "next_begun",
            _("%(winner)s has gone on and begun to play; confirm the change instead.")
            % {"winner": now.winner},
            field="winner",
        )
    if now.winner is not None and not now.in_doubt:
        raise LeagueError(
            "decided_already",
            _("It is decided: %(winner)s goes on. Correct the sheet, or take back the walkover or forfeit.")
            % {"winner": now.winner},
        )
    if any(match.state == MatchState.PLAYING for match in now.own_sheets):
        raise LeagueError("has_hands", _("It is being played: award a forfeit on its sheet instead."))
    return now.pair


@transaction.atomic
def clear_decision(*, actor: Actor, tie: Tie, reason: str) -> Tie:
    """Take back the director's decision; refused (`next_begun`) once the winner has begun to play on."""
    require(actor, Permission.DIRECT, tie.event.club)
    reason = given_reason(reason)
    event, tie = _lock_tie(tie)
    if tie.decided_by != TieDecision.DIRECTOR:
        raise LeagueError("nothing_stated", _("The director has not decided this."))
    now = _now(event, tie)
    Tie.objects.filter(pk=tie.pk).update(decided_by=TieDecision.SHEET)
    if _now(event, tie).in_doubt:
        raise LeagueError(
            "next_begun", _("%(winner)s has gone on and begun to play.") % {"winner": now.winner}
        )
    settle_rows(event)
    return _note(actor, event, tie, "tie.clear", _facts(now), reason)


def plan_change(tie: Tie) -> ConfirmedChange:
    """Return what `confirm_change` would do; refused (`not_in_doubt`) unless the tie is in doubt."""
    event = tie.event
    now = _now(event, tie)
    if not now.in_doubt:
        raise LeagueError("not_in_doubt", _("The sheets agree with who has gone on."))
    put_away: list[tuple[TieNow, Match]] = []
    # Putting matches away may free other ties in doubt, and what followed from them.
    while more := _displaced(event, tie, put_away):
        put_away += more
    return ConfirmedChange(now, now.says, now.winner, tuple(put_away))


def _displaced(
    event: Event, tie: Tie, put_away: Sequence[tuple[TieNow, Match]]
) -> list[tuple[TieNow, Match]]:
    """Return matches begun by entries that no longer stand there, except those already put away."""
    after = bracket_now(event, confirmed={tie.number}, without={match.pk for _tie, match in put_away})
    return [
        (following, match)
        for following in (after.ties.values() if after is not None else ())
        for match in following.sheets
        if match not in following.own_sheets and begun(match)
    ]


@transaction.atomic
def confirm_change(*, actor: Actor, tie: Tie, reason: str) -> Tie:
    """Let the winner by the sheets go on, although another entry has begun to play in that place.

    Whatever was begun there is put away: its sheet is voided and kept on file, and a blank one is opened for
    the right entries. So is everything that followed from it.
    """
    require(actor, Permission.DIRECT, tie.event.club)
    reason = given_reason(reason)
    event, tie = _lock_tie(tie)
    change = plan_change(tie)
    for _following, match in change.put_away:
        sheet = match.sheet
        if sheet is not None and sheet.version and sheet.status != SheetStatus.VOID:
            void_sheet(actor=actor, sheet=sheet, reason=reason)
    first = {following.tie.number: match for following, match in change.put_away if match.leg == 1}
    labels = [match.label for _following, match in change.put_away]
    erase_matches(Match.objects.filter(pk__in=[match.pk for _following, match in change.put_away]))
    settle_rows(event, confirmed={tie.number})
    after = bracket_now(event)
    if after is not None and event.state == EventState.RUNNING:
        for number, match in first.items():
            put_back(event, after.ties[number], match)
    before = _facts(change.tie) | {"put_away": labels}
    return _note(actor, event, tie, "tie.change", before, reason)


def _lock_tie(tie: Tie) -> tuple[Event, Tie]:
    """Lock the matches of the bracket, then the event; returns the event and the tie as they are now."""
    event = hold_bracket(tie.event)
    check_doing(event.name, event.state, Doing.CORRECT)
    tie = locked(tie)
    tie.event = event
    return event, tie


def _now(event: Event, tie: Tie) -> TieNow:
    now = bracket_now(event)
    if now is None:
        raise LeagueError("nothing_drawn", _("Draw the bracket first."))
    return now.tie_of(tie)


def _facts(now: TieNow) -> dict[str, object]:
    return {
        "match": {"sides": [[now.pair[0]], [now.pair[1]]]} if now.pair else str(now),
        "winner": now.winner,
        "decided_by": str(now.decided_by),
    }


def _note(actor: Actor, event: Event, tie: Tie, action: str, before: dict[str, object], reason: str) -> Tie:
    now = _now(event, tie)
    record_audit(actor, action, now.tie, before=before, after=_facts(now), reason=reason)
    request_standings(event.pk)
    return now.tie
