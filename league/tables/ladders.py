"""The ladder of an event, replayed from its rows (`league.core.ladder`); players are entry ids."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils import timezone

from league.core import ladder
from league.core.ladder import (
    Absence,
    CalledOff,
    Challenged,
    Ended,
    Joined,
    LadderRules,
    LadderState,
    Left,
    Step,
)
from league.models import PLAYED, UNFINISHED, Challenge, Event, LadderAbsence, LadderStay, Match

_MOMENT: Final = datetime.timedelta(microseconds=1)
_CHALLENGE: Final = ("number", "challenger_id", "challenged_id", "made_at", "called_off_at", "decided_at")
_MATCH: Final = (
    "match__deadline",
    "match__state",
    "match__held",
    "match__round__number",
    "match__entry_a_id",
    "match__entry_b_id",
    "match__winner_side",
)
# Order at the same moment: joining first, leaving last.
_ORDER: Final = (Joined, Challenged, Ended, CalledOff, Left)


@dataclass(frozen=True, slots=True)
class LadderNow:
    """A ladder with all that decides which challenges are allowed; `today` is the club's date."""

    event: Event
    rules: LadderRules
    ladder: LadderState
    absences: tuple[Absence, ...]
    today: datetime.date

    def last_day(self, number: int) -> datetime.date | None:
        """Return the last day to play an open challenge; None if it has no end now."""
        return ladder.last_day(self.ladder.open[number], self.rules, self.absences)

    def is_away(self, entry_id: int) -> bool:
        """True if an entry counts as away today."""
        return ladder.is_away(entry_id, self.today, self.rules, self.absences)

    def protected_until(self, entry_id: int) -> datetime.date | None:
        """Return the last day of an entry's protection, None if it is not protected today."""
        day = ladder.protected_until(self.ladder, self.rules, entry_id)
        return day if day is not None and self.today <= day else None


def ladder_now(event: Event, *, until: int | None = None) -> LadderNow:
    """Return the ladder of an event; `until` leaves out results of later rounds. Three queries."""
    absences = LadderAbsence.objects.filter(entry__event=event).order_by("pk")
    return LadderNow(
        event,
        rules_of(event),
        ladder.replay(steps_of(event, until=until)),
        tuple(Absence(*row) for row in absences.values_list("entry_id", "first_day", "last_day")),
        timezone.localdate(timezone=event.club.zone),
    )


def rules_of(event: Event) -> LadderRules:
    """Return the ladder settings of an event."""
    return LadderRules(
        reach=event.challenge_reach,
        days_to_play=event.challenge_days,
        protected_days=event.protected_days,
        absence_days=event.absence_days,
    )


def steps_of(event: Event, *, until: int | None = None) -> list[Step]:
    """Return all steps of a ladder in order, dated in the club's time zone; `until` as in `ladder_now`.

    A consequence comes after its cause even if clocks of two machines disagree.
    """
    zone = event.club.zone
    found: list[tuple[datetime.datetime, int, int, Step]] = []

    def add(at: datetime.datetime, number: int, step: Step) -> None:
        found.append((at, _ORDER.index(type(step)), number, step))

    def day(at: datetime.datetime) -> datetime.date:
        return timezone.localdate(at, timezone=zone)

    free_from: dict[int, datetime.datetime] = {}
    stays = LadderStay.objects.filter(event=event).order_by("pk")
    for pk, entry, joined_at, left_at in stays.values_list("pk", "entry_id", "joined_at", "left_at"):
        joined_at = max(joined_at, free_from.get(entry, joined_at))
        add(joined_at, pk, Joined(day(joined_at), entry))
        if left_at is not None:
            left_at = max(joined_at, left_at)
            add(left_at, pk, Left(day(left_at), entry))
            free_from[entry] = left_at + _MOMENT
    rows = Challenge.objects.filter(event=event).order_by("number").values_list(*_CHALLENGE, *_MATCH)
    for number, challenger, challenged, made_at, off_at, decided_at, *of_match in rows:
        deadline, state, held, round_number, *sides, winner_side = of_match
        add(made_at, number, Challenged(day(made_at), number, challenger, challenged, deadline))
        is_known = until is None or (round_number is not None and round_number <= until)
        if off_at is not None:
            off_at = max(made_at, off_at)
            add(off_at, number, CalledOff(day(off_at), number))
        elif decided_at is not None and is_known and not held and state not in UNFINISHED:
            decided_at = max(made_at, decided_at)
            winner = None if winner_side is None else sides[winner_side]
            add(decided_at, number, Ended(day(decided_at), number, winner, is_played=state in PLAYED))
    return [step for *_key, step in sorted(found, key=lambda each: each[:3])]


def deadlines_of(event: Event, matches: Sequence[Match]) -> Mapping[int, datetime.date | None]:
    """The deadlines of matches on a ladder by id; while a challenge is open its last day."""
    made = dict(Challenge.objects.filter(match__in=matches).values_list("match", "number"))
    now = ladder_now(event)
    return {
        match.pk: now.last_day(number)
        if (number := made.get(match.pk)) is not None and number in now.ladder.open
        else match.deadline
        for match in matches
    }


def ladder_places(event: Event, *, until: int | None = None) -> Mapping[int, int]:
    """Return the place of each entry on the ladder, by id."""
    return ladder.replay(steps_of(event, until=until)).places
