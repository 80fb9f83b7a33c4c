"""A paper sheet as typed by a scorekeeper, row by row, and stored deals written back as such rows.

`cells` parses a single field, `rows` turns fields into deals, `wording` describes them. This module combines
them: what the entry page shows beside every row, and the sheet made by all readable rows.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from scoring.core.hands import BigGin, Dead, Gin, HandResult, Knock, Points
from scoring.core.messages import Message, mark
from scoring.core.rules import Rules
from scoring.core.sheets import Deal, DealScore, SheetSide, SheetState
from scoring.documents.sheets import players_of
from scoring.typing.cells import ANY_SPADE, Basis, Cell, Form, NotationError, parse_cell, write_cell
from scoring.typing.rows import Refusal, RowReader, Taken, seat_pairing, team_pairing
from scoring.typing.unlikely import unlikely
from scoring.typing.wording import echo_rows

__all__ = ["Doubt", "Refusal", "TypedRow", "TypedSheet", "read_rows", "team_pairing", "write_row"]


@dataclass(frozen=True, slots=True)
class Doubt:
    """An unlikely entry. `key` identifies it with its text and points; sending it back overrides it."""

    code: str
    message: Message
    key: str
    overridden: bool = False
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class TypedRow:
    """A row as typed and as read. `number`, from 1, is also the number of its deal.

    `deal` and `score` are None if the row is refused or calls time (`stops`); a deal after the end has both
    and an error as well. `echo` is the row in words, None with an error.
    """

    number: int
    cells: tuple[str, ...]
    deal: Deal | None = None
    score: DealScore | None = None
    error: Refusal | None = None
    warnings: tuple[Doubt, ...] = ()
    stops: bool = False
    echo: Message | None = None


@dataclass(frozen=True, slots=True)
class TypedSheet:
    """All rows up to the last non-empty one, and their sheet; refused rows count as voided."""

    rows: tuple[TypedRow, ...]
    state: SheetState
    stopped: bool

    @property
    def errors(self) -> tuple[TypedRow, ...]:
        """The refused rows."""
        return tuple([row for row in self.rows if row.error is not None])

    @property
    def doubtful(self) -> tuple[TypedRow, ...]:
        """The rows with a doubt that was not overridden."""
        return tuple([row for row in self.rows if any(not doubt.overridden for doubt in row.warnings)])

    @property
    def can_be_saved(self) -> bool:
        """Whether there are neither refusals nor doubts."""
        return not self.errors and not self.doubtful

    @property
    def deals(self) -> tuple[Deal, ...]:
        """The deals to be recorded, in order: the whole sheet once `can_be_saved`."""
        return tuple([row.deal for row in self.rows if row.deal is not None])


def read_rows(
    rows: Sequence[Sequence[str]],
    *,
    rules: Rules,
    sides: Sequence[SheetSide],
    left: int = 0,
    running_totals: bool = False,
    lines_only: bool = False,
    overridden: Collection[str] = (),
) -> TypedSheet:
    """The sheet of these rows; never raises, every mistake is an error beside its row.

    A row is a list of fields: one for single players; for teams one per table, or one with the team's line.
    `left` is the side that `a` stands for. With `running_totals` a bare `a62` is a running total and `a12!`
    are points; figures at a team's tables are always points. With `lines_only` a team's row of one field is a
    line without its `l`. Empty rows at the end are dropped, others refused. `overridden` holds keys of
    doubts.
    """
    reader = RowReader(rules, sides, left=left, running_totals=running_totals)
    size = len(sides[0].players)
    typed = [_without_empty_end(row) for row in rows]
    while typed and not typed[-1]:
        typed.pop()
    read = []
    for number, texts in enumerate(typed, start=1):
        taken = _take(reader, texts, line=lines_only and size > 1 and len(texts) == 1)
        warnings: tuple[Doubt, ...] = ()
        if taken.deal is not None:
            warnings = tuple(_doubts(reader.rules, taken.deal, texts, size, overridden))
        stops = reader.stopped_by == number
        read.append(TypedRow(number, texts, taken.deal, taken.score, taken.error, warnings, stops))
    stopped = reader.stopped_by is not None
    state = reader.sheet.settle(stopped=stopped)
    words = echo_rows(state)
    return TypedSheet(tuple([replace(row, echo=_echo(row, words)) for row in read]), state, stopped)


def write_row(
    deal: Deal,
    number: int,
    *,
    rules: Rules,
    sides: Sequence[SheetSide],
    left: int = 0,
    running_totals: bool = False,
) -> tuple[str, ...]:
    """The fields to type for a stored deal; `read_rows` reads them as row `number` to an equal deal.

    `sides`, `left` and `running_totals` as in `read_rows`. Lines keep their `l`.
    """
    basis = Basis.POINTS if running_totals else Basis.UNSAID
    if deal.is_void:
        return (write_cell(Cell(Form.STRUCK)),)
    if deal.line is not None:
        side = int(deal.line.winner != sides[left].name)
        return (write_cell(Cell(Form.LINE, side, (deal.line.points, deal.line.boxes), basis=basis)),)
    size = len(sides[0].players)
    seats = (sides[0].seat_of, sides[1].seat_of)
    fields = []
    for hand, expected in zip(deal.two_handed, seat_pairing(number, size), strict=True):
        who, other = players_of(hand)
        is_canonical = who in seats[0]
        letter = int(who not in seats[left])
        pair = None
        met = (seats[0][who], seats[1][other]) if is_canonical else (seats[0][other], seats[1][who])
        if met != expected:
            pair = (met[left] + 1, met[1 - left] + 1)
        cell = _cell(hand, letter, basis if size == 1 else Basis.UNSAID, is_canonical=is_canonical)
        is_vague = hand.upcard == ANY_SPADE and not (isinstance(hand, Knock) and rules.oklahoma != "off")
        upcard = None if is_vague else hand.upcard
        fields.append(write_cell(replace(cell, pair=pair, upcard=upcard, spade=is_vague)))
    return tuple(fields)


def _without_empty_end(row: Sequence[str]) -> tuple[str, ...]:
    fields = list(row)
    while fields and not fields[-1].strip():
        fields.pop()
    return tuple(fields)


def _take(reader: RowReader, texts: Sequence[str], *, line: bool) -> Taken:
    cells: list[Cell] = []
    try:
        for text in texts:
            cells.append(parse_cell(text, line=line))
    except NotationError as error:
        return reader.refuse(error, cell=len(cells))
    return reader.take(cells)


def _echo(row: TypedRow, words: dict[int, Message]) -> Message | None:
    if row.error is not None:
        return None
    return mark("time called") if row.stops else words[row.number]


def _doubts(
    rules: Rules, deal: Deal, texts: Sequence[str], size: int, overridden: Collection[str]
) -> Iterator[Doubt]:
    for place, points, code, message in unlikely(rules, deal, size):
        key = f"{code}:{''.join(texts[place].lower().split())}:{points}"
        yield Doubt(code, message, key, key in overridden, place)


def _cell(hand: HandResult, letter: int, basis: Basis, *, is_canonical: bool) -> Cell:
    """The hand without its upcard; with `is_canonical` the first side's player is named first."""
    match hand:
        case Points(_, _, points, outcome):
            return Cell(Form.POINTS, letter, (points,), outcome, basis)
        case Knock(_, _, own, other):
            return Cell(Form.COUNTS, letter, (own, other))
        case Gin(_, _, other):
            return Cell(Form.GIN, letter, (other,))
        case BigGin(_, _, other):
            return Cell(Form.BIG_GIN, letter, (other,))
        case Dead():
            return Cell(Form.DEAD, None if is_canonical else letter)
