"""The beginning of a club: who may, what a pasted list says, and what is sent twice."""

import datetime
import re
import time
from typing import Any
from urllib.parse import urlsplit

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from league.core.name_lists import read_list
from league.errors import LeagueError
from league.events.beginning import choose_rules, draw_first_event, make_first_event, people_of
from league.models import AuditEntry, Club, ClubRules, Event, Membership, Player, Role
from league.people.beginning import begin_club, may_begin, new_code, read_code
from league.people.invitations import NewAccount
from league.people.listed import compare_list, take_in_list
from league.people.players import create_player
from league.policy import actor_of
from tests.factories import OPERATOR, ClubFactory, UserFactory

BEA = NewAccount("bea", "a rather long secret", "Bea Berg")
CLUB = {"club": "Quayside", "place": "", "time_zone": "Europe/Paris"}
FORM = CLUB | {"name": BEA.name, "username": BEA.username, "password": BEA.password, "again": BEA.password}


def began() -> User:
    opened = read_code(new_code())
    assert opened is not None
    return begin_club(by=opened, name="Quayside", place="", time_zone="Europe/Paris", account=BEA)


@pytest.mark.parametrize(
    ("line", "name", "number", "email"),
    [
        ("Eklund, Anna; 17; anna@example.org", "Anna Eklund", "17", "anna@example.org"),
        ("Anna Eklund", "Anna Eklund", "", ""),
        ("Anna Eklund; anna@example.org; A-17", "Anna Eklund", "A-17", "anna@example.org"),
        ("Eklund\tAnna\t17\tanna@example.org", "Anna Eklund", "17", "anna@example.org"),
        ("Eklund;Anna;17", "Anna Eklund", "17", ""),
        ("Eklund, Anna, 17", "Anna Eklund", "17", ""),
        ("\N{ZERO WIDTH NO-BREAK SPACE}  3. Anna   Eklund ;; ", "Anna Eklund", "", ""),
        ('"van der Berg, Jo";17', "Jo van der Berg", "17", ""),
        ("Eklund, Anna; XY", "Anna Eklund", "XY", ""),
    ],
)
def test_a_line_is_understood(line: str, name: str, number: str, email: str) -> None:
    (read,) = read_list(f"\n{line}\r\n")
    assert (read.line, read.name, read.number, read.email, read.problem) == (2, name, number, email, None)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("anna@example.org", "There is no name in this line."),
        ("17", "There is no name in this line."),
        ("Anna; a@b.org; c@d.org", "There are two addresses in this line."),
        ("Anna; 17; 18", "There is more in this line than a name, a number and an address."),
        ("Anna; anna@home", "“anna@home” is no e-mail address."),
        ("Ann+Bo", "“+” stands between the names of a team; write “and”."),
        ("A" * 81, "A name has at most 80 characters."),
        ("An\N{RIGHT-TO-LEFT OVERRIDE}na", "There is a character here that cannot be seen: type it anew."),
        ("Bo; 4\nAnna; 4", "Line 1 has this member number already."),
        (
            "Eklund, Anna\nÁnna EKLUND",
            "“Ánna EKLUND” stands in line 1 already. Two people need an initial or the town.",
        ),
    ],
)
def test_what_is_wrong_with_a_line_is_said(text: str, problem: str) -> None:
    assert str(read_list(text)[-1].problem) == problem


def test_a_long_list_is_read_in_time_that_grows_with_its_lines() -> None:
    def seconds(lines: int) -> float:
        text = "\n".join(f"Member{number}, Ann; {number}" for number in range(lines))
        before = time.process_time()
        assert not any(line.problem for line in read_list(text))
        return time.process_time() - before

    # Ten times the lines; looking at every pair of them would be a hundred times as long.
    assert min(seconds(2000), seconds(2000)) < 40 * max(seconds(200), seconds(200))


