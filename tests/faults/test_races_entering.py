"""The last place of an event under many at once: one has it, the others wait in order, nobody twice."""

from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection

from league.errors import LeagueError
from league.events import entries, teams
from league.events.entering import enter_oneself, withdraw_oneself
from league.models import Entry, EntryRequest, Event, EventState, PartnerInvitation, RequestState, Role
from league.policy import actor_of
from scoring.core.actors import Actor
from tests.factories import OPERATOR, EntryFactory, EventFactory, PlayerFactory, UserFactory
from tests.faults.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)

# SQLite has one writer at a time, and few are enough to show that they come one after the other.
MEMBERS = 20 if connection.vendor == "postgresql" else 6


@pytest.fixture
def event(transactional_db: None) -> Event:
    """Entries are open, and one place is left."""
    made: Event = EventFactory.create(state=EventState.OPEN, format="swiss", places=2)
    EntryFactory.create(event=made, name="Ann")
    return made


def members(event: Event, number: int = MEMBERS) -> list[Actor]:
    users = [UserFactory.create(club=event.club, role=Role.MEMBER) for _ in range(number)]
    for user in users:
        PlayerFactory.create(club=event.club, user=user)
    return [actor_of(user) for user in users]


def code(call: Callable[[], object]) -> str:
    """The refusal's; else what it returned, by its name."""
    try:
        return type(call()).__name__
    except LeagueError as refusal:
        return refusal.code


def enter(event: Event, by: Actor) -> str:
    return code(partial(enter_oneself, actor=by, event=Event.objects.get(pk=event.pk)))


def withdraw(event: Event, by: Actor) -> str:
    return code(partial(withdraw_oneself, actor=by, event=Event.objects.get(pk=event.pk)))


def check_each_once(event: Event, people: int) -> None:
    """Everybody is in the event or on its list, once; places on the list are 1, 2, 3 … as they were given."""
    entered = list(Entry.objects.filter(event=event).values_list("members__player", flat=True))
    wait = list(EntryRequest.objects.filter(event=event).order_by("position", "pk"))
    both = entered + [row.player_id for row in wait]
    assert len(set(both)) == len(both) == people
    positions = [row.position for row in wait]
    assert len(set(positions)) == len(positions)
    assert [row.pk for row in wait] == sorted(row.pk for row in wait)


def test_last_place_goes_to_one_and_all_others_wait_in_order(event: Event) -> None:
    people = members(event)
    said = at_once([partial(enter, event, by) for by in people])
    assert sorted(said) == ["Entry", *["EntryRequest"] * (MEMBERS - 1)]
    assert event.entries.count() == 2
    check_each_once(event, MEMBERS + 1)
    positions = EntryRequest.objects.order_by("position").values_list("position", flat=True)
    assert list(positions) == list(range(1, MEMBERS))


def test_one_who_asks_many_times_at_once_is_there_once(event: Event) -> None:
    (by,) = members(event, 1)
    said = at_once([partial(enter, event, by) for _ in range(MEMBERS)])
    assert sorted(said) == ["Entry", *["player_twice"] * (MEMBERS - 1)]
    check_each_once(event, 2)


def test_places_that_become_free_together_go_to_the_first_who_wait(event: Event) -> None:
    people = members(event)
    for by in people:
        enter(event, by)
    first = list(EntryRequest.objects.order_by("position").values_list("player__user", flat=True))
    ann = event.entries.get(name="Ann")

    def remove() -> str:
        return code(partial(entries.remove_entry, actor=OPERATOR, entry=ann))

    # The entered one and the first who waits go, while a director takes Ann out.
    going = [by for by in people if by.id in (people[0].id, str(first[0]))]
    acts: list[Callable[[], str]] = [remove, *[partial(withdraw, event, by) for by in going]]
    assert at_once(acts) == ["NoneType"] * 3
    left = first[1:]
    entered = event.entries.order_by("pk").values_list("players__user", flat=True)
    # If he had moved up by then, he made room for the next.
    assert list(entered) == left[:2]
    assert list(EntryRequest.objects.order_by("position").values_list("player__user", flat=True)) == left[2:]


@pytest.fixture
def pairs(transactional_db: None) -> Event:
    """Entries of pairs are open, and one place is left."""
    made: Event = EventFactory.create(state=EventState.OPEN, format="swiss", team_size=2, places=1)
    return made


def invited(event: Event, captain: Actor, partner: Actor) -> int:
    """The id of the invitation to a team whose turn is kept no longer."""
    asked = event.club.players.get(user=int(partner.id))
    team = teams.form_team(actor=captain, event=event, partner=asked)
    EntryRequest.objects.filter(pk=team.pk).update(kept_until=None)
    return PartnerInvitation.objects.get(request=team).pk


def accept(event: Event, by: Actor, invitation: int) -> str:
    now = Event.objects.get(pk=event.pk)
    return code(partial(teams.accept_invitation, actor=by, event=now, invitation=invitation))


def test_last_place_goes_to_one_of_the_teams_that_are_complete_at_once(pairs: Event) -> None:
    people = members(pairs)
    couples = list(zip(people[::2], people[1::2], strict=True))
    asked = [(partner, invited(pairs, captain, partner)) for captain, partner in couples]
    said = at_once([partial(accept, pairs, partner, row) for partner, row in asked])
    assert sorted(said) == ["Entry", *["EntryRequest"] * (len(couples) - 1)]
    rows = EntryRequest.objects.order_by("position")
    assert {row.state for row in rows} == {RequestState.WAITING}
    assert len({row.position for row in rows}) == len(couples) - 1


def test_who_accepts_all_at_once_is_in_one_team(pairs: Event) -> None:
    *captains, partner = members(pairs, 6)
    asked = [invited(pairs, captain, partner) for captain in captains]
    said = at_once([partial(accept, pairs, partner, row) for row in [*asked, asked[0]]])
    assert said.count("Entry") == 1
    assert set(said) <= {"Entry", "answered", "player_twice", "not_invited"}
    (entry,) = pairs.entries.all()
    assert entry.members.count() == 2
