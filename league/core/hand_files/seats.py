"""Who really sits at a table, by the rows of a file that seat substitutes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from league.core.hand_files.problems import Problems
from league.core.hand_files.reading import OF_SHEET, SUBSTITUTE, HandRow
from scoring.core.errors import shown
from scoring.core.messages import Message, mark
from scoring.core.sheet_state import Substitute
from scoring.core.sheets import SheetSide
from scoring.documents.shapes import LONGEST_NAME
from scoring.documents.sides import MOST_SUBSTITUTES


@dataclass(frozen=True, slots=True)
class FileSeating:
    """A row that seats a substitute: on which side, counted from 0, and from which deal on."""

    row: int
    side: int
    substitute: Substitute


def seats_of(
    rows: Sequence[HandRow], sides: tuple[SheetSide, ...], problems: Problems
) -> tuple[tuple[SheetSide, ...], tuple[FileSeating, ...]] | None:
    """Return the sides as they really sat, and the rows that say so by deal; None with a problem."""
    seats = _Seats(sides, last_deal(rows))
    for row in sorted([row for row in rows if row.kind == SUBSTITUTE], key=lambda row: row.deal or 0):
        if (wrong := seats.wrong(row)) is not None:
            problems.add(row.number, *wrong)
            return None
        seats.take(row)
    return seats.sides(), tuple(seats.seatings)


class _Seats:
    """Who sits at a table whose last deal in the file is `last`, while substitutes sit down in order."""

    def __init__(self, sides: tuple[SheetSide, ...], last: int) -> None:
        self._sides = sides
        self._last = last
        self._begun = [list(side.players) for side in sides]
        # By player the side, the seat there, and the deal from which it is theirs; 0 before the first.
        self._sitting = {
            player: (number, seat, 0)
            for number, side in enumerate(sides)
            for seat, player in enumerate(side.players)
        }
        self.seatings: list[FileSeating] = []

    def wrong(self, row: HandRow) -> tuple[str, Message] | None:
        """What cannot be about this row, and in which column; None if nothing."""
        deal = row.deal or 0
        if deal > self._last + 1:
            return "deal", mark(
                "The last deal of sheet %(sheet)s is %(last)s here; a substitute sits from deal %(next)s at "
                "the latest.",
                sheet=shown(row.sheet),
                last=self._last,
                next=self._last + 1,
            )
        if row.replaces not in self._sitting:
            return "replaces", mark(
                "“%(name)s” does not sit at this table before deal %(deal)s.",
                name=shown(row.replaces),
                deal=deal,
            )
        if len(row.player) > LONGEST_NAME or "+" in row.player:
            return "player", mark(
                "Here is the name of one player, of %(most)s characters at most.", most=LONGEST_NAME
            )
        number, _seat, since = self._sitting[row.replaces]
        if any(row.player in side.everyone for side in self.sides()):
            return "player", mark("“%(player)s” is named twice.", player=shown(row.player))
        if deal <= since:
            return "deal", mark(
                "%(replaces)s plays from deal %(begun)s: a substitute can sit from %(first)s on.",
                replaces=row.replaces,
                begun=since,
                first=since + 1,
            )
        if len(self.sides()[number].substitutes) == MOST_SUBSTITUTES:
            return "player", mark("A side has at most %(most)s substitutes.", most=MOST_SUBSTITUTES)
        return None

    def take(self, row: HandRow) -> None:
        """Seat the substitute of a row that nothing is wrong with."""
        deal = row.deal or 0
        number, seat, _since = self._sitting.pop(row.replaces)
        self._sitting[row.player] = (number, seat, deal)
        if deal == 1:
            self._begun[number][seat] = row.player
        self.seatings.append(FileSeating(row.number, number, Substitute(row.player, row.replaces, deal)))

    def sides(self) -> tuple[SheetSide, ...]:
        """The sides as they sat so far: who played the first deal, and who came later."""
        came = [seating for seating in self.seatings if seating.substitute.from_deal > 1]
        return tuple(
            [
                replace(
                    side,
                    players=tuple(self._begun[number]),
                    substitutes=tuple([one.substitute for one in came if one.side == number]),
                )
                for number, side in enumerate(self._sides)
            ]
        )


def last_deal(rows: Iterable[HandRow]) -> int:
    """Return the number of the last deal in these rows; 0 without any."""
    return max([row.deal or 0 for row in rows if row.kind not in (*OF_SHEET, SUBSTITUTE)], default=0)
