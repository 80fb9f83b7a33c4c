"""The rounds of an event, and the matches of a person, as calendars (RFC 5545) to subscribe to."""

import datetime
from collections.abc import Callable, Iterable
from datetime import timedelta

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.translation import gettext as _
from icalendar import Calendar
from icalendar import Event as CalendarEvent

from league.models import (
    SAT_OUT,
    Appearance,
    Entry,
    Event,
    EventState,
    Match,
    MatchState,
    Round,
    RoundState,
)
from league.policy.naming import Names, names_for

# So long a match that is over stays in its players' calendars.
PAST = timedelta(days=60)
# A match takes so long in a calendar where its event does not say how long.
USUAL_LENGTH = timedelta(hours=2)
_ONE_DAY = timedelta(days=1)


def event_calendar(
    event: Event,
    rounds: Iterable[Round],
    names: Names,
    *,
    of_match: Callable[[Match], str],
    of_round: Callable[[Round], str],
) -> bytes:
    """Return the calendar: an all-day item for each dated round, and each match whose time is agreed.

    A round with a last day is on all its days. `of_match` and `of_round` return addresses. A uid is derived
    from a code, and a time stamp is that of the last change, so the same rows always give the same bytes.
    """
    calendar = _calendar(_("%(event)s, %(club)s") % {"event": event.name, "club": event.club.name})
    calendar.add("x-wr-timezone", event.club.time_zone)
    shown = list(rounds)
    for round_ in shown:
        if round_.date is not None:
            calendar.add_component(_round_day(round_, event, round_.date, of_round(round_)))
    planned = Match.objects.filter(round__in=shown, planned_at__isnull=False).with_sides("round")
    for match in planned.order_by("planned_at", "pk"):
        match.event = event
        calendar.add_component(_match_time(match, match.planned_at, names, of_match(match)))
    return bytes(calendar.to_ical())


def own_calendar(
    user: User,
    *,
    today: datetime.date,
    of_match: Callable[[Match], str],
    of_round: Callable[[Round], str],
) -> bytes:
    """Return the calendar of a user: his matches, and the rounds in which he has none yet.

    An item for each that has a day, from `PAST` before `today` on, all day unless the time is known. A match
    is on the day it is planned for, else on its round's; one that is to be arranged, on the last day to play
    it. Rounds that he sits out are left out, and nothing of a result is in it. `of_match` and `of_round`
    return addresses.
    """
    calendar = _calendar(_("My matches"))
    since = today - PAST
    names: dict[int, Names] = {}
    drawn = set()
    for match in _matches_of(user):
        drawn.add(match.round_id)
        last = match.round.last_day and (match.deadline or match.round.last_day)
        date = match.planned_on or last or match.round.date
        if date is None or date < since:
            continue
        club = match.event.club
        shown = names.setdefault(club.pk, names_for(user, club))
        if match.planned_at is not None:
            calendar.add_component(_match_time(match, match.planned_at, shown, of_match(match)))
            continue
        to_come = last is not None and match.planned_on is None and match.state == MatchState.SCHEDULED
        title = _("%(event)s: %(match)s (last day)") if to_come else _("%(event)s: %(match)s")
        words = {"event": match.event.name, "match": shown.match(match)}
        day = _day(f"match-{match.code}", match, date, title % words, match.event)
        if match.table is not None:
            day.add("description", _("Table %(number)s") % {"number": match.table})
        day.add("url", of_match(match))
        calendar.add_component(day)
    entered = Event.objects.filter(
        entries__players__user=user,
        entries__withdrawn_at=None,
        state__in=[EventState.OPEN, EventState.RUNNING],
    )
    rounds = Round.objects.filter(event__in=entered, date__gte=since).exclude(state=RoundState.DRAFTED)
    resting = Match.objects.filter(entry_a__players__user=user, state__in=SAT_OUT).order_by()
    rounds = rounds.exclude(pk__in=resting.values("round"))
    for round_ in rounds.exclude(pk__in=drawn).select_related("event__club").order_by("date", "pk"):
        if round_.date is not None:
            calendar.add_component(_round_day(round_, round_.event, round_.date, of_round(round_)))
    return bytes(calendar.to_ical())


def _matches_of(user: User) -> Iterable[Match]:
    seats = Appearance.objects.filter(player__user=user).values("match")
    # Of a team, whose line-up may be named on the day.
    own = Entry.objects.filter(players__user=user).values("pk")
    planned = Match.objects.of_entries(own).filter(planned_at__isnull=False).values("pk")
    seen = Match.objects.filter(Q(pk__in=seats) | Q(pk__in=planned)).exclude(round__state=RoundState.DRAFTED)
    seen = seen.exclude(state__in=SAT_OUT)
    return seen.with_sides("round", "event__club").order_by("round__date", "pk")


def _calendar(name: str) -> Calendar:
    calendar = Calendar()
    calendar.add("prodid", "-//gin rummy clubs//rounds//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", name)
    return calendar


def _round_day(round_: Round, event: Event, date: datetime.date, address: str) -> CalendarEvent:
    title = _("%(event)s, round %(number)s") % {"event": event.name, "number": round_.number}
    day = _day(f"round-{round_.code}", round_, date, title, event, last=round_.last_day)
    day.add("url", address)
    return day


def _match_time(match: Match, at: datetime.datetime | None, names: Names, address: str) -> CalendarEvent:
    """Return the item of a match whose time is known."""
    event = match.event
    item = CalendarEvent()
    item.add("uid", f"match-{match.code}")
    _date(item, match, event)
    item.add("dtstart", at)
    item.add("duration", timedelta(minutes=event.round_minutes) if event.round_minutes else USUAL_LENGTH)
    item.add("summary", _("%(event)s: %(match)s") % {"event": event.name, "match": names.match(match)})
    item.add("location", match.planned_place or event.where or event.club.name)
    item.add("url", address)
    return item


def _date(item: CalendarEvent, row: Match | Round, event: Event) -> None:
    """Date an item by the last change of anything that it tells."""
    changed_at = max(row.updated_at, event.updated_at, event.club.updated_at)
    item.add("dtstamp", changed_at)
    item.add("last-modified", changed_at)


def _day(
    uid: str,
    row: Match | Round,
    date: datetime.date,
    title: str,
    event: Event,
    *,
    last: datetime.date | None = None,
) -> CalendarEvent:
    """Return an all-day item, to the `last` day if there are several."""
    day = CalendarEvent()
    day.add("uid", uid)
    _date(day, row, event)
    day.add("dtstart", date)
    day.add("dtend", (last or date) + _ONE_DAY)
    day.add("summary", title)
    day.add("location", event.where or event.club.name)
    # Shown as free time.
    day.add("transp", "TRANSPARENT")
    return day
