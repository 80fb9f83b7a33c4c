"""Teams: what a deal of several tables enters (RULES §7, INTERFACES §2), worked out by hand."""

from typing import Any

import pytest

from scoring.core.hands import Gin, HandResult, Knock
from scoring.core.rules import Rules
from scoring.core.sheets import Deal, TeamLine, score_sheet
from tests.scoring.paper import WE_AND_THEY, lines, team_sheet

EXTRA = {"extra_boxes": {"gin": 1, "undercut": 2}}


@pytest.mark.parametrize(
    ("row", "line"),
    [
        pytest.param("w16,w12", [("We", 28, 1)], id="S4, both win: 16+12=28"),
        pytest.param("w7,t13", [("They", 6, 1)], id="S4, one each: 13-7=6"),
        pytest.param("w13,t13", [], id="equal: nobody scores, no box"),
        pytest.param("w16,d", [("We", 16, 1)], id="a dead hand counts 0, the other stands"),
        pytest.param("d,d", [], id="all dead"),
        pytest.param("w0,d", [], id="0 points against none: equal, no line"),
    ],
)
def test_net_enters_the_difference_as_one_line(row: str, line: list[tuple[str, int, int]]) -> None:
    assert lines(team_sheet(row)) == [line]


@pytest.mark.parametrize(
    ("row", "line"),
    [
        pytest.param("w16,w12", [("We", 28, 2)], id="both win: 16+12=28, 1+1 boxes"),
        pytest.param("w7,t13", [("We", 7, 1), ("They", 13, 1)], id="one each: both lines"),
        pytest.param("w13,t13", [("We", 13, 1), ("They", 13, 1)], id="equal: both lines"),
        pytest.param("w16,d", [("We", 16, 1)], id="a dead hand counts 0"),
        pytest.param("d,d", [], id="all dead"),
        pytest.param("w0,d", [("We", 0, 1)], id="a hand won with 0 is won"),
    ],
)
def test_sum_enters_what_each_team_made(row: str, line: list[tuple[str, int, int]]) -> None:
    assert lines(team_sheet(row, team_scoring="sum")) == [line]


@pytest.mark.parametrize(
    ("row", "scoring", "boxes"),
    [
        pytest.param("w16,w12", "net", 4, id="net, both won: 1+3"),
        pytest.param("w16,t12", "net", 1, id="net, one lost"),
        pytest.param("w16,d", "net", 1, id="net, one dead"),
        pytest.param("w16,w12", "sum", 5, id="sum, both won: 1+1+3"),
        pytest.param("w16,d", "sum", 1, id="sum, one dead"),
    ],
)
def test_sweep_needs_every_hand_of_the_deal(row: str, scoring: str, boxes: int) -> None:
    state = team_sheet(row, team_scoring=scoring, sweep_boxes=3)
    assert state.deals[0].lines[0].boxes == boxes


def gin(other: int, upcard: str | None = None) -> HandResult:
    return Gin("Wim", "Tom", other, upcard)


def gin_of_they(other: int) -> HandResult:
    return Gin("Ted", "Wes", other)


def undercut(upcard: str | None = None) -> HandResult:
    return Knock("Ted", "Wes", 8, 6, upcard)


# Standard rules with extra boxes gin 1, undercut 2. Gin 20+25=45, undercut 8-6+25=27, a spade doubles them.
SPADES: dict[str, Any] = {"spades_double": True}


@pytest.mark.parametrize(
    ("hands", "knobs", "expected"),
    [
        pytest.param([gin(20), undercut()], {}, ("We", 72, 4), id="net: 45+27, 1+1+2 boxes"),
        pytest.param(
            [gin(20), gin_of_they(10)], {}, ("We", 10, 2), id="net, the loser's gin gives nothing: 45-35, 1+1"
        ),
        pytest.param([gin(20), undercut()], {"sweep_boxes": 5}, ("We", 72, 9), id="net and sweep: 1+1+2+5"),
        pytest.param(
            [gin(20, "7S"), undercut()], SPADES, ("We", 117, 4), id="net, spade, none: 90+27, 1+1+2"
        ),
        pytest.param(
            [gin(20, "7S"), undercut()],
            {**SPADES, "spades_double_boxes": "extra"},
            ("We", 117, 5),
            id="net, spade, extra: 1+2*1+2",
        ),
        pytest.param(
            [gin(20, "7S"), undercut()],
            {**SPADES, "spades_double_boxes": "all"},
            ("We", 117, 5),
            id="net, spade, all: the line is one box still, 1+2*1+2",
        ),
        pytest.param(
            [gin(20, "7S"), undercut()],
            {**SPADES, "spades_double_boxes": "all", "team_scoring": "sum"},
            ("We", 117, 7),
            id="sum, spade, all: (2*1+2*1)+(1+2)",
        ),
        pytest.param(
            [gin(20, "7S"), undercut("9S")],
            {**SPADES, "spades_double_boxes": "extra", "team_scoring": "sum", "sweep_boxes": 1},
            ("We", 144, 9),
            id="sum, two spades, extra, sweep: 90+54, (1+2*1)+(1+2*2)+1",
        ),
    ],
)
def test_boxes_of_a_team_line(
    hands: list[HandResult], knobs: dict[str, Any], expected: tuple[str, int, int]
) -> None:
    rules = Rules.from_document({**EXTRA, **knobs})
    state = score_sheet(rules, WE_AND_THEY, [Deal(tuple(hands))])
    assert lines(state) == [[expected]]


