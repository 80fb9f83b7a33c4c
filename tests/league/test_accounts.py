"""People's own doors: invitations, passwords, the own page, the own data; nothing of a private club leaks."""

import datetime
import json
import re
import time
from collections.abc import Callable
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
import time_machine
from django.apps import apps
from django.contrib.auth.models import User
from django.core import mail
from django.db import connection
from django.test import Client
from django.urls import reverse

from league.core.secrets import digest_of
from league.errors import LeagueError
from league.models import (
    ApiToken,
    AuditEntry,
    Club,
    Invitation,
    Match,
    Membership,
    Player,
    Role,
    ShownAs,
    TokenScope,
)
from league.people.accounts import choose_shown_name, make_password_link, may_reset_password
from league.people.clubs import add_member
from league.people.invitations import (
    NewAccount,
    accept_invitation,
    invite,
    open_invitation,
    revoke_invitation,
)
from league.people.players import merge_players
from league.people.tokens import issue_token
from league.policy import Permission, actor_of, clubs_where
from league.record import wake
from league.tasks import mail_password_link
from scoring.core.actors import Actor
from scoring.models import Scoresheet
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    UserFactory,
    play,
)
from tests.tasks import run_tasks

pytestmark = pytest.mark.django_db

SENT = "/account/forgotten/sent/"

_MIGRATION = import_module("league.migrations.0038_accounts_of_merged_players")

PASSWORD = "a long way home 7"
NEW = NewAccount("newcomer", PASSWORD, "New Comer")


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(name="Hidden Harbour", slug="harbour", is_public=False)


@pytest.fixture
def owner(club: Club) -> User:
    return UserFactory.create(username="owner", club=club, role=Role.OWNER)


@pytest.fixture
def director(club: Club) -> User:
    return UserFactory.create(username="director", club=club, role=Role.DIRECTOR)


def test_an_invitation_makes_an_account_with_its_office_and_player(club: Club, owner: User) -> None:
    player = PlayerFactory.create(club=club, name="Ann Archer")
    invitation, secret = invite(actor=actor_of(owner), club=club, role=Role.DIRECTOR, player=player)
    assert invitation.digest == digest_of(secret)
    assert secret not in str(AuditEntry.objects.values())
    user = accept_invitation(secret=secret, account=NEW)
    assert user.check_password(PASSWORD)
    assert user.is_staff
    assert Membership.objects.get(user=user).role == Role.DIRECTOR
    assert Player.objects.get(user=user) == player
    assert open_invitation(secret) is None
    actions = set(AuditEntry.objects.values_list("action", flat=True))
    assert {"invitation.create", "account.create", "membership.add", "invitation.accept"} <= actions


def test_what_else_is_open_for_the_player_ends_with_his_account(club: Club, owner: User) -> None:
    ann, bob = (PlayerFactory.create(club=club, name=name) for name in ("Ann Archer", "Bob Baker"))
    actor = actor_of(owner)
    _taken, secret = invite(actor=actor, club=club, player=ann)
    other, lost = invite(actor=actor, club=club, player=ann)
    kept = [invite(actor=actor, club=club, player=bob)[1], invite(actor=actor, club=club)[1]]
    accept_invitation(secret=secret, account=NEW)
    assert open_invitation(lost) is None
    other.refresh_from_db()
    assert other.revoked_at is not None
    assert AuditEntry.objects.filter(action="invitation.revoke", object_id=str(other.pk)).exists()
    assert all(open_invitation(each) is not None for each in kept)


@pytest.mark.parametrize(
    ("held", "offered", "then"), [("owner", "member", "owner"), ("member", "owner", "owner")]
)
def test_an_office_that_is_held_is_never_made_smaller(
    club: Club, owner: User, held: str, offered: str, then: str
) -> None:
    user = UserFactory.create(club=club, role=Role(held))
    _invitation, secret = invite(actor=actor_of(owner), club=club, role=Role(offered))
    accept_invitation(secret=secret, user=user)
    assert Membership.objects.get(user=user, club=club).role == then


def _revoked(invitation: Invitation, owner: User) -> None:
    revoke_invitation(actor=actor_of(owner), invitation=invitation)


