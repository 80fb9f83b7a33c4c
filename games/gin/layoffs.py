"""The defender's reply to a knock: melds and lay-offs, chosen together (RULES §2).

A lay-off extends a set of three, or either end of a run, where further cards may follow: after 5-6-7 the 8,
then the 9. So there is at most one card for each set, and for each end of a run a sequence of which the first
few can be laid off. All combinations are tried, with the rest of the hand arranged in the best way.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from games.gin.cards import RANK_COUNT, Hand, rank_mask
from games.gin.melds import Meld, best_arrangements, deadwood_of


@dataclass(frozen=True, slots=True)
class LayOff:
    """A card laid off onto the knocker's meld with this index."""

    card: int
    meld: int


@dataclass(frozen=True, slots=True)
class Reply:
    """The defender's own melds, the lay-offs in order, and the remaining cards."""

    melds: tuple[Meld, ...]
    lay_offs: tuple[LayOff, ...]
    deadwood: int
    unmatched: Hand


def reply(melds: Sequence[Meld], defender: Hand, *, ace: str = "low") -> Reply:
    """The defender's best reply to these melds; `melds` is empty where nothing may be laid off."""
    laid, lay_offs = _best_lay_offs(melds, defender.mask, ace)
    own = best_arrangements(Hand(defender.mask ^ laid), ace=ace)[0]
    return Reply(own.melds, lay_offs, own.deadwood, own.unmatched)


def deadwood_after_reply(melds: Iterable[Meld], defender: int, ace: str = "low") -> int:
    """The deadwood after the best reply, for a mask."""
    ends = _ends(melds, defender, ace)
    if not ends:
        return deadwood_of(defender, ace)
    return min([deadwood_of(defender ^ laid, ace) for laid in _what_can_be_laid(ends)])


# The cards that fit one end of one meld, in the order they must come, and the meld's index.
_End = tuple[int, list[int]]


def _best_lay_offs(melds: Iterable[Meld], defender: int, ace: str) -> tuple[int, tuple[LayOff, ...]]:
    """The mask and list of the lay-offs that leave least; the fewest if there is a choice."""
    ways = _what_can_be_laid(_ends(melds, defender, ace))
    laid = min(ways, key=lambda laid: (deadwood_of(defender ^ laid, ace), laid.bit_count()))
    return laid, ways[laid]


def _ends(melds: Iterable[Meld], defender: int, ace: str) -> list[_End]:
    """Every place where this defender can lay something off."""
    ends = []
    for index, meld in enumerate(melds):
        if meld.is_set:
            rows = [_to_set(meld)]
        else:
            rows = _to_run(meld, ace)
        for row in rows:
            held = []
            for card in row:
                if not defender >> card & 1:
                    break
                held.append(card)
            if held:
                ends.append((index, held))
    return ends


def _to_set(meld: Meld) -> list[int]:
    """The fourth card of a set of three; none for a set of four."""
    return [missing.bit_length() - 1] if (missing := rank_mask(meld.cards[0]) ^ meld.mask) else []


def _to_run(meld: Meld, ace: str) -> list[list[int]]:
    """The cards that can follow at the low and at the high end, moving outwards."""
    suit = meld.suit * RANK_COUNT
    cards = meld.cards
    low = list(range(cards[0] - 1, suit - 1, -1))
    if meld.is_high:
        return [low, []]
    high = list(range(cards[-1] + 1, suit + RANK_COUNT))
    if ace == "low_or_high":
        high.append(suit)
    return [low, high]


def _what_can_be_laid(ends: Iterable[_End]) -> dict[int, tuple[LayOff, ...]]:
    """Every set of cards that can be laid off, the empty one included, with one way to do it."""
    ways: dict[int, tuple[LayOff, ...]] = {0: ()}
    for index, row in ends:
        for laid, lay_offs in list(ways.items()):
            for card in row:
                if laid >> card & 1:
                    break
                laid |= 1 << card
                lay_offs = (*lay_offs, LayOff(card, index))
                ways.setdefault(laid, lay_offs)
    return ways
