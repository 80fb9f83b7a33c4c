"""What a pairing cannot do, said so that a director understands it."""

from league.errors import LeagueError


class PairingError(LeagueError):
    """A refused pairing; `field` is the argument at fault."""
