"""Sheets as typed: who is meant, what is said beside a row, what is refused there and what is doubted."""

from typing import Any

import pytest

from scoring.core.hands import BigGin, Dead, Gin, HandResult, Knock, Outcome, Points
from scoring.core.rules import Rules
from scoring.core.sheets import VOID, Deal, SheetSide, TeamLine
from scoring.typing.notation import TypedSheet, read_rows, write_row
from scoring.typing.rows import team_pairing
from scoring.typing.wording import need_words, needs, to_go_words
from tests.scoring.strategies import sides

PLAYERS = (SheetSide("Abbott", ("Abbott",)), SheetSide("Castell", ("Castell",)))
TEAMS = (SheetSide("We", ("Ann", "Cid")), SheetSide("They", ("Bob", "Dee")))


def typed(rows: str, *, left: int = 0, running_totals: bool = False, **knobs: Any) -> TypedSheet:
    """A Hollywood sheet of Abbott and Castell; rows are divided by `|`."""
    rules = Rules.from_document({"columns": 3, **knobs})
    return read_rows(
        [(row,) for row in rows.split("|")],
        rules=rules,
        sides=PLAYERS,
        left=left,
        running_totals=running_totals,
    )


def is_doubted(sheet: TypedSheet) -> bool:
    """Whether a row has a doubt that was not overridden."""
    return any(not doubt.overridden for row in sheet.rows for doubt in row.warnings)


def team(*rows: tuple[str, ...], lines_only: bool = False, left: int = 0, **knobs: Any) -> TypedSheet:
    return read_rows(rows, rules=Rules.from_document(knobs), sides=TEAMS, lines_only=lines_only, left=left)


A, C = "Abbott", "Castell"
HANDS: dict[str, HandResult] = {
    "a12": Points(A, C, 12),
    "b44g": Points(C, A, 44, Outcome.GIN),
    "a27u": Points(A, C, 27, Outcome.UNDERCUT),
    "b61x": Points(C, A, 61, Outcome.BIG_GIN),
    "a26o": Points(A, C, 26, Outcome.GIN_OFF),
    "a20k": Points(A, C, 20, Outcome.KNOCK),
    "a8 20": Knock(A, C, 8, 20),
    "b8 20 7s": Knock(C, A, 8, 20, "7S"),
    "ag 31": Gin(A, C, 31),
    "bx 31": BigGin(C, A, 31),
    # A bare s is a spade of which no more is known.
    "a8 20s": Knock(A, C, 8, 20, "KS"),
    "d": Dead((A, C)),
    "bd": Dead((C, A)),
    "d 4h": Dead((A, C), "4H"),
}


@pytest.mark.parametrize(("text", "hand"), HANDS.items(), ids=HANDS)
def test_read_rows_and_back(text: str, hand: HandResult) -> None:
    sheet = typed(text)
    assert sheet.deals == (Deal((hand,)),)
    assert write_row(Deal((hand,)), 1, rules=sheet.state.rules, sides=PLAYERS) == (text,)


def test_a_is_the_other_side_when_the_paper_is_turned_round() -> None:
    assert typed("a12|bg 5", left=1).deals == (Deal((Points(C, A, 12),)), Deal((Gin(A, C, 5),)))
    assert typed("d", left=1).deals == (Deal((Dead((A, C)),)),)


def test_echo_of_a_sheet() -> None:
    """The picture of the entry page, row by row; the sums by hand."""
    sheet = typed("a18|b12|a25g|b30|d|a15|b53|a44g|b27u|a8 20|b8 6|b9 9|bg 31|v|t", undercut_on_tie=False)
    assert [str(row.echo or "") for row in sheet.rows] == [
        "Abbott 18: I 18",
        "Castell 12: I 12",
        "Abbott gin 25: I 43, II 25",
        "Castell 30: I 42, II 30",
        "dead hand",
        "Abbott 15: I 58, II 40, III 15",
        "Castell 53: I 95, II 83, III 53",
        "Abbott gin 44: I 102, II 84, III 59, closes I",
        "Castell undercut 27: II 110, III 80, closes II",
        "Abbott knocks 8–20 for 12: III 71",
        "Abbott undercuts 8–6 for 27: III 98",
        "Castell knocks 9–9, dead hand",
        "Castell gin against 31 for 56: III 136, closes III",
        "struck out",
        "time called",
    ]
    assert not sheet.errors
    assert not is_doubted(sheet)
    assert sheet.stopped
    assert sheet.state.status == "finished"


