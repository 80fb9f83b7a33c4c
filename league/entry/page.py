"""The sheet page: a draft with its echo, the double columns, and the comparison with the paper.

The page and every preview are made of the same `EntryPage`; nothing is computed here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.entry.drafts import Draft
from league.entry.figures import write_paper
from league.entry.reading import Base, DraftAct, DraftReading
from league.models import Club
from scoring.core.sheet_state import players_by_seat
from scoring.core.sheets import SheetSide, SheetState
from scoring.paper.layout import DealRow, RowCell, SheetTable, sheet_table
from scoring.templatetags.figures import signed
from scoring.typing.notation import TypedRow
from scoring.typing.paper_figures import Paper
from scoring.typing.rows import team_pairing
from scoring.typing.wording import difference_words, need_words, needs, to_go_words
from scoring.words.messages import translated


@dataclass(frozen=True, slots=True)
class PageField:
    """One field of a row; `pairing` names the players at this table of a team deal."""

    text: str
    pairing: str = ""
    is_refused: bool = False


@dataclass(frozen=True, slots=True)
class PageRow:
    """A row: its fields, its echo or error, and its cells in the double columns.

    `was` is the saved text if that differs, `arrival` the substitute who starts with this deal.
    """

    number: int
    fields: tuple[PageField, ...]
    cells: tuple[RowCell, ...]
    words: str = ""
    problem: str = ""
    override: str = ""
    was: str = ""
    kind: str = "blank"
    arrival: str = ""


@dataclass(frozen=True, slots=True)
class CorrectedRow:
    """One change of a correction: a row, or the whole sheet if `number` is None."""

    number: int | None
    before: str
    after: str


@dataclass(frozen=True)
class EntryPage:
    """Everything on the page that is derived from the draft."""

    reading: DraftReading
    table: SheetTable
    rows: tuple[PageRow, ...]
    status: str
    differences: tuple[str, ...]
    changes: tuple[CorrectedRow, ...]

    @property
    def agrees(self) -> bool:
        """True if the paper has figures and the sheet equals them."""
        paper = self.reading.paper.paper
        return paper is not None and paper != Paper(no_net=True) and not self.differences

    @property
    def needs_reason(self) -> bool:
        """True if saving would be a correction."""
        return self.reading.plan.act is DraftAct.CORRECT

    @property
    def has_ended(self) -> bool:
        """True if the sheet as typed is finished or stopped."""
        return self.reading.typed.state.status != "open"

    @property
    def count(self) -> int:
        """The number of typed rows."""
        return len(self.reading.typed.rows)


def sheet_page(club: Club, reading: DraftReading) -> EntryPage:
    """The page of a sheet of this club for a parsed draft."""
    draft, typed = reading.draft, reading.typed
    order = club.column_order
    table = sheet_table(typed.state, order=order, left_side=draft.left)
    return EntryPage(
        reading,
        table,
        tuple(_rows(reading, table)),
        _status(typed.state),
        tuple(translated(difference_words(difference, typed.state)) for difference in reading.differences),
        tuple(_changes(reading)),
    )


def blank_draft(base: Base, *, left: int, running: bool) -> Draft:
    """The initial draft of a page: the saved rows, and a blank one if the sheet is open."""
    rows = base.rows(left=left, running_totals=running)
    lines = any(deal.line is not None for deal in base.deals)
    if base.kept.state.status == "open":
        rows.append(("",))
    columns = base.kept.sheet.rules.rules.columns
    return Draft(
        key="unsent draft",
        version=base.version,
        left=left,
        running=running,
        lines=lines,
        rows=tuple(rows),
        paper=write_paper(base.paper, left, columns),
    )


def draft_document(draft: Draft) -> dict[str, Any]:
    """The draft as `entry.js` holds it; the key is made in the browser."""
    paper = draft.paper
    return {
        "version": draft.version,
        "left": draft.left,
        "running": draft.running,
        "lines": draft.lines,
        "rows": [list(row) for row in draft.rows],
        "overridden": [],
        "paper": {
            "net": paper.net,
            "none": paper.none,
            "totals": list(paper.totals),
            "boxes": paper.boxes,
            "lines": paper.lines,
        },
        "reason": "",
        "accepted": "",
        "signed": False,
    }


def pairings(number: int, sides: Sequence[SheetSide], left: int) -> list[str]:
    """The pairings at the tables of deal `number`, the left side's player first; [] if there is one table."""
    if len({len(side.players) for side in sides}) > 1 or len(sides[0].players) == 1:
        return []
    return [f"{pair[left]}–{pair[1 - left]}" for pair in team_pairing(number, sides)]


