"""Whoever watches a table is told to look again: a connection each, and no thread."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains

from games.bots import house_bot
from games.models import TableMatch
from games.services import end_table
from games.services.watching import passed, stream_address
from tests.factories import OPERATOR
from tests.faults.streams import Watcher, running_streams
from tests.games.member_tables import member, table

pytestmark = pytest.mark.django_db(transaction=True)


def changed(match: TableMatch) -> None:
    """Whatever changes a table makes a new version of it."""
    match.version += 1
    match.save(update_fields=["version"])


@pytest.mark.dear("starts the server of streams")
def test_many_watch_and_are_told_of_their_own_table_alone(settings: Any, tmp_path: Path) -> None:
    matches = [table(member(), house_bot("simple")) for _ in range(5)]
    with running_streams(tmp_path) as (address, process):
        settings.STREAMS_URL = address
        first = Watcher(stream_address(matches[0].code))
        assert (first.status, first.told(1)) == (200, 1)
        idle = threads(process.pid)
        watchers = [[Watcher(stream_address(match.code)) for _ in range(8)] for match in matches]
        assert {one.told(1) for those in watchers for one in those} == {1}
        assert threads(process.pid) == idle
        for match in matches[1:3]:
            changed(match)
        assert [one.told(2) for those in watchers[1:3] for one in those] == [2] * 16
        # What leaves is not told, and nobody else notices.
        for one in watchers[0]:
            one.leave()
        changed(matches[0])
        assert first.told(2) == 2
        assert [one.told(1) for those in watchers[3:] for one in those] == [1] * 16
        assert Watcher(f"{address}{matches[0].code}:forged").status == 404


def threads(pid: int) -> int:
    """How many threads the process has."""
    return int(re.findall(r"Threads:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[0])


def test_pass_is_for_one_table_and_twelve_hours(settings: Any) -> None:
    match = table(member(), house_bot("simple"))
    assert stream_address(match.code) == ""
    settings.STREAMS_URL = "/streams/"
    address = stream_address(match.code)
    assert re.fullmatch(r"/streams/[\w:-]+", address)
    assert passed(address.removeprefix("/streams/")) == match.code
    assert passed(address.removeprefix("/streams/").replace(match.code, "another")) is None
    with time_machine.travel(timezone.now() + timedelta(hours=13)):
        assert passed(address.removeprefix("/streams/")) is None


def test_page_of_a_table_that_is_over_follows_no_stream(settings: Any, client: Client) -> None:
    settings.STREAMS_URL = "/streams/"
    who = member()
    match = table(who, house_bot("simple"))
    client.force_login(get_user_model().objects.get(pk=who.id))
    page = reverse("play_table", args=[match.code])
    assertContains(client.get(page), f'data-stream="/streams/{match.code}:')
    end_table(actor=OPERATOR, match=match)
    assertNotContains(client.get(page), "data-stream")
