"""Byes, rounds asked off and matches given away: what they count as, for oneself and for one's opponents.

A Swiss of five worked by hand, two points a win and one a draw:

    round 1   1 beats 2 by 50    3 beats 4 by 30    5 has a bye
    round 2   1 beats 3 by 20    5 beats 4 by 45    2 has a bye
    round 3   5 beats 1 by 15    2 and 3 draw       4 has a bye

    points    1: 2+2+0 = 4    2: 0+2+1 = 3    3: 2+0+1 = 3    4: 0+0+2 = 2    5: 2+2+2 = 6
    net       1: 50+20−15 = 55    2: −50    3: 30−20 = 10    4: −30−45 = −75    5: 45+15 = 60
"""

from decimal import Decimal
from fractions import Fraction

import pytest

from league.core.lifecycle import MatchState
from league.core.standings import (
    AdjustmentNote,
    Award,
    CountsAs,
    MatchResult,
    MatchSide,
    Number,
    Row,
    ScoringScheme,
    StandingsError,
    rank,
)
from tests.refusals import refuses

ZERO, OWN, WINNERS = CountsAs.ZERO, CountsAs.OWN_AVERAGE, CountsAs.ROUND_WINNERS
FIVE = [1, 2, 3, 4, 5]


def won(winner: int, loser: int, by: int, round: int) -> MatchResult:
    return MatchResult((winner,), (loser,), MatchState.FINISHED, MatchSide.A, by, round=round)


SWISS = [
    won(1, 2, 50, 1),
    won(3, 4, 30, 1),
    MatchResult.bye(5, round=1),
    won(1, 3, 20, 2),
    won(5, 4, 45, 2),
    MatchResult.bye(2, round=2),
    won(5, 1, 15, 3),
    MatchResult((2,), (3,), MatchState.FINISHED, round=3),
    MatchResult.bye(4, round=3),
]


def byes(*, net: CountsAs = ZERO, strength: CountsAs = ZERO) -> ScoringScheme:
    return ScoringScheme(bye=Award(counts=False, net=net, strength=strength))


def table(results: list[MatchResult], criterion: str, scheme: ScoringScheme) -> list[Number | None]:
    rows = {row.entry: row for row in rank(FIVE, results, criteria=[criterion], scheme=scheme)}
    return [rows[entry].metrics[criterion] for entry in FIVE]


@pytest.mark.parametrize(
    ("counts", "nets"),
    [
        (ZERO, [55, -50, 10, -75, 60]),
        # Own: 5 has (45+15)/2 = 30; 2 has (−50+0)/2 = −25; 4 has (−30−45)/2 = −37.5, halves upward −37.
        (OWN, [55, -75, 10, -112, 90]),
        # Winners of round 1: (50+30)/2 = 40; of round 2: (20+45)/2 = 32.5, so 33; of round 3: 15.
        (WINNERS, [55, -17, 10, -60, 100]),
    ],
)
def test_net_of_a_bye(counts: CountsAs, nets: list[int]) -> None:
    assert table(SWISS, "net", byes(net=counts)) == nets


@pytest.mark.parametrize(
    ("counts", "nets"),
    [
        # A cap of 40: 1 beats 2 by 40, 5 beats 4 by 40.
        (ZERO, [40 + 20 - 15, -40, 10, -30 - 40, 40 + 15]),
        # Own, capped: 5 has 55/2 = 27.5, so 28; 2 has −20; 4 has −35.
        (OWN, [45, -60, 10, -105, 83]),
        # Winners, capped: round 1 (40+30)/2 = 35, round 2 (20+40)/2 = 30, round 3 15.
        (WINNERS, [45, -10, 10, -55, 90]),
    ],
)
def test_capped_net_of_a_bye(counts: CountsAs, nets: list[int]) -> None:
    rows = rank(FIVE, SWISS, criteria=["net_capped"], scheme=byes(net=counts), net_cap=40)
    assert {row.entry: row.metrics["net_capped"] for row in rows} == dict(zip(FIVE, nets, strict=True))


