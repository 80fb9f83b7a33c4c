"""Decides who comes first where a table is cut and its criteria leave entries level (RULES §15).

By a play-off that counts for this order alone, by a lot on the record, or by the director's word with a
reason. Of two directors at once the second is refused.
"""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from league.core.lifecycle import Doing, check_doing, may
from league.core.lots import by_lot
from league.core.pairing.round_robin import schedule
from league.core.standings.cuts import Cut, CutKind
from league.draws.formats import format_of
from league.draws.missing import in_order, results_missing
from league.draws.plans import PlannedMatch, RoundPlan
from league.draws.qualifying import knockout_has_begun, missing_in_groups
from league.draws.round_writing import check_untouched, erase_matches, write_rounds
from league.draws.table_rounds import sizes_of
from league.errors import LeagueError
from league.models import (
    UNFINISHED,
    CutDecision,
    CutHow,
    Entry,
    Event,
    EventState,
    Match,
    Round,
    RoundState,
    drawn_seed,
    traits_of,
    wants_result,
)
from league.policy import Permission, require
from league.record.audit import directed, given_reason, locked, record_audit
from league.record.locking import check_all_locked, lock_matches
from league.record.requests import request_standings
from league.tables.cut_decisions import Decisions
from league.tables.cut_words import decision_words, in_full, level_words, named, state_words
from league.tables.final_cuts import cuts_of_event
from league.tables.placings import knockout_of
from league.tables.qualification import qualification_of
from league.tables.results import ranking_of
from league.tables.standings import current_standings
from league.tables.table_cuts import cuts_at_tables
from scoring.core.actors import Actor

_IN_GROUPS: Final = (CutKind.GROUP, CutKind.NEXT)


@dataclass(frozen=True, slots=True)
class LevelAt:
    """Entries level at a line: `words` say where, `state` what was decided or is waited for.

    `is_open` as long as nobody has decided, or the play-off has left them level; a play-off that is not over
    `waits`. `order` are the ids in the order decided, empty before.
    """

    cut: Cut
    entries: tuple[Entry, ...]
    words: str
    state: str
    decision: CutDecision | None = None
    is_open: bool = False
    waits: bool = False
    order: tuple[int, ...] = ()


def levels_at_cuts(event: Event) -> list[LevelAt]:
    """Return who is level at a line of the event by its present table, decided or not.

    Lines for prizes, and for going up or down, run across the final table: before no round is left to be
    paired nobody is level there.
    """
    entries = {entry.pk: entry for entry in event.entries.all()}
    decisions = Decisions(event, withheld_too=True)
    cuts: list[Cut] = []
    unsettled: list[Cut] = []
    if traits_of(event).has_groups and event.qualifiers:
        lines = ranking_of(event, entries.values(), withheld_too=True)
        # Of a bracket that was drawn by the lot, and cannot be drawn again, nothing is asked.
        as_drawn = event.lot_settled_bracket and knockout_has_begun(event)
        if (found := qualification_of(event, entries, lines, decisions, as_drawn=as_drawn)) is not None:
            cuts += found.cuts
            unsettled += found.open
    if traits_of(event).cuts_tables:
        met, still_open = cuts_at_tables(event, decisions)
        cuts += met
        unsettled += still_open
    if (event.prizes or event.pyramid_id is not None) and _is_played_out(event):
        met, still_open = cuts_of_event(event, current_standings(event), decisions)
        cuts += met
        unsettled += still_open
    names = in_full(event)
    levels = []
    for cut in cuts:
        decision, parts = decisions.of(cut), decisions.parts(cut)
        waits = decision is not None and decisions.waits(decision)
        is_open = cut in unsettled
        state = state_words(cut, decisions, entries, names)
        order: tuple[int, ...] = ()
        if decision is not None and parts is not None and not is_open:
            state = decision_words(event, decision, parts, entries, names, tells_author=True)
            order = tuple(entry for part in parts for entry in part)
        levels.append(
            LevelAt(
                cut,
                tuple(entries[pk] for pk in cut.entries),
                level_words(cut, named(entries, cut.entries, names)),
                state,
                decision,
                is_open and not waits,
                waits,
                order,
            )
        )
    return levels


