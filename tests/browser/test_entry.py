"""A paper sheet keyed in a real browser: by keyboard, with its echo, and then in the table."""

import re
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Route, expect

from league.draws.recalculating import recalculate
from league.models import Entry, Standing
from scoring.models import PaperState, Scoresheet
from scoring.services import record_deals
from scoring.typing.paper_figures import Paper
from tests.browser.keeper import ECHO, ROWS, Keeper
from tests.factories import OPERATOR, EntryFactory, EventFactory, MatchFactory, won


@pytest.mark.postgresql
def test_whole_sheet_by_keyboard_and_the_standings_after_it(keeper: Keeper) -> None:
    page = keeper.page
    page.goto(keeper.url + reverse("entry:night"))
    keeper.says("0 of 2")
    keeper.press("n")
    expect(page.locator("h1")).to_have_text("Eklund v Castell")
    keeper.is_ready()
    keeper.type_rows(*ROWS)
    keeper.echo_of(8).to_have_text("Eklund gin 44: I 102, II 84, III 59, closes I")
    keeper.echo_of(9).to_contain_text("Castell undercut 27")
    expect(page.locator(".foot-result")).to_contain_text("Castell +126")
    expect(page.locator("#rows tr").nth(11).locator("td.closed")).to_have_count(4)
    page.locator("#rows input").last.focus()
    keeper.press("Enter")  # an empty row: on to the paper's figures
    expect(page.locator("#net")).to_be_focused()
    for figure in ("c 114", "6 / 6", "13"):
        page.keyboard.type(figure)
        keeper.press("Enter")
    expect(page.locator("#signed")).to_be_focused()
    keeper.press("Space")
    keeper.says("The paper says the same.")
    keeper.press("Enter")
    expect(page.locator("#save")).to_be_focused()
    keeper.press("Enter")
    keeper.says("R1-T1 is saved.")
    keeper.says("Signed by both, seen on paper.")
    assert keeper.sheet.nets[0] == -114
    assert keeper.sheet.paper_state == PaperState.AGREES
    assert keeper.drafts() == []
    expect(page.locator("#next")).to_be_focused()
    keeper.is_ready()  # the browser focuses the link before the page listens to keys
    keeper.press("PageDown")
    expect(page.locator("h1")).to_have_text("Abbott v Quispe")
    recalculate(keeper.match.event_id)
    standing = Standing.objects.get(entry=keeper.match.entry_b)
    assert (standing.rank, standing.net) == (1, 114)
    page.goto(keeper.url + reverse("event", args=["harbour", "league"]))
    expect(page.locator("table").first).to_contain_text("Castell")
    page.goto(keeper.url + reverse("entry:night"))
    keeper.says("1 of 2")
    keeper.says("signed on paper")


def test_tray_is_walked_by_arrows(keeper: Keeper) -> None:
    keeper.page.goto(keeper.url + reverse("entry:tray", args=[keeper.match.round.code]))
    expect(keeper.page.locator("#next")).to_be_focused()
    keeper.press("ArrowDown", "ArrowDown")
    expect(keeper.page.locator(".tray-link").nth(1)).to_be_focused()
    keeper.press("Enter")
    expect(keeper.page.locator("h1")).to_have_text("Abbott v Quispe")
    keeper.is_ready()
    keeper.press("PageDown")
    expect(keeper.page.locator("h1")).to_have_text("Eklund v Castell")


def test_rows_are_edited_inserted_and_struck_by_keyboard(keeper: Keeper) -> None:
    keeper.open_sheet()
    keeper.type_rows("a5", "b6", "a7")
    keeper.press("ArrowUp", "ArrowUp")
    page = keeper.page
    page.keyboard.type("b60")
    keeper.echo_of(2).to_have_text("Castell 60: I 60")
    keeper.press("Insert")
    page.keyboard.type("d")
    keeper.echo_of(2).to_have_text("dead hand")
    keeper.echo_of(3).to_have_text("Castell 60: I 60")
    assert keeper.cells() == ["a5", "d", "b60", "a7", ""]
    keeper.press("ArrowDown", "Control+Delete")
    keeper.echo_of(3).to_contain_text("Eklund 7")
    assert keeper.cells() == ["a5", "d", "a7", ""]
    keeper.press("~")
    expect(page.locator("h1")).to_have_text("Castell v Eklund")
    keeper.echo_of(3).to_contain_text("Castell 7")
    expect(page.locator(".keys dd").first).to_have_text("Castell 12, b Eklund")
    keeper.press("F6")
    keeper.echo_of(3).to_contain_text("Eklund 7")
    expect(page.locator(".keys dd").first).to_have_text("Eklund 12, b Castell")


