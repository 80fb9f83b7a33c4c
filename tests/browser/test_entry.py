"""A paper sheet keyed in a real browser: by keyboard, over a bad line, corrected, and then in the table."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, Route, expect

from league.models import Match, Standing
from league.services.standings import recalculate
from scoring.models import DealVersion, PaperState, Scoresheet, SecondTyping, SheetAct
from tests.factories import ClubFactory, EntryFactory, EventFactory, MatchFactory, RoundFactory, UserFactory

# Thirteen rows; Castell wins by 114, six boxes each.
ROWS = ["a18", "b12", "a25g", "b30", "d", "a15", "b53", "a44g", "b27u", "a8 20", "b6", "a9", "b14"]
ECHO = re.compile(r"/echo/$")
SAVE = re.compile(r"/save/$")


@dataclass
class Keeper:
    """A scorekeeper at a browser, and everything it complained about. `lost` allows for requests cut off."""

    page: Page
    url: str
    match: Match
    other: Match
    user: User
    complaints: list[str] = field(default_factory=list)
    lost: bool = False

    def open_sheet(self, match: Match | None = None) -> None:
        self.page.goto(self.url + reverse("entry:sheet", args=[(match or self.match).code]))
        self.is_ready()

    def is_ready(self) -> None:
        expect(self.page.locator("#save")).to_be_enabled()

    def type_rows(self, *rows: str) -> None:
        for row in rows:
            self.page.keyboard.type(row)
            self.page.keyboard.press("Enter")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def echo_of(self, row: int) -> Any:
        return expect(self.page.locator(f"#echo-{row}"))

    def cells(self) -> list[str]:
        return [one.input_value() for one in self.page.locator("#rows input.cell").all()]

    def drafts(self) -> list[dict[str, Any]]:
        """What the browser holds of sheets that are not saved."""
        found = self.page.evaluate(
            "Object.entries(localStorage).filter(([key]) => key.startsWith('gin-draft')).map((one) => one[1])"
        )
        return [json.loads(text) for text in found]

    @property
    def sheet(self) -> Scoresheet:
        return Scoresheet.objects.get(match=self.match)

    def says(self, text: str | re.Pattern[str]) -> None:
        expect(self.page.locator("body")).to_contain_text(text)


@pytest.fixture
def keeper(page: Page, client: Client, live_server: Any) -> Iterator[Keeper]:
    """Signed in, with a round of two matches. Console errors and CSP violations fail the test."""
    event = EventFactory.create(club=ClubFactory.create(name="Harbour", slug="harbour"), slug="league")
    round_ = RoundFactory.create(event=event)
    names = [("Eklund", "Castell"), ("Abbott", "Quispe")]
    entries = [[EntryFactory.create(event=event, name=name) for name in pair] for pair in names]
    matches = [MatchFactory.create(event=event, round=round_, entry_a=a, entry_b=b) for a, b in entries]
    user = UserFactory.create(club=event.club, username="bea")
    client.force_login(user)
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    keeper = Keeper(page, live_server.url, matches[0], matches[1], user)
    page.on("console", lambda said: keeper.complaints.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: keeper.complaints.append(str(error)))
    page.expose_function("reportViolation", lambda what: keeper.complaints.append(what))
    page.add_init_script(
        "addEventListener('securitypolicyviolation', (event) => reportViolation(event.violatedDirective))"
    )
    yield keeper
    complaints = keeper.complaints
    if keeper.lost:
        expected = re.compile(
            r"ERR_(FAILED|INTERNET_DISCONNECTED)|status of 401|^htmx:(afterRequest|sendError)"
        )
        complaints = [one for one in complaints if not expected.search(one)]
    assert complaints == []


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
    assert keeper.sheet.net == -114
    assert keeper.sheet.paper_state == PaperState.AGREES
    assert keeper.drafts() == []
    expect(page.locator("#next")).to_be_focused()
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


def test_refusals_and_doubts_stand_beside_the_row(keeper: Keeper) -> None:
    keeper.open_sheet()
    keeper.type_rows("q7", "a99")
    expect(keeper.page.locator("#echo-1 [role=alert]")).to_be_visible()
    keeper.echo_of(2).to_contain_text("it is so")
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


def test_wrong_total_when_its_repair_is_taken_agrees(keeper: Keeper) -> None:
    keeper.open_sheet()
    typed = [*ROWS[:6], "b35", *ROWS[7:]]
    keeper.type_rows(*typed[:12])
    keeper.page.locator("#net").focus()
    keeper.page.keyboard.type("c 114")
    keeper.page.locator("#lines-count").focus()
    keeper.page.keyboard.type("13")
    keeper.page.locator("#rows input").last.focus()
    keeper.type_rows(typed[12])
    button = keeper.page.locator("[data-repair][data-new='b53']")
    expect(button).to_be_visible()
    expect(keeper.page.locator(".repairs li").first).to_contain_text("b53")
    keeper.press("F2")
    keeper.says("The paper says the same.")
    assert keeper.cells()[6] == "b53"
    keeper.press("Control+s")
    keeper.says("R1-T1 is saved.")
    assert keeper.sheet.paper_state == PaperState.AGREES


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


@pytest.mark.parametrize("committed", [False, True], ids=["before the server had it", "after it had it"])
def test_connection_lost_during_save_doubles_and_loses_nothing(keeper: Keeper, committed: bool) -> None:
    keeper.lost = True
    keeper.open_sheet()
    keeper.type_rows(*ROWS)
    keeper.echo_of(13).to_contain_text("closes III")
    tries: list[str] = []

    def cut_off(route: Route) -> None:
        tries.append(route.request.post_data or "")
        if len(tries) > 1:
            route.continue_()
            return
        if committed:
            route.fetch()
        route.abort()

    keeper.page.route(SAVE, cut_off)
    keeper.press("Control+s")
    keeper.says("Not saved yet: no connection.")
    expect(keeper.page.locator("#kept")).to_have_text("13 rows kept in this browser")
    assert SheetAct.objects.count() == int(committed)
    keeper.press("Control+s")
    keeper.says("nothing is doubled" if committed else "R1-T1 is saved.")
    assert len(tries) == 2
    assert tries[0] == tries[1]
    assert (keeper.sheet.version, DealVersion.objects.count()) == (1, 13)
    assert not SecondTyping.objects.exists()
    assert keeper.drafts() == []


def test_connection_lost_during_save_is_tried_again_without_being_asked(keeper: Keeper) -> None:
    keeper.lost = True
    keeper.open_sheet()
    keeper.type_rows("a62")
    keeper.page.route(SAVE, lambda route: route.abort(), times=1)
    keeper.press("Control+s")
    keeper.says("Not saved yet: no connection.")
    keeper.says("R1-T1 is saved.")


def test_rows_typed_after_a_lost_answer_are_kept_on_top_of_what_was_saved(keeper: Keeper) -> None:
    keeper.lost = True
    keeper.open_sheet()
    keeper.type_rows("a62")
    keeper.page.route(SAVE, lambda route: (route.fetch(), route.abort()), times=1)
    keeper.press("Control+s")
    keeper.says("Not saved yet: no connection.")
    keeper.type_rows("b7")
    keeper.press("Control+s")
    keeper.says("nothing is doubled")
    expect(keeper.page.locator("#kept")).to_have_text("1 row kept in this browser")
    assert keeper.sheet.deal_count == 1
    keeper.press("Control+s")
    expect(keeper.page.locator("#kept")).to_have_text("")
    assert (keeper.sheet.deal_count, keeper.sheet.version) == (2, 2)
    assert not SecondTyping.objects.exists()


def test_save_pressed_twice_saves_once(keeper: Keeper) -> None:
    keeper.open_sheet()
    keeper.type_rows("a62", "b12")
    keeper.press("Control+s", "Control+s", "Control+s")
    keeper.says("R1-T1 is saved.")
    assert (keeper.sheet.version, keeper.sheet.deal_count) == (1, 2)


def test_reload_and_a_lost_connection_keep_the_draft(keeper: Keeper) -> None:
    keeper.lost = True
    keeper.open_sheet()
    keeper.type_rows("a62", "b44g")
    keeper.page.locator("#boxes").focus()
    keeper.page.keyboard.type("1 / 1")
    keeper.page.reload()
    keeper.is_ready()
    keeper.echo_of(2).to_have_text("Castell gin 44: I 44")
    expect(keeper.page.locator("#kept")).to_have_text("2 rows kept in this browser")
    expect(keeper.page.locator("#boxes")).to_have_value("1 / 1")
    keeper.page.context.set_offline(True)
    keeper.type_rows("b8")
    keeper.says("No connection: the echo is old.")
    expect(keeper.page.locator("#kept")).to_have_text("3 rows kept in this browser")
    keeper.page.context.set_offline(False)
    keeper.type_rows("d")
    keeper.echo_of(3).to_have_text("Castell 8: I 52, II 8")
    keeper.page.goto(keeper.url + reverse("entry:night"))
    expect(keeper.page.locator(".kept-here").first).to_have_text("✎")
    keeper.press("n")
    assert keeper.sheet.version == 0


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


def test_correction_with_its_reason_changes_the_standings(keeper: Keeper) -> None:
    keeper.open_sheet()
    keeper.type_rows(*ROWS)
    keeper.press("Control+s")
    keeper.says("R1-T1 is saved.")
    keeper.is_ready()
    page = keeper.page
    page.locator("#rows input").nth(6).focus()
    keeper.press("Control+a")
    page.keyboard.type("a53")
    keeper.says("This would be a correction:")
    expect(page.locator(".changes").first).to_contain_text("row 7: b53 → a53")
    keeper.press("Control+s")
    expect(page.locator("#reason")).to_be_focused()
    page.keyboard.type("Read the wrong column.")
    page.locator("#rows input").nth(7).focus()
    # The sheet ends elsewhere now: what came after it is kept and counts nothing.
    keeper.press("Control+s")
    keeper.says("R1-T1 is saved.")
    page.locator(".history summary").click()
    keeper.says("Read the wrong column.")
    keeper.says("row 7: b53 → a53")
    assert DealVersion.objects.filter(number=7).count() == 2
    recalculate(keeper.match.event_id)
    rows = {row.entry.name: row.net for row in Standing.objects.select_related("entry")}
    assert rows["Eklund"] == keeper.sheet.net == -rows["Castell"]


def test_saved_row_when_struck_keeps_its_number(keeper: Keeper) -> None:
    keeper.open_sheet()
    keeper.type_rows("a5", "b6")
    keeper.press("Control+s")
    keeper.says("R1-T1 is saved.")
    keeper.is_ready()
    keeper.page.locator("#rows input").first.focus()
    keeper.press("Control+Delete")
    keeper.echo_of(1).to_contain_text("struck out")
    assert keeper.cells() == ["v", "b6", ""]
    keeper.press("Control+Delete")
    keeper.echo_of(1).to_have_text("Eklund 5: I 5")
    expect(keeper.page.locator("#kept")).to_have_text("")


def test_sheet_saved_meanwhile_by_another_is_compared(keeper: Keeper) -> None:
    keeper.open_sheet()
    keeper.type_rows("a62", "b12")
    keeper.echo_of(2).to_contain_text("Castell")
    client = Client()
    client.force_login(UserFactory.create(club=keeper.match.event.club, username="cid"))
    (draft,) = keeper.drafts()
    other = {**draft, "rows": [["a62"], ["b13"]], "key": "another key"}
    answer = client.post(reverse("entry:save", args=[keeper.match.code]), {"draft": json.dumps(other)})
    assert answer.status_code == 200
    keeper.type_rows("d")
    keeper.says("cid has saved this sheet meanwhile.")
    keeper.press("Control+s")
    keeper.says("typed twice")
    keeper.says("2 rows differ")
    keeper.page.locator("input[name=reason]").fill("The paper says 12.")
    keeper.page.get_by_role("button", name="Take over what was typed again").click()
    keeper.says("The second typing now counts")
    assert (keeper.sheet.version, keeper.sheet.deal_count) == (2, 3)


def test_signed_out_while_typing_keeps_the_draft_and_goes_on(keeper: Keeper, client: Client) -> None:
    keeper.lost = True
    keeper.open_sheet()
    keeper.type_rows("a62")
    keeper.echo_of(1).to_contain_text("Eklund 62")
    cookies = keeper.page.context.cookies()
    keeper.page.context.clear_cookies(name="sessionid")
    keeper.press("Control+s")
    keeper.says("Not saved: you are signed out.")
    keeper.page.context.add_cookies([one for one in cookies if one["name"] == "sessionid"])  # type: ignore[misc]
    keeper.press("Control+s")
    keeper.says("R1-T1 is saved.")


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
