"""What is tried against a site: forms of other sites, names of hosts, ways out, other people's rows."""

from typing import Any
from urllib.parse import quote

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from league.models import Club, Event, Player, Role, TokenScope
from league.people.tokens import issue_token
from league.tasks import mail_password_link
from tests.factories import ClubFactory, EventFactory, PlayerFactory, UserFactory
from tests.tasks import run_tasks

pytestmark = pytest.mark.django_db

PASSWORD = "a quiet night at sea"
# What browsers take for another site, or for a script.
ASTRAY = (
    "https://evil.example/",
    "//evil.example/",
    "///evil.example/",
    "/\\evil.example/",
    "\\\\evil.example/",
    "http:///evil.example/",
    "javascript:alert(1)",
    "https:evil.example",
    "\thttps://evil.example/",
    "http://testserver@evil.example/",
)


@pytest.fixture
def owner(club: Club) -> User:
    return UserFactory.create(club=club, role=Role.OWNER, username="kim", password=PASSWORD)


def signing_in(**more: str) -> dict[str, str]:
    return {"login": "kim", "password": PASSWORD, **more}


def token_of(user: User, club: Club) -> dict[str, str]:
    """The header of a token that may all its user may in the club."""
    _, secret = issue_token(user=user, name="x", scope=TokenScope.MANAGE, club=club, days=1)
    return {"Authorization": f"Token {secret}"}


# Ways out


@pytest.mark.parametrize("where", ASTRAY)
def test_signing_in_leads_nowhere_else(where: str, client: Client, owner: User) -> None:
    answer = client.post(reverse("login"), signing_in(next=where))
    assert (answer.status_code, answer.headers["Location"]) == (302, "/me/")


@pytest.mark.parametrize("where", ASTRAY)
def test_the_door_of_the_administration_leads_nowhere_else(where: str, client: Client, owner: User) -> None:
    door = reverse("admin:login")
    assert client.get(door, {"next": where}).headers["Location"] == "/login/?next=/admin/"
    assert client.post(f"{door}?next={quote(where)}").headers["Location"] == "/login/?next=/admin/"
    client.force_login(owner)
    assert client.get(door, {"next": where}).headers["Location"] == "/admin/"


@pytest.mark.parametrize("where", ASTRAY)
def test_who_is_signed_in_already_is_led_nowhere_else(where: str, client: Client, owner: User) -> None:
    client.force_login(owner)
    assert client.get(reverse("login"), {"next": where}).headers["Location"] == "/me/"


@pytest.mark.parametrize("door", ["logout", "admin:logout"])
@pytest.mark.parametrize("where", ASTRAY)
def test_signing_out_leads_nowhere_else(door: str, where: str, client: Client, owner: User) -> None:
    client.force_login(owner)
    answer = client.post(reverse(door), {"next": where})
    assert "evil" not in answer.headers.get("Location", "")
    assert "javascript" not in answer.headers.get("Location", "")


@pytest.mark.parametrize("path", ["//evil.example/clubs", "/%5Cevil.example", "//evil.example/%2e%2e"])
def test_a_missing_slash_is_added_on_this_site_alone(path: str, client: Client) -> None:
    answer = client.get(path)
    assert not answer.headers.get("Location", "/").startswith(("//", "http://evil", "https://evil", "/\\"))


# Names of hosts


@pytest.mark.parametrize("address", ["/", "/login/", "/clubs/harbour/", "/api/v1/clubs/", "/admin/login/"])
@pytest.mark.parametrize("host", ["evil.example", "testserver.evil.example", "testserver:80@evil.example"])
def test_another_name_of_the_host_is_refused(address: str, host: str, client: Client, club: Club) -> None:
    answer = client.get(address, headers={"Host": host})
    assert answer.status_code == 400
    assert "evil" not in answer.content.decode()


