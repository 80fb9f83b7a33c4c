"""Sheets that are kept, for the tests of the services."""

import pytest

from scoring.core.sheets import SheetSide
from scoring.models import HouseRules, Scoresheet
from scoring.services import open_sheet
from tests.factories import OPERATOR, house_rules

ANN_AND_BOB = (SheetSide("Ann", ("Ann",)), SheetSide("Bob", ("Bob",)))
WE_AND_YOU = (SheetSide("We", ("Ann", "Cid")), SheetSide("You", ("Bob", "Dot")))


@pytest.fixture
def hollywood(db: None) -> HouseRules:
    """The standard rules on three columns."""
    return house_rules()


@pytest.fixture
def sheet(hollywood: HouseRules) -> Scoresheet:
    """Ann against Bob, nothing on it yet."""
    return open_sheet(actor=OPERATOR, rules=hollywood, sides=ANN_AND_BOB, label="R1-T1")


@pytest.fixture
def team_sheet(hollywood: HouseRules) -> Scoresheet:
    """Two against two, nothing on it yet."""
    return open_sheet(actor=OPERATOR, rules=hollywood, sides=WE_AND_YOU, label="R1-T2")
