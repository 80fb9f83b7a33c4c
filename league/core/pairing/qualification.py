"""Who goes on from groups: so many of each, and the best of those who came next (RULES §13).

Places in a group come from its table. The next places of all groups are compared by points, then net, each
per match. Where the results against the last of the larger groups are left out, the figures come without
them. Who is level where it matters for going on is told, and never put in order by names or by lot; who goes
on and is level as a seed comes in the order of a lot.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from league.core.standings.cuts import Cut, CutKind, Decided, Level, cut_table
from league.core.standings.tally import PerMatch

Compare = Callable[[frozenset[int]], Mapping[int, PerMatch]]
"""Returns the figures of entries between groups, without the results against these."""


@dataclass(frozen=True, slots=True)
class NextPlace:
    """An entry of the first place that does not go on by itself.

    `by_lot` if that puts it above the next, as in brackets that were drawn when it did.
    """

    rank: int
    group: int
    entry: int
    figures: PerMatch
    goes_on: bool
    by_lot: bool = False


@dataclass(frozen=True, slots=True)
class Qualification:
    """Who goes on. `tiers` are the groups in order of what their first, second, … deserves as a seed.

    The last tier is of the best next places, where there are any. `entries` are found by group and place.
    `left_out` are the last of larger groups, if results against them do not count. With `open` cuts not all
    is known yet.
    """

    tiers: tuple[tuple[int, ...], ...]
    entries: Mapping[tuple[int, int], int]
    next_places: tuple[NextPlace, ...]
    left_out: frozenset[int]
    cuts: tuple[Cut, ...]
    open: tuple[Cut, ...]


def last_of_larger(orders: Mapping[int, Sequence[int]]) -> frozenset[int]:
    """Return who came after the place that is the last in the smallest group."""
    smallest = min(map(len, orders.values()))
    return frozenset(entry for order in orders.values() for entry in order[smallest:])


def qualification(
    groups: Mapping[int, Sequence[Level]],
    *,
    count: int,
    best_next: int = 0,
    without_last: bool = False,
    compare: Compare,
    figures: Mapping[int, object],
    lots: Mapping[int, int],
    settling: Mapping[int, int] | None = None,
    decided: Decided,
) -> Qualification:
    """Return who goes on: the first `count` of each group, and the `best_next` best of the next place.

    `groups` are the levels of each group's table, best first, as large as the smallest number wanted.
    `figures` are what the table split entries by: a decision holds as long as they stay. Those of a place who
    are level are seeded by `lots`, the higher first. Those of the next place are put in order by `settling`,
    if given: the lots of the table, where they decided that.
    """
    smallest = min(sum(map(len, levels)) for levels in groups.values())
    lines = {*range(1, count + 1 + bool(best_next)), *({smallest} if without_last else ())}
    tables = {
        group: cut_table(levels, lines, kind=CutKind.GROUP, group=group, figures=figures, decided=decided)
        for group, levels in sorted(groups.items())
    }
    cuts = tuple(cut for table in tables.values() for cut in table.cuts)
    orders = {group: table.order for group, table in tables.items()}
    entries = {
        (group, place): entry for group, order in orders.items() for place, entry in enumerate(order, start=1)
    }
    if unsettled := tuple(cut for table in tables.values() for cut in table.open):
        return Qualification((), entries, (), frozenset(), cuts, unsettled)
    left_out = last_of_larger(orders) if without_last else frozenset()
    between = compare(left_out)

    def deserved(group: int, place: int) -> tuple[Fraction, Fraction]:
        points, net = between[entries[group, place]]
        return -points, -net

    tiers = [
        tuple(
            sorted(
                (group for group in orders if (group, place) in entries),
                key=lambda group: (*deserved(group, place), -lots[entries[group, place]]),
            )
        )
        for place in range(1, count + 1)
    ]
    if not best_next:
        return Qualification(tuple(tiers), entries, (), left_out, cuts, ())
    place = count + 1
    having = [group for group in orders if (group, place) in entries]

    def merit(group: int) -> tuple[Fraction, Fraction, int]:
        return *deserved(group, place), -(settling or {}).get(entries[group, place], 0)

    levels: dict[tuple[Fraction, Fraction, int], list[int]] = {}
    for group in sorted(having, key=lambda group: (merit(group), -lots[entries[group, place]])):
        levels.setdefault(merit(group), []).append(entries[group, place])
    group_of = {entries[group, place]: group for group in having}
    table = cut_table(
        [tuple(level) for level in levels.values()],
        [best_next],
        kind=CutKind.NEXT,
        figures={entry: (figures[entry], tuple(between[entry])) for entry in group_of},
        decided=decided,
    )
    order = [group_of[entry] for entry in table.order]
    through = order[:best_next]
    rank_of = {
        entry: 1 + sum(map(len, table.levels[:index]))
        for index, level in enumerate(table.levels)
        for entry in level
    }
    following = [*order[1:], None]
    next_places = tuple(
        NextPlace(
            rank_of[entries[group, place]],
            group,
            entries[group, place],
            between[entries[group, place]],
            goes_on=group in through and not table.open,
            by_lot=settling is not None
            and after is not None
            and deserved(group, place) == deserved(after, place),
        )
        for group, after in zip(order, following, strict=True)
    )
    return Qualification(
        (*tiers, tuple(through)) if not table.open else tuple(tiers),
        entries,
        next_places,
        left_out,
        (*cuts, *table.cuts),
        table.open,
    )
