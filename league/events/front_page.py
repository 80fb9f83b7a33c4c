"""Data of a club's front page, its seasons and its navigation."""

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import (
    Aggregate,
    Case,
    Count,
    Exists,
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
    Club,
    Entry,
    Event,
    EventState,
    Match,
    Pyramid,
    Round,
    RoundState,
    Season,
    SeasonTable,
    Standing,
    Tie,
)
from league.tables.round_summaries import RoundSummary, current, length, listed, needed, summaries_of

NAVIGATION_EVENTS = 3
MOST_ON_NOW = 3
MATCHES_ON_NOW = 8
NEWEST_FINISHED = 6
A_WEEK = datetime.timedelta(days=7)
# Far more than any club has at a time: a limit for the page, not for the club.
MOST_GOING_ON = 60
ARCHIVE_PAGE = 40

# In the order in which they ask for work.
GOING_ON = (EventState.RUNNING, EventState.OPEN, EventState.DRAFT)


@dataclass(frozen=True, slots=True)
class EventLine:
    """An event in a list: numbers of entries and of published rounds, of all rounds (None if open).

    `now` is the current round while it runs, `begun` whether anything of its rounds was played, `first` who
    leads, or None.
    """

    event: Event
    entries: int
    rounds: int
    in_all: int | None
    now: RoundSummary | None
    begun: bool
    first: Standing | None

    def is_upcoming(self, today: datetime.date) -> bool:
        """Whether it is yet to begin: a draft, or an event that runs and whose first round is to come."""
        if self.event.state == EventState.DRAFT:
            return True
        if self.event.state != EventState.RUNNING or not self.event.counts_rounds or self.begun:
            return False
        if self.now is None or self.now.is_draft:
            return True
        return self.now.round.date is not None and self.now.round.date > today


@dataclass(frozen=True, slots=True)
class OnNow:
    """An event that is played now, with the first matches of its current round, and how many more it has."""

    line: EventLine
    now: RoundSummary
    matches: Sequence[Match]
    more: int
    is_today: bool

    @property
    def event(self) -> Event:
        """The event."""
        return self.line.event


@dataclass(frozen=True, slots=True)
class FrontPage:
    """What a club's page shows of its events: each is in one of these, but for what is older.

    Where entries are open, that is what one is to know of an event: it is there, and not with those to come.
    """

    on_now: Sequence[OnNow]
    open: Sequence[EventLine]
    running: Sequence[EventLine]
    upcoming: Sequence[EventLine]
    finished: Sequence[EventLine]

    @property
    def is_empty(self) -> bool:
        """True if the club has had no event yet."""
        return not (self.on_now or self.open or self.running or self.upcoming or self.finished)


def navigation(club: Club, *, seen: QuerySet[Event], today: datetime.date) -> Sequence[Event]:
    """Return what is on, of the events `seen` by the reader, for the navigation of every page.

    What has a round today comes first, then what else is running.
    """
    tonight = Round.objects.filter(event=OuterRef("pk"), date=today).exclude(state=RoundState.DRAFTED)
    events = _what_is_on_first(seen.filter(club=club), before=(EventState.RUNNING, EventState.OPEN))
    events = events.order_by(Exists(tonight).desc(), *events.query.order_by).only("name", "slug")
    return list(events[:NAVIGATION_EVENTS])


def front_page(
    club: Club, *, seen: QuerySet[Event], rounds: QuerySet[Round], today: datetime.date
) -> FrontPage:
    """Return the club's page, of the events and `rounds` seen by the reader."""
    of_club = seen.filter(club=club)
    going_on = lines_of(
        _what_is_on_first(of_club.filter(state__in=GOING_ON))[:MOST_GOING_ON], rounds=rounds, today=today
    )
    over = of_club.exclude(state__in=GOING_ON)
    on_now = _on_now(going_on, today)
    shown = {one.event.pk for one in on_now}
    others = [line for line in going_on if line.event.pk not in shown]
    upcoming = [line for line in others if line.is_upcoming(today)]
    to_come = {line.event.pk for line in upcoming}

    def those(state: EventState) -> list[EventLine]:
        return [line for line in others if line.event.state == state and line.event.pk not in to_come]

    return FrontPage(
        on_now,
        those(EventState.OPEN),
        those(EventState.RUNNING),
        sorted(upcoming, key=_first_day),
        lines_of(over.order_by(*_NEWEST)[:NEWEST_FINISHED], rounds=rounds, today=today),
    )


def season_events(
    season: Season, *, seen: QuerySet[Event], rounds: QuerySet[Round], today: datetime.date
) -> Sequence[EventLine]:
    """Return all events of a season."""
    return lines_of(_what_is_on_first(seen.filter(season=season)), rounds=rounds, today=today)


