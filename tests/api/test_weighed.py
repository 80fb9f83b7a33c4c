"""Hints and reports through the API: who is told them and when, and no card that the page would not tell."""

import random
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.gin.cards import CARD_TEXTS
from games.models import HandReport, TableHand, TableMatch
from games.tables.reports import appraisal_document
from league.matches.member_tables import end_table_for
from league.models import Club, Event, Match, PlayedWhere, Player, TokenScope
from scoring.services import void_sheet
from tests.api.card_tables import At, chosen, evening, member, play
from tests.api.programs import code_of
from tests.clients import logged_in
from tests.factories import OPERATOR, ClubFactory, sheet_of
from tests.games.test_reports_on_hands import BLUNDER
from tests.games.test_table_pages import cards_named
from tests.league.test_duplicate_tables import close, drawn, event_of, play_out

pytestmark = pytest.mark.django_db

_CARD = re.compile(r"\b[A2-9TJQK][CDHS]\b")


@pytest.fixture
def looks_on(private: Club) -> At:
    return member(private, "Cid")


@pytest.fixture
def against_bot(private: Club, ann: At) -> str:
    """The code of a table at which Ann plays a bot."""
    return str(ann.begin(sheet=evening(private, "Ann", "Guest").code, bot="simple").json()["code"])


def asked(at: At, code: str, what: str) -> Any:
    return at.client.get(f"/api/v1/tables/{code}/{what}/")


def cards_in(answer: Any) -> set[int]:
    """The cards named anywhere in an answer of the API, heads included."""
    heads = "\n".join(f"{name}: {value}" for name, value in answer.headers.items())
    return {CARD_TEXTS.index(card) for card in _CARD.findall(f"{heads}\n{answer.content.decode()}")}


def seen_on_page(at: At, code: str, name: str, **more: Any) -> set[int]:
    """The cards that the page names to the same reader."""
    address, move = reverse(name, kwargs={"code": code} | more), {"move": 2} if more else {}
    return cards_named(logged_in(at.user).get(address, move).content.decode())


def reported(code: str, seat: int = 0) -> None:
    hand = TableHand.objects.get(match__code=code, deal=1)
    choices = [None, appraisal_document(BLUNDER)]
    HandReport.objects.create(hand=hand, seat=seat, choices=choices, discards=1, discard_cost=BLUNDER.cost)


@pytest.mark.dear("asks for four hints, also on pages")
def test_a_hint_is_told_to_who_sits_there_and_names_no_card_that_the_page_does_not(
    ann: At, looks_on: At, against_bot: str
) -> None:
    chances, hints = random.Random(3), 0
    table = ann.look(against_bot).json()
    while hints < 4:
        sealed = TableHand.objects.select_related("sealed_pack").get(match__code=against_bot, is_over=False)
        told = asked(ann, against_bot, "hint")
        if told.status_code == 200:
            hints += 1
            body = told.json()
            assert body["version"] == table["version"]
            assert body["action"].split(":")[0] in {each.split(":")[0] for each in table["hand"]["legal"]}
            assert not body["weighed"] or body["weighed"][0]["action"] == body["action"]
            assert cards_in(told) <= seen_on_page(ann, against_bot, "play_hint")
        else:
            assert code_of(told) == (422, "nothing_to_hint")
            assert not cards_in(told)
        for secret in (sealed.sealed_pack.pack, sealed.sealed_pack.nonce):
            assert secret not in told.content.decode()
        watched = asked(looks_on, against_bot, "hint")
        assert (code_of(watched), cards_in(watched)) == ((403, "not_your_seat"), set())
        table = ann.act(against_bot, chosen(table["hand"], chances), table["version"]).json()["table"]
    assert asked(ann, against_bot, "hint").content == asked(ann, against_bot, "hint").content


