"""Saying which player of the register one is: by itself, by an officer, once, and telling nobody more."""

import datetime
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.errors import LeagueError
from league.models import AuditEntry, Claiming, Club, Joining, JoinRequest, Membership, Player, Role
from league.notices.delivery import deliver
from league.people.claiming import (
    MOST_CLAIMS,
    MOST_MISSES,
    SaidOfHimself,
    address_key,
    candidates,
    claim_row,
    confirm_claim,
    refuse_claim,
)
from league.people.invitations import accept_invitation, invite
from league.people.own_data import own_data
from league.policy import actor_of
from tests.clients import logged_in
from tests.factories import ClubFactory, PlayerFactory, UserFactory
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

JOIN = "/clubs/quay/join/"
EKLUND = SaidOfHimself("Nils Eklund", "17", "I sat beside Ann")


@pytest.fixture
def quay() -> Club:
    return ClubFactory.create(slug="quay", name="Quayside", joining=Joining.ASKED, claiming=Claiming.NUMBER)


@pytest.fixture
def eklund(quay: Club) -> Player:
    return PlayerFactory.create(club=quay, name="Nils Eklund", member_number="17", email="nils@eklund.test")


@pytest.fixture
def officer(quay: Club) -> User:
    return UserFactory.create(username="officer", club=quay, role=Role.DIRECTOR, email="o@quay.test")


def newcomer(username: str = "nils", *, address: str = "", verified: bool = True) -> User:
    user: User = UserFactory.create(username=username, email=address)
    if address:
        EmailAddress.objects.create(user=user, email=address, verified=verified, primary=True)
    return user


def linked(row: Player) -> User | None:
    row.refresh_from_db()
    return row.user


@pytest.mark.parametrize(
    ("claiming", "said", "address", "how"),
    [
        ("officer", EKLUND, "nils@eklund.test", False),
        ("address", SaidOfHimself("Somebody"), "NILS@eklund.test", True),
        ("address", EKLUND, "", False),
        ("number", SaidOfHimself("EKLUND, Nils", " 17 "), "", True),
        ("number", SaidOfHimself("Nils Eklund"), "", False),
        ("number", SaidOfHimself("Nils Ekdahl", "17"), "", False),
        ("number", SaidOfHimself("Nils Eklund", "18"), "", False),
    ],
)
def test_a_club_says_what_confirms_a_claim(
    quay: Club, eklund: Player, claiming: str, said: SaidOfHimself, address: str, how: bool
) -> None:
    Club.objects.filter(pk=quay.pk).update(claiming=claiming)
    PlayerFactory.create(club=quay, name="Somebody", member_number="18")
    user = newcomer(address=address)
    player = claim_row(user=user, club=quay, said=said)
    assert (player == eklund, linked(eklund) == user) == (how, how)
    assert Membership.objects.filter(user=user, role=Role.MEMBER).exists() is how
    assert JoinRequest.objects.filter(user=user).exists() is not how
    assert Player.objects.get(name="Somebody").user is None


def test_an_address_confirms_nothing_that_is_unverified_or_anothers_too(quay: Club, eklund: Player) -> None:
    unverified = newcomer("one", address="nils@eklund.test", verified=False)
    assert claim_row(user=unverified, club=quay, said=SaidOfHimself("Nils Eklund")) is None
    EmailAddress.objects.all().delete()
    wife = PlayerFactory.create(club=quay, name="Eva Eklund", email="Nils@eklund.test", user=newcomer("eva"))
    assert claim_row(user=newcomer(address="nils@eklund.test"), club=quay, said=SaidOfHimself("Nils")) is None
    assert (linked(eklund), linked(wife)) == (None, wife.user)


@pytest.mark.parametrize("other", ["n\u0131ls@eklund.test", "nils@eklund.te\u017ft", "nils@e\u212alund.test"])
def test_an_address_with_a_letter_that_only_looks_alike_as_a_capital_is_anothers(other: str) -> None:
    assert address_key(other) != address_key("nils@eklund.test") == address_key("NILS@Eklund.TEST")


