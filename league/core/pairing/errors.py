"""The error of the pairing modules, with messages for directors."""

from league.errors import LeagueError


class PairingError(LeagueError):
    """A refused pairing; `field` is the argument at fault."""
