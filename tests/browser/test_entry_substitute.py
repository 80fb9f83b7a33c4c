"""A substitute seated in the middle of a sheet, from its page; and at a table of teams who meets whom."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from league.models import Appearance
from scoring.services.records import kept_sheet
from tests.browser.keeper import Keeper
from tests.factories import EventFactory, MatchFactory, PlayerFactory, won


def test_substitute_sits_down_between_two_rows(keeper: Keeper) -> None:
    page = keeper.page
    PlayerFactory.create(club=keeper.match.event.club, name="Xiomara Yee")
    keeper.open_sheet()
    expect(page.get_by_role("link", name="a substitute from now on")).to_have_count(0)
    keeper.type_rows("a18", "b12", "a25g")
    keeper.save()
    page.get_by_role("link", name="a substitute from now on").click()
    expect(page.get_by_label("From deal")).to_have_value("4")
    page.get_by_label("Leaves the table").select_option(label="Eklund")
    page.get_by_label("Takes over").select_option(label="Xiomara Yee")
    page.get_by_role("button", name="Go on").click()
    keeper.says("From deal 4 on Xiomara Yee will play in the place of Eklund.")
    page.get_by_role("button", name="Yes, do it").click()
    keeper.is_ready()
    keeper.says("Xiomara Yee plays for Eklund from deal 4 on.")
    keeper.echo_of(4).to_contain_text("Xiomara Yee for Eklund from here on")
    page.locator("#rows input").last.focus()
    keeper.type_rows("a7", "b30")
    keeper.echo_of(3).to_contain_text("Eklund gin 25")
    keeper.echo_of(4).to_contain_text("Xiomara Yee 7")
    keeper.save()
    keeper.says("R1-T1 is saved.")
    assert kept_sheet(keeper.sheet).deals[3:] == [
        won("Xiomara Yee", "Castell", 7),
        won("Castell", "Xiomara Yee", 30),
    ]
    seat = Appearance.objects.get(match=keeper.match, player__name="Xiomara Yee")
    assert (seat.from_deal, seat.replaces) == (4, 0)
    page.goto(keeper.url + reverse("match", args=["harbour", "league", keeper.match.code]))
    expect(page.locator(".sheet-table")).to_contain_text("Xiomara Yee for Eklund from here on")


@pytest.mark.parametrize("width", [390, 1300])
def test_fields_say_who_meets_whom_in_each_deal(keeper: Keeper, width: int) -> None:
    page = keeper.page
    page.set_viewport_size({"width": width, "height": 900})
    event = EventFactory.create(club=keeper.match.event.club, team_size=2)
    match = MatchFactory.create(event=event, label="T1")
    ours, theirs = (
        [member.player.name for member in entry.members.order_by("position")]
        for entry in (match.entry_a, match.entry_b)
        if entry is not None
    )
    keeper.open_sheet(match)
    page.keyboard.type("a12")
    keeper.press("Tab")
    page.keyboard.type("b5")
    keeper.press("Enter")
    pairings = page.locator("#rows .pairing")
    expect(pairings.nth(0)).to_have_text(f"{ours[0]}–{theirs[0]}")
    expect(pairings.nth(1)).to_have_text(f"{ours[1]}–{theirs[1]}")
    expect(pairings.nth(2)).to_have_text(f"{ours[0]}–{theirs[1]}")
    expect(pairings.nth(3)).to_have_text(f"{ours[1]}–{theirs[0]}")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
