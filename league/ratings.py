"""How strong each player is, judged by all finished matches in the order in which they were played.

A player's strength is a bell curve: its middle `mu` says how strong, its width `sigma` how sure that is.
Everybody begins at 25 ± 25/3. A side is as strong as its players together; what it did better or worse than
was to be expected is shared among them, most to the one least is known of. So the same figures serve players
alone, in teams, and with a new partner each round. A draw is half a win; by how much a match was won tells
nothing here. The model is Bradley-Terry with full pairing, algorithm 1 of R. Weng and C.-J. Lin, "A Bayesian
approximation method for online ranking" (JMLR 12, 2011), as in openskill.

Figures are rounded to six places after every match and carried on as rounded. Two machines whose last bits
differ so come to the same figures, and what a database gives back is what was put in.

Shown is an integer on the scale that clubs know, 1500 + 30 · (mu − 25). Thirty makes 100 points mean about
what they mean elsewhere: who is 100 ahead wins about six matches of ten, who is 200 ahead about seven. Until
the tenth match a rating is provisional.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from openskill.models import BradleyTerryFull

from league.errors import LeagueError

PROVISIONAL_BELOW: Final = 10
PLACES: Final = 6

_MIDDLE: Final = 25.0
_SHOWN_MIDDLE: Final = 1500
_SHOWN_STEP: Final = 30
# Named one by one: a change of openskill's own defaults must not move anybody's rating.
_MODEL: Final = BradleyTerryFull(
    mu=_MIDDLE, sigma=_MIDDLE / 3, beta=_MIDDLE / 6, kappa=0.0001, tau=_MIDDLE / 300
)
_RANKS: Final[dict[int | None, list[float]]] = {0: [0, 1], 1: [1, 0], None: [0, 0]}


class RatingsError(LeagueError):
    """A refused calculation; `field` is the argument at fault."""


class Skill(NamedTuple):
    """What is known of a player's strength: its middle and its width."""

    mu: float
    sigma: float


NEWCOMER: Final = Skill(round(_MIDDLE, PLACES), round(_MIDDLE / 3, PLACES))


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A match that was played to its end: the players of both sides, and which side won (None: a draw)."""

    id: int
    sides: tuple[tuple[int, ...], tuple[int, ...]]
    winner: int | None


class Step(NamedTuple):
    """What one match did to one player, whose `number`-th rated match it was (from 1)."""

    player: int
    match: int
    number: int
    before: Skill
    after: Skill


@dataclass(frozen=True, slots=True)
class Ratings:
    """Where everybody who has played stands now, and every step on the way there, in the order of matches."""

    players: dict[int, Skill]
    matches: dict[int, int]
    steps: list[Step]


def rate(matches: Iterable[RatedMatch], *, known: Mapping[int, Skill] | None = None) -> Ratings:
    """The ratings after these matches, which are given in the order in which they were played.

    `known` is what is known of players before the first of them; who is not in it is a newcomer.

    Forfeits, walkovers and byes are no matches here; the caller leaves them out. Refused: a side without
    players (`empty_side`), a player twice in a match (`player_twice`), a winner that is no side
    (`out_of_range`), a match given twice (`match_twice`).
    """
    players: dict[int, Skill] = {}
    begun_at = {} if known is None else known
    counts: dict[int, int] = {}
    steps: list[Step] = []
    seen: set[int] = set()
    for match in matches:
        _check(match, seen)
        seen.add(match.id)
        before = [
            [players.get(player) or begun_at.get(player, NEWCOMER) for player in side] for side in match.sides
        ]
        rated = _MODEL.rate(
            [[_MODEL.rating(skill.mu, skill.sigma) for skill in side] for side in before],
            ranks=_RANKS[match.winner],
        )
        for side, skills, results in zip(match.sides, before, rated, strict=True):
            for player, old, result in zip(side, skills, results, strict=True):
                new = Skill(round(result.mu, PLACES), round(result.sigma, PLACES))
                number = counts.get(player, 0) + 1
                players[player], counts[player] = new, number
                steps.append(Step(player, match.id, number, old, new))
    return Ratings(players, counts, steps)


def shown(mu: float) -> int:
    """A rating as people read it."""
    return round(_SHOWN_MIDDLE + _SHOWN_STEP * (mu - _MIDDLE))


def shown_spread(sigma: float) -> int:
    """How far off the shown rating may well be: in two cases of three it is nearer than that."""
    return round(_SHOWN_STEP * sigma)


def is_provisional(matches: int) -> bool:
    """Whether a rating rests on too few matches to be compared."""
    return matches < PROVISIONAL_BELOW


def _check(match: RatedMatch, seen: set[int]) -> None:
    players = [player for side in match.sides for player in side]
    if not all(match.sides):
        raise RatingsError("empty_side", f"Match {match.id} has a side without players.", field="matches")
    if len(set(players)) != len(players):
        raise RatingsError("player_twice", f"A player is in match {match.id} twice.", field="matches")
    if match.winner not in _RANKS:
        raise RatingsError("out_of_range", f"The winner of match {match.id} is no side.", field="matches")
    if match.id in seen:
        raise RatingsError("match_twice", f"Match {match.id} is given twice.", field="matches")
