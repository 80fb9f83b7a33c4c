"""The rounds of an event, and the matches of a person, as calendars (RFC 5545) to subscribe to."""

import datetime
from collections.abc import Callable, Iterable
from datetime import timedelta

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from icalendar import Calendar
from icalendar import Event as CalendarEvent

from league.models import SAT_OUT, Event, EventState, Match, Round, RoundState
from league.policy.naming import Names, names_for

# So long a match that is over stays in its players' calendars.
PAST = timedelta(days=60)
_ONE_DAY = timedelta(days=1)


def event_calendar(event: Event, rounds: Iterable[Round], *, address: Callable[[Round], str]) -> bytes:
    """Return the calendar, with an all-day item for each dated round.

    `address` returns the address of a round's page. A round's uid is derived from its code, and its time
    stamp is that of its last change, so the same rounds always give the same bytes.
    """
    calendar = _calendar(_("%(event)s, %(club)s") % {"event": event.name, "club": event.club.name})
    calendar.add("x-wr-timezone", event.club.time_zone)
    for round_ in rounds:
        if round_.date is not None:
            calendar.add_component(_round_day(round_, event, round_.date, address(round_)))
    return bytes(calendar.to_ical())


def own_calendar(
    user: User,
    *,
    today: datetime.date,
    of_match: Callable[[Match], str],
    of_round: Callable[[Round], str],
) -> bytes:
    """Return the calendar of a user: his matches, and the rounds in which he has none yet.

    An all-day item for each that has a day, from `PAST` before `today` on; a match is on the day it is
    planned for, else on its round's. Rounds that he sits out are left out, and nothing of a result is in it.
    `of_match` and `of_round` return addresses.
    """
    calendar = _calendar(_("My matches"))
    since = today - PAST
    names: dict[int, Names] = {}
    drawn = set()
    for match in _matches_of(user):
        drawn.add(match.round_id)
        date = match.planned_on or match.round.date
        if date is None or date < since:
            continue
        club = match.event.club
        shown = names.setdefault(club.pk, names_for(user, club))
        title = {"event": match.event.name, "match": shown.match(match)}
        day = _day(f"match-{match.code}", match, date, _("%(event)s: %(match)s") % title, match.event)
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
    seen = Match.objects.filter(appearances__player__user=user).exclude(round__state=RoundState.DRAFTED)
    seen = seen.exclude(state__in=SAT_OUT)
    return seen.with_sides("round", "event__club").order_by("round__date", "pk").distinct()


def _calendar(name: str) -> Calendar:
    calendar = Calendar()
    calendar.add("prodid", "-//gin rummy clubs//rounds//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", name)
    return calendar


def _round_day(round_: Round, event: Event, date: datetime.date, address: str) -> CalendarEvent:
    title = _("%(event)s, round %(number)s") % {"event": event.name, "number": round_.number}
    day = _day(f"round-{round_.code}", round_, date, title, event)
    day.add("url", address)
    return day


def _day(uid: str, row: Match | Round, date: datetime.date, title: str, event: Event) -> CalendarEvent:
    """Return an all-day item, dated by the last change of anything that it tells."""
    changed_at = max(row.updated_at, event.updated_at, event.club.updated_at)
    day = CalendarEvent()
    day.add("uid", uid)
    day.add("dtstamp", changed_at)
    day.add("last-modified", changed_at)
    day.add("dtstart", date)
    day.add("dtend", date + _ONE_DAY)
    day.add("summary", title)
    day.add("location", event.where or event.club.name)
    # Shown as free time.
    day.add("transp", "TRANSPARENT")
    return day
