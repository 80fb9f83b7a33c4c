"""One field of the entry page as typed: `a12`, `b44g`, `a8 20 7s`; its grammar, and what to type instead.

The grammar knows no sheet: `a` is whoever stands on the left, `b` the next to the right, up to `f`, and
`notation` says who that is. Spaces and capitals are free; `.` and `,` are spaces, and of the keypad `+` is a,
`-` b, `*` g, `/` u.

    a12        the left side won 12 points, final as written
    a44g       with a mark: g gin, x or gg big gin, u undercut, o undercut with nothing left, k knock
    a62=       the left side's running total is now 62; a12! are points where running totals are the default
    a8 20      the left side knocked with 8, the other counted 20: whoever won
    ag 31      the left side went gin (ax: big gin) against 31
    … s        a spade was turned up; … 7s (after bare points @7s) the upcard itself
    d or 0     a dead hand; ad and bd only keep who is named first
    t          time was called: the last row
    v          a row struck out: it keeps its number and counts nothing
    la28 3     a team's line: 28 points and 3 boxes (1 if left out); ld: every table dead
    1v2 a12    left's first player met right's second, where that is not who was prefilled

Of three at one table (Jersey):

    a 12 20    a won 12 from the next, 20 from the one after; marks and upcards as above, a card after @
    b28 c28 u  two won from the third; b 0 28 & a 0 22 u: two won, each from one
    … ma20     20 is taken off a
    a8 20 26   a knocked with 8, the next counted 20, the one after 26; ag 18 26, ax 18 26 without a's

Of rummy:

    c 31 8 15  c went out; what the others had left, from the next; with r it was rummy
    6 15 7 21  blocked: what everybody had left, from a
"""

import re
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple

from scoring.core.cards import parse_card
from scoring.core.errors import ScoringError, shown
from scoring.core.hands import MOST_DEADWOOD, MOST_POINTS, Outcome
from scoring.core.messages import Message, mark

LONGEST_CELL: Final = 40
MOST_LINE_BOXES: Final = 999
# Stands for "some spade": as a king it lowers no knock limit of 10 or less.
ANY_SPADE: Final = "KS"


class Grammar(Enum):
    """What is typed for a hand: of two sides, of two among more sides, of three at a table, of rummy."""

    TWO_SIDES = "ab"
    TWO_OF_MORE = "abcdef"
    JERSEY = "abc"
    RUMMY = "abcdef "


class CellForm(Enum):
    """The kind of entry."""

    EMPTY = "empty"
    POINTS = "points"
    COUNTS = "counts"
    GIN = "gin"
    BIG_GIN = "big_gin"
    DEAD = "dead"
    LINE = "line"
    DEAD_LINE = "dead_line"
    TIME = "time"
    STRUCK = "struck"
    SHARES = "shares"
    OUT = "out"
    RUMMY = "rummy"
    BLOCKED = "blocked"


class Basis(Enum):
    """Whether a figure is marked as points (`!`), as a running total (`=`), or neither."""

    UNSAID = ""
    POINTS = "!"
    TOTAL = "="


@dataclass(frozen=True, slots=True)
class Cell:
    """A parsed field. `side` is 0 for a, 1 for b: the winner of points, the knocker of a hand.

    `numbers` are the points, both counts, the defender's count, or a line's points and boxes; at a table of
    several what was won from each, or left, from the next seat. `spade` is a bare `s`; `pair` is the two
    players by their numbers from 1, the left side's first. `also` is the second winner of a hand, who like
    the first won one number from the third, or two; `off` is a side and what is taken off it.
    """

    form: CellForm
    side: int | None = None
    numbers: tuple[int, ...] = ()
    mark: Outcome | None = None
    basis: Basis = Basis.UNSAID
    upcard: str | None = None
    spade: bool = False
    pair: tuple[int, int] | None = None
    also: tuple[int, tuple[int, ...]] | None = None
    off: tuple[int, int] | None = None


class NotationError(ScoringError):
    """A field that cannot be parsed, or cannot be true. The message may name the sides."""


EMPTY: Final = Cell(CellForm.EMPTY)
LETTERS: Final = "abcdef"

