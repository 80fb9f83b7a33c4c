"""What a kind of game answers, with the answers most kinds give."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from scoring.core.errors import HandError, SheetError
from scoring.core.hands import Dead, HandResult, HandScore, Points, score_hand
from scoring.core.messages import Message, mark
from scoring.core.rules import Rules
from scoring.core.sheet_state import Deal, SheetSide, Table, Win
from scoring.core.table_hands import Blocked, Out, TableKnock, TablePoints, TableResult, TableScore

Score = HandScore | TableScore

# Knobs without effect where no side has several hands in a deal.
OF_TEAMS: Final = frozenset({"team_target", "team_scoring", "sweep_boxes", "packs"})


@dataclass(frozen=True, slots=True)
class Frame:
    """What stays the same on a sheet: rules in force, sides, their names, the side and seat of each player.

    Sides are numbered from 0, in order of seats; so are seats, through all sides. Who takes over a seat has
    the same one.
    """

    rules: Rules
    sides: tuple[SheetSide, ...]
    names: tuple[str, ...] = field(init=False)
    side_of: Mapping[str, int] = field(init=False)
    seat_of: Mapping[str, int] = field(init=False)

    def __post_init__(self) -> None:
        side_of, seat_of, first = {}, {}, 0
        for number, side in enumerate(self.sides):
            for player, seat in side.seat_of.items():
                side_of[player], seat_of[player] = number, first + seat
            first += len(side.players)
        object.__setattr__(self, "names", tuple([side.name for side in self.sides]))
        object.__setattr__(self, "side_of", side_of)
        object.__setattr__(self, "seat_of", seat_of)


class Kind(ABC):
    """A kind of game."""

    key: ClassVar[str]
    title: ClassVar[Message]
    # How many sides a sheet has.
    fewest_sides: ClassVar[int] = 2
    most_sides: ClassVar[int] = 2
    # Sides may have several players.
    has_teams: ClassVar[bool] = False
    # Of sides that one deal took to the target, level in all, the winner of its hand has won.
    first_wins: ClassVar[bool] = False
    # Two sides of one size meet, so that a match of an event is one of its sheets.
    plays_matches: ClassVar[bool] = False
    # Knobs of all kinds that are without effect in this one, as `rule_differences.SINGLE_KNOBS` has them.
    idle_knobs: ClassVar[frozenset[str]] = OF_TEAMS

    def check_sides(self, rules: Rules, sides: Sequence[SheetSide]) -> None:
        """Refuse (`wrong_sides`) a number of sides, or of players on them, that the kind does not have."""
        if not self.fewest_sides <= len(sides) <= self.most_sides:
            message = mark("A sheet of this game has %(sides)s sides.", sides=self.most_sides)
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

    def hand_size(self, rules: Rules, players: int) -> int:
        """Return how many cards each of so many players is dealt."""
        return 10

    def rules_in_force(self, rules: Rules, sides: Sequence[SheetSide]) -> Rules:
        """Return the rules as they are in force for these sides."""
        return rules

    def first_table(self, frame: Frame) -> Table | None:
        """Return who plays the first deal; None if anybody may play anybody."""
        return None

    def next_table(self, frame: Frame, table: Table, scores: Sequence[Any]) -> Table:
        """Return who plays after a deal with these scores: after a dead one the same, same dealer."""
        return table

    def tables_after(self, frame: Frame, table: Table) -> tuple[Table, ...]:
        """Return who plays next if each of those who play now wins; nothing where more than that decides."""
        return ()

    def check_seats(  # noqa: B027 (where anybody may play anybody, nothing is refused)
        self, frame: Frame, table: Table, hand: HandResult | TableResult
    ) -> None:
        """Refuse who does not play this deal (`sits_out`), and a hand that leaves somebody out."""

    def score_hand(self, rules: Rules, hand: Any) -> Score:
        """Return the score of one hand; refuses as `scoring.core.hands.score_hand`."""
        return score_hand(rules, hand)

    @abstractmethod
    def wins(self, frame: Frame, table: Table | None, deal: Deal, scores: Sequence[Any]) -> list[Win]:
        """Return the lines of a deal before they are entered, that of the hand's winner first."""

    def paid(self, frame: Frame, scores: Sequence[Any]) -> Iterable[tuple[int, int]]:
        """Return the side and points of all that a deal pays at once, where hands are paid one by one."""
        return ()

    def nets(self, frame: Frame, nets: Sequence[int], paid: Sequence[int]) -> Sequence[int]:
        """Return what each side wins in an ended column, where it has `nets` if each settles with each.

        `paid` are the sums of `paid` over the deals of a sheet with one column.
        """
        return nets

    def net_of_player(self, side: SheetSide, net: int) -> int:
        """Return what each player of a side wins or loses where the side has this net."""
        return net

    def placed_by(self, totals: Sequence[int], nets: Sequence[int]) -> Sequence[int]:
        """Return the figures by which the sides of an ended sheet are placed."""
        return nets


