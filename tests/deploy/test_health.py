from collections.abc import Callable
from datetime import UTC, datetime

import pytest
import time_machine
from django.db import OperationalError, connection
from django.test import Client

from league.models import SweepMark

pytestmark = pytest.mark.postgresql


@pytest.mark.django_db
def test_healthz_before_the_first_sweep(client: Client) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"database": "ok", "sweep_age_seconds": None})
    assert "no-store" in answer.headers["Cache-Control"]


@pytest.mark.django_db
def test_healthz_tells_the_age_of_the_last_sweep(client: Client) -> None:
    SweepMark.objects.create(id=1, swept_at=datetime(2026, 11, 6, 21, 0, 0, tzinfo=UTC))
    with time_machine.travel(datetime(2026, 11, 6, 21, 1, 30, tzinfo=UTC), tick=False):
        assert client.get("/healthz").json() == {"database": "ok", "sweep_age_seconds": 90}


@pytest.mark.django_db
def test_healthz_when_the_database_is_down(client: Client) -> None:
    def refuse(execute: Callable[..., object], *arguments: object) -> object:
        raise OperationalError("the server closed the connection")

    with connection.execute_wrapper(refuse):
        answer = client.get("/healthz")
    assert (answer.status_code, answer.json()["database"]) == (503, "down")


@pytest.mark.django_db
def test_healthz_refuses_to_be_posted_to(client: Client) -> None:
    assert client.post("/healthz").status_code == 405
