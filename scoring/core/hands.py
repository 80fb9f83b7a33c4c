"""One hand: its result at the table and its score under the house rules (RULES §4).

A result is one of five small types that name the players; upcards are in the form `cards.parse_card` returns.
`score_hand` turns a result into a `HandScore`. An undercut is not a kind of result but the outcome of a knock
whose counts make it one.
"""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, assert_never

from scoring.core.cards import deadwood_value
from scoring.core.errors import HandError, shown
from scoring.core.messages import Value, mark
from scoring.core.rules import Rules

# The most deadwood ten cards can have: two each of nine, ten, jack, queen and king.
MOST_DEADWOOD: Final = 98
MOST_POINTS: Final = 9999


class Outcome(StrEnum):
    """How a hand ended, as named on pages and in the API."""

    KNOCK = "knock"
    GIN = "gin"
    BIG_GIN = "big_gin"
    UNDERCUT = "undercut"
    GIN_OFF = "gin_off"
    POINTS = "points"
    DEAD = "dead"
    OUT = "out"
    RUMMY = "rummy"
    BLOCKED = "blocked"


UNDERCUTS: Final = (Outcome.UNDERCUT, Outcome.GIN_OFF)
MARKS: Final = (Outcome.GIN, Outcome.BIG_GIN, Outcome.UNDERCUT, Outcome.GIN_OFF, Outcome.KNOCK)


@dataclass(frozen=True, slots=True)
class Knock:
    """A knock with both deadwood counts, the defender's after lay-offs."""

    knocker: str
    defender: str
    knocker_deadwood: int
    defender_deadwood: int
    upcard: str | None = None


@dataclass(frozen=True, slots=True)
class Gin:
    """Gin: the knocker has no deadwood among ten cards.

    So counts a hand that the defender has lost `by_time` (RULES §11), which makes it no other result: whoever
    types the same figures again has changed nothing.
    """

    knocker: str
    defender: str
    defender_deadwood: int
    upcard: str | None = None
    by_time: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class BigGin:
    """Big gin: all eleven cards melded, nothing discarded."""

    knocker: str
    defender: str
    defender_deadwood: int
    upcard: str | None = None


@dataclass(frozen=True, slots=True)
class Points:
    """Final points as written on paper, never multiplied; `mark` tells how they were won, if known."""

    winner: str
    loser: str
    points: int
    mark: Outcome | None = None
    upcard: str | None = None


@dataclass(frozen=True, slots=True)
class Dead:
    """A drawn hand: nobody scores."""

    players: tuple[str, ...]
    upcard: str | None = None


HandResult = Knock | Gin | BigGin | Points | Dead


@dataclass(frozen=True, slots=True)
class HandScore:
    """The score of a hand: `points` and `boxes` go to `winner` (None, with zeros, if nobody scores).

    `extra_boxes` is the part of `boxes` beyond the hand's own box, including a spade's doubling. `penalty` is
    taken off the other player.
    """

    outcome: Outcome
    winner: str | None
    points: int
    boxes: int
    extra_boxes: int
    penalty: int = 0


_DEAD: Final = HandScore(Outcome.DEAD, None, 0, 0, 0)


def hand_limit(rules: Rules, upcard: str | None) -> int:
    """The knock limit of this hand, in points of deadwood (RULES §3, Oklahoma)."""
    if rules.oklahoma == "off" or upcard is None:
        return rules.knock_limit
    value = 0 if upcard[0] == "A" and rules.oklahoma == "ace_is_gin" else deadwood_value(upcard)
    return min(rules.knock_limit, value)


def score_hand(rules: Rules, result: HandResult) -> HandScore:
    """Scores one hand (RULES §4).

    Refuses with `HandError`: `out_of_range` (a count outside 0…98, points outside 0…9999), `illegal_knock`
    (above the hand's limit), `not_played` (big gin where the rules do not play it).
    """
    match result:
        case Knock():
            return _score_knock(rules, result)
        case Gin():
            return _score_gin(rules, result, Outcome.GIN, rules.gin_bonus)
        case BigGin():
            return _score_gin(rules, result, Outcome.BIG_GIN, big_gin_bonus(rules, "kind"))
        case Points():
            return _score_points(rules, result)
        case Dead():
            return _DEAD
        case _:
            assert_never(result)


def _score_knock(rules: Rules, hand: Knock) -> HandScore:
    own, other = hand.knocker_deadwood, hand.defender_deadwood
    limit = check_knock(rules, hand.knocker, own, hand.upcard)
    check_count("defender_deadwood", other)
    if own == 0 and (limit == 0 or rules.zero_knock == "gin"):
        return _won(rules, Outcome.GIN, hand.knocker, other + rules.gin_bonus, hand.upcard)
    if other > own:
        return _won(rules, Outcome.KNOCK, hand.knocker, other - own, hand.upcard)
    if other == own and not rules.undercut_on_tie:
        return _DEAD
    outcome = Outcome.UNDERCUT if other else Outcome.GIN_OFF
    return _undercut(rules, outcome, hand.defender, own - other, hand.upcard)


