"""Evenings begin at seven, and stay there until a test moves the clock."""

from collections.abc import Iterator

import pytest
import time_machine

from tests.league.nights import START


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller
