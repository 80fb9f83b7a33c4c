"""Short notation for every kind of game: what is written is read back, and one slip is explained."""

from random import Random
from typing import Any

import pytest

from scoring.core.rules import Rules
from scoring.core.sheets import SheetSide, score_sheet
from scoring.documents.sheets import read_deals
from scoring.documents.sides import read_sides
from scoring.typing.notation import TypedSheet, read_rows, write_row
from scoring.typing.paper_figures import Paper
from scoring.typing.repairs import explain
from tests.scoring.kinds.paper import NAMES
from tests.scoring.kinds.strategies import KINDS, sheet_of

every_kind = pytest.mark.parametrize("kind", KINDS)


def typed(
    preset: str, *rows: str, seats: int = 3, left: int = 0, sides: Any = None, **knobs: Any
) -> TypedSheet:
    rules = Rules.preset(preset, **knobs)
    sides = sides or [SheetSide(name, (name,)) for name in NAMES[:seats]]
    return read_rows([[row] for row in rows], rules=rules, sides=sides, left=left)


def errors(sheet: TypedSheet) -> list[tuple[int, str]]:
    return [(row.number, row.error.code) for row in sheet.rows if row.error is not None]


@every_kind
@pytest.mark.parametrize("seed", range(30))
def test_rows_read_back_as_the_deals_they_were_written_from(kind: str, seed: int) -> None:
    document = sheet_of(Random(seed), kind, 12, {"target": 9999, "deals": None})
    rules = Rules.from_document(document["rules"])
    sides = read_sides(document["sides"], rules)
    deals = read_deals(document["deals"], sides, rules)
    left = seed % len(sides)
    rows = [
        write_row(deal, number, rules=rules, sides=sides, left=left) for number, deal in enumerate(deals, 1)
    ]
    again = read_rows(rows, rules=rules, sides=sides, left=left)
    assert errors(again) == []
    assert list(again.deals) == deals
    assert again.state == score_sheet(rules, sides, deals)


def test_letters_are_sides_and_points_go_to_whom_they_name() -> None:
    # RULES §8: a12 c31, then b deals.
    sheet = typed("cutthroat", "a12", "c31")
    assert sheet.state.totals == (12 + 25, 0, 31 + 25)
    # RULES §8: a12 c30 c9 a40 is 52 to 39; here b is the partners' side.
    captains = [SheetSide("Ann", ("Ann",)), SheetSide("We", ("Bob", "Cid"))]
    box = typed("captains", "a12", "b30", "b9", "a40", sides=captains)
    assert [side.points for side in box.state.columns[0].sides] == [52, 39]
    assert [deal.deal.two_handed[0].loser for deal in box.state.deals[1:3]] == ["Ann", "Ann"]  # type: ignore[union-attr]
    # RULES §8: a knocks with 6, b has 18, c 26: 32. b undercuts 8 with 5: 28 and 25.
    assert typed("jersey", "a6 18 26").state.totals[0] == 32 + 25
    assert typed("jersey", "a8 5 30").state.totals == (0, 53 + 25, 0)
    # RULES §8: c out, d 31, a 8, b 15 left: 54, with rummy 108.
    assert typed("basic_rummy", "c 31 8 15", "c 31 8 15r", seats=4).state.totals == (0, 0, 54 + 108, 0)


def test_columns_that_begin_with_another_side_move_the_letters_round() -> None:
    assert typed("jersey", "a 12 20", left=1).state.totals == (0, 32 + 25, 0)
    blocked = typed("basic_rummy", "6 15 7 21", seats=4, left=2, basic_rummy={"blocked": "lowest_each"})
    # Cid has 6, Dee 15, Ann 7, Bob 21: 9 + 1 + 15.
    assert blocked.state.totals == (0, 0, 25, 0)


@pytest.mark.parametrize(
    ("preset", "row", "code"),
    [
        ("cutthroat", "c12", "sits_out"),
        ("cutthroat", "d12", "no_such_side"),
        ("cutthroat", "12", "no_side"),
        ("cutthroat", "a", "no_points"),
        ("cutthroat", "la28", "not_a_team_sheet"),
        ("jersey", "a12", "not_understood"),
        ("jersey", "a", "no_points"),
        ("jersey", "a6 99 26", "out_of_range"),
        ("jersey", "a11 18 26", "illegal_knock"),
        ("jersey", "a 12 20 ma20", "not_played"),
        ("jersey", "b 12 20 & c 0 9", "two_winners"),
        ("basic_rummy", "c 31", "wrong_count"),
        ("basic_rummy", "6 15", "wrong_count"),
        ("basic_rummy", "c 71 8", "out_of_range"),
        ("basic_rummy", "a44g", "not_understood"),
    ],
)
def test_what_no_hand_is_is_refused_in_its_row(preset: str, row: str, code: str) -> None:
    sheet = typed(preset, "d", row)
    assert errors(sheet) == [(2, code)]


@pytest.mark.parametrize(
    ("preset", "rows", "slip", "wanted"),
    [
        ("cutthroat", ["a12", "c31", "b17", "a44g"], (2, "b71"), "b17"),
        ("captains", ["a12", "c30", "c9", "c40"], (1, "c3"), "c30"),
        ("jersey", ["a 12 20", "cg 18 26", "b28 c28 u"], (1, "cg 81 26"), "cg 18 26"),
        ("jersey", ["a 12 20", "b 9 14", "c8 12 19"], (0, "b 12 20"), "a 12 20"),
        ("basic_rummy", ["c 31 8", "a 10 10", "b 7 9r"], (2, "b 7 9"), "b 7 9r"),
    ],
)
def test_one_slip_is_explained(preset: str, rows: list[str], slip: tuple[int, str], wanted: str) -> None:
    knobs: dict[str, Any] = {"captains": {"box_held": "hand"}} if preset == "captains" else {}
    right = typed(preset, *rows, "t", **knobs)
    assert errors(right) == []
    paper = Paper(nets=right.state.nets, boxes=right.state.boxes, lines=len(rows))
    mistyped = [*rows, "t"]
    mistyped[slip[0]] = slip[1]
    sides = [SheetSide(name, (name,)) for name in NAMES[:3]]
    rules = Rules.preset(preset, **knobs)
    found = explain([[row] for row in mistyped], paper, rules=rules, sides=sides)
    assert (slip[0] + 1, wanted) in [(repair.row, repair.new) for repair in found.repairs]
    assert explain([[row] for row in [*rows, "t"]], paper, rules=rules, sides=sides).repairs == ()


def test_a_line_left_out_by_one_of_three_is_found_with_its_points() -> None:
    rows = ["a12", "c31", "b17", "a44"]
    right = typed("cutthroat", *rows, "t")
    paper = Paper(nets=right.state.nets, lines=4)
    sides = [SheetSide(name, (name,)) for name in NAMES[:3]]
    found = explain([[row] for row in [*rows[:3], "t"]], paper, rules=Rules.preset("cutthroat"), sides=sides)
    assert (4, "a44") in [(repair.row, repair.new) for repair in found.repairs]
