"""Searches for even rounds by simulated annealing over the seats.

(S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, "Optimization by simulated annealing", Science 220, 1983.) Each
step proposes to swap two players of a round. The cost is the sum of squared counts of partnerships, weighted
by three, and of oppositions. Improvements are accepted; deteriorations ever more rarely the larger they are
and the later they come. Rests are balanced from the start and stay so.

The best solution found is kept. The search ends when nothing could be more even or the step budget is used
up; it never looks at a clock, so a seed gives the same rounds on any machine.
"""

from collections.abc import Sequence
from math import exp
from random import Random
from typing import Final

from league.core.pairing.movements import Meetings, Table, each_pair, least_squares

# Twice the weights: raising k by one and lowering l by one changes the sum of squares by 2 (k − l + 1).
_PARTNER: Final = 6
_OPPONENT: Final = 2
# From hot enough to undo a second meeting of opponents to so cold that hardly anything gets worse.
_HOT: Final = 1.5
_COLD: Final = 0.15


def most_even(
    before: Meetings, away: Sequence[frozenset[int]], *, seed: int | str, budget: int
) -> list[tuple[tuple[Table, ...], tuple[int, ...]]]:
    """Return the most even rounds found, as tables and resting players, one for each item of `away`.

    An item of `away` is the set of absent players; at least four must be present. `before` counts and is not
    changed. `budget` is the number of steps.
    """
    search = _Search(before, away, Random(seed))  # noqa: S311 — a search that can be made again
    search.run(budget)
    return search.answer()


