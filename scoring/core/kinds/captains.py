"""Captains, or chouette: one alone “in the box” against the captain of the others (RULES §8)."""

from collections.abc import Sequence
from typing import Any, ClassVar, Final, cast

from scoring.core.errors import SheetError
from scoring.core.kinds.base import Frame, Waiting, dealer_of_two, two_handed_wins
from scoring.core.messages import Message, mark
from scoring.core.own_knobs import CaptainsKnobs
from scoring.core.rules import Rules
from scoring.core.sheet_state import Deal, SheetSide, Table, Win

_FEWEST: Final = 3
_MOST: Final = 6


class Captains(Waiting):
    """The box is held for the game: two sides, one alone and the partners. Or until a hand is lost.

    In the second case (`box_held`) every player is a side. The one in the box plays first of the table's two.
    """

    key: ClassVar[str] = "captains"
    title: ClassVar[Message] = mark("Captains")
    most_sides: ClassVar[int] = _MOST
    has_teams: ClassVar[bool] = True
    # What the box loses is entered for all others, and one of them has won it.
    first_wins: ClassVar[bool] = True

    def check_sides(self, rules: Rules, sides: Sequence[SheetSide]) -> None:
        sizes = [len(side.players) for side in sides]
        if _is_held_by_hand(rules):
            if not _FEWEST <= len(sizes) <= _MOST or max(sizes) > 1:
                message = mark(
                    "A sheet of this game has %(fewest)s to %(most)s sides of one player.",
                    fewest=_FEWEST,
                    most=_MOST,
                )
                raise SheetError("wrong_sides", message, field="sides")
        elif len(sizes) != 2 or sizes[0] != 1 or not _FEWEST <= 1 + sizes[1] <= _MOST:
            message = mark(
                "The first side is one player alone, the second the 2 to %(most)s others.", most=_MOST - 1
            )
            raise SheetError("wrong_sides", message, field="sides")

    def first_table(self, frame: Frame) -> Table:
        box_deals = _knobs(frame.rules).box_deals or frame.rules.first_dealer == "high"
        players = sum(len(side.players) for side in frame.sides)
        return Table((0, 1), tuple(range(2, players)), 0 if box_deals else 1)

    def after(self, frame: Frame, table: Table, *, winner: int) -> Table:
        box, captain = table.playing
        waiting = table.waiting
        if winner == box:
            captain, waiting = waiting[0], (*waiting[1:], captain)
        elif _is_held_by_hand(frame.rules):
            box, captain, waiting = captain, waiting[0], (*waiting[1:], box)
        dealer = box
        if not _knobs(frame.rules).box_deals:
            other = captain if winner == box else box
            dealer = dealer_of_two(frame.rules, dealer=table.dealer, winner=winner, other=other)
        return Table((box, captain), waiting, dealer)

    def wins(self, frame: Frame, table: Table | None, deal: Deal, scores: Sequence[Any]) -> list[Win]:
        wins = two_handed_wins(frame, deal, scores)
        if not wins or table is None or not _is_held_by_hand(frame.rules):
            return wins
        (won,) = wins
        box = table.playing[0]
        if won.side == box:
            return wins
        # What the box loses is entered for each of the others.
        others = [side for side in range(len(frame.sides)) if side not in (box, won.side)]
        return [won, *(Win(side, won.points, won.boxes) for side in others)]

    def nets(self, frame: Frame, nets: Sequence[int], paid: Sequence[int]) -> Sequence[int]:
        """Return the nets; of a box held for the game each partner settles the whole result."""
        if _is_held_by_hand(frame.rules):
            return nets
        return [net * len(frame.sides[1].players) for net in nets]

    def net_of_player(self, side: SheetSide, net: int) -> int:
        return net // len(side.players)


def _knobs(rules: Rules) -> CaptainsKnobs:
    return cast("CaptainsKnobs", rules.own)


def _is_held_by_hand(rules: Rules) -> bool:
    return _knobs(rules).box_held == "hand"
