"""What the pages of an event tell of an evening on which it runs itself."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from league.core.evening import EveningState
from league.core.lifecycle import Doing, may
from league.events.evening_presence import has_missed
from league.events.evening_words import (
    evening_of_event,
    for_directors,
    for_players,
    rules_words,
    waiting_draft,
)
from league.events.presence import OwnCheckIn, own_check_in
from league.matches.arrivals import following_round, to_begin, waited_for
from league.matches.line_ups import to_hand_in
from league.models import (
    UNFINISHED,
    Evening,
    Event,
    Match,
    MatchState,
    Player,
    Round,
    extra_to_play,
)
from league.pages.pages import reader_of
from league.policy import Permission, can
from league.policy.own import own_entries


@dataclass(frozen=True, slots=True)
class EveningShown:
    """How an evening stands: in `words`, by which rules, and until when something is counted down.

    `up` is what stands in its place then. It `waits` for a reader who directs the club to let it go on.
    Such a reader sees who is `missing`, in the order of tables, as long as players are waited for.
    `own` is the match that the reader has to play in the round, or in the break in the next; who has missed
    his last ones (`has_missed`) is asked whether he is back. `check_in` says before it begins whether he is
    checked in. A `draft` for which it waits is told to a reader who directs the club, as is where it is.
    """

    words: str
    rules: str
    ends_at: datetime.datetime | None
    up: str
    waits: bool
    missing: tuple[Player, ...]
    own: Match | None
    has_missed: bool
    check_in: OwnCheckIn | None
    draft: Round | None


def evening_shown(request: HttpRequest, event: Event, *, round_: Round | None = None) -> Mapping[str, Any]:
    """The evening of an event for its page, as `evening`; nothing if it has none, or either is over.

    On the page of a `round_` only while that is the one that is played.
    """
    evening = evening_of_event(event)
    if evening is None or evening.state == EveningState.OVER or not may(event.state, Doing.SETTINGS):
        return {}
    if round_ is not None and evening.round_id != round_.pk:
        return {}
    ends_at = (evening.next_at or evening.come_by) if evening.is_going else None
    own, missed, check_in = None, False, None
    if isinstance(request.user, User):
        entries = own_entries(request.user.pk, event)
        if evening.state == EveningState.SET and entries:
            check_in = own_check_in(event, entries[0])
        mine = event.matches.of_entries([entry.pk for entry in entries])
        to_play = Q(state__in=UNFINISHED, entry_b__isnull=False) | extra_to_play()
        if evening.round is not None:
            own = mine.filter(to_play, round=evening.round).order_by("leg", "id").first()
            missed = own is None and any(has_missed(event, entry) for entry in entries[:1])
        if own is None and evening.next_at is not None:
            drawn = mine.filter(round=following_round(event, evening))
            own = drawn.filter(to_play).order_by("leg", "id").first() or _line_up_of_bye(drawn, request.user)
    up = _("It is about to begin.") if evening.next_at is not None else _("Time is up.")
    halted = evening.state in (EveningState.PAUSED, EveningState.STOPPED)
    directs = can(reader_of(request), Permission.DIRECT, event.club)
    waits, missing = halted and directs, _missing(evening) if directs else ()
    words = for_directors(evening) if waits else for_players(evening)
    draft = waiting_draft(evening) if directs else None
    if draft is not None:
        words = _("Round %(number)d is drawn and waits for you: look at it and publish it.") % {
            "number": draft.number
        }
    shown = EveningShown(
        words, rules_words(evening), ends_at, up, waits, missing, own, missed, check_in, draft
    )
    return {"evening": shown}


def _missing(evening: Evening) -> tuple[Player, ...]:
    """Who is waited for and has not come, in matches that have not begun."""
    if evening.come_by is None:
        return ()
    missing = waited_for(to_begin(evening).order_by("table", "id")).values()
    return tuple([player for by_side in missing for absent in by_side.values() for player in absent])


def _line_up_of_bye(matches: QuerySet[Match], user: User) -> Match | None:
    """The bye in which his team plays a bot once he, its captain, has said who plays; None without one."""
    byes = matches.filter(state=MatchState.BYE)
    return next((bye for bye in byes if to_hand_in(bye, user.pk)), None)
