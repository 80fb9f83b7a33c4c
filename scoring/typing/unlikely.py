"""Scores that are possible but very unlikely, which the scorekeeper confirms before saving.

Nothing is refused here; impossible hands are refused by `hands.score_hand`.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from scoring.core.hands import MOST_DEADWOOD, Outcome, Points, hand_limit
from scoring.core.messages import Message, mark, mark_plural
from scoring.core.rules import Rules
from scoring.core.sheets import Deal, TeamLine
from scoring.core.table_hands import TablePoints
from scoring.typing.rows import takes_all_off


class Unlikely(NamedTuple):
    """A doubt about the hand at `place` (from 0) of a deal, or about its line, with its points."""

    place: int
    points: int
    code: str
    message: Message


def unlikely(rules: Rules, deal: Deal, tables: int) -> Iterator[Unlikely]:
    """The doubts about the points of a deal with so many tables; counts are never doubted.

    Codes: `points_high`, `points_none`, `gin_range`, `undercut_range`, `odd_double`, `line_high`.
    """
    if deal.line is not None:
        yield from _doubts_about_line(rules, deal.line, tables)
    for place, hand in enumerate(deal.hands):
        if isinstance(hand, TablePoints):
            yield from _doubts_about_shares(rules, place, hand)
        if isinstance(hand, Points):
            for code, message in _doubts_about_points(rules, hand):
                yield Unlikely(place, hand.points, code, message)


def _doubts_about_shares(rules: Rules, place: int, hand: TablePoints) -> Iterator[Unlikely]:
    """What nobody can win from one of several, and a win of nothing."""
    bonus = {
        None: 0,
        Outcome.KNOCK: 0,
        Outcome.GIN: rules.gin_bonus,
        Outcome.BIG_GIN: rules.big_gin_bonus or 0,
    }.get(hand.mark, rules.undercut_bonus)
    most = (MOST_DEADWOOD + bonus) * (2 if rules.spades_double else 1)
    for gain in hand.gains:
        highest = max(points for _player, points in gain.shares)
        if highest > most:
            message = mark("%(points)s is more than %(most)s, the most from one.", points=highest, most=most)
            yield Unlikely(place, highest, "points_high", message)
        elif highest == 0 and not hand.penalties:
            message = mark("0 points to the winner? A hand that nobody won is typed d.")
            yield Unlikely(place, 0, "points_none", message)


def _doubts_about_line(rules: Rules, line: TeamLine, tables: int) -> Iterator[Unlikely]:
    bonus = max(rules.gin_bonus, rules.big_gin_bonus or 0, rules.undercut_bonus)
    most = (MOST_DEADWOOD + bonus) * tables * (2 if rules.spades_double else 1)
    if line.points > most:
        message = mark_plural(
            "%(points)s is more than a hand can bring (%(most)s).",
            "%(points)s is more than %(count)s hands can bring (%(most)s).",
            tables,
            points=line.points,
            most=most,
        )
        yield Unlikely(0, line.points, "line_high", message)
    elif line.points == 0:
        message = mark("0 points to the winner? A deal that nobody won is typed ld.")
        yield Unlikely(0, 0, "points_none", message)


def _doubts_about_points(rules: Rules, hand: Points) -> Iterator[tuple[str, Message]]:
    """Pairs of code and sentence; a spade doubles all bounds."""
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
            low = 0 if rules.undercut_penalty == "bonus" else rules.undercut_bonus
            high = low + hand_limit(rules, hand.upcard)
            if not rules.undercut_on_tie:
                low += 1
    low, high = low * times, high * times
    if points < low and code == "points_high":
        yield (
            "points_none",
            mark("%(points)s points to the winner? A hand that nobody won is typed d.", points=points),
        )
    elif points > high and hand.mark is None:
        yield (
            code,
            mark(
                "%(points)s is more than %(high)s, the most without a mark: g is gin, x big gin, u undercut.",
                points=points,
                high=high,
            ),
        )
    elif not low <= points <= high:
        pays = (_COSTS if takes_all_off(rules, hand.mark) else _PAYS)[hand.mark].filled(low=low, high=high)
        typed = mark("%(pays)s here; %(points)s is typed.", pays=pays, points=points)
        if is_spade:
            typed = mark(
                "%(pays)s here, doubled by the spade; %(points)s is typed.", pays=pays, points=points
            )
        yield code, typed
    elif is_spade and points % 2:
        yield (
            "odd_double",
            mark(
                "The spade doubles this hand, and %(points)s is odd: are these the points before?",
                points=points,
            ),
        )


_PAYS: Final = {
    None: mark("A hand without a mark pays %(low)s to %(high)s", low=0, high=0),
    Outcome.GIN: mark("Gin pays %(low)s to %(high)s", low=0, high=0),
    Outcome.BIG_GIN: mark("Big gin pays %(low)s to %(high)s", low=0, high=0),
    Outcome.UNDERCUT: mark("An undercut pays %(low)s to %(high)s", low=0, high=0),
    Outcome.GIN_OFF: mark("An undercut with nothing left pays %(low)s to %(high)s", low=0, high=0),
    Outcome.KNOCK: mark("A knock pays %(low)s to %(high)s", low=0, high=0),
}
_COSTS: Final[dict[Outcome | None, Message]] = {
    Outcome.UNDERCUT: mark("An undercut takes %(low)s to %(high)s off the knocker", low=0, high=0),
    Outcome.GIN_OFF: mark(
        "An undercut with nothing left takes %(low)s to %(high)s off the knocker", low=0, high=0
    ),
}
