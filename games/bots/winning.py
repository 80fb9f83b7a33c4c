"""The worth of the end of a hand: the chance to win the game from the resulting score.

Two equal players win each hand with the same chance, and a win brings the usual points. So the number of wins
a side still needs depends on its own score alone, and which side gets there first is a matter of coin tosses.
Where a number of deals ends the game instead, the lead alone counts: each hand left moves it by the usual
points, up or down.

Fractions are added by `fsum`, because the result of `sum` depends on the version of Python.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import accumulate
from math import floor, fsum, sqrt
from typing import Final

from games.bots.base import GameView
from scoring.core.hands import BigGin, Gin, HandResult, HandScore, Knock, Outcome, score_hand
from scoring.core.rules import Rules

# How hands between two good players are won, in thousandths, and by how much: measured in the kernel's play
# against itself.
USUAL_ENDS: Final = (
    (Outcome.KNOCK, 7, 90),
    (Outcome.KNOCK, 15, 90),
    (Outcome.KNOCK, 23, 80),
    (Outcome.KNOCK, 36, 80),
    (Outcome.GIN, 1, 150),
    (Outcome.GIN, 4, 200),
    (Outcome.GIN, 9, 150),
    (Outcome.GIN, 17, 60),
    (Outcome.UNDERCUT, 0, 50),
    (Outcome.UNDERCUT, 3, 50),
)
THOUSAND: Final = 1000
# Beyond this many points to go, many wins are needed, and only the lead matters.
FAR: Final = 400
# The most wins a side can need for a game that near.
MOST_HANDS: Final = 120
# Less likely than this is as good as never.
RARE: Final = 1e-9
# With more hands left than these a lead counts in proportion to how far they move it.
MANY_HANDS: Final = 12


def chance_to_win(rules: Rules, target: int, own: int, other: int) -> float:
    """The chance, 0 to 1, of the side with `own` points to reach the target first; 1 or 0 once a side has."""
    if own >= target:
        return 1.0
    if other >= target:
        return 0.0
    usual = _usual_points(rules)
    ahead, behind = sorted((target - own, target - other))
    if behind > FAR:
        chance = _chance_from_afar(usual, ahead, behind)
        return chance if own > other else 1 - chance
    return _chance(usual, target - own, target - other)


def chance_to_lead(rules: Rules, lead: int, hands: int) -> float:
    """The chance, 0 to 1, of the side that leads by so much to be ahead after so many more hands.

    Being level is half of it.
    """
    usual = _usual_swings(rules)
    if hands <= MANY_HANDS:
        return _ahead(usual, lead, hands)
    # The spread of the hands to come grows with the square root of their number.
    alike = lead * sqrt(MANY_HANDS / hands)
    below = floor(alike)
    lower = _ahead(usual, below, MANY_HANDS)
    return lower + (alike - below) * (_ahead(usual, below + 1, MANY_HANDS) - lower)


def worth_of_score(rules: Rules, game: GameView, points: int, boxes: int, penalty: int = 0) -> float:
    """The chance to win the sheet once `points` and `boxes` are entered, averaged over its open columns.

    Points below 0 are the opponent's, a `penalty` below 0 is the player's own. The last column counts twice
    if the rules say so.
    """
    won = points + penalty
    credit = boxes * rules.box_bonus if rules.box_credit == "at_once" else 0
    if game.deals_left is not None:
        (column,) = game.columns
        lead = column.own - column.other + won + (credit if won > 0 else -credit if won < 0 else 0)
        return chance_to_lead(rules, lead, game.deals_left - 1) if column.is_open else 0.5
    total = weight = 0.0
    entered_first = False
    for number, column in enumerate(game.columns):
        if not column.is_open:
            continue
        factor = 2.0 if rules.last_column_double and number == len(game.columns) - 1 else 1.0
        own, other = column.own, column.other
        has_won = bool(column.own_boxes if won > 0 else column.other_boxes)
        if won and (has_won or not entered_first):
            entered_first = entered_first or not has_won
            gain, loss = abs(points) + credit, abs(penalty)
            own, other = (own + gain, other - loss) if won > 0 else (own - loss, other + gain)
        total += factor * chance_to_win(rules, game.target, own, other)
        weight += factor
    return total / weight if weight else 0.5


def score_of_end(rules: Rules, outcome: Outcome, difference: int, upcard: str | None) -> HandScore:
    """The scorer's result for such an end, won by "one"; refuses a difference that is impossible."""
    result: HandResult
    match outcome:
        case Outcome.GIN:
            result = Gin("one", "other", difference, upcard)
        case Outcome.BIG_GIN:
            result = BigGin("one", "other", difference, upcard)
        case Outcome.KNOCK:
            result = Knock("one", "other", 1, difference + 1, upcard)
        case Outcome.UNDERCUT:
            result = Knock("other", "one", difference + 1, 1, upcard)
        case _:
            result = Knock("other", "one", difference, 0, upcard)
    return score_hand(rules, result)


@lru_cache(maxsize=64)
def _usual_points(rules: Rules) -> tuple[tuple[int, int], ...]:
    """The points of a won hand, each with its frequency in thousandths."""
    penalty = rules.undercut_penalty
    undercut = rules.undercut_bonus if penalty == "none" else 0
    bonus = {Outcome.KNOCK: 0, Outcome.GIN: rules.gin_bonus, Outcome.UNDERCUT: undercut}
    ends = [
        (0 if kind is Outcome.UNDERCUT and penalty == "all" else one + bonus[kind], often)
        for kind, one, often in USUAL_ENDS
    ]
    return _as_scored(rules, ends)


