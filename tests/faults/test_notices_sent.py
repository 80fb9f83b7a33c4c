"""Every notice arrives once, whatever becomes of the mail server and of the workers that send."""

import datetime
import functools
import os
import random
import resource
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from league.models import Membership, Notice, NoticeEnd
from league.notices.causes import entries_opened
from league.notices.delivery import deliver
from league.notices.push import key_told
from tests.faults.letters import SITE, Letters, start_sender, waiting
from tests.faults.workers import PATIENCE_SECONDS, Process, database_url, until
from tests.push_service import PushService

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.looks]

KILLS: Final = 5


@pytest.fixture
def letters(settings: Any) -> Iterator[Letters]:
    with Letters() as server:
        settings.SENDS_MAIL, settings.SITE_URL = True, SITE
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
        settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
        settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""
        yield server


def let_pauses_pass() -> None:
    """As if the longest pause after a failure were over."""
    Notice.objects.filter(ended_at=None).update(due_at=timezone.now(), claimed_until=None)


def ends() -> Counter[str]:
    return Counter(Notice.objects.values_list("end", flat=True))


def test_server_that_dies_in_mid_run_and_comes_back_gets_all_once(letters: Letters) -> None:
    waiting(12)
    letters.breaks_after = 5
    assert deliver(seconds=PATIENCE_SECONDS) == 5
    letters.stop()
    let_pauses_pass()
    # Down, it is asked once, and the others are left alone.
    assert deliver(seconds=PATIENCE_SECONDS) == 0
    assert Counter(Notice.objects.values_list("tries", flat=True)) == {0: 11, 2: 1}
    letters.breaks_after = None
    letters.start()
    let_pauses_pass()
    assert deliver(seconds=PATIENCE_SECONDS) == 7
    assert letters.counted() == dict.fromkeys(Notice.objects.values_list("message_id", flat=True), 1)
    assert ends() == {NoticeEnd.SENT: 12}


def test_pauses_after_failures_grow_and_are_told_to_who_watches(letters: Letters) -> None:
    waiting(1)
    letters.refused["u0@example.test"] = "451 4.7.1 Greylisted, come back later"
    client, pauses = Client(), []
    assert client.get("/healthz").json()["mail_waits_seconds"] is not None
    for _attempt in range(9):
        assert deliver(seconds=PATIENCE_SECONDS) == 0
        notice = Notice.objects.get()
        pauses.append(round((notice.due_at - timezone.now()) / datetime.timedelta(minutes=1)))
        let_pauses_pass()
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert notice.answer.startswith("451 ")
    Notice.objects.update(made_at=timezone.now() - datetime.timedelta(hours=2))
    assert 7200 <= client.get("/healthz").json()["mail_waits_seconds"] < 7260
    letters.refused.clear()
    assert deliver(seconds=PATIENCE_SECONDS) == 1
    assert client.get("/healthz").json()["mail_waits_seconds"] is None


def test_address_that_is_refused_for_good_is_given_up(letters: Letters) -> None:
    waiting(3)
    letters.refused["u1@example.test"] = "550 5.1.1 No such mailbox"
    assert deliver(seconds=PATIENCE_SECONDS) == 2
    given_up = Notice.objects.get(user__username="u1")
    assert (given_up.end, given_up.answer) == (NoticeEnd.REFUSED, "550 5.1.1 No such mailbox")
    assert given_up.ended_at is not None
    assert deliver(seconds=PATIENCE_SECONDS) == 0
    assert {str(letter["To"]) for letter in letters.arrived()} == {"u0@example.test", "u2@example.test"}


def test_what_another_worker_holds_is_left_to_it(letters: Letters) -> None:
    waiting(2)
    now = timezone.now()
    held = Notice.objects.filter(user__username="u0")
    held.update(owner="another", claimed_until=now + datetime.timedelta(minutes=1))
    assert deliver(seconds=PATIENCE_SECONDS) == 1
    # It has died, and its lease is over.
    held.update(claimed_until=now - datetime.timedelta(seconds=1))
    assert deliver(seconds=PATIENCE_SECONDS) == 1
    assert ends() == {NoticeEnd.SENT: 2}


@pytest.mark.dear("starts processes that are killed")
def test_workers_killed_at_any_moment_lose_none_and_double_at_most_one_each(
    letters: Letters, tmp_path: Path, long: bool
) -> None:
    """Two workers at once; one of them is killed each time another portion has arrived."""
    count = 1000 if long else 200
    waiting(count)
    lots = random.Random(7)
    marks = sorted(lots.sample(range(count // 20, count * 9 // 10), KILLS))
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("DJANGO_", "GIN_"))}

    def start() -> Process:
        return start_sender(letters, tmp_path, environment | {"DATABASE_URL": database_url()})

    workers = [start(), start()]
    try:
        for number, mark in enumerate(marks):
            until(functools.partial(letters.have_arrived, mark), what=f"{mark} letters")
            workers[number % 2].kill()
            workers[number % 2] = start()
        left = Notice.objects.filter(ended_at=None)
        until(lambda: not left.filter(claimed_until=None).exists(), what="all but what is held")
        for worker in workers:
            worker.kill()
        # Each that was killed held one at most.
        assert left.count() <= KILLS + 2
        # As if their leases were over.
        left.update(claimed_until=timezone.now())
        workers.append(start())
        until(lambda: not left.exists(), what="what the killed ones held")
    finally:
        for worker in workers:
            worker.kill()
    arrived = letters.counted()
    assert set(arrived) == set(Notice.objects.values_list("message_id", flat=True))
    assert arrived.total() - count <= KILLS + 2
    assert ends() == {NoticeEnd.SENT: count}


@pytest.mark.dear("starts processes, one of which is killed")
def test_message_on_a_device_whose_worker_is_killed_comes_again_in_its_place(
    letters: Letters, tmp_path: Path, settings: Any
) -> None:
    """What the killed one may have sent is the one message that comes twice, under the same topic."""
    count = 6
    event = waiting(0)
    with PushService().open() as service:
        service.key = key_told()
        service.holds_at = count // 2
        for number in range(count):
            user = User.objects.create(username=f"p{number}")
            Membership.objects.create(club=event.club, user=user)
            service.device(user, f"/{number}")
        entries_opened(event)
        environment = {**os.environ, "DATABASE_URL": database_url(), "PUSH_KEY": settings.PUSH_KEY}
        environment |= {"OUTGOING_NETWORKS": "127.0.0.1/32"}
        worker = start_sender(letters, tmp_path, environment)
        try:
            assert service.held.wait(PATIENCE_SECONDS)
            worker.kill()
            left = Notice.objects.filter(ended_at=None)
            assert left.exclude(claimed_until=None).count() == 1
            # As if its lease were over.
            left.update(claimed_until=timezone.now())
            worker = start_sender(letters, tmp_path, environment)
            until(lambda: not left.exists(), what="what was left")
        finally:
            worker.kill()
        assert sorted(service.topics().values()) == [1] * (count - 1) + [2]
        assert ends() == {NoticeEnd.SENT: count}


@pytest.mark.bench
def test_memory_stays_flat(letters: Letters, long: bool) -> None:
    """Many mails take hardly more than the first ones do."""
    count = 10_000 if long else 400
    letters.keeps = False
    waiting(count)
    sent, before = 0, 0
    while Notice.objects.filter(ended_at=None).exists():
        sent += deliver(seconds=1)
        if not before and sent >= count // 10:
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert sent == count
    # In kilobytes, of some hundred thousand.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 10_000
