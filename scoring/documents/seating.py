"""Who sits where at the deal that is read, and names of players in a hand as JSON."""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.core.errors import HandError, shown
from scoring.core.messages import mark
from scoring.core.sheets import SheetSide


class Seating:
    """The seats of a sheet, numbered from 0 through all sides, and who sits there at a deal.

    With `anyone` a hand may name any player who ever had the seat.
    """

    def __init__(self, sides: Sequence[SheetSide], *, anyone: bool = False) -> None:
        self.sides = sides
        self.side_of: dict[str, int] = {}
        self.seat_of: dict[str, int] = {}
        first = 0
        for number, side in enumerate(sides):
            for player, seat in side.seat_of.items():
                self.side_of[player], self.seat_of[player] = number, first + seat
            first += len(side.players)
        self._changes = any(side.substitutes for side in sides)
        self._anyone = anyone
        self._sit(1)

    def turn_to(self, deal: int) -> None:
        """Seats who plays from this deal."""
        if self._changes and not self._anyone:
            self._sit(deal)

    def _sit(self, deal: int) -> None:
        self.players = [player for side in self.sides for player in side.seated(deal)]
        self._away = frozenset() if self._anyone else frozenset(self.seat_of).difference(self.players)

    def from_left_of(self, player: str) -> list[int]:
        """The other seats, from the next one."""
        seat, seats = self.seat_of[player], len(self.players)
        return [(seat + step) % seats for step in range(1, seats)]

    def player(self, hand: Mapping[str, Any], field: str) -> str:
        """The player that a field of a hand names.

        Refused: `missing_field`, `wrong_type`, and as `named`.
        """
        name = hand.get(field)
        if name is None:
            raise HandError(
                "missing_field", mark("The hand does not say who its %(field)s is.", field=field), field=field
            )
        if not isinstance(name, str):
            raise HandError("wrong_type", mark("%(field)s is a name.", field=field), field=field)
        return self.named(name, field)

    def named(self, name: str, field: str) -> str:
        """The name, of a player who sits at the table; else `unknown_player` or `not_seated`."""
        if name not in self.seat_of:
            raise HandError(
                "unknown_player",
                mark("“%(name)s” does not play on this sheet.", name=shown(name)),
                field=field,
            )
        if name in self._away:
            raise HandError(
                "not_seated", mark("%(name)s does not sit at the table in this deal.", name=name), field=field
            )
        return name
