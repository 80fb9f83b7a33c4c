"""Who holds a bot match: claimed once, kept by signs of life, given back, handed out in measure."""

import datetime
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from games.models import MOST_ATTEMPTS, BotMatch, BotMatchState
from games.services import LeaseLost, beat, cancel_bot_match, claim, end_failed, finish, hand_out, release
from games.services.leases import MOST_HANDED_OUT
from games.tables.play import BotError
from scoring.services import stop_sheet
from tests.factories import OPERATOR
from tests.games.bot_matches import blank_sheet, planned

pytestmark = pytest.mark.django_db

LEASE = datetime.timedelta(seconds=90)
MOMENT = datetime.timedelta(seconds=1)


def silent(match: BotMatch, since: datetime.timedelta) -> None:
    BotMatch.objects.filter(pk=match.pk).update(heartbeat=timezone.now() - since)


def test_match_is_claimed_by_one() -> None:
    match = planned()
    held = claim(match.pk, "one")
    assert held is not None
    assert (held.state, held.owner, held.attempts) == (BotMatchState.PLAYING, "one", 1)
    assert claim(match.pk, "other") is None


def test_match_of_a_silent_worker_is_claimed_by_another_and_lost_to_the_first() -> None:
    match = planned()
    claim(match.pk, "one")
    begun = BotMatch.objects.get(pk=match.pk).started_at
    silent(match, LEASE - 10 * MOMENT)
    assert claim(match.pk, "other") is None
    silent(match, LEASE + MOMENT)
    held = claim(match.pk, "other")
    assert held is not None
    assert (held.owner, held.started_at) == ("other", begun)
    acts: list[Callable[[], object]] = [
        lambda: beat(match, "one"),
        lambda: release(match, "one"),
        lambda: finish(match, "one"),
        lambda: end_failed(match, "one", BotError("Ann", 1, "It sleeps.")),
    ]
    for act in acts:
        with pytest.raises(LeaseLost):
            act()
    match.refresh_from_db()
    assert (match.state, match.owner) == (BotMatchState.PLAYING, "other")


def test_worker_that_is_heard_of_keeps_its_match() -> None:
    match = planned()
    claim(match.pk, "one")
    silent(match, LEASE + MOMENT)
    beat(match, "one")
    assert claim(match.pk, "other") is None


def test_cancelled_match_is_nobodys() -> None:
    match = planned()
    claim(match.pk, "one")
    cancel_bot_match(actor=OPERATOR, match=match, reason="Enough")
    with pytest.raises(LeaseLost):
        beat(match, "one")
    assert claim(match.pk, "other") is None


def test_forfeit_on_a_sheet_that_has_ended_is_none() -> None:
    match = planned()
    claim(match.pk, "one")
    stop_sheet(actor=OPERATOR, sheet=match.sheet)
    end_failed(match, "one", BotError("Ann", 1, "It sleeps."))
    match.refresh_from_db()
    assert (match.state, match.loser_side, match.note) == (
        BotMatchState.CANCELLED,
        None,
        "Time was called on the sheet.",
    )


def test_match_is_handed_out_once_within_the_lease() -> None:
    match, now = planned(), timezone.now()
    assert hand_out(now) == [match.pk]
    assert hand_out(now + LEASE) == []
    assert hand_out(now + LEASE + MOMENT) == [match.pk]


def test_match_being_played_is_handed_out_when_its_worker_is_silent() -> None:
    match, now = planned(), timezone.now()
    hand_out(now)
    claim(match.pk, "one")
    assert hand_out(now + LEASE) == []
    later = timezone.now() + LEASE + MOMENT
    assert hand_out(later) == [match.pk]


def test_match_given_back_is_handed_out_at_once() -> None:
    match = planned()
    hand_out(timezone.now())
    claim(match.pk, "one")
    release(match, "one")
    assert hand_out(timezone.now()) == [match.pk]


def test_matches_due_longest_are_handed_out_first_and_not_all_at_once() -> None:
    now = timezone.now()
    matches = [planned(blank_sheet()) for _ in range(3)]
    for match, minutes in zip(matches, (1, 3, 2), strict=True):
        due_at = now - datetime.timedelta(minutes=minutes)
        BotMatch.objects.filter(pk=match.pk).update(due_at=due_at)
    assert hand_out(now) == [matches[1].pk, matches[2].pk, matches[0].pk]
    later = now + LEASE + MOMENT
    more = [planned() for _ in range(MOST_HANDED_OUT)]
    first, second, third = hand_out(later), hand_out(later), hand_out(later)
    assert (len(first), len(second), third) == (MOST_HANDED_OUT, 3, [])
    assert set(first + second) == {match.pk for match in matches + more}


def test_match_whose_workers_die_one_after_the_other_is_left_alone_with_a_note() -> None:
    match: Any = planned()
    for attempt in range(MOST_ATTEMPTS):
        assert claim(match.pk, str(attempt)) is not None
        silent(match, LEASE + MOMENT)
    assert claim(match.pk, "one more") is None
    assert hand_out(timezone.now()) == []
    match.refresh_from_db()
    assert match.is_left_alone
    assert match.note == "Given up after 8 attempts in which no deal was played."
