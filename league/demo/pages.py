"""The door by which the demo is loaded from the first page of an empty site, and the page that waits."""

from typing import Final

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.demo import SHEETS, load_demo
from league.errors import LeagueError
from league.models import Club
from league.pages.beginning import no_beginning
from league.pages.doors import form_page
from league.pages.pages import guessed
from league.pages.progress import ActProgress, told
from league.people.beginning import may_begin, read_code
from league.policy import is_administrator
from league.record import fleeting

# One demo is loaded at a time; while it is, a note here says how far it is.
_PLACE: Final = "progress-demo"
# Whoever loads it is heard of more often than that; who was ended keeps nobody waiting for longer.
_CLAIM_SECONDS: Final = 30


@form_page
def begin_demo(request: HttpRequest) -> HttpResponse:
    """Load the demo, for whoever has the code or administers the site, while there is no club.

    Whoever asks for it once more is shown how far it is, and then led to it.
    """
    if request.method != "POST":
        noted = fleeting.noted([_PLACE]).get(_PLACE)
        if noted is None:
            return redirect("home")
        return render(request, "league/begin/demo.html", {"done": noted[0], "total": noted[1]})
    if not (isinstance(request.user, User) and is_administrator(request.user)):
        opened = read_code(request.POST.get("code", ""))
        if opened is None:
            return guessed(no_beginning(request))
        if opened.is_spent():
            return no_beginning(request)
    if not may_begin():
        return no_beginning(request)
    if not fleeting.claim(_PLACE, (0, SHEETS), _CLAIM_SECONDS):
        return redirect("begin_demo")
    try:
        load_demo(progress=ActProgress(_PLACE, kept_seconds=_CLAIM_SECONDS).steps(SHEETS))
    except LeagueError:
        # Another process, with which no notes are shared, was first.
        if not Club.objects.filter(is_demo=True).exists():
            raise
    finally:
        fleeting.forget(_PLACE)
    return redirect("home")


@never_cache
@require_safe
def demo_progress(request: HttpRequest) -> HttpResponse:
    """How far the demo is while it is being loaded."""
    return told(_PLACE)
