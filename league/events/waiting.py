"""The list of those who want to play in an event and have no place: in order, and moving up.

On it are, by position, those who wait for a place and those whom the director has yet to approve: players, or
teams. Whoever is declined has left it, and only reads why. Nobody on the list is an entry, so nothing is
paired with it. All of it is written under the event's lock. A place is free if fewer are entered, and have
not withdrawn, than the event has places; without a number of places there are always some. Up to the draw
free places go to the list, its first first, before anybody else (`fill_places`).

A team that is not complete stands on the list for a while: the place that would be its is kept free, and it
moves up once it is complete. After that it is passed over.
"""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from league.core.lifecycle import Doing, check_doing, may
from league.draws import round_life, rounds
from league.draws.drawn import is_drawn
from league.errors import LeagueError
from league.events.entry_rows import write_entries, write_team
from league.models import (
    Entry,
    EntryMember,
    EntryRequest,
    Event,
    EventKind,
    EventState,
    Player,
    RequestState,
    Round,
)
from league.notices.causes import moved_up, own_id, team_changed
from league.people.forming_teams import ALIVE, members_of, teams_of, users_of
from league.policy import Permission, require
from league.record.audit import given_reason, locked, record_audit
from scoring.core.actors import Actor

ON_THE_LIST: Final = (RequestState.FORMING, RequestState.ASKED, RequestState.WAITING)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRequest:
    """The request without a place that a reader, or his team, has in an event.

    `waiting` is the waiting list as it is shown. `refusal` says why he may not enter, "" if he may.
    """

    request: EntryRequest | None
    waiting: Sequence[EntryRequest]
    refusal: str

    @property
    def place(self) -> int | None:
        """Its place on the waiting list, from 1; None if it is not there."""
        own = self.request and self.request.pk
        return next((place for place, row in enumerate(self.waiting, start=1) if row.pk == own), None)

    @property
    def is_asked(self) -> bool:
        """True if a director has yet to approve it."""
        return self.request is not None and self.request.state == RequestState.ASKED and self.place is None

    @property
    def is_declined(self) -> bool:
        """True if a director has declined it."""
        return self.request is not None and self.request.state == RequestState.DECLINED

    @property
    def may_enter(self) -> bool:
        """True if he may enter now."""
        return not self.refusal


@dataclass(frozen=True, slots=True)
class Places:
    """How many places an event has (None: any number), how many are entered, and how many wait.

    `kept` are those of teams that are not complete, and that nobody else gets for a while.
    """

    all: int | None
    entered: int
    kept: int
    waiting: int

    @property
    def taken(self) -> int:
        """Those that nobody gets who comes now."""
        return self.entered + self.kept

    @property
    def free(self) -> int | None:
        """The free ones; None without a number of places, never below 0."""
        return None if self.all is None else max(self.all - self.taken, 0)

    @property
    def leave_one(self) -> bool:
        """True if there is one for whoever comes now, after all who wait."""
        return self.free is None or self.free > self.waiting


def places_of(event: Event) -> Places:
    """Return the places of an event as they are now, in two queries."""
    entered = event.entries.filter(withdrawn_at=None).count()
    if event.kind != EventKind.TEAM:
        return Places(event.places, entered, 0, waiting(event).count())
    states = list(waiting(event).values_list("state", flat=True))
    free = len(states) if event.places is None else max(event.places - entered, 0)
    kept = sum(state == RequestState.FORMING for state in states[:free])
    return Places(event.places, entered, kept, len(states) - kept)


def the_list(event: Event) -> QuerySet[EntryRequest]:
    """Those who have no place, in order, without those who were declined."""
    rows = EntryRequest.objects.filter(event=event, state__in=ON_THE_LIST)
    return rows.select_related("player").order_by("position", "id")


def waiting(event: Event) -> QuerySet[EntryRequest]:
    """Those who take the next free places, in order; where nobody needs approval, all on the list.

    Of teams that are not complete those whose turn is kept; none where teams are approved first.
    """
    rows = the_list(event)
    if event.approves_entries:
        return rows.filter(state=RequestState.WAITING)
    now = timezone.now()
    if entries_closed(event, now):
        return rows.exclude(state=RequestState.FORMING)
    return rows.exclude(~Q(kept_until__gt=now), state=RequestState.FORMING)


