"""Scores that can be, and hardly ever are: what a volunteer is asked to look at again before saving.

Nothing here refuses; what is impossible `hands.score_hand` refuses.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from scoring.core.hands import MOST_DEADWOOD, Outcome, Points, hand_limit
from scoring.core.rules import Rules
from scoring.core.sheets import Deal, TeamLine

_NAMES: Final = {
    Outcome.GIN: "Gin",
    Outcome.BIG_GIN: "Big gin",
    Outcome.UNDERCUT: "An undercut",
    Outcome.GIN_OFF: "An undercut with nothing left",
    Outcome.KNOCK: "A knock",
}


class Unlikely(NamedTuple):
    """A doubt about the hand at `place` (from 0) of a deal, or about its line, with the points it has."""

    place: int
    points: int
    code: str
    message: str


def unlikely(rules: Rules, deal: Deal, tables: int) -> Iterator[Unlikely]:
    """What is unlikely in the points of a deal of so many tables; counts are never doubted.

    Codes: `points_high`, `points_none`, `gin_range`, `undercut_range`, `odd_double`, `line_high`.
    """
    if deal.line is not None:
        yield from _doubts_about_line(rules, deal.line, tables)
    for place, hand in enumerate(deal.hands):
        if isinstance(hand, Points):
            for code, message in _doubts_about_points(rules, hand):
                yield Unlikely(place, hand.points, code, message)


def _doubts_about_line(rules: Rules, line: TeamLine, tables: int) -> Iterator[Unlikely]:
    bonus = max(rules.gin_bonus, rules.big_gin_bonus or 0, rules.undercut_bonus)
    most = (MOST_DEADWOOD + bonus) * tables * (2 if rules.spades_double else 1)
    if line.points > most:
        message = f"{line.points} is more than {tables} hands can bring ({most})."
        yield Unlikely(0, line.points, "line_high", message)
    elif line.points == 0:
        message = "0 points to the winner? A deal that nobody won is typed ld."
        yield Unlikely(0, 0, "points_none", message)


def _doubts_about_points(rules: Rules, hand: Points) -> Iterator[tuple[str, str]]:
    """(code, sentence) each; all bounds double where the spade does."""
    is_spade = rules.spades_double and hand.upcard is not None and hand.upcard[1] == "S"
    times = 2 if is_spade else 1
    points = hand.points
    low, high = 1, MOST_DEADWOOD
    code = "points_high"
    match hand.mark:
        case Outcome.GIN | Outcome.BIG_GIN:
            code = "gin_range"
            low = rules.gin_bonus if hand.mark is Outcome.GIN else rules.big_gin_bonus or 0
            high = low + MOST_DEADWOOD
        case Outcome.UNDERCUT | Outcome.GIN_OFF:
            code = "undercut_range"
            low = rules.undercut_bonus
            high = low + hand_limit(rules, hand.upcard)
            if not rules.undercut_on_tie:
                low += 1
    low, high = low * times, high * times
    name = "A hand without a mark" if hand.mark is None else _NAMES[hand.mark]
    if points < low and code == "points_high":
        yield "points_none", f"{points} points to the winner? A hand that nobody won is typed d."
    elif points > high and hand.mark is None:
        yield code, f"{points} is more than {high}, the most without a mark: g is gin, x big gin, u undercut."
    elif not low <= points <= high:
        with_spade = ", doubled by the spade" if is_spade else ""
        yield code, f"{name} pays {low} to {high} here{with_spade}; {points} is typed."
    elif is_spade and points % 2:
        yield "odd_double", f"The spade doubles this hand, and {points} is odd: are these the points before?"
