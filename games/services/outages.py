"""Signs of life of the site, by which clocks of tables are not held against players while nobody could play.

The task that looks after clocks beats several times a minute. While it is silent the site counts as down,
though pages may answer: then no time-out is decided until the time is given back (`mend_outage`).
"""

import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import DateTimeField, Exists, F, QuerySet, Value

from games.models import SiteHeartbeat, TableHand, TableMatch
from games.signals import site_was_down
from scoring.models import Scoresheet
from scoring.services.acts import locked_sheet

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
    that an action under way is refused rather than timed by the old clock. Signals `site_was_down`. False
    if there was no outage, or somebody else has mended it.
    """
    last = SiteHeartbeat.objects.filter(pk=1).values_list("beaten_at", flat=True).first()
    if last is None or now - last <= SILENT_AFTER:
        return False
    # What runs out first of several hands may be another afterwards, so their sheets are locked, first of all
    # and in one order: others lock a sheet before they write a table.
    of_several = TableMatch.objects.filter(hands__deadline__gt=last).values("sheet")
    sheets = [locked_sheet(sheet).pk for sheet in Scoresheet.objects.filter(pk__in=of_several).order_by("pk")]
    # Of several at once, the one that changes the row goes on.
    if not SiteHeartbeat.objects.filter(pk=1, beaten_at=last).update(beaten_at=now):
        return False
    played = TableHand.objects.filter(is_over=False, match__paused_at=None, match__adjourned_at=None)
    played.filter(moved_at__gt=last, moved_at__lte=now).update(moved_at=now)
    played.filter(moved_at__lte=last).update(moved_at=F("moved_at") + (now - last))
    of_one = TableMatch.objects.filter(deadline__gt=last).exclude(hands__deadline__isnull=False)
    _give_back(of_one, last, now, version=F("version") + 1)
    for match in TableMatch.objects.filter(sheet__in=sheets):
        following = match.version + 1
        _give_back(match.hands.filter(deadline__gt=last), last, now, version=following)
        first = match.hands.filter(deadline__isnull=False).order_by("deadline").first()
        if first is not None:
            match.deadline, match.turn_since, match.version = first.deadline, first.turn_since, following
            match.save(update_fields=["deadline", "turn_since", "version"])
    site_was_down.send(SiteHeartbeat, since=last, until=now)
    return True


def _give_back(
    running: QuerySet[Any], last: datetime.datetime, now: datetime.datetime, *, version: Any
) -> None:
    """Gives these running clocks, of tables or of hands, the time from `last` on."""
    lost = Value(now, output_field=DateTimeField()) - F("turn_since")
    begun = running.filter(turn_since__gt=last, turn_since__lte=now)
    begun.update(deadline=F("deadline") + lost, turn_since=now, version=version)
    length = now - last
    running.filter(turn_since__lte=last).update(
        deadline=F("deadline") + length, turn_since=F("turn_since") + length, version=version
    )
