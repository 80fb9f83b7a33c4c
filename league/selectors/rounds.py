"""Rounds and matches: how far an event is, what was played tonight, who still plays."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Case, Count, Q, QuerySet, When

from league.models import UNPLAYED, Event, Match, MatchState, Round, bye_counts


@dataclass(frozen=True, slots=True)
class RoundSummary:
    """A round with its numbers of matches: all (byes left out), decided, under way, held back."""

    round: Round
    matches: int
    decided: int
    playing: int
    held: int
    byes: int

    @property
    def begun(self) -> bool:
        """Whether anything was played."""
        return self.decided + self.playing > 0

    @property
    def complete(self) -> bool:
        """Whether every match is decided and counts."""
        return self.decided == self.matches and not self.held


def summaries(event: Event) -> Sequence[RoundSummary]:
    """All rounds of an event in order, in one query."""
    is_match = ~Q(matches__state=MatchState.BYE)
    rounds = (
        Round.objects.filter(event=event)
        .annotate(
            match_count=Count("matches", filter=is_match),
            undecided_count=Count("matches", filter=Q(matches__state__in=UNPLAYED)),
            playing_count=Count("matches", filter=Q(matches__state=MatchState.PLAYING)),
            held_count=Count("matches", filter=Q(matches__held=True)),
            bye_count=Count("matches", filter=~is_match),
        )
        .order_by("number")
    )
    return [
        RoundSummary(
            round_,
            round_.match_count,
            round_.match_count - round_.undecided_count,
            round_.playing_count,
            round_.held_count,
            round_.bye_count,
        )
        for round_ in rounds
    ]


def current(rounds: Sequence[RoundSummary], today: datetime.date) -> RoundSummary | None:
    """The round to show first: today's, else the last one begun, else the first there is."""
    for summary in rounds:
        if summary.round.date == today:
            return summary
    begun = [summary for summary in rounds if summary.begun]
    return begun[-1] if begun else (rounds[0] if rounds else None)


def listed(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Matches as lists show them: both sides, round and sheet loaded along, in order of tables."""
    return (
        matches.select_related("entry_a", "entry_b", "round", "sheet")
        .defer("sheet__derived", "sheet__paper")
        .order_by("round__number", "table", "id")
    )


def left_over(event: Event, before: Round) -> Q:
    """The matches of earlier rounds that are still to be played."""
    return Q(event=event, round__number__lt=before.number, state__in=UNPLAYED)


def byes(where: Q) -> Sequence[tuple[Match, bool]]:
    """Byes with their event, round and entry, and whether each counts by now, in one query."""
    found = (
        Match.objects.filter(where, state=MatchState.BYE)
        .select_related("event", "round", "entry_a")
        .annotate(counts=Case(When(bye_counts(), then=True), default=False))
    )
    return [(bye, bye.counts) for bye in found]
