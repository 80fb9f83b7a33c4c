"""Melds and lay-offs a second time, slowly and from the words of the rules, to hold the fast ones against.

Cards are text here, melds are sets of text, and everything is tried.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

RANKS = "A23456789TJQK"
SUITS = "CDHS"

Cards = frozenset[str]


def count(cards: Cards) -> int:
    """Ace 1, 2 to 10 their pips, courts 10."""
    return sum(1 if card[0] == "A" else int(card[0]) if card[0].isdigit() else 10 for card in cards)


@lru_cache(maxsize=2)
def runs(ace: str) -> tuple[Cards, ...]:
    """All runs there are in the pack."""
    line = RANKS + "A" if ace == "low_or_high" else RANKS
    return tuple(
        frozenset(rank + suit for rank in line[start:end])
        for suit in SUITS
        for start in range(len(line))
        for end in range(start + 3, len(line) + 1)
        if end - start <= 13
    )


@lru_cache(maxsize=2)
def melds_of_pack(ace: str) -> frozenset[Cards]:
    """All melds there are in the pack."""
    sets = [
        frozenset(rank + suit for suit in suits)
        for rank in RANKS
        for size in (3, 4)
        for suits in combinations(SUITS, size)
    ]
    return frozenset([*runs(ace), *sets])


def melds_in(hand: Cards, ace: str) -> list[Cards]:
    """All melds that can be made of some of these cards."""
    found = [
        frozenset(rank + suit for suit in suits)
        for rank in RANKS
        for held in [[suit for suit in SUITS if rank + suit in hand]]
        for size in (3, 4)
        for suits in combinations(held, size)
    ]
    for suit in SUITS:
        line = RANKS + "A" if ace == "low_or_high" else RANKS
        for start in range(len(line)):
            for end in range(start + 1, min(len(line), start + 13) + 1):
                if line[end - 1] + suit not in hand:
                    break
                if end - start >= 3:
                    found.append(frozenset(rank + suit for rank in line[start:end]))
    return found


def arrangements(hand: Cards, ace: str) -> Iterator[tuple[Cards, ...]]:
    """All choices of melds from the hand that share no card, none at all included."""
    return _disjoint(melds_in(hand, ace))


def _disjoint(melds: list[Cards]) -> Iterator[tuple[Cards, ...]]:
    if not melds:
        yield ()
        return
    first, others = melds[0], melds[1:]
    yield from _disjoint(others)
    for chosen in _disjoint([meld for meld in others if not meld & first]):
        yield (first, *chosen)


def least(hand: Cards, ace: str) -> int:
    """The least deadwood, over all arrangements."""
    return count(hand) - max(sum(map(count, melds)) for melds in arrangements(hand, ace))


def least_after_lay_offs(melds: tuple[Cards, ...], defender: Cards, ace: str) -> int:
    """The defender's least count: card by card onto any meld that stays one, own melds from what is left."""
    best = least(defender, ace)
    seen = set()
    waiting = [(melds, defender)]
    while waiting:
        table, held = waiting.pop()
        for place, meld in enumerate(table):
            for card in held:
                if meld | {card} not in melds_of_pack(ace):
                    continue
                after = (
                    tuple(sorted([*table[:place], meld | {card}, *table[place + 1 :]], key=sorted)),
                    held - {card},
                )
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
                    best = min(best, least(after[1], ace))
    return best


def ruling(knocker: Cards, defender: Cards, ace: str) -> tuple[int, int]:
    """Both counts: the knocker's least, and the defender's after the arrangement that leaves him most."""
    own = least(knocker, ace)
    tied = [melds for melds in arrangements(knocker, ace) if count(knocker) - sum(map(count, melds)) == own]
    if own == 0:
        return 0, least(defender, ace)
    return own, max(least_after_lay_offs(melds, defender, ace) for melds in tied)


def in_turn(
    melds: tuple[Cards, ...], first: Cards, second: Cards, ace: str, *, chained: bool
) -> tuple[int, int]:
    """The counts of two who lay off one after the other: the first least, then the second least.

    Where nobody lays off on another's cards the second finds the knocker's melds as they were.
    """
    best = None
    seen = set()
    waiting = [(melds, first)]
    while waiting:
        table, held = waiting.pop()
        second_count = least_after_lay_offs(table if chained else melds, second, ace)
        counts = (least(held, ace), second_count)
        best = counts if best is None else min(best, counts)
        for place, meld in enumerate(table):
            for card in held:
                if meld | {card} in melds_of_pack(ace):
                    after = (*table[:place], meld | {card}, *table[place + 1 :]), held - {card}
                    if after not in seen:
                        seen.add(after)
                        waiting.append(after)
    assert best is not None
    return best
