"""Whether an event has been drawn."""

from league.models import Event


def is_drawn(event: Event) -> bool:
    """True if there are rounds or a bracket, which fixes the format."""
    return event.rounds.exists() or event.ties.exists()
