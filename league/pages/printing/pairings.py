"""The pairings of a round for the wall, on A4 or A3: by table, and everybody's table by name.

The type is the largest that fills the sheets and never under 18 points: what does not fit goes on further
sheets, and a long name takes further lines.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.draws.pairings import RoundPairings, Seated
from league.models import Entry, Match, MatchState, Player, Round
from league.pages.printing.slips import round_day
from league.policy.naming import Names
from scoring.paper.fonts import SERIF
from scoring.paper.pdf import SOFT, Document

# Width and height in portrait. The head and the largest type grow with the paper.
PAPERS: Final = {"a4": (210.0, 297.0), "a3": (297.0, 420.0)}
SMALLEST: Final = 18
# On A4, as are the sizes of the head.
LARGEST: Final = 48

_MARGIN: Final = 14.0
_HEAD: Final = 48.0
_QR: Final = 28.0
# Millimetres in a point.
_POINT: Final = 0.3528
# In parts of the type: a line, the room between rows and between columns.
_LINE: Final = 1.25
_BETWEEN: Final = 0.4
_GUTTER: Final = 0.6
# How much further apart rows may stand to fill a sheet.
_APART: Final = 2.4
_MOST_LINES: Final = 2

_Measure = Callable[[str], float]


@dataclass(frozen=True, slots=True)
class _Row:
    """The table, what stands beside it in two columns, and a note that is mostly blank."""

    table: str
    first: str
    second: str = ""
    note: str = ""


def pairings_pdf(
    round_: Round, found: RoundPairings, names: Names, *, paper: str = "a4", address: str = ""
) -> bytes:
    """The pairings as a PDF; `paper` is one of `PAPERS`, `address` the event's page for a QR code, or "".

    Load event, club and rules with the round.
    """
    event = round_.event
    rows = [_match(match, names) for match in found.matches]
    rows += [_Row("", _one_line(names.match(match))) for match in found.sitting_out if found.matches]
    seats = [_seat(seat, names) for seat in found.seats] if found.matches else []
    texts = [event.name, event.club.name, *(text for row in rows + seats for text in (row.first, row.second))]
    # The way the paper lies is not known before its texts are measured.
    ruler = Document(title="", made_at=event.created_at, texts=texts)
    ruler.face(SMALLEST, family=SERIF)

    def measure(text: str) -> float:
        return ruler.get_string_width(text) / SMALLEST

    short, long = PAPERS[paper]
    way = min(
        (_Way.of(rows, short, long, measure), _Way.of(rows, long, short, measure)),
        key=lambda each: (each.sheets, -each.size),
    )
    pdf = Document(
        title=str(round_),
        made_at=event.created_at,
        texts=texts,
        orientation="landscape" if way.width > way.height else "portrait",
        size=paper.upper(),
    )
    _Sheets(pdf, round_, way, address, measure).draw(rows, "")
    if seats:
        by_name = _Way.of(seats, way.width, way.height, measure)
        _Sheets(pdf, round_, by_name, address, measure).draw(seats, _("Who sits where"))
    return pdf.finished()


@dataclass(frozen=True, slots=True)
class _Way:
    """How rows are set: the sheet in millimetres, the type in points, the sheets it takes, the columns."""

    width: float
    height: float
    size: int
    sheets: int
    columns: tuple[float, float, float, float]

    @classmethod
    def of(cls, rows: Sequence[_Row], width: float, height: float, measure: _Measure) -> "_Way":
        """The largest type that takes no more sheets than the smallest, in which names stay on two lines."""
        best = cls._at(rows, width, height, SMALLEST, measure)
        largest = round(LARGEST * _scale(width, height))
        for size in range(SMALLEST + 1, largest + 1):
            way = cls._at(rows, width, height, size, measure)
            if way.sheets > best.sheets or not way.reads_well(rows, measure):
                break
            best = way
        return best

    @classmethod
    def _at(cls, rows: Sequence[_Row], width: float, height: float, size: int, measure: _Measure) -> "_Way":
        table = max((measure(row.table) for row in rows), default=0.0) * size
        note = max((measure(row.note) for row in rows), default=0.0) * size
        gutters = (3 if note else 2) * _GUTTER * size * _POINT
        side = (width - 2 * _MARGIN - table - note - gutters) / 2
        way = cls(width, height, size, 1, (table, side, side, note))
        taken = sum(1 for _first in way.sheets_of(rows, measure))
        return cls(width, height, size, taken, way.columns)

    @property
    def room(self) -> float:
        """The height for rows on a sheet."""
        return self.height - _HEAD * self.scale - _MARGIN

    @property
    def scale(self) -> float:
        """How much larger the paper is than A4."""
        return _scale(self.width, self.height)

    def lines(self, row: _Row, measure: _Measure) -> tuple[list[str], list[str]]:
        """Both texts of a row in lines; a lone one has the room of both."""
        _table, side, _side, _note = self.columns
        alone = 2 * side + _GUTTER * self.size * _POINT
        first = _broken(row.first, side if row.second else alone, self.size, measure)
        return first, _broken(row.second, side, self.size, measure)

    def row_height(self, row: _Row, measure: _Measure) -> float:
        """The height of a row in millimetres."""
        first, second = self.lines(row, measure)
        return (max(len(first), len(second), 1) * _LINE + _BETWEEN) * self.size * _POINT

    def sheets_of(self, rows: Sequence[_Row], measure: _Measure) -> Iterable[list[_Row]]:
        """The rows of each sheet."""
        sheet: list[_Row] = []
        taken = 0.0
        for row in rows:
            height = self.row_height(row, measure)
            if sheet and taken + height > self.room:
                yield sheet
                sheet, taken = [], 0.0
            sheet.append(row)
            taken += height
        yield sheet

    def reads_well(self, rows: Sequence[_Row], measure: _Measure) -> bool:
        """Whether no text takes more than two lines, and no word is broken."""
        return all(
            len(lines) <= _MOST_LINES and " ".join(lines) == text
            for row in rows
            for text, lines in zip((row.first, row.second), self.lines(row, measure), strict=True)
        )


@dataclass
class _Sheets:
    """The sheets of one list while they are drawn; `y` moves down the page."""

    pdf: Document
    round: Round
    way: _Way
    address: str
    measure: _Measure
    y: float = 0.0

    def draw(self, rows: Sequence[_Row], title: str) -> None:
        for sheet in self.way.sheets_of(rows, self.measure):
            self._page(title)
            heights = [self.way.row_height(row, self.measure) for row in sheet]
            apart = min(self.way.room / sum(heights), _APART) if heights and self.way.sheets == 1 else 1.0
            for row, height in zip(sheet, heights, strict=True):
                self._row(row, height * apart)
        if not rows:
            self.pdf.face(SMALLEST, color=SOFT)
            self.pdf.put(_MARGIN, self.y, self.way.width - 2 * _MARGIN, 10, _("Not drawn yet."))

    def _page(self, title: str) -> None:
        pdf, event = self.pdf, self.round.event
        pdf.add_page()
        width, scale = self.way.width - 2 * _MARGIN, self.way.scale
        if self.address:
            side = _QR * scale
            pdf.qr(_MARGIN + width - side, 10 * scale, side, self.address)
            width -= side + 5

        def line(y: float, height: float, text: str, smallest: float = 0.7) -> None:
            pdf.put(_MARGIN, y * scale, width, height * scale, text, smallest=smallest)

        pdf.face(12 * scale, family=SERIF, color=SOFT)
        line(10, 5, event.club.name, 0.5)
        pdf.face(26 * scale, family=SERIF)
        line(15.5, 11, event.name, 0.4)
        pdf.face(SMALLEST * scale)
        round_words = _("Round %s") % self.round.number
        line(27, 9, f"{round_words} · {round_day(self.round, 'l j F Y')}", 0.5)
        if title:
            pdf.face(SMALLEST * scale, family=SERIF)
            line(38, 8, title)
        self.y = _HEAD * scale
        pdf.rule(_MARGIN, self.y, self.way.width - _MARGIN, self.y, strong=True)

    def _row(self, row: _Row, height: float) -> None:
        pdf, size = self.pdf, self.way.size
        table, side, _side, note = self.way.columns
        gutter, line = _GUTTER * size * _POINT, _LINE * size * _POINT
        pdf.face(size, family=SERIF)
        pdf.put(_MARGIN, self.y, table, height, row.table, align="R")
        x = _MARGIN + table + gutter
        for lines in self.way.lines(row, self.measure):
            y = self.y + (height - len(lines) * line) / 2
            for text in lines:
                # As wide as what is left: it has been measured to fit, but for what rounding does.
                pdf.put(x, y, self.way.width - x, line, text)
                y += line
            x += side + gutter
        if row.note:
            pdf.face(size, family=SERIF, color=SOFT)
            pdf.put(self.way.width - _MARGIN - note, self.y, note, height, row.note, align="R")
        self.y += height
        pdf.rule(_MARGIN, self.y, self.way.width - _MARGIN, self.y)


def _scale(width: float, height: float) -> float:
    """How much larger a paper is than A4, whichever way it lies."""
    return min(width, height) / min(PAPERS["a4"])


def _broken(text: str, room: float, size: float, measure: _Measure) -> list[str]:
    """A text in lines of at most `room`; a word that is longer goes on in the next line."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if measure(longer) * size <= room:
            line = longer
            continue
        if line:
            lines.append(line)
        line = ""
        for letter in word:
            if line and measure(line + letter) * size > room:
                lines.append(line)
                line = ""
            line += letter
    return [*lines, line] if line else lines


