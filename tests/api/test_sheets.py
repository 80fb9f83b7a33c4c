"""Sheets in lists, and what is signed, disputed and settled on them."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.draws.round_writing import erase_matches
from league.models import Club, Match, Player, Role, ShownAs
from tests.api.programs import Program, points, scorekeepers_program
from tests.factories import (
    EventFactory,
    MatchFactory,
    UserFactory,
    play,
    sheet_of,
)

pytestmark = pytest.mark.django_db


def codes(response: Any) -> list[str]:
    assert response.status_code == 200, response.content
    return [sheet["code"] for sheet in response.json()["results"]]


def test_sheets_are_listed_for_who_may_see_them(program: Program, match: Match) -> None:
    public = MatchFactory.create(event=EventFactory.create())
    assert codes(program.client.get("/api/v1/sheets/")) == [sheet_of(public).code, sheet_of(match).code]
    assert codes(Client().get("/api/v1/sheets/")) == [sheet_of(public).code]


def test_sheet_in_a_list_says_how_it_stands(program: Program, match: Match) -> None:
    play(match, 200)
    (row,) = program.client.get("/api/v1/sheets/").json()["results"]
    whole = program.get().json()
    for name in ("code", "label", "version", "club", "event", "match", "house_rules", "status", "winner"):
        assert row[name] == whole[name]
    assert (row["sides"], row["deal_count"], row["net"]) == (["Ann", "Bob"], 1, whole["net"]["Ann"])
    assert row["winner"] == "Ann"


def test_sheets_are_filtered(program: Program, match: Match) -> None:
    other = MatchFactory.create(event=match.event)
    play(other, 200)
    for parameter, wanted in [
        ("club=harbour", [other, match]),
        ("club=elsewhere", []),
        (f"event={match.event.code}&round=1", [match]),
        (f"round_code={match.round.code}", [match]),
        (f"match={other.code}", [other]),
        (f"label={match.label}", [match]),
        ("status=finished", [other]),
        ("status=open", [match]),
        ("page_size=1&page=2", [match]),
    ]:
        listed = codes(program.client.get(f"/api/v1/sheets/?{parameter}"))
        assert listed == [sheet_of(each).code for each in wanted], parameter


@pytest.mark.parametrize(
    "parameter", ["status=lost", "round=x", "statsu=open", "page_size=0", "updated_since=x"]
)
def test_bad_parameters_are_refused(program: Program, parameter: str) -> None:
    response = program.client.get(f"/api/v1/sheets/?{parameter}")
    assert response.status_code == 422
    assert response.headers["Content-Type"] == "application/problem+json"


def test_changes_of_sheets_are_followed(program: Program, match: Match) -> None:
    other = MatchFactory.create(event=match.event)
    before = program.client.get("/api/v1/sheets/?updated_since=2020-01-01T00:00:00Z").json()
    assert len(before["results"]) == 2
    program.record("one", points("Ann", 5))
    since = program.client.get("/api/v1/sheets/").json()["results"][1]["updated_at"]
    changed = codes(program.client.get("/api/v1/sheets/", {"updated_since": since}))
    assert changed == [sheet_of(match).code]
    assert sheet_of(other).code not in changed


def test_sheets_that_are_gone_are_told_to_who_might_see_them(program: Program, match: Match) -> None:
    played = play(MatchFactory.create(event=match.event), 5)
    gone = sheet_of(match).code
    since = {"updated_since": "2020-01-01T00:00:00Z"}
    assert program.client.get("/api/v1/sheets/", since).json()["deleted"] == []
    erase_matches(Match.objects.filter(pk=match.pk))
    told = program.client.get("/api/v1/sheets/", since).json()
    assert [row["id"] for row in told["deleted"]] == [gone]
    assert [row["code"] for row in told["results"]] == [sheet_of(played).code]
    assert Client().get("/api/v1/sheets/", since).json()["deleted"] == []


def test_lists_ask_as_often_however_long_they_are(program: Program, match: Match) -> None:
    counts = []
    for _ in range(2):
        for _ in range(3):
            play(MatchFactory.create(event=match.event), 5, -7)
        program.client.get("/api/v1/sheets/")
        with CaptureQueriesContext(connection) as queries:
            program.client.get("/api/v1/sheets/")
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 8


def test_deals_and_corrections_ask_as_often_however_many_there_are(program: Program) -> None:
    counts = []
    for number in range(2):
        for other in range(3):
            program.record(f"{number} {other}", points("Ann", 5))
            body = {"deals": {"1": points("Bob", number * 3 + other)}, "reason": "again"}
            program.post("corrections/", body)
        told = []
        for what in ("", "deals/", "corrections/", "deals/1/", "signatures/", "disputes/"):
            with CaptureQueriesContext(connection) as queries:
                program.get(what)
            told.append(len(queries))
        counts.append(told)
    assert counts[0] == counts[1]
    # One of them is for the present names of authors.
    assert max(counts[0]) <= 10


def test_names_are_spelt_for_who_reads(match: Match) -> None:
    club = match.event.club
    keeper = scorekeepers_program(match)
    keeper.record("one", points("Ann", 5))
    keeper.post("corrections/", {"deals": {"1": points("Bob", 6)}, "reason": "Bob Brown had won"})
    Club.objects.filter(pk=club.pk).update(is_public=True)
    Player.objects.filter(club=club, name="Bob").update(shown_as=ShownAs.NICKNAME, nickname="The Fox")
    address = keeper.address
    for what in ("", "deals/", "deals/1/", "corrections/"):
        public = Client().get(f"{address}{what}").content.decode()
        assert "The Fox" in public
        assert '"Bob"' not in public
        assert '"Bob"' in keeper.get(what).content.decode()
    assert Client().get("/api/v1/sheets/").json()["results"][0]["sides"] == ["Ann", "The Fox"]


# Signatures and disputes


@pytest.fixture
def seated(match: Match) -> Program:
    """Bob's own program: he plays, and holds no office."""
    bob = UserFactory.create(club=match.event.club, role=Role.MEMBER)
    Player.objects.filter(club=match.event.club, name="Bob").update(user=bob)
    return Program(match, bob)


