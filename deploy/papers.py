"""A limit on papers: PDFs and files that take long to make, per person or client network."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

from deploy.guesses import too_many
from deploy.limits import Limit
from deploy.logins import who_asks


class LimitPapers(MiddlewareMixin):
    """Middleware that makes clients wait who ask for papers too often; views say that they make one."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        """Refuses what is beyond the limit; None within it, and for all other views."""
        limit = Limit.named("paper") if getattr(view, "makes_paper", False) else None
        wait = limit.count("-".join(who_asks(request))) if limit is not None else 0
        return too_many(request, wait) if wait else None