def entries_closed(event: Event, now: datetime.datetime) -> bool:
    """True once nobody enters the event any more by himself."""
    if event.state != EventState.OPEN:
        return True
    return event.entries_close_at is not None and event.entries_close_at <= now


def gives_places(event: Event) -> bool:
    """True if places go to the list: until anything is drawn."""
    return may(event.state, Doing.ENTER) and not is_drawn(event)


def add_request(*, actor: Actor, event: Event, player: Player) -> EntryRequest:
    """Put a player at the end of the list of an event, which is locked; the callers check who may."""
    state = RequestState.ASKED if event.approves_entries else RequestState.WAITING
    request = EntryRequest.objects.create(
        event=event, player=player, state=state, position=last_position(event) + 1
    )
    _record(actor, request, "request.ask" if event.approves_entries else "request.wait")
    return request


def last_position(event: Event) -> int:
    """The position of the last one who has asked to play in the event; 0 if nobody has."""
    return EntryRequest.objects.filter(event=event).aggregate(last=Max("position"))["last"] or 0


def fill_places(*, actor: Actor, event: Event) -> list[Entry]:
    """Give the free places of an event, which is locked, to the first on its list; returns their entries.

    Called wherever a place may have become free. Nothing happens once anything is drawn.
    """
    return [move_up(actor=actor, event=event, request=row) for row in next_ones(event)]


def next_ones(event: Event) -> list[EntryRequest]:
    """Those on the list for whom a place is free now, in order; nobody once anything is drawn."""
    if not gives_places(event):
        return []
    rows = waiting(event).exclude(player__memberships_in_entries__event=event)
    entered = event.entries.filter(withdrawn_at=None).count()
    free = None if event.places is None else max(event.places - entered, 0)
    # What stands on the list and is not complete keeps the place free that would be its.
    return [row for row in (rows if free is None else rows[:free]) if row.state != RequestState.FORMING]


def move_up(*, actor: Actor, event: Event, request: EntryRequest) -> Entry:
    """Give a place to somebody who is on the list: the one moment at which anybody moves up.

    The event is locked, and it is in the transaction of what made the place free; who moves up is told.
    `actor` is who made it free: who withdrew, who completed his team, or a director. Returns the entry, which
    is as any other; the request is gone.
    """
    players = [request.player]
    if event.kind == EventKind.TEAM:
        players = members_of(request)
        # Before its players are entered, which would have them leave it.
        EntryRequest.objects.filter(pk=request.pk).delete()
        entry = write_team(
            actor=actor, event=event, name=request.team_name, players=players, captain=request.player
        )
        told = {player.user_id for player in players if player.user_id is not None}
        team_changed(event, told - own_id(actor))
    else:
        (entry,) = write_entries(actor=actor, event=event, players=players)
        moved_up(event, request.player)
    record_audit(actor, "entry.move_up", entry, after={"players": players, "position": request.position})
    return entry


@transaction.atomic
def delete_draw(*, actor: Actor, event: Event) -> int:
    """Delete the draw as `league.draws.rounds.delete_draw` does; free places go to the list again."""
    matches = rounds.delete_draw(actor=actor, event=event)
    fill_places(actor=actor, event=locked(event))
    return matches


@transaction.atomic
def remove_round(*, actor: Actor, round_: Round) -> None:
    """Delete a round without matches; if it was the only one, free places go to the list again."""
    rounds.remove_round(actor=actor, round_=round_)
    fill_places(actor=actor, event=locked(round_.event))


@transaction.atomic
def discard_round(*, actor: Actor, round_: Round) -> int:
    """Discard a round as `league.draws.round_life.discard_round` does; free places go to the list again."""
    matches = round_life.discard_round(actor=actor, round_=round_)
    fill_places(actor=actor, event=locked(round_.event))
    return matches


@transaction.atomic
def approve_request(*, actor: Actor, request: EntryRequest) -> Entry | EntryRequest:
    """Approve who asked to enter, or was declined: a free place is his, else he waits where he stands.

    Refused: one who waits already (`waits_already`), a team that is not complete (`not_complete`) or of which
    somebody plays elsewhere by now (`player_twice`), and where anything is drawn (`already_drawn`), as
    whoever comes in then is a late entry.
    """
    event, request = _open_list(actor, request)
    if event.kind == EventKind.TEAM:
        _check_team(event, request)
    if request.state == RequestState.WAITING:
        raise LeagueError("waits_already", _("%(player)s is approved already.") % {"player": request})
    request.state, request.reason = RequestState.WAITING, ""
    request.save(update_fields=["state", "reason"])
    _record(actor, request, "request.approve")
    fill_places(actor=actor, event=event)
    entered = EntryMember.objects.filter(event=event, player=request.player).select_related("entry").first()
    if entered is None and event.kind == EventKind.TEAM:
        team_changed(event, users_of(request))
    return request if entered is None else entered.entry


