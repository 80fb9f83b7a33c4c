"""An event: its table, its rounds, one round."""

from collections.abc import Container, Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django_stubs_ext import StrOrPromise

from league.draws.bracket_lists import BracketView, event_bracket
from league.draws.formats import format_of
from league.draws.pairings import round_pairings
from league.draws.round_clock import shows_clock
from league.events.entering import may_ask_off, not_open, own_standing
from league.events.team_standing import own_team
from league.events.waiting import places_of
from league.models import (
    UNFINISHED,
    Event,
    EventKind,
    EventState,
    Match,
    MatchState,
    RoundState,
    StandingsRequest,
    traits_of,
)
from league.pages.bracket_svg import svg_bracket
from league.pages.embedding import frame_of
from league.pages.evenings import evening_shown
from league.pages.pages import (
    FOLLOWS_EVERY,
    followed,
    names_of,
    page,
    reader_of,
    today_in,
    visible_event,
    visible_round,
    way_in,
)
from league.pages.sharing import shared_event
from league.policy import Permission, can, rounds_seen, sees_results
from league.policy.own import own_entry
from league.policy.withholding import is_withheld, released, without_results
from league.tables.expected_scores import tell_expected
from league.tables.night_reports import night_report
from league.tables.outcomes import event_outcome
from league.tables.player_lines import individual_table, shared_seats
from league.tables.races import has_race
from league.tables.round_summaries import (
    RoundSummary,
    current,
    left_over,
    listed,
    published,
    rounds_in_all,
    summaries,
)
from league.tables.tables import event_table
from league.tables.turning import turns_of
from league.tables.words import event_headline
from scoring.words.rules_words import rules_sentences

MOST_BESIDE = 16
MOST_LISTED = 100


@require_safe
@followed
def event(request: HttpRequest, club: str, event: str) -> HttpResponse:
    """The table, with the current round beside it and the matches left over from earlier ones."""
    shown = visible_event(request, club, event)
    today = today_in(shown.club)
    rounds = summaries(shown, seen=rounds_seen(reader_of(request)))
    counted = rounds if shown.counts_rounds else []
    now = current(counted, today)
    choices = [each.round.number for each in counted if each.begun and not is_withheld(shown, each.round)]
    as_of = round_asked(request, choices)
    table = event_table(shown, names_of(request), as_of=as_of)
    bracket = None if as_of else bracket_of(request, shown)
    context = about(shown, at="event") | {
        "follows": follows(shown, is_open=as_of is None),
        "table": table,
        "outcome": event_outcome(shown, table, as_of=as_of),
        "as_of": as_of,
        "choices": choices,
        "has_race": has_race(shown, len(table.rows)),
        "turns": [] if as_of else turns_of(shown),
        "recalculating": as_of is None and StandingsRequest.objects.filter(event=shown).exists(),
        "shows_boxes": "boxes" in shown.criteria,
        "rules_sentences": rules_sentences(shown.rules.rules, team_size=shown.team_size),
        "in_all": rounds_in_all(shown, len(rounds)),
        "current": now,
        "is_event_page": True,
        "today": today,
        "is_tonight": now is not None and now.round.is_night_of(today),
        "still_to_play": sum(summary.matches - summary.decided for summary in rounds),
        "held": sum(summary.held for summary in rounds),
        "shared": shared_event(request, shown, table),
        "snippet": frame_of(request, shown, table) if shown.club.is_public else "",
        "drawing": None if bracket is None else svg_bracket(bracket),
        **(way_in(request, shown.club) if shown.state == EventState.OPEN else {}),
        **_announced(request, shown),
        **evening_shown(request, shown),
        "has_bracket": traits_of(shown).has_bracket,
        **_beside(shown, now, withheld_too=sees_results(reader_of(request), shown)),
    }
    return page(request, "league/event.html", context, club=shown.club)


