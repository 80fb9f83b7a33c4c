"""The promises of a round robin, for every size a club could want."""

from collections import Counter
from itertools import combinations

import pytest

from league.core.pairing.errors import PairingError
from league.core.pairing.round_robin import PairedRound, schedule

SIZES = range(2, 65)


def test_schedule_for_four_is_the_one_on_paper() -> None:
    assert schedule(4) == (
        PairedRound(1, ((0, 3), (1, 2))),
        PairedRound(2, ((3, 1), (2, 0))),
        PairedRound(3, ((2, 3), (0, 1))),
    )


def test_schedule_for_three_names_the_byes() -> None:
    assert schedule(3) == (
        PairedRound(1, ((1, 2),), 0),
        PairedRound(2, ((2, 0),), 1),
        PairedRound(3, ((0, 1),), 2),
    )


def test_schedule_for_two_doubled_is_there_and_back() -> None:
    assert schedule(2, double=True) == (PairedRound(1, ((0, 1),)), PairedRound(2, ((1, 0),)))


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize("n", SIZES)
def test_everybody_meets_everybody_equally_often(n: int, double: bool) -> None:
    met = Counter(frozenset(pair) for each in schedule(n, double=double) for pair in each.pairs)
    assert met == {frozenset(pair): 2 if double else 1 for pair in combinations(range(n), 2)}


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize("n", SIZES)
def test_every_round_uses_every_entry_once(n: int, double: bool) -> None:
    rounds = schedule(n, double=double)
    assert [each.number for each in rounds] == list(range(1, len(rounds) + 1))
    for each in rounds:
        seated = [entry for pair in each.pairs for entry in pair]
        idle = [] if each.bye is None else [each.bye]
        assert sorted(seated + idle) == list(range(n))


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize("n", SIZES)
def test_byes_are_shared_equally_when_the_number_is_odd(n: int, double: bool) -> None:
    byes = Counter(each.bye for each in schedule(n, double=double) if each.bye is not None)
    share = 2 if double else 1
    assert byes == (dict.fromkeys(range(n), share) if n % 2 else {})


@pytest.mark.parametrize("n", SIZES)
def test_first_dealer_is_balanced_within_one(n: int) -> None:
    first = Counter(pair[0] for each in schedule(n) for pair in each.pairs)
    second = Counter(pair[1] for each in schedule(n) for pair in each.pairs)
    assert max(abs(first[entry] - second[entry]) for entry in range(n)) <= 1


@pytest.mark.parametrize("n", SIZES)
def test_first_dealer_is_balanced_exactly_when_double(n: int) -> None:
    rounds = schedule(n, double=True)
    first = Counter(pair[0] for each in rounds for pair in each.pairs)
    second = Counter(pair[1] for each in rounds for pair in each.pairs)
    assert first == second


@pytest.mark.parametrize("n", SIZES)
def test_nobody_is_first_or_second_three_matches_running(n: int) -> None:
    named: dict[int, str] = dict.fromkeys(range(n), "")
    for each in schedule(n):
        for first, second in each.pairs:
            named[first] += "1"
            named[second] += "2"
    assert not [entry for entry, order in named.items() if "111" in order or "222" in order]


@pytest.mark.parametrize("n", [1, 0, -3])
def test_schedule_refuses_fewer_than_two(n: int) -> None:
    with pytest.raises(PairingError, match="at least 2 entries") as refused:
        schedule(n)
    assert (refused.value.code, refused.value.field) == ("too_few_entries", "n")