_MARKS: Final = {
    "g": Outcome.GIN,
    "gg": Outcome.BIG_GIN,
    "x": Outcome.BIG_GIN,
    "u": Outcome.UNDERCUT,
    "o": Outcome.GIN_OFF,
    "k": Outcome.KNOCK,
}
_LETTERS: Final = {
    Outcome.GIN: "g",
    Outcome.BIG_GIN: "x",
    Outcome.UNDERCUT: "u",
    Outcome.GIN_OFF: "o",
    Outcome.KNOCK: "k",
}
_KEYPAD: Final = str.maketrans(
    {"+": "a", "-": "b", "*": "g", "/": "u", ".": " ", ",": " ", "−": "b", "×": "g"}
)

_CARD: Final = r"(?P<card>(?:10|[a2-9tjqk])[cdhs♣♦♥♠]\ufe0f?)"
_UPCARD: Final = rf"(?:(?: | ?@ ?){_CARD}| ?(?P<spade>s))?"
_MARK: Final = r"(?:gg|[guxok])"
_PAIR: Final = re.compile(r"(?P<left>[0-9]{1,2}) ?v ?(?P<right>[0-9]{1,2})(?: |:|(?=[a-z]))(?P<rest>.*)")
# "a12 ks" is a king of spades, "a12ks" a knock and a spade.
_IS_MARK: Final = r"(?! k[cdhs]$) ?"


class _OfTwo(NamedTuple):
    """The fields of a hand of two."""

    dead: re.Pattern[str]
    counts: re.Pattern[str]
    gin: re.Pattern[str]
    points: re.Pattern[str]


def _of_two(letters: str) -> _OfTwo:
    side = rf"(?P<side>[{letters}]) ?"
    return _OfTwo(
        re.compile(rf"(?:{side.replace(') ?', ')? ?')}d(?:ead)?|0){_UPCARD}"),
        re.compile(rf"{side}(?P<one>[0-9]+) (?P<two>[0-9]+){_UPCARD}"),
        re.compile(rf"{side}(?P<kind>gg|[gx]) ?(?P<one>[0-9]+){_UPCARD}"),
        re.compile(
            rf"{side}(?P<one>[0-9]+)(?:{_IS_MARK}(?P<mark>{_MARK}))?"
            rf"(?: ?(?P<basis>[=!]))?(?:{_IS_MARK}(?P<late>{_MARK}))?{_UPCARD}"
        ),
    )


_HANDS_OF_TWO: Final = {
    grammar: _of_two(grammar.value) for grammar in (Grammar.TWO_SIDES, Grammar.TWO_OF_MORE)
}
_AT_ONCE_DEAD: Final = re.compile(rf"(?:d(?:ead)?|0){_UPCARD}")
_JERSEY_COUNTS: Final = re.compile(rf"(?P<side>[abc]) ?(?P<numbers>[0-9]+ [0-9]+ [0-9]+){_UPCARD}")
_JERSEY_GIN: Final = re.compile(rf"(?P<side>[abc]) ?(?P<kind>gg|[gx]) ?(?P<numbers>[0-9]+ [0-9]+){_UPCARD}")
_AFTER_SHARES: Final = (
    rf"(?: ?(?P<mark>{_MARK}))?(?: ?m ?(?P<off>[abc]) ?(?P<much>[0-9]+))?(?: ?@ ?{_CARD}| ?(?P<spade>s))?"
)
_JERSEY_ONE: Final = re.compile(rf"(?P<side>[abc]) ?(?P<numbers>[0-9]+ [0-9]+){_AFTER_SHARES}")
_JERSEY_TWO: Final = re.compile(
    r"(?P<side>[abc]) ?(?P<numbers>[0-9]+(?: [0-9]+)?) ?&? ?"
    rf"(?P<second>[abc]) ?(?P<others>[0-9]+(?: [0-9]+)?){_AFTER_SHARES}"
)
_OUT: Final = re.compile(r"(?P<side>[a-f]) ?(?P<first>r)? ?(?P<numbers>[0-9]+(?: [0-9]+)*) ?(?P<last>r)?")
_BLOCKED: Final = re.compile(r"[0-9]+(?: [0-9]+)+")
_LINE: Final = re.compile(
    r"(?:l ?)?(?P<side>[ab]) ?(?P<one>[0-9]+)(?: ?(?P<basis>[=!]))?(?:(?: |(?<=[=!]))(?P<two>[0-9]+))?"
)
_TOO_MANY: Final = {
    MOST_POINTS: mark("Points are from 0 to %(most)s, not %(number)s.", most=MOST_POINTS, number=""),
    MOST_DEADWOOD: mark("A count is from 0 to %(most)s, not %(number)s.", most=MOST_DEADWOOD, number=""),
    MOST_LINE_BOXES: mark("Boxes are from 0 to %(most)s, not %(number)s.", most=MOST_LINE_BOXES, number=""),
}