def test_team_target_is_in_force() -> None:
    # S1 and S4: 125. 60+60=120 is not enough, 124+1 is.
    assert team_sheet("w60,w60").status == "open"
    assert team_sheet("w60,w65").status == "finished"
    assert team_sheet("w60,w60").to_document()["rules"]["target"] == 125
    # S1: 150; and a target given alone holds for teams.
    assert team_sheet("w60,w65", team_target=150).status == "open"
    assert team_sheet("w50,w50", target=100).status == "finished"


def test_team_settles_like_a_player() -> None:
    # We 130 and a box 25, game bonus 100; They 20 and a box: 255-45.
    assert team_sheet("t10,t10 w100,w30").net == 130 + 25 + 100 - (20 + 25)


def test_shutout_of_a_team_is_judged_by_its_lines() -> None:
    # They win a hand in each deal, but never the deal: no line. We 60-10=50, 90-10=80: 130+2*25+100+100.
    state = team_sheet("w60,t10 w90,t10")
    assert not state.columns[0].sides[1].entries
    assert state.net == 380
    # Under sum the same hands are lines of theirs: We 150+2*25+100, They 20+2*25.
    assert team_sheet("w60,t10 w90,t10", team_scoring="sum").net == 300 - 70


def test_hollywood_counts_lines_of_the_team() -> None:
    state = team_sheet("w5,w5 w5,t5 w5,w5 t9,t9", columns=3)
    assert [[line.columns for line in deal.lines] for deal in state.deals] == [[(1,)], [], [(1, 2)], [(1,)]]


# INTERFACES §2: under `sum` both lines are entered before columns are checked; a target of 100.


def both_past(rows: str) -> list[tuple[str | None, int | None, list[int]]]:
    state = team_sheet(rows, team_scoring="sum", target=100)
    return [
        (column.winner, column.closed_by_deal, [side.running for side in column.sides])
        for column in state.columns
    ]


def test_higher_sum_wins_when_both_pass_the_target() -> None:
    # 95+10=105, 90+20=110
    assert both_past("w95,t90 w10,t20") == [("They", 2, [105, 110])]
    assert both_past("w95,t90 w30,t20") == [("We", 2, [125, 110])]


def test_more_points_in_the_deal_win_when_both_sums_are_equal() -> None:
    # 95+10=105, 85+20=105: They made more in this deal.
    assert both_past("w95,t85 w10,t20") == [("They", 2, [105, 105])]
    assert both_past("w85,t95 w20,t10") == [("We", 2, [105, 105])]


def test_column_stays_open_when_that_is_equal_too() -> None:
    assert both_past("w95,t95 w10,t10") == [(None, None, [105, 105])]
    assert both_past("w95,t95 w10,t10 w20,t20") == [(None, None, [125, 125])]
    assert both_past("w95,t95 w10,t10 w20,t20 d,d t1,d") == [("They", 5, [125, 126])]


def test_only_one_past_the_target_wins() -> None:
    assert both_past("w95,t90 w10,t5") == [("We", 2, [105, 95])]


def test_both_lines_enter_before_the_column_closes() -> None:
    # Entered one after the other, We would close at 105 and They would lose their entry of 20.
    state = team_sheet("w95,t60 w10,t20", team_scoring="sum", target=100)
    assert state.columns[0].sides[1].points == 80


def test_line_kept_alone_counts_like_a_deal() -> None:
    deals = [Deal(line=TeamLine("We", 28)), Deal(line=TeamLine("They", 6, 3)), Deal(line=TeamLine("We", 97))]
    state = score_sheet(Rules(), WE_AND_THEY, deals)
    assert lines(state) == [[("We", 28, 1)], [("They", 6, 3)], [("We", 97, 1)]]
    # 28+97=125: We 125+50+100=275, They 6+75=81
    assert (state.status, state.net) == ("finished", 275 - 81)
    assert state.to_document()["deals"][1]["hands"] == []


@pytest.mark.parametrize("penalty", ["none", "bonus", "all"])
def test_penalties_change_nothing_under_net(penalty: str) -> None:
    # 8-6+25=27 for We and 9-6+25=28 for They, wherever they are written: They 1.
    hands = (Knock("Tom", "Wim", 8, 6), Knock("Wes", "Ted", 9, 6))
    state = score_sheet(Rules(undercut_penalty=penalty), WE_AND_THEY, [Deal(hands)])
    assert lines(state) == [[("They", 1, 1)]]


def test_penalties_of_both_teams_come_after_their_lines() -> None:
    state = team_sheet("w2u,t3u w90,w8", team_scoring="sum", undercut_penalty="bonus", target=100)
    assert lines(state) == [
        [("We", 2, 1), ("They", 3, 1), ("They", -25, 0), ("We", -25, 0)],
        [("We", 98, 2)],
    ]
    # 2-25+98=75 is short of 100.
    assert [(entry.points, entry.running) for entry in state.columns[0].sides[0].entries] == [
        (2, 2),
        (-25, -23),
        (98, 75),
    ]
    assert state.status == "open"


def test_match_of_deals_of_teams() -> None:
    # 28 to 6 after two deals, one of them dead at both tables: 28+25+100 and the shutout.
    state = team_sheet("w16,w12 d,d", deals=2)
    assert (state.status, state.winner, state.net) == ("finished", "We", 253)
