"""Lets programs and open pages follow the league: when rows were last written, how often, and which are gone.

Database triggers write `updated_at`, the tombstones and the counts (`league.record.triggers`), so that no
write bypasses them.
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


class WriteCount(models.Model):
    """How often what pages show was written, of one place; counts only grow (`league.record.write_counts`).

    A place is a match with its sheet, by the sheet; else, with 0 for it, an event; else a club; else, all 0,
    the site. The ids are bare, as in `Deletion`. A place may have several rows, told apart by `writer`; their
    sum counts. What is over is counted with what is around it.
    """

    club_id = models.BigIntegerField()
    event_id = models.BigIntegerField()
    sheet_id = models.BigIntegerField()
    writer = models.BigIntegerField()
    number = models.BigIntegerField()

    class Meta:
        verbose_name = _("count of writes")
        verbose_name_plural = _("counts of writes")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["club_id", "event_id", "sheet_id", "writer"], name="write_count_of_place_once"
            ),
        ]
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.club_id}.{self.event_id}.{self.sheet_id}: {self.number}"
