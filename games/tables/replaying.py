"""Replays of hands, move by move: all cards, and the actions.

Frame 0 is the deal; frame k follows the k-th action. Estimates of a choice are shown with its action.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, Final

from games.bots.base import Estimate
from games.errors import GameError
from games.gin.actions import Action, ActionKind
from games.gin.cards import cards_of
from games.gin.hand import GinHand, HandState
from games.gin.jersey import JerseyHand
from games.gin.layoffs import Reply
from games.gin.log import HandLog
from games.gin.one_pack import OnePackHand
from games.gin.playing import InPlay
from games.gin.rummy import RummyHand
from games.gin.rummy_actions import RummyAction, RummyActionKind, RummyMove
from games.tables.laid import LaidHand, laid_down
from scoring.core.kinds import kind_of
from scoring.core.messages import mark
from scoring.core.rules import Rules
from scoring.paper.layout import HandLine, TableLine, line_of_hand

# In gin and in rummy.
_CAME_IN: Final = frozenset({"draw", "take", "take_below"})
_ENDINGS: Final = frozenset({ActionKind.KNOCK, ActionKind.GIN, ActionKind.BIG_GIN, ActionKind.TIME_OUT})


@dataclass(frozen=True, slots=True)
class Weighed:
    """An action that was weighed: `value` is a chance to win the game (0 to 1), or points of the hand.

    `share` is the length of its bar, 0 to 1: the chance itself, or for points how close they come to the
    best.
    """

    action: Action | RummyAction
    value: float
    samples: int
    is_chance: bool
    is_chosen: bool
    share: float

    @property
    def percent(self) -> float:
        """The chance in percent."""
        return 100 * self.value


@dataclass(frozen=True, slots=True)
class ShownMove:
    """The `number`-th action of the hand, from 1, with its `card` even if the opponent did not see it.

    `deadwood` is that of a knock, or what a lay-off leaves. `laid_off` are the cards of a lay-off, or those
    of a meld that is laid down in rummy.
    """

    number: int
    seat: int
    kind: ActionKind | RummyActionKind
    card: int | None
    deadwood: int | None = None
    laid_off: tuple[int, ...] = ()

    @property
    def came_in(self) -> bool:
        """Whether the card came into the hand."""
        return str(self.kind) in _CAME_IN


@dataclass(frozen=True, slots=True)
class SeatTurn:
    """Consecutive actions of one seat: a draw and a discard, or a pass."""

    seat: int
    moves: tuple[ShownMove, ...]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The table after a move (None: as dealt); `hands` by seat, each pile from bottom to top.

    Of two games from one pack each has its pile. `stock` is the number of cards left. `turn` is the seat to
    move, None at the end, where `lines` have the score. `endings` say who has knocked, or has gin, and which,
    and whose time was over.
    `melds` are those on the table in rummy, each with the seat of who laid it down; None in gin.
    """

    number: int
    move: ShownMove | None
    hands: tuple[LaidHand, ...]
    piles: tuple[tuple[int, ...], ...]
    stock: int
    turn: int | None
    weighed: tuple[Weighed, ...] = ()
    lines: tuple[HandLine | TableLine, ...] = ()
    melds: tuple[tuple[int, tuple[int, ...]], ...] | None = None
    endings: Mapping[int, ActionKind | RummyActionKind] = field(default_factory=dict)

    @property
    def is_uncounted(self) -> bool:
        """Whether deadwood says nothing: in rummy all that is left in a hand counts, melded or not."""
        return self.melds is not None


@dataclass(frozen=True, slots=True)
class Replay:
    """A whole hand: its frames, and its moves by turns."""

    dealer: int
    frames: tuple[Snapshot, ...]
    turns: tuple[SeatTurn, ...]

    @property
    def last(self) -> int:
        """The number of the last frame."""
        return len(self.frames) - 1


def replayed(
    rules: Rules,
    log: HandLog[Any],
    *,
    players: tuple[str, ...],
    kind: type[InPlay] = HandState,
    estimates: Sequence[object] = (),
) -> Replay:
    """The frames of a log, `players` by seat; `estimates` as stored, parallel to the actions or empty.

    `kind` is what the hand is.

    Refuses with `GameError` a log that is no hand (`hand.replay`), and with `wrong_type` invalid estimates.
    """
    state = kind.replay(rules, replace(log, actions=()), players=players)
    frames = [_frame(state, 0, None)]
    for number, action in enumerate(log.actions, start=1):
        seat, before = state.turn, state.hands[state.turn]
        pile = state.pile if isinstance(state, RummyHand) else _game(state, seat).pile
        state.act_again(action)
        if isinstance(state, RummyHand):
            move = replace(
                rummy_move(number, state.view(seat).moves[number - 1]),
                **_drawn(action, state.hands[seat] & ~before),
            )
        else:
            move = _move(state, number, seat, action, before, pile)
        stored = estimates[number - 1] if number <= len(estimates) else None
        frames.append(_frame(state, number, move, stored))
    moves = [frame.move for frame in frames if frame.move is not None]
    return Replay(log.dealer, tuple(frames), turns_of(moves))


def turns_of(moves: Iterable[ShownMove]) -> tuple[SeatTurn, ...]:
    """The moves by turns."""
    return tuple(SeatTurn(seat, tuple(made)) for seat, made in groupby(moves, key=lambda move: move.seat))


def _games(state: Any) -> tuple[GinHand, ...]:
    """The games of which it consists: two from one pack, else itself."""
    return tuple(state.games) if isinstance(state, OnePackHand) else (state,)


