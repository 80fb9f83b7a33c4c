"""How strong somebody is, what a match tells of it, and the scale on which it is shown.

A strength is a bell curve: its middle `mu` says how strong, its width `sigma` how sure that is. Everybody
begins at 25 ± 25/3. A side is as strong as its players together; what it did better or worse than was to be
expected is shared among them, most to the one least is known of. A draw is half a win; by how much a match
was won tells nothing here. The model is Bradley-Terry with full pairing, algorithm 1 of R. Weng and C.-J.
Lin, "A Bayesian approximation method for online ranking" (JMLR 12, 2011), as in openskill.

Figures are rounded to six places after every match and carried on as rounded. Two machines whose last bits
differ so come to the same figures, and what a database gives back is what was put in.

Shown is an integer on the scale that clubs know, 1500 + 30 · (mu − 25). Thirty makes 100 points mean about
what they mean elsewhere: who is 100 ahead wins about six matches of ten, who is 200 ahead about seven.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from openskill.models import BradleyTerryFull

PLACES: Final = 6
MIDDLE: Final = 25.0

_SHOWN_MIDDLE: Final = 1500
_SHOWN_STEP: Final = 30
_RANKS: Final[dict[int | None, list[float]]] = {0: [0, 1], 1: [1, 0], None: [0, 0]}


class Skill(NamedTuple):
    """What is known of a player's strength: its middle and its width."""

    mu: float
    sigma: float


NEWCOMER: Final = Skill(round(MIDDLE, PLACES), round(MIDDLE / 3, PLACES))


class SkillModel:
    """What a match does to the strengths of those who played it.

    `tau` is how much a strength may change from one match to the next: players learn and forget, programs
    do not.
    """

    def __init__(self, tau: float) -> None:
        # Named one by one: a change of openskill's own defaults must not move anybody's rating.
        self._model = BradleyTerryFull(mu=MIDDLE, sigma=MIDDLE / 3, beta=MIDDLE / 6, kappa=0.0001, tau=tau)

    def after(self, sides: Sequence[Sequence[Skill]], winner: int | None) -> list[list[Skill]]:
        """The strengths of two sides after their match, given as before it; `winner` None is a draw."""
        model = self._model
        rated = model.rate(
            [[model.rating(skill.mu, skill.sigma) for skill in side] for side in sides],
            ranks=_RANKS[winner],
        )
        return [[Skill(round(one.mu, PLACES), round(one.sigma, PLACES)) for one in side] for side in rated]


# Of players, who learn and forget.
PLAYERS: Final = SkillModel(tau=MIDDLE / 300)


def shown(mu: float) -> int:
    """A rating as people read it."""
    return round(_SHOWN_MIDDLE + _SHOWN_STEP * (mu - MIDDLE))


def shown_spread(sigma: float) -> int:
    """How far off the shown rating may well be: in two cases of three it is nearer than that."""
    return round(_SHOWN_STEP * sigma)
