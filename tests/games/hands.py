"""Random hands for the proofs: from the whole pack, and from a part of it where melds cross each other."""

import random
from collections.abc import Iterator

from games.gin.cards import CARD_COUNT, RANK_COUNT, Hand


def random_hands(seed: int, how_many: int, *sizes: int) -> Iterator[tuple[Hand, ...]]:
    """So many deals of hands of those sizes; every second one from a few ranks or a few suits only."""
    rng = random.Random(seed)
    for number in range(how_many):
        cards = list(range(CARD_COUNT))
        if number % 2:
            cards = _part_of_pack(rng, sum(sizes))
        dealt = rng.sample(cards, sum(sizes))
        hands = []
        for size in sizes:
            hands.append(Hand.of(dealt[:size]))
            dealt = dealt[size:]
        yield tuple(hands)


def _part_of_pack(rng: random.Random, least: int) -> list[int]:
    """Neighbouring ranks of two to four suits, the ace counted as king's neighbour too."""
    suits = rng.sample(range(4), rng.choice([2, 3, 3, 4, 4]))
    ranks = max(-(-least // len(suits)), rng.randrange(4, 8))
    if ranks > RANK_COUNT:
        return list(range(CARD_COUNT))
    first = rng.randrange(RANK_COUNT)
    return [
        suit * RANK_COUNT + (first + step) % RANK_COUNT
        for suit in suits
        for step in range(min(ranks + 1, RANK_COUNT))
    ]
