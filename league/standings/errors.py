"""What keeps a table from being made, said so that a director understands it."""


class StandingsError(Exception):
    """A refused ranking: a stable `code`, a sentence, and the argument at fault."""

    def __init__(self, code: str, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field
