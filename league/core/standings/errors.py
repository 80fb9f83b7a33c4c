"""The error of the standings modules, with messages for directors."""

from league.errors import LeagueError


class StandingsError(LeagueError):
    """A refused ranking; `field` is the argument at fault."""
