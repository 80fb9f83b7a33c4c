"""A knockout by tables: the best of each table go on, until those who are left play the final at one table.

Players are named by their seeds, 1 for the strongest. The first round is dealt in a snake: seed 1 to the
first table, 2 to the second, and so on, then back from the last one ("snake seeding" in "The best all-purpose
competition format", blog.stadiumcompete.com). In each later round those who had better places go before all
others, and of equal places the better seeds. They are dealt in a snake too, and those of one place change
tables among themselves so that as few as can be meet again whom they have just played.

Everybody plays in every round, so that nobody goes on without having earned it. As soon as those who are left
fit one table, they play the final.
"""

from collections import Counter
from collections.abc import Sequence

import rustworkx

from league.core.pairing.errors import PairingError
from league.core.pairing.table_rounds import Table
from league.core.pairing.table_sizes import check_sizes, table_sizes
from scoring.core.messages import mark

Sizes = tuple[int, ...]


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


def first_tables(sizes: Sequence[int]) -> tuple[Table, ...]:
    """Return the tables of the first round: seeds 1, 2, … dealt in a snake."""
    tables: list[list[int]] = [[] for _ in sizes]
    for seed, table in enumerate(_snake(sizes), start=1):
        tables[table].append(seed)
    return tuple(tuple(table) for table in tables)


def next_tables(played: Sequence[Sequence[int]], sizes: Sequence[int], go_on: int) -> tuple[Table, ...]:
    """Return the tables of the next round, of these sizes.

    `played` are the tables of the last round, each with its players from the best place; the first `go_on` of
    each go on. Players sit in order of their former places. Refused: a player named twice (`seed_twice`),
    fewer players at a table than go on (`go_on`), sizes that are not of those who do (`sizes`).
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
    for place in range(go_on):
        tier = sorted(table[place] for table in played)
        seats = snake[place * len(tier) : (place + 1) * len(tier)]
        for player, table in zip(tier, _assign(tier, seats, tables, came_from), strict=True):
            tables[table].append(player)
    return tuple(tuple(table) for table in tables)


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
