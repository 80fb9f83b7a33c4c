"""Who sits at which hand of a deal, who deals, and from what pack: by the kind of game (RULES §3, §7, §8).

All randomness in a deal comes from the sheet's seed and the deal's number (`derived_seed`).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any, ClassVar, Final

from games.gin.cards import RANK_COUNT
from games.gin.hand import HandState, shuffled
from games.gin.jersey import JerseyHand
from games.gin.one_pack import OnePackHand, reshuffles_of
from games.gin.playing import InPlay, Pack
from games.gin.rummy import RummyHand
from scoring.core.kinds import KINDS
from scoring.core.rules import Rules
from scoring.core.sheet_state import Table, players_by_seat
from scoring.core.sheets import DealScore, RunningSheet
from scoring.documents.sheets import players_of
from scoring.typing.rows import team_pairing

Pair = tuple[str, str]
# Of teams of this size the games can be dealt from one pack.
ONE_PACK_TEAM: Final = 2


def derived_seed(seed: int, *parts: object) -> int:
    """The first 8 bytes, big-endian, of the SHA-256 of the seed and the parts, as text joined by spaces.

    Parts are `pack` or `cut`, deal, table; `bot`, deal, table, seat at that table; `turn`, deal, actions
    before it, seat; or `again`, deal, and how often a stock was shuffled again before. Deals count from 1,
    the others from 0.
    """
    text = " ".join([str(part) for part in (seed, *parts)])
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big")


def first_dealer(rules: Rules, seed: int) -> int:
    """The side (0 or 1) that deals first by the cut: the higher card, or the lower (RULES §3).

    The ace is lowest; equal ranks are ordered by suit, spades highest.
    """
    cards = shuffled(seed)[:2]
    ranked = [(card % RANK_COUNT, card) for card in cards]
    highest = ranked.index(max(ranked))
    return highest if rules.first_dealer == "high" else 1 - highest


class Dealing(ABC):
    """Deals the hands of one sheet.

    It is told of every deal, and asked for the next one when all before are on the sheet. `game` is what a
    strategy must say that it plays; None for hands of two with a pack of their own, which all do. `in_play`
    is what its hands are.
    """

    game: ClassVar[str | None] = None
    in_play: ClassVar[type[InPlay]] = HandState

    def __init__(self, sheet: RunningSheet, seed: int) -> None:
        self._sheet = sheet
        self._seed = seed

    @abstractmethod
    def hands(self, number: int) -> Sequence[InPlay]:
        """The hands of this deal as dealt, by table."""

    def note(self, score: DealScore) -> None:  # noqa: B027 (the sheet itself often tells who deals)
        """Takes note of a deal that was entered."""

    def _pack(self, number: int, table: int) -> Pack:
        return shuffled(derived_seed(self._seed, "pack", number, table))

    def _orders(self, times: int, number: int) -> list[Pack]:
        """The orders of a stock that is shuffled again so often."""
        return [shuffled(derived_seed(self._seed, "again", number, time)) for time in range(times)]


class AtTables(Dealing):
    """Two sides: a hand for each pair of opponents, with a pack of its own."""

    def __init__(self, sheet: RunningSheet, seed: int) -> None:
        super().__init__(sheet, seed)
        self._first_side = frozenset(sheet.sides[0].everyone)
        self._next: dict[Pair, int] = {}

    def hands(self, number: int) -> Sequence[InPlay]:
        return [
            HandState(
                self._sheet.rules,
                self._pack(number, table),
                dealer=self._dealer(pair, number, table),
                players=pair,
            )
            for table, pair in enumerate(team_pairing(number, self._sheet.sides))
        ]

    def note(self, score: DealScore) -> None:
        """Keeps who of each pair deals next (RULES §3); after a dead hand the same dealer deals again."""
        for table, (result, hand) in enumerate(score.two_handed):
            one, other = players_of(result)
            pair = (one, other) if one in self._first_side else (other, one)
            dealer = self._dealer(pair, score.number, table)
            if hand.winner is None:
                continue
            winner = pair.index(hand.winner)
            match self._sheet.rules.next_dealer:
                case "loser":
                    self._next[pair] = 1 - winner
                case "winner":
                    self._next[pair] = winner
                case _:
                    self._next[pair] = 1 - dealer

    def _dealer(self, pair: Pair, number: int, table: int) -> int:
        """The side that deals; a pair that has not met cuts, in this deal and at this table."""
        if pair not in self._next:
            cut = derived_seed(self._seed, "cut", number, table)
            self._next[pair] = first_dealer(self._sheet.rules, cut)
        return self._next[pair]


class OfOnePack(Dealing):
    """Two sides of two, whose two games are dealt from one pack; the deal passes to the left."""

    game: ClassVar[str | None] = "partners_one_pack"
    in_play: ClassVar[type[InPlay]] = OnePackHand

    def hands(self, number: int) -> Sequence[InPlay]:
        rules, sides = self._sheet.rules, self._sheet.sides
        (first, second), (other, another) = [side.seated(number) for side in sides]
        # Round the table, partners opposite. Of the deals every second is played with the other neighbour.
        players, dealer = (first, other, second, another), (number - 1) % 4
        if number % 2 == 0:
            players, dealer = (another, first, other, second), (dealer + 1) % 4
        return [
            OnePackHand(
                rules,
                self._pack(number, 0),
                dealer=dealer,
                players=players,
                orders=self._orders(reshuffles_of(rules), number),
            )
        ]


class AtOneTable(Dealing):
    """One hand, of whom the sheet says."""

    def hands(self, number: int) -> Sequence[InPlay]:
        table = self._sheet.table
        assert table is not None  # noqa: S101 (of these kinds the deals before tell who plays)
        players = players_by_seat(self._sheet.sides, number)
        return [self._dealt(table, players, number)]

    @abstractmethod
    def _dealt(self, table: Table, players: Sequence[str], number: int) -> InPlay:
        """The hand of this table; `players` are all by seat."""


class OfTwo(AtOneTable):
    """A hand of two, while the others wait; one of these may deal."""

    def _dealt(self, table: Table, players: Sequence[str], number: int) -> HandState:
        one, other = table.playing
        first = next(seat for seat in _after(table.dealer, len(players)) if seat in table.playing)
        return HandState(
            self._sheet.rules,
            self._pack(number, 0),
            # Who has not the first turn.
            dealer=1 if first == one else 0,
            players=(players[one], players[other]),
        )


class OfThree(AtOneTable):
    """A hand of three at once."""

    game: ClassVar[str | None] = "jersey"
    in_play: ClassVar[type[InPlay]] = JerseyHand

    def _dealt(self, table: Table, players: Sequence[str], number: int) -> JerseyHand:
        return JerseyHand(
            self._sheet.rules, self._pack(number, 0), dealer=table.dealer, players=tuple(players)
        )


class OfRummy(AtOneTable):
    """A hand of rummy, of all."""

    game: ClassVar[str | None] = "basic_rummy"
    in_play: ClassVar[type[InPlay]] = RummyHand

    def _dealt(self, table: Table, players: Sequence[str], number: int) -> RummyHand:
        rules = self._sheet.rules
        return RummyHand(
            rules,
            self._pack(number, 0),
            dealer=table.dealer,
            players=tuple(players),
            orders=self._orders(RummyHand.orders_needed(rules), number),
        )


def _after(seat: int, seats: int) -> list[int]:
    """All seats in turn, that after this one first."""
    return [(seat + step) % seats for step in range(1, seats + 1)]


_DEALINGS: Final[Mapping[str, type[Dealing]]] = {
    "gin": AtTables,
    "cutthroat": OfTwo,
    "captains": OfTwo,
    "jersey": OfThree,
    "partners_one_pack": OfOnePack,
    "basic_rummy": OfRummy,
}
assert _DEALINGS.keys() == KINDS.keys()  # noqa: S101 (a kind whose hands nobody deals)


def dealing_of(sheet: RunningSheet, seed: int) -> Dealing:
    """Who deals the hands of this sheet."""
    return _dealing_class(sheet.rules, len(sheet.sides[0].players))(sheet, seed)


def game_of(rules: Rules, team_size: int) -> str | None:
    """What a strategy must say that it plays (`Dealing.game`) where so many are the first side."""
    return _dealing_class(rules, team_size).game


def hand_class(rules: Rules, team_size: int) -> type[InPlay]:
    """What the hands are where so many are the first side."""
    return _dealing_class(rules, team_size).in_play


def parser_of(game: str | None) -> Callable[[str], Any]:
    """What reads an action of this game."""
    return next(one for one in _DEALINGS.values() if one.game == game).in_play.parsed


def _dealing_class(rules: Rules, team_size: int) -> type[Dealing]:
    if rules.packs == "shared" and team_size == ONE_PACK_TEAM:
        return OfOnePack
    return _DEALINGS[rules.kind]
