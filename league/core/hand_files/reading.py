"""Reads a CSV file of hands from bytes to checked rows: the format only, no database, no rules of play.

Problems of the file as a whole (too large, not text, wrong header) are refused at once; problems of rows are
collected, so that all can be fixed in one pass.
"""

import csv
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from itertools import takewhile
from typing import Final

from league.core.hand_files.cells import parted, unguarded
from league.core.hand_files.problems import CellProblem, FileRefused, Problems
from scoring.core.errors import shown
from scoring.core.kinds import KINDS
from scoring.core.messages import Message, mark, mark_plural
from scoring.core.plain_text import is_plain

LARGEST_FILE: Final = 5_000_000  # bytes; a season is about a hundred thousand

COLUMNS: Final = (
    "date",
    "event",
    "round",
    "table",
    "sheet",
    "deal",
    "side_a",
    "side_b",
    "kind",
    "knocker",
    "defender",
    "knocker_deadwood",
    "defender_deadwood",
    "winner",
    "points",
    "upcard",
)
# The sides of a sheet in order of seats, and the names of those that are teams.
SIDES: Final = ("side_a", "side_b", "side_c", "side_d", "side_e", "side_f")
TEAMS: Final = ("team_a", "team_b")
# Who takes over a seat, and whose.
SEATING: Final = ("player", "replaces")
OPTIONAL_COLUMNS: Final = ("mark", *TEAMS, "game", "rules", *SIDES[2:], "penalties", *SEATING)

LONGEST_EVENT_NAME: Final = 80
LONGEST_LABEL: Final = 40
LARGEST_NUMBER: Final = 32_767  # what a small integer holds in every database
LARGEST_DEAL: Final = 500

STOPPED: Final = "stopped"
VOID: Final = "void"
LINE: Final = "line"
SUBSTITUTE: Final = "substitute"
# The second side is a bot in place of a bye. With this mark the bye counts, and not what was played.
BYE: Final = "bye"
BESIDES: Final = "besides"
# Rows of a sheet as a whole, and all without a hand.
OF_SHEET: Final = (STOPPED, BYE)
NO_HANDS: Final = (*OF_SHEET, VOID, SUBSTITUTE)
# The game of a file that does not say which.
GIN: Final = "gin"


@dataclass(frozen=True, slots=True)
class _Kind:
    """The columns that a kind of row must fill, and those it may; all others must be empty."""

    needs: frozenset[str] = frozenset()
    may: frozenset[str] = frozenset()


# The rows that every game has.
_OF_SHEETS: Final[dict[str, _Kind]] = {
    VOID: _Kind(),
    SUBSTITUTE: _Kind(frozenset(SEATING)),
    STOPPED: _Kind(),
    BYE: _Kind(may=frozenset({"mark"})),
}
_TWO_HANDED: Final[dict[str, _Kind]] = {
    "knock": _Kind(
        frozenset({"knocker", "knocker_deadwood", "defender_deadwood"}), frozenset({"defender", "upcard"})
    ),
    "gin": _Kind(
        frozenset({"knocker", "defender_deadwood"}), frozenset({"defender", "knocker_deadwood", "upcard"})
    ),
    "big_gin": _Kind(
        frozenset({"knocker", "defender_deadwood"}), frozenset({"defender", "knocker_deadwood", "upcard"})
    ),
    "points": _Kind(frozenset({"winner", "points"}), frozenset({"defender", "mark", "upcard"})),
    "dead": _Kind(frozenset(), frozenset({"knocker", "defender", "upcard"})),
    LINE: _Kind(frozenset({"winner", "points"}), frozenset({"mark"})),
    **_OF_SHEETS,
}
_COUNTED: Final = frozenset({"knocker", "defender_deadwood"})
_JERSEY: Final[dict[str, _Kind]] = {
    "knock": _Kind(_COUNTED | {"knocker_deadwood"}, frozenset({"upcard"})),
    "gin": _Kind(_COUNTED, frozenset({"knocker_deadwood", "upcard"})),
    "big_gin": _Kind(_COUNTED, frozenset({"knocker_deadwood", "upcard"})),
    "points": _Kind(frozenset({"winner", "points"}), frozenset({"defender", "mark", "upcard", "penalties"})),
    "dead": _Kind(frozenset(), frozenset({"upcard"})),
    **_OF_SHEETS,
}
_RUMMY: Final[dict[str, _Kind]] = {
    "out": _Kind(frozenset({"winner", "defender_deadwood"}), frozenset({"mark"})),
    "blocked": _Kind(frozenset({"defender_deadwood"})),
    "dead": _Kind(),
    **_OF_SHEETS,
}
# The kinds of rows of each game, and the games whose hands have a figure for each of several players.
_KINDS: Final[Mapping[str, Mapping[str, _Kind]]] = {
    GIN: _TWO_HANDED,
    "cutthroat": _TWO_HANDED,
    "captains": _TWO_HANDED,
    "jersey": _JERSEY,
    "partners_one_pack": _TWO_HANDED,
    "basic_rummy": _RUMMY,
}
assert _KINDS.keys() == KINDS.keys()  # noqa: S101 (a game whose rows nobody reads)
AT_ONCE: Final = frozenset({"jersey", "basic_rummy"})
_HAND_COLUMNS: Final = (
    "knocker",
    "defender",
    "knocker_deadwood",
    "defender_deadwood",
    "winner",
    "points",
    "upcard",
    "mark",
    "penalties",
    *SEATING,
)


