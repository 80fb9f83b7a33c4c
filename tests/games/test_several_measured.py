"""How true the cost of a choice of several is: it is compared with what replays of the very hands bring.

Each choice and the better one are played on from the cards as they lie, with the rest of the stock shuffled
again, by plain bots in every seat, as the estimate has it: what they differ by is what was guessed of the
others' cards.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any

import pytest

from games.bots import several
from games.bots.appraising import Appraisal
from games.bots.several import Scorer, Several
from games.gin.view import Phase
from tests.games.test_several import ANN, begun, every_kind, plain

pytestmark = pytest.mark.long

# Standard errors by which replays may differ from the estimates: chance exceeds them in one of a dozen
# comparisons once in thirty runs.
ERRORS = 3
REPLAYS = 24
CHOICES = 30
# A quarter of what is played out for a report: costs are off by twice as much, and no less true on average.
ACTIONS = several.ACTIONS // 4
# By how much of it replays may lose less besides: the report's page says so of these games.
TOO_DEAR = {"basic_rummy": 0.5, "jersey": 0.0, "partners_one_pack": 0.5}
# How often Ann does anything.
PART = 0.35
# By what the choice is weighed at in other deals: by the figure that is compared, luck in its own deals would
# be taken for an error of its own.
BUCKETS = ((-inf, 1), (1, 4), (4, inf))


@every_kind
def test_what_a_choice_cost_is_what_replays_lose_by_it(
    kind: str, record_property: Callable[[str, object], None]
) -> None:
    """Of all that was found to be worse, and by what it is weighed at."""
    measured = [
        (weighed.cost, replayed_cost(kind, state, weighed), in_other_deals)
        for state, weighed, in_other_deals in worse_choices(kind)
    ]
    told = [summed("all", measured)]
    told += [
        summed(f"{least} to {most}", [one for one in measured if least <= one[2] < most])
        for least, most in BUCKETS
    ]
    for words, cost, off, error in told:
        record_property("measured", f"{kind}, {words}")
        assert -ERRORS * error - TOO_DEAR[kind] * cost <= off <= ERRORS * error, words


def summed(name: str, measured: list[tuple[float, float, float]]) -> tuple[str, float, float, float]:
    """What these choices cost by the estimate and by replays, in words; the first; how far off; its error."""
    off = [replayed - cost for cost, replayed, _other in measured]
    error = stdev(off) / sqrt(len(off))
    cost, replayed = fmean([one[0] for one in measured]), fmean([one[1] for one in measured])
    told = f"weighed at {name}: {len(off)} choices, {cost:.2f} points, replayed {replayed:.2f} ± {error:.2f}"
    return told, cost, fmean(off), error


def worse_choices(kind: str) -> Iterator[tuple[Any, Appraisal, float]]:
    """Hands of plain bots in which Ann now does anything, and what that cost, where another was better.

    And what it cost in other deals.
    """
    seed = found = 0
    while found < CHOICES:
        seed += 1
        state, bot, chances = begun(kind, seed), plain(kind, seed), Random(seed)
        judge, other = Several(kind, seed, actions=ACTIONS), Several(kind, ~seed, actions=ACTIONS)
        while not state.is_over and found < CHOICES:
            if state.turn == ANN and is_weighed(state) and chances.random() < PART:
                chosen = chances.choice(state.legal_actions())
                weighed = judge.appraise(state, ANN, chosen)
                again = other.appraise(state, ANN, chosen)
                if weighed is not None and weighed.better is not None and again is not None:
                    found += 1
                    yield state, weighed, again.cost
            state.act(bot(state))


def is_weighed(state: Any) -> bool:
    """Whether there is a choice, and the stock is the one that was dealt."""
    return (
        len(state.legal_actions()) > 1
        and state.view(state.turn).phase is not Phase.LAY_OFF
        and not getattr(state, "renewed", 0)
    )


def replayed_cost(kind: str, state: Any, appraisal: Appraisal) -> float:
    """By how many points on average the better action does better."""
    scorer, ahead = Scorer(state), []
    for number in range(REPLAYS):
        before = with_stock_shuffled(state, number)
        better, chosen = [
            played_on(kind, before, action, number, scorer) for action in (appraisal.better, appraisal.chosen)
        ]
        ahead.append(better - chosen)
    return fmean(ahead)


def with_stock_shuffled(state: Any, number: int) -> Any:
    """The hand with the cards that all hold, and those that nobody has drawn yet in another order."""
    random, stock, log = Random(number), list(state.stock), state.log
    random.shuffle(stock)
    orders = tuple([tuple(random.sample(order, len(order))) for order in log.orders])
    log = replace(log, deck=(*log.deck[: len(log.deck) - len(stock)], *stock), orders=orders)
    again = type(state).replay(state.rules, log, players=state.players)
    assert again.hands == state.hands
    return again


def played_on(kind: str, before: Any, action: Any, number: int, scorer: Scorer) -> float:
    """What the hand is worth to who acts, if it goes on like this."""
    hand, bot = before.copied(), plain(kind, number)
    hand.act(action)
    while not hand.is_over:
        hand.act(bot(hand))
    return scorer.worth(hand, before.turn)
