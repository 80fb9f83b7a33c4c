"""House bots in a club: their schedules, and sheets that belong to no event."""

from typing import ClassVar

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from league.models.clubs import Club
from league.models.events import Event
from league.models.people import Player
from scoring.models import HouseRules, Scoresheet


class BotSchedule(models.Model):
    """Creates bot matches when due: those of an event, or exhibitions between two bots.

    `recurrence` is an RRULE (RFC 5545), "" for once, in the club's time zone from `starts_at` on. `next_at`
    is the next time, None if there is none. `sheets` is the number created each time; in an event, matches
    waiting to be played. An event has its own rules. `note` says why it was switched off automatically, or
    why it created nothing the last time.
    """

    club = models.ForeignKey(
        Club, on_delete=models.CASCADE, related_name="bot_schedules", verbose_name=_("club")
    )
    name = models.CharField(_("name"), max_length=80)
    event = models.ForeignKey(
        Event,
        on_delete=models.CASCADE,
        related_name="bot_schedules",
        null=True,
        blank=True,
        verbose_name=_("event"),
    )
    bot_a = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="+", null=True, blank=True, verbose_name=_("first bot")
    )
    bot_b = models.ForeignKey(
        Player,
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
        verbose_name=_("second bot"),
    )
    rules = models.ForeignKey(
        HouseRules,
        on_delete=models.PROTECT,
        related_name="bot_schedules",
        null=True,
        blank=True,
        verbose_name=_("rules"),
    )
    recurrence = models.CharField(_("recurrence"), max_length=200, blank=True)
    starts_at = models.DateTimeField(_("first time"))
    next_at = models.DateTimeField(_("next time"), null=True, blank=True)
    sheets = models.PositiveSmallIntegerField(
        _("sheets each time"), default=1, validators=[MinValueValidator(1), MaxValueValidator(100)]
    )
    is_active = models.BooleanField(_("active"), default=True)
    note = models.CharField(_("note"), max_length=300, blank=True, default="", db_default="", editable=False)
    last_run_at = models.DateTimeField(_("last time"), null=True, blank=True, editable=False)
    created_at = models.DateTimeField(_("created at"), db_default=Now())

    class Meta:
        verbose_name = _("bot schedule")
        verbose_name_plural = _("bot schedules")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(event__isnull=False, bot_a=None, bot_b=None, rules=None)
                | (
                    Q(event=None, bot_a__isnull=False, bot_b__isnull=False, rules__isnull=False)
                    & ~Q(bot_a=models.F("bot_b"))
                ),
                name="bot_schedule_of_event_or_pair",
                violation_error_message=_(
                    "Choose an event, or two different bots and the rules they play by."
                ),
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["next_at"], condition=Q(is_active=True), name="bot_schedule_due"),
        ]
        ordering: ClassVar = ["club_id", "name"]

    def __str__(self) -> str:
        return self.name


class Exhibition(models.Model):
    """A sheet of a club that belongs to no event; whoever sees the club sees it.

    One that bots play has `player_a` on its first side and `player_b` on the second, even if names and
    schedules change. One that people play has neither; who sits there stands on its seats. A friendly game
    that `is_rated` has both, and counts for the club's ratings (`league.tables.rated_friendlies`).
    """

    sheet = models.OneToOneField(
        Scoresheet, on_delete=models.CASCADE, related_name="exhibition", verbose_name=_("sheet")
    )
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="exhibitions")
    schedule = models.ForeignKey(
        BotSchedule, on_delete=models.SET_NULL, related_name="exhibitions", null=True, blank=True
    )
    player_a = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="+", null=True, blank=True, editable=False
    )
    player_b = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="+", null=True, blank=True, editable=False
    )
    is_rated = models.BooleanField(_("rated"), default=False, db_default=False, editable=False)

    class Meta:
        verbose_name = _("exhibition")
        verbose_name_plural = _("exhibitions")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(is_rated=False)
                | Q(schedule=None, player_a__isnull=False, player_b__isnull=False),
                name="exhibition_rated_of_players",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["club"], condition=Q(is_rated=True), name="exhibition_rated"),
        ]
        ordering: ClassVar = ["-sheet_id"]

    def __str__(self) -> str:
        return str(self.sheet)
