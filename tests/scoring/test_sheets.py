"""Games, Hollywood and settlement, worked out by hand (RULES §5-6, INTERFACES §2)."""

from typing import Any

import pytest

from scoring.core.errors import ScoringError
from scoring.core.hands import Knock
from scoring.core.rules import Rules
from scoring.core.sheets import Deal, SheetSide, score_sheet
from scoring.core.table_hands import TableKnock
from tests.refusals import refuses
from tests.scoring.paper import ANN_AND_BOB, sheet


def entered(rows: str, **knobs: Any) -> list[tuple[str, tuple[int, ...]]]:
    """Which columns each win was entered in."""
    state = sheet(rows, **knobs)
    return [(line.side, line.columns) for deal in state.deals for line in deal.lines]


# RULES §6


def test_first_second_and_third_win_go_to_one_two_and_three_columns() -> None:
    # S1: the first win in column 1, the second in 1 and 2, the third and later ones in all three.
    assert entered("a10 a10 a10 a10", columns=3) == [
        ("Ann", (1,)),
        ("Ann", (1, 2)),
        ("Ann", (1, 2, 3)),
        ("Ann", (1, 2, 3)),
    ]


def test_each_side_counts_its_own_wins() -> None:
    assert entered("a10 b10 a10 d b10", columns=3) == [
        ("Ann", (1,)),
        ("Bob", (1,)),
        ("Ann", (1, 2)),
        ("Bob", (1, 2)),
    ]


def test_side_shut_out_of_column_1_makes_its_first_entry_in_column_2() -> None:
    # Column 1: 60+50=110, closed. Bob has no entry in 2, so his first win goes there, his second also to 3.
    state = sheet("a60 a50 b20 b30", columns=3)
    assert [line.columns for deal in state.deals for line in deal.lines] == [(1,), (1, 2), (2,), (2, 3)]
    first, second, third = state.columns
    assert (first.status, first.winner, first.closed_by_deal) == ("closed", "Ann", 2)
    assert not first.sides[1].entries
    assert [(entry.deal, entry.points, entry.running) for entry in second.sides[1].entries] == [
        (3, 20, 20),
        (4, 30, 50),
    ]
    assert [(entry.deal, entry.points, entry.running) for entry in third.sides[1].entries] == [(4, 30, 30)]


def test_win_goes_to_open_columns_only() -> None:
    # Column 1 closes at 60+50=110; Ann has an entry in 2 and none in 3.
    assert entered("a60 a50 a10", columns=3)[-1] == ("Ann", (2, 3))


def test_one_win_closes_several_columns() -> None:
    # I: 10+20+30+70=130, II: 20+30+70=120, III: 30+70=100; all by deal 4.
    state = sheet("a10 a20 a30 a70", columns=3)
    assert [(column.status, column.closed_by_deal) for column in state.columns] == [("closed", 4)] * 3
    assert [column.sides[0].points for column in state.columns] == [130, 120, 100]
    # I: 130 + 4 boxes 100 + 100 + shutout 100 = 430; II: 120 + 75 + 200 = 395; III: 100 + 50 + 200 = 350.
    assert [column.result for column in state.columns] == [430, 395, 350]
    assert state.net == 430 + 395 + 350
    assert (state.status, state.winner, state.columns_won) == ("finished", "Ann", (3, 0))


def test_ordinary_game_is_one_column() -> None:
    assert entered("a10 b10 a10") == [("Ann", (1,)), ("Bob", (1,)), ("Ann", (1,))]


def test_game_of_the_contract() -> None:
    # INTERFACES §2: Ann 12+25+25+25+25=112 and 5 boxes, Bob 30+30=60 and 2 boxes, two dead hands;
    # 112+125+100=337, 60+50=110, 337-110=227.
    state = sheet("a12 b30 a25 d a25 b30 a25 d a25")
    (column,) = state.columns
    ann, bob = column.sides
    assert (ann.points, ann.boxes, ann.box_points, ann.game_bonus, ann.shutout_bonus, ann.total) == (
        (112, 5, 125, 100, 0, 337)
    )
    assert (bob.points, bob.boxes, bob.box_points, bob.game_bonus, bob.shutout_bonus, bob.total) == (
        (60, 2, 50, 0, 0, 110)
    )
    assert (column.closed_by_deal, column.result) == (9, 227)
    assert state.totals == (337, 110)
    assert (state.net, state.columns_won) == (227, (1, 0))


