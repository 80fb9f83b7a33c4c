"""Packs in a wished order, players who do anything legal, and a second referee of what is legal.

`Table` follows a hand with cards as text, from the words of RULES §3 alone.
"""

import random
from typing import Final

from games.gin.actions import Action, ActionKind
from games.gin.cards import CARD_TEXTS, CARD_VALUES, parse_number
from games.gin.hand import HandState
from games.gin.view import View
from scoring.core.rules import Rules
from tests.games import brute


def pack(*, elder: str = "", younger: str = "", upcard: str = "", stock: str = "") -> tuple[int, ...]:
    """A pack that deals these cards; what is not named is filled up with the others in order."""
    named = f"{elder} {younger} {upcard} {stock}".split()
    rest = [card for card in reversed(CARD_TEXTS) if card not in named]

    def filled(cards: str, size: int) -> list[str]:
        wished = cards.split()
        return wished + [rest.pop() for _ in range(size - len(wished))]

    hands = filled(elder, 10), filled(younger, 10)
    turned = filled(upcard, 1)
    dealt = [card for pair in zip(*hands, strict=True) for card in pair]
    return tuple(parse_number(card) for card in [*dealt, *turned, *filled(stock, 31)])


def said(state: HandState) -> set[str]:
    """The legal actions as text."""
    return {str(action) for action in state.legal_actions()}


def do(state: HandState, *actions: str) -> HandState:
    for action in actions:
        state.act(Action.parse(action))
    return state


class Anybody:
    """A player who does something legal: how often he takes and ends, and whether he keeps what melds."""

    def __init__(self, seed: int, *, take: float, end: float, sensible: bool) -> None:
        self._rng = random.Random(seed)
        self._take, self._end, self._sensible = take, end, sensible

    def choose(self, view: View) -> Action:
        ends = [action for action in view.legal if action.kind in ENDINGS]
        others = [action for action in view.legal if action.kind not in ENDINGS]
        if ends and (not others or self._rng.random() < self._end):
            return self._rng.choice(ends)
        takes = [action for action in others if action.kind is ActionKind.TAKE]
        if takes and self._rng.random() < self._take:
            return takes[0]
        others = [action for action in others if action not in takes] or others
        if self._sensible and view.after:
            return min(others, key=lambda one: (view.after[one.card or 0], -CARD_VALUES[one.card or 0]))
        return self._rng.choice(others)


ENDINGS: Final = {ActionKind.KNOCK, ActionKind.GIN, ActionKind.BIG_GIN}


class Table:
    """The same hand followed by somebody else: what may be done, and who holds what."""

    def __init__(self, rules: Rules, deck: tuple[int, ...], dealer: int) -> None:
        cards = [CARD_TEXTS[card] for card in deck]
        self.rules = rules
        self.turn = 1 - dealer
        self.hands = (
            [set(cards[1:20:2]), set(cards[0:20:2])]
            if dealer == 0
            else [
                set(cards[0:20:2]),
                set(cards[1:20:2]),
            ]
        )
        self.pile: list[str] = []
        self.stock = cards[21:]
        self.taken: str | None = None
        self.limit = rules.knock_limit
        self.offers = 0
        self.must_draw = False
        self.takes = 0
        self.has_drawn = False
        self.last = False
        self.over = False
        if rules.deal == "elder_eleven":
            self.hands[self.turn].add(cards[20])
            self.has_drawn = True
        else:
            self.pile.append(cards[20])
            self.offers = 2
            value = brute.count(frozenset([cards[20]]))
            if rules.oklahoma == "ace_is_gin" and value == 1:
                value = 0
            if rules.oklahoma != "off":
                self.limit = min(self.limit, value)

    def legal(self) -> set[str]:
        if self.over:
            return set()
        if self.offers:
            return {"take", "pass"}
        if not self.has_drawn:
            if self.last:
                return (
                    {"pass", "take"}
                    if self.endings(self.hands[self.turn] | {self.pile[-1]}, self.pile[-1])
                    else {"pass"}
                )
            return {"draw"} if self.must_draw or self.takes == 20 else {"draw", "take"}
        hand = self.hands[self.turn]
        if self.last:
            return self.endings(hand, self.taken)
        kept = {self.taken} if self.rules.discard_taken_card != "always" else set()
        return {f"discard {card}" for card in hand - kept} | self.endings(hand, self.taken)

    def endings(self, hand: set[str], taken: str | None) -> set[str]:
        found = set()
        for card in hand:
            knob = self.rules.discard_taken_card
            if card == taken and (knob == "never" or (knob == "fiftieth_card" and not self.last)):
                continue
            left = brute.least(frozenset(hand - {card}), self.rules.ace)
            if left == 0:
                found.add(f"gin {card}")
            if left <= self.limit and (left or (self.rules.zero_knock == "knock" and self.limit)):
                found.add(f"knock {card}")
        if self.rules.big_gin_bonus is not None and brute.least(frozenset(hand), self.rules.ace) == 0:
            found.add("big_gin")
        return found

    def act(self, action: str) -> None:
        kind, _, card = action.partition(" ")
        if kind == "pass":
            if self.last:
                self.over = True
                return
            self.offers -= 1
            self.turn = 1 - self.turn
            self.must_draw = self.offers == 0
        elif kind == "take":
            self.taken = self.pile.pop()
            self.hands[self.turn].add(self.taken)
            self.offers = 0
            self.takes += 1
            self.has_drawn = True
        elif kind == "draw":
            self.hands[self.turn].add(self.stock.pop(0))
            self.takes = 0
            self.must_draw = False
            self.has_drawn = True
        else:
            if card:
                self.hands[self.turn].remove(card)
                self.pile.append(card)
            self.taken = None
            self.has_drawn = False
            if kind != "discard":
                self.over = True
                return
            self.turn = 1 - self.turn
            if len(self.stock) == 2:
                self.last = True
                self.over = self.rules.stock_end == "two_left"
