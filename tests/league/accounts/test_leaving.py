"""Leaving a club by oneself, and erasing oneself in a club or everywhere."""

import datetime
import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.urls import reverse

from league.draws.rounds import draw_round_robin
from league.errors import LeagueError
from league.events.entering import enter_oneself
from league.events.entries import enter_players
from league.events.leaving import erase_oneself, leave_club, planned_leaving, planned_self_erasure
from league.models import (
    AuditEntry,
    CalendarAddress,
    Club,
    ClubRules,
    EntryMember,
    EntryRequest,
    Event,
    EventState,
    JoinRequest,
    Membership,
    NamingText,
    Notice,
    NoticeKind,
    Player,
    PlayerAbsence,
    Role,
    WhoEnters,
)
from league.notices.delivery import deliver
from league.people.absences import note_absence
from league.people.calendar_addresses import renew_address
from league.people.clubs import check_goes
from league.people.free_texts import shown_texts
from league.policy import actor_of
from league.record.audit import record_audit
from tests.clients import logged_in
from tests.factories import OPERATOR, ClubFactory, EventFactory, PlayerFactory, UserFactory
from tests.league.accounts.conftest import PASSWORD
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

SURE = {"sure": "on"}


@pytest.fixture
def quay() -> Club:
    return ClubFactory.create(slug="quay", name="Quayside")


@pytest.fixture
def nils(quay: Club) -> Player:
    """A member of two clubs, with a password."""
    user = UserFactory.create(
        username="nils",
        first_name="Nils Eklund",
        email="nils@eklund.test",
        password=PASSWORD,
        club=quay,
        role=Role.MEMBER,
    )
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    Membership.objects.create(club=ClubFactory.create(slug="hill"), user=user, role=Role.MEMBER)
    return PlayerFactory.create(club=quay, name="Nils Eklund", member_number="17", user=user)


@pytest.fixture
def officer(quay: Club) -> User:
    return UserFactory.create(username="officer", club=quay, role=Role.OWNER, email="o@quay.test")


def user_of(player: Player) -> User:
    assert player.user is not None
    return player.user


def open_cup(club: Club, **more: Any) -> Event:
    event: Event = EventFactory.create(
        club=club, state=EventState.OPEN, format="swiss", rounds_planned=3, **more
    )
    ClubRules.objects.create(club=club, rules=event.rules)
    return event


def running_league(club: Club, player: Player) -> Event:
    event: Event = EventFactory.create(club=club, name="Autumn", who_enters=WhoEnters.DIRECTOR)
    others = [PlayerFactory.create(club=club) for _ in range(3)]
    enter_players(actor=OPERATOR, event=event, players=[player, *others])
    draw_round_robin(actor=OPERATOR, event=event)
    event.rounds.update(state="published")
    return event


def signed_in(**typed: str) -> Client:
    client = Client()
    client.post(reverse("login"), {"login": "nils", "password": PASSWORD, **typed})
    return client


