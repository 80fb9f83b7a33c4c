"""When a tie of a bracket is decided: one sheet, or the best of three.

A sheet without a winner is drawn. One drawn sheet does not decide a tie of one. The best of three goes to the
side that has won more of the sheets, as soon as those left cannot change that: two of two, or more of three.
One sheet won and two drawn is more. Where it is equal after the last, the decider speaks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from league.core.pairing.errors import PairingError
from scoring.core.messages import mark


class TieDecider(StrEnum):
    """What decides a tie that its sheets leave equal."""

    EXTRA_SHEET = "extra_sheet"
    HIGHER_SEED = "higher_seed"
    LOT = "lot"
    DIRECTOR = "director"


class TieDecision(StrEnum):
    """What has decided a tie. The sheets, seeds and lot decide here; the others follow from the bracket."""

    SHEET = "sheet"
    BYE = "bye"
    WALKOVER = "walkover"
    HIGHER_SEED = "higher_seed"
    LOT = "lot"
    DIRECTOR = "director"
    NOT_NEEDED = "not_needed"


@dataclass(frozen=True, slots=True)
class Decided:
    """The tie is won by a side (0 or 1)."""

    winner: int
    by: TieDecision


@dataclass(frozen=True, slots=True)
class NextSheet:
    """Another sheet is played; `leg` is its number in the tie, from 1."""

    leg: int


@dataclass(frozen=True, slots=True)
class NeedsDirector:
    """The sheets are equal, and the director is to say who goes on."""


TieOutcome = Decided | NextSheet | NeedsDirector


def outcome(
    sheets: Sequence[int | None], *, best_of: int, decider: TieDecider, seeds: tuple[int, int], lot: str
) -> TieOutcome:
    """How a tie stands after these sheets: the side that won each, None for a drawn one, in order.

    With `extra_sheet` sheets follow until one is won; `higher_seed` takes the smaller of `seeds`; the lot is
    drawn from the text `lot`, so the same text gives the same side. Sheets after the decision are not read.
    Refused: a tie that is neither of one sheet nor the best of three (`best_of`), equal seeds (`seed_twice`).
    """
    if best_of not in (1, 3):
        raise PairingError("best_of", mark("A tie is one sheet or the best of three."), field="best_of")
    if seeds[0] == seeds[1]:
        raise PairingError(
            "seed_twice", mark("Both sides of a tie have seed %(seeds)s.", seeds=seeds[0]), field="seeds"
        )
    ahead = 0
    for number, winner in enumerate(sheets, start=1):
        ahead += {0: 1, 1: -1, None: 0}[winner]
        if ahead and abs(ahead) > best_of - number:
            return Decided(0 if ahead > 0 else 1, TieDecision.SHEET)
    if len(sheets) < best_of or decider is TieDecider.EXTRA_SHEET:
        return NextSheet(len(sheets) + 1)
    if decider is TieDecider.HIGHER_SEED:
        return Decided(seeds.index(min(seeds)), TieDecision.HIGHER_SEED)
    if decider is TieDecider.LOT:
        return Decided(Random(lot).randrange(2), TieDecision.LOT)  # noqa: S311 — a lot that can be drawn again
    return NeedsDirector()
