"""The pages of a table at which members of a club play: whose head they have, and whom guests see there."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import TableMatch
from league.draws.hall import show_in_hall
from league.draws.online import play_online
from league.models import Club, Match, PlayedWhere, Player, ShownAs
from scoring.services import void_sheet
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    house_rules,
    sheet_of,
)
from tests.league.table_players import QUICK, by, member, play_on, playing

pytestmark = pytest.mark.django_db

ANN, BOB = "Ann Castellan", "Bob <b>Papadopoulou-Featherstonehaugh</b>"


@pytest.fixture
def match() -> Match:
    """Of a public club: Ann is shown by her initials, Bob has no such wish."""
    match = playing(ANN, BOB)
    Club.objects.update(is_public=True)
    Player.objects.filter(name=ANN).update(shown_as=ShownAs.INITIALS)
    return match


@pytest.fixture
def table(match: Match) -> TableMatch:
    return TableMatch.objects.get(sheet=match.sheet)


def player(name: str) -> Player:
    return Player.objects.select_related("user").get(name=name)


def browser(name: str = "") -> Client:
    client = Client()
    if name:
        client.force_login(player(name).user)  # type: ignore[arg-type]
    return client


def address(table: TableMatch, name: str = "play_table", **more: Any) -> str:
    return reverse(name, kwargs={"code": table.code, **more})


def read(client: Client, table: TableMatch, name: str = "play_table", **more: Any) -> str:
    answer = client.get(address(table, name, **more))
    assert (answer.status_code, answer.get("X-Robots-Tag", "")) == (200, "noindex")
    return answer.content.decode()


def test_table_has_the_head_of_its_club_for_those_who_see_the_club(match: Match, table: TableMatch) -> None:
    club, bob = match.event.club, browser(BOB)
    own = [reverse("club", args=[club.slug]), reverse("event", args=[club.slug, match.event.slug])]
    for client in (browser(), bob):
        page = read(client, table)
        assert all(f'href="{each}"' in page for each in own)
    Club.objects.update(is_public=False)
    assert browser().get(address(table)).headers["Location"] == f"/login/?next={address(table)}"
    # Who has left the club goes on at his table.
    club.memberships.all().delete()
    page = read(bob, table)
    assert not any(f'href="{each}"' in page for each in own)


def test_guest_sees_no_covered_name_during_a_hand_or_after_it(match: Match, table: TableMatch) -> None:
    """Neither on the page, nor in what it asks for, nor in a hand that is over."""
    guest = browser()

    def seen(**deal: Any) -> str:
        live = guest.get(address(table, "play_live")).content.decode()
        return live + read(guest, table) + (read(guest, table, "play_hand", **deal) if deal else "")

    during = seen()
    play_on(table, player(ANN), player(BOB))
    after = seen(deal=1)
    for page in (during, after):
        assert "Castellan" not in page
        assert "A. C." in page
        assert "<b>" not in page
        assert "&lt;b&gt;Papadopoulou" in page
    assert "Castellan" in read(browser(BOB), table)


def test_guest_sees_no_covered_name_in_the_name_of_a_team() -> None:
    """Neither at the table nor on the hall's screen."""
    club = ClubFactory.create()
    event = EventFactory.create(club=club, team_size=2, rules=house_rules(**QUICK), played=PlayedWhere.ONLINE)
    teams = [[member(club, name) for name in names] for names in ((ANN, "Cid"), ("Bob", "Dot"))]
    names = ("Castellan's Corner", "The Others")
    sides = [
        EntryFactory.create(event=event, name=name, players=team)
        for name, team in zip(names, teams, strict=True)
    ]
    match = MatchFactory.create(event=event, entry_a=sides[0], entry_b=sides[1])
    play_online(actor=by(teams[0][0]), match=match)
    table = TableMatch.objects.get(sheet__match=match)
    Player.objects.filter(name=ANN).update(shown_as=ShownAs.INITIALS)
    show_in_hall(actor=OPERATOR, match=Match.objects.get(pk=match.pk))
    hall = browser().get(reverse("event_screen", args=[club.slug, event.slug])).content.decode()
    for page in (read(browser(), table), hall):
        assert "Castellan" not in page
        assert "A. C. + Cid" in page
    assert "Castellan&#x27;s Corner" in read(browser("Bob"), table)


def test_press_of_whoever_was_signed_out_is_not_carried_out_and_says_so(table: TableMatch) -> None:
    guest, sent = browser(), {"version": table.version, "key": "a", "action": "pass"}
    answer = guest.post(address(table, "play_act"), sent)
    assert (answer.status_code, b"You are signed out" in answer.content) == (409, True)
    assert guest.get(address(table, "play_act")).headers["Location"] == address(table)
    by_script = guest.post(address(table, "play_act"), sent, headers={"HX-Request": "true"})
    assert b"You are signed out" in by_script.content
    assert f'href="/login/?next={address(table)}"' in by_script.content.decode()
    assert TableMatch.objects.get(pk=table.pk).version == table.version


def test_table_of_a_void_sheet_names_no_winner(match: Match, table: TableMatch) -> None:
    void_sheet(actor=OPERATOR, sheet=sheet_of(match), reason="The wrong two.")
    page = read(browser(ANN), table)
    assert "This sheet is void" in page
    assert "wins" not in page
