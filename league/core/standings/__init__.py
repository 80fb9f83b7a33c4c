"""Standings of an event, from results to ranked rows. Pure: no database, no clock, no randomness.

results.py       match results and what they are worth
table_results.py results of tables of more than two sides
tally.py         totals per entry
strength.py      strength of opponents
encounters.py    direct encounter among those who are level
metrics.py       ranking criteria, one small function each
annulling.py     when the results of who withdrew are annulled
ranking.py       ties split criterion by criterion
players.py       players' table where sides are teams or partners
seasons.py       points for places over several events
"""

from league.core.standings.annulling import annulled_by_rule
from league.core.standings.errors import StandingsError
from league.core.standings.metrics import CRITERIA, Metric
from league.core.standings.players import PlayerShare, rank_players
from league.core.standings.ranking import Row, rank
from league.core.standings.results import (
    AdjustmentNote,
    Award,
    CountsAs,
    MatchResult,
    MatchSide,
    Number,
    ScoringScheme,
    as_of,
)
from league.core.standings.seasons import Finish, rank_season
from league.core.standings.table_results import TableResult
from league.core.standings.tally import PerMatch, Tally
