"""The best and the worst place that what is left to play allows every entry of a table.

A match may be won, drawn, given to one side, or lost by both, as a director says who awards a forfeit that
nobody wins. So nobody else need win anything more, and the best place of an entry is told by what it can win
and all others have. How many can come above one is another matter: a match is a source of points, and those
who need them compete for it. Which of them can have what they need is a question of maximum flow, as whether
a team can still be first where nobody wins only if another loses (B. L. Schwartz, "Possible Winners in
Partially Completed Tournaments", SIAM Review 8, 1966; K. D. Wayne, "A New Property and a Faster Algorithm for
Baseball Elimination", SIAM J. Discrete Math. 14, 2001). How many can is hard in general (S. T. McCormick,
"Fast Algorithms for Parametric Scheduling Come From Extensions to Parametric Maximum Flow", Operations
Research 47, 1999), and the more so where a win is worth more than two draws (W. Kern and D. Paulusma, "The
New FIFA Rules Are Hard", Discrete Applied Mathematics 108, 2001). So there are three ways to the worst place,
and each table takes the first that reaches:

- few outcomes are gone through: exact. So is the last round of tables of many, table by table;
- a flow: a bound. Points may be split as no result splits them, and an entry may be above by a fraction; such
  a relaxed table is solved by a greedy algorithm, as the points that entries can have together form a
  polymatroid;
- what each entry can win by itself: a bound.

A table of many is a source of points too, of which each place has its own. What one does not win there others
do, so that the best place is a bound as well where outcomes are not gone through.

Bounds are never narrower than the truth. Points decide: of two that may be level either may be above, since
margins and opponents' results are open, unless neither has anything left and what parts them cannot change.
Where others may come late, any number of them may, with the points that are given for the rounds they missed:
an entry that may end with no more points than one of them can have has no worst place. What is called decided
or sure also stands if matches are left out. Corrections, adjustments, withdrawals, and matches that are not
drawn are not foreseen.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import takewhile
from math import floor
from operator import add
from typing import Final

from league.core.points_left import Flow, MeetingLeft, MeetingsLeft, Pair, Steps, TooManyStepsError
from league.core.standings import CountsAs, MatchResult, Number, Row, ScoringScheme, TableResult
from league.core.standings.cuts import ranks_without_lot
from league.core.still_to_play import (
    LateEntries,
    Left,
    LeftRest,
    LeftTable,
    OpenRound,
    Worth,
    entries_of,
    scaled,
)
from league.core.table_ways import ways_of

# Limits are numbers of steps, not times, so that the same table always has the same bounds.
_MOST_LISTED: Final = 8
_MOST_VECTORS: Final = 1_500
_MOST_SUMS: Final = 6_000
_MOST_STEPS: Final = 100_000
# About so many figures are looked at; with one more at a table there are five times as many.
_MOST_AT_TABLES: Final = 600_000
_FACTOR: Final = 5
# Criteria that an entry's own results fix, the greater figure first.
_OWN: Final = frozenset(
    {"match_points", "net", "net_capped", "columns_won", "boxes", "wins", "hands_won", "gins", "lot"}
)


@dataclass(frozen=True, slots=True)
class Possible:
    """The places that an entry can still have; `worst` is None where any number may yet come above it.

    `is_decided`: no result whatever can change it. Of the first places it is sure to be among `sure_of`, also
    if a place that is shared, or given by the lot, has to be decided, and cannot be among `out_of`: sure of
    two it is never third, out of two it is never second. `sure_of` is None where `worst` is.
    """

    best: int
    worst: int | None
    is_decided: bool
    sure_of: int | None
    out_of: int


def possible_places(
    rows: Sequence[Row],
    left: Sequence[Left],
    *,
    scheme: ScoringScheme,
    columns: int = 1,
    results: Sequence[MatchResult | TableResult] = (),
    best_of: int | None = None,
    gone: Collection[int] = (),
    late: LateEntries | None = None,
    lists: bool = True,
) -> dict[int, Possible]:
    """Return the places possible for each entry of a table, `rows` from `rank`; empty if nothing is left.

    `columns` is their number on a sheet, which matters where they give points. With `best_of`, as in `rank`,
    `results` are needed. Entries that are `gone` do not go on: others have their places in `out_of`. `late`:
    others may come. Without `lists` outcomes are not gone through.
    """
    if not left or not rows:
        return {}
    usual, hard = Worth.of(scheme, columns), Worth.of(scheme, columns, left_out=True)
    table, surely = (
        _Table.of(rows, left, worth, scheme, results if best_of else (), best_of, late)
        for worth in (usual, hard)
    )
    # A match may be lost by both, which brings as much as none.
    is_same = table.ranges == surely.ranges and not any(isinstance(item, LeftTable) for item in left)

    def span_of(table: _Table) -> dict[int, Pair]:
        exact = (_table_by_table(table, left, usual) or _listed(table, left, usual)) if lists else None
        return exact or _bounds(table, left, usual)

    span = span_of(table)
    sure = span if is_same else _bounds(surely, left, hard)
    at_line, lines = surely, sure
    if (ranks := ranks_without_lot(rows, next(iter(rows[0].metrics)))) != [row.rank for row in rows]:
        at_line = surely.without_lot(ranks)
        lines = span_of(at_line) if is_same else _bounds(at_line, left, hard)
    going = at_line.without(gone) if gone else at_line
    found = {}
    for entry, (best, worst) in span.items():
        is_open_below = surely.may_be_passed_by_late(entry)
        found[entry] = Possible(
            best,
            None if table.may_be_passed_by_late(entry) else worst,
            not is_open_below and surely.fewest_above(entry) + 1 == sure[entry][1],
            None if is_open_below else lines[entry][1] + at_line.level_with(entry),
            (at_line if entry in gone else going).fewest_above(entry),
        )
    return found


@dataclass(frozen=True)
class _Table:
    """A table with the fewest and the most points that each entry can have in the end.

    Where points are not the first criterion they are 0 for all: then only settled entries can be told apart.
    `open` are those with something left. `own` are the criteria that an entry's own results fix, up to the
    first that others' results do; `own_all` says that there is none of these, `among_own` that they only
    compare entries that are level. If it `counts_all`, all rounds count. `late` are the most points that
    somebody who comes late can have, None if nobody comes.
    """

    rows: Mapping[int, Row]
    ranks: Mapping[int, int]
    ranges: Mapping[int, Pair]
    open: frozenset[int]
    own: tuple[str, ...]
    own_all: bool
    among_own: bool
    by_points: bool
    counts_all: bool
    late: int | None

    @classmethod
    def of(
        cls,
        rows: Sequence[Row],
        left: Sequence[Left],
        worth: Worth,
        scheme: ScoringScheme,
        results: Sequence[MatchResult | TableResult],
        best_of: int | None,
        late: LateEntries | None,
    ) -> "_Table":
        by_entry = {row.entry: row for row in rows}
        pending = _pending(by_entry, left, worth)
        criteria = tuple(rows[0].metrics)
        by_points = criteria[0] == "match_points"
        if not by_points:
            ranges = dict.fromkeys(by_entry, (0, 0))
        elif best_of:
            ranges = _ranges_of_best(by_entry, pending, scheme, results, best_of)
        else:
            ranges = {
                entry: (
                    scaled(row.points) + sum(least for _, least, _ in pending[entry]),
                    scaled(row.points) + sum(most for _, _, most in pending[entry]),
                )
                for entry, row in by_entry.items()
            }
        own: tuple[str, ...] = tuple(takewhile(_OWN.__contains__, criteria))
        others = {*criteria} - _OWN - {"head_to_head"}
        if _takes_others_net(scheme):
            # What others win in a round can still change one's own net, and which rounds are the best.
            own, others = (), {*criteria}
        return cls(
            by_entry,
            {entry: row.rank for entry, row in by_entry.items()},
            ranges,
            frozenset(entry for entry, items in pending.items() if items),
            own,
            own == criteria,
            not others,
            by_points,
            not best_of,
            None if late is None else _most_of_late(late, left, worth) if by_points else 0,
        )

    def without(self, gone: Collection[int]) -> "_Table":
        """Return the table without the entries that have gone."""
        staying = {entry: range_ for entry, range_ in self.ranges.items() if entry not in gone}
        return replace(self, ranges=staying)

    def without_lot(self, ranks: Sequence[int]) -> "_Table":
        """Return the table with these ranks of its rows, in which the lot puts nobody above others."""
        own = tuple(takewhile(lambda name: name != "lot", self.own))
        own_all = self.own_all or len(own) < len(self.own)
        return replace(self, ranks=dict(zip(self.rows, ranks, strict=True)), own=own, own_all=own_all)

    @cached_property
    def _lows(self) -> list[int]:
        return sorted(low for low, _ in self.ranges.values())

    @cached_property
    def _highs(self) -> list[int]:
        return sorted(high for _, high in self.ranges.values())

    @cached_property
    def _settled(self) -> dict[int, list[int]]:
        """The entries with nothing left, by their points."""
        found: dict[int, list[int]] = {}
        for entry, (low, _) in self.ranges.items():
            if entry not in self.open:
                found.setdefault(low, []).append(entry)
        return found

    def may_be_passed_by_late(self, entry: int) -> bool:
        """Return whether somebody who comes late can be above the entry."""
        return self.late is not None and self.ranges[entry][0] <= self.late

    def fewest_above(self, entry: int) -> int:
        """Return how many are above the entry whatever happens."""
        low, high = self.ranges[entry]
        above = len(self._lows) - bisect_right(self._lows, high)
        if entry in self.open:
            return above
        return above + sum(self.is_above(other, entry) is True for other in self._settled.get(low, ()))

    def most_above(self, entry: int) -> int:
        """Return how many others can be above the entry, each by itself."""
        low, _ = self.ranges[entry]
        above = len(self._highs) - bisect_left(self._highs, low) - 1
        if entry in self.open:
            return above
        level = (other for other in self._settled.get(low, ()) if other != entry)
        return above - sum(self.is_above(other, entry) is False for other in level)

    def level_with(self, entry: int) -> int:
        """Return how many others share the entry's place whatever happens."""
        if entry in self.open:
            return 0
        level = (other for other in self._settled[self.ranges[entry][0]] if other != entry)
        return sum(self.is_above(other, entry) is self.is_above(entry, other) is False for other in level)

    def parted(self, entry: int) -> Pair:
        """Return how many others are above it, and how many are not, of those settled at the same points."""
        if entry in self.open:
            return 0, 0
        level = (other for other in self._settled[self.ranges[entry][0]] if other != entry)
        ties = [self.is_above(other, entry) for other in level]
        return ties.count(True), ties.count(False)

    def is_above(self, one: int, other: int) -> bool | None:
        """Return whether one of two settled entries of the same points is above; None while that is open."""
        first, second = self.rows[one], self.rows[other]
        for name in self.own:
            if first.metrics[name] != second.metrics[name]:
                return _number(first.metrics[name]) > _number(second.metrics[name])
        if self.own_all:
            return False
        if self.among_own and not self._is_contested(self.ranges[one][0]):
            return self.ranks[one] < self.ranks[other]
        return None

    def _is_contested(self, points: int) -> bool:
        """Whether somebody with something left is level at these points now, or can still come level."""
        return (self.late is not None and points <= self.late) or any(
            low <= points <= high or (self.by_points and scaled(self.rows[entry].points) == points)
            for entry, (low, high) in self.ranges.items()
            if entry in self.open
        )


