"""Sheets that are kept: house rules in versions, sheets with their sides and seats, and every act on them.

The truth is `DealVersion` (and the acts around it): appended, never changed. What `Scoresheet` holds beside
it — status, net, `derived` — is computed by `scoring.services` from the deals and can be computed again.
"""

from scoring.models.base import ActedOn, Kept, Traced, random_code
from scoring.models.rules import HouseRules
from scoring.models.sheets import (
    ActKind,
    DealVersion,
    PaperState,
    Scoresheet,
    Seat,
    SecondTyping,
    SheetAct,
    SheetStatus,
    Side,
    Signature,
    SignatureMethod,
)
from scoring.models.table import Claim, ClaimSettlement, Dispute, DisputeSettlement, TableAnswer

__all__ = [
    "ActKind",
    "ActedOn",
    "Claim",
    "ClaimSettlement",
    "DealVersion",
    "Dispute",
    "DisputeSettlement",
    "HouseRules",
    "Kept",
    "PaperState",
    "Scoresheet",
    "Seat",
    "SecondTyping",
    "SheetAct",
    "SheetStatus",
    "Side",
    "Signature",
    "SignatureMethod",
    "TableAnswer",
    "Traced",
    "random_code",
]
