"""Jersey gin: three play at once, from one pack (RULES §8)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, cast

from scoring.core.errors import HandError
from scoring.core.hands import (
    Dead,
    Outcome,
    big_gin_bonus,
    boxes_of,
    check_count,
    check_knock,
    check_points,
    doubled,
)
from scoring.core.kinds.base import AllAtOnce, Score
from scoring.core.messages import Message, mark
from scoring.core.own_knobs import JerseyKnobs
from scoring.core.rules import Rules
from scoring.core.table_hands import Counts, Gain, TableKnock, TablePoints, TableScore


class Jersey(AllAtOnce):
    """Three sides of one player; the winner of a hand wins from both others."""

    key: ClassVar[str] = "jersey"
    title: ClassVar[Message] = mark("Jersey gin")
    fewest_sides: ClassVar[int] = 3
    most_sides: ClassVar[int] = 3

    def score_hand(self, rules: Rules, hand: Any) -> Score:
        match hand:
            case TableKnock():
                return _score_knock(rules, hand)
            case TablePoints():
                return _score_points(rules, hand)
            case Dead():
                return TableScore(Outcome.DEAD)
        raise HandError("unknown_kind", mark("This hand is none of three players."), field="kind")


def _score_knock(rules: Rules, hand: TableKnock) -> TableScore:
    own = hand.knocker_deadwood
    for _player, count in hand.others:
        check_count("others", count)
    if hand.ending is not Outcome.KNOCK:
        return _score_gin(rules, hand, hand.ending)
    limit = check_knock(rules, hand.knocker, own, hand.upcard)
    if own == 0 and (limit == 0 or rules.zero_knock == "gin"):
        return _score_gin(rules, hand, Outcome.GIN)
    below = [
        (player, count)
        for player, count in hand.others
        if count < own or (count == own and rules.undercut_on_tie)
    ]
    if below and _knobs(rules).undercut == "lowest":
        return _score_lowest(rules, hand, below)
    gains = []
    penalties = []
    above = tuple((player, count - own) for player, count in hand.others if count > own)
    if above and not below:
        gains.append(_gain(rules, hand, Outcome.KNOCK, hand.knocker, _shares(rules, hand, hand.knocker, own)))
    elif above:
        gains.append(_gain(rules, hand, Outcome.KNOCK, hand.knocker, above))
    for player, count in below:
        won, off = _from_knocker(rules, own - count)
        gains.append(_gain(rules, hand, _undercut(count), player, ((hand.knocker, won),)))
        if off:
            penalties.append((hand.knocker, off))
    outcome = _undercut(min(count for _player, count in below)) if below else Outcome.KNOCK
    return _score(rules, hand, outcome if gains else Outcome.DEAD, gains, penalties)


def _score_lowest(rules: Rules, hand: TableKnock, below: Sequence[tuple[str, int]]) -> TableScore:
    """The lowest of those who undercut wins from all; of two who are equal each wins from the knocker."""
    least = min(count for _player, count in below)
    lowest = [player for player, count in below if count == least]
    outcome = _undercut(least)
    won, off = _from_knocker(rules, hand.knocker_deadwood - least)
    gains = []
    for player in lowest:
        shares: Counts = ((hand.knocker, won),)
        if len(lowest) == 1:
            less = hand.knocker_deadwood - least
            shares = tuple(
                (other, points + won - less if other == hand.knocker else points)
                for other, points in _shares(rules, hand, player, least)
            )
        gains.append(_gain(rules, hand, outcome, player, shares))
    return _score(rules, hand, outcome, gains, [(hand.knocker, off)] if off else [])


def _score_gin(rules: Rules, hand: TableKnock, outcome: Outcome) -> TableScore:
    if hand.knocker_deadwood:
        raise HandError("out_of_range", mark("Gin leaves the knocker no deadwood."), field="knocker_deadwood")
    bonus = rules.gin_bonus if outcome is Outcome.GIN else big_gin_bonus(rules, "kind")
    once = _knobs(rules).bonus == "once"
    shares = tuple(
        (player, count + (0 if once and place else bonus))
        for place, (player, count) in enumerate(_shares(rules, hand, hand.knocker, 0))
    )
    return _score(rules, hand, outcome, [_gain(rules, hand, outcome, hand.knocker, shares)], [])


def _score_points(rules: Rules, hand: TablePoints) -> TableScore:
    if hand.mark is Outcome.BIG_GIN:
        big_gin_bonus(rules, "mark")
    boxes = 1 if hand.mark is None else boxes_of(rules, hand.mark, None)[0]
    for gain in hand.gains:
        for _player, points in gain.shares:
            check_points("from", points)
    for _player, points in hand.penalties:
        check_points("penalties", points)
    gains = tuple(replace(gain, boxes=boxes) for gain in hand.gains)
    return TableScore(hand.mark or Outcome.POINTS, gains, hand.penalties)


def _shares(rules: Rules, hand: TableKnock, winner: str, count: int) -> Counts:
    """What the others had less the winner's `count`, from each or once, from the winner's left on."""
    round_ = [(hand.knocker, hand.knocker_deadwood), *hand.others]
    at = [player for player, _count in round_].index(winner)
    once = _knobs(rules).count == "sum"
    return tuple(
        (player, other - (0 if once and place else count))
        for place, (player, other) in enumerate(round_[at + 1 :] + round_[:at])
    )


def _from_knocker(rules: Rules, difference: int) -> tuple[int, int]:
    """What an undercut wins from the knocker, and what is taken off him (RULES §8, `undercut_penalty`)."""
    match rules.undercut_penalty:
        case "bonus":
            return difference, rules.undercut_bonus
        case "all":
            return 0, difference + rules.undercut_bonus
        case _:
            return difference + rules.undercut_bonus, 0


def _undercut(count: int) -> Outcome:
    return Outcome.UNDERCUT if count else Outcome.GIN_OFF


def _gain(rules: Rules, hand: TableKnock, outcome: Outcome, winner: str, shares: Counts) -> Gain:
    return Gain(winner, shares, boxes_of(rules, outcome, hand.upcard)[0])


def _score(
    rules: Rules,
    hand: TableKnock,
    outcome: Outcome,
    gains: Sequence[Gain],
    penalties: Sequence[tuple[str, int]],
) -> TableScore:
    """The score, doubled where the upcard doubles the hand; what is taken off one player, added up."""
    factor = 2 if doubled(rules, hand.upcard) else 1
    off = sum(points for _player, points in penalties) * factor
    return TableScore(
        outcome,
        tuple(
            replace(gain, shares=tuple((player, points * factor) for player, points in gain.shares))
            for gain in gains
        ),
        ((hand.knocker, off),) if off else (),
    )


def _knobs(rules: Rules) -> JerseyKnobs:
    return cast("JerseyKnobs", rules.own)