def test_echo_when_one_hand_closes_two_columns() -> None:
    sheet = typed("a10|a60|a40g", target=100)
    assert str(sheet.rows[-1].echo) == "Abbott gin 40: I 110, II 100, III 40, closes I and II"


def test_echo_says_what_an_undercut_takes_off() -> None:
    """Of a typed undercut the figure is the defender's under `bonus`, the knocker's under `all`."""
    sheet = typed("b40|a2u|b8 6|b8 8|a5o", columns=1, undercut_penalty="bonus")
    assert [str(row.echo) for row in sheet.rows] == [
        "Castell 40: I 40",
        "Abbott undercut 2, 25 off Castell: I 2; Castell: I 15",
        "Abbott undercuts 8–6 for 2, 25 off Castell: I 4; Castell: I −10",
        "Abbott undercuts 8–8, 25 off Castell: I 4; Castell: I −35",
        "Abbott undercut with nothing left 5, 25 off Castell: I 9; Castell: I −60",
    ]
    sheet = typed("b40|a27u|b8 6|a33o", columns=1, undercut_penalty="all")
    assert [str(row.echo) for row in sheet.rows] == [
        "Castell 40: I 40",
        "Abbott undercut, 27 off Castell: I 0; Castell: I 13",
        "Abbott undercuts 8–6, 27 off Castell: I 0; Castell: I −14",
        "Abbott undercut with nothing left, 33 off Castell: I 0; Castell: I −47",
    ]


def test_echo_of_a_team_s_penalty() -> None:
    sheet = team(("a2u", "b3u"), undercut_penalty="bonus", team_scoring="sum")
    assert str(sheet.rows[0].echo) == (
        "Ann undercut 2, 25 off Bob; Dee undercut 3, 25 off Cid → We 2: I 2; They 3: I 3; They −25: I −22; "
        "We −25: I −23"
    )


def test_echo_of_a_match_of_deals() -> None:
    sheet = typed("a60|a60|v|d|b7", columns=1, deals=3)
    assert [str(row.echo or "") for row in sheet.rows] == [
        "Abbott 60: I 60",
        "Abbott 60: I 120",
        "struck out",
        "dead hand, closes I",
        "",
    ]
    assert (sheet.rows[4].error is not None, sheet.state.status) == (True, "finished")


def test_deals_to_go() -> None:
    assert [str(to_go_words(typed(rows, columns=1, deals=3).state)) for rows in ("a5", "a5|v|d")] == [
        "2 deals to go",
        "1 deal to go",
    ]
    assert needs(typed("a5", columns=1, deals=3).state) == ()
    assert to_go_words(typed("a5").state) is None


def test_who_has_only_penalties_enters_the_first_column_next() -> None:
    # Castell stands at −25 in I and has won nothing there: the next win does not come into II.
    state = typed("a2u", undercut_penalty="bonus").state
    castell = [need for need in needs(state) if need.side == 1]
    assert [(need.points, need.is_next) for need in castell] == [(125, True), (100, False), (100, False)]


def test_needs_says_what_closes_a_column() -> None:
    state = typed("a18|b12|a25|b30|a15").state
    assert [str(need_words(need, state)) for need in needs(state) if need.is_next] == [
        "Abbott needs 42 to close I",
        "Castell needs 58 to close I",
        "Abbott needs 60 to close II",
        "Castell needs 70 to close II",
        "Abbott needs 85 to close III",
        "Castell needs 100 to close III",
    ]
    # Castell's first entry goes to I alone; a box of 25 counts at once.
    state = typed("a18", box_credit="at_once").state
    assert [str(need_words(need, state)) for need in needs(state) if need.is_next] == [
        "Abbott needs 32 to close I",
        "Castell needs 75 to close I",
        "Abbott needs 75 to close II",
    ]


