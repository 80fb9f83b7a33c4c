"""How near expected scores come to what happens, beside 1/2 for everybody, Elo, and openskill's own chances.

What is compared is the logarithmic loss of the second half of the matches, each told from those before it. In
simulated clubs it is taken against the true chance instead of the result: so nothing but the clubs themselves
is left to chance, and what nobody can know is the same for all.

Expected scores are to lose no more than the constant and than Elo, up to `AT_MOST`. That is no error of
sampling but the price of not knowing beforehand who is right: where luck alone decides no prediction beats
1/2, and where Elo happens to have the right K few beat Elo. What is proven is ln 3 in all for learning which
is right, and ln 3/500 a match, 0.3 in 100, for staying ready to learn that it has changed
(`league.core.expected`); the latter is allowed of long histories. Of 60 matches ln 3 is more than anything
there is to see, so of short seasons losses are shown, and nothing is promised.

The demo's seasons are 60 and 14 matches in their second halves. There the difference of two losses varies by
chance, and two standard errors of it are allowed.
"""

import math
import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from statistics import fmean, stdev
from typing import Final, NamedTuple

from openskill.models import BradleyTerryFull

import league.demo
from league.core.expected import expect
from league.core.hand_files.gathering import gather
from league.core.hand_files.problems import Problems
from league.core.hand_files.reading import read_rows
from league.core.ratings import RatedMatch, Ratings, rate
from league.demo import SEASONS
from scoring.core.sheets import score_sheet
from tests.bench.bench_ratings import history
from tests.bench.registry import Figure, bench, best_of, is_brief

AT_MOST: Final = 1 + math.log(3) / 500 / math.log(2)
# How far stated chances are from true ones, against openskill's.
MOST_OFF: Final = 0.15
# A rebuild reads and compares all rows, which takes more than rating them does.
MOST_TIME: Final = 0.5

CONSTANT: Final = "1/2"
ELO: Final = "Elo"
OPENSKILL: Final = "openskill's own"
OURS: Final = "ours"
TRUTH: Final = "the true chance"


# The chances of first sides, by who tells them.
Told = dict[str, list[float]]


class Club(NamedTuple):
    """The matches of a club, and the true chance of each first side."""

    matches: list[RatedMatch]
    truth: list[float]


class Field(NamedTuple):
    """A simulated club: strengths on the logistic scale, of which every other may rise from first to last."""

    name: str
    players: int
    spread: float
    matches: int
    improving: float = 0.0
    pairs: bool = False


FIELDS: Final = (
    Field("luck alone", 24, 0.0, 1200),
    Field("narrow, sd 0.1", 24, 0.1, 1200),
    Field("narrow, sd 0.2", 24, 0.2, 1200),
    Field("middling, sd 0.4", 24, 0.4, 1200),
    Field("wide, sd 1", 24, 1.0, 1200),
    Field("six players, sd 0.3", 6, 0.3, 1200),
    Field("sixty players, sd 0.4", 60, 0.4, 1200),
    Field("half of them improve", 24, 0.3, 1200, improving=1.0),
    Field("pairs that change, sd 0.6", 24, 0.6, 1200, pairs=True),
)
SEASONS_OF_15: Final = (
    Field("15 rounds of luck alone", 16, 0.0, 120),
    Field("15 rounds, sd 0.4", 16, 0.4, 120),
    Field("15 rounds, sd 1", 16, 1.0, 120),
)


@bench()
def expected_scores_in_simulated_clubs() -> list[Figure]:
    """Losses of the second halves, and stated chances beside true ones."""
    clubs = 1 if is_brief() else 12
    figures = []
    for field in FIELDS:
        figures += compared(field.name, [told(field, seed) for seed in range(clubs)], AT_MOST)
    if not is_brief():
        for field in SEASONS_OF_15:
            figures += compared(field.name, [told(field, seed) for seed in range(10 * clubs)], None)
    stated = calibration([told(field, seed) for field in FIELDS for seed in range(clubs)])
    return figures + (stated[-1:] if is_brief() else stated)


