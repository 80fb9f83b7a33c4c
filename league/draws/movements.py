"""Draws a whole movement of four-player tables with rotating partners at once, and its rest again.

The rest is drawn again if someone comes late, withdraws, or asks to sit out: rounds in which nothing has
happened are replaced for those present then, and earlier meetings count.
"""

import datetime
from collections.abc import Mapping

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.lifecycle import Doing, check_doing
from league.draws.movement_words import unevenness_words
from league.draws.plans import Draw, PlannedBye, RoundPlan, check_days_between, date_after
from league.draws.rotation_rounds import continued, first_open_round, in_order, planned_rounds, round_plan
from league.draws.round_writing import check_untouched, erase_matches, write_rounds
from league.errors import LeagueError
from league.matches.matches import Progress
from league.models import (
    Entry,
    Event,
    Match,
    MatchState,
    Presence,
    PresenceState,
    Round,
    RoundState,
    traits_of,
)
from league.policy import Permission, require
from league.record.audit import directed, locked, record_audit
from league.record.locking import check_all_locked, lock_matches
from league.record.requests import request_standings
from scoring.core.actors import Actor


def plan_movement(
    *,
    event: Event,
    rounds: int | None = None,
    first_date: datetime.date | None = None,
    days_between: int = 0,
) -> Draw:
    """Return the movement that `draw_movement` would draw for all entries; notes say how uneven it is.

    `rounds` defaults to the event's, then to a full cycle. Without `first_date` rounds have no dates. Entries
    known to be away or late are left out of the rounds concerned. Refused: another format (`wrong_format`),
    existing rounds (`already_drawn`), fewer than four entries, or four in a round (`too_few_entries`,
    `too_few_players`), more than a movement takes, days outside 0…366.
    """
    _check_format(event)
    if event.rounds.exists():
        raise LeagueError(
            "already_drawn",
            _("“%(event)s” is drawn; redraw the rest of it, or delete the draw.") % {"event": event},
        )
    check_days_between(days_between)
    if rounds is not None and rounds < 1:
        raise LeagueError("out_of_range", _("There is at least one round."), field="rounds")
    players = in_order(event, event.entries.filter(withdrawn_at=None))
    tonight = len(players) - len(_missing(event, players, range(1, 2))[1])
    count = planned_rounds(event, tonight) if rounds is None else rounds
    dated = range(count if first_date else 0)
    dates = {index + 1: date_after(first_date, days_between * index) for index in dated}
    return _plan(event, players, 1, count, dates)


def plan_rest(*, event: Event) -> Draw:
    """Return the rest that `draw_rest` would draw: from the first round in which nothing has happened.

    Refused: another format (`wrong_format`), nothing drawn (`nothing_drawn`), no round left
    (`no_more_rounds`), and as by `plan_movement`.
    """
    _check_format(event)
    if not event.rounds.exists():
        raise LeagueError("nothing_drawn", _("This event has no rounds."))
    start = first_open_round(event)
    players = in_order(event, event.entries.filter(withdrawn_at=None))
    existing = dict(event.rounds.values_list("number", "date"))
    count = max(event.rounds_planned or 0, *existing)
    if start > count:
        raise LeagueError("no_more_rounds", _("Something has happened in every round; the draw stands."))
    return _plan(event, players, start, count - start + 1, existing)


@transaction.atomic
def draw_movement(
    *,
    actor: Actor,
    event: Event,
    rounds: int | None = None,
    first_date: datetime.date | None = None,
    days_between: int = 0,
    publish: bool = True,
    progress: Progress | None = None,
) -> list[Round]:
    """Draw a whole movement (see `plan_movement`): rounds, matches with line-ups, and rests.

    With `publish` sheets are opened and everyone sees the rounds; otherwise they are drafts. The event's
    number of rounds is set. Of two directors at once the second is refused.
    """
    event = directed(actor, event)
    check_doing(event.name, event.state, Doing.PAIR)
    draw = plan_movement(event=event, rounds=rounds, first_date=first_date, days_between=days_between)
    if event.rounds_planned != len(draw.rounds):
        event.rounds_planned = len(draw.rounds)
        event.save(update_fields=["rounds_planned"])
    return _write(actor, event, draw, "event.draw", publish=publish, progress=progress)


