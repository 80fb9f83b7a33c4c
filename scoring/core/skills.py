"""Player ratings: strength, its update after a match, and the scale on which it is shown.

A strength is a normal distribution with mean `mu` and standard deviation `sigma`; everybody starts at 25 ±
25/3. A side is as strong as its players together; its surplus over the expected result is shared among them,
most to the player least is known about. A draw is half a win, and margins do not matter. The model is
Bradley-Terry with full pairing, algorithm 1 of R. Weng and C.-J. Lin, "A Bayesian approximation method for
online ranking" (JMLR 12, 2011), as implemented by openskill.

Values are rounded to six places after every match and carried on as rounded, so that machines that differ in
the last bits agree, and values read from a database are those that were stored.

Ratings are shown as integers, 1500 + 30 · (mu − 25). With a factor of thirty, 100 points mean about what they
mean on other scales: 100 points ahead wins about six matches of ten, 200 about seven.
"""

from collections.abc import Sequence
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

    def after(
        self, sides: Sequence[Sequence[Skill]], winner: int | None, *, places: Sequence[int] = ()
    ) -> list[list[Skill]]:
        """The strengths of the sides after their match; `winner` is an index, None for a draw.

        Of more than two sides `places` count instead, from 1 and shared by those who are level: every side is
        compared with every other.
        """
        model = self._model
        rated = model.rate(
            [[model.rating(skill.mu, skill.sigma) for skill in side] for side in sides],
            ranks=[float(place) for place in places] or _RANKS[winner],
        )
        return [[Skill(round(one.mu, PLACES), round(one.sigma, PLACES)) for one in side] for side in rated]


PLAYERS: Final = SkillModel(tau=MIDDLE / 300)


def shown(mu: float) -> int:
    """The rating on the displayed scale."""
    return round(_SHOWN_MIDDLE + _SHOWN_STEP * (mu - MIDDLE))


def shown_spread(sigma: float) -> int:
    """One standard deviation on the displayed scale: the true rating is within it two times in three."""
    return round(_SHOWN_STEP * sigma)
