"""A paper sheet as typed by a scorekeeper, row by row, and stored deals written back as such rows.

`cells` parses a single field, `rows` turns fields into deals, `wording` describes them. This module combines
them: what the entry page shows beside every row, and the sheet made by all readable rows.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from scoring.core.hands import BigGin, Dead, Gin, HandResult, Knock, Outcome, Points
from scoring.core.kinds import kind_of
from scoring.core.messages import Message, mark
from scoring.core.rules import Rules
from scoring.core.sheet_state import sides_in_columns
from scoring.core.sheets import Deal, DealScore, SheetSide, SheetState
from scoring.core.table_hands import Blocked, Gain, Out, TableKnock, TablePoints, TableResult
from scoring.documents.sheets import players_of
from scoring.typing.cells import (
    ANY_SPADE,
    Basis,
    Cell,
    CellForm,
    Grammar,
    NotationError,
    parse_cell,
    write_cell,
)
from scoring.typing.rows import Refusal, RowReader, Taken, grammar_of, seat_pairing
from scoring.typing.unlikely import unlikely
from scoring.typing.wording import echo_rows


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
    def deals(self) -> tuple[Deal, ...]:
        """The deals to be recorded, in order: the whole sheet once no row is refused or in doubt."""
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
    `left` is the side that `a` stands for, and the next letters for those that follow in order of seats. With
    `running_totals` a bare `a62` is a running total and `a12!` are points; figures at a team's tables, and of
    hands of several, are always points. With `lines_only` a team's row of one field is a line without its
    `l`. Empty rows at the end are dropped, others refused. `overridden` holds keys of doubts.
    """
    reader = RowReader(rules, sides, left=left, running_totals=running_totals)
    size = kind_of(rules).hands_in(sides)
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
        return (write_cell(Cell(CellForm.STRUCK)),)
    if deal.line is not None:
        side = int(deal.line.winner != sides[left].name)
        return (write_cell(Cell(CellForm.LINE, side, (deal.line.points, deal.line.boxes), basis=basis)),)
    if grammar_of(rules) is not Grammar.TWO_SIDES:
        return (_write_single(deal.hands[0], rules, sides, left, basis),)
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
        fields.append(write_cell(_with_upcard(replace(cell, pair=pair), hand, rules)))
    return tuple(fields)


def _write_single(
    hand: HandResult | TableResult, rules: Rules, sides: Sequence[SheetSide], left: int, basis: Basis
) -> str:
    """The field of the one hand of a deal, of the two or of all who play it."""
    side_of = {player: number for number, side in enumerate(sides) for player in side.everyone}
    seats = [(side_of[player], sides[side_of[player]].seat_of[player]) for player in _dead_players(hand)]

    def letter(player: str) -> int:
        return (side_of[player] - left) % len(sides)

    match hand:
        case Dead(players):
            cell = Cell(CellForm.DEAD, None if seats == sorted(seats) else letter(players[0]))
        case TableKnock(knocker, own, others):
            counts = tuple([count for _player, count in others])
            form = {Outcome.GIN: CellForm.GIN, Outcome.BIG_GIN: CellForm.BIG_GIN}.get(
                hand.ending, CellForm.COUNTS
            )
            cell = Cell(form, letter(knocker), counts if form is not CellForm.COUNTS else (own, *counts))
        case TablePoints(gains, penalties, outcome):
            cell = _shares(gains, letter, len(sides))
            off = (letter(penalties[0][0]), penalties[0][1]) if penalties else None
            cell = replace(cell, mark=outcome, off=off)
        case Out(winner, left_with, is_rummy):
            figures = tuple([count for _player, count in left_with])
            cell = Cell(CellForm.RUMMY if is_rummy else CellForm.OUT, letter(winner), figures)
        case Blocked(left_with):
            by_side = {side_of[player]: count for player, count in left_with}
            return write_cell(
                Cell(
                    CellForm.BLOCKED,
                    numbers=tuple(by_side[side] for side in sides_in_columns(left, len(sides))),
                )
            )
        case _:
            cell = _cell(hand, letter(players_of(hand)[0]), basis, is_canonical=True)
    return write_cell(_with_upcard(cell, hand, rules))


def _dead_players(hand: HandResult | TableResult) -> Sequence[str]:
    """The players of a dead hand of two, as named."""
    return hand.players if isinstance(hand, Dead) else ()


def _shares(gains: Sequence[Gain], letter: Callable[[str], int], sides: int) -> Cell:
    """The field of points won by one or two of several."""

    def numbers(gain: Gain) -> tuple[int, ...]:
        """What is from each, from the next seat."""
        points = {letter(player): share for player, share in gain.shares}
        own = letter(gain.winner)
        return tuple([points.get((own + step) % sides, 0) for step in range(1, sides)])

    first, *others = gains
    if not others:
        return Cell(CellForm.SHARES, letter(first.winner), numbers(first))
    (second,) = others
    if first.shares[0][0] == second.shares[0][0]:
        # Both from the third.
        return Cell(
            CellForm.SHARES,
            letter(first.winner),
            (first.points,),
            also=(letter(second.winner), (second.points,)),
        )
    return Cell(
        CellForm.SHARES, letter(first.winner), numbers(first), also=(letter(second.winner), numbers(second))
    )


def _with_upcard(cell: Cell, hand: HandResult | TableResult, rules: Rules) -> Cell:
    """The field with the hand's upcard; a spade of which no more is known is a bare `s`."""
    upcard = None if isinstance(hand, Out | Blocked) else hand.upcard
    has_limit = isinstance(hand, Knock) or cell.form is CellForm.COUNTS
    is_vague = upcard == ANY_SPADE and not (has_limit and rules.oklahoma != "off")
    return replace(cell, upcard=None if is_vague else upcard, spade=is_vague)


def _without_empty_end(row: Sequence[str]) -> tuple[str, ...]:
    fields = list(row)
    while fields and not fields[-1].strip():
        fields.pop()
    return tuple(fields)


def _take(reader: RowReader, texts: Sequence[str], *, line: bool) -> Taken:
    cells: list[Cell] = []
    try:
        for text in texts:
            cells.append(parse_cell(text, line=line, grammar=reader.grammar))
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
            return Cell(CellForm.POINTS, letter, (points,), outcome, basis)
        case Knock(_, _, own, other):
            return Cell(CellForm.COUNTS, letter, (own, other))
        case Gin(_, _, other):
            return Cell(CellForm.GIN, letter, (other,))
        case BigGin(_, _, other):
            return Cell(CellForm.BIG_GIN, letter, (other,))
        case Dead():
            return Cell(CellForm.DEAD, None if is_canonical else letter)
