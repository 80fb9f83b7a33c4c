"""Leaving a club by oneself, and erasing oneself there or with the whole account."""

from http import HTTPStatus
from typing import Any, Final

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_stubs_ext import StrOrPromise

from league.errors import LeagueError
from league.events.leaving import (
    clubs_left,
    erase_oneself,
    leave_club,
    planned_leaving,
    planned_self_erasure,
)
from league.models import Club
from league.notices.mail import mailed
from league.pages.account_forms import SureForm
from league.pages.doors import own_form_page
from league.pages.pages import page, signed_in
from league.people.accounts import own_players
from league.record.locking import refused_when_crossed
from scoring.words.messages import translated

_LEAVES: Final[StrOrPromise] = gettext_lazy("Yes, I leave the club")
_ERASES: Final[StrOrPromise] = gettext_lazy("Yes, erase me: I know that it cannot be undone")


@own_form_page
def club_leave(request: HttpRequest, club: str) -> HttpResponse:
    """What happens to who leaves the club, and leaving it; leads to the account who does not belong to it."""
    user = signed_in(request)
    shown = _own_club(user, club)
    if shown is None:
        return _no_club(request)
    form = SureForm(_LEAVES, request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            with refused_when_crossed():
                left = leave_club(user=user, club=shown)
        except LeagueError as error:
            form.add_error(None, translated(error.message))
        else:
            messages.success(request, _("You have left %(club)s.") % {"club": shown})
            if left.stays:
                names = ", ".join(sorted({str(each.entry.event) for each in left.stays}))
                messages.warning(
                    request, _("A director has still to withdraw you from %(events)s.") % {"events": names}
                )
            return redirect("account")
    context = {"plan": planned_leaving(user, shown), "form": form}
    return page(request, "league/leave.html", context, club=shown, is_refused=form.errors)


@own_form_page
def club_erase(request: HttpRequest, club: str) -> HttpResponse:
    """What goes and what stays of who erases himself in one club; who is no player there is told so."""
    user = signed_in(request)
    shown = _own_club(user, club)
    if shown is None or not own_players(user.pk, shown).exists():
        return _no_club(request)
    return _erasing(request, user, shown)


@own_form_page
def account_erase(request: HttpRequest) -> HttpResponse:
    """What goes and what stays of who erases himself everywhere, with his account."""
    return _erasing(request, signed_in(request), None)


def _own_club(user: User, slug: str) -> Club | None:
    return next((each for each in clubs_left(user) if each.slug == slug), None)


def _no_club(request: HttpRequest) -> HttpResponse:
    """The answer to who does not belong to a club, whether or not there is such a one."""
    messages.warning(request, _("You do not belong to this club, or not any more."))
    return redirect("account")


def _erasing(request: HttpRequest, user: User, club: Club | None) -> HttpResponse:
    form = SureForm(_ERASES, request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            erased: HttpResponse = _erase(request, user, club)
        except LeagueError as error:
            form.add_error(None, translated(error.message))
        else:
            return erased
    context: dict[str, Any] = {"plan": planned_self_erasure(user, club), "form": form, "here": club}
    template = "league/erase_oneself.html"
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    return render(request, template, context, status=status)


@reauthentication_required  # type: ignore[untyped-decorator]
def _erase(request: HttpRequest, user: User, club: Club | None) -> HttpResponse:
    """Erase who has just signed in, or has shown again that it is he; the last mail to him says so."""
    address = user.email
    with refused_when_crossed():
        erase_oneself(user=user, club=club)
    is_closed = not user.is_active
    if is_closed:
        text = _("Your account is erased, as you wished. Nothing more will be sent to this address.")
        mailed(to=address, subject=_("Your account is erased"), text=text)
        logout(request)
        return render(request, "league/erased.html")
    text = _("You are erased in %(club)s, as you wished. It will send you nothing more.") % {"club": club}
    mailed(to=address, subject=_("You are erased in %(club)s") % {"club": club}, text=text)
    messages.success(request, _("You are erased in %(club)s.") % {"club": club})
    return redirect("account")
