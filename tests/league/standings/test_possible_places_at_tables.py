"""The places still possible at tables of many: worked examples, and all outcomes of small events."""

import itertools
import random
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.core.lifecycle import MatchState
from league.core.possible_places import possible_places
from league.core.standings import (
    AdjustmentNote,
    Award,
    MatchResult,
    Number,
    Row,
    ScoringScheme,
    TableResult,
    rank,
)
from league.core.still_to_play import (
    LateEntries,
    Left,
    LeftRest,
    LeftTable,
    OpenRound,
)
from league.core.table_ways import ways_of

Span = tuple[int, int | None]


def scheme_of(*by_place: Number, bye: Number = 0) -> ScoringScheme:
    return ScoringScheme(by_place=by_place, bye=Award(won=bye, counts=False))


def table(points: Sequence[int], results: Sequence[TableResult | MatchResult] = (), **how: Any) -> list[Row]:
    notes = [AdjustmentNote(entry, number, "so far") for entry, number in enumerate(points) if number]
    how = {"criteria": ("match_points", "net"), **how}
    return rank(range(len(points)), results, adjustments=notes, **how)


def spans(rows: Sequence[Row], left: Sequence[Left], scheme: ScoringScheme, **how: Any) -> list[Span]:
    found = possible_places(rows, left, scheme=scheme, **how)
    return [(found[entry].best, found[entry].worst) for entry in range(len(rows))]


def rankings(count: int) -> Iterator[tuple[int, ...]]:
    """Every ranking of so many, with shared places."""
    for levels in itertools.product(range(count), repeat=count):
        if set(levels) == set(range(max(levels) + 1)):
            yield tuple(1 + sum(other < level for other in levels) for level in levels)


def outcomes(left: LeftTable) -> Iterator[TableResult]:
    """Every order of places at a table; nets are small, or great enough to turn any table round."""
    for places in rankings(len(left.entries)):
        for much in (1, 1000):
            nets = [-much * place for place in places]
            mean = sum(nets) // len(nets)
            yield TableResult(left.entries, places, tuple(net - mean for net in nets), round=left.round)


@pytest.mark.parametrize("size", [3, 4, 5])
@pytest.mark.parametrize("by_place", [(3, 1, 0), (4, 2, 1, 0), (5, Decimal("2.5"), -1)])
def test_ways_are_what_tables_are_worth(size: int, by_place: tuple[Number, ...]) -> None:
    entries = tuple(range(size))
    told = {
        tuple(int(100 * points) for points in TableResult(entries, places).points(by_place))
        for places in rankings(size)
    }
    worth = [int(100 * points) for points in (*by_place, *[by_place[-1]] * size)][:size]
    assert ways_of(tuple(worth)) == told


def test_leader_is_safe_where_the_table_has_points_for_one_alone() -> None:
    """Ann has 5 and rests; three with 3 meet: one wins 3, two share 3, or three have 1 each."""
    scheme = scheme_of(3, 0, 0)
    for lists in (True, False):
        found = spans(table([5, 3, 3, 3]), [LeftTable(1, (1, 2, 3))], scheme, lists=lists)
        assert found == [(1, 2), (1, 4), (1, 4), (1, 4)]


def test_one_of_another_table_wins_what_ann_does_not() -> None:
    """Ann wins and has 6; at the other table all have 5, and somebody has more than 6, whoever it is."""
    scheme = scheme_of(3, 1, 0)
    left = [LeftTable(1, (0, 1, 2)), LeftTable(1, (3, 4, 5))]
    found = spans(table([3, 0, 0, 5, 5, 5]), left, scheme)
    # All three may share 4 points to the hundredth, and each has 6.33; or one has 8, one 6, one 5. If she is
    # last at her own table, one of the two has 3 as she has, and the other 1.
    assert found[0] == (2, 5)
    assert spans(table([3, 0, 0, 5, 5, 5]), left, scheme, lists=False)[0] == (1, 5)


def test_the_last_round_of_many_tables_is_exact() -> None:
    """Fifteen tables of four, one round left: places are those of all outcomes, table by table."""
    chance = random.Random(4)
    points = [chance.randrange(12) for _ in range(60)]
    seats = chance.sample(range(60), 60)
    left = [LeftTable(5, tuple(seats[first : first + 4])) for first in range(0, 60, 4)]
    found = spans(table(points), left, scheme_of(3, 1, 0))
    worth = [
        [float(share) for share in TableResult((0, 1, 2, 3), places).points((3, 1, 0))]
        for places in rankings(4)
    ]

    def span(entry: int) -> Span:
        fewest = most = 1
        own = next(item for item in left if entry in item.entries)
        ends = []
        for way in worth:
            at = dict(zip(own.entries, way, strict=True))
            mine = points[entry] + at.pop(entry)
            ends.append((mine, [points[other] + brought for other, brought in at.items()]))
        high, low = max(mine for mine, _ in ends), min(mine for mine, _ in ends)
        fewest += min(sum(end > high for end in others) for mine, others in ends if mine == high)
        most += max(sum(end >= low for end in others) for mine, others in ends if mine == low)
        for item in left:
            if item != own:
                told = [
                    [points[one] + brought for one, brought in zip(item.entries, way, strict=True)]
                    for way in worth
                ]
                fewest += min(sum(end > high for end in way) for way in told)
                most += max(sum(end >= low for end in way) for way in told)
        return fewest, most

    assert found == [span(entry) for entry in range(60)]
    bounds = spans(table(points), left, scheme_of(3, 1, 0), lists=False)
    for (best, worst), (wide_best, wide_worst) in zip(found, bounds, strict=True):
        assert wide_best <= best
        assert (wide_worst or 0) >= (worst or 0)


