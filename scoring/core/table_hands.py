"""One hand of several players at one table: its result, and what each of them wins (RULES §8).

A result names the players; counts and points are in the order of seats, from the left of who knocked, went
out or won; of a blocked hand from the first seat. Scores are made by the kinds of `scoring.core.kinds`.
"""

from dataclasses import dataclass, field
from typing import Any

from scoring.core.hands import Dead, Outcome

Counts = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class TableKnock:
    """A knock, gin or big gin (`ending`) with the deadwood of everybody else, after lay-offs."""

    knocker: str
    knocker_deadwood: int
    others: Counts
    ending: Outcome = Outcome.KNOCK
    upcard: str | None = None


@dataclass(frozen=True, slots=True)
class Gain:
    """What a player wins in a hand, from whom. `boxes`, once it is scored, are its own and extra ones."""

    winner: str
    shares: Counts
    boxes: int = 0

    @property
    def points(self) -> int:
        """The points of all shares."""
        return sum(points for _, points in self.shares)


@dataclass(frozen=True, slots=True)
class TablePoints:
    """Final points as written on paper, never multiplied; `mark` tells how they were won, if known.

    Usually one player wins; in Jersey two may. `penalties` are taken off, once.
    """

    gains: tuple[Gain, ...]
    penalties: Counts = ()
    mark: Outcome | None = None
    upcard: str | None = None


@dataclass(frozen=True, slots=True)
class Out:
    """Rummy: the winner went out, and the others had so much left; `rummy` if it was all in one turn.

    `by_time` as in `Gin`.
    """

    winner: str
    left: Counts
    rummy: bool = False
    by_time: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Blocked:
    """Rummy: the stock ran out, and everybody had so much left."""

    left: Counts


TableResult = TableKnock | TablePoints | Out | Blocked | Dead


@dataclass(frozen=True, slots=True)
class TableScore:
    """The score of a hand of several: what is won, by whom and from whom, and what is taken off."""

    outcome: Outcome
    gains: tuple[Gain, ...] = ()
    penalties: Counts = ()

    def to_document(self) -> dict[str, Any]:
        """The JSON of an answer."""
        document: dict[str, Any] = {
            "outcome": str(self.outcome),
            "gains": [
                {"winner": gain.winner, "points": gain.points, "boxes": gain.boxes, "from": dict(gain.shares)}
                for gain in self.gains
            ],
        }
        if self.penalties:
            document["penalties"] = dict(self.penalties)
        return document
