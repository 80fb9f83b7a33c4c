"""What members do themselves in events of players: enter, withdraw, ask rounds off.

Who acts is the player that the account is linked to. Whether he may enter is decided here, in one order of
refusals, for the page that offers it as for the act.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from league.core.lifecycle import Doing, may
from league.draws.planning import asks_who_is_here
from league.errors import LeagueError
from league.events import presence
from league.events.entries import drop_entry
from league.events.entry_rows import write_entries
from league.events.may_enter import check_bounds, check_entrant, check_open
from league.events.waiting import (
    OwnRequest,
    Places,
    add_request,
    drop_request,
    fill_places,
    places_of,
    waiting,
)
from league.models import (
    Entry,
    EntryMember,
    EntryRequest,
    Event,
    EventKind,
    Player,
    Presence,
    PresenceState,
    RequestState,
    RoundState,
    WhoEnters,
)
from league.people.accounts import own_players
from league.policy import Permission, actor_of, can
from league.policy.refusals import refused
from league.record.audit import locked
from scoring.core.actors import Actor, ActorKind

# Rounds that are offered to be asked off, from the next on.
ROUNDS_AHEAD: Final = 4


@dataclass(frozen=True, slots=True)
class RoundAhead:
    """A round that is yet to be paired, and whether the entry has asked to sit it out."""

    number: int
    is_off: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Own(OwnRequest):
    """How a signed-in user stands in an event: his player, and the entry or the request that he has in it.

    `sees_list` is for the club's own people. `stays` says why he may not withdraw, "" if he may. `rounds` are
    those that he may ask off.
    """

    player: Player | None
    entry: Entry | None
    places: Places
    sees_list: bool
    stays: str
    rounds: Sequence[RoundAhead]


def own_standing(event: Event, user: User) -> Own:
    """Return how a signed-in user stands in an event, and what he may do there now."""
    by = actor_of(user)
    player = own_players(user.pk, event.club).first()
    entry, request = _own_rows(event, player)
    places = places_of(event)
    return Own(
        player=player,
        entry=entry,
        request=request,
        places=places,
        waiting=list(waiting(event)) if places.waiting else [],
        sees_list=player is not None or can(by, Permission.VIEW, event.club.pk),
        refusal=refused(partial(_check_may_enter, by, event, player)),
        stays=refused(partial(_check_may_leave, event, entry)),
        rounds=[] if entry is None else rounds_ahead(event, entry),
    )


@transaction.atomic
def enter_oneself(*, actor: Actor, event: Event) -> Entry | EntryRequest:
    """Enter the actor's player: he gets a place, or the last place on the list if none is free for him.

    Where the director approves entries he is on the list in any case. Returns the entry, or the request.
    Refused, with a sentence each: an account without a player (`no_player`), one that may not enter this
    event (`not_allowed`), teams (`wrong_kind`), entries that are not open (`wrong_state`, `already_drawn`,
    `not_yet`, `closed`), who is entered or on the list already (`player_twice`, `waits_already`) or was
    declined (`declined`), and a rating out of the event's bounds (`rating_out_of_bounds`).
    """
    player = _player_of(actor, event)
    if player is not None:
        # Before the event, in the order of locks: he may be merged, or his account changed, at this moment.
        player = locked(player)
        player = player if str(player.user_id) == actor.id else None
    event = locked(event)
    player = _check_may_enter(actor, event, player)
    taken: Entry | EntryRequest
    if event.approves_entries or not places_of(event).leave_one:
        taken = add_request(actor=actor, event=event, player=player)
    else:
        (taken,) = write_entries(actor=actor, event=event, players=[player])
    # Whoever is before him on the list is never behind him in the event.
    fill_places(actor=actor, event=event)
    return taken


@transaction.atomic
def withdraw_oneself(*, actor: Actor, event: Event) -> None:
    """Take the actor's player out of the event, or off its list; the first who waits moves up.

    The list may be left at any time. Refused: who is in neither (`not_entered`), teams (`wrong_kind`), whom a
    director has withdrawn (`withdrawn`), as he could else come back by himself, where only a director enters
    players (`not_allowed`), entries that are not open any more (`wrong_state`, `already_drawn`, `not_yet`,
    `closed`), and who has paid his fee (`paid`), which a director gives back.
    """
    withdraw_player(actor=actor, event=locked(event), player=_player_of(actor, event))


def withdraw_player(*, actor: Actor, event: Event, player: Player | None) -> None:
    """Take the actor's own player out of an event that is locked, or off its list; as `withdraw_oneself`."""
    entry, request = _own_rows(event, player)
    if request is not None and request.state != RequestState.DECLINED:
        drop_request(actor=actor, request=locked(request))
        return
    drop_entry(actor=actor, event=event, entry=locked(_check_may_leave(event, entry)))


