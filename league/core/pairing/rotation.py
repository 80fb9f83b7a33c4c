"""Individual play at four-player tables: partners rotate and everyone keeps their own score.

In a full cycle everyone partners everyone once and opposes everyone twice, for 4n and 4n + 1 players up to 45
(`whist_starters`). For fewer rounds, the first rounds of a cycle and the result of a search
(`rotation_search`) are compared and the more even taken. For other numbers of players, and where players come
late, leave, or miss rounds, only the search is used. The answer says how uneven it is (`Unevenness`).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from league.core.pairing.errors import PairingError
from league.core.pairing.movements import Meetings, Movement, MovementRound, Unevenness
from league.core.pairing.rotation_search import most_even
from league.core.pairing.rotation_seats import seated, spread_rests
from league.core.pairing.whist_starters import cycle_length, first_rounds, has_cycle, is_whist
from scoring.core.messages import mark

MOST_PLAYERS: Final = 512
MOST_TABLES: Final = 10_000
BUDGET: Final = 600_000


def schedule(
    n: int,
    rounds: int | None = None,
    *,
    history: Sequence[MovementRound] = (),
    away: Mapping[int, Collection[int]] | None = None,
    seed: int | str = 0,
    budget: int | None = None,
) -> Movement:
    """Return a movement for players 0 … n − 1: `rounds` rounds, or a full cycle without `rounds`.

    `history` are rounds already played: their meetings count, the new rounds continue their numbers, and
    numbers beyond n are players who have left. `away` maps round numbers to absent players. A search takes
    `budget` steps (default `BUDGET`), drawn from `seed`: the same arguments give the same movement.

    Refused: fewer than four players, in any round (`too_few_players`), more than `MOST_PLAYERS`
    (`too_many_players`), no round (`out_of_range`), more than `MOST_TABLES` tables (`too_many_tables`).
    """
    whole = _check(n, rounds)
    start = len(history) + 1
    missing = [frozenset((away or {}).get(number, ())) for number in range(start, start + whole)]
    for number, absent in enumerate(missing, start=start):
        if n - len(absent) < 4:
            raise PairingError(
                "too_few_players",
                mark(
                    "A table has four players, and in round %(number)s only %(n)s are there.",
                    number=number,
                    n=n - len(absent),
                ),
                field="away",
            )
    plans = _plans(n, history, missing, seed=seed, budget=BUDGET if budget is None else budget)
    best = min(plans, key=lambda plan: _unevenness(n, history, plan).key)
    if not any(missing):
        best = spread_rests(best)
    made = seated(best, history)
    return Movement(n, made, _unevenness(n, history, made))


def _check(n: int, rounds: int | None) -> int:
    if n < 4:
        raise PairingError(
            "too_few_players", mark("A table has four players, and there are %(n)s.", n=n), field="n"
        )
    if n > MOST_PLAYERS:
        raise PairingError(
            "too_many_players",
            mark("A movement has at most %(most)s players, not %(n)s.", most=MOST_PLAYERS, n=n),
            field="n",
        )
    if rounds is not None and rounds < 1:
        raise PairingError(
            "out_of_range",
            mark("A movement has at least one round, not %(rounds)s.", rounds=rounds),
            field="rounds",
        )
    whole = cycle_length(n) if rounds is None else rounds
    if (tables := n // 4 * whole) > MOST_TABLES:
        raise PairingError(
            "too_many_tables",
            mark(
                "%(whole)s rounds of %(n)s players are %(tables)s tables; one movement has at most "
                "%(most)s. Ask for fewer rounds.",
                whole=whole,
                n=n,
                tables=tables,
                most=MOST_TABLES,
            ),
            field="rounds",
        )
    return whole


def _plans(
    n: int,
    history: Sequence[MovementRound],
    missing: Sequence[frozenset[int]],
    *,
    seed: int | str,
    budget: int,
) -> Iterator[list[MovementRound]]:
    """Yield candidate movements; stops after one that cannot be improved."""
    begun: list[MovementRound] = []
    if not history and not any(missing) and has_cycle(n):
        prefix = [_round(n, tables) for tables in first_rounds(n, len(missing))]
        yield prefix
        if _unevenness(n, (), prefix).is_least:
            return
        if is_whist(n):
            begun = prefix[: len(missing) // cycle_length(n) * cycle_length(n)]
    before = Meetings(n, [*history, *begun])
    found = most_even(before, missing[len(begun) :], seed=seed, budget=budget)
    yield [*begun, *(MovementRound(0, tables, out) for tables, out in found)]


def _round(n: int, tables: Sequence[tuple[tuple[int, int], tuple[int, int]]]) -> MovementRound:
    at_tables = {player for table in tables for pair in table for player in pair}
    return MovementRound(0, tuple(tables), tuple(player for player in range(n) if player not in at_tables))


def _unevenness(n: int, history: Sequence[MovementRound], rounds: Sequence[MovementRound]) -> Unevenness:
    return Unevenness.of(Meetings(n, [*history, *rounds]))