@transaction.atomic
def draw_rest(
    *, actor: Actor, event: Event, publish: bool = True, progress: Progress | None = None
) -> list[Round]:
    """Draw the rest of a movement again (see `plan_rest`).

    Rounds keep their dates; blank sheets are deleted.
    """
    require(actor, Permission.DIRECT, event.club)
    ids = lock_matches(Match.objects.filter(event=event))
    event = locked(event)
    check_all_locked(Match.objects.filter(event=event), ids)
    check_doing(event.name, event.state, Doing.PAIR)
    draw = plan_rest(event=event)
    start = draw.rounds[0].number
    old = Match.objects.filter(event=event, round__number__gte=start)
    check_untouched(old)
    erase_matches(old)
    event.rounds.filter(number__gte=start).delete()
    return _write(actor, event, draw, "event.draw_rest", publish=publish, progress=progress)


def _check_format(event: Event) -> None:
    if not traits_of(event).partners_rotate:
        raise LeagueError("wrong_format", _("In “%(event)s” partners do not rotate.") % {"event": event})


def _plan(
    event: Event,
    entered: list[Entry],
    start: int,
    count: int,
    dates: Mapping[int, datetime.date | None],
) -> Draw:
    numbers = range(start, start + count)
    missing = _missing(event, entered, numbers)
    players = [entry for entry in entered if any(entry.pk not in missing[number] for number in numbers)]
    away = {
        number: {place for place, entry in enumerate(players) if entry.pk in missing[number]}
        for number in numbers
        if missing[number]
    }
    movement = continued(
        event, players, start, left=count, away={number: places for number, places in away.items() if places}
    )
    plans = []
    for drawn in movement:
        plan = round_plan(drawn, players)
        asked = tuple(
            PlannedBye(entry=entry, state=MatchState.ABSENT, reasons=(_("asked to sit out"),))
            for entry in entered
            if missing[drawn.number].get(entry.pk) == PresenceState.BYE
        )
        plans.append(
            RoundPlan(
                number=plan.number,
                matches=plan.matches,
                byes=(*plan.byes, *asked),
                date=dates.get(plan.number),
            )
        )
    return Draw(
        event=event,
        entries=tuple(sorted(players, key=lambda entry: entry.name)),
        rounds=tuple(plans),
        notes=(*_away_words(away, players), *unevenness_words(movement.unevenness)),
    )


def _missing(event: Event, entered: list[Entry], numbers: range) -> dict[int, dict[int, str]]:
    """Return who misses each round and why (away, or asked to sit out), by round number and entry id.

    If entries have checked in for the first of these rounds, those who have not miss the others too, unless
    they are known to be here.
    """
    rows = Presence.objects.filter(event=event, round_number__in=numbers)
    known = {(each.round_number, each.entry_id): each.state for each in rows}
    here_first = {
        entry
        for (number, entry), state in known.items()
        if number == numbers[0] and state == PresenceState.HERE
    }
    missing: dict[int, dict[int, str]] = {number: {} for number in numbers}
    for number in numbers:
        for entry in entered:
            expected = not (event.check_in and here_first) or entry.pk in here_first
            usual = PresenceState.HERE if expected else PresenceState.AWAY
            state = known.get((number, entry.pk), usual)
            if entry.first_round > number:
                state = PresenceState.AWAY
            if state != PresenceState.HERE:
                missing[number][entry.pk] = state
    return missing


def _away_words(away: Mapping[int, set[int]], players: list[Entry]) -> list[str]:
    return [
        ngettext(
            "%(names)s does not play in round %(number)d.",
            "%(names)s do not play in round %(number)d.",
            len(out),
        )
        % {"names": ", ".join(players[place].name for place in sorted(out)), "number": number}
        for number, out in away.items()
        if out
    ]


def _write(
    actor: Actor, event: Event, draw: Draw, action: str, *, publish: bool, progress: Progress | None
) -> list[Round]:
    state = RoundState.PUBLISHED if publish else RoundState.DRAFTED
    rounds = write_rounds(actor=actor, event=event, plans=draw.rounds, state=state, progress=progress)
    record_audit(
        actor,
        action,
        event,
        after={
            "format": "partners that rotate",
            "entries": list(draw.entries),
            "first_round": draw.rounds[0].number,
            "rounds": len(draw.rounds),
            "matches": draw.matches,
            "byes": draw.byes,
        },
        reason=" ".join(draw.notes),
    )
    request_standings(event.pk)
    return rounds
