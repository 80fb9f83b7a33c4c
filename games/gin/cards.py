"""Cards as numbers and hands as sets of bits.

A card is a number from 0 to 51, suit * 13 + rank, with the suits C D H S and the ranks A 2 … K from 0. A
hand is a mask of 52 bits; the 13 bits of a suit lie together, which is what `melds` works with. `Hand` is
such a mask made readable. Text is as INTERFACES §1 has it.
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
# The bits of one suit, moved down to the lowest.
SUIT_MASK: Final = (1 << RANK_COUNT) - 1
ALL_CARDS: Final = (1 << CARD_COUNT) - 1

CARD_TEXTS: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
# What each card counts unmatched (RULES §2), by its number.
CARD_VALUES: Final = bytes(deadwood_value(text) for text in CARD_TEXTS)

_NUMBERS: Final = {text: card for card, text in enumerate(CARD_TEXTS)}
_RANK_MASKS: Final = tuple(sum(1 << (suit * RANK_COUNT + rank) for suit in range(4)) for rank in range(13))


@dataclass(frozen=True, slots=True)
class Hand:
    """A set of cards. Iterated and printed suit by suit, each from the ace up."""

    mask: int = 0

    @classmethod
    def parse(cls, text: str, *, field: str | None = None) -> Self:
        """The hand written as cards with spaces between; refuses `unknown_card` and `card_twice`."""
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
        """The hand of those cards, given as numbers."""
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

    def add(self, card: int) -> "Hand":
        """With that card too; refuses `card_twice`."""
        if card in self:
            raise GameError("card_twice", mark("%(card)s is in the hand already.", card=CARD_TEXTS[card]))
        return Hand(self.mask | 1 << card)

    def remove(self, card: int) -> "Hand":
        """Without that card; refuses `not_in_hand`."""
        if card not in self:
            raise GameError("not_in_hand", mark("%(card)s is not in the hand.", card=CARD_TEXTS[card]))
        return Hand(self.mask & ~(1 << card))

    @property
    def value(self) -> int:
        """What all of it counts unmatched."""
        return value_of(self.mask)

    def __str__(self) -> str:
        return text_of(cards_of(self.mask))


DECK: Final = Hand(ALL_CARDS)


def parse_number(text: str, *, field: str | None = None) -> int:
    """The number of a card written as text; refuses `unknown_card`."""
    number = _NUMBERS.get(text)
    if number is not None:
        return number
    try:
        return _NUMBERS[parse_card(text)]
    except HandError as error:
        raise GameError(error.code, error.message, field=field) from None


def text_of(cards: Iterable[int]) -> str:
    """The cards as text in that order, with spaces between."""
    return " ".join([CARD_TEXTS[card] for card in cards])


def cards_of(mask: int) -> list[int]:
    """The numbers of the cards of a mask, from the lowest."""
    cards = []
    while mask:
        bit = mask & -mask
        cards.append(bit.bit_length() - 1)
        mask ^= bit
    return cards


def mask_of(cards: Iterable[int]) -> int:
    """The mask of those cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def value_of(mask: int) -> int:
    """What the cards of a mask count unmatched."""
    return sum([CARD_VALUES[card] for card in cards_of(mask)])


def rank_mask(card: int) -> int:
    """The mask of the four cards of that card's rank."""
    return _RANK_MASKS[card % RANK_COUNT]
