"""The cards a director has entered, tapped or typed, as they arrive in a query.

A hand may arrive as single cards or as texts with several, so tapping and typing can fill the same hand.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.errors import GameError
from games.gin.cards import Hand, parse_number
from games.gin.judging import BIG_GIN_SIZE, HAND_SIZE, KNOCKER

_BETWEEN_MELDS: Final = re.compile(r"[,;/\n]+")


@dataclass(frozen=True, slots=True)
class EnteredHand:
    """A hand as text; `cards` are the valid cards, `left` what is invalid or repeated."""

    text: str
    cards: Hand
    left: str

    @classmethod
    def read(cls, texts: Sequence[str]) -> "EnteredHand":
        """The hand from the values of a query."""
        mask, left = 0, []
        words = " ".join(texts).replace(",", " ").split()
        for word in words:
            try:
                bit = 1 << parse_number(word)
            except GameError:
                left.append(word)
                continue
            if mask & bit:
                left.append(word)
            mask |= bit
        return cls(" ".join(words), Hand(mask), " ".join(left))


@dataclass(frozen=True, slots=True)
class TableCards:
    """Both hands, the upcard and the typed melds; blank where unknown."""

    knocker: EnteredHand
    defender: EnteredHand
    upcard: str
    melds: str

    @classmethod
    def read(cls, query: Mapping[str, Sequence[str]]) -> "TableCards":
        """The cards from a query: `knocker`, `defender`, `upcard`, `melds`, each any number of times."""
        return cls(
            EnteredHand.read(query.get("knocker", ())),
            EnteredHand.read(query.get("defender", ())),
            " ".join(query.get("upcard", ())).strip(),
            ", ".join(query.get("melds", ())).strip(),
        )

    @property
    def is_blank(self) -> bool:
        """Whether nothing has been entered."""
        return not (self.knocker.text or self.defender.text or self.upcard or self.melds)

    @property
    def is_being_entered(self) -> bool:
        """Whether missing cards may be all that is wrong."""
        if self.knocker.left or self.defender.left or self.knocker.cards & self.defender.cards:
            return False
        return (
            len(self.knocker.cards) <= BIG_GIN_SIZE
            and len(self.defender.cards) <= HAND_SIZE
            and (len(self.knocker.cards) < HAND_SIZE or len(self.defender.cards) < HAND_SIZE)
        )

    def missing(self, hand: str) -> int:
        """The number of cards missing from `knocker` or `defender`."""
        entered = self.knocker if hand == KNOCKER else self.defender
        return max(HAND_SIZE - len(entered.cards), 0)

    def to_document(self, rules: Mapping[str, Any]) -> dict[str, Any]:
        """The document for `games.gin.documents.judged`."""
        melds = [part for part in _BETWEEN_MELDS.split(self.melds) if part.strip()]
        return {
            "rules": rules,
            "knocker": self.knocker.text,
            "defender": self.defender.text,
            "upcard": self.upcard or None,
            "melds": melds or None,
        }
