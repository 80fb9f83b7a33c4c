"""A club's champions: who has won its events and its season tables, by year."""

import datetime
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.core.paginator import Page, Paginator
from django.db.models import Exists, F, Max, OuterRef, Prefetch, Q, QuerySet
from django.db.models.functions import Coalesce, TruncDate

from league.models import Club, Entry, Event, Player, Round, SeasonTable, Standing
from league.tables.placings import final_places_of
from league.tables.season_tables import DECIDED, season_winners, standings_of

# Events on a page of the wall.
WALL_PAGE: Final = 30


@dataclass(frozen=True, slots=True)
class Champions:
    """Who is first in an event, or in a season `table`; several if they share the place.

    `day` is the last of its rounds, or when it was made.
    """

    day: datetime.date
    winners: Sequence[Entry] | Sequence[Player]
    event: Event | None = None
    table: SeasonTable | None = None

    @property
    def year(self) -> int:
        """The year in which it was won."""
        return self.day.year


def champions_of(club: Club, number: int) -> tuple[Page[Event], Sequence[Champions]]:
    """Return a page of the club's events that are over, and their champions, newest first.

    An event is told once all its results are public and somebody has played; a season table with the last of
    its events, once all of them are over. Eight queries at most.
    """
    found = Paginator(_over(club), WALL_PAGE).get_page(number)
    shown = list(found)
    tables = _tables_of(club, {event.pk for event in shown})
    events = {
        event.pk: event for event in [*shown, *(each for table in tables for each in table.events.all())]
    }
    standings = standings_of(events)
    places = final_places_of(events.values(), standings)
    lines = [
        Champions(_day_of(event), winners, event=event)
        for event in shown
        if (winners := _first(places[event.pk], standings[event.pk]))
    ]
    lines += [
        Champions(_day_of(_last_of(table)), winners, table=table)
        for table, winners in season_winners(tables, places)
    ]
    # A table after the event that decided it.
    lines.sort(key=lambda line: (line.day, line.table is not None), reverse=True)
    return found, lines


def winners_of(events: Iterable[Event]) -> dict[int, list[Entry]]:
    """Return who is first in those of the events that are over and withhold nothing, by their ids.

    In four queries at most; several who share the place, and nobody where nobody has played.
    """
    here = {event.pk: event for event in events if event.state in DECIDED}
    public = Event.objects.filter(~_withholds(), pk__in=here).values_list("pk", flat=True)
    told = {pk: here[pk] for pk in public}
    standings = standings_of(told)
    places = final_places_of(told.values(), standings)
    return {pk: _first(places[pk], standings[pk]) for pk in told}


def _first(places: Mapping[int, int], standings: Iterable[Standing]) -> list[Entry]:
    return [row.entry for row in standings if row.played and places.get(row.entry_id) == 1]


def _over(club: Club) -> QuerySet[Event]:
    events = Event.objects.filter(~_withholds(), club=club, state__in=DECIDED)
    return _dated(events).order_by(F("last_day").desc(), "-pk")


def _withholds() -> Exists:
    """A condition for events some of whose results are not public yet."""
    return Exists(Round.objects.filter(event=OuterRef("pk"), event__holds_results=True, released_at=None))


def _dated(events: QuerySet[Event]) -> QuerySet[Event]:
    return events.annotate(last_day=Coalesce(Max("rounds__date"), TruncDate("created_at")))


def _day_of(event: Event) -> datetime.date:
    day: datetime.date = event.__dict__["last_day"]
    return day


def _tables_of(club: Club, shown: Collection[int]) -> list[SeasonTable]:
    """The season tables that were decided by one of these events (ids), with their events."""
    hidden = Event.objects.filter(~Q(state__in=DECIDED) | _withholds())
    rows = SeasonTable.objects.filter(
        club=club, pk__in=SeasonTable.events.through.objects.filter(event__in=shown).values("seasontable")
    ).exclude(events__in=hidden.order_by())
    rows = rows.prefetch_related(Prefetch("events", _dated(Event.objects.order_by())))
    return [table for table in rows.order_by("name") if _last_of(table).pk in shown]


def _last_of(table: SeasonTable) -> Event:
    return max(table.events.all(), key=lambda event: (_day_of(event), event.pk))
