"""Every operation of the API, tried with what its document allows and with what it does not.

Whoever asks, and whatever is sent: no fault, no status and no form of an answer that the document does not
name. Each example finds the same world, of which everything done to it is taken back.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

import pytest
import schemathesis
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.core.cache import cache
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, given, strategies
from hypothesis import settings as trying
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from deploy.management.commands.openapi import ANNOUNCED
from games.models import BotMatch
from league.models import Role, TokenScope
from league.people.tokens import issue_token
from scoring.services import dispute_sheet
from tests.factories import OPERATOR, UserFactory
from tests.league.api.world import World, make_world

pytestmark = pytest.mark.django_db

CHECKS: Final = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
CSRF: Final = "c" * 32
# In a run by hand few for each operation, and of each kind; with --long many.
EXAMPLES: Final = max(4, trying().max_examples // 12)

# The kept document, which `test_openapi` holds equal to what is gathered: that takes every worker seconds.
_schema = schemathesis.openapi.from_dict(json.loads(ANNOUNCED.read_text(encoding="utf-8")))
_schema.app = get_wsgi_application()
_found: Final[list[Any]] = list(_schema.get_all_operations())
OPERATIONS: Final = [each.ok() for each in _found]
# What is sent is tried as it should be and as it should not; of an address alone whatever is there is a text.
TRIED: Final = [
    pytest.param(operation, mode, id=f"{operation.label} {mode.value}")
    for operation in OPERATIONS
    for mode in (
        list(schemathesis.GenerationMode) if operation.body else [schemathesis.GenerationMode.POSITIVE]
    )
]


class Asked:
    """The world, with whoever may ask: their headers and cookies, by name."""

    def __init__(self, world: World) -> None:
        self.world = world
        administrator = UserFactory.create(is_superuser=True)
        self.headers: dict[str, dict[str, str]] = {"nobody": {}, "wrong": {"Authorization": "Token gin_0"}}
        for name, role, scope in (
            ("manages", Role.OWNER, TokenScope.MANAGE),
            ("records", Role.SCOREKEEPER, TokenScope.RECORD),
            ("reads", Role.MEMBER, TokenScope.READ),
        ):
            _token, secret = issue_token(
                user=world.users[role], name=name, scope=scope, club=world.club, days=1
            )
            self.headers[name] = {"Authorization": f"Token {secret}"}
        session = SessionStore()
        session[SESSION_KEY] = str(administrator.pk)
        session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[-1]
        session[HASH_SESSION_KEY] = administrator.get_session_auth_hash()
        session.save()
        cookies = f"sessionid={session.session_key}; csrftoken={CSRF}"
        self.headers["administers"] = {"Cookie": cookies, "X-CSRFToken": CSRF}
        self.headers["forged"] = {"Cookie": cookies}

    def address(self, path: str) -> dict[str, list[str]]:
        """What there is under the parameters of an address."""
        world = self.world
        assert world.match.sheet is not None
        codes = {
            "sheets": [world.match.sheet.code],
            "players": [world.player.code],
            "events": [world.event.code, world.cup.code],
            "entries": [world.entry.code],
            "rounds": [world.round.code],
            "matches": [world.match.code],
            "seasons": [world.season.code],
            "memberships": [world.membership.code],
            "house-rules": [world.rules.rules.code],
            "bots": ["simple"],
            "bot-matches": [BotMatch.objects.get().code],
        }
        resource = path.removeprefix("/api/v1/").split("/")[0]
        return {
            "slug": [world.club.slug],
            "event": codes["events"],
            "code": codes.get(resource, ["nothing"]),
            "strategy": ["simple"],
            "external_id": ["M-1"],
            "number": ["1"],
            "version": ["1"],
        }


@pytest.fixture(scope="module")
def asked(django_db_setup: None, django_db_blocker: Any) -> Iterator[Asked]:
    """The world, made once; nothing of it is kept. Requests leave the connection open that holds it."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    with django_db_blocker.unblock(), transaction.atomic():
        world = make_world()
        assert world.match.sheet is not None
        dispute_sheet(actor=OPERATOR, sheet=world.match.sheet, sentence="Deal 2 was mine.", side=0)
        yield Asked(world)
        transaction.set_rollback(True)
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.parametrize(("operation", "mode"), TRIED)
def test_operation_answers_as_its_document_says(
    operation: Any, mode: schemathesis.GenerationMode, asked: Asked
) -> None:
    @trying(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode), data=strategies.data())
    def holds(case: Any, data: strategies.DataObject) -> None:
        who = data.draw(strategies.sampled_from(sorted(asked.headers)), label="who")
        known = asked.address(operation.path)
        for name in case.path_parameters or {}:
            if name in known and data.draw(strategies.booleans(), label=f"a {name} that is there"):
                case.path_parameters[name] = data.draw(strategies.sampled_from(known[name]))
        headers = dict(asked.headers[who])
        if data.draw(strategies.booleans(), label="whichever version"):
            headers["If-Match"] = "*"
        with transaction.atomic():
            response = case.call(headers=headers)
            transaction.set_rollback(True)
        cache.clear()
        case.validate_response(response, checks=CHECKS)

    holds()


@pytest.mark.parametrize(
    ("method", "path", "sent"),
    [
        ("GET", "/api/v1/events/{event}/standings/", {"query": {"count": "false"}}),
        ("POST", "/api/v1/batches/", {"body": {"entries": [{"anything": 1}, {"sheet": 7, "key": None}]}}),
    ],
    ids=["a table that is not counted", "entries that name no sheet"],
)
def test_what_few_would_send_is_answered_as_the_document_says(
    method: str, path: str, sent: dict[str, Any], asked: Asked
) -> None:
    case = _schema[path][method].Case(
        path_parameters={"event": asked.world.event.code}, media_type="application/json", **sent
    )
    with transaction.atomic():
        response = case.call(headers=asked.headers["records"])
        transaction.set_rollback(True)
    assert response.status_code == 200
    case.validate_response(response, checks=CHECKS)
