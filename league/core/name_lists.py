"""Lists of people as a secretary has them: a line each, with a name, and perhaps a number and an address.

    Eklund, Anna; 17; anna@example.org
    Bo Castell

Between the cells of a line stand semicolons or tabs; where there are neither, commas. What contains "@" is an
address. The first cell is the name, "Surname, First" or as it is spoken; a cell without a figure after a
surname is the first name, any other the member number.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
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
    """Read a list; blank lines are skipped. Problems stand in their lines, also of what is there twice."""
    read = [_read_line(number, line) for number, line in written_lines(text)]
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


def _read_line(number: int, line: str) -> Listed:
    text = " ".join(line.split())
    cells = _cells(_BULLET.sub("", line))
    addresses = [cell for cell in cells if "@" in cell]
    rest = [cell for cell in cells if "@" not in cell]
    if len(addresses) > 1:
        return Listed(number, text, problem=mark("There are two addresses in this line."))
    if not rest:
        return Listed(number, text, problem=mark("There is no name in this line."))
    name, *others = rest
    if others and "," not in name and not _has_figure(others[0]):
        name = f"{name}, {others.pop(0)}"
    if len(others) > 1:
        problem = mark("There is more in this line than a name, a number and an address.")
        return Listed(number, text, problem=problem)
    read = Listed(number, text, _as_spoken(name), "".join(others), "".join(addresses))
    return Listed(read.line, read.text, read.name, read.number, read.email, _wrong_with(read))


def _cells(line: str) -> list[str]:
    """The cells of a line, without quotes and blanks."""
    between = next((sign for sign in "\t;" if sign in line), ",")
    tidy = [" ".join(cell.strip().strip('"').split()) for cell in line.split(between)]
    return [cell for cell in tidy if cell.strip(",")]


def _has_figure(cell: str) -> bool:
    return any(sign.isdigit() for sign in cell)


def _as_spoken(name: str) -> str:
    """“Surname, First” as “First Surname”."""
    surname, comma, first = name.partition(",")
    return " ".join(f"{first} {surname}".split()) if comma else name


def _wrong_with(read: Listed) -> Message | None:
    """What keeps a line from being a player, or None."""
    if not any(sign.isalpha() for sign in read.name):
        return mark("There is no name in this line.")
    if len(read.name) > LONGEST_NAME:
        return mark("A name has at most %(most)s characters.", most=LONGEST_NAME)
    if "+" in read.name:
        return mark("“+” stands between the names of a team; write “and”.")
    if "," in read.name:
        return mark("There is more in this line than a name, a number and an address.")
    if not is_plain(read.name + read.number + read.email):
        return mark("There is a character here that cannot be seen: type it anew.")
    if len(read.number) > LONGEST_NUMBER:
        return mark("A member number has at most %(most)s characters.", most=LONGEST_NUMBER)
    if read.email and not _ADDRESS.fullmatch(read.email):
        return mark("“%(email)s” is no e-mail address.", email=read.email)
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
