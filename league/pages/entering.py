"""Entering an event oneself: one page that says how one stands in it, with a button for each act."""

from http import HTTPStatus

from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.errors import LeagueError
from league.events.entering import ask_rounds_off, enter_oneself, own_standing, withdraw_oneself
from league.models import Event
from league.pages.events import about
from league.pages.pages import page, visible_event, way_in
from league.policy import actor_of
from league.record.locking import refused_when_crossed
from scoring.words.messages import translated


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def event_enter(request: HttpRequest, club: str, event: str) -> HttpResponse:
    """How the signed-in user stands in an event. A POST's `what` enters him, withdraws him, asks rounds off.

    Whoever is not signed in is asked to do so first.
    """
    shown = visible_event(request, club, event)
    if not isinstance(request.user, User):
        return redirect_to_login(request.path)
    refused = ""
    if request.method == "POST":
        try:
            with refused_when_crossed():
                _do(request, request.user, shown)
            return redirect("event_enter", club, event)
        except LeagueError as refusal:
            refused = translated(refusal.message)
    context = about(shown) | {
        "own": own_standing(shown, request.user),
        "refused": refused,
        **way_in(request, shown.club),
    }
    answer = page(request, "league/enter.html", context, club=shown.club)
    answer.status_code = HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK
    return answer


def _do(request: HttpRequest, user: User, event: Event) -> None:
    """Do what was asked for; nothing where that is none of the acts."""
    by, what = actor_of(user), request.POST.get("what", "")
    if what == "enter":
        enter_oneself(actor=by, event=event)
    elif what == "withdraw":
        withdraw_oneself(actor=by, event=event)
    elif what == "rounds":
        asked = [text for text in request.POST.getlist("off") if text.isascii() and text.isdigit()]
        ask_rounds_off(actor=by, event=event, numbers=[int(text) for text in asked if len(text) <= 2])
