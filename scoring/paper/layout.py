"""The score-sheet table as it stands on paper: which figure goes in which cell.

A sheet of n games has n double columns. `sheet_frame` says how they are arranged: `abab` puts the two sides
next to each other in each game, `aabb` gives each side a block of its own. `sheet_table` fills the frame with
a scored sheet, a row for every deal. The public page, the entry page and the PDF all show this table; nothing
is added up here.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from scoring.core.hands import HandResult, HandScore, Knock, Outcome
from scoring.core.sheets import ColumnState, DealScore, SheetState, Substitute
from scoring.documents.sheets import players_of
from scoring.paper.short_names import short_names, shown_width

ORDERS: Final = ("abab", "aabb")
# A longer name under a game is its short one: a result must not make its game wider than the others.
WIDEST_NAME_UNDER_A_GAME: Final = 9

# The lines of the settlement that every sheet has.
_ALWAYS: Final = ("points", "boxes", "total")
_NUMERALS: Final = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")


@dataclass(frozen=True, slots=True)
class ColumnPart:
    """One narrow column: the part of side `side` (0 or 1) in game `column` (from 1)."""

    column: int
    side: int
    begins_group: bool

    @property
    def numeral(self) -> str:
        """The game as the paper numbers it: I, II, III."""
        return _NUMERALS[self.column]


@dataclass(frozen=True, slots=True)
class Group:
    """A heading over `span` narrow columns: a game (`column`), or with `aabb` a side's block (`side`)."""

    span: int
    column: int | None = None
    side: int | None = None
    name: str = ""

    @property
    def numeral(self) -> str:
        """The game's number, blank over a side's block."""
        return _NUMERALS[self.column or 0]


@dataclass(frozen=True, slots=True)
class SheetFrame:
    """The columns of the table, left to right, and the headings above them.

    `names` and `short_names` are by side of the sheet, `left_side` is the side that stands left.
    """

    names: tuple[str, str]
    short_names: tuple[str, str]
    columns: int
    order: str
    left_side: int
    groups: tuple[Group, ...]
    places: tuple[ColumnPart, ...]

    @property
    def by_game(self) -> bool:
        """Whether a group is a game (`abab`)."""
        return self.order == "abab"

    @property
    def sides(self) -> tuple[int, int]:
        """The sides from left to right."""
        return self.left_side, 1 - self.left_side

    @property
    def width(self) -> int:
        """How many narrow columns there are."""
        return len(self.places)

    @property
    def names_under_games(self) -> tuple[str, str]:
        """The sides' names as results call them, by side: in full only where both are short."""
        brief = all(shown_width(name) <= WIDEST_NAME_UNDER_A_GAME for name in self.names)
        return self.names if brief else self.short_names

    @property
    def heads(self) -> tuple[tuple[ColumnPart, str, str], ...]:
        """For each place its short label and what it stands for in full."""
        return tuple(
            (place, self.short_names[place.side], self.names[place.side])
            if self.by_game
            else (place, place.numeral, place.numeral)
            for place in self.places
        )


@dataclass(frozen=True, slots=True)
class RowCell:
    """One cell of a deal's row.

    `running` is the side's sum there after this deal, None where it entered nothing. `closed` cells
    are hatched: the game had ended before this deal. `closes` marks the entry that ended it.
    """

    row: int
    place: ColumnPart
    points: int | None = None
    running: int | None = None
    closed: bool = False
    closes: bool = False

    @property
    def key(self) -> str:
        """Names the cell within the sheet, as in `7-2-1`: row, game, side."""
        return f"{self.row}-{self.place.column}-{self.place.side}"


@dataclass(frozen=True, slots=True)
class HandLine:
    """How a hand went: `winner` and `loser` are names, for a dead hand the two players in the order recorded.

    `counts` are the knocker's and the defender's deadwood where both were recorded.
    """

    outcome: str
    winner: str
    loser: str
    side: int | None
    points: int
    boxes: int
    counts: tuple[int, int] | None = None
    upcard: str | None = None


@dataclass(frozen=True, slots=True)
class TeamEntry:
    """A side's line of a deal: what its team entered."""

    side: int
    name: str
    points: int
    boxes: int


