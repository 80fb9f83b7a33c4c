"""Several at once with one bot match: one plays it, one plans it, and whoever comes second is told."""

import threading
from functools import partial
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from games.errors import GameError
from games.models import BotMatch, BotMatchState
from games.services import (
    LeaseLost,
    beat,
    cancel_bot_match,
    claim,
    hand_out,
    plan_bot_match,
    play_bot_match,
)
from games.signals import bot_match_ended
from scoring.models import SheetAct
from tests.factories import OPERATOR
from tests.faults.threads import DEADLINE_SECONDS, at_once, until_someone_waits
from tests.games.bot_matches import SEED, blank_sheet, documents, planned, seated
from tests.kept import assert_derived

pytestmark = pytest.mark.django_db(transaction=True)

MANY = 6


def test_one_of_many_claims_a_match() -> None:
    for _ in range(5):
        match = planned()
        held = at_once([partial(claim, match.pk, f"worker {number}") for number in range(MANY)])
        (owner,) = [one.owner for one in held if one is not None]
        match.refresh_from_db()
        assert (match.owner, match.attempts) == (owner, 1)


def test_match_is_handed_out_by_one_of_many_sweeps() -> None:
    matches, now = [planned() for _ in range(5)], timezone.now()
    handed = at_once([lambda: hand_out(now)] * MANY)
    assert sorted(pk for ids in handed for pk in ids) == [match.pk for match in matches]


def test_one_of_many_plans_a_match_for_a_sheet() -> None:
    sheet = blank_sheet()

    def plan() -> str:
        try:
            return plan_bot_match(sheet=sheet, bots=seated(sheet)).state
        except GameError as refusal:
            return refusal.code

    assert sorted(at_once([plan] * MANY)) == ["already_planned"] * (MANY - 1) + ["due"]
    assert BotMatch.objects.get().sheet_id == sheet.pk


def test_workers_that_start_together_play_it_once() -> None:
    undisturbed, match = planned(), planned()
    play_bot_match(undisturbed.pk)
    at_once([lambda: play_bot_match(match.pk)] * 3)
    assert documents(match) == documents(undisturbed)
    assert SheetAct.objects.filter(sheet=match.sheet).count() == len(documents(match)["deals"])
    assert_derived(match.sheet)


def test_match_cancelled_by_two_at_once_is_cancelled_once() -> None:
    match, told = planned(), []

    def hear(match: BotMatch, **more: Any) -> None:
        assert connection.in_atomic_block
        told.append(match.note)

    def cancel(reason: str) -> str:
        try:
            cancel_bot_match(actor=OPERATOR, match=match, reason=reason)
        except GameError as refusal:
            return refusal.code
        return reason

    bot_match_ended.connect(hear)
    try:
        answers = at_once([lambda: cancel("One"), lambda: cancel("Two")])
    finally:
        bot_match_ended.disconnect(hear)
    assert sorted(answers)[1] == "match_over"
    assert told == [f"Cancelled by The tests: {sorted(answers)[0]}"]


def test_cancelled_while_it_is_played_it_stops_at_a_whole_deal() -> None:
    """The cancelling waits for the deal that is being recorded; the worker hears of it at the next one."""
    match = planned(blank_sheet(columns=3), seed=SEED)
    begun = threading.Event()

    def is_stopping() -> bool:
        if match.sheet.deal_versions.count() >= 2:
            begun.set()
        return False

    def cancel() -> None:
        assert begun.wait(DEADLINE_SECONDS)
        cancel_bot_match(actor=OPERATOR, match=match, reason="Enough")

    at_once([lambda: play_bot_match(match.pk, is_stopping=is_stopping), cancel])
    match.refresh_from_db()
    assert match.state in (BotMatchState.CANCELLED, BotMatchState.FINISHED)
    assert match.sheet.deal_count == match.sheet.deal_versions.count() == match.hands.count() >= 2
    assert_derived(match.sheet)


def test_worker_is_refused_by_a_cancelling_it_waited_for() -> None:
    match = planned()
    held = claim(match.pk, "one")
    assert held is not None
    cancelled = threading.Event()
    ready = threading.Event()

    def cancel() -> None:
        with transaction.atomic():
            cancel_bot_match(actor=OPERATOR, match=match, reason="Enough")
            ready.set()
            until_someone_waits(or_done=cancelled)

    def beat_late() -> str:
        assert ready.wait(DEADLINE_SECONDS)
        try:
            beat(held, "one")
        except LeaseLost:
            return "lost"
        finally:
            cancelled.set()
        return "kept"

    assert at_once([cancel, beat_late])[1] == "lost"