def test_team_rows_have_a_field_for_each_table(keeper: Keeper) -> None:
    event = EventFactory.create(club=keeper.match.event.club, team_size=2)
    entries = [EntryFactory.create(event=event, name=name) for name in ("Lights", "Mill")]
    match = MatchFactory.create(event=event, entry_a=entries[0], entry_b=entries[1])
    keeper.open_sheet(match)
    keeper.type_rows("a16", "b12", "a7", "a13", "ld", "lb28 3")
    keeper.echo_of(1).to_contain_text("Lights 4: I 4")
    keeper.echo_of(2).to_contain_text("Lights 20: I 24")
    keeper.echo_of(4).to_contain_text("Mill 28 with 3 boxes")
    expect(keeper.page.locator("#rows tr").nth(1).locator(".pairing").first).to_have_text("Lights 1–Mill 2")
    assert keeper.cells() == ["a16", "b12", "a7", "a13", "ld", "", "lb28 3", "", "", ""]
    keeper.page.get_by_label("only the team's line").check()
    expect(keeper.page.locator("#rows tr").nth(4).locator("input")).to_have_count(1)
    keeper.page.locator("#rows tr").nth(4).locator("input").focus()
    keeper.type_rows("a30")
    keeper.echo_of(5).to_contain_text("Lights 30")
    keeper.press("Control+s")
    keeper.says("is saved.")
    assert Scoresheet.objects.get(match=match).deal_count == 5


@pytest.mark.looks
def test_field_of_a_team_shows_what_is_typed_whole(keeper: Keeper) -> None:
    event = EventFactory.create(club=keeper.match.event.club, team_size=2)
    entries = [EntryFactory.create(event=event, name=name) for name in ("Lights", "Mill")]
    keeper.open_sheet(MatchFactory.create(event=event, entry_a=entries[0], entry_b=entries[1]))
    keeper.page.set_viewport_size({"width": 1280, "height": 900})
    keeper.type_rows("1v2 a8 20 7s")
    for width in (1280, 390):
        keeper.page.set_viewport_size({"width": width, "height": 900})
        field = keeper.page.locator("#rows input").first
        assert field.evaluate("one => one.scrollWidth - one.clientWidth") == 0, width
        assert keeper.page.evaluate("document.documentElement.scrollWidth") == width


# An empty box without a height stands on the baseline of the words beside it.
BASELINES = """all => all.map((one) => {
  const mark = document.createElement("span");
  one.append(mark);
  mark.style.display = "inline-block";
  const at = mark.getBoundingClientRect().bottom;
  mark.remove();
  return Math.round(at);
})"""


@pytest.mark.looks
def test_words_of_the_head_stand_on_one_line(keeper: Keeper) -> None:
    keeper.page.set_viewport_size({"width": 1280, "height": 900})
    keeper.open_sheet()
    words = keeper.page.locator("#site-name a, .night-nav a, #user-tools a, #logout-form button")
    assert len(set(words.evaluate_all(BASELINES))) == 1
    tools = keeper.page.locator("#user-tools a, #logout-form button")
    sizes = tools.evaluate_all("all => all.map((one) => getComputedStyle(one).fontSize)")
    assert len(sizes) > 1
    assert len(set(sizes)) == 1


def test_refusals_and_doubts_stand_beside_the_row(keeper: Keeper) -> None:
    keeper.open_sheet()
    keeper.type_rows("q7", "a99")
    expect(keeper.page.locator("#echo-1 [role=alert]")).to_be_visible()
    keeper.echo_of(2).to_contain_text("keep it")
    keeper.press("Control+s")
    keeper.says("Not saved: look at row 1, 2.")
    expect(keeper.page.locator("#rows input").first).to_be_focused()
    keeper.page.keyboard.type("a7")
    keeper.echo_of(1).to_have_text("Eklund 7: I 7")
    keeper.press("ArrowDown", "F4")
    keeper.echo_of(2).to_contain_text("closes I")
    keeper.press("Control+s")
    keeper.says("R1-T1 is saved.")
    # A refusal is an answer like any other, but chromium reports its status as an error.
    keeper.complaints[:] = [one for one in keeper.complaints if "status of 422" not in one]


def test_key_for_a_doubt_settles_only_the_one_it_is_pressed_at(keeper: Keeper) -> None:
    keeper.open_sheet()
    keeper.type_rows("a99", "b7", "b99")
    expect(keeper.page.locator("[data-override]")).to_have_count(2)
    fields = keeper.page.locator("#rows input")
    fields.nth(1).focus()
    keeper.press("F4")
    expect(fields.nth(2)).to_be_focused()
    expect(keeper.page.locator("[data-override]")).to_have_count(2)
    keeper.press("F4")
    expect(keeper.page.locator("[data-override]")).to_have_count(1)
    keeper.echo_of(1).to_contain_text("keep it")
    expect(fields.nth(2)).to_be_focused()
    keeper.press("F4")
    expect(fields.nth(0)).to_be_focused()
    keeper.press("F4")
    expect(keeper.page.locator("[data-override]")).to_have_count(0)


