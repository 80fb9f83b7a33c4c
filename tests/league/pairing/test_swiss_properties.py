"""What holds for every Swiss: against looking at every pairing, and over whole events with chance results."""

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.core.pairing import top_down
from league.core.pairing.swiss import Entrant, Met, NoPairingError, Pair, Pairing, Reason, pair
from league.core.pairing.top_down import TopDown
from tests.league.pairing.exhaustive import cost_of, least_cost
from tests.league.pairing.true_reasons import Said

Case = tuple[list[Entrant], list[Met], list[tuple[int, int]]]
# Of the examples that any other property is tried with, in the check and with `--long`.
SHARE = settings().max_examples
DOWN = {Reason.ODD_GROUP, Reason.NO_PARTNER, Reason.OTHERS, Reason.OTHERS_WITH_BYE, Reason.NEAREST}


def drawn_or_offered(
    entries: Sequence[Entrant],
    history: Sequence[Met],
    *,
    round_number: int = 3,
    seed: int = 1,
    apart: Sequence[tuple[int, int]] = (),
) -> tuple[Pairing, bool]:
    """The pairing, and whether it was refused and offered."""
    try:
        return pair(entries, history, round_number=round_number, seed=seed, apart=apart), False
    except NoPairingError as refused:
        return refused.offer, True


@st.composite
def cases(draw: st.DrawFn, most: int = 10) -> Case:
    """Up to ten entries with any scores, any history (also of those gone), any pairs kept apart."""
    count = draw(st.integers(2, most))
    halves = draw(st.integers(0, 12))
    scores = draw(st.lists(st.integers(0, halves), min_size=count, max_size=count))
    entries = [Entrant(number, Decimal(score) / 2) for number, score in enumerate(scores)]
    names = st.integers(0, count + 1)
    two = st.tuples(names, names).filter(lambda pair: pair[0] != pair[1])
    history = [
        Met(*each, number, draw(st.sampled_from([None, *each])))
        for each, number in draw(st.lists(st.tuples(two, st.integers(1, 4)), max_size=count * 5))
    ]
    history += [Met(each, None, 1, each) for each in draw(st.lists(names, max_size=count))]
    return entries, history, draw(st.lists(two, max_size=5))


@pytest.mark.dear("looks at every pairing there is, hundreds of times")
@given(case=cases())
@settings(max_examples=8 * SHARE, deadline=None)
def test_nothing_is_better_than_what_is_drawn(case: Case) -> None:
    """Groups from the top, and what is remembered of floats."""
    entries, history, apart = case
    drawn, offered = drawn_or_offered(entries, history, round_number=5, apart=apart)
    best = least_cost(entries, history, apart, round_number=5)
    assert cost_of(drawn, entries, history, apart, round_number=5) == best
    assert offered == best.breaks_a_rule
    assert (drawn.not_apart, drawn.repeats_bye) == (best.not_apart, best.byes_again > 0)


def untrue(
    drawn: Pairing, case: Case, *, round_number: int, is_offer: bool
) -> Iterator[tuple[Pair | int, Reason]]:
    """What is said of a round and is not so; who floats is told why, once."""
    said = Said(drawn, *case, round_number=round_number, is_offer=is_offer)
    for each in drawn.pairs:
        down = [reason for reason in each.reasons if reason in DOWN]
        floats = each.floated is not None
        assert (len(down), Reason.SAME_SCORE in each.reasons) == ((1, False) if floats else (0, True))
        yield from ((each, reason) for reason in each.reasons if not said.is_true(each, reason))
    if drawn.bye is not None:
        (reason,) = drawn.bye_reasons
        if not said.is_true_of_the_bye(drawn.bye, reason):
            yield drawn.bye, reason


@pytest.mark.dear("looks at every pairing there is, hundreds of times")
@given(case=cases(most=8))
@settings(max_examples=5 * SHARE, deadline=None)
def test_every_sentence_about_a_round_is_true(case: Case) -> None:
    entries, history, apart = case
    drawn, offered = drawn_or_offered(entries, history, round_number=5, apart=apart)
    assert not list(untrue(drawn, case, round_number=5, is_offer=offered))


@pytest.mark.parametrize("count", range(4, 9))
def test_every_sentence_is_true_in_any_round_of_a_real_event(count: int) -> None:
    """Histories as they come to be, until somebody has to meet again, and that round too."""
    told: set[Reason] = set()
    for seed in range(25):
        event = Simulated(count, seed)
        while not event.is_stuck:
            entries, history = event.entries(), list(event.history)
            drawn = event.play_round()
            case: Case = (entries, history, [])
            assert not list(untrue(drawn, case, round_number=event.number, is_offer=event.is_stuck))
            told.update(drawn.bye_reasons, *(each.reasons for each in drawn.pairs))
    assert {Reason.SAME_SCORE, Reason.ODD_GROUP} < told


