"""Recording a result, and sending to a webhook or deleting it at the same moment: neither fails."""

import threading
from collections.abc import Callable

import pytest
from django.db import connection, transaction

from league.models import Club, Match, Webhook, WebhookDelivery, WebhookKind
from league.notices.calling import LEASE
from league.notices.causes import result_changed
from league.notices.claiming import TakenRows
from league.people.webhooks import remove_webhook
from tests.factories import OPERATOR, MatchFactory
from tests.faults.threads import DEADLINE_SECONDS, at_once, until_someone_waits

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def match() -> Match:
    made: Match = MatchFactory.create()
    for number in range(2):
        told_of_results(made.event.club, f"https://example.org/{number}")
    return made


def told_of_results(club: Club, url: str) -> None:
    Webhook.objects.create(club=club, url=url, kinds=[WebhookKind.RESULT.value])


def after(event: threading.Event, call: Callable[[], object]) -> None:
    assert event.wait(DEADLINE_SECONDS)
    call()


def test_a_result_is_recorded_while_an_address_is_deleted_and_nothing_is_left_of_that(match: Match) -> None:
    gone, kept = Webhook.objects.order_by("pk")
    is_told, is_deleted = threading.Event(), threading.Event()

    def record() -> bool:
        with transaction.atomic():
            result_changed(match)
            is_told.set()
            until_someone_waits(or_done=is_deleted)
            return is_deleted.is_set()

    def delete() -> None:
        remove_webhook(actor=OPERATOR, webhook=gone)
        is_deleted.set()

    was_deleted, _none = at_once([record, lambda: after(is_told, delete)])
    assert not was_deleted
    assert list(Webhook.objects.all()) == [kept]
    assert WebhookDelivery.objects.get().webhook == kept


def test_a_result_is_recorded_while_a_worker_takes_what_waits(match: Match) -> None:
    """On SQLite, which has one writer at a time, after it."""
    can_overlap = connection.vendor == "postgresql"
    result_changed(match)
    first, second = WebhookDelivery.objects.order_by("pk").values_list("pk", flat=True)
    is_taken, is_told = threading.Event(), threading.Event()

    def take() -> None:
        with transaction.atomic():
            claim: TakenRows[WebhookDelivery] = TakenRows(WebhookDelivery.objects.all(), LEASE)
            claim.take([first])
            is_taken.set()
            assert not can_overlap or is_told.wait(DEADLINE_SECONDS), "whoever records waits for the worker"

    def record() -> None:
        result_changed(match)
        is_told.set()

    at_once([take, lambda: after(is_taken, record)])
    left = set(WebhookDelivery.objects.values_list("pk", flat=True))
    assert first in left
    assert second not in left
    assert len(left) == 3
