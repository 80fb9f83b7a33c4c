"""The rounds of an event as a calendar (RFC 5545) to subscribe to."""

from collections.abc import Callable, Iterable
from datetime import timedelta

from django.utils.translation import gettext as _
from icalendar import Calendar
from icalendar import Event as CalendarEvent

from league.models import Event, Round

_ONE_DAY = timedelta(days=1)


def event_calendar(event: Event, rounds: Iterable[Round], *, address: Callable[[Round], str]) -> bytes:
    """Return the calendar, with an all-day item for each dated round.

    `address` returns the address of a round's page. A round's uid is derived from its code, and its time
    stamp is that of its last change, so the same rounds always give the same bytes.
    """
    calendar = Calendar()
    calendar.add("prodid", "-//gin rummy clubs//rounds//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", _("%(event)s, %(club)s") % {"event": event.name, "club": event.club.name})
    calendar.add("x-wr-timezone", event.club.time_zone)
    for round_ in rounds:
        if round_.date is None:
            continue
        day = CalendarEvent()
        day.add("uid", f"round-{round_.code}")
        day.add("dtstamp", round_.updated_at)
        day.add("last-modified", round_.updated_at)
        day.add("dtstart", round_.date)
        day.add("dtend", round_.date + _ONE_DAY)
        day.add("summary", _("%(event)s, round %(number)s") % {"event": event.name, "number": round_.number})
        day.add("location", event.where or event.club.name)
        day.add("url", address(round_))
        # Shown as free time.
        day.add("transp", "TRANSPARENT")
        calendar.add_component(day)
    return bytes(calendar.to_ical())
