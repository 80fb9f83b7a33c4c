"""Matches that should have been played by now.

A match is due on its deadline; without one on the day it is planned for; without that on the date of its
round. It is overdue from the day after, as long as it has no result. Drafted rounds wait for nobody, and
neither does an event that is not running.
"""

import datetime
from collections import defaultdict
from collections.abc import Iterable

from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from league.models import UNFINISHED, Club, EventState, Match, RoundState


def due_on(match: Match) -> datetime.date | None:
    """The day by which a match is to be played; None where nobody has said."""
    return match.deadline or match.planned_on or match.round.date


def is_overdue(match: Match, *, today: datetime.date) -> bool:
    """Whether a match should have been played before today. Load its round and event along."""
    due = due_on(match)
    return (
        due is not None
        and due < today
        and match.state in UNFINISHED
        and match.round.state != RoundState.DRAFTED
        and match.event.state == EventState.RUNNING
    )


def overdue(matches: QuerySet[Match], *, clubs: Iterable[Club]) -> QuerySet[Match]:
    """Those of the matches that are overdue by the clocks of these clubs, the longest overdue first."""
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
    """The date by the club's clock."""
    return timezone.now().astimezone(club.zone).date()
