"""The page on which a player says on which days he cannot play."""

from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.errors import LeagueError
from league.pages.pages import page, place_refusal, row_id, signed_in, today_in, visible_club, way_in
from league.people.absences import note_absence, take_back_absence
from league.people.accounts import own_players
from league.policy import actor_of


class AwayForm(forms.Form):
    """The first and the last day."""

    first_day = forms.DateField(label=_("First day"), widget=forms.DateInput(attrs={"type": "date"}))
    last_day = forms.DateField(label=_("Last day"), widget=forms.DateInput(attrs={"type": "date"}))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def club_away(request: HttpRequest, club: str) -> HttpResponse:
    """The days on which the reader's player is away; a POST adds some, or takes back those of `back`."""
    shown, user = visible_club(request, club), signed_in(request)
    player, today = own_players(user.pk, shown).first(), today_in(shown)
    form, by = AwayForm(), actor_of(user)
    back = request.POST.get("back", "")
    if player is not None and request.method == "POST" and back:
        absence = player.absences.filter(pk=row_id(back) or 0).first()
        if absence is None:
            raise Http404
        take_back_absence(actor=by, absence=absence)
        return redirect("club_away", club)
    if player is not None and request.method == "POST":
        form = AwayForm(request.POST)
        if form.is_valid():
            try:
                note_absence(actor=by, player=player, today=today, **form.cleaned_data)
                return redirect("club_away", club)
            except LeagueError as refusal:
                place_refusal(form, refusal)
    context: dict[str, Any] = {
        "at": "me",
        "player": player,
        "form": form,
        "absences": [] if player is None else player.absences.filter(last_day__gte=today),
        **({} if player is not None else way_in(request, shown)),
    }
    answer = page(request, "league/away.html", context, club=shown)
    answer.status_code = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    return answer
