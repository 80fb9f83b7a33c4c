"""Challenges on a ladder: making, calling off, and losing by deadline.

Each challenge is a round of the event with one match, whose sheet is opened at once. Its result is that of
the match: its sheet, or a walkover or forfeit. The rules are in `league.core.ladder`.
"""

import datetime
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.ladder import ChallengeRefusal, Why, refusal, within_reach
from league.core.lifecycle import Doing, check_doing, may
from league.core.pairing_reasons import because
from league.draws.forfeits import award_walkover, concede_match
from league.draws.ladders import check_ladder, settle_ladder
from league.draws.plans import PlannedMatch, RoundPlan
from league.draws.round_writing import check_untouched, erase_matches, write_rounds
from league.errors import LeagueError
from league.models import (
    UNFINISHED,
    Challenge,
    Entry,
    Event,
    EventState,
    Match,
    MatchState,
    RoundState,
)
from league.policy import Permission, require
from league.policy.eligibility import check_entered
from league.policy.own import own_entry, sides_arranged_by
from league.record.audit import given_reason, locked, record_audit
from league.record.locking import left_when_crossed, lock_match
from league.record.requests import request_standings
from league.tables.ladders import LadderNow, ladder_now
from scoring.core.actors import Actor, ActorKind
from scoring.core.errors import CodedError
from scoring.core.messages import mark
from scoring.words.messages import translated

_log = logging.getLogger(__name__)

# The actor of what follows from a deadline, and from a challenge that a member makes.
LADDER: Final = Actor(ActorKind.OPERATOR, "ladder", "the ladder")


@dataclass(frozen=True, slots=True)
class ChallengePlan:
    """A challenge as it would be made: both places from the top, and the last day to play."""

    challenger: Entry
    challenged: Entry
    from_place: int
    to_place: int
    deadline: datetime.date


@dataclass(frozen=True, slots=True)
class OwnLadder:
    """How somebody stands on a ladder with his entry: its place, and whom it may challenge today.

    `challenge` is the open one that it is in, to be played by the end of `last_day`; `challenges` are what
    could be made. `refusal` is a sentence where none can.
    """

    entry: Entry
    place: int | None
    challenge: Challenge | None
    last_day: datetime.date | None
    challenges: Sequence[ChallengePlan]
    refusal: str

    @property
    def is_challenged(self) -> bool:
        """True if the entry is challenged, and not the challenger."""
        return self.challenge is not None and self.challenge.challenged_id == self.entry.pk


def own_challenges(event: Event, entry: Entry, called: Callable[[Entry], str]) -> OwnLadder:
    """Return how an entry stands on its ladder, and what its player may do; `called` names entries."""
    check_ladder(event)
    now = ladder_now(event)
    place = now.ladder.places.get(entry.pk)
    made = now.ladder.challenge_of(entry.pk)
    rows = Challenge.objects.select_related("challenger", "challenged", "match__event", "match__round")
    challenge = None if made is None else rows.get(event=event, number=made.number)
    if not may(event.state, Doing.PLAY):
        return OwnLadder(entry, place, challenge, None, (), _("This ladder is not running."))
    reach = within_reach(now.ladder, now.rules, now.absences, challenger=entry.pk, on=now.today)
    found = Entry.objects.in_bulk(reach)
    plans = [_plan(now, entry, found[pk]) for pk in reach]
    last_day = None if made is None else now.last_day(made.number)
    refusal = "" if plans else _none_to_challenge(now, entry, called)
    return OwnLadder(entry, place, challenge, last_day, plans, refusal)


def plan_challenge(
    event: Event, *, challenger: Entry, challenged: Entry, called: Callable[[Entry], str] = str
) -> ChallengePlan:
    """Return what `make_challenge` would write, with the same refusals; `called` names entries in them."""
    check_ladder(event)
    for entry, name in ((challenger, "challenger"), (challenged, "challenged")):
        check_entered(event, entry, name)
    now = ladder_now(event)
    found = refusal(
        now.ladder,
        now.rules,
        now.absences,
        challenger=challenger.pk,
        challenged=challenged.pk,
        on=now.today,
    )
    if found is not None:
        raise _refused(found, now, challenger, challenged, called)
    return _plan(now, challenger, challenged)


@transaction.atomic
def make_challenge(*, actor: Actor, event: Event, challenger: Entry, challenged: Entry) -> Challenge:
    """Make a challenge with its match and sheet.

    Refused: an event without a ladder (`no_ladder`), and by the ladder's rules (codes in `Why`).
    """
    require(actor, Permission.DIRECT, event.club)
    return _make(actor, locked(event), challenger, challenged, str, opened_by=actor)


