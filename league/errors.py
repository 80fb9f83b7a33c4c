"""What league refuses, as one exception with a stable code, a sentence and the field it is about."""


class LeagueError(Exception):
    """Base of every refusal in league; `code` is contract, the sentence is not."""

    def __init__(self, code: str, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field
