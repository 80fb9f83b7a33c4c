"""Telling other programs: rows of their outbox, written in the transaction of the cause.

What they are sent names nobody: it says of what kind it is, where in the API to look, and which codes.
"""

from collections.abc import Collection, Iterable
from typing import Any, Final

from django.conf import settings
from django.db import connection
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from league.models import DeliveryEnd, Event, EventState, Match, Webhook, WebhookDelivery, WebhookKind
from league.policy.withholding import withheld

# The use of the secrets that sign, for `league.record.sealing`.
SEALED_FOR: Final = "webhooks"
_OF_ENTRY: Final = frozenset({WebhookKind.ENTERED, WebhookKind.WITHDRAWN})


def tell_webhooks(kind: WebhookKind, event: Event, subjects: Collection[str | int] = ("",)) -> None:
    """Note that the programs of its club which want to know are to be told of an event, or of parts of it.

    A row about the same that still waits untried is replaced. Nothing is told of a draft, which guests do
    not see.
    """
    if event.state == EventState.DRAFT:
        return
    hooks = [
        hook for hook in _staying(Webhook.objects.filter(club=event.club_id, pause="")) if kind in hook.kinds
    ]
    about = [str(subject) for subject in subjects]
    if not hooks or not about:
        return
    now = timezone.now()
    # The new row may be of what the old one, read a moment ago, did not see yet. One that is locked is being
    # taken by a worker or dropped: whoever records does not wait for that.
    waiting = WebhookDelivery.objects.select_for_update(skip_locked=True).filter(
        webhook__in=hooks, kind=kind, event=event, subject__in=about, ended_at=None, owner="", tries=0
    )
    WebhookDelivery.objects.filter(pk__in=waiting.order_by().values("pk")).delete()
    WebhookDelivery.objects.bulk_create(
        [
            WebhookDelivery(webhook=hook, kind=kind, event=event, subject=subject, made_at=now, due_at=now)
            for subject in about
            for hook in hooks
        ]
    )


def _staying(hooks: QuerySet[Webhook]) -> Iterable[Webhook]:
    """The addresses, which nobody can delete until the transaction ends; they can be written meanwhile.

    Else one that is deleted between now and then would make the database refuse the cause itself, when the
    transaction ends, as its row refers to nothing. Django knows no lock as weak as that.
    """
    if connection.vendor != "postgresql":  # one writer at a time
        return hooks
    sql, values = hooks.query.sql_with_params()
    return Webhook.objects.raw(f"{sql} FOR KEY SHARE", values)


def tell_test(webhook: Webhook) -> WebhookDelivery:
    """Note that an address is to be sent a test."""
    now = timezone.now()
    return WebhookDelivery.objects.create(webhook=webhook, kind=WebhookKind.TEST, made_at=now, due_at=now)


def drop_waiting(webhook: Webhook) -> None:
    """Drop what waits for an address that is paused; what is being sent just now is not waited for."""
    waiting = webhook.deliveries.filter(ended_at=None, owner="").exclude(kind=WebhookKind.TEST)
    waiting.update(ended_at=timezone.now(), end=DeliveryEnd.DROPPED)


def is_told(delivery: WebhookDelivery) -> bool:
    """Whether a guest may still know: the event is no draft again, and the result not held back again."""
    if delivery.event is None:
        return True
    if delivery.event.state == EventState.DRAFT:
        return False
    if delivery.kind != WebhookKind.RESULT:
        return True
    return not Match.objects.filter(withheld(), event=delivery.event, code=delivery.subject).exists()


def document_of(delivery: WebhookDelivery) -> dict[str, Any]:
    """What is sent, as INTERFACES §7 has it; the webhook's club and the event must be loaded."""
    event, kind = delivery.event, WebhookKind(delivery.kind)
    data: dict[str, Any] = {"club": delivery.webhook.club.slug}
    if event is None:
        path = reverse("api-clubs-detail", args=[delivery.webhook.club.slug])
    else:
        data["event"] = event.code
        path = reverse("api-events-detail", args=[event.code])
        if kind == WebhookKind.ROUND:
            data["round"] = int(delivery.subject)
            path = f"{path}matches/?round={delivery.subject}"
        elif kind == WebhookKind.TABLE:
            path = f"{path}standings/"
        elif kind == WebhookKind.RESULT:
            data["match"] = delivery.subject
            path = reverse("api-matches-detail", args=[delivery.subject])
        elif kind in _OF_ENTRY:
            data["entry"] = delivery.subject
            path = reverse("api-entries-detail", args=[delivery.subject])
    data["look"] = f"{settings.SITE_URL.rstrip('/')}{path}"
    made_at = delivery.made_at.strftime("%Y-%m-%dT%H:%M:%SZ")
    return {"type": kind.value, "timestamp": made_at, "data": data}
