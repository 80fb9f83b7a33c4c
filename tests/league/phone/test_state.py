"""The part of the table page that changes is asked for by its tag."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.db.models.signals import post_init
from pytest_django import DjangoAssertNumQueries

from league.models import Match
from league.phone.release import release_mark
from scoring.models import Scoresheet
from scoring.services import record_deals, stop_sheet
from tests.factories import OPERATOR, MatchFactory, RoundFactory, play, won
from tests.league.phone.conftest import Sit
from tests.league.phone.forms import enter


def test_state_is_asked_for_by_its_tag(
    sit: Sit, match: Match, sheet: Scoresheet, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    beside = MatchFactory.create(event=match.event, round=match.round, table=6)
    client = sit(0)
    first = client.get(client.at("state/"))
    # What is recorded at the next table is none of its business.
    play(beside, 30)
    # The version; the link, the match and whose link it is.
    with django_assert_num_queries(4):
        same = client.get(client.at("state/"), headers={"If-None-Match": first["ETag"]})
    assert same.status_code == 304
    enter(client)
    changed = client.get(client.at("state/"), headers={"If-None-Match": first["ETag"]})
    assert changed.status_code == 200
    assert 'data-number="2"' in changed.text


def test_state_is_another_where_writes_were_lost_and_others_are_as_many(sit: Sit, sheet: Scoresheet) -> None:
    """As on a database that takes over and has not heard of the last writes."""
    client = sit(0)
    with transaction.atomic():
        record_deals(actor=OPERATOR, sheet=sheet, deals=[won("Eklund", "Castell", 5)])
        lost = client.get(client.at("state/"))
        transaction.set_rollback(True)
    record_deals(actor=OPERATOR, sheet=sheet, deals=[won("Eklund", "Castell", 7)])
    shown = client.get(client.at("state/"), headers={"If-None-Match": lost["ETag"]})
    assert (shown.status_code, shown.content == lost.content) == (200, False)


@pytest.fixture
def other_release(settings: Any, tmp_path: Path) -> Iterator[Callable[[], None]]:
    """Puts a release in place that has another template for what changes."""

    def put() -> None:
        (engine,) = settings.TEMPLATES
        shutil.copytree(engine["DIRS"][0], tmp_path / "templates")
        with (tmp_path / "templates" / "league" / "phone" / "_state.html").open("a") as template:
            template.write("<p>Another release</p>")
        settings.TEMPLATES = [{**engine, "DIRS": [tmp_path / "templates"]}]
        release_mark.cache_clear()

    yield put
    release_mark.cache_clear()


def test_state_is_another_in_another_release(sit: Sit, other_release: Callable[[], None]) -> None:
    client = sit(0)
    first = client.get(client.at("state/"))
    other_release()
    again = client.get(client.at("state/"), headers={"If-None-Match": first["ETag"]})
    assert "Another release" in again.text


def test_sheet_recorded_elsewhere_is_followed(sit: Sit, sheet: Scoresheet) -> None:
    client = sit(1)
    record_deals(actor=OPERATOR, sheet=sheet, deals=[won("Eklund", "Castell", 44)])
    assert 'data-number="2"' in client.get(client.at("state/")).text


def test_of_all_matches_to_come_only_the_next_is_loaded(sit: Sit, match: Match, sheet: Scoresheet) -> None:
    event = match.event
    for number in range(2, 8):
        round_ = RoundFactory.create(event=event, number=number)
        MatchFactory.create(event=event, round=round_, entry_a=match.entry_a)
    play(match, 400)
    stop_sheet(actor=OPERATOR, sheet=sheet)
    client = sit(0)
    loaded: list[str] = []

    def note(instance: Match, **_: Any) -> None:
        loaded.append(instance.label)

    post_init.connect(note, sender=Match)
    try:
        client.get(client.at("state/"))
    finally:
        post_init.disconnect(note, sender=Match)
    assert set(loaded) == {match.label, "R2-T1"}
