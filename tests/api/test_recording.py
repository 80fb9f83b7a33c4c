"""`POST …/deals/` and `…/corrections/`: recorded once however often sent; a refusal changes nothing."""

import json
from typing import Any

import pytest
from django.test import Client

from league.models import EventState, Match, Role, TokenScope
from scoring.models import SheetAct
from scoring.services import add_substitute
from tests.api.programs import (
    Program,
    code_of,
    nothing_changed,
    points,
    scorekeepers_program,
)
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    ClubFactory,
    MatchFactory,
    PlayerFactory,
    UserFactory,
    sheet_of,
)
from tests.kept import assert_derived

pytestmark = pytest.mark.django_db

KNOCK = {"hands": [{"kind": "knock", "knocker": "Ann", "knocker_deadwood": 8, "defender_deadwood": 20}]}


def test_deal_is_recorded(program: Program, match: Match) -> None:
    response = program.record("one", KNOCK)
    assert response.status_code == 201
    assert response.json() == {
        "sheet": sheet_of(match).code,
        "version": 1,
        "first": 1,
        "count": 1,
        "status": "open",
        # 12 points and a box of 25, in a game that is not settled yet.
        "net": program.get().json()["net"]["Ann"],
    }
    assert response.headers["ETag"] == '"1"' == program.get().headers["ETag"]
    (line,) = program.get().json()["deals"][0]["lines"]
    assert line == {"side": "Ann", "points": 12, "boxes": 1, "columns": [1]}
    act = SheetAct.objects.get()
    assert (act.key, act.actor_kind, act.door, act.address) == ("one", "token", "api", "127.0.0.1")
    assert_derived(sheet_of(match))


def test_same_request_again_is_answered_the_same(program: Program, match: Match) -> None:
    first = program.record("one", KNOCK, points("Bob", 7), If_Match='"0"')
    program.record("two", points("Ann", 5))
    with nothing_changed():
        again = program.record("one", KNOCK, points("Bob", 7), If_Match='"0"')
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert again.headers["ETag"] == first.headers["ETag"] == '"1"'
    assert sheet_of(match).deal_versions.count() == 3


def test_same_content_in_another_spelling_is_the_same(program: Program) -> None:
    first = program.record("one", points("Ann", 5))
    spelt = b'{ "deals" : [ {"hands":[{"points":5, "winner":"Ann","kind":"points"}]} ] }'
    with nothing_changed():
        again = program.client.post(
            f"{program.address}deals/",
            spelt,
            content_type="application/json",
            headers={"Idempotency-Key": "one"},
        )
    assert again.content == first.content


def test_same_key_with_other_deals_is_refused(program: Program) -> None:
    program.record("one", points("Ann", 5))
    with nothing_changed():
        assert code_of(program.record("one", points("Ann", 6))) == (422, "key_reused")
        assert code_of(program.post("deals/", {"deals": [points("Ann", 5)], "stopped": True},
                                    Idempotency_Key="one")) == (422, "key_reused")  # fmt: skip


def test_same_key_of_somebody_else_or_on_another_sheet_is_another_key(program: Program, match: Match) -> None:
    program.record("one", points("Ann", 5))
    other = scorekeepers_program(match)
    assert other.record("one", points("Ann", 5)).json()["version"] == 2
    elsewhere = Program(MatchFactory.create(event=match.event), program.user)
    assert elsewhere.record("one", points(str(elsewhere.match.entry_a), 5)).json()["version"] == 1


def test_request_that_was_refused_is_not_kept(program: Program) -> None:
    with nothing_changed():
        assert code_of(program.record("one", points("Ann", 5), If_Match='"3"')) == (412, "stale_version")
    assert program.record("one", points("Ann", 5), If_Match='"0"').status_code == 201


def test_request_comes_again_after_a_substitute_sat_down(program: Program, match: Match) -> None:
    """A deal that names nobody of the dead hand's two is that of who sat there when it was recorded."""
    first = program.record("one", {"hands": [{"kind": "dead"}]}, points("Ann", 5))
    cid = PlayerFactory.create(club=match.event.club, name="Cid")
    add_substitute(actor=OPERATOR, sheet=sheet_of(match), side=0, replaces="Ann", name=cid.name, from_deal=3)
    again = program.record("one", {"hands": [{"kind": "dead"}]}, points("Ann", 5))
    assert again.content == first.content
    assert code_of(program.record("two", points("Ann", 5))) == (422, "not_seated")
    assert program.record("two", points("Cid", 5)).json()["first"] == 3
    # Who sits where is part of what is read: the version alone would not tell.
    assert program.get().headers["ETag"].startswith('"2.')
    assert (
        program.record("three", points("Cid", 6), If_Match=program.get().headers["ETag"]).status_code == 201
    )


