"""Matches that the players arrange: one side proposes times and a place, the other accepts one of them.

The matches of a round with a last day are arranged so, from its date to that day or the match's own deadline,
and those of a ladder. All is decided under the match's lock: of two who act at once the second is told what
the first has done.
"""

import datetime
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.core.clock import instant
from league.core.lifecycle import Doing, check_doing
from league.draws.overdue import club_today, deadline_of, last_days
from league.errors import LeagueError
from league.models import (
    EventState,
    Match,
    MatchState,
    ProposedTime,
    RoundState,
    traits_of,
)
from league.models.matches import MOST_PLACE
from league.notices.causes import last_day_near, time_agreed, times_proposed
from league.notices.outbox import tells
from league.policy.own import sides_arranged_by
from league.policy.refusals import refused
from league.record.audit import change_row, check_plain, locked, record_audit
from league.record.days import check_day
from league.record.locking import lock_match
from scoring.core.actors import Actor, ActorKind

MOST_TIMES: Final = 3
# So long before the last day those who have agreed on no time are told.
NEAR: Final = datetime.timedelta(days=2)


@dataclass(frozen=True, slots=True)
class Window:
    """The days on which a match may be played, both included; None: no bound."""

    first: datetime.date | None
    last: datetime.date | None


def is_arranged(match: Match) -> bool:
    """True if the players say when they play: two sides of people, in a round with a last day or on a ladder.

    Load its round, event and sides along.
    """
    if match.round.last_day is None and not traits_of(match.event).has_challenges:
        return False
    return len(match.sides) == 2 and not any(
        entry.is_bot for side in match.sides for entry in match.side(side)
    )


def window_of(match: Match) -> Window:
    """Return the days from which the players may choose."""
    return Window(match.round.date, deadline_of(match))


def still_arranged(match: Match) -> str:
    """Why the players of a match may not arrange it now: a sentence; "" if they may."""
    return refused(partial(check_arranged, match))


def check_arranged(match: Match) -> None:
    """Refuse a match that its players do not arrange (`not_arranged`), or no longer (`has_begun`).

    And what the states of its event and round do not allow (`wrong_state`, `round_drafted`), and a match of
    somebody who has withdrawn (`withdrawn`).
    """
    event = match.event
    check_doing(event.name, event.state, Doing.PLAY)
    if match.round.state == RoundState.DRAFTED:
        raise LeagueError("round_drafted", _("This round is a draft."))
    if match.state != MatchState.SCHEDULED:
        raise LeagueError("has_begun", _("This match has begun, or is decided: there is nothing to arrange."))
    if not is_arranged(match):
        raise LeagueError("not_arranged", _("A director says when this match is played."))
    if any(entry.withdrawn_at is not None for side in match.sides for entry in match.side(side)):
        raise LeagueError("withdrawn", _("One of the two has withdrawn: ask a director."))


@transaction.atomic
def propose_times(
    *,
    actor: Actor,
    match: Match,
    times: Sequence[datetime.datetime],
    place: str = "",
    seen: Collection[int] = (),
) -> list[ProposedTime]:
    """Propose up to `MOST_TIMES` times, as the club's clock shows them, and a place, for the actor's side.

    They take the place of all that were proposed, by either side, which were `seen` (ids). Refused: who does
    not play in the match (`not_allowed`), as `check_arranged`, no time or too many (`no_times`,
    `too_many_times`), one that is over (`past`) or outside the days (`out_of_window`) or that no clock shows
    (`no_such_time`), a place that is `too_long`, and if others were proposed meanwhile
    (`proposed_meanwhile`).
    """
    match, sides = _locked(actor, match)
    place = " ".join(place.split())
    if len(place) > MOST_PLACE:
        raise LeagueError(
            "too_long", _("A place has at most %(most)d characters.") % {"most": MOST_PLACE}, field="place"
        )
    check_plain(place, "place")
    before = list(match.proposed_times.all())
    if {row.pk for row in before} - set(seen):
        raise LeagueError("proposed_meanwhile", _("Other times have just been proposed: look at them first."))
    zone = match.event.club.zone
    for time in times:
        check_day(time.date(), "times")
    chosen = sorted({instant(time, zone, field="times") for time in times})
    if not chosen:
        raise LeagueError("no_times", _("Propose at least one time."), field="times")
    if len(chosen) > MOST_TIMES:
        raise LeagueError(
            "too_many_times",
            _("Propose at most %(most)d times.") % {"most": MOST_TIMES},
            field="times",
        )
    for time in chosen:
        _check_time(match, time)
    match.proposed_times.all().delete()
    side = _answering(sides, before)
    made = ProposedTime.objects.bulk_create(
        [ProposedTime(match=match, side=side, at=time, place=place) for time in chosen]
    )
    record_audit(actor, "match.propose", match, before=_facts(before), after=_facts(made))
    times_proposed(match, actor)
    return made


