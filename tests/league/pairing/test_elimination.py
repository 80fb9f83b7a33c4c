"""The promises of a bracket, for every size a club could want, with chance deciding the matches."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.core.pairing.elimination import (
    Bracket,
    BracketMatch,
    BracketPart,
    BracketProgress,
    Feeder,
    PlaceRange,
    Readiness,
    Way,
    bracket,
    feeders,
    progress,
    seeding,
)
from league.core.pairing.errors import PairingError
from tests.league.pairing.brackets import ready_in
from tests.refusals import refuses

SIZES = range(2, 257)
# Every size of a club night, and further on those beside a power of two, where brackets get deeper.
TELLING = [*range(2, 41), *range(62, 68), 85, 97, 114, *range(126, 132), 171, 200, 254, 255, 256]


@pytest.fixture
def sizes(long: bool) -> Sequence[int]:
    """The sizes that are played to their end; every single one with `--long`."""
    return SIZES if long else TELLING


def play(
    drawn: Bracket, random: Random
) -> Iterator[tuple[BracketProgress, BracketMatch, tuple[int, int], int]]:
    """Every match that is played, a stage at a time: what was known before it, its seeds and who won it."""
    winners: dict[int, int] = {}
    by_number = {match.number: match for match in drawn.matches}
    while ready := ready_in(now := progress(drawn, winners)):
        stage = min(by_number[number].stage for number in ready)
        for number in ready:
            if by_number[number].stage == stage:
                first, second = now.slots[number]
                assert first is not None
                assert second is not None
                winners[number] = random.randrange(2)
                yield now, by_number[number], (first, second), winners[number]


def played(
    drawn: Bracket, seed: int
) -> tuple[BracketProgress, dict[int, list[tuple[BracketMatch, int, bool]]]]:
    """A bracket at its end, and what each seed played in order: the match, against whom, whether it won."""
    winners = {}
    met: dict[int, list[tuple[BracketMatch, int, bool]]] = defaultdict(list)
    for _, match, sides, winner in play(drawn, Random(seed)):
        winners[match.number] = winner
        for side in (0, 1):
            met[sides[side]].append((match, sides[1 - side], winner == side))
    return progress(drawn, winners), met


# Cobra, github.com/Project-NISEI/cobra, app/services/bracket/top8.rb: ("w", 5) is the winner of game 5.
COBRA_TOP_8 = {
    1: {1, 8},
    2: {4, 5},
    3: {2, 7},
    4: {3, 6},
    5: {("w", 1), ("w", 2)},
    6: {("w", 3), ("w", 4)},
    7: {("l", 1), ("l", 2)},
    8: {("l", 3), ("l", 4)},
    9: {("w", 5), ("w", 6)},
    10: {("l", 6), ("w", 7)},
    11: {("w", 8), ("l", 5)},
    12: {("w", 10), ("w", 11)},
    13: {("l", 9), ("w", 12)},
    14: {("w", 9), ("w", 13)},
    15: {("w", 14), ("l", 14)},
}
COBRA_TOP_8_ROUNDS = [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 5, 6, 7]


def sources(drawn: Bracket) -> dict[int, set[int | tuple[str, int] | None]]:
    fed = feeders(drawn)
    named: dict[int, set[int | tuple[str, int] | None]] = {}
    for match in drawn.matches:
        named[match.number] = {
            ("w" if source.won else "l", source.match)
            if (source := fed.get((match.number, side)))
            else match.slots[side]
            for side in (0, 1)
        }
    return named


def test_double_elimination_of_eight_is_cobras_table() -> None:
    drawn = bracket(8, double=True)
    assert sources(drawn) == COBRA_TOP_8
    assert [match.stage for match in drawn.matches] == COBRA_TOP_8_ROUNDS


def test_single_elimination_of_four_with_a_match_for_third_place() -> None:
    assert bracket(4, third_place=True).matches == (
        BracketMatch(1, BracketPart.WINNERS, 1, 1, (1, 4), Way(4, 0), Way(3, 0)),
        BracketMatch(2, BracketPart.WINNERS, 1, 1, (2, 3), Way(4, 1), Way(3, 1)),
        BracketMatch(3, BracketPart.THIRD, 1, 2, (None, None)),
        BracketMatch(4, BracketPart.FINAL, 1, 2, (None, None)),
    )


def test_double_elimination_of_three_has_the_byes_in_its_data() -> None:
    # On paper: 1 has a bye, the loser of 2 v 3 waits for the loser of the winners' final.
    drawn = bracket(3, double=True)
    assert sources(drawn) == {
        1: {1, None},
        2: {2, 3},
        3: {("w", 1), ("w", 2)},
        4: {("l", 3), ("l", 2)},
        5: {("w", 3), ("w", 4)},
        6: {("w", 5), ("l", 5)},
    }


def test_double_elimination_of_two_is_a_final_and_its_reset() -> None:
    assert sources(bracket(2, double=True)) == {
        1: {1, 2},
        2: {("w", 1), ("l", 1)},
        3: {("w", 2), ("l", 2)},
    }


def test_seeding_of_sixteen_is_the_usual_one() -> None:
    # The draw of 16 as printed by any association of tennis or chess, top to bottom.
    assert seeding(4) == [1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11]


@pytest.mark.parametrize("double", [False, True])
def test_bracket_of_every_size_ends_with_one_winner_and_each_loser_placed(
    double: bool, sizes: Sequence[int]
) -> None:
    for n in sizes:
        drawn = bracket(n, double=double)
        end, met = played(drawn, seed=n)
        assert set(met) == set(range(1, n + 1))
        assert set(end.places) == set(range(1, n + 1))
        assert end.champion is not None
        for seed, matches in met.items():
            losses = sum(not won for _, _, won in matches)
            assert losses == (2 if double else 1) or seed == end.champion
            assert losses < (2 if double else 1) or seed != end.champion
            assert not any(other == seed for _, other, _ in matches)
        shared = Counter(end.places.values())
        assert all(place.last - place.first + 1 == count for place, count in shared.items())
        assert sorted(p for place in shared for p in range(place.first, place.last + 1)) == list(
            range(1, n + 1)
        )
        assert not {Readiness.READY, Readiness.WAITING} & set(end.readiness.values())


@pytest.mark.parametrize("double", [False, True])
def test_who_lasts_longer_is_placed_better(double: bool, sizes: Sequence[int]) -> None:
    for n in sizes:
        end, met = played(bracket(n, double=double), seed=n + 1)
        last = {seed: matches[-1][0].stage for seed, matches in met.items()}
        by_place = [
            last[seed] for seed in sorted(end.places, key=lambda seed: (end.places[seed].first, -last[seed]))
        ]
        assert by_place == sorted(by_place, reverse=True)


@pytest.mark.parametrize("double", [False, True])
def test_byes_go_to_the_top_seeds_and_only_at_the_start(double: bool) -> None:
    for n in SIZES:
        drawn = bracket(n, double=double)
        fed = feeders(drawn)
        byes = []
        for match in drawn.matches:
            empty = [side for side in (0, 1) if match.slots[side] is None and (match.number, side) not in fed]
            assert not empty or (match.part is BracketPart.WINNERS and match.stage == 1)
            byes += [match.slots[1 - side] for side in empty]
        assert sorted(seed for seed in byes if seed) == list(range(1, len(byes) + 1))
        assert len(byes) == 2 ** (n - 1).bit_length() - n


@pytest.mark.parametrize("double", [False, True])
def test_ways_lead_to_later_stages_and_every_side_is_fed_once(double: bool) -> None:
    for n in SIZES:
        drawn = bracket(n, double=double)
        assert [match.number for match in drawn.matches] == list(range(1, len(drawn.matches) + 1))
        stages = [match.stage for match in drawn.matches]
        assert stages == sorted(stages)
        assert set(stages) == set(range(1, drawn.stages + 1))
        by_number = {match.number: match for match in drawn.matches}
        ways = [way for match in drawn.matches for way in (match.winner_to, match.loser_to) if way]
        assert len(ways) == len(set(ways))
        for match in drawn.matches:
            for way in (match.winner_to, match.loser_to):
                if way:
                    assert by_number[way.match].stage > match.stage
                    assert by_number[way.match].slots[way.side] is None
        played_matches = len(drawn.matches) - (2 ** (n - 1).bit_length() - n)
        assert played_matches == (2 * n - 1 if double else n - 1)


def test_top_seeds_meet_as_late_as_they_can_when_the_better_always_wins(sizes: Sequence[int]) -> None:
    for n in sizes:
        drawn = bracket(n)
        winners: dict[int, int] = {}
        semifinals: set[int | None] = set()
        while ready := ready_in(now := progress(drawn, winners)):
            for number in ready:
                first, second = now.slots[number]
                assert first is not None
                assert second is not None
                winners[number] = int(second < first)
                if drawn.matches[number - 1].stage == drawn.stages - 1:
                    semifinals |= {first, second}
        assert now.slots[len(drawn.matches)] == (1, 2)
        assert semifinals <= {1, 2, 3, 4}
        assert now.champion == 1


@pytest.mark.parametrize(("double", "last"), [(False, BracketPart.FINAL), (True, BracketPart.WINNERS)])
def test_seeds_one_and_two_do_not_meet_undefeated_before_the_last_of_those_matches(
    double: bool, last: BracketPart
) -> None:
    for n in SIZES:
        drawn = bracket(n, double=double)
        one, two = (undefeated_way(drawn, seed) for seed in (1, 2))
        assert min(set(one) & set(two)) == max(match.number for match in drawn.matches if match.part is last)


def undefeated_way(drawn: Bracket, seed: int) -> list[int]:
    match = next(match for match in drawn.matches if seed in match.slots)
    way = [match.number]
    while match.winner_to is not None:
        match = drawn.matches[match.winner_to.match - 1]
        way.append(match.number)
    return way


def way_out(drawn: Bracket, match: BracketMatch) -> list[int]:
    """The matches of the losers' bracket that its loser can come to."""
    found = []
    step = match.loser_to
    while step is not None and drawn.matches[step.match - 1].part is BracketPart.LOSERS:
        found.append(step.match)
        step = drawn.matches[step.match - 1].winner_to
    return found


