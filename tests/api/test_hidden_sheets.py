"""A sheet that one may not see is not there for who writes, of one's own club too; once seen, it says 403."""

from typing import Any

import pytest

from league.draws.releasing import release_round
from league.models import Event, EventState, Match, Role, Round, RoundState
from tests.api.programs import Program, code_of, nothing_changed, points
from tests.factories import OPERATOR, UserFactory, play, sheet_of

pytestmark = pytest.mark.django_db

WRITES: tuple[tuple[str, Any], ...] = (
    ("deals/", {"deals": [points("Ann", 5)]}),
    ("corrections/", {"deals": {"1": points("Bob", 6)}, "reason": "so"}),
    ("signatures/", {}),
    ("disputes/", {"sentence": "No."}),
    ("disputes/1/settlement/", {"reason": "so"}),
)


@pytest.fixture
def member(match: Match) -> Program:
    """Of a member who does not sit there."""
    return Program(match, UserFactory.create(club=match.event.club, role=Role.MEMBER))


def told(program: Program, code: str) -> list[tuple[int, str]]:
    """What each way of writing on the sheet is answered with, in a batch too."""
    address = program.address.replace(sheet_of(program.match).code, code)
    answers = []
    for what, body in WRITES:
        answer = program.client.post(
            f"{address}{what}",
            body,
            content_type="application/json",
            headers={"Idempotency-Key": "one", "If-Match": '"7"'},
        )
        answers.append(code_of(answer))
    entries = [{"sheet": code, "key": "one", "deals": [points("Ann", 5)], "version": 7}]
    batch = program.client.post("/api/v1/batches/", {"entries": entries}, content_type="application/json")
    (outcome,) = batch.json()["outcomes"]
    return [*answers, (outcome["status"], outcome["problem"]["code"])]


@pytest.mark.parametrize("why", ["held back", "drafted", "draft"])
def test_hidden_sheet_is_answered_like_none(member: Program, match: Match, why: str) -> None:
    play(match, 40)
    if why == "held back":
        Event.objects.filter(pk=match.event_id).update(holds_results=True)
    elif why == "drafted":
        Round.objects.filter(pk=match.round_id).update(state=RoundState.DRAFTED)
    else:
        Event.objects.filter(pk=match.event_id).update(state=EventState.DRAFT)
    with nothing_changed():
        none = told(member, "zzzzzzzzzz")
        assert none == [(404, "not_found")] * 6
        assert told(member, sheet_of(match).code) == none


def test_sheet_that_is_seen_says_that_one_may_not_write(member: Program, match: Match) -> None:
    Event.objects.filter(pk=match.event_id).update(holds_results=True)
    play(match, 200)
    release_round(actor=OPERATOR, round_=match.round)
    with nothing_changed():
        # There is no dispute to be settled.
        refused = [(403, "not_allowed")] * 4 + [(404, "not_found"), (403, "not_allowed")]
        assert told(member, sheet_of(match).code) == refused