@pytest.mark.parametrize("header", ['"1"', "1", 'W/"1"', '"0", "1"', "*", '"1.abc"'])
def test_version_that_was_read_may_be_named(program: Program, header: str) -> None:
    program.record("one", points("Ann", 5))
    assert program.record("two", points("Ann", 5), If_Match=header).status_code == 201


@pytest.mark.parametrize("header", ['"0"', "0", '"2"', '"abc"', "abc", '""', '"-1"', "99999999999999999999"])
def test_other_version_is_refused(program: Program, header: str) -> None:
    program.record("one", points("Ann", 5))
    with nothing_changed():
        assert code_of(program.record("two", points("Ann", 5), If_Match=header)) == (412, "stale_version")


def test_time_is_called(program: Program) -> None:
    response = program.post("deals/", {"deals": [KNOCK], "stopped": True}, Idempotency_Key="one")
    assert response.json()["status"] == "stopped"
    assert program.get().json()["stopped"] is True
    assert code_of(program.record("two", points("Ann", 5))) == (422, "sheet_stopped")


@pytest.mark.parametrize(
    ("body", "status", "code", "place"),
    [
        ({}, 422, "nothing_to_record", (None, None, "deals")),
        ({"deals": []}, 422, "nothing_to_record", (None, None, "deals")),
        ({"deals": {}}, 422, "wrong_type", (None, None, "deals")),
        ({"deals": [None]}, 422, "nothing_to_record", (None, None, "deals")),
        ({"deals": ["d"]}, 422, "wrong_type", (1, None, "deals")),
        ({"deals": [KNOCK], "stopped": "yes"}, 422, "wrong_type", (None, None, "stopped")),
        ({"deals": [KNOCK], "version": 0}, 422, "unknown_field", (None, None, "version")),
        ({"deals": [KNOCK], "sheet": 1}, 422, "unknown_field", (None, None, "sheet")),
        ([KNOCK], 422, "wrong_type", (None, None, None)),
        ({"deals": [KNOCK, points("Cid", 1)]}, 422, "unknown_player", (2, 1, "winner")),
        ({"deals": [KNOCK, points("Ann", 10_000)]}, 422, "out_of_range", (2, 1, "points")),
        (
            {"deals": [{"hands": [{**KNOCK["hands"][0], "knocker_deadwood": 11}]}]},
            422,
            "illegal_knock",
            (1, 1, "knocker_deadwood"),
        ),
        ({"deals": [points("Ann", 200), points("Ann", 1)]}, 422, "sheet_finished", (2, None, None)),
        ({"deals": [{"line": {"winner": "Ann", "points": 1}}]}, 422, "not_a_team_sheet", (1, None, "line")),
        ({"deals": [{"hands": []}]}, 422, "wrong_hand_count", (1, None, "hands")),
    ],
)
def test_bad_content_is_refused_by_place(
    program: Program, body: Any, status: int, code: str, place: tuple[Any, ...]
) -> None:
    with nothing_changed():
        response = program.post("deals/", body, Idempotency_Key="one")
    assert code_of(response) == (status, code)
    problem = response.json()
    assert (problem["deal"], problem["hand"], problem["field"]) == place


@pytest.mark.parametrize(
    ("key", "status", "code"),
    [
        ("", 400, "key_missing"),
        (None, 400, "key_missing"),
        ("k" * 201, 422, "wrong_key"),
        ("k\x7f", 422, "wrong_text"),
    ],
)
def test_bad_key_is_refused(program: Program, key: str | None, status: int, code: str) -> None:
    headers = {} if key is None else {"Idempotency_Key": key}
    with nothing_changed():
        assert code_of(program.post("deals/", {"deals": [KNOCK]}, **headers)) == (status, code)


@pytest.mark.parametrize(
    ("body", "content_type", "status"),
    [
        (b"{", "application/json", 400),
        (b"\xff", "application/json", 400),
        (b'{"deals": ' + b"[" * 100_000, "application/json", 400),
        (b" " * 2_500_001, "application/json", 413),
        (b"deals=1", "application/x-www-form-urlencoded", 415),
    ],
)
def test_what_cannot_be_read_is_refused(
    program: Program, body: bytes, content_type: str, status: int
) -> None:
    with nothing_changed():
        response = program.client.post(
            f"{program.address}deals/", body, content_type=content_type, headers={"Idempotency-Key": "one"}
        )
    assert response.status_code == status
    assert response.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("depth", [100, 500, 800, 900, 920, 940, 960, 980])