# RULES §5, the shutout: Ann 60+50=110 and 2 boxes 50, game bonus 100, Bob nothing.
@pytest.mark.parametrize(
    ("knobs", "bonus", "result"),
    [
        pytest.param({"shutout": "none"}, 0, 260, id="none: 110+50+100"),
        pytest.param({"shutout": "double_game_bonus"}, 100, 360, id="S1 S4: and 100 again"),
        pytest.param({"shutout": "double_points"}, 110, 370, id="double_points: and 110, never boxes"),
        pytest.param({"shutout": "double_total"}, 260, 520, id="S3: and 110+50+100 again"),
        pytest.param({"shutout": "flat"}, 100, 360, id="flat: and 100"),
        pytest.param({"shutout": "flat", "shutout_amount": 70}, 70, 330, id="flat: and 70"),
        pytest.param({"shutout": "none", "double_if_loser_boxless": True}, 0, 520, id="S4: 260*2"),
        pytest.param(
            {"shutout": "double_game_bonus", "double_if_loser_boxless": True},
            100,
            720,
            id="S4, it adds to the shutout: (260+100)*2",
        ),
        pytest.param({"preset": "continental"}, 100, 700, id="S4: (110+2*20+100+100)*2"),
        pytest.param({"preset": "online"}, 0, 110, id="S2: points alone"),
        pytest.param({"preset": "classic"}, 260, 520, id="S3: (110+50+100)*2"),
        pytest.param({"preset": "tournament"}, 100, 360, id="S0: 110+50+100+100"),
    ],
)
def test_shutout(knobs: dict[str, Any], bonus: int, result: int) -> None:
    state = sheet("a60 a50", **knobs)
    assert state.columns[0].sides[0].shutout_bonus == bonus
    assert state.columns[0].sides[1].shutout_bonus == 0
    assert state.columns[0].result == state.net == result


def test_loser_with_an_entry_is_not_shut_out() -> None:
    # Ann 60+50+2*25+100=260; Bob 0 points and one box 25: a hand won with 0 points is an entry and a box.
    state = sheet("a60 b0 a50", double_if_loser_boxless=True)
    assert state.columns[0].sides[0].shutout_bonus == 0
    assert state.net == 260 - 25


def test_shutout_is_judged_column_by_column() -> None:
    # Bob has no entry in I; in II he has 20. II: Ann 50+60=110+2*25+100=260, Bob 20+25=45.
    state = sheet("a60 a50 b20 a60", columns=2)
    assert [column.sides[0].shutout_bonus for column in state.columns] == [100, 0]
    assert [column.result for column in state.columns] == [360, 260 - 45]


def test_result_is_negative_when_the_boxes_of_the_loser_outweigh_the_bonus() -> None:
    # Ann 40+60=100+2*25+100=250; Bob 10*5=50+10*25=300.
    state = sheet("a40 " + "b5 " * 10 + "a60")
    (column,) = state.columns
    assert (column.status, column.winner, column.result) == ("closed", "Ann", -50)
    assert (state.net, state.winner, state.columns_won) == (-50, "Bob", (1, 0))


def test_game_without_margin_has_no_winner() -> None:
    # Ann 100+25=125 without game bonus; Bob 10+5+5+5=25+4*25=125.
    state = sheet("b10 b5 b5 b5 a100", game_bonus=0)
    assert (state.columns[0].winner, state.columns[0].result) == ("Ann", 0)
    assert (state.status, state.winner, state.net, state.columns_won) == ("finished", None, 0, (1, 0))


@pytest.mark.parametrize(("rows", "status"), [("a99", "open"), ("a100", "finished"), ("a101", "finished")])
def test_target_is_reached_at_the_target(rows: str, status: str) -> None:
    assert sheet(rows).status == status


def test_boxes_count_at_once_towards_the_target() -> None:
    # Ann 60+25=85, Bob 5+25=30, Ann 85+10+25=120: closed with 70 points.
    state = sheet("a60 b5 a10", box_credit="at_once")
    (column,) = state.columns
    ann, bob = column.sides
    assert [entry.running for entry in ann.entries] == [85, 120]
    assert [entry.running for entry in bob.entries] == [30]
    # Box points once: 70+50+100=220 against 5+25=30.
    assert (ann.points, ann.box_points, ann.total, bob.total, column.result) == (70, 50, 220, 30, 190)
    assert sheet("a60 b5 a10").status == "open"


def test_boxes_at_once_close_each_column_by_its_own_boxes() -> None:
    # I: 85, then 85+35=120, closed; II: 10+25=35.
    state = sheet("a60 a10", columns=2, box_credit="at_once")
    assert [column.status for column in state.columns] == ["closed", "open"]
    assert state.columns[1].sides[0].running == 35