@bench()
def expected_scores_in_the_demo() -> list[Figure]:
    """Losses of the second half of each season of the demo; the second knows the first."""
    first, second = seasons_of_the_demo()
    figures = []
    for (_file, name, _rules), matches, since in (
        (SEASONS[0], first, len(first) // 2),
        (SEASONS[1], first + second, len(first) + len(second) // 2),
    ):
        truth = [score_of(match) for match in matches]
        lost = {
            who: [loss(chance, score) for chance, score in zip(each, truth, strict=True)][since:]
            for who, each in chances(matches).items()
        }
        figures += [Figure(f"{name}: {who}", fmean(each), "nats") for who, each in lost.items()]
        for who in (CONSTANT, ELO):
            apart = [ours - theirs for ours, theirs in zip(lost[OURS], lost[who], strict=True)]
            allowed = 1 + 2 * stdev(apart) / math.sqrt(len(apart)) / fmean(lost[who])
            figures.append(
                Figure(f"{name}: ours over {who}", fmean(lost[OURS]) / fmean(lost[who]), "×", allowed)
            )
    return figures


@bench()
def expected_scores_take() -> list[Figure]:
    """The time of expected scores beside that of the ratings they are told from."""
    figures = []
    for size, name in ((1, "players"), (2, "pairs")):
        matches = history(600, size=size)
        ratings = rate(matches)
        alone, more = best_of(lambda: rate(matches), lambda: expect(matches, ratings), rounds=8)  # noqa: B023
        figures.append(Figure(f"expected scores over ratings, {name}", more / alone, "×", MOST_TIME))
    return figures


def simulated(field: Field, seed: int) -> Club:
    """A club of this field: everybody meets anybody, wins by the logistic of what he is ahead."""
    source = random.Random(f"{field}:{seed}")
    strengths = [source.gauss(0, field.spread) for _ in range(field.players)]
    gains = [abs(source.gauss(0, field.improving)) * (player % 2) for player in range(field.players)]
    size = 2 if field.pairs else 1
    club = Club([], [])
    for number in range(field.matches):
        drawn = source.sample(range(field.players), 2 * size)
        sides = tuple(drawn[:size]), tuple(drawn[size:])
        now = [fmean(strengths[one] + gains[one] * number / field.matches for one in side) for side in sides]
        chance = 1 / (1 + math.exp(now[1] - now[0]))
        club.matches.append(RatedMatch(number, sides, 0 if source.random() < chance else 1))
        club.truth.append(chance)
    return club


@cache
def told(field: Field, seed: int) -> Told:
    """What each tells of the second half of such a club, and the true chances."""
    club = simulated(field, seed)
    half = len(club.matches) // 2
    return {who: each[half:] for who, each in (chances(club.matches) | {TRUTH: club.truth}).items()}


def compared(name: str, clubs: Sequence[Told], at_most: float | None) -> list[Figure]:
    """The losses of all who tell chances, and ours over the constant and over Elo."""
    lost: dict[str, list[float]] = {}
    for club in clubs:
        for who, each in club.items():
            both = zip(each, club[TRUTH], strict=True)
            lost.setdefault(who, []).append(fmean(loss(chance, truth) for chance, truth in both))
    mean = {who: fmean(each) for who, each in lost.items()}
    shown = [] if is_brief() else [Figure(f"{name}: {who}", each, "nats") for who, each in mean.items()]
    ours = [
        Figure(f"{name}: ours over {who}", mean[OURS] / mean[who], "×", at_most) for who in (CONSTANT, ELO)
    ]
    return [*shown, *ours]


def calibration(clubs: Sequence[Told]) -> list[Figure]:
    """The true chance where such a chance was stated, in steps of five per cent; ours and openskill's."""
    bins: dict[tuple[str, int], list[tuple[float, float]]] = {}
    for club in clubs:
        for who in (OURS, OPENSKILL):
            # Of each match the side of which more is expected.
            for chance, truth in zip(club[who], club[TRUTH], strict=True):
                better = (chance, truth) if chance >= 0.5 else (1 - chance, 1 - truth)
                bins.setdefault((who, int(better[0] * 20)), []).append(better)
    figures = []
    off = dict.fromkeys((OURS, OPENSKILL), 0.0)
    for (who, _step), each in sorted(bins.items()):
        stated, true = fmean(chance for chance, _truth in each), fmean(truth for _chance, truth in each)
        off[who] += len(each) * abs(stated - true)
        figures.append(
            Figure(f"is the chance where {who} is {stated:.3f} ({len(each):,} matches)", true, "in 1")
        )
    apart = off[OURS] / off[OPENSKILL]
    return [*figures, Figure(f"off the true chance: ours over {OPENSKILL}", apart, "×", MOST_OFF)]


def chances(matches: list[RatedMatch]) -> Told:
    """What each would have told of every first side before the match."""
    ratings = rate(matches)
    return {
        CONSTANT: [0.5] * len(matches),
        ELO: by_elo(matches),
        OPENSKILL: by_openskill(matches, ratings),
        OURS: expect(matches, ratings).scores,
    }


def by_elo(matches: Sequence[RatedMatch]) -> list[float]:
    """Elo by the book: 400 points, K = 20, everybody begins level, a side is its players on average."""
    elo: dict[int, float] = {}
    told = []
    for match in matches:
        first, second = (fmean(elo.get(player, 0.0) for player in side) for side in match.sides)
        told.append(1 / (1 + 10 ** ((second - first) / 400)))
        for side, gain in zip(match.sides, (1, -1), strict=True):
            for player in side:
                elo[player] = elo.get(player, 0.0) + gain * 20 * (score_of(match) - told[-1])
    return told


def by_openskill(matches: Sequence[RatedMatch], ratings: Ratings) -> list[float]:
    """openskill's `predict_win` of the ratings before each match."""
    model = BradleyTerryFull()
    steps = iter(ratings.steps)
    told = []
    for match in matches:
        sides = [[model.rating(*next(steps).before) for _player in side] for side in match.sides]
        told.append(model.predict_win(sides)[0])
    return told


def score_of(match: RatedMatch) -> float:
    """The score of the first side."""
    return 0.5 if match.winner is None else 1.0 - match.winner


def loss(chance: float, score: float) -> float:
    """The logarithmic loss of a chance where the score, or the true chance, is this."""
    return -score * math.log(chance) - (1 - score) * math.log(1 - chance)


def seasons_of_the_demo() -> list[list[RatedMatch]]:
    """The matches of the demo's files in order of play, with the same people in both seasons."""
    people: dict[str, int] = {}
    seasons: list[list[RatedMatch]] = []
    for name, _season, rules in SEASONS:
        problems = Problems()
        file = gather(read_rows(Path(league.demo.__file__).with_name(name).read_bytes(), problems), problems)
        assert file is not None
        matches: list[RatedMatch] = []
        for sheet in sorted(file.sheets, key=lambda sheet: (sheet.round, sheet.table or 0)):
            deals = [sheet.deals[number].deal for number in sorted(sheet.deals)]
            state = score_sheet(rules, sheet.sides, deals, stopped=sheet.stopped_row is not None)
            first, second = (
                tuple(people.setdefault(player, len(people)) for player in side.players)
                for side in sheet.sides
            )
            winner = None if state.net == 0 else int(state.net < 0)
            matches.append(RatedMatch(1000 * len(seasons) + len(matches), (first, second), winner))
        seasons.append(matches)
    return seasons
