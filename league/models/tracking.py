"""What lets other programs follow the league: when a row was last written, and which rows are gone.

`updated_at` and the tombstones are written by triggers of the database (`league.record.triggers`), so that no
way of writing passes them by.
"""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class Tracked(models.Model):
    """A row whose last change is known."""

    updated_at = models.DateTimeField(_("updated at"), db_default=Now(), editable=False, db_index=True)

    class Meta:
        abstract = True


class Deletion(models.Model):
    """A row that is gone: of which resource, under which public id, and whose.

    `club_id` is the club's own id, no reference: the club may be gone too; 0 where anybody may know. It and
    `event_id` say who may know of it; where it was drafted only, `is_hidden`, that is who directs the club.
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
