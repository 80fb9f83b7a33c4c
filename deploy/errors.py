"""Error responses outside views: a page, or under the API a problem document."""

import sys
import uuid
from http import HTTPStatus
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.views import defaults

from deploy.logs import FAULT
from scoring.api.problems import PROBLEM_TYPE, fault_document, problem_document
from scoring.core.messages import Sentence, mark
from scoring.services.outages import passes

_API: Final = "/api/"
# A PostgreSQL that restarts is back within it.
RETRY_SECONDS: Final = 5


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A request that cannot be trusted, such as one for another host name."""
    if not request.path_info.startswith(_API):
        return defaults.bad_request(request, exception)
    return _problem(400, "bad_request", mark("The request cannot be answered as it was sent."))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """An unknown address."""
    if not request.path_info.startswith(_API):
        return defaults.page_not_found(request, exception)
    return _problem(404, "not_found", mark("There is nothing at this address."))


def fault(request: HttpRequest) -> HttpResponse:
    """A server error. The answer reveals only its `instance`, which the log has too (`NameFault`).

    An outage, such as a database that restarts, is a 503 with `Retry-After` instead.
    """
    error = sys.exception()
    if request.path_info.startswith(_API):
        instance = uuid.uuid4().urn
        document = fault_document(error, instance)
        if "instance" in document:
            request.META[FAULT] = instance
        response: HttpResponse = _answer(document)
    elif passes(error):
        # Nothing is asked of the database for it, not even who is asking.
        response = HttpResponse(render_to_string("503.html"), status=503)
    else:
        response = defaults.server_error(request)
    if response.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
        response["Retry-After"] = str(RETRY_SECONDS)
    return response


def _problem(status: int, code: str, detail: Sentence) -> JsonResponse:
    return _answer(problem_document(status, code, detail, {}))


def _answer(document: dict[str, Any]) -> JsonResponse:
    return JsonResponse(document, status=document["status"], content_type=PROBLEM_TYPE)
