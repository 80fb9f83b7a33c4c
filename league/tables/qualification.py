"""Qualification from the groups of an event, with what was decided between entries that are level."""

from collections.abc import Mapping, Sequence

from league.core.pairing.qualification import Qualification, qualification
from league.core.standings import PerMatch
from league.core.standings.cuts import Cut, levels_by
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
    has it: who withdrew from that stays, rests count if they counted then, and who is level goes on in the
    order of the table if they did then. Groups too small for the settings give what they have.
    """
    staying = event.qualified or () if as_drawn else ()
    groups: dict[int, list[Ranked]] = {}
    gone = set()
    for line in sorted(lines, key=lambda line: (line.group or 0, line.position)):
        if line.group is None:
            continue
        if entries[line.entry_id].withdrawn_at is None or line.entry_id in staying:
            groups.setdefault(line.group, []).append(line)
        else:
            gone.add(line.entry_id)
    if not groups:
        return None
    with_rests = event.rests_between_groups and as_drawn
    as_listed = event.level_as_listed and as_drawn
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

    has_lot = "lot" in criteria_of(event)
    return qualification(
        {
            group: levels_by(of_group, lambda line: line.row.rank, lambda line: line.entry_id)
            for group, of_group in groups.items()
        },
        count=event.qualifiers or 0,
        best_next=event.best_next,
        without_last=without_last,
        compare=compare,
        figures={line.entry_id: split_by(line) for line in lines},
        lots={line.entry_id: int(line.row.metrics["lot"] or 0) for line in lines} if has_lot else None,
        decided=decided,
    )