def test_cap_leaves_the_net_itself_alone_and_without_one_both_are_the_same() -> None:
    capped = {row.entry: row.net for row in rank(FIVE, SWISS, criteria=["net_capped"], net_cap=1)}
    assert capped == {1: 55, 2: -50, 3: 10, 4: -75, 5: 60}
    rows = rank(FIVE, SWISS, criteria=["net_capped"])
    assert all(row.metrics["net_capped"] == row.net for row in rows)


@pytest.mark.parametrize(
    ("criterion", "counts", "figures"),
    [
        # 1 met 2, 3, 5; 2 met 1, 3; 3 met 4, 1, 2; 4 met 3, 5; 5 met 4, 1; and 2, 4, 5 had a bye.
        ("buchholz", ZERO, [12, 7, 9, 9, 6]),
        ("buchholz", OWN, [12, 7 + 3, 9, 9 + 2, 6 + 6]),
        # Winners of round 1 are 1 and 3: 3.5; of round 2 are 1 and 5: 5; of round 3 is 5: 6.
        ("buchholz", WINNERS, [12, 7 + 5, 9, 9 + 6, 6 + Decimal("3.5")]),
        # Without the weakest: 1 drops 3; 2 drops the bye; 3 drops 2; 4 and 5 drop the bye.
        ("buchholz_cut1", ZERO, [9, 7, 7, 9, 6]),
        # 1: 3, 3, 6 -> 3; 2: 4, 0, 3 -> 3; 3: 2, 4, 3 -> 3; 4: 3, 6, 0 -> 3; 5: 0, 2, 4 -> 2.
        ("median_buchholz", ZERO, [3, 3, 3, 3, 2]),
        # 1 beat 2 and 3; 2 drew with 3; 3 beat 4 and drew with 2; 4 won nothing but its bye; 5 beat 4 and 1.
        ("sonneborn_berger", ZERO, [6, Decimal("1.5"), Decimal("3.5"), 0, 6]),
        ("sonneborn_berger", OWN, [6, Decimal("4.5"), Decimal("3.5"), 2, 12]),
        ("opponents_net", ZERO, [-50 + 10 + 60, 55 + 10, -75 + 55 - 50, 10 + 60, -75 + 55]),
        ("opponents_net", OWN, [20, 65 - 50, -70, 70 - 75, -20 + 60]),
        # Winners of round 1: (55+10)/2 = 32.5, so 33; of round 2: (55+60)/2 = 57.5, so 58; of round 3: 60.
        ("opponents_net", WINNERS, [20, 65 + 58, -70, 70 + 60, -20 + 33]),
    ],
)
def test_strength_of_a_bye(criterion: str, counts: CountsAs, figures: list[Number]) -> None:
    assert table(SWISS, criterion, byes(strength=counts)) == figures


def test_average_points_of_the_winners_are_rounded_to_the_hundredth() -> None:
    # Winners of the round have 2, 2 and 1 points (3 lost one by a forfeit against 7): 5/3 = 1.67.
    results = [won(1, 2, 9, 1), won(3, 4, 9, 1), won(5, 6, 9, 1), MatchResult.bye(8, round=1)]
    results.append(MatchResult((7,), (5,), MatchState.FORFEIT, MatchSide.A, round=2))
    scheme = ScoringScheme(bye=Award(counts=False, strength=WINNERS), forfeit=Award(won=2, lost=-1))
    rows = rank(range(1, 9), results, criteria=["buchholz"], scheme=scheme)
    assert {row.entry: row.metrics["buchholz"] for row in rows}[8] == Decimal("1.67")


@pytest.mark.parametrize("state", [MatchState.FORFEIT, MatchState.WALKOVER])
@pytest.mark.parametrize(
    ("counts", "nets", "strengths"),
    [
        (ZERO, (50, -50, 0), (0, 2, 0)),
        # 3 has played nothing: its average is 0 and it is as strong as its own 2 points.
        (OWN, (50, -50, 0), (0, 2 + 0, 2)),
        # The winner of round 2 is 4, by 8, with 2 points.
        (WINNERS, (50, -50, 8), (0, 2 + 2, 2)),
    ],
)
def test_match_given_away_was_against_a_virtual_opponent_for_both(
    state: MatchState, counts: CountsAs, nets: tuple[int, ...], strengths: tuple[int, ...]
) -> None:
    results = [won(1, 2, 50, 1), MatchResult((2,), (3,), state, MatchSide.B, 999, round=2), won(4, 5, 8, 2)]
    award = Award(net=counts, strength=counts)
    scheme = ScoringScheme(forfeit=award, walkover=award)
    assert table(results, "net", scheme)[:3] == list(nets)
    assert table(results, "buchholz", scheme)[:3] == list(strengths)
    assert table(results, "match_points", scheme)[:3] == [2, 0, 2]


