"""A request of the API that waits for somebody else's write is answered in time: with 409, and no fault."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.test import Client

from league.api import at_sheet, batches, register, resources
from league.models import ApiToken, Club, Match, Player, Role, TokenScope
from league.people.tokens import issue_token
from scoring.models import Scoresheet
from tests.api.programs import points, scorekeepers_program
from tests.factories import (
    ClubFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    UserFactory,
    house_rules,
    sheet_of,
)
from tests.faults.threads import DEADLINE_SECONDS

pytestmark = pytest.mark.django_db(transaction=True)

LOCKS = 6


@contextmanager
def _held(lock: Callable[[], Any]) -> Iterator[None]:
    """Somebody else has locked something, and goes on writing until the block is left."""
    holding, done = threading.Event(), threading.Event()

    def hold() -> None:
        try:
            with transaction.atomic():
                lock()
                holding.set()
                assert done.wait(DEADLINE_SECONDS)
        finally:
            connections.close_all()

    other = threading.Thread(target=hold)
    other.start()
    try:
        assert holding.wait(DEADLINE_SECONDS)
        yield
    finally:
        done.set()
        other.join(DEADLINE_SECONDS)


def _locked(rows: Any) -> Callable[[], Any]:
    return lambda: list(rows.select_for_update(no_key=True).order_by("pk"))


@pytest.fixture
def club(transactional_db: None) -> Club:
    return ClubFactory.create(name="Harbour", slug="harbour")


def _program(club: Club) -> Client:
    """A program of the owner's, used a moment ago."""
    owner = UserFactory.create(club=club, role=Role.OWNER)
    _token, secret = issue_token(user=owner, name="till", scope=TokenScope.MANAGE, club=club, days=1)
    client = Client(headers={"Authorization": f"Token {secret}"})
    assert client.get("/api/v1/clubs/").status_code == 200
    return client


def _limit() -> Any:
    """How long this connection waits, as its database says."""
    asked = "PRAGMA busy_timeout" if connection.vendor == "sqlite" else "SHOW lock_timeout"
    with connection.cursor() as cursor:
        cursor.execute(asked)
        return cursor.fetchone()[0]


def test_change_that_waits_too_long_is_busy(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "PATIENCE_SECONDS", 0.2)
    player = PlayerFactory.create(club=club, name="Ann", external_id="1")
    program, usual = _program(club), _limit()
    address = f"/api/v1/players/{player.code}/"
    etag = program.get(address)["ETag"]

    def change() -> Any:
        return program.patch(
            address, {"name": "Anna"}, content_type="application/json", headers={"If-Match": etag}
        )

    with _held(_locked(Player.objects.all())):
        busy = change()
        upsert = program.put(
            "/api/v1/clubs/harbour/register/1/", {"name": "Anna"}, content_type="application/json"
        )
    for refused in (busy, upsert):
        assert (refused.status_code, refused.json()["code"]) == (409, "busy"), refused.content
        assert refused["Content-Type"] == "application/problem+json"
    assert _limit() == usual
    assert change().status_code == 200


def test_people_of_a_register_share_one_patience(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(register, "PATIENCE_SECONDS", 20)
    monkeypatch.setattr(register, "BATCH_PATIENCE_SECONDS", 1)
    for number in range(LOCKS):
        PlayerFactory.create(club=club, external_id=str(number))
    people = [{"external_id": str(number), "name": f"New {number}"} for number in range(LOCKS)]
    program = _program(club)
    with _held(_locked(Player.objects.all())):
        begun = time.monotonic()
        reply = program.post(
            "/api/v1/clubs/harbour/register/", {"players": people}, content_type="application/json"
        )
        took = time.monotonic() - begun
    assert reply.status_code == 200
    told = [(outcome["status"], outcome["problem"]["code"]) for outcome in reply.json()["outcomes"]]
    assert told == [(409, "busy")] * LOCKS
    assert took < LOCKS * 10
    assert not Player.objects.filter(name__startswith="New").exists()


def test_entries_of_a_batch_share_one_patience(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(at_sheet, "PATIENCE_SECONDS", 20)
    monkeypatch.setattr(batches, "PATIENCE_SECONDS", 1)
    event = EventFactory.create(club=club, rules=house_rules(columns=1))
    matches: list[Match] = [MatchFactory.create(event=event) for _ in range(LOCKS)]
    program = scorekeepers_program(matches[0]).client
    assert program.get("/api/v1/clubs/").status_code == 200
    entries = [
        {"sheet": sheet_of(match).code, "key": "1", "deals": [points(match.entry_a.name, 5)]}
        for match in matches
    ]

    def send() -> list[Any]:
        reply = program.post("/api/v1/batches/", {"entries": entries}, content_type="application/json")
        assert reply.status_code == 200
        return [
            (outcome["status"], outcome.get("problem", {}).get("code"))
            for outcome in reply.json()["outcomes"]
        ]

    with _held(_locked(Scoresheet.objects.all())):
        begun = time.monotonic()
        assert send() == [(409, "busy")] * LOCKS
        assert time.monotonic() - begun < LOCKS * 10
    assert send() == [(201, None)] * LOCKS


def test_use_of_a_token_is_not_waited_for(club: Club) -> None:
    program, usual = _program(club), _limit()
    ApiToken.objects.update(last_used_at=None)
    with _held(_locked(ApiToken.objects.all())):
        begun = time.monotonic()
        assert program.get("/api/v1/clubs/").status_code == 200
        assert time.monotonic() - begun < 10
        assert ApiToken.objects.get().last_used_at is None
    assert _limit() == usual
    assert program.get("/api/v1/clubs/").status_code == 200
    assert ApiToken.objects.get().last_used_at is not None
