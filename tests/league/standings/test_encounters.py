"""Direct encounter as the FIDE Handbook has it (C.07, article 6), and as it was here before."""

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.core.lifecycle import MatchState
from league.core.standings import (
    AdjustmentNote,
    MatchResult,
    MatchSide,
    Row,
    ScoringScheme,
    Tally,
    rank,
)
from league.core.standings.encounters import direct

BY_MATCH = ["match_points", "head_to_head", "net"]


def won(winner: int, loser: int, net: int = 1, *, round: int = 1) -> MatchResult:
    return MatchResult((winner,), (loser,), MatchState.FINISHED, MatchSide.A, net, round=round)


def drawn(a: int, b: int) -> MatchResult:
    return MatchResult((a,), (b,), MatchState.FINISHED)


def given_up(winner: int, loser: int, *, begun: bool = False) -> MatchResult:
    state = MatchState.FORFEIT if begun else MatchState.WALKOVER
    return MatchResult((winner,), (loser,), state, MatchSide.A, begun=begun)


def level(points: Mapping[int, int], results: Sequence[MatchResult], **how: Any) -> list[Row]:
    """The table after results, in which so many points more make everybody level."""
    notes = [AdjustmentNote(entry, more, "level") for entry, more in points.items()]
    return rank(points, results, criteria=BY_MATCH, adjustments=notes, **how)


def told(rows: Sequence[Row]) -> list[tuple[int, str | None]]:
    return [(row.entry, row.decided_by) for row in rows]


@pytest.mark.parametrize(
    ("how", "decided"),
    [
        ({"swiss": True}, None),
        ({"swiss": False}, "head_to_head"),
        ({"swiss": True, "former": True}, "head_to_head"),
        ({"swiss": False, "former": True}, "head_to_head"),
    ],
    ids=["Swiss", "round robin", "Swiss of before", "round robin of before"],
)
def test_match_that_was_not_played_is_no_meeting_in_a_swiss(how: Any, decided: str | None) -> None:
    """6.1.1 and 15.2: 1 was given the match against 2, and both have two points in the end."""
    rows = rank([2, 1], [given_up(1, 2), won(2, 3, round=2)], criteria=BY_MATCH[:2], unranked=[3], **how)
    assert {row.points for row in rows} == {2}
    assert [(row.rank, row.decided_by) for row in rows] == [(1, decided), (2 if decided else 1, decided)]
    assert rows[0].entry == (1 if decided else 2)


def test_match_that_was_given_up_after_it_had_begun_is_a_meeting() -> None:
    assert told(level({2: 2, 1: 0}, [given_up(1, 2, begun=True)], swiss=True)) == [
        (1, "head_to_head"),
        (2, "head_to_head"),
    ]


def test_adjustments_are_left_out() -> None:
    rows = level({2: 2, 1: 0}, [won(1, 2)])
    assert [(row.entry, row.points, row.metrics["head_to_head"]) for row in rows] == [(1, 2, 2), (2, 2, 0)]


def test_several_matches_of_two_count_on_average() -> None:
    """6.1.2: 1 and 2 met twice, a win for 1 and a draw. Both are level with 3, whom nobody has met."""
    results = [won(1, 2), drawn(1, 2), won(2, 4), won(4, 3), won(4, 3)]
    rows = rank([1, 2, 4, 3], results, criteria=BY_MATCH)
    assert [(row.entry, row.points, row.metrics["head_to_head"]) for row in rows[1:3]] == [
        (1, 3, Decimal("1.5")),
        (2, 3, Decimal("0.5")),
    ]


UNEQUAL = [won(1, 2, 10), won(2, 1, 40), won(1, 3, 5), won(2, 3, 5), won(3, 4), won(3, 4)]


def test_who_met_more_often_is_not_ahead_by_that() -> None:
    """1, 2 and 3 have 4 points each. 1 and 2 met twice, a win each: a point on average, and beat 3: 3, 3, 0.

    6.2: again among 1 and 2, who are level there too. Then net: −10 + 40 + 5 for 2, 10 − 40 + 5 for 1.
    """
    assert told(rank([1, 2, 3, 4], UNEQUAL, criteria=BY_MATCH)) == [
        (2, "net"),
        (1, "net"),
        (3, "head_to_head"),
        (4, None),
    ]


def test_before_all_had_to_have_met_equally_often() -> None:
    """Net decides: 35 for 2, −5 − 5 + 1 + 1 = −8 for 3, −25 for 1. Twice each, all points are added."""
    assert told(rank([1, 2, 3, 4], UNEQUAL, criteria=BY_MATCH, former=True)) == [
        (2, "net"),
        (3, "net"),
        (1, "net"),
        (4, None),
    ]
    rows = rank([1, 2], [won(1, 2), drawn(1, 2)], criteria=["head_to_head"], former=True)
    assert [(row.entry, row.metrics["head_to_head"]) for row in rows] == [(1, 3), (2, 1)]


