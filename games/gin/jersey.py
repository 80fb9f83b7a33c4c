"""A hand of Jersey in play: three at once, from one pack (RULES §8).

It goes as any hand of gin, with four differences: under `open` the first turn takes the upcard or draws;
under `last_two` the last discard of the player to the left may be taken from below the top; how many cards of
the stock are not drawn is a knob; and what the others lay off is always left to the referee.
"""

from typing import ClassVar, Final, cast

from games.errors import GameError
from games.gin.actions import DRAW, TAKE, TAKE_BELOW, Action, ActionKind
from games.gin.cards import CARD_TEXTS, Hand
from games.gin.hand import GinHand, Steps
from games.gin.judging_jersey import best_against
from games.gin.layoffs import Reply, replies
from games.gin.melds import Arrangement
from games.gin.playing import Pack, Stock, dealt
from games.gin.view import Phase, View
from scoring.core.hands import Dead, Outcome
from scoring.core.kinds import kind_of
from scoring.core.messages import mark
from scoring.core.own_knobs import JerseyKnobs
from scoring.core.rules import Rules
from scoring.core.table_hands import TableKnock, TableScore

SEATS: Final = 3


class JerseyHand(GinHand):
    """A hand of three. After a knock or gin `answers` are the others' replies, from the knocker's left."""

    __slots__ = ("_last_discards", "answers")

    result: TableKnock | Dead | None

    def __init__(
        self, rules: Rules, deck: Pack, *, dealer: int, players: tuple[str, ...] = ("0", "1", "2")
    ) -> None:
        """Deals one card at a time from the dealer's left. Refuses `not_a_deck` and `unknown_seat`."""
        super().__init__(rules, deck, dealer=dealer, players=players)
        self.answers: tuple[Reply, ...] = ()
        # By seat; None before, and if somebody has taken it.
        self._last_discards: list[int | None] = [None] * SEATS
        size = kind_of(rules).hand_size(rules, SEATS)
        number = SEATS * size
        self._begin(
            dealt(deck, self._from(self.turn), size),
            Stock(deck[number + 1 :], self._knobs.stock_left),
            upcard=deck[number],
            phase=Phase.UPCARD_ELDER if self._knobs.upcard == "offered" else Phase.DRAW,
        )

    @property
    def _knobs(self) -> JerseyKnobs:
        return cast("JerseyKnobs", self.rules.own)

    def score(self) -> TableScore:
        """The score of the hand, by the scorer of paper sheets; refuses `not_over` before its end."""
        if self.result is None:
            raise GameError("not_over", mark("The hand is not over yet."))
        return cast("TableScore", kind_of(self.rules).score_hand(self.rules, self.result))

    def view(self, seat: int) -> View:
        return super().view(seat)._replace(known_by=tuple(self._known))

    def _take_below(self, action: Action) -> None:
        self._pick_up(action.kind, self._pile[-2])

    _steps: ClassVar[Steps] = {**GinHand._steps, ActionKind.TAKE_BELOW: _take_below}

    def _pick_up(self, kind: ActionKind, card: int) -> None:
        super()._pick_up(kind, card)
        self._last_discards = [None if last == card else last for last in self._last_discards]

    def _put_down(self, action: Action) -> None:
        super()._put_down(action)
        self._last_discards[self.turn] = action.card

    def _drawing(self) -> tuple[Action, ...]:
        # What the player to the left discarded lies below the last discard, unless somebody has taken it.
        if self._knobs.discards == "last_two" and self._last_discards[self.after(self.turn)] is not None:
            return (DRAW, TAKE, TAKE_BELOW)
        return super()._drawing()

    def _settle(self, kind: ActionKind, chosen: Arrangement | None) -> Phase:
        knocker, ace = self.turn, self.rules.ace
        others = self._from(self.after(knocker))[:-1]
        hands = [Hand(self.hands[seat]) for seat in others]
        chained = self._knobs.lay_off == "chained"
        laid = chosen or best_against(Hand(self.hands[knocker]), hands, ace=ace, chained=chained)
        # There are no lay-offs against gin.
        melds = laid.melds if kind is ActionKind.KNOCK else ()
        answers = replies(melds, hands, ace=ace, chained=chained)
        self.result = TableKnock(
            self.players[knocker],
            laid.deadwood,
            tuple(
                [(self.players[seat], answer.deadwood) for seat, answer in zip(others, answers, strict=True)]
            ),
            Outcome(kind),
            None if self.upcard is None else CARD_TEXTS[self.upcard],
        )
        self.laid, self.answers = laid, answers
        return Phase.OVER
