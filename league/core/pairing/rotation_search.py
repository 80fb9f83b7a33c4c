"""The most even rounds that a search finds: simulated annealing over who sits where.

(S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, "Optimization by simulated annealing", Science 220, 1983.) A step
proposes that two change places in a round. What counts is the sum of squares of how often any two are
partners, weighed three times, and opponents; a change for the better is made, one for the worse the more
rarely the worse it is and the later it comes. Who sits out is balanced to begin with and stays so.

The best found is kept. It ends where nothing could be more even, or after as many steps as were allowed: by
a count, never by a clock, so that the same seed gives the same rounds on any machine.
"""

from collections.abc import Sequence
from itertools import combinations
from math import exp
from random import Random
from typing import Final

from league.core.pairing.movements import Meetings, Table

# Twice the weights: adding one to k, and taking one from l, changes the sum of squares by 2 (k − l + 1).
_PARTNER: Final = 6
_OPPONENT: Final = 2
# Hot enough to undo a second meeting of opponents, then so cold that next to nothing gets worse.
_HOT: Final = 1.5
_COLD: Final = 0.15


def most_even(
    before: Meetings, away: Sequence[frozenset[int]], *, seed: int | str, budget: int
) -> list[tuple[tuple[Table, ...], tuple[int, ...]]]:
    """Rounds, one for each of `away` (who is not there): tables and who sits out, the most even it finds.

    `before` is what was, and counts; it is left as it is. At least four are there in each round. `budget` is
    how many steps it may take.
    """
    search = _Search(before, away, Random(seed))  # noqa: S311 — a search that can be made again
    search.run(budget)
    return search.answer()


class _Search:
    """Rows of players, one for each round: four to a table, partners side by side; then who sits out."""

    def __init__(self, before: Meetings, away: Sequence[frozenset[int]], random: Random) -> None:
        self.random = random
        self.players = before.players
        self.partners = [row[:] for row in before.partners]
        self.opponents = [row[:] for row in before.opponents]
        self.rests = [
            rests + sum(player in absent for absent in away) for player, rests in enumerate(before.rests)
        ]
        seats = sum((self.players - len(absent)) // 4 * 4 for absent in away)
        self.least = _PARTNER * self._least(self.partners, seats // 2) + _OPPONENT * self._least(
            self.opponents, seats
        )
        self.rows: list[list[int]] = []
        self.seated: list[int] = []
        # Where each player is in each row; -1 where he is away.
        self.places: list[list[int]] = []
        for absent in away:
            self._draw(absent)
        self.cost = _PARTNER * _squares(self.partners) + _OPPONENT * _squares(self.opponents)

    def run(self, budget: int) -> None:
        """Takes the steps."""
        cost, least = self.cost, self.least
        best, kept = cost, [row[:] for row in self.rows]
        heat, cooling = _HOT, (_COLD / _HOT) ** (1 / max(budget, 1))
        # Somebody waits for hundreds of thousands of steps: they are written out here, and names are local.
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
                # Two of different tables change places.
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
                # Two opponents change places, and so partners.
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
        """The rows as tables, and who sits out."""
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
        """Adds a row by lot; those who have rested least sit out."""
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
        """Somebody at a table changes with somebody who sits out.

        Where that would unbalance how often they sit out, they change the other way in another round.
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
            # Another round in which y is at a table, and x sits out.
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
            # Whom both meet in both rounds has been counted twice.
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
        """What it changes in the cost if `player`, of another table, takes the seat of `now`."""
        partner = self.partners[row[seat ^ 1]]
        left, right = self.opponents[row[seat ^ 2]], self.opponents[row[seat ^ 3]]
        return _PARTNER * (partner[player] - partner[now] + 1) + _OPPONENT * (
            left[player] + right[player] - left[now] - right[now] + 2
        )

    def _replace(self, number: int, seat: int, player: int) -> None:
        """Gives a seat at a table to a player of another table, or to one who sits out."""
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
        """Two opponents of a table change places."""
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

    def _least(self, counts: list[list[int]], more: int) -> int:
        """The least sum of squares that `more` further meetings can lead to: they fill the lowest first."""
        tally: dict[int, int] = {}
        for one, other in combinations(range(self.players), 2):
            times = counts[one][other]
            tally[times] = tally.get(times, 0) + 1
        level = min(tally)
        while more:
            lifted = min(tally.get(level, 0), more)
            tally[level] = tally.get(level, 0) - lifted
            tally[level + 1] = tally.get(level + 1, 0) + lifted
            more -= lifted
            level += 1
        return sum(pairs * times * times for times, pairs in tally.items())


def _squares(counts: list[list[int]]) -> int:
    return sum(count * count for row in counts for count in row) // 2
