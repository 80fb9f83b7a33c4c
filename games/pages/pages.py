"""What the pages of games share: who reads, and how a page is kept fresh."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control

from scoring.core.actors import Actor, ActorKind


def reader_of(request: HttpRequest) -> Actor:
    """Who reads the page, for the policy of sheets; nobody has the id 0."""
    user = request.user
    if not user.is_authenticated:
        return Actor(ActorKind.USER, "0", "")
    return Actor(ActorKind.USER, str(user.pk), user.get_username())


def page(request: HttpRequest, template: str, context: dict[str, Any], *, status: int = 200) -> HttpResponse:
    """A page in UTC; whoever is signed in may see more than others, so it is kept for him alone."""
    return kept_fresh(request, render(request, template, context, status=status))


def kept_fresh(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Asks browsers and proxies to come back with the ETag each time."""
    patch_cache_control(response, no_cache=True)
    if request.user.is_authenticated:
        patch_cache_control(response, private=True)
    return response
