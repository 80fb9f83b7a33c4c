"""Pages of a table of members: the table itself, and hands that are over with the proof of their packs."""

import json
import secrets
from collections.abc import Callable
from hashlib import sha256
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.models import Phrase
from games.pages.matches import replay_context
from games.pages.pages import kept_fresh, page, reader_of
from games.services import act, agree_pause, ask_pause, mute, resume, say, unmute
from games.services.table_pages import SeenTable, TablePage, table_hand_page, table_page, table_seen
from scoring.core.errors import CodedError
from scoring.words.messages import translated
from scoring.words.rules_words import rules_headline, rules_sentences

# Seconds between updates of an open page: while the other is to move, and otherwise.
_WHILE_WAITING: Final = 2
_WHILE_TO_MOVE: Final = 15
_CLOCK_ACTS: Final = {"ask": ask_pause, "agree": agree_pause, "resume": resume}
_HEARING: Final = {"mute": mute, "unmute": unmute}
# What is sent with the way, or the card, that is chosen beside it.
_OF_A_CHOICE: Final = frozenset({"knock", "lay_off"})
_OF_A_CARD: Final = frozenset({"discard", "gin"})
# No seat.
_NOBODY: Final = -1


@require_safe
def play_table(request: HttpRequest, code: str) -> HttpResponse:
    """The table as its reader may see it; it updates itself until play is over."""
    return page(request, "games/table.html", _context(_visible(request, code)))


@require_safe
def play_live(request: HttpRequest, code: str) -> HttpResponse:
    """The changing part of the page; 304 if the client's ETag still matches."""
    seen = _visible(request, code)
    tag = table_tag(seen)
    unchanged = get_conditional_response(request, etag=tag)
    if unchanged is not None:
        return kept_fresh(request, unchanged)
    return _part(request, seen)


@require_POST
def play_act(request: HttpRequest, code: str) -> HttpResponse:
    """Carries out an action of the reader's seat, and answers with the table as it is then.

    A refusal is told above the table; without a script it has the status 409.
    """
    match, reader, seat = _visible(request, code)
    return _done(
        request,
        code,
        lambda: act(
            actor=reader,
            match=match,
            seat=_NOBODY if seat is None else seat,
            version=_number(request.POST.get("version", "")),
            action=_action(request),
            key=request.POST.get("key", ""),
        ),
    )


@require_POST
def play_clock(request: HttpRequest, code: str) -> HttpResponse:
    """Asks for a pause, agrees to one or ends it, as `do` says; answers as `play_act`."""
    match, reader, seat = _visible(request, code)
    doing = _CLOCK_ACTS.get(request.POST.get("do", ""))
    if doing is None:
        raise Http404
    return _done(
        request, code, lambda: doing(actor=reader, match=match, seat=_NOBODY if seat is None else seat)
    )


@require_POST
def play_say(request: HttpRequest, code: str) -> HttpResponse:
    """Sends a `phrase` to the other seat, or shows its phrases no longer or again, as `do` says.

    Answers as `play_act`.
    """
    match, reader, seat = _visible(request, code)
    number = _NOBODY if seat is None else seat
    hearing = _HEARING.get(request.POST.get("do", ""))
    if hearing is not None:
        return _done(request, code, lambda: hearing(actor=reader, match=match, seat=number))
    phrase = request.POST.get("phrase", "")
    return _done(request, code, lambda: say(actor=reader, match=match, seat=number, phrase=phrase))


def _done(request: HttpRequest, code: str, doing: Callable[[], object]) -> HttpResponse:
    """Does it, and answers with the table as it is then."""
    problem = ""
    try:
        doing()
    except CodedError as error:
        problem = translated(error.message)
    seen = _visible(request, code)
    if request.headers.get("HX-Request"):
        return _part(request, seen, problem)
    if problem:
        return page(request, "games/table.html", _context(seen, problem), status=409)
    return HttpResponseRedirect(reverse("play_table", args=[code]))


@require_safe
def play_hand(request: HttpRequest, code: str, deal: int) -> HttpResponse:
    """A hand that is over after the move `?move=`, with its pack, nonce and commitment."""
    found = table_hand_page(_visible(request, code), deal)
    if found is None:
        raise Http404
    hand, proof = found
    addresses = {
        "match_address": reverse("play_table", args=[code]),
        "earlier_address": hand.earlier and reverse("play_hand", args=[code, hand.earlier]),
        "later_address": hand.later and reverse("play_hand", args=[code, hand.later]),
    }
    context = replay_context(request, hand) | addresses | {"at": "", "proof": proof}
    return page(request, "games/hand.html", context)


def table_tag(seen: SeenTable) -> str:
    """The ETag of a table for its reader: it changes with every action, aside and change of the sheet."""
    match, _reader, seat = seen
    sheet = match.sheet
    asides = 0 if seat is None else match.asides
    told = (seat, match.version, asides, match.is_live, sheet.version, sheet.status, sheet.updated_at)
    return quote_etag(sha256(repr(told).encode()).hexdigest()[:20])


def _part(request: HttpRequest, seen: SeenTable, problem: str = "") -> HttpResponse:
    response = render(request, "games/_table_answer.html", _context(seen, problem))
    response["ETag"] = table_tag(seen)
    return kept_fresh(request, response)


def _context(seen: SeenTable, problem: str = "") -> dict[str, Any]:
    shown = table_page(seen)
    rules = seen.match.sheet.rules.rules
    return {
        "page": shown,
        "match": seen.match,
        "problem": problem,
        "phrases": Phrase.choices,
        "key": secrets.token_urlsafe(12),
        "headers": json.dumps({"If-None-Match": table_tag(seen)}),
        "seconds": _seconds(shown),
        "headline": rules_headline(rules),
        "rules_sentences": rules_sentences(rules),
    }


def _seconds(shown: TablePage) -> int:
    return _WHILE_TO_MOVE if shown.own is not None and shown.own.is_turn else _WHILE_WAITING


def _action(request: HttpRequest) -> str:
    """The action as text: what was pressed, with the card chosen beside it where it needs one."""
    action = request.POST.get("action", "")
    if action in _OF_A_CHOICE:
        return request.POST.get(action, action)
    if action not in _OF_A_CARD:
        return action
    card = request.POST.get("card", "")
    if not card:
        raise CodedError("no_card", _("Choose a card first."), field="card")
    return f"{action} {card}"


def _number(text: str) -> int:
    """The version that was sent, 0 if it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _visible(request: HttpRequest, code: str) -> SeenTable:
    seen = table_seen(reader_of(request), code)
    if seen is None:
        raise Http404
    return seen