def _match(match: Match, names: Names) -> _Row:
    """A pairing, or all who sit at a table; its day, if that is not the round's."""
    return _Row(
        "" if match.table is None else str(match.table),
        _one_line(names.match(match) if match.is_table else names.marked_side(match, 0)),
        "" if match.is_table else _versus(names.marked_side(match, 1)),
        date_format(match.planned_on, "j M") if match.planned_on else "",
    )


def _seat(seat: Seated, names: Names) -> _Row:
    """Where somebody sits, for whom and against whom."""
    match = seat.match
    words = _versus(_words(names, seat.against)) if seat.against else _sits_out(match)
    if match.is_table:
        words = _("with %(others)s") % {"others": ", ".join(names.marked(one) for one in seat.against)}
    if seat.against and match.partner_a_id is not None:
        words = _("%(a)s v %(b)s") % {"a": _words(names, seat.plays_for), "b": _words(names, seat.against)}
    return _Row("" if match.table is None else str(match.table), _words(names, seat.who), words)


def _words(names: Names, who: Iterable[Player | Entry]) -> str:
    """Names joined by plus signs, bots marked."""
    return _one_line(" + ".join(names.marked(one) for one in who))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _versus(name: str) -> str:
    """An opponent, in which no line ends before the name."""
    return _one_line(_("v %s") % name).replace(" ", "\N{NO-BREAK SPACE}", 1)


def _sits_out(match: Match) -> str:
    if match.state == MatchState.ABSENT:
        return _("sits out")
    return _("bye") if match.sheet_id is None else _("plays a bot")
