"""Telephones at tables of three and four: keyed in to a counted and signed result, without a network too."""

import re

import pytest
from playwright.sync_api import expect

from league.models import CountsWhen, Match
from scoring.core import turns
from scoring.models import Claim, SheetStatus
from scoring.services import correct_deals
from scoring.services.records import kept_sheet
from tests.browser.telephone import Sit, Telephone
from tests.factories import OPERATOR, ClubFactory, sheet_of
from tests.league.table_cases import drawn, evening, names_at
from tests.scoring.kinds import slow

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FOUR = ("Ann", "Bob", "Cid", "Dee")


@pytest.fixture
def match(request: pytest.FixtureRequest) -> Match:
    """The one table of an evening of the game in question."""
    game, players = request.param
    club = ClubFactory.create(name="Harbour", slug="harbour")
    (match,) = drawn(evening(club, FOUR[:players], preset=game, counts_when=CountsWhen.BOTH_SIGNATURES))
    return match


def game(preset: str, players: int) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("match", [(preset, players)], indirect=True, ids=[preset])


def worth(phone: Telephone, text: str) -> None:
    expect(phone.page.locator("#save")).to_have_text(text)


def stored(match: Match) -> list[dict[str, object]]:
    assert match.sheet is not None
    match.sheet.refresh_from_db()
    return [version.body["hands"][0] for version in kept_sheet(match.sheet).versions if version.body]


@game("jersey", 3)
def test_jersey_is_keyed_in_and_signed_by_all_three(sit: Sit, match: Match) -> None:
    """RULES §8: a knocks with 6 against 18 and 26, 12 + 20; who deals passes to the left."""
    a, b, c = names_at(match)
    one, other = sit(0), sit(2)
    one.says(f"{a} deals")
    one.tap(a, "Knock", "6")
    # The next seat's figure follows, as on paper.
    figures = one.page.locator(".count:visible")
    expect(figures).to_have_text([re.compile(name) for name in (a, b, c)])
    figures.nth(1).click()
    one.tap("1", "8", "2", "6")
    one.says(f"{a} 32 (12 {b}, 20 {c})")
    worth(one, f"{a} 32")
    one.save()
    for phone in (one, other):
        phone.kept("deal 2 · all saved")
        phone.says(f"{b} deals")
        phone.says(f"Deal 1: {a} 32 (12 {b}, 20 {c})")
    # 8 against 5 and 30 is an undercut, whoever says otherwise: 28 from a, 25 from c.
    other.tap(a, "Knock", "8")
    other.page.locator("[name=count1-0]").fill("5")
    other.page.locator("[name=count2-0]").fill("30")
    other.says(f"{a} 8, {b} 5, {c} 30: an undercut by {b}.")
    other.tap("Undercut")
    worth(other, f"{b} 53")
    with other.offline():
        other.save()
        other.says(f"Deal 2: {a}, undercut at 8; {b} 5, {c} 30")
        other.says("deal 3 · 1 not saved yet")
        one.tap(b, "Knock", "Points", "2", "5")
        one.page.locator("[name=points0-0]").fill("28")
        worth(one, f"{b} 53")
        one.save()
        one.kept("deal 3 · all saved")
    other.kept("deal 3 · all saved")
    assert len(stored(match)) == 2
    claim = Claim.objects.get(sheet=match.sheet)
    assert claim.number == 2
    for phone in (one, other):
        phone.says("Deal 2 was entered twice, and not the same.")
    other.page.get_by_role("button", name="Take my entry back").click()
    expect(one.page.locator(".claim")).to_have_count(0)
    # Gin is asked of the others alone, and points of one who plays them all.
    one.tap(c, "Gin")
    expect(figures).to_have_count(2)
    one.tap("1", "8", "2", "6")
    worth(one, f"{c} 94")
    one.save()
    other.kept("deal 4 · all saved")
    other.tap(c, "Knock", "Points")
    other.page.locator("[name=points0-0]").fill("90")
    other.page.locator("[name=points1-0]").fill("20")
    other.save()
    for phone in (one, other):
        expect(phone.page.locator("#ending-head")).to_contain_text(c)
        expect(phone.page.locator("#entry")).to_be_hidden()
    third = sit(1)
    for phone, name in ((one, a), (other, c), (third, b)):
        match.refresh_from_db()
        assert match.held
        phone.page.get_by_role("button", name=f"Sign for {name}").click()
        expect(phone.page.locator("#state li", has_text=name)).to_contain_text(": signed")
    match.refresh_from_db()
    assert (sheet_of(match).status, match.is_counted) == (SheetStatus.FINISHED, True)
    hands = [
        {"kind": "knock", "knocker": a, "knocker_deadwood": 6, "others": {b: 18, c: 26}},
        {"kind": "points", "winner": b, "from": {c: 25, a: 28}, "mark": "knock"},
        {"kind": "gin", "knocker": c, "others": {a: 18, b: 26}},
        {"kind": "points", "winner": c, "from": {a: 90, b: 20}, "mark": "knock"},
    ]
    scored = slow.score(
        match.event.rules.rules, [{"name": name} for name in (a, b, c)], [{"hands": [hand]} for hand in hands]
    )
    assert [net for _place, net, *_more in match.at_table] == [scored.net(name) for name in (a, b, c)]
    places = [one.page.locator("#state .plain-small").first.locator("li").nth(place) for place in range(3)]
    for place, (_place, side, _net) in zip(places, match.by_place, strict=True):
        expect(place).to_contain_text(names_at(match)[side])


