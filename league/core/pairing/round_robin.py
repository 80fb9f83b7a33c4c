"""Everybody meets everybody, once or twice.

The circle method: one entry keeps its seat, the others sit in a ring and move on by one place each round.
(É. Lucas, "Récréations mathématiques" II, 1883, who credits F. Walecki; chess knows its result as the Berger
tables.) An odd number of entries leaves the fixed seat empty, and whoever faces it has the bye.

Who is named first deals first. D. de Werra's canonical order ("Scheduling in sports", 1981) says who that is:
at an odd distance from the round's own place in the ring the entry ahead of it, at an even distance the one
behind it; the fixed seat takes turns. So
- every entry is first and second equally often, or off by one where it plays an odd number of matches;
- in a single round robin nobody is first, or second, three matches running.
"""

from dataclasses import dataclass

from league.core.pairing.errors import PairingError
from scoring.core.messages import mark


@dataclass(frozen=True, slots=True)
class PairedRound:
    """A round: `number` from 1, pairs of entries (the first named deals first), the entry with the bye."""

    number: int
    pairs: tuple[tuple[int, int], ...]
    bye: int | None = None


def schedule(n: int, double: bool = False) -> tuple[PairedRound, ...]:
    """The rounds for `n` entries, which are named 0 … n − 1: places in the caller's own list.

    n − 1 rounds for an even n, n rounds with one bye each for an odd n; twice as many for a double round
    robin, whose second half repeats the first with every pair turned over. Fewer than two entries are
    refused (`too_few_entries`).
    """
    if n < 2:
        raise PairingError(
            "too_few_entries", mark("A round robin needs at least 2 entries, not %(n)s.", n=n), field="n"
        )
    single = tuple(_round(n, index) for index in range(n - 1 if n % 2 == 0 else n))
    if not double:
        return single
    return single + tuple(
        PairedRound(
            len(single) + each.number, tuple((second, first) for first, second in each.pairs), each.bye
        )
        for each in single
    )


def _round(n: int, index: int) -> PairedRound:
    ring = n - 1 if n % 2 == 0 else n
    pairs: list[tuple[int, int]] = []
    bye: int | None = None
    if ring == n:
        bye = index
    else:
        pairs.append((index, ring) if index % 2 == 0 else (ring, index))
    for distance in range(1, ring // 2 + 1):
        ahead, behind = (index + distance) % ring, (index - distance) % ring
        pairs.append((ahead, behind) if distance % 2 == 1 else (behind, ahead))
    return PairedRound(index + 1, tuple(pairs), bye)
