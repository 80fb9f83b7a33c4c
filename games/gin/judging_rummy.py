"""The referee of basic rummy: what the cards that are left count (RULES §8)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from games.errors import GameError
from games.gin.cards import CARD_TEXTS, CARD_VALUES, Hand
from scoring.core.kinds import kind_of
from scoring.core.kinds.rummy import least_left
from scoring.core.messages import mark
from scoring.core.own_knobs import RummyKnobs
from scoring.core.rules import Rules
from scoring.core.table_hands import Blocked, Out, TableScore

# Who went out, as the ruling calls him.
OUT: Final = "out"
_MOST_PLAYERS: Final = 6


@dataclass(frozen=True, slots=True)
class RummyRuling:
    """The score of the hand, whose players are called `out`, `left[0]` and so on, and the counts."""

    score: TableScore
    left: tuple[int, ...]

    def to_document(self) -> dict[str, Any]:
        """The answer of INTERFACES §3."""
        return {**self.score.to_document(), "left": list(self.left)}


def judge_rummy(
    rules: Rules, *, left: Sequence[Hand], blocked: bool = False, rummy: bool = False
) -> RummyRuling:
    """Counts the hands that are left, in order of seats from who went out; of a blocked hand, all.

    Refuses with `GameError`: `wrong_hand_count`, `wrong_hand_size` (no card, or more than are dealt to so
    many), `card_twice`.
    """
    players = len(left) + (not blocked)
    if not 2 <= players <= _MOST_PLAYERS:
        message = mark("2 to %(most)s play, not %(players)s.", most=_MOST_PLAYERS, players=players)
        raise GameError("wrong_hand_count", message, field="left")
    least, most = min(least_left(rules), 1), kind_of(rules).hand_size(rules, players)
    seen = Hand()
    for number, hand in enumerate(left):
        field = f"left[{number}]"
        if not least <= len(hand) <= most:
            message = mark(
                "%(least)s to %(most)s cards can be left, not %(held)s.",
                least=least,
                most=most,
                held=len(hand),
            )
            raise GameError("wrong_hand_size", message, field=field)
        if both := seen & hand:
            message = mark("%(cards)s cannot be in both hands.", cards=str(both))
            raise GameError("card_twice", message, field=field)
        seen |= hand
    ace = cast("RummyKnobs", rules.own).ace_points
    counts = tuple(
        sum(ace if CARD_TEXTS[card][0] == "A" else CARD_VALUES[card] for card in hand) for hand in left
    )
    named = tuple((f"left[{number}]", count) for number, count in enumerate(counts))
    result = Blocked(named) if blocked else Out(OUT, named, rummy)
    return RummyRuling(cast("TableScore", kind_of(rules).score_hand(rules, result)), counts)
