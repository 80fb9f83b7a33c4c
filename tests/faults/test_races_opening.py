"""One request to open a sheet, sent twice at the same moment, opens one."""

import pytest

from league.events.house_rules import make_club_rules
from league.matches.club_sheets import open_club_sheet
from league.models import Exhibition
from scoring.core.rules import Rules
from scoring.core.sheets import SheetSide
from scoring.models import OpeningKey, Scoresheet
from tests.factories import OPERATOR, ClubFactory
from tests.faults.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def test_several_at_once_with_one_key_open_one_sheet() -> None:
    club = ClubFactory.create()
    own = make_club_rules(actor=OPERATOR, club=club, name="Jersey", rules=Rules.preset("jersey"))
    sides = [SheetSide(name, (name,)) for name in ("Ann", "Bob", "Cid")]

    def opened() -> str:
        sheet = open_club_sheet(actor=OPERATOR, club=club, rules=own.rules, sides=sides, key="evening")
        return sheet.code

    codes = at_once([opened] * 5)
    assert codes == [Scoresheet.objects.get().code] * 5
    assert (Exhibition.objects.count(), OpeningKey.objects.count()) == (1, 1)
