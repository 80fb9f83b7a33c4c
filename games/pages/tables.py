"""Pages of a table of members: the table itself, and hands that are over with the proof of their packs."""

import json
import secrets
from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from typing import Any, Final

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games.models import Phrase
from games.pages.matches import replay_context
from games.pages.pages import GUEST_AT, kept_fresh, page, reader_of
from games.services import act, agree_pause, ask_pause, mute, resume, say, unmute
from games.services.hands import UnreadableHand
from games.services.seen_tables import SeenTable, table_seen
from games.services.shown_hands import own_report, table_hand_page
from games.services.table_pages import ShownHint, TablePage, shown_hint, table_page
from games.services.watching import stamp_of, stream_address
from scoring.core.actors import Actor, ActorKind
from scoring.core.errors import CodedError
from scoring.core.rules import Rules
from scoring.policy import policy
from scoring.words.messages import translated
from scoring.words.rules_words import rules_headline, rules_sentences

# Seconds between updates of an open page: while the other is to move, while that is a bot that thinks, and
# otherwise, sooner by a clock.
_WHILE_WAITING: Final = 2
_WHILE_THINKING: Final = 1
_WHILE_TO_MOVE: Final = 15
_WHILE_TO_MOVE_IN_TIME: Final = 5
_CLOCK_ACTS: Final = {"ask": ask_pause, "agree": agree_pause, "resume": resume}
_HEARING: Final = {"mute": mute, "unmute": unmute}
# What is sent with the way, or the card, that is chosen beside it.
_OF_A_CHOICE: Final = frozenset({"knock", "lay_off", "meld"})
_OF_A_CARD: Final = frozenset({"discard", "gin"})
# No seat.
_NOBODY: Final = -1


