"""Basic rummy: two to six play at once, and melds are laid down in the course of play (RULES §8)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final, cast

from scoring.core.errors import HandError, shown
from scoring.core.hands import Dead, Outcome
from scoring.core.kinds.base import OF_TEAMS, AllAtOnce, Frame, Score, dealer_of_two
from scoring.core.messages import Message, mark
from scoring.core.own_knobs import RummyKnobs
from scoring.core.rules import EXTRA_BOX_KINDS, Rules
from scoring.core.sheet_state import SheetSide, Table
from scoring.core.table_hands import Blocked, Counts, Gain, Out, TableScore

# Cards for each player, by their number [S0, S9, S12].
CARDS: Final = {2: 10, 3: 7, 4: 7, 5: 6, 6: 6}
# Nobody knocks or has gin, a run has an ace by a knob of its own, and there are no boxes and no bonuses.
_OF_GIN: Final = OF_TEAMS | {
    "knock_limit",
    "ace",
    "oklahoma",
    "spades_double",
    "spades_double_boxes",
    "gin_bonus",
    "big_gin_bonus",
    "undercut_bonus",
    "undercut_on_tie",
    "undercut_penalty",
    "zero_knock",
    *(f"extra_boxes_{kind}" for kind in EXTRA_BOX_KINDS),
    "box_bonus",
    "box_credit",
    "game_bonus",
    "shutout",
    "shutout_amount",
    "double_if_loser_boxless",
    "first_dealer",
    "deal",
    "discard_taken_card",
    "stock_end",
}
_ACES: Final = 4
_MOST_VALUE: Final = 10


class BasicRummy(AllAtOnce):
    """Two to six sides of one player. There are no boxes and no bonus for a game."""

    key: ClassVar[str] = "basic_rummy"
    title: ClassVar[Message] = mark("Basic rummy")
    idle_knobs: ClassVar[frozenset[str]] = _OF_GIN
    most_sides: ClassVar[int] = 6

    def hand_size(self, rules: Rules, players: int) -> int:
        return CARDS[players]

    def rules_in_force(self, rules: Rules, sides: Sequence[SheetSide]) -> Rules:
        return replace(rules, box_bonus=0, game_bonus=0, shutout="none", double_if_loser_boxless=False)

    def next_table(self, frame: Frame, table: Table, scores: Sequence[Any]) -> Table:
        (score,) = scores
        if len(frame.sides) > 2 or not score.gains:
            return super().next_table(frame, table, scores)
        winner = frame.side_of[score.gains[0].winner]
        dealer = dealer_of_two(frame.rules, dealer=table.dealer, winner=winner, other=1 - winner)
        return replace(table, dealer=dealer)

    def score_hand(self, rules: Rules, hand: Any) -> Score:
        match hand:
            case Out(winner, left, rummy):
                _check_left(rules, left, players=1 + len(left))
                factor = 2 if rummy and _knobs(rules).going_rummy_doubles else 1
                shares = tuple((player, count * factor) for player, count in left)
                return TableScore(Outcome.RUMMY if rummy else Outcome.OUT, (Gain(winner, shares),))
            case Blocked(left):
                _check_left(rules, left, players=len(left))
                return _score_blocked(rules, left)
            case Dead():
                return TableScore(Outcome.DEAD)
        raise HandError("unknown_kind", mark("This is not a hand of rummy."), field="kind")

    def paid(self, frame: Frame, scores: Sequence[Any]) -> Iterator[tuple[int, int]]:
        """Return what a hand pays: each loser his own figure; what all lose, each settles with each."""
        (score,) = scores
        for gain in score.gains:
            for player, points in gain.shares:
                yield frame.side_of[gain.winner], points
                yield frame.side_of[player], -points
        for player, points in score.penalties:
            loser = frame.side_of[player]
            for side in range(len(frame.sides)):
                yield side, points if side != loser else -points * (len(frame.sides) - 1)

    def nets(self, frame: Frame, nets: Sequence[int], paid: Sequence[int]) -> Sequence[int]:
        """Return what each wins: hand by hand from those who lost it, or by the totals."""
        return nets if _knobs(frame.rules).settlement == "totals" else tuple(paid)

    def placed_by(self, totals: Sequence[int], nets: Sequence[int]) -> Sequence[int]:
        """Return the totals: the game is won by who has most points, whoever has paid most."""
        return totals


def most_left(rules: Rules, players: int) -> int:
    """The most that a player's cards can count at the end of a hand."""
    cards, ace = CARDS[players], _knobs(rules).ace_points
    aces = min(cards, _ACES) if ace > _MOST_VALUE else 0
    return aces * ace + (cards - aces) * _MOST_VALUE


def least_left(rules: Rules) -> int:
    """The least: one card, or none where a player may float."""
    if _knobs(rules).floating:
        return 0
    return 1 if _knobs(rules).ace_points == 1 else 2


def _check_left(rules: Rules, left: Counts, *, players: int) -> None:
    least, most = least_left(rules), most_left(rules, players)
    for player, count in left:
        if not least <= count <= most:
            raise HandError(
                "out_of_range",
                mark(
                    "%(player)s can have %(least)s to %(most)s left, not %(had)s.",
                    player=player,
                    least=least,
                    most=most,
                    had=shown(count),
                ),
                field=f"left.{player}",
            )


def _score_blocked(rules: Rules, left: Counts) -> TableScore:
    how = _knobs(rules).blocked
    if how == "all_lose":
        return TableScore(Outcome.BLOCKED, (), tuple((player, count) for player, count in left if count))
    counts = [count for _player, count in left]
    least = min(counts)
    if how == "dead" or counts.count(least) > 1:
        return TableScore(Outcome.BLOCKED)
    at = counts.index(least)
    others = left[at + 1 :] + left[:at]
    match how:
        case "lowest_each":
            shares = tuple((player, count - least) for player, count in others)
        case "lowest_once":
            (first, count), *rest = others
            shares = ((first, count - least), *rest)
        case _:
            shares = others
    return TableScore(Outcome.BLOCKED, (Gain(left[at][0], shares),))


def _knobs(rules: Rules) -> RummyKnobs:
    return cast("RummyKnobs", rules.own)
