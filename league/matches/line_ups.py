"""Line-ups of a match, until anything is recorded on its sheet.

In an evening that runs itself those of a round that has not begun are closed: handed in (`LineUpSeat`), and
written into the match (`Appearance`) once those of both sides are in, or the round begins.
"""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.services.hands import TABLE
from league.core.evening import EveningState
from league.core.lifecycle import Doing, check_doing, may
from league.errors import LeagueError
from league.matches.arrivals import following_round, is_to_open
from league.matches.matches import appearances_of, bots_for, bring_sheet
from league.models import (
    AWARDED,
    Appearance,
    EntryMember,
    Evening,
    LineUpSeat,
    Match,
    MatchState,
    Player,
    RoundState,
)
from league.models.matches import MatchQuerySet
from league.policy import Permission, can, require
from league.policy.eligibility import (
    check_choosable,
    check_free,
    check_line_up,
    check_not_in_play,
    check_not_withdrawn,
)
from league.policy.grants import account_in
from league.policy.refusals import refused
from league.record.audit import locked, record_audit
from league.record.locking import lock_match
from league.record.requests import request_standings
from scoring.core.actors import Actor, ActorKind


@dataclass(frozen=True, slots=True)
class ToHandIn:
    """A line-up that a captain may hand in: for which side, from whom, who is in it so far, until when.

    It `is_in` once he has handed it in, and the other side does not see it yet. `until` is None as long as no
    time is set: of a later round, and while the evening does not go on.
    """

    side: int
    members: tuple[Player, ...]
    players: tuple[Player, ...]
    is_in: bool
    until: datetime.datetime | None


@dataclass(frozen=True, slots=True)
class Closed:
    """A line-up that is handed in, and that only its captain and the directors see yet."""

    side: int
    players: tuple[Player, ...]


def to_hand_in(match: Match, user: int | None) -> ToHandIn | None:
    """The line-up that the account (an id) may hand in as captain of a team; None if it may not, or no more.

    In an event that runs itself, of a published match that has not begun, until those of both sides are in or
    its round begins.
    """
    evening = None if user is None else _evening_before(match)
    if evening is None or are_in(match):
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
                handed_in = _handed_in(match).get(side)
                return ToHandIn(
                    side,
                    tuple([each.player for each in members]),
                    handed_in or tuple(seated(match, side)),
                    handed_in is not None,
                    until,
                )
    return None


def _evening_before(match: Match) -> Evening | None:
    """The evening that has yet to begin the round of this match of teams; None without one."""
    if match.event.team_size == 1 or not _may_be_set(match):
        return None
    evening = Evening.objects.filter(event=match.event_id).exclude(state=EveningState.OVER).first()
    is_before = evening is not None and (evening.state == EveningState.SET or is_to_open(match))
    return evening if is_before else None


def is_closed(match: Match) -> bool:
    """Whether neither side sees yet who plays for the other, if that is handed in."""
    return match.entry_b_id is not None and _evening_before(match) is not None and not are_in(match)


def closed_line_ups(match: Match, user: int | None, *, directs: bool) -> list[Closed]:
    """What is handed in and still closed, as far as the account (an id) may know it, in order of sides.

    Of a team its captain does, and who `directs` of both, unless he belongs to one of them himself.
    """
    if user is None or not is_closed(match):
        return []
    entries = [(side, entry) for side in match.sides for entry in match.side(side)]
    own = {side for side, entry in entries if entry.captain is not None and entry.captain.user_id == user}
    of_team = EntryMember.objects.filter(entry__in=[entry for _side, entry in entries], player__user=user)
    sees_all = directs and not own and not of_team.exists()
    return [
        Closed(side, players)
        for side, players in sorted(_handed_in(match).items())
        if sees_all or side in own
    ]


def are_in(match: Match) -> bool:
    """Whether the line-ups of both sides are handed in, and so seen by all."""
    entered = {side for side in match.sides if match.ids_of(side)}
    return len(entered) > 1 and entered == _handed_in(match).keys()


def seated(match: Match, side: int) -> list[Player]:
    """Who sits in the match for a side, by its own rows."""
    return [seat.player for seat in match.appearances.filter(side=side).select_related("player")]


def _handed_in(match: Match) -> dict[int, tuple[Player, ...]]:
    """By side, the line-ups handed in before the round begins, in the order of seats."""
    found: dict[int, tuple[Player, ...]] = {}
    for seat in match.line_up_seats.select_related("player").order_by("side", "position"):
        found[seat.side] = (*found.get(seat.side, ()), seat.player)
    return found