# --- points


def _number(figure: Number | None) -> Number:
    return 0 if figure is None else figure


def _most_of_late(late: LateEntries, left: Iterable[Left], worth: Worth) -> int:
    """Return the most that somebody has who comes before one of the open rounds, or after them all."""
    given = max(0, scaled(late.points))
    still_open = [item for item in left if isinstance(item, OpenRound)]
    most = max((worth.span(item)[1] for item in still_open), default=0)
    rounds = sorted(item.round for item in still_open)
    to_win = range(len(rounds), -1, -1)
    return max(
        given * (first - 1) + most * count
        for first, count in zip([*rounds, late.rounds + 1], to_win, strict=True)
    )


def _takes_others_net(scheme: ScoringScheme) -> bool:
    awards = (scheme.bye, scheme.absent, scheme.forfeit, scheme.walkover)
    return any(award.net is CountsAs.ROUND_WINNERS for award in awards)


def _pending(
    entries: Collection[int], left: Iterable[Left], worth: Worth
) -> dict[int, list[tuple[int, int, int]]]:
    """Return round, least and most of everything that each entry has left."""
    found: dict[int, list[tuple[int, int, int]]] = {entry: [] for entry in entries}
    for item in left:
        for entry in entries_of(item):
            if entry in found:
                found[entry].append((item.round, *worth.span(item)))
    return found


