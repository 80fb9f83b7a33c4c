"""A bracket on A4 landscape: up to 32 entries on one sheet, larger ones in pieces."""

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _

from league.core.bracket_layout import Box, Drawing, Measures, Node, draw, shape, sheets
from league.draws.bracket_lists import BracketView, TieSide, TieView
from league.models import Event
from league.policy.naming import Names
from scoring.paper.fonts import SERIF
from scoring.paper.pdf import INK, RULE, SOFT, Document
from scoring.words.rules_words import rules_headline

# Rows of ties on a sheet: a double elimination of 32 has 16 above 8.
MOST_ROWS: Final = 25

_LEFT: Final = 11.0
_RIGHT: Final = 286.0
_TOP: Final = 26.0
_BOTTOM: Final = 201.0
_GAP_X: Final = 4.5
_HEAD: Final = 7.5
_WIDEST: Final = 84.0
_HIGHEST_ROW: Final = 26.0
# The usual size of a name in points, and that of short ones where there is room.
_USUAL: Final = 10.0
_LARGEST: Final = 16.0
# The height of a tie's number above its box.
_NUMBER: Final = 3.0
# Relative width of the first boxes, in which every name appears first.
_FIRST: Final = 1.35
_POINTS_PER_MM: Final = 2.35
# Smallest font size of a name in points; then it is cut short.
_SMALLEST: Final = 4.5
_QR: Final = 17.0


def bracket_pdf(event: Event, bracket: BracketView, names: Names, *, address: str = "") -> bytes:
    """The bracket with its results so far. Names that do not fit are listed in full on a last sheet.

    `address` is the event's page, for a QR code.
    """
    texts = [str(side) for view in bracket.ties.values() for side in view.sides]
    pdf = Document(
        title=event.name,
        made_at=event.standings_at or event.created_at,
        texts=[event.name, event.club.name, *texts],
        orientation="landscape",
    )
    return _Pages(pdf, event, bracket, names, address).draw()


