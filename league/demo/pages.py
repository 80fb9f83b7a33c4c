"""The door by which the demo is loaded from the first page of an empty site."""

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from league.demo import load_demo
from league.errors import LeagueError
from league.models import Club
from league.people.beginning import may_begin, read_code
from league.policy import is_administrator


@never_cache
@require_POST
def begin_demo(request: HttpRequest) -> HttpResponse:
    """Load the demo, for whoever has the code or administers the site, while there is no club.

    Takes as long as that takes; whoever asks twice is led to the one demo.
    """
    administers = isinstance(request.user, User) and is_administrator(request.user)
    if not may_begin() or not (administers or read_code(request.POST.get("code", "")) is not None):
        raise Http404
    try:
        load_demo(progress=False)
    except LeagueError:
        if not Club.objects.filter(is_demo=True).exists():
            raise
    return redirect("home")
