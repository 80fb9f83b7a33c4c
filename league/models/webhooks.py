"""Addresses of other programs that a club tells what happens, and what each is to be told."""

import secrets
from typing import ClassVar
from urllib.parse import urlsplit

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from league.models.clubs import Club
from league.models.events import Event
from league.models.outbox import Outgoing
from scoring.models import random_code


class WebhookKind(models.TextChoices):
    """What a program can be told: the `type` of what it is sent (INTERFACES §7)."""

    ROUND = "round.published", _("a round is published, or a match added to it")
    RESULT = "result.changed", _("a result counts, or has changed")
    TABLE = "table.changed", _("the table of an event has changed")
    OPENED = "event.opened", _("an event takes entries")
    FINISHED = "event.finished", _("an event is finished")
    ENTERED = "entry.made", _("somebody is entered in an event")
    WITHDRAWN = "entry.withdrawn", _("an entry is withdrawn")
    TEST = "test", _("a test")


# What is chosen; a test is sent whatever is.
CHOSEN_KINDS = tuple(kind for kind in WebhookKind if kind != WebhookKind.TEST)


class WebhookPause(models.TextChoices):
    """Why nothing is sent to an address."""

    BY_HAND = "hand", _("paused by a director")
    FAILING = "failing", _("paused, as it has failed for days")
    GONE = "gone", _("paused, as it answered that it is gone (410)")


class Webhook(models.Model):
    """An address of another program. `kinds` are what it is told, by `WebhookKind`.

    The secrets sign what is sent, so they are kept sealed (`league.record.sealing`) and not as a digest.
    After a renewal the former one signs too until `former_until`. `failing_since` is the first failure
    since it last took anything.
    """

    code = models.CharField(max_length=16, unique=True, default=random_code, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="webhooks", editable=False)
    url = models.CharField(_("address"), max_length=500)
    kinds = models.JSONField(_("what it is told"), default=list)
    secret = models.CharField(max_length=300, editable=False)
    former_secret = models.CharField(max_length=300, blank=True, default="", editable=False)
    former_until = models.DateTimeField(null=True, editable=False)
    pause = models.CharField(_("pause"), max_length=8, choices=WebhookPause.choices, blank=True, default="")
    failing_since = models.DateTimeField(null=True, editable=False)
    made_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["club", "url"],
                name="webhook_once_in_a_club",
                violation_error_message=_("This address is told already."),
            ),
        ]
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return self.host

    @property
    def host(self) -> str:
        """The host that the address names; the rest of an address may be as good as a password."""
        return urlsplit(self.url).hostname or ""


class DeliveryEnd(models.TextChoices):
    """How a delivery ended."""

    TAKEN = "taken", _("taken")
    # Held back again by then, or the address was paused.
    DROPPED = "dropped", _("no longer to be told")
    FAILED = "failed", _("given up")


def new_message_id() -> str:
    """An id of something sent; without full stops, which part what is signed."""
    return f"msg_{secrets.token_hex(12)}"


class WebhookDelivery(Outgoing):
    """Something that one address is to be told: a row of the outbox, made in the transaction of its cause.

    It says of what kind it is and what it is about: `subject` is the number of the round, or the code of the
    match or entry, in the event. `message_id` is the same in every attempt. `status` is that of the last
    answer, None where none came; `answer` says in a sentence why an attempt failed, or begins what was
    answered.
    """

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    kind = models.CharField(max_length=16, choices=WebhookKind.choices)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="+", null=True)
    subject = models.CharField(max_length=16, blank=True, default="")
    message_id = models.CharField(max_length=28, unique=True, default=new_message_id)
    tried_at = models.DateTimeField(null=True)
    status = models.PositiveSmallIntegerField(null=True)
    end = models.CharField(max_length=8, choices=DeliveryEnd.choices, blank=True, default="")

    class Meta:
        verbose_name = _("delivery to a webhook")
        verbose_name_plural = _("deliveries to webhooks")
        indexes: ClassVar = [
            models.Index(
                fields=["due_at", "id"], condition=models.Q(ended_at__isnull=True), name="delivery_waiting"
            ),
            models.Index(fields=["ended_at"], name="delivery_by_end"),
        ]
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.kind}, {self.webhook}"