def test_hints_are_refused_as_on_the_page(match: Match, private: Club, ann: At, bob: At) -> None:
    """Also to a program whose account plays a member elsewhere, on another table than its token is for."""
    friendly = evening(private, "Ann", "Guest")
    code = ann.begin(sheet=friendly.code, bot="simple").json()["code"]
    narrow = At(ann.user, {"sheet": friendly})
    assert asked(narrow, code, "hint").status_code == 200
    assert code_of(asked(At(ann.user, {}, TokenScope.READ), code, "hint")) == (403, "not_your_seat")
    assert Client().get(f"/api/v1/tables/{code}/hint/").status_code == 404
    Event.objects.update(played=PlayedWhere.ONLINE)
    counted = ann.begin(sheet=sheet_of(match).code).json()["code"]
    for at in (ann, narrow):
        assert code_of(asked(at, code, "hint")) == (422, "at_table")
    for at in (ann, bob):
        assert code_of(asked(at, counted, "hint")) == (422, "no_hints")
    void_sheet(actor=OPERATOR, sheet=sheet_of(match), reason="Never mind.")
    void_sheet(actor=OPERATOR, sheet=friendly, reason="Never mind.")
    assert code_of(asked(ann, code, "hint")) == (422, "table_over")


def test_a_report_is_told_to_its_player_alone_with_no_card_that_the_page_does_not_name(
    ann: At, looks_on: At, against_bot: str
) -> None:
    what = "hands/1/report"
    assert asked(ann, against_bot, what).status_code == 404, "the hand is in play"
    assert asked(ann, against_bot, "report").json() == {"seat": 0, "dearest": []}
    play(against_bot, {0: ann}, looks_on, random.Random(7), 1)
    waiting = {"deal": 1, "seat": 0, "is_weighed": False, "choices": []}
    assert asked(ann, against_bot, what).json() == waiting
    reported(against_bot)
    of_hand, of_table = asked(ann, against_bot, what), asked(ann, against_bot, "report")
    options = [
        {"action": "discard KH", "points": 6.5, "deadwood": 14, "risk": 0.03, "knocking": 5},
        {"action": "discard 7S", "points": 2.25, "deadwood": 21, "risk": 0.22, "knocking": 2},
    ]
    choice = {
        "move": 2,
        "kind": "discard",
        "chosen": "discard 7S",
        "better": "discard KH",
        "cost": 4.25,
        "error": 0.75,
        "is_clear": True,
        "options": options,
    }
    assert of_hand.json() == waiting | {"is_weighed": True, "choices": [choice]}
    assert of_table.json() == {"seat": 0, "dearest": [{"deal": 1, **choice}]}
    assert cards_in(of_hand) <= seen_on_page(ann, against_bot, "play_hand", deal=1)
    assert cards_in(of_table) <= seen_on_page(ann, against_bot, "play_table")
    tag = {"If-None-Match": of_hand.headers["ETag"]}
    assert ann.client.get(f"/api/v1/tables/{against_bot}/{what}/", headers=tag).status_code == 304
    read_only = At(ann.user, {}, TokenScope.READ)
    for reader in (looks_on.client, read_only.client, Client()):
        for each in (what, "report"):
            answer = reader.get(f"/api/v1/tables/{against_bot}/{each}/")
            assert (answer.status_code, cards_in(answer)) == (404, set())
    assert asked(ann, against_bot, "hands/2/report").status_code == 404


def test_against_a_member_nothing_is_told_before_play_is_over(
    match: Match, ann: At, bob: At, looks_on: At
) -> None:
    Event.objects.update(played=PlayedWhere.ONLINE)
    code = ann.begin(sheet=sheet_of(match).code).json()["code"]
    play(code, {0: ann, 1: bob}, looks_on, random.Random(9), 1)
    reported(code)
    for what in ("hands/1/report", "report"):
        answer = asked(ann, code, what)
        assert (answer.status_code, cards_in(answer)) == (404, set())
    end_table_for(actor=OPERATOR, match=TableMatch.objects.get(code=code), reason="They went home.")
    assert [one["move"] for one in asked(ann, code, "report").json()["dearest"]] == [2]
    assert [one["move"] for one in asked(ann, code, "hands/1/report").json()["choices"]] == [2]
    assert asked(bob, code, "report").json() == {"seat": 1, "dearest": []}


def own_play(at: At, club: Club) -> Any:
    return at.client.get(f"/api/v1/clubs/{club.slug}/own-play/")


