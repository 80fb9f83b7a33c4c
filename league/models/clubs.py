"""Clubs, offices in them, and their own house rules."""

import zoneinfo
from typing import ClassVar, Final

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from league.core.colours import is_colour
from league.models.fields import choice, line, switch, text
from league.models.notice_kinds import usual_kinds, usual_pushed_kinds
from league.models.tracking import Tracked
from scoring.models import HouseRules, random_code

MOST_ABOUT: Final = 4000


def check_time_zone(name: str) -> None:
    """Refuse a name that is not an IANA time zone."""
    if name not in zoneinfo.available_timezones():
        raise ValidationError(
            _("“%(name)s” is not a time zone; write one such as Europe/Paris."), params={"name": name}
        )


def check_colour(written: str) -> None:
    """Refuse what is no colour as it is kept."""
    if not is_colour(written):
        raise ValidationError(_("Write a colour as # and six digits from 0 to f, such as #1f6b4b."))


class ColumnOrder(models.TextChoices):
    """How the club's paper arranges the three double columns."""

    BY_GAME = "abab", _("A B · A B · A B, side by side in each game")
    BY_SIDE = "aabb", _("A A A · B B B, a block for each side")


class Joining(models.TextChoices):
    """How somebody becomes a member of the club."""

    INVITED = "invited", _("by invitation only")
    ASKED = "asked", _("on request: an officer approves")
    OPEN = "open", _("at once, whoever wants to")


class Claiming(models.TextChoices):
    """How somebody who says which player of the register he is gets linked to that row.

    Each also does what those before it do.
    """

    OFFICER = "officer", _("an officer confirms it")
    ADDRESS = (
        "address",
        _("automatically, where the register has their verified e-mail address, and for nobody else"),
    )
    NUMBER = "number", _("automatically, also where their member number and name are as in the register")


class RatedGames(models.TextChoices):
    """Which friendly games on this site may be rated. Each also allows what those before it do."""

    NONE = "none", _("none")
    MEMBERS = "members", _("those between members")
    BOTS = "bots", _("also those against bots of the register")


class Club(Tracked):
    """A gin rummy club. Officers see and change only their own.

    `is_demo` is the club that was loaded to look around in. `is_guided` is the one that is just being begun
    with the guide (`league.events.beginning`), until its owner has finished that: one at a time.

    `logo` is the digest of its `ClubLogo`, blank if it has none.
    """

    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(_("address"), max_length=60, unique=True)
    place = line(_("place"), 80, _("Where the club meets."))
    contact = line(
        _("contact"),
        120,
        _(
            "Who to contact, such as an e-mail address or a telephone number. Everyone who can read the "
            "club's pages sees it."
        ),
    )
    about = text(
        _("about"),
        MOST_ABOUT,
        _("What the club's page says of it. It may have **bold** words, lists and links."),
    )
    colour = models.CharField(
        _("colour"),
        max_length=7,
        blank=True,
        default="",
        db_default="",
        validators=[check_colour],
        help_text=_(
            "Of links and buttons on the club's pages, such as #1f6b4b. Where it could not be read well it "
            "is used darker on light pages, and lighter on dark ones."
        ),
    )
    logo = models.CharField(_("logo"), max_length=16, blank=True, default="", db_default="", editable=False)
    time_zone = models.CharField(_("time zone"), max_length=60, default="UTC", validators=[check_time_zone])
    column_order = models.CharField(
        _("column order"), max_length=4, choices=ColumnOrder.choices, default=ColumnOrder.BY_GAME
    )
    running_totals = models.BooleanField(
        _("papers show running totals"),
        default=False,
        help_text=_("A figure typed without a sign is the side's running total, not the points of the hand."),
    )
    is_public = models.BooleanField(
        _("public"),
        default=True,
        help_text=_("Anyone may read the club's pages; otherwise only its members."),
    )
    is_indexed = switch(
        _("in search engines"), on=True, told=_("Search engines may list the club's public pages.")
    )
    has_learn_pages = switch(
        _("pages to learn from"),
        on=True,
        told=_("The club's pages explain how to play, by its own house rules."),
    )
    has_phrases = switch(
        _("set phrases at tables on this site"),
        told=_(
            "Members who play each other here may send each other a few set phrases, such as “Well played.” "
            "Nobody else sees them, and each may switch them off."
        ),
    )
    rated_games = choice(
        _("rated friendly games"),
        8,
        RatedGames.NONE,
        _(
            "Friendly games on this site that may count for the club's ratings, if those who play agree: by "
            "house rules of its events."
        ),
    )
    told_by_mail = models.JSONField(
        _("told by mail"),
        default=usual_kinds,
        blank=True,
        help_text=_(
            "What members and players are told by mail, unless they choose otherwise on their account page."
        ),
    )
    told_by_push = models.JSONField(
        _("told on devices"),
        default=usual_pushed_kinds,
        blank=True,
        help_text=_(
            "What members and players are told on the telephones and computers on which they have switched it"
            " on, unless they choose otherwise on their account page."
        ),
    )
    joining = choice(
        _("members join"),
        8,
        Joining.INVITED,
        _("Where the club is public, its page asks people in accordingly."),
    )
    claiming = choice(
        _("people who say that they are in the register"),
        8,
        Claiming.OFFICER,
        _("How their account gets linked to their player."),
    )
    is_demo = models.BooleanField(_("a demo"), default=False, db_default=False, editable=False)
    is_guided = models.BooleanField(_("being begun"), default=False, db_default=False, editable=False)
    created_at = models.DateTimeField(_("created at"), db_default=Now())

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["is_guided"],
                condition=models.Q(is_guided=True),
                name="club_guided_once",
                violation_error_message=_("Somebody has begun a club here already."),
            ),
        ]
        ordering: ClassVar = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def zone(self) -> zoneinfo.ZoneInfo:
        """The club's time zone, used on its pages."""
        return zoneinfo.ZoneInfo(self.time_zone)