def test_who_leaves_is_withdrawn_where_he_may_and_the_rest_is_told_to_the_director(
    settings: Any, quay: Club, nils: Player, officer: User
) -> None:
    settings.SENDS_MAIL, settings.SITE_URL = True, "https://gin.test"
    user = user_of(nils)
    cup = open_cup(quay, name="Cup", who_enters=WhoEnters.MEMBERS)
    full = open_cup(quay, name="Full", who_enters=WhoEnters.MEMBERS, places=0)
    league = running_league(quay, nils)
    for event in (cup, full):
        enter_oneself(actor=actor_of(user), event=event)
    plan = planned_leaving(user, quay)
    assert {event.name for event in plan.ends} == {"Cup", "Full"}
    (stays,) = plan.stays
    assert (stays.entry.event, stays.matches, stays.why) == (
        league,
        3,
        "Only a director takes players out of “Autumn”.",
    )
    client = signed_in()
    page = client.get("/clubs/quay/me/leave/").content.decode()
    assert "You are withdrawn from Cup" in page
    assert "3 matches of yours" in " ".join(page.split())
    assert client.post("/clubs/quay/me/leave/").status_code == 422
    assert Membership.objects.filter(club=quay, user=user).exists()
    mail.outbox.clear()
    assert client.post("/clubs/quay/me/leave/", SURE).headers["Location"] == "/account/"
    assert not Membership.objects.filter(club=quay, user=user).exists()
    nils.refresh_from_db()
    assert (nils.user, nils.name, nils.erased_at) == (None, "Nils Eklund", None)
    assert [member.event for member in EntryMember.objects.filter(player=nils)] == [league]
    assert EntryMember.objects.get(player=nils).entry.withdrawn_at is None
    assert not EntryRequest.objects.exists()
    assert Membership.objects.get(user=user).club.slug == "hill"
    assert AuditEntry.objects.get(action="club.leave").after == {"office": "member", "stays": ["Autumn"]}
    deliver()
    (letter,) = [one for one in mail.outbox if one.to == ["o@quay.test"]]
    assert "Autumn" in letter.body
    assert not [one for one in mail.outbox if one.to == ["nils@eklund.test"]]
    # Twice: a sentence, and nothing else.
    told = client.post("/clubs/quay/me/leave/", SURE, follow=True).content.decode()
    assert "You do not belong to this club" in told
    assert AuditEntry.objects.filter(action="club.leave").count() == 1


def test_the_last_owner_and_the_last_director_do_not_leave(quay: Club) -> None:
    owner = UserFactory.create(club=quay, role=Role.OWNER)
    closed = UserFactory.create(club=quay, role=Role.OWNER, is_active=False)
    player = PlayerFactory.create(club=quay, user=owner)
    for act in (
        lambda: leave_club(user=owner, club=quay),
        lambda: erase_oneself(user=owner, club=quay),
        lambda: erase_oneself(user=owner),
    ):
        with refuses(LeagueError, "last_owner"):
            act()
    assert planned_self_erasure(owner).refusal.startswith("You are the last owner of Quayside")
    player.refresh_from_db()
    assert (player.user, player.erased_at, quay.memberships.count()) == (owner, None, 2)
    # A club of the site's administrator may have directors alone.
    Membership.objects.filter(user=owner).update(role=Role.DIRECTOR)
    with refuses(LeagueError, "last_director"):
        leave_club(user=owner, club=quay)
    Membership.objects.filter(user=closed).delete()
    check_goes(Membership(club=quay, user=owner, role=Role.SCOREKEEPER))
    UserFactory.create(club=quay, role=Role.OWNER)
    leave_club(user=owner, club=quay)
    assert not Membership.objects.filter(user=owner).exists()


def test_who_erases_himself_in_a_club_goes_on_elsewhere(quay: Club, nils: Player, officer: User) -> None:
    user = user_of(nils)
    league = running_league(quay, nils)
    day = datetime.date(2027, 1, 1)
    note_absence(actor=actor_of(user), player=nils, first_day=day, last_day=day, today=day)
    # Somebody else says that he is Nils: that a director strikes out.
    other = UserFactory.create(username="other")
    JoinRequest.objects.create(club=quay, user=other, name="Nils Eklund")
    JoinRequest.objects.create(club=quay, user=user, name="Nils Eklund")
    erase_oneself(user=user, club=quay)
    assert JoinRequest.objects.get().user == other
    listed = NamingText.objects.filter(place="league.JoinRequest")
    assert [(one.player, one.field, one.words) for one in listed] == [(nils, "name", [0, 1])]
    nils.refresh_from_db()
    user.refresh_from_db()
    assert (nils.user, nils.name) == (None, f"Erased {nils.code}")
    assert not PlayerAbsence.objects.exists()
    assert (user.is_active, Membership.objects.get(user=user).club.slug) == (True, "hill")
    assert league.entries.filter(name=nils.name).exists()
    erased = AuditEntry.objects.get(action="player.erase")
    assert erased.reason == "The person's own wish."
    for entry in AuditEntry.objects.filter(club=quay):
        assert "Eklund" not in f"{entry.actor_name} {entry.object_name} {entry.before} {entry.after}"
        assert entry.actor_id != str(user.pk)


