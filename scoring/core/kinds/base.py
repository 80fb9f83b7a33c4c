"""What a kind of game answers, with the answers most kinds give."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from scoring.core.errors import HandError, SheetError
from scoring.core.hands import Dead, HandResult, HandScore, Points, score_hand
from scoring.core.messages import Message, mark
from scoring.core.rules import Rules
from scoring.core.sheet_state import Deal, DealScore, SheetSide, Table, Win
from scoring.core.table_hands import Blocked, Out, TableKnock, TablePoints, TableResult, TableScore

Score = HandScore | TableScore


@dataclass(frozen=True, slots=True)
class Frame:
    """What stays the same on a sheet: rules in force, sides, their names, the side of each player.

    Sides are numbered from 0, in order of seats.
    """

    rules: Rules
    sides: tuple[SheetSide, ...]
    names: tuple[str, ...]
    side_of: Mapping[str, int]


class Kind(ABC):
    """A kind of game."""

    key: ClassVar[str]
    title: ClassVar[Message]
    # How many sides a sheet has.
    fewest_sides: ClassVar[int] = 2
    most_sides: ClassVar[int] = 2
    # Sides may have several players.
    has_teams: ClassVar[bool] = False

    def check_sides(self, rules: Rules, sides: Sequence[SheetSide]) -> None:
        """Refuse (`wrong_sides`) a number of sides, or of players on them, that the kind does not have."""
        if not self.fewest_sides <= len(sides) <= self.most_sides:
            message = mark("A sheet of this game has %(count)s sides.", count=self.most_sides)
            if self.fewest_sides < self.most_sides:
                message = mark(
                    "A sheet of this game has %(fewest)s to %(most)s sides.",
                    fewest=self.fewest_sides,
                    most=self.most_sides,
                )
            raise SheetError("wrong_sides", message, field="sides")
        if not self.has_teams and any(len(side.players) > 1 for side in sides):
            raise SheetError("wrong_sides", mark("Every side of this game is one player."), field="sides")

    def hands_in(self, sides: Sequence[SheetSide]) -> int:
        """Return how many hands a deal has."""
        return 1

    def rules_in_force(self, rules: Rules, sides: Sequence[SheetSide]) -> Rules:
        """Return the rules as they are in force for these sides."""
        return rules

    def first_table(self, frame: Frame) -> Table | None:
        """Return who plays the first deal; None if anybody may play anybody."""
        return None

    def next_table(self, frame: Frame, table: Table, deal: Deal, scores: Sequence[Any]) -> Table:
        """Return who plays after a deal with these scores: after a dead one the same, same dealer."""
        return table

    def check_seats(  # noqa: B027 (where anybody may play anybody, nothing is refused)
        self, frame: Frame, table: Table, hand: HandResult | TableResult, number: int
    ) -> None:
        """Refuse who does not play this deal (`sits_out`), and a hand that leaves somebody out."""

    def score_hand(self, rules: Rules, hand: Any) -> Score:
        """Return the score of one hand; refuses as `scoring.core.hands.score_hand`."""
        return score_hand(rules, hand)

    @abstractmethod
    def wins(self, frame: Frame, table: Table | None, deal: Deal, scores: Sequence[Any]) -> list[Win]:
        """Return the lines of a deal before they are entered, that of the hand's winner first."""

    def nets(self, frame: Frame, scored: Sequence[DealScore], nets: Sequence[int]) -> Sequence[int]:
        """Return what each side of an ended sheet wins, from the sums of `nets` over the columns."""
        return nets


class Waiting(Kind):
    """A kind in which two play, the others wait, and the result tells who plays next."""

    def check_seats(self, frame: Frame, table: Table, hand: HandResult | TableResult, number: int) -> None:
        seated = self.seated(frame, table, number)
        for player, field in players_of(hand):
            if player not in seated:
                raise sits_out(player, field)

    def seated(self, frame: Frame, table: Table, number: int) -> set[str]:
        """Return the names of those who play deal `number`."""
        return {player for side in table.playing for player in frame.sides[side].seated(number)}

    def next_table(self, frame: Frame, table: Table, deal: Deal, scores: Sequence[Any]) -> Table:
        if not scores or scores[0].winner is None:
            return table
        return self.after(frame, table, winner=frame.side_of[scores[0].winner])

    @abstractmethod
    def after(self, frame: Frame, table: Table, *, winner: int) -> Table:
        """Return who plays after a hand that this side has won."""


class AllAtOnce(Kind):
    """A kind in which every side is one player, and all play at one table; the deal passes to the left."""

    def first_table(self, frame: Frame) -> Table:
        return Table(tuple(range(len(frame.sides))), (), 0)

    def next_table(self, frame: Frame, table: Table, deal: Deal, scores: Sequence[Any]) -> Table:
        if not scores or not (scores[0].gains or scores[0].penalties):
            return table
        return Table(table.playing, (), (table.dealer + 1) % len(frame.sides))

    def check_seats(self, frame: Frame, table: Table, hand: HandResult | TableResult, number: int) -> None:
        named = [player for player, _field in players_of(hand)]
        seated = [player for side in frame.sides for player in side.seated(number)]
        for player in seated:
            if player not in named and not isinstance(hand, TablePoints | Dead):
                raise HandError(
                    "missing_field",
                    mark("The hand does not say what %(player)s had.", player=player),
                    field=players_of(hand)[-1][1],
                )

    def wins(self, frame: Frame, table: Table | None, deal: Deal, scores: Sequence[Any]) -> list[Win]:
        (score,) = scores
        won = [Win(frame.side_of[gain.winner], gain.points, gain.boxes, gain.shares) for gain in score.gains]
        return [*won, *(Win(frame.side_of[player], -points, 0) for player, points in score.penalties)]


def two_handed_wins(frame: Frame, deal: Deal, scores: Sequence[HandScore]) -> list[Win]:
    """The line of a deal of one hand of two, with what is taken off the loser."""
    (hand,), (score,) = deal.hands, scores
    if score.winner is None:
        return []
    penalties = ()
    if score.penalty:
        loser = next(player for player, _field in players_of(hand) if player != score.winner)
        penalties = ((frame.side_of[loser], score.penalty),)
    return [Win(frame.side_of[score.winner], score.points, score.boxes, penalties=penalties)]


def players_of(hand: HandResult | TableResult) -> Sequence[tuple[str, str]]:
    """The players of a hand with the fields that name them."""
    return tuple(_named(hand))


def _named(hand: HandResult | TableResult) -> Iterator[tuple[str, str]]:
    match hand:
        case Dead(players):
            yield from zip(players, ("knocker", "defender"), strict=False)
        case Points(winner, loser):
            yield winner, "winner"
            yield loser, "loser"
        case TableKnock(knocker, _, others):
            yield knocker, "knocker"
            yield from ((player, "others") for player, _count in others)
        case TablePoints(gains, penalties):
            for gain in gains:
                yield gain.winner, "winner"
                yield from ((player, "from") for player, _points in gain.shares)
            yield from ((player, "penalties") for player, _points in penalties)
        case Out(winner, left):
            yield winner, "winner"
            yield from ((player, "left") for player, _count in left)
        case Blocked(left):
            yield from ((player, "left") for player, _count in left)
        case _:
            yield hand.knocker, "knocker"
            yield hand.defender, "defender"


def sits_out(player: str, field: str) -> HandError:
    """The refusal of a player who sits out."""
    return HandError("sits_out", mark("%(player)s sits out in this deal.", player=player), field=field)
