"""Events at tables of three to six: everybody meets everybody as evenly as can be.

Where a design is known for so many players (`table_designs`), its first rounds are even, or whole cycles of
it are exact. Otherwise, and where they come late, leave, or miss rounds, rounds are searched for
(`table_search`); where both can be, the more even is taken. The answer says how uneven they are
(`TableUnevenness`): rests count before meetings, these before seats.

Who is to be kept apart meets in no round where that is found to be possible: a design has its players named
anew until they do not meet in it (`_NAMINGS` times at most), and in a search such a meeting weighs more than
all others. Nobody rests more for it. Rounds in which they have to meet are the last.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Final

from league.core.pairing.errors import PairingError
from league.core.pairing.rotation_seats import spread_rests
from league.core.pairing.table_designs import designs
from league.core.pairing.table_rounds import (
    TableMeetings,
    TableRound,
    TableSchedule,
    TableUnevenness,
    kept_apart,
    not_apart,
)
from league.core.pairing.table_search import most_even_tables
from league.core.pairing.table_seats import table_seats
from league.core.pairing.table_sizes import table_sizes
from scoring.core.messages import mark

MOST_TABLES: Final = 10_000
BUDGET: Final = 150_000
_NAMINGS: Final = 200


def schedule(
    n: int,
    rounds: int,
    *,
    fewest: int,
    most: int,
    usual: int,
    history: Sequence[TableRound] = (),
    away: Mapping[int, Collection[int]] | None = None,
    apart: Iterable[tuple[int, int]] = (),
    seed: int | str = 0,
    budget: int | None = None,
) -> TableSchedule:
    """Return so many rounds for players 0 … n − 1 at tables of `fewest` to `most`, most of them `usual`.

    `history` are rounds already played: their meetings count, the new rounds continue their numbers, and
    numbers beyond n are players who have left. `away` maps round numbers to absent players. The pairs `apart`
    do not meet, as far as is found. A search takes `budget` steps (default `BUDGET`), drawn from `seed`: the
    same arguments give the same rounds.

    Refused: a player kept apart from themselves (`same_entry`), no round (`out_of_range`), more than
    `MOST_TABLES` tables (`too_many_tables`), fewer people in a round than a table needs (`too_few_players`),
    and what `table_sizes` refuses.
    """
    if rounds < 1:
        raise PairingError(
            "out_of_range",
            mark("There is at least one round, not %(rounds)s.", rounds=rounds),
            field="rounds",
        )
    usually = table_sizes(n, fewest, most, usual)
    if (tables := len(usually) * rounds) > MOST_TABLES:
        raise PairingError(
            "too_many_tables",
            mark(
                "%(rounds)s rounds of %(n)s players are %(tables)s tables, and there are at most %(most)s. "
                "Ask for fewer rounds.",
                rounds=rounds,
                n=n,
                tables=tables,
                most=MOST_TABLES,
            ),
            field="rounds",
        )
    start = len(history) + 1
    missing = [
        frozenset((away or {}).get(number, ())) & frozenset(range(n))
        for number in range(start, start + rounds)
    ]
    for number, absent in enumerate(missing, start=start):
        if n - len(absent) < fewest:
            raise PairingError(
                "too_few_players",
                mark(
                    "A table has at least %(fewest)s players, and in round %(number)s only %(n)s are there.",
                    fewest=fewest,
                    number=number,
                    n=n - len(absent),
                ),
                field="away",
            )
    sizes = [table_sizes(n - len(absent), fewest, most, usual) if absent else usually for absent in missing]
    steps = BUDGET if budget is None else budget
    pairs = kept_apart(apart, range(n))

    def meeting(each: TableRound) -> int:
        return len(not_apart(each.tables, pairs))

    plans = _plans(n, history, missing, sizes, pairs, seed=seed, budget=steps)
    best = min(
        plans,
        key=lambda plan: (sum(map(meeting, plan)), TableUnevenness.of(n, [*history, *plan]).key[:3]),
    )
    if not any(missing):
        best = sorted(spread_rests(best), key=meeting)
    made = table_seats(n, best, history)
    return TableSchedule(n, made, TableUnevenness.of(n, [*history, *made]))


def _plans(
    n: int,
    history: Sequence[TableRound],
    missing: Sequence[frozenset[int]],
    sizes: Sequence[Sequence[int]],
    apart: Sequence[tuple[int, int]],
    *,
    seed: int | str,
    budget: int,
) -> Iterator[list[TableRound]]:
    """Yield candidates; stops after one that cannot be improved."""
    rounds = len(missing)
    is_free = not history and not any(missing)
    for known in _designed(n, sizes[0]) if is_free else ():
        is_exact = TableUnevenness.of(n, known).is_exact
        if rounds <= len(known) or is_exact:
            plan = [known[number % len(known)] for number in range(rounds)]
            if apart:
                plan = _named_anew(n, plan, apart, f"{seed} apart")
            yield plan
            keeps = not any(not_apart(each.tables, apart) for each in plan)
            if keeps and TableUnevenness.of(n, plan).is_least:
                return
        begun = known * (rounds // len(known)) if is_exact else known
        if 0 < len(begun) < rounds:
            left = slice(len(begun), None)
            yield begun + most_even_tables(
                TableMeetings(n, begun),
                missing[left],
                sizes[left],
                apart=apart,
                seed=seed,
                budget=budget // 3,
            )
    yield most_even_tables(TableMeetings(n, history), missing, sizes, apart=apart, seed=seed, budget=budget)


def _named_anew(
    n: int, rounds: Sequence[TableRound], apart: Sequence[tuple[int, int]], seed: str
) -> list[TableRound]:
    """Return the rounds with players in other places, so that few pairs kept apart meet."""
    # Who meets is the same for all rounds together; only pairs that do not meet at all are free.
    random = Random(seed)  # noqa: S311 — a search that can be made again
    met = TableMeetings(n, rounds).met
    names = list(range(n))
    best = names[:]

    def meetings(named: Sequence[int]) -> int:
        # `named` has the place of each player.
        return sum(met[named[one]][named[other]] for one, other in apart)

    for _ in range(_NAMINGS):
        if not meetings(best):
            break
        random.shuffle(names)
        if meetings(names) < meetings(best):
            best = names[:]
    player_at = {place: player for player, place in enumerate(best)}
    return [
        TableRound(
            each.number,
            tuple(tuple(player_at[place] for place in table) for table in each.tables),
            tuple(sorted(player_at[place] for place in each.sit_out)),
        )
        for each in rounds
    ]


def _designed(n: int, sizes: Sequence[int]) -> Iterator[list[TableRound]]:
    """Yield the rounds of the designs for tables of these sizes, without numbers."""
    everybody, size = frozenset(range(n)), sizes[0]
    for rounds in designs(n, size) if set(sizes) == {size} else ():
        yield [TableRound(0, tables, tuple(sorted(everybody.difference(*tables)))) for tables in rounds]
