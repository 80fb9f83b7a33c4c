"""Pages of a bot match: live while it is played, and its hands move by move."""

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.views.decorators.http import require_safe

from games.models import BotMatch, BotMatchState
from games.pages.pages import kept_fresh, page, reader_of
from games.services.matches import HandPage, hand_page, match_page, match_seen
from games.tables.replaying import Snapshot
from scoring.words.rules_words import rules_headline, rules_sentences

# Seconds between updates of an open page.
_WHILE_PLAYED: Final = 2
_WHILE_WAITING: Final = 20


@require_safe
def bot_match(request: HttpRequest, code: str) -> HttpResponse:
    """The page of a bot match, which updates itself until the match is over."""
    match = _visible(request, code)
    return page(request, "games/match.html", _context(match))


@require_safe
def bot_match_live(request: HttpRequest, code: str) -> HttpResponse:
    """The changing part of the page; 304 if the client's ETag still matches."""
    match = _visible(request, code)
    tag = live_tag(match)
    unchanged = get_conditional_response(request, etag=tag)
    if unchanged is not None:
        return kept_fresh(request, unchanged)
    response = render(request, "games/_live_answer.html", _context(match))
    response["ETag"] = tag
    return kept_fresh(request, response)


@require_safe
def bot_hand(request: HttpRequest, code: str, deal: int, table: int = 1) -> HttpResponse:
    """A hand after the move `?move=`, 0 being the deal; the script requests the same pages."""
    match = _visible(request, code)
    found = hand_page(match, deal, table)
    if found is None:
        raise Http404
    apart = [table] if len(found.tables) > 1 else []
    addresses = {
        "match_address": reverse("bot_match", args=[code]),
        "earlier_address": found.earlier and reverse("bot_hand", args=[code, found.earlier, *apart]),
        "later_address": found.later and reverse("bot_hand", args=[code, found.later, *apart]),
        "tables": [(each, reverse("bot_hand", args=[code, deal, each])) for each in found.tables],
    }
    return page(request, "games/hand.html", replay_context(request, found) | addresses | {"at": "bots"})


def replay_context(request: HttpRequest, found: HandPage) -> dict[str, Any]:
    """What a hand's page shows after the move `?move=`, 0 being the deal; 404 if there is no such move."""
    asked = request.GET.get("move", "0")
    if not asked.isascii() or not asked.isdigit() or len(asked) > 4 or int(asked) > found.replay.last:
        raise Http404
    number = int(asked)
    frame = found.replay.frames[number]
    return {
        "hand": found,
        "frame": frame,
        "back": number - 1 if number else None,
        "next": number + 1 if number < found.replay.last else None,
        "boards": [_board(found, frame, pile, seats) for pile, seats in found.boards(frame)],
        "fresh": frame.move.card if frame.move is not None and frame.move.came_in else None,
    }


def _board(found: HandPage, frame: Snapshot, pile: tuple[int, ...], seats: Sequence[int]) -> dict[str, Any]:
    """A pile with those who play with it: the first of the seats below it, the others above."""
    shown = [
        {
            "number": seat,
            "bot": found.players[seat],
            "cards": frame.hands[seat],
            "is_turn": seat == frame.turn,
            "is_dealer": seat == found.replay.dealer,
            "ending": frame.endings.get(seat, ""),
            "uncounted": frame.is_uncounted,
        }
        for seat in seats
    ]
    return {
        "above": shown[:0:-1],
        "below": shown[0],
        "buried": pile[:-1],
        "top": pile[-1] if pile else None,
    }


def live_tag(match: BotMatch) -> str:
    """The ETag of the match's display, which changes with the sheet and the state of the match."""
    sheet = match.sheet
    told = (match.state, match.note, match.is_left_alone, sheet.version, sheet.status, sheet.updated_at)
    return quote_etag(sha256(repr(told).encode()).hexdigest()[:20])


def _context(match: BotMatch) -> dict[str, object]:
    shown = match_page(match)
    size = len(shown.bots[0])
    rules = match.sheet.rules.rules
    return {
        "at": "bots",
        "page": shown,
        "match": match,
        "headers": json.dumps({"If-None-Match": live_tag(match)}),
        "seconds": _WHILE_PLAYED if match.state == BotMatchState.PLAYING else _WHILE_WAITING,
        "headline": rules_headline(rules, team_size=size),
        "rules_sentences": rules_sentences(rules, team_size=size),
    }


def _visible(request: HttpRequest, code: str) -> BotMatch:
    match = match_seen(reader_of(request), code)
    if match is None:
        raise Http404
    return match
