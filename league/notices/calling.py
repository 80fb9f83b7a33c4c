"""Sending programs what waits for them: each row at least once, several addresses at a time.

A worker takes a row of each address, asks all of them at once, outside of any transaction and without the
database, and notes each answer before it takes the next rows. So an address that is slow holds one place for
as long as an answer may take, and the rest of its rows wait for the next sweep. Of a worker that is killed
the rows are sent again by another one, with the same ids. Nothing promises an order.
"""

import datetime
import json
import logging
import random
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from django.db import transaction
from django.db.models import Max, Min
from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import (
    DeliveryEnd,
    Membership,
    NoticeKind,
    Webhook,
    WebhookDelivery,
    WebhookKind,
    WebhookPause,
)
from league.notices.claiming import TakenRows
from league.notices.outbox import tell_club
from league.notices.reaching import Answer, Unreached, post
from league.notices.signatures import signature_headers
from league.notices.webhooks import SEALED_FOR, document_of, drop_waiting, is_told
from league.policy import Permission, roles_with
from league.record.audit import change_row
from league.record.sealing import Unreadable, unsealed
from scoring.core.actors import Actor, ActorKind

_log = logging.getLogger(__name__)

# The pauses after the first failure, the second and so on; then it is given up, after three days. As the
# specification's example, but for the seconds: a sweep comes every minute.
PAUSES: Final = tuple(
    datetime.timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 300, 600, 840, 1200, 1440)
)
# Spread over so much of a pause more, so that what failed together is not tried together.
_SPREAD: Final = 0.1
# An address may ask for a longer pause (`Retry-After`), up to this one.
_LONGEST_PAUSE: Final = datetime.timedelta(days=1)
# What has taken nothing for so long, and fails again, is paused.
PATIENCE: Final = datetime.timedelta(days=5)
# Longer than a batch takes, each of whose answers comes within seconds or not at all.
LEASE: Final = datetime.timedelta(minutes=5)
AT_ONCE: Final = 16
# After which a run leaves the rest to the next sweep.
_SECONDS: Final = 40.0
_NEVER: Final = datetime.datetime.min.replace(tzinfo=datetime.UTC)
_CALLER: Final = Actor(ActorKind.OPERATOR, "webhooks", "the sending of webhooks")


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One row that is sent: the request, and the sentence why it cannot be made, if so."""

    delivery: WebhookDelivery
    body: bytes
    headers: Mapping[str, str]
    refused: str = ""

    def made(self) -> Answer | Unreached:
        """What the address answers, or why nothing came."""
        if self.refused:
            return Unreached(self.refused)
        return post(self.delivery.webhook.url, self.body, self.headers)


def webhooks_wait(now: datetime.datetime) -> bool:
    """Return whether there is anything to send."""
    return WebhookDelivery.objects.due(now).exists()


def deliver(*, seconds: float = _SECONDS) -> int:
    """Send what is due, as long as there is time; returns how many rows were taken by their addresses.

    Any number of workers may do so at once. An address that fails is left to the next run.
    """
    taken, failed, until = 0, set[int](), time.monotonic() + seconds
    with ThreadPoolExecutor(max_workers=AT_ONCE, thread_name_prefix="webhook") as pool:
        while time.monotonic() < until and (ids := _next(failed)):
            claim: TakenRows[WebhookDelivery] = TakenRows(WebhookDelivery.objects.all(), LEASE)
            claim.take(ids)
            attempts = [made for row in _loaded(claim) if (made := _prepared(claim, row)) is not None]
            for attempt, answer in zip(attempts, pool.map(_Attempt.made, attempts), strict=True):
                if _note(claim, attempt.delivery, answer):
                    taken += 1
                else:
                    failed.add(attempt.delivery.webhook_id)
    return taken


def _next(failed: set[int]) -> list[int]:
    """A row of each address that has any due, of those that were asked longest ago.

    By when their rows are due, a few slow ones for which much waits would take every place for hours.
    """
    due = WebhookDelivery.objects.due(timezone.now()).exclude(webhook__in=failed).order_by()
    firsts = dict(due.values_list("webhook").annotate(first=Min("pk")))
    tried = WebhookDelivery.objects.filter(webhook__in=firsts).exclude(tried_at=None).order_by()
    asked = dict(tried.values_list("webhook").annotate(last=Max("tried_at")))
    in_turn = sorted(firsts, key=lambda webhook: (asked.get(webhook, _NEVER), firsts[webhook]))
    return [firsts[webhook] for webhook in in_turn[:AT_ONCE]]


def _loaded(claim: TakenRows[WebhookDelivery]) -> list[WebhookDelivery]:
    return list(claim.rows().select_related("webhook__club", "event"))


def _prepared(claim: TakenRows[WebhookDelivery], row: WebhookDelivery) -> _Attempt | None:
    """The attempt at a row; None for one that is dropped."""
    is_test = row.kind == WebhookKind.TEST
    if (row.webhook.pause and not is_test) or not is_told(row):
        claim.end(ids=[row.pk], end=DeliveryEnd.DROPPED)
        return None
    now = timezone.now()
    body = json.dumps(document_of(row), separators=(",", ":")).encode()
    try:
        signing = _secrets(row.webhook, now)
    except Unreadable:
        return _Attempt(row, body, {}, _("The secret can no longer be read: renew it."))
    headers = signature_headers(row.message_id, int(now.timestamp()), body, signing)
    return _Attempt(row, body, {"content-type": "application/json", **headers})


def _secrets(webhook: Webhook, now: datetime.datetime) -> list[str]:
    stored = [webhook.secret]
    if webhook.former_until is not None and webhook.former_until > now:
        stored.append(webhook.former_secret)
    return [unsealed(each, SEALED_FOR) for each in stored]


def _note(claim: TakenRows[WebhookDelivery], row: WebhookDelivery, answer: Answer | Unreached) -> bool:
    """Note what became of an attempt; returns whether the address has taken it."""
    now = timezone.now()
    status = answer.status if isinstance(answer, Answer) else None
    said: dict[str, Any] = {"tried_at": now, "status": status, "tries": row.tries + 1}
    if status is not None and HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        claim.end(ids=[row.pk], answer=answer.text, end=DeliveryEnd.TAKEN, **said)
        Webhook.objects.filter(pk=row.webhook_id).exclude(failing_since=None).update(failing_since=None)
        return True
    _log.info("a webhook of %s failed: %s", row.webhook.host, status or answer.text)
    if row.kind == WebhookKind.TEST:
        claim.end(ids=[row.pk], answer=answer.text, end=DeliveryEnd.FAILED, **said)
        return False
    if row.tries < len(PAUSES):
        claim.leave(now + _pause(row.tries, answer), ids=[row.pk], answer=answer.text, **said)
    else:
        claim.end(ids=[row.pk], answer=answer.text, end=DeliveryEnd.FAILED, **said)
    _failed(row.webhook, now, is_gone=status == HTTPStatus.GONE)
    return False


def _pause(tries: int, answer: Answer | Unreached) -> datetime.timedelta:
    asked = answer.retry_after if isinstance(answer, Answer) else None
    pause = PAUSES[tries] * (1 + random.uniform(0, _SPREAD))  # noqa: S311 - no secret
    return max(pause, min(datetime.timedelta(seconds=asked or 0), _LONGEST_PAUSE))


@transaction.atomic
def _failed(webhook: Webhook, now: datetime.datetime, *, is_gone: bool) -> None:
    """Note that an address fails, and pause it if it is gone, or has failed for too long."""
    Webhook.objects.filter(pk=webhook.pk, failing_since=None).update(failing_since=now)
    row = Webhook.objects.select_for_update(no_key=True).filter(pk=webhook.pk, pause="").first()
    if row is None or row.failing_since is None:  # paused or deleted meanwhile, or has taken something
        return
    if not is_gone and now - row.failing_since < PATIENCE:
        return
    why = WebhookPause.GONE if is_gone else WebhookPause.FAILING
    change_row(_CALLER, "webhook.pause", row, {"pause": why.value})
    drop_waiting(row)
    officers = Membership.objects.filter(club=row.club_id, role__in=roles_with(Permission.DIRECT))
    tell_club(NoticeKind.PAUSED, row.club, set(officers.values_list("user", flat=True)))
