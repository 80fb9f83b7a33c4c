"""The packs of a duplicate event, and what each table made of them."""

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from games.tables.pack_lists import write_pack_list
from league.models import Event, PlayedWhere, RoundPacks, RoundState
from league.pages.events import about
from league.pages.pages import makes_paper, page, reader_of, visible_event, visible_round
from league.policy import Permission, can, rounds_seen, sees_results
from league.tables.duplicates import pack_results, rounds_over


@require_safe
def event_packs(request: HttpRequest, club: str, event: str) -> HttpResponse:
    """The results per pack of a round that is over, `?round=` or the last; a 404 unless it is duplicate."""
    shown = visible_event(request, club, event)
    if not shown.is_duplicate:
        raise Http404
    seen = rounds_seen(reader_of(request))
    withheld_too = sees_results(reader_of(request), shown)
    rounds = rounds_over(shown, seen, withheld_too=withheld_too)
    asked = request.GET.get("round", "")
    number = int(asked) if asked.isdecimal() and len(asked) < 4 else None
    if asked and number not in rounds:
        raise Http404
    number = number if number is not None else rounds[-1] if rounds else None
    results = [] if number is None else pack_results(shown, seen, number, withheld_too=withheld_too)
    sealed = RoundPacks.objects.filter(round__in=seen.filter(event=shown)).select_related("round")
    context = about(shown, at="event_packs") | {
        "rounds": rounds,
        "number": number,
        "packs": results,
        "sealed": sealed.order_by("round__number"),
        "lays_out": _lays_out(request, shown),
    }
    return page(request, "league/event_packs.html", context, club=shown.club)


@require_safe
def pack_list(request: HttpRequest, club: str, event: str, number: int) -> HttpResponse:
    """The packs of a round as CSV to everybody when it is over, a 404 else; at tables to directors before."""
    kept = _visible_packs(request, club, event, number)
    response = HttpResponse(write_pack_list(kept.dealt), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{event}-{number}-packs.csv"'
    return _for_reader(response)


@makes_paper
@require_safe
def pack_list_pdf(request: HttpRequest, club: str, event: str, number: int) -> HttpResponse:
    """The packs of a round to lay cards out by, for those who may see them as `pack_list` does."""
    from league.pages.printing.pack_lists import pack_list_pdf as printed

    kept = _visible_packs(request, club, event, number)
    response = HttpResponse(printed(kept), content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{event}-{number}-packs.pdf"'
    return _for_reader(response)


def _visible_packs(request: HttpRequest, club: str, event: str, number: int) -> RoundPacks:
    shown = visible_event(request, club, event)
    round_ = visible_round(request, shown, number)
    kept = RoundPacks.objects.filter(round=round_).first()
    is_told = round_.state == RoundState.COMPLETE or _lays_out(request, shown)
    if kept is None or not shown.is_duplicate or not is_told:
        raise Http404
    kept.round = round_
    return kept


def _lays_out(request: HttpRequest, event: Event) -> bool:
    """Whether the reader deals these packs at tables: of those played on this site nobody sees a card."""
    at_table = event.played == PlayedWhere.AT_TABLE
    return at_table and can(reader_of(request), Permission.DIRECT, event.club)


def _for_reader(response: HttpResponse) -> HttpResponse:
    """No cache keeps cards that another reader may not see."""
    patch_cache_control(response, private=True, no_store=True)
    return response