def _game(state: Any, seat: int) -> GinHand:
    """The game that this seat plays."""
    return _games(state)[seat // 2 if isinstance(state, OnePackHand) else 0]


def _answers(game: GinHand) -> tuple[Reply, ...]:
    """How the others have answered a knock or gin, from the knocker's left; nothing before they have."""
    if isinstance(game, JerseyHand):
        return game.answers
    return (game.answer,) if isinstance(game, HandState) and game.answer is not None else ()


def _move(
    state: InPlay, number: int, seat: int, action: Action, before: int, pile: tuple[int, ...]
) -> ShownMove:
    card = action.card
    if action.kind is ActionKind.DRAW:
        (card,) = cards_of(state.hands[seat] & ~before)
    elif action.kind in (ActionKind.TAKE, ActionKind.PASS):
        card = pile[-1]
    elif action.kind is ActionKind.TAKE_BELOW:
        card = pile[-2]
    game = _game(state, seat)
    if action.kind is ActionKind.TIME_OUT:
        card = game.pile[-1] if len(game.pile) > len(pile) else None
    if action.kind is ActionKind.LAY_OFF:
        (answer,) = _answers(game)
        laid_off = tuple([one.card for one in answer.lay_offs])
        return ShownMove(number, seat, action.kind, card, answer.deadwood, laid_off)
    deadwood = game.laid.deadwood if game.laid is not None else None
    return ShownMove(number, seat, action.kind, card, deadwood)


def rummy_move(number: int, move: RummyMove) -> ShownMove:
    """A move of rummy as it is seen at the table."""
    cards = tuple(cards_of(move.cards))
    return ShownMove(number, move.seat, move.kind, cards[0] if len(cards) == 1 else None, None, cards)


def _drawn(action: RummyAction, came: int) -> dict[str, Any]:
    """What its move says of a card that was drawn."""
    return {"card": came.bit_length() - 1} if action.kind is RummyActionKind.DRAW else {}


def _rummy_frame(state: RummyHand, number: int, move: ShownMove | None) -> Snapshot:
    return Snapshot(
        number,
        move,
        tuple([LaidHand.best(mask, ace=state.knobs.ace) for mask in state.hands]),
        (state.pile,),
        len(state.stock),
        None if state.is_over else state.turn,
        lines=lines_of(state),
        endings={} if move is None or move.kind is not RummyActionKind.TIME_OUT else {move.seat: move.kind},
        melds=tuple([(laid.seat, laid.meld.cards) for laid in state.melds]),
    )


def _frame(state: InPlay, number: int, move: ShownMove | None, stored: object = None) -> Snapshot:
    if isinstance(state, RummyHand):
        return _rummy_frame(state, number, move)
    games = _games(state)
    endings = {
        2 * place + end.seat: end.kind
        for place, game in enumerate(games)
        for end in game.moves
        if end.kind in _ENDINGS
    }
    return Snapshot(
        number,
        move,
        tuple([laid for game in games for laid in _laid(game)]),
        tuple([game.pile for game in games]),
        len(games[0].stock),
        None if state.is_over else state.turn,
        weighed_of(_read_estimates(stored), state.actions[-1]) if stored else (),
        lines_of(state),
        endings=endings,
    )


def _laid(game: GinHand) -> list[LaidHand]:
    """The hands of a game by seat: in their best arrangement, or as they were laid down."""
    ace = game.rules.ace
    hands = [LaidHand.best(mask, ace=ace) for mask in game.hands]
    if game.laid is None or game.knocker is None:
        return hands
    knocker, answers = game.knocker, _answers(game)
    laid = laid_down(game.laid, *answers, ace=ace) if answers else (LaidHand.of(game.laid),)
    for step, hand in enumerate(laid):
        hands[(knocker + step) % len(hands)] = hand
    return hands


def lines_of(state: InPlay) -> tuple[HandLine | TableLine, ...]:
    """What a hand came to, of two games from one pack each; nothing while it is played."""
    kind, sides = kind_of(state.rules), {name: seat for seat, name in enumerate(state.players)}
    return tuple(
        [line_of_hand(result, kind.score_hand(state.rules, result), sides) for result in state.results]
    )


def weighed_of(estimates: Sequence[Estimate], chosen: Action | RummyAction) -> tuple[Weighed, ...]:
    """The estimates of one choice in their order."""
    values = [0.0, *[one.value for one in estimates]]
    best, worst = max(values[1:], default=0.0), min(values)
    shares = [
        one.value if one.is_chance else (one.value - worst) / (best - worst) if best > worst else 0.0
        for one in estimates
    ]
    return tuple(
        [
            Weighed(*one, one.action == chosen, min(max(share, 0.0), 1.0))
            for one, share in zip(estimates, shares, strict=True)
        ]
    )


def _read_estimates(stored: object) -> list[Estimate]:
    """The estimates of one choice in the bot's order, the best first.

    Each is stored as [action, value, samples, whether it is a chance].
    """
    if not isinstance(stored, list):
        raise GameError("wrong_type", mark("The estimates of an action are a list."), field="estimates")
    read = []
    for entry in stored:
        if not (isinstance(entry, list) and len(entry) == 4 and isinstance(entry[0], str)):
            raise GameError(
                "wrong_type", mark("An estimate is an action, its value, and how."), field="estimates"
            )
        text, value, samples, is_chance = entry
        read.append(Estimate(Action.parse(text), float(value), int(samples), bool(is_chance)))
    return read
