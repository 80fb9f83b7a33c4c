"""How a signed-in reader stands in an event of teams: his team, who invites him, who looks for partners."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils import timezone

from league.events.teams import check_may_form, check_may_leave, own_team_entry
from league.events.waiting import OwnRequest, Places, entries_closed, places_of, waiting
from league.models import (
    Entry,
    EntryRequest,
    Event,
    EventState,
    InvitationState,
    Membership,
    PartnerInvitation,
    PartnerSearch,
    Player,
    RequestState,
    WhoEnters,
)
from league.people.accounts import own_players
from league.people.forming_teams import ALIVE, members_of, teams_of
from league.policy import Permission, actor_of, can, roles_with
from league.policy.naming import shown_names
from league.policy.refusals import refused

# Players that a search offers.
MOST_FOUND: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnTeam(OwnRequest):
    """How a signed-in user stands in an event of teams.

    `player` is his; `entry` the team with a place that he is in, `request` the one without, of which
    `members` are, the captain first, and `asked` those whom the captain has invited. `invitations` wait for
    his answer. `waiting` is the waiting list, without those for whom a place is kept (`is_kept` if it is his
    team's), and `searches` who looks for a partner, for the club's own people (`sees_list`). `refusal` says
    why he may not enter a team, "" if he may; `stays` why his team is not taken out or left.
    """

    player: Player | None
    entry: Entry | None
    is_captain: bool
    members: Sequence[Player]
    asked: Sequence[PartnerInvitation]
    invitations: Sequence[PartnerInvitation]
    searches: Sequence[PartnerSearch]
    places: Places
    is_kept: bool
    sees_list: bool
    team_size: int
    stays: str

    @property
    def is_lapsed(self) -> bool:
        """True if it was not complete when entries closed."""
        return self.request is not None and self.request.state == RequestState.LAPSED

    @property
    def is_forming(self) -> bool:
        """True if it looks for partners."""
        return self.request is not None and self.request.state == RequestState.FORMING

    @property
    def missing(self) -> int:
        """How many partners the captain can still invite."""
        waits = sum(one.state == InvitationState.INVITED for one in self.asked)
        return max(self.team_size - len(self.members) - waits, 0) if self.is_forming else 0

    @property
    def own_search(self) -> PartnerSearch | None:
        """What he says to those who look for a partner, if he is on that list."""
        return next((one for one in self.searches if self.player == one.player), None)


def own_team(event: Event, user: User) -> OwnTeam:
    """Return how a signed-in user stands in an event of teams, and what he may do there now."""
    by = actor_of(user)
    players = list(own_players(user.pk, event.club))
    player = players[0] if players else None
    entry = own_team_entry(event, players) if players else None
    request = _own_request(event, players) if players and entry is None else None
    asked = [] if request is None else list(request.invitations.select_related("player").order_by("pk"))
    members = [] if request is None else members_of(request)
    if entry is not None:
        members = [one.player for one in entry.members.select_related("player").order_by("position", "id")]
    captain = request.player if request is not None else entry and entry.captain
    sees_list = player is not None or can(by, Permission.VIEW, event.club.pk)
    places = places_of(event)
    in_line = list(waiting(event)) if places.waiting or places.kept else []
    kept = [row for row in in_line if row.state == RequestState.FORMING][: places.kept]
    return OwnTeam(
        player=player,
        entry=entry,
        request=request,
        is_captain=captain is not None and captain in players,
        members=members,
        asked=[one for one in asked if one.state != InvitationState.ACCEPTED],
        invitations=invitations_to(players, event),
        searches=searches_in(event) if sees_list else [],
        places=places,
        waiting=[row for row in in_line if row not in kept],
        is_kept=request in kept,
        sees_list=sees_list,
        team_size=event.team_size,
        refusal=refused(partial(check_may_form, by, event, player)),
        stays=refused(partial(check_may_leave, event, entry)),
    )


def invitations_to(players: Collection[Player], event: Event | None = None) -> list[PartnerInvitation]:
    """The invitations that wait for an answer of one of the players, in one event or all, oldest first."""
    now = timezone.now()
    rows = PartnerInvitation.objects.filter(
        Q(event__entries_close_at=None) | Q(event__entries_close_at__gt=now),
        player__in=players,
        state=InvitationState.INVITED,
        request__state=RequestState.FORMING,
        event__state=EventState.OPEN,
    )
    if event is not None:
        rows = rows.filter(event=event)
    return list(rows.select_related("event", "request__player").order_by("pk"))


def teams_being_formed(players: Collection[Player]) -> list[EntryRequest]:
    """The teams of these players that look for partners, in events whose entries are open."""
    now = timezone.now()
    rows = teams_of(players).filter(state=RequestState.FORMING, event__state=EventState.OPEN)
    return [team for team in rows if not entries_closed(team.event, now)]


def searches_in(event: Event) -> list[PartnerSearch]:
    """Who looks for a partner in an event and may enter it, the longest first; nobody once it is closed."""
    if entries_closed(event, timezone.now()):
        return []
    rows = PartnerSearch.objects.filter(event=event, player__in=_who_may_play(event).order_by())
    return list(rows.select_related("player").order_by("pk"))


def players_found(event: Event, reader: User, word: str) -> list[Player]:
    """Players whom a captain can invite, by a part of the name that he may see; `MOST_FOUND` at most.

    Those have an account in use, may enter the event, and are in no team of it.
    """
    word = " ".join(word.split())
    if not word:
        return []
    rows = _who_may_play(event).exclude(user=reader).exclude(memberships_in_entries__event=event)
    teams = EntryRequest.objects.filter(event=event, state__in=ALIVE).order_by()
    joined = PartnerInvitation.objects.filter(request__in=teams, state=InvitationState.ACCEPTED).order_by()
    rows = rows.exclude(pk__in=teams.values("player")).exclude(pk__in=joined.values("player"))
    rows = rows.annotate(seen_as=shown_names(reader))
    return list(rows.filter(seen_as__icontains=word).order_by("seen_as", "pk")[:MOST_FOUND])


def _who_may_play(event: Event) -> QuerySet[Player]:
    """The players who have an account in use and may enter the event."""
    rows = Player.objects.filter(club=event.club, merged_into=None, erased_at=None, user__is_active=True)
    if event.who_enters != WhoEnters.MEMBERS:
        return rows
    members = Membership.objects.filter(club=event.club, role__in=roles_with(Permission.PLAY)).order_by()
    return rows.filter(Q(user__in=members.values("user")) | Q(user__is_superuser=True))


def _own_request(event: Event, players: Sequence[Player]) -> EntryRequest | None:
    """The team on the list that one of the players is in; else his own that was declined or has lapsed."""
    team = teams_of(players, event.pk).first()
    if team is not None:
        return team
    joined = Q(invitations__player__in=players, invitations__state=InvitationState.ACCEPTED)
    rows = EntryRequest.objects.filter(Q(player__in=players) | joined, event=event)
    return rows.select_related("player").order_by("-pk").first()
