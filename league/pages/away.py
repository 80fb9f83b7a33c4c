"""The page on which a player says on which days he cannot play."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from league.models import Player, PlayerAbsence
from league.pages.doors import own_form_page
from league.pages.pages import (
    page,
    placing_refusals,
    row_id,
    signed_in,
    today_in,
    visible_club,
    way_in,
)
from league.people.absences import note_absence, take_back_absence
from league.people.accounts import own_players
from league.policy import actor_of


class AwayForm(forms.Form):
    """The first and the last day; of an account with several players also whose they are."""

    player = forms.ChoiceField(label=_("Who"))

    first_day = forms.DateField(label=_("First day"), widget=forms.DateInput(attrs={"type": "date"}))
    last_day = forms.DateField(label=_("Last day"), widget=forms.DateInput(attrs={"type": "date"}))

    def __init__(self, players: Sequence[Player], data: QueryDict | None = None) -> None:
        super().__init__(data)
        if len(players) > 1:
            choices = [(player.code, player.name) for player in players]
            self.fields["player"].choices = choices  # type: ignore[attr-defined]
        else:
            del self.fields["player"]


@own_form_page
def club_away(request: HttpRequest, club: str) -> HttpResponse:
    """The days on which the reader's players are away; a POST adds some, or takes back those of `back`."""
    shown, user = visible_club(request, club), signed_in(request)
    players, today = list(own_players(user.pk, shown)), today_in(shown)
    form, by = AwayForm(players), actor_of(user)
    absences = PlayerAbsence.objects.filter(player__in=players).select_related("player")
    back = request.POST.get("back", "")
    if players and request.method == "POST" and back:
        absence = absences.filter(pk=row_id(back) or 0).first()
        if absence is None:
            raise Http404
        take_back_absence(actor=by, absence=absence)
        return redirect("club_away", club)
    if players and request.method == "POST":
        form = AwayForm(players, request.POST)
        if form.is_valid():
            days = dict(form.cleaned_data)
            code = days.pop("player", players[0].code)
            (player,) = (each for each in players if each.code == code)
            with placing_refusals(form):
                note_absence(actor=by, player=player, today=today, **days)
                return redirect("club_away", club)
    context: dict[str, Any] = {
        "at": "me",
        "players": players,
        "form": form,
        "absences": absences.filter(last_day__gte=today),
        **({} if players else way_in(request, shown)),
    }
    return page(request, "league/away.html", context, club=shown, is_refused=form.errors)
