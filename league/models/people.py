"""Players of a club and their other names."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Final, cast

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.models.clubs import Club
from league.models.fields import choice, line
from league.models.tracking import Tracked
from scoring.models import random_code


def marked(name: str, *, is_bot: bool) -> str:
    """Return a name as displayed, with bots marked. Comparing, matching and exporting use the bare name."""
    return gettext("%(name)s (bot)") % {"name": name} if is_bot else name


def sat_in_for(name: str) -> str:
    """Return how one is displayed for whom a bot sits in, who has not come."""
    return gettext("bot, for %(name)s") % {"name": name}


def persons_of(players: Iterable["Player"]) -> dict[str, str]:
    """Return the keys of players, by which seats of a sheet refer to them, by the name on the sheet."""
    return {player.name: player.code for player in players}


class ShownAs(models.TextChoices):
    """How a player's name appears on public pages."""

    NAME = "name", _("full name")
    INITIALS = "initials", _("initials")
    NICKNAME = "nickname", _("nickname")


@dataclass(frozen=True, slots=True)
class Detail:
    """A nullable field of a player with a plain fact about the person.

    Every item of `DETAILS` appears in the forms and lists of the admin, on the player's page, in the API, in
    the file of players and in one's own data; merging players combines it, and erasing empties it. Only
    directors may read it, unless it `is_public`. `example` is used in the API's document.
    """

    name: str
    example: Any
    is_public: bool = False

    @property
    def field(self) -> "models.Field[Any, Any]":
        """The model field."""
        return cast("models.Field[Any, Any]", Player._meta.get_field(self.name))

    @property
    def title(self) -> str:
        """The name of the field."""
        return str(self.field.verbose_name)

    def of(self, player: "Player") -> Any:
        """Return the player's value; None if unknown."""
        return getattr(player, self.name)


DETAILS: Final = (
    Detail("member_number", example="17"),
    Detail("email", example="ann@harbour.example"),
    Detail("under_age_until", example="2031-12-31"),
)
DETAIL_NAMES: Final = tuple(detail.name for detail in DETAILS)