@require_safe
def event_players(request: HttpRequest, club: str, event: str) -> HttpResponse:
    """The table of players of a team event; a 404 for others."""
    shown = visible_event(request, club, event)
    if shown.kind != EventKind.TEAM:
        raise Http404
    shared = shared_seats(shown)
    context = about(shown, at="event_players") | {
        "lines": individual_table(shown, names_of(request), shared),
        "shared": shared,
    }
    return page(request, "league/event_players.html", context, club=shown.club)


@require_safe
@followed
def event_rounds(request: HttpRequest, club: str, event: str) -> HttpResponse:
    """The rounds of an event with their progress, the matches being played, and those left over."""
    shown = visible_event(request, club, event)
    if format_of(shown).page_called("event_rounds") is not None:
        return _page_of_format(request, shown, "event_rounds")
    today = today_in(shown.club)
    rounds = summaries(shown, seen=rounds_seen(reader_of(request)))
    now = current(rounds, today)
    late = (
        [] if now is None else list(listed(Match.objects.filter(left_over(shown, now.round)))[:MOST_LISTED])
    )
    # Where several rounds are open, tables play whichever they like.
    playing = Match.objects.filter(published(), event=shown, state=MatchState.PLAYING)
    if not sees_results(reader_of(request), shown):
        late = without_results(late, shown)
        playing = playing.filter(released())
    in_play = list(listed(playing)[:MOST_LISTED]) if any(each.playing for each in rounds) else []
    context = about(shown, at="event_rounds") | {
        "follows": follows(shown),
        "rounds": rounds,
        "current": now,
        "in_play": in_play,
        "left_over": late,
        "today": today,
    }
    return page(request, "league/rounds.html", context, club=shown.club)


@require_safe
@followed
def format_page(request: HttpRequest, club: str, event: str, name: str) -> HttpResponse:
    """A page that only some formats have, as its format declares it."""
    return _page_of_format(request, visible_event(request, club, event), name)


def _page_of_format(request: HttpRequest, event: Event, name: str) -> HttpResponse:
    own = format_of(event).page_called(name)
    told = None if own is None else own.tell(event, names_of(request), request.GET)
    if own is None or told is None:
        raise Http404
    user = request.user if isinstance(request.user, User) and traits_of(event).has_challenges else None
    context = {
        **about(event, at=name),
        "follows": follows(event),
        "today": today_in(event.club),
        "plays_on": user is not None and own_entry(user.pk, event) is not None,
        **told,
    }
    return page(request, own.template, context, club=event.club)


@require_safe
@followed
def round_page(request: HttpRequest, club: str, event: str, number: int) -> HttpResponse:
    """One round with its matches."""
    shown = visible_event(request, club, event)
    rounds = summaries(shown, seen=rounds_seen(reader_of(request)))
    place = next((index for index, each in enumerate(rounds) if each.round.number == number), None)
    if place is None:
        raise Http404
    matches = list(listed(Match.objects.filter(round=rounds[place].round)))
    report = night_report(shown, rounds[place].round, matches, names_of(request))
    told = sees_results(reader_of(request), shown)
    if not told:
        matches = without_results(matches, shown)
    tell_expected(matches, shown)
    context = about(shown, at="event_rounds") | {
        "report": report,
        "follows": follows(shown, is_open=rounds[place].round.state != RoundState.COMPLETE),
        "today": today_in(shown.club),
        "summary": rounds[place],
        "has_clock": rounds[place].under_way and shows_clock(shown, rounds[place].round),
        "is_withheld": is_withheld(shown, rounds[place].round),
        "keeps": can(reader_of(request), Permission.RECORD, shown.club),
        "directs": can(reader_of(request), Permission.DIRECT, shown.club),
        "earlier": rounds[place - 1] if place else None,
        "later": rounds[place + 1] if place + 1 < len(rounds) else None,
        "in_all": rounds_in_all(shown, len(rounds)),
        "matches": matches,
        "tells_expected": any(match.expected is not None for match in matches),
        # They tell the points that both had.
        "reasons": [match for match in matches if match.reasons and told],
        **evening_shown(request, shown, round_=rounds[place].round),
    }
    return page(request, "league/round.html", context, club=shown.club)


