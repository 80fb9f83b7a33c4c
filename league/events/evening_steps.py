"""The steps of an evening that runs itself, which a director's acts and the sweep take alike.

Their callers hold the event, and have asked for permission.
"""

import datetime
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from league.core.evening import EveningState
from league.draws.advancing import hold_bracket
from league.draws.formats import format_of
from league.draws.overdue import club_today
from league.draws.planning import next_number
from league.draws.round_life import draft_round, publish_round
from league.errors import LeagueError
from league.matches.arrivals import first_to_play, following_round, opens_in_turn
from league.matches.line_ups import open_line_ups, write_line_up
from league.matches.matches import line_ups_without_word
from league.models import AuditEntry, Evening, Event, LineUpSeat, MatchState, Round, RoundState
from league.models.matches import MatchQuerySet
from league.notices.causes import evening_told, line_ups_wanted, round_opened
from league.record.audit import record_audit
from scoring.core.actors import Actor, ActorKind

# The actor of what an evening does by itself.
EVENING: Final = Actor(ActorKind.OPERATOR, "evening", "the evening")


def held_evening(event: Event) -> Evening | None:
    """The event's evening, locked, with this event; None without one. The caller holds the event."""
    row = Evening.objects.select_for_update(no_key=True, of=("self",)).filter(event=event).first()
    if row is not None:
        row.event = event
    return row


def hold_evening(event: Event) -> Event:
    """Lock what an evening writes as it draws and opens rounds, then the event; returns its current row."""
    unseated = Q(state__in=(MatchState.SCHEDULED, MatchState.BYE), sheet=None)
    handed_in = Exists(LineUpSeat.objects.filter(match=OuterRef("pk")))
    return hold_bracket(event, Q(round__state=RoundState.DRAFTED) | unseated | Q(handed_in))


def played_now(event: Event, evening: Evening) -> Round | None:
    """The round that is played: the last that is published, or of those to be opened in turn the one opened.

    Before any is opened that is the first in which something is left to play; none in the break before it.
    """
    published = event.rounds.exclude(state=RoundState.DRAFTED)
    last = published.order_by("-number").first()
    if not opens_in_turn(event):
        return last
    if evening.round is None and evening.next_at is not None:
        return None
    return evening.round or first_to_play(event, after=0) or last


def taken_back(event: Event, evening: Evening) -> Round | None:
    """The first later round, of those that were drawn at once, that is a draft: a director publishes it.

    What he pairs himself after all others he has in hand; that is waited for.
    """
    if not opens_in_turn(event):
        return None
    after = 0 if evening.round is None else evening.round.number
    drafts = event.rounds.filter(state=RoundState.DRAFTED, number__gt=after)
    back = drafts.exclude(matches__tie__isnull=False).order_by("number").first()
    is_last = back is not None and not event.rounds.filter(number__gt=back.number).exists()
    return None if is_last and format_of(event).night_by_night else back


def open_round(actor: Actor, event: Event, evening: Evening, now: datetime.datetime) -> None:
    """Open the round that is drawn ahead, or draw the next one or take its draft, and publish it.

    The caller holds all of it.
    """
    if (following := following_round(event, evening)) is not None:
        begin_round(evening, following, now)
        round_opened(event, following)
        return
    begin_round(evening, draw_round(actor, event), now)


def rests_before(event: Event, evening: Evening) -> bool:
    """Whether a round that is the first for the evening begins a break later, as captains say who plays."""
    return evening.round is None and bool(evening.break_) and event.has_reserves


def begin_break(actor: Actor, event: Event, evening: Evening, now: datetime.datetime) -> None:
    """Let the next round begin after a break, in which captains hand in line-ups, if any team has a choice.

    They know by then whom they meet: the round is drawn now. The caller holds all of it.
    """
    evening.next_at, evening.come_by = now + evening.break_, None
    evening.save(update_fields=["next_at", "come_by"])
    if not event.has_reserves:
        return
    if (following := following_round(event, evening)) is not None:
        line_ups_wanted(event, following)
    else:
        draw_round(actor, event)


def draw_round(actor: Actor, event: Event) -> Round:
    """Draw the next round, or take its draft, and publish it; the caller holds all of it."""
    today = club_today(event.club)
    round_ = event.rounds.filter(state=RoundState.DRAFTED).first()
    round_ = round_ or format_of(event).draw_ahead(actor=actor, event=event, date=today)
    if round_ is None:
        round_ = draft_round(actor=actor, event=event, number=next_number(event), date=today)
    if round_.state == RoundState.DRAFTED:
        round_ = publish_round(actor=actor, round_=round_)
    return round_


def begin_round(evening: Evening, round_: Round, now: datetime.datetime) -> None:
    """Let this be the round that is played, and its players be waited for from now on.

    The line-ups that are handed in, also for rounds before it, are seen by all from now on. For teams of
    which nobody has said who plays, those play who would without a word; not where the bye was given instead.
    """
    open_line_ups(evening.event.matches.filter(round__number__lte=round_.number))
    due = (MatchState.SCHEDULED, MatchState.BYE)
    unseated = round_.matches.filter(state__in=due, sheet=None, bye_given=False)
    seat_without_word(evening.event, round_, unseated)
    evening.round, evening.come_by, evening.next_at = round_, now + evening.wait, None
    evening.save(update_fields=["round", "come_by", "next_at"])


def next_sheets(round_: Round) -> MatchQuerySet:
    """The next sheets of ties in a round that is played, of which nobody has said who plays."""
    return round_.matches.filter(state=MatchState.SCHEDULED, sheet=None, leg__gt=1)


def seat_without_word(event: Event, round_: Round, unseated: MatchQuerySet) -> None:
    """Seat those of teams in these matches of the round who play if nobody says so; the caller holds them."""
    if event.team_size == 1 or not (matches := list(unseated.with_sides("round"))):
        return
    usual = line_ups_without_word(event, round_.number)
    for match in matches:
        match.event = event
        seated = set(match.appearances.values_list("side", flat=True))
        for side in set(match.sides) - seated:
            if players := usual.get(match.side(side)[0].pk):
                # Refused of a team that has withdrawn: the others play all the same, and once they have the
                # evening stops for this match. A bye without a bot stays one.
                with suppress(LeagueError):
                    write_line_up(actor=EVENING, match=match, side=side, players=players)


def move_on(actor: Actor, evening: Evening, to: EveningState, action: str, *, reason: str = "") -> Evening:
    """Take a step and note it; directors are told of those that nobody of them took."""
    before, evening.state = evening.state, to
    evening.next_at = None
    evening.paused_at = timezone.now() if to in (EveningState.PAUSED, EveningState.STOPPED) else None
    if to != EveningState.STOPPED:
        evening.why = ""
    evening.save(update_fields=["state", "round", "come_by", "next_at", "paused_at", "why"])
    entry = record_audit(
        actor=actor,
        action=action,
        target=evening.event,
        club=evening.event.club,
        before={"state": before},
        after={"state": to.value},
        reason=reason,
    )
    if actor is EVENING:
        evening_told(evening.event.club, entry)
    return evening


def note(evening: Evening, action: str, *, after: Mapping[str, Any], reason: str = "") -> AuditEntry:
    """Note what the evening does by itself."""
    return record_audit(
        actor=EVENING,
        action=action,
        target=evening.event,
        club=evening.event.club,
        after=after,
        reason=reason,
    )


def has_draft(event: Event) -> bool:
    """Whether a round of the event is a draft."""
    return event.rounds.filter(state=RoundState.DRAFTED).exists()
