"""Sheets of evenings at one table, of every kind of game: opened, typed, explained, saved and corrected."""

import html
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from league.events.house_rules import make_club_rules
from league.models import Club, ClubRules, Player
from scoring.core.rules import Rules
from scoring.models import PaperState, Scoresheet
from tests.clients import logged_in
from tests.entry_drafts import correction, draft_of, echo, repairs, save
from tests.factories import OPERATOR, ClubFactory, PlayerFactory, UserFactory
from tests.kept import assert_derived

pytestmark = pytest.mark.django_db


@pytest.fixture
def keeper(club: Club) -> User:
    return UserFactory.create(club=club)


@pytest.fixture
def signed_in(keeper: User) -> Client:
    return logged_in(keeper)


def rules_of(club: Club, preset: str, **knobs: Any) -> ClubRules:
    rules = Rules.from_document({"preset": preset, **knobs})
    return make_club_rules(actor=OPERATOR, club=club, name=preset.capitalize(), rules=rules)


def opened(client: Client, club: Club, preset: str, *lines: str, **knobs: Any) -> Scoresheet:
    body = {"rules": rules_of(club, preset, **knobs).pk, "players": "\n".join(lines), "label": "Table 3"}
    response = client.post(reverse("entry:tables"), body)
    sheet = Scoresheet.objects.latest("pk")
    assert (response.status_code, response["Location"]) == (302, reverse("entry:sheet", args=[sheet.code]))
    return sheet


def page_of(client: Client, sheet: Scoresheet) -> str:
    response = client.get(reverse("entry:sheet", args=[sheet.code]))
    assert response.status_code == 200
    return html.unescape(response.content.decode())


def test_jersey_is_typed_compared_explained_and_saved(signed_in: Client, club: Club) -> None:
    ann = PlayerFactory.create(club=club, name="Ann")
    sheet = opened(signed_in, club, "jersey", "Ann", "Bob", "Cid")
    assert sheet.seats.get(name="Ann").person == ann.code
    shown = page_of(signed_in, sheet)
    assert "Table 3" in shown
    assert "a won 12 from the next, 20 from the one after" in shown
    # Ann 32 and a box, Cid 94 and a box.
    rows = ["a 12 20", "cg 18 26", "t"]
    paper = {"net": "-5 / -176 / 181", "boxes": "1 / 0 / 1", "lines": "2"}
    told = echo(signed_in, sheet, draft_of(*rows, paper=paper))
    assert "Ann 32 (12 from Bob, 20 from Cid): I 32" in told
    assert "Cid gin against 18, 26 for 94: I 94" in told
    assert "The paper says the same." in told
    slip = draft_of("a 12 20", "cg 81 26", "t", paper=paper)
    assert "Net of Ann: the sheet has −68, the paper −5." in echo(signed_in, sheet, slip)
    assert "row 2: cg 18 26, not cg 81 26?" in repairs(signed_in, sheet, slip)
    status, answer = save(signed_in, sheet, draft_of(*rows, paper=paper, signed=True))
    assert (status, answer["outcome"], answer["url"]) == (
        200,
        "saved",
        reverse("entry:sheet", args=[sheet.code]),
    )
    kept = assert_derived(sheet)
    assert (kept.status, kept.nets, kept.paper_state) == ("stopped", [-5, -176, 181], PaperState.AGREES)
    assert kept.signatures.count() == 3
    shown = page_of(signed_in, sheet)
    assert 'value="a 12 20"' in shown
    assert "Signed by all, seen on paper." in shown


def test_saved_rows_of_three_are_corrected_with_a_reason(signed_in: Client, club: Club) -> None:
    sheet = opened(signed_in, club, "jersey", "Ann", "Bob", "Cid")
    save(signed_in, sheet, draft_of("a 12 20", "b28 c28 u"))
    status, answer = save(signed_in, sheet, correction("a 12 21", "b28 c28 u", version=1))
    assert (status, answer["outcome"]) == (200, "saved")
    assert assert_derived(sheet).derived["totals"] == [33 + 25, 28 + 25, 28 + 25]
    assert "<del>a 12 20</del>" in page_of(signed_in, sheet).replace("\n", "").replace("              ", "")


