"""The matches of an event that their players arrange, for whoever looks after it: how far each has come."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from league.draws.arranging import is_arranged
from league.draws.overdue import deadline_of, is_open_challenge
from league.matches.away import away_between
from league.models import Event, Match, MatchState, PlayerAbsence, ProposedTime, RoundState, traits_of
from league.tables.ladders import ladder_now


class ArrangingStage(StrEnum):
    """How far two have come with arranging their match."""

    LATE = "late"
    # Nobody has proposed a time, one side has, or they agree.
    OPEN = "open"
    PROPOSED = "proposed"
    AGREED = "agreed"


@dataclass(frozen=True, slots=True)
class ArrangedMatch:
    """A match that its players arrange, for whoever looks after it.

    `last` is its last day, None if it has none; `days_left` counts from today, below 0 once that is over.
    `proposed` are the times that wait for an answer, `away` the days on which somebody cannot play.
    """

    match: Match
    stage: ArrangingStage
    last: datetime.date | None
    days_left: int | None
    proposed: Sequence[ProposedTime]
    away: Sequence[PlayerAbsence]

    @property
    def days_late(self) -> int:
        """How many days ago the last day was."""
        return -min(self.days_left or 0, 0)


def arranged_matches(event: Event, *, today: datetime.date) -> list[ArrangedMatch]:
    """Return the matches that are yet to be arranged or played, the longest overdue first."""
    rows = event.matches.filter(state=MatchState.SCHEDULED, annulled=False)
    if not traits_of(event).has_challenges:
        rows = rows.filter(round__last_day__isnull=False)
    rows = rows.exclude(round__state=RoundState.DRAFTED).with_sides("round", "challenge")
    matches = list(rows.prefetch_related("proposed_times").order_by("round__number", "pk"))
    for match in matches:
        match.event = event
    matches = [match for match in matches if is_arranged(match)]
    last_days = _last_days(event, matches)
    players = {entry for match in matches for side in match.sides for entry in match.ids_of(side)}
    away = away_between(players, today, None)
    found = [_arranged(match, last_days[match.pk], today, away) for match in matches]
    return sorted(found, key=lambda one: one.last or datetime.date.max)


def has_arranged(event: Event) -> bool:
    """Whether the players of an event arrange any of its matches."""
    return traits_of(event).has_challenges or event.rounds.filter(last_day__isnull=False).exists()


def _last_days(event: Event, matches: Sequence[Match]) -> dict[int, datetime.date | None]:
    """The last days of matches of one event, by their ids; a ladder is replayed once."""
    if not traits_of(event).has_challenges or not matches:
        return {match.pk: deadline_of(match) for match in matches}
    now = ladder_now(event)
    open_ones = {match.pk: match.challenge.number for match in matches if is_open_challenge(match)}
    return {
        match.pk: now.last_day(open_ones[match.pk])
        if open_ones.get(match.pk) in now.ladder.open
        else match.deadline
        for match in matches
    }


def away_in(match: Match, last: datetime.date | None, today: datetime.date) -> list[PlayerAbsence]:
    """Return the days from today to the last on which somebody of a match has said that he cannot play."""
    players = [entry for side in match.sides for entry in match.ids_of(side)]
    return _until(last, match, away_between(players, today, last))


def _until(
    last: datetime.date | None, match: Match, away: Mapping[int, Sequence[PlayerAbsence]]
) -> list[PlayerAbsence]:
    players = [entry for side in match.sides for entry in match.ids_of(side)]
    rows = [row for entry in players for row in away.get(entry, ())]
    return [row for row in rows if last is None or row.first_day <= last]


def _arranged(
    match: Match,
    last: datetime.date | None,
    today: datetime.date,
    away: Mapping[int, Sequence[PlayerAbsence]],
) -> ArrangedMatch:
    proposed = list(match.proposed_times.all())
    left = None if last is None else (last - today).days
    stage = ArrangingStage.PROPOSED if proposed else ArrangingStage.OPEN
    if match.planned_on is not None:
        stage = ArrangingStage.AGREED
    if left is not None and left < 0:
        stage = ArrangingStage.LATE
    return ArrangedMatch(match, stage, last, left, proposed, _until(last, match, away))
