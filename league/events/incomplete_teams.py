"""What becomes in time of teams that are not complete: turns are kept no longer, and teams lapse.

`league.events.teams` has what captains and partners do. The rules are in docs/RULES, 20.
"""

import datetime
import logging
from typing import Final

from django.db import transaction
from django.db.models import Q

from league.events.teams import record_team
from league.events.waiting import entries_closed, fill_places, next_ones
from league.models import (
    EntryRequest,
    Event,
    EventKind,
    EventState,
    InvitationState,
    PartnerSearch,
    RequestState,
)
from league.notices.causes import team_changed
from league.people.forming_teams import users_of
from league.record.audit import locked
from league.record.locking import left_when_crossed
from scoring.core.actors import Actor, ActorKind
from scoring.core.errors import CodedError

_log = logging.getLogger(__name__)

# The actor of what follows from the hour alone.
_CLOCK: Final = Actor(ActorKind.OPERATOR, "entries", "the close of entries")


def lapse_teams(*, actor: Actor, event: Event) -> int:
    """End what looks for partners in an event whose entries have closed, and which is locked.

    Teams that are not complete lapse, and all who are of them or were asked are told; nobody looks for a
    partner any more. Places that were kept for them go to the list. Returns how many teams lapsed.
    """
    teams = list(
        EntryRequest.objects.filter(event=event, state=RequestState.FORMING).select_related("player")
    )
    for team in teams:
        told = users_of(team)
        asked = team.invitations.filter(state=InvitationState.INVITED, player__user__isnull=False)
        told |= set(asked.values_list("player__user", flat=True))
        team.state, team.kept_until = RequestState.LAPSED, None
        team.save(update_fields=["state", "kept_until"])
        record_team(actor, "team.lapse", team, team.player)
        team_changed(event, told)
    PartnerSearch.objects.filter(event=event).delete()
    if teams:
        fill_places(actor=actor, event=event)
    return len(teams)


def sweep_teams(now: datetime.datetime) -> int:
    """Do what follows from the hour: teams lapse as entries close, and turns are kept no longer.

    A place that was kept for a team whose captain is no more goes to the list then, too. For the periodic
    sweep: each event is its own transaction, so that of two sweeps one does it. Returns the number of events
    in which there was something to do.
    """
    over = Q(event__state=EventState.OPEN, event__entries_close_at__lte=now)
    over |= Q(event__state__in=(EventState.RUNNING, EventState.FINISHED))
    waiting = EntryRequest.objects.filter(event__kind=EventKind.TEAM, state=RequestState.FORMING)
    due = waiting.filter(over | Q(kept_until__lte=now, event__state=EventState.OPEN))
    events = {
        *due.order_by().values_list("event", flat=True),
        *PartnerSearch.objects.filter(over).order_by().values_list("event", flat=True),
    }
    complete = EntryRequest.objects.filter(state__in=(RequestState.ASKED, RequestState.WAITING)).order_by()
    waited_for = Event.objects.filter(
        kind=EventKind.TEAM, state=EventState.OPEN, pk__in=complete.values("event")
    )
    events |= {event.pk for event in waited_for if next_ones(event)}
    for event in Event.objects.filter(pk__in=events).select_related("club").order_by("pk"):
        try:
            with left_when_crossed():
                _sweep(event, now)
        except CodedError as left:
            if left.code != "gone":  # deleted at the same moment
                _log.exception("The teams of event %s are looked at again.", event.pk)
    return len(events)


@transaction.atomic
def _sweep(event: Event, now: datetime.datetime) -> None:
    event = locked(event)
    if entries_closed(event, now):
        lapse_teams(actor=_CLOCK, event=event)
        return
    late = EntryRequest.objects.filter(event=event, state=RequestState.FORMING, kept_until__lte=now)
    told = [users_of(team) for team in late.select_related("player")]
    late.update(kept_until=None)
    fill_places(actor=_CLOCK, event=event)
    team_changed(event, set().union(*told))
