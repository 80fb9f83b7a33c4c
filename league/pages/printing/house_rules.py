"""The rule sheet of house rules on A4: a sentence per knob, worked examples, common misconceptions."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.events.house_rules_lists import knob_groups
from league.pages.printing.worked_sheet import draw_sheet, sheet_height
from scoring.core.rule_differences import nearest_preset
from scoring.core.rules import Rules
from scoring.models import HouseRules
from scoring.paper.fonts import SERIF
from scoring.paper.layout import sheet_table
from scoring.paper.pdf import INK, SOFT, Document
from scoring.words.example_words import Examples, worked_examples
from scoring.words.knob_words import PRESET_WORDS
from scoring.words.misconceptions import not_rules_here
from scoring.words.rules_words import rules_headline

_LEFT: Final = 16.0
_RIGHT: Final = 194.0
_TOP: Final = 16.0
_BOTTOM: Final = 283.0
_GAP: Final = 8.0
_COLUMN: Final = (_RIGHT - _LEFT - _GAP) / 2
_QR: Final = 26.0
_LINE: Final = 3.9
_SIZE: Final = 8.5
# Heights in the whole sheet: its heading, and a line of the settlement.
_SHEET_HEAD: Final = 9.0
_SETTLED: Final = 4.9
# Settlement lines in one column.
_SETTLED_BELOW: Final = 6


def rules_pdf(
    rules: HouseRules, *, newest: HouseRules, club: str, address: str, order: str = "abab"
) -> bytes:
    """The rule sheet in two columns, and at the end a whole sheet scored by it.

    `club` is blank for readers who may not know it, `address` is the short link, `order` the club's order of
    columns.
    """
    pdf = Document(title=rules.name, made_at=rules.created_at, texts=[rules.name, club])
    return _Sheet(pdf, rules, newest, club, address, order).draw()


@dataclass
class _Sheet:
    """The rule sheet while it is drawn; `y` moves down the current column."""

    pdf: Document
    kept: HouseRules
    newest: HouseRules
    club: str
    address: str
    order: str
    column: int = 0
    top: float = _TOP
    y: float = _TOP

    def __post_init__(self) -> None:
        self.rules = self.kept.rules

    @property
    def x(self) -> float:
        return _LEFT + self.column * (_COLUMN + _GAP)

    def draw(self) -> bytes:
        self.pdf.add_page()
        self._head()
        preset = nearest_preset(self.rules)
        title = str(PRESET_WORDS[preset][0])
        for group, lines in knob_groups(self.rules, Rules.preset(preset)):
            self._section(
                str(group),
                (
                    (line.sentence, _("%(preset)s: %(value)s") % {"preset": title, "value": line.instead_of})
                    if line.instead_of
                    else (line.sentence, "")
                    for line in lines
                ),
            )
        examples = worked_examples(self.rules)
        hands = [(f"{each.what}: {each.comes_to}.", "") for each in (*examples.hands, *examples.limits)]
        self._section(_("Worked examples"), hands)
        if examples.shutout:
            self._section(_("A shutout"), [(examples.shutout, "")])
        if examples.teams:
            self._section(_("Teams"), [(f"{each.what}: {each.comes_to}.", "") for each in examples.teams])
        self._section(_("These are not rules here"), [(said, "") for said in not_rules_here(self.rules)])
        self._whole_sheet(examples)
        return self.pdf.finished()

    def _head(self) -> None:
        pdf, width = self.pdf, _RIGHT - _LEFT - _QR - _GAP
        if self.club:
            pdf.face(10, family=SERIF, color=SOFT)
            pdf.put(_LEFT, self.y, width, 5, self.club)
        pdf.face(20, family=SERIF)
        pdf.put(_LEFT, self.y + 6, width, 9, self.kept.name)
        pdf.face(9, color=SOFT)
        made = date_format(self.kept.created_at, "j F Y")
        words = [
            _("version %(number)s of %(date)s") % {"number": self.kept.version, "date": made},
            rules_headline(self.rules),
        ]
        pdf.put(_LEFT, self.y + 16, width, 5, " · ".join(words))
        address = self.address
        if self.kept.version != self.newest.version:
            address = _("Version %(number)s is newer: %(address)s") % {
                "number": self.newest.version,
                "address": self.address,
            }
        pdf.put(_LEFT, self.y + 21, width, 5, address)
        pdf.qr(_RIGHT - _QR, self.y, _QR, self.address)
        self.y = self.top = self.y + _QR + 3
        pdf.rule(_LEFT, self.y - 1, _RIGHT, self.y - 1, strong=True)
        self.y = self.top = self.top + 1

    def _whole_sheet(self, examples: Examples) -> None:
        """An evening scored by the rules: on the current page if it fits, else on one of its own."""
        pdf, width = self.pdf, _RIGHT - _LEFT
        table = sheet_table(examples.sheet, order=self.order)
        lines = examples.settlement
        pdf.face(_SIZE)
        # A long settlement has two columns, unless a line is too wide.
        short = all(pdf.get_string_width(line) <= _COLUMN for line in lines)
        deep = (len(lines) + 1) // 2 if short and len(lines) > _SETTLED_BELOW else len(lines)
        height = _SHEET_HEAD + sheet_height(table) + 3 + deep * _SETTLED
        if self.column == 0 and self.y + height <= _BOTTOM:
            y = self.y
        else:
            pdf.add_page()
            y = _TOP
        pdf.face(14, family=SERIF)
        pdf.put(_LEFT, y, width, 7, _("A whole sheet by these rules"))
        y = draw_sheet(pdf, table, left=_LEFT, top=y + _SHEET_HEAD, width=width) + 3
        pdf.face(_SIZE)
        for index, sentence in enumerate(lines):
            column, row = divmod(index, deep)
            x = _LEFT + column * (_COLUMN + _GAP)
            pdf.put(x, y + row * _SETTLED, _RIGHT - x, _SETTLED, sentence)

    def _section(self, title: str, lines: Iterable[tuple[str, str]]) -> None:
        """A heading with its sentences, each with a note in small print."""
        pdf = self.pdf
        told = list(lines)
        first = self._height(*told[0]) if told else 0.0
        self._make_room(7 + first)
        pdf.face(11, family=SERIF)
        pdf.put(self.x, self.y, _COLUMN, 6, title)
        self.y += 6
        pdf.rule(self.x, self.y, self.x + _COLUMN, self.y)
        self.y += 1
        for sentence, note in told:
            self._make_room(self._height(sentence, note))
            self._write(sentence, note)
        self.y += 2.5

    def _make_room(self, height: float) -> None:
        if self.y + height <= _BOTTOM:
            return
        if self.column == 0:
            self.column = 1
        else:
            self.column = 0
            self.pdf.add_page()
            self.top = _TOP
        self.y = self.top

    def _height(self, sentence: str, note: str) -> float:
        self.pdf.face(_SIZE, bold=bool(note))
        height = self._paragraph(sentence, dry=True)
        if note:
            self.pdf.face(7.5)
            height += self._paragraph(note, dry=True)
        return height + 0.8

    def _write(self, sentence: str, note: str) -> None:
        self.pdf.face(_SIZE, bold=bool(note), color=INK)
        self.y += self._paragraph(sentence)
        if note:
            self.pdf.face(7.5, color=SOFT)
            self.y += self._paragraph(note)
        self.y += 0.8

    def _paragraph(self, text: str, *, dry: bool = False) -> float:
        """Write wrapped text from `y` on, unless `dry`; returns its height."""
        return self.pdf.paragraph(self.x, self.y, _COLUMN, _LINE, text, dry=dry)