@dataclass(frozen=True, slots=True)
class HandRow:
    """One row: a hand, a team's line, a voided deal, a substitute, or the note that time was called.

    `number` counts rows from 1, the header. An empty cell is "" for text, None for a number and () for
    figures, of which games that all play at once have one for each of several players. `event` is "" and
    `round` None on sheets outside events. `sides` and `teams` are in order of seats. `deal` is None only in
    rows of kind `stopped` and `bye`. In rows of kind `line`, `mark` is the number of boxes. From `deal` on
    `player` has the seat of `replaces`.
    """

    number: int
    date: date | None
    event: str
    round: int | None
    table: int | None
    sheet: str
    game: str
    rules: str
    deal: int | None
    sides: tuple[tuple[str, ...], ...]
    teams: tuple[str, str]
    kind: str
    knocker: str
    defender: str
    knocker_deadwood: int | None
    defender_deadwood: tuple[int, ...]
    winner: str
    points: tuple[int, ...]
    penalties: tuple[int, ...]
    upcard: str
    mark: str
    player: str
    replaces: str


@dataclass(frozen=True, slots=True)
class ReadRows:
    """The readable rows, and the labels of sheets with unreadable ones."""

    rows: list[HandRow]
    broken: frozenset[str]


def read_rows(data: bytes, problems: Problems) -> ReadRows:
    """Read the rows of a file; problems of single rows are added to `problems`.

    Refused with `FileRefused`: a file that is too large, empty, not CSV in UTF-8, or has other columns.
    """
    lines = csv.reader(io.StringIO(_text(data), newline=""), strict=True)
    number = 0
    rows: list[HandRow] = []
    broken: set[str] = set()
    header: list[str] | None = None
    try:
        for number, cells in enumerate(lines, start=1):
            if not any(cell.strip() for cell in cells):
                continue
            if header is None:
                header = _header(cells, number)
            elif (row := _row(number, header, cells, problems)) is not None:
                rows.append(row)
            else:
                broken.update(
                    unguarded(cell) for name, cell in zip(header, cells, strict=False) if name == "sheet"
                )
    except csv.Error as error:
        raise _refused(_broken(error), row=number + 1) from None
    if header is None:
        raise _refused(mark("The file is empty."))
    if not rows and not problems:
        raise _refused(mark("The file has a header and no hands."))
    return ReadRows(rows, frozenset(broken))


_PARTED_BY: Final = {
    ";": mark("The columns are separated by semicolons; they must be separated by commas."),
    "\t": mark("The columns are separated by tabs; they must be separated by commas."),
    "|": mark("The columns are separated by bars; they must be separated by commas."),
}


def _broken(error: csv.Error) -> Message:
    """What is wrong with the file: a cell that has no end, or a quotation mark out of place."""
    if "larger" in str(error):
        return mark("This is not a CSV file: a cell here does not end.")
    if "end of data" in str(error):
        return mark("This is not a CSV file: a quotation mark is opened and never closed.")
    return mark("This is not a CSV file: a quotation mark is out of place.")


def _refused(message: Message, *, row: int = 0, column: str = "") -> FileRefused:
    return FileRefused([CellProblem(row, column, message)])


