"""Saving in a real browser: over a bad line, over an older draft, and corrected afterwards."""

import json

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect

from league.draws.recalculating import recalculate
from league.models import Standing
from scoring.models import DealVersion, SecondTyping, SheetAct
from tests.browser.keeper import ROWS, SAVE, Keeper
from tests.clients import logged_in
from tests.factories import UserFactory


@pytest.mark.parametrize("committed", [False, True], ids=["before the server had it", "after it had it"])
def test_connection_lost_during_save_doubles_and_loses_nothing(keeper: Keeper, committed: bool) -> None:
    keeper.lost = True
    keeper.open_sheet()
    keeper.type_rows(*ROWS)
    keeper.echo_of(13).to_contain_text("closes III")
    sent: list[str | None] = []
    keeper.page.on("request", lambda one: sent.append(one.post_data) if SAVE.search(one.url) else None)
    with keeper.cut(after_answer=committed):
        keeper.press("Control+s")
        keeper.says("Not saved yet: no connection.")
        expect(keeper.page.locator("#kept")).to_have_text("13 rows kept in this browser")
        assert SheetAct.objects.count() == int(committed)
        with keeper.page.expect_request(SAVE):
            keeper.press("Control+s")
    keeper.says("nothing is doubled" if committed else "R1-T1 is saved.")
    assert len(sent) > 1
    assert len(set(sent)) == 1
    assert (keeper.sheet.version, DealVersion.objects.count()) == (1, 13)
    assert not SecondTyping.objects.exists()
    assert keeper.drafts() == []


def test_connection_lost_during_save_is_tried_again_without_being_asked(keeper: Keeper) -> None:
    keeper.lost = True
    keeper.open_sheet()
    keeper.type_rows("a62")
    with keeper.cut():
        keeper.press("Control+s")
        keeper.says("Not saved yet: no connection.")
    keeper.says("R1-T1 is saved.")
    assert DealVersion.objects.filter(sheet=keeper.sheet).count() == 1
    assert keeper.drafts() == []


def test_rows_typed_after_a_lost_answer_are_kept_on_top_of_what_was_saved(keeper: Keeper) -> None:
    keeper.lost = True
    keeper.open_sheet()
    keeper.type_rows("a62")
    with keeper.cut(after_answer=True):
        keeper.press("Control+s")
        keeper.says("Not saved yet: no connection.")
        keeper.type_rows("b7")
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
    keeper.says("No connection: “reads as” is out of date.")
    expect(keeper.page.locator("#kept")).to_have_text("3 rows kept in this browser")
    keeper.page.context.set_offline(False)
    keeper.type_rows("d")
    keeper.echo_of(3).to_have_text("Castell 8: I 52, II 8")
    keeper.page.goto(keeper.url + reverse("entry:night"))
    expect(keeper.page.locator(".kept-here").first).to_have_text("✎")
    keeper.press("n")
    assert keeper.sheet.version == 0


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
    assert rows["Eklund"] == keeper.sheet.nets[0] == -rows["Castell"]


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
    client = logged_in(UserFactory.create(club=keeper.match.event.club, username="cid"))
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
    assert DealVersion.objects.filter(sheet=keeper.sheet).count() == 1
    assert keeper.drafts() == []


def save_as_another(keeper: Keeper, *rows: str) -> None:
    """Somebody else saves the sheet from another machine."""
    client = logged_in(UserFactory.create(club=keeper.match.event.club, username="cid"))
    (draft,) = keeper.drafts()
    other = {**draft, "rows": [[row] for row in rows], "key": "another key"}
    answer = client.post(reverse("entry:save", args=[keeper.match.code]), {"draft": json.dumps(other)})
    assert answer.status_code == 200


def test_rows_typed_while_a_second_typing_is_sent_follow_it(keeper: Keeper) -> None:
    keeper.open_sheet()
    keeper.type_rows("a62", "b12")
    keeper.echo_of(2).to_contain_text("Castell")
    save_as_another(keeper, "a62", "b13")
    held = keeper.hold(SAVE)
    keeper.press("Control+s")
    route = held()
    keeper.type_rows("a7", "d")
    route.continue_()
    keeper.says("typed twice")
    assert [len(one.deals) for one in SecondTyping.objects.all()] == [2, 4]
    assert keeper.drafts() == []
    keeper.says("Eklund 7")


