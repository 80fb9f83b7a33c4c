"""Checking in by oneself at the venue: a code on the wall, for as long as an officer says."""

import datetime
import re
from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from league.draws.round_life import draft_round
from league.errors import LeagueError
from league.events.self_check_in import (
    check_in_oneself,
    close_self_check_in,
    door_with,
    open_self_check_in,
)
from league.models import Club, EntryMember, Event, Player, Presence, PresenceState, Role, SelfCheckIn
from league.policy import actor_of
from scoring.core.actors import Actor
from tests.clients import logged_in
from tests.factories import OPERATOR, ClubFactory, EntryFactory, EventFactory, PlayerFactory, UserFactory

pytestmark = pytest.mark.django_db

NOON = datetime.datetime(2026, 11, 2, 12, 0, tzinfo=datetime.UTC)
WHERE = "/clubs/harbour/events/swiss/check-in/"


@pytest.fixture(autouse=True)
def now() -> Any:
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


@pytest.fixture
def event() -> Event:
    """Of a private club whose members Ann and Bob are entered, and Cid is not."""
    club = ClubFactory.create(name="Harbour", slug="harbour", is_public=False, time_zone="Europe/Paris")
    made: Event = EventFactory.create(club=club, slug="swiss", name="Swiss", format="swiss", check_in=True)
    for name in ("Ann", "Bob", "Cid"):
        user = UserFactory.create(username=name.lower(), club=club, role=Role.MEMBER, is_staff=False)
        user.set_password("gin")
        user.save()
        if name != "Cid":
            entry = EntryFactory.create(event=made, name=name)
            Player.objects.filter(memberships_in_entries__entry=entry).update(user=user)
    return made


def by(name: str) -> Actor:
    return actor_of(User.objects.get(username=name))


def opened(event: Event, minutes: int = 30) -> str:
    return open_self_check_in(actor=OPERATOR, event=event, number=1, minutes=minutes)


def check_in(name: str, secret: str) -> str:
    door = door_with(secret)
    assert door is not None
    return check_in_oneself(actor=by(name), door=door).name


def refused(call: Callable[..., object], *args: Any, **kwargs: Any) -> str:
    with pytest.raises(LeagueError) as found:
        call(*args, **kwargs)
    return found.value.code


def here(event: Event) -> list[str]:
    rows = Presence.objects.filter(event=event, round_number=1, state=PresenceState.HERE)
    return sorted(rows.values_list("entry__name", flat=True))


def test_who_is_entered_checks_in_once_while_it_is_open(event: Event, now: Any) -> None:
    secret = opened(event)
    assert check_in("ann", secret) == "Ann"
    assert refused(check_in, "ann", secret) == "here_already"
    assert refused(check_in, "cid", secret) == "not_entered"
    assert here(event) == ["Ann"]
    # By a new code the one before it opens nothing.
    second = opened(event)
    assert door_with(secret) is None
    now.shift(datetime.timedelta(minutes=30))
    assert refused(check_in, "bob", second) == "closed"
    third = opened(event)
    door = door_with(third)
    close_self_check_in(actor=OPERATOR, event=event)
    assert door is not None
    assert refused(check_in_oneself, actor=by("bob"), door=door) == "closed"
    assert here(event) == ["Ann"]
    # A later scan corrects what somebody else has ticked.
    Presence.objects.create(
        event=event, round_number=1, entry=event.entries.get(name="Bob"), state=PresenceState.AWAY
    )
    assert check_in("bob", opened(event)) == "Bob"
    assert here(event) == ["Ann", "Bob"]


def test_what_is_refused(event: Event) -> None:
    assert refused(open_self_check_in, actor=by("ann"), event=event, number=1, minutes=5) == "not_allowed"
    assert refused(close_self_check_in, actor=by("ann"), event=event) == "not_allowed"
    assert refused(opened, event, 0) == "out_of_range"
    assert refused(opened, event, 721) == "out_of_range"
    robin = EventFactory.create(club=event.club, format="round_robin")
    assert refused(opened, robin) == "no_check_in"
    event.entries.filter(name="Ann").update(withdrawn_at=NOON)
    assert refused(check_in, "ann", opened(event)) == "withdrawn"
    assert not Presence.objects.exists()


def test_any_of_a_team_checks_it_in(event: Event) -> None:
    teams = EventFactory.create(club=event.club, format="swiss", team_size=2, check_in=True)
    team = EntryFactory.create(event=teams, name="Sharks")
    player = PlayerFactory.create(club=event.club, user=User.objects.get(username="cid"))
    EntryMember.objects.create(event=teams, entry=team, player=player, position=5)
    assert check_in("cid", opened(teams)) == "Sharks"


