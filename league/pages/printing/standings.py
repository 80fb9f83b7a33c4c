"""The table of an event on A4."""

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.core.standings import Metric
from league.models import Event, EventKind
from league.policy.naming import Names
from league.tables.outcomes import EventOutcome
from league.tables.tables import EventTable, TableRow
from league.tables.words import event_headline
from league.templatetags.league_words import (
    adjustment_words,
    by_criterion,
    bye_words,
    note_reason,
    possible_places,
    record,
)
from scoring.paper.fonts import SERIF
from scoring.paper.pdf import INK, SOFT, Document
from scoring.templatetags.figures import grouped, signed
from scoring.words.messages import translated

_LEFT: Final = 16.0
_RIGHT: Final = 194.0
_BOTTOM: Final = 281.0
_LINE: Final = 6.4
_SECOND_LINE: Final = 4.2
_RANK: Final = 9.0
_ARROW: Final = 7.0
_GAP: Final = 2.0
# Width of the footnote marks behind the points.
_MARKS: Final = 5.0
_EXTRA: Final = 14.0
# Minimum width of a name; if criteria leave less, they move to a second line of each row.
_NAME: Final = 36.0
_PLACES_ABREAST: Final = 3
_QR: Final = 20.0


@dataclass(frozen=True, slots=True)
class _Column:
    """A right-aligned column of figures; `after` is the space behind it, in millimetres."""

    title: str
    width: float
    words: Callable[[TableRow], str]
    bold: bool = False
    after: float = _GAP


def standings_pdf(
    event: Event,
    table: EventTable,
    names: Names,
    *,
    recalculating: bool,
    as_of: int | None = None,
    outcome: EventOutcome | None = None,
    address: str = "",
    logo: str = "",
) -> bytes:
    """The table of an event on A4, in the active time zone, its head repeated on every page.

    With `as_of` it is the table after that round. `outcome` is printed above the tables of groups;
    `address` is the event's page, for a QR code, `logo` the club's (`people.logos.logo_of`).
    """
    made_at = event.standings_at or event.created_at
    texts = [event.name, event.club.name, *(str(row.named) for row in table.rows)]
    pdf = Document(title=event.name, made_at=made_at, texts=texts)
    return _Table(pdf, event, table, names, made_at, recalculating, as_of, outcome, address, logo).draw()


