"""Each player's record on a sheet: hands played, won and gone gin, and the share of the side's net.

Every player is credited with the net of the side, of captains with his own part of it. Players who shared a
seat divide it: the first gets the sheet's net, settled as stopped, just before the change; the next one what
it has grown by at the next change; the last one the rest. The shares of a seat therefore add up to its net
exactly.

The winner of a hand is the player the sheet names, however the hand was won, in Jersey sometimes two; gin and
big gin count as gins. Dead hands have no winner, and a team's line without hands tells neither who played nor
who won. Hands after the end do not count.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from scoring.core.hands import Outcome
from scoring.core.kinds import kind_of
from scoring.core.kinds.base import named_in
from scoring.core.sheet_state import DealScore, SheetSide, SheetState, players_by_seat
from scoring.core.sheets import RunningSheet
from scoring.core.table_hands import TableScore

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


def player_records(state: SheetState) -> tuple[tuple[PlayerRecord, ...], ...]:
    """The records by side: the starting players seat by seat, then the substitutes in order."""
    hands = {player: _Hands() for side in state.sides for player in side.everyone}
    for deal in state.deals:
        if deal.counted:
            _count(state, deal, hands)
    shares = shares_of_net(state)
    nets = _nets_of_players(state)
    return tuple(
        tuple(
            PlayerRecord(
                player,
                number,
                side.seat_of[player],
                player not in side.players,
                hands[player].played,
                hands[player].won,
                hands[player].gins,
                shares.get(player, nets[number]),
            )
            for player in side.everyone
        )
        for number, side in enumerate(state.sides)
    )


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


@dataclass(slots=True)
class _Hands:
    """A player's hands while they are counted."""

    played: int = 0
    won: int = 0
    gins: int = 0


def played_by(state: SheetState, deal: DealScore, hand: int) -> Iterable[str]:
    """Who played a hand (from 0) of the deal: who is named, at one table of several everybody."""
    if isinstance(deal.hands[hand], TableScore):
        return players_by_seat(state.sides, deal.number)
    return [player for player, _field in named_in(deal.deal.hands[hand])]


def _count(state: SheetState, deal: DealScore, hands: dict[str, _Hands]) -> None:
    for hand, score in enumerate(deal.hands):
        if isinstance(score, TableScore):
            winners = [gain.winner for gain in score.gains]
        else:
            winners = [] if score.winner is None else [score.winner]
        for player in played_by(state, deal, hand):
            hands[player].played += 1
        for player in winners:
            hands[player].won += 1
            hands[player].gins += score.outcome in GINS


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
