"""Progress of acts that take longer than a second, noted while their request runs.

The form of a long act contains a random key. While one request runs the act, it writes its progress to the
cache under that key; `progress.js` polls it in another request and draws the bar. Nothing depends on it:
without the script, or where processes share no cache, the act runs just the same.
"""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest, JsonResponse
from django.utils.crypto import get_random_string

from league.pages.pages import reader_of
from league.record import fleeting

FIELD: Final = "progress"
KEY: Final = re.compile(r"[A-Za-z0-9]{22}")
KEPT_SECONDS: Final = 600
NOTED_EVERY_SECONDS: Final = 0.2


def new_key() -> str:
    """A key for the form of a page that offers a long act."""
    return get_random_string(22)


@dataclass(slots=True)
class ActProgress:
    """The progress of this request's act, kept so long. Called with the amount done and the total."""

    place: str | None
    noted_at: float = 0.0
    kept_seconds: int = KEPT_SECONDS

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if self.place is not None and (done >= total or now - self.noted_at >= NOTED_EVERY_SECONDS):
            self.noted_at = now
            fleeting.note(self.place, (done, total), self.kept_seconds)

    def steps(self, total: int) -> Callable[[int], None]:
        """A callback for acts that count steps: called with the number of steps just done."""
        done = 0

        def step(more: int) -> None:
            nonlocal done
            done += more
            self(min(done, total), total)

        return step


def progress_of(request: HttpRequest) -> ActProgress:
    """The progress for the key in the request's form; reported nowhere if there is none."""
    key = request.POST.get(FIELD, "")
    return ActProgress(place_of(request, key) if KEY.fullmatch(key) else None)


def place_of(request: HttpRequest, key: str) -> str:
    """The cache key; contains the user's id so that nobody can read another user's progress."""
    return f"progress-{reader_of(request).pk}-{key}"


def told(place: str) -> JsonResponse:
    """What is noted at a place as JSON: `done` and `total`, {} while unknown."""
    found: tuple[int, int] | None = fleeting.noted([place]).get(place)
    return JsonResponse({} if found is None else {"done": found[0], "total": found[1]})
