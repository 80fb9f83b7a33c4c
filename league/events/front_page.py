"""Data of a club's front page, its seasons and its navigation."""

from collections.abc import Sequence
from typing import Any

from django.db.models import (
    Aggregate,
    Case,
    Count,
    F,
    IntegerField,
    Max,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from league.models import (
    SAT_OUT,
    Club,
    Entry,
    Event,
    EventState,
    Match,
    MatchState,
    Pyramid,
    Round,
    RoundState,
    Season,
    SeasonTable,
    Standing,
    Tie,
)
from league.tables.round_summaries import length, needed

NAVIGATION_EVENTS = 3
FRONT_PAGE_EVENTS = 12


def navigation(club: Club, *, seen: QuerySet[Event]) -> Sequence[Event]:
    """Return the newest of the events `seen` by the reader, for the navigation of every page."""
    return list(_newest_first(seen.filter(club=club)).only("name", "slug")[:NAVIGATION_EVENTS])


def front_page_events(club: Club, *, seen: QuerySet[Event]) -> Sequence[Event]:
    """Return the events to show first, with the annotations of `summarised`."""
    return list(_what_is_on_first(summarised(seen.filter(club=club)))[:FRONT_PAGE_EVENTS])


def season_events(season: Season, *, seen: QuerySet[Event]) -> Sequence[Event]:
    """Return all events of a season with the annotations of `summarised`."""
    return list(_what_is_on_first(summarised(seen.filter(season=season))))


def seasons_of(club: Club, *, seen: QuerySet[Event]) -> Sequence[Season]:
    """Return the club's seasons with an `event_count`, newest first."""
    return list(
        Season.objects.filter(club=club)
        .annotate(event_count=Count("events", filter=Q(events__in=seen.order_by())))
        .order_by(F("starts_on").desc(nulls_last=True), "-id")
    )


def tables_of(club: Club, *, season: Season | None = None) -> Sequence[SeasonTable]:
    """Return the club's season tables, only those of `season` if given."""
    tables = SeasonTable.objects.filter(club=club).order_by("name")
    return list(tables if season is None else tables.filter(season=season))


def pyramids_of(club: Club) -> Sequence[Pyramid]:
    """Return the club's divisions."""
    return list(Pyramid.objects.filter(club=club).order_by("name"))


def summarised(events: QuerySet[Event]) -> QuerySet[Event]:
    """Annotate events with counts and progress, and load who leads.

    Adds `entry_count`, `round_count`, `round_reached` (0 if none has begun), `leading` (the standing in first
    place with its entry; empty if there is none), and what `rounds_of` needs.
    """
    here = {"event": OuterRef("pk")}
    begun = Match.objects.filter(**here).exclude(state__in=[MatchState.SCHEDULED, *SAT_OUT])
    published = Round.objects.filter(**here).exclude(state=RoundState.DRAFTED)
    # Each group has its own first place.
    first = Standing.objects.filter(position=1, played__gt=0, group=None).select_related("entry")
    return (
        events.select_related("season", "rules")
        .prefetch_related(Prefetch("standings", first, to_attr="leading"))
        .annotate(
            entry_count=_number(Entry.objects.filter(**here), Count("pk")),
            round_count=_number(published, Count("pk")),
            round_reached=_number(begun, Max("round__number")),
            stages=_number(needed(Tie.objects.filter(**here)), Max("stage")),
            rounds_before=_number(Round.objects.filter(ties=None, **here), Count("pk")),
        )
    )


def rounds_of(event: Event) -> int | None:
    """Return the number of rounds of a `summarised` event including future ones, None if open."""
    known = event.__dict__
    return length(event, known["round_count"], stages=known["stages"], before=known["rounds_before"])


def _number(rows: QuerySet[Any], aggregate: Aggregate) -> Coalesce:
    """An aggregate over the rows of one event, 0 if there are none."""
    grouped = rows.order_by().values("event").annotate(number=aggregate).values("number")
    return Coalesce(Subquery(grouped[:1], output_field=IntegerField()), Value(0))


def _what_is_on_first(events: QuerySet[Event]) -> QuerySet[Event]:
    """Order events: open entries, running, drafts, finished; newest first within each."""
    order = (EventState.OPEN, EventState.RUNNING, EventState.DRAFT)
    turn = Case(*(When(state=state, then=place) for place, state in enumerate(order)), default=len(order))
    return events.order_by(turn, F("season__starts_on").desc(nulls_last=True), "-created_at", "-id")


def _newest_first(events: QuerySet[Event]) -> QuerySet[Event]:
    return events.order_by(F("season__starts_on").desc(nulls_last=True), "-created_at", "-id")
