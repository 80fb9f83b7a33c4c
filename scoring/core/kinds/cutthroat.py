"""Cutthroat: of three or four, two play and the others wait (RULES §8)."""

from collections.abc import Sequence
from typing import Any, ClassVar, Final, cast

from scoring.core.kinds.base import OF_TEAMS, Frame, Waiting, two_handed_wins
from scoring.core.messages import Message, mark
from scoring.core.own_knobs import CutthroatKnobs
from scoring.core.sheet_state import Deal, Table, Win

# Who plays in turn, of three and of four; then again from the first.
_IN_TURN: Final = {
    3: ((0, 1), (1, 2), (2, 0)),
    4: ((0, 1), (2, 3), (0, 2), (1, 3), (0, 3), (1, 2)),
}


class Cutthroat(Waiting):
    """Every player is a side; a line is a won hand in the winner's own total."""

    key: ClassVar[str] = "cutthroat"
    title: ClassVar[Message] = mark("Cutthroat")
    idle_knobs: ClassVar[frozenset[str]] = OF_TEAMS | {"first_dealer", "next_dealer"}
    fewest_sides: ClassVar[int] = 3
    most_sides: ClassVar[int] = 4

    def first_table(self, frame: Frame) -> Table:
        waiting = tuple(range(2, len(frame.sides)))
        return Table((0, 1), waiting, waiting[-1] if _knobs(frame).sitter_deals else 1)

    def after(self, frame: Frame, table: Table, *, winner: int) -> Table:
        if _knobs(frame).sits_out == "in_turn":
            pairs = _IN_TURN[len(frame.sides)]
            playing = pairs[(pairs.index(table.playing) + 1) % len(pairs)]
            waiting = tuple(seat for seat in range(len(frame.sides)) if seat not in playing)
        else:
            comes, *others = table.waiting
            loser = next(seat for seat in table.playing if seat != winner)
            playing, waiting = (winner, comes), (*others, loser)
        if _knobs(frame).sitter_deals:
            dealer = min(seat for seat in table.playing if seat not in playing)
        else:
            # Of two who come in, the second.
            dealer = [seat for seat in playing if seat not in table.playing][-1]
        return Table(playing, waiting, dealer)

    def wins(self, frame: Frame, table: Table | None, deal: Deal, scores: Sequence[Any]) -> list[Win]:
        return two_handed_wins(frame, deal, scores)


def _knobs(frame: Frame) -> CutthroatKnobs:
    return cast("CutthroatKnobs", frame.rules.own)
