"""PDFs: tables and brackets of an event, and the papers of a round.

The PDF modules are imported inside the views: their library takes half a second to import, which every
process start would otherwise pay.
"""

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from league.core.addresses import public_address
from league.draws.bracket_lists import event_bracket
from league.draws.pairings import round_pairings
from league.models import Club, Event, Match, Round, StandingsRequest
from league.pages.events import round_asked
from league.pages.pages import kept_fresh, makes_paper, names_of, reader_of, visible_event, visible_round
from league.people.logos import logo_of
from league.policy import rounds_seen
from league.policy.withholding import is_withheld
from league.tables.crosstables import crosstable_page
from league.tables.outcomes import event_outcome
from league.tables.tables import event_table


@makes_paper
@require_safe
def event_standings_pdf(request: HttpRequest, club: str, event: str) -> HttpResponse:
    """The table of an event."""
    from league.pages.printing.standings import standings_pdf

    shown = visible_event(request, club, event)
    waiting = StandingsRequest.objects.filter(event=shown).exists()
    rounds = rounds_seen(reader_of(request)).filter(event=shown)
    numbers = [round_.number for round_ in rounds if not is_withheld(shown, round_)]
    as_of = round_asked(request, numbers) if "round" in request.GET else None
    names = names_of(request)
    table = event_table(shown, names, as_of=as_of)
    with timezone.override(shown.club.zone):
        content = standings_pdf(
            shown,
            table,
            names,
            recalculating=waiting and not as_of,
            as_of=as_of,
            outcome=event_outcome(shown, table, as_of=as_of),
            address=_event_address(request, shown),
            logo=logo_of(shown.club),
        )
    return _pdf(content, f"{shown.slug}.pdf", shown.club)


@makes_paper
@require_safe
def event_bracket_pdf(request: HttpRequest, club: str, event: str) -> HttpResponse:
    """The bracket of an event; up to 32 entries fit on one sheet."""
    from league.pages.printing.brackets import bracket_pdf

    shown = visible_event(request, club, event)
    names = names_of(request)
    found = event_bracket(shown, names, seen=rounds_seen(reader_of(request)))
    if found is None:
        raise Http404
    content = bracket_pdf(shown, found, names, address=_event_address(request, shown))
    return _pdf(content, f"{shown.slug}-bracket.pdf", shown.club)


@makes_paper
@require_safe
def event_crosstable_pdf(request: HttpRequest, club: str, event: str) -> HttpResponse:
    """The whole crosstable of an event."""
    from league.pages.printing.crosstables import crosstable_pdf

    shown = visible_event(request, club, event)
    seen = rounds_seen(reader_of(request))
    found = crosstable_page(shown, seen=seen, by=request.GET.get("by", ""), whole=True)
    content = crosstable_pdf(shown, found, names_of(request), address=_event_address(request, shown))
    return _pdf(content, f"{shown.slug}-crosstable.pdf", shown.club)


@makes_paper
@require_safe
def blank_sheets_pdf(request: HttpRequest, club: str, event: str, number: int) -> HttpResponse:
    """The blank sheets of a round, one for each match between two sides."""
    from league.pages.printing.sheets import round_sheets_pdf

    return _round_pdf(request, visible_event(request, club, event), number, round_sheets_pdf, "sheets")


@makes_paper
@require_safe
def result_slips_pdf(request: HttpRequest, club: str, event: str, number: int) -> HttpResponse:
    """The result slips of a round, several on a page."""
    from league.pages.printing.slips import slips_pdf

    return _round_pdf(request, visible_event(request, club, event), number, slips_pdf, "slips")


@makes_paper
@require_safe
def round_pairings_pdf(request: HttpRequest, club: str, event: str, number: int) -> HttpResponse:
    """The pairings of a round, and everybody's table by name; on A3 with `?paper=a3`."""
    from league.pages.printing.pairings import PAPERS, pairings_pdf

    round_ = visible_round(request, visible_event(request, club, event), number)
    names = names_of(request)
    paper = request.GET.get("paper", "a4")
    if paper not in PAPERS:
        raise Http404
    content = pairings_pdf(
        round_,
        round_pairings(round_, names),
        names,
        paper=paper,
        address=_event_address(request, round_.event),
    )
    return _pdf(content, f"{round_.event.slug}-{number}-pairings.pdf", round_.event.club)


def _matches_of(round_: Round) -> list[Match]:
    """The matches of a round with everything their papers print, in order of tables."""
    return list(
        Match.objects.filter(round=round_)
        .with_sides("tie")
        .prefetch_related("appearances__player", "appearances__sits_in_for")
        .order_by("table", "id")
    )


def _addresses(request: HttpRequest, round_: Round) -> Callable[[Match], str]:
    """A function that returns the absolute address of a match's page."""
    event = round_.event

    def address(match: Match) -> str:
        return request.build_absolute_uri(reverse("match", args=[event.club.slug, event.slug, match.code]))

    return address


def _event_address(request: HttpRequest, event: Event) -> str:
    """The absolute address of an event's page, for a QR code; "" if only this machine could open it."""
    return public_address(request.build_absolute_uri(reverse("event", args=[event.club.slug, event.slug])))


def _round_pdf(
    request: HttpRequest, event: Event, number: int, make: Callable[..., bytes], name: str
) -> HttpResponse:
    """What one prints of a round to write on it, with the addresses that its codes lead to."""
    round_ = visible_round(request, event, number)
    content = make(
        round_,
        _matches_of(round_),
        names_of(request),
        address=_addresses(request, round_),
        event_address=_event_address(request, event),
    )
    return _pdf(content, f"{event.slug}-{number}-{name}.pdf", event.club)


def _pdf(content: bytes, name: str, club: Club) -> HttpResponse:
    headers = {"Content-Disposition": f'inline; filename="{name}"'}
    return kept_fresh(HttpResponse(content, content_type="application/pdf", headers=headers), club)