RUNNING = {
    # (rows, knobs): the points they stand for.
    "in the first column": ("a18=|b12=|a43=|b42=", {}, [18, 12, 25, 30]),
    "in column II once I is closed": ("a60|a50|b30=|a62=", {}, [60, 50, 30, 12]),
    "mixed with points and counts": ("a18|a8 20|a62=|b5", {}, [18, 12, 32, 5]),
    "with a mark": ("a18|a62g=", {}, [18, 44]),
    # 25 for the box stand in the total with the points.
    "with box credit at once": ("a37=|a75=", {"box_credit": "at_once"}, [12, 13]),
    "with extra boxes at once": ("a80g=", {"box_credit": "at_once", "extra_boxes": {"gin": 1}}, [30]),
    # The defender's total after an undercut, and the knocker's next after what was taken off: 40 − 25 + 6.
    "after a penalty": ("b40=|a2u=|b21=", {"undercut_penalty": "bonus"}, [40, 2, 6]),
    "after a penalty of all": ("b40=|a27u|b21=", {"undercut_penalty": "all"}, [40, 0, 8]),
}


@pytest.mark.parametrize(("rows", "knobs", "points"), RUNNING.values(), ids=RUNNING)
def test_running_totals(rows: str, knobs: dict[str, Any], points: list[int]) -> None:
    sheet = typed(rows, **knobs)
    assert not sheet.errors
    assert [deal.two_handed[0][1].points for deal in sheet.state.deals] == points


def test_an_undercut_that_is_taken_off_adds_to_no_running_total() -> None:
    sheet = typed("b40|a27u|b21", running_totals=True, undercut_penalty="all")
    assert [(score.points, score.penalty) for deal in sheet.state.deals for _, score in deal.two_handed] == [
        (40, 0),
        (0, 27),
        (8, 0),
    ]
    (refused,) = typed("b40|a27u=", undercut_penalty="all").errors
    assert refused.error is not None
    assert refused.error.code == "total_of_penalty"
    assert str(refused.error.message).endswith("type the points, as in a27u.")


def test_running_totals_by_default() -> None:
    sheet = typed("a18|b12|a43|a8 20|b30!|ag 10|d", running_totals=True)
    assert [deal.two_handed[0][1].points for deal in sheet.state.deals] == [18, 12, 25, 12, 30, 35, 0]
    assert write_row(sheet.deals[2], 3, rules=sheet.state.rules, sides=PLAYERS, running_totals=True) == (
        "a25!",
    )


REFUSED = {
    "12": ("no_side", "Who? Type a12 if it was Abbott, b12 if it was Castell."),
    "a11 20": ("illegal_knock", "Abbott cannot knock with 11: the limit is 10. Check the first count"),
    "a62|a40=": ("total_too_low", "Abbott stood at 62 already: the running total cannot be 40."),
    "a1|": None,
    "a1||b2": ("empty_row", "type its hand, d if it was dead, or strike it"),
    "a60|b1|a60|a60|a60|b2": ("sheet_finished", "The sheet had ended with row 5"),
    "a60|b1|a60|a60|a60|b200=": ("sheet_finished", "The sheet had ended with row 5"),
    "a1|t|b2": ("after_time", "Time was called in row 2"),
    "la28": ("not_a_team_sheet", "without l"),
    "1v2 a3": ("no_such_player", "1v1"),
}


@pytest.mark.parametrize(("rows", "refusal"), REFUSED.items(), ids=REFUSED)
def test_refused_beside_the_row(rows: str, refusal: tuple[str, str] | None) -> None:
    sheet = typed(rows)
    if refusal is None:
        assert not sheet.errors
        return
    (row,) = sheet.errors
    assert row.error is not None
    assert (row.error.code, row.echo) == (refusal[0], None)
    assert refusal[1] in str(row.error.message)


def test_big_gin_is_refused_where_it_is_not_played() -> None:
    for rows in ("bx 31", "b61x"):
        (row,) = typed(rows, preset="tournament").rows
        assert row.error is not None
        assert row.error.code == "not_played"
        assert str(row.error.message).endswith("Gin is typed b44g or bg 19.")


def test_a_bare_spade_is_asked_for_its_card_where_the_upcard_sets_the_limit() -> None:
    sheet = typed("a8 20s|a8 20 7s|a7 20 7s|ag 20s", preset="oklahoma")
    assert [row.error.code if row.error else None for row in sheet.rows] == [
        "upcard_needed",
        "illegal_knock",
        None,
        None,
    ]
    assert sheet.state.deals[3].two_handed[0][1].points == 90
    kings = Deal((Knock(A, C, 8, 20, "KS"),))
    assert write_row(kings, 1, rules=sheet.state.rules, sides=PLAYERS) == ("a8 20 ks",)


