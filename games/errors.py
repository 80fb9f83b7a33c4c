"""What can be wrong with cards, a move or a game, as one exception with a stable code."""


class GameError(Exception):
    """Base of every refusal in games; `code` is contract, the sentence is not. `field` is what to mend."""

    def __init__(self, code: str, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field

    def __str__(self) -> str:
        return f"{self.field}: {self.message}" if self.field else self.message