def test_curves_over_time_are_told_to_their_player_alone_as_on_his_page(
    private: Club, ann: At, looks_on: At
) -> None:
    """Three matches: with one discard that cost 4.25, with none, and with three that cost 1.75."""
    codes = []
    for discards, cost in ((1, 4.25), (0, 0.0), (3, 1.75)):
        sheet = evening(private, "Ann", "Guest")
        code = ann.begin(sheet=sheet.code, bot="simple").json()["code"]
        play(code, {0: ann}, looks_on, random.Random(7), 1)
        hand = TableHand.objects.get(match__code=code, deal=1)
        figures = {"discards": discards, "discard_cost": cost, "takes": 1}
        HandReport.objects.create(hand=hand, seat=0, choices=[], **figures)
        codes.append(code)
    told = own_play(ann, private)
    curves = {curve["kind"]: curve for curve in told.json()["curves"]}
    assert list(curves) == ["discard", "take", "knock"]
    # Four discards cost six points, and a choice counts the same in whatever match it was.
    discards = curves["discard"]
    assert (discards["choices"], discards["points"], discards["mean"]) == (4, 6.0, 1.5)
    assert [one["table"] for one in discards["matches"]] == codes
    assert [(one["choices"], one["points"], one["mean"]) for one in discards["matches"]] == [
        (1, 4.25, 4.25),
        (0, 0.0, 0.0),
        (3, 1.75, 0.58),
    ]
    assert [one["latest"] for one in discards["matches"]] == [4.25, 4.25, 1.5]
    assert (curves["take"]["choices"], curves["knock"]["choices"]) == (3, 0)
    page = logged_in(ann.user).get(reverse("own_play")).content.decode()
    assert "<strong>1.50</strong> points a choice, in 4" in page
    tag = {"If-None-Match": told.headers["ETag"]}
    assert ann.client.get(f"/api/v1/clubs/{private.slug}/own-play/", headers=tag).status_code == 304
    # Whoever plays otherwise is told of himself, and in another club nothing of this one.
    assert [one["matches"] for one in own_play(looks_on, private).json()["curves"]] == [[], [], []]
    elsewhere = ClubFactory.create(is_public=True)
    there = logged_in(ann.user).get(f"/api/v1/clubs/{elsewhere.slug}/own-play/").json()
    assert [one["choices"] for one in there["curves"]] == [0, 0, 0]
    for reader in (At(ann.user, {}, TokenScope.READ).client, Client()):
        assert reader.get(f"/api/v1/clubs/{elsewhere.slug}/own-play/").status_code == 404


def test_a_match_against_a_member_is_on_no_curve_before_play_is_over(
    match: Match, ann: At, bob: At, looks_on: At
) -> None:
    Event.objects.update(played=PlayedWhere.ONLINE)
    code = ann.begin(sheet=sheet_of(match).code).json()["code"]
    play(code, {0: ann, 1: bob}, looks_on, random.Random(9), 1)
    reported(code)
    club = match.event.club
    assert own_play(ann, club).json()["curves"][0]["choices"] == 0
    end_table_for(actor=OPERATOR, match=TableMatch.objects.get(code=code), reason="They went home.")
    assert own_play(ann, club).json()["curves"][0]["choices"] == 1
    assert own_play(bob, club).json()["curves"][0]["choices"] == 0


@pytest.mark.dear("plays two tables of duplicate")
def test_of_packs_that_others_play_nothing_is_told_before_the_round_is_closed(private: Club) -> None:
    programs = [member(private, name) for name in ("Ann", "Bob", "Cid", "Dan")]
    players = [Player.objects.get(user=at.user) for at in programs]
    matches = drawn(event_of(private), players)
    tables = play_out(matches, players)
    code = TableMatch.objects.get(pk=tables[0].pk, is_live=False).code
    reported(code)
    for what in ("hands/1/report", "report"):
        answer = asked(programs[0], code, what)
        assert (answer.status_code, cards_in(answer)) == (404, set())
    close(matches[0])
    assert [one["move"] for one in asked(programs[0], code, "report").json()["dearest"]] == [2]
    assert [one["move"] for one in asked(programs[0], code, "hands/1/report").json()["choices"]] == [2]