@pytest.mark.parametrize("count", range(2, 11))
def test_nothing_is_better_in_any_round_of_a_real_event(count: int, long: bool) -> None:
    """Histories as they come to be, until somebody has to meet again."""
    for seed in range(25 if long or count < 9 else 4):
        event = Simulated(count, seed)
        while not event.is_stuck and event.number < count + 2:
            entries, history = event.entries(), list(event.history)
            drawn = event.play_round()
            assert cost_of(drawn, entries, history, round_number=event.number) == least_cost(
                entries, history, round_number=event.number
            )


@given(case=cases(), seed=st.integers(0, 10**6), shuffle=st.randoms(use_true_random=False))
@settings(max_examples=3 * SHARE, deadline=None)
def test_the_same_seed_gives_the_same_pairing_whatever_the_order(
    case: Case, seed: int, shuffle: random.Random
) -> None:
    entries, history, apart = case
    once = drawn_or_offered(entries, history, seed=seed, apart=apart)
    shuffle.shuffle(entries)
    turned = [(b, a) for a, b in reversed(apart)]
    assert drawn_or_offered(entries, history, seed=seed, apart=turned) == once


def test_the_same_seed_gives_the_same_pairing_in_another_process() -> None:
    """Ties all over: fifty entries of one score, no seeds."""
    program = (
        "from league.core.pairing.swiss import *\n"
        "print(pair([Entrant(i) for i in range(51)], [], round_number=1, seed=7))"
    )
    told = {
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
        for _ in range(3)
    }
    assert told == {f"{pair([Entrant(i) for i in range(51)], [], round_number=1, seed=7)}\n"}


class Simulated:
    """An event played to the end: chance decides results, who withdraws and who comes late."""

    def __init__(
        self,
        count: int,
        seed: int,
        *,
        turnover: float = 0,
        results: Sequence[str] = ("0", "0.5", "1", "1", "0"),
    ) -> None:
        self.results = results
        self.chance = random.Random(seed)
        self.seed = seed
        self.turnover = turnover
        self.scores: dict[int, Decimal] = {number: Decimal(0) for number in range(count)}
        self.here = set(self.scores)
        self.history: list[Met] = []
        self.number = 0
        self.is_stuck = False

    def entries(self) -> list[Entrant]:
        return [Entrant(number, self.scores[number], number + 1) for number in sorted(self.here)]

    def come_and_go(self) -> None:
        if self.chance.random() < self.turnover and len(self.here) > 2:
            self.here.remove(self.chance.choice(sorted(self.here)))
        if self.chance.random() < self.turnover:
            late = len(self.scores)
            self.scores[late] = Decimal(self.number) / 2
            self.here.add(late)

    def play_round(self) -> Pairing:
        self.number += 1
        drawn, offered = drawn_or_offered(
            self.entries(), self.history, round_number=self.number, seed=self.seed
        )
        self.is_stuck |= offered
        for each in drawn.pairs:
            self.history.append(Met(each.first, each.second, self.number, each.floated))
            won = Decimal(self.chance.choice(self.results))
            self.scores[each.first] += won
            self.scores[each.second] += 1 - won
        if drawn.bye is not None:
            self.history.append(Met(drawn.bye, None, self.number, drawn.bye))
            self.scores[drawn.bye] += 1
        return drawn


@pytest.mark.dear("plays hundreds of events")
@given(count=st.integers(2, 24), seed=st.integers(0, 10**9), turnover=st.sampled_from([0, 0.1, 0.4]))
@settings(max_examples=8 * SHARE, deadline=None)
def test_an_event_played_to_its_end(count: int, seed: int, turnover: float) -> None:
    """Nobody meets again, nobody has two byes, everybody has one place in every round, until it is said."""
    event, again = (Simulated(count, seed, turnover=turnover) for _ in range(2))
    for number in range(1, min(count, 9) + 1):
        for each in (event, again):
            each.come_and_go()
        known = list(event.history)
        here = set(event.here)
        drawn = event.play_round()
        assert again.play_round() == drawn

        seated = [entry for each in drawn.pairs for entry in (each.first, each.second)]
        assert Counter(seated + ([] if drawn.bye is None else [drawn.bye])) == Counter(here)
        assert (drawn.bye is None) == (len(here) % 2 == 0)
        if event.is_stuck:
            # What is offered breaks a rule, and says which.
            assert drawn.rematches or drawn.repeats_bye
            break
        met = {frozenset((each.first, each.second)) for each in known}
        assert not [each for each in drawn.pairs if frozenset((each.first, each.second)) in met]
        byes = Counter(each.first for each in event.history if each.second is None)
        assert max(byes.values(), default=0) <= 1
        assert number == event.number


