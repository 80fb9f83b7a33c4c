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

- few outcomes are gone through: exact;
- a flow: a bound. Points may be split as no result splits them, and an entry may be above by a fraction; such
  a relaxed table is solved by a greedy algorithm, as the points that entries can have together form a
  polymatroid;
- what each entry can win by itself: a bound.

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
from math import floor, gcd
from operator import add
from typing import Final

from league.core.lifecycle import MatchState
from league.core.points_left import Flow, Meetings, Pair, Steps, TooManyStepsError
from league.core.standings import CountsAs, MatchResult, Number, Row, ScoringScheme
from league.core.standings.cuts import ranks_without_lot

# Points are counted in hundredths.
_SCALE: Final = 100
# Limits are numbers of steps, not times, so that the same table always has the same bounds.
_MOST_LISTED: Final = 8
_MOST_VECTORS: Final = 1_500
_MOST_SUMS: Final = 6_000
_MOST_STEPS: Final = 100_000
# Criteria that an entry's own results fix, the greater figure first.
_OWN: Final = frozenset(
    {"match_points", "net", "net_capped", "columns_won", "boxes", "wins", "hands_won", "gins", "lot"}
)


@dataclass(frozen=True, slots=True)
class LeftMatch:
    """A match of this round that does not count yet; any result is possible."""

    round: int
    side_a: tuple[int, ...]
    side_b: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LeftRest:
    """A round that an entry is to sit out, by a bye or its own wish, and that does not count yet."""

    round: int
    entry: int
    state: MatchState


@dataclass(frozen=True, slots=True)
class OpenRound:
    """A round to be paired: each of these entries may meet any other, or who comes, rest, or stay away."""

    round: int
    entries: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LateEntries:
    """That others may still come: with these points for each round missed, of so many `rounds` in all."""

    points: Number
    rounds: int


Left = LeftMatch | LeftRest | OpenRound


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
    results: Sequence[MatchResult] = (),
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
    usual, hard = _Worth.of(scheme, columns), _Worth.of(scheme, columns, left_out=True)
    table, surely = (
        _Table.of(rows, left, worth, scheme, results if best_of else (), best_of, late)
        for worth in (usual, hard)
    )
    is_same = table.ranges == surely.ranges

    def span_of(table: _Table) -> dict[int, Pair]:
        return (_listed(table, left, usual) if lists else None) or _bounds(table, left, usual)

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


@dataclass(frozen=True, slots=True)
class _Worth:
    """What a match or a rest can bring, in hundredths of a point.

    `least` and `most` are those of a side. What it wins above the least is a multiple of `unit`; `fullest` is
    the most of both sides together, in units. `open` is the least and most of a round to be paired.
    """

    outcomes: tuple[Pair, ...]
    rests: Mapping[MatchState, Pair]
    least: int
    most: int
    unit: int
    fullest: int
    open: Pair

    @classmethod
    def of(cls, scheme: ScoringScheme, columns: int, *, left_out: bool = False) -> "_Worth":
        """With `left_out` matches may also be left out."""
        win, draw, loss = _scaled(scheme.win), _scaled(scheme.draw), _scaled(scheme.loss)
        column = _scaled(scheme.column)
        outcomes = {
            (of_a + column * a, of_b + column * b)
            for of_a, of_b in ((win, loss), (draw, draw), (loss, win))
            for a in range(columns + 1 if column else 1)
            for b in range(columns + 1 - a if column else 1)
        }
        for award in (scheme.forfeit, scheme.walkover):
            won, lost = _scaled(award.won), _scaled(award.lost)
            outcomes |= {(won, lost), (lost, won), (lost, lost)}
            outcomes |= {(0, 0)} if left_out else set()
        rests = {MatchState.BYE: _scaled(scheme.bye.won), MatchState.ABSENT: _scaled(scheme.absent.won)}
        sides = {side for side, _ in outcomes}
        least, unit = min(sides), gcd(*(side - min(sides) for side in sides)) or 1
        together = [(a + b - 2 * least) // unit for a, b in outcomes]
        return cls(
            tuple(sorted(outcomes)),
            {
                state: (min(0, worth), max(0, worth)) if left_out else (worth, worth)
                for state, worth in rests.items()
            },
            least,
            max(sides),
            unit,
            max(together),
            (min(0, *sides, *rests.values()), max(0, *sides, *rests.values())),
        )


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
        worth: "_Worth",
        scheme: ScoringScheme,
        results: Sequence[MatchResult],
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
                    _scaled(row.points) + sum(least for _, least, _ in pending[entry]),
                    _scaled(row.points) + sum(most for _, _, most in pending[entry]),
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
            low <= points <= high or (self.by_points and _scaled(self.rows[entry].points) == points)
            for entry, (low, high) in self.ranges.items()
            if entry in self.open
        )


# --- points


def _scaled(points: Number) -> int:
    return int(points * _SCALE)


def _number(figure: Number | None) -> Number:
    return 0 if figure is None else figure


def _most_of_late(late: LateEntries, left: Iterable[Left], worth: _Worth) -> int:
    """Return the most that somebody has who comes before one of the open rounds, or after them all."""
    given = max(0, _scaled(late.points))
    rounds = sorted(item.round for item in left if isinstance(item, OpenRound))
    to_win = range(len(rounds), -1, -1)
    return max(
        given * (first - 1) + worth.open[1] * count
        for first, count in zip([*rounds, late.rounds + 1], to_win, strict=True)
    )


def _takes_others_net(scheme: ScoringScheme) -> bool:
    awards = (scheme.bye, scheme.absent, scheme.forfeit, scheme.walkover)
    return any(award.net is CountsAs.ROUND_WINNERS for award in awards)


