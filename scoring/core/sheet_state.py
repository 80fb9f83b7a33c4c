"""The content and score of a sheet: sides, deals, lines, columns, and the answer as JSON.

Values only; `scoring.core.sheets` computes them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from scoring.core.hands import HandResult, HandScore
from scoring.core.rules import Rules
from scoring.core.table_hands import TableResult, TableScore


@dataclass(frozen=True, slots=True)
class Substitute:
    """A player who takes the seat of `replaces` from deal `from_deal` (2 or later) to the end."""

    player: str
    replaces: str
    from_deal: int


@dataclass(frozen=True, slots=True)
class SheetSide:
    """One side of a sheet: its name, and its one or more players at the first deal in seat order.

    `substitutes` are ordered by first deal, as `sides.check_sides` returns them.
    """

    name: str
    players: tuple[str, ...]
    substitutes: tuple[Substitute, ...] = ()

    @property
    def everyone(self) -> tuple[str, ...]:
        """All players of the side: those who began, then the substitutes."""
        if not self.substitutes:
            return self.players
        return (*self.players, *(substitute.player for substitute in self.substitutes))

    def seated(self, deal: int) -> tuple[str, ...]:
        """The players of the side at this deal, in seat order."""
        if not self.substitutes:
            return self.players
        seats = list(self.players)
        for substitute in self.substitutes:
            if substitute.from_deal <= deal:
                seats[seats.index(substitute.replaces)] = substitute.player
        return tuple(seats)

    @property
    def seat_of(self) -> Mapping[str, int]:
        """The seat of every player, from 0; players who share a seat have the same one."""
        seats = {player: seat for seat, player in enumerate(self.players)}
        for substitute in self.substitutes:
            seats[substitute.player] = seats[substitute.replaces]
        return seats


def players_by_seat(sides: Sequence[SheetSide], deal: int) -> tuple[str, ...]:
    """Who sits where at this deal: the players of all sides in order of seats."""
    return tuple([player for side in sides for player in side.seated(deal)])


def sides_in_columns(left: int, count: int) -> tuple[int, ...]:
    """The sides by column of a paper, whose first is of side `left`: the others follow in order of seats."""
    return tuple([(left + column) % count for column in range(count)])


@dataclass(frozen=True, slots=True)
class TeamLine:
    """A deal of teams of which only the line was kept: the winning side's name, points and boxes."""

    winner: str
    points: int
    boxes: int = 1


@dataclass(frozen=True, slots=True)
class Deal:
    """All hands dealt at the same time, or the one line kept of them; a voided deal has neither."""

    hands: tuple[HandResult | TableResult, ...] = ()
    line: TeamLine | None = None

    @property
    def is_void(self) -> bool:
        """Whether the deal was voided: it keeps its number and counts nothing."""
        return not self.hands and self.line is None

    @property
    def two_handed(self) -> tuple[HandResult, ...]:
        """The hands that two play against each other: all of them, but for hands of several."""
        return tuple([hand for hand in self.hands if isinstance(hand, HandResult)])


VOID: Final = Deal()


@dataclass(frozen=True, slots=True)
class SheetLine:
    """A side's win of one deal: points, boxes, and the numbers of the columns it is entered in.

    `shares` has what of the points came from whom, where several lose a hand. Points below 0 are a penalty.
    """

    side: str
    points: int
    boxes: int
    columns: tuple[int, ...]
    shares: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class DealScore:
    """A scored deal. With `counted` false it came after the end of the sheet and has no lines."""

    number: int
    deal: Deal
    hands: tuple[HandScore | TableScore, ...]
    lines: tuple[SheetLine, ...]
    counted: bool = True

    @property
    def two_handed(self) -> list[tuple[HandResult, HandScore]]:
        """The hands that two play against each other, with their scores."""
        return [
            (hand, score)
            for hand, score in zip(self.deal.hands, self.hands, strict=True)
            if isinstance(hand, HandResult) and isinstance(score, HandScore)
        ]


@dataclass(frozen=True, slots=True)
class Win:
    """A line before it is entered: index of the side, points, boxes; what is taken off others with it.

    Points below 0 are a penalty that comes with no win of its own.
    """

    side: int
    points: int
    boxes: int
    shares: tuple[tuple[str, int], ...] = ()
    penalties: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """Who plays a deal (who is in the box, or stays, first), who waits in which order, who deals.

    All are seats, counted from 0 through all sides (`players_by_seat`).
    """

    playing: tuple[int, ...]
    waiting: tuple[int, ...]
    dealer: int


@dataclass(frozen=True, slots=True)
class ColumnEntry:
    """One entry of a column; `running` is the side's sum there, compared with the target."""

    deal: int
    points: int
    running: int


