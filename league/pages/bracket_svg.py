"""A bracket as an SVG drawing: boxes, texts and lines with their coordinates in pixels."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from league.core.bracket_layout import Box, Drawing, Measures, TieLine, draw, name_lines
from league.draws.bracket_lists import BracketView, TieSide, TieView
from scoring.paper.short_names import shown_width

_SLOT: Final = 26.0
_GAP_X: Final = 21.0
_GAP_Y: Final = 22.0
_HEAD: Final = 46.0
# Width of a box besides the name: the seed, the score, with margins.
_SEED: Final = 24.0
_SCORE: Final = 43.0
# Average width of a letter, plain and bold, and of a digit.
_LETTER: Final = 7.4
_BOLD: Final = 8.5
_FIGURE: Final = 9.0
_MARGIN: Final = 6.0
_FEWEST_LETTERS: Final = 13
_MOST_LETTERS: Final = 17
_SQUEEZED_LETTERS: Final = 12
# Width of a bot's mark, in letters.
_BOT_LETTERS: Final = 3
# Width of a page on a desktop screen.
_PAGE: Final = 1050
# From the middle of a line down to the baseline.
_FOOT: Final = 4.5


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text with its baseline at `y`."""

    x: float
    y: float
    text: str


@dataclass(frozen=True, slots=True)
class DrawnSide:
    """A side in its box: its name in one line, or in one or two `small` ones; `mark` is for bots."""

    side: TieSide
    names: tuple[Words, ...]
    small: bool
    seed: Words
    score: Words
    mark: Words


@dataclass(frozen=True, slots=True)
class DrawnTie:
    """A tie in its box. `top` is the text above it, `note` the one at its right."""

    view: TieView
    x: float
    y: float
    width: float
    height: float
    middle: float
    sides: tuple[DrawnSide, DrawnSide]
    top: Words
    note: Words


@dataclass(frozen=True, slots=True)
class BracketPath:
    """The line from a tie to the winner's next, as the `d` of a path; `is_taken` once it has a winner."""

    path: str
    is_taken: bool
    if_needed: bool


@dataclass(frozen=True, slots=True)
class SvgBracket:
    """The whole drawing."""

    width: float
    height: float
    headings: tuple[Words, ...]
    lines: tuple[BracketPath, ...]
    ties: tuple[DrawnTie, ...]


def svg_bracket(bracket: BracketView) -> SvgBracket:
    """The drawing of a bracket; boxes are as wide as its names need, within limits."""
    ties = bracket.ties
    sides = [side for view in ties.values() for side in view.sides]
    longest = max(
        (shown_width(side.name or side.waits) + side.is_bot * _BOT_LETTERS for side in sides), default=0
    )
    letters = min(max(longest, _FEWEST_LETTERS), _MOST_LETTERS)
    drawing = _drawing(bracket, letters)
    if drawing.width + 2 > _PAGE:
        # Use smaller names if the drawing then fits the page; otherwise it scrolls.
        narrow = _drawing(bracket, _SQUEEZED_LETTERS)
        drawing = narrow if narrow.width + 2 <= _PAGE else drawing
    return SvgBracket(
        drawing.width + 2,
        drawing.height + 2,
        tuple(_headings(drawing, bracket)),
        tuple(_line(link, bracket) for link in drawing.links),
        tuple(_tie(ties[box.number], box) for box in drawing.boxes),
    )


def _drawing(bracket: BracketView, letters: int) -> Drawing:
    width = round(_SEED + letters * _LETTER + _SCORE)
    return draw(bracket.nodes, Measures(width, _SLOT, _GAP_X, _GAP_Y, _HEAD))


def _headings(drawing: Drawing, bracket: BracketView) -> Iterator[Words]:
    for heading in drawing.headings:
        text = bracket.headings[heading.part, heading.level]
        yield Words(heading.x + 1, heading.y + 16, text)


def _line(link: TieLine, bracket: BracketView) -> BracketPath:
    (x, y), *rest = link.points
    path = f"M{x + 1:g} {y + 1:g}" + "".join(f"L{x + 1:g} {y + 1:g}" for x, y in rest)
    start, end = bracket.ties[link.start], bracket.ties[link.end]
    return BracketPath(path, start.is_decided, end.if_needed)


def _tie(view: TieView, box: Box) -> DrawnTie:
    x, y = box.x + 1, box.y + 1
    sides = [_side(side, x, y + index * _SLOT, box.width) for index, side in enumerate(view.sides)]
    return DrawnTie(
        view,
        x,
        y,
        box.width,
        2 * _SLOT,
        y + _SLOT,
        (sides[0], sides[1]),
        Words(x + 1, y - 4, str(view.tie.number)),
        Words(x + box.width - 1, y - 4, view.note),
    )


def _side(side: TieSide, x: float, y: float, width: float) -> DrawnSide:
    foot = y + _SLOT / 2 + _FOOT
    end = x + width - _MARGIN - _FIGURE * len(side.score)
    mark = Words(end - _MARGIN * bool(side.score), foot, _("bot") if side.is_bot else "")
    room = end - x - _SEED - side.is_bot * _BOT_LETTERS * _LETTER
    letters = int(room / (_BOLD if side.is_winner else _LETTER))
    lines = name_lines(side.name or side.waits, letters)
    name_x = x + _SEED
    feet = (foot,) if len(lines) == 1 else (foot - 6, foot + 4.5)
    names = tuple(Words(name_x, y, line) for y, line in zip(feet, lines, strict=True))
    return DrawnSide(
        side,
        names,
        len(lines) > 1 or shown_width(lines[0]) > letters,
        Words(x + _SEED - _MARGIN, foot, "" if side.seed is None else str(side.seed)),
        Words(x + width - _MARGIN, foot, side.score),
        mark,
    )