def _accepted(invitation: Invitation, owner: User) -> None:
    Invitation.objects.filter(pk=invitation.pk).update(accepted_at=invitation.expires_at)


def _expired(invitation: Invitation, owner: User) -> None:
    Invitation.objects.filter(pk=invitation.pk).update(expires_at="2020-01-01T00:00Z")


def _inviter_gone(invitation: Invitation, owner: User) -> None:
    Membership.objects.filter(user=owner).update(role=Role.SCOREKEEPER)


def _tampered(invitation: Invitation, owner: User) -> None:
    Invitation.objects.filter(pk=invitation.pk).update(digest=digest_of("another"))


@pytest.mark.parametrize("done", [_revoked, _accepted, _expired, _inviter_gone, _tampered])
def test_an_invitation_that_is_over_opens_nothing(
    club: Club, owner: User, done: Callable[[Invitation, User], None]
) -> None:
    invitation, secret = invite(actor=actor_of(owner), club=club)
    done(invitation, owner)
    before = User.objects.count()
    with pytest.raises(LeagueError) as refused:
        accept_invitation(secret=secret, account=NEW)
    assert refused.value.code == "invitation_over"
    assert User.objects.count() == before


@pytest.mark.parametrize(
    ("account", "code", "field"),
    [
        (NewAccount("OWNER", PASSWORD, "New Comer"), "name_taken", "username"),
        (NewAccount("newcomer", "newcomer1", "New Comer"), "weak_password", "password"),
        (NewAccount("newcomer", "1234", "New Comer"), "weak_password", "password"),
        (NewAccount("newcomer", "password123", "New Comer"), "weak_password", "password"),
        (NewAccount("", PASSWORD, "New Comer"), "invalid", "username"),
        (NewAccount("<script>", PASSWORD, "New Comer"), "invalid", "username"),
        (NewAccount("x" * 151, PASSWORD, "New Comer"), "invalid", "username"),
        (NewAccount("newcomer", PASSWORD, " "), "invalid", "name"),
        (None, "invalid", None),
    ],
)
def test_an_account_that_cannot_be_made_is_refused_and_the_invitation_stays_open(
    club: Club, owner: User, account: NewAccount | None, code: str, field: str | None
) -> None:
    _invitation, secret = invite(actor=actor_of(owner), club=club)
    with pytest.raises(LeagueError) as refused:
        accept_invitation(secret=secret, account=account)
    assert (refused.value.code, refused.value.field) == (code, field)
    assert open_invitation(secret) is not None


@pytest.mark.parametrize(
    ("role", "offered", "may"),
    [
        (Role.OWNER, Role.OWNER, True),
        (Role.DIRECTOR, Role.MEMBER, True),
        (Role.DIRECTOR, Role.SCOREKEEPER, False),
        (Role.SCOREKEEPER, Role.MEMBER, False),
        (Role.MEMBER, Role.MEMBER, False),
    ],
)
def test_who_may_invite_to_what(club: Club, role: Role, offered: Role, may: bool) -> None:
    actor = actor_of(UserFactory.create(club=club, role=role))
    if may:
        assert invite(actor=actor, club=club, role=offered)[0].role == offered
        return
    with pytest.raises(LeagueError) as refused:
        invite(actor=actor, club=club, role=offered)
    assert refused.value.code == "not_allowed"


def _bad_invitations(club: Club) -> dict[str, tuple[dict[str, Any], str]]:
    has_account = PlayerFactory.create(club=club, user=UserFactory.create())
    return {
        "email": ({"email": "nobody"}, "invalid"),
        "no day": ({"days": 0}, "invalid"),
        "too long": ({"days": 91}, "invalid"),
        "other club": ({"player": PlayerFactory.create()}, "other_club"),
        "has account": ({"player": has_account}, "has_account"),
        "bot": ({"player": PlayerFactory.create(club=club, strategy="knocker")}, "has_account"),
    }


@pytest.mark.parametrize("case", ["email", "no day", "too long", "other club", "has account", "bot"])
def test_an_invitation_that_makes_no_sense_is_refused(club: Club, owner: User, case: str) -> None:
    values, code = _bad_invitations(club)[case]
    with pytest.raises(LeagueError) as refused:
        invite(actor=actor_of(owner), club=club, **values)
    assert refused.value.code == code
    assert not Invitation.objects.exists()