@lru_cache(maxsize=64)
def _usual_swings(rules: Rules) -> tuple[tuple[int, int], ...]:
    """By how much a won hand moves the lead, with its frequency; penalties do as much as points."""
    bonus = {Outcome.KNOCK: 0, Outcome.GIN: rules.gin_bonus, Outcome.UNDERCUT: rules.undercut_bonus}
    return _as_scored(rules, [(one + bonus[kind], often) for kind, one, often in USUAL_ENDS])


def _as_scored(rules: Rules, ends: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    times = 1.25 if rules.spades_double else 1.0
    boxes = rules.box_bonus if rules.box_credit == "at_once" else 0
    return tuple((round(points * times) + boxes, often) for points, often in ends)


def _ahead(usual: tuple[tuple[int, int], ...], lead: int, hands: int) -> float:
    """The chance that hands, which move a lead as far down as up, do not move this one below 0."""
    swings, below = _sums(usual, hands)
    return (below[bisect_left(swings, lead)] + below[bisect_right(swings, lead)]) / 2


@lru_cache(maxsize=1024)
def _sums(usual: tuple[tuple[int, int], ...], hands: int) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """The distances in order, and with what probability the lead moves less than each, then less than any."""
    swings, chances = zip(*_spread(usual, hands), strict=True)
    return swings, tuple(accumulate(chances, initial=0.0))


@lru_cache(maxsize=1024)
def _spread(usual: tuple[tuple[int, int], ...], hands: int) -> tuple[tuple[int, float], ...]:
    """How far so many hands move the lead, each distance with its probability."""
    if not hands:
        return ((0, 1.0),)
    chances: dict[int, list[float]] = defaultdict(list)
    for swing, before in _spread(usual, hands - 1):
        for points, often in usual:
            chances[swing + points].append(before * often / (2 * THOUSAND))
            chances[swing - points].append(before * often / (2 * THOUSAND))
    return tuple((swing, fsum(chances[swing])) for swing in sorted(chances))


@lru_cache(maxsize=4096)
def _hands_needed(usual: tuple[tuple[int, int], ...], need: int) -> tuple[float, ...]:
    """The probabilities of needing exactly 1, 2, … wins for these points, which are no more than FAR."""
    # From so many points a win may be enough.
    near = range(need - 1, max(0, need - max(max(usual)[0], 1)) - 1, -1)
    chances: list[float] = []
    for hands in range(MOST_HANDS):
        before = _points_won(usual, hands)
        there = 0.0
        for won in near:
            if before[won] >= RARE:
                for points, often in usual:
                    if won + points >= need or won + 1 == need:
                        there += before[won] * often / THOUSAND
        chances.append(there)
        if fsum(_points_won(usual, hands + 1)[:need]) < 1e-6:
            break
    return tuple(chances)


@lru_cache(maxsize=512)
def _points_won(usual: tuple[tuple[int, int], ...], hands: int) -> tuple[float, ...]:
    """By number of points, below FAR, the probability of having just so many after so many wins.

    A win brings at least a point, and goes on from what is not too rare.
    """
    chances = [0.0] * FAR
    if not hands:
        chances[0] = 1.0
        return tuple(chances)
    before = _points_won(usual, hands - 1)
    for won in range(FAR - 1, -1, -1):
        if before[won] >= RARE:
            for points, often in usual:
                after = won + max(1, points)
                if after < FAR:
                    chances[after] += before[won] * often / THOUSAND
    return tuple(chances)


@lru_cache(maxsize=1 << 16)
def _chance(usual: tuple[tuple[int, int], ...], own: int, other: int) -> float:
    return fsum(
        [
            p * q * _first(i, j)
            for i, p in enumerate(_hands_needed(usual, own), 1)
            for j, q in enumerate(_hands_needed(usual, other), 1)
        ]
    )


def _chance_from_afar(usual: tuple[tuple[int, int], ...], ahead: int, behind: int) -> float:
    """The chance of the side that has fewer points to go, if the other has more than FAR.

    It equals that of a side with an equivalent lead when the other has FAR to go: a lead counts in proportion
    to the variation of the hands still to come, which grows with the square root of their number.
    """
    mean = sum([points * often for points, often in usual]) / THOUSAND
    by_hand = 2 / mean
    lead = (behind - ahead) / sqrt(by_hand * ahead + 1)
    # `near`, the points to go, solves FAR - near = lead * sqrt(by_hand * near + 1).
    half = FAR + by_hand * lead * lead / 2
    near = half - sqrt(max(0.0, half * half - FAR * FAR + lead * lead))
    if lead >= FAR:
        return 1.0
    below = floor(near)
    part = near - below
    lower = _chance(usual, below, FAR) if below else 1.0
    return lower + part * (_chance(usual, below + 1, FAR) - lower) if part else lower


@cache
def _first(own: int, other: int) -> float:
    """The chance to win `own` tosses of a coin before the opponent wins `other`."""
    if not own:
        return 1.0
    if not other:
        return 0.0
    return (_first(own - 1, other) + _first(own, other - 1)) / 2