@pytest.mark.django_db
def test_a_list_beside_the_register() -> None:
    club = ClubFactory.create()
    anna = create_player(actor=OPERATOR, club=club, name="Anna Eklund", member_number="17")
    create_player(actor=OPERATOR, club=club, name="Bo", aliases=["Robert"])
    text = "Eklund, Anna\nAnna Eklund; 18\nEklund Anna Y\nAnná Eklund\nCid; 17\nRobert\nDora"
    lines = compare_list(club, text)
    assert [line.player for line in lines[:1]] == [anna]
    # Line 2 is line 1 once more.
    assert [bool(line.problem) for line in lines] == [False, True, False, True, True, True, False]
    with pytest.raises(LeagueError, match="4 lines need a look first; nobody was taken in"):
        take_in_list(actor=OPERATOR, club=club, text=text)
    assert Player.objects.count() == 2
    take_in_list(actor=OPERATOR, club=club, text="Anna Eklund\nDora; 3")
    take_in_list(actor=OPERATOR, club=club, text="Anna Eklund\nDora; 3")
    assert sorted(Player.objects.values_list("name", flat=True)) == ["Anna Eklund", "Bo", "Dora"]


@pytest.mark.django_db
def test_a_code_opens_once_and_for_a_week() -> None:
    code = new_code()
    assert read_code(code) is not None
    assert read_code(code[:-1] + ("A" if code[-1] != "A" else "B")) is None
    assert read_code(code.replace("administrator", "owner")) is None
    with time_machine.travel(datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=8)):
        assert read_code(code) is None
    user = began()
    assert user.is_superuser
    assert Membership.objects.get(user=user).role == Role.OWNER
    with pytest.raises(LeagueError) as refusal:
        began()
    assert refusal.value.code == "begun"
    assert User.objects.count() == 1


@pytest.mark.django_db
def test_the_first_owner_administers_the_site_only_where_nobody_does() -> None:
    User.objects.create_superuser("admin")
    assert not began().is_superuser
    said = AuditEntry.objects.filter(action="account.administrator")
    assert not said.exists()


@pytest.mark.django_db
def test_nobody_without_the_code_begins_a_club(client: Client) -> None:
    assert "Nothing is here yet" in client.get("/").content.decode()
    assert client.post("/begin/", FORM).status_code == 422
    assert client.post("/begin/no.such.code/", FORM).status_code == 404
    assert client.post("/begin/demo/").status_code == 404
    client.force_login(UserFactory.create())
    assert client.post("/begin/", FORM).status_code == 422
    assert not Club.objects.exists()


@pytest.mark.django_db
def test_the_link_leads_on_and_at_last_nowhere(client: Client) -> None:
    way = f"/begin/{new_code()}/"
    assert client.post("/begin/", {"code": f"http://here{way}"}).headers["Location"] == way
    assert client.post(way, FORM).status_code == 302
    # Sent twice, by a browser that heard nothing the first time.
    again = Client().post(way, FORM)
    assert again.headers["Location"] == "/clubs/quayside/begin/rules/"
    stranger = Client()
    assert stranger.get("/clubs/quayside/begin/rules/").headers["Location"].startswith("/login/")
    stranger.force_login(UserFactory.create(club=Club.objects.get(), role=Role.DIRECTOR))
    assert stranger.get("/clubs/quayside/begin/rules/").status_code == 404
    # A step whose turn has not come.
    assert client.get("/clubs/quayside/begin/print/").headers["Location"] == "/clubs/quayside/begin/rules/"
    assert "step 2 of 6 is next" in " ".join(client.get("/clubs/quayside/").content.decode().split())
    Club.objects.update(is_guided=False)
    for address in (way, "/begin/", "/clubs/quayside/begin/rules/"):
        assert client.get(address).status_code == 404
    assert User.objects.filter(is_superuser=True).count() == 1