def test_one_account_is_not_two_players_of_a_club(club: Club, owner: User) -> None:
    user = UserFactory.create()
    PlayerFactory.create(club=club, name="Ann Archer", user=user)
    _invitation, secret = invite(
        actor=actor_of(owner), club=club, player=PlayerFactory.create(club=club, name="Bob Baker")
    )
    with pytest.raises(LeagueError) as refused:
        accept_invitation(secret=secret, user=user)
    assert refused.value.code == "other_player"


@pytest.mark.parametrize("kept_before", [False, True])
def test_account_of_a_player_who_was_merged_is_free_for_another(
    club: Club, owner: User, kept_before: bool
) -> None:
    """Also where the merger was made by a version that left it with the player who is no more."""
    ann, bob = UserFactory.create(username="ann"), UserFactory.create(username="bob")
    keep = PlayerFactory.create(club=club, name="Bob Baker", user=bob)
    drop = PlayerFactory.create(club=club, name="Rob Baker", user=ann)
    merge_players(actor=actor_of(owner), keep=keep, drop=drop)
    if kept_before:
        Player.objects.filter(pk=drop.pk).update(user=ann)
        _MIGRATION.let_accounts_go(apps, SimpleNamespace(connection=connection))
    assert not ann.players.exists()
    assert keep in bob.players.all()
    assert not clubs_where(ann, Permission.VIEW).exists()
    other = PlayerFactory.create(club=club, name="Ann Archer")
    _invitation, secret = invite(actor=actor_of(owner), club=club, player=other)
    accept_invitation(secret=secret, user=ann)
    assert list(ann.players.all()) == [other]


def test_the_page_of_members_makes_a_link_that_makes_an_account(club: Club, owner: User) -> None:
    officer, newcomer = Client(), Client()
    officer.force_login(owner)
    player = PlayerFactory.create(club=club, name="Ann Archer")
    address = reverse("members", args=["harbour"])
    sent = {"role": "member", "player": player.code, "email": "", "days": "14"}
    answer = officer.post(address, sent)
    (link,) = re.findall(r"http://testserver(/invitations/[^<]+)</code>", answer.content.decode())
    assert link not in officer.get(address).content.decode()
    page = newcomer.get(link)
    assert page.status_code == 200
    assert "Ann Archer" in page.content.decode()
    assert "Others read it beside what you enter" in page.content.decode()
    sent = {"username": "ann", "name": "Ann Archer", "password": PASSWORD, "again": PASSWORD + "!"}
    assert newcomer.post(link, sent).status_code == 422
    assert newcomer.post(link, sent | {"name": " ", "again": PASSWORD}).status_code == 422
    answer = newcomer.post(link, sent | {"again": PASSWORD})
    assert answer.status_code == 302
    assert "Ann Archer" in newcomer.get(reverse("account")).content.decode()
    assert newcomer.get(link).status_code == 404
    assert newcomer.post(link, sent).status_code == 404


def test_a_club_without_members_says_so(client: Client) -> None:
    ClubFactory.create(slug="empty")
    client.force_login(UserFactory.create(is_superuser=True, is_staff=True))
    assert "Nobody yet." in client.get(reverse("members", args=["empty"])).content.decode()


def test_who_is_signed_in_accepts_with_that_account(club: Club, owner: User, client: Client) -> None:
    user = UserFactory.create()
    client.force_login(user)
    _invitation, secret = invite(actor=actor_of(owner), club=club)
    link = reverse("invitation", args=[secret])
    assert user.get_username() in client.get(link).content.decode()
    assert not Membership.objects.filter(user=user).exists()
    assert client.post(link).status_code == 302
    assert Membership.objects.get(user=user).role == Role.MEMBER


def test_a_link_is_revoked_on_the_page(club: Club, owner: User, client: Client) -> None:
    client.force_login(owner)
    invitation, secret = invite(actor=actor_of(owner), club=club)
    revoke = reverse("invitation_revoke", args=["harbour", invitation.code])
    assert client.post(revoke).status_code == 302
    assert open_invitation(secret) is None
    assert client.post(revoke).status_code == 404