@transaction.atomic
def accept_time(*, actor: Actor, match: Match, proposed: int) -> Match:
    """Agree on one of the times (by id) that the other side has proposed; all that are proposed are over.

    Refused: as `propose_times` refuses the match and the time, one that is not proposed any more
    (`not_proposed`), and one of the own side (`own_proposal`).
    """
    match, sides = _locked(actor, match)
    row = match.proposed_times.filter(pk=proposed).first()
    if row is None:
        raise LeagueError("not_proposed", _("That time is no longer proposed: look at those that are."))
    if sides <= {row.side}:
        raise LeagueError("own_proposal", _("Your own side has proposed that time: the other accepts it."))
    _check_time(match, row.at)
    match.proposed_times.all().delete()
    change_row(
        actor,
        "match.agree",
        match,
        {
            "planned_on": timezone.localdate(row.at, timezone=match.event.club.zone),
            "planned_at": row.at,
            "planned_place": row.place,
        },
    )
    time_agreed(match, actor)
    return match


@transaction.atomic
def take_back_times(*, actor: Actor, match: Match) -> None:
    """Take back what the actor's side has proposed; what was agreed before stands.

    Refused: as `propose_times` refuses the match, and if the side has nothing proposed (`not_proposed`).
    """
    match, sides = _locked(actor, match)
    own = list(match.proposed_times.filter(side__in=sides))
    if not own:
        raise LeagueError("not_proposed", _("Nothing that your side has proposed waits for an answer."))
    match.proposed_times.filter(side__in=sides).delete()
    record_audit(actor, "match.unpropose", match, before=_facts(own))


def tell_last_days(now: datetime.datetime) -> int:
    """Tell who has agreed on no time that the last day is near; returns of how many matches.

    Once for each match, and again if its last day becomes a later one. For the periodic sweep: in one query
    while there is nothing to tell, and a few for each ladder that has challenges near their end. Each match
    is its own transaction, so that of two sweeps one does it.
    """
    if not tells():
        return 0
    today, day = now.date(), datetime.timedelta(days=1)
    # Of any zone; on a ladder absences may make the last day a later one.
    span = (today - day, today + NEAR + day)
    last = Coalesce("deadline", "round__last_day")
    near = Q(last__range=span) & (Q(last_day_told=None) | Q(last_day_told__lt=F("last")))
    near |= Q(challenge__isnull=False, deadline__lte=span[1])
    rows = Match.objects.alias(last=last).filter(near, state=MatchState.SCHEDULED, annulled=False)
    rows = rows.filter(event__state=EventState.RUNNING).exclude(round__state=RoundState.DRAFTED)
    rows = rows.exclude(planned_at__gt=now).with_sides("round", "event__club").order_by("pk")
    by_event: dict[int, list[Match]] = defaultdict(list)
    for match in rows:
        if not still_arranged(match):
            by_event[match.event_id].append(match)
    count = 0
    for matches in by_event.values():
        event = matches[0].event
        until = last_days(event, matches)
        club_day = club_today(event.club)
        for match in matches:
            due = until[match.pk]
            if due is not None and club_day <= due <= club_day + NEAR and not _is_told(match, due):
                count += _tell_last_day(match, due)
    return count


def _is_told(match: Match, last: datetime.date) -> bool:
    return match.last_day_told is not None and match.last_day_told >= last


def _tell_last_day(match: Match, last: datetime.date) -> bool:
    """Tell of one match that this day is its last one; False if that was done, or it is gone, meanwhile."""
    try:
        with transaction.atomic():
            match = locked(match)
            if _is_told(match, last):
                return False
            last_day_near(match)
            Match.objects.filter(pk=match.pk).update(last_day_told=last)
    except LeagueError as left:
        if left.code != "gone":  # deleted at the same moment
            raise
        return False
    return True


def _locked(actor: Actor, match: Match) -> tuple[Match, frozenset[int]]:
    """The locked match, and the sides for which the actor arranges it.

    Asked under the lock, as a bracket may just have brought others into it.
    """
    match, _sheet = lock_match(match)
    match.event = locked(match.event)
    sides = sides_arranged_by(int(actor.id), match) if actor.kind is ActorKind.USER else frozenset()
    if not sides:
        raise LeagueError("not_allowed", _("Only those who play a match arrange it."))
    check_arranged(match)
    return match, sides


def _answering(sides: Collection[int], before: Sequence[ProposedTime]) -> int:
    """The side that proposes; where one account plays for both, the one that has been asked."""
    asked = {1 - row.side for row in before}
    return min(asked.intersection(sides) or sides)


def _check_time(match: Match, time: datetime.datetime) -> None:
    """Refuse a time that is over (`past`) or not within the days (`out_of_window`)."""
    if time <= timezone.now():
        raise LeagueError("past", _("A proposed time is over by now."), field="times")
    window, day = window_of(match), timezone.localdate(time, timezone=match.event.club.zone)
    if window.first is not None and day < window.first:
        raise LeagueError(
            "out_of_window",
            _("The first day to play is %(day)s.") % {"day": date_format(window.first, "l j F Y")},
            field="times",
        )
    if window.last is not None and day > window.last:
        raise LeagueError(
            "out_of_window",
            _("The last day to play is %(day)s: for a later one ask a director.")
            % {"day": date_format(window.last, "l j F Y")},
            field="times",
        )


def _facts(rows: Sequence[ProposedTime]) -> dict[str, object] | None:
    if not rows:
        return None
    return {"times": [row.at.isoformat() for row in rows], "planned_place": rows[0].place}
