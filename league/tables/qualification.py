"""Qualification from the groups of an event, with what was decided between entries that are level."""

from collections.abc import Mapping, Sequence

from league.core.lots import lot
from league.core.pairing.qualification import Qualification, qualification
from league.core.standings import PerMatch
from league.core.standings.cuts import Cut, levels_by, ranks_without_lot
from league.models import Entry, Event, GroupsCompared
from league.tables.cut_decisions import Decisions, split_by
from league.tables.results import Ranked, between_groups, criteria_of, ranking_of


def figures_between(event: Event, entries: Mapping[int, Entry]) -> Mapping[int, PerMatch]:
    """Return the figures by which entries of different groups are compared, by id, from public results.

    They leave out the results against the last of larger groups where the event says so, and it is known
    who that is.
    """
    lines = ranking_of(event, entries.values())
    figures = {
        line.entry_id: between_groups(line.row, with_rests=event.rests_between_groups) for line in lines
    }
    if event.groups_compared != GroupsCompared.WITHOUT_LAST:
        return figures
    found = qualification_of(event, entries, lines, Decisions(event, withheld_too=False), as_drawn=True)
    if found is None or not found.left_out:
        return figures
    fewer = ranking_of(event, entries.values(), left_out=found.left_out)
    return figures | {
        line.entry_id: between_groups(line.row, with_rests=event.rests_between_groups)
        for line in fewer
        if line.entry_id not in found.left_out
    }


def qualification_of(
    event: Event,
    entries: Mapping[int, Entry],
    lines: Sequence[Ranked],
    decisions: Decisions,
    *,
    as_drawn: bool = False,
) -> Qualification | None:
    """Return who goes on by these `lines` of the table (`ranking_of`); None before groups are drawn.

    Withdrawn entries are replaced by the next of their group. With `as_drawn` as the bracket that is drawn
    has it: who withdrew from that stays, rests count if they counted then, and who is level goes on by lot or
    in the order of the table if they did then. Groups too small for the settings give what they have.
    """
    staying = event.qualified or () if as_drawn else ()
    with_rests = event.rests_between_groups and as_drawn
    as_listed = event.level_as_listed and as_drawn
    by_lot = event.lot_settled_bracket and as_drawn
    tables: dict[int, list[Ranked]] = {}
    for line in sorted(lines, key=lambda line: (line.group or 0, line.position)):
        if line.group is not None:
            tables.setdefault(line.group, []).append(line)
    criteria = criteria_of(event)
    rank_of = {line.entry_id: line.row.rank for line in lines}
    if not by_lot:
        for table in tables.values():
            ranks = ranks_without_lot([line.row for line in table], criteria[0])
            rank_of |= {line.entry_id: rank for line, rank in zip(table, ranks, strict=True)}
    groups: dict[int, list[int]] = {}
    gone = set()
    for group, table in tables.items():
        for line in table:
            if entries[line.entry_id].withdrawn_at is None or line.entry_id in staying:
                groups.setdefault(group, []).append(line.entry_id)
            else:
                gone.add(line.entry_id)
    if not groups:
        return None
    without_last = event.groups_compared == GroupsCompared.WITHOUT_LAST

    def compare(left_out: frozenset[int]) -> Mapping[int, PerMatch]:
        figures = {line.entry_id: between_groups(line.row, with_rests=with_rests) for line in lines}
        left_out |= gone if without_last else set()
        if left_out:
            fewer = ranking_of(
                event, entries.values(), withheld_too=decisions.withheld_too, left_out=left_out
            )
            figures |= {
                line.entry_id: between_groups(line.row, with_rests=with_rests)
                for line in fewer
                if line.entry_id not in left_out
            }
        return figures

    def decided(cut: Cut) -> Sequence[Sequence[int]] | None:
        parts = decisions.parts(cut)
        return [[entry] for entry in cut.entries] if parts is None and as_listed else parts

    if by_lot:
        # Of two groups the one of the lower number came first.
        lots = {line.entry_id: -(line.group or 0) for line in lines}
    else:
        seed = f"{event.lot_seed} groups"
        lots = {line.entry_id: lot(seed, entries[line.entry_id].drawn_as) for line in lines}
    return qualification(
        {
            group: levels_by(of_group, rank_of.__getitem__, lambda entry: entry)
            for group, of_group in groups.items()
        },
        count=event.qualifiers or 0,
        best_next=event.best_next,
        without_last=without_last,
        compare=compare,
        figures={line.entry_id: split_by(line) for line in lines},
        lots=lots,
        settling={line.entry_id: int(line.row.metrics["lot"] or 0) for line in lines}
        if by_lot and "lot" in criteria
        else None,
        decided=decided,
    )