@game("cutthroat", 4)
def test_who_plays_is_known_without_a_network(sit: Sit, match: Match) -> None:
    """RULES §8: who loses goes to the end of the queue, its first plays the winner; who is out deals."""
    a, b, c, d = names_at(match)
    phone = sit(3)
    phone.says(f"{d} deals · sitting out: {c}, {d}")
    phone.says("This page opens without a network too.")
    with phone.offline():
        phone.tap(f"{b} won", "Gin", "3", "1")
        phone.save()
        phone.says(f"{a} deals · sitting out: {d}, {a}")
        phone.page.reload()
        phone.says(f"{a} deals · sitting out: {d}, {a}")
        phone.tap("Dead")
        phone.save()
        phone.says("deal 3 · 2 not saved yet")
        phone.tap(f"{c} won", "Knock", "Points", "1", "2")
        phone.save()
        phone.says(f"{b} deals · sitting out: {a}, {b}")
        # What was entered last is taken back: the same two play it again.
        phone.page.locator("#waiting").get_by_role("button", name="undo").click()
        phone.says(f"{a} deals · sitting out: {d}, {a}")
        phone.tap(f"{c} won", "Knock", "Points", "1", "4")
        phone.save()
        phone.tap(f"{d} won", "Knock", "3", "Delete the last digit")
        phone.page.locator("[name=count0-0]").fill("20")
        phone.page.locator("[name=count1-0]").fill("30")
        phone.save()
    phone.says(f"{d} cannot knock with 30: the limit is 10.")
    assert [hand["kind"] for hand in stored(match)] == ["gin", "dead", "points"]
    phone.page.get_by_role("button", name="Change it").click()
    phone.page.locator("[name=count1-0]").fill("8")
    worth(phone, f"{d} 12")
    phone.save()
    phone.kept("deal 5 · all saved")
    phone.says(f"Deal 4: {d} knocks 8–20: 12")
    # Its own last entry, on the sheet by now, is taken back without a network, too.
    with phone.offline():
        phone.page.get_by_role("button", name="undo").click()
        phone.says(f"{b} deals · sitting out: {a}, {b}")
        phone.tap(f"{c} won", "Knock", "Points", "7")
        phone.save()
    phone.kept("deal 5 · all saved")
    assert [hand.get("points") for hand in stored(match)] == [None, None, 14, 7]
    # What is dropped changes who plays after it: of whoever that is, nothing is told yet.
    with phone.offline():
        phone.tap(f"{c} won", "Knock")
        phone.page.locator("[name=count0-0]").fill("30")
        phone.page.locator("[name=count1-0]").fill("8")
        phone.save()
        phone.tap(f"{b} won", "Knock", "Points", "9")
        phone.save()
    phone.says(f"{c} cannot knock with 30: the limit is 10.")
    phone.page.get_by_role("button", name="Drop it").click()
    phone.says(f"{b} sits out in this deal.")
    phone.page.get_by_role("button", name="Change it").click()
    expect(phone.page.get_by_role("radio", name=f"{a} won")).not_to_be_checked()
    phone.tap(f"{a} won", "9")
    worth(phone, f"{a} 9")
    phone.save()
    phone.kept("deal 6 · all saved")
    assert [hand.get("points") for hand in stored(match)] == [None, None, 14, 7, 9]


@game("cutthroat", 3)
def test_where_it_is_not_known_who_plays_nothing_is_entered(
    sit: Sit, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of six captains after five deals without a network."""
    monkeypatch.setattr(turns, "MOST_TURNS", 1)
    a, b, c = names_at(match)
    phone = sit(0)
    form = phone.page.locator("#entry")
    with phone.offline():
        phone.tap(f"{a} won", "Knock", "Points", "9")
        phone.save()
        phone.says("Who plays next will be shown once the deals waiting here are sent.")
        expect(form).to_be_hidden()
    phone.kept("deal 2 · all saved")
    expect(form).to_be_visible()
    expect(phone.page.locator("#unknown-turn")).to_be_hidden()
    # The director corrects who won before: others play what is on the screen.
    phone.tap(f"{a} won")
    other = {"hands": [{"kind": "points", "winner": b, "loser": a, "points": 9}]}
    correct_deals(actor=OPERATOR, sheet=sheet_of(match), changes={1: other}, reason="b won it")
    phone.says("Other players play deal 2 now.")
    phone.page.get_by_role("button", name="Clear what I tapped").click()
    phone.tap(f"{c} won", "Knock", "Points", "7")
    worth(phone, f"{c} 7")
    phone.save()
    phone.kept("deal 3 · all saved")


@game("basic_rummy", 4)
def test_rummy_asks_what_the_others_have_left(sit: Sit, match: Match) -> None:
    """RULES §8: c out, d 31, a 8, b 15 left; with rummy it is double."""
    a, b, c, d = names_at(match)
    phone = sit(0)
    phone.tap(c, "Out", "3", "1")
    figures = phone.page.locator(".count:visible")
    expect(figures).to_have_text([re.compile(name) for name in (d, a, b)])
    figures.nth(1).click()
    phone.tap("8")
    figures.nth(2).click()
    phone.tap("1", "5")
    worth(phone, f"{c} 54")
    # What was counted stays where only its worth is another.
    phone.tap("Rummy")
    worth(phone, f"{c} 108")
    phone.tap("Blocked")
    expect(figures).to_have_count(4)
    phone.says("What each has left")
    phone.save()
    phone.says("Something is missing")
    phone.tap("7")
    phone.says(f"blocked (8 {a}, 15 {b}, 7 {c}, 31 {d})")
    phone.save()
    phone.kept("deal 2 · all saved")
    assert [hand["kind"] for hand in stored(match)] == ["blocked"]
    assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