@transaction.atomic
def decline_request(*, actor: Actor, request: EntryRequest, reason: str) -> EntryRequest:
    """Decline somebody who is on the list; he reads the reason. Refused (`declined`) if he is not."""
    event, request = _open_list(actor, request)
    _check_on_list(request)
    request.state, request.reason = RequestState.DECLINED, given_reason(reason)
    request.save(update_fields=["state", "reason"])
    _record(actor, request, "request.decline", reason=request.reason)
    if event.kind == EventKind.TEAM:
        team_changed(event, users_of(request))
        # The place that was kept for it is free.
        fill_places(actor=actor, event=event)
    return request


@transaction.atomic
def move_request(*, actor: Actor, request: EntryRequest, place: int) -> int:
    """Move somebody on the list to a place, from 1; beyond the end is the end. Returns the place he gets.

    From there he has a place of the event at once if it was kept for a team that stands behind him now.
    Refused: a place below 1 (`out_of_range`), and who was declined (`declined`).
    """
    event, request = _open_list(actor, request)
    if place < 1:
        raise LeagueError("out_of_range", _("Places on the list begin with 1."), field="place")
    _check_on_list(request)
    rows = [row for row in the_list(event) if row.pk != request.pk]
    rows.insert(place - 1, request)
    for position, row in enumerate(rows, start=1):
        row.position = position
    EntryRequest.objects.bulk_update(rows, ["position"])
    moved = rows.index(request) + 1
    _record(actor, request, "request.move", position=moved)
    fill_places(actor=actor, event=event)
    return moved


@transaction.atomic
def remove_request(*, actor: Actor, request: EntryRequest) -> None:
    """Take somebody off the list, or let who was declined ask again; a director's act."""
    require(actor, Permission.DIRECT, request.event.club)
    locked(request.event)
    drop_request(actor=actor, request=locked(request))


def drop_request(*, actor: Actor, request: EntryRequest) -> None:
    """Delete a row of the list, under the event's lock; the callers check who may. A team is told."""
    event = request.event
    _record(actor, request, "request.remove")
    if event.kind != EventKind.TEAM:
        request.delete()
        return
    told = users_of(request) - own_id(actor) if request.state in ALIVE else set()
    request.delete()
    team_changed(event, told)
    # The place that was kept for it is free.
    fill_places(actor=actor, event=event)


def _open_list(actor: Actor, request: EntryRequest) -> tuple[Event, EntryRequest]:
    require(actor, Permission.DIRECT, request.event.club)
    event = locked(request.event)
    check_doing(event.name, event.state, Doing.ENTER)
    if is_drawn(event):
        raise LeagueError(
            "already_drawn", _("“%(event)s” is drawn: enter late players instead.") % {"event": event}
        )
    request = locked(request)
    request.event = event
    return event, request


def _check_on_list(request: EntryRequest) -> None:
    if request.state not in ON_THE_LIST:
        raise LeagueError("declined", _("%(player)s is no longer on the list.") % {"player": request})


def _check_team(event: Event, request: EntryRequest) -> None:
    """Refuse (`not_complete`, `player_twice`) a team that cannot play as it is."""
    members = members_of(request)
    if len(members) < event.team_size:
        raise LeagueError(
            "not_complete", _("%(team)s is not complete: partners have yet to accept.") % {"team": request}
        )
    for player in members:
        other = teams_of([player], event.pk).exclude(pk=request.pk).first()
        entered = EntryMember.objects.filter(event=event, player=player).exists()
        if entered or other is not None:
            raise LeagueError(
                "player_twice", _("%(player)s plays in another team by now.") % {"player": player}
            )


def _record(
    actor: Actor, request: EntryRequest, action: str, *, position: int | None = None, reason: str = ""
) -> None:
    """Note it of the player, whose name the record follows."""
    after: dict[str, object] = {"event": request.event}
    if position is not None:
        after["position"] = position
    record_audit(actor, action, request.player, after=after, reason=reason)
