"""Checking in by oneself: the code for the wall, and what a member sees who scans it."""

from http import HTTPStatus

import segno
from django import forms
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.core.addresses import public_address
from league.draws.planning import asks_who_is_here
from league.errors import LeagueError
from league.events.presence import number_to_check_in
from league.events.self_check_in import (
    MOST_MINUTES,
    check_in_oneself,
    close_self_check_in,
    closed_words,
    door_with,
    open_self_check_in,
)
from league.models import Presence, PresenceState, SelfCheckIn
from league.pages.doors import form_page
from league.pages.events import about
from league.pages.pages import guessed, page, place_refusal, reader_of, visible_event
from league.policy import Permission, actor_of, can, events_seen
from league.policy.own import own_entries
from league.record.locking import refused_when_crossed
from scoring.words.messages import translated


class MinutesForm(forms.Form):
    """For how many minutes members check in by themselves."""

    minutes = forms.IntegerField(
        label=_("For how many minutes"), min_value=1, max_value=MOST_MINUTES, initial=45
    )


@form_page
def event_check_in(request: HttpRequest, club: str, event: str) -> HttpResponse:
    """Opens self check-in, shows its code once, and closes it; a 404 for all but the club's officers.

    And where it does not matter who is here.

    A POST's `what` opens it with a new code (`open`) or closes it (`close`).
    """
    shown = visible_event(request, club, event)
    if not isinstance(request.user, User) or not can(request.user, Permission.RECORD, shown.club):
        raise Http404
    if not asks_who_is_here(shown):
        raise Http404
    by, number = actor_of(request.user), number_to_check_in(shown)
    form, address, refused = MinutesForm(), "", ""
    what = request.POST.get("what", "")
    if what == "close":
        close_self_check_in(actor=by, event=shown)
        return redirect("event_check_in", club, event)
    if what == "open":
        form = MinutesForm(request.POST)
        if form.is_valid():
            try:
                with refused_when_crossed():
                    minutes = form.cleaned_data["minutes"]
                    secret = open_self_check_in(actor=by, event=shown, number=number, minutes=minutes)
                address = request.build_absolute_uri(reverse("check_in_here", args=[secret]))
            except LeagueError as refusal:
                if refusal.field in form.fields:
                    place_refusal(form, refusal)
                else:
                    refused = translated(refusal.message)
    door = SelfCheckIn.objects.filter(event=shown).first()
    here = Presence.objects.filter(event=shown, round_number=number, state=PresenceState.HERE)
    context = about(shown) | {
        "number": number,
        "form": form,
        "refused": refused,
        "door": door if door is not None and door.closes_at > timezone.now() else None,
        "here": here.count(),
        "address": address,
        "code": segno.make(address, error="m", micro=False).svg_data_uri(scale=8, light="#fff")
        if address
        else "",
        "is_here_alone": bool(address) and not public_address(address),
    }
    is_refused = refused or form.errors
    return page(request, "league/check_in_code.html", context, club=shown.club, is_refused=is_refused)


@form_page
def check_in_here(request: HttpRequest, secret: str) -> HttpResponse:
    """Checks the signed-in user in by a POST: of several entries of his the one (its code) in `entry`.

    Whoever is not signed in does that first, and comes back. A code that opens nothing, or an event that he
    may not read, is a 404 with a sentence.
    """
    if not isinstance(request.user, User):
        return redirect_to_login(request.path)
    door = door_with(secret)
    if door is None:
        answer = render(request, "league/check_in_over.html", status=HTTPStatus.NOT_FOUND)
        return guessed(answer)
    event = door.event
    if not events_seen(reader_of(request)).filter(pk=event.pk).exists():
        return render(request, "league/check_in_over.html", status=HTTPStatus.NOT_FOUND)
    refused = ""
    if request.method == "POST":
        try:
            with refused_when_crossed():
                code = request.POST.get("entry", "")
                check_in_oneself(actor=actor_of(request.user), door=door, code=code)
            return redirect("check_in_here", secret)
        except LeagueError as refusal:
            refused = translated(refusal.message)
    entries = own_entries(request.user.pk, event)
    here = Presence.objects.filter(
        event=event, round_number=door.round_number, entry__in=entries, state=PresenceState.HERE
    )
    are_here = set(here.values_list("entry", flat=True))
    context = {
        "event": event,
        "entries": [(entry, entry.pk in are_here) for entry in entries],
        "number": door.round_number,
        "closed": closed_words(door) if door.closes_at <= timezone.now() else "",
        "refused": refused,
    }
    return page(request, "league/check_in_here.html", context, club=event.club, is_refused=refused)
