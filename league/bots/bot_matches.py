"""Bot matches: planted on sheets of an event or as exhibitions, and cancelled.

A match between bots waits like any other until a bot match is planted on its sheet. That happens under the
sheet's lock, so that of planting and somebody typing the same sheet one is refused.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from games import services as games
from games.bots import HouseBot
from games.models import TO_PLAY, BotMatch, BotMatchState
from games.services import LeaseLost, cancel_bot_match, end, plan_bot_match
from league.bots.house_bots import as_league, check_plays_game_of, house_bot_of
from league.core.lifecycle import Doing, check_doing
from league.errors import LeagueError
from league.models import (
    SAT_OUT,
    SEATED,
    UNFINISHED,
    BotSchedule,
    Event,
    EventState,
    Exhibition,
    Match,
    MatchState,
    Player,
    Round,
    RoundState,
    between_bots,
    persons_of,
)
from league.policy import Permission, require
from league.policy.eligibility import check_not_withdrawn
from league.record.audit import given_reason, locked, record_audit
from league.record.locking import lock_matches
from league.record.wake import wake_for_bots
from scoring.core.actors import Actor, ActorKind
from scoring.core.messages import Sentence, mark
from scoring.core.sheets import SheetSide
from scoring.models import HouseRules, Scoresheet, SheetStatus
from scoring.services import open_sheet

_NAME_LENGTH: Final = 34


def house() -> Actor:
    """The actor for acts that nobody in particular does: a schedule's, or a forfeit after a bot's failure."""
    return Actor(ActorKind.OPERATOR, "house-bots", _("House bots"))


@transaction.atomic
def play_now(*, actor: Actor, match: Match) -> BotMatch:
    """Let the bots of a match play it now; a cancelled bot match is resumed.

    Refuses as `check_plantable`, and `gone`.
    """
    planted = _let_play(actor, match.event, Match.objects.filter(pk=match.pk))
    if not planted:
        raise LeagueError("gone", _("“%(name)s” was deleted meanwhile.") % {"name": match})
    return planted[0]


@transaction.atomic
def play_round(*, actor: Actor, round_: Round) -> list[BotMatch]:
    """Let bots play all waiting matches between bots of a round; refuses `nothing_to_play`.

    A match with a bot that does not play the game waits for somebody else; refused (`not_played`) if no other
    match is there.
    """
    waiting = waiting_for_bots(round_.event).filter(round=round_)
    planted = _let_play(actor, round_.event, waiting, passing_over=_not_played)
    if not planted:
        for match in waiting.select_related("sheet", "event__rules").order_by("table", "pk")[:1]:
            check_plantable(match)
        raise LeagueError(
            "nothing_to_play", _("No match between bots waits to be played in %(round)s.") % {"round": round_}
        )
    return planted


def plant_in_event(event: Event, most: int) -> list[BotMatch]:
    """Plant up to `most` waiting matches between bots of published rounds, earliest rounds first.

    Returns [] if the event has not begun; refuses `wrong_state` once it is finished, and `unknown_strategy`
    for a bot whose strategy is not installed.
    """
    if event.state in (EventState.DRAFT, EventState.OPEN):
        return []
    gone = Q()
    for place in SEATED:
        gone |= Q(**{f"{place}__withdrawn_at__isnull": False})
    waiting = waiting_for_bots(event).filter(state=MatchState.SCHEDULED).exclude(gone)
    first = waiting.order_by("round__number", "table", "pk").values_list("pk", flat=True)[:most]
    return _plant(event, Match.objects.filter(pk__in=list(first)), passing_over=lambda refusal: True)


@transaction.atomic
def plant_exhibitions(schedule: BotSchedule) -> list[BotMatch]:
    """Open the schedule's sheets for its pair and plant them; the first side alternates."""
    pair, rules = (schedule.bot_a, schedule.bot_b), schedule.rules
    planted = []
    if pair[0] is None or pair[1] is None or rules is None:
        return []
    bots = (pair[0], pair[1])
    number = Exhibition.objects.filter(schedule=schedule).count()
    for count in range(number + 1, number + 1 + schedule.sheets):
        order = bots if count % 2 else bots[::-1]
        planted.append(_open_exhibition(schedule, rules, order, f"{schedule.name[:_NAME_LENGTH]} {count}"))
    return planted


@transaction.atomic
def cancel(*, actor: Actor, match: Match, reason: str) -> None:
    """Cancel the bot match of a match; its deals stay on the sheet. Refuses `nothing_to_cancel`."""
    _cancel(actor, match.event, Match.objects.filter(pk=match.pk), reason)


@transaction.atomic
def cancel_round(*, actor: Actor, round_: Round, reason: str) -> int:
    """Cancel all pending bot matches of a round; returns how many."""
    return _cancel(actor, round_.event, Match.objects.filter(round=round_), reason)


