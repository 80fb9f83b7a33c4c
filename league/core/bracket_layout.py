"""Layout of a bracket on a page: boxes for ties and the lines between them. Pure.

Winners' bracket and finals form the upper tree, the losers' bracket or the plate the lower one; the
third-place tie is below the final. Each tie is in the column of its round, halfway between the two it waits
for. Byes are not drawn: their entry appears in the next tie at once. The same layout serves the page (SVG
units) and print (PDF, millimetres); `Measures` has the sizes.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from league.core.pairing.elimination import BracketPart
from scoring.paper.short_names import shown_width

# Parts in the lower tree.
_LOWER: Final = (BracketPart.LOSERS, BracketPart.PLATE)

# Gap above the lower tree and above the third-place tie, in rows.
_PART_GAP: Final = 0.5


@dataclass(frozen=True, slots=True)
class Node:
    """A tie with its `part`, its `level` (the round within the part, from 1), and where its winner goes.

    `winner_to` is the number of the next tie and the side there (0 or 1). `drawn` is False for a bye.
    """

    number: int
    part: str
    level: int
    winner_to: tuple[int, int] | None = None
    drawn: bool = True


@dataclass(frozen=True, slots=True)
class Measures:
    """Sizes in one unit: of a box, of one side's line in it, of gaps, and of a heading.

    Boxes in the first column of each tree have the width `first`, since names are read there first.
    """

    width: float
    slot: float
    gap_x: float
    gap_y: float
    head: float
    first: float | None = None

    @property
    def row(self) -> float:
        """The height of a box with the gap below it."""
        return 2 * self.slot + self.gap_y

    def left(self, column: int) -> float:
        """Return the left edge of a column's boxes."""
        return 0.0 if column == 0 else self.box_width(0) + self.gap_x + (column - 1) * self.step

    def box_width(self, column: int) -> float:
        """Return the width of a column's boxes."""
        return self.width if column or self.first is None else self.first

    @property
    def step(self) -> float:
        """The distance between columns after the first."""
        return self.width + self.gap_x


@dataclass(frozen=True, slots=True)
class Box:
    """A tie on the page; `x` and `y` are its upper left corner."""

    number: int
    column: int
    x: float
    y: float
    width: float


