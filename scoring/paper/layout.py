"""The layout of a score sheet: which figure goes in which cell.

A sheet of n games has n columns of each side. `sheet_frame` arranges them: `abab` puts the sides next to each
other in each game, `aabb` gives each side a block of its own. `sheet_table` fills the frame from a scored
sheet, one row per deal. The public page, the entry page and the PDF all show this table; nothing is added up
here.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scoring.core.hands import UNDERCUTS, Gin, HandResult, HandScore, Knock, Outcome
from scoring.core.kinds import kind_of
from scoring.core.rules import Rules
from scoring.core.sheet_state import players_by_seat, sides_in_columns
from scoring.core.sheets import ColumnState, Deal, DealScore, SheetSide, SheetState, Substitute
from scoring.core.table_hands import (
    Blocked,
    Counts,
    Gain,
    Out,
    TableKnock,
    TableResult,
    TableScore,
)
from scoring.documents.sheets import players_of
from scoring.paper.short_names import short_names, shown_width
from scoring.typing.wording import deals_left, roman

ORDERS: Final = ("abab", "aabb")
# A longer name is shortened under a game, so that a result does not widen its column.
WIDEST_NAME_UNDER_A_GAME: Final = 9

# The settlement lines of every sheet.
_ALWAYS: Final = ("points", "boxes", "total")


@dataclass(frozen=True, slots=True)
class ColumnPart:
    """One narrow column: side `side` of game `column` (from 1)."""

    column: int
    side: int
    begins_group: bool

    @property
    def numeral(self) -> str:
        """The game number as printed: I, II, III."""
        return roman(self.column)


@dataclass(frozen=True, slots=True)
class Group:
    """A heading over `span` narrow columns: a game (`column`), or with `aabb` the block of a `side`."""

    span: int
    column: int | None = None
    side: int | None = None
    name: str = ""

    @property
    def numeral(self) -> str:
        """The game number; blank over a side's block."""
        return roman(self.column) if self.column else ""


@dataclass(frozen=True, slots=True)
class SheetFrame:
    """The columns of the table from left to right, and their headings.

    `names` and `short_names` are by side of the sheet; `left_side` is the side on the left, the others follow
    in order of seats.
    """

    names: tuple[str, ...]
    short_names: tuple[str, ...]
    columns: int
    order: str
    left_side: int
    groups: tuple[Group, ...]
    places: tuple[ColumnPart, ...]

    @property
    def by_game(self) -> bool:
        """Whether each group is a game (`abab`)."""
        return self.order == "abab"

    @property
    def sides(self) -> tuple[int, ...]:
        """The sides from left to right."""
        return sides_in_columns(self.left_side, len(self.names))

    @property
    def width(self) -> int:
        """The number of narrow columns."""
        return len(self.places)

    @property
    def names_under_games(self) -> tuple[str, ...]:
        """The names for results, by side: full names only if all are short."""
        brief = all(shown_width(name) <= WIDEST_NAME_UNDER_A_GAME for name in self.names)
        return self.names if brief else self.short_names

    @property
    def heads(self) -> tuple[tuple[ColumnPart, str, str], ...]:
        """Each place with its short label and its full name."""
        return tuple(
            (place, self.short_names[place.side], self.names[place.side])
            if self.by_game
            else (place, place.numeral, place.numeral)
            for place in self.places
        )


@dataclass(frozen=True, slots=True)
class RowCell:
    """One cell of a deal's row.

    `running` is the side's sum in that column after the deal, None without an entry. A `closed` cell is
    hatched: the game ended before this deal. `closes` marks the entry that ended the game.
    """

    row: int
    place: ColumnPart
    points: int | None = None
    running: int | None = None
    closed: bool = False
    closes: bool = False

    @property
    def key(self) -> str:
        """A name for the cell within the sheet, as in `7-2-1`: row, game, side."""
        return f"{self.row}-{self.place.column}-{self.place.side}"


