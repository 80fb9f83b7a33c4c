"""CORS: pages of other sites may read what anybody may read.

Reading only, and only anonymously: the response is open to every origin and allows neither credentials nor
the Authorization header, so a browser sends no cookies and no tokens.
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

_API: Final = "/api/"
_METHODS: Final = "GET, HEAD, OPTIONS"
# Besides the headers that a page may always send, the one of conditional requests.
_ALLOWED_HEADERS: Final = "Accept, Accept-Language, If-None-Match"
_EXPOSED_HEADERS: Final = "ETag, Location, Retry-After"
_MAX_AGE_SECONDS: Final = "86400"


class OpenReading:
    """Middleware that opens the API's responses to reading requests to every origin."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not request.path.startswith(_API):
            return self.get_response(request)
        response = _preflight() if _is_preflight(request) else self.get_response(request)
        if request.method in ("GET", "HEAD", "OPTIONS"):
            response["Access-Control-Allow-Origin"] = "*"
            response["Access-Control-Expose-Headers"] = _EXPOSED_HEADERS
        return response


def _is_preflight(request: HttpRequest) -> bool:
    """Return whether the request is a CORS preflight."""
    asks = request.headers.get("Access-Control-Request-Method")
    return request.method == "OPTIONS" and asks is not None


def _preflight() -> HttpResponse:
    response = HttpResponse(status=HTTPStatus.NO_CONTENT)
    response["Access-Control-Allow-Methods"] = _METHODS
    response["Access-Control-Allow-Headers"] = _ALLOWED_HEADERS
    response["Access-Control-Max-Age"] = _MAX_AGE_SECONDS
    return response
