"""A match's page and its table's page on a screen: cards stand apart, and of sheets nothing is cut."""

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page

from games.services import end_table
from league.draws.online import play_online
from league.models import Club, Entry, Match, PlayedWhere, Player
from scoring.services import record_deals
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    house_rules,
    sheet_of,
    won,
)
from tests.league.table_players import QUICK, address, by, member

pytestmark = [pytest.mark.browser, pytest.mark.looks, pytest.mark.django_db(transaction=True)]

# Cards of the page that touch the one before them.
TOUCHING = """() => [...document.querySelectorAll(".card")].filter((card, at, all) => {
  const gap = at && card.getBoundingClientRect().top - all[at - 1].getBoundingClientRect().bottom;
  return at && gap > -1 && gap < 8;
}).map((card) => card.textContent.trim())"""
# Heads of a sheet's columns, and words in it, of which something is cut.
CUT = """() => [...document.querySelectorAll(".sheet-scroll, .sheet-table th, .sheet-table td")]
  .filter((box) => box.clientWidth && box.scrollWidth > box.clientWidth + 1)
  .map((box) => box.textContent.trim().slice(0, 40))"""


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(name="Harbour", slug="harbour")


def as_reader(page: Page, player: Player, live_server: Any) -> Page:
    session = logged_in(player.user).cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    return page


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_cards_above_the_sheet_stand_apart(page: Page, live_server: Any, club: Club, width: Any) -> None:
    """The captain may play online, and let a bot sit in."""
    ann, bob, cid, dan = (member(club, name) for name in ("Ann", "Bob", "Cid", "Dan"))
    event = EventFactory.create(
        club=club,
        team_size=2,
        played=PlayedWhere.EITHER,
        rules=house_rules(**QUICK),
        sits_in=PlayerFactory.create(club=club, name="Robo", strategy="simple"),
    )
    one, other = [EntryFactory.create(event=event, players=pair) for pair in ((ann, cid), (bob, dan))]
    Entry.objects.filter(pk=one.pk).update(captain=ann)
    match = MatchFactory.create(event=event, entry_a=one, entry_b=other)
    as_reader(page, ann, live_server).set_viewport_size({"width": width, "height": 900})
    page.goto(live_server.url + address(match))
    assert "Somebody of your team is not here" in page.inner_text("main")
    assert page.evaluate(TOUCHING) == []


def test_nothing_of_a_wide_sheet_beside_the_cards_is_cut(page: Page, live_server: Any, club: Club) -> None:
    """What was played stands below the figures."""
    names = ("Papadopoulou-Wolkenstein A", "Papadopoulou-Wolkenstein B")
    ann, bob = (member(club, name) for name in names)
    rules = house_rules(columns=3)
    event = EventFactory.create(club=club, rules=rules, played=PlayedWhere.ONLINE)
    sides = [EntryFactory.create(event=event, name=each.name, players=[each]) for each in (ann, bob)]
    match: Match = MatchFactory.create(event=event, entry_a=sides[0], entry_b=sides[1])
    table = play_online(actor=by(ann), match=match)
    end_table(actor=OPERATOR, match=table)
    record_deals(actor=OPERATOR, sheet=sheet_of(match), deals=[won(*names, 105), won(*names[::-1], 44)])
    as_reader(page, ann, live_server).set_viewport_size({"width": 1280, "height": 900})
    page.goto(live_server.url + reverse("play_table", args=[table.code]))
    assert page.locator(".deal-words").first.is_visible()
    assert page.evaluate(CUT) == []