@pytest.mark.parametrize("n", [4, 8, 16, 32, 64, 128, 256])
def test_losers_of_neighbouring_levels_meet_again_only_where_the_halves_meet(n: int) -> None:
    drawn = bracket(n, double=True)
    levels = n.bit_length() - 1
    for match in (match for match in drawn.matches if match.part is BracketPart.WINNERS):
        above = match
        for apart in range(1, levels - match.level):
            assert above.winner_to is not None
            above = drawn.matches[above.winner_to.match - 1]
            first = min(set(way_out(drawn, match)) & set(way_out(drawn, above)))
            # Odd distances come into different halves, odd multiples of 2 into different quarters …
            twos = (apart & -apart).bit_length() - 1
            assert drawn.matches[first - 1].level >= max(2 * (levels - twos) - 3, 2 * above.level - 2)


@pytest.mark.parametrize("seed", [1, 2])
def test_nobody_meets_the_same_twice_running_before_the_grand_final(seed: int, sizes: Sequence[int]) -> None:
    for n in (size for size in sizes if size >= 4):
        _, met = played(bracket(n, double=True), seed)
        for matches in met.values():
            for (_, before, _), (match, after, _) in pairwise(matches):
                assert before != after or match.part in (BracketPart.FINAL, BracketPart.RESET)


