"""A scored sheet drawn on a page: every deal in words, the double columns, and the settlement."""

from typing import Final

from django.utils.translation import gettext as _

from scoring.paper.fonts import SERIF
from scoring.paper.layout import DealRow, FootRow, Group, SheetTable
from scoring.paper.pdf import RULE, SOFT, Document
from scoring.templatetags.figures import foot_words, grouped, hand_words, result_words

_NUMBER: Final = 7.0
_WORDS: Final = 48.0
_ROW: Final = 5.2
# Maximum width of a narrow column.
_WIDEST: Final = 24.0
# Distance in millimetres between the strokes that hatch closed cells.
_HATCH: Final = 2.2


def draw_sheet(pdf: Document, table: SheetTable, *, left: float, top: float, width: float) -> float:
    """Draw the table within `width`; returns the y at which it ends. All in millimetres."""
    return _Drawing(pdf, table, left, top, width).draw()


def sheet_height(table: SheetTable) -> float:
    """The height of the table in millimetres: two head rows, the deals, the foot and the result."""
    return (2 + len(table.rows) + len(table.foot) + 1) * _ROW


class _Drawing:
    """The table while it is drawn; `y` moves down, row by row."""

    def __init__(self, pdf: Document, table: SheetTable, left: float, top: float, width: float) -> None:
        self.pdf = pdf
        self.table = table
        self.left = left
        self.first = left + _NUMBER + _WORDS
        self.figure = min((left + width - self.first) / table.frame.width, _WIDEST)
        self.right = self.first + table.frame.width * self.figure
        self.top = top
        self.y = top

    def draw(self) -> float:
        self._heads()
        for row in self.table.rows:
            self._row(row)
        self.pdf.rule(self.left, self.y, self.right, self.y, strong=True)
        for line in self.table.foot:
            self._foot(line)
        self._results()
        self.pdf.rule(self.left, self.y, self.right, self.y, strong=True)
        for index, place in enumerate(self.table.frame.places):
            if place.begins_group:
                x = self.first + index * self.figure
                self.pdf.rule(x, self.top, x, self.y)
        return self.y

    def _heads(self) -> None:
        pdf, frame = self.pdf, self.table.frame
        x = self.first
        pdf.face(9, family=SERIF)
        for group in frame.groups:
            pdf.put(x, self.y, group.span * self.figure, _ROW, self._group_words(group), align="C")
            x += group.span * self.figure
        self._next()
        pdf.face(8, color=SOFT)
        pdf.put(self.left, self.y, _NUMBER - 2, _ROW, "#", align="R")
        pdf.put(self.left + _NUMBER, self.y, _WORDS, _ROW, _("hand"))
        for index, (_place, short, _full) in enumerate(frame.heads):
            self._figure(index, short)
        self._next()

    def _group_words(self, group: Group) -> str:
        if group.column is None:
            return group.name
        if self.table.frame.columns == 1:
            return _("Game")
        return _("Game %s") % group.numeral if self.table.frame.columns <= 4 else group.numeral

    def _row(self, row: DealRow) -> None:
        pdf = self.pdf
        pdf.face(8, color=SOFT)
        pdf.put(self.left, self.y, _NUMBER - 2, _ROW, str(row.number), align="R")
        pdf.put(self.left + _NUMBER, self.y, _WORDS, _ROW, "; ".join(hand_words(hand) for hand in row.hands))
        for index, cell in enumerate(row.cells):
            if cell.closed:
                self._hatch(index)
            elif cell.running is not None:
                pdf.face(9, bold=cell.closes)
                self._figure(index, grouped(cell.running))
        self._next()

    def _foot(self, line: FootRow) -> None:
        pdf, is_total = self.pdf, line.kind == "total"
        pdf.face(8.5, bold=is_total)
        pdf.put(self.left + _NUMBER, self.y, _WORDS, _ROW, foot_words(line.kind, self.table.frame.columns))
        for index, figure in enumerate(line.figures):
            if figure.value or not line.is_bonus:
                pdf.face(9, bold=is_total or figure.won)
                self._figure(index, grouped(figure.value))
        self._next()

    def _results(self) -> None:
        pdf, x = self.pdf, self.first
        pdf.face(8.5, bold=True)
        pdf.put(self.left + _NUMBER, self.y, _WORDS, _ROW, _("result"))
        for result in self.table.results:
            words = result_words(result)
            if result.factor != 1:
                words = f"{words} ×{result.factor}"
            pdf.put(x + 0.5, self.y, result.span * self.figure - 1, _ROW, words, align="C", smallest=0.5)
            x += result.span * self.figure
        self._next()

    def _figure(self, index: int, words: str) -> None:
        x = self.first + index * self.figure
        self.pdf.put(x, self.y, self.figure - min(2.0, self.figure / 5), _ROW, words, align="R", smallest=0.5)

    def _hatch(self, index: int) -> None:
        x = self.first + index * self.figure
        self.pdf.set_draw_color(*RULE)
        self.pdf.set_line_width(0.15)
        with self.pdf.rect_clip(x, self.y, self.figure, _ROW):
            for step in range(int((self.figure + _ROW) / _HATCH) + 1):
                at = x - _ROW + step * _HATCH
                self.pdf.line(at, self.y + _ROW, at + _ROW, self.y)

    def _next(self) -> None:
        self.y += _ROW
        self.pdf.rule(self.left, self.y, self.right, self.y)
