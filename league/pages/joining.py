"""Joining a club by oneself, and the officers' answers to who asks."""

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from league.errors import LeagueError
from league.pages.pages import directed_club, page, reader_of, signed_in, visible_club
from league.people.joining import (
    approve_request,
    belongs_to,
    join,
    joins_at_once,
    refuse_request,
    request_of,
    requests_to,
    takes_members,
    was_removed,
    withdraw_request,
)
from league.policy import actor_of
from scoring.words.messages import translated


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join_club(request: HttpRequest, club: str) -> HttpResponse:
    """Join a public club, or ask to; leads to making an account, or signing in, first."""
    shown = visible_club(request, club)
    reader = reader_of(request)
    user = reader if isinstance(reader, User) else None
    if user is not None and belongs_to(user, shown):
        return redirect("club_me", shown.slug)
    if not takes_members(shown):
        raise Http404
    refused = ""
    if request.method == "POST":
        if user is None:
            return redirect_to_login(request.path)
        try:
            if join(user=user, club=shown) is not None:
                return redirect("club_me", shown.slug)
        except LeagueError as error:
            refused = translated(error.message)
        else:
            return redirect("join_club", shown.slug)
    context = {
        "waits": user is not None and request_of(user, shown) is not None,
        "was_removed": was_removed(reader, shown),
        "at_once": joins_at_once(reader, shown),
        "refused": refused,
    }
    response = page(request, "league/join.html", context, club=shown)
    response.status_code = HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK
    return response


@never_cache
@require_POST
def withdraw(request: HttpRequest, club: str) -> HttpResponse:
    """Take one's own request back."""
    shown = visible_club(request, club)
    if not isinstance(reader_of(request), User):
        return redirect_to_login(reverse("join_club", args=[shown.slug]))
    withdraw_request(user=signed_in(request), club=shown)
    return redirect("club", shown.slug)


@never_cache
@require_POST
def answer(request: HttpRequest, club: str, code: str, approves: bool) -> HttpResponse:
    """Approve a request to join, or refuse it; a 404 for one that was answered or taken back."""
    shown = directed_club(request, club)
    asked = get_object_or_404(requests_to(shown), code=code)
    name = asked.user.get_full_name() or asked.user.get_username()
    actor = actor_of(signed_in(request))
    try:
        if approves:
            approve_request(actor=actor, request=asked)
            said = _("%(name)s is a member now.")
        else:
            refuse_request(actor=actor, request=asked)
            said = _("%(name)s was not taken in.")
    except LeagueError as error:
        messages.warning(request, translated(error.message))
    else:
        messages.success(request, said % {"name": name})
    return redirect("members", shown.slug)
