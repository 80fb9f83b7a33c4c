"""Cards as numbers and hands as bit masks.

A card is a number from 0 to 51, suit * 13 + rank, with suits in the order C D H S and ranks A 2 … K from 0. A
hand is a mask of 52 bits, in which the 13 bits of a suit are adjacent, as `melds` needs them. `Hand` wraps
such a mask. Text is as in INTERFACES §1.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Self

from games.errors import GameError
from scoring.core.cards import RANKS, SUITS, deadwood_value, parse_card
from scoring.core.errors import HandError
from scoring.core.messages import mark

RANK_COUNT: Final = 13
CARD_COUNT: Final = 52
# The bits of one suit, shifted to the lowest position.
SUIT_MASK: Final = (1 << RANK_COUNT) - 1
ALL_CARDS: Final = (1 << CARD_COUNT) - 1

CARD_TEXTS: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
# Deadwood points by card (RULES §2).
CARD_VALUES: Final = bytes(deadwood_value(text) for text in CARD_TEXTS)

_NUMBERS: Final = {text: card for card, text in enumerate(CARD_TEXTS)}
_RANK_MASKS: Final = tuple(sum(1 << (suit * RANK_COUNT + rank) for suit in range(4)) for rank in range(13))


@dataclass(frozen=True, slots=True)
class Hand:
    """A set of cards, iterated and printed suit by suit, each from the ace up."""

    mask: int = 0

    @classmethod
    def parse(cls, text: str, *, field: str | None = None) -> Self:
        """The hand from cards separated by spaces; refuses `unknown_card` and `card_twice`."""
        mask = 0
        words = text.split()
        for word in words:
            bit = 1 << parse_number(word, field=field)
            if mask & bit:
                card = CARD_TEXTS[bit.bit_length() - 1]
                raise GameError("card_twice", mark("%(card)s is there twice.", card=card), field=field)
            mask |= bit
        return cls(mask)

    @classmethod
    def of(cls, cards: Iterable[int]) -> Self:
        """The hand of these card numbers."""
        return cls(mask_of(cards))

    def __iter__(self) -> Iterator[int]:
        return iter(cards_of(self.mask))

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __contains__(self, card: int) -> bool:
        return bool(self.mask >> card & 1)

    def __or__(self, other: "Hand") -> "Hand":
        return Hand(self.mask | other.mask)

    def __and__(self, other: "Hand") -> "Hand":
        return Hand(self.mask & other.mask)

    def __sub__(self, other: "Hand") -> "Hand":
        return Hand(self.mask & ~other.mask)

    def remove(self, card: int) -> "Hand":
        """The hand without the card; refuses `not_in_hand`."""
        if card not in self:
            raise GameError("not_in_hand", mark("%(card)s is not in the hand.", card=CARD_TEXTS[card]))
        return Hand(self.mask & ~(1 << card))

    @property
    def value(self) -> int:
        """The points of all cards, as if unmatched."""
        return value_of(self.mask)

    def __str__(self) -> str:
        return text_of(cards_of(self.mask))


def parse_number(text: str, *, field: str | None = None) -> int:
    """The number of a card from its text; refuses `unknown_card`."""
    number = _NUMBERS.get(text)
    if number is not None:
        return number
    try:
        return _NUMBERS[parse_card(text)]
    except HandError as error:
        raise GameError(error.code, error.message, field=field) from None


def text_of(cards: Iterable[int]) -> str:
    """The cards as text in this order, separated by spaces."""
    return " ".join([CARD_TEXTS[card] for card in cards])


def cards_of(mask: int) -> list[int]:
    """The card numbers of a mask, in ascending order."""
    cards = []
    while mask:
        bit = mask & -mask
        cards.append(bit.bit_length() - 1)
        mask ^= bit
    return cards


def mask_of(cards: Iterable[int]) -> int:
    """The mask of these cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def value_of(mask: int) -> int:
    """The points of all cards of a mask, as if unmatched."""
    return sum([CARD_VALUES[card] for card in cards_of(mask)])


def rank_mask(card: int) -> int:
    """The mask of the four cards of the card's rank."""
    return _RANK_MASKS[card % RANK_COUNT]
