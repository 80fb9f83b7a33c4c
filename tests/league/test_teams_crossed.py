"""Teams that captains enter, as people go, are moved or entered elsewhere, and what is refused to whom."""

from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from league.events import entries, teams, waiting
from league.events.incomplete_teams import sweep_teams
from league.events.team_standing import searches_in
from league.models import Entry, EntryRequest, Event, EventState, Notice, Player, Role
from league.people.erasing import erase_person
from league.people.players import change_player, merge_players
from league.policy import actor_of
from scoring.core.actors import Actor
from tests.factories import ClubFactory, EventFactory, PlayerFactory, UserFactory
from tests.refusals import code_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    """Pairs with one place, whose entries are open."""
    made: Event = EventFactory.create(
        club=ClubFactory.create(), state=EventState.OPEN, format="swiss", team_size=2, places=1
    )
    return made


@pytest.fixture
def director(event: Event) -> Actor:
    return actor_of(UserFactory.create(club=event.club, role=Role.DIRECTOR))


def player(event: Event, name: str) -> Player:
    """The member of this name."""
    found = Player.objects.filter(name=name).first()
    if found is not None:
        return found
    user = UserFactory.create(username=name.lower(), is_staff=False, club=event.club, role=Role.MEMBER)
    made: Player = PlayerFactory.create(club=event.club, name=name, user=user)
    return made


def by(event: Event, name: str) -> Actor:
    return actor_of(User.objects.get(players=player(event, name)))


def form(event: Event, captain: str, partner: str = "", name: str = "") -> EntryRequest:
    asked = player(event, partner) if partner else None
    return teams.form_team(actor=by(event, captain), event=event, name=name, partner=asked)


def pair(event: Event, captain: str, partner: str) -> Entry | EntryRequest:
    row = form(event, captain, partner).invitations.get()
    return teams.accept_invitation(actor=by(event, partner), event=event, invitation=row.pk)


def entered(event: Event) -> list[str]:
    return list(event.entries.order_by("pk").values_list("name", flat=True))


def two_places_kept(event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(places=2)
    event.refresh_from_db()
    form(event, "Ann")
    form(event, "Bob")
    pair(event, "Cid", "Dee")
    assert entered(event) == []


def test_kept_place_goes_to_the_list_when_its_captain_is_entered_elsewhere(
    event: Event, director: Actor
) -> None:
    two_places_kept(event)
    both = [player(event, "Ann"), player(event, "Bob")]
    entries.enter_team(actor=director, event=event, name="Aces", players=both)
    assert entered(event) == ["Aces", "Cid + Dee"]


def test_kept_place_goes_to_the_list_when_its_captain_is_no_more(event: Event) -> None:
    root = actor_of(User.objects.create_superuser("root"))
    two_places_kept(event)
    merge_players(actor=root, keep=player(event, "Ann"), drop=player(event, "Bob"))
    assert sweep_teams(timezone.now()) == 1
    assert entered(event) == ["Cid + Dee"]
    pair(event, "Eve", "Fay")
    erase_person(actor=root, player=player(event, "Ann"))
    assert sweep_teams(timezone.now()) == 1
    assert entered(event) == ["Cid + Dee", "Eve + Fay"]
    assert sweep_teams(timezone.now()) == 0


def test_team_that_is_moved_before_one_for_which_a_place_is_kept_has_it(
    event: Event, director: Actor
) -> None:
    form(event, "Ann")
    waits = pair(event, "Cid", "Dee")
    assert isinstance(waits, EntryRequest)
    assert waiting.move_request(actor=director, request=waits, place=1) == 1
    assert entered(event) == ["Cid + Dee"]


def test_merged_player_stands_where_his_team_still_may_play(event: Event) -> None:
    root = actor_of(User.objects.create_superuser("root"))
    old = form(event, "Ann")
    Event.objects.filter(pk=event.pk).update(entries_close_at=timezone.now())
    sweep_teams(timezone.now())
    Event.objects.filter(pk=event.pk).update(entries_close_at=None)
    form(event, "Bob")
    merge_players(actor=root, keep=old.player, drop=player(event, "Bob"))
    assert [row.player for row in waiting.the_list(event)] == [old.player]


def test_team_whose_captain_is_gone_is_the_directors(event: Event, director: Actor) -> None:
    root = actor_of(User.objects.create_superuser("root"))
    Event.objects.filter(pk=event.pk).update(places=None)
    event.refresh_from_db()
    entry = pair(event, "Ann", "Bob")
    assert isinstance(entry, Entry)
    entries.change_entry(actor=director, entry=entry, players=[player(event, "Bob"), player(event, "Cid")])
    # Ann begins anew, and Cid does not bring her back.
    form(event, "Ann")
    assert code_of(partial(teams.leave_team, actor=by(event, "Cid"), event=event)) == "not_allowed"
    pair(event, "Eve", "Fay")
    erase_person(actor=root, player=player(event, "Eve"))
    assert code_of(partial(teams.leave_team, actor=by(event, "Fay"), event=event)) == "not_allowed"


def test_name_made_of_players_is_of_these_players_alone(event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(places=None)
    event.refresh_from_db()
    for name in ("Ann", "Bob", "Cid"):
        player(event, name)
    for name in ("bob", "Cid + Ann", "Ann and Bob"):
        assert code_of(partial(form, event, "Eve", name=name)) == "name_taken"
    assert form(event, "Eve", name="Bob and friends").team_name == "Bob and friends"


def test_number_of_a_name_keeps_it_from_nobody(event: Event, director: Actor) -> None:
    Event.objects.filter(pk=event.pk).update(places=None)
    event.refresh_from_db()
    zed = [PlayerFactory.create(club=event.club) for _ in range(2)]
    entries.enter_team(actor=director, event=event, name="Ann + Bob", players=zed)
    pair(event, "Ann", "Bob")
    assert entered(event) == ["Ann + Bob", "Ann + Bob 2"]
    change_player(actor=director, player=player(event, "Bob"), name="Bo")
    assert entered(event) == ["Ann + Bob", "Ann + Bo 2"]
    team = teams.leave_team(actor=actor_of(User.objects.get(username="bob")), event=event)
    assert team is not None
    assert team.team_name == ""


def test_invited_and_taken_back_again_and_again_is_told_a_few_times(event: Event, settings: Any) -> None:
    settings.SENDS_MAIL, settings.SITE_URL = True, "https://club.example"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    bob = player(event, "Bob")
    User.objects.filter(players=bob).update(email="bob@example.org")
    form(event, "Ann")
    for _ in range(5):
        row = teams.invite_partner(actor=by(event, "Ann"), event=event, player=bob)
        Notice.objects.filter(user=bob.user_id).update(ended_at=timezone.now())
        teams.take_back_invitation(actor=by(event, "Ann"), event=event, invitation=row.pk)
    assert Notice.objects.filter(user=bob.user_id).count() == 3


def test_who_may_play_no_more_looks_for_no_partner(event: Event) -> None:
    for name in ("Ann", "Bob", "Cid"):
        teams.look_for_partner(actor=by(event, name), event=event)
    User.objects.filter(username="bob").update(is_active=False)
    User.objects.get(username="cid").memberships.all().delete()
    assert [search.player.name for search in searches_in(event)] == ["Ann"]
