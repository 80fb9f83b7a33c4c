"""Hands at a table, any of whose players may be a bot: who meets and deals, replies, what a seat sees.

Teams play the hands of a deal at once. A seat is a player's number through all sides (`players_by_seat`);
inside a hand its players are called 0 and 1 and so on, of two the first side's player 0.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final, TypeVar

from games.bots.base import HouseBot
from games.errors import GameError
from games.gin.actions import Action, ActionKind
from games.gin.cards import cards_of, text_of
from games.gin.judging import arrangement_document
from games.gin.log import HandLog, read_log
from games.gin.offering import offered_knock, offered_lay_off
from games.gin.one_pack import OnePackHand, OpenGame
from games.gin.playing import InPlay, Pack
from games.gin.rummy import RummyHand
from games.gin.rummy_actions import RummyAction
from games.gin.view import Phase
from games.tables.dealing import ONE_PACK_TEAM, dealing_of, derived_seed, game_of, hand_class
from games.tables.duplicate import FromPacks
from games.tables.play import BotError, choose, game_views, sit_down
from scoring.core.errors import CodedError
from scoring.core.messages import mark
from scoring.core.rules import Rules
from scoring.core.sheet_state import players_by_seat
from scoring.core.sheets import MOST_DEALS, Deal, RunningSheet, SheetSide
from scoring.documents.sides import check_sides

# Between a pack and the orders of its stock, where that is shuffled again.
_PARTED: Final = " / "
_HandT = TypeVar("_HandT", bound=InPlay)
# As RummyActionKind, which are equal texts.
_INTO_HAND: Final = frozenset({ActionKind.DRAW, ActionKind.TAKE, ActionKind.TAKE_BELOW})


@dataclass(frozen=True, slots=True)
class NextHand:
    """A hand to be dealt: its deal and table, who play it, by seat and by name, and which of them deals.

    `packs` is how many are shuffled for it: one, and one for each time that its stock may be shuffled again.
    `pack` is that of the round which it is dealt from; None for one that is still to be shuffled.
    """

    deal: int
    table: int
    dealer: int
    seats: tuple[int, ...]
    players: tuple[str, ...]
    packs: int = 1
    pack: Pack | None = None


def packs_text(packs: Iterable[Pack]) -> str:
    """A pack as text from the first card dealt, and after it the orders of a stock that is shuffled again."""
    return _PARTED.join([text_of(pack) for pack in packs])


def read_table_log(
    rules: Rules, size: int, *, pack: str, dealer: int, actions: Sequence[str]
) -> HandLog[Any]:
    """The log of a hand at a table whose first side has so many players; refuses as `read_log`."""
    deck, *orders = pack.split(_PARTED)
    document = {"deck": deck, "dealer": dealer, "actions": actions, "orders": orders}
    return read_log(document, hand_class(rules, size).parsed)


def commitment_of(pack: str, nonce: str) -> str:
    """The SHA-256, in hexadecimal, of the pack as text (`packs_text`), a space, and the nonce."""
    return sha256(f"{pack} {nonce}".encode()).hexdigest()


def running_sheet(rules: Rules, sides: Sequence[SheetSide], deals: Sequence[Deal]) -> RunningSheet:
    """The sheet with these deals; refuses what `check_played` refuses."""
    check_played(rules, len(sides[0].players))
    sheet = RunningSheet(rules, sides)
    for deal in deals:
        sheet.add(deal)
    return sheet


def sides_at_table(rules: Rules, seats: int) -> tuple[int, ...] | None:
    """How many players each side has where so many play by these rules; None where so many do not.

    Everybody plays for himself, or else half against half, or else the first alone against the others.
    """
    for sizes in ((1,) * seats, (seats // 2, seats - seats // 2), (1, seats - 1)):
        names = iter(range(seats))
        sides = [
            SheetSide(f"side {number}", tuple([f"{next(names)}" for _ in range(size)]))
            for number, size in enumerate(sizes)
        ]
        try:
            running_sheet(rules, check_sides(sides, rules), ())
        except CodedError:
            continue
        return sizes
    return None


def check_played(rules: Rules, size: int) -> None:
    """Refuses rules by which sides of this size cannot be played hand by hand.

    `shared_pack` is one pack for more than two against two, which cannot be dealt.
    """
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
        at = tuple([seats.index(player) for player in hand.players])
        shuffled = 1 + type(hand).orders_needed(rules)
        pack = hand.deck if packs else None
        hands.append(NextHand(number, table, hand.dealer, at, hand.players, shuffled, pack))
    return tuple(hands)


def with_replies(
    state: _HandT,
    actions: Iterable[Any],
    bots: Mapping[int, HouseBot],
    sheet: RunningSheet,
    nonce: str,
    sides: Sequence[int] = (0, 1),
) -> _HandT:
    """The hand, `state` as dealt, after these actions and on until it is over or who moves is no bot.

    `bots` and `sides` are as they are called inside the hand. A bot is taken through the hand from its
    beginning, so that it remembers what it would remember anyway. Raises `BotError`.
    """
    number = sheet.played + 1
    game = game_of(sheet.rules, len(sheet.sides[0].players))
    views = game_views(sheet)
    seen = [views[side] for side in sides]
    seed = int(nonce, 16)
    seated = {
        seat: sit_down(bot, game, state.players[seat], number, derived_seed(seed, "bot", number, 0, seat))
        for seat, bot in bots.items()
    }
    for action in actions:
        if state.turn in seated:
            choose(seated[state.turn], state, seen[state.turn], number)
        state.act_again(action)
    while not state.is_over and state.turn in seated:
        _act(state, choose(seated[state.turn], state, seen[state.turn], number), number)
    return state


def play_turn(state: InPlay, bot: HouseBot, sheet: RunningSheet, nonce: str) -> None:
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


def laid_by_player(state: InPlay, action: Any) -> Any:
    """The action with its melds and lay-offs: a knock or lay-off that names none gets those offered.

    Left to itself the hand would have a knock laid down by the referee, who sees the others' cards. What is
    not legal stays as it is, for the hand to refuse; so does any action of rummy, which names all its cards.
    """
    if not isinstance(action, Action) or action.melds is not None or action not in state.legal_actions():
        return action
    if action.kind is ActionKind.LAY_OFF:
        return offered_lay_off(state.view(state.turn))
    if action.kind is ActionKind.KNOCK and action.card is not None:
        return offered_knock(state.view(state.turn), action.card)
    return action


def drawn_card(state: InPlay) -> int | None:
    """The card that came into a hand with the last action, from the stock or the pile; None if none did."""
    if not state.actions or state.actions[-1].kind not in _INTO_HAND:
        return None
    log = replace(state.log, actions=tuple(state.actions[:-1]))
    before = type(state).replay(state.rules, log, players=state.players)
    return (state.hands[before.turn] & ~before.hands[before.turn]).bit_length() - 1


def seat_document(state: InPlay, seat: int) -> dict[str, Any]:
    """What a player may know of a hand, as JSON: cards as text, moves and legal actions as their texts.

    `counts` has how many cards each holds, and `known_by` which of them he took openly. From a knock on
    `laid` is how the knocker's cards lie. For who is to lay off `offered` is what leaves him least.

    Of two games from one pack it is his own, and `beside` what lies open in the other; None elsewhere. In
    rummy `melds` lie on the table, and `open_stock` is what is known of a pile that was turned over; both are
    None in gin.
    """
    if isinstance(state, RummyHand):
        return _rummy_document(state, seat)
    view = state.view(seat)
    # By what they are called in the hand, of which his game may be the second.
    base = seat - view.seat
    lays_off = view.phase is Phase.LAY_OFF and view.seat == view.turn
    return {
        "dealer": state.dealer,
        "phase": str(view.phase),
        "turn": state.turn,
        "hand": text_of(cards_of(view.mask)),
        "upcard": None if view.upcard is None else text_of([view.upcard]),
        "pile": text_of(view.pile),
        "stock": view.stock,
        "known": text_of(cards_of(view.known)),
        "known_by": [text_of(cards_of(mask)) for mask in _known_by(state, seat)],
        "counts": list(state.counts),
        "limit": view.limit,
        "moves": [{"seat": base + move.seat, "move": str(move)} for move in view.moves],
        "legal": [str(action) for action in view.legal],
        "laid": None if view.laid is None else arrangement_document(view.laid),
        "offered": str(offered_lay_off(view)) if lays_off else None,
        "beside": _beside(state.beside(seat), 2 - base) if isinstance(state, OnePackHand) else None,
        "melds": None,
        "open_stock": None,
    }


def _rummy_document(state: RummyHand, seat: int) -> dict[str, Any]:
    view = state.view(seat)
    known = [0 if place == seat else mask for place, mask in enumerate(view.known)]
    return {
        "dealer": view.dealer,
        "phase": str(view.phase),
        "turn": view.turn,
        "hand": text_of(cards_of(view.mask)),
        "upcard": None,
        "pile": text_of(view.pile),
        "stock": view.stock,
        "known": text_of(cards_of(sum(known))),
        "known_by": [text_of(cards_of(mask)) for mask in known],
        "counts": list(state.counts),
        "limit": None,
        "moves": [
            {"seat": move.seat, "move": str(RummyAction(move.kind, move.cards, move.meld))}
            for move in view.moves
        ],
        "legal": [str(action) for action in view.legal],
        "laid": None,
        "offered": None,
        "beside": None,
        "melds": [{"seat": laid.seat, "cards": text_of(laid.meld.cards)} for laid in view.melds],
        "open_stock": text_of(view.open_stock),
    }


def _beside(game: OpenGame, base: int) -> dict[str, Any]:
    """A game that somebody else plays, from the same stock; its players are called `base` and the next."""
    return {
        "phase": str(game.phase),
        "pile": text_of(game.pile),
        "moves": [{"seat": base + move.seat, "move": str(move)} for move in game.moves],
        "laid": None if game.laid is None else arrangement_document(game.laid),
        "shown": [None if mask is None else text_of(cards_of(mask)) for mask in game.shown],
    }


def _known_by(state: InPlay, seat: int) -> list[int]:
    """What each holds of the cards that were taken openly, nothing for oneself, by seat."""
    view = state.view(seat)
    if isinstance(state, OnePackHand):
        known = [mask for game in state.games for mask in game.open.known]
    else:
        known = list(view.known_by or (view.known, view.known))
    known[seat] = 0
    return known


def _act(state: InPlay, chosen: Any, number: int) -> None:
    """Carries out what the bot to move has chosen in this deal; raises `BotError`."""
    bot = state.players[state.turn]
    try:
        state.act(laid_by_player(state, chosen))
    except GameError as error:
        raise BotError(bot, number, error.message) from error