def test_a_refused_row_keeps_its_number_and_counts_nothing() -> None:
    sheet = typed("a10|oops|b20|a5|")
    assert [row.number for row in sheet.rows] == [1, 2, 3, 4]
    assert [str(row.echo or "") for row in sheet.rows] == [
        "Abbott 10: I 10",
        "",
        "Castell 20: I 20",
        "Abbott 5: I 15, II 5",
    ]
    assert len(sheet.deals) == 3


def test_a_row_after_the_end_is_kept_and_not_counted() -> None:
    sheet = typed("a60|a60|b7", columns=1)
    assert sheet.rows[2].deal == Deal((Points(C, A, 7),))
    assert sheet.rows[2].score is not None
    assert not sheet.rows[2].score.counted


def test_time_called_settles_what_is_open() -> None:
    sheet = typed("a60|b7|t")
    assert sheet.state.status == "stopped"
    assert sheet.rows[2].stops
    assert len(sheet.deals) == 2


def test_five_hundred_rows_are_the_most() -> None:
    sheet = read_rows([("d",)] * 502, rules=Rules(), sides=PLAYERS)
    assert [row.number for row in sheet.errors] == [501, 502]
    assert len(sheet.state.deals) == 500


DOUBTS = {
    # Standard values: gin 25, big gin 31, undercut 25 to 35.
    "a98": None,
    "a99": "points_high",
    "a99k": "points_high",
    "a0": "points_none",
    "a25g": None,
    "a24g": "gin_range",
    "a123g": None,
    "a124g": "gin_range",
    "a31x": None,
    "a30x": "gin_range",
    "a25u": None,
    "a24u": "undercut_range",
    "a35u": None,
    "a36u": "undercut_range",
    "a36o": "undercut_range",
    "a8 20": None,
    "ag 98": None,
    # Spades count double.
    "a196s": None,
    "a198s": "points_high",
    "a48gs": "gin_range",
    "a50gs": None,
    "a51gs": "odd_double",
    "a50us": None,
    "a72us": "undercut_range",
}


@pytest.mark.parametrize(("text", "code"), DOUBTS.items(), ids=DOUBTS)
def test_unlikely_rows_are_doubted(text: str, code: str | None) -> None:
    sheet = typed(text, spades_double=True)
    assert [doubt.code for doubt in sheet.rows[0].warnings] == ([] if code is None else [code])
    assert not sheet.errors
    assert is_doubted(sheet) is (code is not None)


@pytest.mark.parametrize(
    ("text", "penalty", "said"),
    [
        ("a0u", "bonus", None),
        ("a10u", "bonus", None),
        ("a27u", "bonus", "An undercut pays 0 to 10 here; 27 is typed."),
        ("a27u", "all", None),
        ("a2u", "all", "An undercut takes 25 to 35 off the knocker here; 2 is typed."),
    ],
)
def test_the_figure_of_an_undercut_is_doubted_by_its_penalty(
    text: str, penalty: str, said: str | None
) -> None:
    doubts = typed(text, undercut_penalty=penalty).rows[0].warnings
    assert [str(doubt.message) for doubt in doubts] == ([] if said is None else [said])


def test_a_tie_is_no_undercut_where_it_is_dead() -> None:
    assert is_doubted(typed("a25u", undercut_on_tie=False))


def test_a_spade_doubles_nothing_where_it_is_not_played() -> None:
    assert is_doubted(typed("a150s"))
    assert not is_doubted(typed("a51gs"))


def test_a_doubt_is_overridden_by_its_key_until_the_row_changes() -> None:
    (doubt,) = typed("A 120").rows[0].warnings

    def saved(text: str) -> bool:
        return not is_doubted(read_rows([(text,)], rules=Rules(), sides=PLAYERS, overridden={doubt.key}))

    assert saved("a120")
    assert not saved("a121")
    assert not saved("b120")


def test_a_running_total_is_doubted_for_its_points() -> None:
    (doubt,) = typed("a50|a160=", target=300).rows[1].warnings
    assert doubt.code == "points_high"
    assert "110" in str(doubt.message)


