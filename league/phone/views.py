"""The page of a table, and the requests of its script."""

import secrets
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Final

from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET, require_POST, require_safe

from league.errors import LeagueError
from league.matches.table_links import opened_link
from league.phone.access import COOKIE, TablePlace, address_at, is_script, link_over, seated, table_view
from league.phone.page import PhonePage, page_data, page_tag, table_page, told
from league.phone.reading import read_entry
from league.policy.naming import in_full
from league.record.write_counts import PageVersion, version_of_sheet
from scoring.core.errors import RecordingError, ScoringError
from scoring.models import Scoresheet, SignatureMethod
from scoring.services import waiting_at_most
from scoring.services.claims import (
    Entered,
    TableReceipt,
    next_number,
    record_at_table,
    undo_last,
    withdraw_claim,
)
from scoring.services.disputes import dispute_sheet, open_disputes, settle_dispute
from scoring.services.endings import sign_sheet
from scoring.services.records import kept_sheet
from scoring.templatetags.figures import grouped, hand_words
from scoring.words.messages import translated

# The static files of the page.
_FILES: Final = tuple(
    f"league/{name}"
    for name in (
        "palette.css",
        "sheet.css",
        "table.css",
        "clock.js",
        "table_queue.js",
        "table_turns.js",
        "table_hands.js",
        "table_keys.js",
        "table_sheet.js",
        "table.js",
        "icon.svg",
    )
)
# A waiting write is refused after this time, before the page's script gives up.
_PATIENCE_SECONDS: Final = 5.0
_STATUS: Final = {"not_allowed": 403, "stale_version": 409, "busy": 409}