@dataclass(frozen=True, slots=True)
class HandLine:
    """A hand for display. `winner` and `loser` are names; for a dead hand, the players as recorded.

    `counts` are the deadwood of knocker and defender where both were recorded. `penalty` is taken off the
    loser, who may have lost it `by_time`.
    """

    outcome: str
    winner: str
    loser: str
    side: int | None
    points: int
    boxes: int
    counts: tuple[int, int] | None = None
    upcard: str | None = None
    penalty: int = 0
    by_time: bool = False


@dataclass(frozen=True, slots=True)
class TableLine:
    """A hand of several at one table for display; `side` is that of its first winner.

    `gains` are what its winners have won from each other, `penalties` what is taken off. `counts` are those
    of a knock, the knocker's first, or what was left in the other hands. `by_time` as in `HandLine`.
    """

    outcome: str
    side: int | None
    gains: tuple[Gain, ...]
    penalties: Counts = ()
    counts: Counts = ()
    upcard: str | None = None
    by_time: bool = False


@dataclass(frozen=True, slots=True)
class TeamEntry:
    """A team's line of a deal; below 0, what is taken off it."""

    side: int
    name: str
    points: int
    boxes: int


@dataclass(frozen=True, slots=True)
class DealRow:
    """The row of a deal. `kind` is `won`, `dead` (no side has a line), `void` or `surplus` (after the end).

    `arrivals` are the substitutes whose first deal it is.
    """

    number: int
    kind: str
    hands: tuple[HandLine | TableLine, ...]
    lines: tuple[TeamEntry, ...]
    cells: tuple[RowCell, ...]
    closes: tuple[int, ...] = ()
    arrivals: tuple[Substitute, ...] = ()

    @property
    def is_told_in_its_row(self) -> bool:
        """Whether its words are so few that they stand in its row on a narrow screen, too."""
        outcomes = [hand.outcome for hand in self.hands]
        return self.kind == "void" or (self.kind == "dead" and outcomes == ["dead"])


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure at the foot; `won` if its side won that game."""

    place: ColumnPart
    value: int
    won: bool


@dataclass(frozen=True, slots=True)
class FootRow:
    """A line of the settlement.

    `kind` is `points` (all that were won), `penalties` (below 0), `boxes` (a count), `box_points`,
    `game_bonus`, `shutout_bonus`, `total`, or of more than two sides `net`.
    """

    kind: str
    figures: tuple[Figure, ...]

    @property
    def is_bonus(self) -> bool:
        """Whether a zero is left blank, since a side may have no such bonus, and no penalties."""
        return self.kind not in _ALWAYS


@dataclass(frozen=True, slots=True)
class GameResult:
    """The state of a game, shown across `span` narrow columns; `winner_name` is cut to fit.

    `margin` is the winner's; `factor` is how many times the difference of two sides counts. `needs` is, by
    side, the points missing to the target of an open game; where a number of deals ends it, `to_go` is how
    many are left. With `aabb` a result stands in one column of each block: `side` is the side of that block
    and `margin` is signed for it.
    """

    column: int
    status: str
    span: int
    winner: int | None
    winner_name: str
    margin: int
    factor: int
    needs: tuple[int, ...]
    side: int | None = None
    begins_group: bool = True
    to_go: int | None = None

    @property
    def least_needed(self) -> int:
        """What the side closer to the target, or this block's side, still needs."""
        return min(self.needs) if self.side is None else self.needs[self.side]

    @property
    def numeral(self) -> str:
        """The game number."""
        return roman(self.column)


@dataclass(frozen=True, slots=True)
class NextDeal:
    """Who plays the next deal, who waits in which order, and who deals."""

    playing: tuple[str, ...]
    waiting: tuple[str, ...]
    dealer: str


