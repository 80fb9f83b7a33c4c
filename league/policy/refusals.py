"""Whether an act would be refused, for pages that offer it only where it would not be."""

from collections.abc import Callable

from league.errors import LeagueError
from scoring.words.messages import translated


def refused(check: Callable[[], object]) -> str:
    """The sentence by which a check refuses; "" if it does not."""
    try:
        check()
    except LeagueError as refusal:
        return translated(refusal.message)
    return ""
