"""The best and the worst place still possible: worked examples, and all outcomes of small events."""

import itertools
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.core.lifecycle import MatchState
from league.core.pairing.round_robin import schedule
from league.core.possible_places import Possible, possible_places
from league.core.standings import (
    AdjustmentNote,
    Award,
    CountsAs,
    MatchResult,
    MatchSide,
    Number,
    Row,
    ScoringScheme,
    rank,
)
from league.core.standings.cuts import ranks_without_lot
from league.core.still_to_play import (
    LateEntries,
    Left,
    LeftMatch,
    LeftRest,
    OpenRound,
)

A, B = MatchSide.A, MatchSide.B
USUAL = ScoringScheme()


def points_scheme(win: Number, draw: Number, loss: Number = 0) -> ScoringScheme:
    given_away = Award(won=win, lost=loss)
    return ScoringScheme(win=win, draw=draw, loss=loss, forfeit=given_away, walkover=given_away)


def table(points: Mapping[int, int], *, scheme: ScoringScheme = USUAL) -> list[Row]:
    """A table of these points, where what parts those who are level depends on opponents."""
    notes = [AdjustmentNote(entry, number, "so far") for entry, number in points.items()]
    return rank(points, [], criteria=("match_points", "buchholz"), scheme=scheme, adjustments=notes)


def ranked(entries: Iterable[int], results: Iterable[MatchResult], **how: Any) -> list[Row]:
    """A table whose lots put the lower number first."""
    entries = list(entries)
    return rank(entries, results, given={"lot": {entry: -entry for entry in entries}}, **how)


def games(left: Mapping[tuple[int, int], int]) -> list[LeftMatch]:
    return [LeftMatch(1, (a,), (b,)) for (a, b), count in left.items() for _ in range(count)]


def spans(found: Mapping[int, Possible]) -> dict[int, tuple[int, int | None]]:
    return {entry: (place.best, place.worst) for entry, place in found.items()}


# --- worked examples


def test_best_place_is_told_as_if_others_won_nothing() -> None:
    """All have 3 points, and 2 and 3 have a match left. If both lose it, 1 may be first by tie-breaks.

    So with the table of K. Wayne's assignment "Baseball Elimination" (Princeton, COS 226, 2004): there one of
    two wins, and Philadelphia cannot be first; here a director may say that nobody does.
    """
    found = possible_places(table({1: 3, 2: 3, 3: 3}), games({(2, 3): 1}), scheme=USUAL)
    assert spans(found) == {1: (1, 3), 2: (1, 3), 3: (1, 3)}
    atlanta, philadelphia, new_york, montreal = 1, 2, 3, 4
    wins = {atlanta: 83, philadelphia: 80, new_york: 78, montreal: 77}
    left = {
        (atlanta, philadelphia): 1,
        (atlanta, new_york): 6,
        (atlanta, montreal): 1,
        (philadelphia, montreal): 2,
    }
    found = possible_places(
        table({team: 2 * count for team, count in wins.items()}), games(left), scheme=USUAL
    )
    # Montreal wins three more at most, and Atlanta has 83.
    assert [found[team].best for team in wins] == [1, 1, 1, 2]


def test_leader_is_safe_where_only_one_of_his_rivals_can_win() -> None:
    """Ann has 6 and is done; Bob and Cid have 4, and meet; Dot cannot reach anybody."""
    found = possible_places(table({1: 6, 2: 4, 3: 4, 4: 0}), games({(2, 3): 1}), scheme=USUAL)
    assert spans(found) == {1: (1, 2), 2: (1, 3), 3: (1, 3), 4: (4, 4)}
    assert [found[entry].is_decided for entry in (1, 2, 3, 4)] == [False, False, False, True]


@pytest.mark.parametrize("lists", [True, False])
def test_draw_that_brings_both_ahead_is_not_overlooked(lists: bool) -> None:
    """With 3 for a win and 1 for a draw two who meet cannot both pass 5 from 3, and can from 5."""
    scheme = points_scheme(3, 1)
    found = possible_places(
        table({1: 5, 2: 3, 3: 3}, scheme=scheme), games({(2, 3): 1}), scheme=scheme, lists=lists
    )
    assert spans(found)[1] == (1, 2)
    found = possible_places(
        table({1: 5, 2: 5, 3: 5}, scheme=scheme), games({(2, 3): 1}), scheme=scheme, lists=lists
    )
    # After a draw both are ahead; if both lose it, nobody need be.
    assert spans(found)[1] == (1, 3)


