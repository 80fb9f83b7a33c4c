"""Who weighs the choices of a hand: `expert` in hands of two, what plain bots make of it in all others."""

from typing import Any, Final, Protocol

from games.bots.appraising import Advice, Appraisal, Appraiser
from games.bots.base import Chances, GameView
from games.bots.expert import Expert
from games.bots.several import Several
from games.gin.playing import InPlay

# What is weighed in a request: some milliseconds, or about 0.2 s until a web process has the compiled kernel.
HINT_SAMPLES: Final = 60
# By how many of a hundred games the difference of two of its options is off: one standard error.
HINT_ERROR: Final = 2.5


class Judge(Protocol):
    """Weighs the choices of one seat in one hand, by what it could see; equal seeds give equal figures."""

    def appraise(self, state: InPlay, seat: int, chosen: Any) -> Appraisal | None:
        """What this choice cost; called for the seat's choices in their order, None where there was none."""

    def advise(self, state: InPlay, game: GameView) -> Advice:
        """What is best for who is to move; called where there is a choice, and not of what to lay off."""


class JudgeOfTwo:
    """The judge of hands of two with a pack of their own; loads the kernel once it is needed.

    `compiled` selects the compiled kernel, None the fastest available; the figures are the same.
    """

    def __init__(self, seed: int, *, compiled: bool | None = None) -> None:
        self._seed = seed
        self._compiled = compiled
        self._appraiser: Appraiser | None = None

    def appraise(self, state: InPlay, seat: int, chosen: Any) -> Appraisal | None:
        if self._appraiser is None:
            self._appraiser = Appraiser(self._seed, compiled=self._compiled)
        return self._appraiser.appraise(state.view(seat), chosen)

    def advise(self, state: InPlay, game: GameView) -> Advice:
        expert = Expert(HINT_SAMPLES, Chances(self._seed), compiled=self._compiled)
        action = expert.choose(state.view(state.turn), game)
        return Advice(action, expert.estimates(), HINT_ERROR)


def judge_of(game: str | None, seed: int, *, compiled: bool | None = None) -> Judge:
    """The judge of this game, None being hands of two (`Strategy.plays`)."""
    return JudgeOfTwo(seed, compiled=compiled) if game is None else Several(game, seed)
