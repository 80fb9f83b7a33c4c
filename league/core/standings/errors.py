"""What keeps a table from being made, said so that a director understands it."""

from league.errors import LeagueError


class StandingsError(LeagueError):
    """A refused ranking; `field` is the argument at fault."""
