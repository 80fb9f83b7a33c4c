"""Tables of three to six: designs are exact, all else is counted without the core."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.core.pairing.errors import PairingError
from league.core.pairing.table_designs import designs
from league.core.pairing.table_rounds import TableRound, TableUnevenness
from league.core.pairing.table_sizes import MOST_PLAYERS, table_sizes
from league.core.pairing.tables import schedule
from tests.refusals import refuses

QUICK = 5_000
ALL_ROUNDS = pytest.mark.dear("all 4200 rounds of ten are counted")


def met(rounds: Iterable[Sequence[Sequence[int]]], n: int) -> Counter[int]:
    """How many pairs meet how often."""
    pairs = Counter(
        frozenset(pair) for tables in rounds for table in tables for pair in combinations(table, 2)
    )
    return Counter(pairs[frozenset(pair)] for pair in combinations(range(n), 2))


def tables_of(rounds: Iterable[TableRound]) -> list[tuple[tuple[int, ...], ...]]:
    return [each.tables for each in rounds]


def check_rounds(
    rounds: Sequence[TableRound], n: int, sizes: Sequence[int], away: dict[int, set[int]] | None = None
) -> None:
    """Everybody who is there is in each round once: at one table, or sitting out."""
    for each in rounds:
        absent = (away or {}).get(each.number, set())
        everybody = [*(player for table in each.tables for player in table), *each.sit_out]
        assert sorted(everybody) == [player for player in range(n) if player not in absent]
        if not absent:
            assert [len(table) for table in each.tables] == list(sizes)


def least_squares(n: int, meetings: int) -> int:
    """The sum of squares if so many meetings were shared out evenly."""
    share, extra = divmod(meetings, n * (n - 1) // 2)
    return extra * (share + 1) ** 2 + (n * (n - 1) // 2 - extra) * share**2


def squares(counts: Counter[int]) -> int:
    return sum(pairs * times**2 for times, pairs in counts.items())


@pytest.mark.parametrize(
    ("n", "fewest", "most", "usual", "sizes"),
    [
        # A club evening with seven people.
        (7, 3, 4, 4, (4, 3)),
        (7, 3, 4, 3, (4, 3)),
        # Nobody sits out if it can be avoided: of five at most four can be seated at tables of three or four.
        (5, 3, 4, 4, (4,)),
        (5, 3, 4, 3, (4,)),
        (5, 3, 6, 4, (5,)),
        # Nearest to the usual: 3 + 3 are one off each, 6 is two off.
        (6, 3, 6, 4, (3, 3)),
        (6, 3, 6, 5, (6,)),
        # 5 + 4 has a usual table, 3 + 3 + 3 and 6 + 3 have none.
        (9, 3, 6, 4, (5, 4)),
        (10, 3, 4, 4, (4, 3, 3)),
        (12, 3, 6, 4, (4, 4, 4)),
        # 4 + 4 + 6 has two usual ones too; two tables one off are nearer than one two off.
        (14, 3, 6, 4, (4, 4, 3, 3)),
        (13, 4, 4, 4, (4, 4, 4)),
        (3, 3, 3, 3, (3,)),
    ],
)
def test_sizes_of_tables(n: int, fewest: int, most: int, usual: int, sizes: tuple[int, ...]) -> None:
    assert table_sizes(n, fewest, most, usual) == sizes


@pytest.mark.parametrize(("fewest", "most"), [(3, 4), (3, 6), (4, 5), (5, 6), (4, 4), (3, 3)])
def test_sizes_are_the_best_of_all_there_are(fewest: int, most: int) -> None:
    """Compared with every way to lay tables, for up to 20 people."""
    ways = [
        sizes
        for tables in range(1, 8)
        for sizes in combinations_with_replacement(range(fewest, most + 1), tables)
        if sum(sizes) <= 20
    ]
    for n in range(fewest, 21):
        for usual in range(fewest, most + 1):
            best = min(
                (
                    -sum(sizes),
                    -sizes.count(usual),
                    sum((size - usual) ** 2 for size in sizes),
                    len(sizes),
                )
                for sizes in ways
                if sum(sizes) <= n
            )
            found = table_sizes(n, fewest, most, usual)
            assert best == (
                -sum(found),
                -found.count(usual),
                sum((size - usual) ** 2 for size in found),
                len(found),
            )


@pytest.mark.parametrize(
    ("n", "size", "rounds"),
    [
        # Affine planes: everybody meets everybody once, in one round more than a table has players.
        (9, 3, 4),
        (16, 4, 5),
        (25, 5, 6),
        # Kirkman triple systems, in half as many rounds as there are others.
        (15, 3, 7),
        (21, 3, 10),
        (27, 3, 13),
        (39, 3, 19),
        (45, 3, 22),
        (57, 3, 28),
        (63, 3, 31),
        (64, 4, 21),
        # A net over the field of 27 elements, then 27 by themselves.
        (81, 3, 40),
    ],
)
def test_everybody_meets_everybody_once(n: int, size: int, rounds: int) -> None:
    found = schedule(n, rounds, fewest=size, most=size, usual=size)
    check_rounds(found.rounds, n, [size] * (n // size))
    assert met(tables_of(found.rounds), n) == {1: n * (n - 1) // 2}
    assert (found.unevenness.least_met, found.unevenness.most_met) == (1, 1)


@pytest.mark.parametrize(
    ("n", "size", "rounds"),
    [
        (12, 3, 4),
        (20, 4, 5),
        (28, 4, 7),
        # The social golfer problem: 32 in fours for nine weeks (Wikipedia), which came soon after it was set.
        (32, 4, 9),
        (30, 5, 1),
        (35, 5, 7),
        (40, 5, 8),
        (45, 5, 9),
        (42, 6, 7),
        (48, 6, 8),
        (60, 3, 20),
        (125, 5, 31),
        # Over the fields of 32 and of 49 elements.
        (96, 3, 32),
        (147, 3, 49),
    ],
)
def test_nobody_meets_twice(n: int, size: int, rounds: int) -> None:
    found = schedule(n, rounds, fewest=size, most=size, usual=size, budget=QUICK)
    check_rounds(found.rounds, n, [size] * (n // size))
    assert set(met(tables_of(found.rounds), n)) <= {0, 1}


@pytest.mark.parametrize(
    ("n", "size", "rounds", "times"),
    [
        # One table: every choice of who plays.
        (4, 3, 4, 2),
        (5, 3, 10, 3),
        (5, 4, 5, 3),
        (6, 4, 15, 6),
        (6, 5, 6, 4),
        (7, 5, 21, 10),
        # Whist tournaments: three others in each round.
        (8, 4, 7, 3),
        (12, 4, 11, 3),
        (24, 4, 23, 3),
        (9, 4, 9, 3),
        (25, 4, 25, 3),
        # Near resolvable, one rests.
        (7, 3, 7, 2),
        (13, 3, 13, 2),
        (13, 4, 13, 3),
        (11, 5, 11, 4),
        (13, 6, 13, 5),
        # Starters.
        (12, 3, 11, 2),
        (18, 3, 17, 2),
        (24, 3, 23, 2),
        (30, 3, 29, 2),
        (20, 5, 19, 4),
        (12, 6, 11, 5),
    ],
)
def test_whole_cycle_is_exact_and_so_is_twice_of_it(n: int, size: int, rounds: int, times: int) -> None:
    for often in (1, 2):
        found = schedule(n, rounds * often, fewest=size, most=size, usual=size, budget=QUICK)
        assert met(tables_of(found.rounds), n) == {times * often: n * (n - 1) // 2}
        out = Counter(player for each in found.rounds for player in each.sit_out)
        assert len({out[player] for player in range(n)}) == 1


def test_every_design_seats_as_many_as_can_be_once_in_each_round() -> None:
    known = [(n, size) for size in range(3, 7) for n in range(size, 65) if designs(n, size)]
    assert len(known) > 60
    for n, size in known:
        for rounds in designs(n, size):
            for tables in rounds:
                players = [player for table in tables for player in table]
                assert len(players) == len(set(players)) == n // size * size
                assert set(players) <= set(range(n))
                assert {len(table) for table in tables} == {size}
            whole = met(rounds, n)
            # Either nobody meets twice, or all meet equally often.
            assert set(whole) <= {0, 1} or len(whole) == 1, (n, size)


@pytest.mark.parametrize(
    ("n", "sizes", "rounds", "usual", "spread"),
    [
        # By counting: seven at 4 + 3 have nine meetings a round of 21 pairs, ten at 4 + 3 + 3 twelve of 45.
        (7, (4, 3), 6, 4, 1),
        (7, (4, 3), 7, 4, 0),
        (10, (4, 3, 3), 6, 3, 1),
        (10, (4, 3, 3), 15, 3, 2),
        (11, (4, 4, 3), 10, 4, 1),
        (14, (4, 4, 3, 3), 8, 4, 1),
        (22, (4, 4, 4, 4, 3, 3), 6, 4, 2),
    ],
)
def test_mixed_tables_are_even(n: int, sizes: tuple[int, ...], rounds: int, usual: int, spread: int) -> None:
    found = schedule(n, rounds, fewest=3, most=4, usual=usual)
    check_rounds(found.rounds, n, sizes)
    counts = met(tables_of(found.rounds), n)
    assert max(counts) - min(counts) <= spread
    if spread < 2:
        assert squares(counts) == least_squares(n, rounds * sum(size * (size - 1) // 2 for size in sizes))
    small = Counter(
        player for each in found.rounds for table in each.tables if len(table) == 3 for player in table
    )
    assert max(small[player] for player in range(n)) - min(small[player] for player in range(n)) <= 1


def partitions(players: Sequence[int], sizes: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    """Every way to split players into tables of these sizes."""
    if not sizes:
        yield []
        return
    for chosen in combinations(players, sizes[0]):
        left = [player for player in players if player not in chosen]
        yield from ([chosen, *others] for others in partitions(left, sizes[1:]))


@pytest.mark.parametrize(
    ("n", "usual"), [(6, 3), (7, 4), (8, 4), (9, 3), pytest.param(10, 4, marks=ALL_ROUNDS)]
)
def test_second_round_is_the_best_of_all(n: int, usual: int) -> None:
    """With the first fixed, all second rounds are tried; sizes of tables count too."""
    sizes = table_sizes(n, 3, 4, usual)
    first = next(partitions(range(n), sizes))

    def cost(rounds: Sequence[Sequence[Sequence[int]]]) -> int:
        at = Counter((player, len(table)) for tables in rounds for table in tables for player in table)
        of_sizes = sum(times**2 for times in at.values()) if len(set(sizes)) > 1 else 0
        return squares(met(rounds, n)) + of_sizes

    best = min(cost([first, second]) for second in partitions(range(n), sizes))
    found = schedule(n, 2, fewest=3, most=4, usual=usual)
    assert cost(tables_of(found.rounds)) == best


def together(rounds: Iterable[Sequence[Sequence[int]]], apart: Sequence[tuple[int, int]]) -> int:
    return sum({*pair} <= {*table} for tables in rounds for table in tables for pair in apart)


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_a_round_keeps_apart_whom_it_can(data: st.DataObject) -> None:
    """Against all rounds: whoever sits out of those who have rested as often, nobody keeps more apart."""
    fewest = data.draw(st.integers(3, 4))
    n = data.draw(st.integers(fewest, 8))
    pairs = list(combinations(range(n), 2))
    apart = data.draw(st.lists(st.sampled_from(pairs), max_size=8, unique=True))
    found = schedule(n, 1, fewest=fewest, most=4, usual=4, apart=apart, budget=QUICK)
    sizes = table_sizes(n, fewest, 4, 4)
    least = min(
        together([tables], apart)
        for seated in combinations(range(n), sum(sizes))
        for tables in partitions(seated, sizes)
    )
    assert together(tables_of(found.rounds), apart) == least
    check_rounds(found.rounds, n, sizes)


def test_several_rounds_keep_apart_whom_they_can() -> None:
    """Seven at 4 + 3 in two rounds: all pairs of rounds are counted. Nine in threes: an affine plane of which
    three rounds leave nine pairs that do not meet, one for everybody.
    """
    apart = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6)]
    rounds = list(partitions(range(7), (4, 3)))
    least = 2 * min(together([tables], apart) for tables in rounds)
    found = schedule(7, 2, fewest=3, most=4, usual=4, apart=apart, budget=QUICK)
    assert together(tables_of(found.rounds), apart) == least
    found = schedule(9, 3, fewest=3, most=3, usual=3, apart=[(0, 1)], budget=QUICK)
    assert met(tables_of(found.rounds), 9) == {0: 9, 1: 27}
    assert together(tables_of(found.rounds), [(0, 1)]) == 0


def test_those_who_must_meet_do_so_last_and_rest_no_more() -> None:
    """Of five at a table of four one rests in turn: two kept apart meet in three of five rounds."""
    found = schedule(5, 5, fewest=4, most=4, usual=4, apart=[(3, 4), (4, 3)], budget=QUICK)
    meeting = [together([each.tables], [(3, 4)]) for each in found.rounds]
    assert meeting == [0, 0, 1, 1, 1]
    assert sorted(each.sit_out for each in found.rounds) == [(0,), (1,), (2,), (3,), (4,)]


def test_kept_apart_of_history_and_absences() -> None:
    before = [TableRound(1, ((0, 1, 2), (3, 4, 5), (6, 7, 8)))]
    found = schedule(
        9, 3, fewest=3, most=3, usual=3, history=before, away={2: {8}}, apart=[(0, 3), (8, 20)], budget=QUICK
    )
    assert together(tables_of(found.rounds), [(0, 3)]) == 0
    with refuses(PairingError, "same_entry"):
        schedule(9, 3, fewest=3, most=3, usual=3, apart=[(2, 2)])


@pytest.mark.parametrize(
    ("n", "size", "rounds"), [(12, 3, 5), (20, 4, 6), (24, 4, 7), (60, 4, 8), (60, 6, 8)]
)
def test_search_repeats_few_meetings(n: int, size: int, rounds: int) -> None:
    """Twelve in threes must repeat one in five rounds: four is the most without (social golfers)."""
    found = schedule(n, rounds, fewest=size, most=size, usual=size)
    counts = met(tables_of(found.rounds), n)
    assert max(counts) <= 2
    assert counts[2] <= n * (size - 1) * rounds // 2 // 15


def test_60_people_in_fours_do_not_meet_twice_in_eight_rounds() -> None:
    assert set(met(tables_of(schedule(60, 8, fewest=3, most=6, usual=4).rounds), 60)) == {0, 1}


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_everybody_is_at_one_table_or_rests_and_rests_are_fair(data: st.DataObject) -> None:
    fewest = data.draw(st.integers(3, 6))
    most = data.draw(st.integers(fewest, 6))
    usual = data.draw(st.integers(fewest, most))
    n = data.draw(st.integers(fewest, 24))
    rounds = data.draw(st.integers(1, 7))
    seed = data.draw(st.integers(0, 3))
    how: dict[str, Any] = {"fewest": fewest, "most": most, "usual": usual, "seed": seed, "budget": 1000}
    found = schedule(n, rounds, **how)
    check_rounds(found.rounds, n, table_sizes(n, fewest, most, usual))
    assert [each.number for each in found.rounds] == list(range(1, rounds + 1))
    out = Counter(player for each in found.rounds for player in each.sit_out)
    rests = [out[player] for player in range(n)]
    assert max(rests) - min(rests) <= 1
    counts = met(tables_of(found.rounds), n)
    told = found.unevenness
    assert {times: pairs for times, pairs in enumerate(told.meetings) if pairs} == counts
    assert {times: players for times, players in enumerate(told.rests) if players} == Counter(rests)
    for seat, told_seat in enumerate(told.seats):
        had = Counter(table[seat] for each in found.rounds for table in each.tables if len(table) > seat)
        assert Counter(had[player] for player in range(n)) == {
            times: players for times, players in enumerate(told_seat) if players
        }
    # The same arguments make the same rounds.
    assert schedule(n, rounds, **how) == found


@pytest.mark.parametrize(("n", "rounds", "usual"), [(9, 4, 3), (16, 8, 4), (7, 7, 4), (10, 9, 3), (60, 8, 4)])
def test_first_seats_are_shared(n: int, rounds: int, usual: int) -> None:
    found = schedule(n, rounds, fewest=3, most=4, usual=usual)
    first = Counter(table[0] for each in found.rounds for table in each.tables)
    dealt = [first[player] for player in range(n)]
    assert max(dealt) - min(dealt) <= 2
    assert sum(dealt) == len(found.rounds) * len(found.rounds[0].tables)


def test_history_and_absences_count() -> None:
    """Nine have played a round in threes; player 8 misses round 2, and 9 has left."""
    before = [TableRound(1, ((0, 1, 2), (3, 4, 5), (6, 7, 9)), (8,))]
    found = schedule(9, 3, fewest=3, most=4, usual=4, history=before, away={2: {8}, 7: {0}})
    assert [each.number for each in found.rounds] == [2, 3, 4]
    check_rounds(found.rounds[:1], 9, (), {2: {8}})
    assert [len(table) for table in found.rounds[0].tables] == [4, 4]
    check_rounds(found.rounds[1:], 9, (3, 3, 3))
    whole = met([before[0].tables, *tables_of(found.rounds)], 9)
    assert sum(times * pairs for times, pairs in whole.items()) == 7 + 12 + 9 + 9
    assert max(whole) <= 2
    # Rested in round 1 and away in round 2.
    assert found.unevenness.rests == (8, 0, 1)


def test_who_has_rested_sits_out_last() -> None:
    before = [TableRound(1, ((0, 1, 2, 3),), (4,)), TableRound(2, ((1, 2, 3, 4),), (0,))]
    found = schedule(5, 3, fewest=4, most=4, usual=4, history=before)
    assert sorted(player for each in found.rounds for player in each.sit_out) == [1, 2, 3]
    assert TableUnevenness.of(5, [*before, *found.rounds]).meetings == (0, 0, 0, 10)


@pytest.mark.parametrize(
    ("arguments", "code", "field"),
    [
        ({"n": 2}, "too_few_players", "n"),
        ({"n": 3, "fewest": 4}, "too_few_players", "n"),
        ({"n": MOST_PLAYERS + 1}, "too_many_players", "n"),
        ({"n": 500, "rounds": 500}, "too_many_tables", "rounds"),
        ({"rounds": 0}, "out_of_range", "rounds"),
        ({"fewest": 2}, "out_of_range", "sizes"),
        ({"most": 7}, "out_of_range", "sizes"),
        ({"usual": 6, "most": 5}, "out_of_range", "sizes"),
        ({"fewest": 5}, "out_of_range", "sizes"),
        ({"n": 4, "away": {2: {0, 1}}}, "too_few_players", "away"),
    ],
)
def test_refusals(arguments: dict[str, Any], code: str, field: str) -> None:
    how: dict[str, Any] = {"n": 8, "rounds": 3, "fewest": 3, "most": 6, "usual": 4} | arguments
    with refuses(PairingError, code, field=field):
        schedule(how.pop("n"), how.pop("rounds"), **how)
