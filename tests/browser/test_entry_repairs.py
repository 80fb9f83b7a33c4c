"""What explains that the paper differs, offered in a real browser after the echo and never in its way."""

from playwright.sync_api import expect

from scoring.models import PaperState
from tests.browser.keeper import REPAIRS, ROWS, Keeper

WRONG = [*ROWS[:6], "b35", *ROWS[7:]]


def test_wrong_total_when_its_repair_is_taken_agrees(keeper: Keeper) -> None:
    keeper.open_sheet()
    keeper.type_rows(*WRONG[:12])
    keeper.page.locator("#net").focus()
    keeper.page.keyboard.type("c 114")
    keeper.page.locator("#lines-count").focus()
    keeper.page.keyboard.type("13")
    keeper.page.locator("#rows input").last.focus()
    keeper.type_rows(WRONG[12])
    button = keeper.page.locator("[data-repair][data-new='b53']")
    expect(button).to_be_visible()
    expect(keeper.page.locator(".repairs li").first).to_contain_text("b53")
    keeper.press("F2")
    keeper.says("The paper says the same.")
    assert keeper.cells()[6] == "b53"
    keeper.press("Control+s")
    keeper.says("R1-T1 is saved.")
    assert keeper.sheet.paper_state == PaperState.AGREES


def type_wrong_sheet(keeper: Keeper, rows: list[str] = WRONG) -> None:
    keeper.open_sheet()
    keeper.type_rows(*rows)
    keeper.page.locator("#net").fill("c 114")


def test_repairs_beyond_the_fourth_are_unfolded_and_taken(keeper: Keeper) -> None:
    page = keeper.page
    type_wrong_sheet(keeper, [*ROWS[:-1], "b24"])
    expect(page.locator("#repairs summary")).to_be_visible()
    buttons = page.locator("[data-repair]")
    assert buttons.count() > 4
    expect(buttons.nth(3)).to_be_visible()
    expect(buttons.nth(4)).to_be_hidden()
    page.locator("#repairs summary").click()
    buttons.nth(4).click()
    keeper.says("The paper says the same.")
    expect(page.locator("#repairs")).to_be_empty()


def test_echo_does_not_wait_for_repairs(keeper: Keeper) -> None:
    held = keeper.hold(REPAIRS)
    type_wrong_sheet(keeper)
    route = held()
    keeper.says("Looking for one change that would explain it…")
    keeper.page.locator("#rows input").last.focus()
    keeper.page.keyboard.type("d")
    keeper.echo_of(14).to_have_text("dead hand")
    assert "data-repair " in route.fetch().text()


def test_repairs_that_come_late_are_let_go(keeper: Keeper) -> None:
    """Found for a net that has been typed over since, they are neither shown nor taken."""
    page = keeper.page
    held = keeper.hold(REPAIRS)
    type_wrong_sheet(keeper)
    assert "data-repair " in held().fetch().text()
    with page.expect_response(REPAIRS) as answer:
        page.locator("#net").fill("c 99999")
    assert "No single change" in answer.value.text()
    keeper.says("No single change explains it.")
    expect(page.locator("[data-repair]")).to_have_count(0)


def test_repair_found_for_other_rows_is_not_taken(keeper: Keeper) -> None:
    page = keeper.page
    type_wrong_sheet(keeper)
    expect(page.locator("[data-repair]").first).to_be_visible()
    before = [*keeper.cells()[:-1]]
    page.route("**/echo/", lambda route: None)
    page.locator("#rows input").last.fill("d")
    keeper.press("F2")
    assert keeper.cells()[:13] == before[:13]
    page.unroute_all()