def test_what_waits_reads_alike_whether_or_not_there_is_such_a_row(quay: Club, eklund: Player) -> None:
    PlayerFactory.create(club=quay, name="Bo Berg", member_number="9", user=newcomer("bo"))
    Club.objects.filter(pk=quay.pk).update(claiming=Claiming.OFFICER)
    pages = []
    # A row that could be his, one that is somebody's, and a number that is nobody's.
    for number, said in enumerate((("Nils Eklund", "17"), ("Bo Berg", "9"), ("Cy Coy", "99"))):
        client = logged_in(newcomer(f"asks{number}"))
        typed = {"what": "claim", "name": said[0], "member_number": said[1]}
        assert client.post(JOIN, typed).headers["Location"] == JOIN
        text = client.get(JOIN).content.decode().replace(said[0], "NAME").replace(f"asks{number}", "ASKS")
        pages.append(text[text.index("<main") : text.index("csrfmiddleware")])
        for secret in (said[1] + "<", "nils@eklund.test"):
            assert secret not in client.get(JOIN).content.decode()
    assert pages[0] == pages[1] == pages[2]


def test_numbers_cannot_be_tried_one_after_the_other(quay: Club, eklund: Player) -> None:
    user = newcomer()
    for number in range(MOST_CLAIMS):
        assert claim_row(user=user, club=quay, said=SaidOfHimself("Nils Eklund", str(number))) is None
        JoinRequest.objects.all().delete()
    with refuses(LeagueError, "too_many"):
        claim_row(user=user, club=quay, said=EKLUND)
    for number in range(MOST_CLAIMS, MOST_MISSES):
        other = newcomer(f"other{number}")
        claim_row(user=other, club=quay, said=SaidOfHimself("Nils Eklund", str(number)))
    # Even the right one waits for an officer now.
    late = newcomer("late")
    assert claim_row(user=late, club=quay, said=EKLUND) is None
    JoinRequest.objects.filter(user=late).delete()
    with time_machine.travel(timezone.now() + datetime.timedelta(days=1, minutes=1)):
        assert claim_row(user=late, club=quay, said=EKLUND) == eklund


def test_an_officer_confirms_and_the_claimant_is_told(
    client: Client, settings: Any, quay: Club, eklund: Player, officer: User
) -> None:
    settings.SENDS_MAIL, settings.SITE_URL = True, "https://gin.test"
    Club.objects.filter(pk=quay.pk).update(claiming=Claiming.OFFICER)
    user = newcomer(address="nils@eklund.test")
    invite(actor=actor_of(officer), club=quay, player=eklund)
    client.force_login(user)
    client.post(JOIN)  # he asks as somebody new first
    client.post(JOIN, {"what": "claim", "name": "Nisse Eklund", "member_number": "17"})
    waiting = JoinRequest.objects.get()
    assert waiting.name == "Nisse Eklund"
    address = reverse("claim", args=["quay", waiting.code])
    assert client.get(address).status_code == 404
    client.force_login(officer)
    assert address in client.get("/clubs/quay/people/").content.decode()
    page = client.get(address).content.decode()
    assert "nils@eklund.test" not in page
    assert [(one.player, one.by_address, one.by_number, one.by_name) for one in candidates(waiting)] == [
        (eklund, True, True, False)
    ]
    assert client.post(address, {"what": "confirm"}).status_code == 422
    assert client.post(address, {"what": "confirm", "player": eklund.pk}).status_code == 302
    assert linked(eklund) == user
    assert Membership.objects.get(user=user).role == Role.MEMBER
    assert quay.invitations.get().revoked_at is not None
    deliver()
    told = {tuple(letter.to): letter.body for letter in mail.outbox}
    assert "linked to Nils Eklund" in told[("nils@eklund.test",)]
    assert client.post(address, {"what": "confirm", "player": eklund.pk}).status_code == 404