def _may_be_set(match: Match) -> bool:
    """Whether line-ups of the match may still be set, as far as its own row and its event's say."""
    may_play_bot = match.sheet_id is not None or (not match.bye_given and bool(bots_for(match)))
    is_due = match.state == MatchState.SCHEDULED or (match.state == MatchState.BYE and may_play_bot)
    blank = match.sheet is None or match.sheet.version == 0
    is_on = may(match.event.state, Doing.PLAY) and match.round.state == RoundState.PUBLISHED
    return is_due and blank and is_on


def is_captain(match: Match, user: int | None) -> bool:
    """Whether the account (an id) is captain of a team in the match."""
    captains = [one.captain for side in match.sides for one in match.side(side) if one.captain is not None]
    return user is not None and any(captain.user_id == user for captain in captains)


@transaction.atomic
def hand_in_line_up(*, actor: Actor, match: Match, players: Sequence[Player]) -> Match:
    """Say who plays for the team of which the actor is captain, in an evening that runs itself.

    As often as he likes, until the line-ups of both sides are in or the round begins (`to_hand_in`); of the
    team's own members. Nobody else but directors sees it before. Refused: who is no captain in this match
    (`not_allowed`), who comes late (`too_late`), others than members (`other_club`, `not_a_member`), and as
    by `set_line_up`.
    """
    account = account_in(actor, match.event.club)
    user = int(account) if account else None
    if not is_captain(match, user):
        raise LeagueError("not_allowed", _("Only the captain of a team hands in its line-up."))
    match, _sheet = lock_match(match)
    match.event = locked(match.event)
    check_doing(match.event.name, match.event.state, Doing.PLAY)
    found = to_hand_in(match, user)
    if found is None and are_in(match):
        raise LeagueError(
            "too_late", _("The line-ups of both sides are in. Now only a director may change yours.")
        )
    if found is None:
        raise LeagueError(
            "too_late", _("Line-ups are handed in before the round begins. Now only a director sets yours.")
        )
    check_choosable(match.event.club, players)
    _check_members(found.members, players)
    if not is_closed(match):
        # Who has the bye keeps it from nobody.
        return write_line_up(actor=actor, match=match, side=found.side, players=players, sheet_by=TABLE)
    return _hand_in(actor, match, found.side, players)


def _check_members(members: Sequence[Player], players: Sequence[Player]) -> None:
    if strangers := [player for player in players if player not in members]:
        raise LeagueError(
            "not_a_member", _("%(player)s is not of this team.") % {"player": strangers[0]}, field="players"
        )


def seats_shown(players: Sequence[Player]) -> str:
    """A line-up as a form carries it, to be compared with what it is later."""
    return " ".join(str(player.pk) for player in players) or "-"


@transaction.atomic
def set_line_up(*, actor: Actor, match: Match, side: int, players: Sequence[Player], seen: str = "") -> Match:
    """Set the players of a side (0 or 1) in order; refused once anything is on the sheet, or in play.

    Players are members of the side's entries, or of no entry of the event, or guests. Once both line-ups are
    known the sheet is opened, or its names are updated. Of who has a bye the bot that may play them takes its
    seats (`bots_for`). After the first deal use `substitutes.seat_substitute`. As long as line-ups are
    closed it is handed in, as a captain's is.

    `seen` is the side's line-up as whoever sets it has seen it (`seats_shown`; blank is not asked); refused
    (`seated_meanwhile`) if it is another by now.
    """
    require(actor, Permission.RECORD, match.event.club)
    match, _sheet = lock_match(match)
    match.event = locked(match.event)
    if seen and seen != seats_shown(seated(match, side)):
        raise LeagueError(
            "seated_meanwhile",
            _("The line-up of %(side)s was changed meanwhile. Reload this page and look at it first.")
            % {"side": match.side_shown(side)},
        )
    if is_closed(match):
        return _hand_in(actor, match, side, players)
    return write_line_up(actor=actor, match=match, side=side, players=players)