def test_round_asked_off_has_its_own_award() -> None:
    # 1 wins by 50 and then asks off; 3 has a bye in the same round.
    results = [won(1, 2, 50, 1), MatchResult.absent(1, round=2), MatchResult.bye(3, round=2)]
    scheme = ScoringScheme(absent=Award(won=1, counts=False, net=OWN, strength=OWN))
    rows = {row.entry: row for row in rank(FIVE, results, criteria=["buchholz"], scheme=scheme)}
    assert (rows[1].points, rows[1].played, rows[1].net, rows[1].metrics["buchholz"]) == (3, 1, 100, 0 + 3)
    assert (rows[3].points, rows[3].played, rows[3].net, rows[3].metrics["buchholz"]) == (2, 0, 0, 0)


def test_adjustment_of_an_opponent_leaves_ones_strength_alone() -> None:
    late = AdjustmentNote(2, -2, "late")
    rows = rank([1, 2], [won(1, 2, 5, 1)], criteria=["buchholz"], adjustments=[late])
    assert [(row.entry, row.points, row.metrics["buchholz"]) for row in rows] == [(2, -2, 2), (1, 2, 0)]


def test_guests_are_opponents_without_a_row() -> None:
    rows = rank([1, 2, 3, 4], SWISS, criteria=["match_points", "buchholz"], unranked=[5])
    assert [(row.rank, row.entry, row.metrics["buchholz"]) for row in rows] == [
        (1, 1, 12),
        (2, 3, 9),
        (3, 2, 7),
        (4, 4, 9),
    ]


def test_guest_cannot_be_ranked_too() -> None:
    with refuses(StandingsError, "duplicate_entry"):
        rank([1, 2], [], criteria=["net"], unranked=[2])


def nights(*figures: tuple[int, int]) -> list[MatchResult]:
    """Nights of entry 1 against entry 2: the net, and how many columns it won, a point each."""
    return [
        MatchResult((1,), (2,), MatchState.FINISHED, None, net, columns, round=number)
        for number, (net, columns) in enumerate(figures, start=1)
    ]


def best(count: int | None, *figures: tuple[int, int]) -> Row:
    scheme = ScoringScheme(win=1, draw=0, column=1)
    rows = rank([1, 2], nights(*figures), criteria=["match_points"], scheme=scheme, best_of=count)
    return next(row for row in rows if row.entry == 1)


@pytest.mark.parametrize(
    ("name", "count", "played", "points", "net"),
    [
        ("all of them", None, 4, 3 + 1 + 2 + 2, -20 + 90 + 40 + 10),
        ("more than there are", 9, 4, 8, 120),
        ("best by points, not by net", 1, 1, 3, -20),
        ("equal points: the better net", 2, 2, 3 + 2, -20 + 40),
        ("then the next", 3, 3, 3 + 2 + 2, -20 + 40 + 10),
    ],
)
def test_only_the_best_nights_count(name: str, count: int | None, played: int, points: int, net: int) -> None:
    row = best(count, (-20, 3), (90, 1), (40, 2), (10, 2))
    assert (row.played, row.points, row.net) == (played, points, net), name


def test_night_that_does_not_count_is_no_meeting_and_no_opponent() -> None:
    # The worse night of 1 is the one against 3, so its Buchholz has 2 only; 3 still has met 1.
    results = [won(1, 2, 10, 1), won(3, 1, 10, 2)]
    rows = rank([1, 2, 3], results, criteria=["match_points", "head_to_head", "buchholz"], best_of=1)
    assert [(row.entry, row.points, row.played, row.metrics["buchholz"]) for row in rows] == [
        (3, 2, 1, 2),
        (1, 2, 1, 0),
        (2, 0, 1, 2),
    ]
    assert [row.decided_by for row in rows] == ["buchholz", "buchholz", None]


