"""Strength of opponents, for criteria that ask whom an entry has met.

An opponent's strength is what it earned in matches, byes and the like included, in the rounds that count for
it; a director's adjustment of one entry changes nobody else's strength. A match that was not played was
against a virtual opponent, whose strength `CountsAs` defines.

`CountsAs.FIDE` is article 16 of the FIDE Handbook C.07, in force since 1 March 2026:

- The virtual opponent of an unplayed round has the entry's own points, at most those of the opponent that was
  drawn, after a forfeit or walkover (16.4.1), else at most a draw in every round (16.4.2). The result against
  it is the one worth as many points as were awarded (16.4).
- A round that an entry missed, as it came late, stayed away or had left, is a round asked off for nothing.
- For the strength of whom an entry met, the rounds that it asked to sit out or missed are draws if it came to
  play no later round (16.3.2). The award of `absent` says whether so.
- If the weakest opponent is cut, one of a round in which the entry did not come to play goes first (16.5).
"""

from decimal import Decimal
from typing import NamedTuple

from league.core.standings.results import CountsAs, Number, Verdict
from league.core.standings.tally import EntryResult, Tally


class Strength(NamedTuple):
    """An opponent's points, and the halves of a win taken from it; `stayed_away` if by one's own doing."""

    points: Number
    halves: int
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
        if part.award is None:
            nets += [tally.records[opponent].net for opponent in part.opponents]
        elif part.award.strength in (CountsAs.OWN_AVERAGE, CountsAs.FIDE):
            nets.append(tally.records[entry].net)
        elif part.award.strength is CountsAs.ROUND_WINNERS:
            nets.append(tally.winners_strength(part.round)[1])
    return nets


def sonneborn_berger(tally: Tally, entry: int) -> Number:
    """Return the points of opponents beaten plus half the points of opponents drawn with."""
    half = Decimal(sum(each.points * each.halves for each in _strengths(tally, entry))) / 2
    return int(half) if half == half.to_integral_value() else half


def _strengths(tally: Tally, entry: int) -> list[Strength]:
    found: list[Strength] = []
    for part in tally.with_rounds_missed[entry]:
        halves = {Verdict.WON: 2, Verdict.DRAWN: 1, Verdict.LOST: 0}[part.verdict]
        if part.award is None:
            found += [Strength(adjusted(tally, opponent), halves) for opponent in part.opponents]
        elif part.award.strength is CountsAs.FIDE:
            found.append(_dummy(tally, entry, part))
        elif part.award.strength is CountsAs.OWN_AVERAGE:
            found.append(Strength(tally.records[entry].earned, halves))
        elif part.award.strength is CountsAs.ROUND_WINNERS:
            found.append(Strength(tally.winners_strength(part.round)[0], halves))
        else:
            found.append(Strength(0, halves))
    return found


def adjusted(tally: Tally, entry: int) -> Number:
    """Return the points with which an entry counts as an opponent (16.3)."""
    earned = tally.records[entry].earned
    if tally.scheme.absent.strength is not CountsAs.FIDE:
        return earned
    for part in reversed(tally.with_rounds_missed[entry]):
        if not part.stayed_away:
            break
        if part.alone:
            earned += _draw(tally) - part.points
    return earned


def _dummy(tally: Tally, entry: int, part: EntryResult) -> Strength:
    most: Number = _draw(tally) * len(tally.rounds)
    if part.opponents:
        most = max(adjusted(tally, opponent) for opponent in part.opponents)
        halves = 2 if part.verdict is Verdict.WON else 0
    else:
        halves = 2 if part.points >= tally.scheme.win else int(part.points > tally.scheme.loss)
    return Strength(min(tally.records[entry].earned, most), halves, part.stayed_away)


def _draw(tally: Tally) -> Number:
    """The worth of a draw; where columns count, half that of a bye."""
    scheme = tally.scheme
    if not scheme.column:
        return scheme.draw
    half = Decimal(scheme.bye.won) / 2
    return int(half) if half == half.to_integral_value() else half