def table_post(
    write: Callable[[HttpRequest, TablePlace], str],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """A view that writes and answers with the message: JSON for the script, the page for a plain form."""

    @wraps(write)
    def view(request: HttpRequest, place: TablePlace) -> HttpResponse:
        try:
            with waiting_at_most(_PATIENCE_SECONDS):
                message = write(request, place)
        except (ScoringError, LeagueError) as refusal:
            if is_script(request):
                return _refused(refusal)
            fields = _fields(request.POST)
            return _page(request, place, fields, problem=translated(refusal.message), status=_status(refusal))
        if is_script(request):
            current = Scoresheet.objects.select_related("rules").get(pk=place.sheet.pk)
            return JsonResponse({"message": message, "next": next_number(kept_sheet(current))})
        return redirect(place.address("page"))

    return table_view(require_POST(view))


@never_cache
@require_safe
def exchange(request: HttpRequest, secret: str) -> HttpResponse:
    """A link's address: store its secret in a cookie of its place and redirect to an address without it."""
    link = opened_link(secret)
    if link is None:
        return link_over(request)
    place = address_at(link.sheet, link.side)
    response = redirect(place)
    response["Referrer-Policy"] = "no-referrer"
    response.set_cookie(
        COOKIE,
        secret,
        expires=link.expires_at,
        path=place,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
    return response


@never_cache
@require_safe
def own_place(request: HttpRequest, code: str) -> HttpResponse:
    """Redirect a user seated in the match with this code to the place."""
    place = seated(request, Q(code=code))
    return link_over(request) if place is None else redirect(place.address("page"))


@table_view
@require_safe
def page(request: HttpRequest, place: TablePlace) -> HttpResponse:
    """The whole page."""
    return _page(request, place, {})


@ensure_csrf_cookie
def state(request: HttpRequest, **place: Any) -> HttpResponseBase:
    """The part of the page that changes; 304 if the client's ETag is current."""
    return _state(request, **place, version=version_of_sheet(place["sheet"]))


@table_view
@require_safe
def _state(request: HttpRequest, place: TablePlace, version: PageVersion | None) -> HttpResponse:
    tag = page_tag(place, request.user, version)
    response = get_conditional_response(request, etag=tag)
    if response is None:
        response = render(request, "league/phone/_state.html", _context(table_page(place, request.user)))
    response["ETag"] = tag
    return response


@table_view
@require_GET
def preview(request: HttpRequest, place: TablePlace) -> HttpResponse:
    """The score of an entry, as JSON; stores nothing."""
    kept = in_full(place.match.event.club).sheet(kept_sheet(place.sheet), place.match)
    fields = _fields(request.GET)
    try:
        entry = read_entry({**fields, "key": ""}, kept.sides, kept.sheet.rules.rules)
        scored = kept.score([*kept.deals[: entry.number - 1], entry.deal], stopped=False).deals[-1]
    except ScoringError as refusal:
        return _refused(refusal)
    lines = [(line.side, line.points) for line in scored.lines]
    return JsonResponse(
        {
            "worth": ", ".join([f"{name} {grouped(points)}" for name, points in lines]) or _("Nobody scores"),
            "said": "; ".join([hand_words(line) for line in told(entry.deal, kept)]),
        }
    )


@table_post
def enter(request: HttpRequest, place: TablePlace) -> str:
    """Record a deal."""
    kept = kept_sheet(place.sheet)
    entry = read_entry(_fields(request.POST), kept.sides, kept.sheet.rules.rules)
    receipt = record_at_table(
        actor=place.actor, sheet=place.sheet, number=entry.number, deal=entry.deal, key=entry.key
    )
    return _receipt_words(receipt)


@table_post
def undo(request: HttpRequest, place: TablePlace) -> str:
    """Take the last deal back."""
    number = _whole(request.POST.get("number", ""))
    undo_last(actor=place.actor, sheet=place.sheet, number=number, key=_fields(request.POST).get("key", ""))
    return _("Deal %(number)d is taken back.") % {"number": number}


@table_post
def withdraw(request: HttpRequest, place: TablePlace) -> str:
    """Withdraw one's own claim that waits for the director."""
    claim = place.sheet.claims.filter(pk=_whole(request.POST.get("claim", ""))).first()
    if claim is None:
        raise RecordingError("unknown_claim", _("There is no such entry on this sheet."))
    withdraw_claim(actor=place.actor, claim=claim)
    return _("What you entered for deal %(number)d is taken back.") % {"number": claim.number}


@table_post
def sign(request: HttpRequest, place: TablePlace) -> str:
    """Sign the version of the sheet that was shown, for one's own side."""
    sign_sheet(
        actor=place.actor,
        sheet=place.sheet,
        sides=[place.side],
        method=SignatureMethod.OWN,
        expected_version=_whole(request.POST.get("version", "")),
    )
    return _("Signed.")


@table_post
def dispute(request: HttpRequest, place: TablePlace) -> str:
    """Dispute the sheet, with a sentence."""
    dispute_sheet(
        actor=place.actor,
        sheet=place.sheet,
        sentence=request.POST.get("sentence", ""),
        side=place.side,
        expected_version=_whole(request.POST.get("version", "")),
    )
    return _("The director has been told.")


@table_post
def settle(request: HttpRequest, place: TablePlace) -> str:
    """End one's own side's dispute, with a reason."""
    standing = open_disputes(place.sheet).filter(side=place.side).first()
    if standing is not None:
        settle_dispute(actor=place.actor, dispute=standing, reason=request.POST.get("reason", ""))
    return _("The dispute is over.")


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker, which opens the page without a network."""
    context = {"files": _FILES}
    response = render(request, "league/phone/worker.js", context, content_type="text/javascript")
    response["Cache-Control"] = "no-cache"
    return response


def _page(
    request: HttpRequest,
    place: TablePlace,
    fields: Mapping[str, str],
    *,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    shown = table_page(place, request.user)
    context = _context(shown) | {
        "key": secrets.token_hex(16),
        "hands": shown.hands(fields),
        "fields": fields,
        "problem": problem,
        "page_data": page_data(shown),
    }
    return render(request, "league/phone/page.html", context, status=status)


def _context(shown: PhonePage) -> dict[str, object]:
    place = shown.place
    return {
        "page": shown,
        "match": place.match,
        "addresses": _Addresses(place),
        "people": in_full(place.match.event.club),
    }


class _Addresses:
    """The addresses of a place by name, for templates."""

    def __init__(self, place: TablePlace) -> None:
        self._place = place

    def __getitem__(self, name: str) -> str:
        return self._place.address(name)


def _refused(refusal: ScoringError | LeagueError) -> HttpResponse:
    hand = getattr(refusal, "hand", None)
    document = {
        "code": refusal.code,
        "message": translated(refusal.message),
        "field": refusal.field,
        "hand": hand,
    }
    return JsonResponse(document, status=_status(refusal))


def _status(refusal: ScoringError | LeagueError) -> int:
    return _STATUS.get(refusal.code, 422)


def _receipt_words(receipt: TableReceipt) -> str:
    values = {"number": receipt.number}
    match receipt.outcome:
        case Entered.CLAIMED:
            return _("Deal %(number)d is kept; the director decides whether it counts.") % values
        case Entered.SAME:
            return _("Deal %(number)d is there already, just the same.") % values
        case _:
            return _("Deal %(number)d is saved.") % values


def _fields(sent: Mapping[str, object]) -> dict[str, str]:
    """The fields as strings."""
    return {name: str(value) for name, value in sent.items()}


def _whole(text: str) -> int:
    """A number sent by the page itself; -1, which every caller refuses, for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else -1
