"""Suggests single repairs that would reconcile a sheet with its paper; too slow for the echo."""

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from league.entry.reading import DraftReading
from scoring.typing.repairs import MOST_FIELDS, Repair, Unsearched, explain

_SHOWN_AT_ONCE: Final = 4


@dataclass(frozen=True, slots=True)
class Explained:
    """Every single repair, the likeliest `first`, others in `more`; `said` explains why there are none."""

    first: tuple[Repair, ...] = ()
    more: tuple[Repair, ...] = ()
    said: str = ""

    @property
    def count(self) -> int:
        """The number of repairs."""
        return len(self.first) + len(self.more)


def explained(reading: DraftReading) -> Explained:
    """The repairs for a draft that differs from its paper, first those that restore saved rows."""
    if not reading.differences or reading.paper.paper is None:
        return Explained()
    draft, kept = reading.draft, reading.base.kept
    found = explain(
        draft.rows[: len(reading.typed.rows)],
        reading.paper.paper,
        rules=kept.sheet.rules.rules,
        sides=kept.sides,
        left=draft.left,
        running_totals=draft.running,
        lines_only=draft.lines,
    )
    if found.unsearched is not None:
        return Explained(said=_unsearched(found.unsearched))
    if not found.repairs:
        return Explained(said=_("No single change explains it."))
    saved = reading.base.rows(left=draft.left, running_totals=draft.running)

    def restores(repair: Repair) -> bool:
        """Return whether the repair restores the saved row."""
        return repair.row <= len(saved) and repair.new in saved[repair.row - 1]

    repairs = tuple(sorted(found.repairs, key=restores, reverse=True))
    return Explained(repairs[:_SHOWN_AT_ONCE], repairs[_SHOWN_AT_ONCE:])


def _unsearched(why: Unsearched) -> str:
    match why:
        case Unsearched.UNREADABLE:
            return _("What would explain it is looked for once every row can be read.")
        case Unsearched.TOO_LONG:
            text = _("Not searched: single changes are tried on sheets of up to %(most)s fields.")
            return text % {"most": MOST_FIELDS}
        case Unsearched.NO_FIGURES:
            return ""
