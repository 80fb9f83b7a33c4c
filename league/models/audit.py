"""The audit of all changes except deals, which have their own history."""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from league.models.clubs import Club
from scoring.models import ActedOn, Kept, Traced


class AuditEntry(Kept, ActedOn, Traced):
    """One change: an `action` such as `player.merge`, its object, and the data before and after.

    The object is identified by type, id and name; the entry outlives it.
    """

    club = models.ForeignKey(Club, on_delete=models.SET_NULL, related_name="audit_entries", null=True)
    at = models.DateTimeField(_("at"), db_default=Now())
    action = models.CharField(_("action"), max_length=60)
    object_type = models.CharField(max_length=40)
    object_id = models.CharField(max_length=40)
    object_name = models.CharField(_("name of the object"), max_length=200)
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    reason = models.CharField(_("reason"), max_length=300, blank=True)

    class Meta:
        verbose_name = _("audit entry")
        verbose_name_plural = _("audit entries")
        indexes: ClassVar = [
            models.Index(fields=["at"], name="audit_with_address", condition=models.Q(address__isnull=False)),
        ]
        ordering: ClassVar = ["-id"]

    def __str__(self) -> str:
        return f"{self.action}: {self.object_name}"