class _Pages:
    """The sheets of a bracket; `shortened` collects the names that did not fit, with their seeds.

    `largest` is the size of names on the sheet that is drawn.
    """

    def __init__(self, pdf: Document, event: Event, bracket: BracketView, names: Names, address: str) -> None:
        self.pdf = pdf
        self.event = event
        self.bracket = bracket
        self.names = names
        self.address = address
        self.ties = bracket.ties
        self.shortened: dict[str, int | None] = {}
        self.largest = _USUAL

    def draw(self) -> bytes:
        pieces = sheets(self.bracket.nodes, MOST_ROWS)
        for number, piece in enumerate(pieces, start=1):
            self._sheet(piece, number, len(pieces))
        if self.shortened:
            self._names()
        return self.pdf.finished()

    def _sheet(self, piece: Sequence[Node], number: int, count: int) -> None:
        self.pdf.add_page()
        self._title(
            _("sheet %(number)s of %(count)s") % {"number": number, "count": count} if count > 1 else ""
        )
        measures = _measures(piece)
        self.largest = self._largest(piece, measures)
        drawing = draw(piece, measures)
        self._headings(drawing)
        self._lines(drawing)
        for box in drawing.boxes:
            self._tie(self.ties[box.number], box, measures)

    def _largest(self, piece: Sequence[Node], measures: Measures) -> float:
        """The size of names: the largest in which all stand whole beside their scores; 10 points at least."""
        self.pdf.face(_LARGEST, bold=True)
        sides = [side for node in piece if node.drawn for side in self.ties[node.number].sides]
        taken = [self.pdf.get_string_width(f"{side}  {side.score}") for side in sides if side.name]
        # The seed before the name grows with it.
        room = measures.width - 1.5 - 0.5 * _LARGEST
        return max(_USUAL, min(_LARGEST, _LARGEST * room / max(taken, default=room)))

    def _title(self, words: str) -> None:
        pdf, event = self.pdf, self.event
        width = _RIGHT - _LEFT
        if self.address:
            pdf.qr(_RIGHT - _QR, 5, _QR, self.address)
            width -= _QR + 4
        pdf.face(16, family=SERIF)
        pdf.put(_LEFT, 8, width * 0.7, 8, event.name)
        pdf.face(9, family=SERIF, color=SOFT)
        pdf.put(_LEFT + width * 0.7, 8, width * 0.3, 8, event.club.name, align="R")
        pdf.face(8, color=SOFT)
        headline = rules_headline(event.rules.rules, team_size=event.team_size)
        lines = [event.get_format_display(), headline]
        if self.bracket.champion:
            lines.append(_("won by %(name)s") % {"name": self.names.marked(self.bracket.champion)})
        if self.bracket.second_prize is not None:
            part, winner = self.bracket.second_prize
            lines.append(_("%(part)s won by %(name)s") % {"part": part, "name": self.names.marked(winner)})
        pdf.put(_LEFT, 16, width * 0.8, 5, " · ".join(lines))
        pdf.put(_LEFT + width * 0.8, 16, width * 0.2, 5, words, align="R")

    def _headings(self, drawing: Drawing) -> None:
        for heading in drawing.headings:
            self.pdf.face(9, family=SERIF)
            text = self.bracket.headings[heading.part, heading.level]
            self.pdf.put(_LEFT + heading.x, _TOP + heading.y, heading.width + _GAP_X - 1, 4, text)

    def _lines(self, drawing: Drawing) -> None:
        pdf = self.pdf
        for link in drawing.links:
            taken = self.ties[link.start].is_decided
            pdf.set_draw_color(*(INK if taken else RULE))
            pdf.set_line_width(0.35 if taken else 0.2)
            if self.ties[link.end].if_needed:
                pdf.set_dash_pattern(dash=1, gap=1)
            for (x1, y1), (x2, y2) in zip(link.points, link.points[1:], strict=False):
                pdf.line(_LEFT + x1, _TOP + y1, _LEFT + x2, _TOP + y2)
            pdf.set_dash_pattern()

    def _tie(self, view: TieView, box: Box, measures: Measures) -> None:
        pdf = self.pdf
        x, y = _LEFT + box.x, _TOP + box.y
        pdf.set_draw_color(*SOFT)
        pdf.set_line_width(0.2)
        if view.if_needed:
            pdf.set_dash_pattern(dash=1, gap=1)
        pdf.rect(x, y, box.width, 2 * measures.slot)
        pdf.set_dash_pattern()
        pdf.rule(x, y + measures.slot, x + box.width, y + measures.slot)
        high = min(measures.gap_y, _NUMBER)
        pdf.face(min(6.5, high * _POINTS_PER_MM), color=SOFT)
        pdf.put(x + 0.5, y - high, 8, high, str(view.tie.number))
        pdf.put(x + 8, y - high, box.width - 8.5, high, view.note, align="R")
        for index, side in enumerate(view.sides):
            self._side(side, view, x, y + index * measures.slot, box.width, measures.slot)

    def _side(self, side: TieSide, view: TieView, x: float, y: float, width: float, slot: float) -> None:
        pdf = self.pdf
        size = min(self.largest, slot * _POINTS_PER_MM)
        pdf.face(0.75 * size, color=SOFT)
        seed = "" if side.seed is None else str(side.seed)
        indent = 0.8 + 0.5 * size
        pdf.put(x, y, indent - 0.8, slot, seed, align="R")
        score = 0.0
        if side.score:
            pdf.face(0.9 * size, bold=side.is_winner)
            score = pdf.get_string_width(side.score) + 1.5
            pdf.put(x + width - score, y, score - 0.7, slot, side.score, align="R")
        waits = not side.name
        pdf.face(size * (0.85 if waits else 1), bold=side.is_winner, color=SOFT if waits else INK)
        room = width - indent - score - 0.7
        smallest = min(max(_SMALLEST / size, 0.5), 1.0)
        if side.name and smallest * pdf.get_string_width(str(side)) > room:
            self.shortened[str(side)] = side.seed
        pdf.put(x + indent, y, room, slot, side.waits if waits else str(side), smallest=smallest)

    def _names(self) -> None:
        """List the shortened names in full."""
        pdf = self.pdf
        line, height = 0, 6.0
        for name, seed in sorted(self.shortened.items(), key=lambda item: (item[1] or 0, item[0])):
            y = _TOP + 8 + line * height
            if line == 0 or y + height > _BOTTOM:
                line, y = 0, _TOP + 8
                pdf.add_page()
                self._title("")
                pdf.face(11, family=SERIF)
                pdf.put(_LEFT, _TOP, 120, 6, _("Names in full"))
            pdf.face(9, color=SOFT)
            pdf.put(_LEFT, y, 10, height, "" if seed is None else str(seed), align="R")
            pdf.face(10)
            pdf.put(_LEFT + 13, y, _RIGHT - _LEFT - 13, height, name, smallest=0.4)
            line += 1


def _measures(piece: Sequence[Node]) -> Measures:
    """Sizes that fill the sheet, up to a readable maximum."""
    size = shape(piece)
    room = _RIGHT - _LEFT - (size.columns - 1) * _GAP_X
    width = min(room / (size.columns - 1 + _FIRST), _WIDEST)
    row = min((_BOTTOM - _TOP - size.heads * _HEAD) / max(size.rows, 1), _HIGHEST_ROW)
    gap = min(max(0.24 * row, 1.6), 8.0)
    return Measures(width, (row - gap) / 2, _GAP_X, gap, _HEAD, first=min(width * _FIRST, _WIDEST))
