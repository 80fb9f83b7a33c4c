"""Criteria that ask whom one has met, against tables that others have published and against sums by hand."""

import re
from decimal import Decimal

import pytest

from league.core.lifecycle import MatchState
from league.core.standings import (
    Award,
    MatchResult,
    MatchSide,
    Number,
    ScoringScheme,
    StandingsError,
    rank,
)

HALF = Decimal("0.5")
CHESS = ScoringScheme(win=1, draw=HALF, bye=Award(won=1, counts=False), absent=Award(won=HALF, counts=False))

# Hamilton Chess Club (New Zealand), championship of 2018, as published on its site: place, score, and for
# each round the result (+ = −), the colour and the place of the opponent. A “+BYE” is worth a point, an
# “=BYE” (asked for) a half.
HAMILTON = """
1 5.5 +W10 +B17 +W12 =W2 +B4 +B3
2 5.5 +B27 +W16 +W9 =B1 +W8 +B10
3 4.0 =BYE +W11 +B6 =W4 +B5 -W1
4 4.0 +W22 +B15 =W8 =B3 -W1 +B13
5 4.0 -W16 +B14 +W22 +B15 -W3 +B8
6 4.0 -W21 +B27 -W3 +B23 +W16 +B14
7 4.0 -W9 -B23 +W27 +B19 +W15 +B12
8 3.5 +B25 +W21 =B4 +W13 -B2 -W5
9 3.5 +B7 +W13 -B2 =BYE +W18
10 3.5 -B1 +W25 +W26 =B12 +B17 -W2
11 3.5 =BYE -B3 -W14 +B25 +W20 +W17
12 3.0 +B20 +W18 -B1 =W10 =B14 -W7
13 3.0 +W23 -B9 +W19 -B8 +W21 -W4
14 3.0 =BYE -W5 +B11 +B22 =W12 -W6
15 3.0 +B26 -W4 +B21 -W5 -B7 +W24
16 3.0 +B5 -B2 -W17 +W24 -B6 +B22
17 2.5 +B24 -W1 +B16 =BYE -W10 -B11
18 2.5 +W19 -B12 +W23 =BYE -B9
19 2.5 -B18 +W20 -B13 -W7 =B25 +W21
20 2.5 -W12 -B19 =W25 +B27 -B11 +W26
21 2.0 +B6 -B8 -W15 +W26 -B13 -B19
22 2.0 -B4 +W24 -B5 -W14 +B26 -W16
23 2.0 -B13 +W7 -B18 -W6 -B24 +W27
24 2.0 -W17 -B22 +BYE -B16 +W23 -B15
25 2.0 -W8 -B10 =B20 -W11 =W19 +BYE
26 1.0 -W15 +BYE -B10 -B21 -W22 -B20
27 1.0 -W2 -W6 -B7 -W20 +BYE -B23
"""


def hamilton() -> tuple[list[MatchResult], dict[int, Decimal]]:
    """The results of the crosstable, each match once, and the published scores."""
    results, scores = [], {}
    for line in HAMILTON.split("\n")[1:-1]:
        place, score, *rounds = line.split()
        entry = int(place)
        scores[entry] = Decimal(score)
        for number, text in enumerate(rounds, start=1):
            if text.endswith("BYE"):
                sits_out = MatchResult.bye if text[0] == "+" else MatchResult.absent
                results.append(sits_out(entry, round=number))
                continue
            other = int(re.sub(r"\D", "", text))
            if other > entry:
                winner = {"+": MatchSide.A, "-": MatchSide.B, "=": None}[text[0]]
                results.append(MatchResult((entry,), (other,), MatchState.FINISHED, winner, round=number))
    return results, scores


def metrics(
    entries: list[int], results: list[MatchResult], name: str, scheme: ScoringScheme = CHESS
) -> dict[int, Number | None]:
    return {row.entry: row.metrics[name] for row in rank(entries, results, criteria=[name], scheme=scheme)}


def test_crosstable_gives_the_published_scores() -> None:
    results, scores = hamilton()
    assert metrics(list(scores), results, "match_points") == scores


@pytest.mark.parametrize(
    ("criterion", "first", "second"),
    [
        # As published. Opponents of 1: 3.5, 2.5, 3, 5.5, 4, 4; of 2: 1, 3, 3.5, 5.5, 3.5, 3.5.
        ("buchholz", Decimal("22.5"), Decimal(20)),
        ("sonneborn_berger", Decimal("19.75"), Decimal("17.25")),
        # Published for 1; by hand for 2, where New Zealand counts an opponent's bye otherwise.
        ("buchholz_cut1", Decimal(20), Decimal(19)),
        # By hand: without 2.5 and 5.5; without 1 and 5.5.
        ("median_buchholz", Decimal("14.5"), Decimal("13.5")),
    ],
)
def test_strength_as_published_for_a_swiss_of_27(criterion: str, first: Decimal, second: Decimal) -> None:
    results, scores = hamilton()
    found = metrics(list(scores), results, criterion)
    assert (found[1], found[2]) == (first, second)


def test_tie_of_the_first_two_is_split_as_in_the_published_table() -> None:
    results, scores = hamilton()
    rows = rank(
        list(reversed(scores)),
        results,
        criteria=["match_points", "head_to_head", "buchholz"],
        scheme=CHESS,
    )
    assert [(row.entry, row.decided_by) for row in rows[:2]] == [(1, "buchholz"), (2, "buchholz")]


