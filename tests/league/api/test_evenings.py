"""The evening on which an event runs itself, by programs: of directors, and of those who play."""

import datetime
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games.models import TableMatch
from league.events.presence import mark_everybody
from league.models import (
    Club,
    Evening,
    Match,
    MatchState,
    Player,
    Presence,
    PresenceState,
    Role,
    TokenScope,
)
from league.people.tokens import issue_token
from tests.clients import logged_in
from tests.factories import OPERATOR, UserFactory
from tests.league.nights import START, Night, at
from tests.league.table_players import play_on

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


class Program:
    """A token of an account, which asks about the evening of an event."""

    def __init__(self, night: Night, user: Any, scope: TokenScope = TokenScope.RECORD) -> None:
        _token, secret = issue_token(user=user, name="till", scope=scope, days=1, club=night.event.club)
        self._client = Client(headers={"Authorization": f"Token {secret}"})
        self._address = f"/api/v1/events/{night.event.code}/evening/"

    def read(self) -> dict[str, Any]:
        told: dict[str, Any] = self._client.get(self._address).json()
        return told

    def put(self, **said: Any) -> Any:
        return self._client.put(self._address, said, content_type="application/json")

    def sit_down(self, match: Match) -> Any:
        return self._client.post(f"/api/v1/matches/{match.code}/play/", {}, content_type="application/json")

    def post(self, act: str, **said: Any) -> Any:
        return self._client.post(f"{self._address}{act}/", said, content_type="application/json")


def director_of(night: Night, scope: TokenScope = TokenScope.MANAGE) -> Program:
    user = UserFactory.create(club=night.event.club, role=Role.DIRECTOR, username="dora")
    return Program(night, user, scope)


def of(night: Night, name: str, scope: TokenScope = TokenScope.RECORD) -> Program:
    return Program(night, night.players[name].user, scope)


def test_director_says_how_begins_pauses_and_lets_it_go_on(club: Club, clock: time_machine.Traveller) -> None:
    night = Night(club, "swiss", ("Ann", "Bob"), team_size=2, check_in=False)
    director = director_of(night)
    assert director.read()["state"] == "set"
    said = {"break_minutes": 2, "wait_minutes": 20, "absent": "tell"}
    told = director.put(**said)
    assert told.status_code == 200, told.content
    assert said.items() <= told.json().items()
    wrong = director.put(**said | {"wait_minutes": 61})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "invalid")
    assert wrong.json()["field"] == "wait_minutes"
    begun = director.post("begin").json()
    assert (begun["state"], begun["round"], begun["come_by"]) == ("going", 1, "2026-11-06T19:20:00Z")
    names = [player["name"] for player in begun["matches"][0]["waited_for"]]
    assert sorted(names) == ["Ann", "Ann2", "Bob", "Bob2"]
    again = director.post("begin")
    assert (again.status_code, again.json()["code"]) == (422, "wrong_state")
    assert again.headers["Content-Type"] == "application/problem+json"
    assert director.post("pause").json()["state"] == "paused"
    clock.move_to(START + datetime.timedelta(minutes=30))
    assert director.post("begin").json()["come_by"] == "2026-11-06T19:50:00Z"


def test_who_plays_comes_to_his_table(club: Club) -> None:
    """Each is told of his own match alone, and by whom it still waits."""
    night = Night(club, "swiss", team_size=2, check_in=False)
    night.begin()
    match = night.match_of("Ann", 1)
    ann = of(night, "Ann")
    assert [row["match"] for row in ann.read()["matches"]] == [match.code]
    told = ann.sit_down(match)
    assert told.status_code == 200, told.content
    assert told.json() == {"table": None}
    (waiting,) = ann.read()["matches"]
    assert sorted(player["name"] for player in waiting["waited_for"]) == ["Ann2", "Cid", "Cid2"]
    for name in ("Ann2", "Cid"):
        assert of(night, name).sit_down(match).json()["table"] is None
    table = of(night, "Cid2").sit_down(match).json()["table"]
    assert table == TableMatch.objects.get().code
    assert ann.read()["matches"] == [{"match": match.code, "waited_for": [], "table": table}]
    assert director_of(night).read()["matches"][0]["match"] == match.code


