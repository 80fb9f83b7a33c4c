"""What league refuses, as one exception with a stable code, a sentence and the field it is about."""

from collections.abc import Iterator

from scoring.core.errors import CodedError
from scoring.core.messages import Sentence


class LeagueError(CodedError):
    """Base of every refusal in league; its sentence says by itself what it is about."""

    def _places(self) -> Iterator[Sentence]:
        return iter(())
