"""A club with something of everything that the API tells, and programs that ask for it."""

import pytest

from tests.league.api.world import World, make_world


@pytest.fixture
def world() -> World:
    return make_world()