@pytest.mark.parametrize(
    ("rows", "winner", "result"),
    [
        pytest.param("a40 b30 b20", "Bob", 35, id="Bob 50+2*25=100, Ann 40+25=65"),
        pytest.param("a40", "Ann", 65, id="no game bonus, no shutout, no doubling: 40+25"),
        pytest.param("a40 b40", None, 0, id="equal: nobody"),
        pytest.param("", None, 0, id="nothing played"),
        pytest.param("d d", None, 0, id="only dead hands"),
    ],
)
def test_stopped_game_settles_with_points_and_boxes(rows: str, winner: str | None, result: int) -> None:
    state = sheet(rows, stopped=True, shutout="double_total", double_if_loser_boxless=True)
    (column,) = state.columns
    assert (column.status, column.winner, column.result, column.closed_by_deal) == (
        ("stopped", winner, result, None)
    )
    assert all(side.game_bonus == side.shutout_bonus == 0 for side in column.sides)
    assert (state.status, state.winner) == ("stopped", winner)
    assert state.columns_won == (int(winner == "Ann"), int(winner == "Bob"))


def test_stopped_sheet_keeps_its_closed_columns() -> None:
    # I: Ann 60+50=110, closed: 110+50+100+100=360. II: Ann 50+25=75, Bob 30+25=55, stopped: 20. III: nobody.
    state = sheet("a60 a50 b30", columns=3, stopped=True)
    assert [(column.status, column.winner, column.result) for column in state.columns] == [
        ("closed", "Ann", 360),
        ("stopped", "Ann", 20),
        ("stopped", None, 0),
    ]
    assert (state.status, state.net, state.columns_won) == ("stopped", 380, (2, 0))


def test_finished_sheet_is_finished_even_if_time_was_called() -> None:
    assert sheet("a60 a50", stopped=True).status == "finished"
    assert sheet("a60 a50", stopped=True).net == sheet("a60 a50").net


def test_open_column_has_no_winner_and_counts_nothing() -> None:
    state = sheet("a60 a50", columns=2)
    assert (state.columns[1].status, state.columns[1].winner, state.columns[1].result) == ("open", None, 0)
    # Totals hold what stands in all columns: I 360, II 50+25.
    assert (state.status, state.winner, state.net, state.totals) == ("open", None, 360, (435, 0))


@pytest.mark.parametrize(
    ("rows", "knobs", "stopped", "net"),
    [
        pytest.param("a60 a50", {}, False, 360, id="no effect where there is one column: 360"),
        pytest.param("a40", {}, True, 65, id="nor where it is stopped: 40+25"),
        # I: 130+100+200=430, II: 120+75+200=395, III: (100+50+200)*2=700.
        pytest.param("a10 a20 a30 a70", {"columns": 3}, False, 1525, id="closed: 430+395+350*2"),
        # I: 60+30=90+2*25=140; II: 30+25=55.
        pytest.param("a60 a30", {"columns": 2}, True, 250, id="stopped: 140+55*2"),
        # I: 110+50+100=260, boxless *2=520; II: 50+50=100+50+100=250, boxless *2, last *2=1000.
        pytest.param(
            "a60 a50 a50",
            {"columns": 2, "shutout": "none", "double_if_loser_boxless": True},
            False,
            1520,
            id="both doublings: 260*2+250*2*2",
        ),
    ],
)
def test_last_column_counts_twice(rows: str, knobs: dict[str, Any], stopped: bool, net: int) -> None:
    assert sheet(rows, stopped=stopped, last_column_double=True, **knobs).net == net


def test_totals_are_not_doubled() -> None:
    state = sheet("a60 a30", columns=2, stopped=True, last_column_double=True)
    assert state.totals == (140 + 55, 0)
    assert state.net == 140 + 55 * 2


def test_last_column_can_double_a_negative_result() -> None:
    # Column 2 of a game of 10 with boxes: Ann first reaches 10 there, Bob has four boxes in it.
    # I: Bob 1, 2, 3 | Ann 10 closes: Ann 10+25=35 (game bonus 0), Bob 6+75=81: -46.
    # II: Bob 2+3=5 and 2 boxes=55; Ann's second win 10 closes: 10+25=35: -20, twice -40.
    state = sheet("b1 b2 b3 a10 a10", columns=2, target=10, game_bonus=0, last_column_double=True)
    assert [column.result for column in state.columns] == [-46, -40]
    assert state.net == -86


# Dead, voided and later deals


