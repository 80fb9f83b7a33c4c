"""The pages as an application on a telephone or computer: manifest, icons, and the root's service worker.

The worker shows what is pushed, and a page that says so where there is no connection. It keeps no page but
that one, so that nobody is shown scores of yesterday. The page of a table has a worker of its own.
"""

import io
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final

import resvg_py
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from PIL import Image

from league.models import Club, ClubLogo
from league.pages.pages import visible_club

# In pixels, as browsers ask for them.
ICON_SIZES: Final = (192, 512)
_SHEET: Final = "#fffdf7"
# The part of an icon that a logo takes of each side: corners are cut off by some telephones.
_INSIDE: Final = 0.8
_FOR_A_DAY: Final = 24 * 60 * 60
_FOR_A_YEAR: Final = 365 * 24 * 60 * 60
# The files of the page that is shown without a connection.
_FILES: Final = tuple(f"league/{name}" for name in ("palette.css", "sheet.css", "offline.js", "icon.svg"))


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker of all pages, at the root so that it may be theirs; asked for at each visit."""
    shown = render_to_string("league/offline.html")
    context = {
        "files": [static(name) for name in _FILES],
        "offline": reverse("offline"),
        "icon": reverse("icon", args=[ICON_SIZES[0]]),
        # Another text, or another file, is another worker, which keeps them anew.
        "version": sha256(shown.encode()).hexdigest()[:16],
    }
    response = render(request, "league/worker.js", context, content_type="text/javascript")
    response["Cache-Control"] = "no-cache"
    return response


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """The page that the worker shows without a connection: the same for everybody, and of nobody."""
    return HttpResponse(render_to_string("league/offline.html"))


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """The manifest of the site: what a telephone calls it, where it begins, its icons."""
    icons = [reverse("icon", args=[size]) for size in ICON_SIZES]
    return _manifest(_("Gin rummy clubs"), reverse("me"), icons)


@require_safe
def club_manifest(request: HttpRequest, club: str) -> HttpResponse:
    """The manifest of a club, which begins at its “My club”; a 404 for who may not read the club's pages."""
    shown = visible_club(request, club)
    if shown.logo:
        icons = [reverse("club_icon", args=[shown.slug, shown.logo, size]) for size in ICON_SIZES]
    else:
        icons = [reverse("icon", args=[size]) for size in ICON_SIZES]
    return _manifest(shown.name, reverse("club_me", args=[shown.slug]), icons)


@require_safe
def icon(request: HttpRequest, size: int) -> HttpResponse:
    """The site's icon as PNG; a 404 for a size that no manifest names."""
    if size not in ICON_SIZES:
        raise Http404
    response = HttpResponse(_drawn(size), content_type="image/png")
    patch_cache_control(response, max_age=_FOR_A_DAY, public=True)
    return response


@require_safe
def club_icon(request: HttpRequest, club: str, digest: str, size: int) -> HttpResponse:
    """The club's logo as an icon, at an address that is its own; a 404 for any other, and as the logo's."""
    shown = visible_club(request, club)
    if size not in ICON_SIZES or not shown.logo or shown.logo != digest:
        raise Http404
    response = HttpResponse(_framed(shown, size), content_type="image/png")
    who = {"public": True} if shown.is_public else {"private": True}
    patch_cache_control(response, max_age=_FOR_A_YEAR, immutable=True, **who)
    return response


def _manifest(name: str, start: str, icons: list[str]) -> HttpResponse:
    told: dict[str, Any] = {
        "id": start,
        "name": name,
        "short_name": name,
        "lang": get_language(),
        "start_url": start,
        "scope": "/",
        "display": "standalone",
        "background_color": _SHEET,
        "theme_color": _SHEET,
        "icons": [
            {"src": address, "sizes": f"{size}x{size}", "type": "image/png"}
            for size, address in zip(ICON_SIZES, icons, strict=True)
        ],
    }
    return JsonResponse(told, content_type="application/manifest+json")


@lru_cache(maxsize=len(ICON_SIZES))
def _drawn(size: int) -> bytes:
    drawing = files("league").joinpath("static", "league", "icon.svg").read_text(encoding="utf-8")
    return bytes(resvg_py.svg_to_bytes(svg_string=drawing, width=size, height=size))


def _framed(club: Club, size: int) -> bytes:
    """The logo in the middle of a square without holes, which telephones would fill with black."""
    with Image.open(io.BytesIO(bytes(get_object_or_404(ClubLogo, club=club).png))) as logo:
        inside = round(size * _INSIDE)
        scale = inside / max(logo.size)
        fitted = logo.convert("RGBA").resize([max(1, round(side * scale)) for side in logo.size])
    square = Image.new("RGBA", (size, size), _SHEET)
    square.alpha_composite(fitted, ((size - fitted.width) // 2, (size - fitted.height) // 2))
    file = io.BytesIO()
    square.convert("RGB").save(file, "PNG", optimize=True)
    return file.getvalue()
