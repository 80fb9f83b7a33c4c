"""A draft compared with the sheet version it was begun on: its deals, its changes, its problems.

What a draft would write depends only on the draft and on that version, never on the current sheet; so the
same draft always asks for the same act, which its key identifies.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Final

from django.utils.translation import gettext as _

from league.entry.drafts import Draft, wrong_draft
from league.entry.figures import PaperAsRead, read_paper
from league.policy.naming import AS_WRITTEN, Names
from scoring.core.sheets import VOID, Deal
from scoring.models import ActKind, DealVersion, Scoresheet, SheetAct
from scoring.services.records import KeptSheet, kept_sheet
from scoring.typing.notation import TypedRow, TypedSheet, read_rows, write_row
from scoring.typing.paper_figures import Difference, Paper, differences
from scoring.words.messages import translated

_TIME: Final = ("t",)


@dataclass(frozen=True)
class Base:
    """A sheet at one version, the one on which a draft was begun."""

    kept: KeptSheet
    version: int
    deals: tuple[Deal, ...]
    stopped: bool
    paper: Paper | None
    left: int

    @property
    def is_blank(self) -> bool:
        """True if nothing had been saved."""
        return not self.deals and not self.stopped and self.paper is None

    def rows(self, *, left: int, running_totals: bool) -> list[tuple[str, ...]]:
        """The rows in typing notation."""
        rules = self.kept.sheet.rules.rules
        rows = [
            write_row(
                deal, number, rules=rules, sides=self.kept.sides, left=left, running_totals=running_totals
            )
            for number, deal in enumerate(self.deals, start=1)
        ]
        return [*rows, _TIME] if self.stopped else rows


def base_of(sheet: Scoresheet, version: int | None = None, names: Names = AS_WRITTEN) -> Base:
    """The sheet at a version, by default the current one; a future version gives the current state.

    A given version is read from the history even if it is the latest: somebody may be saving just now.
    """
    kept = names.sheet(kept_sheet(sheet), getattr(sheet, "match", None))
    if kept.has_substitutes and version is not None:
        later = sheet.acts.filter(kind=ActKind.SEAT, version__gt=version)
        kept = kept.without_seats([body["seat"] for body in later.values_list("body", flat=True)])
    if version is None:
        paper = None if sheet.paper is None else Paper.from_document(sheet.paper)
        return Base(kept, sheet.version, tuple(kept.deals), sheet.stopped, paper, sheet.left_side)
    bodies: dict[int, object] = {}
    for row in DealVersion.objects.filter(sheet=sheet, act__version__lte=version).order_by(
        "number", "version"
    ):
        bodies[row.number] = kept.deal(row.body, row.number)
    stopped, paper, left = False, None, 0
    for body in (
        SheetAct.objects.filter(sheet=sheet, version__lte=version)
        .order_by("id")
        .values_list("body", flat=True)
    ):
        stopped = body.get("stopped", stopped)
        left = body.get("left_side", left)
        if "paper" in body and "stopped" in body:
            paper = Paper.from_document(body["paper"])
    deals = tuple(deal for deal in bodies.values() if isinstance(deal, Deal))
    return Base(kept, version, deals, stopped, paper, left)


class DraftAct(Enum):
    """The act of saving a draft."""

    NOTHING = "nothing"
    RECORD = "record"
    CORRECT = "correct"


@dataclass(frozen=True)
class Plan:
    """The arguments for the services: deals to append, or deals to replace by number."""

    act: DraftAct
    added: tuple[Deal, ...] = ()
    changes: Mapping[int, Deal] | None = None
    stopped: bool | None = None
    paper: Paper | None = None


@dataclass(frozen=True)
class RowProblem:
    """Why a row cannot be saved. `override` is the key of a warning that can be dismissed, else ""."""

    message: str
    override: str = ""
    cell: int | None = None


@dataclass(frozen=True)
class DraftReading:
    """A draft compared with its base."""

    draft: Draft
    base: Base
    typed: TypedSheet
    paper: PaperAsRead

    @cached_property
    def problems(self) -> dict[int, RowProblem]:
        """The problems that prevent saving, by row."""
        found = {}
        for row in self.typed.rows:
            if problem := self._problem(row):
                found[row.number] = problem
        for number in range(len(self.typed.rows) + 1, len(self.base.deals) + 1):
            found[number] = RowProblem(_("This row is saved: type v to strike it out, it keeps its number."))
        return found

    @cached_property
    def differences(self) -> tuple[Difference, ...]:
        """The differences from the paper."""
        return () if self.paper.paper is None else differences(self.typed.state, self.paper.paper)

    @cached_property
    def plan(self) -> Plan:
        """What saving would do; complete only if there are no problems."""
        base, typed = self.base, self.typed
        deals = self.deals
        count = len(base.deals)
        changes = {
            number: deal
            for number, (deal, old) in enumerate(zip(deals, base.deals, strict=False), start=1)
            if deal != old
        }
        added = deals[count:]
        paper = self.paper.paper
        if paper is None and base.paper is not None and not self.paper.errors:
            paper = Paper()
        if paper == base.paper:
            paper = None
        stops = typed.stopped and not base.stopped
        if not changes and not base.stopped and (added or stops or (paper and base.paper is None)):
            return Plan(DraftAct.RECORD, added=added, stopped=typed.stopped, paper=paper)
        if not (changes or added or self.is_swapped) and typed.stopped == base.stopped and paper is None:
            return Plan(DraftAct.NOTHING)
        changes.update(enumerate(added, start=count + 1))
        stopped = typed.stopped if typed.stopped != base.stopped else None
        return Plan(DraftAct.CORRECT, changes=changes, stopped=stopped, paper=paper)

    @property
    def is_swapped(self) -> bool:
        """True if the sides were swapped; on a blank sheet that is no change."""
        return self.draft.left != self.base.left and not self.base.is_blank

    @cached_property
    def deals(self) -> tuple[Deal, ...]:
        """The whole sheet as typed; unreadable rows are void."""
        return tuple(row.deal or VOID for row in self.typed.rows if not row.stops)

    def is_as_saved(self, row: TypedRow) -> bool:
        """Return whether the row equals the saved one."""
        return row.number <= len(self.base.deals) and row.deal == self.base.deals[row.number - 1]

    def _problem(self, row: TypedRow) -> RowProblem | None:
        is_as_saved = self.is_as_saved(row)
        if row.error is not None:
            # A correction may end the sheet earlier: saved deals after the end are kept, uncounted.
            if is_as_saved and row.error.code == "sheet_finished":
                return None
            return RowProblem(translated(row.error.message), cell=row.error.cell)
        if row.deal is not None and row.deal.is_void and row.number > len(self.base.deals):
            return RowProblem(_("This row is not saved yet: Ctrl-Del takes it out."))
        if is_as_saved:
            return None
        for doubt in row.warnings:
            if not doubt.overridden:
                return RowProblem(translated(doubt.message), override=doubt.key, cell=doubt.cell)
        return None


def read(sheet: Scoresheet, draft: Draft, names: Names = AS_WRITTEN) -> DraftReading:
    """Compare the draft with the version it was begun on; typing errors become problems."""
    base = base_of(sheet, draft.version, names)
    sides = base.kept.sides
    if draft.left >= len(sides):
        raise wrong_draft("left")
    rules = sheet.rules.rules
    typed = read_rows(
        draft.rows,
        rules=rules,
        sides=sides,
        left=draft.left,
        running_totals=draft.running,
        lines_only=draft.lines,
        overridden=draft.overridden,
    )
    called = [side.name for side in sides]
    return DraftReading(draft, base, typed, read_paper(draft.paper, called, draft.left, rules.columns))
