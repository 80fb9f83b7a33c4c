"""A bar for acts that take longer than a second: how far an act is, told to a script while its request runs.

The page of a long act has a random key in its form. While the act is done in one request, it notes under that
key, in the cache, how much of it is done; `progress.js` asks for that in another and draws the bar. Nothing
depends on it: without the script, or where processes share no cache, the act is done just the same.
"""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from django.contrib import admin
from django.core.cache import cache
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.urls import path
from django.utils.crypto import get_random_string

from league.admin.scope import signed_in

FIELD: Final = "progress"
KEY: Final = re.compile(r"[A-Za-z0-9]{22}")
KEPT_SECONDS: Final = 600
NOTED_EVERY_SECONDS: Final = 0.2

Report = Callable[[int, int], None]


def new_key() -> str:
    """For the form of a page that offers a long act."""
    return get_random_string(22)


@dataclass(slots=True)
class ActProgress:
    """How far the act of this request is. Called with how much is done, and how much there is in all."""

    place: str | None
    noted_at: float = 0.0

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if self.place is not None and (done >= total or now - self.noted_at >= NOTED_EVERY_SECONDS):
            self.noted_at = now
            cache.set(self.place, (done, total), KEPT_SECONDS)

    def steps(self, total: int) -> Callable[[int], None]:
        """For an act that counts its steps: to be called with how many more are done."""
        done = 0

        def step(more: int) -> None:
            nonlocal done
            done += more
            self(min(done, total), total)

        return step


class RehearsedError(Exception):
    """An act that was rehearsed has come so far that nothing refuses it any more; all of it is taken back."""


@dataclass(slots=True)
class RehearsedProgress(ActProgress):
    """In place of the progress of a long act that is only rehearsed: its first step ends it."""

    place: str | None = None

    def __call__(self, done: int, total: int) -> None:
        raise RehearsedError


def progress_of(request: HttpRequest) -> ActProgress:
    """The progress that the form of this request asks for; noted nowhere if there is no key in it."""
    key = request.POST.get(FIELD, "")
    return ActProgress(_place(request, key) if KEY.fullmatch(key) else None)


def progress_view(request: HttpRequest, key: str) -> HttpResponseBase:
    """How far the user's act with this key is: `done` of `total`, or nothing as long as nothing is known."""
    found: tuple[int, int] | None = cache.get(_place(request, key))
    answer: dict[str, Any] = {} if found is None else {"done": found[0], "total": found[1]}
    return JsonResponse(answer)


def _place(request: HttpRequest, key: str) -> str:
    """In the cache; with the user's id, so that nobody looks into another's."""
    return f"progress-{signed_in(request).pk}-{key}"


urlpatterns = [path("<slug:key>/", admin.site.admin_view(progress_view), name="admin-progress")]
