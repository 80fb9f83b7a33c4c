"""Rounds of tables of one size that are known to be even.

- **Nets**: n = k · t players in k groups of t, numbered by a ring in which k elements differ by units. In
  round r the tables are {(i, x + r · eᵢ)}: in t rounds everybody meets everybody of the other groups once, if
  every prime power that t is a product of is at least k (H. F. MacNeish, "Euler squares", Annals of
  Mathematics 23, 1922). Then each group plays by itself, as far as a design for t players goes in which
  nobody meets twice. For k = t, a prime power, that is one round, and makes an affine plane: in k + 1 rounds
  everybody meets everybody once.
- **Kirkman triple systems**: tables of three, everybody meets everybody once (T. P. Kirkman's schoolgirls,
  1850: 15 in seven rounds). Of 3q players, q = 6t + 1 a prime, by D. K. Ray-Chaudhuri and R. M. Wilson
  ("Solution of Kirkman's schoolgirl problem", 1971); nets make 9, 27, 45, 63, … of smaller ones.
- **Whist tournaments** (`whist_starters`): tables of four, 4m or 4m + 1 players; partners or opponents,
  everybody meets everybody three times.
- **Near resolvable designs**: q players, q = k · m + 1 a prime, one of whom rests in each round. The tables
  are the cosets of the k-th roots of one; in q rounds everybody rests once and meets everybody k − 1 times.
- **Starters**: n players, the last of whom stays in place while 1 is added to the others, modulo n − 1. In
  n − 1 rounds everybody meets everybody k − 1 times, if every difference occurs as often at the tables.
- **One table**: with fewer than two tables of players every choice of who plays, each once.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product
from math import comb
from typing import Final

from league.core.pairing.table_rounds import Table
from league.core.pairing.whist_starters import cycle_length, first_rounds, is_prime, is_whist, powers_of_root

Tables = tuple[Table, ...]
Design = tuple[Tables, ...]

# Coefficients of the power of x that is reduced, lowest first: x² = x + 1 over two elements, and so on.
_FIELDS: Final = {
    4: (2, (1, 1)),
    8: (2, (1, 1, 0)),
    9: (3, (2, 0)),
    16: (2, (1, 1, 0, 0)),
    25: (5, (3, 0)),
    27: (3, (2, 1, 0)),
    32: (2, (1, 0, 1, 0, 0)),
    49: (7, (6, 0)),
}
# Seven pairs, (x, 0) being x and (x, 1) being 7 + x, and 14, who stays in place; found by backtracking.
_SCHOOLGIRLS: Final = ((0, 7, 14), (1, 2, 4), (3, 8, 12), (5, 11, 13), (6, 9, 10))
# By players and size of tables; found by annealing over the first round.
_STARTERS: Final = {
    (12, 3): "0-4-9 1-2-11 3-5-8 6-7-10",
    (18, 3): "0-6-7 1-10-15 2-11-13 3-4-8 5-9-12 14-16-17",
    (24, 3): "0-8-13 1-2-9 3-16-22 4-6-15 5-17-21 7-10-12 11-14-20 18-19-23",
    (30, 3): "0-6-10 1-13-16 2-11-24 3-20-25 4-12-14 5-8-9 7-21-23 15-26-29 17-22-28 18-19-27",
    (20, 5): "0-1-6-10-17 2-5-7-13-14 3-4-8-16-18 9-11-12-15-19",
    (12, 6): "0-2-5-9-10-11 1-3-4-6-7-8",
}
# More rounds of one table than anybody plays are not listed.
_MOST_CHOICES: Final = 100


@cache
def designs(n: int, size: int) -> tuple[Design, ...]:
    """Return the designs known for n players at tables of one size; those first where nobody meets twice.

    There are as many tables in each round as can be; who is at none of them rests.
    """
    if size <= n < 2 * size:
        found = [_one_table(n, size)]
    elif n % size == 0:
        found = [(_kirkman(n) if size == 3 else None) or _net(n, size), _started(n, size)]
    elif n % size == 1:
        found = [_near_resolvable(n, size) if is_prime(n) else None]
    else:
        found = []
    if size == 4 and is_whist(n):
        found.append(_whist(n))
    return tuple(each for each in found if each)


def _one_table(n: int, size: int) -> Design | None:
    if comb(n, size) > _MOST_CHOICES:
        return None
    return tuple((chosen,) for chosen in combinations(range(n), size))


def _net(n: int, size: int) -> Design | None:
    t = n // size
    powers = _prime_powers(t)
    if any(power < size or not (power in _FIELDS or is_prime(power)) for power in powers):
        return None
    ring = [_Field(power) for power in powers]
    elements = list(product(*(range(field.order) for field in ring)))
    number = {element: place for place, element in enumerate(elements)}

    def at(group: int, x: Sequence[int], r: Sequence[int]) -> int:
        moved = tuple(field.add(a, field.times(b, group)) for field, a, b in zip(ring, x, r, strict=True))
        return group * t + number[moved]

    rounds = [tuple(tuple(at(group, x, r) for group in range(size)) for x in elements) for r in elements]
    for within in designs(t, size)[:1] if t % size == 0 else ():
        for tables in _as_long_as_new(within):
            rounds.append(
                tuple(
                    tuple(group * t + player for player in table) for group in range(size) for table in tables
                )
            )
    return tuple(rounds)


def _as_long_as_new(rounds: Design) -> Iterator[Tables]:
    """Yield rounds until two would meet again."""
    met: set[tuple[int, int]] = set()
    for tables in rounds:
        now = {pair for table in tables for pair in combinations(sorted(table), 2)}
        if met & now:
            return
        met |= now
        yield tables


def _kirkman(n: int) -> Design | None:
    if n == 15:
        moves = [
            [*((x + by) % 7 for x in range(7)), *(7 + (x + by) % 7 for x in range(7)), 14] for by in range(7)
        ]
        return tuple(tuple(tuple(move[x] for x in table) for table in _SCHOOLGIRLS) for move in moves)
    q = n // 3
    if q % 6 != 1 or not is_prime(q):
        return None
    t, root = q // 6, powers_of_root(q)
    mixed = [tuple((root[(i + 2 * t * j) % (q - 1)], j) for j in range(3)) for i in range(6 * t)]
    base = [tuple((0, j) for j in range(3))]
    base += [tuple((root[i + 2 * t * power], j) for power in range(3)) for i in range(t) for j in range(3)]
    base += [table for i, table in enumerate(mixed) if i // t % 2]
    rounds = [tuple(_moved(table, by, q) for table in base) for by in range(q)]
    rounds += [
        tuple(_moved(table, by, q) for by in range(q)) for i, table in enumerate(mixed) if not i // t % 2
    ]
    return tuple(rounds)


def _moved(table: Sequence[tuple[int, int]], by: int, q: int) -> Table:
    return tuple(j * q + (x + by) % q for x, j in table)


def _near_resolvable(q: int, size: int) -> Design:
    root, m = powers_of_root(q), q // size
    base = [[root[i + m * j] for j in range(size)] for i in range(m)]
    return tuple(tuple(tuple((x + by) % q for x in table) for table in base) for by in range(q))


def _whist(n: int) -> Design:
    return tuple(
        tuple((a, b, c, d) for (a, c), (b, d) in tables) for tables in first_rounds(n, cycle_length(n))
    )


def _started(n: int, size: int) -> Design | None:
    words = _STARTERS.get((n, size))
    if words is None:
        return None
    base = [[int(player) for player in table.split("-")] for table in words.split()]
    return tuple(
        tuple(tuple(x if x == n - 1 else (x + by) % (n - 1) for x in table) for table in base)
        for by in range(n - 1)
    )


class _Field:
    """The field of a prime power; its elements are numbers, whose digits to the base p are coefficients."""

    def __init__(self, order: int) -> None:
        self.order = order
        self.p, self.reduced = _FIELDS.get(order, (order, ()))

    def add(self, a: int, b: int) -> int:
        if not self.reduced:
            return (a + b) % self.p
        return self._number([(x + y) % self.p for x, y in zip(self._digits(a), self._digits(b), strict=True)])

    def times(self, a: int, b: int) -> int:
        if not self.reduced:
            return a * b % self.p
        total, power = [0] * len(self.reduced), self._digits(a)
        for digit in self._digits(b):
            total = [(x + digit * y) % self.p for x, y in zip(total, power, strict=True)]
            over = power[-1]
            power = [(x + over * y) % self.p for x, y in zip([0, *power[:-1]], self.reduced, strict=True)]
        return self._number(total)

    def _digits(self, a: int) -> list[int]:
        return [a // self.p**i % self.p for i in range(len(self.reduced))]

    def _number(self, digits: Sequence[int]) -> int:
        return sum(digit * self.p**i for i, digit in enumerate(digits))


def _prime_powers(n: int) -> list[int]:
    """Return the prime powers that n is a product of, each of another prime."""
    powers, p = [], 2
    while n > 1:
        power = 1
        while n % p == 0:
            n //= p
            power *= p
        if power > 1:
            powers.append(power)
        p += 1
    return powers
