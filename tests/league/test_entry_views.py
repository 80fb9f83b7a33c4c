"""The entry pages as a browser asks for them: the tray, the sheet, its echo, saving, who may."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from league.models import Club, Match, Role
from league.policy import actor_of
from scoring.models import PaperState, Scoresheet, SecondTyping, SheetAct
from tests.factories import ClubFactory, EntryFactory, EventFactory, MatchFactory, RoundFactory, UserFactory

pytestmark = pytest.mark.django_db

Draft = dict[str, Any]
FINISHED = ["a60", "a60", "b30g", "a60", "a60"]


def draft_of(*rows: str, **more: Any) -> Draft:
    """A draft as `entry.js` sends it."""
    paper = {"net": "", "none": False, "totals": ["", "", ""], "boxes": "", "lines": ""} | more.pop("paper", {})
    return {
        "key": "key-0001",
        "version": 0,
        "left": 0,
        "running": False,
        "lines": False,
        "rows": [[row] for row in rows],
        "overridden": [],
        "reason": "",
        "accepted": "",
        "signed": False,
        "paper": paper,
    } | more


@pytest.fixture
def match() -> Match:
    event = EventFactory.create(club=ClubFactory.create(name="Harbour"), name="League")
    a, b = (EntryFactory.create(event=event, name=name) for name in ("Eklund", "Castell"))
    return MatchFactory.create(event=event, entry_a=a, entry_b=b, label="HL15-5")


@pytest.fixture
def keeper(match: Match) -> User:
    return UserFactory.create(club=match.event.club, username="bea")


@pytest.fixture
def signed_in(client: Client, keeper: User) -> Client:
    client.force_login(keeper)
    return client


def save(client: Client, match: Match, draft: Draft) -> tuple[int, dict[str, Any]]:
    response = client.post(
        reverse("entry:save", args=[match.code]),
        {"draft": json.dumps(draft)},
        headers={"accept": "application/json"},
    )
    return response.status_code, response.json()


def echo(client: Client, match: Match, draft: Draft) -> str:
    response = client.post(
        reverse("entry:preview", args=[match.code]), {"draft": json.dumps(draft), "number": "7"},
        headers={"hx-request": "true"},
    )
    assert response.status_code == 200
    assert response["X-Draft"] == "7"
    return response.content.decode()


def test_thin_path(signed_in: Client, match: Match) -> None:
    page = signed_in.get(reverse("entry:night"), follow=True)
    assert "missing" in page.content.decode()
    page = signed_in.get(reverse("entry:sheet", args=[match.code]))
    assert page.status_code == 200
    text = echo(signed_in, match, draft_of(*FINISHED, paper={"net": "a 900"}))
    assert "Eklund 60" in text
    status, answer = save(signed_in, match, draft_of(*FINISHED))
    assert (status, answer["outcome"]) == (200, "saved")
    match.refresh_from_db()
    assert match.state == "finished"
    page = signed_in.get(reverse("entry:sheet", args=[match.code]))
    assert page.status_code == 200