def test_byes_and_several_matches_of_a_night_are_one_night() -> None:
    results = [won(1, 2, 10, 1), won(1, 3, 10, 1), won(1, 4, 90, 2), MatchResult.bye(1, round=3)]
    (row,) = [row for row in rank(FIVE, results, criteria=["net"], best_of=1) if row.entry == 1]
    assert (row.points, row.net, row.played) == (4, 20, 2)


@pytest.mark.parametrize(("arguments", "field"), [({"net_cap": -1}, "net_cap"), ({"best_of": 0}, "best_of")])
def test_impossible_limits_are_refused(arguments: dict[str, int], field: str) -> None:
    with refuses(StandingsError, "out_of_range", field=field):
        rank([1], [], criteria=["net"], **arguments)  # type: ignore[arg-type]


def test_hands_won_and_gins_are_added_up_and_not_from_matches_given_away() -> None:
    played = MatchResult(
        (1,), (2,), MatchState.STOPPED, MatchSide.A, 5, hands_a=7, hands_b=6, gins_a=1, gins_b=2
    )
    given = MatchResult((1,), (2,), MatchState.FORFEIT, MatchSide.A, hands_a=7, hands_b=6, gins_a=1, gins_b=2)
    rows = rank([1, 2], [played, given], criteria=["hands_won", "gins"])
    assert [(row.entry, row.hands_won, row.gins, dict(row.metrics)) for row in rows] == [
        (1, 7, 1, {"hands_won": 7, "gins": 1}),
        (2, 6, 2, {"hands_won": 6, "gins": 2}),
    ]


FIDE = CountsAs.FIDE
AS_FIDE = ScoringScheme(
    bye=Award(counts=False, strength=FIDE),
    absent=Award(won=1, counts=False, strength=FIDE),
    forfeit=Award(strength=FIDE),
    walkover=Award(strength=FIDE),
)


def test_a_bye_as_fide_has_it_is_as_strong_as_oneself_and_no_stronger_than_a_draw_in_each_round() -> None:
    """C.07, 16.4.2: 5 has 6 points, three draws are 3; 2 has 3 of its own, 4 has 2.

    1: 3+3+6   2: 4+3+3   3: 2+4+3   4: 3+6+2   5: 3+2+4
    """
    assert table(SWISS, "buchholz", AS_FIDE) == [12, 10, 9, 11, 9]
    assert table(SWISS, "buchholz", byes()) == [12, 7, 9, 9, 6]


def test_sonneborn_berger_as_fide_has_it_wins_against_the_bye() -> None:
    """1 beat 2 and 3. 2 won the bye and drew with 3. 3 beat 4 and drew with 2. 4 the bye. 5 it, 4 and 1."""
    half = Decimal("1.5")
    assert table(SWISS, "sonneborn_berger", AS_FIDE) == [3 + 3, 3 + half, 2 + half, 2, 3 + 2 + 4]


def test_opponents_of_who_withdrew_lose_nothing_as_fide_has_it() -> None:
    """C.07, 16.2.5 and 16.3.2: the two rounds that 4 missed are draws for 3, whom it met; 16.4 for itself."""
    results = [
        won(1, 2, 50, 1),
        won(3, 4, 30, 1),
        won(1, 3, 20, 2),
        MatchResult.bye(2, round=2),
        won(2, 3, 10, 3),
        MatchResult.bye(1, round=3),
    ]
    for scheme, expected in ((AS_FIDE, [4 + 2 + 3, 6 + 3 + 2, 2 + 6 + 4, 2]), (byes(), [6, 8, 10, 2])):
        rows = rank([1, 2, 3, 4], results, criteria=["buchholz"], scheme=scheme, missed={4: {2: 0, 3: 0}})
        assert {row.entry: row.metrics["buchholz"] for row in rows} == dict(enumerate(expected, start=1))


def test_a_round_asked_off_counts_as_it_was_given_once_one_plays_again() -> None:
    """C.07, 16.2.3: 4 sits out round 1 for nothing and plays on; 3 sits out round 2, the last: a draw."""
    scheme = ScoringScheme(absent=Award(won=0, counts=False, strength=FIDE))
    results = [
        won(1, 2, 50, 1),
        won(3, 5, 10, 1),
        MatchResult.absent(4, round=1),
        won(1, 4, 20, 2),
        won(5, 2, 20, 2),
        MatchResult.absent(3, round=2),
    ]
    # 1 has 4 points, 2 and 4 none, 3 and 5 two; met as an opponent 3 has a draw more.
    assert table(results, "buchholz", scheme) == [0 + 0, 4 + 2, 2 + 2, 0 + 4, 3 + 0]


