"""Result slips, handed in by a table after its match: several on A4, to be cut apart."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.core.addresses import public_address
from league.models import AWARDED, Match, Round
from league.policy.naming import Names
from scoring.paper.fonts import SERIF
from scoring.paper.pdf import SOFT, Document
from scoring.typing.wording import roman
from scoring.words.rules_words import rules_headline

_LEFT: Final = 12.0
_RIGHT: Final = 198.0
_TOP: Final = 8.0
_HEIGHT: Final = 281.0
_ROW: Final = 6.6
_QR: Final = 17.0
# Height of the head, the column heads, the net and the code beside the signatures.
_BESIDES_GAMES: Final = 48.5


def slips_pdf(
    round_: Round,
    matches: Sequence[Match],
    names: Names,
    *,
    address: Callable[[Match], str] | None = None,
    event_address: str = "",
) -> bytes:
    """A slip for every match of a round between two sides, in order of tables.

    Where several sheets make a tie, also for those that may follow. Load as for `sheets.round_sheets_pdf`,
    and the ties; `address` returns the address of a match, for the QR code, `event_address` is the event's
    page, for another one.
    """
    event = round_.event
    played = [match for match in matches if match.state not in AWARDED and match.entry_b_id is not None]
    slips = [slip for match in played for slip in _slips(match, played, event.best_of, address)]
    pdf = Document(
        title=_("%(round)s: result slips") % {"round": round_},
        made_at=event.created_at,
        texts=[event.name, event.club.name, *(name for match in played for name in _names(match, names))],
    )
    rows = [len(match.sides) for match in played if match.is_table]
    # At a table a row of signatures more stands where the net of two would.
    height = _BESIDES_GAMES + (max(rows) + 1 if rows else event.rules.rules.columns) * _ROW
    on_a_page = max(int(_HEIGHT // height), 1)
    height = _HEIGHT / on_a_page
    for index, slip in enumerate(slips):
        place = index % on_a_page
        if place == 0:
            pdf.add_page()
        else:
            pdf.set_dash_pattern(dash=1, gap=2)
            pdf.rule(4, _TOP + place * height, 206, _TOP + place * height)
            pdf.set_dash_pattern()
        _Slip(pdf, round_, slip, names, _TOP + place * height, event_address).draw()
    if not slips:
        pdf.add_page()
        pdf.face(12, color=SOFT)
        pdf.put(_LEFT, _TOP, _RIGHT - _LEFT, 8, _("There is no slip to print in this round."))
    return pdf.finished()


@dataclass(frozen=True, slots=True)
class _Printed:
    """The subject of a slip: a match, or a further sheet of its tie, for which there is no match yet."""

    match: Match
    label: str
    link: str = ""
    note: str = ""


def _slips(
    match: Match, played: Sequence[Match], best_of: int, address: Callable[[Match], str] | None
) -> Iterator[_Printed]:
    """The slip of a match; after the last sheet of an open tie, also those of sheets that may follow."""
    yield _Printed(match, match.label, "" if address is None else public_address(address(match)))
    legs = [other for other in played if match.tie_id is not None and other.tie_id == match.tie_id]
    if match.tie is None or match.tie.decided_by or match.leg < max(other.leg for other in legs):
        return
    for leg in range(match.leg + 1, best_of + 1):
        label = f"{match.label.removesuffix(f'.{match.leg}')}.{leg}"
        yield _Printed(match, label, note=_("sheet %s, if it is needed") % leg)


class _Slip:
    """One slip; `y` moves down as it is drawn."""

    def __init__(
        self, pdf: Document, round_: Round, printed: _Printed, names: Names, top: float, event_address: str
    ) -> None:
        self.pdf = pdf
        self.round = round_
        self.printed = printed
        self.names = names
        self.match = printed.match
        self.link = printed.link
        self.event_address = event_address
        self.y = top + 4.5
        self.right = _RIGHT - (_QR + 4 if self.link else 0)

    def draw(self) -> None:
        if self.link:
            self.pdf.qr(_RIGHT - _QR, self.y, _QR, self.link, _("this match"))
        self._head()
        if self.match.is_table:
            self._places()
        else:
            self._games()
        self._foot()

    def _head(self) -> None:
        pdf, match, event = self.pdf, self.match, self.round.event
        width = self.right - _LEFT
        pdf.face(13, family=SERIF)
        label = min(pdf.get_string_width(self.printed.label) + 1, 0.5 * width)
        pdf.put(self.right - label, self.y, label, 6, self.printed.label, align="R", smallest=0.4)
        pdf.put(_LEFT, self.y, width - label - 4, 6, self.names.match(match))
        pdf.face(8, color=SOFT)
        said = [event.name, _("round %s") % self.round.number]
        said.append(round_day(self.round, "j F Y"))
        if self.printed.note:
            said.append(self.printed.note)
        if match.table is not None:
            said.append(_("table %s") % match.table)
        said.append(rules_headline(event.rules.rules, team_size=event.team_size))
        pdf.put(_LEFT, self.y + 6.2, width, 4, " · ".join(said))
        players = [] if match.is_table else [self._players(side) for side in match.sides]
        if any(players):
            a, b = (said or self.names.marked_side(match, side) for side, said in enumerate(players))
            pdf.face(7.5, color=SOFT)
            pdf.put(_LEFT, self.y + 10.2, width, 4, _("%(a)s v %(b)s") % {"a": a, "b": b})
        self.y += 15.5

    def _players(self, side: int) -> str:
        """The players of a side, "" if the side's name contains all of them."""
        players = [each.player for each in self.match.appearances.all() if each.side == side]
        name, names = self.names.side(self.match, side), self.names
        said_by_side = all(names.player(each) in name for each in players)
        return "" if said_by_side else ", ".join(map(names.marked, players))

    def _games(self) -> None:
        """A row per game: the totals of both sides, the winner, the margin."""
        columns = self.round.event.rules.rules.columns
        first, second = (self.names.marked_side(self.match, side) for side in (0, 1))
        heads = (_("Game"), first, second, _("won by"), _("by points"))
        rows = [roman(game + 1) if columns > 1 else "" for game in range(columns)]
        self._ruled((0, 0.12, 0.37, 0.62, 0.84, 1), heads, rows)

    def _places(self) -> None:
        """A row per player of a table: net and place."""
        rows = [self.names.marked_side(self.match, side) for side in self.match.sides]
        self._ruled((0, 0.56, 0.8, 1), (_("Player"), _("Net"), _("Place")), rows)

    def _ruled(self, shares: Sequence[float], heads: Sequence[str], rows: Sequence[str]) -> None:
        """Cells below these heads, with edges at these shares of the width: of each row the first is told."""
        pdf, width = self.pdf, self.right - _LEFT
        edges = [_LEFT + width * share for share in shares]
        top = self.y
        pdf.rule(_LEFT, top, self.right, top, strong=True)
        pdf.face(7.5, color=SOFT)
        for place, head in enumerate(heads):
            pdf.put(edges[place] + 1, top, edges[place + 1] - edges[place] - 2, 5, head)
        self.y += 5
        for row in rows:
            pdf.rule(_LEFT, self.y, self.right, self.y)
            pdf.face(10, family=SERIF)
            pdf.put(_LEFT + 1, self.y, edges[1] - _LEFT - 2, _ROW, row)
            self.y += _ROW
        pdf.rule(_LEFT, self.y, self.right, self.y, strong=True)
        for edge in edges:
            pdf.rule(edge, top, edge, self.y)

    def _foot(self) -> None:
        pdf = self.pdf
        self.y += 1.5
        edge = _RIGHT
        if self.event_address:
            edge -= _QR + 4
            pdf.qr(_RIGHT - _QR, self.y + 1.5, _QR, self.event_address, _("the event"))
        width = edge - _LEFT
        if not self.match.is_table:
            pdf.face(9, bold=True)
            pdf.put(_LEFT, self.y, 12, 7, _("net"))
            pdf.rule(_LEFT + 10, self.y + 6.3, _LEFT + width * 0.33, self.y + 6.3)
            pdf.put(_LEFT + width * 0.36, self.y, 12, 7, _("to"))
            pdf.rule(_LEFT + width * 0.36 + 8, self.y + 6.3, edge, self.y + 6.3)
            self.y += 9.5
        half = (width - 8) / 2
        for side in self.match.sides:
            x = _LEFT + side % 2 * (half + 8)
            y = self.y + side // 2 * 9.5
            pdf.rule(x, y + 5.5, x + half, y + 5.5)
            pdf.face(7, color=SOFT)
            pdf.put(x, y + 5.8, half, 3.5, _("signed: %s") % self.names.marked_side(self.match, side))


def round_day(round_: Round, format: str) -> str:
    """The date of a round, or a line to write it on."""
    return _("date %s") % (12 * "_") if round_.date is None else date_format(round_.date, format)


def _names(match: Match, names: Names) -> list[str]:
    return [names.match(match), *(names.marked(each.player) for each in match.appearances.all())]
