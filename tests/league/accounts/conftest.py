"""A private club with its owner and a director."""

import pytest
from django.contrib.auth.models import User

from league.models import Club, Role
from league.people.invitations import NewAccount
from tests.factories import ClubFactory, UserFactory

PASSWORD = "a long way home 7"
NEW = NewAccount("newcomer", PASSWORD, "New Comer")


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(name="Hidden Harbour", slug="harbour", is_public=False)


@pytest.fixture
def owner(club: Club) -> User:
    return UserFactory.create(username="owner", club=club, role=Role.OWNER)


@pytest.fixture
def director(club: Club) -> User:
    return UserFactory.create(username="director", club=club, role=Role.DIRECTOR)