@lru_cache(maxsize=8192)
def parse_cell(text: str, *, line: bool = False, grammar: Grammar = Grammar.TWO_SIDES) -> Cell:
    """A field as typed; with `line` a bare `a28 3` is a team's line.

    Refuses with `NotationError`: `too_long`, `not_understood`, `no_side`, `no_points`, `two_hands`,
    `side_first`, `counts_alone`, `one_count`, `line_alone`, `unknown_card`, `out_of_range`.
    """
    if len(text) > LONGEST_CELL:
        raise NotationError(
            "too_long",
            mark("A row is at most %(most)s keys long; this one is not a row.", most=LONGEST_CELL),
        )
    typed = " ".join(text.lower().translate(_KEYPAD).split())
    if not typed:
        return EMPTY
    if typed in ("t", "time"):
        return Cell(CellForm.TIME)
    if typed in ("v", "void"):
        return Cell(CellForm.STRUCK)
    match grammar:
        case Grammar.JERSEY:
            return _jersey(typed)
        case Grammar.RUMMY:
            return _rummy(typed)
    if line or typed[0] == "l":
        return _line(typed)
    pair = None
    if found := _PAIR.fullmatch(typed):
        pair = (int(found["left"]), int(found["right"]))
        typed = found["rest"].strip()
    return _hand(typed, pair, grammar)


def write_cell(cell: Cell) -> str:
    """The shortest text for a field; `parse_cell` reads it back to an equal cell."""
    parts = [] if cell.pair is None else [f"{cell.pair[0]}v{cell.pair[1]} "]
    parts.append("" if cell.side is None else LETTERS[cell.side])
    match cell.form:
        case CellForm.EMPTY:
            return ""
        case CellForm.TIME:
            return "t"
        case CellForm.STRUCK:
            return "v"
        case CellForm.DEAD:
            parts.append("d")
        case CellForm.DEAD_LINE:
            return "ld"
        case CellForm.LINE:
            boxes = f" {cell.numbers[1]}" if cell.numbers[1] != 1 else ""
            return f"l{parts[-1]}{cell.numbers[0]}{cell.basis.value}{boxes}"
        case CellForm.COUNTS | CellForm.BLOCKED:
            parts.append(_written(cell.numbers))
        case CellForm.GIN | CellForm.BIG_GIN:
            parts.append(f"{'g' if cell.form is CellForm.GIN else 'x'} {_written(cell.numbers)}")
        case CellForm.OUT | CellForm.RUMMY:
            parts.append(f" {_written(cell.numbers)}{'r' if cell.form is CellForm.RUMMY else ''}")
        case CellForm.SHARES:
            return _written_shares(cell)
        case CellForm.POINTS:
            parts.append(str(cell.numbers[0]))
            parts.append("" if cell.mark is None else _LETTERS[cell.mark])
            parts.append(cell.basis.value)
    if cell.spade:
        parts.append("s")
    elif cell.upcard is not None:
        # After bare points "7s" would be a second count and a spade.
        is_bare = cell.form is CellForm.POINTS and cell.mark is None and cell.basis is Basis.UNSAID
        parts.append(f" {'@' if is_bare else ''}{cell.upcard.lower()}")
    return "".join(parts)


def _written(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))


def _written_shares(cell: Cell) -> str:
    parts = [LETTERS[cell.side or 0], " " if len(cell.numbers) > 1 else "", _written(cell.numbers)]
    if cell.also is not None:
        side, numbers = cell.also
        joint = (" & ", " ") if len(numbers) > 1 else (" ", "")
        parts += [joint[0], LETTERS[side], joint[1], _written(numbers)]
    if cell.mark is not None:
        parts.append(f" {_LETTERS[cell.mark]}")
    if cell.off is not None:
        parts.append(f" m{LETTERS[cell.off[0]]}{cell.off[1]}")
    if cell.spade:
        parts.append(" s")
    elif cell.upcard is not None:
        parts.append(f" @{cell.upcard.lower()}")
    return "".join(parts)