@given(st.integers(2, 64), st.booleans(), st.booleans(), st.integers(0, 2**32))
def test_same_results_give_the_same_bracket(n: int, double: bool, third: bool, seed: int) -> None:
    third = third and not double
    first, again = (played(bracket(n, double=double, third_place=third), seed) for _ in range(2))
    assert first == again


@given(st.integers(2, 64), st.booleans(), st.integers(0, 2**32))
def test_what_is_known_of_a_bracket_only_grows(n: int, double: bool, seed: int) -> None:
    drawn = bracket(n, double=double)
    earlier = progress(drawn, {})
    for now, match, _sides, _winner in play(drawn, Random(seed)):
        assert now.readiness[match.number] is Readiness.READY
        for number, slots in earlier.slots.items():
            assert all(old is None or old == new for old, new in zip(slots, now.slots[number], strict=True))
        assert earlier.places.items() <= now.places.items()
        earlier = now


def test_match_for_third_place_is_between_the_losers_of_the_semifinals() -> None:
    for n in range(4, 65):
        end, met = played(bracket(n, third_place=True), seed=n)
        third, fourth = (
            next(seed for seed, place in end.places.items() if place == PlaceRange(at, at)) for at in (3, 4)
        )
        assert met[third][-1][1:] == (fourth, True)
        assert [won for _, _, won in met[fourth]][-2:] == [False, False]
        assert [won for _, _, won in met[third]][-2:] == [False, True]


