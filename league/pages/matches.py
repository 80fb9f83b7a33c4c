"""A match and its sheet."""

from collections.abc import Sequence

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from league.bots.profiles import bots_at_play
from league.draws.online import in_reserve, online_play
from league.draws.overdue import deadline_of
from league.draws.sitting_in import absent_for_captain, sitting_in
from league.matches.counting import waits_for
from league.matches.histories import is_between_bots, lineups_of, sheet_page
from league.matches.line_ups import closed_line_ups, to_hand_in
from league.models import UNFINISHED, Appearance, Match
from league.pages.arranging import arranged
from league.pages.events import about, follows
from league.pages.pages import followed, names_of, page, reader_of, today_in, visible_event
from league.pages.sharing import shared_match
from league.policy import Permission, can, rounds_seen, sees_results, sheets_seen
from league.policy.withholding import is_withheld, without_results
from league.tables.expected_scores import tell_expected
from scoring.models import Scoresheet
from scoring.words.rules_words import rules_headline, rules_sentences


@require_safe
@followed
def match(request: HttpRequest, club: str, event: str, code: str) -> HttpResponse:
    """A match: result, full sheet, paper figures, signatures and corrections."""
    shown = visible_event(request, club, event)
    found = (
        Match.objects.filter(event=shown, code=code, round__in=rounds_seen(reader_of(request)))
        .with_sides("round", "tie", "sheet__rules", "sheet__bot_match", "sheet__table_match")
        .first()
    )
    if found is None:
        raise Http404
    found.event = shown
    lineups = lineups_of(found)
    sits_here = _sits_here(request, lineups)
    if not sits_here and not sees_results(reader_of(request), shown):
        without_results([found], shown)
    tell_expected([found], shown)
    is_told = not is_withheld(shown, found.round)
    online = online_play(found, request.user.pk)
    directs = can(reader_of(request), Permission.DIRECT, shown.club)
    context = about(shown, at="match") | {
        "follows": follows(shown, is_open=found.state in UNFINISHED or found.held),
        "match": found,
        "shared": shared_match(request, found) if is_told or found.withheld else None,
        "deadline": deadline_of(found),
        "lineups": lineups,
        "gives_nothing": not shown.bot_matches_count and is_between_bots(lineups),
        "at_play": bots_at_play(found),
        "sheet_is_seen": _is_seen(request, found.sheet),
        "today": today_in(shown.club),
        "sits_here": sits_here,
        "waits": waits_for(found, found.sheet) if found.held else [],
        "online": online,
        "is_directed": online is not None and directs,
        "sitting_in": sitting_in(found, lineups, request.user.pk),
        "absent": absent_for_captain(found, request.user.pk),
        "reserve": in_reserve(found, request.user.pk),
        "line_up": to_hand_in(found, request.user.pk),
        "closed": closed_line_ups(found, request.user.pk, directs=directs),
        **arranged(request, found),
    }
    if found.sheet is not None:
        # The version this sheet is scored by, which may be older than the event's.
        rules = found.sheet.rules.rules
        context |= {
            "kept": sheet_page(found.sheet, found, names_of(request), order=shown.club.column_order),
            "sheet_rules": found.sheet.rules,
            "headline": rules_headline(rules, team_size=shown.team_size),
            "rules_sentences": rules_sentences(rules, team_size=shown.team_size),
        }
    return page(request, "league/match.html", context, club=shown.club)


def _is_seen(request: HttpRequest, sheet: Scoresheet | None) -> bool:
    """Return whether the reader may watch what bots or members play on the sheet, hand by hand."""
    played = [getattr(sheet, name, None) for name in ("bot_match", "table_match")]
    if sheet is None or not any(played):
        return False
    return sheets_seen(reader_of(request), Scoresheet.objects.filter(pk=sheet.pk)).exists()


def _sits_here(request: HttpRequest, lineups: Sequence[Sequence[Appearance]]) -> bool:
    """Return whether the reader is one of the players, who may enter the sheet at the table."""
    seats = [seat for side in lineups for seat in side]
    return any(seat.player.user_id is not None and seat.player.user_id == request.user.pk for seat in seats)
