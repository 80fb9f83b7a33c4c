"""Rounds: drawing and deleting a round robin, adding, moving and removing single rounds."""

import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from league.core.lifecycle import Doing, check_doing
from league.core.pairing.round_robin import schedule
from league.draws.drawn import check_has_rounds, is_drawn
from league.draws.plans import Draw, PlannedBye, PlannedMatch, RoundPlan, check_days_between, date_after
from league.draws.round_writing import check_untouched, erase_matches, write_rounds
from league.errors import LeagueError
from league.matches.matches import Progress
from league.models import Event, Match, Round, RoundState
from league.policy import Permission, require
from league.record.audit import add_row, change_row, directed, locked, record_audit, remove_row
from league.record.days import check_day
from league.record.locking import check_all_locked, lock_matches
from league.record.requests import request_ratings, request_standings
from scoring.core.actors import Actor

# The limit of one draw: 141 entries in a single round robin, 100 in a double one.
MOST_MATCHES: Final = 10_000
# The most days that the players of one round have.
MOST_DAYS: Final = 366


def check_entries(entries: int, *, double: bool = False) -> None:
    """Refuse a number of entries that no round robin takes: `too_few_entries`, `too_many_matches`."""
    if entries < 2:
        raise LeagueError("too_few_entries", _("A round robin needs at least two entries."))
    matches = entries * (entries - 1) // (1 if double else 2)
    if matches > MOST_MATCHES:
        raise LeagueError(
            "too_many_matches",
            _("%(entries)d entries would play %(matches)d matches; one draw makes at most %(most)d.")
            % {"entries": entries, "matches": matches, "most": MOST_MATCHES},
        )


def plan_round_robin(
    *,
    event: Event,
    double: bool = False,
    first_date: datetime.date | None = None,
    days_between: int = 7,
) -> Draw:
    """Return the round robin that `draw_round_robin` would draw, double with `double`.

    Entries are placed by seed, then by name, without withdrawn ones. Without `first_date` rounds have no
    dates. Refused: an event with rounds (`already_drawn`), entries as `check_entries`, `days_between` outside
    0…366.
    """
    if event.rounds.exists():
        raise LeagueError(
            "already_drawn",
            _("This event has rounds already; its draw can be deleted until a hand is recorded."),
        )
    check_days_between(days_between)
    entries = sorted(
        event.entries.filter(withdrawn_at=None),
        key=lambda entry: (entry.seed is None, entry.seed or 0, entry.name),
    )
    check_entries(len(entries), double=double)
    rounds = schedule(len(entries), double=double)
    dates = [date_after(first_date, days_between * index) for index in range(len(rounds))]
    return Draw(
        event=event,
        entries=tuple(entries),
        rounds=tuple(
            RoundPlan(
                number=drawn.number,
                date=date,
                matches=tuple(
                    PlannedMatch(sides=((entries[first],), (entries[second],)))
                    for first, second in drawn.pairs
                ),
                byes=() if drawn.bye is None else (PlannedBye(entry=entries[drawn.bye]),),
            )
            for drawn, date in zip(rounds, dates, strict=True)
        ),
    )


@transaction.atomic
def draw_round_robin(
    *,
    actor: Actor,
    event: Event,
    double: bool = False,
    first_date: datetime.date | None = None,
    days_between: int = 7,
    progress: Progress | None = None,
) -> list[Round]:
    """Draw a round robin (see `plan_round_robin`): rounds, matches with line-ups and open sheets, byes.

    Sheets are opened if both line-ups need no choice: always for players, for teams with just enough members.
    `progress` is called with matches made and matches in all. Of two directors at once the second is refused.
    """
    event = directed(actor, event)
    check_doing(event.name, event.state, Doing.PAIR)
    plan = plan_round_robin(event=event, double=double, first_date=first_date, days_between=days_between)
    rounds = write_rounds(
        actor=actor, event=event, plans=plan.rounds, state=RoundState.PUBLISHED, progress=progress
    )
    record_audit(
        actor,
        "event.draw",
        event,
        after={
            "format": "double round robin" if double else "round robin",
            "entries": list(plan.entries),
            "rounds": len(plan.rounds),
            "matches": plan.matches,
            "byes": plan.byes,
            "first_date": first_date and first_date.isoformat(),
            "days_between": days_between,
        },
    )
    request_standings(event.pk)
    return rounds


