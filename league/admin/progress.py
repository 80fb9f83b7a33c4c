"""Progress of acts that take longer than a second, reported to a script while their request runs.

The form of a long act contains a random key. While one request runs the act, it writes its progress to the
cache under that key; `progress.js` polls it in another request and draws the bar. Nothing depends on it:
without the script, or where processes share no cache, the act runs just the same.
"""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from django.contrib import admin
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.urls import path
from django.utils.crypto import get_random_string

from league.admin.scope import signed_in
from league.record import fleeting

FIELD: Final = "progress"
KEY: Final = re.compile(r"[A-Za-z0-9]{22}")
KEPT_SECONDS: Final = 600
NOTED_EVERY_SECONDS: Final = 0.2

Report = Callable[[int, int], None]


def new_key() -> str:
    """A key for the form of a page that offers a long act."""
    return get_random_string(22)


@dataclass(slots=True)
class ActProgress:
    """The progress of this request's act. Called with the amount done and the total."""

    place: str | None
    noted_at: float = 0.0

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if self.place is not None and (done >= total or now - self.noted_at >= NOTED_EVERY_SECONDS):
            self.noted_at = now
            fleeting.note(self.place, (done, total), KEPT_SECONDS)

    def steps(self, total: int) -> Callable[[int], None]:
        """A callback for acts that count steps: called with the number of steps just done."""
        done = 0

        def step(more: int) -> None:
            nonlocal done
            done += more
            self(min(done, total), total)

        return step


class RehearsedError(Exception):
    """Ends a rehearsal once nothing can refuse the act any more; everything is rolled back."""


@dataclass(slots=True)
class RehearsedProgress(ActProgress):
    """The progress of a rehearsed long act: its first step ends the rehearsal."""

    place: str | None = None

    def __call__(self, done: int, total: int) -> None:
        raise RehearsedError


def progress_of(request: HttpRequest) -> ActProgress:
    """The progress for the key in the request's form; reported nowhere if there is none."""
    key = request.POST.get(FIELD, "")
    return ActProgress(_place(request, key) if KEY.fullmatch(key) else None)


def progress_view(request: HttpRequest, key: str) -> HttpResponseBase:
    """The progress of the user's act with this key as JSON: `done` and `total`, {} while unknown."""
    place = _place(request, key)
    found: tuple[int, int] | None = fleeting.noted([place]).get(place)
    answer: dict[str, Any] = {} if found is None else {"done": found[0], "total": found[1]}
    return JsonResponse(answer)


def _place(request: HttpRequest, key: str) -> str:
    """The cache key; contains the user's id so that nobody can read another user's progress."""
    return f"progress-{signed_in(request).pk}-{key}"


urlpatterns = [path("<slug:key>/", admin.site.admin_view(progress_view), name="admin-progress")]
