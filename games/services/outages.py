"""Signs of life of the site, by which clocks of tables are not held against players while nobody could play.

The task that looks after clocks beats several times a minute. While it is silent the site counts as down,
though pages may answer: then no time-out is decided until the time is given back (`mend_outage`).
"""

import datetime
from typing import Final

from django.db import transaction
from django.db.models import DateTimeField, Exists, F, Value

from games.models import SiteHeartbeat, TableMatch

SILENT_AFTER: Final = datetime.timedelta(seconds=90)


def beat_site(now: datetime.datetime) -> None:
    """Records a sign of life, of which the latest counts."""
    SiteHeartbeat.objects.get_or_create(pk=1, defaults={"beaten_at": now})
    SiteHeartbeat.objects.filter(pk=1, beaten_at__lt=now).update(beaten_at=now)


def silent(now: datetime.datetime) -> Exists:
    """Whether the site was down and its players have not been given the time back yet, for a query."""
    return Exists(SiteHeartbeat.objects.filter(pk=1, beaten_at__lt=now - SILENT_AFTER))


def is_site_silent(now: datetime.datetime) -> bool:
    """The same, asked for itself."""
    return SiteHeartbeat.objects.filter(pk=1, beaten_at__lt=now - SILENT_AFTER).exists()


@transaction.atomic
def mend_outage(now: datetime.datetime) -> bool:
    """Gives running clocks the time in which the site was down, once, and records a sign of life.

    A turn that began before the outage gets all of its length; one that began during it begins now. What had
    run out before stays so, and no move is said to have taken that time. Those tables have a new version, so
    that an action under way is refused rather than timed by the old clock. False if there was no outage, or
    somebody else has mended it.
    """
    last = SiteHeartbeat.objects.filter(pk=1).values_list("beaten_at", flat=True).first()
    if last is None or now - last <= SILENT_AFTER:
        return False
    # Of several at once, the one that changes the row goes on.
    if not SiteHeartbeat.objects.filter(pk=1, beaten_at=last).update(beaten_at=now):
        return False
    length = now - last
    played = TableMatch.objects.filter(is_live=True, paused_at=None, adjourned_at=None)
    played.filter(moved_at__gt=last, moved_at__lte=now).update(moved_at=now)
    played.filter(moved_at__lte=last).update(moved_at=F("moved_at") + length)
    running = TableMatch.objects.filter(deadline__gt=last)
    lost = Value(now, output_field=DateTimeField()) - F("turn_since")
    running.filter(turn_since__gt=last, turn_since__lte=now).update(
        deadline=F("deadline") + lost, turn_since=now, version=F("version") + 1
    )
    running.filter(turn_since__lte=last).update(
        deadline=F("deadline") + length, turn_since=F("turn_since") + length, version=F("version") + 1
    )
    return True
