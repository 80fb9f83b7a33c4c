"""Table links of a round or of a match: made as QR codes to hand out, listed, revoked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import segno
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.core.addresses import public_address
from league.errors import LeagueError
from league.matches import table_links
from league.models import Event, Match, TableLink
from league.pages.doors import form_page
from league.pages.events import about
from league.pages.pages import page, reader_of, signed_in, visible_event, visible_round
from league.policy import Permission, actor_of, can, live_links, rounds_seen
from scoring.words.messages import translated

_HERE_ALONE: Final = gettext_lazy(
    "You have opened this site at an address that works on this machine only. A telephone cannot: open it at "
    "its address on the network, and make the cards there."
)


@dataclass(frozen=True, slots=True)
class LinkedTable:
    """A match with its live links, each with the name of its side, newest first."""

    match: Match
    live: Sequence[tuple[TableLink, str]]

    @property
    def opened(self) -> int:
        """The number of links that have been opened."""
        return sum(link.opened_at is not None for link, _side in self.live)


@form_page
def round_links(request: HttpRequest, club: str, event: str, number: int) -> HttpResponse:
    """The links of a round's tables. A POST's `what` makes new ones (`make`, `pdf`) or ends all (`end`)."""
    shown = _officers_event(request, club, event)
    round_ = visible_round(request, shown, number)
    title = str(round_)
    if request.method != "POST":
        tables = _linked(table_links.matches_with_tables(round_))
        directs = can(reader_of(request), Permission.DIRECT, shown.club)
        context = about(shown) | {"round": round_, "tables": tables, "title": title, "directs": directs}
        return page(request, "league/phone/links.html", context, club=shown.club)
    here = reverse("round_links", args=[club, event, number])
    try:
        if request.POST.get("what") == "end":
            matches = table_links.matches_with_tables(round_)
            return _ended(request, here, [(match, None) for match in matches])
        _refuse_useless_print(request)
        made = table_links.make_round_links(actor=actor_of(signed_in(request)), round_=round_)
    except LeagueError as refusal:
        messages.error(request, translated(refusal.message))
        return redirect(here)
    return _cards(request, shown, title, here, made)


@form_page
def match_links(request: HttpRequest, club: str, event: str, code: str) -> HttpResponse:
    """The links of one match, as for a round; `link` in a POST names the one to end."""
    shown = _officers_event(request, club, event)
    match = get_object_or_404(
        Match.objects.with_sides("event__club", "round", "sheet"),
        event=shown,
        code=code,
        round__in=rounds_seen(reader_of(request)),
    )
    if request.method != "POST":
        context = about(shown) | {"match": match, "tables": _linked([match]), "title": str(match)}
        return page(request, "league/phone/links.html", context, club=shown.club)
    here = reverse("match_links", args=[club, event, code])
    try:
        if request.POST.get("what") == "end":
            return _ended(request, here, [(match, request.POST.get("link") or None)])
        _refuse_useless_print(request)
        made = table_links.make_links(actor=actor_of(signed_in(request)), match=match)
    except LeagueError as refusal:
        messages.error(request, translated(refusal.message))
        return redirect(here)
    return _cards(request, shown, str(match.round), here, [(match, made)])


def _officers_event(request: HttpRequest, club: str, event: str) -> Event:
    """The event, if the user may record in its club; a 404 otherwise."""
    shown = visible_event(request, club, event)
    if not can(reader_of(request), Permission.RECORD, shown.club):
        raise Http404
    return shown


def _linked(matches: Sequence[Match]) -> list[LinkedTable]:
    """The matches with their live links, in one query."""
    links = live_links().filter(sheet__in=[match.sheet_id for match in matches]).order_by("side", "-id")
    of_sheet: dict[int, list[TableLink]] = {}
    for link in links:
        of_sheet.setdefault(link.sheet_id, []).append(link)
    return [
        LinkedTable(
            match, [(link, match.side_shown(link.side)) for link in of_sheet.get(match.sheet_id or 0, [])]
        )
        for match in matches
    ]


def _refuse_useless_print(request: HttpRequest) -> None:
    """Refuse (`here_alone`) to print links no phone could open, before they are made.

    On the screen they are shown with a warning instead, so that they can be tried out.
    """
    if request.POST.get("what") == "pdf" and not _opens_elsewhere(request):
        raise LeagueError("here_alone", str(_HERE_ALONE))


def _opens_elsewhere(request: HttpRequest) -> bool:
    return bool(public_address(request.build_absolute_uri("/")))


def _ended(request: HttpRequest, here: str, matches: Sequence[tuple[Match, str | None]]) -> HttpResponse:
    actor = actor_of(signed_in(request))
    count = sum(table_links.revoke_links(actor=actor, match=match, code=code) for match, code in matches)
    messages.success(request, ngettext("%d link was ended.", "%d links were ended.", count) % count)
    return redirect(here)


def _against(match: Match, side: int) -> str:
    """Against whom a side plays, or with whom at one table of several."""
    names = [match.side_shown(other) for other in match.sides if other != side]
    if match.is_table:
        return _("with %(names)s") % {"names": ", ".join(names)}
    return _("v %(name)s") % {"name": names[0]}


def _cards(
    request: HttpRequest,
    event: Event,
    title: str,
    here: str,
    made: Sequence[tuple[Match, Sequence[table_links.NewLink]]],
) -> HttpResponse:
    """The cards of new links, shown only once: their secrets are not stored."""
    from league.pages.printing.table_cards import TableCard, table_cards_pdf

    cards = [
        TableCard(
            _("Table %(number)s") % {"number": match.table} if match.table else match.label,
            match.side_shown(link.side),
            _against(match, link.side),
            request.build_absolute_uri(reverse("phone:table_open", args=[secret])),
            timezone.localtime(link.expires_at, event.club.zone),
        )
        for match, links in made
        for link, secret in links
    ]
    if request.POST.get("what") == "pdf":
        headers = {"Content-Disposition": f'attachment; filename="{event.slug}-tables.pdf"'}
        content = table_cards_pdf(event, title, cards)
        return HttpResponse(content, content_type="application/pdf", headers=headers)
    codes = [
        segno.make(card.address, error="m", micro=False).svg_data_uri(scale=4, light="#fff") for card in cards
    ]
    context = about(event) | {
        "title": title,
        "back": here,
        "cards": list(zip(cards, codes, strict=True)),
        "warning": "" if _opens_elsewhere(request) else _HERE_ALONE,
    }
    return page(request, "league/phone/cards.html", context, club=event.club)