@dataclass(frozen=True, slots=True)
class SheetTable:
    """A scored sheet ready to be displayed. `nets` are by side; `leader` alone has the highest.

    `shows_upcards` if upcards affect the score of a hand. `substitutes` are those of all sides. `next` is
    who plays, waits and deals next, where that follows from the deals.
    """

    frame: SheetFrame
    rows: tuple[DealRow, ...]
    foot: tuple[FootRow, ...]
    results: tuple[GameResult, ...]
    status: str
    nets: tuple[int, ...]
    leader: int | None
    boxes: tuple[int, ...]
    totals: tuple[int, ...]
    columns_won: tuple[int, ...]
    shows_upcards: bool
    substitutes: tuple[Substitute, ...] = ()
    next: NextDeal | None = None

    @property
    def lead(self) -> int:
        """The highest net."""
        return max(self.nets)

    @property
    def boxes_once(self) -> tuple[tuple[str, int], ...]:
        """Each side's name, from left to right, with its boxes: a win is counted once, in whatever games."""
        return tuple((self.frame.names[side], self.boxes[side]) for side in self.frame.sides)

    @property
    def leader_name(self) -> str:
        """The leader's name; blank when level."""
        return "" if self.leader is None else self.frame.names[self.leader]


def sheet_frame(
    names: tuple[str, ...], columns: int, *, order: str = "abab", left_side: int = 0
) -> SheetFrame:
    """The arrangement of a sheet of `columns` games; refuses an unknown `order`."""
    if order not in ORDERS:
        raise ValueError(f"The order of columns is one of {', '.join(ORDERS)}, not {order}.")
    sides = sides_in_columns(left_side, len(names))
    numbers = range(1, columns + 1)
    if order == "abab":
        places = [ColumnPart(number, side, side == left_side) for number in numbers for side in sides]
        groups = [Group(len(names), column=number) for number in numbers]
    else:
        places = [ColumnPart(number, side, number == 1) for side in sides for number in numbers]
        groups = [Group(columns, side=side, name=names[side]) for side in sides]
    return SheetFrame(names, short_names(names), columns, order, left_side, tuple(groups), tuple(places))


def sheet_table(state: SheetState, *, order: str = "abab", left_side: int = 0) -> SheetTable:
    """The table of a scored sheet, with columns in the given order and `left_side` on the left."""
    names = tuple([side.name for side in state.sides])
    frame = sheet_frame(names, len(state.columns), order=order, left_side=left_side)
    side_of = {player: index for index, side in enumerate(state.sides) for player in side.everyone}
    entries = {
        (entry.deal, column.number, side): entry
        for column in state.columns
        for side in range(len(names))
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
            _lines(deal.deal.hands, deal.hands, side_of),
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
        state.nets,
        state.nets.index(max(state.nets)) if state.nets.count(max(state.nets)) == 1 else None,
        state.boxes,
        state.totals,
        state.columns_won,
        state.rules.oklahoma != "off" or state.rules.spades_double,
        state.substitutes,
        _next_deal(state),
    )


def _next_deal(state: SheetState) -> NextDeal | None:
    table = state.table
    if table is None:
        return None
    players = players_by_seat(state.sides, len(state.deals) + 1)
    return NextDeal(
        tuple([players[seat] for seat in table.playing]),
        tuple([players[seat] for seat in table.waiting]),
        players[table.dealer],
    )


def hand_lines(rules: Rules, sides: Sequence[SheetSide], deal: Deal) -> tuple[HandLine | TableLine, ...]:
    """The hands of a deal by itself for display; none of a team's line, or of a voided deal.

    Refuses hands as the scorer does, but for who plays and who sits out.
    """
    kind = kind_of(rules)
    in_force = kind.rules_in_force(rules, sides)
    side_of = {player: index for index, side in enumerate(sides) for player in side.everyone}
    return _lines(deal.hands, [kind.score_hand(in_force, hand) for hand in deal.hands], side_of)


def _lines(
    hands: Sequence[HandResult | TableResult],
    scores: Sequence[HandScore | TableScore],
    side_of: Mapping[str, int],
) -> tuple[HandLine | TableLine, ...]:
    """The hands of a deal for display."""
    return tuple([line_of_hand(hand, score, side_of) for hand, score in zip(hands, scores, strict=True)])


