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
from django.core.signing import TimestampSigner
from django.test import Client
from django.urls import reverse

from league.core.name_lists import read_list
from league.errors import LeagueError
from league.events.beginning import choose_rules, draw_first_event, make_first_event, people_of
from league.events.entries import withdraw_entry
from league.events.events import create_event
from league.events.house_rules import make_club_rules, next_version
from league.models import AuditEntry, Club, ClubRules, Event, Membership, Player, Role
from league.people.beginning import begin_club, may_begin, new_code, read_code
from league.people.clubs import create_club, remove_club
from league.people.invitations import NewAccount
from league.people.listed import compare_list, take_in_list
from league.people.players import create_player
from league.policy import actor_of
from scoring.core.actors import Actor
from scoring.core.rules import Rules
from scoring.models import HouseRules
from tests.clients import logged_in
from tests.factories import OPERATOR, ClubFactory, PlayerFactory, UserFactory
from tests.refusals import refuses

BEA = NewAccount("bea", "a rather long secret", "Bea Berg")
CLUB = {"club": "Quayside", "place": "", "time_zone": "Europe/Paris"}
FORM = CLUB | {"name": BEA.name, "username": BEA.username, "password": BEA.password, "again": BEA.password}


def began(code: str = "") -> User:
    opened = read_code(code or new_code())
    assert opened is not None
    return begin_club(
        by=opened, name="Quayside", place="", time_zone="Europe/Paris", is_public=False, account=BEA
    )


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
        # As an address book copies it.
        ("Anna Eklund <anna@example.org>", "Anna Eklund", "", "anna@example.org"),
        ("anna@example.org Anna Eklund", "Anna Eklund", "", "anna@example.org"),
        ('"van der Berg; Jo";17', "Jo van der Berg", "17", ""),
        ('"Berg, ""Jo"" Anna", 17', '"Jo" Anna Berg', "17", ""),
        ('Anna "Annie" Eklund; 17', 'Anna "Annie" Eklund', "17", ""),
        ("17; Anna Eklund", "Anna Eklund", "17", ""),
        ("17\tEklund\tAnna", "Anna Eklund", "17", ""),
        ("de la Cruz, Anna Maria", "Anna Maria de la Cruz", "", ""),
        ("Eklund; Anna Maria", "Anna Maria Eklund", "", ""),
    ],
)
def test_a_line_is_understood(line: str, name: str, number: str, email: str) -> None:
    (read,) = read_list(f"\n{line}\r\n")
    assert (read.line, read.name, read.number, read.email, read.problem) == (2, name, number, email, None)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Name; Number; E-mail\nEklund, Anna; 17; a@b.org", [("Anna Eklund", "17", "a@b.org")]),
        ("NAME\nEklund, Anna", [("Anna Eklund", "", "")]),
        # Without headings these would be the surname Anna, and the number "4".
        ("No.;First name;Surname\n4;Anna;Eklund\n;Bo;", [("Anna Eklund", "4", ""), ("Bo", "", "")]),
        ("Name\tFirst name\nGarcía Márquez\tGabriel José", [("Gabriel José García Márquez", "", "")]),
        # The headings say what stands between cells, where a line has one cell only.
        ("Name;E-mail;\nEklund, Anna\nBo;<bo@b.org>", [("Anna Eklund", "", ""), ("Bo", "", "bo@b.org")]),
        # A surname, and no heading.
        ("No; Anna", [("Anna No", "", "")]),
    ],
)
def test_headings_are_nobody_and_say_what_stands_below(text: str, read: list[tuple[str, str, str]]) -> None:
    lines = read_list(text)
    assert [line.problem for line in lines] == [None] * len(lines)
    assert [(line.name, line.number, line.email) for line in lines] == read


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Anna Eklund; Bo Castell", "Are these two people? Give each a line, and write first names first."),
        ("Anna Eklund, Bo Castell", "Are these two people? Give each a line, and write first names first."),
        ("Anna <a@b.org>; Bo <c@d.org>", "There are two addresses in this line."),
        ('"Berg" Jo; 17', "The quotation marks in this line cannot be read: leave them out."),
        ('Anna; "17', "The quotation marks in this line cannot be read: leave them out."),
        (
            "Name; Phone",
            "“phone” is not a heading known here: name, surname, first name, number and e-mail are.",
        ),
        ("First name; Number", "These headings do not say which column is the name."),
        ("Name; Member", "These headings do not say which column is the name."),
        ("Name; Number\nAnna; 17; 18", "There is more in this line than there are headings."),
        ("Name, Number\nEklund, Anna", "“Anna” is in the number column."),
        (
            "Name; Number\nAnna Eklund, Bo Castell; 3",
            "Are these two people? Give each a line, and write first names first.",
        ),
        ("Name; E-mail\na@b.org; Anna", "There is an address where a name or a number should be."),
        ("Anna; 17, 18;", "There is more in this line than a name, a number and an address."),
        ("anna@example.org", "There is no name in this line."),
        ("17", "There is no name in this line."),
        ("Anna; a@b.org; c@d.org", "There are two addresses in this line."),
        ("Anna; 17; 18", "There is more in this line than a name, a number and an address."),
        ("Anna; anna@home", "“anna@home” is not an e-mail address."),
        ("Ann+Bo", "“+” stands between the names of a team; write “and”."),
        ("A" * 81, "A name has at most 80 characters."),
        ("An\N{RIGHT-TO-LEFT OVERRIDE}na", "There is a character here that cannot be seen: type it again."),
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
    with pytest.raises(LeagueError, match="4 lines need a look first; nobody was added"):
        take_in_list(actor=OPERATOR, club=club, text=text)
    assert Player.objects.count() == 2
    take_in_list(actor=OPERATOR, club=club, text="Anna Eklund\nDora; 3")
    take_in_list(actor=OPERATOR, club=club, text="Anna Eklund\nDora; 3")
    assert sorted(Player.objects.values_list("name", flat=True)) == ["Anna Eklund", "Bo", "Dora"]


