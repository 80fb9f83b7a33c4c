"""An event that runs itself for an evening: rounds follow one another, and who has not come forfeits.

A director sets it up, begins it after check-in, may pause it, and may draw, award and change whatever he
likes meanwhile: the evening takes every round as it finds it (`evening_sweep`).
"""

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.services.outages import mend_outage
from league.core.evening import EveningState, check_evening_step
from league.core.lifecycle import Doing, check_doing
from league.draws.formats import format_of
from league.draws.planning import attendance_of
from league.draws.round_life import publish_round
from league.errors import LeagueError
from league.events.evening_steps import (
    begin_break,
    begin_round,
    has_draft,
    held_evening,
    hold_evening,
    move_on,
    open_round,
    played_now,
    rests_before,
    taken_back,
)
from league.matches.line_ups import open_line_ups
from league.matches.matches import line_ups_without_word
from league.models import AbsentAt, Evening, Event, PlayedWhere, RoundState
from league.policy import Permission, require
from league.record.audit import add_row, change_row, locked, remove_row
from scoring.core.actors import Actor


@transaction.atomic
def set_evening(
    *, actor: Actor, event: Event, break_minutes: int, wait_minutes: int, absent: AbsentAt
) -> Evening:
    """Have an event run itself once its evening is begun, or change how; what runs already stays.

    Refused: as by `check_settable`, minutes out of range (`invalid`).
    """
    require(actor, Permission.DIRECT, event.club)
    event = locked(event)
    check_doing(event.name, event.state, Doing.SETTINGS)
    check_settable(event)
    values: dict[str, Any] = {
        "break_minutes": break_minutes,
        "wait_minutes": wait_minutes,
        "absent": absent.value,
    }
    evening = held_evening(event)
    if evening is None:
        evening = Evening(event=event, **values)
        add_row(actor=actor, action="evening.set", row=evening, club=event.club)
    else:
        change_row(actor=actor, action="evening.set", row=evening, club=event.club, values=values)
    return evening


def begin_evening(*, actor: Actor, event: Event) -> Evening:
    """Begin the evening, or let it go on; who is waited for has as much time left as when it stood.

    If nothing is drawn yet, the first round is drawn from those who are here, and published; so is a round
    that is a draft, and one that was taken back is opened when its turn comes. Where a team has reserves the
    first round begins after a break, in which captains hand in their line-ups. Refused: no evening set up
    (`not_set`), one that goes on (`wrong_state`), as by `check_beginnable`, and by the draw.
    """
    now = timezone.now()
    # An outage in a pause is part of the pause, and not given back a second time.
    mend_outage(now)
    with transaction.atomic():
        require(actor, Permission.DIRECT, event.club)
        event = hold_evening(event)
        check_doing(event.name, event.state, Doing.PAIR)
        evening = _set_up(event)
        check_evening_step(evening.state, EveningState.GOING)
        check_beginnable(event)
        if evening.come_by is not None and evening.paused_at is not None:
            evening.come_by += now - evening.paused_at
        move_on(actor, evening, EveningState.GOING, "evening.begin")
        if (back := taken_back(event, evening)) is not None:
            publish_round(actor=actor, round_=back)
        if rests_before(event, evening):
            begin_break(actor, event, evening, now)
        elif not event.rounds.exists() or has_draft(event):
            open_round(actor, event, evening, now)
        elif evening.round is None and (played := played_now(event, evening)) is not None:
            begin_round(evening, played, now)
        return evening


@transaction.atomic
def pause_evening(*, actor: Actor, event: Event) -> Evening:
    """Pause the evening: nothing is drawn or forfeited until it goes on, and nobody's time to come runs.

    Refused: no evening set up (`not_set`), and one that does not go on (`wrong_state`).
    """
    require(actor, Permission.DIRECT, event.club)
    event = locked(event)
    evening = _set_up(event)
    check_evening_step(evening.state, EveningState.PAUSED)
    return move_on(actor, evening, EveningState.PAUSED, "evening.pause")


@transaction.atomic
def drop_evening(*, actor: Actor, event: Event) -> None:
    """Have an event run itself no longer; what it has done stays. Refused: no evening set up (`not_set`).

    Line-ups that are handed in are written into their matches, so one that is finished is reopened first
    (`wrong_state`).
    """
    require(actor, Permission.DIRECT, event.club)
    event = hold_evening(event)
    check_doing(event.name, event.state, Doing.SETTINGS)
    open_line_ups(event.matches.all())
    remove_row(actor=actor, action="evening.drop", row=_set_up(event), club=event.club)


def check_settable(event: Event) -> None:
    """Refuse an event that cannot run itself, with what `not_settable` says of it."""
    if (why := not_settable(event)) is not None:
        raise why


def not_settable(event: Event) -> LeagueError | None:
    """Why an event cannot run itself; None if it can.

    Its format needs a person between its rounds (`wrong_format`, and why), or it is not played online
    (`not_online`).
    """
    if why := format_of(event).no_evening:
        return LeagueError(
            "wrong_format",
            _("%(format)s: it does not run itself. %(why)s")
            % {"format": event.get_format_display().capitalize(), "why": why},
        )
    if event.played != PlayedWhere.ONLINE:
        return LeagueError("not_online", _("Only an event that is played online runs itself."))
    return None


def check_beginnable(event: Event) -> None:
    """Refuse to begin the evening of an event that cannot run itself to its end.

    As by `check_settable`, and: a number of rounds that is open (`rounds_open`), several rounds that are
    drafts (`rounds_drafted`), nobody checked in for the first round (`nobody_here`), teams of fewer players
    than sit at a table (`line_ups_open`), and players of the next round, if nobody says who plays, who have
    no account with which to come to their table (`no_account`).
    """
    check_settable(event)
    check_rounds(event)
    if event.rounds.filter(state=RoundState.DRAFTED).count() > 1:
        raise LeagueError(
            "rounds_drafted",
            _("Several rounds are drafts: publish them first, and they are played one after another."),
        )
    number = (event.rounds.order_by("-number").values_list("number", flat=True).first() or 0) + 1
    attendance = attendance_of(event, number)
    if number == 1 and attendance.expects_check_in and not attendance.present:
        raise LeagueError("nobody_here", _("Nobody is checked in. Tick first who is here."))
    usual = line_ups_without_word(event, number)
    if names := [str(entry) for entry in attendance.present if entry.pk not in usual]:
        raise LeagueError(
            "line_ups_open",
            _("%(names)s: fewer players than sit at a table.") % {"names": ", ".join(names)},
        )
    players = [player for entry in attendance.present for player in usual[entry.pk]]
    if names := [str(player) for player in players if not player.plays_here]:
        raise LeagueError(
            "no_account",
            _("%(names)s: no account here, which is needed to play online.") % {"names": ", ".join(names)},
        )


def check_rounds(event: Event) -> None:
    """Refuse (`rounds_open`) an event played night by night, if nobody has said how many rounds it has."""
    if format_of(event).night_by_night and event.rounds_planned is None:
        raise LeagueError("rounds_open", _("First set how many rounds are played."))


def _set_up(event: Event) -> Evening:
    evening = held_evening(event)
    if evening is None:
        raise LeagueError("not_set", _("The event does not run itself yet. Say first how it should."))
    return evening