@pytest.mark.parametrize("role", [None, Role.MEMBER, Role.SCOREKEEPER, "owner of another club"])
def test_the_page_of_members_is_not_there_for_others(
    club: Club, owner: User, client: Client, role: Role | str | None
) -> None:
    invitation, _secret = invite(actor=actor_of(owner), club=club)
    if role == "owner of another club":
        client.force_login(UserFactory.create(club=ClubFactory.create(), role=Role.OWNER))
    elif role is not None:
        client.force_login(UserFactory.create(club=club, role=Role(role)))
    status = 302 if role is None else 404
    assert client.get(reverse("members", args=["harbour"])).status_code == status
    assert client.post(reverse("members", args=["harbour"]), {"role": "owner"}).status_code == status
    revoke = reverse("invitation_revoke", args=["harbour", invitation.code])
    assert client.post(revoke).status_code == status
    code = Membership.objects.get(user=owner).code
    assert client.post(reverse("password_for", args=["harbour", code])).status_code == status
    assert client.get(reverse("members", args=["nowhere"])).status_code == status


def test_an_invitation_is_mailed_where_the_site_sends_mail(
    club: Club, owner: User, client: Client, settings: Any
) -> None:
    settings.SENDS_MAIL = True
    client.force_login(owner)
    sent = {"role": "member", "player": "", "email": "ann@archer.test", "days": "3"}
    page = client.post(reverse("members", args=["harbour"]), sent).content.decode()
    (letter,) = mail.outbox
    assert letter.to == ["ann@archer.test"]
    (link,) = re.findall(r"http://testserver/invitations/\S+", str(letter.body))
    assert link in page
    assert "It was sent to ann@archer.test" in page


def test_nobody_is_told_that_a_link_was_sent_while_there_is_no_broker(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SENDS_MAIL = True
    UserFactory.create(email="ann@archer.test")
    monkeypatch.setattr(wake, "_paused_until", time.monotonic() + 60)
    for email in ("ann@archer.test", "nobody@archer.test"):
        answer = client.post(reverse("password_reset"), {"email": email})
        assert answer.status_code == 200
        assert "try again in a minute" in answer.content.decode()


def test_a_forgotten_password_is_mailed_a_link_that_opens_once(client: Client, settings: Any) -> None:
    settings.SENDS_MAIL = True
    user = UserFactory.create(email="ann@archer.test", password="the old one 5")
    other = client.post(reverse("password_reset"), {"email": "nobody@archer.test"})
    known = client.post(reverse("password_reset"), {"email": "ann@archer.test"})
    assert (other.status_code, other["Location"]) == (known.status_code, known["Location"]) == (302, SENT)
    # Whether anybody has it, only the worker looks up: the answers take the same time.
    assert not mail.outbox
    assert run_tasks(mail_password_link) == 2
    (letter,) = mail.outbox
    (link,) = re.findall(r"http://testserver(/account/forgotten/\S+)", str(letter.body))
    form = client.get(link, follow=True)
    assert form.status_code == 200
    answer = client.post(form.request["PATH_INFO"], {"new_password1": PASSWORD, "new_password2": PASSWORD})
    assert answer.status_code == 302
    user.refresh_from_db()
    assert user.check_password(PASSWORD)
    assert Client().get(link).status_code == 404


def test_without_mail_nothing_is_sent_and_the_sign_in_page_says_who_helps(client: Client) -> None:
    assert client.get(reverse("password_reset")).status_code == 404
    assert "An owner of your club makes you a link" in client.get(reverse("login")).content.decode()


def _invited(club: Club, owner: User) -> User:
    """A member whose account was made for the club, by an invitation to it."""
    _invitation, secret = invite(actor=actor_of(owner), club=club)
    return accept_invitation(secret=secret, account=NEW)


def test_an_owner_makes_a_link_to_a_new_password(club: Club, owner: User, client: Client) -> None:
    user = _invited(club, owner)
    client.force_login(owner)
    code = Membership.objects.get(user=user).code
    page = client.post(reverse("password_for", args=["harbour", code])).content.decode()
    (link,) = re.findall(r"http://testserver(/account/forgotten/[^<]+)</code>", page)
    with time_machine.travel(datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=3)):
        assert Client().get(link).status_code == 404
    assert Client().get(link[:-3] + "abc/").status_code == 404
    newcomer = Client()
    form = newcomer.get(link, follow=True)
    newcomer.post(form.request["PATH_INFO"], {"new_password1": PASSWORD, "new_password2": PASSWORD})
    user.refresh_from_db()
    assert user.check_password(PASSWORD)
    entry = AuditEntry.objects.get(action="account.password_link")
    assert (entry.actor_name, entry.object_name) == ("owner", user.username)