def _ranges_of_best(
    rows: Mapping[int, Row],
    pending: Mapping[int, Sequence[tuple[int, int, int]]],
    scheme: ScoringScheme,
    results: Iterable[MatchResult | TableResult],
    count: int,
) -> dict[int, Pair]:
    """Return fewest and most points where only the best rounds count.

    A result adds at most what it brings, and takes at most what it costs.
    """
    nights: dict[int, dict[int, int]] = {entry: {} for entry in rows}
    for result in results:
        given: Iterable[tuple[Sequence[int], Number]] = (
            [
                ((entry,), points)
                for entry, points in zip(result.entries, result.points(scheme.by_place), strict=True)
            ]
            if isinstance(result, TableResult)
            else zip((result.side_a, result.side_b), scheme.points(result), strict=True)
        )
        for side, points in given:
            for night in (nights[entry] for entry in side if entry in nights):
                night[result.round] = night.get(result.round, 0) + scaled(points)
    found = {}
    for entry, row in rows.items():
        points, at_most = scaled(row.points), dict(nights[entry])
        for number, _, most in pending[entry]:
            at_most[number] = at_most.get(number, 0) + max(0, most)
        best_now, best_then = (
            sum(sorted(of_rounds.values(), reverse=True)[:count]) for of_rounds in (nights[entry], at_most)
        )
        found[entry] = (
            points + sum(min(0, least) for _, least, _ in pending[entry]),
            points - best_now + best_then,
        )
    return found


