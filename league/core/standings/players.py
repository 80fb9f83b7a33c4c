"""Players' table where a side has several players: teams with members, or rotating partners.

Everyone takes the net of their side; players who shared a seat with a substitute take their share of it,
which the sheet states. A share above 0 is a match won, below 0 one lost. Matches without play have no
players.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from league.core.standings.errors import StandingsError
from scoring.core.messages import mark


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerShare:
    """A player's part in one sheet: the net of their side while they sat, from their side's view."""

    player: int
    net: int
    hands_won: int = 0
    gins: int = 0
    substitute: bool = False


@dataclass(slots=True, kw_only=True)
class PlayerRow:
    """One line of the table; wins, draws and losses add up to `played`."""

    rank: int = 0
    player: int
    played: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    net: int = 0
    hands_won: int = 0
    gins: int = 0
    substitute_matches: int = 0

    def take(self, share: PlayerShare) -> None:
        self.played += 1
        self.wins += share.net > 0
        self.draws += share.net == 0
        self.losses += share.net < 0
        self.net += share.net
        self.hands_won += share.hands_won
        self.gins += share.gins
        self.substitute_matches += share.substitute

    @property
    def merit(self) -> tuple[int, int, int, int]:
        """The ranking key: net, matches won, hands won, gins."""
        return self.net, self.wins, self.hands_won, self.gins


def rank_players(players: Iterable[int], shares: Iterable[PlayerShare]) -> list[PlayerRow]:
    """Return the table of `players`, best first; those level in everything share a rank, in given order.

    Refused: a repeated player, and a share of somebody not among them.
    """
    rows: dict[int, PlayerRow] = {}
    for player in players:
        if player in rows:
            raise StandingsError(
                "duplicate_player", mark("Player %(player)s is listed twice.", player=player), field="players"
            )
        rows[player] = PlayerRow(player=player)
    for share in shares:
        row = rows.get(share.player)
        if row is None:
            raise StandingsError(
                "unknown_player",
                mark("A sheet names player %(player)s, who is not listed.", player=share.player),
                field="shares",
            )
        row.take(share)
    ordered = sorted(rows.values(), key=lambda row: row.merit, reverse=True)
    place = 1
    for _, level in groupby(ordered, key=lambda row: row.merit):
        together = list(level)
        for row in together:
            row.rank = place
        place += len(together)
    return ordered