def test_dead_deal_keeps_its_number_and_makes_no_line() -> None:
    document = sheet("a12 d a13").to_document()
    assert document["deals"][1] == {
        "number": 2,
        "hands": [{"outcome": "dead", "winner": None, "points": 0, "boxes": 0}],
        "lines": [],
    }
    assert document["columns"][0]["sides"][0]["entries"] == [
        {"deal": 1, "points": 12, "running": 12},
        {"deal": 3, "points": 13, "running": 25},
    ]


def test_voided_deal_keeps_its_number_and_counts_nothing() -> None:
    document = sheet("a12 v a13").to_document()
    assert document["deals"][1] == {"number": 2, "hands": [], "lines": [], "void": True}
    assert document["columns"][0]["sides"][0]["points"] == 25


def test_won_hand_of_no_points_makes_a_line_with_its_box() -> None:
    document = sheet("a0").to_document()
    assert document["deals"][0]["lines"] == [{"side": "Ann", "points": 0, "boxes": 1, "columns": [1]}]
    assert document["columns"][0]["sides"][0]["box_points"] == 25


def test_deal_after_the_end_is_refused() -> None:
    with refuses(ScoringError, "sheet_finished", deal=3):
        sheet("a60 a50 b10")


def test_deal_after_the_end_is_kept_on_demand() -> None:
    state = sheet("a60 a50 b10 d", surplus="keep")
    assert [deal.counted for deal in state.deals] == [True, True, False, False]
    assert state.columns == sheet("a60 a50").columns
    assert state.to_document()["deals"][2] == {
        "number": 3,
        "hands": [{"outcome": "points", "winner": "Bob", "points": 10, "boxes": 1}],
        "lines": [],
        "counted": False,
    }
    assert "counted" not in state.to_document()["deals"][0]


def test_hand_that_cannot_be_is_placed() -> None:
    deals = [Deal((Knock("Ann", "Bob", 8, 20),)), Deal((Knock("Bob", "Ann", 11, 20),))]
    with pytest.raises(ScoringError) as refused:
        score_sheet(Rules(), ANN_AND_BOB, deals)
    error = refused.value
    assert (error.code, error.deal, error.hand, error.field) == ("illegal_knock", 2, 1, "knocker_deadwood")
    assert str(error) == "deal 2, hand 1, knocker_deadwood: Bob cannot knock with 11: the limit is 10."


def test_sheet_holds_500_deals() -> None:
    assert len(sheet("d " * 500).deals) == 500
    with refuses(ScoringError, "too_many_deals", deal=501):
        sheet("d " * 501)


def test_boxes_of_a_sheet_count_each_line_once() -> None:
    assert sheet("a10 b10 a10 a10", columns=3).boxes == (3, 1)


# RULES §8, penalties


def test_penalty_is_taken_off_where_the_line_is_entered() -> None:
    # Bob's first undercut is in I, his second in I and II. Ann's 40 and 10 are in I, her 10 in II too.
    state = sheet("a40 b2u a10 b3u", columns=3, undercut_penalty="bonus")
    assert [
        (line.side, line.points, line.boxes, line.columns) for deal in state.deals for line in deal.lines
    ] == [
        ("Ann", 40, 1, (1,)),
        ("Bob", 2, 1, (1,)),
        ("Ann", -25, 0, (1,)),
        ("Ann", 10, 1, (1, 2)),
        ("Bob", 3, 1, (1, 2)),
        ("Ann", -25, 0, (1, 2)),
    ]
    first, second, third = state.columns
    assert [(entry.deal, entry.points, entry.running) for entry in first.sides[0].entries] == [
        (1, 40, 40),
        (2, -25, 15),
        (3, 10, 25),
        (4, -25, 0),
    ]
    assert [side.points for side in second.sides] == [-15, 3]
    assert not any(side.entries for side in third.sides)
    assert (state.boxes, second.sides[0].penalties) == ((2, 2), 25)


def test_penalty_without_a_line_of_points() -> None:
    # Ann wins a box and nothing else; Bob stands at −27 and is asked for the target all the same.
    state = sheet("a27u b60 b66", undercut_penalty="all")
    (column,) = state.columns
    assert [side.points for side in column.sides] == [0, 99]
    assert (column.status, [side.boxes for side in column.sides]) == ("open", [1, 2])


def test_penalty_is_no_win() -> None:
    # Bob is undercut and wins nothing: shut out, his first win would be entered in I. 100, two boxes, game
    # and shutout for Ann, 25 less than nothing for Bob: 100+50+100+100+25.
    state = sheet("a2u a98", undercut_penalty="bonus")
    assert (state.columns[0].sides[1].has_won, state.net) == (False, 375)
    assert entered("a2u a9 b10 b10", columns=3, undercut_penalty="bonus")[-2:] == [
        ("Bob", (1,)),
        ("Bob", (1, 2)),
    ]


