"""Lets other programs follow the league: when rows were last written, and which are gone.

Database triggers write `updated_at` and the tombstones (`league.record.triggers`), so that no write bypasses
them.
"""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class Tracked(models.Model):
    """A row with the time of its last change."""

    updated_at = models.DateTimeField(_("updated at"), db_default=Now(), editable=False, db_index=True)

    class Meta:
        abstract = True


class Deletion(models.Model):
    """A deleted row: its resource, its public id, and whose it was.

    `club_id` is the bare id, as the club may be gone too; 0 if anyone may know. Together with `event_id` it
    decides who may know of it; `is_hidden` limits that to directors, for rows that were only drafted.
    """

    resource = models.CharField(max_length=20)
    public_id = models.CharField(max_length=80)
    club_id = models.BigIntegerField()
    event_id = models.BigIntegerField(null=True)
    is_hidden = models.BooleanField(default=False, db_default=False)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("deletion")
        verbose_name_plural = _("deletions")
        indexes: ClassVar = [models.Index(fields=["resource", "at"], name="deletion_resource_at")]
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.resource} {self.public_id}"
