"""`expert`: infers hidden cards from the opponent's play, and plays each choice out against them.

Known cards are certain; the others are sampled by the likelihood of the opponent's actions under a few types
of players, whose discards are learned from games (docs/decisions/discards-are-learned.md). Against each
sample every choice is played to the end of the hand, which is worth the chance to win the game from the
resulting score. The level sets the number of samples; at the lowest there are none, and it plays by the
policy with which the others play hands out. The kernel that plays the hands gives equal results compiled or
in plain Python.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, cast

from games.bots.base import (
    Chances,
    Estimate,
    GameView,
    Strategy,
    best_ending,
    completes_meld,
    discards,
)
from games.gin.actions import TAKE, Action, ActionKind
from games.gin.melds import deadwood_of, deadwood_without_each
from games.gin.view import Phase, View
from scoring.core.messages import mark

if TYPE_CHECKING:
    from games.bots.rehearsal import Rehearsal, Unrehearsed

# A card that melds with nothing is considered if it lowers the deadwood by this much.
CLEARLY_LESS: Final = 3

# Samples by level, from 1 on; without any the policy plays alone (docs/decisions/levels-by-figures.md).
LEVELS: Final = (0, 60, 800)


class Expert:
    """Fetches its kernel only once there is something to weigh.

    `compiled` selects the compiled kernel, None the fastest available; the choices are the same. Without
    samples it plays by `policy`, a block of `policies`; None is its own.
    """

    def __init__(
        self,
        samples: int,
        chances: Chances,
        *,
        compiled: bool | None = None,
        policy: Sequence[int] | None = None,
    ) -> None:
        self._samples = samples
        self._compiled = compiled
        self._policy = policy
        self._chances = chances
        self._rehearsal: Rehearsal | None = None
        self._unrehearsed: Unrehearsed | None = None
        self._estimates: tuple[Estimate, ...] = ()

    def choose(self, view: View, game: GameView) -> Action:
        options = candidates(view, self._chances)
        self._estimates = ()
        if len(options) == 1:
            return options[0]
        if not self._samples:
            return self._choice_of_policy(view, options)
        if self._rehearsal is None:
            from games.bots.rehearsal import Rehearsal

            self._rehearsal = Rehearsal(self._samples, self._seed(), compiled=self._compiled)
        self._estimates = self._rehearsal.weigh(view, game, options)
        return cast("Action", self._estimates[0].action)

    def _choice_of_policy(self, view: View, options: Sequence[Action]) -> Action:
        if self._unrehearsed is None:
            from games.bots.policies import OWN_POLICY
            from games.bots.rehearsal import Unrehearsed

            self._unrehearsed = Unrehearsed(self._seed(), self._policy or OWN_POLICY)
        return self._unrehearsed.choose(view, options)

    def _seed(self) -> int:
        return self._chances.one_of(range(1 << 30))

    def estimates(self) -> tuple[Estimate, ...]:
        """The estimates of the last choice, the best first; empty if there was nothing to choose."""
        return self._estimates


def candidates(view: View, chances: Chances) -> list[Action]:
    """The choices worth weighing, without those that are clearly worse than another."""
    if not view.after:
        worth_a_thought = TAKE in view.legal and (view.phase is Phase.LAST_OFFER or _may_help(view))
        return [one for one in view.legal if one != TAKE or worth_a_thought]
    ending = best_ending(view, chances)
    if ending and (ending.kind is not ActionKind.KNOCK or view.phase is Phase.LAST_KNOCK):
        return [ending]
    return [*([ending] if ending else []), *discards(view)]


def _may_help(view: View) -> bool:
    """Whether the top of the pile makes a meld or clearly lowers the deadwood."""
    card, ace = view.pile[-1], view.rules.ace
    if completes_meld(view.mask, card, ace):
        return True
    after = deadwood_without_each(view.mask | 1 << card, ace)
    after.pop(card)
    return min(after.values()) <= deadwood_of(view.mask, ace) - CLEARLY_LESS


EXPERT = Strategy(
    "expert",
    mark(
        "Guesses the other hand from what its player does, and plays every choice out before making it;"
        " at its lowest level it does neither."
    ),
    lambda samples, chances: Expert(samples or 0, chances),
    LEVELS,
    3,
)
