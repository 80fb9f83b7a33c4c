"""Sheets written as short as on paper: "a12 b27u d" is Ann 12, Bob 27 by an undercut, a dead hand."""

from typing import Any

from scoring.core.hands import Dead, HandResult, Outcome, Points
from scoring.core.rules import Rules
from scoring.core.sheets import VOID, Deal, SheetSide, SheetState, score_sheet

ANN_AND_BOB = (SheetSide("Ann", ("Ann",)), SheetSide("Bob", ("Bob",)))
WE_AND_THEY = (SheetSide("We", ("Wim", "Wes")), SheetSide("They", ("Tom", "Ted")))


def sheet(rows: str, *, stopped: bool = False, surplus: str = "refuse", **knobs: Any) -> SheetState:
    """A sheet of Ann (a) and Bob (b); `d` is a dead hand, `v` a voided deal."""
    deals = [VOID if row == "v" else Deal((_hand(row, "Ann", "Bob"),)) for row in rows.split()]
    return score_sheet(Rules.from_document(knobs), ANN_AND_BOB, deals, stopped=stopped, surplus=surplus)


def team_sheet(rows: str, *, stopped: bool = False, **knobs: Any) -> SheetState:
    """A sheet of We (w) and They (t), two tables a deal: "w16,t12" is Wim 16 at one, Ted 12 at the other."""
    deals = []
    for row in rows.split():
        first, second = row.split(",")
        deals.append(Deal((_hand(first, "Wim", "Tom"), _hand(second, "Wes", "Ted"))))
    return score_sheet(Rules.from_document(knobs), WE_AND_THEY, deals, stopped=stopped)


def lines(state: SheetState) -> list[list[tuple[str, int, int]]]:
    """(side, points, boxes) of every line, deal by deal."""
    return [[(line.side, line.points, line.boxes) for line in deal.lines] for deal in state.deals]


def _hand(row: str, left: str, right: str) -> HandResult:
    if row == "d":
        return Dead((left, right))
    winner, loser = (left, right) if row[0] in "aw" else (right, left)
    mark = {"g": Outcome.GIN, "u": Outcome.UNDERCUT, "o": Outcome.GIN_OFF}.get(row[-1])
    return Points(winner, loser, int(row[1:].rstrip("guo")), mark)
