"""What a program sends again is answered as before, whatever became of the event; nothing new is taken."""

from typing import Any

import pytest

from league.events.event_life import archive_event, finish_event
from league.models import Event, EventState, Match
from tests.api.programs import (
    Program,
    code_of,
    nothing_changed,
    points,
    scorekeepers_program,
)
from tests.factories import OPERATOR, sheet_of
from tests.kept import assert_derived

pytestmark = pytest.mark.django_db

DEALS = (points("Ann", 40), points("Bob", 30))
MENDED = {"deals": {"2": points("Bob", 31)}, "reason": "31 on the paper"}
STATES = [EventState.FINISHED, EventState.ARCHIVED]


def send_batch(program: Program, *entries: Any) -> Any:
    return program.client.post("/api/v1/batches/", {"entries": entries}, content_type="application/json")


def entry(match: Match, key: str, *deals: Any) -> dict[str, Any]:
    return {"sheet": sheet_of(match).code, "key": key, "deals": list(deals)}


def end(event: Event, state: EventState) -> None:
    """The event is over, as a director ends it."""
    event = finish_event(actor=OPERATOR, event=event, despite_unfinished=True)
    if state is EventState.ARCHIVED:
        event = archive_event(actor=OPERATOR, event=event)
    assert event.state == state


@pytest.mark.parametrize("state", STATES)
def test_deals_sent_again_after_the_event_are_answered_as_before(
    program: Program, match: Match, state: EventState
) -> None:
    first = program.record("one", *DEALS, If_Match='"0"')
    assert first.status_code == 201
    another = scorekeepers_program(match)
    end(match.event, state)
    with nothing_changed():
        again = program.record("one", *DEALS, If_Match='"0"')
        assert (again.status_code, again.content) == (201, first.content)
        assert again.headers["ETag"] == first.headers["ETag"]
        assert code_of(program.record("one", points("Ann", 41))) == (422, "key_reused")
        assert code_of(program.record("two", points("Ann", 5))) == (403, "not_allowed")
        assert code_of(program.record("two", points("Ann", 5), If_Match='"1"')) == (403, "not_allowed")
        assert code_of(another.record("one", *DEALS)) == (403, "not_allowed")


@pytest.mark.parametrize("state", STATES)
def test_correction_sent_again_after_the_event_is_answered_as_before(
    program: Program, match: Match, state: EventState
) -> None:
    program.record("one", *DEALS)
    first = program.post("corrections/", MENDED, Idempotency_Key="mend", If_Match='"1"')
    assert first.status_code == 201
    end(match.event, state)
    other = {"deals": {"1": points("Ann", 41)}, "reason": "41"}
    with nothing_changed():
        again = program.post("corrections/", MENDED, Idempotency_Key="mend", If_Match='"1"')
        assert (again.status_code, again.content) == (201, first.content)
        reused = program.post("corrections/", other, Idempotency_Key="mend")
        assert code_of(reused) == (422, "key_reused")
    new = program.post("corrections/", other, Idempotency_Key="mend again")
    if state is EventState.ARCHIVED:
        assert code_of(new) == (403, "not_allowed")
        assert assert_derived(sheet_of(match)).version == 2
    else:
        # What was recorded wrongly is corrected until the event is archived.
        assert (new.status_code, new.json()["version"]) == (201, 3)


def test_batch_sent_again_after_the_event_is_answered_as_before(program: Program, match: Match) -> None:
    entries = [entry(match, "1", DEALS[0]), entry(match, "2", DEALS[1])]
    first = send_batch(program, *entries)
    end(match.event, EventState.FINISHED)
    with nothing_changed():
        assert send_batch(program, *entries).content == first.content
        outcomes = send_batch(program, *entries, entry(match, "3", DEALS[0])).json()["outcomes"]
    assert outcomes[:2] == first.json()["outcomes"]
    assert (outcomes[2]["status"], outcomes[2]["problem"]["code"]) == (403, "not_allowed")


def test_what_comes_twice_in_one_batch_is_recorded_once(program: Program, match: Match) -> None:
    twice = entry(match, "1", *DEALS)
    outcomes = send_batch(program, twice, twice, entry(match, "2", DEALS[0]), twice).json()["outcomes"]
    assert [outcome["status"] for outcome in outcomes] == [201] * 4
    assert outcomes[0] == outcomes[1] == outcomes[3]
    assert [outcome["receipt"]["first"] for outcome in outcomes] == [1, 1, 3, 1]
    assert assert_derived(sheet_of(match)).deal_count == 3


def test_key_that_comes_twice_in_one_batch_with_other_deals_ends_its_sheet(
    program: Program, match: Match
) -> None:
    outcomes = send_batch(
        program,
        entry(match, "1", points("Ann", 1)),
        entry(match, "1", points("Ann", 2)),
        entry(match, "2", points("Ann", 3)),
        entry(match, "1", points("Ann", 1)),
    ).json()["outcomes"]
    assert [outcome["status"] for outcome in outcomes] == [201, 422, 424, 201]
    assert outcomes[1]["problem"]["code"] == "key_reused"
    assert outcomes[3] == outcomes[0]
    assert sheet_of(match).deal_versions.count() == 1


def test_key_of_somebody_else_is_no_repetition_in_a_batch(program: Program, match: Match) -> None:
    """What another program recorded under the same key does not stand for what was refused here."""
    scorekeepers_program(match).record("2", points("Ann", 9))
    outcomes = send_batch(
        program, entry(match, "1", points("Nobody", 1)), entry(match, "2", points("Ann", 9))
    ).json()["outcomes"]
    assert [outcome["status"] for outcome in outcomes] == [422, 424]
    assert sheet_of(match).deal_versions.count() == 1
