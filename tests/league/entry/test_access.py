"""Who may type whose sheets, and what no page of ours sends."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from league.models import Match, Role
from tests.entry_drafts import correction, draft_of, save, sheet_of
from tests.factories import ClubFactory, UserFactory

pytestmark = pytest.mark.django_db


ADDRESSES = ("sheet", "preview", "save", "compare")


@pytest.mark.parametrize("name", ADDRESSES)
@pytest.mark.parametrize("who", ["member", "other club", "visitor", "not staff"])
def test_sheets_are_typed_by_scorekeepers_of_the_club_only(
    client: Client, match: Match, name: str, who: str
) -> None:
    expected = 404
    if who == "member":
        client.force_login(UserFactory.create(club=match.event.club, role=Role.MEMBER))
    elif who == "other club":
        client.force_login(UserFactory.create(club=ClubFactory.create(), role=Role.OWNER))
    elif who == "not staff":
        client.force_login(UserFactory.create(club=match.event.club, is_staff=False))
        expected = 302
    else:
        expected = 302
    url = reverse(f"entry:{name}", args=[match.code])
    answer = client.get(url) if name in ("sheet", "compare") else client.post(url, {"draft": "{}"})
    assert answer.status_code == expected
    assert sheet_of(match).version == 0


@pytest.mark.parametrize("role", [Role.SCOREKEEPER, Role.DIRECTOR, Role.OWNER])
def test_officers_may_type(client: Client, match: Match, role: Role) -> None:
    client.force_login(UserFactory.create(club=match.event.club, role=role))
    assert client.get(reverse("entry:sheet", args=[match.code])).status_code == 200
    assert client.get(reverse("entry:tray", args=[match.round.code])).status_code == 200


def test_tray_of_another_club_is_404(client: Client, match: Match) -> None:
    client.force_login(UserFactory.create(club=ClubFactory.create()))
    assert client.get(reverse("entry:tray", args=[match.round.code])).status_code == 404


def test_signed_out_while_typing_is_said_to_the_script(client: Client, match: Match) -> None:
    assert save(client, match, draft_of("a5"))[0] == 401
    for name in ("entry:preview", "entry:repairs"):
        url = reverse(name, args=[match.code])
        assert client.post(url, {}, headers={"hx-request": "true"}).status_code == 401


def test_save_without_a_token_is_refused(match: Match, keeper: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(keeper)
    url = reverse("entry:save", args=[match.code])
    assert client.post(url, {"draft": json.dumps(draft_of("a5"))}).status_code == 403
    assert sheet_of(match).version == 0


WRONG: dict[str, Any] = {
    "no json": "{",
    "a list": "[]",
    "deep": "[" * 100_000,
    "no key": json.dumps(draft_of("a5") | {"key": None}),
    "short key": json.dumps(draft_of("a5") | {"key": "x"}),
    "odd key": json.dumps(draft_of("a5") | {"key": "key-\x00-0001"}),
    "version as text": json.dumps(draft_of("a5") | {"version": "1"}),
    "version below 0": json.dumps(draft_of("a5") | {"version": -1}),
    "third side": json.dumps(draft_of("a5") | {"left": 2}),
    "rows as text": json.dumps(draft_of() | {"rows": "a5"}),
    "row as text": json.dumps(draft_of() | {"rows": ["a5"]}),
    "field as number": json.dumps(draft_of() | {"rows": [[5]]}),
    "endless field": json.dumps(draft_of("a" * 201)),
    "many fields": json.dumps(draft_of() | {"rows": [["a5"] * 13]}),
    "many rows": json.dumps(draft_of(*["d"] * 502)),
    "flag as text": json.dumps(draft_of("a5") | {"signed": "yes"}),
    "paper as list": json.dumps(draft_of("a5") | {"paper": []}),
    "totals as text": json.dumps(draft_of("a5", paper={"totals": "1"})),
    "endless reason": json.dumps(draft_of("a5") | {"reason": "x" * 301}),
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG.keys())
@pytest.mark.parametrize("name", ["preview", "save"])
def test_what_is_no_draft_is_refused(signed_in: Client, match: Match, name: str, text: str) -> None:
    answer = signed_in.post(reverse(f"entry:{name}", args=[match.code]), {"draft": text})
    assert answer.status_code == 422
    assert answer.json()["message"]
    assert sheet_of(match).version == 0


def test_draft_larger_than_any_sheet_is_refused(signed_in: Client, match: Match) -> None:
    text = json.dumps(draft_of("a5") | {"more": "x" * 400_000})
    assert signed_in.post(reverse("entry:save", args=[match.code]), {"draft": text}).status_code == 413
    text = json.dumps(draft_of("a5") | {"more": "x" * 3_000_000})
    assert signed_in.post(reverse("entry:save", args=[match.code]), {"draft": text}).status_code in (400, 413)


@pytest.mark.parametrize("name", ["preview", "repairs"])
@pytest.mark.parametrize("saved", [(), ("a20",)])
def test_half_a_character_in_a_row_is_no_fault(
    signed_in: Client, match: Match, name: str, saved: tuple[str, ...]
) -> None:
    save(signed_in, match, draft_of(*saved))
    text = json.dumps(draft_of("b7", "\ud800", paper={"totals": ["\ud800"]}, version=len(saved)))
    answer = signed_in.post(reverse(f"entry:{name}", args=[match.code]), {"draft": text})
    assert answer.status_code == 200


def test_half_a_character_in_a_reason_is_kept_harmlessly(signed_in: Client, match: Match) -> None:
    save(signed_in, match, draft_of("a20"))
    text = json.dumps(correction("a21", version=1)).replace("Misread.", "\\ud800")
    answer = signed_in.post(reverse("entry:save", args=[match.code]), {"draft": text})
    assert answer.status_code == 200
    assert sheet_of(match).acts.get(kind="correct").reason == "?"