@dataclass(frozen=True, slots=True)
class DealRow:
    """A deal. `kind` is `won`, `dead` (nobody entered a line), `void` or `surplus` (after the end).

    `arrivals` are the substitutes whose first deal it is.
    """

    number: int
    kind: str
    hands: tuple[HandLine, ...]
    lines: tuple[TeamEntry, ...]
    cells: tuple[RowCell, ...]
    closes: tuple[int, ...] = ()
    arrivals: tuple[Substitute, ...] = ()


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure at the foot; `won` where it belongs to the winner of its game."""

    place: ColumnPart
    value: int
    won: bool


@dataclass(frozen=True, slots=True)
class FootRow:
    """A line of the settlement.

    `kind` is `points`, `boxes` (a count), `box_points`, `game_bonus`, `shutout_bonus` or `total`.
    """

    kind: str
    figures: tuple[Figure, ...]

    @property
    def is_bonus(self) -> bool:
        """Whether a side may have nothing here, which is printed as nothing."""
        return self.kind not in _ALWAYS


@dataclass(frozen=True, slots=True)
class GameResult:
    """How a game stands, `winner_name` no longer than fits under it.

    `margin` is the winner's, `factor` how often the difference counts (1, 2 or 4).
    `needs` is, by side, what is missing to the target in an open game; `span` narrow columns it lies under.
    With `aabb` a result stands in one column of each block: `side` is that block's, `margin` signed for it.
    """

    column: int
    status: str
    span: int
    winner: int | None
    winner_name: str
    margin: int
    factor: int
    needs: tuple[int, int]
    side: int | None = None
    begins_group: bool = True

    @property
    def least_needed(self) -> int:
        """What the side nearer to the target, or this block's side, still needs."""
        return min(self.needs) if self.side is None else self.needs[self.side]

    @property
    def numeral(self) -> str:
        """The game's number."""
        return _NUMERALS[self.column]


@dataclass(frozen=True, slots=True)
class SheetTable:
    """A scored sheet ready to be shown. `net` is positive for side 0; `leader` is who has a positive net.

    `shows_upcards` where the upcard changes what a hand is worth. `substitutes` are those of both sides.
    """

    frame: SheetFrame
    rows: tuple[DealRow, ...]
    foot: tuple[FootRow, ...]
    results: tuple[GameResult, ...]
    status: str
    net: int
    leader: int | None
    boxes: tuple[int, int]
    totals: tuple[int, int]
    columns_won: tuple[int, int]
    shows_upcards: bool
    substitutes: tuple[Substitute, ...] = ()

    @property
    def leader_name(self) -> str:
        """The side with a positive net, blank when level."""
        return "" if self.leader is None else self.frame.names[self.leader]


def sheet_frame(
    names: tuple[str, str], columns: int, *, order: str = "abab", left_side: int = 0
) -> SheetFrame:
    """The arrangement of a sheet of `columns` games between two sides; refuses an unknown `order`."""
    if order not in ORDERS:
        raise ValueError(f"The order of columns is one of {', '.join(ORDERS)}, not {order}.")
    sides = (left_side, 1 - left_side)
    numbers = range(1, columns + 1)
    if order == "abab":
        places = [ColumnPart(number, side, side == left_side) for number in numbers for side in sides]
        groups = [Group(2, column=number) for number in numbers]
    else:
        places = [ColumnPart(number, side, number == 1) for side in sides for number in numbers]
        groups = [Group(columns, side=side, name=names[side]) for side in sides]
    return SheetFrame(names, short_names(names), columns, order, left_side, tuple(groups), tuple(places))


