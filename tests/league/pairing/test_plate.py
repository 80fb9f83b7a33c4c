"""The promises of a plate: of every small field each way it can go, and of every size by chance."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random

import pytest

from league.core.pairing.elimination import (
    Bracket,
    BracketMatch,
    BracketPart,
    BracketProgress,
    PlaceRange,
    Readiness,
    Way,
    bracket,
    feeders,
)
from league.core.pairing.elimination import advance as advance_plain
from league.core.pairing.errors import PairingError
from league.core.pairing.plate import add_plate, advance, current_feeders
from tests.league.pairing.brackets import ready_in
from tests.refusals import refuses


@dataclass(frozen=True)
class Result:
    """The side that won a match, and whether it was played."""

    winner: int
    played: bool = True


def after(drawn: Bracket, results: Mapping[int, Result]) -> BracketProgress:
    def judge(match: BracketMatch, _seeds: tuple[int, int]) -> int | None:
        return results[match.number].winner if match.number in results else None

    return advance(drawn, judge, lambda match: results[match.number].played)


def played_out(drawn: Bracket, chance: Random, walkovers: float) -> dict[int, Result]:
    """Results of all matches, in an order left to chance."""
    results: dict[int, Result] = {}
    while ready := ready_in(after(drawn, results)):
        results[chance.choice(ready)] = Result(chance.randrange(2), chance.random() >= walkovers)
    return results


def every_way(drawn: Bracket) -> Iterator[dict[int, Result]]:
    """All that can happen: each match of the main draw won or conceded by either, each of the plate won."""

    def go(results: dict[int, Result]) -> Iterator[dict[int, Result]]:
        ready = ready_in(after(drawn, results))
        if not ready:
            yield results
            return
        played = (True,) if drawn.matches[ready[0] - 1].part is BracketPart.PLATE else (True, False)
        for winner, is_played in product((0, 1), played):
            yield from go(results | {ready[0]: Result(winner, is_played)})

    yield from go({})


def losers_of_their_first(drawn: Bracket, now: BracketProgress, results: Mapping[int, Result]) -> set[int]:
    """The rule again, entry by entry: of the main draw's matches it played, the first one was lost."""
    found = set()
    for seed in {seed for match in drawn.matches for seed in match.slots if seed}:
        for match in drawn.matches:
            if match.part in (BracketPart.PLATE, BracketPart.THIRD) or seed not in now.slots[match.number]:
                continue
            result = results.get(match.number)
            if result is not None and result.played:
                if now.slots[match.number][result.winner] != seed:
                    found.add(seed)
                break
    return found


def check_end(drawn: Bracket, results: Mapping[int, Result], n: int) -> None:
    now = after(drawn, results)
    in_plate = {
        seed for m in drawn.matches if m.part is BracketPart.PLATE for seed in now.slots[m.number] if seed
    }
    assert in_plate == losers_of_their_first(drawn, now, results)
    # A knockout among them: all but one lose there, each once.
    lost = [
        now.slots[number][1 - result.winner]
        for number, result in results.items()
        if drawn.matches[number - 1].part is BracketPart.PLATE
    ]
    assert len(lost) == len(set(lost)) == max(len(in_plate) - 1, 0)
    assert not {Readiness.READY, Readiness.WAITING} & set(now.readiness.values())
    check_places(now, n)
    main = progress_of_main(drawn, results)
    for seed, place in now.places.items():
        assert main.places[seed].first <= place.first <= place.last <= main.places[seed].last
    for number, result in results.items():
        winner, loser = now.slots[number][result.winner], now.slots[number][1 - result.winner]
        assert winner is not None
        assert loser is not None
        if drawn.matches[number - 1].part is BracketPart.PLATE and main.places[winner] == main.places[loser]:
            assert now.places[winner].last < now.places[loser].first


def check_places(now: BracketProgress, n: int) -> None:
    taken = {seed: range(place.first, place.last + 1) for seed, place in now.places.items()}
    assert sorted(taken) == list(range(1, n + 1))
    for place in set(now.places.values()):
        assert sum(other == place for other in now.places.values()) == place.last - place.first + 1
    assert sorted({at for places in taken.values() for at in places}) == list(range(1, n + 1))


def progress_of_main(drawn: Bracket, results: Mapping[int, Result]) -> BracketProgress:
    """The main draw alone, as if there were no plate."""
    n = sum(seed is not None for match in drawn.matches for seed in match.slots)
    third = any(match.part is BracketPart.THIRD for match in drawn.matches)
    return advance_plain(
        bracket(n, third_place=third),
        lambda match, _: results[match.number].winner if match.number in results else None,
    )