def test_rest_of_a_second_typing_that_cannot_be_read_stays_in_the_browser(keeper: Keeper) -> None:
    keeper.open_sheet()
    keeper.type_rows("a62", "b12")
    keeper.echo_of(2).to_contain_text("Castell")
    save_as_another(keeper, "a62", "b13")
    held = keeper.hold(SAVE)
    keeper.press("Control+s")
    route = held()
    keeper.type_rows("q7")
    route.continue_()
    keeper.says("Not saved: look at row 3.")
    (draft,) = keeper.drafts()
    assert draft["rows"][:3] == [["a62"], ["b12"], ["q7"]]
    keeper.complaints[:] = [one for one in keeper.complaints if "status of 422" not in one]


def test_row_edited_after_a_lost_answer_and_signing_in_again_is_a_correction(keeper: Keeper) -> None:
    """She is never told that somebody else had typed meanwhile: it was herself."""
    keeper.lost = True
    page = keeper.page
    keeper.open_sheet()
    keeper.type_rows("a62", "b12")
    keeper.echo_of(3).to_contain_text("to close I")
    with keeper.cut(after_answer=True):
        keeper.press("Control+s")
        keeper.says("Not saved yet: no connection.")
        cookies = page.context.cookies()
        page.context.clear_cookies(name="sessionid")
    keeper.press("Control+s")
    keeper.says("Not saved: you are signed out.")
    page.context.add_cookies([one for one in cookies if one["name"] == "sessionid"])  # type: ignore[misc]
    page.locator("#rows input").first.fill("a63")
    keeper.press("Control+s")
    keeper.says("nothing is doubled")
    keeper.is_ready()
    keeper.says("This would be a correction:")
    expect(page.locator("#save")).to_have_text("Save correction")
    page.locator("#reason").fill("Misread.")
    keeper.save()
    assert (keeper.sheet.version, DealVersion.objects.filter(number=1).count()) == (2, 2)
    assert not SecondTyping.objects.exists()


def test_draft_whose_key_was_used_begins_anew_on_what_was_saved(keeper: Keeper) -> None:
    """As another tab leaves it: the same draft saved there, and gone on with here."""
    keeper.open_sheet()
    keeper.type_rows("a62")
    keeper.echo_of(1).to_contain_text("Eklund 62")
    (draft,) = keeper.drafts()
    client = logged_in(keeper.user)
    sent = {"draft": json.dumps({**draft, "rows": [["a62"]]})}
    assert client.post(reverse("entry:save", args=[keeper.match.code]), sent).status_code == 200
    keeper.type_rows("b7")
    keeper.press("Control+s")
    keeper.says("What you sent before was saved.")
    expect(keeper.page.locator("#kept")).to_have_text("1 row kept in this browser")
    keeper.is_ready()
    keeper.press("Control+s")
    keeper.says("R1-T1 is saved.")
    assert (keeper.sheet.version, keeper.sheet.deal_count) == (2, 2)
    assert not SecondTyping.objects.exists()
    keeper.complaints[:] = [one for one in keeper.complaints if "status of 422" not in one]


def test_sides_mistaken_alone_are_corrected(keeper: Keeper) -> None:
    page = keeper.page
    keeper.open_sheet()
    keeper.type_rows("a62", "b12")
    keeper.press("Control+s")
    keeper.says("R1-T1 is saved.")
    keeper.is_ready()
    expect(page.locator("#save")).to_have_text("Save sheet")
    keeper.press("~")
    page.locator("#rows input").first.fill("b62")
    page.locator("#rows input").nth(1).fill("a12")
    expect(page.locator(".changes")).to_contain_text("Eklund on the left → Castell on the left")
    expect(page.locator("#save")).to_have_text("Save correction")
    page.locator("#reason").fill("The other way round on the paper.")
    keeper.save()
    expect(page.locator("h1")).to_have_text("Castell v Eklund")
    assert keeper.sheet.left_side == 1
