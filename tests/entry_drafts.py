"""Drafts of sheets as sent by `entry.js`, for tests of the entry pages."""

import json
from typing import Any

from django.test import Client
from django.urls import reverse

from league.models import Match
from scoring.core.rules import Rules
from scoring.core.sheets import SheetSide
from scoring.models import Scoresheet
from scoring.typing.notation import read_rows

Draft = dict[str, Any]
FINISHED = ["a60", "a60", "b30g", "a60", "a60"]


def draft_of(*rows: str, **more: Any) -> Draft:
    """A draft as sent by `entry.js`."""
    paper = {"net": "", "none": False, "totals": ["", "", ""], "boxes": "", "lines": ""} | more.pop(
        "paper", {}
    )
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


def save(client: Client, match: Match | Scoresheet, draft: Draft) -> tuple[int, dict[str, Any]]:
    response = client.post(
        reverse("entry:save", args=[match.code]),
        {"draft": json.dumps(draft)},
        headers={"accept": "application/json"},
    )
    return response.status_code, response.json()


def echo(client: Client, match: Match | Scoresheet, draft: Draft) -> str:
    return _asked(client, reverse("entry:preview", args=[match.code]), draft)


def repairs(client: Client, match: Match | Scoresheet, draft: Draft) -> str:
    return _asked(client, reverse("entry:repairs", args=[match.code]), draft)


def _asked(client: Client, url: str, draft: Draft) -> str:
    response = client.post(
        url,
        {"draft": json.dumps(draft), "number": "7"},
        headers={"hx-request": "true"},
    )
    assert response.status_code == 200
    assert response["X-Draft"] == "7"
    return response.content.decode()


def sheet_of(match: Match) -> Scoresheet:
    match.refresh_from_db()
    assert match.sheet is not None
    return Scoresheet.objects.get(pk=match.sheet.pk)


def sheet_net(*rows: str) -> int:
    """The net of these rows between two players under the usual rules."""
    sides = (SheetSide("A", ("A",)), SheetSide("B", ("B",)))
    typed = read_rows([[row] for row in rows], rules=Rules.preset("standard", columns=3), sides=sides)
    assert not typed.errors
    assert not any(row.warnings for row in typed.rows)
    return typed.state.net


def correction(*rows: str, version: int, **more: Any) -> Draft:
    """A draft that changes a saved sheet, with a reason."""
    return draft_of(*rows, version=version, **({"key": "key-0003", "reason": "Misread."} | more))
