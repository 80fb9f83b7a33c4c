"""The next round of an event as it would be paired; nothing is stored.

What every format asks is asked here: whether it is time for another round, and who is there to play it. Who
meets whom is the format's own business: `Format.plan_round` takes the event, the number of the round and the
entries that are present, and answers a `RoundPlan`.
"""

import dataclasses
import datetime
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.lifecycle import Doing, check_doing
from league.draws.formats import format_of
from league.draws.missing import missing_results, results_missing
from league.draws.plans import NoRoundPlanError, PlannedBye, RoundPlan
from league.errors import LeagueError
from league.models import (
    Entry,
    Event,
    MatchState,
    Presence,
    PresenceState,
    RoundState,
)

_MOST_NAMED: Final = 12


def plan_next_round(
    event: Event,
    *,
    despite_missing: bool = False,
    accept_offer: bool = False,
    date: datetime.date | None = None,
) -> RoundPlan:
    """The round that comes next, as it would be paired now.

    Refused: an event that does not run, or is paired all at once (`drawn_at_once`); while a round is a draft
    (`round_drafted`); after the last that is planned (`no_more_rounds`); while results are missing, which
    the refusal lists (`results_missing`), unless `despite_missing`; where no pairing keeps to the rules
    (`no_pairing`), unless `accept_offer` takes the nearest there is.
    """
    check_doing(event.name, event.state, Doing.PAIR)
    number = next_number(event)
    last = format_of(event).last_round(event)
    if last is not None and number > last:
        raise LeagueError(
            "no_more_rounds",
            ngettext(
                "“%(event)s” has %(count)d round, and it is paired.",
                "“%(event)s” has %(count)d rounds, and all are paired.",
                last,
            )
            % {"event": event, "count": last},
        )
    return plan_round(event, number, despite_missing=despite_missing, accept_offer=accept_offer, date=date)


def plan_round(
    event: Event,
    number: int,
    *,
    despite_missing: bool = False,
    accept_offer: bool = False,
    date: datetime.date | None = None,
) -> RoundPlan:
    """Round `number` as it would be paired now, from all rounds before it; see `plan_next_round`."""
    own = format_of(event)
    missing = missing_results(event, before=number)
    if missing and not despite_missing:
        raise LeagueError("results_missing", results_missing(missing), field="despite_missing")
    attendance = attendance_of(event, number)
    if not own.night_by_night:
        # Who was there was drawn; a bracket waits for them.
        attendance = dataclasses.replace(attendance, asked_off=(), away=())
    try:
        plan = own.plan_round(event, number, attendance.present)
    except NoRoundPlanError as refused:
        if not accept_offer:
            raise
        plan = refused.offer
    warnings = (results_missing(missing),) if missing else ()
    asked = tuple(
        PlannedBye(entry=entry, state=MatchState.ABSENT, reasons=(_("asked to sit out"),))
        for entry in attendance.asked_off
    )
    return dataclasses.replace(
        plan,
        byes=(*plan.byes, *asked),
        date=date,
        warnings=(*warnings, *attendance.sentences(), *plan.warnings),
    )


def is_left_to_pair(event: Event) -> bool:
    """Whether there is a round to be paired next, once the results before it are in."""
    if event.rounds.filter(state=RoundState.DRAFTED).exists():
        return False
    return format_of(event).is_left_to_pair(event, next_number(event))


def next_number(event: Event) -> int:
    """The number of the round that is paired next; refuses (`round_drafted`) while one is a draft."""
    last = event.rounds.order_by("-number").first()
    if last is None:
        return 1
    drafted = event.rounds.filter(state=RoundState.DRAFTED).order_by("number").first()
    if drafted is not None:
        raise LeagueError(
            "round_drafted",
            _("Round %(number)d is paired and a draft: publish it, or pair it again.")
            % {"number": drafted.number},
        )
    return last.number + 1


def asks_who_is_here(event: Event, number: int = 1) -> bool:
    """Whether round `number` depends on who is here: any of some formats, the first of what is drawn."""
    return format_of(event).asks_who_is_here(number)


@dataclass(frozen=True, slots=True)
class Attendance:
    """Who could play a round: those who are there, who asked to sit it out, and who is not there."""

    present: tuple[Entry, ...]
    asked_off: tuple[Entry, ...]
    away: tuple[Entry, ...]
    expects_check_in: bool

    def sentences(self) -> tuple[str, ...]:
        """Who is not paired though entered, as a warning."""
        if not self.away:
            return ()
        said = ngettext(
            "%(count)d entry is not here and is not paired: %(names)s.",
            "%(count)d entries are not here and are not paired: %(names)s.",
            len(self.away),
        )
        names = ", ".join(str(entry) for entry in self.away[:_MOST_NAMED])
        return (
            said % {"count": len(self.away), "names": names + ("…" if len(self.away) > _MOST_NAMED else "")},
        )


def attendance_of(event: Event, number: int) -> Attendance:
    """Who plays round `number`: not who has withdrawn, or comes in a later round.

    With check-in only those who are marked as here, else everybody who is not away. A bracket and groups are
    drawn from who is here in the first round; after that, and in a round robin, it does not matter.
    """
    entries = list(event.entries.filter(withdrawn_at=None, first_round__lte=number).order_by("name"))
    if not asks_who_is_here(event, number):
        return Attendance(tuple(entries), (), (), expects_check_in=False)
    known = dict(Presence.objects.filter(event=event, round_number=number).values_list("entry_id", "state"))
    unknown = PresenceState.AWAY if event.check_in else PresenceState.HERE
    sorted_out: dict[str, list[Entry]] = {state.value: [] for state in PresenceState}
    for entry in entries:
        sorted_out[known.get(entry.pk, unknown)].append(entry)
    here, asked, away = (
        tuple(sorted_out[state]) for state in (PresenceState.HERE, PresenceState.BYE, PresenceState.AWAY)
    )
    return Attendance(here, asked, away, expects_check_in=event.check_in)