@pytest.mark.django_db
def test_every_step_may_be_sent_twice_and_gone_back_to(client: Client) -> None:
    client.post(f"/begin/{new_code()}/", FORM)
    club = Club.objects.get()
    at = "/clubs/quayside/begin"

    def send(step: str, data: dict[str, Any]) -> str:
        answers = [client.post(f"{at}/{step}/", data) for _time in range(2)]
        assert [answer.status_code for answer in answers][:1] == [302]
        return answers[0].headers["Location"].rsplit("/", 2)[1]

    assert send("rules", {"preset": "standard", "columns": 3}) == "members"
    assert send("rules", {"preset": "classic", "columns": 1}) == "members"
    assert [own.rules.name for own in ClubRules.objects.filter(club=club)] == ["Classic"]
    assert client.post(f"{at}/members/", {"names": "A\nB"}).status_code == 200
    endless = client.post(f"{at}/members/", {"names": "\n".join(map(str, range(2001))), "take": "1"})
    assert endless.status_code == 422
    assert "A list has at most 2000 lines" in endless.text
    assert not Player.objects.exists()
    assert send("members", {"names": "Ann\nBob\nCid", "take": "1"}) == "event"
    codes = list(Player.objects.exclude(name="Cid").values_list("code", flat=True))
    assert client.post(f"{at}/event/", {"name": "Cup", "players": codes[:1]}).status_code == 422
    assert send("event", {"name": "Cup", "players": codes}) == "draw"
    assert send("draw", {"first_date": "2026-12-01", "days_between": 7}) == "print"
    event = Event.objects.get()
    assert (event.rounds.count(), event.entries.count()) == (1, 2)
    assert send("club", CLUB | {"place": "The Boathouse"}) == "rules"
    for step in ("club", "rules", "members", "event", "draw", "print"):
        assert client.get(f"{at}/{step}/").status_code == 200
    assert client.post(f"{at}/print/").headers["Location"] == "/clubs/quayside/"
    assert client.get("/clubs/quayside/").content.decode().count("The Boathouse") == 1


@pytest.mark.django_db
def test_services_refuse_what_has_no_turn() -> None:
    user = began()
    club, by = Club.objects.get(), actor_of(user)
    with pytest.raises(LeagueError, match="Choose the house rules first"):
        make_first_event(actor=by, club=club, name="Cup", players=[])
    with pytest.raises(LeagueError, match="Make the event first"):
        draw_first_event(actor=by, club=club, first_date=None, days_between=7)
    choose_rules(actor=by, club=club, preset="standard", columns=3)
    take_in_list(actor=by, club=club, text="Ann\nBob")
    make_first_event(actor=by, club=club, name="Cup", players=people_of(club))
    with pytest.raises(LeagueError, match="The event has its rules by now"):
        choose_rules(actor=by, club=club, preset="classic", columns=3)


@pytest.mark.django_db
def test_an_administrator_begins_without_a_code(client: Client) -> None:
    admin = User.objects.create_superuser("admin")
    client.force_login(admin)
    assert client.post("/begin/", CLUB).headers["Location"] == "/begin/"
    assert Membership.objects.get().user == admin
    assert User.objects.count() == 1


@pytest.mark.django_db
def test_the_demo_keeps_nobody_from_beginning() -> None:
    ClubFactory.create(is_demo=True, slug="quayside")
    assert may_begin()
    began()
    assert Club.objects.get(is_demo=False).slug == "quayside-2"


@pytest.mark.django_db
def test_the_command_prints_a_link_until_there_is_a_club(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("begin", "https://league.example.org/")
    link = capsys.readouterr().out.splitlines()[0]
    assert Client().get(urlsplit(link).path).status_code == 200
    call_command("begin")
    code = capsys.readouterr().out.split()[-1]
    assert re.fullmatch(r"administrator\.\w+\.[\w-]{43}", code)
    began()
    with pytest.raises(CommandError, match="has a club already"):
        call_command("begin")
