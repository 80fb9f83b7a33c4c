"""`POST /api/v1/batches/`: deals of several sheets, each entry with an outcome of its own."""

import errno
from typing import Any

import pytest

from league.models import Match
from scoring.models import Scoresheet
from scoring.signals import sheet_changed
from tests.api.programs import Program, points, scorekeepers_program
from tests.factories import ClubFactory, EventFactory, MatchFactory, sheet_of
from tests.kept import assert_derived

pytestmark = pytest.mark.django_db


@pytest.fixture
def second(match: Match) -> Match:
    return MatchFactory.create(event=match.event)


def send(program: Program, *entries: Any) -> Any:
    return program.client.post("/api/v1/batches/", {"entries": entries}, content_type="application/json")


def entry(match: Match, key: str, *deals: Any, **more: Any) -> dict[str, Any]:
    return {"sheet": sheet_of(match).code, "key": key, "deals": list(deals), **more}


def won(match: Match, figure: int) -> dict[str, Any]:
    return points(match.entry_a.name, figure)


def test_deals_of_two_tables_are_recorded(program: Program, match: Match, second: Match) -> None:
    entries = [
        entry(match, "1", won(match, 1), won(match, 2)),
        entry(second, "1", won(second, 3), version=0),
        entry(match, "2", won(match, 4), version=1, stopped=True),
    ]
    response = send(program, *entries)
    assert response.status_code == 200
    outcomes = response.json()["outcomes"]
    assert [(outcome["status"], outcome["receipt"]["first"]) for outcome in outcomes] == [
        (201, 1),
        (201, 1),
        (201, 3),
    ]
    assert outcomes[2]["receipt"]["status"] == "stopped"
    for each in (match, second):
        assert_derived(sheet_of(each))
    # The reply was lost: the same is answered, and nothing is recorded.
    again = send(program, *entries)
    assert again.content == response.content
    assert (sheet_of(match).deal_versions.count(), sheet_of(second).deal_versions.count()) == (3, 1)


def test_refused_entry_is_answered_as_a_request_of_its_own(
    program: Program, match: Match, second: Match
) -> None:
    private = MatchFactory.create(event=EventFactory.create(club=ClubFactory.create(is_public=False)))
    public = MatchFactory.create(event=EventFactory.create())
    thirds = [MatchFactory.create(event=match.event) for _ in range(7)]
    entries = [
        entry(match, "1", won(match, 1), points("Nobody", 2)),
        entry(second, "1", won(second, 3), version=5),
        entry(private, "1", won(private, 1)),
        entry(public, "1", won(public, 1)),
        {**entry(match, "1"), "sheet": "zzzzzzzzzz"},
        {**entry(match, "1"), "sheet": 7},
        {"sheet": sheet_of(thirds[0]).code, "deals": []},
        "nothing",
        entry(thirds[1], "1", won(thirds[1], 1), version="0"),
        entry(thirds[2], "", won(thirds[2], 1)),
        entry(thirds[3], "1"),
        {**entry(thirds[4], "1"), "deals": {}},
        entry(thirds[5], "1", won(thirds[5], 1), stopped=None),
        entry(thirds[6], "1", won(thirds[6], 1), paper={}),
    ]
    outcomes = send(program, *entries).json()["outcomes"]
    told = [(outcome["status"], outcome.get("problem", {}).get("code")) for outcome in outcomes]
    assert told == [
        (422, "unknown_player"),
        (412, "stale_version"),
        (404, "not_found"),
        (403, "not_allowed"),
        (404, "not_found"),
        (422, "wrong_type"),
        (422, "missing_field"),
        (422, "wrong_type"),
        (422, "wrong_type"),
        (422, "wrong_key"),
        (422, "nothing_to_record"),
        (422, "wrong_type"),
        (201, None),
        (422, "unknown_field"),
    ]
    assert (outcomes[0]["problem"]["deal"], outcomes[0]["problem"]["hand"]) == (2, 1)
    assert [outcome["sheet"] for outcome in outcomes[:5]] == [sent["sheet"] for sent in entries[:5]]  # type: ignore[index]
    # All deals of an entry or none.
    assert sheet_of(match).deal_versions.count() == 0


