"""Overdue matches.

A match is due on its deadline, otherwise on the day it is planned for, otherwise on the date of its round. It
is overdue from the next day as long as it has no result. Drafted rounds and events that are not running are
never overdue.
"""

import datetime
from collections import defaultdict
from collections.abc import Iterable

from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from league.models import UNFINISHED, Club, EventState, Match, RoundState


def due_on(match: Match) -> datetime.date | None:
    """Return the day by which a match is to be played; None if not set."""
    return match.deadline or match.planned_on or match.round.date


def is_overdue(match: Match, *, today: datetime.date) -> bool:
    """True if a match should have been played before today; load its round and event along."""
    due = due_on(match)
    return (
        due is not None
        and due < today
        and match.state in UNFINISHED
        and match.round.state != RoundState.DRAFTED
        and match.event.state == EventState.RUNNING
    )


def overdue(matches: QuerySet[Match], *, clubs: Iterable[Club]) -> QuerySet[Match]:
    """Return the matches overdue in the time zones of these clubs, the longest overdue first."""
    by_day: dict[datetime.date, list[Club]] = defaultdict(list)
    for club in clubs:
        by_day[club_today(club)].append(club)
    late = Q(pk__in=[])
    for day, same_day in by_day.items():
        late |= Q(event__club__in=same_day, due__lt=day)
    rows = matches.annotate(due=Coalesce("deadline", "planned_on", "round__date"))
    rows = rows.filter(late, state__in=UNFINISHED, event__state=EventState.RUNNING)
    return rows.exclude(round__state=RoundState.DRAFTED).order_by("due", "pk")


def club_today(club: Club) -> datetime.date:
    """Return today's date in the club's time zone."""
    return timezone.now().astimezone(club.zone).date()
