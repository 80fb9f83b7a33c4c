"""Packs in a wished order, for any number of players."""

from collections.abc import Sequence

from games.gin.cards import parse_number
from scoring.core.cards import RANKS, SUITS


def pack(
    hands: Sequence[str], players: int, size: int, upcards: str = "", stock: str = ""
) -> tuple[int, ...]:
    """A pack that deals these hands from the dealer's left, then turns the upcards.

    What is not named is filled up with the other cards, from the ace of clubs, suits in turn.
    """
    named = f"{' '.join(hands)} {upcards} {stock}".split()
    rest = [rank + suit for rank in reversed(RANKS) for suit in SUITS if rank + suit not in named]

    def filled(cards: str, count: int) -> list[str]:
        wished = cards.split()
        return wished + [rest.pop() for _ in range(count - len(wished))]

    given = [filled(hands[seat] if seat < len(hands) else "", size) for seat in range(players)]
    dealt = [card for round_ in zip(*given, strict=True) for card in round_]
    after = [*upcards.split(), *stock.split()]
    return tuple(parse_number(card) for card in [*dealt, *after, *reversed(rest)])
