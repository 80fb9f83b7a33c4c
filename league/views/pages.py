"""What all pages share: who may see the club, its navigation and time zone, and how a page is kept fresh."""

from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_cache_control

from league.models import Club, Event, Round
from league.policy import Permission, clubs_where, events_seen, rounds_seen
from league.selectors.clubs import navigation


def visible_club(request: HttpRequest, slug: str) -> Club:
    """The club of this address; a 404 where there is none, and where the reader may not see it."""
    club = clubs_where(reader_of(request), Permission.VIEW).filter(slug=slug).first()
    if club is None:
        raise Http404
    return club


def visible_event(request: HttpRequest, club_slug: str, slug: str) -> Event:
    """The event of this address with its club, season and rules; a 404 as for `visible_club`.

    A draft is there for the directors of its club only.
    """
    event = (
        events_seen(reader_of(request))
        .select_related("club", "season", "rules")
        .filter(club__slug=club_slug, slug=slug)
        .first()
    )
    if event is None:
        raise Http404
    return event


def visible_round(request: HttpRequest, event: Event, number: int) -> Round:
    """The round of a visible event, which comes with it; one only drafted is there for directors alone."""
    found = rounds_seen(reader_of(request)).filter(event=event, number=number).first()
    if found is None:
        raise Http404
    found.event = event
    return found


def reader_of(request: HttpRequest) -> User | AnonymousUser:
    """Who reads the page."""
    return request.user


def page(request: HttpRequest, template: str, context: dict[str, Any], *, club: Club) -> HttpResponse:
    """A page of a club, its times in the club's zone."""
    shared = {"club": club, "navigation": navigation(club, seen=events_seen(reader_of(request)))}
    with timezone.override(club.zone):
        response = render(request, template, shared | context)
    return kept_fresh(response, club)


def kept_fresh(response: HttpResponse, club: Club) -> HttpResponse:
    """Asks browsers and proxies to come back with the ETag each time; a private club's pages are private."""
    patch_cache_control(response, no_cache=True)
    if not club.is_public:
        patch_cache_control(response, private=True)
    return response
