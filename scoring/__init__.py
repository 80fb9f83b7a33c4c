"""Scoring: house rules, hand results and score sheets. The ground floor; it knows no club and no event."""

from scoring.errors import ScoringError
from scoring.hands import score_hand
from scoring.rules import Rules
from scoring.sheets import score_sheet

__all__ = ["Rules", "ScoringError", "score_hand", "score_sheet"]
