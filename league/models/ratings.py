"""Player ratings, derived from the club's finished matches."""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from league.models.bots import Exhibition
from league.models.clubs import Club
from league.models.matches import Match
from league.models.people import Player


class Rating(models.Model):
    """A player's rating after all matches so far: `mu` with its uncertainty `sigma`.

    `elo` is not shown; expected scores are told from it too (`core.expected`).
    """

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="rating")
    mu = models.FloatField()
    sigma = models.FloatField()
    matches = models.PositiveIntegerField()
    elo = models.FloatField(default=0, db_default=0)

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        ordering: ClassVar = ["-mu", "player_id"]

    def __str__(self) -> str:
        return f"{self.player}: {self.mu:.2f}"


class RatingStep(models.Model):
    """The effect of a match, or of a rated friendly game, on a player's rating.

    `number` counts from 1 what is rated of the player.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="rating_steps")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="rating_steps", null=True)
    exhibition = models.ForeignKey(
        Exhibition, on_delete=models.CASCADE, related_name="rating_steps", null=True
    )
    number = models.PositiveIntegerField()
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu = models.FloatField()
    sigma = models.FloatField()

    class Meta:
        verbose_name = _("step of a rating")
        verbose_name_plural = _("steps of ratings")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "match"], name="rating_step_once"),
            models.UniqueConstraint(fields=["player", "exhibition"], name="rating_step_once_of_game"),
            models.CheckConstraint(
                condition=models.Q(match=None, exhibition__isnull=False)
                | models.Q(match__isnull=False, exhibition=None),
                name="rating_step_of_one",
            ),
        ]
        ordering: ClassVar = ["player_id", "number"]

    def __str__(self) -> str:
        return f"{self.player}, {self.number}: {self.mu:.2f}"


class ExpectedWeights(models.Model):
    """How a club's expected scores are told, of matches with so many players on the larger side."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="expected_weights")
    size = models.PositiveSmallIntegerField()
    matches = models.PositiveIntegerField()
    weights = models.JSONField()

    class Meta:
        verbose_name = _("weights of expected scores")
        verbose_name_plural = _("weights of expected scores")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "size"], name="expected_weights_once"),
        ]
        ordering: ClassVar = ["club_id", "size"]

    def __str__(self) -> str:
        return f"{self.club_id}, {self.size}: {self.matches}"


class RatingsRequest(models.Model):
    """A change that the club's ratings depend on; deleted by the process that recalculates."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="ratings_requests")
    requested_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("request for ratings")
        verbose_name_plural = _("requests for ratings")
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.club_id}: {self.requested_at}"
