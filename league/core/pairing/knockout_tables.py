"""A knockout by tables: the best of each table go on, until those who are left play the final at one table.

Players are named by their seeds, 1 for the strongest. The first round is dealt in a snake: seed 1 to the
first table, 2 to the second, and so on, then back from the last one ("snake seeding" in "The best all-purpose
competition format", blog.stadiumcompete.com). In each later round those who had better places go before all
others, and of equal places the better seeds. They are dealt in a snake too, and those of one place change
tables among themselves so that as few as can be meet again whom they have just played.

Who is to be kept apart does not sit at one table if those of one place, in the first round of one row of the
snake, need only change tables among themselves for it: that counts before who meets again. Few ways are all
compared; of more those are tried that part such a pair, one change after another.

Everybody plays in every round, so that nobody goes on without having earned it. As soon as those who are left
fit one table, they play the final.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product
from math import comb, factorial, prod
from random import Random
from typing import Final

import rustworkx

from league.core.pairing.errors import PairingError
from league.core.pairing.table_rounds import Table, kept_apart, not_apart
from league.core.pairing.table_sizes import check_sizes, table_sizes
from scoring.core.messages import mark

Sizes = tuple[int, ...]

# Ways to seat all that are compared, and changes that are tried where there are more.
_ALL: Final = 3_000
_CHANGES: Final = 200
_BEST: Final = 0.8


def course(n: int, fewest: int, most: int, usual: int, go_on: int) -> tuple[Sizes, ...]:
    """Return the sizes of the tables of each round, the last of which is the final.

    `go_on` is how many of each table go on; of the final nobody does. Refused: fewer than one, or as many as
    a table has players (`go_on`); rounds in which somebody would have no table, or too few would be left for
    one (`no_course`); and what `table_sizes` refuses.
    """
    check_sizes(fewest, most, usual)
    if go_on < 1:
        raise PairingError("go_on", mark("At least one of each table goes on."), field="go_on")
    rounds: list[Sizes] = []
    left = n
    while not rounds or len(rounds[-1]) > 1:
        if rounds and left < fewest:
            raise _no_course(len(rounds) + 1, left)
        sizes = (left,) if fewest <= left <= most else table_sizes(left, fewest, most, usual)
        if sum(sizes) < left:
            raise _no_course(len(rounds) + 1, left)
        if len(sizes) > 1 and go_on >= min(sizes):
            raise PairingError(
                "go_on",
                mark(
                    "%(go_on)s of each table are to go on, and in round %(number)s one has only %(size)s.",
                    go_on=go_on,
                    number=len(rounds) + 1,
                    size=min(sizes),
                ),
                field="go_on",
            )
        rounds.append(sizes)
        left = go_on * len(sizes)
    return tuple(rounds)


def first_tables(sizes: Sequence[int], apart: Iterable[tuple[int, int]] = ()) -> tuple[Table, ...]:
    """Return the tables of the first round: seeds 1, 2, … dealt in a snake, with the pairs `apart` kept so.

    Refused: a player kept apart from themselves (`same_entry`).
    """
    snake, dealt = _snake(sizes), 0
    tiers: list[_Tier] = []
    for turn in range(max(sizes)):
        seats = snake[dealt : dealt + sum(size > turn for size in sizes)]
        players = list(range(dealt + 1, dealt + len(seats) + 1))
        tiers.append(_Tier(players, seats, players))
        dealt += len(seats)
    pairs = kept_apart(apart, range(1, dealt + 1))
    return _at_tables(_parted(tiers, pairs, {}), len(sizes))


def next_tables(
    played: Sequence[Sequence[int]],
    sizes: Sequence[int],
    go_on: int,
    apart: Iterable[tuple[int, int]] = (),
) -> tuple[Table, ...]:
    """Return the tables of the next round, of these sizes.

    `played` are the tables of the last round, each with its players from the best place; the first `go_on` of
    each go on. Players sit in order of their former places, and the pairs `apart` are kept so. Refused: a
    player named twice (`seed_twice`), fewer players at a table than go on (`go_on`), sizes that are not of
    those who do (`sizes`), a player kept apart from themselves (`same_entry`).
    """
    players = [player for table in played for player in table]
    for player, times in Counter(players).items():
        if times > 1:
            raise PairingError(
                "seed_twice", mark("Seed %(twice)s is given twice.", twice=player), field="played"
            )
    if go_on < 1 or any(len(table) < go_on for table in played):
        raise PairingError("go_on", mark("%(go_on)s of each table cannot go on.", go_on=go_on), field="go_on")
    if sum(sizes) != go_on * len(played):
        raise PairingError(
            "sizes",
            mark(
                "%(players)s go on, and the next tables have %(seats)s seats.",
                players=go_on * len(played),
                seats=sum(sizes),
            ),
            field="sizes",
        )
    came_from = {player: number for number, table in enumerate(played) for player in table}
    snake = _snake(sizes)
    tables: list[list[int]] = [[] for _ in sizes]
    tiers: list[_Tier] = []
    for place in range(go_on):
        tier = sorted(table[place] for table in played)
        seats = snake[place * len(tier) : (place + 1) * len(tier)]
        dealt = _assign(tier, seats, tables, came_from)
        for player, table in zip(tier, dealt, strict=True):
            tables[table].append(player)
        tiers.append(_Tier(tier, seats, _by_seat(tier, seats, dealt)))
    pairs = kept_apart(apart, {player for tier in tiers for player in tier.players})
    return _at_tables(_parted(tiers, pairs, came_from), len(sizes))


@dataclass(frozen=True, slots=True)
class _Tier:
    """Players of one row, in order, the table of each seat, and the player who has it."""

    players: Sequence[int]
    seats: Sequence[int]
    seated: Sequence[int]

    def swapped(self, one: int, other: int) -> "_Tier":
        """Return the tier after two of its seats have changed players."""
        seated = list(self.seated)
        seated[one], seated[other] = seated[other], seated[one]
        return replace(self, seated=seated)


def _by_seat(tier: Sequence[int], seats: Sequence[int], dealt: Sequence[int]) -> list[int]:
    """Return who has each seat of a tier, where `dealt` are the tables of its players."""
    waiting = {
        table: [player for player, at in zip(tier, dealt, strict=True) if at == table] for table in seats
    }
    return [waiting[table].pop(0) for table in seats]


def _at_tables(tiers: Iterable[_Tier], count: int) -> tuple[Table, ...]:
    tables: list[list[int]] = [[] for _ in range(count)]
    for tier in tiers:
        at = dict(zip(tier.seated, tier.seats, strict=True))
        for player in tier.players:
            tables[at[player]].append(player)
    return tuple(tuple(table) for table in tables)


def _parted(
    tiers: Sequence[_Tier], apart: Sequence[tuple[int, int]], came_from: Mapping[int, int]
) -> Sequence[_Tier]:
    """Return the tiers with players in other seats of their own if else some `apart` sit at one table."""

    def cost(dealt: Sequence[_Tier]) -> tuple[int, int, int]:
        at = {player: table for tier in dealt for player, table in zip(tier.seated, tier.seats, strict=True)}
        again = Counter((table, came_from[player]) for player, table in at.items() if player in came_from)
        return (
            sum(at[one] == at[other] for one, other in apart),
            sum(comb(times, 2) for times in again.values()),
            sum(
                (tier.players.index(player) - seat) ** 2
                for tier in dealt
                for seat, player in enumerate(tier.seated)
            ),
        )

    least = cost(tiers)
    if not least[0]:
        return tiers
    if prod(factorial(len(tier.seats)) for tier in tiers) <= _ALL:
        orders = product(*(permutations(tier.players) for tier in tiers))
        return min(
            (
                [replace(tier, seated=seated) for tier, seated in zip(tiers, order, strict=True)]
                for order in orders
            ),
            key=cost,
        )
    best, now = tiers, list(tiers)
    random = Random(str(apart))  # noqa: S311 — a search that can be made again
    for _ in range(_CHANGES):
        together = not_apart(_at_tables(now, 1 + max(max(tier.seats) for tier in now)), apart)
        if not together:
            break
        player = random.choice(random.choice(together))
        number, tier = next((number, tier) for number, tier in enumerate(now) if player in tier.players)
        seat = list(tier.seated).index(player)
        ways = [
            [*now[:number], tier.swapped(seat, other), *now[number + 1 :]]
            for other, table in enumerate(tier.seats)
            if table != tier.seats[seat]
        ]
        if not ways:
            continue
        # Now and then any change, so that it does not go round in a circle.
        now = min(ways, key=cost) if random.random() < _BEST else random.choice(ways)
        if (told := cost(now)) < least:
            best, least = now, told
    return best


def _snake(sizes: Sequence[int]) -> list[int]:
    """Return the table of each seat dealt: to and fro, where a full table is passed over."""
    seats: list[int] = []
    for turn in range(max(sizes)):
        row = [table for table, size in enumerate(sizes) if size > turn]
        seats += reversed(row) if turn % 2 else row
    return seats


def _assign(
    tier: Sequence[int], seats: Sequence[int], tables: Sequence[Sequence[int]], came_from: dict[int, int]
) -> list[int]:
    """Return a table for each of a tier so that few meet again, and else as the snake has it."""
    count = len(tier)
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    graph.add_nodes_from(list(range(2 * count)))
    # One meeting again outweighs all distances from the snake.
    scale = count**3
    most = scale * (2 + max(map(len, tables)))
    for index, player in enumerate(tier):
        for offset, table in enumerate(seats):
            again = sum(came_from[mate] == came_from[player] for mate in tables[table])
            graph.add_edge(index, count + offset, most - scale * again - (index - offset) ** 2)
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    at = {min(pair): seats[max(pair) - count] for pair in matched}
    return [at[index] for index in range(count)]


def _no_course(number: int, left: int) -> PairingError:
    return PairingError(
        "no_course",
        mark(
            "In round %(number)s there are %(left)s players, who cannot all sit at tables of these sizes.",
            number=number,
            left=left,
        ),
        field="n" if number == 1 else "go_on",
    )