def test_what_parts_the_settled_cannot_change() -> None:
    """Ann and Bob are level and done, Ann ahead by net; Cid and Dot meet for the third place."""
    results = [
        MatchResult((1,), (3,), MatchState.FINISHED, A, 90, round=1),
        MatchResult((2,), (4,), MatchState.FINISHED, A, 20, round=1),
    ]
    rows = ranked((1, 2, 3, 4), results, criteria=("match_points", "net", "lot"))
    left = games({(3, 4): 1})
    found = possible_places(rows, left, scheme=points_scheme(1, 0))
    assert spans(found)[1] == (1, 1)
    # With points for a win Cid or Dot come level with Ann and Bob.
    found = possible_places(rows, left, scheme=USUAL)
    assert spans(found) == {1: (1, 2), 2: (2, 3), 3: (1, 4), 4: (1, 4)}


def test_decided_stands_if_a_match_is_left_out() -> None:
    """Ann has 4 points. Cid, who has 4 too, passes her even by losing, which is worth one, but must play."""
    scheme = points_scheme(3, 2, 1)
    found = possible_places(table({1: 4, 2: 3, 3: 4}, scheme=scheme), games({(2, 3): 1}), scheme=scheme)
    assert spans(found)[1] == (2, 3)
    assert (found[1].sure_of, found[1].out_of, found[1].is_decided) == (3, 0, False)
    found = possible_places(table({1: 9, 2: 2, 3: 2}), games({(2, 3): 3}), scheme=USUAL)
    assert (found[1].sure_of, found[1].is_decided) == (1, True)


def test_who_has_gone_takes_no_place_of_those_who_go_on() -> None:
    rows, left = table({1: 8, 2: 6, 3: 1, 4: 0}), games({(3, 4): 1})
    assert possible_places(rows, left, scheme=USUAL)[3].out_of == 2
    assert possible_places(rows, left, scheme=USUAL, gone={1})[3].out_of == 1


def test_who_shares_a_place_for_good_is_not_sure_to_be_among_so_many() -> None:
    """Ann and Bob share the second place whatever Cid does: both cannot be the second who goes on."""
    notes = [AdjustmentNote(entry, points, "") for entry, points in ((1, 5), (2, 5), (3, 9), (4, 0))]
    rows = rank((1, 2, 3, 4), [], criteria=("match_points", "net"), adjustments=notes)
    found = possible_places(rows, games({(3, 4): 1}), scheme=USUAL)
    assert [(found[entry].worst, found[entry].is_decided, found[entry].sure_of) for entry in (1, 2, 3)] == [
        (2, True, 3),
        (2, True, 3),
        (1, True, 1),
    ]


def test_nothing_left_nothing_said() -> None:
    assert possible_places(table({1: 2, 2: 1}), [], scheme=USUAL) == {}
    assert possible_places([], games({(1, 2): 1}), scheme=USUAL) == {}