@pytest.mark.parametrize(
    ("whose", "may"),
    [
        ("a member", True),
        ("a member who brought his account along", False),
        ("a member of another club too", False),
        ("a player of another club too", False),
        ("an administrator", False),
        ("a closed account", False),
        ("nobody of the club", False),
    ],
)
def test_whose_password_an_owner_may_reset(club: Club, owner: User, whose: str, may: bool) -> None:
    user = _invited(club, owner)
    if whose == "nobody of the club":
        Membership.objects.filter(user=user).delete()
    if whose == "a member who brought his account along":
        user = UserFactory.create()
        accept_invitation(secret=invite(actor=actor_of(owner), club=club)[1], user=user)
    elif whose == "a member of another club too":
        Membership.objects.create(club=ClubFactory.create(), user=user, role=Role.MEMBER)
    elif whose == "a player of another club too":
        PlayerFactory.create(user=user)
    elif whose == "an administrator":
        user.is_superuser = True
    elif whose == "a closed account":
        user.is_active = False
    user.save()
    assert may_reset_password(actor_of(owner), user) is may
    if not may:
        with pytest.raises(LeagueError) as refused:
            make_password_link(actor=actor_of(owner), club=club, user=user)
        assert refused.value.code == "not_allowed"


def test_an_owner_lets_in_whose_account_he_made(club: Club, owner: User) -> None:
    actor = actor_of(owner)
    made = add_member(
        actor=actor, club=club, username="cora", role=Role.MEMBER, make_account=True, name="Cora Cole"
    )
    assert may_reset_password(actor, made.membership.user)


def test_a_director_lets_nobody_in(club: Club, director: User) -> None:
    user = UserFactory.create(club=club, role=Role.MEMBER)
    assert not may_reset_password(actor_of(director), user)


def _played(player: Player) -> Match:
    """A match that the player has won."""
    event = EventFactory.create(club=player.club, name="Winter Cup")
    entry = EntryFactory.create(event=event, name=player.name, players=[player])
    return play(MatchFactory.create(event=event, entry_a=entry), 300, -40, 200)


def test_the_own_page_shows_players_results_and_saves_how_one_is_shown(club: Club, client: Client) -> None:
    user = UserFactory.create(club=club, role=Role.MEMBER, is_staff=False)
    ann = PlayerFactory.create(club=club, name="Ann Archer", user=user)
    _played(ann)
    client.force_login(user)
    page = client.get(reverse("account")).content.decode()
    assert "Ann Archer" in page
    assert "Winter Cup" in page
    address = reverse("shown_as", args=[ann.code])
    assert client.post(address, {"shown_as": "nickname", "nickname": "Annie"}).status_code == 302
    ann.refresh_from_db()
    assert (ann.shown_as, ann.nickname) == ("nickname", "Annie")
    refused = client.post(address, {"shown_as": "nickname", "nickname": ""})
    assert refused.status_code == 422
    assert "Give the nickname" in refused.content.decode()
    other = PlayerFactory.create(club=club, name="Cid Cole")
    assert client.post(reverse("shown_as", args=[other.code]), {"shown_as": "name"}).status_code == 404


@pytest.mark.parametrize(
    ("nickname", "code"),
    [("Bob Baker", "name_taken"), ("bob baker", "name_taken"), ("A + B", "invalid"), ("", "invalid")],
)
def test_a_nickname_is_nobody_elses_name(club: Club, director: User, nickname: str, code: str) -> None:
    PlayerFactory.create(club=club, name="Bob Baker")
    ann = PlayerFactory.create(club=club, name="Ann Archer")
    with pytest.raises(LeagueError) as refused:
        choose_shown_name(actor=actor_of(director), player=ann, shown_as=ShownAs.NICKNAME, nickname=nickname)
    assert (refused.value.code, refused.value.field) == (code, "nickname")


