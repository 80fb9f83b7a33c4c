"""Imports of files: each can be undone as a whole while nothing of it was corrected."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from league.models.clubs import Club
from league.models.events import Event
from scoring.models import ACTOR_KINDS, ActedOn, SheetAct


class ImportBatch(ActedOn):
    """An applied import. `created` lists what it made, as {"player": [ids], "entry": [ids], …}.

    Beside that, `stand_in` are appearances whose player it has changed, and `stood_in_for` who that was.
    """

    AUTHORS: ClassVar = ("actor", "undone_by")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="imports")
    event = models.ForeignKey(Event, on_delete=models.SET_NULL, related_name="imports", null=True)
    event_name = models.CharField(_("name of the event"), max_length=80)
    file_name = models.CharField(_("file name"), max_length=200)
    digest = models.CharField(max_length=64)
    at = models.DateTimeField(_("at"), db_default=Now())
    hands = models.PositiveIntegerField(_("hands"))
    deals = models.PositiveIntegerField(_("deals"))
    sheets = models.PositiveIntegerField(_("sheets"))
    created = models.JSONField(default=dict)
    acts = models.ManyToManyField(SheetAct, related_name="+")
    undone_at = models.DateTimeField(_("undone at"), null=True)
    undone_by_kind = models.CharField(max_length=12, choices=ACTOR_KINDS, blank=True)
    undone_by_id = models.CharField(max_length=64, blank=True)
    undone_by_name = models.CharField(_("undone by"), max_length=150, blank=True)

    class Meta:
        verbose_name = _("import")
        verbose_name_plural = _("imports")
        ordering: ClassVar = ["-id"]

    def __str__(self) -> str:
        return self.file_name


class ImportDraft(models.Model):
    """An uploaded and previewed file that awaits confirmation; deleted then, or after a day."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    file_name = models.CharField(_("file name"), max_length=200)
    content = models.TextField()
    options = models.JSONField(default=dict)
    at = models.DateTimeField(_("at"), db_default=Now())

    class Meta:
        verbose_name = _("file waiting to be imported")
        verbose_name_plural = _("files waiting to be imported")
        ordering: ClassVar = ["-id"]

    def __str__(self) -> str:
        return self.file_name
