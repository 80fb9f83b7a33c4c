"""Challenging where places are won by challenges, and answering one, by whoever plays there."""

from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from league.draws.challenges import challenge_oneself, decline_challenge, own_challenges
from league.errors import LeagueError
from league.models import Challenge, Entry, Event, Match, traits_of
from league.pages.doors import form_page
from league.pages.events import about
from league.pages.pages import names_of, page, today_in, visible_event
from league.policy import actor_of
from league.policy.own import own_entries
from league.record.locking import refused_when_crossed
from scoring.words.messages import translated


@form_page
def event_challenge(request: HttpRequest, club: str, event: str) -> HttpResponse:
    """Whom the signed-in user may challenge, and the challenge that he is in.

    A POST challenges the entry (its code) in `challenged`, or declines the challenge (its number) in
    `decline`. `as` in the address is the code of the entry that he acts for, if he plays for several. A 404
    for other events; whoever is not signed in is asked to do so first.
    """
    shown = visible_event(request, club, event)
    if not traits_of(shown).has_challenges:
        raise Http404
    if not isinstance(request.user, User):
        return redirect_to_login(request.path)
    refused = ""
    if request.method == "POST":
        try:
            with refused_when_crossed():
                match = _do(request, request.user, shown)
            if match is None:
                return redirect(request.get_full_path())
            return redirect("match_arrange", club, event, match.code)
        except LeagueError as refusal:
            refused = translated(refusal.message)
    entries = own_entries(request.user.pk, shown)
    code = request.GET.get("as", "")
    entry = next((each for each in entries if code in ("", each.code)), None)
    context = about(shown) | {
        "own": None if entry is None else own_challenges(shown, entry, names_of(request).marked),
        "entries": entries,
        "refused": refused,
        "today": today_in(shown.club),
    }
    return page(request, "league/challenge.html", context, club=shown.club, is_refused=refused)


def _do(request: HttpRequest, user: User, event: Event) -> Match | None:
    """Do what was asked for; returns the match of a new challenge."""
    by = actor_of(user)
    if (code := request.POST.get("challenged")) is not None:
        challenged = Entry.objects.filter(event=event, code=code).first()
        if challenged is None:
            raise Http404
        called = names_of(request).marked
        return challenge_oneself(
            actor=by, event=event, challenged=challenged, called=called, code=request.GET.get("as", "")
        ).match
    number = request.POST.get("decline", "")
    if number.isascii() and number.isdigit() and len(number) < 9:
        challenge = Challenge.objects.select_related("match__event__club", "event__club")
        found = challenge.filter(event=event, number=int(number)).first()
        if found is None:
            raise Http404
        decline_challenge(actor=by, challenge=found)
    return None
