"""Captains, or chouette: one alone “in the box” against the captain of the others (RULES §8)."""

from collections.abc import Sequence
from typing import Any, ClassVar, Final, cast

from scoring.core.errors import SheetError
from scoring.core.kinds.base import Frame, Waiting, two_handed_wins
from scoring.core.messages import Message, mark
from scoring.core.own_knobs import CaptainsKnobs
from scoring.core.rules import Rules
from scoring.core.sheet_state import Deal, DealScore, SheetSide, Table, Win

_FEWEST: Final = 3
_MOST: Final = 6


class Captains(Waiting):
    """The box is held for the game: two sides, one alone and the partners. Or until a hand is lost.

    In the second case (`box_held`) every player is a side. `Table` numbers the players, the one alone first;
    partners by their seats.
    """

    key: ClassVar[str] = "captains"
    title: ClassVar[Message] = mark("Captains")
    most_sides: ClassVar[int] = _MOST
    has_teams: ClassVar[bool] = True

    def check_sides(self, rules: Rules, sides: Sequence[SheetSide]) -> None:
        sizes = [len(side.players) for side in sides]
        if _knobs(rules).box_held == "hand":
            if not _FEWEST <= len(sizes) <= _MOST or max(sizes) > 1:
                message = mark(
                    "A sheet of this game has %(fewest)s to %(most)s sides of one player.",
                    fewest=_FEWEST,
                    most=_MOST,
                )
                raise SheetError("wrong_sides", message, field="sides")
        elif len(sizes) != 2 or sizes[0] != 1 or not _FEWEST <= 1 + sizes[1] <= _MOST:
            message = mark(
                "The first side is one player alone, the second his 2 to %(most)s opponents.", most=_MOST - 1
            )
            raise SheetError("wrong_sides", message, field="sides")

    def first_table(self, frame: Frame) -> Table:
        players = sum(len(side.players) for side in frame.sides)
        box_deals = _knobs(frame.rules).box_deals or frame.rules.first_dealer == "high"
        return Table((0, 1), tuple(range(2, players)), 0 if box_deals else 1)

    def seated(self, frame: Frame, table: Table, number: int) -> set[str]:
        players = [player for side in frame.sides for player in side.seated(number)]
        return {players[seat] for seat in table.playing}

    def after(self, frame: Frame, table: Table, *, winner: int) -> Table:
        box, captain = table.playing
        waiting = table.waiting
        by_hand = _knobs(frame.rules).box_held == "hand"
        box_won = winner == (box if by_hand else 0)
        box_deals = _box_deals(frame.rules, box_dealt=table.dealer == box, box_won=box_won)
        if box_won:
            captain, waiting = waiting[0], (*waiting[1:], captain)
        elif by_hand:
            box, captain, waiting = captain, waiting[0], (*waiting[1:], box)
        return Table((box, captain), waiting, box if box_deals else captain)

    def wins(self, frame: Frame, table: Table | None, deal: Deal, scores: Sequence[Any]) -> list[Win]:
        wins = two_handed_wins(frame, deal, scores)
        if not wins or table is None or _knobs(frame.rules).box_held == "game":
            return wins
        (won,) = wins
        box = table.playing[0]
        if won.side == box:
            return wins
        # What the box loses is entered for each of the others.
        others = [side for side in range(len(frame.sides)) if side not in (box, won.side)]
        return [won, *(Win(side, won.points, won.boxes) for side in others)]

    def nets(self, frame: Frame, scored: Sequence[DealScore], nets: Sequence[int]) -> Sequence[int]:
        """Return the nets; of a box held for the game each partner settles the whole result."""
        if _knobs(frame.rules).box_held == "hand":
            return nets
        return [net * len(frame.sides[1].players) for net in nets]


def _knobs(rules: Rules) -> CaptainsKnobs:
    return cast("CaptainsKnobs", rules.own)


def _box_deals(rules: Rules, *, box_dealt: bool, box_won: bool) -> bool:
    """Whether the player in the box deals next (RULES §3, `next_dealer`)."""
    if _knobs(rules).box_deals:
        return True
    match rules.next_dealer:
        case "loser":
            return not box_won
        case "winner":
            return box_won
        case _:
            return not box_dealt
