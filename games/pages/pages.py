"""Common to the pages of games: the reader, and caching."""

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control

from scoring.core.actors import Actor, ActorKind

# The session of a guest has here the codes of the links that let him in, by the codes of the tables.
GUEST_AT: Final = "guest_at"


def reader_of(request: HttpRequest) -> Actor:
    """The reader of the page, for the sheet policy; an anonymous reader has the id 0."""
    user = request.user
    if not user.is_authenticated:
        return Actor(ActorKind.USER, "0", "")
    return Actor(ActorKind.USER, str(user.pk), user.get_username())


def page(request: HttpRequest, template: str, context: dict[str, Any], *, status: int = 200) -> HttpResponse:
    """A page in UTC, cached privately because members may see more than others."""
    return kept_fresh(request, render(request, template, context, status=status))


def kept_fresh(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Makes browsers and proxies revalidate with the ETag every time."""
    patch_cache_control(response, no_cache=True)
    if request.user.is_authenticated or GUEST_AT in request.session:
        patch_cache_control(response, private=True)
    return response