def line_of_hand(
    hand: HandResult | TableResult, score: HandScore | TableScore, side_of: Mapping[str, int]
) -> HandLine | TableLine:
    """A hand with its score for display; `side_of` maps players to sides."""
    if isinstance(score, TableScore):
        return _table_line(hand, score, side_of)
    assert isinstance(hand, HandResult)  # noqa: S101 (its score is that of a hand of two)
    return hand_line(hand, score, side_of)


def _table_line(result: HandResult | TableResult, score: TableScore, side_of: Mapping[str, int]) -> TableLine:
    counts: Counts = ()
    if isinstance(result, TableKnock):
        counts = ((result.knocker, result.knocker_deadwood), *result.others)
    elif isinstance(result, Out | Blocked):
        counts = result.left
    upcard = None if isinstance(result, Out | Blocked) else result.upcard
    first_winner = side_of[score.gains[0].winner] if score.gains else None
    by_time = isinstance(result, Out) and result.by_time
    return TableLine(str(score.outcome), first_winner, score.gains, score.penalties, counts, upcard, by_time)


def hand_line(result: HandResult, score: HandScore, side_of: Mapping[str, int]) -> HandLine:
    """A hand of two for display; `side_of` maps players to sides."""
    first, second = players_of(result)
    counts = (
        (result.knocker_deadwood, result.defender_deadwood)
        if isinstance(result, Knock) and score.outcome in (Outcome.KNOCK, *UNDERCUTS)
        else None
    )
    winner, loser = (first, second) if score.winner in (None, first) else (second, first)
    side = None if score.winner is None else side_of[winner]
    return HandLine(
        str(score.outcome),
        winner,
        loser,
        side,
        score.points,
        score.boxes,
        counts,
        result.upcard,
        score.penalty,
        isinstance(result, Gin) and result.by_time,
    )


def _kind(deal: DealScore) -> str:
    if deal.deal.is_void:
        return "void"
    if not deal.counted:
        return "surplus"
    return "won" if deal.lines else "dead"


def _foot(state: SheetState, frame: SheetFrame, winners: dict[int, int | None]) -> Iterable[FootRow]:
    """The lines of the settlement, without bonuses and penalties that neither side has."""
    has_no_boxes = "box_bonus" in kind_of(state.rules).idle_knobs
    of_many = ("net",) if len(frame.names) > 2 else ()
    for kind in (
        "points",
        "penalties",
        "boxes",
        "box_points",
        "game_bonus",
        "shutout_bonus",
        "total",
        *of_many,
    ):
        figures = tuple(
            Figure(
                place,
                _figure(state.columns[place.column - 1], place.side, kind),
                winners[place.column] == place.side,
            )
            for place in frame.places
        )
        is_always = kind in _ALWAYS and not (kind == "boxes" and has_no_boxes)
        if is_always or any(figure.value for figure in figures):
            yield FootRow(kind, figures)


def _figure(column: ColumnState, number: int, kind: str) -> int:
    if kind == "net":
        return column.nets[number]
    side = column.sides[number]
    if kind == "points":
        return side.points + side.penalties
    figure: int = getattr(side, kind)
    return -figure if kind == "penalties" else figure


def _results(state: SheetState, frame: SheetFrame, winners: dict[int, int | None]) -> Iterable[GameResult]:
    if frame.by_game:
        for column in state.columns:
            yield _result(state, frame, column, winners[column.number], span=len(frame.names))
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
    lacking = tuple([max(state.rules.target - part.running, 0) for part in column.sides])
    is_open = column.status == "open"
    to_go = deals_left(state) if is_open else None
    needs = lacking if is_open and to_go is None else (0,) * len(lacking)
    factor = 1
    if winner is not None and len(column.sides) == 2:
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
        to_go,
    )
