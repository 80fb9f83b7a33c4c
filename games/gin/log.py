"""The record of a hand: the shuffled pack, the dealer, and the actions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from games.errors import GameError
from games.gin.actions import Action
from games.gin.cards import parse_number, text_of
from scoring.core.messages import mark
from scoring.documents.shapes import json_object, only

ActionT = TypeVar("ActionT")

_FIELDS: Final = frozenset({"deck", "dealer", "actions", "orders"})


@dataclass(frozen=True, slots=True)
class HandLog(Generic[ActionT]):
    """The pack from the first card dealt, the dealer's seat, and every action; `replay` replays it.

    Where a stock is shuffled again, `orders` has a pack for each time: the cards come in its order.
    """

    deck: tuple[int, ...]
    dealer: int
    actions: tuple[ActionT, ...]
    orders: tuple[tuple[int, ...], ...] = ()

    def to_document(self) -> dict[str, Any]:
        """The log as JSON."""
        document: dict[str, Any] = {
            "deck": text_of(self.deck),
            "dealer": self.dealer,
            "actions": [str(action) for action in self.actions],
        }
        if self.orders:
            document["orders"] = [text_of(order) for order in self.orders]
        return document

    @staticmethod
    def from_document(document: object) -> "HandLog[Action]":
        """The log of a hand of gin from `to_document`, read by `read_log`."""
        return read_log(document, Action.parse)


def read_log(document: object, parse: Callable[[str], ActionT]) -> HandLog[ActionT]:
    """The log from `HandLog.to_document`; refuses what is no log, but does not replay the hand.

    `parse` reads an action.
    """
    log = json_object(document, "", mark("A log is an object with deck, dealer and actions."))
    only(log, _FIELDS)
    deck, dealer, moves = log.get("deck"), log.get("dealer"), log.get("actions")
    orders = log.get("orders", [])
    if not isinstance(deck, str):
        raise GameError("wrong_type", mark("deck is cards as text."), field="deck")
    if type(dealer) is not int:
        raise GameError("wrong_type", mark("dealer is the number of a seat."), field="dealer")
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise GameError("wrong_type", mark("actions is a list of texts."), field="actions")
    if not isinstance(orders, list) or not all(isinstance(order, str) for order in orders):
        raise GameError("wrong_type", mark("orders is a list of packs, as text."), field="orders")
    return HandLog(
        _cards(deck, "deck"),
        dealer,
        tuple(parse(move) for move in moves),
        tuple(_cards(order, "orders") for order in orders),
    )


def _cards(text: str, field: str) -> tuple[int, ...]:
    return tuple(parse_number(card, field=field) for card in text.split())
