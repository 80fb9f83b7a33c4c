"""What the OpenAPI document says of every operation: what it answers, what can be refused, and an example."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias, TypeVar

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema

from scoring.api.problems import PROBLEM_TYPE, Problem

Answers: TypeAlias = dict[Any, Any]
Method = TypeVar("Method", bound=Callable[..., Any])

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


def lists(
    tag: str, operation: str, summary: str, told: Any, example: Any, words: str = ""
) -> Callable[[Method], Method]:
    """Describes a list: `told` is the serializer of a row, `example` one row."""
    return extend_schema(
        operation_id=operation,
        tags=[tag],
        summary=summary,
        description=words,
        # With its medium the key comes before those of the problems as text, so the document's generator sees
        # what is answered: only of a list it tells pages and filters.
        responses=answers({(200, "application/json"): told(many=True)}),
        examples=[
            OpenApiExample(summary, value=example, response_only=True, status_codes=["200"]),
            *problem_examples(READING),
        ],
    )


def tells(
    tag: str,
    operation: str,
    summary: str,
    told: Any,
    example: Any,
    words: str = "",
    statuses: tuple[int, ...] = READING,
) -> Callable[[Method], Method]:
    """Describes the reading of one row, which has a version."""
    return extend_schema(
        operation_id=operation,
        tags=[tag],
        summary=summary,
        description=words,
        parameters=[_ETAG],
        responses=answers({200: told}, statuses),
        examples=[
            OpenApiExample(summary, value=example, response_only=True, status_codes=["200"]),
            *problem_examples(statuses),
        ],
    )


def makes(
    tag: str, operation: str, summary: str, said: Any, told: Any, example: Any, sent: Any, words: str = ""
) -> Callable[[Method], Method]:
    """Describes the making of a row: `said` is the serializer of the request, `sent` an example of it."""
    return _writes(tag, operation, summary, said, {201: told}, example, sent, words, WRITING, [_ETAG])


def changes(
    tag: str, operation: str, summary: str, said: Any, told: Any, example: Any, sent: Any, words: str = ""
) -> Callable[[Method], Method]:
    """Describes a change of a row, of which the request names some fields."""
    parameters = [_ETAG, _IF_MATCH]
    return _writes(tag, operation, summary, said, {200: told}, example, sent, words, CHANGING, parameters)


def acts(
    tag: str, operation: str, summary: str, said: Any, told: Any, example: Any, sent: Any, words: str = ""
) -> Callable[[Method], Method]:
    """Describes something done to a row that asks for no version: where it stands decides."""
    return _writes(tag, operation, summary, said, {200: told}, example, sent, words, WRITING, [_ETAG])


def deletes(tag: str, operation: str, summary: str, words: str = "") -> Callable[[Method], Method]:
    """Describes the deletion of a row."""
    gone = {204: OpenApiResponse(description="It is gone.")}
    return extend_schema(
        operation_id=operation,
        tags=[tag],
        summary=summary,
        description=words,
        parameters=[_IF_MATCH],
        responses=answers(gone, DELETING),
        examples=problem_examples(DELETING),
    )


def _writes(
    tag: str,
    operation: str,
    summary: str,
    said: Any,
    answered: Mapping[int, Any],
    example: Any,
    sent: Any,
    words: str,
    statuses: tuple[int, ...],
    parameters: list[OpenApiParameter],
) -> Callable[[Method], Method]:
    (status,) = answered
    return extend_schema(
        operation_id=operation,
        tags=[tag],
        summary=summary,
        description=words,
        parameters=parameters,
        request={"application/json": said},
        responses=answers(answered, statuses),
        examples=[
            OpenApiExample(summary, value=sent, request_only=True),
            OpenApiExample(summary, value=example, response_only=True, status_codes=[str(status)]),
            *problem_examples(statuses),
        ],
    )