def undecided(event: Event) -> list[LevelAt]:
    """Return who is level at a line and waits for a director."""
    return [level for level in levels_at_cuts(event) if level.is_open]


def is_asked(event: Event) -> bool:
    """Return whether a director is to decide now who comes first."""
    return asked_first(event) is not None


def asked_first(event: Event) -> LevelAt | None:
    """Return the first tie that a director is to decide now: all results it hangs on are in."""
    own = traits_of(event)
    if not (own.has_groups or own.cuts_tables or event.prizes or event.pyramid_id is not None):
        return None
    if not event.matches.exclude(state__in=UNFINISHED).exists():
        return None
    return next((level for level in undecided(event) if not missing_for(event, level.cut)), None)


def _is_played_out(event: Event) -> bool:
    """Return whether no round is still to be paired, so that the table is the final one."""
    if event.state != EventState.RUNNING:
        return True
    if traits_of(event).has_bracket and (not event.ties.exists() or knockout_of(event).still_in):
        return False
    last = event.rounds.aggregate(last=Max("number"))["last"] or 0
    return not format_of(event).is_left_to_pair(event, last + 1)


def may_play_off(event: Event, cut: Cut) -> bool:
    """Return whether a play-off can be made: the event runs, and two entries alone can meet.

    At tables of many those who are level are as many as one table takes.
    """
    own = traits_of(event)
    if own.has_tables:
        sizes = sizes_of(event)
        fits = sizes.fewest <= len(cut.entries) <= sizes.most
    else:
        fits = not (own.partners_rotate or own.has_challenges)
    return fits and may(event.state, Doing.PLAY)


def missing_for(event: Event, cut: Cut) -> list[Match]:
    """Return the matches without a result that a tie may hang on: none, where one table's result is in."""
    if cut.kind is CutKind.TABLE:
        return []
    if cut.kind in _IN_GROUPS:
        return missing_in_groups(event)
    return in_order(event.matches.filter(wants_result(), play_off=None))


def check_level(event: Event, key: str, how: CutHow, *, despite_missing: bool = False) -> LevelAt:
    """Return what `decide_level` would decide.

    Refused: a tie that is no longer there (`not_level`), one that is decided or played off
    (`decided_already`), missing results (`results_missing`) unless `despite_missing`, a play-off where
    partners rotate or places are challenged for, or of more or fewer than sit at a table (`no_play_off`).
    """
    level = next((each for each in levels_at_cuts(event) if each.cut.key == key), None)
    if level is None:
        raise LeagueError("not_level", _("They are no longer level there: results have changed. Look again."))
    if not level.is_open:
        raise LeagueError(
            "decided_already",
            _("%(by)s has decided this meanwhile. %(state)s")
            % {"by": in_full(event).author(level.decision) if level.decision else "", "state": level.state},
        )
    if not despite_missing and (missing := missing_for(event, level.cut)):
        raise LeagueError("results_missing", results_missing(missing), field="despite_missing")
    if how is CutHow.PLAY_OFF:
        check_doing(event.name, event.state, Doing.PLAY)
        if not may_play_off(event, level.cut):
            raise LeagueError("no_play_off", _no_play_off(event, len(level.entries)), field="how")
    return level


@transaction.atomic
def decide_level(
    *,
    actor: Actor,
    event: Event,
    key: str,
    how: CutHow,
    order: Sequence[Entry] = (),
    reason: str = "",
    date: datetime.date | None = None,
    despite_missing: bool = False,
) -> CutDecision:
    """Decide who comes first of those level at a line, named by the key of their tie.

    `order` is the director's, with a reason. A lot is drawn here, with a number that is kept. A play-off, on
    `date`, is one match, or all against all of more than two; at tables of many it is one table. Refused as
    by `check_level`, and an order that does not name each of them once (`order`).
    """
    event = directed(actor, event)
    check_doing(event.name, event.state, Doing.CORRECT)
    level = check_level(event, key, how, despite_missing=despite_missing)
    if how is CutHow.WORD:
        reason = given_reason(reason)
        if sorted(entry.pk for entry in order) != sorted(level.cut.entries):
            raise LeagueError("order", _("Name each of them once, the first first."), field="order")
    lot = drawn_seed() if how is CutHow.LOT else None
    drawn = [] if lot is None else by_lot({entry.pk: entry.code for entry in level.entries}, lot)
    decision = CutDecision.objects.create(
        event=event,
        kind=level.cut.kind,
        group=level.cut.group,
        round=level.cut.round,
        table=level.cut.table,
        above=level.cut.above,
        key=key,
        number=1 if level.decision is None else level.decision.number + 1,
        entries=list(level.cut.entries),
        how=how,
        order=[entry.pk for entry in order] if how is CutHow.WORD else drawn,
        lot=lot,
        reason=" ".join(reason.split())[:300],
        **CutDecision.actor_fields(actor),
    )
    if how is CutHow.PLAY_OFF:
        _write_play_off(actor, event, decision, level, date)
    by_id = {entry.pk: entry for entry in level.entries}
    record_audit(actor, "level.decide", decision, after=_facts(decision, by_id), reason=decision.reason)
    request_standings(event.pk)
    decision.refresh_from_db()
    return decision


