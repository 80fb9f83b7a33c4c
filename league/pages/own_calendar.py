"""A user's own calendar: its secret address, and the calendar itself."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.events.calendars import own_calendar
from league.models import CalendarAddress, Match, Round
from league.pages.doors import own_form_page
from league.pages.pages import guessed, signed_in
from league.people.calendar_addresses import renew_address, stop_address, user_of_calendar


@own_form_page
def calendar_address(request: HttpRequest) -> HttpResponse:
    """The page on which the address is made, shown once, made anew and stopped."""
    user = signed_in(request)
    address = ""
    if request.method == "POST":
        if "stop" in request.POST:
            stop_address(user)
            return redirect("calendar_address")
        address = request.build_absolute_uri(reverse("own_calendar", args=[renew_address(user)]))
    made = CalendarAddress.objects.filter(user=user).first()
    return render(request, "league/calendar.html", {"address": address, "made": made})


@require_safe
def calendar(request: HttpRequest, secret: str) -> HttpResponse:
    """The matches of whoever made the address, as an iCalendar file; a 404 for any other, a guess."""
    user = user_of_calendar(secret)
    if user is None:
        said = _("There is no calendar at this address: it was replaced or stopped.")
        answer = HttpResponse(said, content_type="text/plain; charset=utf-8", status=HTTPStatus.NOT_FOUND)
        return guessed(answer)

    def of_match(match: Match) -> str:
        way = [match.event.club.slug, match.event.slug, match.code]
        return request.build_absolute_uri(reverse("match", args=way))

    def of_round(round_: Round) -> str:
        way = [round_.event.club.slug, round_.event.slug, round_.number]
        return request.build_absolute_uri(reverse("round", args=way))

    content = own_calendar(user, today=timezone.localdate(), of_match=of_match, of_round=of_round)
    response = HttpResponse(content, content_type="text/calendar; charset=utf-8")
    patch_cache_control(response, private=True, no_cache=True)
    return response