# --- going through all outcomes


def _listed(table: _Table, left: Sequence[Left], worth: Worth) -> dict[int, Pair] | None:
    """Return best and worst place from all points that can come about; None if there are too many."""
    entries = tuple(table.rows)
    if not table.by_points or not table.counts_all or len(entries) > _MOST_LISTED:
        return None
    index = {entry: place for place, entry in enumerate(entries)}
    ends = {tuple(scaled(row.points) for row in table.rows.values())}
    for item in left:
        gains = _gains(item, index, worth)
        if gains is None or len(ends) * len(gains) > _MOST_SUMS:
            return None
        ends = {tuple(map(add, end, each)) for end in ends for each in gains}
        if len(ends) > _MOST_VECTORS:
            return None
    found = {}
    for entry, place in index.items():
        above, level = table.parted(entry)
        found[entry] = (
            1 + above + min(sum(points > end[place] for points in end) for end in ends),
            max(sum(points >= end[place] for points in end) for end in ends) - level,
        )
    return found


def _gains(item: Left, index: Mapping[int, int], worth: Worth) -> set[tuple[int, ...]] | None:
    """Return all that an item can bring the entries; None of a round to be paired: anybody may win it."""
    if isinstance(item, OpenRound):
        return None
    gains: frozenset[tuple[int, ...]]
    sides: tuple[tuple[int, ...], ...]
    if isinstance(item, LeftRest):
        gains, sides = frozenset({(worth.rests[item.state][0],)}), ((item.entry,),)
    elif isinstance(item, LeftTable):
        gains, sides = ways_of(worth.at_table(len(item.entries))), tuple((entry,) for entry in item.entries)
    else:
        gains, sides = frozenset(worth.outcomes), (item.side_a, item.side_b)
    found = set()
    for gain in gains:
        gained = [0] * len(index)
        for side, points in zip(sides, gain, strict=True):
            for entry in side:
                if entry in index:
                    gained[index[entry]] += points
        found.add(tuple(gained))
    return found


