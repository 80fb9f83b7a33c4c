"""The director's board of a round: the state of every table, updated while the page is open."""

from collections.abc import Iterator

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.acts import passes
from league.core.lifecycle import Doing, may
from league.draws.board import Board, board_of
from league.draws.round_clock import check_startable, is_up, shows_clock
from league.models import RoundState
from league.pages.events import about
from league.pages.pages import kept_fresh, names_of, page, reader_of, visible_event, visible_round
from league.policy import Permission, can
from league.policy.withholding import is_withheld


@require_safe
def board(request: HttpRequest, club: str, event: str, number: int) -> HttpResponse:
    """The board; only the tables for htmx. A 404 for all but directors of the club."""
    shown = visible_event(request, club, event)
    if not can(reader_of(request), Permission.DIRECT, shown.club):
        raise Http404
    found = board_of(visible_round(request, shown, number), now=timezone.now())
    context = about(shown) | {
        "board": found,
        "round": found.round,
        "ways": list(_act_links(found)),
        "is_withheld": is_withheld(shown, found.round),
        "has_clock": shows_clock(shown, found.round),
        "is_up": is_up(found.round),
    }
    if "HX-Request" not in request.headers:
        return page(request, "league/board.html", context, club=shown.club)
    with timezone.override(shown.club.zone):
        tables = render(
            request, "league/_board_tables.html", context | {"club": shown.club, "names": names_of(request)}
        )
    return kept_fresh(tables, shown.club)


def _act_links(board: Board) -> Iterator[tuple[str, str]]:
    """The acts available for the round: titles and addresses."""
    round_ = board.round
    state = round_.event.state
    if round_.state == RoundState.PUBLISHED and may(state, Doing.PLAY):
        calls = any(table.is_playing for table in board.tables)
        call = _("Call time for all tables"), reverse("admin:league_round_call_time", args=[round_.pk])
        is_due = calls and is_up(round_)
        if is_due:
            yield call
        if round_.ends_at is not None:
            yield _("Give more time or less"), reverse("admin:league_round_change_clock", args=[round_.pk])
            yield _("Stop the clock"), reverse("admin:league_round_stop_clock", args=[round_.pk])
        elif passes(check_startable, round_.event, round_):
            yield _("Start the clock"), reverse("admin:league_round_start_clock", args=[round_.pk])
        if calls and not is_due:
            yield call
        yield _("Close the round"), reverse("admin:league_round_complete", args=[round_.pk])
    if sum(table.confirms for table in board.tables) > 1 and may(state, Doing.CORRECT):
        yield _("Count several results"), reverse("admin:league_round_confirm", args=[round_.pk])
    if round_.state != RoundState.DRAFTED and is_withheld(round_.event, round_) and may(state, Doing.CORRECT):
        yield _("Release the results"), reverse("admin:league_round_release", args=[round_.pk])
