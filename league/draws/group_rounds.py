"""Draws groups from seeding pots by lot, and the round robin within each."""

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from league.core.lifecycle import Doing, check_doing
from league.core.pairing.groups import draw_groups as pair_groups
from league.core.pairing.round_robin import schedule
from league.draws.brackets import draw_order
from league.draws.plans import Draw, PlannedBye, PlannedMatch, RoundPlan, check_days_between, date_after
from league.draws.qualifying import check_group_sizes, wanted_groups
from league.draws.round_writing import check_untouched, erase_matches, write_rounds
from league.draws.swiss_rounds import in_pairing_order
from league.errors import LeagueError
from league.matches.matches import Progress
from league.models import Entry, Event, ForbiddenPair, Round, RoundState, traits_of
from league.policy import Permission, require
from league.record.audit import locked, record_audit
from league.record.locking import check_all_locked, lock_matches
from league.record.requests import request_standings
from scoring.core.actors import Actor


@dataclass(frozen=True, slots=True)
class GroupDraw:
    """Groups as they would be drawn, each in order of pots, and all their rounds."""

    groups: tuple[tuple[Entry, ...], ...]
    draw: Draw


def plan_groups(event: Event, *, first_date: datetime.date | None = None, days_between: int = 7) -> GroupDraw:
    """Return the groups that `draw_groups` would draw, from the event's lot seed.

    Pots follow seeds, then a lot. Pairs to be kept apart are put in different groups. Refused: another format
    (`no_groups`), no number of groups (`groups`), a draw with anything played, fewer than two entries per
    group (`too_few_entries`), more qualifiers than the smallest group has (`group_too_small`), pairs that
    cannot be kept apart (`not_apart`), dates out of range.
    """
    if not traits_of(event).has_groups:
        raise LeagueError("no_groups", _("“%(event)s” is not played in groups.") % {"event": event})
    groups_wanted = wanted_groups(event)
    check_days_between(days_between)
    check_untouched(event.matches.all())
    present, notes = draw_order(event)
    entries = in_pairing_order(event, present)
    place = {entry.pk: seed for seed, entry in enumerate(entries, start=1)}
    apart = [
        (place[a], place[b])
        for a, b in ForbiddenPair.objects.filter(event=event).values_list("entry_a_id", "entry_b_id")
        if a in place and b in place
    ]
    drawn = pair_groups(
        range(1, len(entries) + 1),
        groups_wanted,
        seed=event.lot_seed,
        apart=apart,
        keys={seed: entry.drawn_as for seed, entry in enumerate(entries, start=1)},
    )
    groups = tuple(tuple(entries[seed - 1] for seed in group) for group in drawn)
    check_group_sizes(event, [len(group) for group in groups])
    rounds = tuple(_rounds(groups, first_date, days_between))
    return GroupDraw(groups, Draw(event=event, entries=tuple(entries), rounds=rounds, notes=tuple(notes)))


@transaction.atomic
def draw_groups(
    *,
    actor: Actor,
    event: Event,
    first_date: datetime.date | None = None,
    days_between: int = 7,
    progress: Progress | None = None,
) -> list[Round]:
    """Draw the groups and publish all their rounds; refused as by `plan_groups`.

    A draw with nothing played is replaced.
    """
    require(actor, Permission.DIRECT, event.club)
    matches = event.matches.all()
    ids = lock_matches(matches)
    event = locked(event)
    check_all_locked(matches, ids)
    check_doing(event.name, event.state, Doing.PAIR)
    plan = plan_groups(event, first_date=first_date, days_between=days_between)
    erase_matches(matches)
    event.ties.all().delete()
    event.cut_decisions.all().delete()
    event.rounds.all().delete()
    event.entries.exclude(group=None).update(group=None)
    for number, group in enumerate(plan.groups, start=1):
        for entry in group:
            entry.group = number
    Entry.objects.bulk_update([entry for group in plan.groups for entry in group], ["group"])
    rounds = write_rounds(
        actor=actor,
        event=event,
        plans=plan.draw.rounds,
        state=RoundState.PUBLISHED,
        progress=progress,
    )
    record_audit(
        actor,
        "event.draw",
        event,
        after={
            "format": event.get_format_display(),
            "groups": [list(group) for group in plan.groups],
            "rounds": len(rounds),
            "matches": plan.draw.matches,
        },
        reason=" ".join(plan.draw.notes),
    )
    request_standings(event.pk)
    return rounds


def _rounds(
    groups: Sequence[Sequence[Entry]], first_date: datetime.date | None, days_between: int
) -> Iterator[RoundPlan]:
    """Yield the rounds over all groups; smaller groups finish earlier."""
    schedules = [schedule(len(group)) for group in groups]
    for index in range(max(map(len, schedules))):
        pairs = []
        byes = []
        for number, (group, rounds) in enumerate(zip(groups, schedules, strict=True), start=1):
            if index >= len(rounds):
                continue
            said = (_("group %(number)d") % {"number": number},)
            pairs += [(((group[first],), (group[second],)), said) for first, second in rounds[index].pairs]
            if (bye := rounds[index].bye) is not None:
                byes.append(PlannedBye(entry=group[bye], reasons=said))
        yield RoundPlan(
            number=index + 1,
            matches=tuple(
                PlannedMatch(sides=sides, table=table, reasons=said)
                for table, (sides, said) in enumerate(pairs, start=1)
            ),
            byes=tuple(byes),
            date=date_after(first_date, days_between * index),
        )
