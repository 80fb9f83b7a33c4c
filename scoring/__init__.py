"""Scoring: house rules, hand results and score sheets. The ground floor; it knows no club and no event.

What other programs call is offered here (INTERFACES §5).
"""

from scoring.core.hands import score_hand
from scoring.core.rules import Rules
from scoring.core.sheets import score_sheet

__all__ = ["Rules", "score_hand", "score_sheet"]
