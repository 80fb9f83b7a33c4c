"""Lets every request say anew how names are printed in its answer."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from scoring.core.printed_names import printing


class PrintNames:
    """Middleware: names are printed as they are, until a page says for whom it is."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with printing():
            return self.get_response(request)
