"""Hands between two at a table, any of whom may be a bot: who meets and deals, replies, what a seat sees.

Teams play the hands of a deal at once. A seat is a player's number through all sides (`players_by_seat`);
inside a hand the two are called 0 and 1, the first side's player 0.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from games.bots.base import HouseBot
from games.errors import GameError
from games.gin.actions import Action, ActionKind
from games.gin.cards import cards_of, text_of
from games.gin.hand import HandState
from games.gin.judging import arrangement_document
from games.gin.log import HandLog
from games.gin.offering import offered_knock, offered_lay_off
from games.gin.playing import Pack
from games.gin.view import Phase, View
from games.tables.dealing import ONE_PACK_TEAM, dealing_of, derived_seed, game_of
from games.tables.duplicate import FromPacks
from games.tables.play import BotError, choose, game_views, sit_down
from scoring.core.messages import mark
from scoring.core.rules import Rules
from scoring.core.sheet_state import players_by_seat
from scoring.core.sheets import MOST_DEALS, Deal, RunningSheet, SheetSide


@dataclass(frozen=True, slots=True)
class NextHand:
    """A hand to be dealt: its deal and table, who play it, by seat and by name, and which of both deals.

    `pack` is that of the round which it is dealt from; None for one that is still to be shuffled.
    """

    deal: int
    table: int
    dealer: int
    seats: tuple[int, int]
    players: tuple[str, str]
    pack: Pack | None = None


def commitment_of(pack: str, nonce: str) -> str:
    """The SHA-256, in hexadecimal, of the pack as text from the first card dealt, a space, and the nonce."""
    return sha256(f"{pack} {nonce}".encode()).hexdigest()


def running_sheet(rules: Rules, sides: Sequence[SheetSide], deals: Sequence[Deal]) -> RunningSheet:
    """The sheet with these deals; refuses what `check_of_two` refuses."""
    check_of_two(rules, len(sides[0].players))
    sheet = RunningSheet(rules, sides)
    for deal in deals:
        sheet.add(deal)
    return sheet


def check_of_two(rules: Rules, size: int) -> None:
    """Refuses rules by which sides of this size cannot be played hand by hand between two.

    `not_two` is a game that is not dealt in hands of two with a pack of their own, `shared_pack` one pack for
    more than two against two, which cannot be dealt at all.
    """
    if game_of(rules, size) is not None:
        raise GameError(
            "not_two",
            mark("On this site two play a hand; by these rules there are more of them."),
            field="sheet",
        )
    if rules.packs == "shared" and size > ONE_PACK_TEAM:
        raise GameError("shared_pack", mark("One pack is shared by two against two at most."), field="sheet")


def seat_sides(sides: Sequence[SheetSide]) -> tuple[int, ...]:
    """The side of every seat."""
    return tuple([number for number, side in enumerate(sides) for _player in side.players])


def next_hands(
    rules: Rules,
    sides: Sequence[SheetSide],
    deals: Sequence[Deal],
    cut_seed: int,
    packs: Sequence[Pack] = (),
) -> tuple[NextHand, ...]:
    """What is dealt after these deals, by table; none if the sheet is finished or full.

    With `packs` it is played as duplicate, from these. Refuses what `running_sheet` refuses, and packs as
    `FromPacks` does.
    """
    sheet = running_sheet(rules, sides, ())
    dealing = FromPacks(sheet, packs) if packs else dealing_of(sheet, cut_seed)
    for deal in deals:
        dealing.note(sheet.add(deal))
    if sheet.is_finished or sheet.played >= MOST_DEALS:
        return ()
    number = sheet.played + 1
    seats = players_by_seat(sides, number)
    hands = []
    for table, hand in enumerate(dealing.hands(number)):
        one, other = hand.players
        at = (seats.index(one), seats.index(other))
        pack = hand.deck if packs else None
        hands.append(NextHand(number, table, hand.dealer, at, (one, other), pack))
    return tuple(hands)


def with_replies(
    log: HandLog[Action],
    players: tuple[str, str],
    bots: Mapping[int, HouseBot],
    sheet: RunningSheet,
    nonce: str,
    sides: tuple[int, int] = (0, 1),
) -> HandState:
    """The hand as far as the log goes, and on until it is over or it is the turn of who is no bot.

    `bots`, `players` and `sides` are as they are called inside the hand. A bot is taken through the hand from
    its beginning, so that it remembers what it would remember anyway. Raises `BotError`.
    """
    number = sheet.played + 1
    state = HandState(sheet.rules, log.deck, dealer=log.dealer, players=players)
    views = game_views(sheet)
    seen = [views[side] for side in sides]
    seed = int(nonce, 16)
    seated = {
        seat: sit_down(bot, None, players[seat], number, derived_seed(seed, "bot", number, 0, seat))
        for seat, bot in bots.items()
    }
    for action in log.actions:
        if state.turn in seated:
            choose(seated[state.turn], state, seen[state.turn], number)
        state.act(action)
    while not state.is_over and state.turn in seated:
        _act(state, choose(seated[state.turn], state, seen[state.turn], number), number)
    return state


def play_turn(state: HandState, bot: HouseBot, sheet: RunningSheet, nonce: str) -> None:
    """Has a bot that weighs samples play a turn: until it is another seat's, or the hand is over.

    It sits down anew for each turn and remembers nothing: thinking through the hand again would take as long
    as the hand has taken. The same turn of the same hand is played the same way. Raises `BotError`.
    """
    number, seat = sheet.played + 1, state.turn
    name, game = state.players[seat], game_views(sheet)[seat]
    seed = derived_seed(int(nonce, 16), "turn", number, len(state.actions), seat)
    seated = sit_down(bot, None, name, number, seed)
    while not state.is_over and state.turn == seat:
        _act(state, choose(seated, state, game, number), number)


def laid_by_player(state: HandState, action: Action) -> Action:
    """The action with its melds and lay-offs: a knock or lay-off that names none gets those offered.

    Left to itself the hand would have a knock laid down by the referee, who sees the defender's cards. What
    is not legal stays as it is, for the hand to refuse.
    """
    if action.melds is not None or action not in state.legal_actions():
        return action
    if action.kind is ActionKind.LAY_OFF:
        return offered_lay_off(state.view(state.turn))
    if action.kind is ActionKind.KNOCK and action.card is not None:
        return offered_knock(state.view(state.turn), action.card)
    return action


def seat_document(view: View) -> dict[str, Any]:
    """What one of the two may know of a hand, as JSON: cards as text, moves and legal actions as their texts.

    From a knock on `laid` is how the knocker's cards lie. For who is to lay off `offered` is what leaves him
    least.
    """
    lays_off = view.phase is Phase.LAY_OFF and view.seat == view.turn
    return {
        "dealer": view.dealer,
        "phase": str(view.phase),
        "turn": view.turn,
        "hand": text_of(cards_of(view.mask)),
        "upcard": None if view.upcard is None else text_of([view.upcard]),
        "pile": text_of(view.pile),
        "stock": view.stock,
        "known": text_of(cards_of(view.known)),
        "limit": view.limit,
        "moves": [{"seat": move.seat, "move": str(move)} for move in view.moves],
        "legal": [str(action) for action in view.legal],
        "laid": None if view.laid is None else arrangement_document(view.laid),
        "offered": str(offered_lay_off(view)) if lays_off else None,
    }


def _act(state: HandState, chosen: Action, number: int) -> None:
    """Carries out what the bot to move has chosen in this deal; raises `BotError`."""
    bot = state.players[state.turn]
    try:
        state.act(laid_by_player(state, chosen))
    except GameError as error:
        raise BotError(bot, number, error.message) from error