def test_enter_after_the_last_hand_goes_to_the_net(keeper: Keeper) -> None:
    keeper.open_sheet()
    keeper.type_rows(*ROWS[:-1])
    keeper.page.keyboard.type(ROWS[-1])
    keeper.says("Finished: Castell")
    count = len(keeper.cells())
    keeper.press("Enter")
    expect(keeper.page.locator("#net")).to_be_focused()
    assert len(keeper.cells()) == count


def test_players_added_wrongly_is_saved_and_accepted_with_a_reason(keeper: Keeper) -> None:
    keeper.open_sheet()
    keeper.type_rows(*ROWS)
    page = keeper.page
    page.locator("#net").focus()
    page.keyboard.type("b 9999")
    expect(page.locator("#accepted")).to_be_visible()
    keeper.says("No single change explains it.")
    page.locator("#accepted").focus()
    page.keyboard.type("They carried a ten too many.")
    keeper.press("Control+s")
    keeper.says("The difference was accepted by bea: They carried a ten too many.")
    assert keeper.sheet.paper_state == PaperState.ACCEPTED


def test_echo_that_comes_late_never_overwrites_a_newer_one(keeper: Keeper) -> None:
    """Held back while one types on, it is followed by the newer; answering a newer question, it is let go."""
    keeper.open_sheet()
    held: list[tuple[Route, Any]] = []

    def hold_first(route: Route) -> None:
        response = route.fetch()
        if held:
            route.fulfill(response=response)
        else:
            held.append((route, response))

    keeper.page.route(ECHO, hold_first)
    with keeper.page.expect_request(ECHO):
        keeper.page.keyboard.type("a18")
    keeper.page.keyboard.type("5")
    while not held:
        keeper.page.evaluate("new Promise(requestAnimationFrame)")
    route, old = held[0]
    with keeper.page.expect_response(
        lambda response: "echo" in response.url and response.text() != old.text()
    ):
        route.fulfill(response=old)
    keeper.echo_of(1).to_contain_text("185")
    keeper.page.unroute(ECHO)
    keeper.page.route(ECHO, lambda route: route.fulfill(response=old), times=1)
    with keeper.page.expect_response(ECHO):
        keeper.page.keyboard.type("g")
    keeper.echo_of(1).to_contain_text("185")
    keeper.page.keyboard.type("!")
    keeper.echo_of(1).to_contain_text("Gin pays")


def test_echo_leaves_the_field_and_the_caret_alone(keeper: Keeper) -> None:
    keeper.open_sheet()
    keeper.type_rows("a18")
    keeper.press("ArrowUp", "Home", "ArrowRight")
    caret = "[document.activeElement.selectionStart, document.activeElement.selectionEnd]"
    with keeper.page.expect_response(ECHO):
        keeper.page.keyboard.type("2")
    keeper.echo_of(1).to_contain_text("218")
    assert keeper.page.evaluate(caret) == [2, 2]
    assert keeper.page.evaluate("document.activeElement.value") == "a218"


@pytest.mark.looks
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_fits_a_phone(keeper: Keeper, scheme: Any) -> None:
    page = keeper.page
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 390, "height": 844})
    for address in (
        reverse("entry:tray", args=[keeper.match.round.code]),
        reverse("entry:sheet", args=[keeper.match.code]),
    ):
        page.goto(keeper.url + address)
        assert page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.looks
@pytest.mark.parametrize("width", [320, 390])
def test_results_in_the_tray_are_seen_on_a_telephone(keeper: Keeper, width: int) -> None:
    """Without scrolling to the side, however long the names are."""
    assert keeper.match.sheet is not None
    deals = [won("Eklund", "Castell", 105) for _game in range(3)]
    record_deals(actor=OPERATOR, sheet=keeper.match.sheet, deals=deals, paper=Paper(net=1))
    Entry.objects.filter(name="Eklund").update(name="Bartholomew Featherstonehaugh")
    page = keeper.page
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(keeper.url + reverse("entry:tray", args=[keeper.match.round.code]))
    result = page.get_by_role("cell").filter(has_text=re.compile(r"Featherstonehaugh \+[\d,]+$"))
    expect(result).to_have_count(1)
    box = result.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= width
    for wide in (".scroll", ".tray td", ".tray th"):
        assert page.locator(wide).evaluate_all(
            "all => all.every((one) => one.scrollWidth <= one.clientWidth + 1)"
        )
