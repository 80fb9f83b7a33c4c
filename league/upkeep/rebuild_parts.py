"""A rebuild in parts that do not depend on each other: an event, the sheets of no match, a club's ratings.

Ratings depend on all events of a club, so these come first.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from league.models import Club, Event
from league.upkeep.rebuilding import (
    annulment_words,
    broken_line_ups,
    check_matches,
    check_table,
    repair_annulment,
    repair_match,
    repair_table,
    wrongly_annulled,
)
from league.upkeep.rebuilding_ratings import check_ratings, repair_ratings
from scoring.models import Scoresheet
from scoring.services.rebuilding import check_sheets, repair_sheets


class DerivedKind(StrEnum):
    """What is derived again; sheets are those of no match."""

    SHEETS = "sheets"
    EVENT = "event"
    RATINGS = "ratings"


class Part(NamedTuple):
    """A part of a rebuild, with the id of its event or club (0 for sheets of no match)."""

    kind: DerivedKind
    pk: int


@dataclass(slots=True)
class Found:
    """The differences of a part, a line each. `remain` of them are left.

    `notices` are said too, and are no differences. `is_astray` if results differ and were not written.
    """

    lines: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    remain: int = 0
    is_astray: bool = False


def rebuild_part(part: Part, *, apply: bool, note: Callable[[list[str]], object]) -> Found:
    """Derive a part again, and write what differs if `apply`; `note` gets the lines before that."""
    work = _Work(apply, note)
    if part.kind == DerivedKind.SHEETS:
        work.sheets(Scoresheet.objects.filter(match=None))
    elif part.kind == DerivedKind.EVENT:
        # One that was deleted meanwhile has no differences.
        for event in Event.objects.select_related("club").filter(pk=part.pk):
            work.event(event)
    else:
        for club in Club.objects.filter(pk=part.pk):
            work.ratings(club)
    return work.found


def ratings_wait(club: Club) -> Found:
    """What is said of a club's ratings while results differ that they depend on."""
    said = _("ratings of %(club)s: to be recalculated, because results differ") % {"club": club}
    return Found([said], remain=1)


class _Work:
    def __init__(self, apply: bool, note: Callable[[list[str]], object]) -> None:
        self.found = Found()
        self._apply = apply
        self._note = note

    def sheets(self, sheets: QuerySet[Scoresheet]) -> dict[int, dict[str, Any]]:
        """Check sheets; returns the derived fields of those not repaired, by id."""
        pending: dict[int, dict[str, Any]] = {}
        for _count, findings in check_sheets(sheets):
            if self._apply and findings:
                self._note([line for finding in findings for line in finding.lines()])
                findings = repair_sheets([finding.sheet.pk for finding in findings])
            for finding in findings:
                self._say(finding.lines(), remain=len(finding.broken) if self._apply else None)
                if not self._apply:
                    pending[finding.sheet.pk] = {
                        name: derived for name, (_stored, derived) in finding.differs.items()
                    }
        return pending

    def event(self, event: Event) -> None:
        pending = self.sheets(Scoresheet.objects.filter(match__event=event))
        findings = list(check_matches(event, pending))
        for finding in findings:
            self._say(finding.lines(), remain=0 if self._apply else None)
            if self._apply:
                repair_match(finding.match)
        for match in wrongly_annulled(event):
            self._say([annulment_words(match)], remain=0 if self._apply else None)
            if self._apply:
                repair_annulment(match)
        self._say(broken_line_ups(event))
        if findings and not self._apply:
            self.found.is_astray = True
            said = _("standings of %(event)s: to be recalculated, because results differ")
            self._say([said % {"event": event}])
            return
        table = check_table(event)
        if table.waits and not findings:
            self.found.notices += table.lines
        elif not table.waits:
            self._say(table.lines, remain=0 if self._apply else None)
        if self._apply and table.lines:
            repair_table(event)

    def ratings(self, club: Club) -> None:
        ratings = check_ratings(club)
        if ratings.waits:
            self.found.notices += ratings.lines
        else:
            self._say(ratings.lines, remain=0 if self._apply else None)
        if self._apply and ratings.lines:
            repair_ratings(club)

    def _say(self, lines: Iterable[str], *, remain: int | None = None) -> None:
        """Add differences; `remain` of them are left, all if None."""
        lines = list(lines)
        if lines and self._apply:
            self._note(lines)
        self.found.lines += lines
        self.found.remain += len(lines) if remain is None else remain
