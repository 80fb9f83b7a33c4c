"""The ties of a bracket, kept as data: each says where its winner and its loser go."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.events import Entry, Event, Round


class TiePart(models.TextChoices):
    """The part of a bracket."""

    WINNERS = "winners", _("winners' bracket")
    LOSERS = "losers", _("losers' bracket")
    FINAL = "final", _("final")
    RESET = "reset", _("second final")
    THIRD = "third", _("for third place")
    PLATE = "plate", _("plate")


class TieDecision(models.TextChoices):
    """What decided a tie."""

    SHEET = "sheet", _("played")
    BYE = "bye", _("bye")
    WALKOVER = "walkover", _("walkover")
    HIGHER_SEED = "higher_seed", _("higher seed")
    LOT = "lot", _("lot")
    DIRECTOR = "director", _("the director")
    NOT_NEEDED = "not_needed", _("not needed")


class Tie(models.Model):
    """A node of a bracket: two places, filled by seeds or by who comes from other ties.

    `number` counts through the event, `level` the rounds of its part; `stage` says in which order stages are
    played, one round of the event for each. A place nobody will come to stays empty and the tie is a bye.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="ties")
    number = models.PositiveSmallIntegerField(_("number"))
    part = models.CharField(_("part"), max_length=8, choices=TiePart.choices)
    level = models.PositiveSmallIntegerField(_("level"))
    stage = models.PositiveSmallIntegerField(_("stage"))
    seed_a = models.PositiveSmallIntegerField(null=True, blank=True)
    seed_b = models.PositiveSmallIntegerField(null=True, blank=True)
    entry_a = models.ForeignKey(
        Entry, on_delete=models.PROTECT, related_name="ties_as_a", null=True, blank=True
    )
    entry_b = models.ForeignKey(
        Entry, on_delete=models.PROTECT, related_name="ties_as_b", null=True, blank=True
    )
    winner_to = models.ForeignKey(
        "self", on_delete=models.CASCADE, related_name="winners_from", null=True, blank=True
    )
    winner_to_side = models.PositiveSmallIntegerField(null=True, blank=True)
    loser_to = models.ForeignKey(
        "self", on_delete=models.CASCADE, related_name="losers_from", null=True, blank=True
    )
    loser_to_side = models.PositiveSmallIntegerField(null=True, blank=True)
    winner = models.ForeignKey(
        Entry, on_delete=models.PROTECT, related_name="ties_won", null=True, blank=True
    )
    decided_by = models.CharField(_("decided by"), max_length=11, choices=TieDecision.choices, blank=True)
    round = models.ForeignKey(
        Round, on_delete=models.SET_NULL, related_name="ties", null=True, blank=True, verbose_name=_("round")
    )

    class Meta:
        verbose_name = _("tie")
        verbose_name_plural = _("ties")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["event", "number"], name="tie_number_once"),
            models.CheckConstraint(
                condition=models.Q(winner__isnull=True)
                | models.Q(winner=models.F("entry_a"))
                | models.Q(winner=models.F("entry_b")),
                name="tie_winner_plays",
            ),
        ]
        ordering: ClassVar = ["event_id", "number"]

    def __str__(self) -> str:
        return _("%(event)s, tie %(number)s") % {"event": self.event, "number": self.number}