def _jersey(typed: str) -> Cell:
    """A hand of three at one table, or what calls no hand."""
    if found := _AT_ONCE_DEAD.fullmatch(typed):
        return Cell(CellForm.DEAD, upcard=_card(found), spade=found["spade"] is not None)
    if found := _JERSEY_COUNTS.fullmatch(typed):
        form, most = CellForm.COUNTS, MOST_DEADWOOD
    elif found := _JERSEY_GIN.fullmatch(typed):
        form, most = (CellForm.GIN if found["kind"] == "g" else CellForm.BIG_GIN), MOST_DEADWOOD
    elif found := _JERSEY_ONE.fullmatch(typed) or _JERSEY_TWO.fullmatch(typed):
        form, most = CellForm.SHARES, MOST_POINTS
    else:
        raise _unread_at_once(
            typed,
            mark(
                "“%(typed)s” cannot be read. Type a 12 20 (a won 12 from the next, 20 from the one after), "
                "a8 20 26 (counts), ag 18 26 (gin against), d (dead hand), t (time called).",
                typed=shown(typed),
            ),
        )
    cell = Cell(
        form,
        LETTERS.index(found["side"]),
        _numbers(found["numbers"], most),
        upcard=_card(found),
        spade=found["spade"] is not None,
    )
    if form is not CellForm.SHARES:
        return cell
    named = found.groupdict()
    also = None
    if named.get("second"):
        also = LETTERS.index(named["second"]), _numbers(named["others"], most)
        if len(also[1]) != len(cell.numbers) or also[0] == cell.side:
            raise NotationError(
                "two_winners",
                mark("Two won: type b28 c28 if both won from the third, else b 0 28 & a 0 22."),
            )
    off = None
    if named["off"]:
        off = LETTERS.index(named["off"]), _number(named["much"], MOST_POINTS)
    return replace(cell, mark=_MARKS[named["mark"]] if named["mark"] else None, also=also, off=off)


def _rummy(typed: str) -> Cell:
    """A hand of rummy, or what calls no hand."""
    if typed in ("d", "dead", "0"):
        return Cell(CellForm.DEAD)
    if found := _OUT.fullmatch(typed):
        form = CellForm.RUMMY if found["first"] or found["last"] else CellForm.OUT
        return Cell(form, LETTERS.index(found["side"]), _numbers(found["numbers"], MOST_POINTS))
    if _BLOCKED.fullmatch(typed):
        return Cell(CellForm.BLOCKED, numbers=_numbers(typed, MOST_POINTS))
    raise _unread_at_once(
        typed,
        mark(
            "“%(typed)s” cannot be read. Type c 31 8 15 (c went out; what the others had left, from the "
            "next), c 31 8 15r (rummy), 6 15 7 21 (blocked), d (dead hand), t (time called).",
            typed=shown(typed),
        ),
    )


def _unread_at_once(typed: str, message: Message) -> NotationError:
    if re.fullmatch(r"[a-f] ?(?:gg|[gxr])?", typed):
        return NotationError("no_points", mark("How much? Type a figure for each of the others."))
    return NotationError("not_understood", message)


def _numbers(text: str, most: int) -> tuple[int, ...]:
    return tuple([_number(digits, most) for digits in text.split()])


def _hand(typed: str, pair: tuple[int, int] | None, grammar: Grammar) -> Cell:
    hands = _HANDS_OF_TWO[grammar]
    if found := hands.dead.fullmatch(typed):
        side = None if found["side"] is None else LETTERS.index(found["side"])
        return Cell(CellForm.DEAD, side, upcard=_card(found), spade=found["spade"] is not None, pair=pair)
    mark = None
    basis = Basis.UNSAID
    numbers: tuple[int, ...]
    if found := hands.counts.fullmatch(typed):
        form = CellForm.COUNTS
        numbers = (_number(found["one"], MOST_DEADWOOD), _number(found["two"], MOST_DEADWOOD))
    elif found := hands.gin.fullmatch(typed):
        form = CellForm.GIN if found["kind"] == "g" else CellForm.BIG_GIN
        numbers = (_number(found["one"], MOST_DEADWOOD),)
    elif (found := hands.points.fullmatch(typed)) and not (found["mark"] and found["late"]):
        form = CellForm.POINTS
        numbers = (_number(found["one"], MOST_POINTS),)
        letter = found["mark"] or found["late"]
        mark = _MARKS[letter] if letter else None
        basis = Basis(found["basis"] or "")
    else:
        raise _unread(typed, grammar)
    side = LETTERS.index(found["side"])
    return Cell(form, side, numbers, mark, basis, _card(found), found["spade"] is not None, pair)


