"""Ladders whose sheets end with one deal, and rows on which their acts can be done."""

import datetime
from typing import Any

from django.db.models import Model
from django.utils import timezone

from league.draws.challenges import make_challenge
from league.draws.ladders import add_absence
from league.models import Challenge, Entry, Event
from tests.factories import OPERATOR, EntryFactory, EventFactory, count_table, house_rules
from tests.league.simulation import SHORT


def ladder(count: int, **settings: Any) -> Event:
    """A running ladder with entries A, B, C … in that order."""
    settings = {"rules": house_rules(**SHORT)} | settings
    event: Event = EventFactory.create(name="Harbour Ladder", format="ladder", **settings)
    for number in range(count):
        EntryFactory.create(event=event, name=chr(ord("A") + number), seed=number + 1)
    count_table(event.pk)
    return event


def entry(event: Event, name: str) -> Entry:
    found: Entry = event.entries.get(name=name)
    return found


def challenge(event: Event, challenger: str, challenged: str) -> Challenge:
    return make_challenge(
        actor=OPERATOR,
        event=event,
        challenger=entry(event, challenger),
        challenged=entry(event, challenged),
    )


def to_challenge() -> tuple[Model, dict[str, Any]]:
    event = ladder(3)
    return event, {"challenger": entry(event, "C").pk, "challenged": entry(event, "A").pk}


def to_call_off() -> tuple[Model, dict[str, Any]]:
    event = ladder(3)
    return event, {"challenge": challenge(event, "C", "A").pk, "reason": "both ill"}


def to_note() -> tuple[Model, dict[str, Any]]:
    event = ladder(3)
    return event, {"entry": entry(event, "A").pk, "first_day": "2026-07-01", "last_day": ""}


def to_end() -> tuple[Model, dict[str, Any]]:
    event = ladder(3)
    today = timezone.now().date()
    absence = add_absence(actor=OPERATOR, entry=entry(event, "A"), first_day=today, last_day=None)
    return event, {"absence": absence.pk, "last_day": (today + datetime.timedelta(days=7)).isoformat()}
