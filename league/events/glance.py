"""Many events at a glance: where each stands and what comes next, in two queries.

What is due is told from the counts of their rounds. Where more would decide, such as ties of a bracket or
who is level at a line, the step names no act: the event's own page asks everything (`next_step.step_of`).
"""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Max, OuterRef, QuerySet
from django.utils.translation import gettext as _

from league.draws.formats import format_of
from league.events.event_life import undecided
from league.events.front_page import number_of
from league.events.next_step import (
    NextStep,
    all_played,
    drafted_words,
    held_words,
    missing_words,
    nothing_drawn,
    round_to_look_at,
    step_before,
)
from league.models import Challenge, Entry, Event, EventState, Round, Tie, traits_of
from league.tables.round_summaries import RoundSummary, current, length, needed, summaries_of


@dataclass(frozen=True, slots=True)
class Glance:
    """An event with its number of entries, its current round, all its rounds (None if open), the next step.

    Its current round is None before it runs, and of a ladder. `is_today` tells whether it is dated so.
    """

    event: Event
    entries: int
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
        events.select_related("club", "season").annotate(
            going=number_of(going, Count("pk")),
            stages=number_of(needed(Tie.objects.filter(**here)), Max("stage")),
            rounds_before=number_of(Round.objects.filter(ties=None, **here), Count("pk")),
            open_ties=number_of(undecided(Tie.objects.filter(**here)), Count("pk")),
            open_challenges=number_of(
                Challenge.objects.filter(called_off_at=None, decided_at=None, **here), Count("pk")
            ),
        )
    )
    seen = summaries_of([event for event in found if event.state == EventState.RUNNING], seen=rounds)
    return [_glance(event, seen.get(event.pk, ()), today[event.club_id]) for event in found]


def _glance(event: Event, rounds: Sequence[RoundSummary], today: datetime.date) -> Glance:
    counted = event.__dict__
    if event.state != EventState.RUNNING:
        return Glance(event, counted["going"], None, None, False, step_before(event, counted["going"]))
    now = current(rounds, today) if event.counts_rounds else None
    in_all = length(event, len(rounds), stages=counted["stages"], before=counted["rounds_before"])
    is_today = now is not None and now.round.date == today
    return Glance(event, counted["going"], now, in_all, is_today, _while_running(event, rounds, now))


def _while_running(event: Event, rounds: Sequence[RoundSummary], now: RoundSummary | None) -> NextStep:
    own, counted = format_of(event), event.__dict__
    held = held_words(sum(each.held for each in rounds))
    if (due := own.due_with(counted["open_challenges"])) is not None:
        words, act = due
        return NextStep(f"{words} {held}".strip(), act)
    if not rounds:
        return NextStep(nothing_drawn(), own.first_act)
    for each in rounds:
        if each.is_draft:
            has_matches = bool(each.matches + each.byes)
            return NextStep(drafted_words(each.round.number, has_matches=has_matches), round=each.round)
    by_number = {each.round.number: each.round for each in rounds}
    left = {each.round.number: each.matches - each.decided for each in rounds}
    if missing := {number: count for number, count in left.items() if count}:
        number = round_to_look_at(missing, None if now is None else now.round)
        return NextStep(f"{missing_words(missing, number)} {held}".strip(), round=by_number[number])
    if held:
        return NextStep(held, round=next(each.round for each in rounds if each.held), waits=True)
    return _once_all_is_in(event, rounds[-1].round.number)


def _once_all_is_in(event: Event, last: int) -> NextStep:
    own, counted = format_of(event), event.__dict__
    if traits_of(event).has_bracket and (counted["open_ties"] or not counted["stages"]):
        return NextStep(_("All results of round %(number)d are in.") % {"number": last})
    if comes_next := own.next_draw(event, last, counted["open_ties"]):
        return NextStep(*comes_next)
    if traits_of(event).has_groups or event.prizes or event.pyramid_id is not None:
        return NextStep(_("Everything is played."))
    return all_played()
