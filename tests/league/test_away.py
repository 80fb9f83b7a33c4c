"""Days on which a player has said that he cannot play: he alone says so, and those who need it read it."""

import datetime
from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from league.errors import LeagueError
from league.models import AuditEntry, Event, Match, Player, PlayerAbsence, Role
from league.people.absences import note_absence, take_back_absence
from league.people.erasing import erase_person
from league.people.own_data import own_data
from league.people.players import merge_players
from league.policy import actor_of
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db

TODAY = datetime.date(2026, 11, 2)
PAGE = "/clubs/harbour/me/away/"


@pytest.fixture(autouse=True)
def now() -> Any:
    with time_machine.travel(datetime.datetime(2026, 11, 2, 12, tzinfo=datetime.UTC), tick=False) as clock:
        yield clock


@pytest.fixture
def match() -> Match:
    """Ann against Bob, to be arranged until 15 November; both have accounts."""
    club = ClubFactory.create(name="Harbour", slug="harbour")
    event = EventFactory.create(club=club, slug="winter", format="swiss", check_in=True)
    for name in ("Ann", "Bob"):
        entry = EntryFactory.create(event=event, name=name)
        user = UserFactory.create(username=name.lower(), is_staff=False)
        Player.objects.filter(memberships_in_entries__entry=entry).update(user=user)
    ann, bob = event.entries.order_by("name")
    round_ = RoundFactory.create(event=event, date=TODAY, last_day=datetime.date(2026, 11, 15))
    made: Match = MatchFactory.create(event=event, round=round_, entry_a=ann, entry_b=bob, table=None)
    return made


def day(number: int) -> datetime.date:
    return datetime.date(2026, 11, number)


def away(name: str, first: int, last: int) -> PlayerAbsence:
    player = Player.objects.get(name=name)
    assert player.user is not None
    return note_absence(
        actor=actor_of(player.user), player=player, first_day=day(first), last_day=day(last), today=TODAY
    )


def refused(call: Callable[..., object], *args: Any, **kwargs: Any) -> str:
    with pytest.raises(LeagueError) as found:
        call(*args, **kwargs)
    return found.value.code


def client(name: str) -> Client:
    return logged_in(User.objects.get(username=name))


def test_only_the_player_says_so_and_no_day_twice(match: Match) -> None:
    absence = away("Ann", 5, 9)
    assert refused(away, "Ann", 9, 12) == "away_already"
    assert refused(away, "Ann", 12, 11) == "invalid"
    ann, bob = Player.objects.get(name="Ann"), User.objects.get(username="bob")
    asked = {"player": ann, "first_day": day(20), "last_day": day(21), "today": TODAY}
    assert refused(note_absence, actor=actor_of(bob), **asked) == "not_allowed"
    assert refused(note_absence, actor=OPERATOR, **asked) == "not_allowed"
    over = {"player": ann, "first_day": day(1), "last_day": day(1), "today": TODAY}
    assert ann.user is not None
    assert refused(note_absence, actor=actor_of(ann.user), **over) == "past"
    long = {**asked, "last_day": datetime.date(2027, 11, 21)}
    assert refused(note_absence, actor=actor_of(ann.user), **long) == "out_of_range"
    assert refused(take_back_absence, actor=actor_of(bob), absence=absence) == "not_allowed"
    take_back_absence(actor=actor_of(ann.user), absence=absence)
    assert not PlayerAbsence.objects.exists()
    assert list(AuditEntry.objects.order_by("pk").values_list("action", flat=True)) == [
        "away.add",
        "away.remove",
    ]


def test_who_arranges_and_who_pairs_reads_it(match: Match) -> None:
    event: Event = match.event
    away("Ann", 2, 4)
    away("Ann", 20, 25)
    shown = client("bob").get(f"/clubs/harbour/events/winter/matches/{match.code}/arrange/").content.decode()
    assert "2 November – 4 November 2026" in shown
    # After the last day to play it does not matter.
    assert "20 November" not in shown
    director = logged_in(UserFactory.create(club=event.club, role=Role.DIRECTOR))
    listed = director.get("/clubs/harbour/events/winter/arranging/").content.decode()
    assert "Ann is away:" in listed
    check_in = director.get(reverse("admin:league_event_check_in", args=[event.pk])).content.decode()
    assert check_in.count("noted as away today") == 1
    public = Client().get(f"/clubs/harbour/events/winter/matches/{match.code}/").content.decode()
    assert "away" not in public


def test_own_page_notes_and_takes_back(match: Match) -> None:
    ann = client("ann")
    assert PAGE in ann.get("/clubs/harbour/me/").content.decode()
    assert ann.post(PAGE, {"first_day": "2026-11-05", "last_day": "2026-11-09"}).status_code == 302
    again = ann.post(PAGE, {"first_day": "2026-11-09", "last_day": "2026-11-09"})
    assert (again.status_code, "You are away on some of these days" in again.content.decode()) == (422, True)
    absence = PlayerAbsence.objects.get()
    assert client("bob").post(PAGE, {"back": str(absence.pk)}).status_code == 404
    assert ann.post(PAGE, {"back": str(absence.pk)}).status_code == 302
    assert not PlayerAbsence.objects.exists()
    assert Client().get(PAGE).status_code == 302


def test_an_account_of_two_players_says_who_of_them_is_away(match: Match) -> None:
    ann = client("ann")
    Player.objects.filter(name="Bob").update(user=User.objects.get(username="ann"))
    bob = Player.objects.get(name="Bob")
    days = {"first_day": "2026-11-05", "last_day": "2026-11-09"}
    assert ann.post(PAGE, days).status_code == 422
    assert ann.post(PAGE, {**days, "player": "somebody"}).status_code == 422
    assert ann.post(PAGE, {**days, "player": bob.code}).status_code == 302
    absence = PlayerAbsence.objects.get()
    assert absence.player == bob
    assert "Bob:" in ann.get(PAGE).content.decode()
    assert ann.post(PAGE, {"back": str(absence.pk)}).status_code == 302
    assert not PlayerAbsence.objects.exists()


def test_it_goes_with_the_player(match: Match) -> None:
    away("Ann", 5, 9)
    keep = PlayerFactory.create(club=match.event.club, name="Anna")
    ann = Player.objects.get(name="Ann")
    assert ann.user is not None
    (told,) = own_data(ann.user)["players"]
    assert told["days_away"] == [{"first_day": "2026-11-05", "last_day": "2026-11-09"}]
    merge_players(actor=OPERATOR, keep=keep, drop=ann)
    assert PlayerAbsence.objects.get().player_id == keep.pk
    erase_person(actor=OPERATOR, player=Player.objects.get(pk=keep.pk))
    assert not PlayerAbsence.objects.exists()


def test_what_was_taken_back_meanwhile_is_taken_back(match: Match) -> None:
    ann = Player.objects.get(name="Ann")
    by_ann = actor_of(User.objects.get(username="ann"))
    one = note_absence(actor=by_ann, player=ann, first_day=day(5), last_day=day(6), today=TODAY)
    seen_twice = PlayerAbsence.objects.get(pk=one.pk)
    for absence in (one, seen_twice):
        take_back_absence(actor=by_ann, absence=absence)
    assert not PlayerAbsence.objects.exists()
    assert AuditEntry.objects.filter(action="away.remove").count() == 1