def test_a_refusal_has_a_sentence_that_the_claimant_reads(
    client: Client, settings: Any, quay: Club, officer: User
) -> None:
    settings.SENDS_MAIL, settings.SITE_URL = True, "https://gin.test"
    user = newcomer(address="nils@eklund.test")
    claim_row(user=user, club=quay, said=EKLUND)
    deliver()
    assert "says: I am in the register." in mail.outbox.pop().body
    waiting = JoinRequest.objects.get()
    assert own_data(user)["asks_to_join"][0]["member_number"] == "17"
    client.force_login(officer)
    address = reverse("claim", args=["quay", waiting.code])
    assert client.post(address, {"what": "refuse", "sentence": " "}).status_code == 422
    assert (
        client.post(address, {"what": "refuse", "sentence": "Come to the bar on Friday."}).status_code == 302
    )
    deliver()
    (letter,) = mail.outbox
    assert letter.to == ["nils@eklund.test"]
    assert "Come to the bar on Friday." in letter.body
    assert not Membership.objects.filter(user=user).exists()
    noted = AuditEntry.objects.get(action="claim.refuse")
    assert noted.reason == "Come to the bar on Friday."
    assert noted.before is not None
    assert not {"name", "member_number", "note"} & noted.before.keys()


def test_two_who_claim_one_row_are_not_both_it(quay: Club, eklund: Player, officer: User) -> None:
    Club.objects.filter(pk=quay.pk).update(claiming=Claiming.OFFICER)
    first, second = newcomer("first"), newcomer("second")
    for user in (first, second):
        claim_row(user=user, club=quay, said=EKLUND)
    asked = {one.user: one for one in JoinRequest.objects.all()}
    confirm_claim(actor=actor_of(officer), request=asked[first], player=eklund)
    with refuses(LeagueError, "has_account"):
        confirm_claim(actor=actor_of(officer), request=asked[second], player=eklund)
    assert linked(eklund) == first
    # Nothing of the second was done: it still waits.
    assert JoinRequest.objects.get().user == second
    with refuses(LeagueError, "not_allowed"):
        refuse_claim(actor=actor_of(first), request=asked[second], sentence="No.")


def test_claims_that_cannot_be_say_why_and_change_nothing(quay: Club, eklund: Player, officer: User) -> None:
    user = newcomer()
    claim_row(user=user, club=quay, said=SaidOfHimself("Nils Eklund"))
    with refuses(LeagueError, "waits_already"):
        claim_row(user=user, club=quay, said=EKLUND)
    # An invitation for the row answers the claim; after that nothing is to be claimed.
    _made, secret = invite(actor=actor_of(officer), club=quay, player=eklund)
    accept_invitation(secret=secret, user=user)
    assert not JoinRequest.objects.exists()
    with refuses(LeagueError, "linked"):
        claim_row(user=user, club=quay, said=EKLUND)
    # One for somebody else's row is not accepted by who is a player already.
    other = PlayerFactory.create(club=quay)
    _made, secret = invite(actor=actor_of(officer), club=quay, player=other)
    with refuses(LeagueError, "other_player"):
        accept_invitation(secret=secret, user=user)
    with refuses(LeagueError, "invalid", field="name"):
        claim_row(user=newcomer("late"), club=quay, said=SaidOfHimself("  "))
    Club.objects.filter(pk=quay.pk).update(joining=Joining.INVITED)
    with refuses(LeagueError, "not_open"):
        claim_row(user=newcomer("stranger"), club=quay, said=EKLUND)
    assert (linked(eklund), linked(other), JoinRequest.objects.count()) == (user, None, 0)


def test_where_all_join_at_once_a_claimant_is_a_member_while_he_waits(client: Client, quay: Club) -> None:
    Club.objects.filter(pk=quay.pk).update(joining=Joining.OPEN)
    user = newcomer()
    client.force_login(user)
    client.post(JOIN, {"what": "claim", "name": "Nils Eklund"})
    assert Membership.objects.get(user=user).role == Role.MEMBER
    page = client.get(JOIN).content.decode()
    assert "You have said that you are Nils Eklund" in page
    assert "I am new" not in page
    assert JOIN in client.get("/clubs/quay/me/").content.decode()
    client.post("/clubs/quay/join/withdraw/")
    assert not JoinRequest.objects.exists()
