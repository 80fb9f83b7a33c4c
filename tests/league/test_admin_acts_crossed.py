"""Acts of the administration that cross another change at the same moment."""

from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError
from django.test import Client, RequestFactory
from psycopg.errors import DeadlockDetected

from league.models import (
    Club,
)
from league.people import players as people
from tests.factories import (
    PlayerFactory,
)
from tests.league.admin_pages import formset, page, text
from tests.league.test_admin_acts import draw, registered

CROSSED = "Somebody else was changing this at the same moment; nothing was done. Try again."

pytestmark = pytest.mark.django_db


def crossed(*args: Any, **values: Any) -> Any:
    """As the database answers whom it sends back out of a circle of two who wait for each other."""
    raise OperationalError("deadlock detected") from DeadlockDetected("deadlock detected")


def test_act_that_crosses_another_is_refused() -> None:
    row, data = draw()
    found = registered()["event", "draw"]
    request = RequestFactory().post("/", {**data, "_confirm": "1"})
    request.user = User.objects.create_superuser("root")
    answer = found.admin.act_view(request, str(row.pk), replace(found.act, run=crossed))
    assert answer.status_code == 422
    assert CROSSED in answer.render().content.decode()  # type: ignore[attr-defined]


def test_change_that_crosses_another_is_refused(
    owner: Client, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people, "change_player", crossed)
    player = PlayerFactory.create(club=club)
    answer = owner.post(page("player", player), {"name": "Another", **formset("aliases")})
    assert answer.status_code == 422
    assert CROSSED in text(answer)
