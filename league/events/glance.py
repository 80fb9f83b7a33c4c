"""Many events at a glance: where each stands and what comes next.

All are counted in two queries. The next step then asks of a running event by itself what its rounds do not
tell (`next_step.step_while_running`), so it is the same as on the event's own page.
"""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Max, OuterRef, QuerySet

from league.events.front_page import number_of
from league.events.next_step import NextStep, step_at_rest, step_while_running
from league.models import Entry, Event, EventState, Round, Tie
from league.tables.round_summaries import RoundSummary, current, length, needed, summaries_of


@dataclass(frozen=True, slots=True)
class Glance:
    """An event with its current round, the number of all its rounds (None if open), and the next step.

    Its current round is None before it runs, and of a ladder. `is_today` tells whether it is dated so.
    """

    event: Event
    now: RoundSummary | None
    in_all: int | None
    is_today: bool
    step: NextStep


def glances(
    events: QuerySet[Event], *, rounds: QuerySet[Round], today: Mapping[int, datetime.date]
) -> Sequence[Glance]:
    """Return these events in order, by the `rounds` the reader sees, and `today` by their clubs' ids."""
    here = {"event": OuterRef("pk")}
    going = Entry.objects.filter(withdrawn_at=None, **here)
    found = list(
        events.select_related("club", "season", "evening__round").annotate(
            going=number_of(going, Count("pk")),
            stages=number_of(needed(Tie.objects.filter(**here)), Max("stage")),
            rounds_before=number_of(Round.objects.filter(ties=None, **here), Count("pk")),
        )
    )
    seen = summaries_of([event for event in found if event.state == EventState.RUNNING], seen=rounds)
    return [_glance(event, seen.get(event.pk, ()), today[event.club_id]) for event in found]


def _glance(event: Event, rounds: Sequence[RoundSummary], today: datetime.date) -> Glance:
    counted = event.__dict__
    if event.state != EventState.RUNNING:
        return Glance(event, None, None, False, step_at_rest(event, counted["going"]))
    now = current(rounds, today) if event.counts_rounds else None
    in_all = length(event, len(rounds), stages=counted["stages"], before=counted["rounds_before"])
    is_today = now is not None and now.round.is_night_of(today)
    return Glance(event, now, in_all, is_today, step_while_running(event, rounds, now))