def test_others_do_not_choose_how_one_is_shown(club: Club) -> None:
    ann = PlayerFactory.create(club=club, name="Ann Archer")
    member = UserFactory.create(club=club, role=Role.MEMBER)
    with pytest.raises(LeagueError) as refused:
        choose_shown_name(actor=actor_of(member), player=ann, shown_as=ShownAs.INITIALS)
    assert refused.value.code == "not_allowed"


def test_the_own_data_hold_all_that_is_stored_of_oneself_and_of_nobody_else(
    club: Club, client: Client
) -> None:
    user = UserFactory.create(
        username="ann", email="ann@archer.test", password="the old one 5", club=club, role=Role.MEMBER
    )
    ann = PlayerFactory.create(club=club, name="Ann Archer", user=user, member_number="M-77")
    match = _played(ann)
    stranger = PlayerFactory.create(club=club, name="Cid Cole", member_number="M-99")
    client.force_login(user)
    answer = client.get(reverse("own_data"))
    assert "attachment" in answer["Content-Disposition"]
    document = json.loads(answer.content)
    assert document["account"]["email"] == "ann@archer.test"
    assert document["offices"] == [{"club": "Hidden Harbour", "role": "member"}]
    (player,) = document["players"]
    assert (player["name"], player["member_number"]) == ("Ann Archer", "M-77")
    (played,) = player["matches"]
    assert (played["net"], played["sheet"]) == (match.net, Scoresheet.objects.get().code)
    text = answer.content.decode()
    for hidden in (stranger.name, "M-99", user.password):
        assert hidden not in text


def test_a_password_is_changed_by_who_knows_it_and_ends_other_sessions(client: Client) -> None:
    user = UserFactory.create(password="the old one 5")
    other = Client()
    client.force_login(user)
    other.force_login(user)
    sent = {"old_password": "the old one 5", "new_password1": PASSWORD, "new_password2": PASSWORD}
    assert client.post(reverse("password_change"), sent | {"old_password": "wrong"}).status_code == 200
    assert client.post(reverse("password_change"), sent).status_code == 302
    assert client.get(reverse("account")).status_code == 200
    assert other.get(reverse("account")).status_code == 302


@pytest.mark.parametrize("door", ["password_change", "admin:password_change", "password_link"])
@pytest.mark.parametrize("ends", [True, False])
def test_a_new_password_is_on_the_record_and_ends_tokens_if_asked(
    club: Club, client: Client, door: str, ends: bool
) -> None:
    user = UserFactory.create(username="annarcher", password="the old one 5", club=club, role=Role.OWNER)
    issue_token(user=user, name="till", scope=TokenScope.READ, days=5)
    address = reverse(door) if door != "password_link" else ""
    if address:
        client.force_login(user)
    else:
        link = make_password_link(actor=OPERATOR, club=club, user=user)
        first = client.get(reverse(door, args=[link.uid, link.token]), follow=True)
        address = first.request["PATH_INFO"]
    assert 'name="ends_tokens"' in client.get(address).content.decode()
    sent = {"old_password": "the old one 5", "new_password1": PASSWORD, "new_password2": PASSWORD}
    # One of the most common, one like the user's name, and one of figures are refused at every door.
    for weak in ("password123", "annarcher7", "31415926535"):
        answer = client.post(address, sent | {"new_password1": weak, "new_password2": weak})
        assert answer.status_code == 200, weak
    assert not AuditEntry.objects.filter(action="account.password").exists()
    assert client.post(address, sent | ({"ends_tokens": "on"} if ends else {})).status_code == 302
    user.refresh_from_db()
    assert user.check_password(PASSWORD)
    noted = AuditEntry.objects.get(action="account.password")
    assert (noted.actor_id, noted.object_id) == (str(user.pk), str(user.pk))
    assert noted.after == {"tokens_ended": int(ends)}
    assert ApiToken.objects.filter(user=user).exists() is not ends


