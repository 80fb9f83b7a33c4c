"""Two telephones at one table: entering, offline and back, claims, taking back, signing, disputing."""

import json
import re
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Route, expect

from league.matches.table_links import make_links, revoke_links
from league.models import Event, Match
from scoring.core.hands import Knock, Points
from scoring.models import Claim, DealVersion, Dispute, Scoresheet, SheetStatus, Signature
from scoring.services import correct_deals, record_deals, stop_sheet
from scoring.services.claims import open_claims
from scoring.services.records import kept_sheet
from tests.browser.telephone import Sit, Telephone
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    RoundFactory,
    drawn_match,
    house_rules,
    won,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def match() -> Match:
    """Eklund against Castell, Hollywood, at table 5."""
    event = EventFactory.create(club=ClubFactory.create(name="Harbour", slug="harbour"), slug="league")
    return drawn_match(event, "Eklund", "Castell", table=5)


def sheet_of(match: Match) -> Scoresheet:
    return Scoresheet.objects.select_related("rules").get(match=match)


def played(match: Match) -> list[Any]:
    """The first hand of every deal as it is stored."""
    return [deal.hands[0] if deal.hands else None for deal in kept_sheet(sheet_of(match)).deals]


def test_one_hand_is_tapped_in(sit: Sit, match: Match) -> None:
    phone = sit(0)
    expect(phone.page).to_have_url(re.compile(f"/table/{sheet_of(match).code}/0/$"))
    phone.kept("deal 1 · all saved")
    phone.tap("Eklund won", "Knock", "8")
    expect(phone.page.locator(".count-1")).to_contain_text("Castell’s, after lay-offs")
    phone.page.locator(".count-1").click()
    phone.tap("2", "0")
    expect(phone.page.locator("#save")).to_have_text("Eklund 12")
    phone.save()
    phone.kept("deal 2 · all saved")
    phone.says("Deal 1: Eklund knocks 8–20: 12")
    assert played(match) == [Knock("Eklund", "Castell", 8, 20)]
    act = sheet_of(match).acts.get()
    assert (act.actor_kind, act.actor_name, act.door) == ("table_link", "Eklund", "table")
    assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_worth_is_asked_and_what_cannot_be_is_said_before_it_is_saved(sit: Sit, match: Match) -> None:
    phone = sit(0)
    phone.knock("Eklund", "8", "6")
    phone.says("Eklund has 8 and Castell 6: an undercut by Castell.")
    phone.save()
    expect(phone.page.locator("#waiting")).to_be_hidden()
    phone.tap("Castell won", "Undercut")
    expect(phone.page.locator("#save")).to_have_text("Castell 27")
    phone.save()
    phone.says("Deal 1: Castell undercuts 8–6: 27")
    phone.tap("Castell won", "Gin", "3", "1")
    expect(phone.page.locator("#save")).to_have_text("Castell 56")
    phone.page.get_by_label("big gin").check()
    expect(phone.page.locator("#save")).to_have_text("Castell 62")
    phone.save()
    phone.kept("deal 3 · all saved")
    phone.tap("Dead")
    expect(phone.page.locator("#save")).to_have_text("Nobody scores")
    phone.save()
    phone.kept("deal 4 · all saved")


def test_a_figure_of_another_question_does_not_stay_and_no_key_is_dead(sit: Sit, match: Match) -> None:
    phone = sit(0)
    first, second, points = (
        phone.page.locator(f"[name={name}-0]") for name in ("count0", "count1", "points")
    )
    phone.tap("Eklund won", "Knock", "8")
    second.click()
    phone.tap("2", "0")
    expect(phone.page.locator("#save")).to_have_text("Eklund 12")
    # All is there: a digit more says so, and the last one can be taken away.
    phone.tap("3")
    phone.says("All figures are there.")
    phone.tap("Delete the last digit", "1")
    expect(second).to_have_value("21")
    # Neither the knocker's 8 nor what is hidden is a count of the gin.
    phone.tap("Castell won", "Gin")
    expect(first).to_have_value("")
    expect(second).to_have_value("")
    expect(phone.page.locator("#save")).to_have_text("Save")
    phone.tap("3", "1")
    expect(first).to_have_value("31")
    expect(phone.page.locator("#save")).to_have_text("Castell 56")
    phone.tap("Points")
    expect(first).to_have_value("")
    phone.tap("7")
    expect(points).to_have_value("7")
    # The worth of the hand, which the server answers meanwhile, does not wipe out what the key is told.
    with phone.page.expect_response(re.compile("preview")) as answered:
        phone.tap("Dead", "7")
    assert answered.value.ok
    expect(phone.page.locator("#save")).not_to_have_text("Save")
    phone.says("There is no figure to type in a dead hand.")
    expect(points).to_have_value("")


