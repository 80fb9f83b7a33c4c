"""The table of an event, requests to recalculate it, and directors' adjustments."""

from typing import ClassVar

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from league.models.clubs import Club
from league.models.entries import Entry
from league.models.events import Event, Season
from league.models.people import Player
from scoring.models import ActedOn


class StandingsRequest(models.Model):
    """A change that the table depends on; deleted by the process that recalculates."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="standings_requests")
    requested_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("request for standings")
        verbose_name_plural = _("requests for standings")
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.event_id}: {self.requested_at}"


class Prospect(models.TextChoices):
    """Whether an entry goes on from its group, by the results that are still possible."""

    SURE = "sure", _("goes on")
    OPEN = "open", _("may go on")
    OUT = "out", _("out")


class Standing(models.Model):
    """A row of the table. Derived; `metrics` are the criteria's figures in order.

    `previous_rank` is the rank before the last round with results, None if there was none; positions and
    ranks are those within the `group`.

    `best_place` and `worst_place` are those still possible by what a running event has left to play, None if
    nothing is left or that is open, the worst alone if others may still come; `place_decided` says that no
    result can change it, `qualification` whether the entry goes on from its group
    (`league.core.possible_places`).

    `decided_by` is the last criterion needed to separate the row from those level with it on the first,
    `above_next_by` the one that puts it above the next row; blank if the first decided.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="standings")
    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="standing")
    position = models.PositiveIntegerField()
    rank = models.PositiveIntegerField()
    played = models.PositiveIntegerField()
    wins = models.PositiveIntegerField()
    draws = models.PositiveIntegerField()
    losses = models.PositiveIntegerField()
    points = models.DecimalField(max_digits=9, decimal_places=2)
    net = models.BigIntegerField()
    columns_won = models.PositiveIntegerField()
    boxes = models.PositiveIntegerField()
    previous_rank = models.PositiveIntegerField(null=True)
    group = models.PositiveSmallIntegerField(null=True)
    metrics = models.JSONField(default=dict)
    decided_by = models.CharField(max_length=30, blank=True)
    above_next_by = models.CharField(max_length=30, blank=True)
    best_place = models.PositiveIntegerField(null=True)
    worst_place = models.PositiveIntegerField(null=True)
    place_decided = models.BooleanField(default=False, db_default=False)
    qualification = models.CharField(
        max_length=4, choices=Prospect.choices, blank=True, default="", db_default=""
    )

    class Meta:
        verbose_name = _("standing")
        verbose_name_plural = _("standings")
        ordering: ClassVar = ["event_id", "group", "position"]

    def __str__(self) -> str:
        return f"{self.rank}. {self.entry}"


class IndividualStanding(models.Model):
    """A player's row in the players' table of an event of teams. Derived.

    `net` is that of the player's sides, a share of it for shared seats.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="individual_standings")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="individual_standings")
    position = models.PositiveIntegerField()
    rank = models.PositiveIntegerField()
    played = models.PositiveIntegerField()
    wins = models.PositiveIntegerField()
    draws = models.PositiveIntegerField()
    losses = models.PositiveIntegerField()
    net = models.BigIntegerField()
    hands_won = models.PositiveIntegerField()
    gins = models.PositiveIntegerField()
    substitute_matches = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("standing of a player")
        verbose_name_plural = _("standings of players")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["event", "player"], name="individual_standing_once")
        ]
        ordering: ClassVar = ["event_id", "position"]

    def __str__(self) -> str:
        return f"{self.rank}. {self.player}"


class SeasonTable(models.Model):
    """A table over several events: points for the place in each, of the `best` few if set."""

    club = models.ForeignKey(
        Club, on_delete=models.CASCADE, related_name="season_tables", verbose_name=_("club")
    )
    season = models.ForeignKey(
        Season,
        on_delete=models.PROTECT,
        related_name="tables",
        null=True,
        blank=True,
        verbose_name=_("season"),
    )
    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(_("address"), max_length=60)
    place_points = models.JSONField(_("points for the places, from the first"), default=list)
    best = models.PositiveSmallIntegerField(
        _("only the best … events count"), null=True, blank=True, validators=[MinValueValidator(1)]
    )
    events = models.ManyToManyField(Event, related_name="season_tables", verbose_name=_("events"))

    class Meta:
        verbose_name = _("season table")
        verbose_name_plural = _("season tables")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "slug"], name="season_table_slug_once")
        ]
        ordering: ClassVar = ["club_id", "name"]

    def __str__(self) -> str:
        return self.name


class Adjustment(ActedOn):
    """Points a director adds or deducts, with the reason printed as a footnote."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="adjustments")
    entry = models.ForeignKey(
        Entry, on_delete=models.CASCADE, related_name="adjustments", verbose_name=_("entry")
    )
    points = models.DecimalField(_("points"), max_digits=6, decimal_places=2)
    reason = models.CharField(_("reason"), max_length=200)
    at = models.DateTimeField(_("at"), db_default=Now())

    class Meta:
        verbose_name = _("adjustment")
        verbose_name_plural = _("adjustments")
        ordering: ClassVar = ["event_id", "id"]

    def __str__(self) -> str:
        return f"{self.entry}: {self.points:+}"


class SweepMark(models.Model):
    """When the sweep last ran, None before it ever did: a single row that tells the age of background work.

    `deletions_since` is the time from which on every deletion is still noted, None if all are. At `tried_at`
    somebody last asked whether a row can be written.
    """

    swept_at = models.DateTimeField(null=True)
    deletions_since = models.DateTimeField(null=True)
    tried_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("last sweep")
        verbose_name_plural = _("last sweep")
        constraints: ClassVar = [models.CheckConstraint(condition=models.Q(id=1), name="sweep_mark_is_one")]

    def __str__(self) -> str:
        return str(self.swept_at)