@pytest.mark.django_db
def test_a_code_opens_once_and_for_a_week() -> None:
    code = new_code()
    opened = read_code(code)
    assert opened is not None
    assert not opened.is_spent()
    assert read_code(code[:-1] + ("A" if code[-1] != "A" else "B")) is None
    assert read_code(code.replace("owner", "administrator")) is None
    with time_machine.travel(datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=8)):
        assert read_code(code) is None
    user = began(code)
    assert opened.is_spent()
    assert user.is_superuser
    assert Membership.objects.get(user=user).role == Role.OWNER
    with refuses(LeagueError, "begun"):
        began()
    assert User.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("said", ["owner", "administrator"])
def test_a_code_of_an_earlier_version_is_a_wrong_one(said: str, client: Client) -> None:
    code = TimestampSigner(salt="beginning", sep=".").sign(said)
    assert client.get(f"/begin/{code}/").status_code == 404
    assert client.post("/begin/demo/", {"code": code}).status_code == 404
    assert "This code is not valid" in client.post("/begin/", {"code": code}).text


@pytest.mark.django_db
@pytest.mark.parametrize("way", ["code", "administration"])
def test_a_code_opens_nothing_once_a_club_was_made_even_if_it_is_gone(way: str) -> None:
    code, admin = new_code(), User.objects.create_superuser("admin")
    if way == "code":
        began(code)
    else:
        create_club(actor=actor_of(admin), name="Pier", slug="pier")
    remove_club(actor=actor_of(admin), club=Club.objects.get())
    assert may_begin()
    stranger = Client()
    for answer in (stranger.get(f"/begin/{code}/"), stranger.post(f"/begin/{code}/", FORM)):
        assert answer.status_code == 404
        assert "has been used" in answer.text
    assert stranger.post("/begin/demo/", {"code": code}).status_code == 404
    assert "This code is not valid" in stranger.post("/begin/", {"code": code}).text
    # One that was read before the club was made is asked again as it is used.
    with refuses(LeagueError, "begun"):
        began(code)
    assert not Club.objects.exists()
    assert stranger.get(f"/begin/{new_code()}/").status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize(("says", "administers"), [(False, False), (True, True)])
def test_who_administers_the_site_is_asked_when_the_code_is_used(says: bool, administers: bool) -> None:
    code = new_code(administers=says)
    User.objects.create_superuser("admin")
    assert began(code).is_superuser == administers
    said = AuditEntry.objects.filter(action="account.administrator")
    assert said.exists() == administers


@pytest.mark.django_db
def test_a_club_is_public_only_if_that_was_asked_for(client: Client) -> None:
    way = f"/begin/{new_code()}/"
    assert client.get(way).context["form"]["is_public"].value() is None
    client.post(way, FORM)
    guest = Client()
    assert guest.get("/clubs/quayside/players/").status_code == 404
    step = "/clubs/quayside/begin/club/"
    client.post(step, CLUB | {"is_public": "on"})
    assert guest.get("/clubs/quayside/players/").status_code == 200
    assert client.get(step).context["form"]["is_public"].value() is True
    client.post(step, CLUB)
    assert guest.get("/clubs/quayside/players/").status_code == 404


