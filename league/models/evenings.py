"""Evenings that run themselves, and who has come to his table."""

import datetime
from typing import ClassVar

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.core.evening import MOST_BREAK, MOST_WAIT, EveningState
from league.models.events import Event, Round
from league.models.people import Player

EVENING_STATES = [
    (EveningState.SET.value, _("set up")),
    (EveningState.GOING.value, _("going on by itself")),
    (EveningState.PAUSED.value, _("paused")),
    (EveningState.STOPPED.value, _("stopped, for a director")),
    (EveningState.OVER.value, _("over")),
]


class AbsentAt(models.TextChoices):
    """What happens to whoever has not come to his table in time."""

    FORFEIT = "forfeit", _("the match goes to whoever is there; if nobody is, both lose it")
    TELL = "tell", _("directors are told, and the clock starts without that player")


class Evening(models.Model):
    """How an event runs itself, and where it stands.

    `round` is the one that is played. Who plays in it has `come_by` to come to his table, None once that is
    decided. `next_at` is when the next one begins, None before the break. `paused_at` is when a director
    paused it, or it stopped by itself, and `why` says why it stopped.
    """

    event = models.OneToOneField(
        Event, on_delete=models.CASCADE, primary_key=True, related_name="evening", verbose_name=_("event")
    )
    break_minutes = models.PositiveSmallIntegerField(
        _("minutes between rounds"), default=5, validators=[MaxValueValidator(MOST_BREAK)]
    )
    wait_minutes = models.PositiveSmallIntegerField(
        _("minutes to come to one's table"),
        default=10,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_WAIT)],
    )
    absent = models.CharField(
        _("if somebody has not come by then"),
        max_length=7,
        choices=AbsentAt.choices,
        default=AbsentAt.FORFEIT,
    )
    state = models.CharField(
        _("state"), max_length=7, choices=EVENING_STATES, default=EveningState.SET, editable=False
    )
    round = models.ForeignKey(
        Round,
        on_delete=models.SET_NULL,
        related_name="+",
        null=True,
        editable=False,
        verbose_name=_("round"),
    )
    come_by = models.DateTimeField(_("to come by"), null=True, editable=False)
    next_at = models.DateTimeField(_("next round at"), null=True, editable=False)
    paused_at = models.DateTimeField(_("paused at"), null=True, editable=False)
    why = models.CharField(_("why"), max_length=300, blank=True, default="", editable=False)

    class Meta:
        verbose_name = _("evening that runs itself")
        verbose_name_plural = _("evenings that run themselves")

    def __str__(self) -> str:
        return str(self.event)

    @property
    def is_going(self) -> bool:
        """True while it does things by itself."""
        return self.state == EveningState.GOING

    @property
    def break_(self) -> datetime.timedelta:
        """How long nobody plays between two rounds."""
        return datetime.timedelta(minutes=self.break_minutes)

    @property
    def wait(self) -> datetime.timedelta:
        """How long a table waits for its players."""
        return datetime.timedelta(minutes=self.wait_minutes)


class Arrival(models.Model):
    """A player has come to his table in a round, by an act of his own."""

    round = models.ForeignKey(
        Round, on_delete=models.CASCADE, related_name="arrivals", verbose_name=_("round")
    )
    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="arrivals", verbose_name=_("player")
    )
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("arrival at a table")
        verbose_name_plural = _("arrivals at tables")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["round", "player"], name="arrival_once_a_round")
        ]
        ordering: ClassVar = ["round_id", "at", "id"]

    def __str__(self) -> str:
        return str(self.player)
