"""Bots that sit in for absent players in matches on this site, where the event lets them (RULES §25).

The bot of the event stands in the line-up in the place of the absent player, before anything is on the sheet.
Who comes late takes his seat with the next deal, as a substitute does, and never in the middle of a hand.
Locks: the sheet, the match, the event.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import TableMatch, TableSeat
from games.services import wait_for_seat
from games.services.hands import TABLE
from league.bots.house_bots import as_league, check_bot_of, check_plays_game_of, house_bot_of
from league.core.lifecycle import Doing, check_doing
from league.draws.online import account_at, check_playable, open_once_all_are_there, sides_of
from league.errors import LeagueError
from league.matches.arrivals import check_in_time, is_to_open, not_there, note_arrival
from league.matches.line_ups import forget_closed
from league.matches.matches import bring_sheet
from league.matches.substitutes import sitting_now, write_substitute
from league.models import (
    AWARDED,
    UNFINISHED,
    Appearance,
    Event,
    Match,
    MatchState,
    PlayedWhere,
    Player,
)
from league.policy import Permission, actor_of, require
from league.policy.eligibility import check_not_in_play, check_stands_in
from league.record.audit import given_reason, locked, record_audit
from league.record.locking import lock_match
from league.record.requests import request_standings
from scoring.core.actors import Actor
from scoring.models import Scoresheet


@dataclass(frozen=True, slots=True)
class SittingIn:
    """A bot that sits in for a player, or sat in until he `came`: from that deal on he plays, None if not.

    He `waits` for the next hand, or the reader is he and may `take` the seat. `is_forfeit`: if he does not
    come, the match counts for his side as a forfeit; `is_over`: he cannot any more.
    """

    bot: Player
    player: Player
    came: int | None
    waits: bool
    take: bool
    is_forfeit: bool
    is_over: bool


@transaction.atomic
def let_bot_sit_in(*, actor: Actor, match: Match, absent: Player, reason: str = "") -> Match:
    """Let the event's bot play for a player who is not there, in a match on this site that has not begun.

    A director does, for a reason, and a captain for others of his team (`absent_for_captain`), in an evening
    that runs itself as long as there is time to come (`too_late`); its table opens if nobody else is waited
    for. Refused: everybody else (`not_allowed`), an event that lets no bot sit in (`no_sitting_in`), a match
    that is not played on this site or no longer (`check_playable`), or is being played there (`has_begun`), a
    player who does not sit there (`not_seated`), and whatever `check_sitting_in` and `given_reason` refuse.
    """
    is_captain = absent in absent_for_captain(match, account_at(actor, match))
    if not is_captain:
        require(actor, Permission.DIRECT, match.event.club)
    elif not reason.strip():
        reason = _("The team’s captain says so.")
    reason = given_reason(reason)
    match, _sheet = lock_match(match)
    event = match.event = locked(match.event)
    check_playable(match, sides_of(match))
    if TableMatch.objects.filter(sheet=match.sheet_id).exists():
        raise LeagueError("has_begun", _("This match has begun, or is decided."))
    if is_captain:
        check_in_time(match)
    seat = match.appearances.filter(player=absent).select_related("player").first()
    if seat is None:
        raise LeagueError(
            "not_seated", _("%(player)s is in no line-up of this match.") % {"player": absent}, field="absent"
        )
    bot = check_sitting_in(match, seat)
    forget_closed(match, seat.side)
    seat.player, seat.sits_in_for = bot, absent
    seat.save(update_fields=["player", "sits_in_for"])
    if event.team_size == 1:
        match.bot_side = seat.side
        match.save(update_fields=["bot_side"])
    # A captain writes no names on sheets himself.
    bring_sheet(TABLE if is_captain else actor, match)
    record_audit(
        actor, "match.sit_in", match, before={"player": absent}, after={"player": bot}, reason=reason
    )
    open_once_all_are_there(actor=actor, match=match)
    return match


def absent_for_captain(match: Match, user: int | None) -> list[Player]:
    """Whom of their team the account (an id) may have the event's bot play for as its captain: not himself.

    Nor, in an evening that runs itself, who has come. Nobody where no bot sits in, before an evening has
    opened the round, and once the match has begun on this site.
    """
    event = match.event
    if user is None or event.sits_in_id is None or event.team_size == 1:
        return []
    waits = event.played != PlayedWhere.AT_TABLE and match.state == MatchState.SCHEDULED
    if not waits or is_to_open(match) or TableMatch.objects.filter(sheet=match.sheet_id).exists():
        return []
    own = [
        side
        for side in (0, 1)
        if any(each.captain is not None and each.captain.user_id == user for each in match.side(side))
    ]
    seats = not_there(match.appearances.filter(side__in=own, sits_in_for=None)).exclude(player__user=user)
    return [seat.player for seat in seats.select_related("player").order_by("side", "position")]


def check_sitting_in(match: Match, seat: Appearance) -> Player:
    """Return the bot that may sit in for who has this seat.

    Refused: an event that lets none (`no_sitting_in`), a bot that is of this club no more (`check_bot_of`),
    plays for another entry (`other_entry`), sits there already (`plays_already`), does not play this game
    (`not_played`), thinks too long for a table of several (`slow_bot`) or is not available here
    (`unknown_strategy`), a seat of a bot (`not_a_person`), and a match in which no person would be left
    (`no_member`).
    """
    event = match.event
    bot = event.sits_in
    if bot is None:
        raise LeagueError("no_sitting_in", _("In this event no bot sits in for an absent player."))
    if seat.player.is_bot:
        raise LeagueError("not_a_person", _("%(player)s is a bot.") % {"player": seat.player}, field="absent")
    check_bot_of(event.club, bot, "absent")
    check_stands_in(event, match.side(seat.side), [bot])
    others = [each.player for each in match.appearances.exclude(pk=seat.pk).select_related("player")]
    if all(player.is_bot for player in others):
        raise LeagueError("no_member", _("Nobody would be left to play against: award the match."))
    if bot in others:
        raise LeagueError(
            "plays_already",
            _("%(bot)s sits at this table already: seat a substitute, or award the match.") % {"bot": bot},
        )
    check_plays_game_of(event, bot)
    if house_bot_of(bot).weighs and len(others) > 1:
        message = _("%(bot)s thinks too long for a table of several; choose one without levels in the event.")
        raise LeagueError("slow_bot", message % {"bot": bot})
    return bot


@transaction.atomic
def take_own_seat(*, actor: Actor, match: Match) -> None:
    """Let the player for whom a bot sits in take his seat: at once, or else with the next hand.

    Before the match has begun it is as if nothing had been; the match is rated then, and in an evening that
    runs itself he has come. Refused: who is not that player (`not_allowed`), who comes too late to an evening
    (`too_late`), a state of the event that does not allow it, a match that was awarded (`stated_already`),
    and play on this site that is over (`table_over`). Nobody can have seated him elsewhere in the round
    meanwhile (`check_free`).
    """
    match, sheet = lock_match(match)
    event = match.event = locked(match.event)
    check_doing(event.name, event.state, Doing.PLAY)
    seat = kept_seat(match, account_at(actor, match))
    if seat is None or seat.sits_in_for is None or seat.sits_in_for.user is None:
        raise LeagueError("not_allowed", _("No bot sits in for you in this match."))
    if match.state in AWARDED:
        raise LeagueError("stated_already", _("This match is decided: nobody plays it any more."))
    table = TableMatch.objects.filter(sheet=sheet).first()
    if table is not None:
        own, number = actor_of(seat.sits_in_for.user), _number(event, seat.side, seat.position)
        with as_league():
            wait_for_seat(actor=own, match=table, seat=number)
        return
    bot, player = seat.player, seat.sits_in_for
    seat.player, seat.sits_in_for = player, None
    match.bot_side = None
    match.save(update_fields=["bot_side"])
    seat.save(update_fields=["player", "sits_in_for"])
    bring_sheet(TABLE, match)
    note_arrival(match, player)
    _record_arrival(actor, match, bot, player, None)
    open_once_all_are_there(actor=actor, match=match)


def seat_who_arrived(*, table: TableMatch, chair: TableSeat, from_deal: int) -> None:
    """Write on the sheet and in the line-up who has taken his seat from a bot; nothing outside of matches."""
    found = Match.objects.filter(sheet=table.sheet_id).first()
    if found is None:
        return
    match, sheet = lock_match(found)
    event = match.event
    for seat in sitting_now(match):
        bot, player = seat.appearance.player, seat.appearance.sits_in_for
        is_his = _number(event, seat.side, seat.place) == chair.number
        if is_his and player is not None and sheet is not None:
            write_substitute(
                actor=TABLE, match=match, sheet=sheet, seat=seat, player=player, from_deal=from_deal
            )
            match.bot_side = None
            match.save(update_fields=["bot_side"])
            if event.club.has_phrases:
                # Two members are at the table now.
                TableMatch.objects.filter(pk=table.pk).update(has_phrases=True)
            actor = TABLE if chair.account is None else actor_of(chair.account)
            _record_arrival(actor, match, bot, player, from_deal)


@transaction.atomic
def give_bye_instead(*, actor: Actor, match: Match, reason: str) -> Match:
    """Let whoever was to play a bot have the bye alone, with which the bye counts.

    Refused as by `check_bye_instead`.
    """
    require(actor, Permission.DIRECT, match.event.club)
    reason = given_reason(reason)
    match, _sheet = lock_match(match)
    event = match.event = locked(match.event)
    check_doing(event.name, event.state, Doing.PLAY)
    sheet = check_bye_instead(match)
    match.appearances.all().delete()
    match.sheet, match.bye_given = None, True
    match.save(update_fields=["sheet", "bye_given"])
    sheet.delete()
    record_audit(actor, "match.bye", match, before={"sheet": sheet.code}, reason=reason)
    request_standings(event.pk)
    return match


def check_bye_instead(match: Match) -> Scoresheet:
    """Return the blank sheet of a match against a bot in place of a bye.

    Refused: a match that is not one (`plays_no_bot`), or of which anything is on the sheet (`has_hands`); so
    is one that goes on at its table, from the first move of a player on. A deal is nobody's play.
    """
    if match.state != MatchState.BYE or match.sheet is None:
        raise LeagueError("plays_no_bot", _("No bot plays in this match in place of a bye."))
    if match.sheet.acts.exists():
        raise LeagueError("has_hands", _("Something is recorded on %(label)s.") % {"label": match.label})
    check_not_in_play(Match.objects.filter(pk=match.pk, sheet__table_match__acts__version__gt=0))
    return match.sheet


def kept_seat(match: Match, user: int | None) -> Appearance | None:
    """The seat of a bot that sits in for this account's player, who has not come; None if there is none."""
    if user is None:
        return None
    mine = match.appearances.filter(sits_in_for__user=user).select_related("player", "sits_in_for").first()
    if mine is None or match.appearances.filter(player=mine.sits_in_for).exists():
        return None
    return mine


