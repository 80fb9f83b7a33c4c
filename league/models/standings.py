"""The table of an event, what asks for it to be made anew, and what a director adds to it."""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from league.models.events import Entry, Event
from scoring.models import ActedOn


class StandingsRequest(models.Model):
    """Something changed that the table depends on; written with the change, deleted by who recalculated."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="standings_requests")
    requested_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("request for standings")
        verbose_name_plural = _("requests for standings")
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.event_id}: {self.requested_at}"


class Standing(models.Model):
    """A row of the table. Derived; `metrics` are the criteria's figures in their order.

    `decided_by` is the last criterion needed to tell the row from those level with it on the first,
    `above_next_by` the one that puts it above the next row; blank where the first alone did.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="standings")
    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="standing")
    position = models.PositiveIntegerField()
    rank = models.PositiveIntegerField()
    played = models.PositiveIntegerField()
    wins = models.PositiveIntegerField()
    draws = models.PositiveIntegerField()
    losses = models.PositiveIntegerField()
    points = models.DecimalField(max_digits=9, decimal_places=2)
    net = models.BigIntegerField()
    columns_won = models.PositiveIntegerField()
    boxes = models.PositiveIntegerField()
    metrics = models.JSONField(default=dict)
    decided_by = models.CharField(max_length=30, blank=True)
    above_next_by = models.CharField(max_length=30, blank=True)

    class Meta:
        verbose_name = _("standing")
        verbose_name_plural = _("standings")
        ordering: ClassVar = ["event_id", "position"]

    def __str__(self) -> str:
        return f"{self.rank}. {self.entry}"


class Adjustment(ActedOn):
    """Points a director gives or takes, with the reason that stands as a footnote under the table."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="adjustments")
    entry = models.ForeignKey(
        Entry, on_delete=models.CASCADE, related_name="adjustments", verbose_name=_("entry")
    )
    points = models.DecimalField(_("points"), max_digits=6, decimal_places=2)
    reason = models.CharField(_("reason"), max_length=200)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("adjustment")
        verbose_name_plural = _("adjustments")
        ordering: ClassVar = ["event_id", "id"]

    def __str__(self) -> str:
        return f"{self.entry}: {self.points:+}"


class SweepMark(models.Model):
    """When the sweep last ran: the one row that tells the age of the background work."""

    swept_at = models.DateTimeField()

    class Meta:
        verbose_name = _("last sweep")
        verbose_name_plural = _("last sweep")
        constraints: ClassVar = [models.CheckConstraint(condition=models.Q(id=1), name="sweep_mark_is_one")]

    def __str__(self) -> str:
        return str(self.swept_at)
