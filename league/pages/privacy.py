"""The page on privacy: what this site stores about persons, as it is set up."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.notices.mail import sends_mail
from league.notices.outbox import tells
from league.upkeep.holdings import COOKIES, HOLDINGS, site_contact


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """What is stored, why, for how long, who reads it, and how to have it erased; for everybody."""
    context = {
        "holdings": HOLDINGS,
        "cookies": COOKIES,
        "contact": site_contact(),
        "sends_mail": sends_mail(),
        "tells": tells(),
    }
    return render(request, "league/privacy.html", context)
