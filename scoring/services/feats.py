"""The figures of an ended sheet that a club's records are made from, kept by seat and by side.

They stand in columns of `Seat` and `Side`, so that the best of many sheets is found without reading their
deals. While a sheet is open they are 0 and blank.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.db.models import Case, QuerySet, Value, When

from scoring.core.sheets import ColumnState, SheetState
from scoring.documents.player_records import GINS, won_in
from scoring.models import Scoresheet, Seat, Side
from scoring.services.records import KeptSheet


class SeatFeats(NamedTuple):
    """What a player did on a sheet: columns of `Seat`."""

    gins: int = 0
    best_hand: int = 0
    best_hand_how: str = ""
    best_hand_deal: int = 0


class SideFeats(NamedTuple):
    """From how far behind a side has won a game: columns of `Side`."""

    come_back: int = 0
    come_back_from: int = 0
    come_back_game: int = 0


class Feats(NamedTuple):
    """The figures of a sheet: by number of the seat, and by position of the side."""

    seats: dict[int, SeatFeats]
    sides: dict[int, SideFeats]


_NO_SEAT: Final = SeatFeats()
_NO_SIDE: Final = SideFeats()


def feats_of(kept: KeptSheet, state: SheetState) -> Feats:
    """The figures of the sheet with this score; nothing but zeros while it is open.

    Of hands with equal points the first one is told. A team's line without hands is nobody's hand, and hands
    after the end do not count.
    """
    seats = dict.fromkeys(kept.seat_names, _NO_SEAT)
    sides = dict.fromkeys(range(len(kept.sides)), _NO_SIDE)
    if state.status == "open":
        return Feats(seats, sides)
    numbers = {name: number for number, name in kept.seat_names.items()}
    for scored in state.deals:
        if not scored.counted:
            continue
        for hand in range(len(scored.hands)):
            for winner, points, outcome in won_in(scored, hand):
                number = numbers[winner]
                had = seats[number]
                best = had[1:]
                if points > had.best_hand:
                    best = (points, str(outcome or ""), scored.number)
                seats[number] = SeatFeats(had.gins + (outcome in GINS), *best)
    positions = {side.name: position for position, side in enumerate(kept.sides)}
    for column in state.columns:
        if column.status != "closed" or column.winner is None:
            continue
        winner_at = positions[column.winner]
        behind, own = _furthest_behind(column, winner_at)
        if behind > sides[winner_at].come_back:
            sides[winner_at] = SideFeats(behind, own, column.number)
    return Feats(seats, sides)


def stored_feats(sheets: Sequence[Scoresheet]) -> dict[int, Feats]:
    """What is stored of these sheets, by their ids, in two queries."""
    found = {sheet.pk: Feats({}, {}) for sheet in sheets}
    seats = Seat.objects.filter(sheet__in=found).order_by("number")
    for sheet, number, *figures in seats.values_list("sheet_id", "number", *SeatFeats._fields):
        found[sheet].seats[number] = SeatFeats(*figures)
    sides = Side.objects.filter(sheet__in=found).order_by("position")
    for sheet, position, *figures in sides.values_list("sheet_id", "position", *SideFeats._fields):
        found[sheet].sides[position] = SideFeats(*figures)
    return found


def store_feats(sheet: int, feats: Feats) -> None:
    """Write the figures of a sheet (its id), which is locked, in two statements."""
    _store(Seat.objects.filter(sheet=sheet), "number", SeatFeats._fields, feats.seats)
    _store(Side.objects.filter(sheet=sheet), "position", SideFeats._fields, feats.sides)


def _store(
    rows: QuerySet[Any], key: str, names: Sequence[str], figures: Mapping[int, tuple[Any, ...]]
) -> None:
    fields = {field.name: field for field in rows.model._meta.concrete_fields}
    rows.update(
        **{
            name: Case(
                *[When(**{key: number}, then=Value(each[at])) for number, each in figures.items()],
                output_field=fields[name],
            )
            for at, name in enumerate(names)
        }
    )


def _furthest_behind(column: ColumnState, side: int) -> tuple[int, int]:
    """By how much the side was furthest behind who led the column, and what it had then; 0 if it never was.

    Both are running sums, as they stood after each deal.
    """
    running = [0] * len(column.sides)
    entries = [
        (entry.deal, at, entry.running) for at, part in enumerate(column.sides) for entry in part.entries
    ]
    # A side may have several entries of one deal, and these stay in their order.
    entries.sort(key=lambda entry: entry[0])
    furthest = (0, 0)
    for index, (deal, at, sum_) in enumerate(entries):
        running[at] = sum_
        if index + 1 < len(entries) and entries[index + 1][0] == deal:
            continue
        behind = max(running) - running[side]
        if behind > furthest[0]:
            furthest = (behind, running[side])
    return furthest
