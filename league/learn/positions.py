"""Positions of strategy as data: cards, what was played before, the better choice and the worse one.

Each is a hand that can be dealt and played, under the preset `standard`. That the better choice is better is
what the estimates of `expert` say (`games.bots.expert`): `gain` is how many more of a thousand games it wins.
The tests weigh both again.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from games.bots import ColumnView, GameView
from games.gin.actions import Action, ActionKind
from games.gin.cards import CARD_TEXTS, Hand, parse_number
from games.gin.hand import HandState
from games.gin.view import View
from games.tables.laid import LaidHand
from scoring.core.rules import Rules

RULES: Final = Rules.preset("standard")
_MINE: Final = 0
_OTHER: Final = 1


@dataclass(frozen=True)
class Position:
    """A choice in a hand of two; the player who chooses did not deal.

    `mine` are the ten cards dealt to the player, `others` those of the opponent that come into it, `upcard`
    the card turned up, `drawn` the cards drawn from the stock by either, in order, and `played` the actions
    until then. `better` and `worse` are two legal actions; `score` is the player's and the opponent's before
    this hand, of a game to 100.
    """

    key: str
    mine: str
    upcard: str
    better: str
    worse: str
    gain: int
    others: str = ""
    drawn: str = ""
    played: str = ""
    score: tuple[int, int] = (0, 0)

    def state(self) -> HandState:
        """The hand as it was played so far; cards that nobody has seen are filled in, in order."""
        named = f"{self.mine} {self.others} {self.upcard} {self.drawn}".split()
        rest = iter([card for card in CARD_TEXTS if card not in named])

        def filled(cards: str, size: int) -> list[str]:
            known = cards.split()
            return known + [next(rest) for _card in range(size - len(known))]

        mine, others = filled(self.mine, 10), filled(self.others, 10)
        dealt = [card for pair in zip(mine, others, strict=True) for card in pair]
        deck = [*dealt, self.upcard, *filled(self.drawn, 31)]
        state = HandState(RULES, tuple(parse_number(card) for card in deck), dealer=_OTHER)
        for action in self.played.split(", ") if self.played else ():
            state.act(Action.parse(action))
        return state

    @cached_property
    def view(self) -> View:
        """What the player who chooses may know."""
        return self.state().view(_MINE)

    @property
    def game(self) -> GameView:
        """The game before this hand."""
        own, other = self.score
        return GameView(100, (ColumnView(True, own, other, int(own > 0), int(other > 0)),))

    @property
    def is_scored(self) -> bool:
        """Whether the score is part of the question."""
        return self.score != (0, 0)

    @property
    def choice(self) -> Action:
        """The better choice."""
        return Action.parse(self.better)

    @property
    def rival(self) -> Action:
        """The worse choice."""
        return Action.parse(self.worse)

    @property
    def laid(self) -> LaidHand:
        """The player's hand in its best arrangement."""
        return LaidHand.best(self.view.mask, ace=RULES.ace)

    @property
    def fresh(self) -> int | None:
        """The card that the player has just drawn."""
        return parse_number(self.drawn.split()[-1]) if self.view.after else None

    @property
    def top(self) -> int | None:
        """The top card of the discard pile, where it may be taken now."""
        return None if self.view.after else self.view.pile[-1]

    @property
    def thrown(self) -> list[int]:
        """The opponent's discards, in order, without those that were taken up again."""
        moves = [move for move in self.view.moves if move.seat == _OTHER and move.kind is ActionKind.DISCARD]
        return [move.card for move in moves if move.card is not None and move.card in self.view.pile]

    @property
    def taken(self) -> list[int]:
        """The cards that the opponent has taken from the pile and still holds."""
        return list(Hand(self.view.known))


_JUST_DRAWN: Final = "pass, pass, draw"
_NINE_AND_ACE: Final = "4H 5H 6H 7S 8S 9S JC JD JH QH"

