"""Where the demo is not loaded: apart from its other tests, which have it in their database all the time."""

import pytest

from league.demo import load_demo
from league.models import Club
from tests.factories import ClubFactory

pytestmark = pytest.mark.django_db


def test_demo_when_there_is_a_club_stays_away() -> None:
    ClubFactory.create()
    assert load_demo() is None
    assert Club.objects.count() == 1
