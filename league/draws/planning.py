"""Plans the next round of an event; nothing is stored.

Checks common to all formats are here: whether another round is due, and who is present. `Format.plan_round`
decides who meets whom: it takes the event, the number of the round and the entries present, and returns a
`RoundPlan`.
"""

import dataclasses
import datetime
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.lifecycle import Doing, check_doing
from league.draws.carrying import carried
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
    """Return the next round as it would be paired now.

    Refused: an event that is not running, or drawn all at once (`drawn_at_once`); a round still in draft
    (`round_drafted`); no rounds left (`no_more_rounds`); missing results, which are listed
    (`results_missing`), unless `despite_missing`; no pairing within the rules (`no_pairing`), unless
    `accept_offer` takes the nearest one.
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
    """Return round `number` as it would be paired now; refused as by `plan_next_round`."""
    own = format_of(event)
    missing = missing_results(event, before=number)
    if missing and not despite_missing:
        raise LeagueError("results_missing", results_missing(missing), field="despite_missing")
    attendance = attendance_of(event, number)
    if not own.night_by_night:
        # The draw took those who were present; the bracket waits for them.
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
    """True if a round is to be paired next, once earlier results are in."""
    if event.rounds.filter(state=RoundState.DRAFTED).exists():
        return False
    return format_of(event).is_left_to_pair(event, next_number(event))


def next_number(event: Event) -> int:
    """Return the number of the next round to pair; refused (`round_drafted`) while one is a draft."""
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
    """True if round `number` depends on who is present: any round in some formats, the first in others."""
    return format_of(event).asks_who_is_here(number)


@dataclass(frozen=True, slots=True)
class Attendance:
    """Who is present for a round, who asked to sit it out, and who is absent."""

    present: tuple[Entry, ...]
    asked_off: tuple[Entry, ...]
    away: tuple[Entry, ...]
    expects_check_in: bool

    def sentences(self) -> tuple[str, ...]:
        """A warning that names the entries that are not paired."""
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
    """Return who plays round `number`, without withdrawn entries and those that start later.

    With check-in only those marked as here, otherwise everyone not away; in an evening that runs itself as
    `carried` says. Brackets and groups depend on who is here in round 1; later rounds of theirs, and round
    robins, do not.
    """
    entries = list(event.entries.filter(withdrawn_at=None, first_round__lte=number).order_by("name"))
    if not asks_who_is_here(event, number):
        return Attendance(tuple(entries), (), (), expects_check_in=False)
    said = Presence.objects.filter(event=event, round_number=number)
    known: dict[int, str] = dict(said.values_list("entry_id", "state"))
    known |= carried(event, number, [entry for entry in entries if entry.pk not in known])
    unknown = PresenceState.AWAY if event.check_in else PresenceState.HERE
    sorted_out: dict[str, list[Entry]] = {state.value: [] for state in PresenceState}
    for entry in entries:
        sorted_out[known.get(entry.pk, unknown)].append(entry)
    here, asked, away = (
        tuple(sorted_out[state]) for state in (PresenceState.HERE, PresenceState.BYE, PresenceState.AWAY)
    )
    return Attendance(here, asked, away, expects_check_in=event.check_in)