def test_entries_wait_for_the_network_and_go_out_in_order(sit: Sit, match: Match) -> None:
    one, other = sit(0), sit(1)
    with one.offline():
        for points in (11, 12, 13):
            one.points("Eklund", points)
        one.says("Only in this telephone so far")
        one.says("Deal 3: Eklund 13")
        one.says("deal 4 · 3 not saved yet · no network")
        one.says("It is sent automatically when there is a network again.")
        # The browser is closed and opened again without a network, which https (and localhost) allows.
        one.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    one.kept("deal 4 · all saved")
    assert [hand.points for hand in played(match)] == [11, 12, 13]
    other.kept("deal 4 · all saved")
    other.says("Deal 3: Eklund 13")
    assert DealVersion.objects.filter(sheet=sheet_of(match)).count() == 3


def test_page_opens_without_a_network_and_knows_what_waits(sit: Sit, match: Match) -> None:
    phone = sit(0)
    # It says so at its first opening already.
    phone.says("This page opens without a network too.")
    with phone.offline():
        phone.points("Castell", 9)
        phone.page.reload()
        phone.says("deal 2 · 1 not saved yet · no network")
        phone.points("Eklund", 7)
        phone.says("deal 3 · 2 not saved yet · no network")
    phone.kept("deal 3 · all saved")
    assert [hand.points for hand in played(match)] == [9, 7]


def test_over_plain_http_the_page_says_that_it_stays_open(sit: Sit, match: Match, browser: Browser) -> None:
    phone = sit(0)
    phone.page.add_init_script("Object.defineProperty(window, 'isSecureContext', {value: false})")
    phone.page.add_init_script("delete crypto.randomUUID")
    phone.page.reload()
    phone.says("Without https the page cannot be opened while there is no network")
    phone.points("Eklund", 5)
    phone.kept("deal 2 · all saved")
    assert [hand.points for hand in played(match)] == [5]


def test_reply_that_is_lost_doubles_nothing(sit: Sit, match: Match) -> None:
    phone = sit(0, service_workers="block")
    lost = []

    def lose(route: Route) -> None:
        route.fetch()
        lost.append(route.request.post_data)
        route.abort()

    phone.page.route("**/table/**/deals/", lose, times=2)
    phone.points("Eklund", 21)
    phone.kept("deal 2 · all saved")
    assert len(lost) == 2
    assert lost[0] == lost[1]
    assert [hand.points for hand in played(match)] == [21]


def test_busy_table_is_not_called_a_dead_network(sit: Sit, match: Match) -> None:
    phone = sit(0, service_workers="block")
    answer = '{"code": "busy", "message": "Somebody else is writing on this sheet. Send the same again."}'
    turned_away = []

    def turn_away(route: Route) -> None:
        turned_away.append(route.request.post_data)
        route.fulfill(status=409, content_type="application/json", body=answer)

    phone.page.route("**/table/**/deals/", turn_away, times=2)
    phone.points("Eklund", 21)
    phone.kept("deal 2 · 1 not saved yet · the table is busy")
    phone.says("Somebody else is writing on the sheet: it is tried again automatically.")
    phone.kept("deal 2 · all saved")
    assert len(turned_away) == 2
    assert [hand.points for hand in played(match)] == [21]


def test_what_was_begun_stays_its_deal_until_it_is_cleared(sit: Sit, match: Match) -> None:
    first, second = sit(0), sit(1)
    first.tap("Castell won")
    second.points("Eklund", 21)
    second.kept("deal 2 · all saved")
    first.says("Deal 1 was entered meanwhile.")
    first.kept("deal 1 · all saved")
    first.page.get_by_role("button", name="Clear what I tapped").click()
    first.kept("deal 2 · all saved")
    expect(first.page.locator("#overtaken")).to_be_hidden()
    first.points("Castell", 12)
    first.kept("deal 3 · all saved")
    assert [(hand.winner, hand.points) for hand in played(match)] == [("Eklund", 21), ("Castell", 12)]