def test_deep_nesting_is_refused_wherever_it_is_found(program: Program, depth: int) -> None:
    body = '{"deals": ' + "[" * depth + "]" * depth + "}"
    response = program.post("deals/", body, Idempotency_Key="one")
    assert code_of(response) in ((400, "not_json"), (422, "wrong_type"))


# Who may


def test_nobody_records_without_saying_who_he_is(program: Program) -> None:
    for client in (Client(), Client(headers={"Authorization": "Token gin_nothing"})):
        with nothing_changed():
            response = client.post(f"{program.address}deals/", {}, content_type="application/json")
        assert response.status_code == 401
        assert "Token" in response.headers["WWW-Authenticate"]


@pytest.mark.dear("asks for a sheet in every way there is")
def test_sheet_of_a_private_club_is_not_there_for_others(program: Program) -> None:
    stranger = UserFactory.create(club=ClubFactory.create(), role=Role.OWNER)
    client = logged_in(stranger)
    unknown = program.address.replace(sheet_of(program.match).code, "zzzzzzzzzz")
    for what in ("", "deals/", "deals/1/", "corrections/", "signatures/", "disputes/"):
        assert client.get(f"{program.address}{what}").json() == client.get(f"{unknown}{what}").json()
        assert client.get(f"{program.address}{what}").status_code == 404
    for what in ("deals/", "corrections/", "signatures/", "disputes/", "disputes/1/settlement/"):
        bodies: list[Any] = [{}, {"deals": [KNOCK]}, [], {"what": 1}]
        for body in bodies:
            answers = []
            for address in (program.address, unknown):
                with nothing_changed():
                    answer = client.post(
                        f"{address}{what}", body, content_type="application/json", headers={"If-Match": "9"}
                    )
                answers.append((answer.status_code, answer.json()))
            assert answers[0] == answers[1]
            assert answers[0][0] == 404


def test_who_may_see_and_not_record_is_told_so(match: Match, program: Program) -> None:
    member = Program(match, UserFactory.create(club=match.event.club, role=Role.MEMBER))
    reader = Program(match, program.user, scope=TokenScope.READ)
    for other in (member, reader):
        assert other.get().status_code == 200
        with nothing_changed():
            assert code_of(other.record("one", KNOCK)) == (403, "not_allowed")
            assert code_of(other.post("corrections/", {"reason": "so"})) == (403, "not_allowed")


def test_finished_event_takes_no_deals(program: Program, match: Match) -> None:
    type(match.event).objects.filter(pk=match.event_id).update(state=EventState.FINISHED)
    with nothing_changed():
        assert code_of(program.record("one", KNOCK)) == (403, "not_allowed")


def test_session_needs_the_csrf_token(match: Match) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(UserFactory.create(club=match.event.club, role=Role.SCOREKEEPER))
    address = f"/api/v1/sheets/{sheet_of(match).code}/deals/"
    with nothing_changed():
        refused = browser.post(
            address, {"deals": [KNOCK]}, content_type="application/json", headers={"Idempotency-Key": "1"}
        )
    assert refused.status_code == 403


# Corrections


