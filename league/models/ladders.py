"""The rows a ladder is replayed from: stays, challenges, absences."""

from collections.abc import Callable
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.entries import Entry
from league.models.events import Event
from league.models.matches import Match


class LadderStay(models.Model):
    """A period of an entry on the ladder of its event, from joining at the foot to withdrawing.

    Of several that joined at the same moment the first created is highest.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="ladder_stays")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="ladder_stays")
    joined_at = models.DateTimeField(_("joined at"))
    left_at = models.DateTimeField(_("left at"), null=True)

    class Meta:
        verbose_name = _("stay on a ladder")
        verbose_name_plural = _("stays on a ladder")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["entry"], condition=models.Q(left_at=None), name="ladder_stay_once_at_a_time"
            )
        ]
        ordering: ClassVar = ["event_id", "joined_at", "id"]

    def __str__(self) -> str:
        return str(self.entry)


class Challenge(models.Model):
    """A challenge on a ladder; its match has the deadline and the result.

    One that was called off has no match. `decided_at` is when the result first counted: it orders results and
    survives corrections.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="challenges")
    number = models.PositiveIntegerField(_("number"))
    challenger = models.ForeignKey(
        Entry, on_delete=models.CASCADE, related_name="challenges_made", verbose_name=_("challenger")
    )
    challenged = models.ForeignKey(
        Entry, on_delete=models.CASCADE, related_name="challenges_met", verbose_name=_("challenged")
    )
    made_at = models.DateTimeField(_("made at"))
    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="challenge", null=True)
    decided_at = models.DateTimeField(null=True, editable=False)
    called_off_at = models.DateTimeField(_("called off at"), null=True)

    class Meta:
        verbose_name = _("challenge")
        verbose_name_plural = _("challenges")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["event", "number"], name="challenge_number_once"),
            models.CheckConstraint(
                condition=models.Q(match=None, called_off_at__isnull=False)
                | models.Q(match__isnull=False, called_off_at=None),
                name="challenge_has_a_match",
            ),
        ]
        ordering: ClassVar = ["event_id", "number"]

    def __str__(self) -> str:
        return self.words(str)

    def words(self, called: Callable[[Entry], str]) -> str:
        """The challenge in words, with entries named by `called`."""
        return _("%(challenger)s challenges %(challenged)s") % {
            "challenger": called(self.challenger),
            "challenged": called(self.challenged),
        }


class LadderAbsence(models.Model):
    """Days on which an entry of a ladder is away, inclusive; open-ended without a last day."""

    entry = models.ForeignKey(
        Entry, on_delete=models.CASCADE, related_name="ladder_absences", verbose_name=_("entry")
    )
    first_day = models.DateField(_("first day"))
    last_day = models.DateField(_("last day"), null=True, blank=True)

    class Meta:
        verbose_name = _("absence")
        verbose_name_plural = _("absences")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(last_day=None) | models.Q(last_day__gte=models.F("first_day")),
                name="ladder_absence_in_order",
                violation_error_message=_("An absence does not end before it begins."),
            )
        ]
        ordering: ClassVar = ["entry_id", "first_day"]

    def __str__(self) -> str:
        return str(self.entry)
