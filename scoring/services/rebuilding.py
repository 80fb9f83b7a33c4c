"""Derives stored sheets anew from their deals and acts, and lists where the stored values differ.

The deals and acts are the source of truth. Everything else on a sheet follows from them: its score, its
version, whether time was called, the paper's figures and how the sheet compares with them. Defects of the
source itself, such as a missing deal or a version out of order, are reported and left alone.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Final

from django.db import transaction
from django.db.models import Count, F, Max, QuerySet
from django.utils.translation import gettext as _

from scoring.core.errors import ScoringError
from scoring.models import ActKind, DealVersion, PaperState, Scoresheet, SheetAct, SheetStatus
from scoring.services import DERIVED_FIELDS, derive, paper_state
from scoring.services.feats import Feats, feats_of, store_feats, stored_feats
from scoring.services.records import KeptSheet, kept_sheets

SHEETS_AT_ONCE: Final = 200

# Acts that create a new version of a sheet.
_VERSIONED: Final = frozenset({ActKind.RECORD, ActKind.CORRECT, ActKind.STOP, ActKind.VOID})
_FIELDS: Final = ("version", "stopped", "paper", "paper_state", *DERIVED_FIELDS)


@dataclass(slots=True)
class SheetFinding:
    """A sheet with differences: by field (stored, derived), and defects that cannot be repaired.

    `feats` are the derived figures of its seats and sides, None if they are as stored; `feats_differ` says
    how they differ, by seat, side and field.
    """

    sheet: Scoresheet
    differs: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)
    feats: Feats | None = None
    feats_differ: dict[str, tuple[Any, Any]] = field(default_factory=dict)

    def lines(self) -> list[str]:
        """One line per difference."""
        differing = _("%(field)s is %(stored)s, the deals give %(derived)s")
        lines = [
            *self.broken,
            *(
                differing % {"field": field, "stored": _shown(stored), "derived": _shown(derived)}
                for field, (stored, derived) in (self.differs | self.feats_differ).items()
            ),
        ]
        sheet = {"sheet": self.sheet, "code": self.sheet.code}
        return [_("sheet %(sheet)s (%(code)s): %(line)s") % {**sheet, "line": line} for line in lines]


def check_sheets(sheets: QuerySet[Scoresheet]) -> Iterator[tuple[int, list[SheetFinding]]]:
    """Checks the sheets in chunks: yields the number checked, and the findings among them.

    A sheet that seems to differ is checked again under its lock, since somebody may just have recorded on it.
    """
    ids = list(sheets.order_by("pk").values_list("pk", flat=True))
    for first in range(0, len(ids), SHEETS_AT_ONCE):
        chunk = ids[first : first + SHEETS_AT_ONCE]
        suspects = [finding.sheet.pk for finding in _findings(Scoresheet.objects.filter(pk__in=chunk))]
        yield len(chunk), _locked_findings(suspects, apply=False) if suspects else []


def repair_sheets(ids: Sequence[int]) -> list[SheetFinding]:
    """Writes the derived values of these sheets; returns the findings from before."""
    return _locked_findings(ids, apply=True)


def _locked_findings(ids: Sequence[int], *, apply: bool) -> list[SheetFinding]:
    with transaction.atomic():
        rows = Scoresheet.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=ids)
        findings = list(_findings(rows))
        if apply:
            for finding in findings:
                # `update`, because a repair must not touch the time of the last change.
                values = {name: derived for name, (_stored, derived) in finding.differs.items()}
                if values:
                    Scoresheet.objects.filter(pk=finding.sheet.pk).update(**values)
                if finding.feats is not None:
                    store_feats(finding.sheet.pk, finding.feats)
        return findings


def _findings(rows: QuerySet[Scoresheet]) -> Iterator[SheetFinding]:
    sheets = list(rows.select_related("rules").order_by("pk"))
    acts: dict[int, list[SheetAct]] = defaultdict(list)
    for act in SheetAct.objects.filter(sheet__in=sheets).defer("answer").order_by("pk"):
        acts[act.sheet_id].append(act)
    broken = _broken_versions(sheets)
    feats = stored_feats(sheets)
    for kept in kept_sheets(sheets):
        finding = _finding(kept, acts[kept.sheet.pk], feats[kept.sheet.pk])
        finding.broken += broken[kept.sheet.pk]
        if finding.differs or finding.feats is not None or finding.broken:
            yield finding


def _finding(kept: KeptSheet, acts: list[SheetAct], feats: Feats) -> SheetFinding:
    finding = SheetFinding(kept.sheet)
    versioned = [act for act in acts if act.kind in _VERSIONED]
    for number, act in enumerate(versioned, start=1):
        if act.version != number:
            said = _("act %(act)d made version %(version)d instead of %(expected)d")
            finding.broken.append(said % {"act": act.pk, "version": act.version, "expected": number})
    if _seated(acts) != set(kept.seat_names) - set(range(sum(len(side.players) for side in kept.sides))):
        finding.broken.append(_("its substitutes are not those who were seated"))
    for number, version in enumerate(kept.versions, start=1):
        if version.number != number:
            finding.broken.append(_("deal %(number)d is missing") % {"number": number})
            break
    wanted = copy(kept.sheet)
    wanted.version = len(versioned)
    wanted.stopped = any(act.body.get("stopped", False) for act in versioned[-1:])
    wanted.paper = next((act.body["paper"] for act in reversed(versioned) if "paper" in act.body), None)
    wanted.status = SheetStatus.OPEN
    if any(act.kind == ActKind.VOID for act in versioned):
        wanted.status = SheetStatus.VOID
    try:
        state = kept.score(kept.deals, stopped=wanted.stopped)
        wanted.paper_state = paper_state(wanted.paper, state)
    except (ScoringError, LookupError) as error:
        finding.broken.append(_("its deals cannot be scored: %(reason)s") % {"reason": error})
        return finding
    derive(wanted, kept, state)
    if not versioned:
        # A blank sheet has no derived document.
        wanted.derived = kept.sheet.derived and wanted.derived
    accepted = any(act.kind == ActKind.ACCEPT and act.version == wanted.version for act in acts)
    if accepted and wanted.paper_state == PaperState.DIFFERS:
        wanted.paper_state = PaperState.ACCEPTED
    for name in _FIELDS:
        stored, derived = getattr(kept.sheet, name), getattr(wanted, name)
        if stored != derived:
            finding.differs[name] = (stored, derived)
    _compare_feats(finding, feats, feats_of(kept, state))
    return finding


def _compare_feats(finding: SheetFinding, stored: Feats, derived: Feats) -> None:
    """Note how the figures of seats and sides differ."""
    pairs = (
        (_("seat %(number)d, %(field)s"), stored.seats, derived.seats),
        (_("side %(number)d, %(field)s"), stored.sides, derived.sides),
    )
    for said, old, new in pairs:
        for number, figures in new.items():
            for name, is_, gives in zip(figures._fields, old[number], figures, strict=True):
                if is_ != gives:
                    finding.feats_differ[said % {"number": number + 1, "field": name}] = (is_, gives)
    if finding.feats_differ:
        finding.feats = derived


def _seated(acts: Sequence[SheetAct]) -> set[int]:
    """The numbers of the seats that acts have added and not removed."""
    seats: set[int] = set()
    for act in acts:
        if act.kind == ActKind.SEAT:
            seats.add(act.body["seat"])
        elif act.kind == ActKind.UNSEAT:
            seats.discard(act.body["seat"])
    return seats


def _broken_versions(sheets: Sequence[Scoresheet]) -> dict[int, list[str]]:
    """Deals whose versions are not 1, 2, 3 …, and those written by an act on another sheet."""
    broken: dict[int, list[str]] = defaultdict(list)
    versions = DealVersion.objects.filter(sheet__in=sheets).order_by()
    counted = versions.values("sheet", "number").annotate(count=Count("pk"), last=Max("version"))
    for row in counted.exclude(count=F("last")):
        said = _("deal %(number)d has %(count)d versions up to %(last)d")
        broken[row["sheet"]].append(said % row)
    for version in versions.exclude(act__sheet=F("sheet")):
        said = _("deal %(deal)s was made by an act on another sheet")
        broken[version.sheet_id].append(said % {"deal": version})
    return broken


def _shown(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 120 else f"{text[:119]}…"
