"""Access without a password: API tokens, table links, invitations, addresses of calendars.

Only a digest of each secret is stored; each can be revoked, and all but calendars expire.
"""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken

from league.models.clubs import Club, Role
from league.models.events import Event
from league.models.people import Player
from scoring.core.kinds import MOST_SIDES
from scoring.models import ActedOn, Scoresheet, random_code


class TokenScope(models.TextChoices):
    """The most a token may do; never more than its user may."""

    READ = "read", _("read")
    RECORD = "record", _("record and correct")
    MANAGE = "manage", _("manage")


class ApiToken(AbstractAuthToken):  # type: ignore[misc]
    """A program's key to the API, acting for its user within a scope.

    `club` limits it to a club, `event` to an event of that club, `sheet` to one sheet; the narrowest applies.
    Without a club it may read what its user may, and write nothing.
    """

    code = models.CharField(max_length=16, unique=True, default=random_code, editable=False)
    name = models.CharField(_("name"), max_length=80)
    scope = models.CharField(_("scope"), max_length=6, choices=TokenScope.choices, default=TokenScope.READ)
    club = models.ForeignKey(
        Club, on_delete=models.CASCADE, related_name="+", null=True, blank=True, verbose_name=_("club")
    )
    event = models.ForeignKey(
        Event, on_delete=models.CASCADE, related_name="+", null=True, blank=True, verbose_name=_("event")
    )
    sheet = models.ForeignKey(
        Scoresheet,
        on_delete=models.CASCADE,
        related_name="+",
        null=True,
        blank=True,
        verbose_name=_("sheet"),
    )
    last_used_at = models.DateTimeField(_("last used"), null=True, editable=False)

    # A plain manager: knox's own would also create the secret, which `league.people.tokens` does.
    objects = models.Manager["ApiToken"]()

    class Meta:
        verbose_name = _("token")
        verbose_name_plural = _("tokens")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(club__isnull=False)
                | models.Q(event__isnull=True, sheet__isnull=True, scope=TokenScope.READ),
                name="token_that_writes_has_a_club",
                violation_error_message=_("A token that writes is for a club, an event or a sheet."),
            ),
        ]
        ordering: ClassVar = ["-created"]

    def __str__(self) -> str:
        return self.name

    @property
    def is_expired(self) -> bool:
        """True if it has expired."""
        return self.expiry is not None and self.expiry <= timezone.now()


class GivenPassword(models.Model):
    """A note that somebody else has given an account its password; its user has to choose another one."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="given_password"
    )
    at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("given password")
        verbose_name_plural = _("given passwords")

    def __str__(self) -> str:
        return str(self.user)


class SignUp(models.Model):
    """A note that somebody made this account for himself, and has not verified its mail address yet.

    Until then it opens nothing; the sweep deletes the account when the time for it is over.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="sign_up"
    )
    at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("sign-up")
        verbose_name_plural = _("sign-ups")

    def __str__(self) -> str:
        return str(self.user)


class CalendarAddress(models.Model):
    """The secret address at which a user's own calendar is read; a new one takes the place of the former."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="calendar_address"
    )
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("address of a calendar")
        verbose_name_plural = _("addresses of calendars")

    def __str__(self) -> str:
        return str(self.user)


class TableLink(ActedOn):
    """A key to one side of a sheet, as a link or QR code; the actor is its creator.

    Opening the link exchanges it for a cookie. A side may have several, such as one per phone.
    """

    code = models.CharField(max_length=16, unique=True, default=random_code, editable=False)
    sheet = models.ForeignKey(Scoresheet, on_delete=models.CASCADE, related_name="links")
    side = models.PositiveSmallIntegerField()
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    opened_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("table link")
        verbose_name_plural = _("table links")
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(side__lt=MOST_SIDES), name="table_link_side"),
        ]
        ordering: ClassVar = ["sheet_id", "side", "-id"]

    def __str__(self) -> str:
        return f"{self.sheet}, {self.side}"


class Invitation(ActedOn):
    """An offer of an office in a club, as a link, with or without e-mail; the actor is who invites.

    On acceptance the account is linked to `player`.
    """

    code = models.CharField(max_length=16, unique=True, default=random_code, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(_("role"), max_length=12, choices=Role.choices, default=Role.MEMBER)
    email = models.EmailField(_("e-mail"), blank=True)
    player = models.ForeignKey(
        Player,
        on_delete=models.CASCADE,
        related_name="invitations",
        null=True,
        blank=True,
        verbose_name=_("player"),
    )
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField(_("expires at"))
    accepted_at = models.DateTimeField(null=True, editable=False)
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, related_name="+", null=True, editable=False
    )
    revoked_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering: ClassVar = ["-id"]

    def __str__(self) -> str:
        return self.email or (str(self.player) if self.player else self.get_role_display())
