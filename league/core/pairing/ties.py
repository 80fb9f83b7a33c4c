"""Decides a tie of a bracket: one sheet, or the best of three.

A sheet without a winner is drawn. A best of three goes to the side that has won more sheets, as soon as the
remaining ones cannot change that; one won and two drawn is enough. If the sheets leave it level, the decider
applies.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from league.core.pairing.errors import PairingError
from scoring.core.messages import mark


class TieDecider(StrEnum):
    """What decides a tie that its sheets leave level."""

    EXTRA_SHEET = "extra_sheet"
    HIGHER_SEED = "higher_seed"
    LOT = "lot"
    DIRECTOR = "director"


class TieDecision(StrEnum):
    """What has decided a tie. Only sheets, seeds and the lot decide here; the rest comes from the bracket."""

    SHEET = "sheet"
    BYE = "bye"
    WALKOVER = "walkover"
    HIGHER_SEED = "higher_seed"
    LOT = "lot"
    DIRECTOR = "director"
    NOT_NEEDED = "not_needed"


@dataclass(frozen=True, slots=True)
class Decided:
    """A tie won by a side (0 or 1)."""

    winner: int
    by: TieDecision


@dataclass(frozen=True, slots=True)
class NextSheet:
    """Another sheet is to be played; `leg` is its number in the tie, from 1."""

    leg: int


@dataclass(frozen=True, slots=True)
class NeedsDirector:
    """The sheets are level and the director must decide."""


TieOutcome = Decided | NextSheet | NeedsDirector


def outcome(
    sheets: Sequence[int | None],
    *,
    best_of: int,
    decider: TieDecider,
    seeds: tuple[int, int],
    lots: tuple[int, int],
) -> TieOutcome:
    """Return the state of a tie after its sheets: the winning side of each in order, None for a drawn one.

    With `extra_sheet` sheets follow until one is won; `higher_seed` takes the smaller of `seeds`, `lot` the
    higher of `lots`. Sheets after the decision are ignored. Refused: `best_of` other than 1 or 3 (`best_of`),
    equal seeds (`seed_twice`).
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
        return Decided(lots.index(max(lots)), TieDecision.LOT)
    return NeedsDirector()
