"""What was entered at the table is taken back there by who entered it, or stands: deals and claims."""

import pytest
from django.urls import reverse

from league.models import Event, EventState, Match, Role, Round, RoundState
from scoring.core.sheets import VOID
from scoring.models import Claim, Scoresheet, Signature
from scoring.services import correct_deals, stop_sheet
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    UserFactory,
)
from tests.kept import assert_derived, contents
from tests.league.phone.conftest import Sit
from tests.league.phone.forms import KNOCK, SCRIPT, enter


def test_claim_is_taken_back_by_who_entered_it(sit: Sit, match: Match, sheet: Scoresheet) -> None:
    one, other = sit(0), sit(1)
    enter(one)
    other.post(other.at("deals/"), {**KNOCK, "count1-0": "21", "number": "1", "key": "k2"})
    claim = {"claim": Claim.objects.get(sheet=sheet).pk}
    offer = "Take my entry back"
    assert [offer in client.get(client.at("state/")).text for client in (one, other)] == [False, True]
    before = contents()
    told = one.post(one.at("claim/undo/"), claim, **SCRIPT)
    assert (told.status_code, told.json()["code"]) == (422, "not_yours")
    for wrong in ("", "x", "0", str(claim["claim"] + 1)):
        told = other.post(other.at("claim/undo/"), {"claim": wrong}, **SCRIPT)
        assert (told.status_code, told.json()["code"]) == (422, "unknown_claim")
    assert contents() == before
    assert other.post(other.at("claim/undo/"), claim).status_code == 302
    for client in (one, other):
        assert "was entered twice" not in client.get(client.at("state/")).text
    assert_derived(sheet)
    match.refresh_from_db()
    page = logged_in(UserFactory.create(club=match.event.club, role=Role.MEMBER))
    said = " ".join(page.get(reverse("match", args=["harbour", "league", match.code])).text.split())
    assert "Deal 1: the other entry is taken back at the table." in said


def test_match_page_says_that_a_claim_keeps_the_result_from_counting(sit: Sit, match: Match) -> None:
    one, other = sit(0), sit(1)
    enter(one)
    other.post(other.at("deals/"), {**KNOCK, "count1-0": "21", "number": "1", "key": "k2"})
    stop_sheet(actor=OPERATOR, sheet=Scoresheet.objects.get(match=match))
    page = logged_in(UserFactory.create(club=match.event.club, role=Role.MEMBER))
    said = " ".join(page.get(reverse("match", args=["harbour", "league", match.code])).text.split())
    assert "The sides have entered a deal differently; until the director has decided the match" in said
    assert "confirmed it" not in said


@pytest.mark.parametrize("how", ["complete", "confirmed"])
def test_claim_beside_a_result_that_stands_is_the_directors(sit: Sit, match: Match, how: str) -> None:
    one, other = sit(0), sit(1)
    enter(one)
    other.post(other.at("deals/"), {**KNOCK, "count1-0": "21", "number": "1", "key": "k2"})
    if how == "complete":
        Round.objects.filter(pk=match.round_id).update(state=RoundState.COMPLETE)
    else:
        Match.objects.filter(pk=match.pk).update(confirmed_version=1)
    assert "Take my entry back" not in other.get(other.at()).text
    before = contents()
    told = other.post(other.at("claim/undo/"), {"claim": Claim.objects.get().pk}, **SCRIPT)
    assert (told.status_code, told.json()["code"]) == (422, "result_stands")
    assert contents() == before


def test_claim_stands_beside_a_line_or_nothing(sit: Sit, sheet: Scoresheet) -> None:
    one, other = sit(0), sit(1)
    enter(one)
    correct_deals(actor=OPERATOR, sheet=sheet, changes={1: VOID}, reason="typed twice")
    enter(other)
    text = " ".join(one.get(one.at()).text.split())
    assert "The tests entered: struck out" in text
    assert "Castell entered: Eklund knocks 8–20: 12" in text
    assert ">undo<" not in text


def test_last_deal_is_taken_back_by_who_entered_it(sit: Sit, sheet: Scoresheet) -> None:
    one, other = sit(0), sit(1)
    enter(one)
    assert ">undo<" not in other.get(other.at()).text
    assert ">undo<" in one.get(one.at()).text
    taken = other.post(other.at("undo/"), {"number": "1", "key": "u"}, **SCRIPT)
    assert (taken.status_code, taken.json()["code"]) == (422, "not_yours")
    assert one.post(one.at("undo/"), {"number": "1", "key": "u"}, **SCRIPT).json()["next"] == 1
    assert_derived(sheet)
    assert "deal 1" in one.get(one.at()).text
    assert one.post(one.at("undo/"), {"number": "x", "key": "v"}, **SCRIPT).status_code == 422


def test_nothing_is_taken_back_once_the_event_is_over(sit: Sit, match: Match) -> None:
    one, other = sit(0), sit(1)
    enter(one)
    other.post(other.at("deals/"), {**KNOCK, "count1-0": "21", "number": "1", "key": "k2"})
    assert ">undo<" in one.get(one.at()).text
    assert "Take my entry back" in other.get(other.at()).text
    tag = one.get(one.at("state/"))["ETag"]
    Event.objects.filter(pk=match.event_id).update(state=EventState.FINISHED)
    assert ">undo<" not in one.get(one.at()).text
    assert one.get(one.at("state/"), headers={"If-None-Match": tag}).status_code == 200
    assert "Take my entry back" not in other.get(other.at()).text
    before = contents()
    assert one.post(one.at("undo/"), {"number": "1", "key": "u"}, **SCRIPT).status_code == 403
    assert contents() == before


@pytest.mark.parametrize("how", ["signed", "complete", "confirmed"])
def test_result_that_stands_is_not_taken_back_at_the_table(sit: Sit, match: Match, how: str) -> None:
    client = sit(0)
    for number in (1, 2, 3, 4):
        deal = {**KNOCK, "count1-0": "68", "number": number, "key": f"k{number}"}
        client.post(client.at("deals/"), deal)
    assert ">undo<" in client.get(client.at()).text
    sheet = Scoresheet.objects.get(match=match)
    if how == "signed":
        other = sit(1)
        other.post(other.at("signature/"), {"version": sheet.version})
        assert Signature.objects.count() == 1
    elif how == "complete":
        Round.objects.filter(pk=match.round_id).update(state=RoundState.COMPLETE)
    else:
        Match.objects.filter(pk=match.pk).update(confirmed_version=sheet.version)
    assert ">undo<" not in client.get(client.at()).text
    before = contents()
    told = client.post(client.at("undo/"), {"number": "4", "key": "u"}, **SCRIPT)
    code = "signed" if how == "signed" else "result_stands"
    assert (told.status_code, told.json()["code"]) == (422, code)
    assert told.json()["message"].endswith("what is wrong with it the director corrects.")
    assert contents() == before