def _line(typed: str) -> Cell:
    if typed in ("d", "dead", "0", "ld", "l d", "l0", "l 0", "ldead", "l dead"):
        return Cell(CellForm.DEAD_LINE)
    found = _LINE.fullmatch(typed)
    if found is None:
        raise NotationError(
            "line_alone",
            mark(
                "“%(typed)s” is not a team's line: type who won it, the points and, if not 1, the boxes, as "
                "in "
                "la28 or la28 3; ld is a deal that nobody won.",
                typed=shown(typed),
            ),
        )
    points = _number(found["one"], MOST_POINTS)
    boxes = _number(found["two"] or "1", MOST_LINE_BOXES)
    if boxes == 0:
        raise NotationError("out_of_range", mark("A line that was won has at least 1 box."))
    return Cell(
        CellForm.LINE, LETTERS.index(found["side"]), (points, boxes), basis=Basis(found["basis"] or "")
    )


def _card(found: re.Match[str]) -> str | None:
    return None if found["card"] is None else parse_card(found["card"])


def _number(digits: str, most: int) -> int:
    number = int(digits)
    if number > most:
        raise NotationError("out_of_range", _TOO_MANY[most].filled(number=shown(number)))
    return number


def _unread(typed: str, grammar: Grammar) -> NotationError:
    """An error that tells, as far as possible, why the text cannot be parsed and what to type instead."""
    figures = re.findall("[0-9]+", typed)
    letters = f"[{grammar.value}]"
    sides = re.findall(letters, typed)
    if figures and not sides and re.fullmatch(rf"{_MARK}? ?[0-9 ]+{_MARK}?[=!]?s?", typed):
        if grammar is Grammar.TWO_OF_MORE:
            message = mark("Who? Type the letter of who won it, as in a%(figure)s.", figure=figures[0])
            return NotationError("no_side", message)
        return NotationError(
            "no_side",
            mark(
                "Who? Type a%(figure)s if it was %(left)s, b%(figure)s if it was %(right)s.",
                figure=figures[0],
                left="{a}",
                right="{b}",
            ),
        )
    if not figures and re.fullmatch(rf"{letters} ?{_MARK}? ?s?", typed):
        if typed[1:].strip()[:1] in ("g", "x"):
            letter = typed[1:].strip()[0]
            return NotationError(
                "no_points",
                mark(
                    "How much? Type %(side)s44%(letter)s for 44 points or %(side)s%(letter)s 19 for a "
                    "count of 19.",
                    side=sides[0],
                    letter=letter,
                ),
            )
        return NotationError("no_points", mark("How much? Type %(side)s12 for 12 points.", side=sides[0]))
    if re.fullmatch(rf"[0-9]+ ?{letters}", typed):
        return NotationError(
            "side_first",
            mark("The side comes first: type %(side)s%(figure)s.", side=sides[0], figure=figures[0]),
        )
    if re.fullmatch(rf"{letters} ?[0-9]+ ?{_MARK}?s? ?{letters} ?[0-9]+ ?{_MARK}?s?", typed):
        return NotationError(
            "two_hands",
            mark(
                "These look like two hands: one row each. Two counts of one hand have a space between, as "
                "in %(side)s%(figure)s %(other)s.",
                side=sides[0],
                figure=figures[0],
                other=figures[1],
            ),
        )
    if re.fullmatch(rf"{letters} ?[0-9]+ [0-9]+ ?(?:{_MARK}|[=!]|s)+", typed):
        return NotationError(
            "counts_alone",
            mark(
                "Two counts need no mark: type %(side)s%(figure)s %(other)s, the outcome follows.",
                side=sides[0],
                figure=figures[0],
                other=figures[1],
            ),
        )
    if re.fullmatch(rf"{letters} ?(?:gg|[gx]) ?[0-9]+ [0-9]+", typed):
        letter = "g" if "g" in typed and "gg" not in typed else "x"
        return NotationError(
            "one_count",
            mark(
                "Gin leaves nothing: type only the other's count, as in %(side)s%(letter)s %(figure)s.",
                side=sides[0],
                letter=letter,
                figure=figures[-1],
            ),
        )
    last = typed.rsplit(" ", 1)[-1].lstrip("@")
    if " " in typed and re.fullmatch("[0-9a-z]{1,3}[cdhs♣♦♥♠]", last):
        return NotationError(
            "unknown_card",
            mark("“%(card)s” is not a card: write rank then suit, as in 7s, td or 10d.", card=shown(last)),
        )
    return NotationError(
        "not_understood",
        mark(
            "“%(typed)s” cannot be read. Type a12 (points), a44g (gin), a8 20 (both counts), d (dead hand), "
            "t (time called).",
            typed=shown(typed),
        ),
    )
