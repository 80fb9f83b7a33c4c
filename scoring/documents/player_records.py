"""What each player has done on a sheet: hands played, won and gone gin, and shares of the side's net.

Every player is credited with the net of the side, of captains with his own part of it. Players who shared a
seat divide it: the first gets the sheet's net, settled as stopped, just before the change; the next one what
it has grown by at the next change; the last one the rest. The shares of a seat therefore add up to its net
exactly.

The winner of a hand is the player the sheet names, however the hand was won, in Jersey sometimes two; gin and
big gin count as gins, but not a hand that the other lost by time. Dead hands have no winner, and a line of a
team without hands tells neither who played nor who won. Hands after the end do not count.
"""

from collections.abc import Iterable, Iterator, Sequence

from scoring.core.hands import UNDERCUTS, Gin, Outcome
from scoring.core.kinds import kind_of
from scoring.core.kinds.base import named_in
from scoring.core.sheet_state import DealScore, SheetSide, SheetState, players_by_seat
from scoring.core.sheets import RunningSheet
from scoring.core.table_hands import TableScore

GINS = (Outcome.GIN, Outcome.BIG_GIN)

_TALLIED = {
    Outcome.KNOCK: "knocks",
    Outcome.GIN: "gins",
    Outcome.BIG_GIN: "gins",
    Outcome.UNDERCUT: "undercuts",
    Outcome.GIN_OFF: "undercuts",
}


def tallies_of(state: SheetState) -> dict[str, dict[str, int]]:
    """By player hands played and won, gins, undercuts, knocks and points won, where not 0."""
    tallies: dict[str, dict[str, int]] = {}
    for scored in state.deals:
        if not scored.counted:
            continue
        for hand in range(len(scored.hands)):
            for player in _played_by(state, scored, hand):
                if player in tallies:
                    tallies[player]["hands"] += 1
                else:
                    tallies[player] = {"hands": 1}
            for winner, points, outcome in won_in(scored, hand):
                tally = tallies[winner]
                tally["won"] = tally.get("won", 0) + 1
                tally["points"] = tally.get("points", 0) + points
                if outcome is not None and (kind := _TALLIED.get(outcome)):
                    tally[kind] = tally.get(kind, 0) + 1
    return tallies


def won_in(scored: DealScore, hand: int) -> Iterator[tuple[str, int, Outcome | None]]:
    """Who won a hand of the deal, with points and outcome.

    Where one of several undercuts, the knocker who wins from another has not: he has knocked. Who wins by
    time, as by gin, has not gone gin: his outcome is None.
    """
    score = scored.hands[hand]
    if not isinstance(score, TableScore):
        if score.winner is not None:
            result = scored.deal.hands[hand]
            is_by_time = isinstance(result, Gin) and result.by_time
            yield score.winner, score.points, None if is_by_time else score.outcome
        return
    losers = {player for gain in score.gains for player, _points in gain.shares}
    for gain in score.gains:
        has_knocked = score.outcome in UNDERCUTS and gain.winner in losers
        yield gain.winner, gain.points, Outcome.KNOCK if has_knocked else score.outcome


def shares_of_net(state: SheetState) -> dict[str, int]:
    """The net, in points, of every player who shared a seat."""
    changes = sorted({one.from_deal for side in state.sides for one in side.substitutes})
    if not changes:
        return {}
    before = dict(zip(changes, _nets_before(state, changes), strict=True))
    nets = _nets_of_players(state)
    shares: dict[str, int] = {}
    for number, side in enumerate(state.sides):
        for players in _shared_seats(side):
            # The net when each of them sat down, and at the end.
            marks = [0, *(before[from_deal][number] for _player, from_deal in players[1:]), nets[number]]
            for (player, _from_deal), came, left in zip(players, marks[:-1], marks[1:], strict=True):
                shares[player] = left - came
    return shares


def _played_by(state: SheetState, deal: DealScore, hand: int) -> Iterable[str]:
    """Who played a hand (from 0) of the deal: who is named, at one table of several everybody."""
    if isinstance(deal.hands[hand], TableScore):
        return players_by_seat(state.sides, deal.number)
    return [player for player, _field in named_in(deal.deal.hands[hand])]


def _nets_of_players(state: SheetState) -> list[int]:
    """What each player of each side wins."""
    kind = kind_of(state.rules)
    return [kind.net_of_player(side, net) for side, net in zip(state.sides, state.nets, strict=True)]


def _nets_before(state: SheetState, changes: Sequence[int]) -> Iterator[list[int]]:
    """The nets, settled as stopped, before each of these deals in order; past the last deal the sheet's."""
    sheet = RunningSheet(state.rules, state.sides, surplus="keep")
    for change in changes:
        if change > len(state.deals):
            yield _nets_of_players(state)
            continue
        for deal in state.deals[sheet.played : change - 1]:
            sheet.add(deal.deal)
        yield _nets_of_players(sheet.settle(stopped=True))


def _shared_seats(side: SheetSide) -> Iterator[list[tuple[str, int]]]:
    """For each shared seat its players in order, each with the number of the first deal."""
    seats: dict[int, list[tuple[str, int]]] = {seat: [(name, 1)] for seat, name in enumerate(side.players)}
    seat_of = side.seat_of
    for substitute in side.substitutes:
        seats[seat_of[substitute.player]].append((substitute.player, substitute.from_deal))
    return (players for players in seats.values() if len(players) > 1)
