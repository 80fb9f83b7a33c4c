"""Long acts say how far they are, under a key that only their own user can ask for."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from league.models import Club, Event, ImportBatch, Role
from league.pages.progress import ActProgress, new_key
from tests.factories import EntryFactory, EventFactory, UserFactory
from tests.kept import contents
from tests.league.hand_files import OTHER, batch_of, file_of, knock
from tests.league.test_files_admin import upload

pytestmark = pytest.mark.django_db


@pytest.fixture
def director(club: Club, client: Client) -> User:
    user = UserFactory.create(club=club, username="dora", role=Role.DIRECTOR)
    client.force_login(user)
    return user


@pytest.fixture
def drawable(club: Club) -> Event:
    event: Event = EventFactory.create(club=club)
    for _ in range(4):
        EntryFactory.create(event=event)
    return event


def told(client: Client, key: str) -> Any:
    return client.get(reverse("admin-progress", args=[key])).json()


def key_in(answer: Any) -> str:
    found = re.search(r'name="progress" value="(\w+)"', answer.content.decode())
    assert found is not None
    assert f'data-address="{reverse("admin-progress", args=[found[1]])}"' in answer.content.decode()
    return found[1]


def test_an_import_and_its_undo_say_how_far_they_are(client: Client, club: Club, director: User) -> None:
    address = upload(client, club, file_of(knock(1), knock(1, "Cid", **OTHER)))["Location"]
    shown = client.get(address)
    key = key_in(shown)
    assert told(client, key) == {}
    fingerprint = re.search(r'name="fingerprint" value="(\w+)"', shown.content.decode())
    assert fingerprint is not None
    client.post(address, {"fingerprint": fingerprint[1], "progress": key})
    batch = ImportBatch.objects.get()
    assert told(client, key) == {"done": batch.sheets, "total": batch.sheets}

    undo = reverse("admin:league_importbatch_undo", args=[batch.pk])
    key = key_in(client.post(undo))
    client.post(undo, {"_confirm": "yes", "progress": key})
    assert told(client, key) == {"done": batch.sheets, "total": batch.sheets}


def test_a_draw_says_how_far_it_is(client: Client, director: User, drawable: Event) -> None:
    draw = reverse("admin:league_event_draw", args=[drawable.pk])
    form = {"days_between": "7"}
    assert "progress.js" not in client.get(draw).content.decode()
    key = key_in(client.post(draw, form))
    client.post(draw, {**form, "_confirm": "yes", "progress": key})
    assert told(client, key) == {"done": 6, "total": 6}


@pytest.mark.parametrize("key", [None, "", "short", "x" * 23, "../../etc/passwd/22222"])
def test_an_act_without_a_key_is_done_all_the_same(
    client: Client, director: User, drawable: Event, key: str | None
) -> None:
    form = {"days_between": "7", "_confirm": "yes"} | ({} if key is None else {"progress": key})
    client.post(reverse("admin:league_event_draw", args=[drawable.pk]), form)
    assert drawable.matches.count() == 6


def test_an_act_is_done_and_asked_about_while_the_cache_is_away(
    client: Client, director: User, drawable: Event, settings: Any
) -> None:
    settings.CACHES = {
        name: {"BACKEND": "deploy.caches.ServerCache", "LOCATION": "redis://127.0.0.1:1/0"}
        for name in ("default", "papers")
    }
    key = new_key()
    form = {"days_between": "7", "_confirm": "yes", "progress": key}
    client.post(reverse("admin:league_event_draw", args=[drawable.pk]), form)
    assert drawable.matches.count() == 6
    assert told(client, key) == {}


def test_progress_is_told_to_nobody_else(client: Client, club: Club, director: User) -> None:
    key = new_key()
    cache.set(f"progress-{director.pk}-{key}", (1, 2))
    assert told(client, key) == {"done": 1, "total": 2}
    client.force_login(UserFactory.create(club=club, role=Role.OWNER))
    assert told(client, key) == {}
    client.logout()
    answer = client.get(reverse("admin-progress", args=[key]))
    assert (answer.status_code, answer.headers["Location"][:13]) == (302, "/admin/login/")


def test_refused_undo_writes_nothing(client: Client, club: Club, director: User) -> None:
    batch = batch_of(club, file_of(knock(1)))
    undo = reverse("admin:league_importbatch_undo", args=[batch.pk])
    client.post(undo, {"_confirm": "yes", "progress": new_key()})
    before = contents()
    client.post(undo, {"_confirm": "yes", "progress": new_key()})
    assert contents() == before


def test_steps_are_noted_now_and_then_and_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    noted: list[Any] = []
    monkeypatch.setattr(cache, "set", lambda place, value, seconds: noted.append(value))
    step = ActProgress("here").steps(1000)
    for _ in range(1001):
        step(1)
    assert noted[0] == (1, 1000)
    assert noted[-1] == (1000, 1000)
    assert len(noted) < 50


def test_progress_without_a_place_is_noted_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    noted: list[Any] = []
    monkeypatch.setattr(cache, "set", lambda place, value, seconds: noted.append(value))
    ActProgress(None)(1, 1)
    assert noted == []