def _rows(reading: DraftReading, table: SheetTable) -> list[PageRow]:
    draft, base = reading.draft, reading.base
    typed: Mapping[int, TypedRow] = {row.number: row for row in reading.typed.rows}
    scored: Mapping[int, DealRow] = {row.number: row for row in table.rows}
    saved = base.rows(left=draft.left, running_totals=draft.running)
    arrivals = _arrivals(base.kept.sides)
    rows = []
    is_next = True
    for number, texts in enumerate(draft.rows, start=1):
        row = typed.get(number)
        problem = reading.problems.get(number)
        was = ""
        if number <= len(saved) and not _is_same(reading, number, row):
            was = _joined(saved[number - 1])
        words = "" if row is None or row.echo is None else translated(row.echo)
        if row is None and is_next:
            is_next = False
            words = _next_need(reading.typed.state)
        if row is not None and row.error is not None and problem is None:
            words = _("after the end: kept, does not count")
        kind = "blank" if row is None else "time" if row.stops else "void"
        if number in scored and row is not None and not row.stops:
            kind = "refused" if row.error is not None and problem is not None else scored[number].kind
        labels = pairings(number, base.kept.sides, draft.left)
        count = max(len(texts), 1 if draft.lines else len(labels), 1)
        cells = scored[number].cells if number in scored else _blank_cells(table, number, reading.typed.state)
        fields = tuple(
            PageField(
                texts[index] if index < len(texts) else "",
                labels[index] if index < len(labels) and not (draft.lines and len(texts) < 2) else "",
                problem is not None and not problem.override and problem.cell in (None, index),
            )
            for index in range(count)
        )
        rows.append(
            PageRow(
                number,
                fields,
                cells,
                words,
                "" if problem is None else problem.message,
                "" if problem is None else problem.override,
                was,
                kind,
                arrivals.get(number, ""),
            )
        )
    return rows


def _arrivals(sides: Sequence[SheetSide]) -> dict[int, str]:
    """Substitutions in words, by deal."""
    found: dict[int, list[str]] = {}
    for side in sides:
        for one in side.substitutes:
            words = _("%(player)s for %(replaces)s from here on") % {
                "player": one.player,
                "replaces": one.replaces,
            }
            found.setdefault(one.from_deal, []).append(words)
    return {number: "; ".join(words) for number, words in found.items()}


def _is_same(reading: DraftReading, number: int, row: TypedRow | None) -> bool:
    """Return whether the row equals the saved one."""
    if number > len(reading.base.deals):
        return row is not None and row.stops
    return row is not None and reading.is_as_saved(row)


def _blank_cells(table: SheetTable, number: int, state: SheetState) -> tuple[RowCell, ...]:
    closed = {column.number for column in state.columns if column.status != "open"}
    return tuple(RowCell(number, place, closed=place.column in closed) for place in table.frame.places)


def _next_need(state: SheetState) -> str:
    if turn := _next_turn(state):
        return turn
    left = to_go_words(state)
    if left is not None and state.status == "open":
        return translated(left) if state.deals else ""
    found = [need for need in needs(state) if need.is_next]
    if not state.deals or not found:
        return ""
    return translated(need_words(min(found, key=lambda need: need.points), state))


def _next_turn(state: SheetState) -> str:
    """Who plays and who deals next, where others wait or several play at once; "" where two sides play."""
    table = state.table
    if table is None or (len(table.playing) == len(state.sides) == 2 and not table.waiting):
        return ""
    players = players_by_seat(state.sides, len(state.deals) + 1)
    dealer = _("%(name)s deals") % {"name": players[table.dealer]}
    if not table.waiting:
        return dealer
    first, second = (players[seat] for seat in table.playing)
    playing = _("%(first)s plays %(second)s") % {"first": first, "second": second}
    return f"{playing}; {dealer}"


def _status(state: SheetState) -> str:
    if state.status == "open":
        left = to_go_words(state)
        if left is not None:
            return translated(left)
        found = needs(state)
        said = [translated(need_words(need, state)) for need in found if need.column == found[0].column]
        return "; ".join(filter(None, [_next_turn(state), *said]))
    result = _("level")
    if state.winner is not None:
        net = state.nets[[side.name for side in state.sides].index(state.winner)]
        result = f"{state.winner} {signed(net)}"
    if state.status == "stopped":
        return _("Time called: %(result)s") % {"result": result}
    return _("Finished: %(result)s") % {"result": result}


def _changes(reading: DraftReading) -> list[CorrectedRow]:
    """What saving would change; [] unless it would be a correction."""
    plan, base, draft = reading.plan, reading.base, reading.draft
    if plan.act is not DraftAct.CORRECT:
        return []
    saved = base.rows(left=draft.left, running_totals=draft.running)
    changes = []
    for number in plan.changes or {}:
        before = _joined(saved[number - 1]) if number <= len(base.deals) else _("none")
        after = _joined(draft.rows[number - 1]) if number <= len(draft.rows) else ""
        changes.append(CorrectedRow(number, before, after))
    before_state = base.kept.score(base.deals, stopped=base.stopped)
    after_state = reading.typed.state
    if _status(before_state) != _status(after_state):
        changes.append(CorrectedRow(None, _short_status(before_state), _short_status(after_state)))
    lost = sum(not deal.counted for deal in after_state.deals) - sum(
        not deal.counted for deal in before_state.deals
    )
    if lost > 0:
        text = ngettext("%(count)s row after the end", "%(count)s rows after the end", lost)
        changes.append(CorrectedRow(None, _("all rows count"), text % {"count": lost}))
    if reading.is_swapped:
        names = [side.name for side in base.kept.sides]
        text = _("%(name)s on the left")
        changes.append(
            CorrectedRow(None, text % {"name": names[base.left]}, text % {"name": names[draft.left]})
        )
    if plan.paper is not None:
        changes.append(CorrectedRow(None, _("the paper's figures"), _("as typed now")))
    return changes


def _short_status(state: SheetState) -> str:
    return _("still open") if state.status == "open" else _status(state)


def _joined(texts: Sequence[str]) -> str:
    return " · ".join(texts)
