"""Scores that can be, and hardly ever are: what a volunteer is asked to look at again before saving.

Nothing here refuses; what is impossible `hands.score_hand` refuses.
"""

from collections.abc import Iterator
from typing import Final

from scoring.hands import MOST_DEADWOOD, Outcome, Points, hand_limit
from scoring.rules import Rules
from scoring.sheets import TeamLine

# What a code and its sentence are kept as until they are tied to a row.
Doubt = tuple[str, str]

_NAMES: Final = {
    Outcome.GIN: "Gin",
    Outcome.BIG_GIN: "Big gin",
    Outcome.UNDERCUT: "An undercut",
    Outcome.GIN_OFF: "An undercut with nothing left",
    Outcome.KNOCK: "A knock",
}


def doubts_about_points(rules: Rules, hand: Points) -> Iterator[Doubt]:
    """What is unlikely in points copied from paper: (code, sentence) each; all of it doubles with the spade.

    Codes: `points_high`, `points_none`, `gin_range`, `undercut_range`, `odd_double`.
    """
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


def doubts_about_line(rules: Rules, line: TeamLine, tables: int) -> Iterator[Doubt]:
    """What is unlikely in a team's line: `line_high`, `points_none`."""
    bonus = max(rules.gin_bonus, rules.big_gin_bonus or 0, rules.undercut_bonus)
    most = (MOST_DEADWOOD + bonus) * tables * (2 if rules.spades_double else 1)
    if line.points > most:
        yield "line_high", f"{line.points} is more than {tables} hands can bring ({most})."
    elif line.points == 0:
        yield "points_none", "0 points to the winner? A deal that nobody won is typed ld."