def test_double_tap_saves_one_deal(sit: Sit, match: Match) -> None:
    phone = sit(0)
    phone.knock("Eklund", "3", "33")
    expect(phone.page.locator("#save")).to_have_text("Eklund 30")
    phone.page.locator("#save").dblclick()
    phone.kept("deal 2 · all saved")
    assert played(match) == [Knock("Eklund", "Castell", 3, 33)]


def test_both_enter_the_same_deal(sit: Sit, match: Match) -> None:
    one, other = sit(0), sit(1)
    with other.offline():
        other.points("Eklund", 12)
        other.says("1 not saved yet")
        one.knock("Eklund", "8", "20")
        one.save()
        one.kept("deal 2 · all saved")
    other.kept("deal 2 · all saved")
    other.says("Deal 1 is there already, just the same.")
    assert not Claim.objects.exists()
    assert len(played(match)) == 1


def test_different_entries_of_a_deal_are_shown_to_both(sit: Sit, match: Match) -> None:
    one, other = sit(0), sit(1)
    with other.offline():
        other.points("Castell", 25)
        other.says("1 not saved yet")
        one.points("Eklund", 12)
        one.kept("deal 2 · all saved")
    for phone in (one, other):
        phone.kept("deal 2 · all saved")
        phone.says("Deal 1 was entered twice, and not the same.")
        phone.says("Eklund entered: Eklund 12")
        phone.says("Castell entered: Castell 25")
    assert played(match) == [Points("Eklund", "Castell", 12, played(match)[0].mark)]
    assert open_claims(sheet_of(match)).get().actor_name == "Castell"
    back = "Take my entry back"
    expect(one.page.get_by_role("button", name=back)).to_have_count(0)
    other.page.get_by_role("button", name=back).click()
    for phone in (one, other):
        expect(phone.page.locator("body")).not_to_contain_text("was entered twice")
    assert not open_claims(sheet_of(match)).exists()


def test_own_last_entry_is_taken_back(sit: Sit, match: Match) -> None:
    one, other = sit(0), sit(1)
    one.points("Eklund", 53)
    other.kept("deal 2 · all saved")
    expect(other.page.get_by_role("button", name="undo")).to_have_count(0)
    one.page.get_by_role("button", name="undo").click()
    for phone in (one, other):
        phone.kept("deal 1 · all saved")
    one.points("Eklund", 35)
    other.says("Deal 1: Eklund 35")
    assert [hand.points for hand in played(match)] == [35]
    # What was never sent is just gone.
    with one.offline():
        one.points("Eklund", 99)
        one.says("Deal 2: Eklund 99")
        one.page.locator("#waiting").get_by_role("button", name="undo").click()
    one.kept("deal 2 · all saved")
    assert [hand.points for hand in played(match)] == [35]


def test_what_is_refused_waits_to_be_changed(sit: Sit, match: Match) -> None:
    phone = sit(0)
    with phone.offline():
        phone.knock("Eklund", "12", "20")
        phone.save()
        phone.points("Castell", 7)
        phone.says("deal 3 · 2 not saved yet")
    phone.says("Eklund cannot knock with 12: the limit is 10.")
    assert played(match) == []
    phone.page.get_by_role("button", name="Change it").click()
    expect(phone.page.locator("[name=count1-0]")).to_have_value("20")
    phone.page.locator("[name=count0-0]").fill("2")
    expect(phone.page.locator("#save")).to_have_text("Eklund 18")
    phone.save()
    phone.kept("deal 3 · all saved")
    assert [getattr(hand, "points", None) for hand in played(match)] == [None, 7]


def test_dropping_what_is_refused_moves_the_rest_up(sit: Sit, match: Match) -> None:
    phone = sit(0)
    with phone.offline():
        phone.knock("Eklund", "12", "20")
        phone.save()
        phone.points("Castell", 7)
    phone.says("Eklund cannot knock with 12: the limit is 10.")
    phone.page.get_by_role("button", name="Drop it").click()
    phone.kept("deal 2 · all saved")
    assert [hand.points for hand in played(match)] == [7]


