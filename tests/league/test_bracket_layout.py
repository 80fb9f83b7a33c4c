"""Where the ties of a bracket stand: in the column of their round, none upon another, lines that meet."""

import itertools
import math

import pytest

from league.core.bracket_layout import (
    Box,
    Drawing,
    Measures,
    Node,
    draw,
    name_lines,
    shape,
    sheets,
)
from league.core.pairing.elimination import BracketPart, bracket

MEASURES = Measures(width=180, slot=24, gap_x=30, gap_y=20, head=28)


def knockout(entries: int, *, third: bool = False) -> list[Node]:
    """A single elimination of so many: ties of the first round whose lower seed is missing are byes."""
    levels = max(1, math.ceil(math.log2(entries)))
    order = [1]
    while len(order) < 2**levels:
        order = [seed for high in order for seed in (high, 2 * len(order) + 1 - high)]
    nodes = []
    first = 1
    for level in range(1, levels + 1):
        count = 2 ** (levels - level)
        for place in range(count):
            goal = (first + count + place // 2, place % 2) if level < levels else None
            drawn = level > 1 or max(order[2 * place : 2 * place + 2]) <= entries
            nodes.append(Node(first + place, BracketPart.WINNERS, level, goal, drawn))
        first += count
    return [*nodes, Node(first, BracketPart.THIRD, 1)] if third else nodes


def double_of_four() -> list[Node]:
    """Winners 1 2 3, losers 4 5, the final 6 and its second match 7."""
    return [
        Node(1, BracketPart.WINNERS, 1, (3, 0)),
        Node(2, BracketPart.WINNERS, 1, (3, 1)),
        Node(3, BracketPart.WINNERS, 2, (6, 0)),
        Node(4, BracketPart.LOSERS, 1, (5, 0)),
        Node(5, BracketPart.LOSERS, 2, (6, 1)),
        Node(6, BracketPart.FINAL, 1, (7, 0)),
        Node(7, BracketPart.RESET, 1),
    ]


def drawn_bracket(entries: int, *, double: bool = False, third: bool = False) -> list[Node]:
    """The bracket of so many as it is drawn up."""
    nodes = []
    for match in bracket(entries, double=double, third_place=third).matches:
        goal = None if match.winner_to is None else (match.winner_to.match, match.winner_to.side)
        is_bye = match.part == BracketPart.WINNERS and match.level == 1 and None in match.slots
        nodes.append(Node(match.number, match.part, match.level, goal, drawn=not is_bye))
    return nodes


def places(drawing: Drawing) -> dict[int, Box]:
    return {box.number: box for box in drawing.boxes}


def check(drawing: Drawing, measures: Measures = MEASURES) -> None:
    """Nothing overlaps, nothing leaves the page, every line goes from an edge to an edge past all boxes."""
    height = 2 * measures.slot
    for box in drawing.boxes:
        assert 0 <= box.x <= box.x + box.width <= drawing.width + 1e-6
        assert measures.head <= box.y <= box.y + height <= drawing.height + 1e-6
    for one, other in itertools.combinations(drawing.boxes, 2):
        assert (
            one.x + one.width <= other.x
            or other.x + other.width <= one.x
            or abs(one.y - other.y) >= height + measures.gap_y - 1e-6
        ), (one, other)
    boxes = places(drawing)
    for link in drawing.links:
        assert link.points[0][0] == boxes[link.start].x + boxes[link.start].width
        assert link.points[-1][0] == boxes[link.end].x
        for (x1, y1), (x2, y2) in itertools.pairwise(link.points):
            assert x1 == x2 or y1 == y2
            for box in drawing.boxes:
                crossed = max(min(x1, x2), box.x) < min(max(x1, x2), box.x + box.width) and (
                    box.y < y1 < box.y + height
                )
                assert not crossed, (link, box)


@pytest.mark.parametrize("entries", [*range(2, 34), 48, 64, 100, 128, 256])
@pytest.mark.parametrize("third", [False, True])
def test_a_knockout_of_any_size_stands_clear(entries: int, third: bool) -> None:
    nodes = knockout(entries, third=third and entries > 3)
    drawing = draw(nodes, MEASURES)
    check(drawing)
    assert [box.number for box in drawing.boxes] == [node.number for node in nodes if node.drawn]
    # Every winner but the last has a line, the one of the tie for third place aside.
    assert len(drawing.links) == entries - 2


@pytest.mark.parametrize("entries", [*range(2, 40), 64, 100, 256])
@pytest.mark.parametrize("double", [False, True])
def test_brackets_as_they_are_drawn_up_stand_clear(entries: int, double: bool) -> None:
    nodes = drawn_bracket(entries, double=double, third=entries > 3 and not double)
    drawing = draw(nodes, MEASURES)
    check(drawing)
    drawn = [node for node in nodes if node.drawn]
    assert {box.number for box in drawing.boxes} == {node.number for node in drawn}
    assert len(drawing.links) == sum(node.winner_to is not None for node in drawn)


@pytest.mark.parametrize("entries", [33, 47, 64, 100, 256])
def test_a_large_double_elimination_is_cut_into_pieces_that_stand_clear(entries: int) -> None:
    nodes = drawn_bracket(entries, double=True)
    pieces = sheets(nodes, 24)
    assert {node.number for piece in pieces for node in piece} == {n.number for n in nodes if n.drawn}
    for piece in pieces:
        check(draw(piece, MEASURES))
        assert shape(piece).rows <= 24


@pytest.mark.parametrize("entries", [*range(2, 33)])
def test_up_to_thirty_two_of_a_double_elimination_stay_on_one_sheet(entries: int) -> None:
    assert len(sheets(drawn_bracket(entries, double=True), 25)) == 1


def test_a_tie_stands_halfway_between_those_it_waits_for() -> None:
    boxes = places(draw(knockout(8), MEASURES))
    assert [boxes[number].column for number in range(1, 8)] == [0, 0, 0, 0, 1, 1, 2]
    assert boxes[5].y == (boxes[1].y + boxes[2].y) / 2
    assert boxes[7].y == (boxes[5].y + boxes[6].y) / 2
    assert [boxes[number].y for number in (1, 2, 3, 4)] == [28, 96, 164, 232]


def test_a_line_ends_at_the_side_it_fills() -> None:
    drawing = draw(knockout(4), MEASURES)
    box = places(drawing)[3]
    ends = {link.start: link.points[-1][1] - box.y for link in drawing.links}
    assert ends == {1: 12, 2: 36}


def test_byes_are_not_drawn_and_take_no_room() -> None:
    """Nine entries: one tie in the first round, its winner meets the first seed."""
    nodes = knockout(9)
    assert sum(node.drawn for node in nodes) == 8
    assert shape(nodes).rows == 4
    boxes = places(draw(nodes, MEASURES))
    played = next(node for node in nodes if node.level == 1 and node.drawn)
    assert played.winner_to is not None
    assert boxes[played.number].y == boxes[played.winner_to[0]].y


def test_whoever_passes_through_byes_has_a_line_to_the_next_tie() -> None:
    nodes = [
        Node(1, BracketPart.LOSERS, 1, (2, 0)),
        Node(2, BracketPart.LOSERS, 2, (3, 1), drawn=False),
        Node(3, BracketPart.LOSERS, 3),
    ]
    (link,) = draw(nodes, MEASURES).links
    assert (link.start, link.end) == (1, 3)
    check(draw(nodes, MEASURES))


def test_losers_stand_below_and_finals_to_the_right() -> None:
    drawing = draw(double_of_four(), MEASURES)
    check(drawing)
    boxes = places(drawing)
    assert [boxes[number].column for number in range(1, 8)] == [0, 0, 1, 0, 1, 2, 3]
    assert boxes[4].y > boxes[2].y + 48
    assert boxes[6].y == boxes[3].y == boxes[7].y
    assert {(link.start, link.end) for link in drawing.links} == {
        *((1, 3), (2, 3), (3, 6)),
        *((4, 5), (5, 6), (6, 7)),
    }
    heads = {(head.part, head.level): head.y for head in drawing.headings}
    assert heads[BracketPart.WINNERS, 1] == heads[BracketPart.FINAL, 1] == heads[BracketPart.RESET, 1] == 0
    assert heads[BracketPart.LOSERS, 1] == heads[BracketPart.LOSERS, 2] == boxes[4].y - MEASURES.head


def test_third_place_stands_under_the_final_with_a_heading_of_its_own() -> None:
    drawing = draw(knockout(8, third=True), MEASURES)
    boxes = places(drawing)
    assert boxes[8].x == boxes[7].x
    (heading,) = (head for head in drawing.headings if head.part == BracketPart.THIRD)
    assert boxes[7].y + 48 < heading.y < heading.y + MEASURES.head == boxes[8].y


def test_the_first_column_may_be_wider() -> None:
    wide = Measures(width=100, slot=24, gap_x=30, gap_y=20, head=28, first=160)
    drawing = draw(knockout(8), wide)
    check(drawing, wide)
    assert drawing.width == 160 + 2 * (100 + 30)


@pytest.mark.parametrize("entries", [2, 17, 31, 32])
def test_up_to_thirty_two_stay_on_one_sheet(entries: int) -> None:
    nodes = knockout(entries, third=entries > 3)
    (piece,) = sheets(nodes, 16)
    assert [node.number for node in piece] == [node.number for node in nodes if node.drawn]


@pytest.mark.parametrize("entries", [33, 48, 64, 65, 100, 128, 200, 256])
@pytest.mark.parametrize("third", [False, True])
def test_larger_ones_are_cut_into_whole_pieces(entries: int, third: bool) -> None:
    nodes = knockout(entries, third=third)
    pieces = sheets(nodes, 16)
    assert {node.number for piece in pieces for node in piece} == {
        node.number for node in nodes if node.drawn
    }
    for piece in pieces:
        drawing = draw(piece, MEASURES)
        check(drawing)
        assert shape(piece).rows <= 16 + (1 if third else 0)
        # All of it leads to one tie.
        lonely = {node.number for node in piece if node.part != BracketPart.THIRD} - {
            link.start for link in drawing.links
        }
        assert len(lonely) == 1
    shown: list[int] = [node.number for piece in pieces for node in piece]
    repeated = {number for number in shown if shown.count(number) > 1}
    assert len(shown) == len(set(shown)) + len(repeated)
    last = {node.number for node in pieces[-1]}
    assert repeated <= last or len(pieces) > 9


def test_winners_and_losers_that_do_not_fit_together_have_sheets_of_their_own() -> None:
    first, second = sheets(double_of_four(), 2)
    assert [node.number for node in first] == [1, 2, 3, 6, 7]
    assert [node.number for node in second] == [4, 5]
    assert len(sheets(double_of_four(), 4)) == 1


def test_no_ties_make_no_sheet() -> None:
    assert sheets([], 16) == []
    assert draw([], MEASURES).boxes == ()


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("Abbott", ("Abbott",)),
        ("  Ann   Abbott ", ("Ann Abbott",)),
        ("Featherstonehaug", ("Featherstonehaug",)),
        ("Ann Abbott and Bob Bianchi", ("Ann Abbott and Bob", "Bianchi")),
        ("Papadopoulou-Wolkenstein", ("Papadopoulou-", "Wolkenstein")),
        ("Dvořák+Featherstonehaugh", ("Dvořák+", "Featherstonehaugh")),
        ("A" * 20, ("A" * 20,)),
        ("A" * 30, ("A" * 20, "A" * 10)),
        ("A" * 60, ("A" * 20, "A" * 19 + "…")),
        ("山田太郎と鈴木一郎", ("山田太郎と鈴木一郎",)),
    ],
)
def test_long_names_take_two_lines(name: str, lines: tuple[str, ...]) -> None:
    assert name_lines(name, 16) == lines
