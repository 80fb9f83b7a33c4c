"""Overdue matches.

A match is due on its deadline, or the last day of its round, otherwise on the day it is planned for,
otherwise on the date of its round. It is overdue from the next day as long as it has no result. Drafted
rounds and events that are not running are never overdue, nor is a challenge that has not begun: absences
extend its deadline, and once that has passed the challenger gets the place.
"""

import datetime
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from league.draws.formats import format_of
from league.models import UNFINISHED, Club, Event, EventState, Match, MatchState, RoundState


def deadline_of(match: Match) -> datetime.date | None:
    """Return the deadline of a match, which its format may extend while it is unplayed; None: none.

    What has none of its own is to be played by the last day of its round, if that has one.
    """
    if match.state not in UNFINISHED:
        return match.deadline
    return last_days(match.event, [match])[match.pk]


def last_days(event: Event, matches: Sequence[Match]) -> Mapping[int, datetime.date | None]:
    """Return by id what `deadline_of` says of an event's matches without a result; load their rounds."""
    found = format_of(event).deadlines(event, matches)
    return {match.pk: found[match.pk] or match.round.last_day for match in matches}


def due_on(match: Match) -> datetime.date | None:
    """Return the day by which a match is to be played; None if not set."""
    return deadline_of(match) or match.day


def is_open_challenge(match: Match) -> bool:
    """True if a match is a challenge that has not begun; load its challenge along for many."""
    return match.state == MatchState.SCHEDULED and hasattr(match, "challenge")


def is_overdue(match: Match, *, today: datetime.date) -> bool:
    """True if a match should have been played before today; load its round and event along."""
    if (
        match.state not in UNFINISHED
        or match.annulled
        or match.round.state == RoundState.DRAFTED
        or match.event.state != EventState.RUNNING
        or is_open_challenge(match)
    ):
        return False
    due = due_on(match)
    return due is not None and due < today


def overdue(matches: QuerySet[Match], *, clubs: Iterable[Club]) -> QuerySet[Match]:
    """Return the matches overdue in the time zones of these clubs, the longest overdue first."""
    by_day: dict[datetime.date, list[Club]] = defaultdict(list)
    for club in clubs:
        by_day[club_today(club)].append(club)
    late = Q(pk__in=[])
    for day, same_day in by_day.items():
        late |= Q(event__club__in=same_day, due__lt=day)
    rows = matches.annotate(due=Coalesce("deadline", "round__last_day", "planned_on", "round__date"))
    rows = rows.filter(late, state__in=UNFINISHED, annulled=False, event__state=EventState.RUNNING)
    rows = rows.exclude(state=MatchState.SCHEDULED, challenge__isnull=False)
    return rows.exclude(round__state=RoundState.DRAFTED).order_by("due", "pk")


def club_today(club: Club) -> datetime.date:
    """Return today's date in the club's time zone."""
    return timezone.now().astimezone(club.zone).date()
