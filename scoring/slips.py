"""Slips of a finger or an eye in a single figure, and which of them come often."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Final

# Figures taken for one another in handwriting.
_ALIKE: Final = frozenset(
    frozenset(pair) for pair in ("17", "38", "56", "06", "49", "27", "35", "79", "68", "08")
)
_LONGEST: Final = 4


class Slip(StrEnum):
    """How one figure became another."""

    SWAPPED = "swapped"
    DIGIT = "digit"
    LENGTH = "length"


def number_slips(number: int) -> Iterator[tuple[Slip, int, int]]:
    """Every figure that one slip away from `number` may have been meant: (slip, rarity 0 or 1, figure).

    Two digits swapped (next to each other is the common case), one digit wrong (common where the two look
    alike), one digit too many or left out. No figure comes twice, none begins with 0.
    """
    text = str(number)
    seen = {number}
    for slip, rarity, other in _slips(text):
        if len(other) > _LONGEST or (len(other) > 1 and other[0] == "0"):
            continue
        figure = int(other)
        if figure not in seen:
            seen.add(figure)
            yield slip, rarity, figure


def _slips(text: str) -> Iterator[tuple[Slip, int, str]]:
    places = range(len(text))
    for apart in places[1:]:
        for first in places[:-apart]:
            digits = list(text)
            digits[first], digits[first + apart] = digits[first + apart], digits[first]
            yield Slip.SWAPPED, int(apart > 1), "".join(digits)
    for place in places:
        for digit in "0123456789":
            rarity = int(frozenset((digit, text[place])) not in _ALIKE)
            yield Slip.DIGIT, rarity, text[:place] + digit + text[place + 1 :]
    if len(text) > 1:
        for place in places:
            # A digit struck twice is the common way to one too many.
            rarity = int(text[place] not in text[:place][-1:] + text[place + 1 :][:1])
            yield Slip.LENGTH, rarity, text[:place] + text[place + 1 :]
    for place in range(len(text) + 1):
        for digit in "0123456789":
            rarity = int(digit not in text[:place][-1:] + text[place:][:1])
            yield Slip.LENGTH, rarity, text[:place] + digit + text[place:]
