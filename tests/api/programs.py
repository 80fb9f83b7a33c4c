"""A program that records at a table of the club: its token, its sheet, and the requests it sends."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from league.models import Match, Role, TokenScope
from league.people.tokens import issue_token
from tests.factories import UserFactory, sheet_of
from tests.kept import contents


def points(winner: str, figure: int) -> dict[str, Any]:
    """A deal as a paper sheet has it."""
    return {"hands": [{"kind": "points", "winner": winner, "points": figure}]}


@dataclass
class Program:
    """A client with the token of `user`, bound to the match's club; checks CSRF as for a browser."""

    match: Match
    user: User
    scope: TokenScope = TokenScope.RECORD
    client: Client = field(init=False)
    authorization: str = field(init=False)

    def __post_init__(self) -> None:
        _, secret = issue_token(
            user=self.user, name="Program", scope=self.scope, club=self.match.event.club, days=1
        )
        self.authorization = f"Token {secret}"
        self.client = Client(enforce_csrf_checks=True, headers={"Authorization": self.authorization})

    @property
    def address(self) -> str:
        return f"/api/v1/sheets/{sheet_of(self.match).code}/"

    def get(self, what: str = "", **headers: str) -> Any:
        """Reads; `If_None_Match` and the like are headers."""
        return self.client.get(f"{self.address}{what}", headers=_named(headers))

    def post(self, what: str, body: Any, **headers: str) -> Any:
        """Sends JSON."""
        address = f"{self.address}{what}"
        return self.client.post(address, body, content_type="application/json", headers=_named(headers))

    def record(self, key: str, *deals: Any, **headers: str) -> Any:
        return self.post("deals/", {"deals": list(deals)}, Idempotency_Key=key, **headers)


def scorekeepers_program(match: Match) -> Program:
    """A program of the club's scorekeeper."""
    return Program(match, UserFactory.create(club=match.event.club, role=Role.SCOREKEEPER))


@contextlib.contextmanager
def nothing_changed() -> Iterator[None]:
    """Nothing is written inside, but that a token was used."""

    def stored() -> dict[str, Any]:
        return {name: rows for name, rows in contents().items() if name != "ApiToken"}

    before = stored()
    yield
    assert stored() == before


def code_of(response: Any) -> tuple[int, str]:
    """The status and the code of a problem document."""
    assert response.headers["Content-Type"] == "application/problem+json"
    return response.status_code, response.json()["code"]


def _named(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}
