"""Every write to a stored sheet.

Each service takes an actor, asks the policy, locks the one sheet it changes, checks, appends, rescores the
sheet, stores the derived state and signals the apps above, all in one transaction. A refusal is a
`ScoringError` and changes nothing.

`opening` creates sheets, `recording` writes deals, `substituting` seats substitutes, `endings` stops, signs,
accepts and voids, `disputes` keeps a side's objections until they are settled. `acts` has what they share,
`patience` the time they wait for locks, `deriving` the derived state.
"""

from scoring.services.acts import LONGEST_KEY, LONGEST_REASON, Receipt
from scoring.services.deriving import DERIVED_FIELDS, derive, paper_state
from scoring.services.disputes import dispute_sheet, open_disputes, settle_dispute
from scoring.services.endings import accept_difference, sign_sheet, stop_sheet, void_sheet
from scoring.services.opening import (
    LONGEST_LABEL,
    SheetPlan,
    delete_unused_rules,
    make_house_rules,
    open_once,
    open_sheet,
    open_sheets,
    reseat_sheet,
    rules_of_length,
)
from scoring.services.patience import refused_when_busy, waiting_anywhere_at_most, waiting_at_most
from scoring.services.recording import correct_deals, record_deals
from scoring.services.substituting import add_substitute, remove_substitute
