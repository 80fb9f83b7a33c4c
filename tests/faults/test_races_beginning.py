"""Two who have the code begin the first club at the same moment: there is one club, with one owner."""

import threading
from functools import partial

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction

from league.errors import LeagueError
from league.models import Club, Membership
from league.people.beginning import BeginningCode, begin_club, new_code, read_code
from league.people.invitations import NewAccount
from tests.faults.threads import DEADLINE_SECONDS, at_once, until_someone_waits
from tests.refusals import code_of

pytestmark = pytest.mark.django_db(transaction=True)


def code() -> BeginningCode:
    opened = read_code(new_code())
    assert opened is not None
    return opened


def begin(opened: BeginningCode, name: str) -> None:
    account = NewAccount(name, "a rather long secret", name)
    begin_club(by=opened, name=name, place="", time_zone="UTC", is_public=False, account=account)


def test_of_two_who_begin_at_once_one_is_the_owner() -> None:
    opened = code()

    calls = [partial(code_of, partial(begin, opened, name)) for name in ("ann", "bob")]
    assert sorted(at_once(calls)) == ["begun", "done"]
    assert (Club.objects.count(), User.objects.count(), Membership.objects.count()) == (1, 1, 1)


def test_who_looked_before_the_other_was_done_is_refused_by_the_row() -> None:
    """On PostgreSQL the second sees no club, and waits as it writes its own; on SQLite it looks later."""
    opened, is_in, is_done = code(), threading.Event(), threading.Event()

    def first() -> str:
        with transaction.atomic():
            begin(opened, "ann")
            is_in.set()
            until_someone_waits(or_done=is_done)
        return "began"

    def second() -> str:
        assert is_in.wait(DEADLINE_SECONDS)
        try:
            begin(opened, "bob")
        except LeagueError as refusal:
            why = refusal.__cause__
            return f"{refusal.code}, {why.code if isinstance(why, LeagueError) else 'as it looked'}"
        finally:
            is_done.set()
        return "began"

    held = "clash" if connection.vendor == "postgresql" else "as it looked"
    assert at_once([first, second]) == ["began", f"begun, {held}"]
    assert (Club.objects.get().name, User.objects.get().username) == ("ann", "ann")