def test_team_pairing_turns_by_a_seat_every_deal() -> None:
    assert team_pairing(1, TEAMS) == (("Ann", "Bob"), ("Cid", "Dee"))
    assert team_pairing(2, TEAMS) == (("Ann", "Dee"), ("Cid", "Bob"))
    assert team_pairing(3, TEAMS) == team_pairing(1, TEAMS)
    three = [[right for _, right in team_pairing(number, sides(3))] for number in (1, 2, 3, 4)]
    assert three == [["T0", "T1", "T2"], ["T1", "T2", "T0"], ["T2", "T0", "T1"], ["T0", "T1", "T2"]]


def test_team_rows() -> None:
    sheet = team(("a16", "a12"), ("b13", "ag 5"), ("1v1 d", "b6"), ("la28 3",), ("ld",))
    assert sheet.deals == (
        Deal((Points("Ann", "Bob", 16), Points("Cid", "Dee", 12))),
        Deal((Points("Dee", "Ann", 13), Gin("Cid", "Bob", 5))),
        Deal((Dead(("Ann", "Bob")), Points("Dee", "Cid", 6))),
        Deal(line=TeamLine("We", 28, 3)),
        Deal((Dead(("Ann", "Bob")), Dead(("Cid", "Dee")))),
    )
    assert [str(row.echo or "") for row in sheet.rows] == [
        "Ann 16; Cid 12 → We 28: I 28",
        "Dee 13; Cid gin against 5 for 30 → We 17: I 45",
        "dead hand; Dee 6 → They 6: I 6",
        "We 28 with 3 boxes: I 73",
        "dead hand; dead hand → nobody scores",
    ]


def test_team_rows_with_the_other_side_on_the_left() -> None:
    sheet = team(("a16", "b12"), ("2v1 a3", "b4"), left=1)
    assert sheet.deals == (
        Deal((Points("Bob", "Ann", 16), Points("Cid", "Dee", 12))),
        # They's second player against We's first; the other table is left to the rest.
        Deal((Points("Dee", "Ann", 3), Points("Cid", "Bob", 4))),
    )


def test_team_lines_alone() -> None:
    sheet = team(("a28",), ("b62=",), ("a50= 2",), ("d",), ("a5", "b6"), lines_only=True)
    assert [deal.line for deal in sheet.deals[:3]] == [
        TeamLine("We", 28),
        TeamLine("They", 62),
        TeamLine("We", 22, 2),
    ]
    assert sheet.deals[3].hands == (Dead(("Ann", "Dee")), Dead(("Cid", "Bob")))
    assert sheet.deals[4].hands == (Points("Ann", "Bob", 5), Points("Dee", "Cid", 6))


TEAM_REFUSALS = {
    "a table without its hand": (("a12",), "table_missing", 1),
    "a first table without its hand": (("", "a12"), "table_missing", 0),
    "a total at a table": (("a62=", "d"), "total_at_table", 0),
    "a player twice": (("1v1 a3", "1v2 a4"), "player_twice", 1),
    "no such player": (("1v3 a3", "a4"), "no_such_player", 0),
    "a knock over the limit": (("a3", "b11 20"), "illegal_knock", 1),
    "an unreadable table": (("a3", "x"), "not_understood", 1),
    "a field too many": (("a3", "a4", "a5"), "too_many_fields", None),
    "time in a table": (("a3", "t"), "row_alone", None),
    "a line beside a hand": (("la3", "a4"), "row_alone", None),
}


@pytest.mark.parametrize(("row", "code", "cell"), TEAM_REFUSALS.values(), ids=TEAM_REFUSALS)
def test_team_rows_when_refused(row: tuple[str, ...], code: str, cell: int | None) -> None:
    (read,) = team(row).errors
    assert read.error is not None
    assert (read.error.code, read.error.cell) == (code, cell)


def test_a_high_team_line_is_doubted() -> None:
    # Two hands of 98 + 31 are the most.
    assert not is_doubted(team(("la258",)))
    assert is_doubted(team(("la259",)))
    assert is_doubted(team(("la0",)))


def test_a_struck_deal_is_written_as_such() -> None:
    assert write_row(VOID, 3, rules=Rules(), sides=PLAYERS) == ("v",)
