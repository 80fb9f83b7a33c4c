"""Strength of opponents, for criteria that ask whom an entry has met.

An opponent's strength is what it earned in matches, byes and the like included, in the rounds that count for
it; a director's adjustment of one entry changes nobody else's strength. A match that was not played was
against a virtual opponent, whose strength `CountsAs` defines.
"""

from decimal import Decimal

from league.core.standings.results import CountsAs, Number, Verdict
from league.core.standings.tally import EntryResult, Tally


def opponents_points(tally: Tally, entry: int) -> list[Number]:
    """Return the points of each opponent met, virtual ones included; opponents met twice are listed twice."""
    points: list[Number] = []
    for part in tally.parts[entry]:
        points += _points(tally, entry, part)
    return points


def opponents_net(tally: Tally, entry: int) -> list[int]:
    """Return the net of each opponent met, listed like `opponents_points`."""
    nets: list[int] = []
    for part in tally.parts[entry]:
        if part.award is None:
            nets += [tally.records[opponent].net for opponent in part.opponents]
        elif part.award.strength is CountsAs.OWN_AVERAGE:
            nets.append(tally.records[entry].net)
        elif part.award.strength is CountsAs.ROUND_WINNERS:
            nets.append(tally.winners_strength(part.round)[1])
    return nets


def sonneborn_berger(tally: Tally, entry: int) -> Number:
    """Return the points of opponents beaten plus half the points of opponents drawn with."""
    doubled: Number = 0
    for part in tally.parts[entry]:
        if part.verdict is not Verdict.LOST:
            points = sum(_points(tally, entry, part))
            doubled += 2 * points if part.verdict is Verdict.WON else points
    half = Decimal(doubled) / 2
    return int(half) if half == half.to_integral_value() else half


def _points(tally: Tally, entry: int, part: EntryResult) -> list[Number]:
    if part.award is None:
        return [tally.records[opponent].earned for opponent in part.opponents]
    if part.award.strength is CountsAs.OWN_AVERAGE:
        return [tally.records[entry].earned]
    if part.award.strength is CountsAs.ROUND_WINNERS:
        return [tally.winners_strength(part.round)[0]]
    return [0]
