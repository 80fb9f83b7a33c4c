"""What can be wrong with cards, a move or a game, as one exception with a stable code."""

from scoring.core.errors import CodedError


class GameError(CodedError):
    """Base of every refusal in games."""
