"""What each player did on a sheet: hands played, won and gone gin, and his share of the side's net.

Everyone takes the net of his side. Where players shared a seat it is divided among them: who sat first has
what the sheet gives, settled as stopped, just before the change; the next what it gives more until the next
change; the last the rest. So the shares of a seat add up to the side's net exactly.

A hand is won by whom the sheet names, with or without a mark, be it by a knock, gin, an undercut or points;
gin and big gin are gins. A dead hand is won by nobody, and a team's line without hands says of nobody that he
won one, nor who played it. Hands after the end count nowhere.
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
    """A player's part of a sheet. `seat` counts from 0 within the side; `net` is in points.

    `is_substitute` where he took the seat over from somebody.
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
    """The records of both sides: those who began, seat by seat, then the substitutes in order."""
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
    """The share of every player who shared a seat, in points."""
    changes = sorted({one.from_deal for side in state.sides for one in side.substitutes})
    if not changes:
        return {}
    nets = dict(zip(changes, _nets_before(state, changes), strict=True))
    shares: dict[str, int] = {}
    for number, side in enumerate(state.sides):
        sign = -1 if number else 1
        for players in _shared_seats(side):
            # The net when each of them came, and in the end.
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
    """The net settled as stopped before each of these deals, in order; the sheet's before one it has not."""
    sheet = RunningSheet(state.rules, state.sides, surplus="keep")
    for change in changes:
        if change > len(state.deals):
            yield state.net
            continue
        for deal in state.deals[sheet.played : change - 1]:
            sheet.add(deal.deal)
        yield sheet.settle(stopped=True).net


def _shared_seats(side: SheetSide) -> Iterator[list[tuple[str, int]]]:
    """Who sat in each seat that was shared, with their first deals, in order."""
    seats: dict[int, list[tuple[str, int]]] = {seat: [(name, 1)] for seat, name in enumerate(side.players)}
    seat_of = side.seat_of
    for substitute in side.substitutes:
        seats[seat_of[substitute.player]].append((substitute.player, substitute.from_deal))
    return (players for players in seats.values() if len(players) > 1)
