"""Refuses requests larger than anything this site accepts before storing any of them."""

import contextlib
from collections.abc import Callable, Iterable
from http import HTTPStatus
from tempfile import SpooledTemporaryFile
from typing import Final
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, JsonResponse, UnreadablePostError
from django.shortcuts import render

from league.core.hand_files.reading import LARGEST_FILE
from scoring.api.problems import PROBLEM_TYPE, problem_document
from scoring.core.errors import TOO_LARGE_SENTENCE

LARGEST_REQUEST: Final = LARGEST_FILE + 1_000_000
# This much is read and discarded, because a browser shows no answer before it has sent everything.
HEARD_OUT: Final = 300_000_000
AT_ONCE: Final = 1 << 16
IN_MEMORY: Final = 1 << 20


class WithLength:
    """WSGI middleware that gives a body sent in chunks the length without which Django reads none of it.

    A proxy or server that reads requests whole does that already; gunicorn does not. What is too large is not
    kept; `LargestRequest` refuses it by its length.
    """

    def __init__(self, application: WSGIApplication) -> None:
        self.application = application

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        ends = environ.get("wsgi.input_terminated", False)
        if "HTTP_TRANSFER_ENCODING" not in environ or "CONTENT_LENGTH" in environ or not ends:
            return self.application(environ, start_response)
        with SpooledTemporaryFile(IN_MEMORY) as body:
            length = 0
            while length <= HEARD_OUT and (part := environ["wsgi.input"].read(AT_ONCE)):
                length += len(part)
                if length <= LARGEST_REQUEST:
                    body.write(part)
            body.seek(0)
            whole = environ | {"wsgi.input": body, "CONTENT_LENGTH": str(length)}
            return self.application(whole, start_response)


class LargestRequest:
    """Middleware; goes before everything that reads a body, which starts with the CSRF check."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # Without a length Django reads no body, so this cannot be bypassed.
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not length.isdecimal() or int(length) <= LARGEST_REQUEST:
            return self.get_response(request)
        if int(length) <= HEARD_OUT:
            with contextlib.suppress(UnreadablePostError):
                while request.read(AT_ONCE):
                    pass
        return _refusal(request)


def _refusal(request: HttpRequest) -> HttpResponse:
    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    if request.path_info.startswith("/api/"):
        problem = problem_document(status, "too_large", TOO_LARGE_SENTENCE, {})
        return JsonResponse(problem, status=status, content_type=PROBLEM_TYPE)
    request.user = AnonymousUser()  # not authenticated yet
    return render(request, "413.html", {"megabytes": LARGEST_FILE // 1_000_000}, status=status)