@settings(max_examples=20, deadline=None)
@given(st.data())
def test_few_outcomes_are_told_exactly_and_bounds_hold(data: st.DataObject) -> None:
    """One table or two, in rounds of their own: by points, whoever may be level may be above."""
    by_place = data.draw(st.sampled_from(((3, 1, 0), (4, 2, 1, 0), (2, 1), (1, 0), (3, 1, -1))))
    count = data.draw(st.integers(3, 6))
    points = data.draw(st.lists(st.integers(0, 5), min_size=count, max_size=count))
    size = st.integers(3, min(4, count))
    left = [
        LeftTable(number, tuple(data.draw(st.permutations(range(count)))[: data.draw(size)]))
        for number in range(1, data.draw(st.integers(1, 2)) + 1)
    ]
    scheme = scheme_of(*by_place)
    ways = []
    for item in left:
        told = {
            tuple(dict(zip(item.entries, result.points(by_place), strict=True)).items())
            for result in outcomes(item)
        }
        ways.append([[dict(way).get(entry, 0) for entry in range(count)] for way in told])
    best, worst = [count] * count, [1] * count
    for way in itertools.product(*ways):
        ends = [sum(each) for each in zip(points, *way, strict=True)]
        for entry, own in enumerate(ends):
            best[entry] = min(best[entry], 1 + sum(other > own for other in ends))
            worst[entry] = max(worst[entry], sum(other >= own for other in ends))
    # What parts those who are level is of others too, so that nothing is settled.
    rows = table(points, criteria=("match_points", "buchholz"))
    wanted = list(zip(best, worst, strict=True))
    assert spans(rows, left, scheme) == wanted
    for (low, high), (true_low, true_high) in zip(
        spans(rows, left, scheme, lists=False), wanted, strict=True
    ):
        assert low <= true_low
        assert (high or 0) >= true_high


@settings(max_examples=8, deadline=None)
@given(chance=st.randoms(use_true_random=False), lists=st.booleans())
def test_no_outcome_is_outside(chance: random.Random, lists: bool) -> None:
    """In the tables that `rank` makes of every outcome nobody stands outside; nor is what is sure not so.

    Also with a bye, a guest, the best nights alone, and tables that are left out.
    """
    count = chance.randint(4, 6)
    scheme = scheme_of(*chance.choice(((3, 1, 0), (4, 2, 1, 0), (2, 1, -1))), bye=chance.choice((0, 1)))
    guests = [count - 1] if chance.random() < 0.3 else []
    entries = [entry for entry in range(count) if entry not in guests]
    results: list[TableResult | MatchResult] = [
        chance.choice(list(outcomes(LeftTable(number, tuple(chance.sample(range(count), 3))))))
        for number in (1, 2)
    ]
    left = [LeftTable(3, tuple(chance.sample(range(count), 3)))]
    if chance.random() < 0.4:
        left.append(LeftTable(4, tuple(chance.sample(range(count), 3))))
    rests = [LeftRest(5, entries[0], MatchState.BYE)] if chance.random() < 0.3 else []
    how: dict[str, Any] = {
        "criteria": chance.choice(
            (("match_points", "net", "wins"), ("match_points", "wins", "lot"), ("net", "lot"))
        ),
        "scheme": scheme,
        "unranked": guests,
        "best_of": chance.choice((None, None, 2)),
        "given": {"lot": {entry: -entry for entry in range(count)}},
    }
    found = possible_places(
        rank(entries, results, **how),
        [*left, *rests],
        scheme=scheme,
        results=results,
        best_of=how["best_of"],
        lists=lists,
    )
    byes: list[TableResult | MatchResult] = [MatchResult.bye(rest.entry, round=rest.round) for rest in rests]
    for left_out in (False, True):
        ways: list[list[list[TableResult | MatchResult]]] = [[byes]]
        for item in left:
            ways.append([])
            for result in outcomes(item):
                ways[-1].append([result])
        for way_of_one in ways if left_out else ():
            way_of_one.append([])
        told = [list(itertools.chain(*way)) for way in itertools.product(*ways)]
        for way in chance.sample(told, min(len(told), 40)):
            for row in rank(entries, [*results, *way], **how):
                place = found[row.entry]
                assert place.worst is not None
                assert place.sure_of is not None
                if not left_out:
                    assert place.best <= row.rank <= place.worst
                assert place.out_of < row.rank <= place.sure_of
                assert not place.is_decided or row.rank == place.best == place.worst


def test_a_round_to_be_paired_brings_a_first_or_a_last_place() -> None:
    """Of four with 9, 5, 3 and 0 one round of tables is left: who is nine ahead cannot be caught."""
    scheme, left = scheme_of(3, 1, -1), [OpenRound(2, (0, 1, 2, 3), at_tables=True)]
    # 8 to 12, 4 to 8, 2 to 6, −1 to 3.
    assert spans(table([9, 5, 3, 0]), left, scheme) == [(1, 2), (1, 3), (2, 4), (3, 4)]
    # Who comes late has 1 for the first round, and wins 3.
    late = possible_places(table([9, 5, 3, 0]), left, scheme=scheme, late=LateEntries(1, 2))
    assert [late[entry].worst for entry in range(4)] == [2, None, None, None]