class _Search:
    """A row of players for each round: four per table with partners side by side, then those who rest."""

    def __init__(self, before: Meetings, away: Sequence[frozenset[int]], random: Random) -> None:
        self.random = random
        self.players = before.players
        self.partners = [row[:] for row in before.partners]
        self.opponents = [row[:] for row in before.opponents]
        self.rests = [
            rests + sum(player in absent for absent in away) for player, rests in enumerate(before.rests)
        ]
        seats = sum((self.players - len(absent)) // 4 * 4 for absent in away)
        self.least = _PARTNER * least_squares(each_pair(self.partners), seats // 2)
        self.least += _OPPONENT * least_squares(each_pair(self.opponents), seats)
        self.rows: list[list[int]] = []
        self.seated: list[int] = []
        # Each player's position in each row; -1 if absent.
        self.places: list[list[int]] = []
        for absent in away:
            self._draw(absent)
        self.cost = _PARTNER * _squares(self.partners) + _OPPONENT * _squares(self.opponents)

    def run(self, budget: int) -> None:
        """Take up to `budget` steps."""
        cost, least = self.cost, self.least
        best, kept = cost, [row[:] for row in self.rows]
        heat, cooling = _HOT, (_COLD / _HOT) ** (1 / max(budget, 1))
        # A user waits for hundreds of thousands of steps, so they are inlined and names are local.
        chance, partners, opponents = self.random.random, self.partners, self.opponents
        rows = [(row, seats, len(row)) for row, seats in zip(self.rows, self.seated, strict=True)]
        rounds = len(rows)
        for _ in range(budget if best > least else 0):
            heat *= cooling
            number = int(chance() * rounds)
            row, seats, size = rows[number]
            one, other = int(chance() * seats), int(chance() * size)
            if other >= seats:
                change = self._step_out(number, one, other, heat)
            elif one >> 2 != other >> 2:
                # Swap two players of different tables.
                x, y = row[one], row[other]
                beside_x, beside_y = partners[row[one ^ 1]], partners[row[other ^ 1]]
                left, right = opponents[row[one ^ 2]], opponents[row[one ^ 3]]
                west, east = opponents[row[other ^ 2]], opponents[row[other ^ 3]]
                change = _PARTNER * (
                    beside_x[y] - beside_x[x] + beside_y[x] - beside_y[y] + 2
                ) + _OPPONENT * (
                    left[y] - left[x] + right[y] - right[x] + west[x] - west[y] + east[x] - east[y] + 4
                )
                if change > 0 and chance() >= exp(-change / heat):
                    continue
                self._replace(number, one, y)
                self._replace(number, other, x)
            elif one >> 1 != other >> 1:
                # Swap two opponents, which swaps partners.
                x, y, of_x, of_y = row[one], row[other], row[one ^ 1], row[other ^ 1]
                beside_x, beside_y = partners[of_x], partners[of_y]
                left, right = opponents[of_x], opponents[of_y]
                change = _PARTNER * (
                    beside_x[y] - beside_x[x] + beside_y[x] - beside_y[y] + 2
                ) + _OPPONENT * (left[x] - left[y] + right[y] - right[x] + 2)
                if change > 0 and chance() >= exp(-change / heat):
                    continue
                self._exchange(number, one, other)
            else:
                continue
            cost += change
            if cost < best:
                best, kept = cost, [row[:] for row in self.rows]
                if best <= least:
                    break
        self.rows = kept

    def answer(self) -> list[tuple[tuple[Table, ...], tuple[int, ...]]]:
        """Return the rows as tables and resting players."""
        return [
            (
                tuple(
                    ((row[seat], row[seat + 1]), (row[seat + 2], row[seat + 3]))
                    for seat in range(0, seats, 4)
                ),
                tuple(sorted(row[seats:])),
            )
            for row, seats in zip(self.rows, self.seated, strict=True)
        ]

    def _draw(self, absent: frozenset[int]) -> None:
        """Add a random row; those who have rested least sit out."""
        here = [player for player in range(self.players) if player not in absent]
        self.random.shuffle(here)
        seats = len(here) // 4 * 4
        here.sort(key=lambda player: -self.rests[player])
        row, out = here[:seats], here[seats:]
        self.random.shuffle(row)
        for player in out:
            self.rests[player] += 1
        for seat in range(0, seats, 4):
            a, c, b, d = row[seat : seat + 4]
            for counts, pairs in (
                (self.partners, ((a, c), (b, d))),
                (self.opponents, ((a, b), (a, d), (c, b), (c, d))),
            ):
                for first, second in pairs:
                    counts[first][second] += 1
                    counts[second][first] += 1
        self.rows.append(row + out)
        self.seated.append(seats)
        places = [-1] * self.players
        for place, player in enumerate(row + out):
            places[player] = place
        self.places.append(places)

    def _step_out(self, number: int, one: int, other: int, heat: float) -> int:
        """Swap a seated player with a resting one.

        Where that would unbalance their rests, the reverse swap is made in another round.
        """
        rests, row = self.rests, self.rows[number]
        x, y = row[one], row[other]
        apart = rests[y] - rests[x]
        if apart == 1:
            change = self._change(row, one, x, y)
            if change <= 0 or self.random.random() < exp(-change / heat):
                rests[x] += 1
                rests[y] -= 1
                self._replace(number, one, y)
                self._sit_out(number, other, x)
                return change
        elif apart == 0:
            # Another round with y at a table and x resting.
            again = int(self.random.random() * len(self.rows))
            back, seats = self.rows[again], self.seated[again]
            place = self.places[again][y]
            if again == number or seats == len(back) or not 0 <= place < seats:
                return 0
            out = seats + int(self.random.random() * (len(back) - seats))
            x = back[out]
            one = self.places[number][x]
            if not 0 <= one < self.seated[number]:
                return 0
            change = self._change(row, one, x, y) + self._change(back, place, y, x)
            # Players whom both meet in both rounds were counted twice.
            if row[one ^ 1] == back[place ^ 1]:
                change -= 2 * _PARTNER
            met = (back[place ^ 2], back[place ^ 3])
            change -= 2 * _OPPONENT * ((row[one ^ 2] in met) + (row[one ^ 3] in met))
            if change <= 0 or self.random.random() < exp(-change / heat):
                self._replace(number, one, y)
                self._sit_out(number, other, x)
                self._replace(again, place, x)
                self._sit_out(again, out, y)
                return change
        return 0

    def _change(self, row: list[int], seat: int, now: int, player: int) -> int:
        """Return the change in cost if `player`, from another table, takes the seat of `now`."""
        partner = self.partners[row[seat ^ 1]]
        left, right = self.opponents[row[seat ^ 2]], self.opponents[row[seat ^ 3]]
        return _PARTNER * (partner[player] - partner[now] + 1) + _OPPONENT * (
            left[player] + right[player] - left[now] - right[now] + 2
        )

    def _replace(self, number: int, seat: int, player: int) -> None:
        """Give a seat to a player of another table or to one who rests."""
        row, partners, opponents = self.rows[number], self.partners, self.opponents
        now, partner = row[seat], row[seat ^ 1]
        partners[now][partner] -= 1
        partners[partner][now] -= 1
        partners[player][partner] += 1
        partners[partner][player] += 1
        for opponent in (row[seat ^ 2], row[seat ^ 3]):
            opponents[now][opponent] -= 1
            opponents[opponent][now] -= 1
            opponents[player][opponent] += 1
            opponents[opponent][player] += 1
        row[seat] = player
        self.places[number][player] = seat

    def _exchange(self, number: int, one: int, other: int) -> None:
        """Swap two opponents of a table."""
        row, partners, opponents = self.rows[number], self.partners, self.opponents
        x, y, of_x, of_y = row[one], row[other], row[one ^ 1], row[other ^ 1]
        for first, second, more in ((of_x, y, 1), (of_y, x, 1), (of_x, x, -1), (of_y, y, -1)):
            partners[first][second] += more
            partners[second][first] += more
            opponents[first][second] -= more
            opponents[second][first] -= more
        row[one], row[other] = y, x
        self.places[number][x], self.places[number][y] = other, one

    def _sit_out(self, number: int, place: int, player: int) -> None:
        self.rows[number][place] = player
        self.places[number][player] = place


def _squares(counts: list[list[int]]) -> int:
    return sum(count * count for row in counts for count in row) // 2
