"""Players of a club and the other names they go by."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Final, cast

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.models.clubs import Club
from league.models.tracking import Tracked
from scoring.models import random_code


def marked(name: str, *, is_bot: bool) -> str:
    """A name as people read it: a bot's says so. What is compared, matched or exported is the bare name."""
    return gettext("%(name)s (bot)") % {"name": name} if is_bot else name


def persons_of(players: Iterable["Player"]) -> dict[str, str]:
    """The keys of players, by which the seats of a sheet refer to them, by their names on it."""
    return {player.name: player.code for player in players}


class ShownAs(models.TextChoices):
    """What of a player's name stands on pages that anyone may read."""

    NAME = "name", _("full name")
    INITIALS = "initials", _("initials")
    NICKNAME = "nickname", _("nickname")


@dataclass(frozen=True, slots=True)
class Detail:
    """A field of a player that says something plain of the person, and may be null.

    Whatever is listed in `DETAILS` is in the forms and lists of the admin, on the player's page, in the API,
    in the file of players and in one's own data; two that are merged share it, and erasing empties it.
    Directors alone may read it, unless it `is_public`. `example` stands in the API's document.
    """

    name: str
    example: Any
    is_public: bool = False

    @property
    def field(self) -> "models.Field[Any, Any]":
        """The field of the model."""
        return cast("models.Field[Any, Any]", Player._meta.get_field(self.name))

    @property
    def title(self) -> str:
        """What the field is called."""
        return str(self.field.verbose_name)

    def of(self, player: "Player") -> Any:
        """What the player has there; None where nothing is known."""
        return getattr(player, self.name)


DETAILS: Final = (Detail("member_number", example="17"),)
DETAIL_NAMES: Final = tuple(detail.name for detail in DETAILS)


class Player(Tracked):
    """Who plays for a club. One that was merged into another stays as a signpost to it.

    A person, or a bot of the house: then `strategy` names how it plays, at `level` where that has levels.
    `external_id` is the player's id in the club's own register. A player whose person was erased keeps its
    row, its code and its results under a name that says nothing.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="players", verbose_name=_("club"))
    code = models.CharField(_("code"), max_length=16, unique=True, default=random_code, editable=False)
    name = models.CharField(_("name"), max_length=80)
    member_number = models.CharField(_("member number"), max_length=20, null=True, blank=True)  # noqa: DJ001
    external_id = models.CharField(_("id in the club's register"), max_length=64, null=True, blank=True)  # noqa: DJ001
    nickname = models.CharField(_("nickname"), max_length=40, blank=True, default="", db_default="")
    shown_as = models.CharField(
        _("shown to the public as"),
        max_length=8,
        choices=ShownAs.choices,
        default=ShownAs.NAME,
        db_default=ShownAs.NAME,
    )
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
    strategy = models.CharField(_("plays as"), max_length=40, blank=True, default="", db_default="")
    level = models.PositiveSmallIntegerField(_("level"), null=True, blank=True)
    created_at = models.DateTimeField(_("created at"), db_default=Now())

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        constraints: ClassVar = [
            # A sheet tells its players apart by name, and so does an import.
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
        """Whether it is a bot of the house and no person."""
        return bool(self.strategy)


class NamingText(models.Model):
    """A text that somebody has written and that names a person who was erased, for a director to look at.

    It stands in the `field` of the `row` of a table (`place`); in JSON at the end of `path`. `words` are
    those that name the person, counted from 0.
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
    """Another name of a player, as it stands in files: an import finds the player by it."""

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