def _told_if_unreadable(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Has a view of a table say in a sentence, with the status 409, that a stored hand cannot be read.

    Where the page is up to date itself that stands in its place, and it asks no more.
    """

    @wraps(view)
    def told(request: HttpRequest, code: str, **where: Any) -> HttpResponse:
        try:
            return view(request, code, **where)
        except UnreadableHand as failure:
            seen = _visible(request, code)
            context = {
                "page": {"title": f" {_('v')} ".join([side.name for side in seen.kept.sides])},
                "problem": translated(failure.message),
                "is_own": seen.seat is not None and request.user.is_authenticated,
            }
            if request.headers.get("HX-Request"):
                return kept_fresh(request, render(request, "games/_unreadable.html", context))
            return _page(request, "games/unreadable.html", seen, context, status=409)

    return told


@require_safe
@_told_if_unreadable
def play_table(request: HttpRequest, code: str) -> HttpResponse:
    """The table as its reader may see it; it updates itself until play is over.

    Whoever is not signed in and sees nothing is asked to sign in: his session may have ended in mid-hand.
    """
    seen = _seen(request, code)
    if seen is None:
        # A guest has nothing to sign in with: his link is over.
        if request.user.is_anonymous and code not in request.session.get(GUEST_AT, {}):
            return redirect_to_login(request.path)
        raise Http404
    return _page(request, "games/table.html", seen, _context(seen))


@require_safe
@_told_if_unreadable
def play_live(request: HttpRequest, code: str) -> HttpResponse:
    """The changing part of the page; 304 if the client's ETag still matches."""
    seen = _visible(request, code)
    tag = table_tag(seen)
    unchanged = get_conditional_response(request, etag=tag)
    if unchanged is not None:
        return kept_fresh(request, unchanged)
    part = _part(request, seen)
    # Answers to a press have none: the page sends this tag with it too, and is to get an answer.
    part["ETag"] = tag
    return part


@require_safe
@_told_if_unreadable
def play_hint(request: HttpRequest, code: str) -> HttpResponse:
    """The table with a hint for the reader's seat, or why there is none; answers as `play_act`."""
    seen, shown, problem = _visible(request, code), None, ""
    try:
        shown = shown_hint(seen)
    except CodedError as error:
        problem = translated(error.message)
    if request.headers.get("HX-Request"):
        return _part(request, seen, problem, shown)
    status = 409 if problem else 200
    return _page(request, "games/table.html", seen, _context(seen, problem, shown), status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@_told_if_unreadable
def play_act(request: HttpRequest, code: str) -> HttpResponse:
    """Carries out an action of the reader's seat, and answers with the table as it is then.

    A refusal is told above the table; without a script it has the status 409, and its address leads back.
    """
    if request.method != "POST":
        return redirect("play_table", code)
    match, reader, seat = _visible(request, code)
    return _done(
        request,
        code,
        lambda: act(
            actor=reader,
            match=match,
            seat=_NOBODY if seat is None else seat,
            version=number_sent(request.POST.get("version", "")),
            action=action_sent(request),
            key=request.POST.get("key", ""),
        ),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@_told_if_unreadable
def play_clock(request: HttpRequest, code: str) -> HttpResponse:
    """Asks for a pause, agrees to one or ends it, as `do` says; answers as `play_act`."""
    if request.method != "POST":
        return redirect("play_table", code)
    match, reader, seat = _visible(request, code)
    doing = _CLOCK_ACTS.get(request.POST.get("do", ""))
    if doing is None:
        raise Http404
    return _done(
        request, code, lambda: doing(actor=reader, match=match, seat=_NOBODY if seat is None else seat)
    )


@require_http_methods(["GET", "HEAD", "POST"])
@_told_if_unreadable
def play_say(request: HttpRequest, code: str) -> HttpResponse:
    """Sends a `phrase` to the others, or shows theirs no longer or again, as `do` says.

    Answers as `play_act`.
    """
    if request.method != "POST":
        return redirect("play_table", code)
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
    if request.user.is_anonymous and _visible(request, code).seat is None:
        problem = _("You are signed out, and that was not carried out. Sign in, and press again.")
    else:
        try:
            doing()
        except CodedError as error:
            problem = translated(error.message)
    seen = _visible(request, code)
    if request.headers.get("HX-Request"):
        return _part(request, seen, problem)
    if problem:
        return _page(request, "games/table.html", seen, _context(seen, problem), status=409)
    return HttpResponseRedirect(reverse("play_table", args=[code]))


@require_safe
@_told_if_unreadable
def play_hand(request: HttpRequest, code: str, deal: int, table: int | None = None) -> HttpResponse:
    """A hand that is over after the move `?move=`, with its pack, nonce and commitment; 404 for any other.

    Its players also see what their own choices cost.
    """
    seen = _visible(request, code)
    found = table_hand_page(seen, deal, table)
    if found is None:
        raise Http404
    hand, proof = found
    frame = replay_context(request, hand)
    apart = [] if table is None else [table]
    addresses = {
        "match_address": reverse("play_table", args=[code]),
        "earlier_address": hand.earlier and reverse("play_hand", args=[code, hand.earlier, *apart]),
        "later_address": hand.later and reverse("play_hand", args=[code, hand.later, *apart]),
        "tables": [(each, reverse("play_hand", args=[code, deal, each])) for each in hand.tables],
    }
    report = own_report(seen, proof.hand, frame["frame"].number)
    context = frame | addresses | {"at": "", "proof": proof, "report": report}
    return _page(request, "games/hand.html", seen, context)


def table_tag(seen: SeenTable) -> str:
    """The ETag of a table for its reader: it changes with every action, aside and change of the sheet."""
    told = (seen.seat, stamp_of(seen.match))
    return quote_etag(sha256(repr(told).encode()).hexdigest()[:20])


def _page(
    request: HttpRequest, template: str, seen: SeenTable, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """A page with the head of the sheet's club; search engines are to leave out who plays whom."""
    head = policy().page_head(seen.reader, seen.match.sheet)
    response = page(request, template, {**head, **context}, status=status)
    response["X-Robots-Tag"] = "noindex"
    return response


def _part(
    request: HttpRequest, seen: SeenTable, problem: str = "", hint: ShownHint | None = None
) -> HttpResponse:
    return kept_fresh(request, render(request, "games/_table_answer.html", _context(seen, problem, hint)))


def _context(seen: SeenTable, problem: str = "", hint: ShownHint | None = None) -> dict[str, Any]:
    shown = table_page(seen)
    context = playing_context(
        shown,
        seen.match.sheet.rules.rules,
        act_address=reverse("play_act", args=[seen.match.code]),
        table_address=reverse("play_table", args=[seen.match.code]),
        team_size=shown.side_of.count(0),
    )
    return context | {
        "match": seen.match,
        "problem": problem,
        "hint": hint,
        "phrases": Phrase.choices,
        "headers": json.dumps({"If-None-Match": table_tag(seen)}),
        "seconds": _seconds(shown),
        "stream": stream_address(seen.match.code),
        **_fault_of_bot(seen, shown),
    }


def _fault_of_bot(seen: SeenTable, shown: TablePage) -> dict[str, Any]:
    """Where who plays a friendly game says how it goes on after its bot has failed; empty for all others."""
    if not (seen.match.is_stopped_by_fault and seen.seat is not None and any(shown.bots)):
        return {}
    head = policy().page_head(seen.reader, seen.match.sheet)
    return {"fault_club": None if head.get("event") else head.get("club")}


def playing_context(
    page: object, rules: Rules, *, act_address: str, table_address: str, team_size: int = 1
) -> dict[str, Any]:
    """What the template of a hand in play needs wherever one is played, with a key for the next action.

    `page` is a `TablePage`, or what has its `seal`, `own`, `other` and `seat`. Actions are sent to
    `act_address`, and the page is at `table_address`.
    """
    return {
        "page": page,
        "key": secrets.token_urlsafe(12),
        "act_address": act_address,
        "table_address": table_address,
        "headline": rules_headline(rules, team_size=team_size),
        "rules_sentences": rules_sentences(rules, team_size=team_size),
    }


def _seconds(shown: TablePage) -> int:
    if shown.own is None or not shown.own.is_turn:
        return _WHILE_THINKING if shown.is_thinking else _WHILE_WAITING
    return _WHILE_TO_MOVE_IN_TIME if shown.clocks else _WHILE_TO_MOVE


def action_sent(request: HttpRequest) -> str:
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


def number_sent(text: str) -> int:
    """The version that was sent, 0 if it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _visible(request: HttpRequest, code: str) -> SeenTable:
    seen = _seen(request, code)
    if seen is None:
        raise Http404
    return seen


def _seen(request: HttpRequest, code: str) -> SeenTable | None:
    """The table for its reader: a guest of this session for as long as his link is good, else the account."""
    link = request.session.get(GUEST_AT, {}).get(code)
    if link is not None:
        seen = table_seen(Actor(ActorKind.TABLE_LINK, link, ""), code)
        if seen is not None and seen.seat is not None:
            return seen
    return table_seen(reader_of(request), code)