@pytest.mark.django_db
def test_whom_to_contact_is_asked_with_the_name_and_may_be_left_out(client: Client) -> None:
    client.post(f"/begin/{new_code()}/", FORM | {"contact": " Bea,  555 0137 "})
    club = Club.objects.get()
    assert club.contact == "Bea, 555 0137"
    step = "/clubs/quayside/begin/club/"
    assert client.get(step).context["form"]["contact"].value() == club.contact
    client.post(step, CLUB | {"contact": ""})
    club.refresh_from_db()
    assert club.contact == ""


@pytest.mark.django_db
def test_a_refusal_of_the_club_s_name_stands_beside_it_and_not_beside_the_person_s(client: Client) -> None:
    unseen = "Quay\N{RIGHT-TO-LEFT OVERRIDE}side"
    said = "There is a character here that cannot be seen: type it again."
    way = f"/begin/{new_code()}/"
    assert client.post(way, FORM | {"club": unseen}).context["form"].errors == {"club": [said]}
    assert client.post(way, FORM | {"name": unseen}).context["form"].errors == {"name": [said]}
    assert not Club.objects.exists()
    client.post(way, FORM)
    again = client.post("/clubs/quayside/begin/club/", CLUB | {"club": unseen})
    assert again.context["form"].errors == {"club": [said]}


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
    assert "still being set up: step 2 of 6 is next" in " ".join(
        client.get("/clubs/quayside/").content.decode().split()
    )
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
        ways = [client.post(f"{at}/{step}/", data).headers["Location"] for _time in range(2)]
        assert ways[0] == ways[1]
        return ways[0].rsplit("/", 2)[1]

    assert send("rules", {"preset": "standard", "columns": 3}) == "members"
    assert send("rules", {"preset": "classic", "columns": 1}) == "members"
    assert [own.rules.name for own in ClubRules.objects.filter(club=club)] == ["Classic"]
    assert [rules.name for rules in HouseRules.objects.all()] == ["Classic"]
    assert client.post(f"{at}/members/", {"names": "A\nB"}).status_code == 200
    nobody = client.post(f"{at}/members/", {"names": "Name; Number", "take": "1"})
    assert (nobody.status_code, nobody.context["form"].errors) == (
        422,
        {"names": ["There are no names in this list."]},
    )
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
    assert send("print", {}) == "quayside"
    assert Client().post(f"{at}/print/").status_code == 404
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


@pytest.fixture
def guided(client: Client) -> Club:
    """A club that is being begun by the client, with its house rules chosen."""
    client.post(f"/begin/{new_code()}/", FORM)
    client.post("/clubs/quayside/begin/rules/", {"preset": "standard", "columns": 3})
    return Club.objects.get()


def owner_of(club: Club) -> Actor:
    return actor_of(Membership.objects.get(club=club, role=Role.OWNER).user)


@pytest.mark.django_db
def test_an_event_of_another_kind_leaves_the_guide_its_own(client: Client, guided: Club) -> None:
    """A Swiss, and a round robin that nobody has started yet; nothing of them is drawn by the guide."""
    rules = guided.house_rules.get().rules
    for format_ in ("swiss", "round_robin"):
        create_event(
            actor=owner_of(guided), club=guided, name=format_, slug=format_, rules=rules, format=format_
        )
    take_in_list(actor=owner_of(guided), club=guided, text="Ann\nBob")
    at = "/clubs/quayside/begin"
    # Another preset is still to be had; the one that is played by stays on the club's list.
    client.post(f"{at}/rules/", {"preset": "classic", "columns": 3})
    assert [own.rules.name for own in guided.house_rules.order_by("pk")] == ["Standard", "Classic"]
    step = client.get(f"{at}/event/")
    assert "Your other events go on under Administration" in step.text
    everybody = list(Player.objects.values_list("code", flat=True))
    made = client.post(f"{at}/event/", {"name": "Round robin", "players": everybody})
    assert made.headers["Location"] == f"{at}/draw/"
    drawn = client.post(f"{at}/draw/", {"first_date": "2026-12-01", "days_between": 7})
    assert drawn.headers["Location"] == f"{at}/print/"
    begun = Event.objects.get(name="Round robin")
    assert (begun.slug, begun.rounds.count(), begun.rules.name) == ("round-robin", 1, "Classic")
    assert "Round robin" in client.get(f"{at}/print/").text


@pytest.mark.django_db
def test_rules_that_the_club_has_made_itself_are_no_attempt(guided: Club) -> None:
    by = owner_of(guided)
    make_club_rules(actor=by, club=guided, name="Ours", rules=Rules(gin_bonus=20))
    choose_rules(actor=by, club=guided, preset="classic", columns=3)
    changed = ClubRules.objects.get(rules__name="Classic")
    next_version(actor=by, club_rules=changed, name="Classic", rules=Rules.preset("classic", columns=1))
    choose_rules(actor=by, club=guided, preset="online", columns=3)
    names = [own.rules.name for own in guided.house_rules.order_by("pk")]
    assert names == ["Standard", "Ours", "Classic", "Online"]