def test_who_plays_a_bot_in_place_of_a_bye_is_waited_for_as_on_the_page(club: Club, robo: Player) -> None:
    """Until something is played: then it has begun, as any match."""
    night = Night(club, "swiss", ("Ann", "Bob", "Cid"), check_in=False, slug="friday", sits_in=robo)
    night.begin()
    (bye,) = Match.objects.filter(event=night.event, state=MatchState.BYE)
    name, director = bye.entry_a.name, director_of(night)
    page = logged_in(User.objects.get(username="dora")).get(reverse("event", args=[club.slug, "friday"]))
    told = director.read()["matches"]
    waited_for = [player["name"] for row in told for player in row["waited_for"]]
    assert f"Not there yet: {', '.join(waited_for)}." in page.content.decode()
    assert sorted(waited_for) == ["Ann", "Bob", "Cid"]
    (own,) = of(night, name).read()["matches"]
    assert (own["match"], [player["name"] for player in own["waited_for"]]) == (bye.code, [name])
    table = of(night, name).sit_down(bye).json()["table"]
    assert of(night, name).read()["matches"] == [own | {"waited_for": [], "table": table}]
    play_on(TableMatch.objects.get(code=table), night.players[name])
    assert of(night, name).read()["matches"] == []
    assert len(director.read()["matches"]) == 1


def test_others_and_tokens_to_read_do_not_come(club: Club, clock: time_machine.Traveller) -> None:
    night = Night(club, "swiss", team_size=2, check_in=False)
    night.begin()
    match = night.match_of("Ann", 1)
    for program in (of(night, "Bob"), of(night, "Ann", TokenScope.READ), director_of(night)):
        refused = program.sit_down(match)
        assert (refused.status_code, refused.json()["code"]) == (403, "not_allowed")
    assert of(night, "Bob").post("pause").status_code == 403
    at(clock, 10)
    late = of(night, "Ann").sit_down(match)
    assert (late.status_code, late.json()["code"]) == (422, "has_begun")
    assert Client().get(f"/api/v1/events/{night.event.code}/evening/").json()["matches"] == []


def test_a_reason_for_which_it_stops_is_told_to_directors(club: Club, clock: time_machine.Traveller) -> None:
    night = Night(club, "single", ("Ann", "Bob"))
    night.begin()
    at(clock, 10)
    assert "director" in director_of(night).read()["why"]
    assert of(night, "Ann").read() | {"state": "stopped", "why": None} == of(night, "Ann").read()


def test_who_was_left_out_says_that_he_is_back(club: Club, clock: time_machine.Traveller) -> None:
    night = Night(club, "swiss", check_in=False)
    night.begin()
    for number, begins in ((1, 0), (2, 15)):
        match = night.match_of("Ann", number)
        for player in night.pair(match):
            assert player.name == "Ann" or night.come(player.name, number) is None
        Match.objects.filter(round__number=number).exclude(pk=match.pk).update(
            state=MatchState.FORFEIT, winner_side=0
        )
        refused = of(night, "Ann").post("back")
        assert (refused.status_code, refused.json()["code"]) == (422, "not_left_out")
        at(clock, begins + 10)
        at(clock, begins + (15 if number == 1 else 11))
    assert of(night, "Ann", TokenScope.READ).post("back").status_code == 403
    assert of(night, "Ann").post("back").status_code == 200
    at(clock, 30)
    assert len(night.matches(3)) == 2


def test_who_is_checked_in_says_that_he_cannot_come(club: Club) -> None:
    night = Night(club, "swiss", ("Ann", "Bob", "Cid"))
    mark_everybody(actor=OPERATOR, event=night.event, number=1)
    assert of(night, "Ann", TokenScope.READ).post("out").status_code == 403
    assert director_of(night).post("out").json()["code"] == "not_allowed"
    answer = of(night, "Ann").post("out")
    assert (answer.status_code, answer.json()["state"]) == (200, "set")
    assert Presence.objects.get(entry__name="Ann").state == PresenceState.AWAY
    again = of(night, "Ann").post("out")
    assert (again.status_code, again.json()["code"]) == (422, "not_here")
    night.begin()
    assert [player.name for player in night.pair(night.matches(1)[0])] == ["Bob", "Cid"]


def test_an_event_that_does_not_run_itself_has_no_evening(club: Club) -> None:
    night = Night(club, "swiss", ("Ann", "Bob"), check_in=False)
    Evening.objects.all().delete()
    assert director_of(night).post("begin").json()["code"] == "not_set"
