"""A bot that weighs samples at a table of members: a worker thinks for it, and one answer is carried out."""

import datetime
import random
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from games.bots import house_bot
from games.errors import GameError
from games.models import TableMatch
from games.services import (
    act,
    ask_bots_again,
    ask_pause,
    end_table,
    open_table,
    table_state,
    think_at_table,
    thinking,
    wait_for_seat,
)
from games.tables.clocks import PRESETS
from games.tables.members import play_turn
from games.tasks import think_at_table as task
from scoring.core.actors import Actor
from scoring.services.records import kept_sheet
from tests.clients import logged_in
from tests.factories import OPERATOR
from tests.games.bot_matches import blank_sheet
from tests.games.member_tables import hand_in_play, hand_of, member, table
from tests.refusals import refuses
from tests.tasks import run_tasks

pytestmark = pytest.mark.django_db

EXPERT = house_bot("expert", 1, samples=1)


def as_it_is(match: TableMatch) -> TableMatch:
    return TableMatch.objects.get(pk=match.pk)


def until_it_thinks(
    match: TableMatch, ann: Actor, chances: random.Random, *, hands: int = 1000
) -> TableMatch:
    """Ann acts by chance until the bot is to move or so many hands are over, and ends a hand when she can."""
    while (now := as_it_is(match)).bot_asked_at is None and match.hands.filter(is_over=True).count() < hands:
        legal = table_state(actor=ann, match=now, seat=0)["hand"]["legal"]
        endings = [action for action in legal if action.split()[0] in ("knock", "gin", "big_gin", "lay_off")]
        action = chances.choice(endings or legal)
        act(actor=ann, match=now, seat=0, version=now.version, action=action, key=f"key {now.version}")
    return now


def meanwhile(monkeypatch: pytest.MonkeyPatch, what: Callable[[], object]) -> list[Any]:
    """Does this once while a bot thinks; the list gets the savepoints that were open then."""
    think, open_then = play_turn, list[Any]()

    def watched(*asked: Any) -> None:
        think(*asked)
        if not open_then:
            open_then.append(list(connection.savepoint_ids))
            what()

    monkeypatch.setattr(thinking, "play_turn", watched)
    return open_then


def test_a_worker_plays_its_turns_and_the_hands_are_those_of_their_packs() -> None:
    ann, chances = member(), random.Random(3)
    match = table(ann, EXPERT, target=10_000)
    while match.hands.filter(is_over=True).count() < 2:
        waits = until_it_thinks(match, ann, chances)
        before = hand_in_play(waits)
        assert (before.turn, table_state(actor=ann, match=waits, seat=0)["hand"]["turn"]) == (1, 1)
        think_at_table(match.pk)
        after = as_it_is(match)
        # The turn is one step, also where it is a draw and a discard.
        assert after.version == waits.version + 1
        if after.bot_asked_at is None:
            think_at_table(match.pk)
            assert as_it_is(match).version == after.version
    over = list(match.hands.filter(is_over=True))
    recorded = [hand for deal in kept_sheet(as_it_is(match).sheet).deals for hand in deal.hands]
    assert [result for hand in over for result in hand_of(match, hand, hand.pack).results] == recorded


def test_nothing_is_locked_while_it_thinks_and_of_two_workers_one_acts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ann = member()
    match = until_it_thinks(table(ann, EXPERT, target=10_000), ann, random.Random(4))
    opened = meanwhile(monkeypatch, lambda: think_at_table(match.pk))
    think_at_table(match.pk)
    # Only what the test itself has opened: the two workers had nothing open while they thought.
    assert opened == [[]]
    assert as_it_is(match).version == match.version + 1


def test_an_answer_that_comes_after_the_end_of_play_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    ann = member()
    match = until_it_thinks(table(ann, EXPERT, target=10_000), ann, random.Random(5))
    meanwhile(monkeypatch, lambda: end_table(actor=ann, match=match))
    think_at_table(match.pk)
    ended = as_it_is(match)
    assert (ended.is_live, ended.version, ended.bot_asked_at) == (False, match.version + 1, None)
    assert not match.hands.exists()


def test_a_worker_is_called_on_commit_and_again_for_a_turn_that_nobody_played(
    django_capture_on_commit_callbacks: Any,
) -> None:
    ann = member()
    with django_capture_on_commit_callbacks(execute=True):
        match = until_it_thinks(table(ann, EXPERT, target=10_000), ann, random.Random(6))
    asked = as_it_is(match).bot_asked_at
    assert asked is not None
    lapsed = asked + datetime.timedelta(seconds=settings.BOT_MOVE_SECONDS + 1)
    # The message that a dead worker took with it.
    with task.app.connection_for_read() as broker, broker.SimpleQueue("bots") as queue:
        queue.get(block=False).ack()
    ask_bots_again(lapsed - datetime.timedelta(seconds=2))
    assert run_tasks(task, "bots") == 0
    ask_bots_again(lapsed)
    ask_bots_again(lapsed)
    assert run_tasks(task, "bots") == 1
    assert as_it_is(match).version == match.version + 1


