"""Every refusal of the league is a `LeagueError`: a door that knows that one knows all."""

from league.core.pairing.errors import PairingError
from league.core.standings import StandingsError
from league.errors import LeagueError


def test_refusals_of_the_cores_are_refusals_of_the_league() -> None:
    for kind in (PairingError, StandingsError):
        refusal = kind("too_few", "Too few.", field="entries")
        assert isinstance(refusal, LeagueError)
        assert (refusal.code, str(refusal.message), refusal.field) == ("too_few", "Too few.", "entries")