def sheet_table(state: SheetState, *, order: str = "abab", left_side: int = 0) -> SheetTable:
    """The table of a scored sheet, its columns in the club's order and `left_side` on the left."""
    names = (state.sides[0].name, state.sides[1].name)
    frame = sheet_frame(names, len(state.columns), order=order, left_side=left_side)
    side_of = {player: index for index, side in enumerate(state.sides) for player in side.everyone}
    entries = {
        (entry.deal, column.number, side): entry
        for column in state.columns
        for side in (0, 1)
        for entry in column.sides[side].entries
    }
    closed_by = {column.number: column.closed_by_deal for column in state.columns}
    winners = {
        column.number: None if column.winner is None else names.index(column.winner)
        for column in state.columns
    }

    def cell(number: int, place: ColumnPart) -> RowCell:
        closing = closed_by[place.column]
        if closing is not None and number > closing:
            return RowCell(number, place, closed=True)
        entry = entries.get((number, place.column, place.side))
        if entry is None:
            return RowCell(number, place)
        closes = closing == number and winners[place.column] == place.side
        return RowCell(number, place, entry.points, entry.running, closes=closes)

    rows = tuple(
        DealRow(
            deal.number,
            _kind(deal),
            tuple(
                hand_line(result, score, side_of)
                for result, score in zip(deal.deal.hands, deal.hands, strict=True)
            ),
            tuple(
                TeamEntry(names.index(line.side), line.side, line.points, line.boxes) for line in deal.lines
            ),
            tuple(cell(deal.number, place) for place in frame.places),
            tuple(number for number, closing in closed_by.items() if closing == deal.number),
            tuple(substitute for substitute in state.substitutes if substitute.from_deal == deal.number),
        )
        for deal in state.deals
    )
    return SheetTable(
        frame,
        rows,
        tuple(_foot(state, frame, winners)),
        tuple(_results(state, frame, winners)),
        state.status,
        state.net,
        None if state.net == 0 else int(state.net < 0),
        state.boxes,
        state.totals,
        state.columns_won,
        state.rules.oklahoma != "off" or state.rules.spades_double,
        state.substitutes,
    )


def hand_line(result: HandResult, score: HandScore, side_of: dict[str, int]) -> HandLine:
    """A hand as its row says it; `side_of` is the side of each player."""
    first, second = players_of(result)
    counts = (
        (result.knocker_deadwood, result.defender_deadwood)
        if isinstance(result, Knock) and score.outcome in (Outcome.KNOCK, Outcome.UNDERCUT, Outcome.GIN_OFF)
        else None
    )
    winner, loser = (first, second) if score.winner in (None, first) else (second, first)
    side = None if score.winner is None else side_of[winner]
    return HandLine(str(score.outcome), winner, loser, side, score.points, score.boxes, counts, result.upcard)


def _kind(deal: DealScore) -> str:
    if deal.deal.is_void:
        return "void"
    if not deal.counted:
        return "surplus"
    return "won" if deal.lines else "dead"


def _foot(state: SheetState, frame: SheetFrame, winners: dict[int, int | None]) -> Iterable[FootRow]:
    """The lines of the settlement; a bonus that nobody has is left out."""
    for kind in ("points", "boxes", "box_points", "game_bonus", "shutout_bonus", "total"):
        figures = tuple(
            Figure(
                place,
                getattr(state.columns[place.column - 1].sides[place.side], kind),
                winners[place.column] == place.side,
            )
            for place in frame.places
        )
        if kind in _ALWAYS or any(figure.value for figure in figures):
            yield FootRow(kind, figures)


def _results(state: SheetState, frame: SheetFrame, winners: dict[int, int | None]) -> Iterable[GameResult]:
    if frame.by_game:
        for column in state.columns:
            yield _result(state, frame, column, winners[column.number], span=2)
        return
    for place in frame.places:
        column = state.columns[place.column - 1]
        yield _result(state, frame, column, winners[place.column], span=1, side=place.side)


def _result(
    state: SheetState,
    frame: SheetFrame,
    column: ColumnState,
    winner: int | None,
    *,
    span: int,
    side: int | None = None,
) -> GameResult:
    first, second = (max(state.rules.target - part.running, 0) for part in column.sides)
    needs = (first, second) if column.status == "open" else (0, 0)
    factor = 1
    if winner is not None:
        difference = column.sides[winner].total - column.sides[1 - winner].total
        factor = column.result // difference if difference else 1
    margin = -column.result if side is not None and winner not in (None, side) else column.result
    return GameResult(
        column.number,
        column.status,
        span,
        winner,
        "" if winner is None else frame.names_under_games[winner],
        margin,
        factor,
        needs,
        side,
        side is None or column.number == 1,
    )