def test_cutthroat_says_who_plays_next_and_refuses_who_sits_out(signed_in: Client, club: Club) -> None:
    sheet = opened(signed_in, club, "cutthroat", "Ann", "Bob", "Cid")
    told = echo(signed_in, sheet, draft_of("a12", ""))
    assert "Ann plays Cid; Bob deals" in told
    told = echo(signed_in, sheet, draft_of("a12", "b17"))
    assert "Bob sits out in this deal: Ann plays Cid." in told
    status, answer = save(signed_in, sheet, draft_of("a12", "b17"))
    assert (status, answer["rows"]) == (422, [2])
    assert assert_derived(sheet).version == 0
    # Columns that begin with Bob: b is Cid, c is Ann.
    save(signed_in, sheet, draft_of("c12", "b17", left=1))
    kept = assert_derived(sheet)
    assert (kept.left_side, kept.derived["totals"]) == (1, [12 + 25, 0, 17 + 25])
    assert 'value="c12"' in page_of(signed_in, sheet)


def test_rummy_of_four_and_captains_with_partners_are_typed(signed_in: Client, club: Club) -> None:
    sheet = opened(signed_in, club, "basic_rummy", "Ann", "Bob", "Cid", "Dee")
    told = echo(signed_in, sheet, draft_of("c 31 8 15", "a 10 10", "6 15 7 21"))
    assert "Cid out for 54 (31 Dee, 8 Ann, 15 Bob): I 54" in told
    assert "This hand has a figure for each of the 3 others." in told
    assert "blocked (6 Ann, 15 Bob, 7 Cid, 21 Dee)" in told
    assert "71" in echo(signed_in, sheet, draft_of("c 71 8 15"))
    save(signed_in, sheet, draft_of("c 31 8 15r"))
    assert assert_derived(sheet).derived["totals"] == [0, 0, 108, 0]
    sheet = opened(signed_in, club, "captains", "Ann", "Bob + Cid")
    save(signed_in, sheet, draft_of("a12", "b30", "b9", "a40"))
    assert assert_derived(sheet).derived["columns"][0]["points"] == [52, 39]


@pytest.mark.parametrize(
    ("preset", "lines", "said"),
    [
        ("jersey", ["Ann", "Bob"], "A sheet of this game has 3 sides."),
        ("cutthroat", ["Ann", "Bob"], "A sheet of this game has 3 to 4 sides."),
        ("jersey", ["Ann", "Bob", "Cid +"], "A name is missing beside “+”."),
        ("jersey", ["Ann", "Bob", "Ann"], "Two sides are called “Ann”."),
    ],
)
def test_what_makes_no_sheet_is_refused_beside_the_names(
    signed_in: Client, club: Club, preset: str, lines: list[str], said: str
) -> None:
    body = {"rules": rules_of(club, preset).pk, "players": "\n".join(lines)}
    response = signed_in.post(reverse("entry:tables"), body)
    assert response.status_code == 422
    assert said in html.unescape(response.content.decode())
    assert not Scoresheet.objects.exists()


def test_sheets_of_another_club_are_nobody_s(signed_in: Client, club: Club) -> None:
    elsewhere = ClubFactory.create(name="Elsewhere", slug="elsewhere")
    other = logged_in(UserFactory.create(club=elsewhere))
    theirs = opened(other, elsewhere, "jersey", "Ann", "Bob", "Cid")
    assert signed_in.get(reverse("entry:sheet", args=[theirs.code])).status_code == 404
    assert theirs.code not in signed_in.get(reverse("entry:tables")).content.decode()
    assert theirs.code in other.get(reverse("entry:tables")).content.decode()
    body = {"rules": ClubRules.objects.get(club=elsewhere).pk, "players": "Ann\nBob\nCid"}
    assert signed_in.post(reverse("entry:tables"), body).status_code == 422
    assert Player.objects.count() == 0


