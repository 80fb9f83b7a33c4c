"""The grammar of one field: every way to type a hand, every refusal, and writing it back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.core.hands import Outcome
from scoring.typing.cells import Basis, Cell, CellForm, NotationError, parse_cell, write_cell
from tests.refusals import refuses

P, C, G, B, D, L = (
    CellForm.POINTS,
    CellForm.COUNTS,
    CellForm.GIN,
    CellForm.BIG_GIN,
    CellForm.DEAD,
    CellForm.LINE,
)

READINGS = {
    # The examples of the entry page.
    "a12": Cell(P, 0, (12,)),
    "b44g": Cell(P, 1, (44,), Outcome.GIN),
    "a27u": Cell(P, 0, (27,), Outcome.UNDERCUT),
    "b61x": Cell(P, 1, (61,), Outcome.BIG_GIN),
    "a62=": Cell(P, 0, (62,), basis=Basis.TOTAL),
    "a12!": Cell(P, 0, (12,), basis=Basis.POINTS),
    "a8 20": Cell(C, 0, (8, 20)),
    "ag 31": Cell(G, 0, (31,)),
    "bx 31": Cell(B, 1, (31,)),
    "d": Cell(D),
    "t": Cell(CellForm.TIME),
    "v": Cell(CellForm.STRUCK),
    # Other marks.
    "a33o": Cell(P, 0, (33,), Outcome.GIN_OFF),
    "a33k": Cell(P, 0, (33,), Outcome.KNOCK),
    "a62g=": Cell(P, 0, (62,), Outcome.GIN, Basis.TOTAL),
    "a62=g": Cell(P, 0, (62,), Outcome.GIN, Basis.TOTAL),
    # Upcards.
    "a24s": Cell(P, 0, (24,), spade=True),
    "a44gs": Cell(P, 0, (44,), Outcome.GIN, spade=True),
    "a8 20s": Cell(C, 0, (8, 20), spade=True),
    "a8 20 7s": Cell(C, 0, (8, 20), upcard="7S"),
    "a8 7s": Cell(C, 0, (8, 7), spade=True),
    "a12 7d": Cell(P, 0, (12,), upcard="7D"),
    "a12 @7s": Cell(P, 0, (12,), upcard="7S"),
    "a12 10♦": Cell(P, 0, (12,), upcard="TD"),
    "a12g 7s": Cell(P, 0, (12,), Outcome.GIN, upcard="7S"),
    "a12 as": Cell(P, 0, (12,), upcard="AS"),
    "a12ks": Cell(P, 0, (12,), Outcome.KNOCK, spade=True),
    "a12 ks": Cell(P, 0, (12,), upcard="KS"),
    "ag 31s": Cell(G, 0, (31,), spade=True),
    "d s": Cell(D, spade=True),
    "d qh": Cell(D, upcard="QH"),
    # The keypad.
    "+12": Cell(P, 0, (12,)),
    "-44*": Cell(P, 1, (44,), Outcome.GIN),
    "+61**": Cell(P, 0, (61,), Outcome.BIG_GIN),
    "+27/": Cell(P, 0, (27,), Outcome.UNDERCUT),
    "+8.20": Cell(C, 0, (8, 20)),
    "-8,20": Cell(C, 1, (8, 20)),
    "+*31": Cell(G, 0, (31,)),
    "0": Cell(D),
    # Spaces and capitals.
    "  A 12  ": Cell(P, 0, (12,)),
    "B 44 G": Cell(P, 1, (44,), Outcome.GIN),
    "a 8   20": Cell(C, 0, (8, 20)),
    "AG31": Cell(G, 0, (31,)),
    "a012": Cell(P, 0, (12,)),
    "ad": Cell(D, 0),
    "dead": Cell(D),
    # Teams.
    "la28": Cell(L, 0, (28, 1)),
    "l b28 3": Cell(L, 1, (28, 3)),
    "la62=": Cell(L, 0, (62, 1), basis=Basis.TOTAL),
    "la62= 3": Cell(L, 0, (62, 3), basis=Basis.TOTAL),
    "ld": Cell(CellForm.DEAD_LINE),
    "1v2 a12": Cell(P, 0, (12,), pair=(1, 2)),
    "2v1a8 20": Cell(C, 0, (8, 20), pair=(2, 1)),
    "1v2 d": Cell(D, pair=(1, 2)),
    "": Cell(CellForm.EMPTY),
    "   ": Cell(CellForm.EMPTY),
}


@pytest.mark.parametrize(("text", "cell"), READINGS.items(), ids=READINGS)
def test_parse_cell_when_readable(text: str, cell: Cell) -> None:
    assert parse_cell(text) == cell
    assert parse_cell(write_cell(cell)) == cell


REFUSALS = {
    "12": ("no_side", "Type a12 if it was {a}, b12 if it was {b}."),
    "44g": ("no_side", "a44"),
    "8 20": ("no_side", "a8"),
    "a": ("no_points", "a12"),
    "ag": ("no_points", "ag 19"),
    "bu": ("no_points", "b12"),
    "12a": ("side_first", "a12"),
    "a8-20": ("two_hands", "a8 20"),
    "+12-13": ("two_hands", "one row each"),
    "a8 20g": ("counts_alone", "a8 20"),
    "a8 20=": ("counts_alone", "a8 20"),
    "ag 0 31": ("one_count", "ag 31"),
    "bx 0 31": ("one_count", "bx 31"),
    "a12 1d": ("unknown_card", "“1d”"),
    "a8 20 11s": ("unknown_card", "“11s”"),
    "a8 99": ("out_of_range", "0 to 98"),
    "ag 99": ("out_of_range", "0 to 98"),
    "a10000": ("out_of_range", "0 to 9999"),
    "la28 0": ("out_of_range", "at least 1 box"),
    "la28 1000": ("out_of_range", "0 to 999"),
    "la28g": ("line_alone", "la28 3"),
    "l": ("line_alone", "la28 3"),
    "/.g": ("not_understood", "a12 (points)"),
    "abc": ("not_understood", "a12 (points)"),
    "a12 b": ("not_understood", "a12 (points)"),
    "a44gu": ("not_understood", "a12 (points)"),
    "a" + "1" * 40: ("too_long", "40 keys"),
}


@pytest.mark.parametrize(("text", "refusal"), REFUSALS.items(), ids=REFUSALS)
def test_parse_cell_when_refused(text: str, refusal: tuple[str, str]) -> None:
    code, advice = refusal
    with refuses(NotationError, code) as caught:
        parse_cell(text)
    assert advice in str(caught.value.message)


def test_parse_cell_of_a_lines_sheet_needs_no_l() -> None:
    assert parse_cell("a28 3", line=True) == Cell(L, 0, (28, 3))
    assert parse_cell("d", line=True) == Cell(CellForm.DEAD_LINE)


@given(st.text(alphabet="abdglostuvx=!@0123456789 +-*/.,♠♦sjqk", max_size=12) | st.text(max_size=45))
def test_parse_cell_reads_or_refuses_anything(text: str) -> None:
    try:
        cell = parse_cell(text)
    except NotationError:
        return
    assert parse_cell(write_cell(cell)) == cell
