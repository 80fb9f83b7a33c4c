"""Searches for even rounds of tables by simulated annealing, as `rotation_search` does for partners.

Each step proposes to swap two players of a round. The cost is the sum of squares of how often each two meet,
and of how often each has sat at a table of each size, where sizes differ: a Settlers championship
(meeplesgames.com) shares its smaller tables out as equally as can be, even before meetings. Rests are
balanced from the start and stay so.

Two who are kept apart count as if they had met many times (`_OFTEN`), and the search then begins so hot that
they can still be shuffled.

The best solution found is kept. The search ends when nothing could be more even or the step budget is used
up; it never looks at a clock, so a seed gives the same rounds on any machine.
"""

from collections.abc import Iterable, Sequence
from math import exp
from random import Random
from typing import Final

from league.core.pairing.movements import each_pair, least_squares, squares, tally_of
from league.core.pairing.table_rounds import TableMeetings, TableRound
from league.core.pairing.table_sizes import split

# From hot enough to undo a second meeting to so cold that hardly anything gets worse.
_HOT: Final = 1.5
_COLD: Final = 0.15
# One more meeting of two who have met so often counts 401 in squares.
_OFTEN: Final = 200
_HOT_APART: Final = 2 * _OFTEN * _HOT


def most_even_tables(
    before: TableMeetings,
    away: Sequence[frozenset[int]],
    sizes: Sequence[Sequence[int]],
    *,
    apart: Iterable[tuple[int, int]] = (),
    seed: int | str,
    budget: int,
) -> list[TableRound]:
    """Return the most even rounds found, without numbers.

    For each round `away` is the set of absent players and `sizes` those of its tables, for which enough must
    be present. `before` counts and is not changed. The pairs `apart` meet as little as is found. `budget` is
    the number of steps.
    """
    if not away:
        return []
    random = Random(seed)  # noqa: S311 — a search that can be made again
    pairs = list(apart)
    search = _Search(before, away, sizes, pairs, random)
    search.run(budget, _HOT_APART if pairs else _HOT)
    return search.answer()


