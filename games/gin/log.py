"""The record of a hand: the shuffled pack, the dealer, and the actions."""

from dataclasses import dataclass
from typing import Any

from games.errors import GameError
from games.gin.actions import Action
from games.gin.cards import parse_number, text_of
from scoring.core.messages import mark
from scoring.documents.shapes import json_object, only


@dataclass(frozen=True, slots=True)
class HandLog:
    """The pack from the first card dealt, the dealer's seat, and every action; `hand.replay` replays it."""

    deck: tuple[int, ...]
    dealer: int
    actions: tuple[Action, ...]

    def to_document(self) -> dict[str, Any]:
        """The log as JSON."""
        return {
            "deck": text_of(self.deck),
            "dealer": self.dealer,
            "actions": [str(action) for action in self.actions],
        }

    @classmethod
    def from_document(cls, document: object) -> "HandLog":
        """The log from `to_document`; refuses what is no log, but does not replay the hand."""
        log = json_object(document, "", mark("A log is an object with deck, dealer and actions."))
        only(log, frozenset({"deck", "dealer", "actions"}))
        deck, dealer, moves = log.get("deck"), log.get("dealer"), log.get("actions")
        if not isinstance(deck, str):
            raise GameError("wrong_type", mark("deck is cards as text."), field="deck")
        if type(dealer) is not int:
            raise GameError("wrong_type", mark("dealer is the number of a seat."), field="dealer")
        if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
            raise GameError("wrong_type", mark("actions is a list of texts."), field="actions")
        cards = tuple(parse_number(card, field="deck") for card in deck.split())
        return cls(cards, dealer, tuple(Action.parse(move) for move in moves))
