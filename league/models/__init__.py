"""The models of the league, one module per story."""

from league.models.audit import AuditEntry
from league.models.clubs import Club, ClubRules, ColumnOrder, Membership, Role
from league.models.events import (
    Entry,
    EntryMember,
    Event,
    EventKind,
    PointsScheme,
    Round,
    Season,
    usual_criteria,
)
from league.models.files import ImportBatch, ImportDraft
from league.models.matches import STATED, UNPLAYED, Appearance, FormerSheet, Match, MatchState, bye_counts
from league.models.people import Player, PlayerAlias
from league.models.standings import Adjustment, Standing, StandingsRequest, SweepMark

__all__ = [
    "STATED",
    "UNPLAYED",
    "Adjustment",
    "Appearance",
    "AuditEntry",
    "Club",
    "ClubRules",
    "ColumnOrder",
    "Entry",
    "EntryMember",
    "Event",
    "EventKind",
    "FormerSheet",
    "ImportBatch",
    "ImportDraft",
    "Match",
    "MatchState",
    "Membership",
    "Player",
    "PlayerAlias",
    "PointsScheme",
    "Role",
    "Round",
    "Season",
    "Standing",
    "StandingsRequest",
    "SweepMark",
    "bye_counts",
    "usual_criteria",
]