@require_safe
def round_print(request: HttpRequest, club: str, event: str, number: int) -> HttpResponse:
    """The pairings of a round and everybody's table by name, for printing."""
    shown = visible_event(request, club, event)
    round_ = visible_round(request, shown, number)
    context = about(shown) | {"round": round_, "pairings": round_pairings(round_, names_of(request))}
    return page(request, "league/round_print.html", context, club=shown.club)


def follows(event: Event, *, is_open: bool = True) -> int:
    """The seconds after which an open page looks for news; 0 where no more comes."""
    return FOLLOWS_EVERY if is_open and event.state in (EventState.OPEN, EventState.RUNNING) else 0


def round_asked(request: HttpRequest, choices: Container[int]) -> int | None:
    """The round in `?round=`, None without one; a 404 if it is not among the choices."""
    asked = request.GET.get("round", "")
    if not asked:
        return None
    if not asked.isascii() or not asked.isdigit() or len(asked) > 5 or int(asked) not in choices:
        raise Http404
    return int(asked)


def about(event: Event, *, at: str = "") -> dict[str, Any]:
    """The context that all pages of an event share; `at` is the name of the current page."""
    return {
        "event": event,
        "headline": event_headline(event),
        "event_pages": [(name, title, name == at) for name, title in _pages_of(event).items()],
    }


def bracket_of(request: HttpRequest, event: Event) -> BracketView | None:
    """The event's bracket as the reader may see it; None if none is drawn."""
    if not traits_of(event).has_bracket:
        return None
    reader = reader_of(request)
    return event_bracket(
        event, names_of(request), seen=rounds_seen(reader), withheld_too=sees_results(reader, event)
    )


def _announced(request: HttpRequest, event: Event) -> dict[str, Any]:
    """What `_announcement.html` tells: the places, how the reader stands in it, whether he may ask off.

    To guests, why nobody enters now.
    """
    if event.state not in (EventState.OPEN, EventState.RUNNING):
        return {}
    user = request.user if isinstance(request.user, User) else None
    if event.state == EventState.RUNNING:
        return {"may_ask_off": user is not None and may_ask_off(event, user)}
    if user is None:
        return {"places": places_of(event), "not_open": not_open(event)} if event.is_announced else {}
    own = own_standing(event, user) if event.kind == EventKind.INDIVIDUAL else own_team(event, user)
    return {"own": own, "places": own.places}


def _pages_of(event: Event) -> Mapping[str, StrOrPromise]:
    """The pages of an event: names of their addresses and titles, in order."""
    own = format_of(event)
    pages: dict[str, StrOrPromise] = {"event": _("Standings")}
    if own.page_called("event_rounds") is None:
        pages["event_rounds"] = _("Rounds")
    pages |= {page.name: page.title for page in own.pages}
    pages["event_crosstable"] = _("Crosstable")
    if event.is_duplicate:
        pages["event_packs"] = _("Packs")
    if event.kind == EventKind.TEAM:
        pages["event_players"] = _("Players")
    return pages


def _beside(event: Event, now: RoundSummary | None, *, withheld_too: bool) -> dict[str, Any]:
    """The matches of the current round and those left over from before, in one query.

    Where rounds are not counted, all that are still to be played are left over.
    """
    if now is not None:
        wanted = Q(round=now.round) | left_over(event, now.round)
    elif not event.counts_rounds:
        wanted = Q(event=event, state__in=UNFINISHED)
    else:
        return {"beside": [], "beside_more": 0, "left_over": []}
    matches = list(listed(Match.objects.filter(wanted))[: 8 * MOST_BESIDE])
    if not withheld_too:
        matches = without_results(matches, event)
    if now is None:
        return {"beside": [], "beside_more": 0, "left_over": matches[:MOST_BESIDE]}
    beside = [match for match in matches if match.round_id == now.round.pk]
    late = [match for match in matches if match.round_id != now.round.pk]
    return {
        "beside": beside[:MOST_BESIDE],
        "beside_more": max(now.matches + now.byes - MOST_BESIDE, 0),
        "left_over": late[:MOST_BESIDE],
    }