class ClubLogo(models.Model):
    """The logo of a club: a PNG that was made here (`league.people.logos`), never an uploaded file."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="logo_picture")
    png = models.BinaryField()

    class Meta:
        verbose_name = _("logo")
        verbose_name_plural = _("logos")
        ordering: ClassVar = ["club_id"]

    def __str__(self) -> str:
        return str(self.club)


class Role(models.TextChoices):
    """Offices in a club, from most to least powerful."""

    OWNER = "owner", _("owner")
    DIRECTOR = "director", _("director")
    SCOREKEEPER = "scorekeeper", _("scorekeeper")
    MEMBER = "member", _("member")


class Membership(Tracked):
    """A user's office in a club. Accounts with offices cannot be deleted: leaving office is audited."""

    code = models.CharField(max_length=16, unique=True, default=random_code, editable=False)
    club = models.ForeignKey(
        Club, on_delete=models.CASCADE, related_name="memberships", verbose_name=_("club")
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="memberships", verbose_name=_("user")
    )
    role = models.CharField(_("role"), max_length=12, choices=Role.choices, default=Role.MEMBER)

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        constraints: ClassVar = [models.UniqueConstraint(fields=["club", "user"], name="membership_once")]
        ordering: ClassVar = ["club_id", "user_id"]

    def __str__(self) -> str:
        return f"{self.user}: {self.get_role_display()}"


class JoinRequest(models.Model):
    """Somebody asks to become a member of the club; the row is there until an officer has answered.

    With a `name` he says that he is a player of the register already: a claim, of a member too. What he says
    of himself is not kept once it is answered, and not in the audit (so it is not `editable`).
    """

    code = models.CharField(max_length=16, unique=True, default=random_code, editable=False)
    club = models.ForeignKey(
        Club, on_delete=models.CASCADE, related_name="join_requests", verbose_name=_("club")
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="join_requests",
        verbose_name=_("user"),
    )
    name = models.CharField(_("name"), max_length=80, blank=True, default="", db_default="", editable=False)
    member_number = models.CharField(
        _("member number"), max_length=20, blank=True, default="", db_default="", editable=False
    )
    note = models.CharField(_("note"), max_length=300, blank=True, default="", db_default="", editable=False)
    made_at = models.DateTimeField(_("made at"), db_default=Now())

    class Meta:
        verbose_name = _("request to join")
        verbose_name_plural = _("requests to join")
        constraints: ClassVar = [models.UniqueConstraint(fields=["club", "user"], name="join_request_once")]
        ordering: ClassVar = ["club_id", "made_at"]

    def __str__(self) -> str:
        return str(self.user)

    @property
    def is_claim(self) -> bool:
        """Whether he says that he is in the register already."""
        return bool(self.name)


class RemovedMember(models.Model):
    """An officer has ended somebody's membership: the row is there until an officer lets him in again."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="removed", verbose_name=_("club"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="removed_from",
        verbose_name=_("user"),
    )
    removed_at = models.DateTimeField(_("removed at"), db_default=Now())

    class Meta:
        verbose_name = _("removed member")
        verbose_name_plural = _("removed members")
        constraints: ClassVar = [models.UniqueConstraint(fields=["club", "user"], name="removed_once")]
        ordering: ClassVar = ["club_id", "removed_at"]

    def __str__(self) -> str:
        return str(self.user)


class ClubRules(Tracked):
    """A club's own house rules: one row per set of rules, pointing to the newest version.

    Anyone with the link may read those of a public club; those of a private club if `is_shared`.
    """

    club = models.ForeignKey(
        Club, on_delete=models.CASCADE, related_name="house_rules", verbose_name=_("club")
    )
    rules = models.ForeignKey(HouseRules, on_delete=models.PROTECT, related_name="+", verbose_name=_("rules"))
    is_shared = switch(_("shared"), told=_("Anyone with the link may read them, though the club is private."))

    class Meta:
        verbose_name = _("club's house rules")
        verbose_name_plural = _("clubs' house rules")
        constraints: ClassVar = [models.UniqueConstraint(fields=["club", "rules"], name="club_rules_once")]
        ordering: ClassVar = ["club_id", "rules_id"]

    def __str__(self) -> str:
        return str(self.rules)
