"""Scores a sheet: deals in, columns and totals out (RULES §5-7, INTERFACES §2).

Sheets are added up nowhere but in `score_sheet`. It takes the rules, two sides and the deals in order, turns
each deal into lines, enters these in the open columns by the Hollywood rule, and settles each column as a
game of its own. An ordinary game is a sheet with one column.
"""

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Final, Self

from scoring.core.errors import ScoringError, SheetError
from scoring.core.hands import HandScore, score_hand
from scoring.core.messages import mark
from scoring.core.rules import Rules
from scoring.core.sheet_state import (
    VOID,
    ColumnEntry,
    ColumnSide,
    ColumnState,
    Deal,
    DealScore,
    Line,
    SheetSide,
    SheetState,
    Substitute,
    TeamLine,
)

__all__ = [
    "MOST_DEALS",
    "VOID",
    "ColumnEntry",
    "ColumnSide",
    "ColumnState",
    "Deal",
    "DealScore",
    "Line",
    "RunningSheet",
    "SheetSide",
    "SheetState",
    "Substitute",
    "TeamLine",
    "score_sheet",
]

MOST_DEALS: Final = 500


def score_sheet(
    rules: Rules,
    sides: Sequence[SheetSide],
    deals: Iterable[Deal],
    *,
    stopped: bool = False,
    surplus: str = "refuse",
) -> SheetState:
    """The score of a sheet with these deals, numbered from 1.

    `sides` are two of equal size (1 to 12 players), as returned by `sides.read_sides`. `stopped` settles the
    open columns without a game bonus (time called). A deal after the end is refused with `sheet_finished`, or
    with `surplus="keep"` kept uncounted. A `HandError` carries its deal and hand.
    """
    sheet = RunningSheet(rules, sides, surplus=surplus)
    for deal in deals:
        sheet.add(deal)
    return sheet.settle(stopped=stopped)


class RunningSheet:
    """A sheet scored deal by deal: `score_sheet` for callers that need the sheet midway.

    `rules` are those in force for the size of the sides; `copy` allows two continuations from one point.
    """

    __slots__ = ("_columns", "_names", "_scored", "_side_of", "_surplus", "rules", "sides")

    def __init__(self, rules: Rules, sides: Sequence[SheetSide], *, surplus: str = "refuse") -> None:
        first, second = sides
        self.rules = rules.for_team_size(len(first.players))
        self.sides = (first, second)
        self._surplus = surplus
        self._side_of = {player: index for index, side in enumerate(sides) for player in side.everyone}
        self._names = (first.name, second.name)
        self._columns = [_Column(number) for number in range(1, rules.columns + 1)]
        self._scored: list[DealScore] = []

    def copy(self) -> Self:
        """An independent copy of the sheet so far."""
        other = copy(self)
        other._columns = [column.copy() for column in self._columns]
        other._scored = self._scored.copy()
        return other

    @property
    def is_finished(self) -> bool:
        """Whether every column is closed."""
        return all(column.winner is not None for column in self._columns)

    @property
    def ended_by(self) -> int | None:
        """The number of the deal that closed the last column; None while one is open."""
        return max([column.closed_by or 0 for column in self._columns]) if self.is_finished else None

    @property
    def played(self) -> int:
        """The number of deals added."""
        return len(self._scored)

    def running(self, side: int) -> int:
        """A side's running sum in the first open column, where its next win goes; 0 if finished."""
        for column in self._columns:
            if column.winner is None:
                return column.running[side]
        return 0

    @property
    def standing(self) -> tuple[object, ...]:
        """The state of the columns that later deals and settlement depend on; equal states continue alike."""
        return tuple(
            [
                part
                for column in self._columns
                for part in (
                    column.winner,
                    *column.points,
                    *column.boxes,
                    *column.running,
                    not column.entries[0],
                    not column.entries[1],
                )
            ]
        )

    def add(self, deal: Deal) -> DealScore:
        """Scores and enters the next deal; a refused deal changes nothing."""
        number = len(self._scored) + 1
        if number > MOST_DEALS:
            raise SheetError(
                "too_many_deals",
                mark("A sheet holds at most %(most)s deals.", most=MOST_DEALS),
                deal=number,
                field="deals",
            )
        counted = not self.is_finished
        if not counted and self._surplus != "keep":
            raise SheetError("sheet_finished", mark("The sheet had ended before this deal."), deal=number)
        scores = _score_hands(self.rules, deal, number)
        lines: tuple[Line, ...] = ()
        if counted and not deal.is_void:
            wins = _wins(self.rules, deal, scores, self._side_of, self._names)
            lines = tuple([_enter(win, self.rules, number, self._columns, self._names) for win in wins])
            if lines:
                _close(self.rules, number, self._columns, wins)
        score = DealScore(number, deal, scores, lines, counted)
        self._scored.append(score)
        return score

    def settle(self, *, stopped: bool = False) -> SheetState:
        """The score with its columns settled; `stopped` settles the open ones too."""
        return _settle(self.rules, self.sides, tuple(self._scored), self._columns, stopped)


