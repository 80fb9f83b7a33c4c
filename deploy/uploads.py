"""Refuses requests larger than anything this site accepts before storing any of them."""

import contextlib
from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, JsonResponse, UnreadablePostError
from django.shortcuts import render

from league.core.hand_files.reading import LARGEST_FILE
from scoring.api.problems import PROBLEM_TYPE, problem_document

LARGEST_REQUEST: Final = LARGEST_FILE + 1_000_000
# This much is read and discarded, because a browser shows no answer before it has sent everything.
HEARD_OUT: Final = 300_000_000
AT_ONCE: Final = 1 << 16


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
        problem = problem_document(status, "too_large", "The request is too large.", {})
        return JsonResponse(problem, status=status, content_type=PROBLEM_TYPE)
    request.user = AnonymousUser()  # not authenticated yet
    return render(request, "413.html", {"megabytes": LARGEST_FILE // 1_000_000}, status=status)
