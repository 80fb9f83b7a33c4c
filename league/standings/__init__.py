"""The table of an event: results in, ranked rows out. Pure: no database, no clock, no chance but the seed.

results.py   what came of a match, and what it is worth
tally.py     everything added up per entry
metrics.py   the criteria one may rank by, each a small named function
ranking.py   ties split criterion by criterion
"""

from league.standings.errors import StandingsError
from league.standings.metrics import CRITERIA, Metric
from league.standings.ranking import Row, rank
from league.standings.results import (
    Adjustment,
    Award,
    MatchResult,
    MatchState,
    Number,
    ScoringScheme,
    Side,
    Verdict,
)

__all__ = [
    "CRITERIA",
    "Adjustment",
    "Award",
    "MatchResult",
    "MatchState",
    "Metric",
    "Number",
    "Row",
    "ScoringScheme",
    "Side",
    "StandingsError",
    "Verdict",
    "rank",
]