def _table_by_table(table: _Table, left: Sequence[Left], worth: Worth) -> dict[int, Pair] | None:
    """Return best and worst place where one round of tables of many is left; None if more is, or much of it.

    An entry is at its best with a first place that nobody shares, and at its worst with such a last one: the
    others of its table then have the places that are left, and other tables do not depend on it.
    """
    tables = [item for item in left if isinstance(item, LeftTable)]
    there = [entry for item in left for entry in entries_of(item)]
    is_last = len(set(there)) == len(there) and all(isinstance(item, LeftTable | LeftRest) for item in left)
    if not (tables and is_last and table.by_points and table.counts_all):
        return None
    if sum(_FACTOR ** len(item.entries) for item in tables) * len(table.rows) > _MOST_AT_TABLES:
        return None
    seated = {entry for item in tables for entry in item.entries}
    fixed = [(entry, low) for entry, (low, _) in table.ranges.items() if entry not in seated]
    found = {}
    for entry, (low, high) in table.ranges.items():
        above, level = table.parted(entry)
        fewest = above + sum(points > high for _, points in fixed)
        most = sum(points >= low for other, points in fixed if other != entry) - level
        for item in tables:
            places = worth.at_table(len(item.entries))
            # What others had before; whoever is not ranked has a place at the table alone.
            points = [
                scaled(table.rows[other].points) if other in table.rows else None
                for other in item.entries
                if other != entry
            ]
            is_own = entry in item.entries
            fewest += min(_count(points, way, high + 1) for way in ways_of(places[1:] if is_own else places))
            most += max(_count(points, way, low) for way in ways_of(places[:-1] if is_own else places))
        found[entry] = 1 + fewest, 1 + most
    return found


def _count(points: Iterable[int | None], way: Iterable[int], least: int) -> int:
    """Return how many have at least so much after what a table brings."""
    return sum(before is not None and before + won >= least for before, won in zip(points, way, strict=True))


# --- bounds


def _bounds(table: _Table, left: Sequence[Left], worth: Worth) -> dict[int, Pair]:
    """Return best and worst place as each entry's points and the matches of others among themselves allow."""
    met = MeetingsLeft.among(
        table.rows, _meetings(left, worth) if table.by_points and table.counts_all else ()
    )
    unit = 1 if any(isinstance(item, LeftTable) for item in left) else worth.unit
    steps = Steps(_MOST_STEPS)
    found = {}
    for entry in table.rows:
        below = table.most_above(entry)
        if steps.left > 0:
            with suppress(TooManyStepsError):
                below -= _kept_below(table, met, unit, entry, steps)
        found[entry] = (1 + table.fewest_above(entry), 1 + below)
    return found


def _meetings(left: Iterable[Left], worth: Worth) -> Iterator[MeetingLeft]:
    """The matches left between one entry and another, and the tables of many."""
    for item in left:
        if (meeting := worth.meeting(item)) is not None:
            yield meeting


def _kept_below(table: _Table, met: MeetingsLeft, unit: int, entry: int, steps: Steps) -> int:
    """Return how many of those who could pass the entry at its worst cannot, because others do.

    At its worst it loses everything, and the others need to come level.
    """
    fewest = table.ranges[entry][0]
    need, inside = {}, {}
    for other, (low, high) in table.ranges.items():
        if other == entry or not low < fewest <= high:
            continue
        among = [m for m in met.of[other] if met.each[m].besides(entry) > 1]
        lacking = fewest - (high - sum(met.each[m].most for m in among))
        if lacking > 0:
            need[other], inside[other] = -(-lacking // unit), among
    steps.left -= sum(map(len, inside.values()))
    # Where each has as much of a match or table as the others of it, nobody takes from anybody.
    shares = {m: met.each[m].units / met.each[m].besides(entry) for among in inside.values() for m in among}
    if all(need[other] <= sum(map(shares.__getitem__, inside[other])) for other in need):
        return 0
    flow = Flow(met, inside, steps)
    passing = Fraction(0)
    for other in sorted(need, key=lambda one: (need[one], one)):
        passing += Fraction(flow.take(other, need[other]), need[other])
    return len(need) - floor(passing)
