"""Postpones matches: to another day, or until a deadline."""

import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from league.core.clock import instant
from league.core.lifecycle import Doing, check_doing
from league.draws.overdue import deadline_of
from league.errors import LeagueError
from league.models import UNFINISHED, Match, Round, RoundState
from league.notices.causes import time_agreed
from league.policy import Permission, require
from league.record.audit import change_row, given_reason, locked, record_audit
from league.record.days import check_day
from league.record.locking import check_all_locked, lock_match, lock_matches
from scoring.core.actors import Actor


@transaction.atomic
def postpone_match(
    *,
    actor: Actor,
    match: Match,
    planned_on: datetime.date | None,
    deadline: datetime.date | None,
    reason: str,
    time: datetime.time | None = None,
    place: str = "",
    seen: str = "",
) -> Match:
    """Set the day or the deadline, or both, of a match without a result.

    Of a day the `time` by the club's clock and the `place` may be known. Neither day: it is played with its
    round again. What its players have proposed is over, and they are told the day. Refused: a match with a
    result (`has_result`), one in a drafted round (`round_drafted`), a day after the deadline or before the
    round (`out_of_range`), a time or place without a day (`day_missing`), a time that no clock shows
    (`no_such_time`), no change (`nothing_changed`), and one that is planned otherwise by now than was `seen`
    (`plan_of`; blank is not asked): `planned_meanwhile`.
    """
    event = match.event
    require(actor, Permission.DIRECT, event.club)
    reason = given_reason(reason)
    match, _sheet = lock_match(match)
    event = match.event = locked(event)
    check_doing(event.name, event.state, Doing.PLAY)
    check_postponable(match, planned_on=planned_on, deadline=deadline)
    check_plan_seen(match, seen)
    changed = change_row(
        actor,
        "match.postpone",
        match,
        {
            "planned_on": planned_on,
            "planned_at": planned_time(match, planned_on, time, place),
            "planned_place": " ".join(place.split()),
            "deadline": deadline,
        },
        reason=reason,
    )
    if not changed:
        raise LeagueError("nothing_changed", _("That is when it is planned already."), field="planned_on")
    if not changed.keys() <= {"deadline"}:
        match.proposed_times.all().delete()
        time_agreed(match, actor)
    return match


def plan_of(match: Match) -> str:
    """When and where a match is played, to be compared with what it is later."""
    return f"{match.planned_on} {match.planned_at} {match.planned_place} {match.deadline}"


def check_plan_seen(match: Match, seen: str) -> None:
    """Refuse (`planned_meanwhile`) to put aside what whoever acts has not seen; blank is not asked."""
    if seen and seen != plan_of(match):
        raise LeagueError(
            "planned_meanwhile",
            _("Another time was agreed or set meanwhile. Reload this page and look at it first."),
        )


def planned_time(
    match: Match, planned_on: datetime.date | None, time: datetime.time | None, place: str
) -> datetime.datetime | None:
    """Return the instant of this time on the day, None without a time; refused as by `postpone_match`."""
    if planned_on is None and (time is not None or place.strip()):
        raise LeagueError("day_missing", _("Name the day, too."), field="planned_on")
    if planned_on is None or time is None:
        return None
    return instant(datetime.datetime.combine(planned_on, time), match.event.club.zone, field="time")


@transaction.atomic
def set_round_deadline(*, actor: Actor, round_: Round, deadline: datetime.date | None, reason: str) -> int:
    """Set the deadline of all matches of a round without a result; None: with the round.

    Returns how many there are. Refused as by `postpone_match` for any of them, and if there are none
    (`nothing_to_play`).
    """
    event = round_.event
    require(actor, Permission.DIRECT, event.club)
    reason = given_reason(reason)
    waiting = matches_to_play(round_)
    ids = lock_matches(waiting)
    event = locked(event)
    check_doing(event.name, event.state, Doing.PLAY)
    check_all_locked(waiting, ids)
    matches = check_round_deadline(round_, deadline)
    waiting.update(deadline=deadline)
    record_audit(
        actor,
        "round.deadline",
        round_,
        after={"deadline": deadline and deadline.isoformat(), "matches": [match.label for match in matches]},
        reason=reason,
    )
    return len(matches)


def matches_to_play(round_: Round) -> QuerySet[Match]:
    """Return the matches of a round without a result."""
    return Match.objects.filter(round=round_, state__in=UNFINISHED)


def check_round_deadline(round_: Round, deadline: datetime.date | None) -> list[Match]:
    """Return the matches that `set_round_deadline` would change, by table, with the same refusals."""
    matches = list(matches_to_play(round_).select_related("round", "event").order_by("table", "pk"))
    if not matches:
        raise LeagueError("nothing_to_play", _("Every match of this round is decided."))
    for match in matches:
        check_postponable(match, planned_on=match.planned_on, deadline=deadline)
    return matches


def check_postponable(
    match: Match, *, planned_on: datetime.date | None, deadline: datetime.date | None
) -> None:
    """Refuse whatever `postpone_match` refuses about these days."""
    if match.state not in UNFINISHED:
        raise LeagueError("has_result", _("%(label)s is decided.") % {"label": match.label})
    if match.round.state == RoundState.DRAFTED:
        raise LeagueError(
            "round_drafted",
            _("Round %(number)s is a draft; its matches cannot be postponed yet.")
            % {"number": match.round.number},
        )
    # A deadline that stays is the one that players see: on a ladder absences extend it.
    last = deadline_of(match) if deadline == match.deadline else deadline or match.round.last_day
    if planned_on is not None and last is not None and planned_on > last:
        raise LeagueError(
            "out_of_range",
            _("%(label)s would be played after its deadline.") % {"label": match.label},
            field="planned_on",
        )
    for day, field in ((planned_on, "planned_on"), (deadline, "deadline")):
        check_day(day, field)
        if day is not None and match.round.date is not None and day < match.round.date:
            raise LeagueError("out_of_range", _("That is before the round."), field=field)