POSITIONS: Final = {
    position.key: position
    for position in (
        Position(
            "triangle",
            mine="AH 2C 2D 4C 6S 7S 7H 9H QD KC",
            upcard="TC",
            drawn="4D",
            others="KD",
            played=_JUST_DRAWN,
            better="discard KC",
            worse="discard 7S",
            gain=18,
        ),
        Position(
            "open",
            mine="AS 2C 2D 4S 5H 6H 6S TC JD QC",
            upcard="KC",
            drawn="AD",
            others="9C",
            played=_JUST_DRAWN,
            better="discard 6S",
            worse="discard 6H",
            gain=8,
        ),
        Position(
            "kings",
            mine="AS 2C 3H 5D 6D 8H JC QC KH KS",
            upcard="9C",
            drawn="4C 7S AC 8C 2H",
            others="TH TS JD QD",
            played=f"{_JUST_DRAWN}, discard QC, draw, discard QD, draw, discard JC, draw, discard JD, draw",
            better="discard KS",
            worse="discard 6D",
            gain=18,
        ),
        Position(
            "meld",
            mine="AH 2C 3D 5C 7S 8S 9H JD QD KC",
            upcard="9S",
            better="take",
            worse="pass",
            gain=48,
        ),
        Position(
            "pair",
            mine="AS 2C 3H 5D 6D 8H TC JH QC KS",
            upcard="KH",
            others="TH TS JD QD",
            better="pass",
            worse="take",
            gain=6,
        ),
        Position(
            "feeding",
            mine="AS 2C 2S 3D 5C 9D TD TH QC KC",
            upcard="8D",
            drawn="4H 4C",
            others="6D 7D JH KH",
            played="pass, take, discard KH, draw, discard 9D, take, discard JH, draw",
            better="discard TH",
            worse="discard TD",
            gain=19,
        ),
        Position(
            "early",
            mine="AS 2D 3C 4H 5H 6H 9C 9D 9S QH",
            upcard="KC",
            drawn="4D",
            others="KD",
            played=_JUST_DRAWN,
            better="knock QH",
            worse="discard QH",
            gain=53,
        ),
        Position(
            "late",
            mine="AS 4D 4H 5H 6H 9D 9S JC QC KC",
            upcard="KD",
            drawn="TC 6S 8C 6D 7C 2S 9C QS 3C KS QD",
            others="2H 3H 4S AC JD JS QH KH TD TS",
            played=(
                f"{_JUST_DRAWN}, discard KC, draw, discard KH, draw, discard QC, draw, discard QH, draw, "
                "discard JC, take, discard 4S, draw, discard TC, take, discard 3H, draw, discard 8C, draw, "
                "discard 2H, draw, discard 7C, draw, discard AC, draw"
            ),
            better="knock QD",
            worse="discard QD",
            gain=25,
        ),
        Position(
            "many-cards",
            mine="AD AS 4H 5H 6H 9D 9S JC QC KC",
            upcard="KD",
            drawn="TC 6S 8C 6D 7C 2S 9C QS AH KS QD",
            others="2H 3D 4S 4C JD JS QH KH TD TS",
            played=(
                f"{_JUST_DRAWN}, discard KC, draw, discard KH, draw, discard QC, draw, discard QH, draw, "
                "discard JC, take, discard 4S, draw, discard TC, take, discard 3D, draw, discard 8C, draw, "
                "discard 2H, draw, discard 7C, draw, discard 4C, draw"
            ),
            better="discard QD",
            worse="knock QD",
            gain=65,
        ),
        Position(
            "behind",
            mine=_NINE_AND_ACE,
            upcard="KC",
            drawn="AS",
            others="KD",
            played=_JUST_DRAWN,
            better="discard QH",
            worse="knock QH",
            gain=42,
            score=(30, 90),
        ),
        Position(
            "level",
            mine=_NINE_AND_ACE,
            upcard="KC",
            drawn="AS",
            others="KD",
            played=_JUST_DRAWN,
            better="knock QH",
            worse="discard QH",
            gain=29,
            score=(60, 60),
        ),
    )
}
