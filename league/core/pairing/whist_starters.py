"""Cycles of rotating partners: starters, each developed into all its rounds.

A **starter** is the tables of one round; adding 1 to every player repeatedly, modulo m, gives the others. If
all differences between partners are distinct, nobody has a partner twice; if each difference between
opponents occurs twice, everyone opposes everyone twice.

- 4n + 1 players: modulo 4n + 1, one player rests in each round. For a prime the tables are (wⁱ, wⁱ⁺²ⁿ) v
  (wⁱ⁺ⁿ, wⁱ⁺³ⁿ), i < n, with w a primitive root; for 9 the same in the field of nine elements, where each
  element is added once instead.
- 4n players: modulo 4n − 1; the last player keeps their place while the others move on.
- 4n + 2 and 4n + 3 players: modulo their own number, two or three rest in each round. No whist tournament
  exists; each partnership occurs at most once, each opposition once or twice.

The first two kinds are **whist tournaments** (E. H. Moore, "Tactical memoranda", 1896; I. Anderson,
"Combinatorial Designs and Tournaments", 1997): everyone partners everyone once and opposes everyone twice.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Final

Table = tuple[tuple[int, int], tuple[int, int]]

# Written a-c:b-d for a and c against b and d; with 4n players the last one stays in place. Found by
# backtracking: the smallest unseated player gets a partner and two opponents in random order, as long as no
# difference occurs too often, with a restart after 20,000 steps. Compiled, that takes up to a second for 31
# players and three minutes for 45.
_STARTERS: Final = {
    4: "3-0:2-1",
    6: "0-2:3-4",
    7: "0-1:4-6",
    8: "7-3:4-6 0-1:5-2",
    10: "0-4:6-9 1-2:3-5",
    11: "0-9:2-3 1-6:4-7",
    12: "11-3:7-4 0-6:5-9 1-2:8-10",
    14: "0-9:7-3 1-4:13-5 6-8:12-11",
    15: "0-10:8-4 1-13:6-14 2-11:7-5",
    16: "15-12:14-6 0-1:11-8 2-7:5-3 4-10:13-9",
    18: "0-6:11-16 1-5:9-2 7-15:13-12 8-10:17-14",
    19: "0-13:5-9 1-2:10-8 3-12:7-15 11-16:17-14",
    20: "19-11:3-14 0-1:7-2 4-16:12-18 5-15:9-6 8-10:17-13",
    21: "1-4:17-15 2-10:13-9 3-12:8-18 5-19:7-6 11-16:20-14",
    22: "0-1:13-19 2-5:12-10 3-8:14-4 6-15:21-7 11-18:20-16",
    23: "0-9:21-11 1-16:6-8 2-18:19-22 3-20:12-17 4-15:10-14",
    24: "23-18:0-20 1-3:14-13 2-8:17-9 4-16:21-12 5-10:11-7 6-19:15-22",
    25: "1-24:11-6 2-14:18-19 3-21:20-5 4-10:8-22 7-16:13-17 9-12:15-23",
    26: "0-20:4-5 1-6:14-2 3-18:23-15 7-16:9-13 8-10:17-24 11-21:19-22",
    27: "0-13:3-2 1-24:15-10 4-20:25-5 6-16:9-12 7-22:14-23 11-17:19-21",
    28: "27-18:16-8 0-13:2-20 1-22:14-17 3-4:21-25 5-15:11-6 7-23:19-26 9-24:10-12",
    30: "0-13:6-9 1-21:23-5 2-26:20-19 3-28:11-18 4-25:22-14 8-24:10-29 12-16:17-15",
    31: "0-30:6-19 1-17:2-22 3-11:24-28 4-10:5-8 7-9:18-25 12-29:15-20 14-23:16-26",
    32: "31-3:4-6 0-10:20-17 1-2:19-25 5-14:11-16 7-18:23-30 8-27:12-29 9-24:15-28 13-21:22-26",
    33: "1-27:19-7 2-20:30-26 3-23:10-12 4-29:18-8 5-21:31-22 6-28:24-25 9-15:17-14 11-16:13-32",
    34: "0-27:28-26 1-23:3-14 2-21:19-25 4-24:13-31 5-6:9-18 7-20:17-12 8-16:22-32 11-15:30-33",
    35: "0-11:34-2 1-22:13-33 3-20:17-24 4-31:15-21 5-14:32-27 6-7:8-12 9-25:19-29 10-23:18-30",
    36: "35-9:33-31 0-1:21-2 3-15:10-5 4-26:16-34 6-12:32-28 7-27:13-24 8-29:17-25 11-18:22-19 14-23:20-30",
    38: "0-10:29-36 1-21:15-16 2-24:9-32 3-27:25-23 4-30:5-13 6-19:22-33 7-11:17-12 8-37:26-20 18-35:28-31",
    39: "0-36:33-3 1-21:17-35 2-18:10-9 4-16:31-14 5-12:24-22 6-11:20-7 8-37:26-30 13-28:15-29 19-27:32-38",
    40: "39-26:13-36 0-1:10-28 2-7:20-11 3-6:37-9 4-29:5-18 "
    "8-23:30-22 12-24:31-27 14-21:33-16 15-34:32-38 17-19:35-25",
    42: "0-7:3-19 1-16:28-5 2-34:11-35 4-37:17-22 6-8:30-13 "
    "9-15:26-25 10-14:24-12 18-38:32-21 20-33:41-27 23-31:36-39",
    43: "0-25:21-2 1-33:6-14 3-5:32-28 4-11:39-16 7-20:42-26 "
    "8-36:19-18 9-12:10-22 13-27:24-41 17-38:34-29 30-40:37-31",
    44: "43-22:8-41 0-16:6-29 1-37:28-33 2-21:20-42 3-34:39-26 4-18:35-9 "
    "5-30:15-7 10-19:11-13 12-40:23-24 14-17:32-36 25-31:38-27",
    45: "1-15:37-7 2-22:16-21 3-42:20-32 4-36:23-44 5-34:25-17 6-9:10-33 "
    "8-12:19-26 11-39:43-41 13-31:38-28 14-40:35-24 18-27:29-30",
}


def cycle_length(players: int) -> int:
    """Return the number of rounds of a full cycle, whether or not one is known."""
    return players - 1 if players % 4 == 0 else players


def is_whist(players: int) -> bool:
    """True if a whist tournament is known for this number of players."""
    return players % 4 < 2 and has_cycle(players)


def has_cycle(players: int) -> bool:
    """True if a cycle is known: up to 45 players, and for primes of the form 4n + 1."""
    return players in _STARTERS or players == 9 or (players % 4 == 1 and is_prime(players))


def first_rounds(players: int, count: int) -> Iterator[tuple[Table, ...]]:
    """Yield `count` rounds of the cycle, repeating it if shorter; players are 0 … n − 1."""
    tables = _starter(players)
    for index in range(count):
        move = _move(players, index % cycle_length(players))
        yield tuple(((move(a), move(c)), (move(b), move(d))) for (a, c), (b, d) in tables)


@cache
def _starter(players: int) -> tuple[Table, ...]:
    if players in _STARTERS:
        return tuple(_read(words) for words in _STARTERS[players].split())
    powers = _powers_of_nine() if players == 9 else powers_of_root(players)
    quarter = players // 4
    return tuple(
        (
            (powers[first], powers[first + 2 * quarter]),
            (powers[first + quarter], powers[first + 3 * quarter]),
        )
        for first in range(quarter)
    )


def _move(players: int, step: int) -> Callable[[int], int]:
    if players == 9:
        return lambda player: (player // 3 + step // 3) % 3 * 3 + (player % 3 + step % 3) % 3
    if players % 4 == 0:
        return lambda player: player if player == players - 1 else (player + step) % (players - 1)
    return lambda player: (player + step) % players


def _read(words: str) -> Table:
    first, second = words.split(":")
    a, c = first.split("-")
    b, d = second.split("-")
    return (int(a), int(c)), (int(b), int(d))


def powers_of_root(prime: int) -> list[int]:
    """Return all powers of the smallest primitive root of a prime above 2, from the power 0."""
    for root in range(2, prime):
        powers = [1]
        while (power := powers[-1] * root % prime) != 1:
            powers.append(power)
        if len(powers) == prime - 1:
            return powers
    raise AssertionError(f"{prime} is no prime above 2")


def _powers_of_nine() -> list[int]:
    """Return the powers of 1 + i, where i² = −1 and 3 = 0; x + yi is written x + 3y."""
    x, y = 1, 0
    powers = []
    for _ in range(8):
        powers.append(x + 3 * y)
        x, y = (x - y) % 3, (x + y) % 3
    return powers


def is_prime(number: int) -> bool:
    """True if a number is a prime."""
    return number > 1 and all(number % factor for factor in range(2, int(number**0.5) + 1))