def test_pages_of_the_wall_and_of_the_telephone(event: Event, now: Any) -> None:
    director = logged_in(UserFactory.create(club=event.club, role=Role.SCOREKEEPER))
    assert 'type="number"' in director.get(WHERE).content.decode()
    assert director.post(WHERE, {"what": "open", "minutes": "0"}).status_code == 422
    shown = director.post(WHERE, {"what": "open", "minutes": "30"}).content.decode()
    assert "Until 13:30" in shown
    found = re.search(r'href="http://testserver(/here/[^"]+)"', shown)
    assert found is not None
    address = found[1]
    assert "/here/" not in director.get(WHERE).content.decode()
    phone = Client()
    asked = phone.get(address)
    assert asked.headers["Location"] == f"/login/?next={address}"
    signed = phone.post("/login/", {"login": "ann", "password": "gin", "next": address})
    assert signed.headers["Location"] == address
    assert "I am here" in phone.get(address).content.decode()
    assert phone.post(address).headers["Location"] == address
    assert "You are checked in." in phone.get(address).content.decode()
    again = phone.post(address)
    assert (again.status_code, here(event)) == (422, ["Ann"])
    assert "1 is here." in director.get(WHERE).content.decode()
    cid = logged_in(User.objects.get(username="cid"))
    assert "You are not entered in “Swiss”." in cid.get(address).content.decode()
    stranger = logged_in(UserFactory.create(club=ClubFactory.create()))
    assert stranger.get(address).status_code == 404
    assert "no longer checks anyone in" in phone.get("/here/nothing/").content.decode()
    bob = logged_in(User.objects.get(username="bob"))
    now.shift(datetime.timedelta(minutes=31))
    assert "ended at 13:30" in bob.get(address).content.decode()
    assert director.post(WHERE, {"what": "close"}).status_code == 302
    assert not SelfCheckIn.objects.exists()
    assert Club.objects.get(slug="harbour").events.count() == 1


def test_a_draft_is_still_checked_in_for_and_a_published_round_is_not(event: Event) -> None:
    opened(event)
    for name in ("ann", "bob"):
        check_in(name, opened(event))
    draft_round(actor=OPERATOR, event=event)
    secret = opened(event)
    event.rounds.update(state="published")
    assert refused(check_in, "ann", secret) == "round_published"


def test_an_account_of_two_players_checks_in_the_one_who_still_plays(event: Event) -> None:
    EntryMember.objects.get(entry__name="Ann").player.entries.update(withdrawn_at=NOON)
    other = EntryFactory.create(event=event, name="Ada")
    Player.objects.filter(memberships_in_entries__entry=other).update(user=User.objects.get(username="ann"))
    assert check_in("ann", opened(event)) == "Ada"
    assert here(event) == ["Ada"]


def test_an_account_of_two_entries_checks_in_each_of_them(event: Event) -> None:
    """A couple with one telephone: the page has a button for each, and neither is taken for the other."""
    other = EntryFactory.create(event=event, name="Ada")
    Player.objects.filter(memberships_in_entries__entry=other).update(user=User.objects.get(username="ann"))
    address, phone = f"/here/{opened(event)}/", Client()
    phone.force_login(User.objects.get(username="ann"))
    assert phone.get(address).content.decode().count("I am here") == 2
    assert phone.post(address, {"entry": other.code}).status_code == 302
    assert here(event) == ["Ada"]
    page = phone.get(address).content.decode()
    assert (page.count("I am here"), page.count("You are checked in.")) == (1, 1)
    assert phone.post(address, {"entry": event.entries.get(name="Bob").code}).status_code == 422
    assert phone.post(address, {"entry": event.entries.get(name="Ann").code}).status_code == 302
    assert here(event) == ["Ada", "Ann"]


@pytest.mark.parametrize("format_", ["ladder", "round_robin", "swiss"])
def test_check_in_is_offered_where_it_matters_who_is_here(event: Event, format_: str) -> None:
    """Of these in a Swiss alone: on a ladder, and where all rounds are drawn at once, nobody is asked for."""
    other = EventFactory.create(club=event.club, slug="other", format=format_)
    officer = logged_in(UserFactory.create(club=event.club, role=Role.OWNER))
    listed = reverse("admin:league_event_check_in", args=[other.pk])
    page = "/clubs/harbour/events/other/check-in/"
    assert officer.get(page).status_code == (200 if format_ == "swiss" else 404)
    assert officer.post(page, {"what": "close"}).status_code == (302 if format_ == "swiss" else 404)
    change = officer.get(reverse("admin:league_event_change", args=[other.pk])).content.decode()
    assert (listed in change) == (format_ == "swiss")