def test_rounds_before_one_came_late_are_asked_off_for_nothing_as_fide_has_it() -> None:
    """4 enters for round 2 and wins: its round 1 is against 2 points of its own, no more than two draws.

    16.5: what is cut first is the round in which it did not come. Whom it met has gained nothing by that.
    """
    results = [won(1, 2, 10, 1), MatchResult.bye(3, round=1), won(4, 2, 10, 2), won(1, 3, 10, 2)]
    criteria = ["buchholz", "buchholz_cut1"]
    rows = rank([1, 2, 3, 4], results, criteria=criteria, scheme=AS_FIDE, missed={4: {1: 0}})
    assert {row.entry: (row.points, *row.metrics.values()) for row in rows} == {
        1: (4, 0 + 2, 2),
        2: (0, 4 + 2, 4),
        3: (2, 2 + 4, 4),
        4: (2, 2 + 0, 0),
    }


def test_walkover_as_fide_has_it_is_no_stronger_than_who_was_drawn() -> None:
    """C.07, 16.4.1: 2 did not come and has 2 points, 1 has 4. 16.5: of 2 its own no-show is cut."""
    results = [
        MatchResult((1,), (2,), MatchState.WALKOVER, MatchSide.A, round=1),
        won(3, 4, 10, 1),
        won(1, 3, 10, 2),
        won(2, 4, 10, 2),
    ]
    rows = {
        row.entry: row.metrics
        for row in rank([1, 2, 3, 4], results, criteria=["buchholz", "buchholz_cut1"], scheme=AS_FIDE)
    }
    assert rows[1] == {"buchholz": 2 + 2, "buchholz_cut1": 2}
    assert rows[2] == {"buchholz": 2 + 0, "buchholz_cut1": 0}


MET_ALL_THE_SAME = ScoringScheme(
    bye=Award(won=0, counts=False, strength=CountsAs.OPPONENT),
    forfeit=Award(strength=CountsAs.OPPONENT),
    walkover=Award(strength=CountsAs.OPPONENT),
)


def test_where_everybody_meets_everybody_a_walkover_is_a_match_as_any_other() -> None:
    """C.07, 15.2: 3 has beaten 1, who has 4 points: 4 × 1. 2 has beaten 3, who has 2. So 3 is third.

    1 beat 4 (4 points) and 2 (2), 4 beat 3 and 2.
    """
    results = [
        won(1, 4, 10, 1),
        MatchResult((3,), (1,), MatchState.WALKOVER, MatchSide.A, round=1),
        won(1, 2, 10, 2),
        won(4, 3, 10, 2),
        won(2, 3, 10, 3),
        won(4, 2, 10, 3),
    ]
    rows = rank([1, 2, 3, 4], results, criteria=["match_points", "sonneborn_berger"], scheme=MET_ALL_THE_SAME)
    assert [(row.rank, row.entry, row.metrics["sonneborn_berger"]) for row in rows] == [
        (1, 1, 4 + 2),
        (2, 4, 2 + 2),
        (3, 3, 4),
        (4, 2, 2),
    ]
    nets = rank([1, 2, 3, 4], results, criteria=["opponents_net"], scheme=MET_ALL_THE_SAME)
    # 1 has 20, 2 has −10, 3 has −20 and 4 has 10: nothing together, and each met all others.
    assert {row.entry: row.metrics["opponents_net"] for row in nets} == {1: -20, 2: 10, 3: 20, 4: -10}


def test_where_everybody_meets_everybody_a_rest_is_no_opponent() -> None:
    """C.07, 15.2: what is left out as the weakest of 1 is 2, with two points, and not its rest."""
    results = [
        MatchResult.bye(1, round=1),
        won(1, 2, 10, 2),
        won(3, 1, 10, 3),
        won(2, 3, 10, 1),
        won(3, 4, 10, 2),
    ]
    rows = rank([1, 2, 3, 4], results, criteria=["buchholz_cut1"], scheme=MET_ALL_THE_SAME)
    assert {row.entry: row.metrics["buchholz_cut1"] for row in rows}[1] == 4


