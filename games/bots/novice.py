"""`novice`: knows the rules and pays little attention."""

from games.bots.base import Chances, GameView, Strategy, best_ending, completes_meld, discards, left_by
from games.bots.rummy import RummyNovice
from games.gin.actions import DRAW, PASS, TAKE, Action
from games.gin.view import Phase, View
from scoring.core.messages import mark

# How often it takes a useless card, and how often it notices that it could knock.
TAKES_FOR_NOTHING = 0.15
SEES_KNOCK = 0.5
# In points: discards this much worse than the best seem equally good to it.
CARELESS_BY = 8


class Novice:
    def __init__(self, chances: Chances) -> None:
        self._chances = chances

    def choose(self, view: View, game: GameView) -> Action:
        if not view.after:
            return self._draw(view)
        ending = best_ending(view, self._chances)
        rest = discards(view)
        if ending and (not rest or not left_by_ending(view, ending) or self._chances.happens(SEES_KNOCK)):
            return ending
        least = min([left_by(view, action) for action in rest])
        return self._chances.one_of(
            [action for action in rest if left_by(view, action) <= least + CARELESS_BY]
        )

    def _draw(self, view: View) -> Action:
        legal = view.legal
        if TAKE in legal and view.phase is not Phase.LAST_OFFER:
            useful = completes_meld(view.mask, view.pile[-1], view.rules.ace)
            if useful or self._chances.happens(TAKES_FOR_NOTHING):
                return TAKE
        return PASS if PASS in legal else DRAW


def left_by_ending(view: View, ending: Action) -> int:
    """The deadwood after the ending; 0 for big gin."""
    return 0 if ending.card is None else left_by(view, ending)


NOVICE = Strategy(
    "novice",
    mark("Plays by the rules but carelessly: takes cards it has no use for and overlooks many a knock."),
    lambda level, chances: Novice(chances),
    others={
        "jersey": lambda level, chances: Novice(chances),
        "partners_one_pack": lambda level, chances: Novice(chances),
        "basic_rummy": lambda level, chances: RummyNovice(chances),
    },
)
