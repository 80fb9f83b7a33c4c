"""Lists of people as a secretary has them: a line each, with a name, and perhaps a number and an address.

    Eklund, Anna; 17; anna@example.org
    Bo Castell
    Dora Diaz <dora@example.org>

Between the cells of a line stand semicolons or tabs; where there are neither, commas. Quotation marks hold a
cell together, as in CSV. What contains "@" is an address. The first cell is the name, "Surname, First" or as
it is spoken; a cell without a figure after a surname is the first name, any other the member number.

The first line may head the columns of all others, in any order. What can be read in two ways is a problem.
"""

import csv
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final

from league.core.collation import name_key
from scoring.core.messages import Message, mark
from scoring.core.plain_text import is_plain

LONGEST_NAME: Final = 80
LONGEST_NUMBER: Final = 20
# More than any club has; a list is read whole.
MOST_LINES: Final = 2000

# Signs of lists before a name: "- ", "• ", "3. ", "3) ".
_BULLET: Final = re.compile(r"^(?:[-*\N{BULLET}\N{EN DASH}]|\d{1,4}[.)])\s+(?=\S)")
_ADDRESS: Final = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+")
_QUOTED: Final = re.compile(r'"(?:[^"]|"")*"')


class _Column(Enum):
    NAME = auto()
    SURNAME = auto()
    FIRST = auto()
    NUMBER = auto()
    EMAIL = auto()


# What may stand above a column. "No" without a full stop is a surname too.
_HEADINGS: Final = {
    "name": _Column.NAME,
    "full name": _Column.NAME,
    "member": _Column.NAME,
    "player": _Column.NAME,
    "surname": _Column.SURNAME,
    "last name": _Column.SURNAME,
    "family name": _Column.SURNAME,
    "first name": _Column.FIRST,
    "given name": _Column.FIRST,
    "forename": _Column.FIRST,
    "number": _Column.NUMBER,
    "no.": _Column.NUMBER,
    "nr.": _Column.NUMBER,
    "#": _Column.NUMBER,
    "member number": _Column.NUMBER,
    "member no.": _Column.NUMBER,
    "membership number": _Column.NUMBER,
    "e-mail": _Column.EMAIL,
    "email": _Column.EMAIL,
    "e-mail address": _Column.EMAIL,
    "email address": _Column.EMAIL,
}


@dataclass(frozen=True, slots=True)
class _Headings:
    """What stands above the columns, and between them in every line."""

    between: str
    columns: tuple[_Column, ...]


@dataclass(frozen=True, slots=True)
class Listed:
    """A line as it is understood: the name as it is spoken, member number and address; or a problem.

    `line` counts from 1, `text` is what was written.
    """

    line: int
    text: str
    name: str = ""
    number: str = ""
    email: str = ""
    problem: Message | None = None


def read_list(text: str) -> list[Listed]:
    """Read a list; blank lines and headings are skipped.

    Problems stand in their lines, also of what is there twice.
    """
    written = list(written_lines(text))
    read: list[Listed] = []
    heads = None
    if written and (headed := _headings_in(written[0][1])):
        number, line = written.pop(0)
        if isinstance(headed, Message):
            read.append(Listed(number, " ".join(line.split()), problem=headed))
        elif len(headed.columns) > 1:
            heads = headed
    read += [_read_line(number, line, heads) for number, line in written]
    return list(_unless_twice(read))


def alike(name: str) -> str:
    """Return what two ways to write one name have in common: not case, accents, spaces or order."""
    return " ".join(sorted(name_key(name.replace(",", " "))[0].split()))


