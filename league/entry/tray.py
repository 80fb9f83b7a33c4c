"""The tray of a night: all sheets that a round expects, with their progress."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from django.db.models import Count
from django.utils.translation import gettext_lazy as _

from league.entry.presence import Typing, who_types
from league.models import AWARDED, UNFINISHED, Match, Round
from scoring.models import PaperState, Scoresheet, SecondTyping, SheetStatus, Signature


class TrayState(Enum):
    """The progress of a sheet, in words."""

    MISSING = _("missing")
    NO_LINEUP = _("no line-up yet")
    TYPING = _("being typed")
    BEGUN = _("not ended yet")
    DIFFERS = _("differs from the paper")
    COMPLETE = _("complete")
    SIGNED = _("signed on paper")
    AWARDED = _("awarded")
    ANNULLED = _("annulled")
    VOID = _("void")


DONE = (TrayState.COMPLETE, TrayState.SIGNED)
TO_TYPE = (TrayState.MISSING, TrayState.BEGUN)


@dataclass(frozen=True)
class TrayRow:
    """A match of the round and its sheet. `typed_twice` counts unsettled second typings."""

    match: Match
    state: TrayState
    typing: Typing | None = None
    typed_twice: int = 0

    @property
    def word(self) -> str:
        """The state in words; for an awarded result its name."""
        if self.state is TrayState.AWARDED:
            return str(self.match.get_state_display())
        return str(self.state.value)

    @property
    def names(self) -> tuple[str, str]:
        """The two sides, the second "" for a bye; all who sit at a table are the first."""
        if self.match.is_table:
            return str(self.match), ""
        return self.match.side_shown(0), self.match.side_shown(1)

    @property
    def is_expected(self) -> bool:
        """True if the pile of paper should contain this match's sheet."""
        return self.state not in (TrayState.AWARDED, TrayState.ANNULLED, TrayState.VOID)

    @property
    def result(self) -> str:
        """The leader and the margin; "" if the sides are level or no sheet is expected."""
        sheet = self.match.sheet
        if sheet is None or not self.is_expected or sheet.leader is None:
            return ""
        return f"{self.match.side_shown(sheet.leader)} +{sheet.lead:,}"

    @property
    def is_accepted(self) -> bool:
        """True if a difference from the paper was accepted."""
        return self.match.sheet is not None and self.match.sheet.paper_state == PaperState.ACCEPTED


@dataclass(frozen=True)
class Tray:
    """A round's rows in order of tables."""

    round: Round
    rows: Sequence[TrayRow]

    @cached_property
    def expected(self) -> list[TrayRow]:
        """The rows whose sheets are expected."""
        return [row for row in self.rows if row.is_expected]

    @cached_property
    def done(self) -> int:
        """The number of complete sheets."""
        return sum(row.state in DONE for row in self.rows)

    @cached_property
    def counts(self) -> list[tuple[str, int]]:
        """The number of sheets in each state, by its word, in the order of `TrayState`."""
        order = list(TrayState)
        rows = sorted(self.rows, key=lambda row: (order.index(row.state), row.word))
        return list(Counter(row.word for row in rows).items())

    def position(self, match: Match) -> int:
        """The match's number in the pile, from 1; 0 if it is not expected."""
        ids = [row.match.pk for row in self.expected]
        return ids.index(match.pk) + 1 if match.pk in ids else 0

    def next_after(self, match: Match | None = None) -> TrayRow | None:
        """The next sheet to type after a match, wrapping around; None if all are typed."""
        rows = list(self.rows)
        at = next((index for index, row in enumerate(rows) if match and row.match.pk == match.pk), -1)
        return next((row for row in [*rows[at + 1 :], *rows[: max(at, 0)]] if row.state in TO_TYPE), None)


def tray_of(round_: Round) -> Tray:
    """The tray of a round, in four queries and a cache lookup."""
    matches = list(
        Match.objects.filter(round=round_).with_sides("sheet", "round", "event__club").order_by("table", "id")
    )
    sheets = [match.sheet for match in matches if match.sheet is not None]
    ids = [sheet.pk for sheet in sheets]
    signed = _signed({match.sheet: len(match.sides) for match in matches if match.sheet is not None})
    twice = dict(
        SecondTyping.objects.filter(sheet__in=ids, settled_at=None)
        .order_by()
        .values_list("sheet")
        .annotate(count=Count("id"))
    )
    typing = who_types(ids)
    rows = []
    for match in matches:
        note = None if match.sheet_id is None else typing.get(match.sheet_id)
        state = _state(match, note, is_signed=match.sheet_id in signed)
        rows.append(TrayRow(match, state, note, twice.get(match.sheet_id, 0) if match.sheet_id else 0))
    return Tray(round_, rows)


def _signed(sheets: Mapping[Scoresheet, int]) -> set[int]:
    """The sheets whose latest version all their sides have signed, of which they have so many."""
    versions = {sheet.pk: sheet.version for sheet in sheets}
    sides = {sheet.pk: count for sheet, count in sheets.items()}
    counts = Counter(
        sheet_id
        for sheet_id, version in Signature.objects.filter(sheet__in=versions)
        .order_by()
        .values_list("sheet_id", "version")
        if versions[sheet_id] == version
    )
    return {sheet_id for sheet_id, count in counts.items() if count == sides[sheet_id]}


def _state(match: Match, typing: Typing | None, *, is_signed: bool) -> TrayState:
    if match.state in AWARDED:
        return TrayState.AWARDED
    if match.annulled and match.state in UNFINISHED:
        return TrayState.ANNULLED
    sheet = match.sheet
    if sheet is None:
        return TrayState.NO_LINEUP
    if sheet.status == SheetStatus.VOID:
        return TrayState.VOID
    if sheet.paper_state == PaperState.DIFFERS:
        return TrayState.DIFFERS
    if sheet.status != SheetStatus.OPEN:
        return TrayState.SIGNED if is_signed else TrayState.COMPLETE
    if typing is not None:
        return TrayState.TYPING
    return TrayState.BEGUN if sheet.deal_count else TrayState.MISSING
