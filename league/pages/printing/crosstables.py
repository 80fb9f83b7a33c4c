"""The crosstable on A4 landscape, split by columns and rows if it is large."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from league.models import Event
from league.policy.naming import Names
from league.tables.crosstables import Crosstable, CrosstablePage, CrosstableResult, CrosstableRow
from scoring.paper.fonts import SERIF
from scoring.paper.pdf import INK, RULE, SOFT, Document

MOST_COLUMNS: Final = 24

_LEFT: Final = 11.0
_RIGHT: Final = 286.0
_TOP: Final = 22.5
_BOTTOM: Final = 200.0
_NAME: Final = 46.0
_HEAD: Final = 5.5
_WIDEST: Final = 17.0
_LINE: Final = 3.6
_QR: Final = 16.0


def crosstable_pdf(event: Event, found: CrosstablePage, names: Names, *, address: str = "") -> bytes:
    """All tables of the crosstable, those of groups on separate sheets.

    `address` is the event's page, for a QR code.
    """
    texts = [names.marked(line.entry) for table in found.tables for line in table.lines]
    legend = " ".join(found.legend(event))
    pdf = Document(
        title=event.name,
        made_at=event.standings_at or event.created_at,
        texts=[event.name, event.club.name, legend, *texts],
        orientation="landscape",
    )
    for table in found.tables:
        for first in range(0, max(len(table.heads), 1), MOST_COLUMNS):
            _Part(pdf, event, table, names, legend, first, address).draw()
    return pdf.finished()


@dataclass
class _Part:
    """Some columns of a table, on as many sheets as its rows need."""

    pdf: Document
    event: Event
    table: Crosstable
    names: Names
    legend: str
    first: int
    address: str
    y: float = 0.0

    def __post_init__(self) -> None:
        self.columns = range(self.first, min(self.first + MOST_COLUMNS, len(self.table.heads)))
        self.cell = min((_RIGHT - _LEFT - _NAME) / max(len(self.columns), 1), _WIDEST)
        self.right = _LEFT + _NAME + self.cell * len(self.columns)

    def draw(self) -> None:
        self._page()
        for line in self.table.lines:
            height = self._height(line)
            if self.y + height > _BOTTOM:
                self._page()
            self._line(line, height)
        self._legend()

    def _page(self) -> None:
        pdf = self.pdf
        pdf.add_page()
        beside = 0.0
        if self.address:
            pdf.qr(_RIGHT - _QR, 4, _QR, self.address)
            beside = _QR + 4
        pdf.face(15, family=SERIF)
        pdf.put(_LEFT, 8, 170, 8, self.event.name)
        pdf.face(9, family=SERIF, color=SOFT)
        pdf.put(_LEFT + 172, 8, _RIGHT - _LEFT - 172 - beside, 8, self.event.club.name, align="R")
        pdf.face(8, color=SOFT)
        group = self.table.group
        pdf.put(_LEFT, 15.5, 120, 5, _("Crosstable") if group is None else _("Group %s") % group)
        self.y = _TOP
        for place, column in enumerate(self.columns):
            x = _LEFT + _NAME + place * self.cell
            pdf.put(x, self.y, self.cell, _HEAD, str(self.table.heads[column]), align="C")
        self.y += _HEAD
        pdf.rule(_LEFT, self.y, self.right, self.y, strong=True)

    def _legend(self) -> None:
        """The meaning of the figures, below the last row."""
        if self.y + 1.5 + 2 * _LINE > _BOTTOM:
            self._page()
        self.pdf.face(7.5, color=SOFT)
        self.pdf.paragraph(_LEFT, self.y + 1.5, _RIGHT - _LEFT, _LINE, self.legend)

    def _height(self, line: CrosstableRow) -> float:
        """The height of a row's fullest cell."""
        rows = max((sum(1 for _ in _texts(line.cells[column])) for column in self.columns), default=1)
        return max(rows, 1) * _LINE + 1.4

    def _line(self, line: CrosstableRow, height: float) -> None:
        pdf = self.pdf
        pdf.face(8.5, family=SERIF)
        pdf.put(_LEFT, self.y, 6.5, height, str(line.number), align="R")
        pdf.face(8.5, color=SOFT if line.entry.withdrawn_at else INK)
        pdf.put(_LEFT + 8.5, self.y, _NAME - 9.5, height, self.names.marked(line.entry))
        for place, column in enumerate(self.columns):
            x = _LEFT + _NAME + place * self.cell
            if line.own == column + 1:
                pdf.set_fill_color(*RULE)
                pdf.rect(x, self.y, self.cell, height, style="F")
            self._cell(line.cells[column], x, height)
            pdf.rule(x, self.y, x, self.y + height)
        self.y += height
        pdf.rule(_LEFT, self.y, self.right, self.y)

    def _cell(self, cell: Sequence[CrosstableResult], x: float, height: float) -> None:
        texts = list(_texts(cell))
        y = self.y + (height - len(texts) * _LINE) / 2
        for text, is_figure in texts:
            self.pdf.face(8 if is_figure else 6.5, color=INK if is_figure else SOFT)
            self.pdf.put(x + 0.5, y, self.cell - 1, _LINE, text, align="C", smallest=0.5)
            y += _LINE


def _texts(cell: Sequence[CrosstableResult]) -> Iterator[tuple[str, bool]]:
    """The lines of a cell, each with whether it is a figure."""
    for meeting in cell:
        if meeting.against:
            yield meeting.against, False
        yield meeting.figure, True