def sitting_in(match: Match, lineups: Sequence[Sequence[Appearance]], user: int | None) -> SittingIn | None:
    """How a bot sits or sat in in a match with these line-ups, as its reader is told; None if none did."""
    seats = [seat for side in lineups for seat in side]
    seat = next((each for each in seats if each.sits_in_for is not None), None)
    if seat is None or seat.sits_in_for is None:
        return None
    came = next((each.from_deal for each in seats if each.player_id == seat.sits_in_for_id), None)
    is_over = match.state not in UNFINISHED
    is_own = user is not None and seat.sits_in_for.user_id == user and came is None and not is_over
    waits = (
        not is_over
        and came is None
        and TableSeat.objects.filter(match__sheet=match.sheet_id, arrived__isnull=False).exists()
    )
    is_forfeit = match.bot_side is not None and match.absent_forfeits
    return SittingIn(seat.player, seat.sits_in_for, came, waits, is_own and not waits, is_forfeit, is_over)


def _number(event: Event, side: int, place: int) -> int:
    """The number of a seat at the table, counted through both sides."""
    return side * event.team_size + place


def _record_arrival(actor: Actor, match: Match, bot: Player, player: Player, from_deal: int | None) -> None:
    record_audit(
        actor,
        "match.arrive",
        match,
        before={"player": bot},
        after={"player": player} | ({} if from_deal is None else {"from_deal": from_deal}),
    )
