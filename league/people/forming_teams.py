"""Teams that are being formed, or wait for a place: who is of them, and what becomes of them as people go.

All of it is written under the event's lock. `league.events.teams` has what captains and partners do.
"""

import datetime
from collections.abc import Collection, Sequence
from typing import Final

from django.db.models import Q, QuerySet
from django.utils import timezone

from league.models import (
    EntryRequest,
    EventKind,
    InvitationState,
    PartnerInvitation,
    PartnerSearch,
    Player,
    RequestState,
)
from league.notices.causes import team_changed

# So long a team that is not complete keeps the turn at which its captain has entered it (RULES §20).
KEPT: Final = datetime.timedelta(days=2)
# A team is one of these as long as it may still get a place.
ALIVE: Final = (RequestState.FORMING, RequestState.ASKED, RequestState.WAITING)
_COMPLETE: Final = (RequestState.ASKED, RequestState.WAITING)


def team_of(player: Player, event_id: int) -> EntryRequest | None:
    """The team without a place in which the player is, as captain or as one who has accepted."""
    return teams_of([player], event_id).first()


def teams_of(players: Collection[Player], event_id: int | None = None) -> QuerySet[EntryRequest]:
    """The teams without a place of which one of the players is, in one event or in all."""
    joined = PartnerInvitation.objects.filter(player__in=players, state=InvitationState.ACCEPTED)
    rows = EntryRequest.objects.filter(
        Q(player__in=players) | Q(pk__in=joined.order_by().values("request")),
        event__kind=EventKind.TEAM,
        state__in=ALIVE,
    )
    if event_id is not None:
        rows = rows.filter(event=event_id)
    return rows.select_related("player", "event__club").order_by("position", "pk")


def members_of(team: EntryRequest) -> list[Player]:
    """Who is of the team: its captain, then those who have accepted, as they were asked."""
    joined = team.invitations.filter(state=InvitationState.ACCEPTED).select_related("player").order_by("pk")
    return [team.player, *(each.player for each in joined)]


def users_of(team: EntryRequest) -> set[int]:
    """The accounts (ids) of its members."""
    return {player.user_id for player in members_of(team) if player.user_id is not None}


def form_anew(team: EntryRequest) -> None:
    """Have a team that misses somebody look for partners again: it keeps its turn for a while."""
    team.state, team.kept_until = RequestState.FORMING, timezone.now() + KEPT
    team.save(update_fields=["state", "kept_until"])


def leave_teams(event_id: int, players: Sequence[Player]) -> None:
    """Take players who are entered now, or are no more, off all that is being formed in the event.

    A captain's team is over, another one looks for a partner again; those who are left, and captains who wait
    for an answer, are told.
    """
    PartnerSearch.objects.filter(event=event_id, player__in=players).delete()
    for team in teams_of(players, event_id):
        told = users_of(team) - {player.user_id for player in players}
        if team.player in players:
            team.delete()
        elif team.state in _COMPLETE:
            form_anew(team)
        team_changed(team.event, told)
    rows = PartnerInvitation.objects.filter(event=event_id, player__in=players)
    for row in rows.filter(state=InvitationState.INVITED).select_related("request__player", "event__club"):
        if row.request.state in ALIVE and row.request.player.user_id is not None:
            team_changed(row.event, {row.request.player.user_id})
    rows.update(state=InvitationState.DECLINED)


def leave_all_teams(player: Player) -> None:
    """Take a player who goes off all that is being formed in any event."""
    for rows in (player.partner_invitations, player.partner_searches, player.entry_requests):
        for event in sorted(set(rows.order_by().values_list("event", flat=True))):
            leave_teams(event, [player])


def bring_teams(*, keep: Player, drop: Player) -> None:
    """Have `keep` be where `drop` is in teams that are being formed: in one team of an event at most.

    The requests of captains are those of `keep` by now. A captain is in no other team; of two teams that both
    have joined the first stays.
    """
    both = (keep, drop)
    rows = PartnerInvitation.objects.filter(player__in=both)
    events = set(rows.order_by().values_list("event", flat=True))
    captained = set(
        EntryRequest.objects.filter(player=keep, event__in=events, state__in=ALIVE)
        .order_by()
        .values_list("event", flat=True)
    )
    asked: set[int] = set()
    joined: set[int] = set()
    for row in sorted(rows, key=lambda row: (row.state != InvitationState.ACCEPTED, row.pk)):
        accepts = row.state == InvitationState.ACCEPTED
        if row.event_id in captained or row.request_id in asked or (accepts and row.event_id in joined):
            row.delete()
            continue
        asked.add(row.request_id)
        if accepts:
            joined.add(row.event_id)
    drop.partner_invitations.update(player=keep)
    drop.captained.update(captain=keep)
    looked_for = keep.partner_searches.order_by().values("event")
    drop.partner_searches.filter(event__in=looked_for).delete()
    drop.partner_searches.update(player=keep)
    keep.partner_searches.filter(event__in=captained | joined).delete()
    short = EntryRequest.objects.filter(event__in=events, event__kind=EventKind.TEAM, state__in=_COMPLETE)
    for team in short.select_related("event__club", "player"):
        if len(members_of(team)) < team.event.team_size:
            form_anew(team)
            team_changed(team.event, users_of(team))
