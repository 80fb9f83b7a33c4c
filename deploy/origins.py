"""Notes of every request by which door it came, and from which address, for whatever keeps a history."""

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from deploy.logins import client_address
from scoring.core.origin import origin

_DOORS: Final = {"/api/": "api", "/admin/": "admin", "/table/": "table"}


class NoteOrigin:
    """Middleware: what is written while a request is answered came from there."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        doors = (door for path, door in _DOORS.items() if request.path_info.startswith(path))
        with origin(next(doors, "page"), client_address(request)):
            return self.get_response(request)
