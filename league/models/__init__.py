"""The models of the league, one module per story."""

from league.models.audit import AuditEntry
from league.models.bots import BotSchedule, Exhibition
from league.models.brackets import Tie, TieDecision, TiePart
from league.models.clubs import Club, ClubRules, ColumnOrder, Membership, Role
from league.models.events import (
    Entry,
    EntryMember,
    Event,
    ForbiddenPair,
    Presence,
    Pyramid,
    Round,
    Season,
    usual_criteria,
)
from league.models.files import ImportBatch, ImportDraft
from league.models.formats import (
    BRACKETS,
    AbsentMember,
    CountsAs,
    EventFormat,
    EventKind,
    EventState,
    PointsScheme,
    PresenceState,
    RoundState,
    TieDecider,
)
from league.models.matches import (
    SAT_OUT,
    STATED,
    UNPLAYED,
    Appearance,
    FormerSheet,
    Match,
    MatchState,
    bye_counts,
)
from league.models.people import Player, PlayerAlias
from league.models.ratings import Rating, RatingsRequest, RatingStep
from league.models.standings import (
    Adjustment,
    IndividualStanding,
    SeasonTable,
    Standing,
    StandingsRequest,
    SweepMark,
)

__all__ = [
    "BRACKETS",
    "SAT_OUT",
    "STATED",
    "UNPLAYED",
    "AbsentMember",
    "Adjustment",
    "Appearance",
    "AuditEntry",
    "BotSchedule",
    "Club",
    "ClubRules",
    "ColumnOrder",
    "CountsAs",
    "Entry",
    "EntryMember",
    "Event",
    "EventFormat",
    "EventKind",
    "EventState",
    "Exhibition",
    "ForbiddenPair",
    "FormerSheet",
    "ImportBatch",
    "ImportDraft",
    "IndividualStanding",
    "Match",
    "MatchState",
    "Membership",
    "Player",
    "PlayerAlias",
    "PointsScheme",
    "Presence",
    "PresenceState",
    "Pyramid",
    "Rating",
    "RatingStep",
    "RatingsRequest",
    "Role",
    "Round",
    "RoundState",
    "Season",
    "SeasonTable",
    "Standing",
    "StandingsRequest",
    "SweepMark",
    "Tie",
    "TieDecider",
    "TieDecision",
    "TiePart",
    "bye_counts",
    "usual_criteria",
]
