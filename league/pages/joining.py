"""Joining a club by oneself, saying who one is in its register, and the officers' answers."""

from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from league.errors import LeagueError
from league.models import Club
from league.pages.account_forms import ClaimForm, ConfirmClaimForm, RefuseClaimForm
from league.pages.doors import form_page
from league.pages.pages import directed_club, page, place_refusal, reader_of, signed_in, visible_club
from league.people.claiming import (
    SaidOfHimself,
    candidates,
    claim_row,
    confirm_claim,
    may_claim,
    refuse_claim,
)
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
from league.record.locking import refused_when_crossed
from scoring.words.messages import translated


@form_page
def join_club(request: HttpRequest, club: str) -> HttpResponse:
    """Say that one is in the club's register already, or join as somebody new, or ask to.

    Leads to making an account, or signing in, first. A POST with `what=claim` says who one is.
    """
    shown = visible_club(request, club)
    reader = reader_of(request)
    user = reader if isinstance(reader, User) else None
    claims = user is not None and may_claim(user, shown)
    belongs = belongs_to(reader, shown)
    if belongs and not claims:
        return redirect("club_me", shown.slug)
    if not claims and not takes_members(shown):
        raise Http404
    is_claimed = request.POST.get("what") == "claim"
    form = ClaimForm(request.POST if is_claimed else None, initial={"name": _name_of(user)})
    refused = ""
    if request.method == "POST":
        if user is None:
            return redirect_to_login(request.path)
        if not is_claimed or form.is_valid():
            try:
                with refused_when_crossed():
                    return _do(request, user, shown, form if is_claimed else None)
            except LeagueError as error:
                if is_claimed and error.field in form.fields:
                    place_refusal(form, error)
                else:
                    refused = translated(error.message)
    context = {
        "waits": None if user is None else request_of(user, shown),
        "claims": claims,
        "belongs": belongs,
        "was_removed": was_removed(reader, shown),
        "at_once": joins_at_once(reader, shown),
        "form": form,
        "refused": refused,
    }
    is_refused = refused or (is_claimed and form.errors)
    return page(request, "league/join.html", context, club=shown, is_refused=is_refused)


def _name_of(user: User | None) -> str:
    return "" if user is None else user.get_full_name()[:80]


def _do(request: HttpRequest, user: User, club: Club, form: ClaimForm | None) -> HttpResponse:
    """Take the claim of a valid form, or let the user join; leads to where he sees what became of it."""
    if form is None:
        is_member = join(user=user, club=club) is not None
        return redirect("club_me" if is_member else "join_club", club.slug)
    typed = form.cleaned_data
    said = SaidOfHimself(typed["name"], typed["member_number"], typed["note"])
    player = claim_row(user=user, club=club, said=said)
    if player is None:
        return redirect("join_club", club.slug)
    messages.success(request, _("Your account is linked to %(player)s.") % {"player": player})
    return redirect("club_me", club.slug)


@never_cache
@require_POST
def withdraw(request: HttpRequest, club: str) -> HttpResponse:
    """Take one's own request back."""
    shown = visible_club(request, club)
    if not isinstance(reader_of(request), User):
        return redirect_to_login(reverse("join_club", args=[shown.slug]))
    withdraw_request(user=signed_in(request), club=shown)
    return redirect("club_me" if belongs_to(reader_of(request), shown) else "club", shown.slug)


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
            said = _("%(name)s was not accepted.")
    except LeagueError as error:
        messages.warning(request, translated(error.message))
    else:
        messages.success(request, said % {"name": name})
    return redirect("members", shown.slug)


@form_page
def claim(request: HttpRequest, club: str, code: str) -> HttpResponse:
    """What somebody says of himself, and the players he may be; confirms one of them, or refuses.

    For directors; a 404 for one that was answered or taken back.
    """
    shown = directed_club(request, club)
    waiting = get_object_or_404(requests_to(shown).exclude(name=""), code=code)
    likely = candidates(waiting)
    is_refused = request.POST.get("what") == "refuse"
    sent = request.POST if request.method == "POST" else None
    confirming = ConfirmClaimForm(waiting, likely, None if is_refused else sent)
    refusing = RefuseClaimForm(sent if is_refused else None)
    form = refusing if is_refused else confirming
    if form.is_valid():
        actor = actor_of(signed_in(request))
        try:
            with refused_when_crossed():
                if is_refused:
                    refuse_claim(actor=actor, request=waiting, sentence=form.cleaned_data["sentence"])
                    said = _("%(name)s was answered.") % {
                        "name": waiting.user.get_full_name() or waiting.user
                    }
                else:
                    player = confirm_claim(actor=actor, request=waiting, player=form.cleaned_data["player"])
                    said = _("%(player)s has an account now.") % {"player": player}
        except LeagueError as error:
            form.add_error(None, translated(error.message))
        else:
            messages.success(request, said)
            return redirect("members", shown.slug)
    context = {
        "waiting": waiting,
        "likely": likely,
        "confirming": confirming,
        "refusing": refusing,
        "is_member": belongs_to(waiting.user, shown),
    }
    return page(request, "league/claim.html", context, club=shown, is_refused=form.errors)
