"""What came of a match, and what an event gives for it.

Unplayed is not 0–0: a bye, a round asked off, a forfeit and a walkover are states of their own, each with its
own award. A match that has no result yet is simply not in the list.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Self, TypeAlias

from league.core.lifecycle import PLAYED, SAT_OUT, UNFINISHED, MatchState
from league.core.standings.errors import StandingsError
from scoring.core.messages import mark

Number: TypeAlias = int | Decimal
"""Points may be halves; a float is refused, since its sums depend on the order of adding."""


class MatchSide(StrEnum):
    A = "a"
    B = "b"


class Verdict(StrEnum):
    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


class CountsAs(StrEnum):
    """What stands in for the figure that a match not played does not have.

    Own net (`Award.net`), for whom the match was given to; the other side has 0. Averages are rounded to a
    whole point, halves upward.
    - ZERO: 0.
    - OWN_AVERAGE: the entry's average net over all matches it played, below 0 where that is; 0 if it played
      none.
    - ROUND_WINNERS: the average net of those who won a played match in this round; 0 if nobody did.

    Strength (`Award.strength`), in criteria that look at opponents: both sides of a match not played met a
    virtual opponent instead.
    - ZERO: it has no points and no net, as in the Buchholz of old.
    - OWN_AVERAGE: it is as strong as the entry itself, with the points and the net that the entry has: the
      dummy opponent of the FIDE tie-break regulations (C.07, 2023).
    - ROUND_WINNERS: the average of the points (to the hundredth) and of the nets (whole), halves upward, that
      the winners of this round have in the table; 0 if nobody won. This product's choice.
    """

    ZERO = "zero"
    OWN_AVERAGE = "own_average"
    ROUND_WINNERS = "round_winners"


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of one match.

    A side is one or more entries, each of which takes the result of its side. `net` is side a's, signed;
    side b has the opposite. `winner` None is a draw where the match was played, and a loss for both where it
    was forfeited or walked over by both. A bye or an absence has the entry in `side_a`, an empty `side_b`,
    and is always won. `net`, columns, boxes, hands won and gins of a match not played are not counted.
    `round` is its number in the event; matches that are given none are taken for one round, 0.
    """

    side_a: tuple[int, ...]
    side_b: tuple[int, ...]
    state: MatchState
    winner: MatchSide | None = None
    net: int = 0
    columns_a: int = 0
    columns_b: int = 0
    boxes_a: int = 0
    boxes_b: int = 0
    hands_a: int = 0
    hands_b: int = 0
    gins_a: int = 0
    gins_b: int = 0
    round: int = 0

    def __post_init__(self) -> None:
        everyone = self.side_a + self.side_b
        if len(set(everyone)) != len(everyone):
            raise StandingsError(
                "entry_twice",
                mark(
                    "A match names an entry twice: %(side_a)s against %(side_b)s.",
                    side_a=str(self.side_a),
                    side_b=str(self.side_b),
                ),
                field="result",
            )
        if self.state in UNFINISHED:
            raise StandingsError(
                "no_result",
                mark("A match that is %(state)s has no result yet.", state=self.state),
                field="state",
            )
        if not self.side_a or bool(self.side_b) == (self.state in SAT_OUT):
            raise StandingsError(
                "wrong_sides",
                mark(
                    "A %(state)s result cannot have the sides %(side_a)s and %(side_b)s.",
                    state=self.state,
                    side_a=str(self.side_a),
                    side_b=str(self.side_b),
                ),
                field="result",
            )
        if self.winner is MatchSide.B and not self.side_b:
            raise StandingsError(
                "wrong_winner",
                mark("A %(state)s result cannot be won by the empty side.", state=self.state),
                field="winner",
            )

    @classmethod
    def bye(cls, *entries: int, round: int = 0) -> Self:
        return cls(side_a=entries, side_b=(), state=MatchState.BYE, winner=MatchSide.A, round=round)

    @classmethod
    def absent(cls, *entries: int, round: int = 0) -> Self:
        return cls(side_a=entries, side_b=(), state=MatchState.ABSENT, winner=MatchSide.A, round=round)

    @property
    def played(self) -> bool:
        return self.state in PLAYED

    def verdicts(self) -> tuple[Verdict, Verdict]:
        """What the match was for side a and for side b."""
        if self.winner is MatchSide.A or self.state in SAT_OUT:
            return Verdict.WON, Verdict.LOST
        if self.winner is MatchSide.B:
            return Verdict.LOST, Verdict.WON
        return (Verdict.DRAWN, Verdict.DRAWN) if self.played else (Verdict.LOST, Verdict.LOST)


