"""Player ratings: strength, its update after a match, and the scale on which it is shown.

A strength is a normal distribution with mean `mu` and standard deviation `sigma`; everybody starts at 25 ±
25/3. A side is as strong as its players together; its surplus over the expected result is shared among them,
most to the player least is known about. A draw is half a win, and margins do not matter. The model is
Bradley-Terry with full pairing, algorithm 1 of R. Weng and C.-J. Lin, "A Bayesian approximation method for
online ranking" (JMLR 12, 2011), as implemented by openskill.

At a table of n > 2 every side is compared with every other. One order of n tells less than n(n − 1)/2 matches
of two, so each comparison counts 4(n − H)/(n(n − 1)), where H is 1 + 1/2 + … + 1/n: 0.78 of three, 0.64 of
four, 0.47 of six. Where places are won one after another, with chances in proportion to strengths
(R. Plackett, "The Analysis of Permutations", Applied Statistics 24, 1975), an order tells of each of n level
players (n − H)/n, as Fisher information, and matches of two against all others tell (n − 1)/4.

Values are rounded to six places after every match and carried on as rounded, so that machines that differ in
the last bits agree, and values read from a database are those that were stored.

Ratings are shown as integers, 1500 + 30 · (mu − 25). With a factor of thirty, 100 points mean about what they
mean on other scales: 100 points ahead wins about six matches of ten, 200 about seven.
"""

from collections.abc import Sequence
from functools import cache
from math import sqrt
from typing import Final, NamedTuple

from openskill.models import BradleyTerryFull

PLACES: Final = 6
MIDDLE: Final = 25.0
BETA: Final = MIDDLE / 6

_SHOWN_MIDDLE: Final = 1500
_SHOWN_STEP: Final = 30
_RANKS: Final[dict[int | None, list[float]]] = {0: [0, 1], 1: [1, 0], None: [0, 0]}


class Skill(NamedTuple):
    """A player's strength: mean and standard deviation."""

    mu: float
    sigma: float


NEWCOMER: Final = Skill(round(MIDDLE, PLACES), round(MIDDLE / 3, PLACES))


class SkillModel:
    """Updates strengths after a match.

    `tau` is how much a strength may drift between matches: people learn and forget, programs do not.
    """

    def __init__(self, tau: float) -> None:
        # All explicit: a change of openskill's defaults must not move anybody's rating.
        self._model = BradleyTerryFull(mu=MIDDLE, sigma=MIDDLE / 3, beta=BETA, kappa=0.0001, tau=tau)
        self._drift = tau * tau

    def after(
        self, sides: Sequence[Sequence[Skill]], winner: int | None, *, places: Sequence[int] = ()
    ) -> list[list[Skill]]:
        """The strengths of the sides after their match; `winner` is an index, None for a draw.

        Of more than two sides `places` count instead, from 1 and shared by those who are level.
        """
        model = self._model
        rated = model.rate(
            [[model.rating(skill.mu, skill.sigma) for skill in side] for side in sides],
            ranks=[float(place) for place in places] or _RANKS[winner],
        )
        after = [[Skill(one.mu, one.sigma) for one in side] for side in rated]
        if places:
            share = share_of_comparisons(len(sides))
            after = [
                [self._moved(old, new, share) for old, new in zip(before, side, strict=True)]
                for before, side in zip(sides, after, strict=True)
            ]
        return [[Skill(round(one.mu, PLACES), round(one.sigma, PLACES)) for one in side] for side in after]

    def _moved(self, before: Skill, after: Skill, share: float) -> Skill:
        """A strength moved by a share of what comparisons make of it; the drift before a match is whole."""
        drifted = before.sigma**2 + self._drift
        variance = drifted - share * (drifted - after.sigma**2)
        return Skill(before.mu + share * (after.mu - before.mu), sqrt(variance))


@cache
def share_of_comparisons(sides: int) -> float:
    """What one order of so many sides tells, beside matches of two between all of them; 1 for two sides."""
    harmonic = sum(1 / place for place in range(1, sides + 1))
    return 4 * (sides - harmonic) / (sides * (sides - 1))


PLAYERS: Final = SkillModel(tau=MIDDLE / 300)


def shown(mu: float) -> int:
    """The rating on the displayed scale."""
    return round(_SHOWN_MIDDLE + _SHOWN_STEP * (mu - MIDDLE))


def shown_spread(sigma: float) -> int:
    """One standard deviation on the displayed scale: the true rating is within it two times in three."""
    return round(_SHOWN_STEP * sigma)
