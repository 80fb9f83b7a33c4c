"""League's one exception: a stable code, a sentence, and the field concerned."""

from collections.abc import Iterator

from scoring.core.errors import CodedError
from scoring.core.messages import Sentence


class LeagueError(CodedError):
    """The base of all refusals in league; the message is understandable by itself."""

    def _places(self) -> Iterator[Sentence]:
        return iter(())