@transaction.atomic
def delete_draw(*, actor: Actor, event: Event) -> int:
    """Delete all rounds of an event with their matches; returns the number of matches.

    Refused once a hand is recorded (`has_hands`) or a match awarded (`has_stated`). Voided sheets stay on
    file.
    """
    require(actor, Permission.DIRECT, event.club)
    matches = Match.objects.filter(event=event)
    ids = lock_matches(matches)
    event = locked(event)
    check_all_locked(matches, ids)
    check_draw_deletable(event)
    before = {"rounds": event.rounds.count(), "matches": erase_matches(matches)}
    event.ties.all().delete()
    event.cut_decisions.all().delete()
    event.entries.exclude(group=None).update(group=None)
    event.rounds.all().delete()
    record_audit(actor, "event.delete_draw", event, before=before)
    request_standings(event.pk)
    return before["matches"]


def check_draw_deletable(event: Event) -> None:
    """Refuse whatever `delete_draw` refuses."""
    check_doing(event.name, event.state, Doing.PAIR)
    check_has_rounds(event)
    if not is_drawn(event):
        raise LeagueError("nothing_drawn", _("This event has no rounds."))
    check_untouched(event.matches.all())


@transaction.atomic
def add_round(
    *,
    actor: Actor,
    event: Event,
    number: int,
    date: datetime.date | None = None,
    last_day: datetime.date | None = None,
) -> Round:
    """Add a round without matches; with a `last_day` its players arrange them, from the date on."""
    event = directed(actor, event)
    check_doing(event.name, event.state, Doing.PAIR)
    check_has_rounds(event)
    round_ = Round(event=event, number=number, date=date, last_day=last_day)
    add_row(actor, "round.add", round_)
    request_standings(event.pk)
    return round_


@transaction.atomic
def change_round(*, actor: Actor, round_: Round, **values: Any) -> Round:
    """Move a round to another `date`, or have its players arrange their matches until its `last_day`.

    Refused (`invalid`): a last day before the date, or without one.
    """
    club = round_.event.club
    require(actor, Permission.DIRECT, club)
    event = locked(round_.event)
    check_doing(event.name, event.state, Doing.SETTINGS)
    round_ = locked(round_)
    if values.get("last_day") is not None:
        values["ends_at"] = None  # its players arrange when they play
    if change_row(actor, "round.change", round_, values):
        # Matches are rated in order of their dates.
        request_ratings(club.pk)
    return round_


@transaction.atomic
def set_last_days(*, actor: Actor, event: Event, days: int) -> int:
    """Give the players of all `rounds_to_arrange` so many days from the round's date on; returns how many.

    They arrange their matches then. Refused: fewer than 2 days or more than `MOST_DAYS` (`out_of_range`), and
    an event without such rounds (`no_dates`).
    """
    event = directed(actor, event)
    rounds = plan_last_days(event, days)
    for round_, last_day in rounds:
        values = {"last_day": last_day, "ends_at": None}
        change_row(actor, "round.change", locked(round_), values)
    return len(rounds)


def plan_last_days(event: Event, days: int) -> list[tuple[Round, datetime.date]]:
    """Return the rounds that `set_last_days` would change, each with its last day; with the same refusals."""
    check_doing(event.name, event.state, Doing.SETTINGS)
    if not 2 <= days <= MOST_DAYS:
        raise LeagueError(
            "out_of_range", _("A round has 2 to %(most)d days.") % {"most": MOST_DAYS}, field="days"
        )
    rounds = list(rounds_to_arrange(event).order_by("number"))
    if not rounds:
        raise LeagueError("no_dates", _("No round that is still to be played has a date."))
    more = datetime.timedelta(days=days - 1)
    found = [(round_, round_.date + more) for round_ in rounds if round_.date is not None]
    for _round, last_day in found:
        check_day(last_day, "days")
    return found


def rounds_to_arrange(event: Event) -> QuerySet[Round]:
    """The rounds whose players could arrange their matches: with a date, and not closed."""
    return event.rounds.filter(date__isnull=False).exclude(state=RoundState.COMPLETE)


@transaction.atomic
def remove_round(*, actor: Actor, round_: Round) -> None:
    """Delete a round without matches."""
    require(actor, Permission.DIRECT, round_.event.club)
    event = locked(round_.event)
    check_doing(event.name, event.state, Doing.PAIR)
    round_ = locked(round_)
    if round_.matches.exists():
        raise LeagueError("in_use", _("Round %(number)s has matches.") % {"number": round_.number})
    remove_row(actor, "round.remove", round_)
    request_standings(event.pk)
