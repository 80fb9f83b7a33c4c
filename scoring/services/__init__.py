"""Every write to a kept sheet.

Each service takes an actor, asks the policy, locks the one sheet it changes, checks, appends, replays the
sheet through the scorer, stores the derived state beside it and tells the floors above, all in one
transaction. A refusal is a `ScoringError` and changes nothing.

`opening` makes sheets, `recording` writes deals, `substituting` has a seat pass on, `endings` stops, signs,
accepts and voids, `disputes` keeps what a side says against its sheet until that is settled; `acts` is the
frame they share, `patience` how long it waits, `deriving` what is computed.
"""

from scoring.services.acts import LONGEST_KEY, LONGEST_REASON, Receipt
from scoring.services.deriving import DERIVED_FIELDS, derive, paper_state
from scoring.services.disputes import dispute_sheet, open_disputes, settle_dispute
from scoring.services.endings import accept_difference, sign_sheet, stop_sheet, void_sheet
from scoring.services.opening import (
    LONGEST_LABEL,
    SheetPlan,
    make_house_rules,
    open_sheet,
    open_sheets,
    reseat_sheet,
)
from scoring.services.patience import refused_when_busy, waiting_anywhere_at_most, waiting_at_most
from scoring.services.recording import correct_deals, correct_documents, record_deals, record_documents
from scoring.services.substituting import add_substitute, remove_substitute

__all__ = [
    "DERIVED_FIELDS",
    "LONGEST_KEY",
    "LONGEST_LABEL",
    "LONGEST_REASON",
    "Receipt",
    "SheetPlan",
    "accept_difference",
    "add_substitute",
    "correct_deals",
    "correct_documents",
    "derive",
    "dispute_sheet",
    "make_house_rules",
    "open_disputes",
    "open_sheet",
    "open_sheets",
    "paper_state",
    "record_deals",
    "record_documents",
    "refused_when_busy",
    "remove_substitute",
    "reseat_sheet",
    "settle_dispute",
    "sign_sheet",
    "stop_sheet",
    "void_sheet",
    "waiting_anywhere_at_most",
    "waiting_at_most",
]
