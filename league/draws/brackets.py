"""Draws a bracket, from seeds or from the qualifiers of groups, and stores it as rows."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.lifecycle import Doing, check_doing
from league.core.pairing.elimination import Bracket, BracketPart, Feeder
from league.core.pairing.plate import advance, current_feeders
from league.draws.advancing import settle_rows
from league.draws.bracket_rounds import plan_stage
from league.draws.formats import bracket_format_of
from league.draws.planning import attendance_of
from league.draws.qualifying import bracket_in_doubt, qualified
from league.draws.round_writing import check_untouched, erase_matches, write_rounds
from league.errors import LeagueError
from league.models import (
    Entry,
    Event,
    Match,
    Round,
    RoundState,
    Tie,
    traits_of,
)
from league.policy import Permission, require
from league.record.audit import directed, given_reason, locked, record_audit
from league.record.locking import check_all_locked, lock_matches
from league.record.requests import request_standings
from scoring.core.actors import Actor


@dataclass(frozen=True, slots=True)
class BracketPlan:
    """A bracket as it would be drawn: its entries in order of seeds, and sentences on it."""

    event: Event
    entries: tuple[Entry, ...]
    drawn: Bracket
    notes: tuple[str, ...] = ()

    def entry(self, seed: int | None) -> Entry | None:
        """Return the entry with this seed in the bracket."""
        return None if seed is None else self.entries[seed - 1]

    @property
    def feeders(self) -> Mapping[tuple[int, int], Feeder]:
        """The match that each (match, side) waits for; a bye has none."""
        nothing_played = advance(self.drawn, lambda _match, _seeds: None, lambda _match: False)
        return current_feeders(self.drawn, nothing_played)


def plan_bracket(event: Event, *, despite_missing: bool = False) -> BracketPlan:
    """Return the bracket that `draw_bracket` would draw.

    It is seeded by the entries' seeds, then by name; after groups, by qualification (see
    `qualifying.qualified`, to which `despite_missing` is passed). Only entries present in the first round
    take part (`planning.attendance_of`). Refused: a format without a bracket (`no_bracket`), fewer than two
    entries (`too_few_entries`) or more than 256 (`too_many_entries`), nobody checked in (`nobody_here`), and
    a draw with anything played.
    """
    own = bracket_format_of(event)
    check_untouched(bracket_matches(event))
    entries, notes = own.bracket_entries(event, despite_missing=despite_missing)
    drawn = own.bracket(event, len(entries))
    wanted = event.third_place and "third_place" in own.settings
    if wanted and not any(match.part is BracketPart.THIRD for match in drawn.matches):
        notes.append(_("Fewer than four play: there is no match for third place."))
    return BracketPlan(event, tuple(entries), drawn, tuple(notes))


@transaction.atomic
def draw_bracket(
    *, actor: Actor, event: Event, despite_missing: bool = False, date: datetime.date | None = None
) -> Round:
    """Draw the bracket and its first round, as a draft; refused as by `plan_bracket`.

    An earlier bracket is replaced if nothing of it was played.
    """
    require(actor, Permission.DIRECT, event.club)
    matches = bracket_matches(event)
    ids = lock_matches(matches)
    event = locked(event)
    check_all_locked(matches, ids)
    check_doing(event.name, event.state, Doing.PAIR)
    plan = plan_bracket(event, despite_missing=despite_missing)
    before = _erase(event)
    _write_ties(plan)
    event.rests_between_groups = event.level_as_listed = event.lot_settled_bracket = False
    _keep_qualified(event, [entry.pk for entry in plan.entries])
    settle_rows(event)
    number = (event.rounds.order_by("-number").values_list("number", flat=True).first() or 0) + 1
    (round_,) = write_rounds(
        actor=actor, event=event, plans=[plan_stage(event, number, date=date)], state=RoundState.DRAFTED
    )
    record_audit(
        actor,
        "event.draw",
        event,
        before=before,
        after={
            "format": event.get_format_display(),
            "seeds": list(plan.entries),
            "round": number,
        },
        reason=" ".join(plan.notes),
    )
    request_standings(event.pk)
    return round_


@transaction.atomic
def keep_bracket(*, actor: Actor, event: Event, reason: str) -> None:
    """Keep a bracket although the groups have changed; refused (`not_in_doubt`) if they have not."""
    event = directed(actor, event)
    check_doing(event.name, event.state, Doing.CORRECT)
    reason = given_reason(reason)
    doubt = bracket_in_doubt(event)
    if not doubt:
        raise LeagueError("not_in_doubt", _("The bracket fits the results of the groups."))
    entries, _notes = qualified(event, despite_missing=True, as_drawn=True)
    _keep_qualified(event, [entry.pk for entry in entries])
    record_audit(
        actor, "bracket.keep", event, after={"doubt": doubt, "by the groups": list(entries)}, reason=reason
    )


def _keep_qualified(event: Event, ids: Sequence[int]) -> None:
    if traits_of(event).has_groups:
        event.qualified = list(ids)
        event.save(
            update_fields=["qualified", "rests_between_groups", "level_as_listed", "lot_settled_bracket"]
        )


def draw_order(event: Event) -> tuple[list[Entry], list[str]]:
    """Return who takes part in a draw, by seed and then by name, and sentences on who does not.

    Refused (`nobody_here`): with check-in, if nobody is here.
    """
    attendance = attendance_of(event, 1)
    if event.check_in and not attendance.present:
        raise LeagueError(
            "nobody_here", _("Check-in is on, and nobody is marked as here: tick who is here tonight.")
        )
    notes = []
    away = (*attendance.away, *attendance.asked_off)
    if away:
        notes.append(
            ngettext(
                "%(names)s is not here and takes no part.",
                "%(names)s are not here and take no part.",
                len(away),
            )
            % {"names": ", ".join(sorted(str(entry) for entry in away))}
        )
    return sorted(attendance.present, key=_by_seed), notes


def bracket_matches(event: Event) -> QuerySet[Match]:
    """Return the matches that a new draw of the bracket replaces; matches of groups stay."""
    matches = Match.objects.filter(event=event)
    if traits_of(event).has_groups:
        return matches.filter(round__in=Round.objects.filter(event=event, matches__tie__isnull=False))
    return matches


def _erase(event: Event) -> dict[str, int] | None:
    rounds = list(bracket_matches(event).order_by().values_list("round", flat=True).distinct())
    before = {"ties": event.ties.count(), "matches": erase_matches(bracket_matches(event))}
    event.ties.all().delete()
    Round.objects.filter(pk__in=rounds, matches=None).delete()
    return before if any(before.values()) else None


def _by_seed(entry: Entry) -> tuple[bool, int, str]:
    return entry.seed is None, entry.seed or 0, entry.name


def _write_ties(plan: BracketPlan) -> Sequence[Tie]:
    ties = Tie.objects.bulk_create(
        [
            Tie(
                event=plan.event,
                number=match.number,
                part=match.part.value,
                level=match.level,
                stage=match.stage,
                seed_a=match.slots[0],
                seed_b=match.slots[1],
                entry_a=plan.entry(match.slots[0]),
                entry_b=plan.entry(match.slots[1]),
            )
            for match in plan.drawn.matches
        ]
    )
    by_number = {tie.number: tie for tie in ties}
    for tie, match in zip(ties, plan.drawn.matches, strict=True):
        if match.winner_to is not None:
            tie.winner_to, tie.winner_to_side = by_number[match.winner_to.match], match.winner_to.side
        if match.loser_to is not None:
            tie.loser_to, tie.loser_to_side = by_number[match.loser_to.match], match.loser_to.side
    Tie.objects.bulk_update(ties, ["winner_to", "winner_to_side", "loser_to", "loser_to_side"])
    return ties
