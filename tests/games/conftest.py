"""What is tested beside another program is collected where that program is installed (extra `openspiel`)."""

import datetime
from collections.abc import Iterator
from importlib.util import find_spec

import pytest
import time_machine

collect_ignore = [] if find_spec("pyspiel") else ["test_openspiel.py"]

EIGHT = datetime.datetime(2026, 12, 3, 19, 0, tzinfo=datetime.UTC)


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """It is eight until a test moves the clock."""
    with time_machine.travel(EIGHT, tick=False) as traveller:
        yield traveller