class _Search:
    """A row of players for each round: table by table, then those who rest."""

    def __init__(
        self,
        before: TableMeetings,
        away: Sequence[frozenset[int]],
        sizes: Sequence[Sequence[int]],
        apart: Iterable[tuple[int, int]],
        random: Random,
    ) -> None:
        self.random = random
        self.players = before.players
        self.met = [row[:] for row in before.met]
        for one, other in apart:
            self.met[one][other] += _OFTEN
            self.met[other][one] += _OFTEN
        self.rests = [
            rests + sum(player in absent for absent in away) for player, rests in enumerate(before.rests)
        ]
        self.sizes = sizes
        known = {size for counts in before.sizes for size in counts}
        most = max(known.union(*sizes)) + 1
        self.at_size = [[counts.get(size, 0) for size in range(most)] for counts in before.sizes]
        self.is_mixed = len(set().union(*sizes)) > 1
        self.least = least_squares(
            each_pair(self.met), sum(size * (size - 1) // 2 for each in sizes for size in each)
        )
        if self.is_mixed:
            self.least += sum(
                least_squares(
                    (counts[size] for counts in self.at_size), size * sum(each.count(size) for each in sizes)
                )
                for size in range(most)
            )
        self.rows: list[list[int]] = []
        # First and last seat of the table of each seat; none for those who rest.
        self.bounds: list[list[tuple[int, int]]] = []
        # Each player's position in each row; -1 if absent.
        self.places: list[list[int]] = []
        for absent, each in zip(away, sizes, strict=True):
            self._draw(absent, each)
        self.cost = squares(tally_of(each_pair(self.met)))
        if self.is_mixed:
            self.cost += sum(count * count for counts in self.at_size for count in counts)

    def run(self, budget: int, hot: float) -> None:
        """Take up to `budget` steps, the first ones so hot."""
        cost, least = self.cost, self.least
        best, kept = cost, [row[:] for row in self.rows]
        heat, cooling = hot, (_COLD / hot) ** (1 / max(budget, 1))
        chance, rounds = self.random.random, len(self.rows)
        for _ in range(budget if best > least else 0):
            heat *= cooling
            number = int(chance() * rounds)
            bounds, size = self.bounds[number], len(self.rows[number])
            one, other = int(chance() * len(bounds)), int(chance() * size)
            if other >= len(bounds):
                change = self._step_out(number, one, other, heat)
            elif bounds[one] is not bounds[other]:
                change = self._change(number, one, other)
                if change > 0 and chance() >= exp(-change / heat):
                    continue
                self._swap(number, one, other)
            else:
                continue
            cost += change
            if cost < best:
                best, kept = cost, [row[:] for row in self.rows]
                if best <= least:
                    break
        self.rows = kept

    def answer(self) -> list[TableRound]:
        """Return the rows as tables and resting players."""
        return [
            TableRound(0, split(row, each), tuple(sorted(row[sum(each) :])))
            for row, each in zip(self.rows, self.sizes, strict=True)
        ]

    def _draw(self, absent: frozenset[int], sizes: Sequence[int]) -> None:
        """Add a random row; those who have rested least sit out."""
        here = [player for player in range(self.players) if player not in absent]
        self.random.shuffle(here)
        here.sort(key=lambda player: -self.rests[player])
        seats = sum(sizes)
        row, out = here[:seats], here[seats:]
        self.random.shuffle(row)
        for player in out:
            self.rests[player] += 1
        bounds: list[tuple[int, int]] = []
        for size in sizes:
            of_table = (len(bounds), len(bounds) + size)
            bounds += [of_table] * size
        self.rows.append(row + out)
        self.bounds.append(bounds)
        places = [-1] * self.players
        for place, player in enumerate(row + out):
            places[player] = place
        self.places.append(places)
        for seat in range(seats):
            self._count(len(self.rows) - 1, seat, 1, only_before=True)

    def _count(self, number: int, seat: int, more: int, *, only_before: bool = False) -> None:
        """Count the player of a seat with the others of the table; with `only_before` with those before."""
        row, (first, last) = self.rows[number], self.bounds[number][seat]
        player, met = row[seat], self.met
        of_player = met[player]
        for other in row[first : seat if only_before else last]:
            if other != player:
                of_player[other] += more
                met[other][player] += more
        self.at_size[player][last - first] += more

    def _change(self, number: int, one: int, other: int) -> int:
        """Return the change in cost if two of a row, the first of whom has a table, change places."""
        row, bounds = self.rows[number], self.bounds[number]
        x, y = row[one], row[other]
        of_x, of_y = self.met[x], self.met[y]
        first, last = bounds[one]
        change = last - first - 1 + of_x[x] - of_y[x]
        for mate in row[first:last]:
            change += of_y[mate] - of_x[mate]
        if other >= len(bounds):
            return 2 * change + (self._of_size(y, last - first, x) if self.is_mixed else 0)
        begin, end = bounds[other]
        change += end - begin - 1 + of_y[y] - of_x[y]
        for mate in row[begin:end]:
            change += of_x[mate] - of_y[mate]
        size = 0
        if end - begin != last - first:
            size = self._of_size(y, last - first, x) + self._of_size(x, end - begin, y)
        return 2 * change + size

    def _of_size(self, comes: int, size: int, goes: int) -> int:
        return 2 * (self.at_size[comes][size] - self.at_size[goes][size] + 1)

    def _swap(self, number: int, one: int, other: int) -> None:
        row, seats = self.rows[number], len(self.bounds[number])
        self._count(number, one, -1)
        if other < seats:
            self._count(number, other, -1)
        row[one], row[other] = row[other], row[one]
        self.places[number][row[one]], self.places[number][row[other]] = one, other
        self._count(number, one, 1)
        if other < seats:
            self._count(number, other, 1)

    def _step_out(self, number: int, one: int, other: int, heat: float) -> int:
        """Swap a seated player with a resting one.

        Where that would unbalance their rests, the reverse swap is made in another round.
        """
        rests, row = self.rests, self.rows[number]
        x, y = row[one], row[other]
        apart = rests[y] - rests[x]
        if apart not in (0, 1):
            return 0
        change = self._change(number, one, other)
        if apart == 1:
            if change > 0 and self.random.random() >= exp(-change / heat):
                return 0
            rests[x] += 1
            rests[y] -= 1
            self._swap(number, one, other)
            return change
        again = int(self.random.random() * len(self.rows))
        place, out = self.places[again][y], self.places[again][x]
        seats = len(self.bounds[again])
        # Another round with y at a table and x resting.
        if again == number or not 0 <= place < seats <= out:
            return 0
        self._swap(number, one, other)
        change += self._change(again, place, out)
        if change > 0 and self.random.random() >= exp(-change / heat):
            self._swap(number, one, other)
            return 0
        self._swap(again, place, out)
        return change