def _pending(
    entries: Collection[int], left: Iterable[Left], worth: _Worth
) -> dict[int, list[tuple[int, int, int]]]:
    """Return round, least and most of everything that each entry has left."""
    found: dict[int, list[tuple[int, int, int]]] = {entry: [] for entry in entries}
    for item in left:
        if isinstance(item, LeftRest):
            sides: tuple[int, ...] = (item.entry,)
            span = worth.rests[item.state]
        elif isinstance(item, OpenRound):
            sides, span = item.entries, worth.open
        else:
            sides, span = item.side_a + item.side_b, (worth.least, worth.most)
        for entry in sides:
            if entry in found:
                found[entry].append((item.round, *span))
    return found


def _ranges_of_best(
    rows: Mapping[int, Row],
    pending: Mapping[int, Sequence[tuple[int, int, int]]],
    scheme: ScoringScheme,
    results: Iterable[MatchResult],
    count: int,
) -> dict[int, Pair]:
    """Return fewest and most points where only the best rounds count.

    A result adds at most what it brings, and takes at most what it costs.
    """
    nights: dict[int, dict[int, int]] = {entry: {} for entry in rows}
    for result in results:
        for side, points in zip((result.side_a, result.side_b), scheme.points(result), strict=True):
            for night in (nights[entry] for entry in side if entry in nights):
                night[result.round] = night.get(result.round, 0) + _scaled(points)
    found = {}
    for entry, row in rows.items():
        points, at_most = _scaled(row.points), dict(nights[entry])
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


def _listed(table: _Table, left: Sequence[Left], worth: _Worth) -> dict[int, Pair] | None:
    """Return best and worst place from all points that can come about; None if there are too many."""
    entries = tuple(table.rows)
    if not table.by_points or not table.counts_all or len(entries) > _MOST_LISTED:
        return None
    index = {entry: place for place, entry in enumerate(entries)}
    ends = {tuple(_scaled(row.points) for row in table.rows.values())}
    for item in left:
        brought = _brought(item, index, worth)
        if brought is None or len(ends) * len(brought) > _MOST_SUMS:
            return None
        ends = {tuple(map(add, end, each)) for end in ends for each in brought}
        if len(ends) > _MOST_VECTORS:
            return None
    found = {}
    for entry, place in index.items():
        above = level = 0
        if entry not in table.open:
            ties = [
                table.is_above(other, entry)
                for other in entries
                if other != entry and other not in table.open and table.ranges[other] == table.ranges[entry]
            ]
            above, level = ties.count(True), ties.count(False)
        found[entry] = (
            1 + above + min(sum(points > end[place] for points in end) for end in ends),
            max(sum(points >= end[place] for points in end) for end in ends) - level,
        )
    return found


def _brought(item: Left, index: Mapping[int, int], worth: _Worth) -> set[tuple[int, ...]] | None:
    """Return all that an item can bring the entries; None of a round to be paired: anybody may win it."""
    if isinstance(item, OpenRound):
        return None
    if isinstance(item, LeftRest):
        gains: frozenset[tuple[int, ...]] = frozenset({(worth.rests[item.state][0],)})
        sides: tuple[tuple[int, ...], ...] = ((item.entry,),)
    else:
        gains, sides = frozenset(worth.outcomes), (item.side_a, item.side_b)
    found = set()
    for gain in gains:
        brought = [0] * len(index)
        for side, points in zip(sides, gain, strict=True):
            for entry in side:
                if entry in index:
                    brought[index[entry]] += points
        found.add(tuple(brought))
    return found


# --- bounds


def _bounds(table: _Table, left: Sequence[Left], worth: _Worth) -> dict[int, Pair]:
    """Return best and worst place as each entry's points and the matches of others among themselves allow."""
    met = Meetings.among(table.rows, _pairs(left) if table.by_points and table.counts_all else ())
    steps = Steps(_MOST_STEPS)
    found = {}
    for entry in table.rows:
        below = table.most_above(entry)
        if steps.left > 0:
            with suppress(TooManyStepsError):
                below -= _kept_below(table, met, worth, entry, steps)
        found[entry] = (1 + table.fewest_above(entry), 1 + below)
    return found


def _pairs(left: Iterable[Left]) -> Iterator[Pair]:
    """The two of each match left between one entry and another."""
    for item in left:
        if isinstance(item, LeftMatch) and (len(item.side_a), len(item.side_b)) == (1, 1):
            yield item.side_a[0], item.side_b[0]


def _kept_below(table: _Table, met: Meetings, worth: _Worth, entry: int, steps: Steps) -> int:
    """Return how many of those who could pass the entry at its worst cannot, because others do.

    At its worst it loses everything, and the others need to come level.
    """
    fewest = table.ranges[entry][0]
    need, inside = {}, {}
    for other, (low, high) in table.ranges.items():
        if other == entry or not low < fewest <= high:
            continue
        among = [m for m in met.of[other] if met.other(m, other) != entry]
        lacking = fewest - (high - len(among) * (worth.most - worth.least))
        if lacking > 0:
            need[other], inside[other] = -(-lacking // worth.unit), among
    steps.left -= sum(map(len, inside.values()))
    if all(2 * need[other] <= len(inside[other]) * worth.fullest for other in need):
        return 0
    flow = Flow(met, inside, worth.fullest, steps)
    passing = Fraction(0)
    for other in sorted(need, key=lambda one: (need[one], one)):
        passing += Fraction(flow.take(other, need[other]), need[other])
    return len(need) - floor(passing)
