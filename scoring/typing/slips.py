"""Typing and reading errors in a single figure or field, and how common each is."""

from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from typing import Final, NamedTuple

from scoring.core.hands import MARKS, Outcome, Points, score_hand
from scoring.core.rules import Rules
from scoring.typing.cells import ANY_SPADE, Cell, CellForm

# Fields with a figure for each of several, which may be typed in the wrong order.
_SWAPPABLE: Final = frozenset(
    {CellForm.COUNTS, CellForm.SHARES, CellForm.OUT, CellForm.RUMMY, CellForm.BLOCKED}
)

# Digits that look alike in handwriting.
_ALIKE: Final = frozenset(
    frozenset(pair) for pair in ("17", "38", "56", "06", "49", "27", "35", "79", "68", "08")
)
_LONGEST: Final = 4


class Slip(StrEnum):
    """The kind of error in one figure or field."""

    SWAPPED = "swapped"
    DIGIT = "digit"
    LENGTH = "length"
    SIDE = "side"
    MARK = "mark"
    SPADE = "spade"


def cell_slips(cell: Cell, rules: Rules, largest: int, sides: int = 2) -> Iterator[tuple[Slip, int, Cell]]:
    """The fields that may have been meant: (slip, rarity 0 or 1, field), with no figure above `largest`.

    `sides` is the number of sides, and so of letters.
    """
    numbers = cell.numbers
    for place, number in enumerate(numbers):
        for slip, rarity, other in number_slips(number):
            if slip is not Slip.LENGTH or other <= largest:
                yield slip, rarity, replace(cell, numbers=(*numbers[:place], other, *numbers[place + 1 :]))
    if cell.form in _SWAPPABLE:
        for place in range(len(numbers) - 1):
            one, other = numbers[place : place + 2]
            if one != other:
                swapped = (*numbers[:place], other, one, *numbers[place + 2 :])
                yield Slip.SWAPPED, 1, replace(cell, numbers=swapped)
    if cell.side is not None and cell.form is not CellForm.DEAD:
        for side in range(sides):
            if side != cell.side and (cell.also is None or cell.also[0] != side):
                yield Slip.SIDE, 0, replace(cell, side=side)
    yield from _mark_slips(cell, rules)


class MarkWorth(NamedTuple):
    """What a figure of 1 brings under a mark: points and boxes to who won it, what is taken off the other."""

    points: int
    boxes: int
    off: int


def worth_by_mark(cell: Cell, rules: Rules) -> dict[Outcome | None, MarkWorth]:
    """What a figure is worth in this field by each mark that is in play."""
    marks = [mark for mark in MARKS if mark is not Outcome.BIG_GIN or rules.big_gin_bonus is not None]
    upcard = ANY_SPADE if cell.spade else cell.upcard
    scores = {mark: score_hand(rules, Points("", "", 1, mark, upcard)) for mark in (None, *marks)}
    return {mark: MarkWorth(score.points, score.boxes, score.penalty) for mark, score in scores.items()}


def number_slips(number: int) -> Iterator[tuple[Slip, int, int]]:
    """The figures one slip away from `number`: (slip, rarity 0 or 1, figure).

    Two digits swapped (adjacent ones are common), one digit wrong (common for look-alikes), one digit too
    many or missing. Each figure comes once, and none starts with 0.
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
            # The common extra digit is one typed twice.
            rarity = int(text[place] not in text[:place][-1:] + text[place + 1 :][:1])
            yield Slip.LENGTH, rarity, text[:place] + text[place + 1 :]
    for place in range(len(text) + 1):
        for digit in "0123456789":
            rarity = int(digit not in text[:place][-1:] + text[place:][:1])
            yield Slip.LENGTH, rarity, text[:place] + digit + text[place:]


def _mark_slips(cell: Cell, rules: Rules) -> Iterator[tuple[Slip, int, Cell]]:
    """A mark or spade that is missing or wrong, if that changes the score."""
    if cell.form in (CellForm.OUT, CellForm.RUMMY):
        yield Slip.MARK, 0, replace(cell, form=CellForm.RUMMY if cell.form is CellForm.OUT else CellForm.OUT)
        return
    if cell.form is CellForm.POINTS:
        worth = worth_by_mark(cell, rules)
        for mark, brings in worth.items():
            if brings != worth.get(cell.mark):
                rarity = int(cell.mark is not None or mark is not Outcome.GIN)
                yield Slip.MARK, rarity, replace(cell, mark=mark)
    elif cell.form is CellForm.GIN and rules.big_gin_bonus is not None:
        yield Slip.MARK, 0, replace(cell, form=CellForm.BIG_GIN)
    elif cell.form is CellForm.BIG_GIN:
        yield Slip.MARK, 0, replace(cell, form=CellForm.GIN)
    could_have_spade = cell.form in (CellForm.POINTS, CellForm.GIN, CellForm.BIG_GIN) or (
        cell.form is CellForm.COUNTS and rules.oklahoma == "off"
    )
    if rules.spades_double and could_have_spade and cell.upcard is None:
        yield Slip.SPADE, 0, replace(cell, spade=not cell.spade)