@dataclass(slots=True)
class _Win:
    """A line before entry: index of the side, points, boxes."""

    side: int
    points: int
    boxes: int


class _Column:
    """A column under way; its lists are by side."""

    __slots__ = ("boxes", "closed_by", "entries", "number", "points", "running", "winner")

    def __init__(self, number: int) -> None:
        self.number = number
        self.entries: tuple[list[ColumnEntry], list[ColumnEntry]] = ([], [])
        self.points = [0, 0]
        self.boxes = [0, 0]
        self.running = [0, 0]
        self.winner: int | None = None
        self.closed_by: int | None = None

    def copy(self) -> "_Column":
        other = copy(self)
        other.entries = (self.entries[0].copy(), self.entries[1].copy())
        other.points = self.points.copy()
        other.boxes = self.boxes.copy()
        other.running = self.running.copy()
        return other


def _score_hands(rules: Rules, deal: Deal, number: int) -> tuple[HandScore, ...]:
    scores = []
    for index, hand in enumerate(deal.hands, start=1):
        try:
            scores.append(score_hand(rules, hand))
        except ScoringError as error:
            raise error.at(deal=number, hand=index) from None
    return tuple(scores)


def _wins(
    rules: Rules, deal: Deal, scores: tuple[HandScore, ...], side_of: dict[str, int], names: tuple[str, str]
) -> list[_Win]:
    """The lines of a deal (RULES §7; INTERFACES §2 for team lines under `net` and `sum`)."""
    if deal.line is not None:
        return [_Win(names.index(deal.line.winner), deal.line.points, deal.line.boxes)]
    if len(scores) == 1:
        (score,) = scores
        return [] if score.winner is None else [_Win(side_of[score.winner], score.points, score.boxes)]
    won: tuple[list[HandScore], list[HandScore]] = ([], [])
    for score in scores:
        if score.winner is not None:
            won[side_of[score.winner]].append(score)
    points = [sum(score.points for score in hands) for hands in won]
    if rules.team_scoring == "net":
        if points[0] == points[1]:
            return []
        side = int(points[1] > points[0])
        boxes = 1 + sum(score.extra_boxes for score in won[side]) + _sweep(rules, won[side], scores)
        return [_Win(side, abs(points[0] - points[1]), boxes)]
    return [
        _Win(side, points[side], sum(score.boxes for score in won[side]) + _sweep(rules, won[side], scores))
        for side in (0, 1)
        if won[side]
    ]


def _sweep(rules: Rules, won: list[HandScore], scores: tuple[HandScore, ...]) -> int:
    return rules.sweep_boxes if len(won) == len(scores) else 0


