"""Seasons, events, who is entered, and the rounds an event is played in."""

from decimal import Decimal
from typing import TYPE_CHECKING, ClassVar

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from league.models.clubs import Club
from league.models.people import Player
from league.standings import CRITERIA
from scoring.models import HouseRules, random_code

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class Season(models.Model):
    """A stretch of a club's calendar that events belong to."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="seasons", verbose_name=_("club"))
    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(_("address"), max_length=60)
    starts_on = models.DateField(_("first day"), null=True, blank=True)
    ends_on = models.DateField(_("last day"), null=True, blank=True)

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        constraints: ClassVar = [models.UniqueConstraint(fields=["club", "slug"], name="season_slug_once")]
        ordering: ClassVar = ["club_id", "-starts_on", "name"]

    def __str__(self) -> str:
        return self.name


class EventKind(models.TextChoices):
    """Who is entered in an event."""

    INDIVIDUAL = "individual", _("players")
    TEAM = "team", _("teams")


class PointsScheme(models.TextChoices):
    """What a match is worth in the table."""

    MATCH = "match", _("points for a match won, drawn, lost")
    COLUMNS = "columns", _("points for each column won and for the sheet")


def check_criteria(value: object) -> None:
    """Refuses anything but an ordered list of known criteria, each once."""
    if not isinstance(value, list) or not value:
        raise ValidationError(_("Name at least one criterion."))
    for name in value:
        if name not in CRITERIA:
            raise ValidationError(
                _("“%(name)s” is no criterion; there are: %(known)s."),
                params={"name": name, "known": ", ".join(CRITERIA)},
            )
    if len(set(value)) != len(value):
        raise ValidationError(_("A criterion stands twice."))


def usual_criteria() -> list[str]:
    """What most clubs sort by."""
    return ["match_points", "net", "columns_won", "head_to_head", "lot"]


def _points(default: int, label: "StrOrPromise") -> "models.DecimalField[Decimal | int, Decimal]":
    return models.DecimalField(
        label,
        max_digits=6,
        decimal_places=2,
        default=default,
        validators=[MinValueValidator(-100), MaxValueValidator(100)],
    )


class Event(models.Model):
    """A competition: its rules in one version, its entries, and how its table is made.

    `calculation` counts the times its standings were written and guards them against older calculations;
    `standings_at` is what the table on the page is "as of".
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="events", verbose_name=_("club"))
    season = models.ForeignKey(
        Season,
        on_delete=models.PROTECT,
        related_name="events",
        null=True,
        blank=True,
        verbose_name=_("season"),
    )
    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(_("address"), max_length=60)
    kind = models.CharField(
        _("entries are"), max_length=12, choices=EventKind.choices, default=EventKind.INDIVIDUAL
    )
    team_size = models.PositiveSmallIntegerField(
        _("players of a side"), default=1, validators=[MinValueValidator(1), MaxValueValidator(12)]
    )
    rules = models.ForeignKey(
        HouseRules, on_delete=models.PROTECT, related_name="events", verbose_name=_("rules")
    )
    criteria = models.JSONField(_("order of the table"), default=usual_criteria, validators=[check_criteria])
    restart_criteria = models.BooleanField(
        _("begin again at the first criterion inside each group that is left"), default=False
    )
    points_scheme = models.CharField(
        _("points"), max_length=8, choices=PointsScheme.choices, default=PointsScheme.MATCH
    )
    win_points = _points(2, _("match won"))
    draw_points = _points(1, _("match drawn"))
    loss_points = _points(0, _("match lost"))
    column_points = _points(1, _("column won"))
    sheet_points = _points(1, _("sheet won"))
    bye_points = _points(2, _("bye"))
    lot_seed = models.PositiveIntegerField(_("seed of the lot"), default=1)
    created_at = models.DateTimeField(_("created at"), db_default=Now())
    calculation = models.PositiveBigIntegerField(default=0, editable=False)
    standings_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "slug"], name="event_slug_once"),
            models.CheckConstraint(
                condition=models.Q(kind=EventKind.INDIVIDUAL, team_size=1)
                | models.Q(kind=EventKind.TEAM, team_size__gte=2, team_size__lte=12),
                name="event_team_size",
                violation_error_message=_("Players play alone; teams have 2 to 12 players a side."),
            ),
        ]
        ordering: ClassVar = ["club_id", "-created_at", "name"]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        if self.season is not None and self.club_id is not None and self.season.club_id != self.club_id:
            raise ValidationError({"season": _("This season is another club's.")})


class Entry(models.Model):
    """Who is ranked in an event: a player, or a team of two or more."""

    event = models.ForeignKey(
        Event, on_delete=models.CASCADE, related_name="entries", verbose_name=_("event")
    )
    name = models.CharField(_("name"), max_length=80)
    seed = models.PositiveIntegerField(_("seed"), null=True, blank=True)
    withdrawn_at = models.DateTimeField(_("withdrawn at"), null=True, blank=True)
    players = models.ManyToManyField(
        Player, through="EntryMember", related_name="entries", verbose_name=_("players")
    )

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["event", "name"],
                name="entry_name_once",
                violation_error_message=_("There is an entry of this name."),
            ),
            models.UniqueConstraint(
                fields=["event", "seed"],
                name="entry_seed_once",
                violation_error_message=_("Another entry has this seed."),
            ),
        ]
        ordering: ClassVar = ["event_id", "seed", "name"]

    def __str__(self) -> str:
        return self.name


class EntryMember(models.Model):
    """A player of an entry; nobody is in two entries of one event."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="members", editable=False)
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="members")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="memberships_in_entries")
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name = _("member of an entry")
        verbose_name_plural = _("members of entries")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["event", "player"],
                name="entry_member_once",
                violation_error_message=_("This player is in another entry of the event."),
            ),
        ]
        ordering: ClassVar = ["entry_id", "position", "id"]

    def __str__(self) -> str:
        return str(self.player)


class Round(models.Model):
    """One round of an event, usually one night."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="rounds", verbose_name=_("event"))
    code = models.CharField(max_length=16, unique=True, default=random_code, editable=False)
    number = models.PositiveSmallIntegerField(_("number"), validators=[MinValueValidator(1)])
    date = models.DateField(_("date"), null=True, blank=True)

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["event", "number"], name="round_number_once")
        ]
        ordering: ClassVar = ["event_id", "number"]

    def __str__(self) -> str:
        return _("%(event)s, round %(number)s") % {"event": self.event, "number": self.number}
