"""The referee of Jersey: a knock against two, who lay off in order of seats (RULES §8)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from games.errors import GameError
from games.gin.cards import Hand
from games.gin.judging import KNOCKER, arrangement_document, check_hands, laid_down, reply_document
from games.gin.layoffs import Reply, deadwood_after_replies, replies
from games.gin.melds import Arrangement, best_arrangements
from scoring.core.kinds import kind_of
from scoring.core.messages import mark
from scoring.core.own_knobs import JerseyKnobs
from scoring.core.rules import Rules
from scoring.core.table_hands import TableKnock, TableScore

OTHERS: Final = ("others[0]", "others[1]")


@dataclass(frozen=True, slots=True)
class JerseyRuling:
    """The score of the hand, whose players are called `knocker` and `OTHERS`, and how the cards lie."""

    score: TableScore
    knocker: Arrangement
    others: tuple[Reply, ...]

    def to_document(self) -> dict[str, Any]:
        """The answer of INTERFACES §3."""
        return {
            **self.score.to_document(),
            "knocker": arrangement_document(self.knocker),
            "others": [reply_document(reply) for reply in self.others],
        }


def judge_jersey(
    rules: Rules,
    *,
    knocker: Hand,
    others: Sequence[Hand],
    upcard: str | None = None,
    melds: Sequence[Hand] | None = None,
) -> JerseyRuling:
    """Judges a hand of three; `others` are in order of seats from the knocker's left.

    The knocker's melds are fixed by `melds`, or those of least deadwood that leave both others together most.
    Refuses like `judging.judge`, and `wrong_hand_count` another number of others.
    """
    if len(others) != len(OTHERS):
        message = mark("Two others play, not %(sent)s.", sent=len(others))
        raise GameError("wrong_hand_count", message, field="others")
    check_hands(rules, knocker, dict(zip(OTHERS, others, strict=True)))
    chained = cast("JerseyKnobs", rules.own).lay_off == "chained"
    laid, ending, turned = laid_down(
        rules, knocker, upcard, melds, lambda: best_against(knocker, others, ace=rules.ace, chained=chained)
    )
    # Nothing is laid off against gin.
    open_melds = laid.melds if laid.deadwood else ()
    answers = replies(open_melds, others, ace=rules.ace, chained=chained)
    counts = tuple(zip(OTHERS, [answer.deadwood for answer in answers], strict=True))
    hand = TableKnock(KNOCKER, laid.deadwood, counts, ending, turned)
    score = cast("TableScore", kind_of(rules).score_hand(rules, hand))
    return JerseyRuling(score, laid, answers)


def best_against(knocker: Hand, others: Sequence[Hand], *, ace: str, chained: bool) -> Arrangement:
    """The arrangement with least deadwood that leaves the others together most (RULES §8)."""
    arrangements = best_arrangements(knocker, ace=ace)
    if len(arrangements) == 1:
        return arrangements[0]
    masks = [hand.mask for hand in others]
    return max(
        arrangements,
        key=lambda one: sum(deadwood_after_replies(one.melds, masks, ace, chained=chained)),
    )
