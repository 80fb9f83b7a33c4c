"""What holds for whatever is typed, and for every deal written as a row."""

from hypothesis import given
from hypothesis import strategies as st

from scoring.core.rules import Rules
from scoring.core.sheets import Deal, RunningSheet, SheetSide, score_sheet
from scoring.typing.notation import read_rows, write_row
from tests.scoring.strategies import sheets, sides

Sheet = tuple[Rules, tuple[SheetSide, SheetSide], list[Deal]]

FIELDS = (
    st.text(alphabet="abdgltuvx=!@0123456789 +-*/.s", max_size=8)
    | st.from_regex(
        r"l?[ab] ?(g |x )?[0-9]{1,3}( [0-9]{1,2})?[gux]?[=!]?s?( [0-9kqj][cdhs])?", fullmatch=True
    )
    | st.sampled_from(["d", "t", "v", "", "1v2 a8 20", "la62="])
    | st.text(max_size=50)
)
MARKED = Rules.preset("oklahoma", columns=3, box_credit="at_once", extra_boxes={"gin": 1}, target=60)
PENALTIES = Rules(undercut_penalty="bonus", team_scoring="sum", target=60)
DEALS = Rules(undercut_penalty="all", deals=5)


@given(
    rows=st.lists(st.lists(FIELDS, max_size=4), max_size=30),
    rules=st.sampled_from([Rules(), Rules.preset("tournament", columns=3), MARKED, PENALTIES, DEALS]),
    size=st.integers(1, 3),
    left=st.integers(0, 1),
    running_totals=st.booleans(),
    lines_only=st.booleans(),
)
def test_anything_typed_is_read_or_refused_beside_its_row(
    rows: list[list[str]], rules: Rules, size: int, left: int, running_totals: bool, lines_only: bool
) -> None:
    pair = sides(size)
    sheet = read_rows(
        rows, rules=rules, sides=pair, left=left, running_totals=running_totals, lines_only=lines_only
    )
    for row in sheet.rows:
        assert (row.error is None) == (row.echo is not None)
        assert row.error is None or (str(row.error.message) and row.error.code)
        assert row.error is not None or row.stops or row.deal is not None
    if not sheet.errors:
        assert sheet.state == score_sheet(rules, pair, sheet.deals, stopped=sheet.stopped)


@given(sheets(most=8), st.integers(0, 1), st.booleans())
def test_deals_written_as_rows_are_read_back_equal(sheet: Sheet, left: int, running_totals: bool) -> None:
    rules, pair, deals = sheet
    rows = [
        write_row(deal, number, rules=rules, sides=pair, left=left, running_totals=running_totals)
        for number, deal in enumerate(deals, start=1)
    ]
    read = read_rows(rows, rules=rules, sides=pair, left=left, running_totals=running_totals)
    assert read.deals == tuple(deals)
    assert read.state == score_sheet(rules, pair, deals, surplus="keep")


@given(sheets(most=20, sizes=(1,)), st.integers(0, 1))
def test_running_totals_make_the_same_sheet_as_points(sheet: Sheet, left: int) -> None:
    rules, pair, deals = sheet
    points, totals = [], []
    running = RunningSheet(rules, pair, surplus="keep")
    for number, deal in enumerate(deals, start=1):
        running.add(deal)
        state = running.settle()
        ((hand, score),) = state.deals[-1].two_handed or ((None, None),)
        if hand is None or score is None or score.winner is None or not state.deals[-1].counted:
            continue
        line = state.deals[-1].lines[0]
        letter = "ab"[(line.side != pair[0].name) ^ left]
        entries = state.columns[line.columns[0] - 1].sides[line.side != pair[0].name].entries
        marks = {"knock": "k", "gin": "g", "big_gin": "x", "undercut": "u", "gin_off": "o"}
        mark = marks.get(score.outcome, "")
        spade = "s" if hand.upcard in ("AS", "3S", "7S", "KS") else ""
        assert entries[-1].deal == number
        is_taken_off = rules.undercut_penalty == "all" and score.outcome in ("undercut", "gin_off")
        figure = score.penalty if is_taken_off else line.points
        points.append((f"{letter}{figure}{mark}{spade}",))
        if is_taken_off:
            # It adds to no total.
            totals.append(points[-1])
        elif entries[-1].running < 0:
            totals.append((f"{letter}{figure}{mark}!{spade}",))
        else:
            totals.append((f"{letter}{entries[-1].running}{mark}{spade}",))
    as_points = read_rows(points, rules=rules, sides=pair, left=left)
    as_totals = read_rows(totals, rules=rules, sides=pair, left=left, running_totals=True)
    assert not as_points.errors
    assert as_totals.deals == as_points.deals


@given(sheets(most=12, sizes=(1, 2)))
def test_the_paper_turned_round_makes_the_same_sheet(sheet: Sheet) -> None:
    rules, pair, deals = sheet
    turned = [
        write_row(deal, number, rules=rules, sides=pair, left=1) for number, deal in enumerate(deals, 1)
    ]
    assert (
        read_rows(turned, rules=rules, sides=pair, left=1).state
        == read_rows(
            [write_row(deal, number, rules=rules, sides=pair) for number, deal in enumerate(deals, 1)],
            rules=rules,
            sides=pair,
        ).state
    )
