"""Lets pages of other sites read what anybody may read.

Only reading, and only as nobody in particular: a browser sends neither cookies nor tokens along, for the
answer is open to every origin and allows no credentials.
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

_API: Final = "/api/"
_METHODS: Final = "GET, HEAD, OPTIONS"
# Beside those that a page may always send: what asks whether anything has changed.
_SENT: Final = "Accept, Accept-Language, If-None-Match"
_TOLD: Final = "ETag, Location, Retry-After"
_SECONDS: Final = "86400"


class OpenReading:
    """Middleware: answers of the API to reading requests are open to every origin."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not request.path.startswith(_API):
            return self.get_response(request)
        response = _preflight() if _is_preflight(request) else self.get_response(request)
        if request.method in ("GET", "HEAD", "OPTIONS"):
            response["Access-Control-Allow-Origin"] = "*"
            response["Access-Control-Expose-Headers"] = _TOLD
        return response


def _is_preflight(request: HttpRequest) -> bool:
    """Whether a browser asks what it may send."""
    asks = request.headers.get("Access-Control-Request-Method")
    return request.method == "OPTIONS" and asks is not None


def _preflight() -> HttpResponse:
    response = HttpResponse(status=HTTPStatus.NO_CONTENT)
    response["Access-Control-Allow-Methods"] = _METHODS
    response["Access-Control-Allow-Headers"] = _SENT
    response["Access-Control-Max-Age"] = _SECONDS
    return response