def archive(
    club: Club, number: int, *, seen: QuerySet[Event], rounds: QuerySet[Round], today: datetime.date
) -> tuple[Page[Event], Sequence[EventLine]]:
    """Return a page of all events of the club, the newest season first, and its lines."""
    season, *within = _NEWEST
    events = seen.filter(club=club).order_by(season, "-season_id", *within)
    found = Paginator(events, ARCHIVE_PAGE).get_page(number)
    first = (found.number - 1) * ARCHIVE_PAGE
    return found, lines_of(events[first : first + ARCHIVE_PAGE], rounds=rounds, today=today)


def _on_now(lines: Iterable[EventLine], today: datetime.date) -> list[OnNow]:
    """The events whose current round is played now or was due within a week: today's, then the busiest."""
    found = [
        (line, line.now)
        for line in lines
        if line.now is not None
        and line.now.under_way
        and (
            line.now.playing
            or line.now.round.date is None
            or line.now.round.is_on(today)
            or today - A_WEEK <= line.now.round.date <= today
        )
    ]
    found.sort(key=lambda one: (one[1].round.date != today, -one[1].playing))
    del found[MOST_ON_NOW:]
    matches: dict[int, list[Match]] = {now.round.pk: [] for _, now in found}
    for match in listed(Match.objects.filter(round__in=list(matches))):
        matches[match.round_id].append(match)
    return [
        OnNow(
            line,
            now,
            matches[now.round.pk][:MATCHES_ON_NOW],
            max(len(matches[now.round.pk]) - MATCHES_ON_NOW, 0),
            now.round.is_night_of(today),
        )
        for line, now in found
    ]


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
    """Annotate events with counts, and load who leads.

    Adds `entry_count`, `round_count`, `leading` (the standing in first place with its entry, if any), and
    what tells of how many rounds an event is.
    """
    here = {"event": OuterRef("pk")}
    published = Round.objects.filter(**here).exclude(state=RoundState.DRAFTED)
    # Each group has its own first place.
    first = Standing.objects.filter(position=1, played__gt=0, group=None).select_related("entry")
    return (
        events.select_related("season", "rules")
        .prefetch_related(Prefetch("standings", first, to_attr="leading"))
        .annotate(
            entry_count=number_of(Entry.objects.filter(**here), Count("pk")),
            round_count=number_of(published, Count("pk")),
            stages=number_of(needed(Tie.objects.filter(**here)), Max("stage")),
            rounds_before=number_of(Round.objects.filter(ties=None, **here), Count("pk")),
        )
    )


def lines_of(
    events: QuerySet[Event], *, rounds: QuerySet[Round], today: datetime.date
) -> Sequence[EventLine]:
    """Return the lines of these events, in three queries."""
    found = list(summarised(events))
    running = [event for event in found if event.state == EventState.RUNNING and event.counts_rounds]
    seen = summaries_of(running, seen=rounds)
    return [_line(event, seen.get(event.pk, ()), today) for event in found]


def _line(event: Event, rounds: Sequence[RoundSummary], today: datetime.date) -> EventLine:
    counted = event.__dict__
    in_all = length(event, counted["round_count"], stages=counted["stages"], before=counted["rounds_before"])
    return EventLine(
        event,
        counted["entry_count"],
        counted["round_count"],
        in_all,
        current(rounds, today),
        any(each.begun for each in rounds),
        next(iter(counted["leading"]), None),
    )


def _first_day(line: EventLine) -> datetime.date:
    """The date of the round that comes first; what has none comes last."""
    return (line.now.round.date if line.now is not None else None) or datetime.date.max


def number_of(rows: QuerySet[Any], aggregate: Aggregate) -> Coalesce:
    """Return an aggregate over the rows of one event as an annotation, 0 if there are none."""
    grouped = rows.order_by().values("event").annotate(number=aggregate).values("number")
    return Coalesce(Subquery(grouped[:1], output_field=IntegerField()), Value(0))


def _what_is_on_first(
    events: QuerySet[Event],
    *,
    before: Sequence[EventState] = (EventState.OPEN, EventState.RUNNING, EventState.DRAFT),
) -> QuerySet[Event]:
    """Order events: by state as in `before`, then all others; newest first within each."""
    turn = Case(*(When(state=state, then=place) for place, state in enumerate(before)), default=len(before))
    return events.order_by(turn, *_NEWEST)


_NEWEST = (F("season__starts_on").desc(nulls_last=True), "-created_at", "-id")
