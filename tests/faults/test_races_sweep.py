"""The sweep and who erases a person at the same moment: neither undoes what the other wrote."""

import datetime
import threading
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from league.models import AuditEntry, Invitation, Role
from league.people.invitations import invite
from league.upkeep.retention import days_of, forget_what_is_over
from tests.factories import OPERATOR, ClubFactory
from tests.faults.threads import DEADLINE_SECONDS, at_once, until_someone_waits

pytestmark = pytest.mark.django_db(transaction=True)


def entries(whose: Invitation, audit: QuerySet[AuditEntry]) -> QuerySet[AuditEntry]:
    return audit.filter(object_type="invitation", object_id=str(whose.pk))


def noted(whose: Invitation, audit: QuerySet[AuditEntry] | None = None) -> dict[str, Any]:
    """What the audit has of an invitation."""
    after = entries(whose, AuditEntry.objects.all() if audit is None else audit).get().after
    assert isinstance(after, dict)
    return after


def test_what_an_erasure_writes_of_an_invitation_stays() -> None:
    """One renames a person in the audit of an invitation while the sweep takes the address from it."""
    club = ClubFactory.create()
    invitation, _secret = invite(actor=OPERATOR, club=club, role=Role.MEMBER, email="ann@archer.test")
    other, _secret = invite(actor=OPERATOR, club=club, role=Role.MEMBER, email="bob@baker.test")
    long_ago = timezone.now() - datetime.timedelta(days=days_of("invitations") + 1)
    Invitation.objects.update(expires_at=long_ago)
    is_in, is_done = threading.Event(), threading.Event()

    def rename() -> bool:
        with transaction.atomic():
            after = noted(invitation, AuditEntry.objects.select_for_update())
            entries(invitation, AuditEntry._base_manager.all()).update(after=after | {"player": "Erased x"})
            is_in.set()
            until_someone_waits(or_done=is_done)
            return is_done.is_set()

    def sweep() -> None:
        assert is_in.wait(DEADLINE_SECONDS)
        assert forget_what_is_over(timezone.now())
        is_done.set()

    was_done, _none = at_once([rename, sweep])
    assert was_done == (connection.vendor == "postgresql"), "the sweep waited"
    assert noted(invitation)["player"] == "Erased x"
    other.refresh_from_db()
    assert (other.email, noted(other)["email"]) == ("", "–")
    invitation.refresh_from_db()
    assert bool(invitation.email) == ("@" in noted(invitation)["email"])
    assert forget_what_is_over(timezone.now())
    invitation.refresh_from_db()
    assert (invitation.email, noted(invitation)["email"]) == ("", "–")
    assert noted(invitation)["player"] == "Erased x"