def test_a_seat_changes_hands_and_is_given_back(signed_in: Client, club: Club) -> None:
    eve = PlayerFactory.create(club=club, name="Eve")
    sheet = opened(signed_in, club, "jersey", "Ann", "Bob", "Cid")
    address = reverse("entry:substitutes", args=[sheet.code])
    assert address not in page_of(signed_in, sheet)
    save(signed_in, sheet, draft_of("a 12 20"))
    assert address in page_of(signed_in, sheet)
    shown = html.unescape(signed_in.get(address).content.decode())
    assert [name in shown for name in ("Ann", "Bob", "Cid", "Take a substitute back")] == [True] * 3 + [False]
    bob = sheet.seats.get(name="Bob").number

    seated = signed_in.post(address, {"replaces": bob, "name": " Eve ", "from_deal": 2})
    assert (seated.status_code, seated["Location"]) == (302, reverse("entry:sheet", args=[sheet.code]))
    assert sheet.seats.get(name="Eve").person == eve.code
    assert "Eve for Bob from deal 2" in " ".join(page_of(signed_in, sheet).split())
    save(signed_in, sheet, draft_of("a 12 20", "b28 c28 u", version=1, key="key-0002"))
    kept = assert_derived(sheet)
    assert kept.derived["columns"][0]["points"] == [32, 28, 28]

    # Who has hands stays; who has none is taken back.
    back = {"take_back": "1", "seat": sheet.seats.get(name="Eve").number, "reason": "Bob came back."}
    refused = signed_in.post(address, back)
    assert refused.status_code == 422
    assert "Hands of Eve are recorded" in html.unescape(refused.content.decode())
    signed_in.post(address, {"replaces": sheet.seats.get(name="Cid").number, "name": "Fay", "from_deal": 3})
    back["seat"] = sheet.seats.get(name="Fay").number
    assert signed_in.post(address, back).status_code == 302
    assert not sheet.seats.filter(name="Fay").exists()


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"name": "Cid", "from_deal": 2}, "“Cid” is named twice."),
        ({"name": "Eve", "from_deal": 3}, "from deal"),
        ({"name": "Eve", "from_deal": 1}, "greater than or equal to 2"),
        ({"name": "", "from_deal": 2}, "This field is required."),
        ({"name": "Eve", "from_deal": 2, "replaces": 9}, "not one of the available choices"),
    ],
)
def test_no_seat_changes_hands_where_that_cannot_be(
    signed_in: Client, club: Club, fields: dict[str, Any], said: str
) -> None:
    sheet = opened(signed_in, club, "jersey", "Ann", "Bob", "Cid")
    save(signed_in, sheet, draft_of("a 12 20"))
    address = reverse("entry:substitutes", args=[sheet.code])
    response = signed_in.post(address, {"replaces": 1} | fields)
    assert response.status_code == 422
    assert said in html.unescape(response.content.decode())
    assert sheet.seats.count() == 3


def test_a_sheet_outside_events_that_was_typed_twice_is_compared(signed_in: Client, club: Club) -> None:
    sheet = opened(signed_in, club, "jersey", "Ann", "Bob", "Cid")
    save(signed_in, sheet, draft_of("a 12 20"))
    other = logged_in(UserFactory.create(club=club))
    assert save(other, sheet, draft_of("a 12 21", key="key-of-cid"))[1]["outcome"] == "typed_twice"
    response = other.get(reverse("entry:compare", args=[sheet.code]))
    assert response.status_code == 200
    shown = html.unescape(response.content.decode())
    assert [part in shown for part in ("Table 3", "<code>a 12 20</code>", "<code>a 12 21</code>")] == [
        True
    ] * 3