@transaction.atomic
def cancel_exhibition(*, actor: Actor, exhibition: Exhibition, reason: str) -> None:
    """Cancel the bot match of an exhibition; refuses `match_over` and `nothing_to_cancel`."""
    require(actor, Permission.DIRECT, exhibition.club)
    reason = given_reason(reason)
    with as_league():
        planted = BotMatch.objects.select_related("sheet").filter(sheet=exhibition.sheet_id).first()
        if planted is None:
            raise LeagueError("nothing_to_cancel", _("Bots have nothing to play here."))
        cancel_bot_match(actor=actor, match=planted, reason=reason)
    record_audit(actor, "exhibition.cancel", exhibition, before={"bots": planted.code}, reason=reason)


def cancel_planted(*, actor: Actor, planted: BotMatch, reason: str) -> None:
    """Call `cancel` or `cancel_exhibition`, depending on the sheet."""
    match = Match.objects.filter(sheet=planted.sheet_id).select_related("event__club").first()
    if match is not None:
        cancel(actor=actor, match=match, reason=reason)
        return
    shown = Exhibition.objects.filter(sheet=planted.sheet_id).select_related("club").first()
    if shown is None:
        raise LeagueError("nothing_to_cancel", _("Bots have nothing to play here."))
    cancel_exhibition(actor=actor, exhibition=shown, reason=reason)


@transaction.atomic
def try_again(*, actor: Actor, planted: BotMatch) -> None:
    """Retry a bot match given up after repeated failures; refuses `not_left_alone` for any other."""
    with as_league():
        games.try_again(actor=actor, match=planted)
    transaction.on_commit(partial(wake_for_bots, planted.pk), robust=True)


def end_bot_matches(matches: QuerySet[Match], note: Sentence) -> None:
    """Cancel the pending bot matches of these matches, whose sheets the caller has locked, with a note."""
    _end(BotMatch.objects.filter(sheet__match__in=matches.order_by()), note)


def end_on_sheet(sheet: Scoresheet) -> None:
    """Cancel the pending bot match of a locked sheet that has just been voided."""
    _end(BotMatch.objects.filter(sheet=sheet), mark("The sheet was voided."))


def with_bots(matches: QuerySet[Match]) -> QuerySet[Match]:
    """The matches that have a pending bot match."""
    return matches.filter(sheet__bot_match__state__in=TO_PLAY)


def end_unless_same_bots(match: Match) -> None:
    """Cancel a bot match planned for another line-up. The sheet is locked."""
    for planted in BotMatch.objects.filter(sheet=match.sheet_id, state__in=TO_PLAY):
        seats = enumerate(_seated(match))
        wanted = {str(seat): _plays_as(player) for seat, player in seats}
        if wanted != {seat: (bot["strategy"], bot["level"]) for seat, bot in planted.bots.items()}:
            _end(BotMatch.objects.filter(pk=planted.pk), mark("Other players have taken the seats."))


def _plays_as(player: Player) -> tuple[str, int | None]:
    """The strategy and level that a bot match planned now would have for the player."""
    try:
        bot = house_bot_of(player)
    except LeagueError:
        # A person, or a strategy that is not installed any more.
        return player.strategy, player.level
    return bot.strategy.name, bot.level


def waiting_for_bots(event: Event) -> QuerySet[Match]:
    """The unfinished matches between bots without a bot match."""
    return Match.objects.filter(
        between_bots(),
        event=event,
        state__in=UNFINISHED,
        sheet__status=SheetStatus.OPEN,
        sheet__bot_match=None,
    ).exclude(round__state=RoundState.DRAFTED)


def check_plantable(match: Match) -> None:
    """Refuse a match that bots cannot play as it is.

    Codes: `bye`, `no_line_up`, `has_result`, `persons_play`, `not_played`, `substituted`, `bots_play`,
    `bots_played`, `withdrawn`.
    """
    sheet = match.sheet
    if match.entry_b_id is None or match.state in SAT_OUT:
        raise LeagueError("bye", _("Nobody plays in a bye."))
    if sheet is None:
        raise LeagueError("no_line_up", _("Set all line-ups first."))
    if match.state not in UNFINISHED or sheet.status != SheetStatus.OPEN:
        raise LeagueError("has_result", _("%(label)s is no longer open.") % {"label": match.label})
    people = match.appearances.filter(player__strategy="").select_related("player")
    for seat in people.order_by("side", "position")[:1]:
        raise LeagueError(
            "persons_play",
            _("%(player)s is a person: bots play for nobody else.") % {"player": seat.player},
        )
    _check_plays_game(match, _seated(match))
    if match.appearances.filter(replaces__isnull=False).exists():
        raise LeagueError("substituted", _("Bots play a sheet with those who began it, and no substitutes."))
    for planted in BotMatch.objects.filter(sheet=sheet):
        if not planted.is_over:
            raise LeagueError("bots_play", _("Bots play %(label)s already.") % {"label": match.label})
        if planted.state != BotMatchState.CANCELLED and planted.hands.exists():
            raise LeagueError(
                "bots_played",
                _("Bots have played %(label)s: type the rest, or void the sheet and open a new one.")
                % {"label": match.label},
            )
    if match.state == MatchState.SCHEDULED:
        check_not_withdrawn(match)


