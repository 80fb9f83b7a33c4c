"""The link with which a guest takes a seat at a table of a member."""

from http import HTTPStatus
from typing import Final

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.pages.pages import GUEST_AT
from league.errors import LeagueError
from league.matches.offers import game_words
from league.pages.doors import form_page
from league.pages.pages import guessed, place_refusal, reader_of
from league.people.guests import LONGEST_NAME, guest_seat, guest_table, sit_down_as_guest
from league.policy.naming import names_for
from league.record.locking import refused_when_crossed
from scoring.core.errors import ScoringError

# A session keeps the latest of its seats.
_MOST_SEATS: Final = 20


class GuestName(forms.Form):
    """The name under which a guest plays."""

    name = forms.CharField(label=_("Your name"), max_length=LONGEST_NAME)


@form_page
def seat_of_guest(request: HttpRequest, secret: str) -> HttpResponse:
    """Asks a guest for his name, and leads him to the table; whoever has the link may come back by it.

    While others are waited for he is told of how many. A secret that opens nothing is a 404. Who has made
    the link sits there already, and takes no second seat.
    """
    seat = guest_seat(secret)
    if seat is None:
        return _led_to_the_table(request, secret) or guessed(
            render(request, "league/guest_seat_over.html", status=HTTPStatus.NOT_FOUND)
        )
    offer = seat.offer
    form = GuestName(request.POST if request.method == "POST" and not seat.is_taken else None)
    if form.is_valid():
        try:
            if request.user.is_authenticated and request.user == offer.by.user:
                raise LeagueError("same_member", gettext("Nobody plays against themselves."))
            with refused_when_crossed():
                sit_down_as_guest(seat=seat, name=form.cleaned_data["name"])
            return _led_to_the_table(request, secret) or redirect("guest_seat", secret)
        except (LeagueError, ScoringError) as refusal:
            place_refusal(form, refusal)
    context = {
        "offer": offer,
        "game": game_words(offer),
        "seat": seat,
        "missing": sum(not one.is_taken for one in offer.seats.all()),
        "form": form,
        "host": names_for(reader_of(request), offer.club).player(offer.by),
    }
    answer = render(request, "league/guest_seat.html", context)
    if form.errors:
        answer.status_code = HTTPStatus.UNPROCESSABLE_ENTITY
    return answer


def _led_to_the_table(request: HttpRequest, secret: str) -> HttpResponse | None:
    """The way to the table at which the secret has a seat, which the session notes; None if it has none."""
    found = guest_table(secret)
    if found is None:
        return None
    table, link = found
    seats = {code: of for code, of in request.session.get(GUEST_AT, {}).items() if code != table.code}
    request.session[GUEST_AT] = dict([*seats.items(), (table.code, link.code)][-_MOST_SEATS:])
    return redirect("play_table", table.code)
