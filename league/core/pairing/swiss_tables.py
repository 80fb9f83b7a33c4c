"""A round of a Swiss by tables: those of equal scores play together, and meet as few again as can be.

1. Where not all have a table, those sit out who have rested least, of these the lowest scores, then the lot.
2. Tables are filled from the top down in order of scores, so that nobody has a table below somebody with a
   lower score. Where tables are of several sizes, these come in the order that keeps equal scores together:
   the first table has the least span of scores, then the second, and so on. Scores are numbered from the top
   as in `swiss`, and a span is the difference of two numbers.
3. Of equal scores those play together who have met least: the sum of their earlier meetings is least.
4. The lot (`league.core.lots`), which orders the seats of a table too.

Who is to be kept apart does not sit at one table where that can be avoided. Equal scores are seated so first.
If that does not do, players have tables above or below those of their score, as few tables away in all as can
be; and of those who have rested as often others sit out, if that helps.

Programs for events of multiplayer games do about the same ("players sorted by match points, assigned to pods
top-to-bottom with anti-rematch logic", the documentation of getpaird.io); some let those of neighbouring
scores change places, so that fewer meet again.

Few arrangements are all compared (`_ALL`), so that this is kept exactly; of more the best that simulated
annealing finds is taken, the same for the same seed.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations, groupby, islice
from math import comb, exp
from random import Random
from typing import Final

from league.core.lots import by_lot
from league.core.pairing.errors import PairingError
from league.core.pairing.table_rounds import Table, kept_apart, not_apart
from league.core.pairing.table_sizes import split, table_sizes
from scoring.core.messages import mark

Number = int | Decimal
Sizes = tuple[int, ...]
# How many sit together who are kept apart, tables away from those of their score, earlier meetings.
Cost = tuple[int, int, int]

# Arrangements that are all compared, and orders of sizes.
_ALL: Final = 3_000
_ORDERS: Final = 4
_STEPS: Final = 60_000
_HOT: Final = 1.5
_COLD: Final = 0.1
# How many sets of those who sit out are tried, and with how many steps after the first.
_OUTS: Final = 130
_STEPS_AGAIN: Final = 3_000
# What it counts in a search, in earlier meetings, to be one table away from those of one's score, and for two
# who are kept apart to be at one. It then begins so hot that they can still be shuffled.
_FAR: Final = 20
_APART: Final = 400
_HOT_APART: Final = 600.0


@dataclass(frozen=True, slots=True)
class SwissTables:
    """A round: tables from the top down, players in order of seats, who sits out; `repeats` counts earlier
    meetings of those at one table, `not_apart` are those kept apart who sit at one all the same.
    """

    tables: tuple[Table, ...]
    sit_out: tuple[int, ...]
    repeats: int
    not_apart: tuple[tuple[int, int], ...] = ()


def swiss_tables(
    scores: Mapping[int, Number],
    meetings: Mapping[tuple[int, int], int],
    *,
    fewest: int,
    most: int,
    usual: int,
    rested: Mapping[int, int] | None = None,
    apart: Iterable[tuple[int, int]] = (),
    seed: int | str = 0,
    keys: Mapping[int, str] | None = None,
) -> SwissTables:
    """Return the next round of everybody who has a score.

    `meetings` is how often two have met, either of them first; `rested` how many rounds each had no table.
    The pairs `apart` are kept so. Lots are drawn from `seed` by `keys`, or else by the players' numbers.

    Refused: a player who meets, or is kept apart from, themselves (`same_entry`), and what `table_sizes`
    refuses.
    """
    sizes = table_sizes(len(scores), fewest, most, usual)
    met = _met(scores, meetings)
    lots = by_lot({player: keys[player] if keys else str(player) for player in scores}, seed)
    rests = rested or {}
    places = {player: place for place, player in enumerate(lots)}
    pairs = kept_apart(apart, scores)

    def seated(out: Collection[int], steps: int) -> tuple[Cost, tuple[Table, ...]]:
        here = sorted(scores.keys() - set(out), key=lambda player: (-scores[player], places[player]))
        levels = [list(level) for _, level in groupby(here, key=scores.__getitem__)]
        orders = _orders(levels, sizes)
        seatings = (_Seating(levels, order, met, pairs) for order in orders)
        ways = [
            seating.best(f"{seed} {number}", steps // len(orders)) for number, seating in enumerate(seatings)
        ]
        return min(ways, key=lambda way: way[0])

    in_turn = sorted(scores, key=lambda player: (rests.get(player, 0), scores[player], places[player]))
    outs = _sit_outs(in_turn, rests, len(scores) - sum(sizes))
    out = next(outs)
    cost, tables = seated(out, _STEPS)
    for others in islice(outs, _OUTS):
        if not cost[0]:
            break
        less, found = seated(others, _STEPS_AGAIN)
        if less[0] < cost[0]:
            cost, tables, out = less, found, others
    return SwissTables(
        tuple(tuple(sorted(table, key=places.__getitem__)) for table in tables),
        tuple(sorted(out)),
        sum(met[one].get(other, 0) for table in tables for one, other in combinations(table, 2)),
        not_apart(tables, pairs),
    )


def _sit_outs(in_turn: Sequence[int], rests: Mapping[int, int], spare: int) -> Iterator[tuple[int, ...]]:
    """Yield whom to let sit out: those whose turn it is first, then others who have rested as often."""
    last = rests.get(in_turn[spare - 1], 0) if spare else 0
    sure = [player for player in in_turn[:spare] if rests.get(player, 0) < last]
    level = [player for player in in_turn if rests.get(player, 0) == last]
    yield from ((*sure, *some) for some in combinations(level, spare - len(sure)))


def _met(scores: Mapping[int, Number], meetings: Mapping[tuple[int, int], int]) -> dict[int, dict[int, int]]:
    met: dict[int, dict[int, int]] = {player: {} for player in scores}
    for (one, other), times in meetings.items():
        if one == other:
            raise PairingError("same_entry", mark("An entry does not meet itself."), field="meetings")
        if one in met and other in met:
            met[one][other] = met[one].get(other, 0) + times
            met[other][one] = met[other].get(one, 0) + times
    return met


def _orders(levels: Sequence[Sequence[int]], sizes: Sequence[int]) -> list[Sizes]:
    """Return orders of sizes in which equal scores are most together, `_ORDERS` at most.

    Filled table by table: of all beginnings only those whose spans are least, from the top, go on.
    """
    numbers = [number for number, level in enumerate(levels) for _ in level]
    # By the tables that are left, which is all that matters for what follows.
    begun: dict[Sizes, list[Sizes]] = {tuple(sorted(sizes, reverse=True)): [()]}
    while any(begun):
        longer: dict[Sizes, list[Sizes]] = {}
        least = len(numbers)
        for left, orders in begun.items():
            first = len(numbers) - sum(left)
            for size in dict.fromkeys(left):
                span = numbers[first + size - 1] - numbers[first]
                if span > least:
                    continue
                if span < least:
                    least, longer = span, {}
                place = left.index(size)
                longer.setdefault(left[:place] + left[place + 1 :], []).extend(
                    (*order, size) for order in orders
                )
        begun = {left: orders[:_ORDERS] for left, orders in longer.items()}
    return begun[()]


class _Seating:
    """Levels of equal scores filled into tables; players of one level may change places.

    If that leaves some together who are kept apart, all may.
    """

    def __init__(
        self,
        levels: Sequence[Sequence[int]],
        sizes: Sequence[int],
        met: Mapping[int, Mapping[int, int]],
        apart: Sequence[tuple[int, int]],
    ) -> None:
        self.met = met
        self.apart = apart
        self.row = [player for level in levels for player in level]
        self.sizes = sizes
        table_of = [number for number, size in enumerate(sizes) for _ in range(size)]
        self.bounds: list[tuple[int, int]] = []
        for size in sizes:
            self.bounds += [(len(self.bounds), len(self.bounds) + size)] * size
        self.table_of = table_of
        # The seats of each level, by table, where there are several tables.
        self.free: list[list[list[int]]] = []
        # How many tables away each table is from those of a player's level.
        self.far: dict[int, list[int]] = {}
        first = 0
        for level in levels:
            seats = range(first, first + len(level))
            parts = [list(part) for _, part in groupby(seats, key=table_of.__getitem__)]
            if len(parts) > 1:
                self.free.append(parts)
            upper, lower = table_of[seats[0]], table_of[seats[-1]]
            far = [max(upper - table, table - lower, 0) for table in range(len(sizes))]
            self.far.update(dict.fromkeys(level, far))
            first += len(level)

    def best(self, seed: str, steps: int) -> tuple[Cost, tuple[Table, ...]]:
        """Return what speaks against the best tables found, and these."""
        if any(self._cost(self.row)) and self.free:
            self._improve(seed, steps)
        if self._cost(self.row)[0] and len(self.sizes) > 1:
            seats = range(len(self.row))
            self.free = [[list(part) for _, part in groupby(seats, key=self.table_of.__getitem__)]]
            self._improve(f"{seed} apart", steps)
        return self._cost(self.row), split(self.row, self.sizes)

    def _improve(self, seed: str, steps: int) -> None:
        """Let those who are free change places."""
        if self._arrangements() <= _ALL:
            self.row = min(self._all(self.row, self.free), key=self._cost)
        else:
            self._anneal(Random(seed).random, steps)  # noqa: S311 — a search that can be made again

    def _cost(self, row: Sequence[int]) -> Cost:
        tables = split(row, self.sizes)
        return (
            len(not_apart(tables, self.apart)),
            sum(self.far[player][table] for player, table in zip(row, self.table_of, strict=True)),
            sum(self.met[one].get(other, 0) for table in tables for one, other in combinations(table, 2)),
        )

    def _arrangements(self) -> int:
        ways = 1
        for parts in self.free:
            left = sum(map(len, parts))
            for part in parts:
                ways *= comb(left, len(part))
                left -= len(part)
        return ways

    def _all(self, row: list[int], free: Sequence[Sequence[Sequence[int]]]) -> Iterator[list[int]]:
        """Yield the row with every way to seat the players of these levels."""
        if not free:
            yield row
            return
        seats = [seat for part in free[0] for seat in part]
        for tables in _ways([row[seat] for seat in seats], [len(part) for part in free[0]]):
            filled = row[:]
            for seat, player in zip(seats, tables, strict=True):
                filled[seat] = player
            yield from self._all(filled, free[1:])

    def _anneal(self, chance: Callable[[], float], steps: int) -> None:
        row, bounds, away = self.row, self.bounds, self.far
        met = {player: dict(of_player) for player, of_player in self.met.items()}
        for one, other in self.apart:
            met[one][other] = met[other][one] = met[one].get(other, 0) + _APART
        free = [[(seat, self.table_of[seat]) for part in parts for seat in part] for parts in self.free]
        # A level is tried as often as it has seats.
        levels = [number for number, seats in enumerate(free) for _ in seats]
        together, far, repeats = self._cost(row)
        cost = best = _APART * together + _FAR * far + repeats
        kept = row[:]
        hot = _HOT_APART if self.apart else _HOT
        heat, cooling = hot, (_COLD / hot) ** (1 / steps)
        for _ in range(steps):
            heat *= cooling
            seats = free[levels[int(chance() * len(levels))]]
            one, of_one = seats[int(chance() * len(seats))]
            other, of_other = seats[int(chance() * len(seats))]
            if of_one == of_other:
                continue
            x, y = row[one], row[other]
            of_x, of_y = met[x], met[y]
            far_x, far_y = away[x], away[y]
            change = -2 * of_x.get(y, 0)
            change += _FAR * (far_x[of_other] - far_x[of_one] + far_y[of_one] - far_y[of_other])
            for mate in row[slice(*bounds[one])]:
                change += of_y.get(mate, 0) - of_x.get(mate, 0)
            for mate in row[slice(*bounds[other])]:
                change += of_x.get(mate, 0) - of_y.get(mate, 0)
            if change > 0 and chance() >= exp(-change / heat):
                continue
            row[one], row[other] = y, x
            cost += change
            if cost < best:
                best, kept = cost, row[:]
                if not best:
                    break
        self.row = kept


def _ways(players: Sequence[int], sizes: Sequence[int]) -> Iterator[list[int]]:
    """Yield every way to share players out to tables in this order, each as one row."""
    if len(sizes) == 1:
        yield list(players)
        return
    for chosen in combinations(players, sizes[0]):
        taken = set(chosen)
        left = [player for player in players if player not in taken]
        yield from ([*chosen, *others] for others in _ways(left, sizes[1:]))
