"""Stored sheets: versions of house rules, sheets with their sides and seats, and every act on them.

The source of truth is `DealVersion` and the acts around it, which are appended and never changed. Everything
else on `Scoresheet` (status, nets, places, `derived`), and on a `Seat` or `Side` the figures for records, is
computed from the deals by `scoring.services` and can be recomputed.
"""

from scoring.models.base import ACTOR_KINDS, ActedOn, Kept, Traced, random_code
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
from scoring.models.table import (
    Claim,
    ClaimSettlement,
    Dispute,
    DisputeSettlement,
    OpeningKey,
    TableAnswer,
)
