"""Who goes on from the tables of a knockout by tables, with what was decided between those who are level."""

from collections.abc import Collection, Iterable

from league.core.standings.cuts import Cut, CutKind, CutTable, cut_table, levels_by
from league.models import CutDecision, Event, Match, RoundState
from league.policy.withholding import is_withheld
from league.tables.cut_decisions import Decisions


def knockout_tables(event: Event) -> dict[int, list[Match]]:
    """Return the tables of each round of a knockout by number, in order, with their entries: no play-offs."""
    rows = event.matches.filter(entry_c__isnull=False, play_off=None)
    rounds: dict[int, list[Match]] = {}
    for match in rows.with_sides("event", "round").order_by("round__number", "table", "id"):
        rounds.setdefault(match.round.number, []).append(match)
    return rounds


def cut_of_table(
    match: Match, go_on: int, decisions: Decisions, *, staying: Collection[int] = ()
) -> CutTable:
    """Return who was at a table that has ended, best first, split where `go_on` of them go on.

    Left out is who has withdrawn, but for those `staying` (ids).
    """
    entries = {side: match.side(side)[0] for side in match.sides}
    there = [
        (place, entries[side].pk, net)
        for place, side, net in match.by_place
        if entries[side].withdrawn_at is None or entries[side].pk in staying
    ]
    number, table = match.round.number, match.table or 0
    return cut_table(
        levels_by(there, lambda each: each[0], lambda each: each[1]),
        {go_on},
        kind=CutKind.TABLE,
        round=number,
        table=table,
        figures={entry: (number, table, place, net) for place, entry, net in there},
        decided=decisions.parts,
    )


def cuts_at_tables(event: Event, decisions: Decisions) -> tuple[list[Cut], list[Cut]]:
    """Return the ties for who goes on at the tables of a knockout, and those that are open.

    They are open in the last round that is published; of earlier rounds those that were decided are told. One
    query. Results that are held back are left out, unless the decisions are `withheld_too`.
    """
    rounds = knockout_tables(event)
    published = [number for number, tables in rounds.items() if tables[0].round.state != RoundState.DRAFTED]
    met: list[Cut] = []
    still_open: list[Cut] = []
    for number in published:
        if len(rounds[number]) == 1:
            # The final.
            continue
        is_last = number == published[-1]
        later = [match for after, tables in rounds.items() if after > number for match in tables]
        played_on = {pk for match in later for side in match.sides for pk in match.ids_of(side)}
        for match in rounds[number]:
            if not match.is_counted or (is_withheld(event, match.round) and not decisions.withheld_too):
                continue
            staying = set() if is_last else played_on | _decided_at(match, decisions.rows)
            found = cut_of_table(match, event.qualifiers or 0, decisions, staying=staying)
            if is_last:
                met += found.cuts
                still_open += found.open
            else:
                met += [cut for cut in found.cuts if decisions.of(cut) is not None]
    return met, still_open


def _decided_at(match: Match, rows: Iterable[CutDecision]) -> set[int]:
    """Return the entries of the last decision on a table: they had not withdrawn by then.

    It is the one made last, whichever tie there it was on.
    """
    at = (CutKind.TABLE, match.round.number, match.table or 0)
    of_table = [row for row in rows if (row.kind, row.round, row.table) == at]
    return set(max(of_table, key=lambda row: row.pk).entries) if of_table else set()
