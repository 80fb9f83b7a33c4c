"""The state derived from a sheet's deals and stored beside them."""

from typing import Any, Final

from scoring.core.sheets import SheetState
from scoring.models import PaperState, Scoresheet, SheetStatus
from scoring.services.records import KeptSheet, derived_document
from scoring.typing.paper_figures import Paper, differences

DERIVED_FIELDS: Final = ("status", "deal_count", "nets", "places", "derived")


def derive(sheet: Scoresheet, kept: KeptSheet, state: SheetState) -> None:
    """Sets the derived fields of the sheet; saves nothing."""
    if sheet.status != SheetStatus.VOID:
        sheet.status = SheetStatus(state.status)
    sheet.deal_count = len(state.deals)
    sheet.nets = list(state.nets)
    sheet.places = [] if state.status == "open" else list(state.places)
    sheet.derived = derived_document(kept, state)


def paper_state(document: dict[str, Any] | None, state: SheetState) -> PaperState:
    """How the sheet compares with the paper's figures; a change of the sheet ends an acceptance."""
    paper = Paper() if document is None else Paper.from_document(document)
    if paper.is_blank:
        return PaperState.NONE
    return PaperState.DIFFERS if differences(state, paper) else PaperState.AGREES