def test_who_has_no_token_is_not_asked_about_tokens(club: Club, client: Client) -> None:
    user = UserFactory.create(password="the old one 5", club=club)
    client.force_login(user)
    address = reverse("password_change")
    assert "ends_tokens" not in client.get(address).content.decode()
    sent = {"old_password": "the old one 5", "new_password1": PASSWORD, "new_password2": PASSWORD}
    assert client.post(address, sent).status_code == 302
    user.refresh_from_db()
    assert user.check_password(PASSWORD)


def test_nothing_of_a_private_club_is_told_by_its_addresses(club: Club, owner: User, client: Client) -> None:
    """Every page of it answers as one that is not there, to who is nobody there, by id, slug and code."""
    match = MatchFactory.create(event=EventFactory.create(club=club, slug="cup", name="Secret Cup"))
    player = PlayerFactory.create(club=club, name="Ann Archer")
    client.force_login(UserFactory.create(club=ClubFactory.create(), role=Role.OWNER))
    there = [
        reverse("club", args=["harbour"]),
        reverse("players", args=["harbour"]),
        reverse("player", args=["harbour", player.code]),
        reverse("event", args=["harbour", "cup"]),
        reverse("event_standings_pdf", args=["harbour", "cup"]),
        reverse("match", args=["harbour", "cup", match.code]),
        reverse("members", args=["harbour"]),
    ]
    nowhere = reverse("club", args=["nowhere"])
    missing = client.get(nowhere)
    for address in there:
        answer = client.get(address)
        assert answer.status_code == 404, address
        text = answer.content.decode()
        for told in ("Hidden Harbour", "Secret Cup", "Ann Archer"):
            assert told not in text
        assert text.replace(address, "") == missing.content.decode().replace(nowhere, "")
    assert "Hidden Harbour" not in client.get(reverse("home"), follow=True).content.decode()
    assert "Hidden Harbour" not in client.get(reverse("account")).content.decode()


@pytest.mark.parametrize(
    ("door", "query"),
    [
        ("league_player", "q=Ann"),
        ("league_event", "q=Secret"),
        ("league_club", "q=Hidden"),
        ("league_auditentry", "q=Ann"),
        ("scoring_scoresheet", "q=R1"),
    ],
)
def test_searching_in_the_admin_finds_nothing_of_another_club(
    club: Club, client: Client, door: str, query: str
) -> None:
    EventFactory.create(club=club, slug="cup", name="Secret Cup")
    PlayerFactory.create(club=club, name="Ann Archer")
    client.force_login(UserFactory.create(club=ClubFactory.create(), role=Role.OWNER))
    text = client.get(reverse(f"admin:{door}_changelist") + "?" + query).content.decode()
    for told in ("Hidden Harbour", "Secret Cup", "Ann Archer"):
        assert told not in text


@pytest.mark.parametrize(
    ("model", "field"), [("player", "user"), ("entrymember", "player"), ("event", "season")]
)
def test_autocomplete_offers_nothing_of_another_club(
    club: Club, client: Client, model: str, field: str
) -> None:
    PlayerFactory.create(club=club, name="Ann Archer")
    client.force_login(UserFactory.create(club=ClubFactory.create(), role=Role.OWNER))
    asked = {"app_label": "league", "model_name": model, "field_name": field, "term": "Ann"}
    answer = client.get(reverse("admin:autocomplete"), asked)
    assert answer.status_code in (200, 403, 404)
    assert "Ann Archer" not in answer.content.decode()


def test_an_error_says_nothing_of_another_club(club: Club) -> None:
    """To link, invite or take in who is of a private club is refused without a word about whose he is."""
    other = ClubFactory.create(name="Elsewhere")
    actor: Actor = actor_of(UserFactory.create(club=other, role=Role.OWNER))
    player = PlayerFactory.create(club=club, name="Ann Archer")
    with pytest.raises(LeagueError) as refused:
        invite(actor=actor, club=other, player=player)
    assert "Ann" not in str(refused.value.message)
    assert "Hidden" not in str(refused.value.message)


def test_an_administrator_lets_anybody_in(club: Club) -> None:
    user = UserFactory.create(club=club, role=Role.OWNER)
    link = make_password_link(actor=OPERATOR, club=club, user=user)
    assert link.uid
    assert link.token
