"""Choosing what one is told and how, and on which devices; and stopping mail by the address in each."""

from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from league.errors import LeagueError
from league.models import NoticeWay
from league.notices import bounces
from league.notices.choices import choose, clubs_of, stop, stopped_by
from league.notices.devices import SWITCHED_ON, end_device, switch_on
from league.notices.outbox import tells
from league.pages.account_forms import DeviceForm, NoticesForm
from league.pages.accounts import account_page
from league.pages.doors import form_page, own_act
from league.pages.pages import placing_refusals, signed_in
from league.policy import actor_of
from league.record.locking import refused_when_crossed
from scoring.words.messages import translated


@own_act
def choices(request: HttpRequest, club: str) -> HttpResponse:
    """Set what the user is told by a club; a 404 for one that is not his."""
    user = signed_in(request)
    shown = get_object_or_404(clubs_of(user), slug=club)
    form = NoticesForm(request.POST)
    if form.is_valid():
        with placing_refusals(form):
            choose(
                actor=actor_of(user),
                user=user,
                club=shown,
                kinds=form.wanted(NoticeWay.MAIL),
                pushed_kinds=form.wanted(NoticeWay.PUSH),
                quiet=form.quiet(),
                digest=form.cleaned_data.get("digest_at"),
            )
            return redirect(f"{reverse('account')}#told-{shown.slug}")
    return account_page(request, told={shown.pk: form}, status=HTTPStatus.UNPROCESSABLE_ENTITY)


@own_act
def mail_again(request: HttpRequest) -> HttpResponse:
    """Have mail sent again to the user's address, from which it came back."""
    bounces.switch_on(signed_in(request))
    return redirect("account")


@own_act
def add_device(request: HttpRequest) -> HttpResponse:
    """Tell the user on the browser that asks: JSON, 201 or a refusal with its `message`.

    A 404 on a site that tells nothing.
    """
    if not tells():
        raise Http404
    user = signed_in(request)
    form = DeviceForm(request.POST)
    if not form.is_valid():
        return JsonResponse({"message": _("This browser cannot show notifications.")}, status=422)
    browser = request.headers.get("User-Agent", "")
    try:
        with refused_when_crossed():
            device = switch_on(actor=actor_of(user), user=user, browser=browser, **form.cleaned_data)
    except LeagueError as refusal:
        return JsonResponse({"message": translated(refusal.message)}, status=422)
    request.session[SWITCHED_ON] = device.code
    return JsonResponse({"name": device.name}, status=HTTPStatus.CREATED)


@own_act
def remove_device(request: HttpRequest, code: str) -> HttpResponse:
    """Tell the user no more on one of his devices; a 404 for any other."""
    if not end_device(user=signed_in(request), code=code):
        raise Http404
    return redirect(f"{reverse('account')}#devices")


@csrf_exempt
@form_page
def stop_by_secret(request: HttpRequest, secret: str) -> HttpResponse:
    """Stop all mail of a club to whoever has this address, at once by a POST of a mail program (RFC 8058).

    It has neither cookies nor a token of ours: the secret is what permits it. A browser's GET only asks.
    A 404 for a secret that stops nothing.
    """
    found = stopped_by(secret)
    if found is None:
        raise Http404
    user, club = found
    if request.method == "POST":
        stop(user, club)
    context = {"club": club, "is_stopped": request.method == "POST"}
    return render(request, "league/notices_stop.html", context)
