"""The exception for invalid cards, moves and games, with a stable code."""

from scoring.core.errors import CodedError


class GameError(CodedError):
    """Base class of every refusal in games."""