def _hand_in(actor: Actor, match: Match, side: int, players: Sequence[Player]) -> Match:
    """Keep a line-up of a match that is held with its event; open both, if the other is in.

    If that cannot be written any more it counts as none: then its captain may hand one in again.
    """
    _check_line_up(match, side, players)
    author, now = LineUpSeat.actor_fields(actor), timezone.now()
    match.line_up_seats.filter(side=side).delete()
    LineUpSeat.objects.bulk_create(
        LineUpSeat(match=match, side=side, position=position, player=player, at=now, **author)
        for position, player in enumerate(players)
    )
    _forget_void(match)
    return _write_handed_in(match) if are_in(match) else match


def open_line_ups(matches: MatchQuerySet) -> None:
    """Write the line-ups of these matches that are still closed, and forget what was handed in.

    As their round begins, or the event runs itself no longer. The caller holds the matches and the event.
    """
    handed_in = matches.filter(pk__in=LineUpSeat.objects.order_by().values("match"))
    for match in list(handed_in.with_sides("round", "event__club")):
        if not are_in(match):
            _forget_void(match)
            _write_handed_in(match)
        match.line_up_seats.all().delete()


def _forget_void(match: Match) -> None:
    """Forget what is handed in and could not be any more: it counts for nothing.

    Somebody in it may have left the team meanwhile, or the team may have withdrawn.
    """
    authors = _authors(match)
    for side, players in _handed_in(match).items():
        if refused(partial(_check_handed_in, authors[side], match, side, players)):
            match.line_up_seats.filter(side=side).delete()


def _write_handed_in(match: Match) -> Match:
    """Write what is handed in, each as its author's."""
    authors = _authors(match)
    for side, players in _handed_in(match).items():
        match = write_line_up(actor=authors[side], match=match, side=side, players=players, sheet_by=TABLE)
    return match


def forget_closed(match: Match, side: int) -> None:
    """Forget what was handed in for a side and is still closed: it counts no more."""
    if not are_in(match):
        match.line_up_seats.filter(side=side).delete()


def _authors(match: Match) -> dict[int, Actor]:
    """By side, who has handed in its line-up."""
    return {
        seat.side: Actor(ActorKind(seat.actor_kind), seat.actor_id, seat.actor_name)
        for seat in match.line_up_seats.all()
    }


def _check_handed_in(actor: Actor, match: Match, side: int, players: Sequence[Player]) -> None:
    """Refuse a line-up that its author could not hand in now."""
    if not can(actor, Permission.RECORD, match.event.club):
        _check_members([each.player for entry in match.side(side) for each in entry.members.all()], players)
    _check_line_up(match, side, players)


@transaction.atomic
def write_line_up(
    *,
    actor: Actor,
    match: Match,
    side: int,
    players: Sequence[Player],
    reason: str = "",
    sheet_by: Actor | None = None,
) -> Match:
    """Do what `set_line_up` does, closed or not, for whoever may.

    What is still closed of the side counts no more. A captain writes no names on sheets: `sheet_by` does.
    """
    match, _sheet = lock_match(match)
    event = match.event = locked(match.event)
    bots = _check_line_up(match, side, players)
    forget_closed(match, side)
    old = seated(match, side)
    if old == list(players):
        return match
    # A bot that sits in for somebody who does not play goes on doing so where it stays in its seat.
    sits_in = _sitting_in(match, side, players)
    match.appearances.filter(side=side).delete()
    if match.bot_side == side:
        match.bot_side = None
        match.save(update_fields=["bot_side"])
    written = list(appearances_of(match, side, players))
    for seat in written:
        seat.sits_in_for = sits_in.get((seat.position, seat.player))
    Appearance.objects.bulk_create([*written, *appearances_of(match, 1 - side, bots)])
    bring_sheet(sheet_by or actor, match)
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


def _check_line_up(match: Match, side: int, players: Sequence[Player]) -> Sequence[Player]:
    """Refuse what `set_line_up` refuses; returns the bots that then take their seats against it.

    The caller holds the match and its event.
    """
    event, sheet = match.event, match.sheet
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
    sits_in = _sitting_in(match, side, players)
    others = [player for position, player in enumerate(players) if (position, player) not in sits_in]
    check_free(match.round, others, match=match, side=side)
    return bots


def _sitting_in(match: Match, side: int, players: Sequence[Player]) -> dict[tuple[int, Player], Player]:
    """By seat and bot, for whom one of these players sits in there: not for who plays himself now."""
    seats = match.appearances.filter(side=side).exclude(sits_in_for=None)
    return {
        (seat.position, seat.player): seat.sits_in_for
        for seat in seats.select_related("player", "sits_in_for")
        if seat.sits_in_for is not None and seat.sits_in_for not in players
    }