def written_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a list that are not blank, each with its number, which counts from 1."""
    plain = unicodedata.normalize("NFC", text.replace("\N{ZERO WIDTH NO-BREAK SPACE}", ""))
    for number, line in enumerate(re.split(r"\r\n|\r|\n", plain), start=1):
        if line.strip(" \t;,"):
            yield number, line.strip(" ")


def _headings_in(line: str) -> _Headings | Message | None:
    """The headings that a first line is, or what is wrong with them; None if it is none."""
    between = _sign_between(line)
    said = [cell.casefold() for cell in _cells(line, between) or ()]
    while said and not said[-1]:
        said.pop()
    if not any(cell in _HEADINGS for cell in said) or any("@" in cell or _has_figure(cell) for cell in said):
        return None
    unknown = next((cell for cell in said if cell not in _HEADINGS), None)
    if unknown is not None:
        return mark(
            "“%(heading)s” is not a heading known here: name, surname, first name, number and e-mail are.",
            heading=unknown,
        )
    columns = [_HEADINGS[cell] for cell in said]
    if _Column.FIRST in columns and _Column.SURNAME not in columns:
        columns = [_Column.SURNAME if column is _Column.NAME else column for column in columns]
    if len(set(columns)) < len(columns) or len({_Column.NAME, _Column.SURNAME} & set(columns)) != 1:
        return mark("These headings do not say which column is the name.")
    return _Headings(between, tuple(columns))


def _read_line(number: int, line: str, heads: _Headings | None) -> Listed:
    text = " ".join(line.split())
    between = _sign_between(line) if heads is None else heads.between
    cells = _cells(line if heads else _BULLET.sub("", line), between)
    if cells is None:
        problem = mark("The quotation marks in this line cannot be read: leave them out.")
        return Listed(number, text, problem=problem)
    read = _by_looks(cells) if heads is None else _in_columns(cells, heads.columns)
    if isinstance(read, Message):
        return Listed(number, text, problem=read)
    listed = Listed(number, text, *read)
    return replace(listed, problem=_wrong_with(listed))


def _by_looks(cells: list[str]) -> tuple[str, str, str] | Message:
    """Name, number and address of a line by what its cells look like; or a problem."""
    rest: list[str] = []
    addresses: list[str] = []
    for cell in cells:
        words = cell.split()
        addresses += [word.strip("<>()") for word in words if "@" in word]
        rest.append(" ".join(word for word in words if "@" not in word))
    rest = [cell for cell in rest if cell.strip(",")]
    if len(addresses) > 1:
        return mark("There are two addresses in this line.")
    if not rest:
        return mark("There is no name in this line.")
    if len(rest) > 1 and not any(sign.isalpha() for sign in rest[0]):
        # The number stands first.
        rest = [*rest[1:], rest[0]]
    name, *others = rest
    if others and not re.search("[,;]", name) and not _has_figure(others[0]):
        name = f"{name}, {others.pop(0)}"
    if len(others) > 1:
        return mark("There is more in this line than a name, a number and an address.")
    spoken = _as_spoken(name)
    return spoken if isinstance(spoken, Message) else (spoken, "".join(others), "".join(addresses))


def _in_columns(cells: list[str], columns: Sequence[_Column]) -> tuple[str, str, str] | Message:
    """Name, number and address of a line under headings; or a problem."""
    if any(cells[len(columns) :]):
        return mark("There is more in this line than there are headings.")
    said = dict.fromkeys(_Column, "") | dict(zip(columns, cells, strict=False))
    if _Column.NAME in columns:
        spoken = _as_spoken(said[_Column.NAME])
        if isinstance(spoken, Message):
            return spoken
    else:
        spoken = f"{said[_Column.FIRST]} {said[_Column.SURNAME]}".strip()
    number = said[_Column.NUMBER]
    if number and not _has_figure(number):
        return mark("“%(number)s” is in the number column.", number=number)
    return spoken, number, said[_Column.EMAIL].strip("<>")


def _sign_between(line: str) -> str:
    """What stands between the cells of a line."""
    outside = _QUOTED.sub("", line)
    return next((sign for sign in "\t;" if sign in outside), ",")


def _cells(line: str, between: str) -> list[str] | None:
    """The cells of a line, without quotes and outer blanks; None if its quotes cannot be read."""
    try:
        (cells,) = csv.reader([line], delimiter=between, skipinitialspace=True, strict=True)
    except csv.Error:
        return None
    return [" ".join(cell.split()) for cell in cells]


def _has_figure(cell: str) -> bool:
    return any(sign.isdigit() for sign in cell)


def _names(part: str) -> int:
    """How many words of a part of a name are names by themselves, and no “van der”."""
    return sum(not word[0].islower() for word in part.split())


def _as_spoken(name: str) -> str | Message:
    """“Surname, First” as “First Surname”; or a problem, if these may be two people."""
    surname, comma, first = name.replace(";", ",").partition(",")
    if _names(surname) > 1 and _names(first) > 1:
        return mark("Are these two people? Give each a line, and write first names first.")
    return " ".join(f"{first} {surname}".split()) if comma else name


def _wrong_with(read: Listed) -> Message | None:
    """What keeps a line from being a player, or None."""
    if "@" in read.name + read.number:
        return mark("There is an address where a name or a number should be.")
    if not any(sign.isalpha() for sign in read.name):
        return mark("There is no name in this line.")
    if len(read.name) > LONGEST_NAME:
        return mark("A name has at most %(most)s characters.", most=LONGEST_NAME)
    if "+" in read.name:
        return mark("“+” stands between the names of a team; write “and”.")
    if any(sign in read.name + read.number for sign in ",;"):
        return mark("There is more in this line than a name, a number and an address.")
    if not is_plain(read.name + read.number + read.email):
        return mark("There is a character here that cannot be seen: type it again.")
    if len(read.number) > LONGEST_NUMBER:
        return mark("A member number has at most %(most)s characters.", most=LONGEST_NUMBER)
    if read.email and not _ADDRESS.fullmatch(read.email):
        return mark("“%(email)s” is not an e-mail address.", email=read.email)
    return None


def _unless_twice(read: list[Listed]) -> Iterator[Listed]:
    """The lines, with a problem where a line before has the same name or number."""
    names: dict[str, int] = {}
    numbers: dict[str, int] = {}
    for one in read:
        if one.problem:
            yield one
            continue
        with_name = names.setdefault(alike(one.name), one.line)
        with_number = numbers.setdefault(one.number, one.line) if one.number else one.line
        problem = None
        if with_name < one.line and with_name <= with_number:
            problem = mark(
                "“%(name)s” stands in line %(line)s already. Two people need an initial or the town.",
                name=one.name,
                line=with_name,
            )
        elif with_number < one.line:
            problem = mark("Line %(line)s has this member number already.", line=with_number)
        yield replace(one, problem=problem)