def check_knock(rules: Rules, knocker: str, own: int, upcard: str | None) -> int:
    """The limit of the hand; refuses a knock with more (`illegal_knock`) or less than 0 (`out_of_range`)."""
    limit = hand_limit(rules, upcard)
    if own > limit:
        said: dict[str, Value] = {"knocker": knocker, "own": shown(own), "limit": limit}
        message = mark("%(knocker)s cannot knock with %(own)s: the limit is %(limit)s.", **said)
        if limit < rules.knock_limit:
            message = mark(
                "%(knocker)s cannot knock with %(own)s: the upcard %(upcard)s allows %(limit)s.",
                upcard=upcard or "",
                **said,
            )
        raise HandError("illegal_knock", message, field="knocker_deadwood")
    check_count("knocker_deadwood", own)
    return limit


def _undercut(
    rules: Rules, outcome: Outcome, defender: str, difference: int, upcard: str | None
) -> HandScore:
    """The defender's score, less what is the knocker's penalty (RULES §8, `undercut_penalty`)."""
    bonus = rules.undercut_bonus
    if rules.undercut_penalty == "none":
        return _won(rules, outcome, defender, difference + bonus, upcard)
    won, off = (difference, bonus) if rules.undercut_penalty == "bonus" else (0, difference + bonus)
    score = _won(rules, outcome, defender, won, upcard)
    return replace(score, penalty=off * 2 if doubled(rules, upcard) else off)


def _score_gin(rules: Rules, hand: Gin | BigGin, outcome: Outcome, bonus: int) -> HandScore:
    check_count("defender_deadwood", hand.defender_deadwood)
    return _won(rules, outcome, hand.knocker, hand.defender_deadwood + bonus, hand.upcard)


def _score_points(rules: Rules, hand: Points) -> HandScore:
    check_points("points", hand.points)
    if hand.mark is None:
        # One box whatever the upcard: without a mark only the points of the hand are known.
        return HandScore(Outcome.POINTS, hand.winner, hand.points, 1, 0)
    if hand.mark is Outcome.BIG_GIN:
        big_gin_bonus(rules, "mark")
    boxes, extra = boxes_of(rules, hand.mark, hand.upcard)
    score = HandScore(hand.mark, hand.winner, hand.points, boxes, extra)
    if hand.mark not in UNDERCUTS or rules.undercut_penalty == "none":
        return score
    # The figure is the defender's, and where he has none the knocker's.
    if rules.undercut_penalty == "all":
        return replace(score, points=0, penalty=hand.points)
    return replace(score, penalty=rules.undercut_bonus * (2 if doubled(rules, hand.upcard) else 1))


def _won(rules: Rules, outcome: Outcome, winner: str, points: int, upcard: str | None) -> HandScore:
    boxes, extra = boxes_of(rules, outcome, upcard)
    return HandScore(outcome, winner, points * 2 if doubled(rules, upcard) else points, boxes, extra)


def doubled(rules: Rules, upcard: str | None) -> bool:
    """Whether the points of a hand count double for its upcard (RULES §4)."""
    return rules.spades_double and upcard is not None and upcard[1] == "S"


def boxes_of(rules: Rules, outcome: Outcome, upcard: str | None) -> tuple[int, int]:
    """All boxes of a won hand, and the extra ones among them (RULES §4, boxes)."""
    extra: int = 0 if outcome is Outcome.KNOCK else getattr(rules.extra_boxes, outcome)
    own = 1
    if rules.spades_double_boxes != "none" and doubled(rules, upcard):
        extra *= 2
        if rules.spades_double_boxes == "all":
            own = 2
    return own + extra, extra


def big_gin_bonus(rules: Rules, field: str) -> int:
    """The bonus for big gin; refused (`not_played`) where that is not played."""
    if rules.big_gin_bonus is None:
        raise HandError("not_played", mark("Big gin is not played under these rules."), field=field)
    return rules.big_gin_bonus


def check_points(field: str, points: int) -> None:
    """Refuse (`out_of_range`) points that no hand can be worth."""
    if not 0 <= points <= MOST_POINTS:
        message = mark(
            "Points are from 0 to %(most)s, not %(points)s.", most=MOST_POINTS, points=shown(points)
        )
        raise HandError("out_of_range", message, field=field)


def check_count(field: str, value: int) -> None:
    """Refuse (`out_of_range`) a deadwood that ten cards cannot have."""
    if not 0 <= value <= MOST_DEADWOOD:
        raise HandError(
            "out_of_range",
            mark("A count is from 0 to %(most)s, not %(value)s.", most=MOST_DEADWOOD, value=shown(value)),
            field=field,
        )
