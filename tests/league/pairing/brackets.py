"""What tests ask of a bracket."""

from league.core.pairing.elimination import BracketProgress, Readiness


def ready_in(now: BracketProgress) -> list[int]:
    """The matches that can be played now, in order of their numbers."""
    return [number for number, ready in now.readiness.items() if ready is Readiness.READY]
