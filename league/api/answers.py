"""Descriptions of the operations in the OpenAPI document: responses, problems and examples."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar

from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
    extend_schema_view,
)

from scoring.api.problems import PROBLEM_TYPE, Problem, problem_document

Answers: TypeAlias = dict[Any, Any]
View = TypeVar("View", bound=Any)
Decorator: TypeAlias = Callable[[Any], Any]

_DESCRIPTIONS: Final[dict[int, str]] = {
    400: "Not JSON, or unreadable.",
    401: "No token, or one that is no longer valid.",
    403: "You are not allowed to do this.",
    404: "It does not exist, or you may not see it.",
    406: "Only JSON is available.",
    409: "Somebody else was writing at the same time. Nothing was changed; try again.",
    410: "Deletions since that time are no longer on record; start again.",
    412: "It has changed since you read it; read it again.",
    413: "The request is too large.",
    415: "Not sent as application/json.",
    422: "Refused: what is wrong, and where.",
    428: "If-Match is missing; a change needs it.",
    429: "Too many requests; see Retry-After.",
}
READING: Final = (401, 404, 406, 422, 429)
# Lists that support `updated_since`.
FOLLOWING: Final = (*READING, 410)
# Requests with a body.
WRITING: Final = (400, 401, 403, 404, 406, 409, 413, 415, 422, 429)
# Changes of one row, which need If-Match.
CHANGING: Final = (*WRITING, 412, 428)
DELETING: Final = (401, 403, 404, 406, 409, 412, 422, 428, 429)

_REFUSED: Final = problem_document(
    422, "name_taken", "There is a player “Ann” already; add an initial or the town.", {"field": "name"}
)
_TOO_LATE: Final = problem_document(
    410,
    "too_long_ago",
    "What was deleted since then is no longer known. Start again from 2000-01-01T00:00:00Z.",
    {"field": "updated_since"},
)
_ETAG: Final = OpenApiParameter(
    "ETag",
    str,
    OpenApiParameter.HEADER,
    response=[200, 201],
    description="The version of the answer, for If-Match.",
)
_IF_MATCH: Final = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    required=True,
    description="The ETag that you read.",
)


def answers(answered: Mapping[Any, Any], statuses: tuple[int, ...] = READING, **said: str) -> Answers:
    """Return the `responses` of an operation: `answered` by status, and a problem for each of `statuses`.

    `said` replaces the general description of a problem: `s422="…"`.
    """
    problems: Answers = {
        (status, PROBLEM_TYPE): OpenApiResponse(
            Problem, description=said.get(f"s{status}", _DESCRIPTIONS[status])
        )
        for status in sorted(set(statuses))
    }
    return {**answered, **problems}


def problem_examples(statuses: tuple[int, ...]) -> list[OpenApiExample]:
    """Return examples of a 410 and a 422 problem, where they are among the statuses."""
    shown = {
        410: ("Followed from too long ago", _TOO_LATE),
        422: ("Refused", _REFUSED),
    }
    return [
        OpenApiExample(
            name, value=value, response_only=True, media_type=PROBLEM_TYPE, status_codes=[str(status)]
        )
        for status, (name, value) in shown.items()
        if status in statuses
    ]


@dataclass(frozen=True, slots=True)
class Operation:
    """The summary and description (`words`) of an operation; `sent` is an example of its request body."""

    summary: str
    words: str
    sent: Any = None


def described(
    tag: str,
    example: Any,
    *,
    name: str = "",
    lists: Operation | None = None,
    reads: Operation | None = None,
    makes: Operation | None = None,
    changes: Operation | None = None,
    deletes: Operation | None = None,
    refused: tuple[int, ...] = READING,
) -> Callable[[View], View]:
    """Return a class decorator that describes the operations of a resource; `example` is a row as JSON.

    Operation ids begin with `name`, by default that of the resource. `refused` holds the statuses of the
    problems of reading one row.
    """

    def describe(view: View) -> View:
        about = (tag, name or view.resource.replace("-", "_"), example, view.serializer_class)
        listing = FOLLOWING if hasattr(view, "deletions") else READING
        operations = {
            "list": lists and _lists(*about, lists, listing),
            "retrieve": reads and _reads(*about, reads, refused),
            "create": makes and writes(*about, makes, view.made_from, "create", 201),
            "partial_update": changes
            and writes(*about, changes, view.changed_from, "change", 200, CHANGING, [_ETAG, _IF_MATCH]),
            "destroy": deletes and _deletes(*about, deletes),
        }
        told = {action: schema for action, schema in operations.items() if schema}
        described_view: View = extend_schema_view(**told)(view)
        return described_view

    return describe


def _lists(
    tag: str, name: str, example: Any, told: Any, operation: Operation, statuses: tuple[int, ...]
) -> Decorator:
    return extend_schema(
        operation_id=f"{name}_list",
        tags=[tag],
        summary=operation.summary,
        description=operation.words,
        # With its media type this key sorts before those of the problems, so that the generator takes the
        # response for a list and documents its pages and filters.
        responses=answers({(200, "application/json"): told(many=True)}, statuses),
        examples=[_answered(operation, example, 200), *problem_examples(statuses)],
    )


def _reads(
    tag: str, name: str, example: Any, told: Any, operation: Operation, statuses: tuple[int, ...]
) -> Decorator:
    return extend_schema(
        operation_id=f"{name}_read",
        tags=[tag],
        summary=operation.summary,
        description=operation.words,
        parameters=[_ETAG],
        responses=answers({200: told}, statuses),
        examples=[_answered(operation, example, 200), *problem_examples(statuses)],
    )


def writes(
    tag: str,
    name: str,
    example: Any,
    told: Any,
    operation: Operation,
    said: Any,
    verb: str,
    status: int = 200,
    statuses: tuple[int, ...] = WRITING,
    parameters: Sequence[OpenApiParameter] = (_ETAG,),
) -> Decorator:
    """Return a decorator that describes an operation that writes; `said` is the serializer of its body."""
    return extend_schema(
        operation_id=f"{name}_{verb}",
        tags=[tag],
        summary=operation.summary,
        description=operation.words,
        parameters=list(parameters),
        request={"application/json": said},
        responses=answers({status: told}, statuses),
        examples=[
            OpenApiExample(operation.summary, value=operation.sent, request_only=True),
            _answered(operation, example, status),
            *problem_examples(statuses),
        ],
    )


def _deletes(tag: str, name: str, _example: Any, _told: Any, operation: Operation) -> Decorator:
    return extend_schema(
        operation_id=f"{name}_delete",
        tags=[tag],
        summary=operation.summary,
        description=operation.words,
        parameters=[_IF_MATCH],
        responses=answers({204: OpenApiResponse(description="Deleted.")}, DELETING),
        examples=problem_examples(DELETING),
    )


def _answered(operation: Operation, example: Any, status: int) -> OpenApiExample:
    return OpenApiExample(operation.summary, value=example, response_only=True, status_codes=[str(status)])
