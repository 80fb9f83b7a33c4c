"""Decisions on who comes first where a table is cut and its criteria leave entries level."""

from typing import TYPE_CHECKING, ClassVar, Final

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from league.core.standings.cuts import CutKind
from league.models.events import Event
from scoring.models import ActedOn

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django_stubs_ext import StrOrPromise


CUT_KINDS: "Final[Mapping[CutKind, StrOrPromise]]" = {
    CutKind.GROUP: _("places in a group"),
    CutKind.NEXT: _("best of the next places"),
    CutKind.PRIZE: _("prizes"),
    CutKind.DIVISION: _("promotion and relegation"),
    CutKind.TABLE: _("who goes on from a table"),
}


class CutHow(models.TextChoices):
    """How it is decided who comes first."""

    PLAY_OFF = "play_off", _("a play-off")
    LOT = "lot", _("a lot")
    WORD = "word", _("the director's decision")


class CutDecision(ActedOn):
    """How entries that are level at a line are put in order.

    `key` names the tie (`core.standings.cuts`): where the results no longer leave the same one, the decision
    is void. `entries` are ids, `order` the same from the first on; a play-off has its order from its matches.
    Of who goes on from a table of many `round` and `table` are its numbers, else 0. `lot` is the number that
    a lot was drawn with. `number` counts decisions on the same tie: after a play-off that left all level
    there is another.
    """

    event = models.ForeignKey(
        Event, on_delete=models.CASCADE, related_name="cut_decisions", verbose_name=_("event")
    )
    kind = models.CharField(_("line"), max_length=8, choices=CUT_KINDS)
    group = models.PositiveSmallIntegerField(_("group"), default=0)
    round = models.PositiveSmallIntegerField(_("round"), default=0, db_default=0)
    table = models.PositiveSmallIntegerField(_("table"), default=0, db_default=0)
    above = models.PositiveSmallIntegerField(default=0)
    key = models.CharField(max_length=16)
    number = models.PositiveSmallIntegerField(default=1)
    entries = models.JSONField(default=list)
    how = models.CharField(_("by"), max_length=8, choices=CutHow.choices)
    order = models.JSONField(default=list, blank=True)
    lot = models.PositiveIntegerField(_("number of the lot"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    at = models.DateTimeField(_("at"), db_default=Now())

    class Meta:
        verbose_name = _("decision between entries that are level")
        verbose_name_plural = _("decisions between entries that are level")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["event", "key", "number"], name="cut_decided_once")
        ]
        ordering: ClassVar = ["event_id", "id"]

    def __str__(self) -> str:
        return f"{self.event}: {self.get_kind_display()}, {self.get_how_display()}"