def double_round(*pairs: tuple[int, int, MatchSide | None]) -> list[MatchResult]:
    return [MatchResult((a,), (b,), MatchState.FINISHED, winner) for a, b, winner in pairs]


def test_sonneborn_berger_of_a_double_round_robin() -> None:
    # Sensei's Library, “Sonneborn-Berger”: A and B have 4 wins each, A 4+3+3+1 = 11, B 4+3+1+1 = 9,
    # C 4+1+1 = 6, D 4.
    won, lost = MatchSide.A, MatchSide.B
    results = double_round(
        (1, 2, won), (1, 3, won), (1, 4, won), (2, 3, won), (2, 4, won), (3, 4, won),
        (1, 2, lost), (1, 3, won), (1, 4, lost), (2, 3, lost), (2, 4, won), (3, 4, won),
    )  # fmt: skip
    assert metrics([1, 2, 3, 4], results, "sonneborn_berger") == {1: 11, 2: 9, 3: 6, 4: 4}


def test_sonneborn_berger_takes_half_of_a_draw() -> None:
    # ChessKid, “What is a tie break”: Bob 3 points and 4.5, Mary 1.5 and 3.75, John 1.5 and 2.25.
    results = double_round(
        (1, 2, MatchSide.B),
        (1, 2, MatchSide.A),
        (1, 3, MatchSide.A),
        (1, 3, MatchSide.A),
        (2, 3, MatchSide.B),
        (2, 3, None),
    )
    found = metrics([1, 2, 3], results, "sonneborn_berger")
    assert found == {1: Decimal("4.5"), 2: Decimal("3.75"), 3: Decimal("2.25")}


def test_sonneborn_berger_has_opponents_points_as_the_table_has_them() -> None:
    # 2–1–0 instead of 1–½–0: every opponent's points double, the halves and wholes stay.
    results = double_round((1, 2, MatchSide.A), (2, 3, None), (3, 1, MatchSide.A))
    assert metrics([1, 2, 3], results, "sonneborn_berger") == {
        1: HALF,
        2: Decimal("0.75"),
        3: Decimal("1.25"),
    }
    doubled = metrics([1, 2, 3], results, "sonneborn_berger", ScoringScheme())
    assert doubled == {1: 1, 2: Decimal("1.5"), 3: Decimal("2.5")}


@pytest.mark.parametrize(
    ("criterion", "left"),
    [("buchholz", [0, 2, 4]), ("buchholz_cut1", [0, 0, 2]), ("median_buchholz", [0] * 3)],
)
def test_few_opponents_leave_little_after_a_cut(criterion: str, left: list[int]) -> None:
    # 1 has met 2 only (0 points). 2 has met 1 (2 points). 3 has met 4 and 5, who have 2 points each.
    results = double_round((1, 2, MatchSide.A), (4, 3, MatchSide.A), (5, 3, MatchSide.A))
    found = metrics([1, 2, 3, 4, 5], results, criterion, ScoringScheme())
    assert [found[1], found[2], found[3]] == left


def test_each_opponent_of_a_side_of_two_counts() -> None:
    # Partners rotate: 1 and 2 beat 3 and 4, 1 and 3 beat 2 and 4. Points 4, 2, 2, 0.
    results = [
        MatchResult((1, 2), (3, 4), MatchState.FINISHED, MatchSide.A, 10, round=1),
        MatchResult((1, 3), (2, 4), MatchState.FINISHED, MatchSide.A, 30, round=2),
    ]
    found = metrics([1, 2, 3, 4], results, "buchholz", ScoringScheme())
    # 1 met 3, 4, 2, 4: 2+0+2+0; 2 met 3, 4, 1, 3: 2+0+4+2; 3 met 1, 2, 2, 4: 4+2+2+0; 4 met 1, 2, 1, 3.
    assert found == {1: 4, 2: 8, 3: 8, 4: 4 + 2 + 4 + 2}
    # Nets 40, −20, 20, −40.
    nets = metrics([1, 2, 3, 4], results, "opponents_net", ScoringScheme())
    assert nets == {1: 20 - 40 - 20 - 40, 2: 20 - 40 + 40 + 20, 3: 40 - 20 - 20 - 40, 4: 40 - 20 + 40 + 20}


def test_ratings_rank_and_who_has_none_is_last() -> None:
    ratings: dict[int, Number] = {1: 1500, 3: Decimal("1612.5")}
    rows = rank([1, 2, 3, 4], [], criteria=["rating"], given={"rating": ratings})
    assert [(row.rank, row.entry, row.metrics["rating"]) for row in rows] == [
        (1, 3, Decimal("1612.5")),
        (2, 1, 1500),
        (3, 2, None),
        (3, 4, None),
    ]


def test_places_in_a_bracket_rank_the_least_first() -> None:
    rows = rank([1, 2, 3, 4], [], criteria=["place", "net"], given={"place": {1: 3, 2: 1, 4: 2}})
    assert [(row.entry, row.metrics["place"]) for row in rows] == [(2, 1), (4, 2), (1, 3), (3, None)]


@pytest.mark.parametrize("criterion", ["rating", "place", "lot"])
def test_criterion_of_given_figures_is_refused_without_them(criterion: str) -> None:
    with pytest.raises(StandingsError, match=criterion) as refused:
        rank([1, 2], [], criteria=["match_points", criterion])
    assert (refused.value.code, refused.value.field) == ("not_given", "given")
