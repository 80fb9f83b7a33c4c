"""Offers of a game at a table on this site."""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from league.models.clubs import Club
from league.models.fields import choice
from league.models.formats import OnlineClock
from league.models.matches import Match
from league.models.online_play import clock_words
from league.models.people import Player
from scoring.models import HouseRules, Scoresheet, random_code


class OfferState(models.TextChoices):
    """What has become of an offer; the last three are final."""

    OPEN = "open", _("open")
    TAKEN = "taken", _("taken")
    DECLINED = "declined", _("declined")
    WITHDRAWN = "withdrawn", _("taken back")


class GameOffer(models.Model):
    """A member offers a friendly game on this site: he has seat 0, and `seats` say who else is to play.

    One that `is_rated` is of two members, counts for the club's ratings, and has the clock of rated games.
    `length` is what is chosen of it instead of what the rules say (`Length`).
    Once it has begun it has its `sheet`. `key` and `digest` are of the request that made it, as in
    `OpeningKey`.
    """

    code = models.CharField(max_length=16, unique=True, default=random_code, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="game_offers")
    by = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="games_offered")
    rules = models.ForeignKey(HouseRules, on_delete=models.PROTECT, related_name="+")
    is_rated = models.BooleanField(default=False, db_default=False)
    clock = choice(_("clock"), 14, OnlineClock.NONE)
    length = models.JSONField(default=dict)
    state = models.CharField(max_length=9, choices=OfferState.choices, default=OfferState.OPEN)
    made_at = models.DateTimeField(db_default=Now())
    sheet = models.OneToOneField(
        Scoresheet, on_delete=models.SET_NULL, related_name="game_offer", null=True, editable=False
    )
    key = models.CharField(max_length=200, null=True, editable=False)  # noqa: DJ001 (null: no key, no clash)
    digest = models.CharField(max_length=64, blank=True, default="", db_default="", editable=False)

    class Meta:
        verbose_name = _("offer of a game")
        verbose_name_plural = _("offers of games")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["by", "key"], name="game_offer_key_once"),
        ]
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return self.code

    @property
    def clock_words(self) -> str:
        """Its clock in words."""
        return clock_words(self.clock)


class OfferSeat(models.Model):
    """Who is to play beside the member who offers a game: `number` counts on from his seat, by sides.

    A seat is that of a `player` who is asked for it by name, of whoever takes it first (`is_open`, and then
    his), of a guest by the link whose secret has this digest (and then of that `guest_name`), or of a `bot`,
    the name of a strategy. It is taken from `agreed_at` on; that of a bot is from the beginning.
    """

    offer = models.ForeignKey(GameOffer, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="seats_offered", null=True)
    is_open = models.BooleanField(default=False, db_default=False)
    guest_digest = models.CharField(max_length=64, blank=True, default="", db_default="")
    guest_name = models.CharField(max_length=40, blank=True, default="", db_default="")
    bot = models.CharField(max_length=32, blank=True, default="")
    agreed_at = models.DateTimeField(null=True)
    has_declined = models.BooleanField(default=False, db_default=False)

    class Meta:
        verbose_name = _("seat in an offer")
        verbose_name_plural = _("seats in offers")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["offer", "number"], name="offer_seat_once"),
            models.UniqueConstraint(fields=["offer", "player"], name="offer_seat_of_player_once"),
            models.UniqueConstraint(
                fields=["guest_digest"],
                condition=~models.Q(guest_digest=""),
                name="offer_seat_of_secret",
            ),
            models.CheckConstraint(
                # A bot's, a member's who is asked, an open one, a guest's.
                condition=models.Q(player=None, is_open=False, guest_digest="", agreed_at=None)
                & ~models.Q(bot="")
                | models.Q(player__isnull=False, is_open=False, guest_digest="", bot="")
                | models.Q(is_open=True, guest_digest="", bot="", player=None, agreed_at=None)
                | models.Q(
                    is_open=True, guest_digest="", bot="", player__isnull=False, agreed_at__isnull=False
                )
                | models.Q(player=None, is_open=False, bot="") & ~models.Q(guest_digest=""),
                name="offer_seat_of_one",
            ),
            models.CheckConstraint(
                condition=models.Q(guest_name="")
                | ~models.Q(guest_digest="") & models.Q(agreed_at__isnull=False),
                name="offer_seat_named_guest",
            ),
            models.CheckConstraint(
                condition=models.Q(has_declined=False)
                | models.Q(player__isnull=False, is_open=False, agreed_at=None),
                name="offer_seat_declined_by_one",
            ),
        ]
        ordering: ClassVar = ["offer_id", "number"]

    def __str__(self) -> str:
        return f"{self.offer}, {self.number}"

    @property
    def is_taken(self) -> bool:
        """Whether nobody has to be waited for."""
        return self.agreed_at is not None or bool(self.bot)


class OnlineOffer(models.Model):
    """A side offers the other to play their match on this site; it is gone once that is answered."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="online_offer")
    side = models.PositiveSmallIntegerField()
    made_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("offer to play a match online")
        verbose_name_plural = _("offers to play matches online")
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(side__lt=2), name="online_offer_side"),
        ]
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return str(self.match)
