"""API errors as `application/problem+json` (RFC 9457).

Every refusal has the same shape: `type`, `title`, `status`, `detail`, a stable `code`, and the place as
`deal`, `hand` and `field` (null where it does not apply). `problem_response` is the exception handler named
in the settings; an app above registers the statuses of its own codes with `answer_with`.
"""

import logging
import uuid
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from django.core.exceptions import RequestDataTooBig
from django.http import Http404
from drf_spectacular.utils import inline_serializer
from rest_framework import exceptions, serializers
from rest_framework.response import Response
from rest_framework.views import exception_handler

from scoring.core.errors import AWAY_SENTENCE, FAULT_SENTENCE, TOO_LARGE_SENTENCE, CodedError
from scoring.core.messages import Sentence
from scoring.services.outages import passes
from scoring.words.messages import translated

logger = logging.getLogger(__name__)

PROBLEM_TYPE: Final = "application/problem+json"

# Statuses by code; every other code is a 422: understood, but refused.
_STATUSES: Final[dict[str, int]] = {
    "not_json": 400,
    "key_missing": 400,
    "not_allowed": 403,
    "busy": 409,
    "stale_version": 412,
    "too_large": 413,
    "earlier_refused": 424,
}
# A message may quote the input; anything longer loses its middle.
_LONGEST: Final = 400
_KEPT: Final = (250, 100)


# For the OpenAPI document: the shape of every 4xx answer.
Problem: Final = inline_serializer(
    "Problem",
    {
        "type": serializers.CharField(default="about:blank"),
        "title": serializers.CharField(help_text="The phrase of the HTTP status."),
        "status": serializers.IntegerField(),
        "detail": serializers.CharField(help_text="A sentence for a person; its wording may change."),
        "code": serializers.CharField(help_text="What is wrong, for programs; it does not change."),
        "deal": serializers.IntegerField(allow_null=True, help_text="Counted from 1."),
        "hand": serializers.IntegerField(allow_null=True, help_text="Counted from 1."),
        "field": serializers.CharField(allow_null=True),
        "instance": serializers.CharField(
            required=False, help_text="For an error on our side (500): its name in the log."
        ),
        "errors": serializers.DictField(required=False, help_text="All messages, if there are several."),
    },
)


def answer_with(statuses: Mapping[str, int]) -> None:
    """Registers HTTP statuses for an app's error codes; call it during start-up."""
    _STATUSES.update(statuses)


def refused_outcome(error: Exception) -> dict[str, Any]:
    """The status and the problem of one entry of a batch, as a request of its own would be answered.

    A fault of ours is one too, and logged: what was written before it is told all the same.
    """
    response = problem_response(error, {})
    if response is not None:
        return {"status": response.status_code, "problem": response.data}
    instance = uuid.uuid4().urn
    problem = fault_document(error, instance)
    if problem["status"] == HTTPStatus.INTERNAL_SERVER_ERROR:
        logger.error("fault in a batch (%s)", instance, exc_info=error)
    return {"status": problem["status"], "problem": problem}


def fault_document(error: BaseException | None, instance: str) -> dict[str, Any]:
    """The problem document of what nobody refused: 503 while the surroundings fail, else 500.

    By the `instance` of a 500 the log names it.
    """
    if passes(error):
        return problem_document(HTTPStatus.SERVICE_UNAVAILABLE, "unavailable", AWAY_SENTENCE, {})
    fault = problem_document(HTTPStatus.INTERNAL_SERVER_ERROR, "internal_error", FAULT_SENTENCE, {})
    return {**fault, "instance": instance}


def problem_response(error: Exception, context: dict[str, Any]) -> Response | None:
    """The response to an exception in an API view; None for a fault, which Django answers with 500."""
    if isinstance(error, CodedError):
        place = {name: getattr(error, name, None) for name in ("deal", "hand", "field")}
        return _problem(_STATUSES.get(error.code, 422), error.code, error.message, place)
    if isinstance(error, RequestDataTooBig):
        return _problem(413, "too_large", TOO_LARGE_SENTENCE, {})
    if isinstance(error, exceptions.ValidationError):
        return _invalid(error)
    if isinstance(error, Http404):
        error = exceptions.NotFound()  # its own message names database tables
    response = exception_handler(error, context)
    if response is None:
        return None
    # REST framework converts Django's 404 and 403 too, but only inside its own handler.
    detail = response.data["detail"]
    problem = _problem(response.status_code, getattr(detail, "code", "error"), str(detail), {})
    for header in ("Allow", "Retry-After", "WWW-Authenticate"):
        if header in response:
            problem[header] = response[header]
    return problem


def _invalid(error: exceptions.ValidationError) -> Response:
    """A serializer's refusal: the first message as `detail`, all of them in `errors`."""
    errors = error.detail if isinstance(error.detail, dict) else {"": error.detail}
    field, sentence = _first(errors, "")
    code = getattr(sentence, "code", "invalid")
    problem = _problem(422, code, str(sentence), {"field": field or None})
    problem.data["errors"] = _clipped(errors)
    return problem


def _first(errors: Any, field: str) -> tuple[str, Any]:
    """The first message in nested errors, and the path to its field, as in "sides.0.name"."""
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


def _problem(status: int, code: str, detail: Sentence, place: Mapping[str, Any]) -> Response:
    return Response(problem_document(status, code, detail, place), status=status, content_type=PROBLEM_TYPE)


def problem_document(status: int, code: str, detail: Sentence, place: Mapping[str, Any]) -> dict[str, Any]:
    """The problem document itself, for answers given outside the API's views; `detail` is translated."""
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": _clipped(translated(detail)),
        "code": code,
        "deal": place.get("deal"),
        "hand": place.get("hand"),
        "field": _clipped(place.get("field")),
    }


def _clipped(told: Any) -> Any:
    """The value with its texts and field names cut to a readable length."""
    if isinstance(told, Mapping):
        return {_clipped(name): _clipped(inner) for name, inner in told.items()}
    if isinstance(told, list | tuple):
        return [_clipped(inner) for inner in told]
    if not isinstance(told, str) or len(told) <= _LONGEST:
        return told
    first, last = _KEPT
    return f"{told[:first]} … {told[-last:]}"
