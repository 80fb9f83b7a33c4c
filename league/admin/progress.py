"""Progress of long acts in the administration (`league.pages.progress`): its address, and its rehearsal."""

from dataclasses import dataclass

from django.contrib import admin
from django.http import HttpRequest, HttpResponseBase
from django.urls import path

from league.pages.progress import ActProgress, place_of, told


class RehearsedError(Exception):
    """Ends a rehearsal once nothing can refuse the act any more; everything is rolled back."""


@dataclass(slots=True)
class RehearsedProgress(ActProgress):
    """The progress of a rehearsed long act: its first step ends the rehearsal."""

    place: str | None = None

    def __call__(self, done: int, total: int) -> None:
        raise RehearsedError


def progress_view(request: HttpRequest, key: str) -> HttpResponseBase:
    """The progress of the user's act with this key."""
    return told(place_of(request, key))


urlpatterns = [path("<slug:key>/", admin.site.admin_view(progress_view), name="admin-progress")]
