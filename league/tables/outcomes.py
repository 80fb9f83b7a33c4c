"""The outcome of an event of groups and a knockout: its winner, and everyone's place."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.models import Event, traits_of
from league.policy.withholding import told_until
from league.tables.placings import final_places, knockout_of
from league.tables.tables import EventTable, Named


@dataclass(frozen=True, slots=True)
class EventPlace:
    """An entry and its place in the whole event, None while it is still in the knockout."""

    place: int | None
    named: Named


@dataclass(frozen=True, slots=True)
class EventOutcome:
    """Entries by place, those still in the knockout first; `champion` once there is one."""

    champion: Named | None
    lines: Sequence[EventPlace]

    @property
    def is_final(self) -> bool:
        """True if every place is known."""
        return all(line.place is not None for line in self.lines)

    @property
    def title(self) -> str:
        """The heading of the list."""
        return _("Final places") if self.is_final else _("After the groups")


def event_outcome(event: Event, table: EventTable, *, as_of: int | None = None) -> EventOutcome | None:
    """Return the outcome of an event, as of a round if given, in two queries.

    Held results are left out for every reader. None for other formats, whose tables say it, and until the
    knockout has a result.
    """
    if not traits_of(event).has_groups:
        return None
    until = told_until(event, as_of)
    knockout = knockout_of(event, until=until)
    if not knockout.begun:
        return None
    places = final_places(event, [row.standing for row in table.rows], until=until)
    lines = [
        EventPlace(
            None if row.standing.entry_id in knockout.still_in else places[row.standing.entry_id], row.named
        )
        for row in table.rows
    ]
    lines.sort(key=lambda line: line.place or 0)
    champion = next((line.named for line in lines if line.place == 1), None)
    return EventOutcome(champion, lines)
