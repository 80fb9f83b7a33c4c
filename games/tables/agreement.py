"""How far choices agree with `expert`'s: for a director, as sums in which no single choice is told.

Only a choice in a hand of two at which something was at stake counts: one of several options, of which the
best is worth at least `AT_STAKE` points more than the worst. It agrees if no option beats it by more than a
standard error. In other games `expert` has no say.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from typing import Final, Self

from games.bots.appraising import Appraisal

AT_STAKE: Final = 1.0
# What is added to the choices for the error of a share: two that agree and two that do not.
_ADDED: Final = 4


@dataclass(frozen=True, slots=True)
class Agreement:
    """How many `choices`, how many of them `agreed`; what they cost in points together, and its squares."""

    choices: int = 0
    agreed: int = 0
    cost: float = 0.0
    squares: float = 0.0

    @classmethod
    def of(cls, appraisals: Iterable[Appraisal | None]) -> Self:
        """The choices among these at which something was at stake."""
        real = [one for one in appraisals if one is not None and is_at_stake(one)]
        return cls(
            len(real),
            sum([one.better is None for one in real]),
            sum([one.cost for one in real]),
            sum([one.cost**2 for one in real]),
        )

    def __add__(self, other: "Agreement") -> "Agreement":
        return Agreement(
            self.choices + other.choices,
            self.agreed + other.agreed,
            self.cost + other.cost,
            self.squares + other.squares,
        )

    @property
    def share(self) -> float:
        """The share that agrees, 0 to 1; needs a choice."""
        return self.agreed / self.choices

    @property
    def share_error(self) -> float:
        """The standard error of the share, which is not 0 where all of a few choices agree.

        That of A. Agresti and B. Coull, "Approximate is better than 'exact' for interval estimation of
        binomial proportions" (The American Statistician 52, 1998): after adding two that agree and two not.
        """
        more = self.choices + _ADDED
        share = (self.agreed + _ADDED / 2) / more
        return sqrt(share * (1 - share) / more)

    @property
    def mean_cost(self) -> float:
        """The points that a choice cost on average; needs a choice."""
        return self.cost / self.choices

    @property
    def cost_error(self) -> float | None:
        """The standard error of `mean_cost`; None for a single choice, which has none."""
        if self.choices < 2:
            return None
        spread = max(0.0, self.squares - self.cost**2 / self.choices) / (self.choices - 1)
        return sqrt(spread / self.choices)


def is_at_stake(appraisal: Appraisal) -> bool:
    """Whether `expert` has weighed options that differ by enough for the choice to tell anything."""
    if appraisal.game is not None:
        return False
    points = [option.points for option in appraisal.options]
    return bool(points) and max(points) - min(points) >= AT_STAKE
