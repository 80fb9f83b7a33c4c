"""The clock of a round: a director starts it when all are seated, and the hall sees how much time is left.

At zero nothing stops by itself: whoever is in a hand plays it to its end, and the director calls time
(`time_called`), which ends the clock. `Round.ends_at` is all that is kept of it.
"""

import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.core.lifecycle import Doing, check_doing
from league.draws.drawn import check_has_rounds
from league.errors import LeagueError
from league.models import UNFINISHED, Event, EventState, Round, RoundState
from league.models.events import MOST_MINUTES
from league.policy import Permission, require
from league.record.audit import change_row, locked
from scoring.core.actors import Actor

# After so long nobody waits for a clock any more that has run out and was left alone.
FORGOTTEN_AFTER: Final = datetime.timedelta(hours=12)


@transaction.atomic
def start_clock(*, actor: Actor, round_: Round, minutes: int) -> Round:
    """Start the clock of a round: its time is up in so many minutes.

    Whatever time was called before is no longer: who is still to play has the time that is given now. Refused
    as by `check_startable`, and fewer than 1 minute or more than `MOST_MINUTES` (`out_of_range`).
    """
    event, round_ = _lock_round(actor, round_)
    check_startable(event, round_)
    values = {"ends_at": _end(minutes, after=_now()), "called_at": None}
    change_row(actor, "round.start_clock", round_, values)
    return round_


@transaction.atomic
def change_clock(*, actor: Actor, round_: Round, minutes: int, seen: str = "") -> Round:
    """Add so many minutes to the clock of a round, or take them off where there are fewer than 0.

    To a clock that has run out they are added from now on. `seen` is when the time was up as the director saw
    it (ISO 8601; blank is not asked). Refused: a round without a clock (`no_clock`), a clock that was changed
    meanwhile (`clock_changed`), 0 minutes, and if then fewer than 1 or more than `MOST_MINUTES` are left
    (`out_of_range`).
    """
    event, round_ = _lock_round(actor, round_)
    check_doing(event.name, event.state, Doing.PLAY)
    ends_at = check_running(round_)
    if seen and seen != ends_at.isoformat():
        raise LeagueError(
            "clock_changed",
            _("The clock was changed meanwhile, and runs until %(time)s. Reload this page first.")
            % {"time": until(round_)},
        )
    if not minutes:
        raise LeagueError("out_of_range", _("Say how many minutes."), field="minutes")
    values = {"ends_at": _end(minutes, after=max(ends_at, _now()))}
    change_row(actor, "round.change_clock", round_, values)
    return round_


@transaction.atomic
def stop_clock(*, actor: Actor, round_: Round) -> Round:
    """Take the clock of a round away. Refused: a round without one (`no_clock`)."""
    event, round_ = _lock_round(actor, round_)
    check_doing(event.name, event.state, Doing.PLAY)
    check_running(round_)
    values = {"ends_at": None}
    change_row(actor, "round.stop_clock", round_, values)
    return round_


def check_startable(event: Event, round_: Round) -> None:
    """Refuse a round that can have no clock, has one already, or in which nobody is left to play.

    That is: of an event that is not running (`wrong_state`) or has no rounds (`no_rounds`), a draft
    (`round_drafted`), a closed round (`wrong_state`), one whose players arrange their matches (`no_night`);
    `clock_runs`; `nobody_plays`.
    """
    check_doing(event.name, event.state, Doing.PLAY)
    check_has_rounds(event)
    if round_.state == RoundState.DRAFTED:
        raise LeagueError("round_drafted", _("%(round)s is a draft: publish it first.") % {"round": round_})
    if round_.state == RoundState.COMPLETE:
        raise LeagueError("wrong_state", _("%(round)s is closed: open it again first.") % {"round": round_})
    if round_.last_day is not None:
        raise LeagueError(
            "no_night",
            _("The players of %(round)s arrange when they play: it has no clock.") % {"round": round_},
        )
    if round_.ends_at is not None:
        raise LeagueError(
            "clock_runs",
            _("The clock of %(round)s runs already, until %(time)s.")
            % {"round": round_, "time": until(round_)},
        )
    if not round_.matches.filter(state__in=UNFINISHED, annulled=False).exists():
        raise LeagueError("nobody_plays", _("Nobody is left to play in %(round)s.") % {"round": round_})


def check_running(round_: Round) -> datetime.datetime:
    """Return when the time of the round is up; refuse (`no_clock`) a round without a clock."""
    if round_.ends_at is None:
        raise LeagueError("no_clock", _("%(round)s has no clock.") % {"round": round_})
    return round_.ends_at


def until(round_: Round) -> str:
    """Return when the time of the round is up by the club's clock, "20:45"; "" for a round without one."""
    if round_.ends_at is None:
        return ""
    return date_format(round_.ends_at.astimezone(round_.event.club.zone), "H:i")


def is_up(round_: Round) -> bool:
    """True if the time of the round is up, and nobody has called it."""
    return round_.ends_at is not None and round_.ends_at <= timezone.now()


def shows_clock(event: Event, round_: Round) -> bool:
    """True if players see the clock of the round: it runs, or has run out and was not forgotten."""
    if round_.ends_at is None or event.state != EventState.RUNNING:
        return False
    return round_.state == RoundState.PUBLISHED and timezone.now() < round_.ends_at + FORGOTTEN_AFTER


def _lock_round(actor: Actor, round_: Round) -> tuple[Event, Round]:
    require(actor, Permission.DIRECT, round_.event.club)
    event = locked(round_.event)
    round_ = locked(round_)
    round_.event = event
    return event, round_


def _now() -> datetime.datetime:
    """Now in whole seconds, as clocks show them."""
    return timezone.now().replace(microsecond=0)


def _end(minutes: int, *, after: datetime.datetime) -> datetime.datetime:
    """Return the moment so many minutes after `after`; refused if not 1 to `MOST_MINUTES` from now."""
    most = datetime.timedelta(minutes=MOST_MINUTES)
    # Compared before it is added: no date has so many digits.
    if abs(minutes) <= 2 * MOST_MINUTES:
        end = after + datetime.timedelta(minutes=minutes)
        if datetime.timedelta(minutes=1) <= end - _now() <= most:
            return end
    raise LeagueError(
        "out_of_range",
        _("A clock runs for 1 to %(most)d minutes from now.") % {"most": MOST_MINUTES},
        field="minutes",
    )
