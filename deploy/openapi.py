"""What is done to the OpenAPI document after drf-spectacular has gathered it, and the words at its head."""

import uuid
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

DESCRIPTION: Final = """\
Clubs, people, events, score sheets and standings of gin rummy leagues, to be read and written by programs.

**Who asks.** Public data may be read by anybody, from any site. A program that reads more, or writes,
sends `Authorization: Token gin_…`, or `Bearer gin_…`; people make such tokens on the page `/account/tokens/`,
each with a scope (read; record; manage), bounds (a club, an event, one sheet) and an end. A token never may
more than its user.
Pages use their session, and send the `X-CSRFToken` with what they write. What one may not see is a 404.

**Lists** are paged; `next` is the address of the next page. With `updated_since` a list tells what was
written since, and what is gone; `next_since` is what to ask for the next time.

**Versions.** What is read has an `ETag`. Send it as `If-None-Match` to be told 304 while nothing has changed,
and as `If-Match` with a change: what has changed meanwhile is not overwritten (412).

**Recording is idempotent**: with the same `Idempotency-Key` and body the stored answer comes again, however
often it is sent, and nothing is recorded twice.

**Refusals** are `application/problem+json` (RFC 9457) with a stable `code`, and where it can be said the
`deal`, `hand` and `field`. Nothing is changed by what is refused. Who asks too often is told to wait (429,
`Retry-After`). A fault of ours (500) is one too; its `instance` is what the log calls it.

Times are in UTC. Whoever reads an answer should pass over fields that he does not know: more may come.
"""
TAGS: Final = [
    {"name": "score", "description": "Sheets added up without being stored."},
    {"name": "judge", "description": "Hands judged from their cards."},
    {"name": "clubs", "description": "Clubs."},
    {"name": "memberships", "description": "Who holds which office in a club."},
    {"name": "players", "description": "The people of a club, also by the ids of its own register."},
    {"name": "seasons", "description": "The seasons of a club."},
    {"name": "events", "description": "Leagues, tournaments and evenings, with their tables and brackets."},
    {"name": "entries", "description": "Who plays in an event: players, pairs, teams."},
    {"name": "rounds", "description": "The rounds of an event."},
    {"name": "matches", "description": "Who meets whom, and what came of it."},
    {"name": "house rules", "description": "The rules a club plays by, in versions."},
    {"name": "bots", "description": "Bots of the house, and the matches they play."},
    {"name": "sheets", "description": "Score sheets: read, recorded, corrected, signed and disputed."},
]

FAULT_SENTENCE: Final = "The fault is ours, not yours. What had been saved is saved; try again in a minute."
# What a refusal says, where its operation shows no example of its own.
_SAID: Final = {
    400: ("not_json", "This is not JSON."),
    401: ("not_authenticated", "Authentication credentials were not provided."),
    403: ("not_allowed", "Ann Abbott may not do this in Harbour."),
    404: ("not_found", "Not found."),
    406: ("not_acceptable", "Could not satisfy the request Accept header."),
    409: ("busy", "Somebody else is writing on this sheet; try again."),
    412: ("stale_version", "This was changed meanwhile; read it again."),
    413: ("too_large", "The request is too large."),
    415: ("unsupported_media_type", "Unsupported media type “text/plain” in request."),
    422: ("invalid", "This field may not be blank."),
    428: ("no_version", "Say in If-Match which version you change."),
    429: ("throttled", "Request was throttled. Expected available in 12 seconds."),
    500: ("internal_error", FAULT_SENTENCE),
}
_PROBLEM: Final = "application/problem+json"


def finish(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """The document with null said as OpenAPI 3.1 says it, and an example of every refusal."""
    finished: dict[str, Any] = _plain(result)
    for methods in finished["paths"].values():
        for operation in methods.values():
            operation["responses"]["500"] = {
                "content": {_PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}},
                "description": "A fault of ours.",
            }
            for status, response in operation["responses"].items():
                if int(status) in _SAID and _PROBLEM in response.get("content", {}):
                    examples = response["content"][_PROBLEM].setdefault("examples", {})
                    if not examples:
                        examples["Refused"] = {"$ref": f"#/components/examples/Refused{status}"}
    finished["components"]["examples"] = {f"Refused{status}": {"value": _problem(status)} for status in _SAID}
    return finished


def _problem(status: int) -> dict[str, Any]:
    code, detail = _SAID[status]
    title = HTTPStatus(status).phrase
    about = {"type": "about:blank", "title": title, "status": status, "detail": detail, "code": code}
    place = {"deal": None, "hand": None, "field": None}
    return about | place | ({"instance": uuid.UUID(int=0).urn} if status == 500 else {})


def _plain(part: Any) -> Any:
    """The part with `nullable`, which OpenAPI 3.1 does not know, said as a type."""
    if isinstance(part, list):
        return [_plain(item) for item in part]
    if not isinstance(part, Mapping):
        return part
    inner = {key: _plain(value) for key, value in part.items()}
    if inner.get("nullable") is not True or isinstance(part.get("nullable"), Mapping):
        return inner
    del inner["nullable"]
    if isinstance(inner.get("type"), str):
        inner["type"] = [inner["type"], "null"]
        if "enum" in inner:
            inner["enum"] = [*inner["enum"], None]
        return inner
    return {"anyOf": [inner, {"type": "null"}]}