def test_penalty_among_three_is_no_win() -> None:
    # RULES §8, Battle Royal: a knocks with 8, b has 5, c 30: b 33, a −20.
    sides = [SheetSide(name, (name,)) for name in ("a", "b", "c")]
    hand = TableKnock("a", 8, (("b", 5), ("c", 30)))
    (column,) = score_sheet(Rules.preset("battle_royal"), sides, [Deal((hand,))]).columns
    assert [side.points for side in column.sides] == [-20, 33, 0]
    assert [side.has_won for side in column.sides] == [False, True, False]


def test_penalty_can_take_a_total_below_0_at_the_end() -> None:
    # Time is called: 0 points and a box against −27 of nothing.
    state = sheet("a27u", undercut_penalty="all", stopped=True)
    assert (state.columns[0].winner, state.net, state.totals) == ("Ann", 52, (25, -27))


# RULES §8, a match of n deals


def test_match_ends_after_its_deals() -> None:
    # 130 to 40 after three: nothing ends at 100. 130 and two boxes and the game against 40 and a box.
    state = sheet("a90 a40 b40", deals=3)
    (column,) = state.columns
    assert (state.status, column.closed_by_deal, column.winner) == ("finished", 3, "Ann")
    assert state.net == (130 + 50 + 100) - (40 + 25)
    assert sheet("a90 a40", deals=3).status == "open"
    with refuses(ScoringError, "sheet_finished", deal=4):
        sheet("a90 a40 b40 d", deals=3)


def test_most_points_win_a_match_of_deals_whatever_the_boxes() -> None:
    # 50 to 45 with one box to three: 50+25+100 against 45+75.
    state = sheet("b15 b15 a50 b15", deals=4)
    assert (state.columns[0].winner, state.net) == ("Ann", 55)
    # Where boxes count at once they are points: 75 to 120, so Bob has it.
    state = sheet("b15 b15 a50 b15", deals=4, box_credit="at_once")
    assert (state.columns[0].winner, state.net) == ("Bob", 75 - 120 - 100)


def test_nobody_has_won_a_level_match_of_deals() -> None:
    # 30 to 30: no game, no shutout, no doubling; the boxes are counted as ever, one to two.
    state = sheet("a30 b10 b20", deals=3, double_if_loser_boxless=True)
    assert [side.game_bonus for side in state.columns[0].sides] == [0, 0]
    assert (state.winner, state.net) == ("Bob", -25)
    level = sheet("a30 b30", deals=2)
    assert (level.status, level.winner, level.net, level.columns_won) == ("finished", None, 0, (0, 0))
    # Nobody is shut out of a match that was won with nothing.
    assert sheet("a0 d", deals=2, box_bonus=0).net == 0


def test_dead_deals_count_and_voided_ones_do_not() -> None:
    assert sheet("a30 d d", deals=3).status == "finished"
    assert sheet("d d", deals=2).to_document()["columns"][0]["closed_by_deal"] == 2
    assert sheet("a30 v d", deals=3).status == "open"
    state = sheet("a30 v d b10", deals=3)
    assert (state.status, state.columns[0].closed_by_deal) == ("finished", 4)


def test_deal_struck_later_makes_room_for_another() -> None:
    # The third deal had ended the match; corrected to be void, the fourth does.
    deals = "a30 b10 b40 b10"
    kept = sheet(deals, deals=3, surplus="keep")
    assert ([deal.counted for deal in kept.deals], kept.winner) == ([True, True, True, False], "Bob")
    struck = sheet(deals.replace("b40", "v"), deals=3)
    assert (struck.columns[0].closed_by_deal, struck.columns[0].winner) == (4, "Ann")
    assert struck.net == (30 + 25 + 100) - (20 + 50)


def test_time_called_before_the_last_deal() -> None:
    # Points and boxes alone: 30+25 to 10+25.
    state = sheet("a30 b10", deals=3, stopped=True)
    assert (state.status, state.columns[0].status, state.net) == ("stopped", "stopped", 20)
    # After the last it changes nothing.
    assert sheet("a30 b10 d", deals=3, stopped=True) == sheet("a30 b10 d", deals=3)


def test_shutout_in_a_match_of_deals() -> None:
    # Bob has nothing but a penalty: 52 and two boxes, game and shutout, 25 more.
    assert sheet("a50 a2u", deals=2, undercut_penalty="bonus").net == 52 + 50 + 200 + 25
