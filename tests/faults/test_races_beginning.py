"""Two who have the code begin the first club at the same moment: there is one club, with one owner."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.contrib.auth.models import User
from django.db import connection

from league.errors import LeagueError
from league.models import Club, Membership
from league.people.beginning import begin_club, new_code, read_code
from league.people.invitations import NewAccount
from tests.faults.threads import DEADLINE_SECONDS


@pytest.mark.django_db(transaction=True)
def test_of_two_who_begin_at_once_one_is_the_owner() -> None:
    opened = read_code(new_code())
    assert opened is not None
    start = Barrier(2)

    def begin(name: str) -> str:
        account = NewAccount(name, "a rather long secret", name)
        try:
            start.wait(DEADLINE_SECONDS)
            begin_club(by=opened, name=name, place="", time_zone="UTC", account=account)
        except LeagueError as refusal:
            return refusal.code
        finally:
            connection.close()
        return "began"

    with ThreadPoolExecutor(max_workers=2) as both:
        told = sorted(both.map(begin, ("ann", "bob")))
    assert told[0] == "began"
    # Refused as it looked, or as it wrote.
    assert told[1] in ("begun", "invalid", "clash")
    assert (Club.objects.count(), User.objects.count(), Membership.objects.count()) == (1, 1, 1)