def test_scorekeeper_signs_for_both_and_a_player_for_himself(
    program: Program, seated: Program, match: Match
) -> None:
    refused = program.post("signatures/", {})
    assert (refused.status_code, refused.json()["code"]) == (422, "sheet_open")
    play(match, 200)
    own = seated.post("signatures/", {}, If_Match='"1"')
    assert own.status_code == 201
    (signature,) = own.json()["signatures"]
    assert (signature["side"], signature["method"], signature["sheet_version"]) == ("Bob", "own", 1)
    assert seated.post("signatures/", {"sides": ["Bob"]}).content == own.content
    not_his = seated.post("signatures/", {"sides": ["Ann"]})
    assert (not_his.status_code, not_his.json()["code"]) == (422, "not_your_side")
    both = program.post("signatures/", {"sides": ["Ann", "Bob"]}).json()["signatures"]
    assert [(each["side"], each["method"]) for each in both] == [("Ann", "paper"), ("Bob", "own")]
    program.post("corrections/", {"deals": {"1": points("Ann", 201)}, "reason": "201"})
    told = program.get("signatures/").json()
    assert told["version"] == 2
    assert [each["lapsed"] for each in told["signatures"]] == [True, True]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"sides": ["Cid"]}, "unknown_side"),
        ({"sides": [0]}, "unknown_side"),
        ({"sides": [["Ann"]]}, "unknown_side"),
        ({"sides": "Ann"}, "wrong_type"),
        ({"side": "Ann"}, "unknown_field"),
        ([], "wrong_type"),
    ],
)
def test_bad_signature_is_refused(program: Program, match: Match, body: Any, code: str) -> None:
    play(match, 200)
    response = program.post("signatures/", body)
    assert (response.status_code, response.json()["code"]) == (422, code)
    assert sheet_of(match).signatures.count() == 0


def test_sheet_is_disputed_and_settled(program: Program, seated: Program, match: Match) -> None:
    play(match, 200)
    said = {"sentence": "Deal 1 was mine."}
    made = seated.post("disputes/", said)
    assert made.status_code == 201
    dispute = made.json()
    assert (dispute["number"], dispute["side"], dispute["settlement"]) == (1, "Bob", None)
    assert seated.post("disputes/", said).content == made.content
    assert program.get("disputes/").json()["results"] == [dispute]
    stale = seated.post("disputes/", {"sentence": "Another one."}, If_Match='"0"')
    assert stale.status_code == 412

    address = "disputes/1/settlement/"
    assert seated.post("disputes/2/settlement/", {"reason": "so"}).status_code == 404
    assert seated.post(f"disputes/{10**30}/settlement/", {"reason": "so"}).status_code == 404
    empty = seated.post(address, {})
    assert (empty.status_code, empty.json()["code"]) == (422, "reason_missing")
    settled = seated.post(address, {"reason": "I was wrong."})
    assert settled.status_code == 201
    assert settled.json()["settlement"]["reason"] == "I was wrong."
    assert seated.post(address, {"reason": "I was wrong."}).content == settled.content


def test_scorekeeper_settles_no_dispute_of_a_side(program: Program, seated: Program, match: Match) -> None:
    play(match, 200)
    seated.post("disputes/", {"sentence": "Deal 1 was mine."})
    refused = program.post("disputes/1/settlement/", {"reason": "It was not."})
    assert (refused.status_code, refused.json()["code"]) == (403, "not_allowed")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "reason_missing"),
        ({"sentence": 5}, "wrong_type"),
        ({"sentence": "x" * 301}, "too_long"),
        ({"sentence": "No.", "side": "Cid"}, "unknown_side"),
        ({"sentence": "No.", "side": 1}, "unknown_side"),
        ({"sentence": "No.", "version": 1}, "unknown_field"),
    ],
)
def test_bad_dispute_is_refused(seated: Program, match: Match, body: Any, code: str) -> None:
    play(match, 200)
    response = seated.post("disputes/", body)
    assert (response.status_code, response.json()["code"]) == (422, code)
    assert sheet_of(match).disputes.count() == 0
