"""The daily hand of a club: playing it, the table of the day, and that of the day before with its pack."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from games.pages.tables import action_sent, number_sent, playing_context
from games.services.own_hands import OwnHand, own_hand
from games.services.table_pages import Across
from games.tables.laid import LaidHand
from games.tables.members import commitment_of
from games.tables.replaying import SeatTurn, Snapshot, replayed
from league.models import Club, DailyHand, DailyTry
from league.pages.doors import form_page
from league.pages.pages import names_of, page, signed_in, visible_club, way_in
from league.people.accounts import own_players
from league.people.daily_hands import (
    MEMBER,
    act_daily,
    begin_daily,
    daily_rules,
    hand_of_today,
    last_hand_over,
    log_of,
    own_try,
    state_of,
    table_of_day,
)
from league.policy import actor_of
from league.policy.naming import Names
from scoring.core.errors import CodedError
from scoring.words.messages import translated


@dataclass(frozen=True, slots=True)
class DailySeat:
    """A daily hand in play as its member sees it, for the template of tables."""

    seal: str
    own: OwnHand
    other: str
    seat: int = MEMBER

    @property
    def across(self) -> list[Across]:
        """The bot."""
        own = self.own
        return [Across(self.other, None, own.view.dealer != MEMBER, not own.is_turn, own.known)]

    @property
    def dealer(self) -> str:
        """Who has dealt; "" for the member."""
        return "" if self.own.view.dealer == MEMBER else self.other

    @property
    def told(self) -> list[tuple[str, SeatTurn]]:
        """The latest turns, each with the name of whose it was, "" for the member's own."""
        return [("" if turn.seat == MEMBER else self.other, turn) for turn in self.own.told]


@dataclass(frozen=True, slots=True)
class EndedTry:
    """A try that was played to its end: its last frame, and both hands with whose they are."""

    points: int
    frame: Snapshot
    laid: list[tuple[str, LaidHand]]


@form_page
def club_daily(request: HttpRequest, club: str) -> HttpResponse:
    """The hand of today for a member: to begin, to play, or with the table of those who have played it.

    Beside it is the table of the last day that is over. A POST begins (`do`), or acts as at a table. Who has
    no player in the club is told how to get one. Whoever is not signed in is asked to do so; a script gets a
    404, as at a table, and says so.
    """
    if request.user.is_anonymous:
        if request.headers.get("HX-Request"):
            raise Http404
        return redirect_to_login(request.get_full_path())
    shown, user = visible_club(request, club), signed_in(request)
    players = list(own_players(user.pk, shown))
    problem = ""
    if players and request.method == "POST" and request.POST:
        try:
            _do(request, shown)
        except CodedError as refusal:
            problem = translated(refusal.message)
        is_part = bool(request.headers.get("HX-Request"))
        if not problem and not is_part:
            return redirect("club_daily", shown.slug)
        if is_part:
            part = _context(request, shown, user.pk) | {"club": shown, "names": names_of(request, shown)}
            return render(request, "league/_daily_answer.html", part | {"problem": problem})
    context: dict[str, Any] = {"at": "me", "players": players, "problem": problem}
    context |= _context(request, shown, user.pk) if players else way_in(request, shown)
    answer = page(request, "league/club_daily.html", context, club=shown)
    answer.status_code = HTTPStatus.CONFLICT if problem else HTTPStatus.OK
    return answer


def _do(request: HttpRequest, club: Club) -> None:
    actor = actor_of(signed_in(request))
    if request.POST.get("do") == "begin":
        begin_daily(actor=actor, club=club)
        return
    version = number_sent(request.POST.get("version", ""))
    act_daily(actor=actor, club=club, version=version, action=action_sent(request))


def _context(request: HttpRequest, club: Club, account: int) -> dict[str, Any]:
    hand, before, names = hand_of_today(club), last_hand_over(club), names_of(request, club)
    own = None if hand is None else own_try(hand, account)
    context: dict[str, Any] = {
        "hand": hand,
        "own": own,
        "has_rules": hand is not None or bool(daily_rules(club)),
        "before": before,
        "lines_before": [] if before is None else table_of_day(before),
        "is_pack_good": before is not None and commitment_of(before.pack, before.nonce) == before.commitment,
        "own_before": None if before is None else _ended(before, own_try(before, account), names),
    }
    if hand is None or own is None:
        return context
    if own.points is not None:
        return context | {"lines": table_of_day(hand), "ended": _ended(hand, own, names)}
    state = state_of(hand, own.actions)
    address = reverse("club_daily", args=[club.slug])
    seat = DailySeat(hand.commitment, own_hand(state, MEMBER), hand.strategy)
    return (
        context
        | playing_context(seat, hand.rules.rules, act_address=address, table_address=address)
        | {"match": {"is_live": False, "version": own.version, "sheet": {"rules": hand.rules}}}
    )


def _ended(hand: DailyHand, own: DailyTry | None, names: Names) -> EndedTry | None:
    """How the reader has ended a hand; None if he has not."""
    if own is None or own.points is None:
        return None
    players = (names.player(own.player), hand.strategy)
    frame = replayed(hand.rules.rules, log_of(hand, own.actions), players=players).frames[-1]
    return EndedTry(own.points, frame, list(zip(players, frame.hands, strict=True)))