def test_steps_are_limited_and_bounds_are_wide_beyond(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who comes when the steps are used up is told what it and each other can win by themselves."""
    rows, left = mostly_played(12)
    narrow = possible_places(rows, left, scheme=USUAL)
    monkeypatch.setattr("league.core.possible_places._MOST_STEPS", 150)
    wide = possible_places(rows, left, scheme=USUAL)
    assert wide == possible_places(rows, left, scheme=USUAL)
    assert narrow != wide
    for entry, place in wide.items():
        assert place.best <= narrow[entry].best
        assert (place.worst or 0) >= (narrow[entry].worst or 0) > 0


def mostly_played(count: int) -> tuple[list[Row], list[LeftMatch]]:
    chance, rounds = random.Random(count), schedule(count)
    results = [
        MatchResult(
            (a,), (b,), MatchState.FINISHED, A if chance.random() < 0.5 + (b - a) / (2 * count) else B
        )
        for drawn in rounds[: 2 * len(rounds) // 3]
        for a, b in drawn.pairs
    ]
    left = [LeftMatch(d.number, (a,), (b,)) for d in rounds[2 * len(rounds) // 3 :] for a, b in d.pairs]
    return ranked(range(count), results, criteria=("match_points", "net", "lot")), left


# --- all outcomes of small events

SCHEMES = [
    (USUAL, 1),
    (points_scheme(3, 1), 1),
    (points_scheme(1, Decimal("0.5")), 1),
    (points_scheme(3, 2, 1), 1),
    (points_scheme(2, 0), 1),
    (points_scheme(2, 1, -1), 1),
    (ScoringScheme(win=1, draw=0, column=1, forfeit=Award(won=1), walkover=Award(won=1)), 3),
    (ScoringScheme(bye=Award(counts=False, net=CountsAs.ROUND_WINNERS)), 1),
]
CRITERIA = [
    ("match_points", "net", "columns_won", "head_to_head", "lot"),
    ("match_points", "head_to_head", "net", "lot"),
    ("match_points", "buchholz", "net"),
    ("match_points", "wins"),
    ("net", "head_to_head", "lot"),
    ("match_points", "lot"),
    ("match_points", "lot", "net"),
]


def outcomes(left: LeftMatch, columns: int, *, left_out: bool) -> Iterator[list[MatchResult]]:
    """Return everything that can come of a match: won by little or much, drawn, given away, lost by both.

    Also not played, with `left_out`.
    """
    sheets = [(columns, 0), (0, columns), (0, 0)] if columns > 1 else [(0, 0)]
    for (winner, net), (a, b) in itertools.product(((A, 1), (A, 700), (B, -1), (B, -700), (None, 0)), sheets):
        yield [
            MatchResult(left.side_a, left.side_b, MatchState.FINISHED, winner, net, a, b, round=left.round)
        ]
    for winner in (A, B, None):
        yield [MatchResult(left.side_a, left.side_b, MatchState.WALKOVER, winner, round=left.round)]
    if left_out:
        yield []


@settings(max_examples=25, deadline=None)
@given(chance=st.randoms(use_true_random=False), which=st.sampled_from(SCHEMES), lists=st.booleans())
def test_no_outcome_is_outside(chance: random.Random, which: tuple[ScoringScheme, int], lists: bool) -> None:
    """In the tables that `rank` makes of every outcome nobody stands outside; nor is what is sure not so."""
    scheme, columns = which
    entries = list(range(1, chance.randint(3, 5) + 1))
    guests = [entries.pop()] if len(entries) > 3 and chance.random() < 0.2 else []
    pairs = list(itertools.combinations((*entries, *guests), 2))
    chance.shuffle(pairs)
    count = 1 if columns > 1 else chance.randint(1, 2)
    left = [LeftMatch(chance.randint(1, 4), (a,), (b,)) for a, b in pairs[:count]]
    rests = [LeftRest(3, chance.choice(entries), MatchState.BYE)] if chance.random() < 0.2 else []
    results: list[MatchResult] = []
    for number, (a, b) in enumerate(pairs[count:]):
        played = LeftMatch(number // 2 + 1, (a,), (b,))
        results += chance.choice(list(outcomes(played, columns, left_out=True)))
    how: dict[str, Any] = {
        "criteria": chance.choice(CRITERIA),
        "restart": chance.random() < 0.3,
        "scheme": scheme,
        "adjustments": [AdjustmentNote(entries[0], chance.choice((-1, 1, 2, 4)), "")],
        "unranked": guests,
        "best_of": chance.choice((None, None, 2)),
    }
    found = possible_places(
        ranked(entries, results, **how),
        [*left, *rests],
        scheme=scheme,
        columns=columns,
        results=results,
        best_of=how["best_of"],
        lists=lists,
    )
    byes = [MatchResult.bye(rest.entry, round=rest.round) for rest in rests]
    for left_out in (False, True):
        ways = [outcomes(match, columns, left_out=left_out) for match in left]
        for way in itertools.product(*ways, [byes, []] if left_out else [byes]):
            rows = ranked(entries, results + [result for each in way for result in each], **how)
            shared = ranks_without_lot(rows, how["criteria"][0])
            for row, first in zip(rows, shared, strict=True):
                place = found[row.entry]
                assert place.worst is not None
                assert place.sure_of is not None
                if not left_out:
                    assert place.best <= row.rank <= place.worst
                # Whoever is level but for the lot may be given any of the places that they share.
                assert place.out_of < first
                assert first + shared.count(first) - 1 <= place.sure_of
                assert not place.is_decided or row.rank == place.best == place.worst


def spans_by_points(
    points: Sequence[int], ways: Iterable[Iterable[Sequence[int]]]
) -> dict[int, tuple[int, int]]:
    """Best and worst place over all ways in which points can come, whoever may be level may be above."""
    best, worst = [len(points)] * len(points), [1] * len(points)
    for way in itertools.product(*ways):
        ends = [sum(each) for each in zip(points, *way, strict=True)]
        for entry, own in enumerate(ends):
            best[entry] = min(best[entry], 1 + sum(other > own for other in ends))
            worst[entry] = max(worst[entry], sum(other >= own for other in ends))
    return dict(enumerate(zip(best, worst, strict=True)))


def gains(count: int, match: tuple[int, int], values: tuple[tuple[int, int], ...]) -> list[list[int]]:
    return [[dict(zip(match, pair, strict=True)).get(entry, 0) for entry in range(count)] for pair in values]


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_few_outcomes_are_told_exactly_and_the_best_place_always(data: st.DataObject) -> None:
    win, draw = data.draw(st.sampled_from(((2, 1), (3, 1), (1, 0))))
    count = data.draw(st.integers(3, 6))
    points = data.draw(st.lists(st.integers(0, 6), min_size=count, max_size=count))
    pairs = list(itertools.combinations(range(count), 2))
    left = data.draw(st.lists(st.sampled_from(pairs), min_size=1, max_size=5, unique=True))
    scheme = points_scheme(win, draw)
    values = ((win, 0), (draw, draw), (0, win), (0, 0))
    wanted = spans_by_points(points, [gains(count, match, values) for match in left])
    rows, matches = table(dict(enumerate(points)), scheme=scheme), [LeftMatch(1, (a,), (b,)) for a, b in left]
    assert spans(possible_places(rows, matches, scheme=scheme)) == wanted
    for entry, (best, worst) in spans(possible_places(rows, matches, scheme=scheme, lists=False)).items():
        assert best == wanted[entry][0]
        assert worst is not None
        assert worst >= wanted[entry][1]


def rounds_of(entries: tuple[int, ...], here: int, byes: int = 1) -> Iterator[dict[int, int]]:
    """Yield all that a round can bring those of the first `here` numbers: any match, also lost by both, one
    bye for 2, rounds asked off for 1, or missed.
    """
    if not entries:
        yield {}
        return
    first, *others = entries
    for points, is_bye in ((0, False), (1, False), (2, True)):
        if not is_bye or byes:
            for rest in rounds_of(tuple(others), here, byes - is_bye):
                yield rest | {first: points}
    for other in others:
        for rest in rounds_of(tuple(entry for entry in others if entry != other), here, byes):
            for a, b in ((2, 0), (1, 1), (0, 2), (0, 0)):
                yield rest | {first: a, other: b}


@pytest.mark.parametrize("late", [0, 1, 2])
@pytest.mark.parametrize("points", [(4, 4, 2, 0), (6, 3, 3, 3), (5, 1, 0), (8, 6, 6, 5), (13, 4, 2)])
def test_whoever_comes_before_a_round_is_paired_is_foreseen(points: tuple[int, ...], late: int) -> None:
    """All outcomes of round 5, the last, in which nobody or up to two come, with points for four rounds.

    Nobody is outside, and whoever is told no worst place is passed by all who come.
    """
    scheme = ScoringScheme(absent=Award(won=1, counts=False))
    here = len(points)
    left: list[Left] = [OpenRound(5, tuple(range(here)))]
    rows = table(dict(enumerate(points)))
    found = possible_places(rows, left, scheme=scheme, late=LateEntries(late, 5))
    without = possible_places(rows, left, scheme=scheme)
    for coming in range(3):
        count = here + coming
        ends = [*points, *[4 * late] * coming]
        ways = [[way[entry] for entry in range(count)] for way in rounds_of(tuple(range(count)), here)]
        for entry, (best, worst) in spans_by_points(ends, [ways]).items():
            if entry < here:
                place = found[entry]
                assert place.best <= best
                assert worst <= (count if place.worst is None else place.worst)
                assert place.worst is None or place.sure_of is not None
                assert (place.worst is None) == (points[entry] <= max(4 * late + 2, 5 * late))
                if not coming:
                    assert worst <= (without[entry].worst or 0)


def test_whoever_comes_after_the_last_round_is_paired_has_the_points_for_all() -> None:
    """Of five rounds the last is drawn: who comes now has five points, and cannot pass 6; nor can Cid."""
    rows, left = table({1: 6, 2: 5, 3: 3}), games({(2, 3): 1})
    found = possible_places(rows, left, scheme=USUAL, late=LateEntries(1, 5))
    assert spans(found) == {1: (1, 2), 2: (1, None), 3: (2, None)}
    assert [found[entry].is_decided for entry in (1, 2, 3)] == [False] * 3
    assert [found[entry].sure_of for entry in (1, 2, 3)] == [2, None, None]


def test_where_points_are_not_first_whoever_comes_may_be_above_all() -> None:
    rows = rank((1, 2), [], criteria=("net", "match_points"))
    found = possible_places(rows, [OpenRound(1, (1, 2))], scheme=USUAL, late=LateEntries(0, 1))
    assert spans(found) == {1: (1, None), 2: (1, None)}


@pytest.mark.parametrize(
    "criteria",
    [("match_points", "net", "lot"), ("match_points", "lot", "net"), ("match_points", "head_to_head", "lot")],
)
def test_lot_makes_nobody_sure_and_nobody_out(criteria: tuple[str, ...]) -> None:
    """Ann and Bob are level and done; the lot puts Ann first. Cid and Dot meet and stay behind both."""
    results = [
        MatchResult((1,), (3,), MatchState.FINISHED, A, 50, round=1),
        MatchResult((2,), (4,), MatchState.FINISHED, A, 50, round=1),
        MatchResult((1,), (4,), MatchState.FINISHED, A, 50, round=2),
        MatchResult((2,), (3,), MatchState.FINISHED, A, 50, round=2),
    ]
    rows = ranked((1, 2, 3, 4), results, criteria=criteria)
    found = possible_places(rows, games({(3, 4): 1}), scheme=USUAL)
    assert spans(found) == {1: (1, 1), 2: (2, 2), 3: (3, 4), 4: (3, 4)}
    assert [(found[entry].sure_of, found[entry].out_of) for entry in (1, 2, 3)] == [(2, 0), (2, 0), (4, 2)]
    assert [found[entry].is_decided for entry in (1, 2, 3)] == [True, True, False]


def test_only_the_best_nights_count() -> None:
    """Of three nights two count: Ann has 4 of 4 and cannot gain; Bob has 2 and 0, and comes level at most."""
    results = [
        MatchResult((1,), (2,), MatchState.FINISHED, A, 10, round=1),
        MatchResult((1,), (3,), MatchState.FINISHED, A, 10, round=2),
        MatchResult((2,), (3,), MatchState.FINISHED, A, 10, round=3),
    ]
    rows = ranked((1, 2, 3), results, criteria=("match_points", "net", "lot"), best_of=2)
    left = [LeftMatch(4, (1,), (3,)), LeftMatch(5, (2,), (3,))]
    found = possible_places(rows, left, scheme=USUAL, results=results, best_of=2)
    assert spans(found) == {1: (1, 3), 2: (1, 3), 3: (1, 3)}
    found = possible_places(rows, left[:1], scheme=USUAL, results=results, best_of=2)
    assert spans(found) == {1: (1, 1), 2: (2, 3), 3: (2, 3)}