def test_correction_is_recorded_and_told(program: Program, match: Match) -> None:
    program.record("one", points("Ann", 5), points("Bob", 7), points("Ann", 9))
    body = {"deals": {"1": KNOCK, "2": None, "4": points("Bob", 3)}, "reason": "Read wrongly"}
    first = program.post("corrections/", body, If_Match='"1"', Idempotency_Key="mend")
    assert (first.status_code, first.headers["ETag"]) == (201, '"2"')
    assert (first.json()["first"], first.json()["count"]) == (1, 3)
    again = program.post("corrections/", body, If_Match='"1"', Idempotency_Key="mend")
    assert (again.status_code, again.content) == (201, first.content)
    assert_derived(sheet_of(match))

    (told,) = program.get("corrections/").json()["results"]
    assert (told["sheet_version"], told["reason"], told["stopped"]) == (2, "Read wrongly", False)
    assert told["at"].endswith("Z")
    assert [(deal["number"], deal["version"]) for deal in told["deals"]] == [(1, 2), (2, 2), (4, 1)]
    five = {"hands": [{"kind": "points", "winner": "Ann", "loser": "Bob", "points": 5}]}
    assert told["deals"][0]["before"] == five
    assert (told["deals"][1]["after"], told["deals"][2]["before"]) == (None, None)

    deals = program.get("deals/").json()["results"]
    assert [(deal["number"], deal["version"], deal["deal"] is None) for deal in deals] == [
        (1, 2, False),
        (2, 2, True),
        (3, 1, False),
        (4, 1, False),
    ]
    versions = program.get("deals/1/").json()["versions"]
    assert [version["reason"] for version in versions] == ["", "Read wrongly"]
    # What is read of a deal is what would be sent to bring it back.
    back = {"deals": {"1": versions[0]["deal"]}, "reason": "As it was"}
    assert program.post("corrections/", back).status_code == 201
    assert program.get("deals/1/").json()["versions"][2]["deal"] == five


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"deals": {"1": KNOCK}}, 422, "reason_missing"),
        ({"deals": {"1": KNOCK}, "reason": " "}, 422, "reason_missing"),
        ({"deals": {"1": KNOCK}, "reason": 5}, 422, "wrong_type"),
        ({"deals": {"1": KNOCK}, "reason": "x" * 301}, 422, "too_long"),
        ({"deals": {"1": KNOCK}, "reason": "a\x00b"}, 422, "wrong_text"),
        ({"deals": [KNOCK], "reason": "so"}, 422, "wrong_type"),
        ({"deals": {}, "reason": "so"}, 422, "nothing_changed"),
        ({"reason": "so"}, 422, "nothing_changed"),
        ({"deals": {"1": points("Ann", 5)}, "reason": "so"}, 422, "nothing_changed"),
        ({"deals": {"3": KNOCK}, "reason": "so"}, 422, "unknown_deal"),
        ({"deals": {"2": None}, "reason": "so"}, 422, "unknown_deal"),
        ({"deals": {"0": KNOCK}, "reason": "so"}, 422, "unknown_deal"),
        ({"deals": {"-1": KNOCK}, "reason": "so"}, 422, "unknown_deal"),
        ({"deals": {"01": KNOCK}, "reason": "so"}, 422, "unknown_deal"),
        ({"deals": {"٣": KNOCK}, "reason": "so"}, 422, "unknown_deal"),
        ({"deals": {"": KNOCK}, "reason": "so"}, 422, "unknown_deal"),
        ({"deals": {"9" * 30: KNOCK}, "reason": "so"}, 422, "unknown_deal"),
        ({"deals": {"1": KNOCK}, "reason": "so", "stopped": 1}, 422, "wrong_type"),
        ({"deals": {"1": KNOCK}, "reason": "so", "paper": {}}, 422, "unknown_field"),
    ],
)
def test_bad_correction_is_refused(program: Program, body: Any, status: int, code: str) -> None:
    program.record("one", points("Ann", 5))
    with nothing_changed():
        assert code_of(program.post("corrections/", body)) == (status, code)


# Read


def test_sheet_is_read_as_the_scorer_says(program: Program, match: Match) -> None:
    program.record("one", KNOCK, {"hands": [{"kind": "gin", "knocker": "Bob", "defender_deadwood": 31}]})
    sheet = program.get().json()
    assert (sheet["code"], sheet["version"], sheet["club"]) == (sheet_of(match).code, 1, "harbour")
    assert (sheet["event"], sheet["match"]) == (match.event.code, match.code)
    sent = {
        "rules": sheet["rules"],
        "sides": sheet["sides"],
        "deals": [deal["deal"] for deal in program.get("deals/").json()["results"]],
    }
    scored = Client().post("/api/v1/score/", json.dumps(sent), content_type="application/json").json()
    assert {name: sheet[name] for name in scored} == scored


def test_sheet_that_was_read_is_not_sent_again(program: Program) -> None:
    etag = program.get().headers["ETag"]
    again = program.get(If_None_Match=etag)
    assert (again.status_code, again.content) == (304, b"")
    program.record("one", KNOCK)
    assert program.get(If_None_Match=etag).status_code == 200


@pytest.mark.parametrize("what", ["deals/0/", "deals/1/", "deals/501/", f"deals/{10**30}/"])
def test_deal_that_is_not_there_is_404(program: Program, what: str) -> None:
    assert program.get(what).status_code == 404