@pytest.mark.django_db
def test_more_than_can_be_drawn_make_no_event(client: Client, guided: Club) -> None:
    """141 meet each other in 9,870 matches, 142 in 10,011; a draw makes at most 10,000."""
    at = "/clubs/quayside/begin/event/"
    PlayerFactory.create_batch(141, club=guided)
    assert len(client.get(at).context["form"]["players"].value()) == 141
    PlayerFactory.create(club=guided)
    asked = client.get(at)
    assert asked.context["form"]["players"].value() is None
    assert "All 142 are too many for one round robin" in asked.text
    codes = list(Player.objects.values_list("code", flat=True))
    answer = client.post(at, {"name": "Cup", "players": codes})
    assert answer.status_code == 422
    assert "142 entries would play 10011 matches; one draw makes at most 10000." in answer.text
    assert not Event.objects.exists()
    assert client.post(at, {"name": "Cup", "players": codes[1:]}).status_code == 302


@pytest.mark.django_db
def test_an_event_that_cannot_be_drawn_keeps_nobody_in_the_guide(client: Client, guided: Club) -> None:
    by, at = owner_of(guided), "/clubs/quayside/begin"
    take_in_list(actor=by, club=guided, text="Ann\nBob")
    event = make_first_event(actor=by, club=guided, name="Cup", players=people_of(guided))
    withdraw_entry(actor=by, entry=event.entries.get(name="Bob"), reason="ill")
    step = client.get(f"{at}/draw/")
    assert "A round robin needs at least two entries." in step.text
    assert "Draw these rounds" not in step.text
    assert f'action="{at}/leave/"' in step.text


@pytest.mark.django_db
def test_the_draw_says_how_far_it_is(client: Client, guided: Club) -> None:
    """Four meet in six matches."""
    by, at = owner_of(guided), "/clubs/quayside/begin/draw/"
    take_in_list(actor=by, club=guided, text="Ann\nBob\nCid\nDora")
    make_first_event(actor=by, club=guided, name="Cup", players=people_of(guided))
    shown = client.get(at)
    key = shown.context["progress_key"]
    told = reverse("admin-progress", args=[key])
    assert f'name="progress" value="{key}"' in shown.text
    assert f'data-address="{told}"' in shown.text
    assert client.get(told).json() == {}
    client.post(at, {"first_date": "2026-12-01", "days_between": 7, "progress": key})
    assert client.get(told).json() == {"done": 6, "total": 6}


@pytest.mark.django_db
@pytest.mark.parametrize("far", ["rules", "members", "event", "draw"])
def test_the_guide_can_be_left_at_any_step(client: Client, far: str) -> None:
    client.post(f"/begin/{new_code()}/", FORM)
    club, at = Club.objects.get(), "/clubs/quayside/begin"
    by = owner_of(club)
    if far != "rules":
        choose_rules(actor=by, club=club, preset="standard", columns=3)
    if far in ("event", "draw"):
        take_in_list(actor=by, club=club, text="Ann\nBob")
    if far == "draw":
        make_first_event(actor=by, club=club, name="Cup", players=people_of(club))
    assert client.get("/begin/").headers["Location"] == f"{at}/{far}/"
    assert f'action="{at}/leave/"' in client.get(f"{at}/{far}/").text
    other = logged_in(UserFactory.create(club=club, role=Role.DIRECTOR))
    assert other.post(f"{at}/leave/").status_code == 404
    assert Club.objects.get().is_guided
    assert client.get(f"{at}/leave/").status_code == 405
    for _time in range(2):
        left = client.post(f"{at}/leave/", follow=True)
        assert left.redirect_chain == [("/admin/", 302)]
        assert "The guide is closed." in left.text
    assert client.get(f"{at}/{far}/").status_code == 404
    assert "still being set up" not in client.get("/clubs/quayside/").text
    entry = AuditEntry.objects.get(after={"is_guided": False})
    assert (entry.action, entry.actor_id) == ("club.change", by.id)


@pytest.mark.django_db
def test_an_administrator_begins_without_a_code(client: Client) -> None:
    admin = User.objects.create_superuser("admin")
    client.force_login(admin)
    assert client.post("/begin/", CLUB).headers["Location"] == "/begin/"
    assert Membership.objects.get().user == admin
    assert User.objects.count() == 1
    authors = {(entry.actor_kind, entry.actor_id) for entry in AuditEntry.objects.all()}
    assert authors == {("user", str(admin.pk))}


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
    assert re.fullmatch(r"owner-0\.\w+\.[\w-]{43}", code)
    began()
    with pytest.raises(CommandError, match="has a club already"):
        call_command("begin")