@dataclass(frozen=True, slots=True)
class TieLine:
    """The line from a tie to the one its winner goes to, as the points it runs through."""

    start: int
    end: int
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of a column: its round."""

    part: str
    level: int
    x: float
    y: float
    width: float


@dataclass(frozen=True, slots=True)
class Drawing:
    """A whole bracket, or the piece of one that goes on a sheet."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    links: tuple[TieLine, ...]
    headings: tuple[Heading, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """The size of a drawing in columns of boxes, rows of boxes and lines of headings."""

    columns: int
    rows: float
    heads: int


def draw(nodes: Sequence[Node], measures: Measures) -> Drawing:
    """Lay out all ties that are drawn, and the lines between them."""
    return _Plan(nodes).drawing(measures)


def shape(nodes: Sequence[Node]) -> Shape:
    """Return the size of the drawing independent of measures."""
    return _Plan(nodes).shape


def sheets(nodes: Sequence[Node], rows: int) -> list[list[Node]]:
    """Cut a bracket into pieces of at most `rows` rows, in order of play.

    A piece is a whole subtree, so its lines lead to one winner. The last pieces hold the ties where winners
    of other pieces meet, and start with the ties that those won. The upper and lower tree stay together if
    they fit.
    """
    plan = _Plan(nodes)
    if plan.shape.rows <= rows:
        return [list(plan.drawn.values())] if plan.drawn else []
    found: list[list[Node]] = []
    for roots, apart in ((plan.upper_roots, plan.third), (plan.lower_roots, ())):
        for root in roots:
            found += plan.cut(root, rows, apart)
    return found


def name_lines(name: str, letters: int) -> tuple[str, ...]:
    """Break a name into one line of `letters`, else into one or two lines of `small_letters` in smaller type.

    What does not fit is cut with “…”. East Asian letters count twice.
    """
    name = " ".join(name.split())
    if shown_width(name) <= letters:
        return (name,)
    small = small_letters(letters)
    breaks = [place + 1 for place, letter in enumerate(name[:-1]) if letter in " +-/,"]
    fitting = [place for place in breaks if shown_width(name[:place].strip()) <= small]
    first = name[: fitting[-1]] if fitting else _cut(name, small)
    rest = name[len(first) :].strip()
    if shown_width(rest) > small:
        rest = f"{_cut(rest, small - 1)}…"
    return (first.strip(), rest) if rest else (first,)


def small_letters(letters: int) -> int:
    """Return how many smaller letters fit in a line for `letters`."""
    return letters * 5 // 4


def _cut(text: str, letters: int) -> str:
    while text and shown_width(text) > letters:
        text = text[:-1]
    return text


class _Plan:
    """Columns and rows of the drawn ties."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        by_number = {node.number: node for node in nodes}
        drawn = {number: node for number, node in by_number.items() if node.drawn}
        self.drawn = {
            number: replace(node, winner_to=self._next(node, by_number)) for number, node in drawn.items()
        }
        feeders: dict[int, list[tuple[int, int]]] = {}
        for number, node in self.drawn.items():
            if node.winner_to is not None and self._in_one_tree(number, node.winner_to[0]):
                goal, side = node.winner_to
                feeders.setdefault(goal, []).append((side, number))
        self.feeders = {goal: [number for _, number in sorted(found)] for goal, found in feeders.items()}
        self.third = tuple(n for n in self.drawn.values() if n.part == BracketPart.THIRD)
        fed = {number for found in self.feeders.values() for number in found}
        roots = [n.number for n in self.drawn.values() if n.number not in fed and n.part != BracketPart.THIRD]
        self.upper_roots = [number for number in roots if self.drawn[number].part not in _LOWER]
        self.lower_roots = [number for number in roots if self.drawn[number].part in _LOWER]
        self.first_level: dict[str, int] = {
            part: min((n.level for n in self.drawn.values() if n.part == part), default=1)
            for part in (BracketPart.WINNERS, BracketPart.LOSERS, BracketPart.PLATE, BracketPart.FINAL)
        }
        self.rows: dict[int, float] = {}
        self.upper_rows = self._place(self.upper_roots, 0)
        self.lower_rows = self._place(self.lower_roots, self.upper_rows) - self.upper_rows

    def _next(self, node: Node, by_number: Mapping[int, Node]) -> tuple[int, int] | None:
        """Return where the winner is next drawn: past byes, but not beyond these nodes."""
        goal = node.winner_to
        while goal is not None:
            following = by_number.get(goal[0])
            if following is None:
                return None
            if following.drawn:
                return goal
            goal = following.winner_to
        return None

    def _in_one_tree(self, number: int, goal: int) -> bool:
        return (self.drawn[number].part in _LOWER) == (self.drawn[goal].part in _LOWER)

    def _place(self, roots: Iterable[int], first_row: int) -> int:
        """Assign rows to the ties of these trees, one for each leaf; returns the next free row."""
        row = first_row
        for root in roots:
            row = self._place_tree(root, row)
        return row

    def _place_tree(self, root: int, row: int) -> int:
        found = self.feeders.get(root, [])
        if not found:
            self.rows[root] = row
            return row + 1
        for number in found:
            row = self._place_tree(number, row)
        self.rows[root] = sum(self.rows[number] for number in found) / len(found)
        return row

    def _columns(self, part: str) -> int:
        levels = [node.level for node in self.drawn.values() if node.part == part]
        return max(levels) - min(levels) + 1 if levels else 0

    @property
    def _final_column(self) -> int:
        return max(self._columns(BracketPart.WINNERS), self._columns(BracketPart.LOSERS))

    def column(self, node: Node) -> int:
        """Return the column of a tie, from 0."""
        if node.part == BracketPart.WINNERS or node.part in _LOWER:
            return node.level - self.first_level[node.part]
        has_final = any(each.part == BracketPart.FINAL for each in self.drawn.values())
        if node.part == BracketPart.THIRD:
            return self._final_column - (0 if has_final else 1)
        if node.part == BracketPart.FINAL:
            return self._final_column + node.level - self.first_level[BracketPart.FINAL]
        return self._final_column + self._columns(BracketPart.FINAL)

    @property
    def _third_row(self) -> float:
        """The row of the third-place tie: below the last tie of the upper tree."""
        last = max((self.rows[number] for number in self.upper_roots), default=-1.5)
        return last + 1 + _PART_GAP

    @property
    def _upper_height(self) -> float:
        """The rows of the upper tree, including a third-place tie that reaches further down."""
        return max(float(self.upper_rows), self._third_row + 1 if self.third else 0.0)

    @property
    def shape(self) -> Shape:
        columns = max((self.column(node) + 1 for node in self.drawn.values()), default=0)
        heads = int(self._upper_height > 0) + int(self.lower_rows > 0)
        gap = _PART_GAP if heads == 2 else 0
        return Shape(columns, self._upper_height + self.lower_rows + gap, heads)

    def drawing(self, measures: Measures) -> Drawing:
        """Return the whole drawing in these measures."""
        lower_top = 0.0
        if self._upper_height:
            lower_top = measures.head + (self._upper_height + _PART_GAP) * measures.row
        boxes = {}
        for number, node in self.drawn.items():
            if node.part == BracketPart.THIRD:
                y = measures.head + self._third_row * measures.row
            elif node.part in _LOWER:
                y = lower_top + measures.head + (self.rows[number] - self.upper_rows) * measures.row
            else:
                y = measures.head + self.rows[number] * measures.row
            column = self.column(node)
            boxes[number] = Box(number, column, measures.left(column), y, measures.box_width(column))
        size = self.shape
        height = size.rows * measures.row + size.heads * measures.head - measures.gap_y
        last = max(size.columns - 1, 0)
        return Drawing(
            measures.left(last) + measures.box_width(last) if size.columns else 0.0,
            max(height, 0.0),
            tuple(boxes.values()),
            tuple(self._links(boxes, measures)),
            tuple(self._headings(boxes, measures, lower_top)),
        )

    def _links(self, boxes: Mapping[int, Box], measures: Measures) -> Iterable[TieLine]:
        for number, node in self.drawn.items():
            goal = node.winner_to
            if goal is None:
                continue
            start, end = boxes[number], boxes[goal[0]]
            right, middle = start.x + start.width, start.y + measures.slot
            target = end.y + measures.slot * (goal[1] + 0.5)
            # The line bends close to its goal, so that a line across several columns is straight.
            bend = end.x - measures.gap_x / 2
            yield TieLine(number, goal[0], ((right, middle), (bend, middle), (bend, target), (end.x, target)))

    def _headings(self, boxes: Mapping[int, Box], measures: Measures, lower_top: float) -> Iterable[Heading]:
        seen = set()
        for number, node in sorted(self.drawn.items()):
            if (node.part, node.level) in seen:
                continue
            seen.add((node.part, node.level))
            box = boxes[number]
            y = 0.0
            if node.part in _LOWER:
                y = lower_top
            elif node.part == BracketPart.THIRD:
                y = box.y - measures.head
            yield Heading(node.part, node.level, box.x, y, box.width)

    def cut(self, root: int, rows: int, apart: Sequence[Node]) -> list[list[Node]]:
        """Cut the tree of a tie into pieces of at most `rows` rows; `apart` goes with the last of them."""
        pieces: list[list[Node]] = []
        top: list[int] = []
        self._cut(root, rows, pieces, top)
        if not top:
            return [*pieces[:-1], [*pieces[-1], *apart]]
        return [*pieces, *self._tops(root, top, rows, apart)]

    def _cut(self, root: int, rows: int, pieces: list[list[Node]], top: list[int]) -> None:
        if self._leaves(root) <= rows:
            pieces.append([self.drawn[number] for number in self._tree(root)])
            return
        top.append(root)
        for number in self.feeders.get(root, []):
            self._cut(number, rows, pieces, top)

    def _tops(self, root: int, top: Sequence[int], rows: int, apart: Sequence[Node]) -> list[list[Node]]:
        """Return what is left above the pieces, including the tie that each piece's winner won."""
        kept = set(top)
        for number in top:
            kept.update(self.feeders.get(number, []))
        nodes = [self.drawn[number] for number in self._tree(root) if number in kept]
        smaller = _Plan(nodes)
        if smaller.upper_rows + smaller.lower_rows <= rows:
            return [[*nodes, *apart]]
        return smaller.cut(root, rows, apart)

    def _leaves(self, root: int) -> int:
        found = self.feeders.get(root, [])
        return sum(self._leaves(number) for number in found) if found else 1

    def _tree(self, root: int) -> list[int]:
        return [*(one for number in self.feeders.get(root, []) for one in self._tree(number)), root]
