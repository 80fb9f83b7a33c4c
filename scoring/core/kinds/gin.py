"""Two-sided gin: of two players, or of teams of equal size, a hand at each of their tables (RULES §4, §7)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, cast

from scoring.core.errors import SheetError
from scoring.core.hands import HandScore
from scoring.core.kinds.base import Frame, Kind, two_handed_wins
from scoring.core.messages import Message, mark
from scoring.core.own_knobs import OnePackKnobs
from scoring.core.rules import Rules
from scoring.core.sheet_state import Deal, SheetSide, Table, Win


class GinRummy(Kind):
    """Two sides, of 1 to 12 players."""

    key: ClassVar[str] = "gin"
    title: ClassVar[Message] = mark("Gin rummy")
    has_teams: ClassVar[bool] = True
    plays_matches: ClassVar[bool] = True
    idle_knobs: ClassVar[frozenset[str]] = frozenset()

    def check_sides(self, rules: Rules, sides: Sequence[SheetSide]) -> None:
        super().check_sides(rules, sides)
        if len({len(side.players) for side in sides}) > 1:
            raise SheetError(
                "unequal_sides", mark("Both sides have the same number of players."), field="sides"
            )

    def hands_in(self, sides: Sequence[SheetSide]) -> int:
        return len(sides[0].players)

    def rules_in_force(self, rules: Rules, sides: Sequence[SheetSide]) -> Rules:
        return rules.for_team_size(len(sides[0].players))

    def wins(self, frame: Frame, table: Table | None, deal: Deal, scores: Sequence[Any]) -> list[Win]:
        """Return the lines of a deal (RULES §7; INTERFACES §2 for team lines under `net` and `sum`)."""
        if deal.line is not None:
            return [Win(frame.names.index(deal.line.winner), deal.line.points, deal.line.boxes)]
        if len(scores) == 1:
            return two_handed_wins(frame, deal, scores)
        return _team_wins(frame, scores)


class PartnersOnePack(GinRummy):
    """Two teams of two, whose two games are dealt from one pack."""

    key: ClassVar[str] = "partners_one_pack"
    title: ClassVar[Message] = mark("Partners with one pack")
    idle_knobs: ClassVar[frozenset[str]] = frozenset({"target", "packs", "next_dealer"})

    def hand_size(self, rules: Rules, players: int) -> int:
        return cast("OnePackKnobs", rules.own).cards

    def rules_in_force(self, rules: Rules, sides: Sequence[SheetSide]) -> Rules:
        return super().rules_in_force(replace(rules, packs="shared"), sides)

    def check_sides(self, rules: Rules, sides: Sequence[SheetSide]) -> None:
        super().check_sides(rules, sides)
        if any(len(side.players) != 2 for side in sides):
            raise SheetError("wrong_sides", mark("With one pack two play against two."), field="sides")


def _team_wins(frame: Frame, scores: Sequence[HandScore]) -> list[Win]:
    rules = frame.rules
    won: tuple[list[HandScore], list[HandScore]] = ([], [])
    for score in scores:
        if score.winner is not None:
            won[frame.side_of[score.winner]].append(score)
    points = [sum([score.points for score in hands]) for hands in won]
    off = [sum([score.penalty for score in hands]) for hands in won]
    if rules.team_scoring == "net":
        # What is taken off the one counts in the difference as if the other had won it.
        lead = points[0] + off[0] - points[1] - off[1]
        if not lead:
            return []
        side = int(lead < 0)
        boxes = 1 + sum([score.extra_boxes for score in won[side]]) + _sweep(rules, won[side], scores)
        return [Win(side, abs(lead), boxes)]
    return [
        Win(
            side,
            points[side],
            sum([score.boxes for score in won[side]]) + _sweep(rules, won[side], scores),
            penalties=((1 - side, off[side]),) if off[side] else (),
        )
        for side in (0, 1)
        if won[side]
    ]


def _sweep(rules: Rules, won: list[HandScore], scores: Sequence[HandScore]) -> int:
    return rules.sweep_boxes if len(won) == len(scores) else 0
