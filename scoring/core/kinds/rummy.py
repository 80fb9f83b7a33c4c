"""Basic rummy: two to six play at once, and melds are laid down in the course of play (RULES §8)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final, cast

from scoring.core.errors import HandError, shown
from scoring.core.hands import Dead, Outcome
from scoring.core.kinds.base import AllAtOnce, Frame, Score
from scoring.core.messages import Message, mark
from scoring.core.own_knobs import RummyKnobs
from scoring.core.rules import Rules
from scoring.core.sheet_state import Deal, DealScore, SheetSide, Table
from scoring.core.table_hands import Blocked, Counts, Gain, Out, TableScore

# Cards for each player, by their number [S0, S9, S12].
CARDS: Final = {2: 10, 3: 7, 4: 7, 5: 6, 6: 6}
_ACES: Final = 4
_MOST_VALUE: Final = 10


class BasicRummy(AllAtOnce):
    """Two to six sides of one player. There are no boxes and no bonus for a game."""

    key: ClassVar[str] = "basic_rummy"
    title: ClassVar[Message] = mark("Basic rummy")
    most_sides: ClassVar[int] = 6

    def rules_in_force(self, rules: Rules, sides: Sequence[SheetSide]) -> Rules:
        return replace(rules, box_bonus=0, game_bonus=0, shutout="none", double_if_loser_boxless=False)

    def next_table(self, frame: Frame, table: Table, deal: Deal, scores: Sequence[Any]) -> Table:
        after = super().next_table(frame, table, deal, scores)
        if len(frame.sides) > 2 or after is table or not scores[0].gains:
            return after
        winner = frame.side_of[scores[0].gains[0].winner]
        match frame.rules.next_dealer:
            case "loser":
                return replace(table, dealer=1 - winner)
            case "winner":
                return replace(table, dealer=winner)
            case _:
                return after

    def score_hand(self, rules: Rules, hand: Any) -> Score:
        match hand:
            case Out(winner, left, rummy):
                _check_left(rules, left, players=1 + len(left), least=0 if _knobs(rules).floating else 1)
                factor = 2 if rummy and _knobs(rules).going_rummy_doubles else 1
                shares = tuple((player, count * factor) for player, count in left)
                return TableScore(Outcome.RUMMY if rummy else Outcome.OUT, (Gain(winner, shares, 0),))
            case Blocked(left):
                _check_left(rules, left, players=len(left), least=0 if _knobs(rules).floating else 1)
                return _score_blocked(rules, left)
            case Dead():
                return TableScore(Outcome.DEAD)
        raise HandError("unknown_kind", mark("This hand is none of rummy."), field="kind")

    def nets(self, frame: Frame, scored: Sequence[DealScore], nets: Sequence[int]) -> Sequence[int]:
        """Return what each wins: hand by hand from those who lost it, or by the totals."""
        if _knobs(frame.rules).settlement == "totals":
            return nets
        won = [0] * len(nets)
        for deal in scored:
            for score in deal.hands if deal.counted else ():
                if isinstance(score, TableScore):
                    _settle_hand(frame, score, won)
        return won


def most_left(rules: Rules, players: int) -> int:
    """The most that a player's cards can count at the end of a hand."""
    cards, ace = CARDS[players], _knobs(rules).ace_points
    aces = min(cards, _ACES) if ace > _MOST_VALUE else 0
    return aces * ace + (cards - aces) * _MOST_VALUE


def _check_left(rules: Rules, left: Counts, *, players: int, least: int) -> None:
    most = most_left(rules, players)
    for player, count in left:
        if not least <= count <= most:
            raise HandError(
                "out_of_range",
                mark(
                    "%(player)s can have %(least)s to %(most)s left, not %(count)s.",
                    player=player,
                    least=least,
                    most=most,
                    count=shown(count),
                ),
                field="left",
            )


def _score_blocked(rules: Rules, left: Counts) -> TableScore:
    how = _knobs(rules).blocked
    if how == "all_lose":
        return TableScore(Outcome.BLOCKED, (), left)
    least = min(count for _player, count in left)
    at = next(place for place, (_player, count) in enumerate(left) if count == least)
    if how == "dead" or sum(count == least for _player, count in left) > 1:
        return TableScore(Outcome.BLOCKED)
    others = left[at + 1 :] + left[:at]
    less = {"lowest_each": [least] * len(others), "lowest_once": [least] + [0] * len(others)}
    shares = tuple(
        (player, count - off)
        for (player, count), off in zip(others, less.get(how, [0] * len(others)), strict=False)
    )
    return TableScore(Outcome.BLOCKED, (Gain(left[at][0], shares, 0),))


def _settle_hand(frame: Frame, score: TableScore, won: list[int]) -> None:
    """Adds what a hand pays: each loser his own figure; what all lose, each settles with each."""
    for gain in score.gains:
        for player, points in gain.shares:
            won[frame.side_of[gain.winner]] += points
            won[frame.side_of[player]] -= points
    for player, points in score.penalties:
        won[frame.side_of[player]] -= points * (len(won) - 1)
        for side in range(len(won)):
            if side != frame.side_of[player]:
                won[side] += points


def _knobs(rules: Rules) -> RummyKnobs:
    return cast("RummyKnobs", rules.own)
