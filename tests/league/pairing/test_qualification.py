"""Who goes on from groups, against a brute force that knows nothing of levels and cuts."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.core.lifecycle import MatchState
from league.core.pairing.errors import PairingError
from league.core.pairing.groups import check_qualifiers, knockout_seeds
from league.core.pairing.qualification import Qualification, last_of_larger, qualification
from league.core.standings import MatchResult, MatchSide, PerMatch, rank
from league.core.standings.cuts import Cut, CutKind, levels_by
from tests.refusals import refuses

CRITERIA = ("match_points", "net")
Groups = dict[int, list[int]]


@st.composite
def played(draw: st.DrawFn) -> tuple[Groups, list[MatchResult]]:
    """Two to five groups of three to five, differing by one at most, in which all have met."""
    fewest = draw(st.integers(3, 4))
    sizes = draw(st.lists(st.integers(fewest, fewest + 1), min_size=2, max_size=5))
    entries = iter(draw(st.permutations(range(1, sum(sizes) + 1))))
    groups = {number: [next(entries) for _ in range(size)] for number, size in enumerate(sizes, start=1)}
    results = []
    for members in groups.values():
        for a, b in combinations(members, 2):
            net = draw(st.integers(-2, 2)) * 10
            winner = None if not net else MatchSide.A if net > 0 else MatchSide.B
            results.append(MatchResult((a,), (b,), MatchState.FINISHED, winner, net))
    return groups, results


def within(members: Sequence[int], results: Sequence[MatchResult]) -> list[MatchResult]:
    inside = set(members)
    return [result for result in results if inside.issuperset(result.side_a + result.side_b)]


def going_on(  # type: ignore[no-untyped-def]
    groups: Groups,
    results: Sequence[MatchResult],
    *,
    count: int,
    best_next: int,
    without_last: bool,
    random=None,
    lots=None,
) -> Qualification:
    """By the product; ties are decided at random, or left open."""
    tables = {
        group: rank(members, within(members, results), criteria=CRITERIA) for group, members in groups.items()
    }

    def compare(left_out: frozenset[int]) -> dict[int, PerMatch]:
        figures = {row.entry: row.per_match for rows in tables.values() for row in rows}
        for members in groups.values():
            staying = [entry for entry in members if entry not in left_out]
            rows = rank(staying, within(staying, results), criteria=CRITERIA)
            figures |= {row.entry: row.per_match for row in rows}
        return figures

    def decided(cut: Cut) -> list[list[int]] | None:
        return random and [[entry] for entry in random.sample(cut.entries, len(cut.entries))]

    return qualification(
        {
            group: levels_by(rows, lambda row: row.rank, lambda row: row.entry)
            for group, rows in tables.items()
        },
        count=count,
        best_next=best_next,
        without_last=without_last,
        compare=compare,
        figures={row.entry: (row.points, row.net) for rows in tables.values() for row in rows},
        lots=lots or {row.entry: row.entry for rows in tables.values() for row in rows},
        decided=decided,
    )


def plain_figures(
    entry: int, results: Sequence[MatchResult], left_out: set[int]
) -> tuple[Fraction, Fraction]:
    """Points and net a match from the sheets without those against who is left out: 2 a win, 1 a draw."""
    points = net = matches = 0
    for result in results:
        sides = {*result.side_a, *result.side_b}
        if entry not in sides or sides & left_out:
            continue
        own = result.net if entry in result.side_a else -result.net
        points, net, matches = points + (2 if own > 0 else 1 if own == 0 else 0), net + own, matches + 1
    return Fraction(points, matches), Fraction(net, matches)


@given(played(), st.integers(1, 2), st.booleans(), st.randoms(use_true_random=False))
def test_best_of_the_next_places_are_those_a_brute_force_finds(  # type: ignore[no-untyped-def]
    table, count: int, without_last: bool, random
) -> None:
    groups, results = table
    best_next = random.randint(1, len(groups) - 1)
    found = going_on(
        groups, results, count=count, best_next=best_next, without_last=without_last, random=random
    )
    assert not found.open
    place = {entry: place for (_group, place), entry in found.entries.items()}
    left_out: set[int] = set()
    if without_last:
        smallest = min(map(len, groups.values()))
        left_out = {entry for entry in place if place[entry] > smallest}
    assert found.left_out == left_out
    candidates = [entry for entry, at in place.items() if at == count + 1]
    figures = {entry: plain_figures(entry, results, left_out) for entry in candidates}
    best = {found.entries[group, count + 1] for group in found.tiers[-1]}
    # Nobody outside is better than anybody inside, whatever set of so many is tried.
    worth = sorted((figures[entry] for entry in best), reverse=True)
    every = [
        sorted((figures[entry] for entry in some), reverse=True)
        for some in combinations(candidates, best_next)
    ]
    assert (len(best), worth) == (best_next, max(every))
    assert [each.entry for each in found.next_places if each.goes_on] == [
        found.entries[group, count + 1] for group in found.tiers[-1]
    ]
    assert {each.entry: tuple(each.figures) for each in found.next_places} == figures


@given(played(), st.integers(1, 2), st.booleans(), st.randoms(use_true_random=False))
def test_nothing_is_decided_by_what_entries_are_called(  # type: ignore[no-untyped-def]
    table, count: int, without_last: bool, random
) -> None:
    """Other numbers, another order, groups numbered anew: the same go on and are seeded, or it is asked."""
    groups, results = table
    best_next = random.randint(0, len(groups) - 1)
    wanted = {"count": count, "best_next": best_next, "without_last": without_last}
    entries = [entry for members in groups.values() for entry in members]
    called = dict(zip(entries, random.sample(entries, len(entries)), strict=True))
    numbers = dict(zip(groups, random.sample(sorted(groups), len(groups)), strict=True))
    renamed = [
        MatchResult(
            (called[result.side_a[0]],), (called[result.side_b[0]],), result.state, result.winner, result.net
        )
        for result in results
    ]
    shuffled = {
        numbers[group]: random.sample([called[entry] for entry in members], len(members))
        for group, members in groups.items()
    }
    lots = dict(zip(entries, random.sample(range(99), len(entries)), strict=True))
    one = going_on(groups, results, lots=lots, **wanted)
    other = going_on(shuffled, renamed, lots={called[entry]: lots[entry] for entry in entries}, **wanted)
    assert {frozenset(called[entry] for entry in cut.entries) for cut in one.open} == {
        frozenset(cut.entries) for cut in other.open
    }
    if not one.open:
        through = [
            called[one.entries[group, place]]
            for place, tier in enumerate(one.tiers, start=1)
            for group in tier
        ]
        assert through == [
            other.entries[group, place] for place, tier in enumerate(other.tiers, start=1) for group in tier
        ]


def test_lots_seed_who_is_level_and_send_nobody_on_but_in_brackets_drawn_when_they_did() -> None:
    groups = {1: [1, 2], 2: [3, 4], 3: [5, 6]}
    lots = {2: 5, 4: 9, 6: 7, 1: 4, 3: 1, 5: 8}
    figures = dict.fromkeys(range(1, 7), PerMatch(Fraction(0), Fraction(0)))
    asked = {
        "groups": {group: [(entry,) for entry in members] for group, members in groups.items()},
        "count": 1,
        "best_next": 2,
        "compare": lambda left_out: figures,
        "figures": figures,
        "lots": lots,
        "decided": lambda cut: None,
    }
    found = qualification(**asked)  # type: ignore[arg-type]
    assert found.tiers == ((3, 1, 2),)
    (cut,) = found.open
    assert (cut.kind, cut.entries, cut.places) == (CutKind.NEXT, (4, 6, 2), (2,))
    found = qualification(**asked, settling=lots)  # type: ignore[arg-type]
    assert [(each.entry, each.goes_on, each.by_lot) for each in found.next_places] == [
        (4, True, True),
        (6, True, True),
        (2, False, False),
    ]


def test_last_are_those_after_the_smallest_group() -> None:
    assert last_of_larger({1: [1, 2, 3], 2: [4, 5], 3: [6, 7, 8, 9]}) == {3, 8, 9}


@pytest.mark.parametrize(
    ("sizes", "qualifiers", "best_next", "code"),
    [([3, 3, 3], 2, 3, "best_next"), ([3, 2], 2, 1, "group_too_small"), ([64] * 4, 63, 3, None)],
)
def test_as_many_of_the_next_places_as_there_can_be(
    sizes: list[int], qualifiers: int, best_next: int, code: str | None
) -> None:
    if code is None:
        check_qualifiers(sizes, qualifiers, best_next)
        with refuses(PairingError, "too_many_entries"):
            check_qualifiers([70] * 4, 64, best_next)
        return
    with refuses(PairingError, code, field="best_next"):
        check_qualifiers(sizes, qualifiers, best_next)


@given(st.integers(2, 6), st.integers(1, 3), st.randoms(use_true_random=False))
def test_knockout_has_a_seed_for_each_who_goes_on(  # type: ignore[no-untyped-def]
    groups: int, whole: int, random
) -> None:
    everybody = range(1, groups + 1)
    tiers = [random.sample(everybody, groups) for _ in range(whole)]
    tiers.append(random.sample(everybody, random.randint(1, groups - 1)))
    seeded = knockout_seeds(tiers)
    assert sorted(seeded) == sorted(
        (group, place) for place, tier in enumerate(tiers, start=1) for group in tier
    )
    assert [group for group, place in seeded if place == 1] == tiers[0]