@dataclass
class _Table:
    """The table while it is drawn; `y` moves down the page."""

    pdf: Document
    event: Event
    table: EventTable
    names: Names
    made_at: datetime.datetime
    recalculating: bool
    as_of: int | None
    outcome: EventOutcome | None
    address: str
    logo: str
    y: float = 0.0

    def __post_init__(self) -> None:
        self.badge = self._badge_width()
        self.name = _LEFT + _RANK + 3
        if any(row.moved for row in self.table.rows):
            self.name += _ARROW
        extra = self.table.extra
        self.shows_possible = self.table.shows_possible
        self.columns = self._columns(extra)
        if self._name_width() < _NAME and extra and self.shows_possible:
            # Criteria come first: they say why the table is as it is.
            self.shows_possible = False
            self.columns = self._columns(extra)
        self.has_second_line = self._name_width() < _NAME and bool(extra)
        if self.has_second_line:
            self.shows_possible = self.table.shows_possible
            self.columns = self._columns(())

    def draw(self) -> bytes:
        self.pdf.add_page()
        self.y = 16.0
        self._title()
        if self.outcome is not None:
            self._outcome(self.outcome)
        self._heads()
        for section in self.table.sections:
            if section.group is not None:
                self._group(section.group)
            for row in section.rows:
                self._make_room(self._height)
                self._row(row)
        self._notes()
        return self.pdf.finished()

    def _columns(self, extra: Sequence[Metric]) -> list[_Column]:
        table = self.table
        columns = [
            _Column(_("Played"), 11, lambda row: grouped(row.standing.played)),
            _Column(_("W–D–L"), 16, lambda row: record(row.standing)),
        ]
        if table.shows_columns:
            columns.append(_Column(_("Columns"), 13.5, lambda row: grouped(row.standing.columns_won)))
        if "boxes" in self.event.criteria:
            columns.append(_Column(_("Boxes"), 12, lambda row: grouped(row.standing.boxes)))
        if table.has_deals:
            columns.append(_Column(_("Net"), 15, lambda row: signed(row.standing.net)))
        columns.append(
            _Column(_("Points"), 12, lambda row: grouped(row.standing.points), bold=True, after=_MARKS)
        )
        if self.shows_possible:
            columns.append(_Column(_("Possible"), 14, lambda row: possible_places(row.standing)))
        return columns + [
            _Column(translated(metric.title), _EXTRA, partial(_extra_figure, place))
            for place, metric in enumerate(extra)
        ]

    def _name_width(self) -> float:
        taken = sum(column.width + column.after for column in self.columns)
        return _RIGHT - self.badge - taken - self.name - _GAP

    def _badge_width(self) -> float:
        """The width of the longest "above the next by" badge, in millimetres."""
        self.pdf.face(7.5)
        widths = [self.pdf.get_string_width(by_criterion(row.above_next_by)) for row in self.table.rows]
        return min(max([12.0, *widths]) + 0.5, 30.0)

    @property
    def _height(self) -> float:
        return _LINE + (_SECOND_LINE if self.has_second_line else 0.0)

    def _heads(self) -> None:
        pdf = self.pdf
        pdf.face(8, color=SOFT)
        team = self.event.kind == EventKind.TEAM
        lines = [
            _in_two(column.title) if column.width == _EXTRA and column.after == _GAP else (column.title,)
            for column in self.columns
        ]
        height = 3.6 * max(len(line) for line in lines) + 1.6
        foot = self.y + height - 4.6
        pdf.put(_LEFT, foot, _RANK, 4, "#", align="R")
        pdf.put(self.name, foot, self._name_width(), 4, _("Team") if team else _("Player"))
        x = self.name + self._name_width() + _GAP
        for column, line in zip(self.columns, lines, strict=True):
            for place, words in enumerate(reversed(line)):
                pdf.put(x, foot - 3.6 * place, column.width, 4, words, align="R")
            x += column.width + column.after
        self.y += height
        pdf.rule(_LEFT, self.y, _RIGHT, self.y, strong=True)

    def _title(self) -> None:
        pdf, width = self.pdf, _RIGHT - _LEFT
        if self.address:
            pdf.qr(_RIGHT - _QR, self.y, _QR, self.address)
            width -= _QR + 4
        if self.logo:
            pdf.picture(_LEFT + width - _QR, self.y, _QR, self.logo)
            width -= _QR + 4
        pdf.face(10, family=SERIF, color=SOFT)
        pdf.put(_LEFT, self.y, width, 5, self.event.club.name)
        pdf.face(20, family=SERIF)
        pdf.put(_LEFT, self.y + 6, width, 9, self.event.name)
        pdf.face(9, color=SOFT)
        if self.as_of is None:
            time = self.made_at.astimezone(self.event.club.zone)
            as_of = _("as of %s") % date_format(time, "l j F Y, H:i")
        else:
            as_of = _("as of round %s") % self.as_of
        words = [event_headline(self.event), as_of]
        if self.outcome is not None and self.outcome.champion:
            words.append(_("won by %(name)s") % {"name": self.outcome.champion})
        if self.recalculating:
            words.append(_("being recalculated"))
        pdf.put(_LEFT, self.y + 16, width, 5, " · ".join(words))
        self.y += 26

    def _outcome(self, outcome: EventOutcome) -> None:
        """The final places in columns, filled from top to bottom."""
        pdf = self.pdf
        pdf.face(12, family=SERIF)
        pdf.put(_LEFT, self.y, _RIGHT - _LEFT, _LINE, outcome.title)
        self.y += _LINE + 1
        lines = list(outcome.lines)
        width = (_RIGHT - _LEFT) / _PLACES_ABREAST
        while lines:
            room = max(int((_BOTTOM - self.y) / _LINE), 1)
            rows = min(-(-len(lines) // _PLACES_ABREAST), room)
            for index, line in enumerate(lines[: rows * _PLACES_ABREAST]):
                column, row = divmod(index, rows)
                x, y = _LEFT + column * width, self.y + row * _LINE
                pdf.face(10, family=SERIF)
                pdf.put(x, y, 7, _LINE, str(line.place or "–"), align="R")
                pdf.face(10, color=INK if line.place else SOFT)
                words = str(line.named)
                pdf.put(x + 10, y, width - 13, _LINE, words if line.place else _("%s: still in it") % words)
            lines = lines[rows * _PLACES_ABREAST :]
            self.y += rows * _LINE + 4
            if lines:
                pdf.add_page()
                self.y = 16.0

    def _group(self, number: int) -> None:
        self._make_room(3 * _LINE)
        self.y += 3
        self.pdf.face(11, family=SERIF)
        self.pdf.put(_LEFT, self.y, _RIGHT - _LEFT, _LINE, _("Group %s") % number)
        self.y += _LINE
        self.pdf.rule(_LEFT, self.y, _RIGHT, self.y, strong=True)

    def _row(self, row: TableRow) -> None:
        pdf, width = self.pdf, self._name_width()
        pdf.face(10, family=SERIF)
        pdf.put(_LEFT, self.y, _RANK, _LINE, str(row.standing.rank), align="R")
        if row.moved:
            self._arrow(row.moved)
        pdf.face(10, color=SOFT if row.withdrawn else INK)
        name = str(row.named)
        if row.withdrawn:
            name = _("%s (withdrawn)") % name
        pdf.put(self.name, self.y, width, _LINE, name)
        x = self.name + width + _GAP
        for column in self.columns:
            pdf.face(10, bold=column.bold)
            pdf.put(x, self.y, column.width, _LINE, column.words(row), align="R")
            x += column.width
            if column.after == _MARKS:
                pdf.face(7.5, color=SOFT)
                pdf.put(x + 0.3, self.y - 0.8, _MARKS, _LINE, row.marks)
            x += column.after
        if row.above_next_by:
            pdf.face(7.5, color=SOFT)
            words = by_criterion(row.above_next_by)
            pdf.put(_RIGHT - self.badge, self.y, self.badge, _LINE, words, align="R")
        if self.has_second_line:
            message = " · ".join(f"{translated(metric.title)} {figure}" for metric, figure in row.extra)
            pdf.face(7.5, color=SOFT)
            pdf.put(self.name, self.y + _LINE - 1.4, _RIGHT - self.name, _SECOND_LINE, message)
        self.y += self._height
        pdf.rule(_LEFT, self.y, _RIGHT, self.y)

    def _arrow(self, moved: int) -> None:
        """The number of places gained or lost, with a drawn triangle as fonts may lack one."""
        pdf, x, middle = self.pdf, _LEFT + _RANK + 1.5, self.y + _LINE / 2
        tip, foot = (middle - 0.9, middle + 0.8) if moved > 0 else (middle + 0.9, middle - 0.8)
        pdf.set_fill_color(*SOFT)
        pdf.polygon(((x, foot), (x + 2, foot), (x + 1, tip)), style="F")
        pdf.face(7, color=SOFT)
        pdf.put(x + 2.6, self.y, _ARROW - 3, _LINE, str(abs(moved)))

    def _notes(self) -> None:
        notes = [
            f"{note.mark} {self.names.marked(note.adjustment.entry)}: "
            f"{adjustment_words(note.adjustment)}: {note_reason(note, self.names)}"
            for note in self.table.footnotes
        ]
        if self.table.bye_mark:
            notes.insert(0, f"{self.table.bye_mark} {bye_words(self.event)}")
        notes += [
            _("%(entry)s has withdrawn: all results are annulled and count for nobody.")
            % {"entry": self.names.marked(named.entry)}
            for named in self.table.annulled
        ]
        cuts = self.table.cuts
        if through := [self.names.marked(row.entry) for row in cuts.next_rows if row.goes_on]:
            notes.append(
                _("From place %(place)d of the groups go on: %(names)s.")
                % {"place": cuts.place, "names": ", ".join(through)}
            )
        if cuts.prizes:
            notes.append(
                _("Prizes: %s.")
                % ", ".join(
                    f"{row.first}. {' = '.join(self.names.marked(entry) for entry in row.entries)}"
                    for row in cuts.prizes
                )
            )
        notes += [told.words for told in cuts.cuts]
        if not self.table.has_deals:
            notes.append(_("Results are taken over from another program: no deals are known."))
        if not self.event.bot_matches_count:
            notes.append(_("Matches between bots are played and shown, but do not count here."))
        if self.shows_possible:
            notes.append(_("Possible is the best and the worst place still open."))
        if self.table.is_open_below and self.shows_possible:
            notes.append(_("“–…”: others may still come, and be above."))
        titles = [translated(metric.title) for metric in self.table.criteria]
        if len(titles) > 1:
            notes.append(_("Ties are decided by: %s.") % " · ".join(titles))
        self.y += 4
        for note in notes:
            self._make_room(5)
            self.pdf.face(8.5, color=SOFT)
            self.pdf.put(_LEFT, self.y, _RIGHT - _LEFT, 5, note)
            self.y += 5

    def _make_room(self, height: float) -> None:
        if self.y + height > _BOTTOM:
            self.pdf.add_page()
            self.y = 16.0
            self._heads()


def _extra_figure(place: int, row: TableRow) -> str:
    return row.extra[place][1]


def _in_two(title: str) -> tuple[str, ...]:
    """A title split once, after its first word."""
    for place, letter in enumerate(title):
        if letter in " –":
            return title[: place + 1].strip(), title[place + 1 :]
    return (title,)