@pytest.mark.postgresql
def test_sheet_is_signed_and_countersigned(sit: Sit, match: Match) -> None:
    one, other = sit(0), sit(1)
    record_deals(actor=OPERATOR, sheet=sheet_of(match), deals=[won("Eklund", "Castell", 60)] * 3)
    one.kept("deal 4 · all saved")
    one.points("Eklund", 60)
    assert_finished(one)
    assert sheet_of(match).status == SheetStatus.FINISHED
    one.page.get_by_role("button", name="Sign for Eklund").click()
    for phone in (one, other):
        phone.says("Eklund: signed")
        phone.says("Castell: not signed yet")
    expect(one.page.get_by_role("button", name=re.compile("^Sign"))).to_have_count(0)
    other.page.get_by_role("button", name="Sign for Castell").click()
    for phone in (one, other):
        phone.says("Castell: signed")
    signed = Signature.objects.filter(sheet=sheet_of(match)).order_by("side")
    assert [(one.side, one.actor_name, one.method) for one in signed] == [
        (0, "Eklund", "own"),
        (1, "Castell", "own"),
    ]


def assert_finished(phone: Telephone) -> None:
    expect(phone.page.locator("#ending-head")).to_be_visible()
    expect(phone.page.locator("#entry")).to_be_hidden()


def test_sheet_is_disputed_with_a_sentence_and_settled(sit: Sit, match: Match) -> None:
    record_deals(actor=OPERATOR, sheet=sheet_of(match), deals=[won("Eklund", "Castell", 60)] * 4)
    one, other = sit(0), sit(1)
    assert_finished(other)
    other.page.get_by_text("Something on this sheet is wrong").click()
    other.page.get_by_label("What is wrong, in a sentence").fill("Deal 3 was a dead hand")
    # News from the other side take nothing away from who is writing.
    one.page.get_by_role("button", name="Sign for Eklund").click()
    other.says("Eklund: signed")
    expect(other.page.get_by_label("What is wrong, in a sentence")).to_have_value("Deal 3 was a dead hand")
    other.page.get_by_role("button", name="Dispute the sheet").click()
    for phone in (one, other):
        phone.says("Castell disputes the sheet: Deal 3 was a dead hand")
    assert Dispute.objects.get().side == 1
    other.page.get_by_label("Settled after all?").fill("We looked at the cards")
    other.page.get_by_role("button", name="End the dispute").click()
    expect(one.page.locator("body")).not_to_contain_text("disputes the sheet")
    other.page.get_by_role("button", name="Sign for Castell").click()
    one.says("Castell: signed")


def test_signature_on_a_sheet_changed_meanwhile_is_not_taken(sit: Sit, match: Match) -> None:
    record_deals(actor=OPERATOR, sheet=sheet_of(match), deals=[won("Eklund", "Castell", 60)] * 4)
    phone = sit(0)
    # In one go: the page asks for news all the time.
    phone.page.evaluate(
        "document.querySelector('.ending [name=version]').value = '0';"
        "document.querySelector('.ending .save').click()"
    )
    phone.says("The sheet was changed meanwhile")
    correct_deals(
        actor=OPERATOR, sheet=sheet_of(match), changes={4: won("Eklund", "Castell", 1)}, reason="misread"
    )
    phone.kept("deal 5 · all saved")
    assert not Signature.objects.exists()


def test_link_that_ends_keeps_what_waits_for_the_next_one(sit: Sit, match: Match, live_server: Any) -> None:
    phone = sit(0)
    with phone.offline():
        phone.points("Eklund", 17)
        phone.says("1 not saved yet")
        revoke_links(actor=OPERATOR, match=match)
    phone.says("This link no longer opens anything. Ask the director for a new one.")
    phone.says("the link is over")
    assert played(match) == []
    secret = make_links(actor=OPERATOR, match=match)[0][1]
    phone.page.goto(live_server.url + reverse("phone:table_open", args=[secret]))
    phone.kept("deal 2 · all saved")
    assert [hand.points for hand in played(match)] == [17]


@pytest.fixture
def second(match: Match) -> Match:
    """Abbott against Quispe, beside them."""
    entries = [EntryFactory.create(event=match.event, name=name) for name in ("Abbott", "Quispe")]
    drawn: Match = MatchFactory.create(
        event=match.event, round=match.round, entry_a=entries[0], entry_b=entries[1], table=6
    )
    return drawn


def test_entries_of_another_table_are_not_forgotten(
    sit: Sit, match: Match, second: Match, live_server: Any
) -> None:
    phone = sit(0)
    with phone.offline():
        phone.points("Eklund", 17)
        phone.says("1 not saved yet")
        revoke_links(actor=OPERATOR, match=match)
    secret = make_links(actor=OPERATOR, match=second)[0][1]
    phone.page.goto(live_server.url + reverse("phone:table_open", args=[secret]))
    phone.says("You enter for Abbott.")
    phone.says("Entries of another table are still in this telephone.")
    assert played(second) == []
    kept = phone.page.evaluate("JSON.stringify({...localStorage})")
    assert "points-0=17" in json.dumps(kept)