@pytest.mark.parametrize("n", [2, 3])
def test_among_fewer_than_four_nothing_is_played_for_third_place(n: int) -> None:
    assert bracket(n, third_place=True) == bracket(n)


def test_reset_is_played_only_if_the_grand_final_goes_to_the_losers_side() -> None:
    drawn = bracket(2, double=True)
    assert progress(drawn, {1: 0, 2: 0}).readiness[3] is Readiness.NOT_NEEDED
    assert progress(drawn, {1: 0, 2: 0}).places == {1: PlaceRange(1, 1), 2: PlaceRange(2, 2)}
    still = progress(drawn, {1: 0, 2: 1})
    assert ready_in(still) == [3]
    assert still.slots[3] == (1, 2)
    assert still.places == {}
    assert progress(drawn, {1: 0, 2: 1, 3: 1}).champion == 2


def test_places_five_to_eight_are_shared() -> None:
    end = progress(bracket(8), dict.fromkeys(range(1, 8), 0))
    assert end.places == {
        1: PlaceRange(1, 1),
        2: PlaceRange(2, 2),
        3: PlaceRange(3, 4),
        4: PlaceRange(3, 4),
        **dict.fromkeys((5, 6, 7, 8), PlaceRange(5, 8)),
    }


def test_feeders_say_whom_a_match_waits_for() -> None:
    assert feeders(bracket(4, third_place=True)) == {
        (3, 0): Feeder(1, won=False),
        (3, 1): Feeder(2, won=False),
        (4, 0): Feeder(1, won=True),
        (4, 1): Feeder(2, won=True),
    }


@pytest.mark.parametrize(
    ("n", "code"), [(1, "too_few_entries"), (0, "too_few_entries"), (257, "too_many_entries")]
)
def test_bracket_refuses_a_size_out_of_range(n: int, code: str) -> None:
    with refuses(PairingError, code, field="n"):
        bracket(n)


def test_bracket_refuses_a_match_for_third_place_in_double_elimination() -> None:
    with refuses(PairingError, "third_place_decided"):
        bracket(8, double=True, third_place=True)


@pytest.mark.parametrize(
    ("winners", "code"),
    [
        ({3: 0}, "not_ready"),
        ({9: 0}, "not_ready"),
        ({1: 2}, "no_such_side"),
    ],
)
def test_progress_refuses_results_that_cannot_be(winners: dict[int, int], code: str) -> None:
    with refuses(PairingError, code):
        progress(bracket(4), winners)


def test_progress_refuses_a_result_of_a_bye() -> None:
    with pytest.raises(PairingError, match="not both") as refused:
        progress(bracket(3), {1: 0})
    assert refused.value.code == "not_ready"
