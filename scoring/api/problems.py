"""Errors of the API as `application/problem+json` (RFC 9457).

One shape for every refusal: `type`, `title`, `status`, `detail`, and beside them the stable `code` and the
place (`deal`, `hand`, `field`, null where there is none). `problem_response` is the exception handler that
the settings name; an app above names the statuses of its own codes with `answer_with`.
"""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from django.core.exceptions import RequestDataTooBig
from django.http import Http404
from drf_spectacular.utils import inline_serializer
from rest_framework import exceptions, serializers
from rest_framework.response import Response
from rest_framework.views import exception_handler

from scoring.core.errors import CodedError
from scoring.words.messages import translated

PROBLEM_TYPE: Final = "application/problem+json"

# Statuses by code; a refusal whose code is not here is a 422, a request understood and turned down.
_STATUSES: Final[dict[str, int]] = {
    "not_json": 400,
    "key_missing": 400,
    "not_allowed": 403,
    "busy": 409,
    "stale_version": 412,
    "too_large": 413,
    "earlier_refused": 424,
}
# A sentence may repeat what was sent; of more than this the middle is left out.
_LONGEST: Final = 400
_KEPT: Final = (250, 100)


# For the OpenAPI document: what every 4xx answer of the API looks like.
Problem: Final = inline_serializer(
    "Problem",
    {
        "type": serializers.CharField(default="about:blank"),
        "title": serializers.CharField(help_text="The phrase of the HTTP status."),
        "status": serializers.IntegerField(),
        "detail": serializers.CharField(help_text="A sentence for a person; its wording may change."),
        "code": serializers.CharField(help_text="What is wrong, for a program; stays put."),
        "deal": serializers.IntegerField(allow_null=True, help_text="Counted from 1."),
        "hand": serializers.IntegerField(allow_null=True, help_text="Counted from 1."),
        "field": serializers.CharField(allow_null=True),
        "instance": serializers.CharField(
            required=False, help_text="Of a fault of ours (500): by this the log names it."
        ),
        "errors": serializers.DictField(
            required=False, help_text="Every sentence, where a form has several."
        ),
    },
)


def answer_with(statuses: Mapping[str, int]) -> None:
    """Has the codes of an app's refusals answered with these statuses; to be called while it starts."""
    _STATUSES.update(statuses)


def problem_response(error: Exception, context: dict[str, Any]) -> Response | None:
    """The answer to an error in a view of the API; None for a fault, which Django answers with 500."""
    if isinstance(error, CodedError):
        place = {name: getattr(error, name, None) for name in ("deal", "hand", "field")}
        return _problem(_STATUSES.get(error.code, 422), error.code, translated(error.message), place)
    if isinstance(error, RequestDataTooBig):
        return _problem(413, "too_large", "The request is too large.", {})
    if isinstance(error, exceptions.ValidationError):
        return _invalid(error)
    if isinstance(error, Http404):
        error = exceptions.NotFound()  # its own words name the program's tables
    response = exception_handler(error, context)
    if response is None:
        return None
    # REST framework reads Django's own 404 and 403 as its exceptions, but keeps that to itself.
    detail = response.data["detail"]
    problem = _problem(response.status_code, getattr(detail, "code", "error"), str(detail), {})
    for header in ("Allow", "Retry-After", "WWW-Authenticate"):
        if header in response:
            problem[header] = response[header]
    return problem


def _invalid(error: exceptions.ValidationError) -> Response:
    """What a serializer refuses: the first sentence as detail, all of them in `errors`."""
    errors = error.detail if isinstance(error.detail, dict) else {"": error.detail}
    field, sentence = _first(errors, "")
    code = getattr(sentence, "code", "invalid")
    problem = _problem(422, code, str(sentence), {"field": field or None})
    problem.data["errors"] = _clipped(errors)
    return problem


def _first(errors: Any, field: str) -> tuple[str, Any]:
    """The first sentence in nested errors, and the path to its field: "sides.0.name"."""
    if isinstance(errors, Mapping):
        name, inner = next(iter(errors.items()))
        if name == "non_field_errors":
            return _first(inner, field)
        return _first(inner, f"{field}.{name}" if field else str(name))
    if isinstance(errors, list | tuple):
        for index, inner in enumerate(errors):
            if isinstance(inner, Mapping | list | tuple):
                if inner:
                    return _first(inner, f"{field}.{index}" if field else str(index))
            else:
                return field, inner
    return field, errors


def _problem(status: int, code: str, detail: str, place: Mapping[str, Any]) -> Response:
    return Response(problem_document(status, code, detail, place), status=status, content_type=PROBLEM_TYPE)


def problem_document(status: int, code: str, detail: str, place: Mapping[str, Any]) -> dict[str, Any]:
    """The document itself, for answers that are given outside the API's views."""
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": _clipped(detail),
        "code": code,
        "deal": place.get("deal"),
        "hand": place.get("hand"),
        "field": _clipped(place.get("field")),
    }


def _clipped(told: Any) -> Any:
    """What is told, its texts and the names of fields short enough to be read, whatever was sent."""
    if isinstance(told, Mapping):
        return {_clipped(name): _clipped(inner) for name, inner in told.items()}
    if isinstance(told, list | tuple):
        return [_clipped(inner) for inner in told]
    if not isinstance(told, str) or len(told) <= _LONGEST:
        return told
    first, last = _KEPT
    return f"{told[:first]} … {told[-last:]}"
