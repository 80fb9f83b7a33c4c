"""Signing in and out: for members of a private club; officers may as well use the admin's door."""

from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import LoginView, LogoutView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.collation import name_key
from league.policy import Permission, clubs_where
from league.views.pages import reader_of


class SignIn(LoginView):
    """The form; leads back to where one came from."""

    template_name = "league/login.html"
    next_page = "home"
    redirect_authenticated_user = True


class SignOut(LogoutView):
    """Takes a POST, from the account page."""

    next_page = "home"


@never_cache
@require_safe
@login_required(login_url="login")
def account(request: HttpRequest) -> HttpResponse:
    """Who is signed in, the clubs that they may read, and the way out."""
    clubs = sorted(
        clubs_where(reader_of(request), Permission.VIEW).order_by("name")[:100],
        key=lambda club: name_key(club.name),
    )
    return render(request, "league/account.html", {"clubs": clubs})
