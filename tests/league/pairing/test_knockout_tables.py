"""Knockouts by tables: courses reckoned by hand, and whole ones played."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from math import comb
from random import Random

import pytest

from league.core.pairing.errors import PairingError
from league.core.pairing.knockout_tables import course, first_tables, next_tables
from tests.refusals import refuses


@pytest.mark.parametrize(
    ("n", "sizes", "go_on", "rounds"),
    [
        # 16 at four tables, the best two of each: eight at two, four in the final.
        (16, (3, 4, 4), 2, ((4, 4, 4, 4), (4, 4), (4,))),
        (16, (3, 4, 4), 1, ((4, 4, 4, 4), (4,))),
        (27, (3, 3, 3), 1, ((3,) * 9, (3, 3, 3), (3,))),
        # A club evening with seven: two of each table play the final.
        (7, (3, 4, 4), 2, ((4, 3), (4,))),
        (4, (3, 4, 4), 2, ((4,),)),
        # Six fit one table, so that they play the final at once, though four are usual.
        (6, (3, 6, 4), 2, ((6,),)),
        (12, (3, 6, 4), 2, ((4, 4, 4), (6,))),
        # 30 at six tables of four and two of three; 16; 8 at two tables; 4.
        (30, (3, 6, 4), 2, ((4, 4, 4, 4, 4, 4, 3, 3), (4, 4, 4, 4), (4, 4), (4,))),
    ],
)
def test_courses(
    n: int, sizes: tuple[int, int, int], go_on: int, rounds: tuple[tuple[int, ...], ...]
) -> None:
    assert course(n, *sizes, go_on) == rounds


@pytest.mark.parametrize(
    ("n", "sizes", "go_on", "code"),
    [
        (16, (3, 4, 4), 0, "go_on"),
        # As many as sit at a table: it would never end.
        (16, (4, 4, 4), 4, "go_on"),
        (7, (3, 4, 4), 3, "go_on"),
        # Two winners are no table, and neither have five one each at tables of four.
        (8, (3, 4, 4), 1, "no_course"),
        (20, (3, 4, 4), 1, "no_course"),
        (5, (3, 4, 4), 1, "no_course"),
        (10, (4, 4, 4), 1, "no_course"),
        (2, (3, 4, 4), 1, "too_few_players"),
        (16, (2, 4, 4), 1, "out_of_range"),
    ],
)
def test_courses_refused(n: int, sizes: tuple[int, int, int], go_on: int, code: str) -> None:
    with refuses(PairingError, code):
        course(n, *sizes, go_on)


def test_every_course_ends_or_is_refused() -> None:
    codes: Counter[str] = Counter()
    for fewest, most, usual in ((3, 4, 4), (3, 6, 4), (4, 5, 5), (5, 6, 6), (3, 3, 3)):
        for n, go_on in product(range(fewest, 100), range(1, fewest)):
            try:
                rounds = course(n, fewest, most, usual, go_on)
            except PairingError as refused:
                codes[refused.code] += 1
                continue
            codes["ends"] += 1
            left = [sum(sizes) for sizes in rounds]
            assert left[0] == n
            assert len(rounds[-1]) == 1
            assert left[1:] == [go_on * len(sizes) for sizes in rounds[:-1]]
            assert all(fewest <= size <= most for sizes in rounds for size in sizes)
    assert codes.keys() == {"ends", "no_course"}
    assert codes["ends"] > 400


def test_seeds_are_dealt_in_a_snake() -> None:
    """As in "The best all-purpose competition format": 1 8 9, 2 7 10, 3 6 11, 4 5 12."""
    assert first_tables((3, 3, 3, 3)) == ((1, 8, 9), (2, 7, 10), (3, 6, 11), (4, 5, 12))
    assert first_tables((4, 3)) == ((1, 4, 5, 7), (2, 3, 6))
    # With an even number at each table all are equally strong.
    assert {sum(table) for table in first_tables((4,) * 8)} == {66}


def test_winners_are_spread_and_those_of_one_table_kept_apart() -> None:
    """The better seeds go on, 1 to 4 first and 8, 7, 6, 5 second: two winners a table, and nobody again."""
    played = first_tables((4, 4, 4, 4))
    upper, lower = next_tables(played, (4, 4), 2)
    assert (upper[:2], lower[:2]) == ((1, 4), (2, 3))
    # 8 lost to 1 and 5 to 4, 7 to 2 and 6 to 3.
    assert ({*upper[2:]}, {*lower[2:]}) == ({6, 7}, {5, 8})
    assert next_tables([upper, lower], (4,), 2) == ((1, 2, 3, 4),)


def again(played: Sequence[Sequence[int]], tables: Sequence[Sequence[int]]) -> int:
    """How many pairs meet again at once."""
    came_from = {player: number for number, table in enumerate(played) for player in table}
    return sum(comb(times, 2) for table in tables for times in Counter(came_from[p] for p in table).values())


@pytest.mark.parametrize(
    ("n", "sizes", "go_on"),
    [
        (16, (3, 4, 4), 2),
        (64, (3, 4, 4), 2),
        (64, (4, 4, 4), 1),
        (27, (3, 3, 3), 1),
        (7, (3, 4, 4), 2),
        (30, (3, 6, 4), 2),
        (100, (3, 6, 4), 2),
        (120, (3, 6, 4), 2),
        (125, (5, 5, 5), 1),
        (36, (4, 6, 6), 3),
        (96, (4, 6, 6), 3),
        # 30, 18 at 5 + 5 + 4 + 4, 12 at three tables, 9 at 5 + 4, and a final of six.
        (30, (4, 6, 5), 3),
        (22, (3, 4, 4), 2),
    ],
)
def test_whole_knockouts(n: int, sizes: tuple[int, int, int], go_on: int) -> None:
    """Played with places by lot: everybody left has one table, and as few meet again as counting allows."""
    random = Random(n)
    rounds = course(n, *sizes, go_on)
    tables = first_tables(rounds[0])
    left = set(range(1, n + 1))
    for number, now in enumerate(rounds):
        assert [len(table) for table in tables] == list(now)
        assert sorted(player for table in tables for player in table) == sorted(left)
        if number == len(rounds) - 1:
            break
        played = [random.sample(table, len(table)) for table in tables]
        left = {player for table in played for player in table[:go_on]}
        following = rounds[number + 1]
        tables = next_tables(played, following, go_on)
        share, extra = divmod(go_on, len(following))
        fewest = extra * comb(share + 1, 2) + (len(following) - extra) * comb(share, 2)
        assert again(played, tables) == fewest * len(played)
        winners = {table[0] for table in played}
        at = [sum(player in winners for player in table) for table in tables]
        assert max(at) - min(at) <= 1


def broken(tables: Sequence[Sequence[int]], apart: Sequence[tuple[int, int]]) -> int:
    return sum({*pair} <= {*table} for table in tables for pair in apart)


def dealt(rows: Sequence[Sequence[int]], seats: Sequence[Sequence[int]]) -> Iterator[list[list[int]]]:
    """Every way to give the players of each row the seats of their row, which are named by tables."""
    for orders in product(*(permutations(row) for row in rows)):
        tables: list[list[int]] = [[] for _ in range(1 + max(map(max, seats)))]
        for order, at in zip(orders, seats, strict=True):
            for player, table in zip(order, at, strict=True):
                tables[table].append(player)
        yield tables


@pytest.mark.parametrize("seed", range(12))
def test_pairs_are_kept_apart_within_rows(seed: int) -> None:
    """The first round and the next, against every way to deal the rows; rows stay, and tables have theirs."""
    random = Random(seed)
    pairs = list(combinations(range(1, 10), 2))
    apart = random.sample(pairs, 3 + seed)
    first = first_tables((3, 3, 3), apart)
    rows: list[tuple[int, ...]] = [(1, 2, 3), (4, 5, 6), (7, 8, 9)]
    assert [sorted(table[row] for table in first) for row in range(3)] == [sorted(row) for row in rows]
    ways = dealt(rows, [range(3)] * 3)
    assert broken(first, apart) == min(broken(tables, apart) for tables in ways)

    played = [random.sample(table, 3) for table in first]
    following = next_tables(played, (3, 3), 2, apart)
    rows = [tuple(table[place] for table in played) for place in range(2)]
    seats = [
        [sum(player in row for player in table) for table in next_tables(played, (3, 3), 2)] for row in rows
    ]
    assert [[sum(player in row for player in table) for table in following] for row in rows] == seats
    ways = dealt(rows, [[0] * of_first + [1] * of_second for of_first, of_second in seats])
    assert broken(following, apart) == min(broken(tables, apart) for tables in ways)


def test_a_large_first_round_keeps_pairs_apart() -> None:
    """Of 64 in fours everybody is kept apart from two of those with whom the snake would seat them."""
    tables = first_tables((4,) * 16)
    apart = [pair for table in tables for pair in (table[:2], table[1:3], table[2:4])]
    found = first_tables((4,) * 16, [(one, other) for one, other in apart])
    assert broken(found, [(one, other) for one, other in apart]) == 0
    assert sorted(player for table in found for player in table) == list(range(1, 65))


def test_without_pairs_all_is_dealt_as_ever() -> None:
    assert first_tables((4, 3), [(1, 2), (90, 91)]) == first_tables((4, 3))
    with refuses(PairingError, "same_entry"):
        first_tables((4, 3), [(3, 3)])


@pytest.mark.parametrize(
    ("played", "sizes", "go_on", "code"),
    [
        ([(1, 2, 3), (3, 4, 5)], (4,), 2, "seed_twice"),
        ([(1, 2, 3), (4, 5, 6)], (3,), 2, "sizes"),
        ([(1, 2, 3), (4, 5, 6)], (8,), 4, "go_on"),
        ([(1, 2, 3), (4, 5, 6)], (0,), 0, "go_on"),
    ],
)
def test_next_tables_refused(
    played: list[tuple[int, ...]], sizes: tuple[int, ...], go_on: int, code: str
) -> None:
    with refuses(PairingError, code):
        next_tables(played, sizes, go_on)