@pytest.mark.parametrize(
    ("win", "draw", "loss", "former", "figures"),
    [
        # 1 beat 2 and drew with 3; 2 beat 3; in points of a win where a draw is half of that.
        (2, 1, 0, False, (2 + Decimal("0.5"), 1, Decimal("1.5"))),
        (2, 1, 0, True, (2 + Decimal("0.5"), 1, Decimal("1.5"))),
        # 4, 3 and 1 points: three times those of whom one beat, once those of whom one drew with.
        (3, 1, 0, False, (3 * 3 + 1, 3 * 1, 4)),
        (3, 1, 0, True, (3 + Decimal("0.5"), 1, 2)),
        # 5, 4 and 3 points: who lost has a point of it.
        (3, 2, 1, False, (3 * 4 + 2 * 3, 5 + 3 * 3, 2 * 5 + 4)),
    ],
)
def test_sonneborn_berger_is_by_the_points_taken(
    win: int, draw: int, loss: int, former: bool, figures: tuple[Number, ...]
) -> None:
    """C.07, 9.1: with 3, 1 and 0 a draw is a third of a win, and before that it was half of one here."""
    scheme = ScoringScheme(win=win, draw=draw, loss=loss)
    results = [won(1, 2, 5, 1), MatchResult((1,), (3,), MatchState.FINISHED, round=2), won(2, 3, 5, 3)]
    rows = rank([1, 2, 3], results, criteria=["sonneborn_berger"], scheme=scheme, former=former)
    assert (
        tuple(row.metrics["sonneborn_berger"] for row in sorted(rows, key=lambda row: row.entry)) == figures
    )


def test_sonneborn_berger_where_columns_count() -> None:
    """Two columns and the sheet are three points of the four that 1 has; 2 has the third column, a point."""
    result = MatchResult((1,), (2,), MatchState.FINISHED, MatchSide.A, 9, 2, 1)
    rows = rank(
        [1, 2], [result], criteria=["sonneborn_berger"], scheme=ScoringScheme(win=1, draw=0, column=1)
    )
    assert [row.metrics["sonneborn_berger"] for row in rows] == [3 * 1, 1 * 3]


def test_points_for_rounds_missed_by_coming_late_are_byes_as_fide_has_it() -> None:
    """C.07, 16.3.1: 4 came for round 2 and was given a point, half a win, for round 1; it then beat 2.

    Whoever met 4 met 1 + 2 points. Its own round 1 is against 3, no more than two draws; a draw: 2 × ½.
    """
    results = [won(1, 2, 10, 1), MatchResult.bye(3, round=1), won(4, 2, 10, 2), won(1, 3, 10, 2)]
    criteria = ["buchholz", "sonneborn_berger"]
    rows = rank([1, 2, 3, 4], results, criteria=criteria, scheme=AS_FIDE, missed={4: {1: 1}})
    assert {row.entry: tuple(row.metrics.values()) for row in rows} == {
        1: (0 + 2, 0 + 2),
        2: (4 + 3, 0),
        3: (2 + 4, 2),
        4: (2 + 0, 1 + 0),
    }


def test_a_bye_worth_a_win_is_not_asked_off_as_fide_has_it() -> None:
    """C.07, 16.2.1: the last round of 2 gave it two points, and it counts as awarded for 1, who met it.

    For 2 it is no round in which it did not come: of 2, 0 and 3 draws the weakest is cut. A point is a draw.
    """
    results = [won(1, 2, 10, 1), won(2, 3, 10, 2), MatchResult.absent(2, round=3)]
    for points, former, expected in (
        (2, False, (2 + 2, 2 + 3)),
        (2, True, (2 + 1, 2)),
        (1, False, (2 + 1, 2)),
    ):
        scheme = ScoringScheme(absent=Award(won=points, counts=False, strength=FIDE), win=2)
        rows = {
            row.entry: row.metrics
            for row in rank(
                [1, 2, 3], results, criteria=["buchholz", "buchholz_cut1"], scheme=scheme, former=former
            )
        }
        assert (rows[1]["buchholz"], rows[2]["buchholz_cut1"]) == expected