def _check_plays_game(match: Match, players: Sequence[Player]) -> None:
    """Refuse (`not_played`) duplicate, and a bot that does not play the game of the event.

    A sheet that bots play is dealt from a seed, and its hands are told one by one.
    """
    if match.event.is_duplicate and match.play_off_id is None:
        raise LeagueError(
            "not_played",
            _("Every table of this event plays the same packs; bots among themselves are dealt others."),
        )
    for player in players:
        check_plays_game_of(match.event, player)


def _end(matches: QuerySet[BotMatch], note: Sentence) -> None:
    for match in matches.filter(state__in=TO_PLAY).order_by("sheet_id"):
        with suppress(LeaseLost):
            end(match, BotMatchState.CANCELLED, note=note)


def _not_played(refusal: LeagueError) -> bool:
    return refusal.code == "not_played"


def _let_play(
    actor: Actor,
    event: Event,
    matches: QuerySet[Match],
    *,
    passing_over: Callable[[LeagueError], bool] = lambda refusal: False,
) -> list[BotMatch]:
    require(actor, Permission.DIRECT, event.club)
    planted = _plant(event, matches, passing_over=passing_over)
    for each in planted:
        match = Match.objects.with_sides().get(sheet=each.sheet_id)
        record_audit(actor, "match.let_bots_play", match, after={"bots": each.code})
    return planted


def _plant(
    event: Event, matches: QuerySet[Match], *, passing_over: Callable[[LeagueError], bool]
) -> list[BotMatch]:
    """Lock the matches, then the event, and plant every match but those whose refusal is passed over."""
    ids = lock_matches(matches)
    event = locked(event)
    check_doing(event.name, event.state, Doing.PLAY)
    rows = Match.objects.filter(pk__in=ids).with_sides("round", "sheet", "event__rules")
    planted = []
    for match in rows.order_by("round__number", "table", "pk"):
        try:
            check_plantable(match)
        except LeagueError as refusal:
            if not passing_over(refusal):
                raise
            continue
        if match.sheet is not None:
            # Delete one that ended before its first hand; one cancelled later is resumed.
            unplayed = BotMatch.objects.filter(sheet=match.sheet, hands=None).exclude(state__in=TO_PLAY)
            if match.sheet.deal_count:
                unplayed = unplayed.exclude(state=BotMatchState.CANCELLED)
            unplayed.delete()
            begun = BotMatch.objects.select_related("sheet").filter(sheet=match.sheet).first()
            if begun is not None:
                planted.append(_play_on(begun))
            else:
                planted.append(_plan(match.sheet, [house_bot_of(player) for player in _seated(match)]))
    return planted


def _play_on(begun: BotMatch) -> BotMatch:
    """Resume a bot match, and wake a worker after the commit."""
    with as_league():
        games.play_on(match=begun)
    transaction.on_commit(partial(wake_for_bots, begun.pk), robust=True)
    return begun


def _plan(sheet: Scoresheet, bots: Sequence[HouseBot]) -> BotMatch:
    """Plan a bot match with the bots in order of seats, and wake a worker after the commit."""
    with as_league():
        planned = plan_bot_match(sheet=sheet, bots=dict(enumerate(bots)))
    transaction.on_commit(partial(wake_for_bots, planned.pk), robust=True)
    return planned


def _seated(match: Match) -> list[Player]:
    """The players who began the sheet, in order of seat numbers."""
    seats = match.appearances.filter(replaces=None).select_related("player")
    return [seat.player for seat in seats.order_by("side", "position")]


def _open_exhibition(
    schedule: BotSchedule, rules: HouseRules, pair: Sequence[Player], label: str
) -> BotMatch:
    first, second = (SheetSide(player.name, (player.name,)) for player in pair)
    bots = [house_bot_of(player) for player in pair]
    sheet = open_sheet(
        actor=house(), rules=rules, sides=(first, second), label=label, persons=persons_of(pair)
    )
    Exhibition.objects.create(
        sheet=sheet, club=schedule.club, schedule=schedule, player_a=pair[0], player_b=pair[1]
    )
    return _plan(sheet, bots)


def _cancel(actor: Actor, event: Event, matches: QuerySet[Match], reason: str) -> int:
    require(actor, Permission.DIRECT, event.club)
    reason = given_reason(reason)
    ids = lock_matches(with_bots(matches))
    held = Match.objects.filter(pk__in=ids).with_sides()
    ended = 0
    for match in held.order_by("sheet_id"):
        planted = BotMatch.objects.select_related("sheet").filter(sheet=match.sheet_id).first()
        if planted is None or planted.is_over:
            continue
        with as_league():
            cancel_bot_match(actor=actor, match=planted, reason=reason)
        record_audit(actor, "match.cancel_bots", match, before={"bots": planted.code}, reason=reason)
        ended += 1
    if not ended:
        raise LeagueError("nothing_to_cancel", _("Bots have nothing to play here."))
    return ended
