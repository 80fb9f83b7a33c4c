"""Rows gathered into sheets, each with its sides and deals, checked as far as the file alone allows.

Players and sides have the names that the file gives; `planning` finds out who they are. A team without a name
is called by its cell, such as `Ann+Cid`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Any, Final

from league.core.hand_files.cells import joined
from league.core.hand_files.problems import Problems
from league.core.hand_files.reading import LINE, STOPPED, VOID, HandRow, ReadRows
from scoring.core.errors import ScoringError, shown
from scoring.core.messages import mark, mark_plural
from scoring.core.rules import Rules
from scoring.core.sheets import VOID as VOID_DEAL
from scoring.core.sheets import Deal, SheetSide
from scoring.documents.shapes import LONGEST_NAME
from scoring.documents.sheets import DealReader
from scoring.documents.sides import read_sides

# A file holds games of two sides, under whatever house rules.
_RULES: Final = Rules()
# Fields of a hand whose column in the file has another name.
_COLUMN_OF: Final = {"loser": "defender", "hands": "deal", "boxes": "mark"}


@dataclass(frozen=True, slots=True)
class FileDeal:
    """A deal and the numbers of the rows its hands are in."""

    deal: Deal
    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FileSheet:
    """Everything a file says about one sheet.

    `teams` are the names of the sides, empty where the file gives none. `row` is the first row, `stopped_row`
    the row that says time was called.
    """

    label: str
    row: int
    round: int
    table: int | None
    date: date | None
    sides: tuple[SheetSide, SheetSide]
    teams: tuple[str, str]
    deals: Mapping[int, FileDeal]
    stopped_row: int | None

    @property
    def players(self) -> tuple[str, ...]:
        """All players on the sheet."""
        return self.sides[0].players + self.sides[1].players


@dataclass(frozen=True, slots=True)
class FileEvent:
    """A whole file: one event and its sheets in order of first appearance."""

    name: str
    row: int
    hands: int
    sheets: tuple[FileSheet, ...]


def gather(reading: ReadRows, problems: Problems) -> FileEvent | None:
    """Gather rows into sheets; None where there are no rows. Contradictions are added to `problems`.

    Sheets with unreadable rows are left out: checking them would report misleading problems.
    """
    rows = reading.rows
    if not rows:
        return None
    first = rows[0]
    by_label: dict[str, list[HandRow]] = {}
    for row in rows:
        if row.event != first.event:
            problems.add(
                row.number,
                "event",
                mark(
                    "This row is of “%(event)s” and row %(row)s of “%(other)s”; a file holds one event.",
                    event=shown(row.event),
                    row=first.number,
                    other=shown(first.event),
                ),
            )
        elif row.sheet not in reading.broken:
            by_label.setdefault(row.sheet, []).append(row)
    sheets = [sheet for found in by_label.values() if (sheet := _sheet(found, problems)) is not None]
    hands = sum(row.kind not in (STOPPED, VOID) for row in rows)
    return FileEvent(first.event, first.number, hands, tuple(sheets))


def _sheet(rows: list[HandRow], problems: Problems) -> FileSheet | None:
    first = rows[0]
    # No short-circuit: every row is checked, so that all problems are listed at once.
    if sum(not _same_sheet(first, row, problems) for row in rows):
        return None
    sides = _sides(first, problems)
    if sides is None:
        return None
    deals = _deals(rows, sides, problems)
    return FileSheet(
        first.sheet,
        first.number,
        first.round,
        first.table,
        first.date,
        sides,
        (first.team_a, first.team_b),
        deals,
        _stopped_row(rows, problems),
    )


def _same_sheet(first: HandRow, row: HandRow, problems: Problems) -> bool:
    """Check that two rows can belong to one sheet."""
    same = True
    for column, one, other in (
        ("round", first.round, row.round),
        ("table", first.table, row.table),
        ("date", first.date, row.date),
        ("side_a", joined(first.side_a), joined(row.side_a)),
        ("side_b", joined(first.side_b), joined(row.side_b)),
        ("team_a", first.team_a, row.team_a),
        ("team_b", first.team_b, row.team_b),
    ):
        if one != other:
            same = False
            problems.add(
                row.number,
                column,
                mark(
                    "Sheet %(sheet)s has “%(value)s” here and “%(other)s” in row %(row)s; one sheet "
                    "has one %(column)s.",
                    sheet=shown(row.sheet),
                    value=shown(str(other or "")),
                    other=shown(str(one or "")),
                    row=first.number,
                    column=column,
                ),
            )
    return same


def _sides(row: HandRow, problems: Problems) -> tuple[SheetSide, SheetSide] | None:
    teams = (row.team_a, row.team_b)
    documents = []
    for column, team_column, players, team in zip(
        ("side_a", "side_b"), ("team_a", "team_b"), (row.side_a, row.side_b), teams, strict=True
    ):
        if team and len(players) == 1:
            problems.add(
                row.number, team_column, mark("Only a team has a name of its own; leave this empty.")
            )
            return None
        if not team and len(joined(players)) > LONGEST_NAME and len(players) > 1:
            problems.add(
                row.number,
                column,
                mark(
                    "Together these names have more than %(most)s characters; name the teams in "
                    "team_a and team_b.",
                    most=LONGEST_NAME,
                ),
            )
            return None
        name = players[0] if len(players) == 1 else team or joined(players)
        documents.append({"name": name, "players": list(players)})
    try:
        first, second = read_sides(documents, _RULES)
    except ScoringError as error:
        column = "side_a" if (error.field or "").startswith("sides[0]") else "side_b"
        problems.add(row.number, column, error.message)
        return None
    return first, second


def _deals(
    rows: list[HandRow], sides: tuple[SheetSide, SheetSide], problems: Problems
) -> dict[int, FileDeal]:
    reader = DealReader(sides, _RULES)
    numbered = sorted(((row.deal or 0, row) for row in rows if row.kind != STOPPED), key=lambda pair: pair[0])
    deals = {}
    expected = None
    for number, group in groupby(numbered, key=lambda pair: pair[0]):
        hands = [row for _, row in group]
        if expected is not None and number != expected:
            gap = mark_plural(
                "Sheet %(sheet)s goes from deal %(before)s to deal %(number)s; %(first)s is missing. "
                "A drawn hand takes a row of kind dead.",
                "Sheet %(sheet)s goes from deal %(before)s to deal %(number)s; %(first)s to %(last)s are "
                "missing. A drawn hand takes a row of kind dead.",
                number - expected,
                sheet=shown(hands[0].sheet),
                before=expected - 1,
                number=number,
                first=expected,
                last=number - 1,
            )
            problems.add(hands[0].number, "deal", gap)
        expected = number + 1
        deal = _deal(number, hands, sides, reader, problems)
        if deal is not None:
            deals[number] = FileDeal(deal, tuple(row.number for row in hands))
    return deals


def _deal(
    number: int,
    rows: list[HandRow],
    sides: tuple[SheetSide, SheetSide],
    reader: DealReader,
    problems: Problems,
) -> Deal | None:
    size = len(sides[0].players)
    first = rows[0]
    most = 1 if first.kind in (VOID, LINE) else size
    if len(rows) > most:
        problems.add(
            rows[most].number,
            "deal",
            mark_plural(
                "Deal %(number)s of sheet %(sheet)s stands already in row %(row)s; it has one hand.",
                "Deal %(number)s of sheet %(sheet)s stands already in row %(row)s; it has %(count)s hands.",
                most,
                number=number,
                sheet=shown(first.sheet),
                row=first.number,
            ),
        )
        return None
    for row in rows[1:]:
        if row.kind in (VOID, LINE):
            problems.add(row.number, "kind", mark("A %(kind)s is the only row of its deal.", kind=row.kind))
            return None
    if first.kind == VOID:
        return VOID_DEAL
    if first.kind == LINE:
        document: dict[str, Any] = {"line": _line(first, sides)}
    elif len(rows) < size:
        problems.add(
            rows[-1].number,
            "deal",
            mark_plural(
                "Deal %(number)s of sheet %(sheet)s has one hand; a deal of these teams has "
                "%(size)s hands, one a row.",
                "Deal %(number)s of sheet %(sheet)s has %(count)s hands; a deal of these teams has "
                "%(size)s hands, one a row.",
                len(rows),
                number=number,
                sheet=shown(first.sheet),
                size=size,
            ),
        )
        return None
    else:
        document = {"hands": [_hand(row) for row in rows]}
    try:
        return reader.read(document)
    except ScoringError as error:
        say_scoring_error(error, [row.number for row in rows], problems)
        return None


def _line(row: HandRow, sides: tuple[SheetSide, SheetSide]) -> dict[str, Any]:
    """Return a team's line as JSON. `winner` may be the team's name or its players in any order."""
    winner = row.winner
    for side in sides:
        if sorted(row.winner.split("+")) == sorted(joined(side.players).split("+")):
            winner = side.name
    line: dict[str, Any] = {"winner": winner, "points": row.points}
    if row.mark:
        line["boxes"] = int(row.mark)
    return line


def _hand(row: HandRow) -> dict[str, Any]:
    """Return a hand as JSON (INTERFACES §2), without its empty cells."""
    fields: dict[str, Any] = {
        "kind": row.kind,
        "knocker": row.knocker,
        "defender": row.defender,
        "knocker_deadwood": row.knocker_deadwood,
        "defender_deadwood": row.defender_deadwood,
        "winner": row.winner,
        "points": row.points,
        "upcard": row.upcard,
        "mark": row.mark,
    }
    if row.kind == "points":
        fields["loser"] = fields.pop("defender")
    return {name: value for name, value in fields.items() if value not in ("", None)}


def _stopped_row(rows: list[HandRow], problems: Problems) -> int | None:
    stops = [row for row in rows if row.kind == STOPPED]
    if not stops:
        return None
    last = max((row.deal or 0 for row in rows if row.kind != STOPPED), default=0)
    stop = stops[0]
    if len(stops) > 1:
        problems.add(
            stops[1].number,
            "kind",
            mark(
                "Sheet %(sheet)s was stopped in row %(number)s already.",
                sheet=shown(stop.sheet),
                number=stop.number,
            ),
        )
    if stop.deal is not None and last and stop.deal not in (last, last + 1):
        problems.add(
            stop.number,
            "deal",
            mark("A sheet is stopped after its last deal, which is %(last)s; leave this empty.", last=last),
        )
    return stop.number


def say_scoring_error(error: ScoringError, rows: Sequence[int], problems: Problems) -> None:
    """Add a refusal by the scorer at the row and column it is about."""
    field = (error.field or "kind").removeprefix("rules.")
    row = rows[(error.hand or 1) - 1] if len(rows) >= (error.hand or 1) else rows[0]
    problems.add(row, _COLUMN_OF.get(field, field), error.message)


def everyone(sheets: Iterable[FileSheet]) -> dict[str, tuple[int, str]]:
    """Map every player's name in the file to the row and column where it first appears."""
    places: dict[str, tuple[int, str]] = {}
    for sheet in sheets:
        for column, side in zip(("side_a", "side_b"), sheet.sides, strict=True):
            for player in side.players:
                places.setdefault(player, (sheet.row, column))
    return places