def test_one_telephone_has_two_tables_open_and_mixes_nothing(
    sit: Sit, match: Match, second: Match, live_server: Any
) -> None:
    one = sit(0)
    secret = make_links(actor=OPERATOR, match=second)[0][1]
    page = one.page.context.new_page()
    two = Telephone(page, live_server.url + reverse("phone:table_open", args=[secret]), one.complaints)
    two.says("You enter for Abbott.")
    with one.offline():
        one.points("Eklund", 17)
        one.says("1 not saved yet")
        two.tap("Abbott won", "Knock", "Points")
        two.page.locator("[name=points-0]").fill("23")
        two.save()
        two.says("1 not saved yet")
    one.kept("deal 2 · all saved")
    two.kept("deal 2 · all saved")
    one.points("Castell", 5)
    one.kept("deal 3 · all saved")
    one.page.get_by_role("button", name="undo").click()
    one.kept("deal 2 · all saved")
    # Each page is its own table's again when it is opened anew.
    one.page.reload()
    one.says("You enter for Eklund.")
    assert [hand.points for hand in played(match) if hand] == [17]
    assert [hand.points for hand in played(second)] == [23]
    for table in (match, second):
        stop_sheet(actor=OPERATOR, sheet=sheet_of(table))
    one.page.get_by_role("button", name="Sign for Eklund").click()
    one.says("Eklund: signed")
    assert {signature.sheet_id for signature in Signature.objects.all()} == {match.sheet_id}


@pytest.fixture
def teams() -> Match:
    """Two against two, Ann and Cid against Bob and Dot."""
    event: Event = EventFactory.create(team_size=2, rules=house_rules(columns=1))
    drawn: Match = MatchFactory.create(
        event=event,
        round=RoundFactory.create(event=event),
        entry_a=EntryFactory.create(event=event, name="We"),
        entry_b=EntryFactory.create(event=event, name="You"),
    )
    return drawn


def test_teams_enter_all_hands_of_a_deal(sit: Sit, match: Match, teams: Match) -> None:
    phone = sit(0, of=teams)
    hands = phone.page.locator(".hand")
    expect(hands).to_have_count(2)
    for hand, winner, points in ((hands.nth(0), "We 1 won", "16"), (hands.nth(1), "You 2 won", "12")):
        hand.get_by_role("radio", name=winner).check()
        hand.get_by_role("radio", name="Knock").check()
        hand.get_by_role("radio", name="Points").check()
        hand.locator(".of-points input").fill(points)
    expect(phone.page.locator("#save")).to_have_text("We 4")
    phone.save()
    phone.kept("deal 2 · all saved")
    # RULES §7: after every deal opponents change.
    expect(hands.nth(0).get_by_role("combobox")).to_have_value("1")
    expect(hands.nth(0)).to_contain_text("You 2 won")
    hands.nth(0).get_by_role("combobox").select_option("0")
    expect(hands.nth(1).get_by_role("combobox")).to_have_value("1")
    # News of the sheet leave it as it was chosen.
    with phone.page.expect_response(lambda answer: answer.url.endswith("/state/") and answer.status == 200):
        stop_sheet(actor=OPERATOR, sheet=sheet_of(teams))
    expect(phone.page.locator("#entry")).to_be_hidden()
    expect(hands.nth(1).locator("select")).to_have_value("1")
    assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.looks
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_everything_fits_and_is_large_enough_for_a_thumb(
    sit: Sit, match: Match, scheme: str, width: int
) -> None:
    record_deals(
        actor=OPERATOR,
        sheet=sheet_of(match),
        deals=[won("Eklund", "Castell", 58), won("Castell", "Eklund", 77), won("Eklund", "Castell", 44)],
    )
    phone = sit(0, width=width, color_scheme=scheme)
    phone.knock("Eklund", "8", "20")
    expect(phone.page.locator("#save")).to_have_text("Eklund 12")
    assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for key in phone.page.locator("#entry label, #entry button").all():
        box = key.bounding_box()
        if box is not None and box["width"] > 1:
            assert box["height"] >= 40, key.inner_text()