def _enter(win: _Win, rules: Rules, number: int, columns: list[_Column], names: tuple[str, str]) -> Line:
    """Enters a win in each open column where its side has entries, and in the first without (RULES §6)."""
    side = win.side
    gain = win.points + (rules.box_bonus * win.boxes if rules.box_credit == "at_once" else 0)
    entered = []
    for column in columns:
        if column.winner is not None:
            continue
        is_first_entry = not column.entries[side]
        column.points[side] += win.points
        column.boxes[side] += win.boxes
        column.running[side] += gain
        column.entries[side].append(ColumnEntry(number, win.points, column.running[side]))
        entered.append(column.number)
        if is_first_entry:
            break
    return Line(names[side], win.points, win.boxes, tuple(entered))


def _close(rules: Rules, number: int, columns: list[_Column], wins: list[_Win]) -> None:
    """Closes the columns in which this deal took a side to the target.

    If both are there, the higher running sum wins, then the side with more line points in this deal; if these
    are equal too, the column stays open.
    """
    target = rules.target
    for column in columns:
        if column.winner is not None:
            continue
        first, second = column.running
        if first < target and second < target:
            continue
        lead = first - second
        if lead == 0:
            lead = sum(win.points if win.side == 0 else -win.points for win in wins)
        if lead:
            column.winner = int(lead < 0)
            column.closed_by = number


def _settle(
    rules: Rules,
    sides: tuple[SheetSide, SheetSide],
    scored: tuple[DealScore, ...],
    columns: list[_Column],
    stopped: bool,
) -> SheetState:
    settled = tuple([_settle_column(rules, sides, column, stopped) for column in columns])
    net = 0
    totals = [0, 0]
    columns_won = [0, 0]
    names = (sides[0].name, sides[1].name)
    for column in settled:
        totals[0] += column.sides[0].total
        totals[1] += column.sides[1].total
        if column.winner is not None:
            winner = names.index(column.winner)
            columns_won[winner] += 1
            net += -column.result if winner else column.result
    if all(column.winner is not None for column in columns):
        status = "finished"
    else:
        status = "stopped" if stopped else "open"
    winner_name = None if status == "open" or net == 0 else names[net < 0]
    return SheetState(
        rules,
        sides,
        scored,
        settled,
        status,
        winner_name,
        (totals[0], totals[1]),
        net,
        (columns_won[0], columns_won[1]),
    )


def _settle_column(
    rules: Rules, sides: tuple[SheetSide, SheetSide], column: _Column, stopped: bool
) -> ColumnState:
    """Settles a column as a game of its own (RULES §5)."""
    winner = column.winner
    parts: list[ColumnSide] = []
    for side in (0, 1):
        points, boxes = column.points[side], column.boxes[side]
        box_points = boxes * rules.box_bonus
        game_bonus = shutout_bonus = 0
        if side == winner:
            game_bonus = rules.game_bonus
            if not column.entries[1 - side]:
                shutout_bonus = _shutout_bonus(rules, points, box_points)
        total = points + box_points + game_bonus + shutout_bonus
        entries = tuple(column.entries[side])
        parts.append(
            ColumnSide(sides[side].name, points, boxes, box_points, game_bonus, shutout_bonus, total, entries)
        )
    status = "open" if winner is None else "closed"
    if winner is None and stopped:
        status = "stopped"
        if parts[0].total != parts[1].total:
            winner = int(parts[1].total > parts[0].total)
    result = 0
    if winner is not None:
        result = parts[winner].total - parts[1 - winner].total
        if status == "closed" and rules.double_if_loser_boxless and not column.boxes[1 - winner]:
            result *= 2
        if rules.last_column_double and column.number == rules.columns > 1:
            result *= 2
    return ColumnState(
        column.number,
        status,
        None if winner is None else sides[winner].name,
        column.closed_by,
        (parts[0], parts[1]),
        result,
    )


def _shutout_bonus(rules: Rules, points: int, box_points: int) -> int:
    match rules.shutout:
        case "double_game_bonus":
            return rules.game_bonus
        case "double_points":
            return points
        case "double_total":
            return points + box_points + rules.game_bonus
        case "flat":
            return rules.shutout_amount
        case _:
            return 0
