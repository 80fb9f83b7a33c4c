"""The pages on which captains enter teams, partners answer, and members look for one another."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.events import teams
from league.models import (
    Club,
    ClubRules,
    EntryRequest,
    Event,
    EventState,
    PartnerInvitation,
    PartnerSearch,
    Player,
    RequestState,
    Role,
    ShownAs,
)
from league.policy import actor_of
from tests.clients import logged_in
from tests.factories import ClubFactory, EventFactory, PlayerFactory, UserFactory
from tests.league.admin_pages import page, text

pytestmark = pytest.mark.django_db

EVENT, ENTER = "/clubs/harbour/events/pairs/", "/clubs/harbour/events/pairs/enter/"


@pytest.fixture
def event() -> Event:
    """Pairs, with one place."""
    club: Club = ClubFactory.create(slug="harbour", time_zone="Europe/Paris")
    made: Event = EventFactory.create(
        club=club, name="Pairs", slug="pairs", state=EventState.OPEN, format="swiss", team_size=2, places=1
    )
    ClubRules.objects.create(club=club, rules=made.rules)
    return made


def member(event: Event, name: str) -> Client:
    username = name.partition(" ")[0].lower()
    user = UserFactory.create(club=event.club, role=Role.MEMBER, username=username, is_staff=False)
    PlayerFactory.create(club=event.club, name=name, user=user)
    return logged_in(user)


def row_of(name: str) -> str:
    return str(PartnerInvitation.objects.get(player__name=name).pk)


def test_captain_names_a_team_finds_a_partner_who_accepts_in_two_taps(event: Event) -> None:
    ann, bob = member(event, "Ann Berg"), member(event, "Bob Dahl")
    assert "Enter a team" in text(ann.get(EVENT))
    made = ann.post(ENTER, {"what": "team", "name": "Knockers"})
    assert (made.status_code, made["Location"]) == (302, ENTER)
    assert "A place is kept for it until" in text(ann.get(ENTER))
    assert "1 is kept for a team" in text(Client().get(EVENT))
    code = Player.objects.get(name="Bob Dahl").code
    found = ann.get(ENTER, {"who": "dahl"}).content.decode()
    assert re.search(
        rf'name="player" value="{code}">\s*<button class="button" name="what" value="invite"', found
    )
    assert "Nobody of that name" in text(ann.get(ENTER, {"who": "zzz"}))
    ann.post(ENTER, {"what": "invite", "player": code})
    assert "has not answered yet" in text(ann.get(ENTER))
    for address in ("/clubs/harbour/me/", EVENT, ENTER):
        assert "Ann Berg</strong> invites you to play in the team" in text(bob.get(address))
    assert "It is not complete yet." in text(ann.get("/clubs/harbour/me/"))
    bob.post(ENTER, {"what": "accept", "row": row_of("Bob Dahl")})
    assert "Your team is entered." in text(bob.get(EVENT))
    assert "Step out of the team" in text(bob.get(ENTER))
    assert "Withdraw the team" in text(ann.get(ENTER))
    ann.post(ENTER, {"what": "withdraw"})
    assert not event.entries.exists()


def test_refusals_are_sentences_and_change_nothing(event: Event) -> None:
    ann, bob, cid = member(event, "Ann"), member(event, "Bob"), member(event, "Cid")
    ann.post(ENTER, {"what": "team"})
    far = PlayerFactory.create(club=ClubFactory.create())
    for sent, said in (
        ({"what": "invite", "player": far.code}, "Choose only players of"),
        ({"what": "invite", "player": "no such code at all"}, "Choose only players of"),
        ({"what": "invite", "player": Player.objects.get(name="Ann").code}, "You are in your team already."),
        ({"what": "team"}, "You are captain of a team"),
        ({"what": "uninvite", "row": "99999"}, "This invitation is gone"),
    ):
        refused = ann.post(ENTER, sent)
        assert (refused.status_code, said in text(refused)) == (422, True), sent
    ann.post(ENTER, {"what": "invite", "player": Player.objects.get(name="Bob").code})
    row = row_of("Bob")
    assert "no such invitation for you" in text(cid.post(ENTER, {"what": "accept", "row": row}))
    for sent in ({"what": "accept", "row": "x"}, {"what": "accept"}, {"what": "nonsense", "row": row}):
        assert bob.post(ENTER, sent).status_code == 302
    assert PartnerInvitation.objects.get().state == "invited"
    Event.objects.filter(pk=event.pk).update(entries_close_at=timezone.now())
    assert "Entries closed on" in text(bob.post(ENTER, {"what": "accept", "row": row}))
    assert EntryRequest.objects.get().state == RequestState.FORMING


def test_list_of_those_who_look_for_a_partner_is_for_the_club(event: Event) -> None:
    ann, bob = member(event, "Ann Berg"), member(event, "Bob Dahl")
    Player.objects.filter(name="Bob Dahl").update(shown_as=ShownAs.INITIALS)
    bob.post(ENTER, {"what": "look", "note": "Evenings <b>only</b>"})
    shown = text(ann.get(ENTER))
    assert "Bob Dahl" in shown
    assert "Evenings &lt;b&gt;only&lt;/b&gt;" in shown
    outsider = logged_in(UserFactory.create(club=ClubFactory.create(), role=Role.OWNER))
    assert "Evenings" not in text(outsider.get(ENTER))
    # With one tap the reader is captain of a team, and has invited him.
    ann.post(ENTER, {"what": "team", "player": Player.objects.get(name="Bob Dahl").code})
    assert PartnerInvitation.objects.get().player.name == "Bob Dahl"
    bob.post(ENTER, {"what": "stop"})
    assert not PartnerSearch.objects.exists()
    bob.post(ENTER, {"what": "decline", "row": row_of("Bob Dahl")})
    assert "does not play" in text(ann.get(ENTER))


def test_director_sees_teams_that_are_not_complete(event: Event) -> None:
    for name in ("Ann", "Bob", "Cid", "Dee"):
        member(event, name)
    users = {user.username: actor_of(user) for user in User.objects.all()}
    players = {player.name: player for player in Player.objects.all()}
    teams.form_team(actor=users["ann"], event=event, name="Knockers", partner=players["Bob"])
    director = logged_in(UserFactory.create(club=event.club, role=Role.DIRECTOR, username="director"))
    shown = text(director.get(page("event", event)))
    assert "1 team is not complete" in shown
    assert "Waiting list and incomplete teams" in shown
    listed = reverse("admin:league_entryrequest_changelist") + f"?event__id__exact={event.pk}"
    assert "Knockers; Bob: has not answered yet" in text(director.get(listed))
    row = EntryRequest.objects.get()
    assert "Approve" not in text(director.get(page("entryrequest", row)))
    director.post(page("entryrequest", row, "decline"), {"reason": "A night of singles"})
    row.refresh_from_db()
    assert row.state == RequestState.DECLINED
