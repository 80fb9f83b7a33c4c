"""What FIDE's Tournament Report File calls things: results, what they are worth, tie-breaks.

TRF16 (FIDE Handbook C.04, annex 2) and the version of 2026: records 001 (results), 162 (points by symbols),
299 (points that are not those of the letter), 202 and 212 (tie-breaks, by their acronyms in C.07).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum, auto
from typing import Final


class TrfKind(Enum):
    """A game that was played, a forfeit, a round without an opponent."""

    GAME = auto()
    FORFEIT = auto()
    ALONE = auto()


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter: the symbol of record 162 that has its points, and what record 299 calls it ("" for nothing).

    `against` are the letters that the other side may have: both may have lost, by the arbiter's word.
    """

    kind: TrfKind
    symbol: str
    assigned: str
    against: str = ""


LETTERS: Final[Mapping[str, Letter]] = {
    "1": Letter(TrfKind.GAME, "W", "W", "0"),
    "=": Letter(TrfKind.GAME, "D", "D", "="),
    "0": Letter(TrfKind.GAME, "L", "L", "01"),
    "W": Letter(TrfKind.GAME, "W", "W", "L"),
    "D": Letter(TrfKind.GAME, "D", "D", "D"),
    "L": Letter(TrfKind.GAME, "L", "L", "LW"),
    "+": Letter(TrfKind.FORFEIT, "W", "+", "-"),
    "-": Letter(TrfKind.FORFEIT, "A", "-", "+-"),
    "F": Letter(TrfKind.ALONE, "W", "F"),
    "H": Letter(TrfKind.ALONE, "D", "H"),
    "Z": Letter(TrfKind.ALONE, "A", "Z"),
    # The bye of the draw: it has a symbol of its own, and is the same for everybody.
    "U": Letter(TrfKind.ALONE, "P", ""),
}

Worth = Mapping[str, Decimal]
"""Points by symbol: W, D, L, A (absent: lost by forfeit, or a bye of no point), P (the bye of the draw)."""

USUAL: Final[Worth] = {
    "W": Decimal(1),
    "D": Decimal("0.5"),
    "L": Decimal(0),
    "A": Decimal(0),
    "P": Decimal(1),
}


ACRONYMS: Final[Mapping[str, str]] = {
    "match_points": "PTS",
    "head_to_head": "DE",
    "buchholz": "BH",
    "buchholz_cut1": "BH/C1",
    "median_buchholz": "BH/M1",
    "sonneborn_berger": "SB",
}
CRITERION_OF: Final[Mapping[str, str]] = {acronym: name for name, acronym in ACRONYMS.items()}


def letter_alone(points: Decimal, worth: Worth) -> str:
    """Return the letter of a round without an opponent, not the bye of the draw, that gave these points.

    If no letter has just so many, the one that comes nearest from below.
    """
    exact = (letter for letter in "ZFH" if worth[LETTERS[letter].symbol] == points)
    below = (letter for letter in "FH" if worth[LETTERS[letter].symbol] < points)
    return next(exact, None) or next(below, "Z")