@pytest.mark.parametrize(("n", "third_place"), [(3, False), (4, False), (5, False), (5, True)])
def test_plate_takes_whoever_lost_his_first_match_whatever_happens(n: int, third_place: bool) -> None:
    drawn = add_plate(bracket(n, third_place=third_place))
    ways = list(every_way(drawn))
    assert len(ways) >= 4 ** (n - 1)
    for results in ways:
        check_end(drawn, results, n)


@pytest.fixture
def sizes(long: bool) -> Sequence[int]:
    return range(3, 257) if long else [*range(3, 20), 31, 32, 33, 63, 64, 65, 129, 256]


@pytest.mark.parametrize("walkovers", [0.0, 0.3])
def test_plate_of_every_size_settles_all_places(sizes: Sequence[int], walkovers: float) -> None:
    for n in sizes:
        drawn = add_plate(bracket(n, third_place=n % 2 == 0 and n > 4))
        check_end(drawn, played_out_by_levels(drawn, Random(n), walkovers), n)


def played_out_by_levels(drawn: Bracket, chance: Random, walkovers: float) -> dict[int, Result]:
    results: dict[int, Result] = {}
    while ready := ready_in(after(drawn, results)):
        results |= {number: Result(chance.randrange(2), chance.random() >= walkovers) for number in ready}
    return results


@pytest.mark.parametrize("n", [6, 8, 11])
def test_what_is_known_of_a_plate_only_grows_in_any_order_of_play(n: int) -> None:
    drawn = add_plate(bracket(n))
    for seed in range(40):
        results = played_out(drawn, Random(seed), walkovers=0.3)
        earlier = after(drawn, {})
        so_far: dict[int, Result] = {}
        for number, result in results.items():
            so_far[number] = result
            now = after(drawn, so_far)
            for match, slots in earlier.slots.items():
                assert all(old in (None, new) for old, new in zip(slots, now.slots[match], strict=True))
            assert earlier.drops.items() <= now.drops.items()
            for who, place in earlier.places.items():
                assert place.first <= now.places[who].first <= now.places[who].last <= place.last
            earlier = now
        check_end(drawn, results, n)


def test_no_two_of_a_plate_have_met_before() -> None:
    for n in range(3, 40):
        drawn = add_plate(bracket(n))
        now = after(drawn, played_out_by_levels(drawn, Random(n), walkovers=0.0))
        met = {frozenset(now.slots[m.number]) for m in drawn.matches if m.part is not BracketPart.PLATE}
        again = {frozenset(now.slots[m.number]) for m in drawn.matches if m.part is BracketPart.PLATE}
        assert not {pair for pair in met & again if None not in pair}


def test_plate_of_eight_is_the_first_round_losers() -> None:
    # On paper: 1 v 8, 4 v 5, 2 v 7, 3 v 6; the better seed always wins. 8 v 5 and 7 v 6, then 5 v 6.
    drawn = add_plate(bracket(8))
    assert drawn.matches[7:] == (
        BracketMatch(8, BracketPart.PLATE, 1, 2, (None, None), Way(10, 0)),
        BracketMatch(9, BracketPart.PLATE, 1, 2, (None, None), Way(10, 1)),
        BracketMatch(10, BracketPart.PLATE, 2, 3, (None, None)),
    )
    main = {1: Result(0), 2: Result(0), 3: Result(0), 4: Result(0), 5: Result(0), 6: Result(0), 7: Result(0)}
    now = after(drawn, main)
    assert (now.slots[8], now.slots[9], ready_in(now)) == ((8, 5), (7, 6), [8, 9])
    assert now.places[8] == PlaceRange(5, 8)
    now = after(drawn, main | {8: Result(1), 9: Result(1)})
    assert now.slots[10] == (5, 6)
    assert [now.places[seed] for seed in (5, 6, 7, 8)] == [
        PlaceRange(5, 6),
        PlaceRange(5, 6),
        PlaceRange(7, 8),
        PlaceRange(7, 8),
    ]
    now = after(drawn, main | {8: Result(1), 9: Result(1), 10: Result(0)})
    assert [now.places[seed].first for seed in (5, 6, 7, 8)] == [5, 6, 7, 7]


def test_who_had_a_bye_and_loses_then_comes_to_the_plate() -> None:
    # Six: 1 and 2 have byes; 4 v 5 and 3 v 6. 1 loses to 4 and meets 5 in the plate; 3 loses to 2 and is out.
    drawn = add_plate(bracket(6))
    by_seeds = {match.slots: match.number for match in drawn.matches if match.level == 1}
    results = {by_seeds[4, 5]: Result(0), by_seeds[3, 6]: Result(0)}
    now = after(drawn, results)
    plate = [match.number for match in drawn.matches if match.part is BracketPart.PLATE]
    assert now.slots[plate[0]] == (None, 5)
    assert now.readiness[plate[0]] is Readiness.WAITING
    semifinals = {now.slots[number]: number for number in ready_in(now)}
    now = after(drawn, results | {semifinals[1, 4]: Result(1), semifinals[2, 3]: Result(0)})
    assert now.slots[plate[0]] == (1, 5)
    assert now.drops[semifinals[1, 4]] == Way(plate[0], 0)
    assert (now.readiness[plate[1]], now.slots[plate[2]]) == (Readiness.BYE, (None, 6))
    # Level on 3 and 4: 3, who has won a match, stands before 1.
    assert (now.places[3], now.places[1]) == (PlaceRange(3, 3), PlaceRange(4, 4))