@transaction.atomic
def challenge_oneself(
    *, actor: Actor, event: Event, challenged: Entry, called: Callable[[Entry], str], code: str = ""
) -> Challenge:
    """Make a challenge for the entry that the actor plays for; `called` names entries as he may read them.

    Of several it is the one with this `code`, without one the first. Refused: who is not entered, or does not
    play for that entry (`not_entered`), and as by `make_challenge`.
    """
    event = locked(event)
    entry = own_entry(int(actor.id), event, code) if actor.kind is ActorKind.USER else None
    if entry is None:
        raise LeagueError("not_entered", _("You are not entered in “%(event)s”.") % {"event": event})
    return _make(actor, event, entry, challenged, called, opened_by=LADDER)


@transaction.atomic
def decline_challenge(*, actor: Actor, challenge: Challenge) -> Match:
    """Concede a challenge that has not begun, for the side that is challenged: the challenger gets the place.

    As if it had not been played in time. Refused: who is not challenged (`not_allowed`), a challenge that is
    over (`no_challenge`) or has begun (`has_begun`), and where the challenger has left (`withdrawn`).
    """
    if challenge.match is None:
        raise _over(challenge)
    match, _sheet = lock_match(challenge.match)
    event = match.event = locked(challenge.event)
    check_doing(event.name, event.state, Doing.PLAY)
    challenge = locked(challenge)
    side = 0 if match.entry_a_id == challenge.challenged_id else 1
    sides = sides_arranged_by(int(actor.id), match) if actor.kind is ActorKind.USER else frozenset()
    if side not in sides:
        raise LeagueError("not_allowed", _("Only whoever is challenged declines."))
    if challenge.match_id != match.pk or match.state not in UNFINISHED:
        raise _over(challenge)
    if match.state != MatchState.SCHEDULED:
        raise LeagueError("has_begun", _("You have begun to play: whoever gives up tells a director."))
    if challenge.challenger_id not in ladder_now(event).ladder.places:
        raise LeagueError("withdrawn", _("The challenger has left the ladder: there is nothing to play."))
    reason = _("The challenge was declined.")
    return concede_match(actor=actor, match=match, winner_side=1 - side, reason=reason)


def _make(
    actor: Actor,
    event: Event,
    challenger: Entry,
    challenged: Entry,
    called: Callable[[Entry], str],
    *,
    opened_by: Actor,
) -> Challenge:
    """Make a challenge in the locked event; its sheet is opened by one who may."""
    check_doing(event.name, event.state, Doing.PLAY)
    settle_ladder(event)
    plan = plan_challenge(event, challenger=challenger, challenged=challenged, called=called)
    last = event.rounds.aggregate(last=Max("number"))["last"] or 0
    said = mark("challenge from place %(place)s for place %(aim)s", place=plan.from_place, aim=plan.to_place)
    planned = PlannedMatch(sides=((challenger,), (challenged,)), reasons=(because(said),))
    (round_,) = write_rounds(
        actor=opened_by,
        event=event,
        plans=[RoundPlan(number=last + 1, matches=(planned,))],
        state=RoundState.PUBLISHED,
    )
    match = round_.matches.get()
    match.deadline = plan.deadline
    match.save(update_fields=["deadline"])
    made = event.challenges.aggregate(last=Max("number"))["last"] or 0
    challenge = Challenge.objects.create(
        event=event,
        number=made + 1,
        challenger=challenger,
        challenged=challenged,
        made_at=timezone.now(),
        match=match,
    )
    record_audit(
        actor,
        "challenge.make",
        challenge,
        after={
            "places": [plan.from_place, plan.to_place],
            "deadline": plan.deadline.isoformat(),
            "label": match.label,
        },
    )
    request_standings(event.pk)
    return challenge


@transaction.atomic
def call_off_challenge(*, actor: Actor, challenge: Challenge, reason: str) -> Challenge:
    """Call a challenge off before anything is recorded: its match is deleted and places stay.

    Refused: one that is over (`no_challenge`), and one whose match was acted on (`has_hands`, `has_stated`).
    To make a player lose by it, award a walkover instead.
    """
    event = challenge.event
    require(actor, Permission.DIRECT, event.club)
    reason = given_reason(reason)
    if challenge.match is None:
        raise _over(challenge)
    match, _sheet = lock_match(challenge.match)
    event = locked(event)
    check_doing(event.name, event.state, Doing.PLAY)
    challenge = locked(challenge)
    if challenge.match_id != match.pk:
        raise _over(challenge)
    check_untouched(Match.objects.filter(pk=match.pk))
    challenge.match, challenge.called_off_at = None, timezone.now()
    challenge.save(update_fields=["match", "called_off_at"])
    record_audit(actor, "challenge.call_off", challenge, before={"label": match.label}, reason=reason)
    erase_matches(Match.objects.filter(pk=match.pk))
    match.round.delete()
    request_standings(event.pk)
    return challenge


