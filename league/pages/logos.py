"""A club's logo and colour: the picture, the stylesheet, and the page where its owners choose the logo."""

from http import HTTPStatus

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from league.core.colours import is_colour, readable_on_dark, readable_on_light
from league.models import ClubLogo
from league.pages.pages import page, placing_refusals, reader_of, signed_in, visible_club
from league.people.logos import LARGEST_UPLOAD, remove_logo, set_logo
from league.policy import Permission, actor_of, can

# The address changes with what is behind it.
_FOR_A_YEAR = 365 * 24 * 60 * 60


class LogoForm(forms.Form):
    """The picture that becomes the logo."""

    file = forms.FileField(
        label=gettext_lazy("Picture"),
        widget=forms.ClearableFileInput(attrs={"accept": "image/png,image/jpeg,image/webp"}),
        help_text=gettext_lazy(
            "A PNG, JPEG or WebP of 2 MB at most. It is redrawn with 512 pixels a side at most."
        ),
    )


@require_safe
def club_logo(request: HttpRequest, club: str, digest: str) -> HttpResponse:
    """The logo as PNG, at an address that is its own; a 404 for any other, and where the club is one."""
    shown = visible_club(request, club)
    if not shown.logo or shown.logo != digest:
        raise Http404
    logo = get_object_or_404(ClubLogo, club=shown)
    response = HttpResponse(bytes(logo.png), content_type="image/png")
    who = {"public": True} if shown.is_public else {"private": True}
    patch_cache_control(response, max_age=_FOR_A_YEAR, immutable=True, **who)
    return response


@require_safe
def colours(request: HttpRequest, colour: str) -> HttpResponse:
    """The stylesheet of an accent colour (six digits), which can be read on light and on dark pages.

    It follows from the colour alone. A 404 for what is none.
    """
    if not is_colour(f"#{colour}"):
        raise Http404
    context = {"light": readable_on_light(f"#{colour}"), "dark": readable_on_dark(f"#{colour}")}
    response = render(request, "league/colours.css", context, content_type="text/css")
    patch_cache_control(response, max_age=_FOR_A_YEAR, immutable=True, public=True)
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def choose_logo(request: HttpRequest, club: str) -> HttpResponse:
    """Where the club's owners choose its logo, or take it away; a 404 for everybody else."""
    shown = visible_club(request, club)
    if not can(reader_of(request), Permission.MANAGE, shown):
        raise Http404
    user = signed_in(request)
    if request.method == "POST" and "remove" in request.POST:
        remove_logo(actor=actor_of(user), club=shown)
        return redirect("choose_logo", shown.slug)
    form = LogoForm(request.POST, request.FILES) if request.method == "POST" else LogoForm()
    if form.is_bound and form.is_valid():
        with placing_refusals(form):
            # One byte more tells that the file is too large.
            data = form.cleaned_data["file"].read(LARGEST_UPLOAD + 1)
            set_logo(actor=actor_of(user), club=shown, data=data)
            return redirect("choose_logo", shown.slug)
    response = page(request, "league/logo.html", {"form": form}, club=shown)
    if form.is_bound:
        response.status_code = HTTPStatus.UNPROCESSABLE_ENTITY
    return response
