"""Matches that are not played with their round: planned for another day, to be played by a deadline."""

import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import LeagueError
from league.lifecycle import Doing, check_doing
from league.models import UNPLAYED, Match, RoundState
from league.policy import Permission, require
from league.services.audit import change_row, given_reason, locked
from league.services.matches import lock_match
from scoring.actors import Actor


@transaction.atomic
def postpone_match(
    *,
    actor: Actor,
    match: Match,
    planned_on: datetime.date | None,
    deadline: datetime.date | None,
    reason: str,
) -> Match:
    """Plans a match without a result for another day, says by when it is to be played, or both.

    Without either it is again played with its round. Refused: a match that has its result (`has_result`),
    one of a drafted round (`round_drafted`), a day after the deadline or before the round (`out_of_range`),
    and where nothing changes (`nothing_changed`).
    """
    event = match.event
    require(actor, Permission.DIRECT, event.club)
    reason = given_reason(reason)
    match, _sheet = lock_match(match)
    event = match.event = locked(event)
    check_doing(event.name, event.state, Doing.PLAY)
    check_postponable(match, planned_on=planned_on, deadline=deadline)
    changed = change_row(
        actor=actor,
        action="match.postpone",
        row=match,
        club=event.club,
        values={"planned_on": planned_on, "deadline": deadline},
        reason=reason,
    )
    if not changed:
        raise LeagueError("nothing_changed", _("That is when it is planned already."), field="planned_on")
    return match


def check_postponable(
    match: Match, *, planned_on: datetime.date | None, deadline: datetime.date | None
) -> None:
    """Refuses what `postpone_match` refuses of these days."""
    if match.state not in UNPLAYED:
        raise LeagueError("has_result", _("%(label)s is decided.") % {"label": match.label})
    if match.round.state == RoundState.DRAFTED:
        raise LeagueError(
            "round_drafted",
            _("Round %(number)s is a draft; its matches are not postponed yet.")
            % {"number": match.round.number},
        )
    if planned_on is not None and deadline is not None and planned_on > deadline:
        raise LeagueError("out_of_range", _("It would be played after its deadline."), field="planned_on")
    for day, field in ((planned_on, "planned_on"), (deadline, "deadline")):
        if day is not None and match.round.date is not None and day < match.round.date:
            raise LeagueError("out_of_range", _("That is before the round."), field=field)
