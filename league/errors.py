"""What league refuses, as one exception with a stable code, a sentence and the field it is about."""

from scoring.core.errors import CodedError


class LeagueError(CodedError):
    """Base of every refusal in league."""