class Waiting(Kind):
    """A kind in which two play, the others wait, and the result tells who plays next."""

    def check_seats(self, frame: Frame, table: Table, hand: HandResult | TableResult) -> None:
        for player, field_ in named_in(hand):
            if frame.seat_of[player] not in table.playing:
                message = mark("%(player)s sits out in this deal.", player=player)
                raise HandError("sits_out", message, field=field_)

    def next_table(self, frame: Frame, table: Table, scores: Sequence[Any]) -> Table:
        (score,) = scores
        if score.winner is None:
            return table
        return self.after(frame, table, winner=frame.seat_of[score.winner])

    def tables_after(self, frame: Frame, table: Table) -> tuple[Table, ...]:
        return tuple([self.after(frame, table, winner=seat) for seat in table.playing])

    @abstractmethod
    def after(self, frame: Frame, table: Table, *, winner: int) -> Table:
        """Return who plays after a hand that this seat has won."""


class AllAtOnce(Kind):
    """A kind in which every side is one player, and all play at one table.

    The first player deals first; then the deal passes to the left.
    """

    def first_table(self, frame: Frame) -> Table:
        return Table(tuple(range(len(frame.sides))), (), 0)

    def next_table(self, frame: Frame, table: Table, scores: Sequence[Any]) -> Table:
        (score,) = scores
        if not (score.gains or score.penalties):
            return table
        return Table(table.playing, (), (table.dealer + 1) % len(frame.sides))

    def check_seats(self, frame: Frame, table: Table, hand: HandResult | TableResult) -> None:
        if isinstance(hand, Dead | TablePoints):
            return
        named = list(named_in(hand))
        if len({frame.seat_of[player] for player, _field in named}) < len(table.playing):
            message = mark("The hand does not say what everybody had.")
            raise HandError("missing_field", message, field=named[-1][1])

    def wins(self, frame: Frame, table: Table | None, deal: Deal, scores: Sequence[Any]) -> list[Win]:
        (score,) = scores
        won = [Win(frame.side_of[gain.winner], gain.points, gain.boxes, gain.shares) for gain in score.gains]
        off = [Win(frame.side_of[player], -points, 0) for player, points in score.penalties if points]
        return won + off


def two_handed_wins(frame: Frame, deal: Deal, scores: Sequence[HandScore]) -> list[Win]:
    """The line of a deal of one hand of two, with what is taken off the loser."""
    (hand,), (score,) = deal.hands, scores
    if score.winner is None:
        return []
    penalties: tuple[tuple[int, int], ...] = ()
    if score.penalty:
        loser = next(player for player, _field in named_in(hand) if player != score.winner)
        penalties = ((frame.side_of[loser], score.penalty),)
    return [Win(frame.side_of[score.winner], score.points, score.boxes, penalties=penalties)]


def dealer_of_two(rules: Rules, *, dealer: int, winner: int, other: int) -> int:
    """Who of two deals after a won hand (RULES §3, `next_dealer`).

    `other` is the loser, or who plays in his place, `dealer` who dealt.
    """
    match rules.next_dealer:
        case "loser":
            return other
        case "winner":
            return winner
        case _:
            return other if dealer == winner else winner


def named_in(hand: HandResult | TableResult) -> Iterator[tuple[str, str]]:
    """The players that a hand names, each with the field that does; knocker or winner first."""
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
