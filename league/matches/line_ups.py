"""Line-ups of a match, until anything is recorded on its sheet."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.services.hands import TABLE
from league.core.evening import EveningState
from league.core.lifecycle import Doing, check_doing
from league.errors import LeagueError
from league.matches.arrivals import following_round, is_to_open
from league.matches.matches import appearances_of, bots_for, bring_sheet
from league.models import AWARDED, Appearance, Evening, Match, MatchState, Player, RoundState
from league.policy import Permission, require
from league.policy.eligibility import (
    check_choosable,
    check_free,
    check_line_up,
    check_not_in_play,
    check_not_withdrawn,
)
from league.policy.grants import account_in
from league.record.audit import locked, record_audit
from league.record.locking import lock_match
from league.record.requests import request_standings
from scoring.core.actors import Actor


@dataclass(frozen=True, slots=True)
class ToHandIn:
    """A line-up that a captain may hand in: for which side, from whom, who is in it so far, until when.

    `until` is None as long as no time is set: of a later round, and while the evening does not go on.
    """

    side: int
    members: tuple[Player, ...]
    players: tuple[Player, ...]
    until: datetime.datetime | None


def to_hand_in(match: Match, user: int | None) -> ToHandIn | None:
    """The line-up that the account (an id) may hand in as captain of a team; None if it may not, or no more.

    In an event that runs itself, of a published match that has not begun, until its round begins.
    """
    if user is None or match.event.team_size == 1:
        return None
    evening = Evening.objects.filter(event=match.event_id).exclude(state=EveningState.OVER).first()
    if evening is None or not _may_be_set(match):
        return None
    if evening.state != EveningState.SET and not is_to_open(match):
        return None
    # That of a later round is not known yet.
    is_next = evening.is_going and match.round == following_round(match.event, evening)
    until = evening.next_at if is_next else None
    if until is not None and until <= timezone.now():
        return None
    for side in match.sides:
        for entry in match.side(side):
            if entry.captain is not None and entry.captain.user_id == user and entry.withdrawn_at is None:
                members = entry.members.select_related("player").order_by("position", "id")
                seats = match.appearances.filter(side=side, replaces=None).select_related("player")
                return ToHandIn(
                    side,
                    tuple([each.player for each in members]),
                    tuple([seat.player for seat in seats.order_by("position")]),
                    until,
                )
    return None


def _may_be_set(match: Match) -> bool:
    """Whether line-ups of the match may still be set, as far as its own row says."""
    may_play_bot = match.sheet_id is not None or (not match.bye_given and bool(bots_for(match)))
    is_due = match.state == MatchState.SCHEDULED or (match.state == MatchState.BYE and may_play_bot)
    blank = match.sheet is None or match.sheet.version == 0
    return is_due and blank and match.round.state == RoundState.PUBLISHED


def is_captain(match: Match, user: int | None) -> bool:
    """Whether the account (an id) is captain of a team in the match."""
    captains = [one.captain for side in match.sides for one in match.side(side) if one.captain is not None]
    return user is not None and any(captain.user_id == user for captain in captains)


@transaction.atomic
def hand_in_line_up(*, actor: Actor, match: Match, players: Sequence[Player]) -> Match:
    """Set who plays for the team of which the actor is captain, in an evening that runs itself.

    Until its round begins, as often as he likes (`to_hand_in`); of the team's own members. Refused: who is no
    captain in this match (`not_allowed`), who comes late (`too_late`), others than members (`other_club`,
    `not_a_member`), and as by `set_line_up`.
    """
    account = account_in(actor, match.event.club)
    user = int(account) if account else None
    if not is_captain(match, user):
        raise LeagueError("not_allowed", _("Only the captain of a team hands in its line-up."))
    match, _sheet = lock_match(match)
    match.event = locked(match.event)
    found = to_hand_in(match, user)
    if found is None:
        raise LeagueError(
            "too_late", _("The line-up is handed in before the round begins. Now a director may change it.")
        )
    check_choosable(match.event.club, players)
    if strangers := [player for player in players if player not in found.members]:
        raise LeagueError(
            "not_a_member", _("%(player)s is not of this team.") % {"player": strangers[0]}, field="players"
        )
    return _write(actor, match, side=found.side, players=players, sheet_by=TABLE)


@transaction.atomic
def set_line_up(
    *, actor: Actor, match: Match, side: int, players: Sequence[Player], reason: str = ""
) -> Match:
    """Set the players of a side (0 or 1) in order; refused once anything is on the sheet, or in play.

    Players are members of the side's entries, or of no entry of the event, or guests. Once both line-ups are
    known the sheet is opened, or its names are updated. Of who has a bye the bot that may play them takes its
    seats (`bots_for`). After the first deal use `substitutes.seat_substitute`.
    """
    require(actor, Permission.RECORD, match.event.club)
    return _write(actor, match, side=side, players=players, reason=reason, sheet_by=actor)


def _write(
    actor: Actor, match: Match, *, side: int, players: Sequence[Player], sheet_by: Actor, reason: str = ""
) -> Match:
    """Do what `set_line_up` does for whoever may; a captain writes no names on sheets himself."""
    match, sheet = lock_match(match)
    event = match.event = locked(match.event)
    check_doing(event.name, event.state, Doing.PLAY)
    entries, bots = match.side(side), () if sheet is not None else bots_for(match)
    is_played = match.state not in AWARDED or (match.state == MatchState.BYE and sheet is not None)
    if not entries or not (is_played or bots):
        raise LeagueError("not_played", _("%(match)s is not played.") % {"match": match})
    if match.round.state == RoundState.DRAFTED:
        raise LeagueError(
            "round_drafted",
            _("Round %(number)s is a draft; line-ups are set once it is published.")
            % {"number": match.round.number},
        )
    if sheet is not None and sheet.acts.exists():
        raise LeagueError(
            "has_hands",
            _(
                "The line-up is locked once something is recorded on the sheet; a substitute may take over "
                "a seat from the next deal on."
            ),
        )
    check_not_in_play(Match.objects.filter(pk=match.pk))
    check_not_withdrawn(match, side=side, players=players)
    check_line_up(event, entries, players)
    seats = list(match.appearances.filter(side=side).select_related("player", "sits_in_for"))
    old = [seat.player for seat in seats]
    if old == list(players):
        return match
    # A bot that sits in for somebody who does not play goes on doing so where it stays in its seat.
    sits_in = {
        (seat.position, seat.player): seat.sits_in_for
        for seat in seats
        if seat.sits_in_for is not None and seat.sits_in_for not in players
    }
    others = [player for position, player in enumerate(players) if (position, player) not in sits_in]
    match.appearances.filter(side=side).delete()
    if match.bot_side == side:
        match.bot_side = None
        match.save(update_fields=["bot_side"])
    check_free(match.round, others, match=match)
    written = list(appearances_of(match, side, players))
    for seat in written:
        seat.sits_in_for = sits_in.get((seat.position, seat.player))
    Appearance.objects.bulk_create([*written, *appearances_of(match, 1 - side, bots)])
    bring_sheet(sheet_by, match)
    record_audit(
        actor,
        "match.line_up",
        match,
        before={"entry": list(match.side(side)), "players": old},
        after={"entry": list(match.side(side)), "players": list(players)},
        reason=reason,
    )
    if bots:
        request_standings(event.pk)
    return match
