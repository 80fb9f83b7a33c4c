"""Choosing what one is told by mail, and stopping it by the address in each mail."""

from http import HTTPStatus

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from league.errors import LeagueError
from league.notices.bounces import switch_on
from league.notices.choices import choose, clubs_of, stop, stopped_by
from league.pages.account_forms import NoticesForm
from league.pages.accounts import account_page
from league.pages.pages import place_refusal, signed_in
from league.policy import actor_of


@never_cache
@require_POST
@login_required
def choices(request: HttpRequest, club: str) -> HttpResponse:
    """Set what the user is told by a club; a 404 for one that is not his."""
    user = signed_in(request)
    shown = get_object_or_404(clubs_of(user), slug=club)
    form = NoticesForm(request.POST)
    if form.is_valid():
        try:
            choose(
                actor=actor_of(user),
                user=user,
                club=shown,
                kinds=form.wanted(),
                quiet=form.quiet(),
                digest=form.cleaned_data["digest_at"],
            )
        except LeagueError as error:
            place_refusal(form, error)
        else:
            return redirect(f"{reverse('account')}#told-{shown.slug}")
    return account_page(request, told={shown.pk: form}, status=HTTPStatus.UNPROCESSABLE_ENTITY)


@never_cache
@require_POST
@login_required
def mail_again(request: HttpRequest) -> HttpResponse:
    """Have mail sent again to the user's address, from which it came back."""
    switch_on(signed_in(request))
    return redirect("account")


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
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
