"""How near ratings from tables of three to six come to what happens there, beside 1/2, Elo and openskill.

As in `bench_expected` the logarithmic loss of the second half of a club's tables is compared, against the
true chance instead of the result. Here it is that the first named at a table comes before the second.
Strengths are on the logistic scale, and places are won one after another with chances in proportion to
exp(strength), which is Plackett–Luce: so of any two the first comes before the other with the logistic of
what he is ahead.

"Ours" are the ratings from places, read as those of two sides are (`league.core.expected`), by the same
weighing: of each table the order of the first two is told, then learned from. What is proven there of the
constant holds here too, so that ours may lose as much more (`AT_MOST`). Of Elo it is not proven, as this one
has seen all at the table; that ours loses no more than so is only seen.
"""

import math
import random
from functools import cache
from statistics import fmean
from typing import Final, NamedTuple

from league.core.expected import expect
from league.core.ratings import RatedMatch, Ratings, Step, rate
from tests.bench.bench_expected import (
    AT_MOST,
    CONSTANT,
    ELO,
    OPENSKILL,
    OURS,
    TRUTH,
    Told,
    by_openskill,
    loss,
)
from tests.bench.registry import Figure, bench, is_brief


class Field(NamedTuple):
    """A simulated club that plays at tables of so many."""

    name: str
    size: int
    spread: float
    players: int = 24
    tables: int = 1200


FIELDS: Final = tuple(
    Field(f"{name}, tables of {size}", size, spread)
    for size in (3, 4, 5, 6)
    for name, spread in (
        ("luck alone", 0.0),
        ("narrow, sd 0.1", 0.1),
        ("narrow, sd 0.2", 0.2),
        ("middling, sd 0.4", 0.4),
        ("wide, sd 1", 1.0),
    )
)


@bench()
def orders_told_at_simulated_tables() -> list[Figure]:
    """Losses of the second halves, and ours over those of the constant."""
    clubs = 1 if is_brief() else 12
    figures = []
    for field in FIELDS:
        # One club of sd 0.1 says little: from one to another ours over the constant varies by 0.4 in 100.
        if is_brief() and (field.size in (4, 5) or field.spread not in (0.0, 0.2, 1.0)):
            continue
        lost: dict[str, list[float]] = {}
        for seed in range(clubs):
            club = told(field, seed)
            for who, each in club.items():
                both = zip(each, club[TRUTH], strict=True)
                lost.setdefault(who, []).append(fmean(loss(chance, truth) for chance, truth in both))
        mean = {who: fmean(each) for who, each in lost.items()}
        if not is_brief():
            figures += [Figure(f"{field.name}: {who}", each, "nats") for who, each in mean.items()]
            figures.append(Figure(f"{field.name}: ours over {ELO}", mean[OURS] / mean[ELO], "×", AT_MOST))
        figures.append(
            Figure(f"{field.name}: ours over {CONSTANT}", mean[OURS] / mean[CONSTANT], "×", AT_MOST)
        )
    return figures


@cache
def told(field: Field, seed: int) -> Told:
    """What each tells of the first two at the tables of the second half of such a club, and the truth."""
    source = random.Random(f"{field}:{seed}")
    strengths = [source.gauss(0, field.spread) for _ in range(field.players)]
    tables: list[RatedMatch] = []
    truth: list[float] = []
    for number in range(field.tables):
        seated = source.sample(range(field.players), field.size)
        # The greatest of strengths with Gumbel's errors is each with a chance in proportion to exp(strength).
        came = {one: strengths[one] - math.log(source.expovariate(1)) for one in seated}
        order = sorted(seated, key=came.__getitem__, reverse=True)
        places = tuple(1 + order.index(one) for one in seated)
        tables.append(RatedMatch(number, tuple((one,) for one in seated), None, places))
        truth.append(1 / (1 + math.exp(strengths[seated[1]] - strengths[seated[0]])))
    firsts, before = first_two(tables, rate(tables))
    half = field.tables // 2
    return {
        who: each[half:]
        for who, each in {
            CONSTANT: [0.5] * field.tables,
            ELO: by_elo(tables),
            OPENSKILL: by_openskill(firsts, before),
            OURS: expect(firsts, before).scores,
            TRUTH: truth,
        }.items()
    }


def first_two(tables: list[RatedMatch], ratings: Ratings) -> tuple[list[RatedMatch], Ratings]:
    """The first two of each table as a match, and the ratings from all tables before it."""
    steps = iter(ratings.steps)
    matches: list[RatedMatch] = []
    before: list[Step] = []
    for table in tables:
        first, second, *_others = [next(steps) for _side in table.sides]
        matches.append(RatedMatch(table.id, table.sides[:2], int(table.places[0] > table.places[1])))
        before += [first, second]
    return matches, Ratings(ratings.players, ratings.matches, before)


def by_elo(tables: list[RatedMatch]) -> list[float]:
    """Elo by the book, everybody begins level: a match with each other at the table, K = 20 for all."""
    elo: dict[int, float] = {}
    chances: list[float] = []
    for table in tables:
        players = [one for (one,) in table.sides]
        gains = dict.fromkeys(players, 0.0)
        for one, place in zip(players, table.places, strict=True):
            for other, behind in zip(players, table.places, strict=True):
                if one != other:
                    chance = 1 / (1 + 10 ** ((elo.get(other, 0.0) - elo.get(one, 0.0)) / 400))
                    gains[one] += 20 / (len(players) - 1) * ((place < behind) - chance)
        first, second = (elo.get(player, 0.0) for player in players[:2])
        chances.append(1 / (1 + 10 ** ((second - first) / 400)))
        for player, gain in gains.items():
            elo[player] = elo.get(player, 0.0) + gain
    return chances
