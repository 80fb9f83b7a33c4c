"""Scores a sheet: deals in, columns and totals out (RULES §5-7, INTERFACES §2).

Sheets are added up nowhere but in `score_sheet`. It takes the rules, the sides and the deals in order, has
the kind of game (`scoring.core.kinds`) turn each deal into wins, enters these in the open columns by the
Hollywood rule, and settles each column as a game of its own: each side with each other. An ordinary game is a
sheet with one column.
"""

from collections.abc import Iterable, Sequence
from copy import copy
from itertools import combinations
from typing import Final, NamedTuple, Self

from scoring.core.errors import ScoringError, SheetError
from scoring.core.hands import HandScore
from scoring.core.kinds import kind_of
from scoring.core.kinds.base import Frame, Kind
from scoring.core.messages import mark
from scoring.core.rules import Rules
from scoring.core.sheet_state import (
    VOID,
    ColumnEntry,
    ColumnSide,
    ColumnState,
    Deal,
    DealScore,
    SheetLine,
    SheetSide,
    SheetState,
    Substitute,
    Table,
    TeamLine,
    Win,
)
from scoring.core.table_hands import TableScore

__all__ = [
    "MOST_DEALS",
    "VOID",
    "ColumnEntry",
    "ColumnFigures",
    "ColumnSide",
    "ColumnState",
    "Deal",
    "DealScore",
    "RunningSheet",
    "SheetLine",
    "SheetSide",
    "SheetState",
    "Substitute",
    "Table",
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

    `sides` are as many as the kind has, as returned by `sides.read_sides`. `stopped` settles the open columns
    without a game bonus (time called). A deal after the end is refused with `sheet_finished`, or with
    `surplus="keep"` kept uncounted. A `HandError` carries its deal and hand.
    """
    sheet = RunningSheet(rules, sides, surplus=surplus)
    for deal in deals:
        sheet.add(deal)
    return sheet.settle(stopped=stopped)


class ColumnFigures(NamedTuple):
    """A column under way: whether it is open, and by side the running sums and the boxes."""

    is_open: bool
    running: tuple[int, ...]
    boxes: tuple[int, ...]


class RunningSheet:
    """A sheet scored deal by deal: `score_sheet` for callers that need the sheet midway.

    `rules` are those in force for these sides, `table` who plays the next deal (None where that is free);
    `copy` allows two continuations from one point.
    """

    __slots__ = (
        "_columns", "_counted", "_frame", "_kind", "_paid", "_scored", "_surplus", "rules", "sides", "table",
    )  # fmt: skip

    def __init__(self, rules: Rules, sides: Sequence[SheetSide], *, surplus: str = "refuse") -> None:
        self._kind = kind_of(rules)
        self.rules = self._kind.rules_in_force(rules, sides)
        self.sides = tuple(sides)
        self._frame = Frame(self.rules, self.sides)
        self.table = self._kind.first_table(self._frame)
        self._surplus = surplus
        self._columns = [_Column(number, len(self.sides)) for number in range(1, rules.columns + 1)]
        self._scored: list[DealScore] = []
        self._counted = 0
        # What each side has won from hands that are paid one by one.
        self._paid = [0] * len(self.sides)

    def copy(self) -> Self:
        """An independent copy of the sheet so far."""
        other = copy(self)
        other._columns = [column.copy() for column in self._columns]
        other._scored = self._scored.copy()
        other._paid = self._paid.copy()
        return other

    @property
    def is_finished(self) -> bool:
        """Whether every column is closed."""
        return None not in [column.closed_by for column in self._columns]

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
            if column.closed_by is None:
                return column.running[side]
        return 0

    @property
    def deals_left(self) -> int | None:
        """How many deals are left where a number of them ends the sheet; None if it ends at the target."""
        return None if self.rules.deals is None else self.rules.deals - self._counted

    @property
    def figures(self) -> tuple[ColumnFigures, ...]:
        """What stands in every column now, nothing settled."""
        return tuple(
            [
                ColumnFigures(column.closed_by is None, tuple(column.running), tuple(column.boxes))
                for column in self._columns
            ]
        )

    @property
    def standing(self) -> tuple[object, ...]:
        """The state of the sheet that later deals and settlement depend on; equal states continue alike."""
        counted = self._counted if self.rules.deals is not None else 0
        return (
            self.table,
            counted,
            *self._paid,
            *[
                part
                for column in self._columns
                for part in (
                    column.winner,
                    column.closed_by is None,
                    *column.points,
                    *column.boxes,
                    *column.running,
                    *column.has_won,
                )
            ],
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
        counts = not self.is_finished
        if not counts and self._surplus != "keep":
            raise SheetError("sheet_finished", mark("The sheet had ended before this deal."), deal=number)
        rules, kind, frame, table = self.rules, self._kind, self._frame, self.table
        scores: list[HandScore | TableScore] = []
        for index, hand in enumerate(deal.hands, start=1):
            try:
                if table is not None:
                    kind.check_seats(frame, table, hand)
                scores.append(kind.score_hand(rules, hand))
            except ScoringError as error:
                raise error.at(deal=number, hand=index) from None
        lines: list[SheetLine] = []
        if counts and not deal.is_void:
            wins = kind.wins(frame, table, deal, scores)
            if wins:
                lines = _enter(wins, rules, number, self._columns, frame.names)
            for side, points in kind.paid(frame, scores):
                self._paid[side] += points
            self._counted += 1
            if rules.deals is not None:
                if self._counted == rules.deals:
                    _close_all(number, self._columns)
            elif wins:
                _close(rules, number, self._columns, wins, first_wins=kind.first_wins)
        if table is not None and not deal.is_void:
            # Whoever plays on after the end changes places as before.
            self.table = kind.next_table(frame, table, scores)
        score = DealScore(number, deal, tuple(scores), tuple(lines), counts)
        self._scored.append(score)
        return score

    def settle(self, *, stopped: bool = False) -> SheetState:
        """The score with its columns settled; `stopped` settles the open ones too."""
        return _settle(
            self._kind, self._frame, tuple(self._scored), self._columns, self._paid, self.table, stopped
        )


class _Column:
    """A column under way; its lists are by side."""

    __slots__ = ("boxes", "closed_by", "entries", "has_won", "number", "points", "running", "winner")

    def __init__(self, number: int, sides: int) -> None:
        self.number = number
        self.entries: list[list[ColumnEntry]] = [[] for _ in range(sides)]
        self.points = [0] * sides
        self.boxes = [0] * sides
        self.running = [0] * sides
        self.has_won = [False] * sides
        self.winner: int | None = None
        self.closed_by: int | None = None

    def enter(self, side: int, number: int, points: int, credit: int) -> None:
        self.points[side] += points
        self.running[side] = running = self.running[side] + points + credit
        self.entries[side].append(ColumnEntry(number, points, running))

    def copy(self) -> "_Column":
        other = copy(self)
        other.entries = [entries.copy() for entries in self.entries]
        other.points = self.points.copy()
        other.boxes = self.boxes.copy()
        other.running = self.running.copy()
        other.has_won = self.has_won.copy()
        return other


def _enter(
    wins: Sequence[Win], rules: Rules, number: int, columns: list[_Column], names: tuple[str, ...]
) -> list[SheetLine]:
    """Enters each win in every open column where its side has won, and in the first where it has not.

    That is RULES §6. Then what is taken off with a win is taken off in the same columns; what is taken off
    without one (a win below 0), in every open column. It is no win.
    """
    at_once = rules.box_bonus if rules.box_credit == "at_once" else 0
    lines: list[SheetLine] = []
    penalties: list[tuple[int, int, list[_Column]]] = []
    for win in wins:
        side, points, boxes = win.side, win.points, win.boxes
        entered: list[_Column] = []
        for column in columns:
            if column.closed_by is not None:
                continue
            entered.append(column)
            if points < 0:
                continue
            column.boxes[side] += boxes
            column.enter(side, number, points, at_once * boxes)
            if not column.has_won[side]:
                column.has_won[side] = True
                break
        if points < 0:
            penalties.append((side, points, entered))
            continue
        numbers = tuple([column.number for column in entered])
        lines.append(SheetLine(names[side], points, boxes, numbers, win.shares))
        for loser, taken_off in win.penalties:
            penalties.append((loser, -taken_off, entered))
    for side, points, entered in penalties:
        for column in entered:
            column.enter(side, number, points, 0)
        lines.append(SheetLine(names[side], points, 0, tuple([column.number for column in entered])))
    return lines


def _close(
    rules: Rules, number: int, columns: list[_Column], wins: Sequence[Win], *, first_wins: bool
) -> None:
    """Closes the columns in which this deal took a side to the target.

    If several are there, the highest running sum wins, then the side with more line points in this deal; of
    those still level the hand's winner where the kind says so (`first_wins`). Else the column stays open.
    """
    target = rules.target
    for column in columns:
        if column.closed_by is not None:
            continue
        most = max(column.running)
        if most < target:
            continue
        first = [side for side, running in enumerate(column.running) if running == most]
        if len(first) > 1:
            made = [sum([win.points for win in wins if win.side == side]) for side in first]
            first = [side for side, points in zip(first, made, strict=True) if points == max(made)]
            if first_wins and wins[0].side in first:
                first = [wins[0].side]
        if len(first) == 1:
            column.winner = first[0]
            column.closed_by = number


def _close_all(number: int, columns: list[_Column]) -> None:
    """Closes the sheet after its last deal: whoever has most has won the game; nobody, if several have."""
    for column in columns:
        most = max(column.running)
        first = [side for side, running in enumerate(column.running) if running == most]
        column.winner = first[0] if len(first) == 1 else None
        column.closed_by = number


def _settle(
    kind: Kind,
    frame: Frame,
    scored: tuple[DealScore, ...],
    columns: list[_Column],
    paid: Sequence[int],
    table: Table | None,
    stopped: bool,
) -> SheetState:
    rules, sides, names = frame.rules, frame.sides, frame.names
    settled = tuple([_settle_column(kind, frame, column, paid, stopped) for column in columns])
    totals = [0] * len(sides)
    nets = [0] * len(sides)
    columns_won = [0] * len(sides)
    for column in settled:
        for index, part in enumerate(column.sides):
            totals[index] += part.total
            nets[index] += column.nets[index]
        if column.winner is not None:
            columns_won[names.index(column.winner)] += 1
    if all(column.closed_by is not None for column in columns):
        status = "finished"
    else:
        status = "stopped" if stopped else "open"
    figures: Sequence[int] = totals if status == "open" else kind.placed_by(totals, nets)
    places = tuple([1 + sum([other > figure for other in figures]) for figure in figures])
    winner = names[places.index(1)] if status != "open" and places.count(1) == 1 else None
    return SheetState(
        rules,
        sides,
        scored,
        settled,
        status,
        winner,
        tuple(totals),
        tuple(nets),
        tuple(columns_won),
        places,
        table if status == "open" else None,
    )


def _settle_column(
    kind: Kind, frame: Frame, column: _Column, paid: Sequence[int], stopped: bool
) -> ColumnState:
    """Settles a column as a game of its own (RULES §5), each side with each other."""
    rules, sides = frame.rules, frame.sides
    winner = column.winner
    is_closed = column.closed_by is not None
    parts: list[ColumnSide] = []
    for side, boxes in enumerate(column.boxes):
        points, box_points = column.points[side], boxes * rules.box_bonus
        game_bonus = shutout_bonus = 0
        if side == winner:
            game_bonus = rules.game_bonus
            shut_out = sum([not won for other, won in enumerate(column.has_won) if other != side])
            shutout_bonus = shut_out * _shutout_bonus(rules, points, box_points)
        total = points + box_points + game_bonus + (shutout_bonus if len(sides) == 2 else 0)
        entries = tuple(column.entries[side])
        parts.append(
            ColumnSide(sides[side].name, points, boxes, box_points, game_bonus, shutout_bonus, total, entries)
        )
    status = "closed" if is_closed else "stopped" if stopped else "open"
    if winner is None and status != "open":
        most = max([part.total for part in parts])
        best = [side for side, part in enumerate(parts) if part.total == most]
        winner = best[0] if len(best) == 1 else None
    nets: Sequence[int] = [0] * len(sides)
    if status != "open":
        nets = kind.nets(frame, _nets(rules, column, parts), paid)
    return ColumnState(
        column.number,
        status,
        None if winner is None else sides[winner].name,
        column.closed_by,
        tuple(parts),
        tuple(nets),
        0 if winner is None else nets[winner],
    )


def _nets(rules: Rules, column: _Column, parts: list[ColumnSide]) -> list[int]:
    """What each side wins in a column when each has settled with each.

    Shutouts and boxless losers count in the pairs of who has won the game. Of two sides the total has the
    shutout already.
    """
    factor = 2 if rules.last_column_double and column.number == rules.columns > 1 else 1
    nets = [0] * len(parts)
    for one, other in combinations(range(len(parts)), 2):
        won = parts[one].total - parts[other].total
        if column.winner in (one, other):
            loser = other if column.winner == one else one
            if len(parts) > 2 and not column.has_won[loser]:
                of_winner = parts[column.winner]
                bonus = _shutout_bonus(rules, of_winner.points, of_winner.box_points)
                won += bonus if column.winner == one else -bonus
            if rules.double_if_loser_boxless and not column.boxes[loser]:
                won *= 2
        nets[one] += won * factor
        nets[other] -= won * factor
    return nets


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
