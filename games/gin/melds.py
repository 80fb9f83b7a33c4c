"""Least deadwood of a hand, and the arrangements that reach it (RULES §2).

Runs stay within a suit: a table has the least deadwood after runs for each of the 8,192 sets of cards of one
suit. Only sets cross suits, and of eleven cards at most three ranks have three or more. So the search runs
over the uses of those ranks, and the rest is four look-ups. A high ace needs another table, not another
search.

`ace` is a knob of the rules: `low`, `low_or_high` where Q-K-A is a run too, and in rummy also `high`, where
A-2-3 is none.
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from typing import Final

from games.errors import GameError
from games.gin.cards import (
    CARD_COUNT,
    RANK_COUNT,
    SUIT_MASK,
    Hand,
    cards_of,
    rank_mask,
    text_of,
)
from scoring.core.cards import RANKS, deadwood_value
from scoring.core.messages import mark

# The search over sets is meant for hands as held: eleven cards at most, for big gin.
MOST_CARDS: Final = 11
SHORTEST_MELD: Final = 3

_KING: Final = RANK_COUNT - 1
_CLUBS, _DIAMONDS, _HEARTS, _SPADES = [SUIT_MASK << suit * RANK_COUNT for suit in range(4)]
_RANK_VALUES: Final = tuple(deadwood_value(rank) for rank in RANKS)


@dataclass(frozen=True, slots=True)
class Meld:
    """A set or run laid down; `meld_of` makes one from a mask that is a meld."""

    mask: int
    is_set: bool

    @property
    def cards(self) -> tuple[int, ...]:
        """In the order of the run, a high ace last; a set by suits."""
        cards = cards_of(self.mask)
        if self.is_high:
            cards.append(cards.pop(0))
        return tuple(cards)

    @property
    def is_high(self) -> bool:
        """Whether it is a run up to a high ace: it has the king, but no two."""
        if self.is_set:
            return False
        ranks = self.ranks
        return bool(ranks & 1 and ranks >> _KING) and ranks != SUIT_MASK

    @property
    def suit(self) -> int:
        """The suit of a run."""
        return (self.mask.bit_length() - 1) // RANK_COUNT

    @property
    def ranks(self) -> int:
        """The 13 bits of a run's ranks."""
        return self.mask >> self.suit * RANK_COUNT

    def __str__(self) -> str:
        return text_of(self.cards)


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A hand sorted into melds; the `unmatched` cards count `deadwood`."""

    melds: tuple[Meld, ...]
    deadwood: int
    unmatched: Hand


def deadwood(hand: Hand, *, ace: str = "low") -> int:
    """The least deadwood of a hand of up to eleven cards; more are refused with `too_many_cards`."""
    _check_size(hand)
    return deadwood_of(hand.mask, ace)


def best_melds(hand: Hand, *, ace: str = "low") -> Arrangement:
    """An arrangement with the least deadwood; always the same one if there are several."""
    return best_arrangements(hand, ace=ace)[0]


def best_arrangements(hand: Hand, *, ace: str = "low") -> tuple[Arrangement, ...]:
    """Every arrangement with the least deadwood, at least one.

    A long run is given only whole, not also in pieces: lay-offs are the same for both.
    """
    _check_size(hand)
    left = runs_left(ace)
    rests = _left_by_sets(hand.mask)
    lefts = [_left_by_runs(left, rest) for rest in rests]
    least = min(lefts)
    found = []
    for rest, deadwood in zip(rests, lefts, strict=True):
        if deadwood == least:
            sets = _sets_in(hand.mask ^ rest)
            ways = product(*[_best_runs(suit, ace) for suit in _suits(rest)])
            found += [_arranged(sets, runs, rest, least) for runs in ways]
    return tuple(found)


def _arranged(sets: list[int], runs: tuple[tuple[int, ...], ...], rest: int, deadwood: int) -> Arrangement:
    """These sets, and of the `rest` these runs by suit."""
    melds = [Meld(mask, is_set=True) for mask in sets]
    for suit, masks in enumerate(runs):
        for ranks in masks:
            mask = ranks << suit * RANK_COUNT
            melds.append(Meld(mask, is_set=False))
            rest ^= mask
    return Arrangement(tuple(melds), deadwood, Hand(rest))


def meld_of(hand: Hand, *, ace: str = "low") -> Meld | None:
    """The cards as one meld; None if they are none."""
    mask = hand.mask
    if not mask or mask >> CARD_COUNT or len(hand) < SHORTEST_MELD:
        return None
    lowest = (mask & -mask).bit_length() - 1
    if not mask & ~rank_mask(lowest):
        return Meld(mask, is_set=True)
    suit = lowest // RANK_COUNT
    ranks = mask >> suit * RANK_COUNT
    if ranks > SUIT_MASK:
        return None
    return Meld(mask, is_set=False) if _is_run(ranks, ace) else None


def melds_in(mask: int, ace: str = "low") -> list[int]:
    """Every meld that can be made of some of these cards, as masks."""
    found = []
    suits = _suits(mask)
    threes = _ranks_of_sets(mask)
    while threes:
        lowest = threes & -threes
        threes ^= lowest
        held = mask & rank_mask(lowest.bit_length() - 1)
        found.append(held)
        if held.bit_count() > SHORTEST_MELD:
            found += [held ^ 1 << card for card in cards_of(held)]
    for suit, ranks in enumerate(suits):
        if runs := _runs_in(ranks, ace):
            found += [run << suit * RANK_COUNT for run in runs]
    return found


@lru_cache(maxsize=1024)
def fitting(mask: int, ace: str = "low") -> int:
    """The cards of which each makes a longer meld of this one."""
    cards = [card for card in range(CARD_COUNT) if not mask >> card & 1]
    return sum([1 << card for card in cards if meld_of(Hand(mask | 1 << card), ace=ace)])


# On masks, for the game and the bots, which call these millions of times.


def deadwood_of(mask: int, ace: str = "low") -> int:
    """The least deadwood of a mask, which is not checked."""
    left = runs_left(ace)
    clubs = mask & SUIT_MASK
    diamonds = mask >> 13 & SUIT_MASK
    hearts = mask >> 26 & SUIT_MASK
    spades = mask >> 39
    threes = clubs & diamonds & (hearts | spades) | hearts & spades & (clubs | diamonds)
    if not threes:
        return left[clubs] + left[diamonds] + left[hearts] + left[spades]
    return _least_with_sets(left, clubs, diamonds, hearts, spades, threes)


def deadwood_without_each(mask: int, ace: str = "low") -> dict[int, int]:
    """The deadwood after discarding each card of the mask: card to deadwood, by card number.

    Each choice of sets is weighed once, for all the cards that it leaves to runs. A card of a set is
    discarded where that set is not laid down, or is of the other three.
    """
    runs = _runs_without_each(ace)
    least: dict[int, int] = {}
    for rest in _left_by_sets(mask):
        clubs, of_clubs = runs[rest & _CLUBS]
        diamonds, of_diamonds = runs[rest & _DIAMONDS]
        hearts, of_hearts = runs[rest & _HEARTS]
        spades, of_spades = runs[rest & _SPADES]
        whole = clubs + diamonds + hearts + spades
        changes = (*of_clubs, *of_diamonds, *of_hearts, *of_spades)
        if least:
            for card, change in changes:
                if (left := whole + change) < least[card]:
                    least[card] = left
        else:
            # With no set laid down: all cards.
            least = {card: whole + change for card, change in changes}
    return least


class _RunsWithoutEach(dict[int, tuple[int, tuple[tuple[int, int], ...]]]):
    """For cards of one suit what their runs leave, and each card with how much that changes without it.

    Filled as it is asked: a hand's few cards of a suit are few of the 8,192 sets of them.
    """

    def __init__(self, left: bytes) -> None:
        super().__init__()
        self._left = left

    def __missing__(self, mask: int) -> tuple[int, tuple[tuple[int, int], ...]]:
        first = (mask.bit_length() - 1) // RANK_COUNT * RANK_COUNT if mask else 0
        left, ranks = self._left, mask >> first
        changes = [(first + rank, left[ranks ^ 1 << rank] - left[ranks]) for rank in cards_of(ranks)]
        self[mask] = left[ranks], tuple(changes)
        return self[mask]


@cache
def _runs_without_each(ace: str) -> _RunsWithoutEach:
    return _RunsWithoutEach(runs_left(ace))


@cache
def runs_left(ace: str) -> bytes:
    """For every set of ranks in one suit (13 bits) the least deadwood its runs leave, in points.

    Every run is a chain of runs of three to five cards. So the lowest card is left over, or starts one of
    those, or is an ace that ends one. What remains is a smaller index, which is computed already.
    """
    left = bytearray(1 << RANK_COUNT)
    starts = [
        [run for length in (3, 4, 5) if (run := ((1 << length) - 1) << rank) <= SUIT_MASK]
        for rank in range(RANK_COUNT)
    ]
    if ace == "high":
        starts[0] = []
    if ace != "low":
        starts[0] += [_ending_with_ace(length) for length in (3, 4, 5)]
    for ranks in range(1, len(left)):
        lowest = ranks & -ranks
        rank = lowest.bit_length() - 1
        least = _RANK_VALUES[rank] + left[ranks ^ lowest]
        for run in starts[rank]:
            if ranks & run == run and left[ranks ^ run] < least:
                least = left[ranks ^ run]
        left[ranks] = least
    return bytes(left)


def _least_with_sets(left: bytes, clubs: int, diamonds: int, hearts: int, spades: int, threes: int) -> int:
    """The least deadwood, where `threes` are the ranks that may have sets."""
    least = left[clubs] + left[diamonds] + left[hearts] + left[spades]
    rank = threes & -threes
    others = threes ^ rank
    rest = SUIT_MASK ^ rank
    if others:
        least = _least_with_sets(left, clubs, diamonds, hearts, spades, others)
        with_set = _least_with_sets(left, clubs & rest, diamonds & rest, hearts & rest, spades & rest, others)
        if with_set < least:
            least = with_set
        if clubs & diamonds & hearts & spades & rank:
            least = min(
                least,
                _least_with_sets(left, clubs, diamonds & rest, hearts & rest, spades & rest, others),
                _least_with_sets(left, clubs & rest, diamonds, hearts & rest, spades & rest, others),
                _least_with_sets(left, clubs & rest, diamonds & rest, hearts, spades & rest, others),
                _least_with_sets(left, clubs & rest, diamonds & rest, hearts & rest, spades, others),
            )
        return least
    c, d, h, s = left[clubs & rest], left[diamonds & rest], left[hearts & rest], left[spades & rest]
    with_set = c + d + h + s
    if clubs & diamonds & hearts & spades & rank:
        # All four, or three of them with the fourth in a run.
        with_set += min(0, left[clubs] - c, left[diamonds] - d, left[hearts] - h, left[spades] - s)
    return with_set if with_set < least else least


def _left_by_runs(left: bytes, mask: int) -> int:
    """The least deadwood with no set laid down."""
    return (
        left[mask & SUIT_MASK]
        + left[mask >> 13 & SUIT_MASK]
        + left[mask >> 26 & SUIT_MASK]
        + left[mask >> 39]
    )


def _left_by_sets(mask: int) -> list[int]:
    """For every choice of sets from the hand, none at all first, the cards that are in none of them."""
    lefts = [mask]
    threes = _ranks_of_sets(mask)
    while threes:
        lowest = threes & -threes
        threes ^= lowest
        held = mask & rank_mask(lowest.bit_length() - 1)
        sets = [held]
        if held.bit_count() > SHORTEST_MELD:
            sets += [held ^ 1 << card for card in cards_of(held)]
        lefts += [left ^ one for left in lefts for one in sets]
    return lefts


def _sets_in(laid: int) -> list[int]:
    """These cards, which are all in sets, rank by rank."""
    sets = []
    ranks = _ranks_of_sets(laid)
    while ranks:
        lowest = ranks & -ranks
        ranks ^= lowest
        sets.append(laid & rank_mask(lowest.bit_length() - 1))
    return sets


def _ranks_of_sets(mask: int) -> int:
    """The ranks, as 13 bits, of which there are three or four."""
    clubs = mask & SUIT_MASK
    diamonds = mask >> 13 & SUIT_MASK
    hearts = mask >> 26 & SUIT_MASK
    spades = mask >> 39
    return clubs & diamonds & (hearts | spades) | hearts & spades & (clubs | diamonds)


@lru_cache(maxsize=4096)
def _best_runs(ranks: int, ace: str) -> tuple[tuple[int, ...], ...]:
    """The ways to lay runs in one suit that leave least: for each set of cards laid, the fewest runs."""
    ways: dict[int, tuple[int, ...]] = {}
    for runs in _ways_to_least(ranks, ace):
        laid = sum(runs)
        if laid not in ways or len(runs) < len(ways[laid]):
            ways[laid] = runs
    return tuple(ways.values())


def _ways_to_least(ranks: int, ace: str) -> list[tuple[int, ...]]:
    if not ranks:
        return [()]
    left = runs_left(ace)
    lowest = ranks & -ranks
    rank = lowest.bit_length() - 1
    ways = []
    for run in _runs_from(rank, ace):
        if ranks & run == run and left[ranks ^ run] == left[ranks]:
            ways += [(run, *others) for others in _ways_to_least(ranks ^ run, ace)]
    if _RANK_VALUES[rank] + left[ranks ^ lowest] == left[ranks]:
        ways += _ways_to_least(ranks ^ lowest, ace)
    return ways


@cache
def _runs_from(rank: int, ace: str) -> tuple[int, ...]:
    """All runs whose lowest bit is this rank: those that end with a high ace are of rank 0."""
    runs = [((1 << length) - 1) << rank for length in range(SHORTEST_MELD, RANK_COUNT - rank + 1)]
    if rank:
        return tuple(runs)
    high = [_ending_with_ace(length) for length in range(SHORTEST_MELD, RANK_COUNT)]
    whole = [SUIT_MASK]
    return tuple({"low": runs, "high": high + whole, "low_or_high": runs + high}[ace])


@lru_cache(maxsize=1 << RANK_COUNT)
def _runs_in(ranks: int, ace: str) -> tuple[int, ...]:
    """All runs of these ranks of one suit."""
    return tuple([run for rank in cards_of(ranks) for run in _runs_from(rank, ace) if ranks & run == run])


def _is_run(ranks: int, ace: str) -> bool:
    if not ranks & 1:
        return _is_row(ranks)
    if ace != "high" and _is_row(ranks):
        return True
    return ace != "low" and _is_row(ranks & ~1 | 1 << RANK_COUNT)


def _ending_with_ace(length: int) -> int:
    """The ranks of a run of this length up to the high ace."""
    return 1 | ((1 << length - 1) - 1) << RANK_COUNT - length + 1


def _is_row(bits: int) -> bool:
    """Whether the set bits are adjacent."""
    lowest = bits & -bits
    return bits + lowest & bits == 0


def _suits(mask: int) -> tuple[int, int, int, int]:
    return mask & SUIT_MASK, mask >> 13 & SUIT_MASK, mask >> 26 & SUIT_MASK, mask >> 39


def _check_size(hand: Hand) -> None:
    if len(hand) > MOST_CARDS:
        raise GameError(
            "too_many_cards",
            mark("A hand has at most %(most)s cards, not %(held)s.", most=MOST_CARDS, held=len(hand)),
        )
