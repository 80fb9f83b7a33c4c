"""Awards forfeits and walkovers, and takes them back."""

from collections.abc import Mapping
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import TableMatch
from games.services import end_table
from games.services.hands import TABLE
from league.bots.bot_matches import end_bot_matches
from league.core.lifecycle import Doing, check_doing
from league.draws.tie_tree import begun, bracket_now
from league.errors import LeagueError
from league.matches.fields import match_fields
from league.models import AWARDED, PLAYED, Entry, Match, MatchState, RoundState, TieDecision
from league.notices.causes import result_changed, result_counts
from league.policy import Permission, require
from league.record.audit import given_reason, locked, record_audit
from league.record.locking import lock_match
from league.record.requests import request_standings
from scoring.core.actors import Actor
from scoring.core.messages import Message, mark
from scoring.models import Scoresheet

# The note of a bot match that an award ends.
_ENDED_BY: Final[Mapping[MatchState, Message]] = {
    MatchState.FORFEIT: mark("A forfeit was awarded."),
    MatchState.WALKOVER: mark("A walkover was awarded."),
}


@transaction.atomic
def award_forfeit(*, actor: Actor, match: Match, winner_side: int | None, reason: str) -> Match:
    """End a match that a side gave up: `winner_side` (0 or 1) gets it, nobody if None.

    The sheet stays readable and does not count; whoever plays it on this site stops. Refused once the match
    has a result (`has_result`), and as by `check_awardable`.
    """
    require(actor, Permission.DIRECT, match.event.club)
    return _award(actor, match, MatchState.FORFEIT, winner_side, reason)


@transaction.atomic
def award_walkover(*, actor: Actor, match: Match, winner_side: int | None, reason: str) -> Match:
    """Award a match to the side that came, to neither if None (both failed to show up).

    Refused once a hand is recorded (`has_hands`), and if the side has withdrawn (`withdrawn`).
    """
    require(actor, Permission.DIRECT, match.event.club)
    return _award(actor, match, MatchState.WALKOVER, winner_side, reason)


@transaction.atomic
def concede_match(*, actor: Actor, match: Match, winner_side: int, reason: str) -> Match:
    """Give a match that has not begun to the other side, at the wish of a side's own player.

    That the actor is that player is for the caller to check; else refused as by `award_walkover`.
    """
    return _award(actor, match, MatchState.WALKOVER, winner_side, reason)


@transaction.atomic
def clear_award(*, actor: Actor, match: Match, reason: str) -> Match:
    """Take a forfeit or walkover back: the match follows its sheet again.

    Refused in a bracket if it would be awarded again at once: a side has withdrawn (`withdrawn`), or the
    director has decided the tie (`decided_already`).
    """
    require(actor, Permission.DIRECT, match.event.club)
    reason = given_reason(reason)
    match, sheet = _lock_match(match)
    if match.state not in (MatchState.FORFEIT, MatchState.WALKOVER):
        raise LeagueError("nothing_stated", _("This match was not awarded."))
    _write_state(actor, match, match_fields(sheet, match), "match.clear", reason)
    _check_open_again(match)
    result_changed(match)
    return match


def _check_open_again(match: Match) -> None:
    now = bracket_now(match.event) if match.tie is not None else None
    if now is None or match.tie is None or begun(match):
        return
    tie = now.tie_of(match.tie)
    if tie.decided_by == TieDecision.DIRECTOR:
        raise LeagueError(
            "decided_already",
            _("The director has said who goes on from match %(number)s of the bracket: take that back.")
            % {"number": tie.tie.number},
        )
    gone = [str(entry) for entry in tie.pair or () if entry.withdrawn_at is not None]
    if tie.decided_by == TieDecision.WALKOVER and gone:
        raise LeagueError(
            "withdrawn",
            ngettext(
                "%(names)s has withdrawn: reinstate the entry first.",
                "%(names)s have withdrawn: reinstate them first.",
                len(gone),
            )
            % {"names": ", ".join(gone)},
        )


def _award(actor: Actor, match: Match, state: MatchState, winner_side: int | None, reason: str) -> Match:
    reason = given_reason(reason)
    match, _sheet = _lock_match(match)
    check_awardable(match, state, winner_side)
    end_bot_matches(Match.objects.filter(pk=match.pk), _ENDED_BY[state])
    table = TableMatch.objects.filter(sheet__match=match, is_live=True).first()
    if table is not None:
        end_table(actor=TABLE, match=table)
    fields: dict[str, Any] = match_fields(None) | {"state": state, "winner_side": winner_side}
    _write_state(actor, match, fields, f"match.{state.value}", reason)
    result_counts(match, actor)
    return match


def _lock_match(match: Match) -> tuple[Match, Scoresheet | None]:
    """Lock a match and its sheet, and refuse if its event is not running."""
    event = match.event
    match, sheet = lock_match(match)
    event = match.event = locked(event)
    check_doing(event.name, event.state, Doing.PLAY)
    return match, sheet


def check_awardable(match: Match, state: MatchState, winner_side: int | None) -> None:
    """Refuse whatever `award_forfeit` and `award_walkover` refuse about a match."""
    if match.entry_b_id is None:
        raise LeagueError("bye", _("A bye can neither be forfeited nor given."))
    if match.is_table:
        raise LeagueError(
            "at_table",
            _("A table of three or more cannot be forfeited: seat a substitute, or pair the round again."),
        )
    if match.round.state == RoundState.DRAFTED:
        raise LeagueError(
            "round_drafted",
            _("Round %(number)s is a draft: pair it again instead.") % {"number": match.round.number},
        )
    if match.state in AWARDED:
        raise LeagueError(
            "stated_already", _("A %(state)s was awarded already.") % {"state": match.get_state_display()}
        )
    if match.state in PLAYED:
        raise LeagueError(
            "has_result",
            _("%(label)s has its result. Correct the sheet, or void it first.") % {"label": match.label},
        )
    if winner_side not in (0, 1, None):
        raise LeagueError("invalid", _("A match goes to one side or to neither."), field="winner_side")
    if winner_side is not None and match.state == MatchState.SCHEDULED:
        _check_still_in(match, winner_side)
    if state == MatchState.WALKOVER and match.state == MatchState.PLAYING:
        raise LeagueError("has_hands", _("They have begun to play: award a forfeit instead."))


def _check_still_in(match: Match, winner_side: int) -> None:
    """Refuse (`withdrawn`) to award a match that has not begun to a side that has withdrawn."""
    entries = match.side(winner_side)
    if all(entry.withdrawn_at is not None for entry in entries):
        raise LeagueError(
            "withdrawn",
            _("%(entry)s has withdrawn and is given no match.") % {"entry": match.side_name(winner_side)},
            field="winner_side",
        )


def _write_state(actor: Actor, match: Match, fields: dict[str, Any], action: str, reason: str) -> None:
    before = {"state": match.state, "winner": _winner(match)}
    for name, value in fields.items():
        setattr(match, name, value)
    match.save(update_fields=[*fields])
    record_audit(
        actor,
        action,
        match,
        before=before,
        after={"state": match.state, "winner": _winner(match)},
        reason=reason,
    )
    request_standings(match.event_id)


def _winner(match: Match) -> list[Entry] | None:
    return None if match.winner_side is None else list(match.side(match.winner_side))