def as_of(results: Iterable[MatchResult], round: int) -> list[MatchResult]:
    """The results up to and with a round, for the table as it stood then."""
    return [result for result in results if result.round <= round]


@dataclass(frozen=True, slots=True)
class AdjustmentNote:
    """A director's plus or minus points, with the reason that the page prints as a footnote."""

    entry: int
    points: Number
    reason: str

    def __post_init__(self) -> None:
        require_exact(points=self.points)


@dataclass(frozen=True, slots=True, kw_only=True)
class Award:
    """What is given for a match that was not played.

    Points; whether it is also a match played, won or lost (`counts`); what it counts as in one's own net, and
    for the strength of one's opponents.
    """

    won: Number = 2
    lost: Number = 0
    counts: bool = True
    net: CountsAs = CountsAs.ZERO
    strength: CountsAs = CountsAs.ZERO

    def __post_init__(self) -> None:
        require_exact(won=self.won, lost=self.lost)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringScheme:
    """What a match is worth: so much for a sheet won, drawn or lost, and so much for each column won on it.

    `by_columns` is the other common way: points per column plus points for the sheet, nothing for a draw.
    """

    win: Number = 2
    draw: Number = 1
    loss: Number = 0
    column: Number = 0
    bye: Award = field(default_factory=lambda: Award(counts=False))
    absent: Award = field(default_factory=lambda: Award(won=0, counts=False))
    forfeit: Award = field(default_factory=Award)
    walkover: Award = field(default_factory=Award)

    def __post_init__(self) -> None:
        require_exact(win=self.win, draw=self.draw, loss=self.loss, column=self.column)

    @classmethod
    def by_columns(
        cls,
        *,
        column: Number = 1,
        sheet: Number = 1,
        bye: Award | None = None,
        absent: Award | None = None,
        forfeit: Award | None = None,
        walkover: Award | None = None,
    ) -> Self:
        """Points per column won and per sheet won.

        Unless an award says else, a bye, forfeit or walkover is worth a sheet, a round asked off nothing.
        """
        return cls(
            win=sheet,
            draw=0,
            loss=0,
            column=column,
            bye=bye or Award(won=sheet, counts=False),
            absent=absent or Award(won=0, counts=False),
            forfeit=forfeit or Award(won=sheet),
            walkover=walkover or Award(won=sheet),
        )

    def award(self, state: MatchState) -> Award | None:
        """The award of an unplayed state, None for a match that was played."""
        if state in PLAYED:
            return None
        return {
            MatchState.BYE: self.bye,
            MatchState.ABSENT: self.absent,
            MatchState.FORFEIT: self.forfeit,
            MatchState.WALKOVER: self.walkover,
        }[state]

    def points(self, result: MatchResult) -> tuple[Number, Number]:
        """The match points of each entry of side a, and of side b."""
        for_a, for_b = result.verdicts()
        award = self.award(result.state)
        if award is not None:
            return (
                award.won if for_a is Verdict.WON else award.lost,
                award.won if for_b is Verdict.WON else award.lost,
            )
        worth = {Verdict.WON: self.win, Verdict.DRAWN: self.draw, Verdict.LOST: self.loss}
        return (
            worth[for_a] + self.column * result.columns_a,
            worth[for_b] + self.column * result.columns_b,
        )


def require_exact(**points: Number) -> None:
    """Refuses points that are no whole number and no decimal: sums of floats depend on their order."""
    for name, value in points.items():
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            raise StandingsError(
                "inexact_points",
                mark("%(name)s must be a whole number or a decimal, not %(value)s.", name=name, value=value),
                field=name,
            )