def test_no_event_of_many_entries_gets_stuck_or_out_of_balance() -> None:
    """Six rounds of twice as many entries and more: there is always a pairing, and first deals stay even."""
    spread: Counter[int] = Counter()
    for seed in range(120):
        event = Simulated(12 + seed % 30, seed)
        for _ in range(6):
            event.play_round()
        assert not event.is_stuck
        first = Counter(met.first for met in event.history if met.second is not None)
        second = Counter(met.second for met in event.history)
        spread.update(abs(first[entry] - second[entry]) for entry in event.here)
    assert max(spread) <= 3
    assert spread[3] < sum(spread.values()) / 500


@pytest.mark.parametrize("count", [31, 64])
def test_a_narrow_search_that_is_taken_finds_what_a_full_one_does(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search looks at near pairs first; where it stops there, all pairs give the same pairing."""
    for seed in range(12):
        event = Simulated(count, seed)
        for number in range(1, 8):
            entries, history = event.entries(), list(event.history)
            drawn = event.play_round()
            with monkeypatch.context() as patch:
                patch.setattr(TopDown, "near", lambda pairs, reach: None)
                assert pair(entries, history, round_number=number, seed=seed) == drawn


@pytest.mark.dear("looks at every pairing there is, hundreds of times")
@given(case=cases())
@settings(max_examples=3 * SHARE, deadline=None)
def test_nothing_is_better_where_few_digits_fit(case: Case) -> None:
    """As with many scores in a large field: one or two boundaries at a time have a digit of their own."""
    entries, history, apart = case
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(top_down, "MOST_BITS", 10)
        drawn, _ = drawn_or_offered(entries, history, round_number=5, apart=apart)
    best = least_cost(entries, history, apart, round_number=5)
    found = cost_of(drawn, entries, history, apart, round_number=5)
    assert found.numbers[:5] == best.numbers[:5]


@pytest.mark.dear("pairs two hundred who have met all their neighbours")
def test_many_scores_in_a_large_field_are_paired_from_the_top() -> None:
    """Scores all different, the nearest have met: there are no two of a score and no digits for all."""
    entries = [Entrant(number, 1000 - number) for number in range(201)]
    history = [Met(a, b) for a in range(201) for b in range(a + 1, min(a + 9, 201))] * 3
    drawn, offered = drawn_or_offered(entries, history, round_number=9)
    assert not offered
    assert drawn.bye == 200
    assert [{each.first, each.second} for each in drawn.pairs[:9]] == [{n, n + 9} for n in range(9)]
    history += [Met(a) for a in range(201)]
    apart = [(a, a + 9) for a in range(0, 190, 3)]
    drawn, offered = drawn_or_offered(entries, history, round_number=9, apart=apart)
    assert offered
    assert drawn.repeats_bye
    assert (drawn.not_apart, drawn.rematches, drawn.bye) == (0, 0, 200)


@pytest.mark.parametrize("seed", range(40))
def test_leaders_who_have_not_met_meet_whatever_it_costs_below(seed: int) -> None:
    """Only the two on 4 have met: four floats by one as well as 6-6, 4-2, 4-2, where two leaders float."""
    entries = [Entrant(number, score) for number, score in enumerate((6, 6, 4, 4, 2, 2))]
    drawn = pair(entries, [Met(2, 3, 1)], round_number=4, seed=seed)
    assert {drawn.pairs[0].first, drawn.pairs[0].second} == {0, 1}


@pytest.mark.parametrize(
    ("count", "rounds", "events", "at_most"), [(12, 5, 240, 143), (33, 7, 84, 58)], ids=["12", "33"]
)
def test_floats_the_same_way_twice_running_are_few(
    count: int, rounds: int, events: int, at_most: int
) -> None:
    """Seeded entries, no draws, every result by an even chance; a float is a match against another score.

    The total float alone, with no memory, has 373 among 12 entries and 265 among 33.
    """
    assert sum(floated_twice_running(count, rounds, seed) for seed in range(events)) <= at_most


def floated_twice_running(count: int, rounds: int, seed: int) -> int:
    event = Simulated(count, seed, results=("0", "1"))
    before: set[tuple[int, bool]] = set()
    repeated = 0
    for _ in range(rounds):
        scores = dict(event.scores)
        drawn = event.play_round()
        now = {
            (one, scores[one] > scores[other])
            for each in drawn.pairs
            for one, other in ((each.first, each.second), (each.second, each.first))
            if scores[one] != scores[other]
        }
        repeated += len(now & before)
        before = now
    return repeated