def test_a_host_that_a_proxy_is_said_to_have_heard_counts_for_nothing(client: Client, club: Club) -> None:
    EventFactory.create(club=club, slug="league")
    heard = {"X-Forwarded-Host": "evil.example", "X-Host": "evil.example", "Forwarded": "host=evil.example"}
    for page in ("", "results.atom", "rounds.ics"):
        answer = client.get(f"/clubs/harbour/events/league/{page}", headers=heard)
        assert answer.status_code == 200
        assert "evil.example" not in answer.content.decode()


@pytest.fixture
def _mail(settings: Any) -> None:
    settings.SENDS_MAIL = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


@pytest.mark.usefixtures("_mail")
def test_a_link_by_mail_names_no_host_that_its_reader_made_up(
    client: Client, owner: User, mailoutbox: list[Any]
) -> None:
    User.objects.filter(pk=owner.pk).update(email="kim@club.example")
    address = reverse("password_reset")
    answer = client.post(address, {"email": "kim@club.example"}, headers={"Host": "evil.example"})
    assert answer.status_code == 400
    assert mailoutbox == []
    client.post(address, {"email": "kim@club.example"}, headers={"X-Forwarded-Host": "evil.example"})
    assert run_tasks(mail_password_link) == 1
    (letter,) = mailoutbox
    assert "http://testserver/" in letter.body
    assert "evil" not in letter.body


# Sessions


def test_a_session_that_somebody_else_began_is_not_gone_on_with(client: Client, owner: User) -> None:
    client.get(reverse("login"))
    session = client.session
    session["planted"] = "yes"
    session.save()
    planted = session.session_key
    assert planted is not None
    client.cookies["sessionid"] = planted
    client.post(reverse("login"), signing_in())
    assert client.cookies["sessionid"].value != planted
    other = Client()
    other.cookies["sessionid"] = planted
    assert other.get(reverse("account")).status_code == 302


def test_a_session_that_nobody_gave_out_is_not_taken_up(client: Client, owner: User) -> None:
    client.cookies["sessionid"] = "made-up-by-somebody-else-0000000"
    client.post(reverse("login"), signing_in())
    assert client.cookies["sessionid"].value != "made-up-by-somebody-else-0000000"


def test_signing_out_ends_the_session_everywhere(client: Client, owner: User) -> None:
    client.post(reverse("login"), signing_in())
    other = Client()
    other.cookies["sessionid"] = client.cookies["sessionid"].value
    assert other.get(reverse("account")).status_code == 200
    client.post(reverse("logout"))
    assert other.get(reverse("account")).status_code == 302


def test_a_new_password_ends_the_sessions_of_others(client: Client, owner: User) -> None:
    client.post(reverse("login"), signing_in())
    other = Client()
    other.post(reverse("login"), signing_in())
    new = "another night at the harbour"
    data = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    assert client.post(reverse("password_change"), data).status_code == 302
    assert client.get(reverse("account")).status_code == 200
    assert other.get(reverse("account")).status_code == 302


