"""Strength of opponents, for criteria that ask whom an entry has met.

An opponent's strength is what it earned in matches, byes and the like included, in the rounds that count for
it; a director's adjustment of one entry changes nobody else's strength. A match that was not played was
against a virtual opponent, whose strength `CountsAs` defines.

`CountsAs.FIDE` is article 16 of the FIDE Handbook C.07, in force since 1 March 2026:

- The virtual opponent of an unplayed round has the entry's own points, at most those of the opponent that was
  drawn, after a forfeit or walkover (16.4.1), else at most a draw in every round (16.4.2). The result against
  it is the one worth as many points as were awarded (16.4). A match that was given up after it had begun was
  played.
- A round that an entry missed, as it came late, stayed away or had left, is a round asked off, for the points
  that were given for it.
- For the strength of whom an entry met, the rounds that it asked to sit out or missed are draws if it came to
  play no later round (16.3.2). The award of `absent` says whether so. One that was given as much as a win is
  none of them (16.2.1).
- If the weakest opponent is cut, one of a round in which the entry did not come to play goes first (16.5).
"""

from decimal import Decimal
from typing import NamedTuple

from league.core.standings.results import CountsAs, Number, Verdict
from league.core.standings.tally import EntryResult, Tally


class Strength(NamedTuple):
    """An opponent's points, and the points taken from it; `stayed_away` if by one's own doing."""

    points: Number
    taken: Number
    stayed_away: bool = False


def opponents_points(tally: Tally, entry: int, *, weakest: int = 0, strongest: int = 0) -> list[Number]:
    """Return the points of each opponent met, virtual ones included; opponents met twice are listed twice.

    So many of the weakest are left out, then of the strongest.
    """
    met = _strengths(tally, entry)
    for _ in range(min(weakest, len(met))):
        away = [each for each in met if each.stayed_away]
        met.remove(min(away or met, key=lambda each: each.points))
    points = sorted(each.points for each in met)
    return points[: max(0, len(points) - strongest)]


def opponents_net(tally: Tally, entry: int) -> list[int]:
    """Return the net of each opponent met, listed like `opponents_points`."""
    nets: list[int] = []
    for part in tally.parts[entry]:
        if _was_against(part):
            nets += [tally.records[opponent].net for opponent in part.opponents]
        elif part.award is None or part.award.strength is CountsAs.ZERO:
            continue
        elif part.award.strength is CountsAs.ROUND_WINNERS:
            nets.append(tally.winners_strength(part.round)[1])
        else:
            nets.append(tally.records[entry].net)
    return nets


def sonneborn_berger(tally: Tally, entry: int) -> Number:
    """Return the points of each opponent times the points taken from it (C.07, 9.1).

    Where a draw is half a win, a win counts for the opponent's points and a draw for half of these, whatever
    a win is worth: readers find the points in the table. The order is that of the products.
    """
    unit = 1 if tally.former else tally.scheme.unit
    total = Decimal(sum(each.points * each.taken for each in _strengths(tally, entry))) / unit
    return int(total) if total == total.to_integral_value() else total


def _strengths(tally: Tally, entry: int) -> list[Strength]:
    found: list[Strength] = []
    for part in tally.with_rounds_missed[entry]:
        taken = _taken(tally, part)
        if _was_against(part):
            found += [Strength(adjusted(tally, opponent), taken) for opponent in part.opponents]
        elif part.award is None or part.award.strength is CountsAs.ZERO:
            found.append(Strength(0, taken))
        elif part.award.strength is CountsAs.FIDE:
            found.append(Strength(_dummy(tally, entry, part), taken, part.stayed_away))
        elif part.award.strength is CountsAs.OWN_AVERAGE:
            found.append(Strength(tally.records[entry].earned, taken))
        else:
            found.append(Strength(tally.winners_strength(part.round)[0], taken))
    return found


def _was_against(part: EntryResult) -> bool:
    """Whether strength is that of the opponents, if there are any; else it is of a virtual one."""
    if part.award is None or part.award.strength is CountsAs.OPPONENT:
        return True
    return part.begun and part.award.strength is CountsAs.FIDE


def _taken(tally: Tally, part: EntryResult) -> Number:
    """The points taken from an opponent; before they counted, the halves of a win."""
    if not tally.former:
        return part.points
    scheme = tally.scheme
    is_alone = part.award is not None and part.award.strength is CountsAs.FIDE and not part.opponents
    won = part.points >= scheme.win if is_alone else part.verdict is Verdict.WON
    drawn = part.points > scheme.loss if is_alone else part.verdict is Verdict.DRAWN
    return 1 if won else Decimal("0.5") if drawn else 0


def adjusted(tally: Tally, entry: int) -> Number:
    """Return the points with which an entry counts as an opponent (16.3)."""
    if tally.scheme.absent.strength is not CountsAs.FIDE:
        return tally.records[entry].earned
    points = tally.scores[entry]
    for part in reversed(tally.with_rounds_missed[entry]):
        if not part.stayed_away:
            break
        if part.alone:
            points += tally.scheme.half_bye - part.points
    return points


def _dummy(tally: Tally, entry: int, part: EntryResult) -> Number:
    """The points of the virtual opponent of an unplayed round (16.4)."""
    most: Number = tally.scheme.half_bye * len(tally.rounds)
    if part.opponents:
        most = max(adjusted(tally, opponent) for opponent in part.opponents)
    return min(tally.scores[entry], most)