class Player(Tracked):
    """A player of a club. One merged into another stays as a pointer to it.

    A person, or a house bot: then `strategy` names how it plays, at `level` if that has levels. `external_id`
    is the player's id in the club's register. After erasing, the row, its code and its results stay under a
    neutral name.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="players", verbose_name=_("club"))
    code = models.CharField(_("code"), max_length=16, unique=True, default=random_code, editable=False)
    name = models.CharField(_("name"), max_length=80)
    member_number = models.CharField(_("member number"), max_length=20, null=True, blank=True)  # noqa: DJ001
    email = models.EmailField(_("e-mail address"), null=True, blank=True)  # noqa: DJ001
    external_id = models.CharField(_("id in the club's register"), max_length=64, null=True, blank=True)  # noqa: DJ001
    under_age_until = models.DateField(
        _("under age until"),
        null=True,
        blank=True,
        help_text=_(
            "Until this day nothing is sent to the player, and the public sees initials. It need not be the"
            " birthday: the end of that year will do."
        ),
    )
    nickname = line(_("nickname"), 40)
    shown_as = choice(_("shown to the public as"), 8, ShownAs.NAME)
    erased_at = models.DateTimeField(null=True, blank=True, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        related_name="players",
        null=True,
        blank=True,
        verbose_name=_("user"),
    )
    merged_into = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        related_name="merged",
        null=True,
        blank=True,
        editable=False,
        verbose_name=_("merged into"),
    )
    strategy = line(_("plays as"), 40)
    level = models.PositiveSmallIntegerField(_("level"), null=True, blank=True)
    created_at = models.DateTimeField(_("created at"), db_default=Now())

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        constraints: ClassVar = [
            # Sheets and imports tell players apart by name.
            models.UniqueConstraint(
                fields=["club", "name"],
                condition=models.Q(merged_into__isnull=True),
                name="player_name_once",
                violation_error_message=_("There is a player of this name; add an initial or the town."),
            ),
            models.UniqueConstraint(
                fields=["club", "member_number"],
                condition=models.Q(merged_into__isnull=True, member_number__isnull=False),
                name="player_member_number_once",
                violation_error_message=_("Another player has this member number."),
            ),
            models.UniqueConstraint(
                fields=["club", "external_id"],
                condition=models.Q(merged_into__isnull=True, external_id__isnull=False),
                name="player_external_id_once",
                violation_error_message=_("Another player has this id in the club's register."),
            ),
            models.CheckConstraint(
                condition=~models.Q(shown_as=ShownAs.NICKNAME) | ~models.Q(nickname=""),
                name="player_nickname_given",
                violation_error_message=_("Give the nickname that is to be shown."),
            ),
            models.CheckConstraint(
                condition=~models.Q(strategy="") | models.Q(level__isnull=True), name="player_level_of_bot"
            ),
            models.CheckConstraint(
                condition=models.Q(strategy="") | models.Q(user__isnull=True),
                name="player_bot_without_user",
                violation_error_message=_("A bot has no account."),
            ),
        ]
        ordering: ClassVar = ["name"]

    def __str__(self) -> str:
        return marked(self.name, is_bot=self.is_bot)

    @property
    def is_bot(self) -> bool:
        """Whether it is a house bot."""
        return bool(self.strategy)

    @property
    def codes(self) -> list[str]:
        """The codes by which seats name the player: its own, and those of players merged into it."""
        return [self.code, *self.merged.values_list("code", flat=True)]

    @property
    def plays_here(self) -> bool:
        """Whether it can play on this site: a bot, or who has an account in use; load `user` along."""
        return self.is_bot or (self.user is not None and self.user.is_active)

    @property
    def is_under_age(self) -> bool:
        """Whether the player is under age today, by the club's clock; the club must be loaded."""
        until = self.under_age_until
        return until is not None and timezone.now().astimezone(self.club.zone).date() < until

    @property
    def is_covered(self) -> bool:
        """Whether the public does not see the full name; the club must be loaded."""
        return self.shown_as != ShownAs.NAME or self.is_under_age


def maybe_under_age() -> models.Q:
    """A condition on players: under age somewhere on earth. `Player.is_under_age` decides."""
    return models.Q(under_age_until__gte=timezone.now().date())


class PlayerAbsence(models.Model):
    """Days on which a player has said that he cannot play, both included. Whoever reads it decides.

    `over_at` is when the last of them is over by the club's clock.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="absences")
    first_day = models.DateField(_("first day"))
    last_day = models.DateField(_("last day"))
    over_at = models.DateTimeField(editable=False)

    class Meta:
        verbose_name = _("days away")
        verbose_name_plural = _("days away")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(last_day__gte=models.F("first_day")),
                name="player_absence_in_order",
                violation_error_message=_("An absence does not end before it begins."),
            )
        ]
        ordering: ClassVar = ["player_id", "first_day"]

    def __str__(self) -> str:
        return str(self.player)


class NamingText(models.Model):
    """A text that mentions an erased person, for a director to check.

    It is in the `field` of the `row` of a table (`place`), in JSON at the end of `path`. `words` are the
    positions of the words that name the person, from 0.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="naming_texts")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="naming_texts")
    place = models.CharField(max_length=60)
    row = models.BigIntegerField()
    field = models.CharField(max_length=40)
    path = models.JSONField(default=list)
    words = models.JSONField(default=list)
    settled_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("text that names an erased person")
        verbose_name_plural = _("texts that name erased persons")
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.place} {self.row}, {self.field}"


class PlayerAlias(models.Model):
    """Another name of a player, by which imports find the player."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="aliases")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="aliases")
    name = models.CharField(_("name"), max_length=80)

    class Meta:
        verbose_name = _("other name")
        verbose_name_plural = _("other names")
        constraints: ClassVar = [models.UniqueConstraint(fields=["club", "name"], name="alias_name_once")]
        ordering: ClassVar = ["name"]

    def __str__(self) -> str:
        return self.name
