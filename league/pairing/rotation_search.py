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

from league.pairing.movements import Meetings, Table

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
        for absent in away:
            self._draw(absent)
        self.cost = _PARTNER * _squares(self.partners) + _OPPONENT * _squares(self.opponents)

    def run(self, budget: int) -> None:
        """Takes the steps."""
        best, kept = self.cost, [row[:] for row in self.rows]
        heat, cooling = _HOT, (_COLD / _HOT) ** (1 / max(budget, 1))
        chance, rows, seated = self.random.random, self.rows, self.seated
        for _ in range(budget):
            if best <= self.least:
                break
            heat *= cooling
            number = int(chance() * len(rows))
            row, seats = rows[number], seated[number]
            one, other = int(chance() * seats), int(chance() * len(row))
            if other >= seats:
                self._step_out(number, one, other, heat)
            elif one >> 2 != other >> 2:
                self._step_across(row, one, other, heat)
            elif one >> 1 != other >> 1:
                self._step_at_table(row, one, other, heat)
            if self.cost < best:
                best, kept = self.cost, [row[:] for row in rows]
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

    def _step_across(self, row: list[int], one: int, other: int, heat: float) -> None:
        """Two of different tables change places."""
        x, y = row[one], row[other]
        change = self._change(row, one, y) + self._change(row, other, x)
        if change <= 0 or self.random.random() < exp(-change / heat):
            self._replace(row, one, y)
            self._replace(row, other, x)
            self.cost += change

    def _step_at_table(self, row: list[int], one: int, other: int, heat: float) -> None:
        """Two opponents change places, and so partners."""
        x, y, of_x, of_y = row[one], row[other], row[one ^ 1], row[other ^ 1]
        partners, opponents = self.partners, self.opponents
        change = _PARTNER * (
            partners[of_x][y] - partners[of_x][x] + partners[of_y][x] - partners[of_y][y] + 2
        ) + _OPPONENT * (
            opponents[of_x][x] - opponents[of_x][y] + opponents[of_y][y] - opponents[of_y][x] + 2
        )
        if change <= 0 or self.random.random() < exp(-change / heat):
            for first, second, more in ((of_x, y, 1), (of_y, x, 1), (of_x, x, -1), (of_y, y, -1)):
                partners[first][second] += more
                partners[second][first] += more
                opponents[first][second] -= more
                opponents[second][first] -= more
            row[one], row[other] = y, x
            self.cost += change

    def _step_out(self, number: int, one: int, other: int, heat: float) -> None:
        """Somebody at a table changes with somebody who sits out.

        Where that would unbalance how often they sit out, they change the other way in another round.
        """
        rests, row = self.rests, self.rows[number]
        x, y = row[one], row[other]
        apart = rests[y] - rests[x]
        if apart == 0:
            found = self._round_for_return(number, y)
            if found is None:
                return
            back, place, x = found
            if x not in row[: self.seated[number]]:
                return
            one = row.index(x)
        elif apart != 1:
            return
        change = self._change(row, one, y)
        self._replace(row, one, y)
        row[other] = x
        if apart == 0:
            change += self._change(back, place, x)
            self._replace(back, place, x)
            back[back.index(x, place + 1)] = y
        if change <= 0 or self.random.random() < exp(-change / heat):
            rests[x] += apart
            rests[y] -= apart
            self.cost += change
            return
        if apart == 0:
            self._replace(back, place, y)
            back[back.index(y, place + 1)] = x
        self._replace(row, one, x)
        row[other] = y

    def _round_for_return(self, number: int, player: int) -> tuple[list[int], int, int] | None:
        """Another round in which the player is at a table: its row, his seat there, and who sits out."""
        other = int(self.random.random() * len(self.rows))
        row, seats = self.rows[other], self.seated[other]
        if other == number or seats == len(row) or player not in row[:seats]:
            return None
        return row, row.index(player), row[seats + int(self.random.random() * (len(row) - seats))]

    def _change(self, row: list[int], seat: int, player: int) -> int:
        """What it changes in the cost if `player`, of another table, takes the seat."""
        now = row[seat]
        partner, first = row[seat ^ 1], (seat ^ 2) & ~1
        met, played = self.opponents[player], self.opponents[now]
        left, right = row[first], row[first + 1]
        return _PARTNER * (self.partners[player][partner] - self.partners[now][partner] + 1) + _OPPONENT * (
            met[left] + met[right] - played[left] - played[right] + 2
        )

    def _replace(self, row: list[int], seat: int, player: int) -> None:
        now = row[seat]
        partner, first = row[seat ^ 1], (seat ^ 2) & ~1
        partners, opponents = self.partners, self.opponents
        partners[now][partner] -= 1
        partners[partner][now] -= 1
        partners[player][partner] += 1
        partners[partner][player] += 1
        for opponent in (row[first], row[first + 1]):
            opponents[now][opponent] -= 1
            opponents[opponent][now] -= 1
            opponents[player][opponent] += 1
            opponents[opponent][player] += 1
        row[seat] = player

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