@dataclass(frozen=True, slots=True)
class ColumnSide:
    """One side of a settled column: every figure is in points except `boxes`.

    `total` has all of them; on a sheet of more than two sides all but `shutout_bonus`, which is won only from
    those who are shut out.
    """

    name: str
    points: int
    boxes: int
    box_points: int
    game_bonus: int
    shutout_bonus: int
    total: int
    entries: tuple[ColumnEntry, ...]

    @property
    def running(self) -> int:
        """The last running sum; 0 before the first entry."""
        return self.entries[-1].running if self.entries else 0

    @property
    def has_won(self) -> bool:
        """Whether a win is entered: without one the side is shut out, whatever was taken off it."""
        return any(entry.points >= 0 for entry in self.entries)

    @property
    def penalties(self) -> int:
        """What was taken off, as a sum of 0 or more; `points` are without it."""
        return -sum(entry.points for entry in self.entries if entry.points < 0)


@dataclass(frozen=True, slots=True)
class ColumnState:
    """One game of the sheet. `status` is open, closed or stopped.

    `nets` is what each side wins, in points, and adds up to 0; `result` what the winner wins.
    """

    number: int
    status: str
    winner: str | None
    closed_by_deal: int | None
    sides: tuple[ColumnSide, ...]
    nets: tuple[int, ...]
    result: int


@dataclass(frozen=True, slots=True)
class SheetState:
    """A scored sheet, its figures by side. `rules` are those in force; `totals` and `nets` are in points.

    `places` count from 1, while the sheet is open by totals; those who are level share one. `table` is who
    plays the next deal, of a kind in which that follows from the deals before; None on a sheet that has
    ended.
    """

    rules: Rules
    sides: tuple[SheetSide, ...]
    deals: tuple[DealScore, ...]
    columns: tuple[ColumnState, ...]
    status: str
    winner: str | None
    totals: tuple[int, ...]
    nets: tuple[int, ...]
    columns_won: tuple[int, ...]
    places: tuple[int, ...]
    table: Table | None = None

    @property
    def net(self) -> int:
        """What the first side wins."""
        return self.nets[0]

    @property
    def boxes(self) -> tuple[int, ...]:
        """Boxes by side over all lines that count; a line counts once however many columns it is in."""
        counts = dict.fromkeys([side.name for side in self.sides], 0)
        for deal in self.deals:
            for line in deal.lines:
                counts[line.side] += line.boxes
        return tuple(counts.values())

    @property
    def substitutes(self) -> tuple[Substitute, ...]:
        """The substitutes of all sides, ordered by first deal."""
        every = [substitute for side in self.sides for substitute in side.substitutes]
        return tuple(sorted(every, key=lambda substitute: substitute.from_deal))

    def to_document(self) -> dict[str, Any]:
        """The JSON answer of INTERFACES §2."""
        names = [side.name for side in self.sides]
        document: dict[str, Any] = {
            "rules": self.rules.to_document(),
            "deals": [_deal_document(deal) for deal in self.deals],
            "columns": [_column_document(column) for column in self.columns],
            "status": self.status,
            "winner": self.winner,
            "totals": dict(zip(names, self.totals, strict=True)),
            "net": dict(zip(names, self.nets, strict=True)),
            "columns_won": dict(zip(names, self.columns_won, strict=True)),
        }
        if len(names) > 2:
            document["places"] = dict(zip(names, self.places, strict=True))
        if self.table is not None:
            players = players_by_seat(self.sides, len(self.deals) + 1)
            document["next"] = {
                "playing": [players[seat] for seat in self.table.playing],
                "waiting": [players[seat] for seat in self.table.waiting],
                "dealer": players[self.table.dealer],
            }
        return document


def _deal_document(deal: DealScore) -> dict[str, Any]:
    document: dict[str, Any] = {
        "number": deal.number,
        "hands": [_score_document(hand) for hand in deal.hands],
        "lines": [_line_document(line) for line in deal.lines],
    }
    if not deal.counted:
        document["counted"] = False
    if deal.deal.is_void:
        document["void"] = True
    return document


def _score_document(score: HandScore | TableScore) -> dict[str, Any]:
    if isinstance(score, TableScore):
        return score.to_document()
    document: dict[str, Any] = {
        "outcome": str(score.outcome),
        "winner": score.winner,
        "points": score.points,
        "boxes": score.boxes,
    }
    if score.penalty:
        document["penalty"] = score.penalty
    return document


def _line_document(line: SheetLine) -> dict[str, Any]:
    document: dict[str, Any] = {
        "side": line.side,
        "points": line.points,
        "boxes": line.boxes,
        "columns": list(line.columns),
    }
    if line.shares:
        document["from"] = dict(line.shares)
    return document


def _column_document(column: ColumnState) -> dict[str, Any]:
    return {
        "number": column.number,
        "status": column.status,
        "winner": column.winner,
        "closed_by_deal": column.closed_by_deal,
        "sides": [
            {
                "name": side.name,
                "points": side.points,
                "boxes": side.boxes,
                "box_points": side.box_points,
                "game_bonus": side.game_bonus,
                "shutout_bonus": side.shutout_bonus,
                "total": side.total,
                "entries": [
                    {"deal": entry.deal, "points": entry.points, "running": entry.running}
                    for entry in side.entries
                ],
            }
            for side in column.sides
        ],
        "result": column.result,
    }