def test_who_gave_a_match_up_after_it_had_begun_was_met_as_fide_has_it() -> None:
    """C.07, 15.1: a round is unplayed if nothing was played. 1 met 2, who has 2 points, and 3, with none."""
    given_up = MatchResult((1,), (2,), MatchState.FORFEIT, MatchSide.A, round=1, begun=True)
    results = [given_up, won(1, 3, 10, 2), won(2, 4, 10, 2)]
    for former in (False, True):
        rows = {
            row.entry: row.metrics
            for row in rank(
                [1, 2, 3, 4], results, criteria=["buchholz_cut1"], scheme=AS_FIDE, former=former, swiss=True
            )
        }
        # 2 met 1, with 4 points; before, a round in which it did not come.
        assert rows[2]["buchholz_cut1"] == (0 if former else 4)


def test_figures_per_match_leave_rests_out() -> None:
    """By hand, 2 a win: 5 has 6 points of three rounds, 4 of them from two matches; net 45 + 15 = 60 → 30.

    1 has 4 of three matches and no rest, 2 one of two. A bye that counts and gives a net changes nothing.
    """
    for bye in (Award(counts=False), Award(won=0, counts=False), Award(won=7, net=OWN)):
        rows = {
            row.entry: row.per_match
            for row in rank(FIVE, SWISS, criteria=["net"], scheme=ScoringScheme(bye=bye))
        }
        assert rows[5] == (Fraction(2), Fraction(30))
        assert rows[1] == (Fraction(4, 3), Fraction(55, 3))
        assert rows[2] == (Fraction(1, 2), Fraction(-25))
    nobody = rank([1, 2], [MatchResult.bye(1)], criteria=["match_points"])
    for row in nobody:
        assert row.per_match == (Fraction(0), Fraction(0))


# What 5 has played in round 1 in place of the bye, outside the event: lost by 12, with a hand won.
EXTRA = MatchResult((5,), (), MatchState.BYE, MatchSide.B, -12, hands_a=1, hands_b=3, round=1, extra=True)


def with_extra(**scheme: object) -> dict[int, Row]:
    results = [EXTRA if each == SWISS[2] else each for each in SWISS]
    criteria = ["match_points", "buchholz", "opponents_net", "hands_won"]
    rows = rank(FIVE, results, criteria=criteria, scheme=ScoringScheme(**scheme))  # type: ignore[arg-type]
    return {row.entry: row for row in rows}


@pytest.mark.parametrize("own", [ZERO, OWN])
def test_bye_that_was_played_counts_as_played_and_for_opponents_as_a_bye(own: CountsAs) -> None:
    """5 has 0 + 2 + 2 points and −12 + 45 + 15 net; its Buchholz is 2 + 4 and that of a bye.

    The bye of 4 is worth its average of −30 and −45 net, halves up.
    """
    row = with_extra(bye=Award(counts=False, net=OWN, strength=own))[5]
    assert (row.points, row.net, row.played, row.wins, row.losses) == (4, 48, 3, 2, 1)
    assert row.metrics["hands_won"] == 1
    assert row.metrics["buchholz"] == 2 + 4 + (4 if own == OWN else 0)
    assert row.metrics["opponents_net"] == (-75 - 37) + 55 + (48 if own == OWN else 0)
    # To whom 5 has met it is an opponent of 4 points.
    assert with_extra()[1].metrics["buchholz"] == 3 + 3 + 4


def test_match_whose_absent_player_a_bot_replaced_is_a_forfeit_for_his_side_alone() -> None:
    """2 was not there in round 1, and has lost; 1 has lost by 50 to the bot."""
    missing = MatchResult((1,), (2,), MatchState.FINISHED, MatchSide.B, -50, round=1, missing=MatchSide.B)
    results = [missing, *SWISS[1:]]
    scheme = ScoringScheme(loss=0, forfeit=Award(won=2, lost=-1))
    rows = {row.entry: row for row in rank(FIVE, results, criteria=["match_points", "net"], scheme=scheme)}
    assert (rows[1].points, rows[1].losses, rows[1].net) == (0 + 2 + 0, 2, -50 + 20 - 15)
    assert (rows[2].points, rows[2].losses, rows[2].net) == (-1 + 2 + 1, 1, 0)
