"""The daily hand of a club: one pack a day, which every member plays once against the same bot."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from league.models.clubs import Club
from league.models.people import Player
from scoring.models import HouseRules


class DailyHand(models.Model):
    """The hand of a day by the club's clock; it is made when the first member begins to play.

    Members have seat 0, the bot of this `strategy` seat 1. `commitment` (`commitment_of`) is shown at once;
    `pack`, as text, and `nonce`, from which the bot's chances come, are shown by nothing before the day is
    over.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="daily_hands")
    day = models.DateField(_("day"))
    rules = models.ForeignKey(HouseRules, on_delete=models.PROTECT, related_name="+")
    strategy = models.CharField(_("strategy"), max_length=40)
    dealer = models.PositiveSmallIntegerField()
    commitment = models.CharField(max_length=64)
    pack = models.CharField(max_length=160)
    nonce = models.CharField(max_length=64)
    made_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("daily hand")
        verbose_name_plural = _("daily hands")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "day"], name="daily_hand_once"),
            models.CheckConstraint(condition=models.Q(dealer__in=[0, 1]), name="daily_hand_dealer"),
        ]
        ordering: ClassVar = ["-day", "club_id"]

    def __str__(self) -> str:
        return f"{self.club}, {self.day}"


class DailyTry(models.Model):
    """How a member plays a daily hand: the `actions` so far as texts, the bot's among them.

    Every action of the member makes the next `version`. `points` are his points of the hand, less than 0 for
    the bot's, None until it is over.
    """

    hand = models.ForeignKey(DailyHand, on_delete=models.CASCADE, related_name="tries")
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="daily_tries"
    )
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="daily_tries")
    actions = models.JSONField(default=list)
    version = models.PositiveIntegerField(default=1)
    points = models.IntegerField(_("points"), null=True)

    class Meta:
        verbose_name = _("try at a daily hand")
        verbose_name_plural = _("tries at daily hands")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["hand", "account"], name="daily_try_once"),
            # Also of who has got another account meanwhile.
            models.UniqueConstraint(fields=["hand", "player"], name="daily_try_once_a_player"),
        ]
        ordering: ClassVar = ["hand_id", "id"]

    def __str__(self) -> str:
        return f"{self.hand}, {self.player}"
