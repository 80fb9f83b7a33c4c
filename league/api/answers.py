"""What the OpenAPI document says of every operation: what it answers, what can be refused, and an example."""

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

from scoring.api.problems import PROBLEM_TYPE, Problem

Answers: TypeAlias = dict[Any, Any]
View = TypeVar("View", bound=Any)
Decorator: TypeAlias = Callable[[Any], Any]

_SAID: Final[dict[int, str]] = {
    400: "Not JSON, or not to be read.",
    401: "No token, or one that opens nothing any more.",
    403: "Not allowed to who asks.",
    404: "There is no such thing, or none that who asks may see.",
    406: "Asked for in another form than JSON.",
    409: "Somebody else was writing the same; nothing was done, try again.",
    412: "Changed since it was read; read it again.",
    413: "Too large.",
    415: "Not sent as application/json.",
    422: "Refused: what is wrong, and where.",
    428: "Sent without If-Match, which a change needs.",
    429: "Too many requests; see Retry-After.",
}
READING: Final = (401, 404, 406, 422, 429)
# Of a document that is sent.
WRITING: Final = (400, 401, 403, 404, 406, 409, 413, 415, 422, 429)
# Of a row that was read before.
CHANGING: Final = (*WRITING, 412, 428)
DELETING: Final = (401, 403, 404, 406, 409, 412, 422, 428, 429)

_REFUSED: Final = {
    "type": "about:blank",
    "title": "Unprocessable Entity",
    "status": 422,
    "detail": "There is a player “Ann” already; add an initial or the town.",
    "code": "name_taken",
    "deal": None,
    "hand": None,
    "field": "name",
}
_NO_SUCH: Final = {
    "type": "about:blank",
    "title": "Not Found",
    "status": 404,
    "detail": "Not found.",
    "code": "not_found",
    "deal": None,
    "hand": None,
    "field": None,
}
_ETAG: Final = OpenApiParameter(
    "ETag",
    str,
    OpenApiParameter.HEADER,
    response=(200, 201),
    description="The version of what is answered, for If-Match.",
)
_IF_MATCH: Final = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    required=True,
    description="The ETag of what is changed, as it was read.",
)


def answers(answered: Mapping[Any, Any], statuses: tuple[int, ...] = READING, **said: str) -> Answers:
    """The `responses` of an operation: what it answers by status, and its problems.

    `said` describes a problem better where the general sentence says too little: `s422="…"`.
    """
    problems: Answers = {
        (status, PROBLEM_TYPE): OpenApiResponse(Problem, description=said.get(f"s{status}", _SAID[status]))
        for status in sorted(set(statuses))
    }
    return {**answered, **problems}


def problem_examples(statuses: tuple[int, ...]) -> list[OpenApiExample]:
    """Two of the problems, as they are answered."""
    shown = {404: ("No such thing", _NO_SUCH), 422: ("Refused", _REFUSED)}
    return [
        OpenApiExample(
            name, value=value, response_only=True, media_type=PROBLEM_TYPE, status_codes=[str(status)]
        )
        for status, (name, value) in shown.items()
        if status in statuses
    ]


@dataclass(frozen=True, slots=True)
class Operation:
    """What an operation is called and what there is to say of it; `sent` is an example of the request."""

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
    """Describes the operations of a resource, of which `example` is a row; `name` is its own where it differs
    from the resource's. `refused` is what the reading of one row may be refused with.
    """

    def describe(view: View) -> View:
        about = (tag, name or view.resource.replace("-", "_"), example, view.serializer_class)
        operations = {
            "list": lists and _lists(*about, lists),
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


def _lists(tag: str, name: str, example: Any, told: Any, operation: Operation) -> Decorator:
    return extend_schema(
        operation_id=f"{name}_list",
        tags=[tag],
        summary=operation.summary,
        description=operation.words,
        # With its medium the key comes before those of the problems as text, so the document's generator sees
        # what is answered: only of a list it tells pages and filters.
        responses=answers({(200, "application/json"): told(many=True)}),
        examples=[_answered(operation, example, 200), *problem_examples(READING)],
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
    """Describes what writes a row: `said` is the serializer of the request."""
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
        responses=answers({204: OpenApiResponse(description="It is gone.")}, DELETING),
        examples=problem_examples(DELETING),
    )


def _answered(operation: Operation, example: Any, status: int) -> OpenApiExample:
    return OpenApiExample(operation.summary, value=example, response_only=True, status_codes=[str(status)])
