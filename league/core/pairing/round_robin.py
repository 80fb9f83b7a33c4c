"""Round robin, single or double, by the circle method.

One entry keeps its seat, the others sit in a ring and move on one place per round (É. Lucas, "Récréations
mathématiques" II, 1883, who credits F. Walecki; chess has the result as the Berger tables). With an odd
number of entries the fixed seat is empty, and whoever faces it has the bye.

The entry named first deals first, by D. de Werra's canonical order ("Scheduling in sports", 1981): at an odd
distance from the round's own place in the ring the entry ahead of it, at an even distance the one behind it;
the fixed seat alternates. So
- every entry is first and second equally often, or off by one if it plays an odd number of matches;
- in a single round robin nobody is first, or second, in three matches running.
"""

from dataclasses import dataclass

from league.core.pairing.errors import PairingError
from scoring.core.messages import mark


@dataclass(frozen=True, slots=True)
class PairedRound:
    """A round: `number` from 1, pairs of entries (the first deals first), and the entry with the bye."""

    number: int
    pairs: tuple[tuple[int, int], ...]
    bye: int | None = None


def schedule(n: int, double: bool = False) -> tuple[PairedRound, ...]:
    """Return the rounds for entries 0 … n − 1, which are positions in the caller's own list.

    n − 1 rounds for an even n, n rounds with one bye each for an odd n; twice as many for a double round
    robin, whose second half repeats the first with every pair reversed. Fewer than two entries are refused
    (`too_few_entries`).
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