def test_no_script_reads_the_session(client: Client, owner: User) -> None:
    cookie = client.post(reverse("login"), signing_in()).cookies["sessionid"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


# Other people's rows


@pytest.mark.parametrize(
    "planted",
    [
        {"club": "quay"},
        {"code": "aaaaaaaaaa"},
        {"id": 1},
        {"user": 1},
        {"strategy": "simple"},
        {"merged_into": 1},
        {"erased_at": "2026-01-01T00:00:00Z"},
        {"updated_at": "2000-01-01T00:00:00Z"},
    ],
)
def test_a_player_is_changed_in_no_more_than_its_fields(
    planted: dict[str, Any], client: Client, club: Club, owner: User
) -> None:
    ClubFactory.create(slug="quay")
    player = PlayerFactory.create(club=club, name="Ann")
    before = Player.objects.filter(pk=player.pk).values().get()
    answer = client.patch(
        f"/api/v1/players/{player.code}/",
        {"name": "Anna", **planted},
        content_type="application/json",
        headers={**token_of(owner, club), "If-Match": "*"},
    )
    assert answer.status_code in (400, 422)
    assert answer.json()["code"] == "unknown_field"
    assert Player.objects.filter(pk=player.pk).values().get() == before


@pytest.mark.parametrize("field", ["state", "club", "code", "calculation", "standings_at", "created_at"])
def test_an_event_is_changed_in_no_more_than_its_fields(
    field: str, client: Client, club: Club, owner: User
) -> None:
    event = EventFactory.create(club=club)
    before = Event.objects.filter(pk=event.pk).values().get()
    answer = client.patch(
        f"/api/v1/events/{event.code}/",
        {field: "finished"},
        content_type="application/json",
        headers={**token_of(owner, club), "If-Match": "*"},
    )
    assert answer.status_code in (400, 422)
    assert Event.objects.filter(pk=event.pk).values().get() == before


@pytest.mark.parametrize("field", ["is_superuser", "is_staff", "username", "is_active", "groups"])
def test_a_form_of_an_account_takes_no_more_than_its_fields(field: str, client: Client, club: Club) -> None:
    member = UserFactory.create(
        club=club, role=Role.MEMBER, username="kim", password=PASSWORD, is_staff=False
    )
    client.force_login(member)
    before = User.objects.filter(pk=member.pk).values("is_superuser", "is_staff", "username").get()
    new = "another night at the harbour"
    data = {"oldpassword": PASSWORD, "password1": new, "password2": new, field: "1"}
    assert client.post(reverse("password_change"), data).status_code == 302
    assert User.objects.filter(pk=member.pk).values("is_superuser", "is_staff", "username").get() == before


def test_an_owner_makes_nobody_the_administrator(client: Client, club: Club, owner: User) -> None:
    client.force_login(owner)
    data = {"is_superuser": "on", "is_staff": "on", "username": "kim"}
    assert client.post(reverse("admin:auth_user_change", args=[owner.pk]), data).status_code == 403
    owner.refresh_from_db()
    assert not owner.is_superuser


def test_a_token_of_one_club_opens_nothing_of_another(client: Client, club: Club, owner: User) -> None:
    quay = ClubFactory.create(slug="quay", is_public=False)
    stranger = UserFactory.create(club=quay, role=Role.OWNER)
    # He is an officer here too, and his token is for there.
    club.memberships.create(user=stranger, role=Role.OWNER)
    player = PlayerFactory.create(club=club, name="Ann")
    headers = {**token_of(stranger, quay), "If-Match": "*"}
    where = f"/api/v1/players/{player.code}/"
    answer = client.patch(where, {"name": "Eve"}, content_type="application/json", headers=headers)
    assert answer.status_code == 403
    Club.objects.filter(pk=club.pk).update(is_public=False)
    assert client.get(where, headers=headers).status_code == 404
    player.refresh_from_db()
    assert player.name == "Ann"


# Forms of other sites


@pytest.fixture
def strict(owner: User) -> Client:
    """The owner's browser, whose forms are checked as they are outside of tests."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)
    return client


def test_the_api_takes_no_form_of_another_site(strict: Client, club: Club, owner: User) -> None:
    body = {"club": "harbour", "name": "Eve"}
    answer = strict.post("/api/v1/players/", body, content_type="application/json")
    assert answer.status_code == 403
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert not Player.objects.filter(name="Eve").exists()
    # A token is no cookie: no other site can send it.
    token = token_of(owner, club)
    answer = strict.post("/api/v1/players/", body, content_type="application/json", headers=token)
    assert answer.status_code == 201


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_the_api_takes_nothing_that_a_form_can_send(kind: str, client: Client, owner: User) -> None:
    client.force_login(owner)
    answer = client.generic(
        "POST", "/api/v1/players/", b'{"club": "harbour", "name": "Eve"}', content_type=kind
    )
    assert answer.status_code == 415
    assert not Player.objects.filter(name="Eve").exists()