@transaction.atomic
def take_back_decision(*, actor: Actor, decision: CutDecision, reason: str) -> None:
    """Take back a decision, so that it is asked again; an unplayed play-off goes with it.

    Refused: a play-off that has been played on (`has_hands`, `has_stated`).
    """
    event = decision.event
    require(actor, Permission.DIRECT, event.club)
    reason = given_reason(reason)
    matches = Match.objects.filter(play_off=decision)
    ids = lock_matches(matches)
    event = locked(event)
    check_all_locked(matches, ids)
    check_doing(event.name, event.state, Doing.CORRECT)
    decision = locked(decision)
    check_untouched(matches)
    entries = {entry.pk: entry for entry in event.entries.filter(pk__in=decision.entries)}
    record_audit(actor, "level.take_back", decision, before=_facts(decision, entries), reason=reason)
    rounds = list(matches.order_by().values_list("round", flat=True).distinct())
    erase_matches(matches)
    Round.objects.filter(pk__in=rounds, matches=None).delete()
    decision.delete()
    request_standings(event.pk)


def _no_play_off(event: Event, count: int) -> str:
    """Return why so many who are level cannot play off for it."""
    if not traits_of(event).has_tables:
        return _("There is no play-off where partners rotate, or on a ladder.")
    sizes = sizes_of(event)
    return _(
        "A play-off is one table, and of this game %(fewest)d to %(most)d sit at one, not %(count)d: draw a "
        "lot, or decide with a reason, for example by a hand they have played for it."
    ) % {"fewest": sizes.fewest, "most": sizes.most, "count": count}


def _facts(decision: CutDecision, entries: Mapping[int, Entry]) -> dict[str, Any]:
    """Return what the audit notes of a decision; entries that are gone are left out."""
    return {
        "line": decision.get_kind_display(),
        "group": decision.group or None,
        "round": decision.round or None,
        "table": decision.table or None,
        "level": [entries[pk] for pk in decision.entries if pk in entries],
        "how": decision.get_how_display(),
        "order": [entries[pk] for pk in decision.order if pk in entries],
        "lot": decision.lot,
    }


def _write_play_off(
    actor: Actor, event: Event, decision: CutDecision, level: LevelAt, date: datetime.date | None
) -> None:
    last = event.rounds.aggregate(last=Max("number"))["last"] or 0
    entries = level.entries
    if traits_of(event).has_tables:
        # The lot decides who deals first.
        lots = by_lot({entry: entry.drawn_as for entry in entries}, f"{event.lot_seed} round {last + 1}")
        rounds_of_tables = [[lots]]
    else:
        rounds_of_tables = [
            [[entries[seat] for seat in pair] for pair in paired.pairs] for paired in schedule(len(entries))
        ]
    plans = [
        RoundPlan(
            number=number,
            matches=tuple(
                PlannedMatch(sides=tuple((entry,) for entry in seated), table=table, reasons=(_("play-off"),))
                for table, seated in enumerate(tables, start=1)
            ),
            date=date,
        )
        for number, tables in enumerate(rounds_of_tables, start=last + 1)
    ]
    rounds = write_rounds(actor=actor, event=event, plans=plans, state=RoundState.PUBLISHED)
    Match.objects.filter(round__in=rounds).update(play_off=decision)