def test_who_concedes_is_not_in_the_plate_and_who_went_on_by_it_may_come() -> None:
    # Four: 4 concedes to 1, who then loses to 2; in the plate 1 meets 3.
    drawn = add_plate(bracket(4))
    now = after(drawn, {1: Result(0, played=False), 2: Result(0), 3: Result(1)})
    assert now.slots[4] == (1, 3)
    assert now.places == {2: PlaceRange(1, 1), 1: PlaceRange(2, 2), 3: PlaceRange(3, 3), 4: PlaceRange(4, 4)}


def test_match_to_which_nobody_comes_is_not_needed() -> None:
    # Four, all conceded: nobody has lost a match he played.
    now = after(add_plate(bracket(4)), {number: Result(0, played=False) for number in (1, 2, 3)})
    assert now.readiness[4] is Readiness.NOT_NEEDED
    assert now.places == {1: PlaceRange(1, 1), 2: PlaceRange(2, 2), 3: PlaceRange(3, 4), 4: PlaceRange(3, 4)}


@pytest.mark.parametrize("main", [bracket(2), bracket(4, third_place=True)])
def test_no_plate_where_there_is_nothing_to_play_for(main: Bracket) -> None:
    assert add_plate(main) == main


def test_plate_leaves_the_main_draw_as_it_was() -> None:
    for n in range(2, 257):
        main = bracket(n)
        drawn = add_plate(main)
        assert [match.number for match in drawn.matches] == list(range(1, len(drawn.matches) + 1))
        by_number = {match.number: match for match in drawn.matches}
        for match, with_plate in zip(main.matches, drawn.matches, strict=False):
            assert (match.slots, match.winner_to, match.stage) == (
                with_plate.slots,
                with_plate.winner_to,
                with_plate.stage,
            )
        plate = drawn.matches[len(main.matches) :]
        assert len(plate) == 2 ** ((n - 1).bit_length() - 1) - 1
        assert feeders(drawn).keys() >= {(match.number, side) for match in plate for side in (0, 1)}
        for match in drawn.matches:
            for way in (match.winner_to, match.loser_to):
                assert way is None or by_number[way.match].stage > match.stage


def test_double_elimination_has_no_plate() -> None:
    with refuses(PairingError, "plate_in_double"):
        add_plate(bracket(8, double=True))


def test_side_says_whom_it_waits_for_until_nobody_can_come() -> None:
    """Of five: 1, 2 and 3 have byes, so that three places of the plate wait for the second round."""
    drawn = add_plate(bracket(5))

    def told(results: Mapping[int, Result]) -> dict[tuple[int, int], int]:
        now = after(drawn, results)
        found = current_feeders(drawn, now)
        return {side: feeder.match for side, feeder in found.items() if side[0] in (8, 9)}

    assert told({}) == {(8, 0): 5, (8, 1): 2, (9, 0): 6, (9, 1): 6}
    # 4 concedes: 5 goes on unplayed, and may still lose the first match he plays.
    assert told({2: Result(1, played=False)}) == {(8, 0): 5, (8, 1): 5, (9, 0): 6, (9, 1): 6}
    assert told({2: Result(0)}) == {(8, 0): 5, (8, 1): 2, (9, 0): 6, (9, 1): 6}
    # 1 wins the second round, so nobody comes to that place; 3 has come to his.
    assert told({2: Result(0), 5: Result(0), 6: Result(0)}) == {(8, 1): 2, (9, 1): 6}


@pytest.mark.parametrize("size", [3, 5, 6, 8, 11, 16])
def test_place_that_is_awaited_is_filled_from_there_or_stays_empty(size: int) -> None:
    drawn = add_plate(bracket(size))
    for seed in range(20):
        results = played_out(drawn, Random(seed), walkovers=0.3)
        for count in range(len(results)):
            before = after(drawn, dict(list(results.items())[:count]))
            then = after(drawn, dict(list(results.items())[: count + 1]))
            number = list(results)[count]
            for side, match in before.awaits.items():
                seed_there = then.slots[side[0]][side[1]]
                assert before.readiness[match] is not Readiness.DECIDED
                if seed_there is not None:
                    assert match == number
                    assert seed_there in before.slots[match]
