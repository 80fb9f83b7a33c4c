"""Both seasons of the demo, opened on the sheet page as a scorekeeper would to look something up."""

import pytest

from league.demo import load_demo
from league.entry.page import blank_draft
from league.entry.reading import Act, base_of, read
from scoring.models import Scoresheet

pytestmark = pytest.mark.django_db


def test_every_saved_sheet_reads_back_as_itself() -> None:
    """However it stands on the page: either side left, figures as points or as running totals."""
    load_demo(progress=False)
    sheets = Scoresheet.objects.select_related("rules").exclude(deal_count=0)
    assert len(sheets) > 100
    for sheet in sheets:
        base = base_of(sheet)
        for left in (0, 1):
            for running in (False, True):
                reading = read(sheet, blank_draft(base, left=left, running=running))
                wanted = Act.CORRECT if reading.is_swapped else Act.NOTHING
                assert (reading.plan.act, reading.plan.changes or {}) == (wanted, {}), sheet.label
                assert not reading.problems, sheet.label
