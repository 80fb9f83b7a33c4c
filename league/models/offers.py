"""Offers of a game at a table on this site."""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from league.models.clubs import Club
from league.models.matches import Match
from league.models.people import Player
from scoring.models import HouseRules, random_code


class OfferState(models.TextChoices):
    """What has become of an offer; the last three are final."""

    OPEN = "open", _("open")
    TAKEN = "taken", _("taken")
    DECLINED = "declined", _("declined")
    WITHDRAWN = "withdrawn", _("taken back")


class GameOffer(models.Model):
    """A member offers a game on this site: a friendly one by `rules`, or to play a `match` that is drawn.

    It is `to` one player, or to whoever of the club takes it first; that of a match always to the opponent.
    Or it is a guest's, who has the secret of this `guest_digest` as a link. A friendly one that `is_rated`
    counts for the club's ratings, and one that is `of_teams` is for four, whose `seats` say who they are.
    """

    code = models.CharField(max_length=16, unique=True, default=random_code, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="game_offers")
    by = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="games_offered")
    to = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="games_offered_to_him", null=True)
    rules = models.ForeignKey(HouseRules, on_delete=models.PROTECT, related_name="+", null=True)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="game_offers", null=True)
    guest_digest = models.CharField(max_length=64, blank=True, default="", db_default="")
    is_rated = models.BooleanField(default=False, db_default=False)
    of_teams = models.BooleanField(default=False, db_default=False)
    state = models.CharField(max_length=9, choices=OfferState.choices, default=OfferState.OPEN)
    made_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("offer of a game")
        verbose_name_plural = _("offers of games")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(match=None, rules__isnull=False)
                | models.Q(match__isnull=False, to__isnull=False, rules=None),
                name="game_offer_of_rules_or_match",
            ),
            models.CheckConstraint(
                condition=models.Q(to=None) | ~models.Q(to=models.F("by")), name="game_offer_to_another"
            ),
            models.CheckConstraint(
                condition=models.Q(guest_digest="") | models.Q(match=None, to=None),
                name="game_offer_to_guest",
            ),
            models.CheckConstraint(
                condition=models.Q(is_rated=False) | models.Q(match=None, guest_digest=""),
                name="game_offer_rated_of_members",
            ),
            models.CheckConstraint(
                condition=models.Q(of_teams=False)
                | models.Q(match=None, to=None, guest_digest="", is_rated=False),
                name="game_offer_of_teams",
            ),
            models.UniqueConstraint(
                fields=["guest_digest"],
                condition=~models.Q(guest_digest=""),
                name="game_offer_of_secret",
            ),
            models.UniqueConstraint(
                fields=["match"], condition=models.Q(state="open"), name="game_offer_once_of_match"
            ),
        ]
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return self.code


class OfferSeat(models.Model):
    """Who is to play in a friendly game of teams beside the member who offers it, who has seat 0.

    `number` counts through both teams, as at the table. A seat is a member's, who has `agreed_at` some time
    or is still to answer, or that of a `bot`, the name of a strategy.
    """

    offer = models.ForeignKey(GameOffer, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="seats_offered", null=True)
    bot = models.CharField(max_length=32, blank=True, default="")
    agreed_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("seat in an offer")
        verbose_name_plural = _("seats in offers")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["offer", "number"], name="offer_seat_once"),
            models.UniqueConstraint(fields=["offer", "player"], name="offer_seat_of_player_once"),
            models.CheckConstraint(
                condition=models.Q(player=None, agreed_at=None) & ~models.Q(bot="")
                | models.Q(player__isnull=False, bot=""),
                name="offer_seat_of_one",
            ),
        ]
        ordering: ClassVar = ["offer_id", "number"]

    def __str__(self) -> str:
        return f"{self.offer}, {self.number}"
