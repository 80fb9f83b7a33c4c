"""Replays of hands, move by move: all cards, and the actions.

Frame 0 is the deal; frame k follows the k-th action. Estimates of a choice are shown with its action.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from games.errors import GameError
from games.gin.actions import Action, ActionKind
from games.gin.cards import cards_of
from games.gin.hand import HandState
from games.gin.log import HandLog
from games.tables.laid import LaidHand, laid_down
from scoring.core.messages import mark
from scoring.core.rules import Rules
from scoring.paper.layout import HandLine, hand_line


@dataclass(frozen=True, slots=True)
class Weighed:
    """An action that was weighed: `value` is a chance to win the game (0 to 1), or points of the hand.

    `share` is the length of its bar, 0 to 1: the chance itself, or for points how close they come to the
    best.
    """

    action: Action
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

    `deadwood` is that of a knock, or what a lay-off leaves.
    """

    number: int
    seat: int
    kind: ActionKind
    card: int | None
    deadwood: int | None = None
    laid_off: tuple[int, ...] = ()

    @property
    def came_in(self) -> bool:
        """Whether the card came into the hand."""
        return self.kind in (ActionKind.DRAW, ActionKind.TAKE)


@dataclass(frozen=True, slots=True)
class Turn:
    """Consecutive actions of one seat: a draw and a discard, or a pass."""

    seat: int
    moves: tuple[ShownMove, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """The table after a move (None: as dealt); `hands` by seat, the pile from bottom to top.

    `stock` is the number of cards left. `turn` is the seat to move, None at the end, where `line` has the
    score.
    """

    number: int
    move: ShownMove | None
    hands: tuple[LaidHand, LaidHand]
    pile: tuple[int, ...]
    stock: int
    turn: int | None
    weighed: tuple[Weighed, ...] = ()
    line: HandLine | None = None
    knocker: int | None = None


@dataclass(frozen=True, slots=True)
class Replay:
    """A whole hand: its frames, and its moves by turns."""

    dealer: int
    upcard: int | None
    frames: tuple[Frame, ...]
    turns: tuple[Turn, ...]

    @property
    def last(self) -> int:
        """The number of the last frame."""
        return len(self.frames) - 1


def replayed(
    rules: Rules,
    log: HandLog[Action],
    *,
    players: tuple[str, str],
    estimates: Sequence[object] = (),
) -> Replay:
    """The frames of a log, `players` by seat; `estimates` as stored, parallel to the actions or empty.

    Refuses with `GameError` a log that is no hand (`hand.replay`), and with `wrong_type` invalid estimates.
    """
    state = HandState(rules, log.deck, dealer=log.dealer, players=players)
    frames = [_frame(state, 0, None)]
    for number, action in enumerate(log.actions, start=1):
        seat, before, pile = state.turn, state.hands[state.turn], state.pile
        state.act(action)
        move = _move(state, number, seat, action, before, pile)
        stored = estimates[number - 1] if number <= len(estimates) else None
        frames.append(_frame(state, number, move, stored))
    moves = [frame.move for frame in frames if frame.move is not None]
    return Replay(log.dealer, state.upcard, tuple(frames), turns_of(moves))


def turns_of(moves: Iterable[ShownMove]) -> tuple[Turn, ...]:
    """The moves by turns."""
    return tuple(Turn(seat, tuple(made)) for seat, made in groupby(moves, key=lambda move: move.seat))


def _move(
    state: HandState, number: int, seat: int, action: Action, before: int, pile: tuple[int, ...]
) -> ShownMove:
    card = action.card
    if action.kind is ActionKind.DRAW:
        (card,) = cards_of(state.hands[seat] & ~before)
    elif action.kind in (ActionKind.TAKE, ActionKind.PASS):
        card = pile[-1]
    if action.kind is ActionKind.LAY_OFF and state.answer is not None:
        laid_off = tuple([one.card for one in state.answer.lay_offs])
        return ShownMove(number, seat, action.kind, card, state.answer.deadwood, laid_off)
    deadwood = state.laid.deadwood if state.laid is not None else None
    return ShownMove(number, seat, action.kind, card, deadwood)


def _frame(state: HandState, number: int, move: ShownMove | None, stored: object = None) -> Frame:
    ace = state.rules.ace
    first, second = (LaidHand.best(mask, ace=ace) for mask in state.hands)
    if state.laid is not None:
        laid, answer = LaidHand.of(state.laid), second if state.knocker == 0 else first
        if state.answer is not None:
            laid, answer = laid_down(state.laid, state.answer, ace=ace)
        first, second = (laid, answer) if state.knocker == 0 else (answer, laid)
    return Frame(
        number,
        move,
        (first, second),
        state.pile,
        len(state.stock),
        None if state.is_over else state.turn,
        tuple(_weighed(stored, state.actions[-1])) if stored else (),
        line_of(state),
        state.knocker,
    )


def line_of(state: HandState) -> HandLine | None:
    """What a hand came to; None while it is played."""
    if state.result is None:
        return None
    return hand_line(state.result, state.score(), {name: seat for seat, name in enumerate(state.players)})


def _weighed(stored: object, chosen: Action) -> Iterator[Weighed]:
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
        read.append((Action.parse(text), float(value), int(samples), bool(is_chance)))
    best, worst = max(one[1] for one in read), min(0.0, *[one[1] for one in read])
    for action, value, samples, is_chance in read:
        share = value if is_chance else (value - worst) / (best - worst) if best > worst else 0.0
        yield Weighed(action, value, samples, is_chance, action == chosen, min(max(share, 0.0), 1.0))
