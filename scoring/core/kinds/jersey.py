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
from scoring.core.kinds.base import OF_TEAMS, AllAtOnce, Score
from scoring.core.messages import Message, mark
from scoring.core.own_knobs import JerseyKnobs
from scoring.core.rules import Rules
from scoring.core.table_hands import Counts, Gain, TableKnock, TablePoints, TableScore


class Jersey(AllAtOnce):
    """Three sides of one player; the winner of a hand wins from both others."""

    key: ClassVar[str] = "jersey"
    title: ClassVar[Message] = mark("Jersey gin")
    idle_knobs: ClassVar[frozenset[str]] = OF_TEAMS | {"first_dealer", "next_dealer", "deal"}
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
        raise HandError("unknown_kind", mark("This is not a hand of three players."), field="kind")


def _score_knock(rules: Rules, hand: TableKnock) -> TableScore:
    own = hand.knocker_deadwood
    for player, count in hand.others:
        check_count(f"others.{player}", count)
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
    if not below:
        if all(count == own for _player, count in hand.others):
            return TableScore(Outcome.DEAD)
        return _score(rules, hand, Outcome.KNOCK, [(hand.knocker, own, hand.others)])
    least = min(count for _player, count in below)
    outcome = Outcome.UNDERCUT if least else Outcome.GIN_OFF
    knocker = (hand.knocker, own)
    if _knobs(rules).undercut == "each":
        wins: list[tuple[str, int, Counts]] = [(player, count, (knocker,)) for player, count in below]
        above = tuple((player, count) for player, count in hand.others if count > own)
        return _score(rules, hand, outcome, [*wins, (hand.knocker, own, above)] if above else wins)
    lowest = [player for player, count in below if count == least]
    if len(lowest) > 1:
        return _score(rules, hand, outcome, [(player, least, (knocker,)) for player in lowest])
    seats = (knocker, *hand.others)
    at = seats.index((lowest[0], least))
    return _score(rules, hand, outcome, [(lowest[0], least, seats[at + 1 :] + seats[:at])])


def _score(
    rules: Rules, hand: TableKnock, outcome: Outcome, wins: Sequence[tuple[str, int, Counts]]
) -> TableScore:
    """The score of a knock: who wins with what count, and from whom with what counts."""
    factor = 2 if doubled(rules, hand.upcard) else 1
    gains = []
    penalties = []
    for winner, own, losers in wins:
        won = Outcome.UNDERCUT if own else Outcome.GIN_OFF
        if winner == hand.knocker:
            won = Outcome.KNOCK
        shares = []
        for player, points in _less(rules, losers, own):
            from_him, off = _from_knocker(rules, points) if player == hand.knocker else (points, 0)
            shares.append((player, from_him * factor))
            penalties.append(off * factor)
        gains.append(Gain(winner, tuple(shares), boxes_of(rules, won, hand.upcard)[0]))
    # Where each is against the knocker alone each has a penalty; else two who are level have one.
    off = sum(penalties) if _knobs(rules).undercut == "each" else max(penalties)
    return TableScore(outcome, tuple(gains), ((hand.knocker, off),) if off else ())


def _score_gin(rules: Rules, hand: TableKnock, outcome: Outcome) -> TableScore:
    if hand.knocker_deadwood:
        raise HandError("out_of_range", mark("Gin leaves the knocker no deadwood."), field="knocker_deadwood")
    bonus = rules.gin_bonus if outcome is Outcome.GIN else big_gin_bonus(rules, "kind")
    factor = 2 if doubled(rules, hand.upcard) else 1
    once = _knobs(rules).bonus == "once"
    shares = tuple(
        (player, (count + (0 if once and place else bonus)) * factor)
        for place, (player, count) in enumerate(hand.others)
    )
    return TableScore(outcome, (Gain(hand.knocker, shares, boxes_of(rules, outcome, hand.upcard)[0]),))


def _score_points(rules: Rules, hand: TablePoints) -> TableScore:
    if hand.mark is Outcome.BIG_GIN:
        big_gin_bonus(rules, "mark")
    for gain in hand.gains:
        for player, points in gain.shares:
            check_points(f"from.{player}", points)
    for player, points in hand.penalties:
        check_points(f"penalties.{player}", points)
    knocker = _undercut_knocker(rules, hand)
    gains = []
    for gain in hand.gains:
        # A knocker who is undercut by one may win from the other.
        won = Outcome.KNOCK if gain.winner == knocker else hand.mark
        boxes = 1 if hand.mark is None or won is None else boxes_of(rules, won, hand.upcard)[0]
        gains.append(replace(gain, boxes=boxes))
    return TableScore(hand.mark or Outcome.POINTS, tuple(gains), hand.penalties)


def _undercut_knocker(rules: Rules, hand: TablePoints) -> str | None:
    """The knocker, where points tell that he was undercut.

    Refuses (`conflicting_fields`) two winners or a penalty that no hand has, and (`not_played`) a penalty
    where nothing is taken off.
    """
    knocker = None
    if len(hand.gains) == 2:
        one, other = hand.gains
        (from_one, _points), (from_other, _points) = one.shares[0], other.shares[0]
        winners = {one.winner, other.winner}
        if from_one == from_other:
            knocker = from_one
        elif _knobs(rules).undercut == "each" and len({from_one, from_other} - winners) == 1:
            knocker = from_one if from_one in winners else from_other
        if knocker is None or len(winners) == 1:
            message = mark("Under these rules no hand is won by both like this.")
            raise HandError("conflicting_fields", message, field="gains")
    if not hand.penalties:
        return knocker
    if rules.undercut_penalty == "none":
        raise HandError("not_played", mark("Nothing is taken off under these rules."), field="penalties")
    (penalised, _points), *others = hand.penalties
    losers = [player for gain in hand.gains for player, _points in gain.shares]
    if others or penalised not in losers or (knocker is not None and penalised != knocker):
        message = mark("Points are taken off the knocker only.")
        raise HandError("conflicting_fields", message, field="penalties")
    return penalised


def _less(rules: Rules, losers: Counts, own: int) -> Counts:
    """The counts of who loses less the winner's own: each, or once, the first."""
    once = _knobs(rules).count == "sum"
    return tuple(
        (player, count - (0 if once and place else own)) for place, (player, count) in enumerate(losers)
    )


def _from_knocker(rules: Rules, points: int) -> tuple[int, int]:
    """What an undercut wins from the knocker, and what is taken off him (RULES §8, `undercut_penalty`)."""
    match rules.undercut_penalty:
        case "bonus":
            return points, rules.undercut_bonus
        case "all":
            return 0, points + rules.undercut_bonus
        case _:
            return points + rules.undercut_bonus, 0


def _knobs(rules: Rules) -> JerseyKnobs:
    return cast("JerseyKnobs", rules.own)