def expire_challenges() -> int:
    """Award every overdue challenge to its challenger; returns how many.

    For the periodic sweep: each is its own transaction, so that of two sweeps one does it.
    """
    tomorrow = timezone.now().date() + datetime.timedelta(days=1)
    waiting = Challenge.objects.filter(
        called_off_at=None,
        event__state=EventState.RUNNING,
        match__state=MatchState.SCHEDULED,
        match__deadline__lt=tomorrow,
    )
    done = 0
    for challenge in waiting.select_related("event__club", "match").order_by("event_id", "number"):
        try:
            with left_when_crossed():
                done += _expire(challenge)
        except CodedError as left:
            if left.code != "gone":  # called off at the same moment
                _log.exception("Challenge %s stays open; it is tried again.", challenge.pk)
    return done


@transaction.atomic
def _expire(challenge: Challenge) -> bool:
    """Award one challenge if it is overdue; nothing for a challenger who has left."""
    if challenge.match is None:
        return False
    match, _sheet = lock_match(challenge.match)
    event = locked(challenge.event)
    now = ladder_now(event)
    last_day = now.last_day(challenge.number) if challenge.number in now.ladder.open else None
    if match.state != MatchState.SCHEDULED or last_day is None or now.today <= last_day:
        return False
    if challenge.challenger_id not in now.ladder.places:
        reason = _("The challenger has left the ladder.")
        call_off_challenge(actor=LADDER, challenge=challenge, reason=reason)
    else:
        reason = _("Not played by %(day)s.") % {"day": date_format(last_day, "j F Y")}
        side = 0 if match.entry_a_id == challenge.challenger_id else 1
        award_walkover(actor=LADDER, match=match, winner_side=side, reason=reason)
    return True


def _over(challenge: Challenge) -> LeagueError:
    return LeagueError(
        "no_challenge", _("Challenge %(number)s is over.") % {"number": challenge.number}, field="challenge"
    )


def _plan(now: LadderNow, challenger: Entry, challenged: Entry) -> ChallengePlan:
    places = now.ladder.places
    deadline = now.today + datetime.timedelta(days=now.rules.days_to_play)
    return ChallengePlan(challenger, challenged, places[challenger.pk], places[challenged.pk], deadline)


def _none_to_challenge(now: LadderNow, entry: Entry, called: Callable[[Entry], str]) -> str:
    """Why an entry may challenge nobody: what of itself is in the way, else that nobody is free."""
    places = now.ladder.places
    if entry.pk in places and places[entry.pk] == 1:
        return _("You are at the top: nobody is above you.")
    above = now.ladder.players[places[entry.pk] - 2] if entry.pk in places else entry.pk
    found = refusal(now.ladder, now.rules, now.absences, challenger=entry.pk, challenged=above, on=now.today)
    if found is not None and found.player == entry.pk:
        return translated(_refused(found, now, entry, entry, called).message)
    return _("Nobody within your reach can be challenged today.")


def _refused(
    found: ChallengeRefusal,
    now: LadderNow,
    challenger: Entry,
    challenged: Entry,
    called: Callable[[Entry], str],
) -> LeagueError:
    """Put a refusal of the ladder's rules into words."""
    entry = challenger if found.player == challenger.pk else challenged
    name = {"entry": called(entry)}
    match found.why:
        case Why.NOT_ON_LADDER:
            said = _("%(entry)s is not on the ladder.") % name
        case Why.NOT_ABOVE if entry == challenger:
            said = _("%(entry)s cannot challenge themselves.") % name
        case Why.NOT_ABOVE:
            said = _("%(entry)s does not stand above %(other)s.") % {**name, "other": called(challenger)}
        case Why.TOO_FAR:
            said = ngettext(
                "%(entry)s stands %(rungs)s rungs above; a challenge reaches %(reach)s.",
                "%(entry)s stands %(rungs)s rungs above; a challenge reaches %(reach)s.",
                now.rules.reach,
            ) % {**name, "rungs": found.rungs, "reach": now.rules.reach}
        case Why.ENGAGED:
            said = _("%(entry)s has a challenge to play already.") % name
        case Why.AWAY:
            said = _("%(entry)s is away.") % name
        case Why.PROTECTED:
            day = date_format(found.until, "j F Y") if found.until else ""
            said = _("%(entry)s has played and is protected until %(day)s.") % {**name, "day": day}
    return LeagueError(found.why.value, said, field="challenger" if entry == challenger else "challenged")