def _text(data: bytes) -> str:
    if len(data) > LARGEST_FILE:
        raise _refused(
            mark(
                "The file is larger than %(most)s MB; a season fits into one.",
                most=LARGEST_FILE // 1_000_000,
            )
        )
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise _refused(mark("The file is in UTF-16. Save it as CSV in UTF-8."))
    if (place := data.find(b"\0")) >= 0:
        row = data.count(b"\n", 0, place) + 1
        raise _refused(
            mark("There are bytes here that are not text. Save the file as CSV in UTF-8."), row=row
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        raise _refused(
            mark("A letter here is not in UTF-8 (is it Latin-1?). Save the file as CSV in UTF-8."), row=row
        ) from None


def _header(cells: list[str], number: int) -> list[str]:
    names = [cell.strip().lower() for cell in cells]
    while names and not names[-1]:
        names.pop()
    if len(names) == 1 and (used := next((sign for sign in ";\t|" if sign in names[0]), None)):
        raise _refused(_PARTED_BY[used], row=number)
    found: list[CellProblem] = []
    for name in names:
        if not name:
            message = mark("A column has no name.")
        elif name not in COLUMNS and name not in OPTIONAL_COLUMNS:
            message = mark("There is no column “%(name)s” in this format; take it out.", name=shown(name))
        elif names.count(name) > 1:
            message = mark("This column is there twice.")
        else:
            continue
        if (problem := CellProblem(number, shown(name), message)) not in found:
            found.append(problem)
    missing = [name for name in COLUMNS if name not in names]
    if missing:
        message = mark_plural(
            "The column is missing: %(names)s.",
            "The columns are missing: %(names)s.",
            len(missing),
            names=", ".join(missing),
        )
        found.append(CellProblem(number, "", message))
    if found:
        raise FileRefused(found[:50], len(found))
    return names


def _row(number: int, header: list[str], cells: list[str], problems: Problems) -> HandRow | None:
    """Return the row, or None where anything is wrong with it."""
    extra = [cell for cell in cells[len(header) :] if cell.strip()]
    if len(cells) < len(header) or extra:
        problems.add(
            number,
            "",
            mark(
                "The row has %(cells)s cells and the header %(header)s.", cells=len(cells), header=len(header)
            ),
        )
        return None
    reader = _RowReader(number, dict(zip(header, cells, strict=False)), problems)
    row = reader.read()
    return None if reader.failed else row


class _RowReader:
    """Reads the cells of one row and reports each one that is wrong."""

    def __init__(self, number: int, cells: Mapping[str, str], problems: Problems) -> None:
        self.number = number
        self.cells = {name: unguarded(cell) for name, cell in cells.items()}
        self.problems = problems
        self.failed = False

    def read(self) -> HandRow:
        game = self._game()
        kind = self._kind(game)
        event = self._event()
        return HandRow(
            number=self.number,
            date=self._date(),
            event=event,
            round=self._count("round", 1, LARGEST_NUMBER, may_be_empty=not event),
            table=self._count("table", 1, LARGEST_NUMBER, may_be_empty=True),
            sheet=self._needed("sheet", LONGEST_LABEL),
            game=game,
            rules=self._text("rules"),
            deal=self._count("deal", 1, LARGEST_DEAL, may_be_empty=kind in OF_SHEET),
            sides=self._sides(),
            teams=(self._text("team_a"), self._text("team_b")),
            kind=kind,
            knocker=self._text("knocker"),
            defender=self._text("defender"),
            knocker_deadwood=self._figure("knocker_deadwood"),
            defender_deadwood=self._figures("defender_deadwood", game),
            winner=self._text("winner"),
            points=self._figures("points", game),
            penalties=self._figures("penalties", game),
            upcard=self._text("upcard"),
            mark=self._mark(kind),
            player=self._text("player"),
            replaces=self._text("replaces"),
        )

    def _game(self) -> str:
        """The game that the row is of; without the column gin, as all files were."""
        text = self.cells.get("game", "")
        game = text.lower() or GIN
        if game not in _KINDS:
            games = ", ".join(_KINDS)
            self._say(
                "game", mark("“%(text)s” is not a game; there are: %(games)s.", text=shown(text), games=games)
            )
            return GIN
        return game

    def _event(self) -> str:
        """The event; empty on a sheet outside events, which is of no round and table, but of house rules."""
        event = self._text("event")
        self._check_length("event", event, LONGEST_EVENT_NAME)
        if not event and (self.cells["round"] or self.cells["table"]):
            self._say(
                "event",
                mark("This cell is empty; only a sheet outside events has no event, and no round and table."),
            )
        if event and self.cells.get("rules"):
            self._say("rules", mark("This cell is for sheets outside events; an event has its own rules."))
        return event

    def _sides(self) -> tuple[tuple[str, ...], ...]:
        """The sides of the first two columns, and of those that follow, as far as they are filled."""
        further = list(takewhile(lambda column: self.cells.get(column), SIDES[2:]))
        for column in SIDES[2 + len(further) :]:
            if self.cells.get(column):
                self._say(column, mark("The side before this one is missing."))
        return tuple([self._players(column) for column in (*SIDES[:2], *further)])

    def _say(self, column: str, message: Message) -> None:
        self.failed = True
        self.problems.add(self.number, column, message)

    def _kind(self, game: str) -> str:
        text = self.cells["kind"]
        kind = text.lower()
        if kind not in _KINDS[game]:
            kinds = ", ".join(_KINDS[game])
            message = mark("The kind is missing; there are: %(kinds)s.", kinds=kinds)
            if text:
                message = mark(
                    "“%(text)s” is not a kind; there are: %(kinds)s.", text=shown(text), kinds=kinds
                )
            self._say("kind", message)
            return ""
        shape = _KINDS[game][kind]
        for column in _HAND_COLUMNS:
            cell = self.cells.get(column, "")
            if column in shape.needs and not cell:
                self._say(column, mark("This cell is empty; a row of kind %(kind)s needs it.", kind=kind))
            elif cell and column not in shape.needs | shape.may:
                self._say(
                    column,
                    mark(
                        "A row of kind %(kind)s leaves this cell empty; here is “%(cell)s”.",
                        kind=kind,
                        cell=shown(cell),
                    ),
                )
        return kind

    def _text(self, column: str) -> str:
        text = self.cells.get(column, "")
        if "\n" in text or "\r" in text:
            self._say(column, mark("There is a line break in this cell."))
        elif not is_plain(text):
            self._say(column, mark("There is a character here that cannot be seen."))
        return text

    def _needed(self, column: str, longest: int) -> str:
        text = self._text(column)
        if not text:
            self._say(column, mark("This cell is empty."))
        self._check_length(column, text, longest)
        return text

    def _check_length(self, column: str, text: str, longest: int) -> None:
        if len(text) > longest:
            self._say(column, mark("This is longer than %(longest)s characters.", longest=longest))

    def _players(self, column: str) -> tuple[str, ...]:
        text = self._text(column)
        players = parted(text)
        if not text:
            self._say(column, mark("This cell is empty; write a player, or a team as Ann+Cid."))
        elif not all(players):
            self._say(
                column,
                mark("A player's name is missing in “%(text)s”; write a team as Ann+Cid.", text=shown(text)),
            )
        return players

    def _date(self) -> date | None:
        text = self.cells["date"]
        if not text:
            return None
        try:
            if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
                raise ValueError
            return date.fromisoformat(text)
        except ValueError:
            self._say(
                "date",
                mark("“%(text)s” is not a date; write it as 2026-02-05 (year-month-day).", text=shown(text)),
            )
            return None

    def _count(self, column: str, least: int, most: int, *, may_be_empty: bool = False) -> int | None:
        number = self._figure(column)
        if number is None:
            if not self.cells[column] and not may_be_empty:
                self._say(column, mark("This cell is empty; it needs a number."))
        elif not least <= number <= most:
            self._say(
                column,
                mark(
                    "This is a number from %(least)s to %(most)s, not %(number)s.",
                    least=least,
                    most=most,
                    number=shown(number),
                ),
            )
            return None
        return number

    def _figure(self, column: str) -> int | None:
        text = self.cells[column]
        if not text:
            return None
        if not re.fullmatch(r"[0-9]{1,9}", text):
            self._say(column, mark("“%(text)s” is not a whole number.", text=shown(text)))
            return None
        return int(text)

    def _figures(self, column: str, game: str) -> tuple[int, ...]:
        """The figures of several players, parted by spaces, where all play at once; else one at most."""
        text = self.cells.get(column, "")
        if game not in AT_ONCE:
            figure = self._figure(column) if text else None
            return () if figure is None else (figure,)
        if not re.fullmatch(r"([0-9]{1,9}( +[0-9]{1,9})*)?", text):
            self._say(column, mark("“%(text)s” are not whole numbers, parted by spaces.", text=shown(text)))
            return ()
        return tuple([int(figure) for figure in text.split()])

    def _mark(self, kind: str) -> str:
        text = self._text("mark").lower()
        if kind == LINE and text and not re.fullmatch(r"[1-9][0-9]{0,2}", text):
            self._say(
                "mark",
                mark("In a row of kind line this is the number of boxes, not “%(text)s”.", text=shown(text)),
            )
        words = {"out": "rummy", BYE: BESIDES}
        if kind in words and text not in ("", words[kind]):
            said = mark("This is “%(word)s” or empty, not “%(text)s”.", word=words[kind], text=shown(text))
            self._say("mark", said)
        return text
