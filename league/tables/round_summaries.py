"""Summaries of rounds and matches: the progress of an event, recent and remaining matches."""

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Case, Count, F, Max, Q, QuerySet, When

from league.models import (
    SAT_OUT,
    SEATED,
    BracketPart,
    Event,
    EventState,
    Match,
    MatchState,
    Round,
    RoundState,
    Tie,
    TieDecision,
    bye_counts,
    counts_as_played,
    extra_to_play,
    to_play,
    traits_of,
)


@dataclass(frozen=True, slots=True)
class RoundSummary:
    """A round with counts of matches: all (without byes), decided, in play, held, missing a result.

    A sheet in play that differs from its paper is held, and not missing. `byes` counts all entries that sit
    the round out; what one of them plays against a bot is a match if it counts so.
    """

    round: Round
    matches: int
    decided: int
    playing: int
    held: int
    missing: int
    byes: int

    @property
    def begun(self) -> bool:
        """True if anything was played."""
        return self.decided + self.playing > 0

    @property
    def is_draft(self) -> bool:
        """True if only directors see it."""
        return self.round.state == RoundState.DRAFTED

    @property
    def complete(self) -> bool:
        """True if every match is decided and counts."""
        return self.decided == self.matches and not self.held

    @property
    def under_way(self) -> bool:
        """True if it is published and something of it is to be played, decided or drawn."""
        if self.is_draft or self.round.state == RoundState.COMPLETE:
            return False
        return not self.complete or not self.matches + self.byes


def summaries(event: Event, *, seen: QuerySet[Round]) -> Sequence[RoundSummary]:
    """Return the rounds of an event `seen` by the reader, in order, in one query."""
    return summaries_of([event], seen=seen)[event.pk]


def summaries_of(events: Iterable[Event], *, seen: QuerySet[Round]) -> Mapping[int, Sequence[RoundSummary]]:
    """Return the rounds of several events as `summaries` does, by the events' ids, in one query."""
    found: dict[int, list[RoundSummary]] = {event.pk: [] for event in events}
    is_match = ~Q(matches__state__in=SAT_OUT) | counts_as_played("matches__")
    is_open = to_play("matches__") & Q(matches__annulled=False)
    is_played = Q(matches__state=MatchState.PLAYING)
    is_played |= extra_to_play("matches__") & Q(matches__sheet__deal_count__gt=0)
    rounds = (
        seen.filter(event__in=list(found))
        .annotate(
            match_count=Count("matches", filter=is_match),
            undecided_count=Count("matches", filter=is_open),
            playing_count=Count("matches", filter=is_played),
            held_count=Count("matches", filter=Q(matches__held=True, matches__annulled=False)),
            missing_count=Count("matches", filter=is_open & Q(matches__held=False)),
            bye_count=Count("matches", filter=~is_match),
        )
        .order_by("number")
    )
    for round_ in rounds:
        found[round_.event_id].append(
            RoundSummary(
                round_,
                round_.match_count,
                round_.match_count - round_.undecided_count,
                round_.playing_count,
                round_.held_count,
                round_.missing_count,
                round_.bye_count,
            )
        )
    return found


def current(rounds: Sequence[RoundSummary], today: datetime.date) -> RoundSummary | None:
    """Return the current round of an event, whose rounds are given in order.

    It is under way: today's before others, otherwise the one with the lowest number. A round whose date is
    past is passed over for a later one once a later one has begun. Both for one reason: what
    everybody has come to play tonight is the current round, and a match put off from last week is left over
    beside it. With none under way it is the last that was published, and to directors of a first draft that.
    """
    under_way = [summary for summary in rounds if summary.under_way]
    for summary in under_way:
        if summary.round.is_on(today):
            return summary
    for summary in under_way:
        date, number = summary.round.last_day or summary.round.date, summary.round.number
        is_past = date is not None and date < today
        if not (is_past and any(later.begun for later in rounds if later.round.number > number)):
            return summary
    published = [summary for summary in rounds if not summary.is_draft]
    return next(iter(under_way or published[-1:] or rounds), None)


def rounds_in_all(event: Event, rounds: int) -> int | None:
    """Return the number of rounds of an event with those to come; None if open.

    `rounds` exist already. Two queries if there is a bracket, otherwise none.
    """
    stages = before = 0
    if traits_of(event).has_bracket:
        stages = needed(event.ties.all()).aggregate(last=Max("stage"))["last"] or 0
        before = event.rounds.filter(ties=None).count()
    return length(event, rounds, stages=stages, before=before)


def needed(ties: QuerySet[Tie]) -> QuerySet[Tie]:
    """Return ties certain to be played: a second final once made, ties of a plate with two entries."""
    return ties.exclude(part=BracketPart.RESET, round=None).exclude(
        part=BracketPart.PLATE, decided_by__in=[TieDecision.BYE, TieDecision.NOT_NEEDED]
    )


def length(event: Event, rounds: int, *, stages: int, before: int) -> int | None:
    """Return `rounds_in_all` from a bracket's number of stages and the number of rounds `before` it."""
    if event.state in (EventState.FINISHED, EventState.ARCHIVED):
        return rounds
    return traits_of(event).rounds_in_all(event, rounds, stages=stages, before=before)


def listed(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Load matches for lists: both sides, round and sheet with its `totals`, by table."""
    return (
        matches.select_related(*SEATED, "round", "sheet", "challenge")
        .defer("sheet__derived", "sheet__paper")
        .annotate(totals=F("sheet__derived__totals"))
        .order_by("round__number", F("table").asc(nulls_last=True), "id")
    )


def left_over(event: Event, before: Round) -> Q:
    """Return the matches of earlier rounds still to be played."""
    earlier = Q(event=event, round__number__lt=before.number)
    return earlier & to_play() & Q(annulled=False) & published()


def published() -> Q:
    """Return the condition for matches in rounds that are not drafts."""
    return ~Q(round__state=RoundState.DRAFTED)


def byes(where: Q, *, states: Sequence[MatchState] = (MatchState.BYE,)) -> Sequence[tuple[Match, bool]]:
    """Return byes with event, round and entry, and whether each counts by now, in one query.

    `states` = `SAT_OUT` includes requested absences.
    """
    found = (
        Match.objects.filter(where, state__in=states)
        .select_related("event", "round", "entry_a", "sheet")
        .annotate(counts=Case(When(bye_counts(), then=True), default=False))
    )
    return [(bye, bye.__dict__["counts"]) for bye in found]
