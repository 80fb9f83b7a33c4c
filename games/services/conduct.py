"""What is noted of those who play at a table, for a director, who judges.

The figures accuse nobody: who is quick may know the game well, and who is slow may have a bad line. Nothing
here is about addresses or devices.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.gin.actions import ActionKind
from games.models import TableAct, TableMatch, TablePhrase, TableWarning
from games.services.hands import seats_of
from games.tables.pace import Pace, pace_of

# How a player comes to his card; all else is putting down.
_DRAWING: Final[frozenset[str]] = frozenset(
    {ActionKind.PASS, ActionKind.TAKE, ActionKind.TAKE_BELOW, ActionKind.DRAW}
)


@dataclass(frozen=True, slots=True)
class SeatConduct:
    """What is noted of the member in a seat, as far as play has come.

    `drawing` is the pace of taking, drawing and passing, `putting_down` that of discards, knocks and laying
    off, each from when the move could be made; None without any. A move that the clock made is a time-out and
    has no pace. A lost connection is not noted, as nothing tells it from thinking. How far the choices agree
    with a bot's belongs here too, beside the pace.
    """

    seat: int
    drawing: Pace | None
    putting_down: Pace | None
    time_outs: int
    phrases: int
    warnings: Sequence[TableWarning]


def conduct(match: TableMatch) -> tuple[SeatConduct, ...]:
    """What is noted of each member at a table, by seat; bots are left out."""
    taken: dict[tuple[int, bool], list[float]] = {}
    acts = TableAct.objects.filter(match=match).order_by("version", "pk")
    for seat, action, took in acts.values_list("seat", "action", "took"):
        if took is None:
            continue
        taken.setdefault((seat, action.split()[0] in _DRAWING), []).append(took.total_seconds())
    warnings = list(TableWarning.objects.filter(match=match).order_by("pk"))
    said = list(TablePhrase.objects.filter(match=match).values_list("seat", flat=True))
    return tuple(
        [
            SeatConduct(
                number,
                pace_of(taken.get((number, True), ())),
                pace_of(taken.get((number, False), ())),
                chair.time_outs,
                said.count(number),
                [each for each in warnings if each.seat == number],
            )
            for number, chair in sorted(seats_of(match).items())
            if chair.bot is None
        ]
    )
