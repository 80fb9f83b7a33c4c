"""Applies the event's rule when a member of a side is absent, before the first hand."""

import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.draws.forfeits import award_walkover
from league.draws.postponing import postpone_match
from league.errors import LeagueError
from league.matches.line_ups import write_line_up
from league.models import AbsentMember, Match, Player
from league.policy import Permission, require
from league.record.audit import given_reason
from scoring.core.actors import Actor


@transaction.atomic
def settle_absence(
    *,
    actor: Actor,
    match: Match,
    absent: Player,
    reason: str,
    substitute: Player | None = None,
    planned_on: datetime.date | None = None,
) -> Match:
    """Apply the event's rule to a match in which one of several players of a side is absent.

    By `Event.absent_member` the `substitute` takes the place in the line-up, the other side gets a walkover,
    or the match is postponed to `planned_on`. Refused: a side of one player (`single_players`; award a
    walkover instead), a player in no line-up of the match (`not_seated`), a missing argument of the rule
    (`substitute_missing`, `day_missing`), and whatever the act itself refuses.
    """
    event = match.event
    require(actor, Permission.DIRECT, event.club)
    reason = given_reason(reason)
    side = absent_side(match, absent)
    if event.absent_member == AbsentMember.WALKOVER:
        return award_walkover(actor=actor, match=match, winner_side=1 - side, reason=reason)
    if event.absent_member == AbsentMember.POSTPONE:
        if planned_on is None:
            raise LeagueError(
                "day_missing", _("This event postpones such a match: name the day."), field="planned_on"
            )
        return postpone_match(
            actor=actor, match=match, planned_on=planned_on, deadline=match.deadline, reason=reason
        )
    if substitute is None:
        raise LeagueError(
            "substitute_missing",
            _("In this event a substitute plays: name one, or award a walkover."),
            field="substitute",
        )
    seated = match.appearances.filter(side=side, replaces=None).select_related("player").order_by("position")
    players = [substitute if each.player_id == absent.pk else each.player for each in seated]
    return write_line_up(actor=actor, match=match, side=side, players=players, reason=reason)


def absent_side(match: Match, absent: Player) -> int:
    """Return the side on which the absent player sits; refuses as `settle_absence` does."""
    if match.event.team_size == 1:
        raise LeagueError("single_players", _("One player a side: award a walkover, or postpone the match."))
    appearance = match.appearances.filter(player=absent).first()
    if appearance is None:
        raise LeagueError(
            "not_seated", _("%(player)s is in no line-up of this match.") % {"player": absent}, field="absent"
        )
    return appearance.side
