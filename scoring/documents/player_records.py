"""Each player's record on a sheet: hands played, won and gone gin, and the share of the side's net.

Every player is credited with the net of the side. Players who shared a seat divide it: the first gets the
sheet's net, settled as stopped, just before the change; the next one what it has grown by at the next change;
the last one the rest. The shares of a seat therefore add up to the side's net exactly.

The winner of a hand is the player the sheet names, however the hand was won; gin and big gin count as gins.
Dead hands have no winner, and a team's line without hands tells neither who played nor who won. Hands after
the end do not count.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoring.core.hands import Outcome
from scoring.core.sheet_state import DealScore, SheetSide, SheetState
from scoring.core.sheets import RunningSheet
from scoring.documents.sheets import players_of

GINS = (Outcome.GIN, Outcome.BIG_GIN)


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """A player's record on a sheet. `seat` counts from 0 within the side; `net` is in points.

    `is_substitute` tells whether the player took the seat over.
    """

    player: str
    side: int
    seat: int
    is_substitute: bool
    hands: int
    won: int
    gins: int
    net: int


def player_records(state: SheetState) -> tuple[tuple[PlayerRecord, ...], tuple[PlayerRecord, ...]]:
    """The records of both sides: the starting players seat by seat, then the substitutes in order."""
    hands = {player: _Hands() for side in state.sides for player in side.everyone}
    for deal in state.deals:
        if deal.counted:
            _count(deal, hands)
    shares = shares_of_net(state)
    first, second = (
        tuple(
            PlayerRecord(
                player,
                number,
                side.seat_of[player],
                player not in side.players,
                hands[player].played,
                hands[player].won,
                hands[player].gins,
                shares.get(player, -state.net if number else state.net),
            )
            for player in side.everyone
        )
        for number, side in enumerate(state.sides)
    )
    return first, second


def shares_of_net(state: SheetState) -> dict[str, int]:
    """The net, in points, of every player who shared a seat."""
    changes = sorted({one.from_deal for side in state.sides for one in side.substitutes})
    if not changes:
        return {}
    nets = dict(zip(changes, _nets_before(state, changes), strict=True))
    shares: dict[str, int] = {}
    for number, side in enumerate(state.sides):
        sign = -1 if number else 1
        for players in _shared_seats(side):
            # The net when each of them sat down, and at the end.
            marks = [0, *(nets[from_deal] for _player, from_deal in players[1:]), state.net]
            for (player, _from_deal), came, left in zip(players, marks[:-1], marks[1:], strict=True):
                shares[player] = sign * (left - came)
    return shares


@dataclass(slots=True)
class _Hands:
    """A player's hands while they are counted."""

    played: int = 0
    won: int = 0
    gins: int = 0


def _count(deal: DealScore, hands: dict[str, _Hands]) -> None:
    for result, score in zip(deal.deal.hands, deal.hands, strict=True):
        for player in players_of(result):
            hands[player].played += 1
        if score.winner is not None:
            hands[score.winner].won += 1
            hands[score.winner].gins += score.outcome in GINS


def _nets_before(state: SheetState, changes: Sequence[int]) -> Iterator[int]:
    """The net, settled as stopped, before each of these deals in order; past the last deal the sheet's."""
    sheet = RunningSheet(state.rules, state.sides, surplus="keep")
    for change in changes:
        if change > len(state.deals):
            yield state.net
            continue
        for deal in state.deals[sheet.played : change - 1]:
            sheet.add(deal.deal)
        yield sheet.settle(stopped=True).net


def _shared_seats(side: SheetSide) -> Iterator[list[tuple[str, int]]]:
    """For each shared seat its players in order, each with the number of the first deal."""
    seats: dict[int, list[tuple[str, int]]] = {seat: [(name, 1)] for seat, name in enumerate(side.players)}
    seat_of = side.seat_of
    for substitute in side.substitutes:
        seats[seat_of[substitute.player]].append((substitute.player, substitute.from_deal))
    return (players for players in seats.values() if len(players) > 1)
