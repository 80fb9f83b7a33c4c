"""What waits to be sent, of whatever kind: a row that one worker at a time takes, sends and ends."""

import datetime
from typing import TypeVar

from django.db import models

Row = TypeVar("Row", bound="Outgoing", covariant=True)


class OutgoingRows(models.QuerySet[Row]):
    """Rows of an outbox."""

    def due(self, now: datetime.datetime) -> "OutgoingRows[Row]":
        """The rows that are due and that nobody holds, the longest due first."""
        free = models.Q(claimed_until=None) | models.Q(claimed_until__lte=now)
        return self.filter(free, ended_at=None, due_at__lte=now).order_by("due_at", "pk")


class Outgoing(models.Model):
    """A row of an outbox, made in the transaction of its cause.

    A worker that sends it holds it as `owner` until `claimed_until`. With `ended_at` it is over; `answer` is
    what the other side said last.
    """

    made_at = models.DateTimeField()
    due_at = models.DateTimeField()
    tries = models.PositiveSmallIntegerField(default=0)
    owner = models.CharField(max_length=16, blank=True, default="")
    claimed_until = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    answer = models.CharField(max_length=200, blank=True, default="")

    objects = OutgoingRows.as_manager()

    class Meta:
        abstract = True
