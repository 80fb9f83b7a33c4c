"""Whether an event has been drawn, and whether it has rounds of its own."""

from django.utils.translation import gettext as _

from league.errors import LeagueError
from league.models import Event


def is_drawn(event: Event) -> bool:
    """True if there are rounds or a bracket, which fixes the format."""
    return event.rounds.exists() or event.ties.exists()


def check_has_rounds(event: Event) -> None:
    """Refuse (`no_rounds`) to handle rounds of an event in which each round is one match."""
    if not event.counts_rounds:
        raise LeagueError(
            "no_rounds",
            _("“%(event)s” has no rounds: its matches are written and called off one by one.")
            % {"event": event},
        )
