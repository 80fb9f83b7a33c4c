"""Worked examples of house rules: small hands and whole sheets, scored by the scorer itself.

So a printed rule sheet shows exactly what the club's sheets are scored by. Examples that are impossible under
the rules (big gin where it is not played, a knock where nobody may knock) are left out.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Final

from scoring.core.hands import BigGin, Dead, Gin, HandResult, HandScore, Knock, hand_limit, score_hand
from scoring.core.rules import Rules
from scoring.core.sheets import Deal, RunningSheet, SheetSide, SheetState, score_sheet

# Player names in hand examples; readers see “the knocker” and “the defender”.
KNOCKER: Final = "knocker"
DEFENDER: Final = "defender"
# Upcards whose limits differ under Oklahoma: a court card, two others and the ace.
UPCARDS: Final = ("KH", "7D", "4C", "AH")
# A sheet example has to stay readable: time is called after this many deals.
MOST_DEALS: Final = 24

_SPADE: Final = "9S"
_Maker = Callable[[Rules, str, str], HandResult]


@dataclass(frozen=True, slots=True)
class HandExample:
    """One hand and its score; `limit` is its knock limit."""

    result: HandResult
    score: HandScore
    limit: int


@dataclass(frozen=True, slots=True)
class LimitExample:
    """An upcard and the knock limit it sets."""

    upcard: str
    limit: int


def hand_examples(rules: Rules) -> tuple[HandExample, ...]:
    """A hand for every way a hand can end under these rules (RULES §4)."""
    return tuple(
        HandExample(result, score_hand(rules, result), hand_limit(rules, result.upcard))
        for result in _hands(rules)
    )


def limit_examples(rules: Rules) -> tuple[LimitExample, ...]:
    """The knock limits that some upcards set (RULES §3, Oklahoma); empty where upcards set none."""
    if rules.oklahoma == "off" or rules.knock_limit == 0:
        return ()
    return tuple(LimitExample(upcard, hand_limit(rules, upcard)) for upcard in UPCARDS)


def sheet_example(rules: Rules, names: tuple[str, str]) -> SheetState:
    """A sheet of two players, played to its end, or stopped if that takes too many deals."""
    sides = (SheetSide(names[0], names[:1]), SheetSide(names[1], names[1:]))
    sheet = RunningSheet(rules, sides)
    for make, winner in cycle(_EVENING):
        if sheet.is_finished or sheet.played == MOST_DEALS:
            break
        sheet.add(Deal((make(rules, names[winner], names[1 - winner]),)))
    return sheet.settle(stopped=not sheet.is_finished)


def shutout_example(rules: Rules, names: tuple[str, str]) -> SheetState:
    """A single game that the first player wins with gin each time while the second never scores."""
    sides = (SheetSide(names[0], names[:1]), SheetSide(names[1], names[1:]))
    sheet = RunningSheet(replace(rules, columns=1), sides)
    while not sheet.is_finished:
        sheet.add(Deal((Gin(names[0], names[1], 40),)))
    return sheet.settle()


def team_examples(rules: Rules, names: tuple[str, str]) -> tuple[SheetState, ...]:
    """Two deals of teams of two, a sheet each: one team wins both hands, then each wins one.

    Its counts are those of RULES §7 (16 and 12; 7 and 13) under any knock limit of 4 or more.
    """
    sides = tuple(SheetSide(name, (f"{name} 1", f"{name} 2")) for name in names)
    first, second = (side.players for side in sides)
    both = (_knock(rules, first[0], second[0], 20), _knock(rules, first[1], second[1], 16))
    each = (_knock(rules, first[0], second[0], 11), _knock(rules, second[1], first[1], 17))
    return tuple(score_sheet(rules, sides, [Deal(hands)]) for hands in (both, each))


def hand_of_evening(rules: Rules, turn: int, first: str, second: str) -> HandResult:
    """The hand of the evening that is played in this turn, from 0, by these two."""
    make, winner = _EVENING[turn % len(_EVENING)]
    return make(rules, *((first, second) if winner == 0 else (second, first)))


def _hands(rules: Rules) -> Iterator[HandResult]:
    limit = rules.knock_limit
    if limit:
        yield _knock(rules, KNOCKER, DEFENDER, 27)
    yield Gin(KNOCKER, DEFENDER, 35)
    if rules.big_gin_bonus is not None:
        yield BigGin(KNOCKER, DEFENDER, 35)
    if limit:
        own = min(8, limit)
        yield Knock(KNOCKER, DEFENDER, own, max(own - 2, 0))
        yield Knock(KNOCKER, DEFENDER, own, own)
        if own > 2 and rules.extra_boxes.gin_off != rules.extra_boxes.undercut:
            yield Knock(KNOCKER, DEFENDER, own, 0)
        yield Knock(KNOCKER, DEFENDER, 0, 20)
    if rules.spades_double:
        yield Gin(KNOCKER, DEFENDER, 35, _SPADE)
    yield Dead((KNOCKER, DEFENDER))


def _knock(rules: Rules, knocker: str, defender: str, deadwood: int) -> HandResult:
    """A knock with 4, or less under a lower limit; gin where nobody may knock."""
    if not rules.knock_limit:
        return Gin(knocker, defender, deadwood)
    return Knock(knocker, defender, min(4, rules.knock_limit), deadwood)


def _knocks(deadwood: int) -> _Maker:
    return lambda rules, winner, loser: _knock(rules, winner, loser, deadwood)


def _gins(deadwood: int) -> _Maker:
    return lambda rules, winner, loser: Gin(winner, loser, deadwood)


def _big_gins(deadwood: int) -> _Maker:
    def make(rules: Rules, winner: str, loser: str) -> HandResult:
        kind = Gin if rules.big_gin_bonus is None else BigGin
        return kind(winner, loser, deadwood)

    return make


def _undercuts(own: int, other: int) -> _Maker:
    """The loser knocks with `own`, or the limit if that is lower, and the winner has less."""

    def make(rules: Rules, winner: str, loser: str) -> HandResult:
        if rules.knock_limit < 2:
            return Gin(winner, loser, own)
        knocked = min(own, rules.knock_limit)
        return Knock(loser, winner, knocked, min(other, knocked - 1))

    return make


def _dead(rules: Rules, winner: str, loser: str) -> HandResult:
    return Dead((winner, loser))


# The hands of an evening and the winner of each; a longer sheet starts over from the first.
_EVENING: Final[tuple[tuple[_Maker, int], ...]] = (
    (_knocks(27), 0),
    (_gins(31), 1),
    (_undercuts(8, 6), 0),
    (_dead, 0),
    (_gins(22), 0),
    (_knocks(19), 1),
    (_big_gins(18), 0),
    (_knocks(33), 0),
    (_undercuts(9, 2), 1),
    (_gins(40), 0),
    (_knocks(24), 1),
    (_gins(12), 0),
)
