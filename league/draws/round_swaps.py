"""Swaps two entries of a drafted round."""

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from league.core.lifecycle import Doing, check_doing
from league.errors import LeagueError
from league.models import SEATED, Entry, ForbiddenPair, Match, MatchState, Round, RoundState
from league.policy import Permission, require
from league.record.audit import as_noted, locked, record_audit
from league.record.locking import check_all_locked, lock_matches
from scoring.core.actors import Actor


@dataclass(frozen=True, slots=True)
class Swap:
    """The effect of a swap: one or two changed matches, and warnings."""

    matches: tuple[Match, ...]
    warnings: tuple[str, ...]


def plan_swap(*, round_: Round, one: Entry, other: Entry) -> Swap:
    """Return a drafted round's matches with two entries swapped; within a match they swap the first deal.

    Refused: a published round (`round_published`), one entry twice (`same_entry`), an entry that is not in
    the round (`not_in_round`) or asked to sit out (`asked_off`), matches of a bracket (`in_bracket`).
    """
    if round_.state != RoundState.DRAFTED:
        raise LeagueError(
            "round_published",
            _("Round %(number)d is published; take it back to a draft first.") % {"number": round_.number},
        )
    if one == other:
        raise LeagueError("same_entry", _("Choose two different entries."), field="other")
    rows = round_.matches.select_related(*SEATED, "event").order_by("table", "id")
    matches = list(rows)
    first, place = _place_of(matches, one, "one")
    second, other_place = _place_of(matches, other, "other")
    setattr(first, place, other)
    setattr(second, other_place, one)
    changed = (first,) if first is second else (first, second)
    for match in changed:
        match.reasons = [_("changed by hand")]
    return Swap(changed, tuple(_warnings(round_, changed)))


@transaction.atomic
def swap_entries(*, actor: Actor, round_: Round, one: Entry, other: Entry) -> tuple[Match, ...]:
    """Swap two entries of a drafted round; refused as by `plan_swap`."""
    require(actor, Permission.DIRECT, round_.event.club)
    ids = lock_matches(round_.matches.all())
    event = locked(round_.event)
    check_doing(event.name, event.state, Doing.PAIR)
    round_ = locked(round_)
    check_all_locked(round_.matches.all(), ids)
    before = _as_they_stand(round_, one, other)
    swap = plan_swap(round_=round_, one=one, other=other)
    for match in swap.matches:
        match.annulled = match.names_annulled
        match.save(update_fields=[*SEATED, "reasons", "annulled"])
    record_audit(
        actor,
        "round.swap",
        round_,
        before={"pairs": before},
        after={"pairs": list(swap.matches)},
        reason=" ".join(swap.warnings),
    )
    return swap.matches


def _place_of(matches: list[Match], entry: Entry, field: str) -> tuple[Match, str]:
    for match in matches:
        for place in SEATED:
            if getattr(match, f"{place}_id") != entry.pk:
                continue
            if match.state == MatchState.ABSENT:
                raise LeagueError(
                    "asked_off", _("%(entry)s has asked to sit out.") % {"entry": entry}, field=field
                )
            if match.tie_id is not None:
                raise LeagueError(
                    "in_bracket", _("Who meets whom in a bracket is fixed by the bracket."), field=field
                )
            return match, place
    raise LeagueError("not_in_round", _("%(entry)s is not in this round.") % {"entry": entry}, field=field)


def _warnings(round_: Round, matches: tuple[Match, ...]) -> list[str]:
    """Return what the pairing would not have done by itself."""
    said = []
    for match in matches:
        if match.entry_b is None:
            had = Match.objects.filter(
                event=round_.event,
                entry_a=match.entry_a,
                state=MatchState.BYE,
                round__number__lt=round_.number,
            )
            if had.exists():
                said.append(_("%(entry)s has had a bye.") % {"entry": match.entry_a})
            continue
        if match.partner_a is not None:
            continue
        there = {entry.pk for side in match.sides for entry in match.side(side)}
        # As for the pairing, a match that was not played is no meeting.
        met = Match.objects.filter(
            event=round_.event,
            entry_a__in=there,
            entry_b__in=there,
            round__number__lt=round_.number,
            play_off=None,
            annulled=False,
        ).exclude(state=MatchState.WALKOVER)
        met = met.exclude(Q(state=MatchState.FORFEIT) & ~Q(sheet__deal_count__gt=0))
        if not match.is_table and met.exists():
            said.append(_("%(match)s: they have met.") % {"match": match})
        if ForbiddenPair.objects.filter(event=round_.event, entry_a__in=there, entry_b__in=there).exists():
            said.append(_("%(match)s: they should not meet.") % {"match": match})
    return said


def _as_they_stand(round_: Round, *entries: Entry) -> list[Any]:
    rows = round_.matches.select_related(*SEATED).order_by("table", "id")
    ids = {entry.pk for entry in entries}
    return [as_noted(match) for match in rows if ids & {getattr(match, f"{place}_id") for place in SEATED}]