@transaction.atomic
def ask_rounds_off(*, actor: Actor, event: Event, numbers: Iterable[int]) -> list[int]:
    """Have the actor sit out these of the next rounds, and play the others; returns their numbers.

    Refused: who is not entered (`not_entered`), teams (`wrong_kind`), a round that is none of the next
    (`out_of_range`), and as `league.events.presence.set_presence` refuses.
    """
    entry, _request = _own_rows(event, _player_of(actor, event))
    if entry is None:
        raise _not_entered(event)
    _check_of_players(event)
    asked, next_ones = sorted(set(numbers)), rounds_ahead(event, entry)
    for number in asked:
        presence.check_number(event, number)
        if number not in {ahead.number for ahead in next_ones}:
            raise LeagueError(
                "out_of_range", _("You can ask to sit out only the next rounds."), field="numbers"
            )
    for ahead in next_ones:
        if ahead.is_off != (ahead.number in asked):
            presence.ask_own_bye(
                actor=actor, event=event, entry=entry, number=ahead.number, sits_out=not ahead.is_off
            )
    return asked


def may_ask_off(event: Event, user: User) -> bool:
    """Whether the user is entered in an event of which he may ask a round off; no query where nobody does."""
    if not presence.takes_byes(event) or event.kind != EventKind.INDIVIDUAL:
        return False
    entry, _request = _own_rows(event, own_players(user.pk, event.club).first())
    return entry is not None and bool(rounds_ahead(event, entry))


def why_it_stays(event: Event, entry: Entry) -> str:
    """Why whoever is entered may not withdraw by himself now: a sentence; "" if he may."""
    return refused(partial(_check_may_leave, event, entry))


def not_open(event: Event) -> str:
    """Why nobody enters an event now, whoever he is: a sentence; "" while its entries are open."""
    return refused(partial(check_open, event))


def rounds_ahead(event: Event, entry: Entry) -> list[RoundAhead]:
    """The next rounds that an entry may ask off; [] where nobody does, or it plays no more."""
    if (
        event.kind != EventKind.INDIVIDUAL
        or not may(event.state, Doing.CHECK_IN)
        or not asks_who_is_here(event)
        or not presence.takes_byes(event)
        or entry.withdrawn_at is not None
    ):
        return []
    paired = event.rounds.exclude(state=RoundState.DRAFTED).order_by("-number")
    first = max((paired.values_list("number", flat=True).first() or 0) + 1, entry.first_round)
    last = min(presence.last_number(event), first + ROUNDS_AHEAD - 1)
    asked = Presence.objects.filter(event=event, entry=entry, state=PresenceState.BYE)
    off = set(asked.values_list("round_number", flat=True))
    return [RoundAhead(number, number in off) for number in range(first, last + 1)]


def _player_of(actor: Actor, event: Event) -> Player | None:
    return own_players(actor.id, event.club).first() if actor.kind is ActorKind.USER else None


def _own_rows(event: Event, player: Player | None) -> tuple[Entry | None, EntryRequest | None]:
    if player is None:
        return None, None
    member = EntryMember.objects.filter(event=event, player=player).select_related("entry").first()
    request = EntryRequest.objects.filter(event=event, player=player).first()
    return None if member is None else member.entry, request


def _check_may_enter(actor: Actor, event: Event, player: Player | None) -> Player:
    """Refuse as `enter_oneself`; the player who may enter now otherwise."""
    _check_of_players(event)
    player = check_entrant(actor, event, player)
    check_open(event)
    entry, request = _own_rows(event, player)
    if entry is not None:
        raise LeagueError("player_twice", _("You are entered in “%(event)s” already.") % {"event": event})
    if request is not None and request.state == RequestState.DECLINED:
        raise LeagueError(
            "declined",
            _("A director has declined your entry: %(reason)s") % {"reason": request.reason},
        )
    if request is not None:
        raise LeagueError(
            "waits_already", _("You are on the list of “%(event)s” already.") % {"event": event}
        )
    check_bounds(event, player)
    return player


def _check_may_leave(event: Event, entry: Entry | None) -> Entry:
    """Refuse as `withdraw_oneself`; the entry that may go otherwise."""
    if entry is None:
        raise _not_entered(event)
    _check_of_players(event)
    if entry.withdrawn_at is not None:
        raise LeagueError(
            "withdrawn",
            _("You have withdrawn from “%(event)s”: ask a director to let you play again.")
            % {"event": event},
        )
    if event.who_enters == WhoEnters.DIRECTOR:
        raise LeagueError(
            "not_allowed", _("Only a director takes players out of “%(event)s”.") % {"event": event}
        )
    check_open(event)
    if entry.paid_at is not None:
        raise LeagueError(
            "paid", _("You have paid the fee: ask a director to take you out; it is given back as is agreed.")
        )
    return entry


def _check_of_players(event: Event) -> None:
    if event.kind != EventKind.INDIVIDUAL:
        raise LeagueError("wrong_kind", _("Teams are entered and taken out by a director."))


def _not_entered(event: Event) -> LeagueError:
    return LeagueError("not_entered", _("You are not entered in “%(event)s”.") % {"event": event})