def test_no_deal_takes_the_place_of_one_that_was_refused(
    program: Program, match: Match, second: Match
) -> None:
    send(program, entry(match, "0", won(match, 9)))
    outcomes = send(
        program,
        entry(match, "1", points("Nobody", 1)),
        entry(match, "2", won(match, 2)),
        entry(second, "1", won(second, 3)),
        entry(match, "0", won(match, 9)),
    ).json()["outcomes"]
    assert [outcome["status"] for outcome in outcomes] == [422, 424, 201, 201]
    assert outcomes[1]["problem"]["code"] == "earlier_refused"
    # The last was recorded before, and is answered as it was.
    assert outcomes[3]["receipt"]["first"] == 1
    assert sheet_of(match).deal_versions.count() == 1


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "nothing_to_record"),
        ({"entries": []}, "nothing_to_record"),
        ({"entries": {}}, "wrong_type"),
        ({"deals": []}, "unknown_field"),
        ([], "wrong_type"),
        ({"entries": [{}] * 201}, "too_many_deals"),
        ({"entries": [{"deals": [None] * 100}, {"deals": [None] * 101}]}, "too_many_deals"),
    ],
)
def test_batch_is_refused_as_a_whole(program: Program, body: Any, code: str) -> None:
    response = program.client.post("/api/v1/batches/", body, content_type="application/json")
    assert (response.status_code, response.json()["code"]) == (422, code)


@pytest.mark.dear("records two hundred deals")
def test_two_hundred_deals_are_taken(program: Program, match: Match) -> None:
    long = MatchFactory.create(event=EventFactory.create(club=match.event.club))
    keeper = scorekeepers_program(long)
    outcomes = send(keeper, *[entry(long, str(n), won(long, 0)) for n in range(200)]).json()["outcomes"]
    assert [outcome["receipt"]["first"] for outcome in outcomes] == list(range(1, 201))


def test_nobody_sends_a_batch_without_saying_who_he_is(program: Program, match: Match) -> None:
    response = type(program.client)().post(
        "/api/v1/batches/", {"entries": [entry(match, "1")]}, content_type="application/json"
    )
    assert response.status_code == 401


@pytest.mark.parametrize(
    ("fault", "status", "code", "then"),
    [
        (RuntimeError("not thought of"), 500, "internal_error", 201),
        (OSError(errno.ENOSPC, "disk full"), 503, "unavailable", 503),
    ],
)
def test_batch_that_stops_in_the_middle_tells_what_was_recorded(
    program: Program, match: Match, second: Match, fault: Exception, status: int, code: str, then: int
) -> None:
    third = MatchFactory.create(event=match.event)
    failing = sheet_of(second)

    def fail(sheet: Scoresheet, **told: Any) -> None:
        if sheet == failing:
            raise fault

    entries = [entry(each, "1", won(each, 5)) for each in (match, second, third)]
    sheet_changed.connect(fail)
    try:
        response = send(program, *entries)
    finally:
        sheet_changed.disconnect(fail)
    assert response.status_code == 200
    outcomes = response.json()["outcomes"]
    assert [outcome["status"] for outcome in outcomes] == [201, status, then]
    assert [outcome["sheet"] for outcome in outcomes] == [one["sheet"] for one in entries]
    assert outcomes[1]["problem"]["code"] == code
    assert ("instance" in outcomes[1]["problem"]) == (status == 500)
    recorded = [sheet_of(each).deal_versions.count() for each in (match, second, third)]
    assert recorded == [1, 0, int(then == 201)]
    # All is recorded once when the same is sent again.
    again = send(program, *entries).json()["outcomes"]
    assert [outcome["status"] for outcome in again] == [201] * 3
    assert [sheet_of(each).deal_versions.count() for each in (match, second, third)] == [1, 1, 1]
