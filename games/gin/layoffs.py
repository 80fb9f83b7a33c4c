"""The defender's reply to a knock: melds and lay-offs, chosen together (RULES §2); of several, in turn (§8).

A lay-off extends a set of three, or either end of a run, where further cards may follow: after 5-6-7 the 8,
then the 9. So there is at most one card for each set, and for each end of a run a sequence of which the first
few can be laid off. All combinations are tried, with the rest of the hand arranged in the best way.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from games.gin.cards import CARD_TEXTS, RANK_COUNT, Hand, mask_of, rank_mask
from games.gin.melds import Meld, best_arrangements, deadwood_of


@dataclass(frozen=True, slots=True)
class LayOff:
    """A card laid off onto the knocker's meld with this index."""

    card: int
    meld: int

    def __str__(self) -> str:
        return f"{CARD_TEXTS[self.card]} {self.meld}"


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


def ways_to_reply(melds: Sequence[Meld], defender: Hand, *, ace: str = "low") -> list[Reply]:
    """A reply for each set of cards that may be laid off, least deadwood first; the first is `reply`."""
    ways = _what_can_be_laid(_ends(melds, defender.mask, ace))
    found = [reply(melds, defender, ace=ace)]
    for laid, lay_offs in ways.items():
        if laid != mask_of([one.card for one in found[0].lay_offs]):
            own = best_arrangements(Hand(defender.mask ^ laid), ace=ace)[0]
            found.append(Reply(own.melds, lay_offs, own.deadwood, own.unmatched))
    return sorted(found, key=lambda one: one.deadwood)


def deadwood_after_reply(melds: Iterable[Meld], defender: int, ace: str = "low") -> int:
    """The deadwood after the best reply, for a mask."""
    ends = _ends(melds, defender, ace)
    if not ends:
        return deadwood_of(defender, ace)
    return min([deadwood_of(defender ^ laid, ace) for laid in _what_can_be_laid(ends)])


def open_to(melds: Iterable[Meld], cards: int, ace: str = "low") -> int:
    """Which of these cards, a mask, could be laid off on these melds if somebody held all of them."""
    found = 0
    for _index, row in _ends(melds, cards, ace):
        found |= mask_of(row)
    return found


def replies(
    melds: Sequence[Meld], defenders: Sequence[Hand], *, ace: str = "low", chained: bool = False
) -> tuple[Reply, ...]:
    """The best replies of several who lay off in this order.

    Where nobody lays off on another's cards each replies as if alone: what one lays off the others do not
    hold. If lay-offs are `chained`, who may leave himself equally little in several ways leaves those after
    him least, and then lays off fewest cards.
    """
    if not chained:
        return tuple([reply(melds, hand, ace=ace) for hand in defenders])
    _figures, chosen = _in_turn(_rows(melds, ace), [hand.mask for hand in defenders], ace)
    found = []
    for hand, (laid, lay_offs) in zip(defenders, chosen, strict=True):
        own = best_arrangements(Hand(hand.mask ^ laid), ace=ace)[0]
        found.append(Reply(own.melds, lay_offs, own.deadwood, own.unmatched))
    return tuple(found)


def deadwood_after_replies(
    melds: Sequence[Meld], defenders: Sequence[int], ace: str = "low", *, chained: bool = False
) -> tuple[int, ...]:
    """The deadwood of each after `replies`, for masks."""
    if not chained:
        return tuple([deadwood_after_reply(melds, hand, ace) for hand in defenders])
    return _in_turn(_rows(melds, ace), defenders, ace)[0]


# Cards that fit one end of one meld, in the order they must come, and the meld's index: those there are
# (rows), and of these those that somebody holds (ends).
_End = tuple[int, list[int]]
_Laid = tuple[int, tuple[LayOff, ...]]


def _in_turn(
    rows: Sequence[_End], defenders: Sequence[int], ace: str
) -> tuple[tuple[int, ...], tuple[_Laid, ...]]:
    """The deadwood of each after chained lay-offs, and the mask and list of these."""
    if not defenders:
        return (), ()
    hand, *others = defenders
    ways = [
        (deadwood_of(hand ^ laid, ace), laid, lay_offs, rest) for laid, lay_offs, rest in _ways(rows, hand)
    ]
    least = min([left for left, *_way in ways])
    found = []
    for left, laid, lay_offs, rest in ways:
        if left == least:
            figures, after = _in_turn(rest, others, ace)
            found.append(((least, *figures), len(lay_offs), ((laid, lay_offs), *after)))
    figures, _count, chosen = min(found, key=lambda one: one[:2])
    return figures, chosen


def _ways(rows: Sequence[_End], hand: int) -> Iterator[tuple[int, tuple[LayOff, ...], list[_End]]]:
    """Every way to lay off, none at all included: the cards, in order, and what each row waits for then."""
    if not rows:
        yield 0, (), []
        return
    (index, cards), *others = rows
    for laid, lay_offs, rest in _ways(others, hand):
        for count in range(len(cards) + 1):
            if count:
                card = cards[count - 1]
                if not hand >> card & 1 or laid >> card & 1:
                    break
                laid |= 1 << card
                lay_offs = (*lay_offs, LayOff(card, index))
            yield laid, lay_offs, [(index, cards[count:]), *rest]


def _best_lay_offs(melds: Iterable[Meld], defender: int, ace: str) -> tuple[int, tuple[LayOff, ...]]:
    """The mask and list of the lay-offs that leave least; the fewest if there is a choice."""
    ends = _ends(melds, defender, ace)
    if not ends:
        return 0, ()
    ways = _what_can_be_laid(ends)
    laid = min(ways, key=lambda laid: (deadwood_of(defender ^ laid, ace), laid.bit_count()))
    return laid, ways[laid]


def _ends(melds: Iterable[Meld], defender: int, ace: str) -> list[_End]:
    """Every place where this defender can lay something off."""
    ends = []
    for index, row in _rows(melds, ace):
        held = []
        for card in row:
            if not defender >> card & 1:
                break
            held.append(card)
        if held:
            ends.append((index, held))
    return ends


def _rows(melds: Iterable[Meld], ace: str) -> list[_End]:
    """Every place where anybody could lay something off."""
    return [
        (index, row)
        for index, meld in enumerate(melds)
        for row in ([_to_set(meld)] if meld.is_set else _to_run(meld, ace))
    ]


def _to_set(meld: Meld) -> list[int]:
    """The fourth card of a set of three; none for a set of four."""
    missing = rank_mask(meld.mask.bit_length() - 1) ^ meld.mask
    return [missing.bit_length() - 1] if missing else []


def _to_run(meld: Meld, ace: str) -> list[list[int]]:
    """The cards that can follow at the low and at the high end, moving outwards."""
    suit = meld.suit * RANK_COUNT
    if meld.is_high:
        return [list(range(meld.cards[0] - 1, suit - 1, -1)), []]
    low = list(range((meld.mask & -meld.mask).bit_length() - 2, suit - 1, -1))
    high = list(range(meld.mask.bit_length(), suit + RANK_COUNT))
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
