"""The table of an event on A4."""

import datetime
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.models import Event, EventKind
from league.selectors.tables import EventTable, TableRow
from league.templatetags.league_words import adjustment_words, by_criterion, record
from scoring.pdf import INK, SERIF, SOFT, Document
from scoring.rules_words import rules_headline
from scoring.templatetags.figures import grouped, signed

_LEFT: Final = 16.0
_RIGHT: Final = 194.0
_BOTTOM: Final = 281.0
_LINE: Final = 6.4


def standings_pdf(event: Event, table: EventTable, *, recalculating: bool, as_of: int | None = None) -> bytes:
    """The table of an event on A4, in the time zone in force, its head repeated on every page.

    With `as_of` the table is the one of that round.
    """
    made_at = event.standings_at or event.created_at
    texts = [event.name, event.club.name, *(row.named.name for row in table.rows)]
    return _Table(
        Document(title=event.name, made_at=made_at, texts=texts), event, table, made_at, recalculating, as_of
    ).draw()


class _Table:
    """The table while it is drawn; `y` moves down the page."""

    def __init__(
        self,
        pdf: Document,
        event: Event,
        table: EventTable,
        made_at: datetime.datetime,
        recalculating: bool,
        as_of: int | None,
    ) -> None:
        self.pdf = pdf
        self.event = event
        self.table = table
        self.made_at = made_at
        self.recalculating = recalculating
        self.as_of = as_of
        self.y = 0.0

    def draw(self) -> bytes:
        self._page()
        for section in self.table.sections:
            if section.group is not None:
                self._group(section.group)
            for row in section.rows:
                self._room(_LINE)
                self._row(row)
        self._notes()
        return self.pdf.finished()

    def _page(self) -> None:
        pdf = self.pdf
        pdf.add_page()
        self.y = 16.0
        if pdf.page_no() == 1:
            self._title()
        pdf.face(8, color=SOFT)
        team = self.event.kind == EventKind.TEAM
        for x, width, words, align in (
            (_LEFT, 9, "#", "R"),
            (28, 62, _("Team") if team else _("Player"), "L"),
            (92, 14, _("Played"), "R"),
            (108, 18, _("W–D–L"), "R"),
            (128, 16, _("Columns"), "R"),
            (146, 16, _("Net"), "R"),
            (163, 13, _("Points"), "R"),
        ):
            pdf.put(x, self.y, width, 5, words, align=align)
        self.y += 5.5
        pdf.rule(_LEFT, self.y, _RIGHT, self.y, strong=True)

    def _title(self) -> None:
        pdf = self.pdf
        pdf.face(10, family=SERIF, color=SOFT)
        pdf.put(_LEFT, self.y, _RIGHT - _LEFT, 5, self.event.club.name)
        pdf.face(20, family=SERIF)
        pdf.put(_LEFT, self.y + 6, _RIGHT - _LEFT, 9, self.event.name)
        pdf.face(9, color=SOFT)
        if self.as_of is None:
            time = self.made_at.astimezone(self.event.club.zone)
            as_of = _("as of %s") % date_format(time, "l j F Y, H:i")
        else:
            as_of = _("as of round %s") % self.as_of
        words = [rules_headline(self.event.rules.rules, team_size=self.event.team_size), as_of]
        if self.recalculating:
            words.append(_("being recalculated"))
        pdf.put(_LEFT, self.y + 16, _RIGHT - _LEFT, 5, " · ".join(words))
        self.y += 26

    def _group(self, number: int) -> None:
        self._room(3 * _LINE)
        self.y += 3
        self.pdf.face(11, family=SERIF)
        self.pdf.put(_LEFT, self.y, _RIGHT - _LEFT, _LINE, _("Group %s") % number)
        self.y += _LINE
        self.pdf.rule(_LEFT, self.y, _RIGHT, self.y, strong=True)

    def _row(self, row: TableRow) -> None:
        pdf, standing = self.pdf, row.standing
        pdf.face(10, family=SERIF)
        pdf.put(_LEFT, self.y, 9, _LINE, str(standing.rank), align="R")
        pdf.face(10, color=SOFT if row.withdrawn else INK)
        name = row.named.name
        if row.withdrawn:
            name = _("%s (withdrawn)") % name
        pdf.put(28, self.y, 62, _LINE, name)
        for x, width, words in (
            (92, 14, grouped(standing.played)),
            (108, 18, record(standing)),
            (128, 16, grouped(standing.columns_won)),
            (146, 16, signed(standing.net)),
        ):
            pdf.put(x, self.y, width, _LINE, words, align="R")
        pdf.face(10, bold=True)
        pdf.put(163, self.y, 13, _LINE, grouped(standing.points), align="R")
        pdf.face(7.5, color=SOFT)
        pdf.put(176.3, self.y - 0.8, 5, _LINE, row.marks)
        if row.above_next_by:
            pdf.put(180, self.y, _RIGHT - 180, _LINE, by_criterion(row.above_next_by), align="R")
        self.y += _LINE
        pdf.rule(_LEFT, self.y, _RIGHT, self.y)

    def _notes(self) -> None:
        notes = [
            f"{note.mark} {note.adjustment.entry.name}: {adjustment_words(note.adjustment)}: "
            f"{note.adjustment.reason}"
            for note in self.table.footnotes
        ]
        if self.table.bye_mark:
            points = grouped(self.event.bye_points)
            words = _("with %(points)s for each bye, which is no match played") % {"points": points}
            notes.insert(0, f"{self.table.bye_mark} {words}")
        titles = [_(metric.title) for metric in self.table.criteria]
        notes.append(_("Ties are decided by: %s.") % " · ".join(titles))
        self.y += 4
        for note in notes:
            self._room(5)
            self.pdf.face(8.5, color=SOFT)
            self.pdf.put(_LEFT, self.y, _RIGHT - _LEFT, 5, note)
            self.y += 5

    def _room(self, height: float) -> None:
        if self.y + height > _BOTTOM:
            self._page()
