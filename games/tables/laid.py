"""Hands laid on the table, for display: melds with their lay-offs, and the unmatched cards."""

from dataclasses import dataclass
from typing import Self

from games.gin.cards import Hand, mask_of
from games.gin.layoffs import Reply
from games.gin.melds import Arrangement, Meld, best_melds, meld_of


@dataclass(frozen=True, slots=True)
class LaidMeld:
    """A meld in order, as card numbers; `laid_off` are cards from the other hand."""

    cards: tuple[int, ...]
    laid_off: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class LaidHand:
    """A hand sorted into melds; the `unmatched` cards suit by suit, with their points."""

    melds: tuple[LaidMeld, ...]
    unmatched: tuple[int, ...]
    deadwood: int

    @classmethod
    def of(cls, laid: Arrangement) -> Self:
        """A hand in this arrangement."""
        return cls(_own(laid.melds), tuple(laid.unmatched), laid.deadwood)

    @classmethod
    def best(cls, mask: int, *, ace: str = "low") -> Self:
        """A hand of up to eleven cards in its best arrangement."""
        return cls.of(best_melds(Hand(mask), ace=ace))

    @property
    def size(self) -> int:
        """The number of cards from the hand itself."""
        return len(self.unmatched) + sum([len(meld.cards) - len(meld.laid_off) for meld in self.melds])


def laid_down(
    knocker: Arrangement, defender: Reply, *others: Reply, ace: str = "low"
) -> tuple[LaidHand, ...]:
    """All hands at the end, the knocker's first; lay-offs are with the knocker's melds."""
    replies = (defender, *others)
    melds = []
    for index, meld in enumerate(knocker.melds):
        added = mask_of([one.card for reply in replies for one in reply.lay_offs if one.meld == index])
        whole = meld_of(Hand(meld.mask | added), ace=ace)
        # A lay-off extends the meld or an earlier lay-off on it, so all of it is one meld.
        melds.append(LaidMeld((whole or meld).cards, frozenset(Hand(added))))
    return (
        LaidHand(tuple(melds), tuple(knocker.unmatched), knocker.deadwood),
        *[LaidHand(_own(reply.melds), tuple(reply.unmatched), reply.deadwood) for reply in replies],
    )


def _own(melds: tuple[Meld, ...]) -> tuple[LaidMeld, ...]:
    return tuple(LaidMeld(meld.cards) for meld in melds)
