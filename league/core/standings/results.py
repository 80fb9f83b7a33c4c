"""Results of matches, and what an event awards for them.

Not played is not 0–0: a bye, a requested absence, a forfeit and a walkover are states of their own, each with
its own award. Matches without a result are not listed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise
from math import floor
from typing import Protocol, Self, TypeAlias, TypeVar

from league.core.lifecycle import CONTESTED, SAT_OUT, UNFINISHED, MatchState
from league.core.standings.errors import StandingsError
from scoring.core.messages import mark

Number: TypeAlias = int | Decimal
"""Points may be halves; floats are refused, since their sums depend on the order of addition."""


class MatchSide(StrEnum):
    A = "a"
    B = "b"


class Verdict(StrEnum):
    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


class CountsAs(StrEnum):
    """The figure used for a match that was not played.

    As the net (`Award.net`) of the side that was given the match; the other side has 0. Averages are rounded
    to whole points, halves up.
    - ZERO: 0.
    - OWN_AVERAGE: the entry's average net over all matches it played, which may be negative; 0 if it played
      none.
    - ROUND_WINNERS: the average net of the winners of played matches in this round; 0 if there are none.

    As strength (`Award.strength`), for criteria that look at opponents: both sides met a virtual opponent.
    - ZERO: it has no points and no net, as in the traditional Buchholz.
    - OWN_AVERAGE: it has the entry's own points and net: the dummy opponent of the FIDE tie-break regulations
      (C.07, 2023).
    - ROUND_WINNERS: it has the average points (to the hundredth) and net (whole), halves up, that the winners
      of this round have in the table; 0 if there are none. A rule of this product.
    - FIDE: as in the tie-break regulations since March 2026 (FIDE Handbook C.07, article 16); see `strength`.
      It has the entry's own net.
    - OPPONENT: no virtual opponent: it is the one who was drawn, as if they had played, and a round without
      an opponent is nothing (C.07, 15.2, where everybody meets everybody).
    """

    ZERO = "zero"
    OWN_AVERAGE = "own_average"
    ROUND_WINNERS = "round_winners"
    FIDE = "fide"
    OPPONENT = "opponent"


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of one match.

    A side is one or more entries, each of which takes its side's result. `net` is side a's, signed; side b
    has the opposite. `winner` None is a draw if the match was played, otherwise a loss for both sides. A bye
    or absence has its entries in `side_a`, an empty `side_b`, and is always won. `given` are the points of
    side a where they are not those of the scheme, `given_b` then those of side b. A forfeit has `begun` if
    they had sat down to play. `net`, columns, boxes, hands won and gins count only if the match was played.
    `missing` is a side whose player was not there: for it alone a match that was played counts as a forfeit
    that it has lost. A bye is `extra` if its entry has played somebody who is not in the event: that counts
    as it was played, and as the strength of an opponent as a bye. `round` is its number in the event; 0 if
    not given.

    Refused: a state without a result (`no_result`), an entry named twice (`entry_twice`), sides that do not
    fit the state (`wrong_sides`), the empty side as winner (`wrong_winner`).
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
    given: Number | None = None
    given_b: Number = 0
    begun: bool = False
    missing: MatchSide | None = None
    extra: bool = False

    def __post_init__(self) -> None:
        if len(set(self.entries)) != len(self.entries):
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
        if self.winner is MatchSide.B and not self.side_b and not self.extra:
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
    def entries(self) -> tuple[int, ...]:
        """All entries, those of side a first."""
        return self.side_a + self.side_b

    @property
    def played(self) -> bool:
        return self.state in CONTESTED or self.extra

    def verdicts(self) -> tuple[Verdict, Verdict]:
        """The outcome for side a and for side b."""
        if self.winner is MatchSide.A or (self.state in SAT_OUT and not self.extra):
            return Verdict.WON, Verdict.LOST
        if self.winner is MatchSide.B:
            return Verdict.LOST, Verdict.WON
        return (Verdict.DRAWN, Verdict.DRAWN) if self.played else (Verdict.LOST, Verdict.LOST)


class OfARound(Protocol):
    """A result of either kind, with the number of its round."""

    @property
    def round(self) -> int: ...


R = TypeVar("R", bound=OfARound)


def as_of(results: Iterable[R], round: int) -> list[R]:
    """Return the results up to and including a round."""
    return [result for result in results if result.round <= round]


@dataclass(frozen=True, slots=True)
class AdjustmentNote:
    """Points that a director added or deducted, with the reason printed as a footnote."""

    entry: int
    points: Number
    reason: str

    def __post_init__(self) -> None:
        require_exact(points=self.points)


@dataclass(frozen=True, slots=True, kw_only=True)
class Award:
    """What a match that was not played is worth.

    Points for winner and loser; whether it counts as a match played, won or lost (`counts`); and what it
    counts as in the entry's own net and for the strength of its opponents.
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
    """Match points for a sheet won, drawn or lost, plus points for each column won on it.

    The other common scheme is points per column plus points for the sheet, nothing for a draw.

    `by_place` are the points for first, second, ... place at a table of three to six sides; places after the
    last one have its points. Refused: none at all, and a place that is worth more than the one before it
    (`wrong_by_place`).
    """

    win: Number = 2
    draw: Number = 1
    loss: Number = 0
    column: Number = 0
    by_place: tuple[Number, ...] = (3, 1, 0)
    bye: Award = field(default_factory=lambda: Award(counts=False))
    absent: Award = field(default_factory=lambda: Award(won=0, counts=False))
    forfeit: Award = field(default_factory=Award)
    walkover: Award = field(default_factory=Award)

    def __post_init__(self) -> None:
        require_exact(win=self.win, draw=self.draw, loss=self.loss, column=self.column)
        for points in self.by_place:
            require_exact(by_place=points)
        if not self.by_place or any(after > before for before, after in pairwise(self.by_place)):
            raise StandingsError(
                "wrong_by_place",
                mark("Points by place begin with the first place, and no place is worth more than a better."),
                field="by_place",
            )

    @property
    def unit(self) -> Number:
        """What counts as one point in figures of points by points: a win where a draw is half of it."""
        return self.win if self.win == 2 * self.draw > 0 == self.loss and not self.column else 1

    @property
    def full_bye(self) -> Number:
        """The points of a round without an opponent that is worth a win."""
        return self.bye.won if self.column else self.win

    @property
    def half_bye(self) -> Number:
        """The points of one that is worth a draw; where columns count, half of a bye."""
        if not self.column:
            return self.draw
        half = Decimal(self.bye.won) / 2
        return int(half) if half == half.to_integral_value() else half

    def award(self, state: MatchState) -> Award | None:
        """Return the award of a state, None if the match was played."""
        if state in CONTESTED:
            return None
        return {
            MatchState.BYE: self.bye,
            MatchState.ABSENT: self.absent,
            MatchState.FORFEIT: self.forfeit,
            MatchState.WALKOVER: self.walkover,
        }[state]

    def points(self, result: MatchResult) -> tuple[Number, Number]:
        """Return the match points of each entry of side a, and of side b."""
        for_a, for_b = result.verdicts()
        award = self.award(result.state)
        if result.given is not None:
            return result.given, result.given_b
        if award is not None and not result.extra:
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
    """Refuse (`inexact_points`) numbers that are neither int nor Decimal; float sums depend on order."""
    for name, value in points.items():
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            raise StandingsError(
                "inexact_points",
                mark("%(name)s must be a whole number or a decimal, not %(value)s.", name=name, value=value),
                field=name,
            )


def average(figures: Sequence[Number], *, places: int = 0) -> Fraction:
    """Return the average rounded to this many decimal places, halves up; 0 of nothing."""
    if not figures:
        return Fraction(0)
    total = sum((Fraction(figure) for figure in figures), Fraction(0))
    scale = 10**places
    return Fraction(floor(total * scale / len(figures) + Fraction(1, 2)), scale)


def as_number(points: Fraction) -> Number:
    """Return whole points as a whole number, others as a decimal."""
    return int(points) if points.denominator == 1 else Decimal(points.numerator) / points.denominator