def test_erasing_the_account_asks_who_it_is_and_leaves_nothing(
    settings: Any, quay: Club, nils: Player, officer: User
) -> None:
    settings.SENDS_MAIL, settings.SITE_URL = True, "https://gin.test"
    user = user_of(nils)
    other = PlayerFactory.create(club=Club.objects.get(slug="hill"), name="Nils E.", user=user)
    UserFactory.create(club=other.club, role=Role.OWNER)
    renew_address(user)
    JoinRequest.objects.create(club=ClubFactory.create(), user=user, name="Nils Eklund")
    # Signed in long ago.
    old = logged_in(user)
    assert "Nils Eklund" in old.get("/account/erase/").content.decode()
    mail.outbox.clear()
    asked = old.post("/account/erase/", SURE)
    assert asked.headers["Location"].startswith(reverse("account_reauthenticate"))
    assert old.post(asked.headers["Location"], {"password": "not mine 99"}).status_code == 200
    nils.refresh_from_db()
    assert (nils.erased_at, mail.outbox) == (None, [])
    done = old.post(asked.headers["Location"], {"password": PASSWORD})
    assert "You are erased" in done.content.decode()
    assert old.get("/account/").status_code == 302
    user.refresh_from_db()
    assert (user.is_active, user.email, user.has_usable_password()) == (False, "", False)
    for player in (nils, other):
        player.refresh_from_db()
        assert (player.user, player.name) == (None, f"Erased {player.code}")
    for model in (Membership, EmailAddress, CalendarAddress, JoinRequest):
        assert not model.objects.filter(user=user).exists()
    deliver()
    assert [one.subject for one in mail.outbox if one.to == ["nils@eklund.test"]] == [
        "Your account is erased"
    ]
    assert not Notice.objects.filter(user=user).exists()
    assert Notice.objects.filter(user=officer, kind=NoticeKind.PEOPLE).exists()
    noted = "".join(str(vars(entry)) for entry in AuditEntry.objects.all())
    assert not re.search(r"Eklund|Nils|\bnils\b", noted)


def test_erasing_lists_the_texts_that_were_announced(quay: Club, nils: Player, officer: User) -> None:
    """What tells of entries that go with him names him, too."""
    user = user_of(nils)
    cup = open_cup(quay, name="Cup", who_enters=WhoEnters.MEMBERS)
    enter_oneself(actor=actor_of(user), event=cup)
    noted = AuditEntry.objects.count()
    (planned,) = planned_self_erasure(user, quay).erasures
    assert (AuditEntry.objects.count(), EntryMember.objects.filter(player=nils).exists()) == (noted, True)
    assert any("Nils Eklund" in text for _place, text in planned.texts)
    erase_oneself(user=user, club=quay)
    listed = shown_texts(NamingText.objects.select_related("club"))
    assert [" ".join(shown.words) for shown in listed] == [text for _place, text in planned.texts]


def test_an_account_without_a_player_is_erased_too(quay: Club, officer: User) -> None:
    user = UserFactory.create(
        username="zander", first_name="Zoe Zander", club=quay, role=Role.SCOREKEEPER, password=PASSWORD
    )
    event = EventFactory.create(club=quay)
    done = record_audit(actor_of(user), "event.change", event, club=quay)
    erase_oneself(user=user)
    user.refresh_from_db()
    done.refresh_from_db()
    assert (user.is_active, done.actor_name) == (False, user.last_name)
    noted = "".join(f"{one.object_name}{one.before}{one.after}" for one in AuditEntry.objects.all())
    assert "zander" not in noted.lower()
    assert AuditEntry.objects.get(action="account.erase").reason == "The person's own wish."
    administrator = UserFactory.create(is_superuser=True)
    with refuses(LeagueError, "administrator"):
        erase_oneself(user=administrator)
    with refuses(LeagueError, "no_player"):
        erase_oneself(user=officer, club=quay)