# Four who have all met: 1 and 2 have taken 4 points of the others, 3 and 4 two; 2 beat 1, and 4 beat 3.
ALL_MET = [won(2, 1), won(1, 3), won(1, 4), won(2, 3), won(4, 2), won(3, 4)]


def test_it_is_applied_again_to_those_it_leaves_level() -> None:
    """6.2: first 4, 4, 2 and 2 points; then 2, who beat 1, and 3, who beat 4."""
    rows = level({1: 2, 2: 2, 3: 4, 4: 4}, ALL_MET)
    assert [(row.entry, row.decided_by, row.metrics["head_to_head"]) for row in rows] == [
        (2, "head_to_head", 2),
        (1, "head_to_head", 0),
        (3, "head_to_head", 2),
        (4, "head_to_head", 0),
    ]
    before = level({1: 2, 2: 2, 3: 4, 4: 4}, ALL_MET, former=True)
    assert [row.rank for row in before] == [1, 1, 3, 3]


def test_who_is_ahead_whatever_is_missing_is_first_in_a_swiss() -> None:
    """6.3: 1 beat 2 and 3, who have not met: it is first. Among 2 and 3 nothing is known: then by net."""
    results = [won(1, 2, 5), won(1, 3, 9)]
    assert told(level({3: 4, 2: 4, 1: 0}, results, swiss=True)) == [
        (1, "head_to_head"),
        (2, "net"),
        (3, "net"),
    ]
    assert [by for _entry, by in told(level({3: 4, 2: 4, 1: 0}, results))] == ["net"] * 3


def test_who_could_be_caught_up_with_is_not() -> None:
    """6.3: 1 beat 2, and 3 has met neither: it could have beaten both, or lost to 1 and be level with 2."""
    rows = level({1: 0, 2: 2, 3: 2}, [won(1, 2, 5)], swiss=True)
    assert [row.decided_by for row in rows] == ["net"] * 3


def test_second_is_told_where_the_first_is() -> None:
    """6.3: 1 beat 2, 3 and 4; 2 beat 3 and 4, who have not met. 2 has two wins, 3 and 4 at most one."""
    results = [won(1, 2), won(1, 3), won(1, 4), won(2, 3), won(2, 4)]
    rows = level({4: 6, 3: 6, 2: 2, 1: 0}, results, swiss=True)
    assert [(row.entry, row.rank, row.metrics["head_to_head"]) for row in rows] == [
        (1, 1, 6),
        (2, 2, 4),
        (4, 3, None),
        (3, 3, None),
    ]


def test_where_columns_count_all_must_have_met() -> None:
    """Nobody can tell what the match between 2 and 3 would have brought."""
    tally = Tally(
        [1, 2, 3], [won(1, 2), won(1, 3)], scheme=ScoringScheme(win=1, draw=0, column=1), swiss=True
    )
    assert direct(tally, [1, 2, 3]) is None


def ends(points: Mapping[int, int], missing: Sequence[tuple[int, int]]) -> Iterator[dict[int, int]]:
    """Yield the points after everything that the missing matches can bring."""
    for outcome in itertools.product(((2, 0), (1, 1), (0, 2)), repeat=len(missing)):
        end = dict(points)
        for (a, b), (of_a, of_b) in zip(missing, outcome, strict=True):
            end[a] += of_a
            end[b] += of_b
        yield end


def alone_at_the_top(group: Sequence[int], all_ends: Sequence[Mapping[int, int]]) -> list[int]:
    """Those who are alone at the first place after every outcome, then alone at the next, and so on."""
    found: list[int] = []
    for _place in group:
        others = [entry for entry in group if entry not in found]
        found += [
            entry
            for entry in others
            if all(end[entry] > end[other] for end in all_ends for other in others if other != entry)
        ][:1]
    return found


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(2, 5))
def test_whoever_is_told_is_alone_there_after_every_outcome(chance: random.Random, count: int) -> None:
    """6.3 by going through all outcomes of the missing matches."""
    group = list(range(count))
    pairs = list(itertools.combinations(group, 2))
    chance.shuffle(pairs)
    played = chance.randint(0, len(pairs))
    results, points = [], dict.fromkeys(group, 0)
    for a, b in pairs[:played]:
        result, of_a, of_b = chance.choice(((won(a, b), 2, 0), (won(b, a), 0, 2), (drawn(a, b), 1, 1)))
        results.append(result)
        points[a] += of_a
        points[b] += of_b
    found = direct(Tally(group, results, scheme=ScoringScheme(), swiss=True), group) or {}
    assert found == {entry: points[entry] for entry in found}
    missing = pairs[played:]
    if missing:
        assert list(found) == alone_at_the_top(group, list(ends(points, missing)))
    else:
        assert set(found) == set(group)