@pytest.mark.parametrize("took", [0.0, 0.125, 0.75, 1.0])
def test_whatever_there_is_to_weigh_it_answers_after_the_same_time(
    monkeypatch: pytest.MonkeyPatch, settings: Any, took: float
) -> None:
    """So that nobody sees from it in which turns there was something to choose."""
    settings.BOT_ANSWER_SECONDS = 1.0
    ann = member()
    match = until_it_thinks(table(ann, EXPERT, target=10_000), ann, random.Random(8))
    passed = [0.0]

    def think(*arguments: Any) -> Any:
        passed.append(took)
        return play_turn(*arguments)

    def wait(seconds: float) -> None:
        assert as_it_is(match).version == match.version
        passed.append(seconds)

    monkeypatch.setattr(thinking, "play_turn", think)
    monkeypatch.setattr(thinking, "time", SimpleNamespace(monotonic=lambda: sum(passed), sleep=wait))
    think_at_table(match.pk)
    assert sum(passed) == 1
    assert as_it_is(match).version == match.version + 1


def test_its_thinking_takes_nobodys_time_and_the_members_clock_runs_from_its_answer() -> None:
    ann = member()
    opened = open_table(sheet=blank_sheet(), seats={0: ann, 1: EXPERT}, clock=PRESETS["correspondence"])
    match = until_it_thinks(opened, ann, random.Random(7))
    assert (match.turn_since, match.deadline) == (None, None)
    with refuses(GameError, "no_clock"):
        ask_pause(actor=ann, match=match, seat=0)
    before = timezone.now()
    while as_it_is(match).bot_asked_at is not None:
        think_at_table(match.pk)
    after = as_it_is(match)
    assert after.turn_since is not None
    assert after.deadline is not None
    assert after.turn_since >= before
    assert after.deadline - after.turn_since == datetime.timedelta(days=3)


def test_the_page_says_that_it_thinks_and_asks_more_often() -> None:
    ann = member()
    match = until_it_thinks(table(ann, EXPERT, target=10_000), ann, random.Random(8))
    client = logged_in(get_user_model().objects.get(pk=ann.id))
    page = client.get(reverse("play_table", args=[match.code])).content.decode()
    assert "Bob is thinking" in page
    assert "every 1s" in page
    assert "level 1" in page


@pytest.mark.parametrize("what", ["play_live", "api"])
def test_a_turn_that_is_played_while_the_table_is_read_is_told_whole(what: str) -> None:
    """Its hand and its version: else whoever goes on at once is told to look again."""
    ann = member()
    match = until_it_thinks(table(ann, EXPERT, target=10_000), ann, random.Random(8))
    waiting = [match.pk]

    def answer_before(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if 'FROM "games_tablehand"' in sql and waiting:
            think_at_table(waiting.pop())
        return execute(sql, params, many, context)

    with connection.execute_wrapper(answer_before):
        if what == "api":
            told = table_state(actor=ann, match=match, seat=0)
            shown = (told["version"], told["turn"])
        else:
            client = logged_in(get_user_model().objects.get(pk=ann.id))
            page = client.get(reverse("play_live", args=[match.code])).text
            (version,) = set(re.findall(r'name="version" value="(\d+)"', page))
            shown = (int(version), 0 if 'data-turn="own"' in page else 1)
    assert waiting == []
    assert shown == (match.version + 1, 0)
    assert as_it_is(match).version == match.version + 1


def test_who_comes_while_it_thinks_has_its_seat_with_the_next_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it has thought of is carried out, the hand is its own to the end, and then nobody thinks."""
    ann, bob, chances = member(), member(), random.Random(5)
    match = table(ann, EXPERT, target=10_000, knock_limit=98)
    meanwhile(monkeypatch, lambda: wait_for_seat(actor=bob, match=match, seat=1))
    waits = until_it_thinks(match, ann, chances)
    think_at_table(match.pk)
    assert as_it_is(match).version == waits.version + 1
    deal = match.hands.get(is_over=False).deal
    while match.hands.filter(is_over=True).count() < deal:
        until_it_thinks(match, ann, chances, hands=deal)
        think_at_table(match.pk)
    chair = match.seats.get(number=1)
    assert (chair.account_id, chair.bot, chair.arrived) == (int(bob.id), None, None)
    assert chair.sat_in == EXPERT.to_document() | {"until": deal}
    assert as_it_is(match).bot_asked_at is None
    told = table_state(actor=bob, match=as_it_is(match), seat=1)
    assert told["deal"] == deal + 1
    assert told["hand"] is not None
    with refuses(GameError, "unknown_seat"):
        wait_for_seat(actor=bob, match=match, seat=1)
    end_table(actor=OPERATOR, match=match)
    with refuses(GameError, "table_over"):
        wait_for_seat(actor=bob, match=match, seat=1)
