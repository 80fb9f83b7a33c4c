"""Sheets with their sides and seats, and every act on them."""

from collections.abc import Callable
from typing import ClassVar

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.core.kinds import MOST_SIDES
from scoring.core.mentions import told
from scoring.models.base import ACTOR_KINDS, ActedOn, Kept, Traced, random_code
from scoring.models.rules import HouseRules


class SheetStatus(models.TextChoices):
    """The status of a sheet; all but `void` come from the scorer."""

    OPEN = "open", _("open")
    FINISHED = "finished", _("finished")
    STOPPED = "stopped", _("stopped")
    VOID = "void", _("void")


class PaperState(models.TextChoices):
    """How the sheet compares with the paper it was typed from."""

    NONE = "none", _("no paper")
    AGREES = "agrees", _("agrees with the paper")
    DIFFERS = "differs", _("differs from the paper")
    ACCEPTED = "accepted", _("difference accepted")


class Scoresheet(ActedOn):
    """A score sheet; like a paper one it stands on its own. Its actor opened it.

    `label` is printed on the paper, `code` is its public address. `left_side` is the side in the first column
    of the paper; the others follow in order of seats. `version` counts the acts that changed deals or the
    end, and is the ETag. `nets` has what each side wins, in points, `places` the place of each once the sheet
    has ended, counted from 1; those who are level share one. `derived` is documented at
    `scoring.services.records.derived_document`.
    """

    code = models.CharField(_("code"), max_length=16, unique=True, default=random_code, editable=False)
    label = models.CharField(_("label"), max_length=40, blank=True)
    rules = models.ForeignKey(
        HouseRules, on_delete=models.PROTECT, related_name="sheets", verbose_name=_("rules")
    )
    left_side = models.PositiveSmallIntegerField(_("left side"), default=0)
    opened_at = models.DateTimeField(_("opened at"), db_default=Now())
    updated_at = models.DateTimeField(_("updated at"), auto_now=True, db_index=True)
    version = models.PositiveIntegerField(_("version"), default=0)
    stopped = models.BooleanField(_("time was called"), default=False)
    paper = models.JSONField(_("what the paper says"), null=True, blank=True)
    paper_state = models.CharField(
        _("paper"),
        max_length=8,
        choices=PaperState.choices,
        default=PaperState.NONE,
        db_default=PaperState.NONE,
    )
    # The fields below are derived.
    status = models.CharField(
        _("status"), max_length=8, choices=SheetStatus.choices, default=SheetStatus.OPEN
    )
    deal_count = models.PositiveIntegerField(_("deals"), default=0)
    nets = models.JSONField(_("nets"), default=list)
    places = models.JSONField(_("places"), default=list, blank=True)
    derived = models.JSONField(_("derived figures"), default=dict)

    class Meta:
        verbose_name = _("score sheet")
        verbose_name_plural = _("score sheets")
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(left_side__lt=MOST_SIDES), name="scoresheet_left_side"),
        ]
        ordering: ClassVar = ["-id"]

    def __str__(self) -> str:
        return self.label or self.code

    @property
    def winner(self) -> int | None:
        """The side that has won; None on an open sheet, and if several are first."""
        return self.places.index(1) if self.places.count(1) == 1 else None

    @property
    def leader(self) -> int | None:
        """The side with the highest net; None if several have it."""
        return self.nets.index(self.lead) if self.nets.count(self.lead) == 1 else None

    @property
    def lead(self) -> int:
        """The highest net; 0 if all are level."""
        return max(self.nets, default=0)


class Side(models.Model):
    """One of the 2 to 6 sides of a sheet in order of seats, with the name written at the top.

    `come_back` and what belongs to it are derived once the sheet has ended (`scoring.services.feats`): by how
    many points the side was furthest behind in a game that it won, in which game, and what it had then.
    """

    sheet = models.ForeignKey(Scoresheet, on_delete=models.CASCADE, related_name="sides")
    position = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=80)
    come_back = models.PositiveIntegerField(default=0, db_default=0)
    come_back_from = models.IntegerField(default=0, db_default=0)
    come_back_game = models.PositiveSmallIntegerField(default=0, db_default=0)

    class Meta:
        verbose_name = _("side")
        verbose_name_plural = _("sides")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["sheet", "position"], name="side_position_once"),
            models.CheckConstraint(condition=models.Q(position__lt=MOST_SIDES), name="side_position"),
        ]
        ordering: ClassVar = ["sheet_id", "position"]

    def __str__(self) -> str:
        return self.name


class Seat(models.Model):
    """A player's place on a sheet; deals refer to it by `number`, so a name is corrected in one place.

    `name` is the name on the paper; `person` is the key by which the apps above know the player, empty on a
    sheet without a club. The apps above also decide how that person is called when the sheet is shown. A
    substitute has a `number` after all others; `replaces` is the number of the seat taken over from deal
    `from_deal` on.

    `gins` and the `best_hand` are derived once the sheet has ended (`scoring.services.feats`): hands gone
    gin, the most points won with one hand, how (an `Outcome`), and in which deal.
    """

    sheet = models.ForeignKey(Scoresheet, on_delete=models.CASCADE, related_name="seats")
    side = models.ForeignKey(Side, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=80)
    person = models.CharField(max_length=16, blank=True, default="", db_default="", db_index=True)
    replaces = models.PositiveSmallIntegerField(null=True, blank=True)
    from_deal = models.PositiveSmallIntegerField(default=1, db_default=1)
    gins = models.PositiveSmallIntegerField(default=0, db_default=0)
    best_hand = models.PositiveIntegerField(default=0, db_default=0)
    best_hand_how = models.CharField(max_length=10, blank=True, default="", db_default="")
    best_hand_deal = models.PositiveSmallIntegerField(default=0, db_default=0)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["sheet", "number"], name="seat_number_once"),
            models.CheckConstraint(
                condition=models.Q(replaces__isnull=True, from_deal=1)
                | models.Q(replaces__isnull=False, from_deal__gte=2),
                name="seat_taken_over",
            ),
        ]
        ordering: ClassVar = ["sheet_id", "number"]

    def __str__(self) -> str:
        return self.name


class ActKind(models.TextChoices):
    """Kinds of acts on a sheet."""

    RECORD = "record", _("deals recorded")
    CORRECT = "correct", _("corrected")
    STOP = "stop", _("time called")
    VOID = "void", _("voided")
    ACCEPT = "accept", _("difference from the paper accepted")
    SIGN = "sign", _("signed")
    SEAT = "seat", _("substitute seated")
    UNSEAT = "unseat", _("substitute taken back")
    DISPUTE = "dispute", _("disputed")
    SETTLE = "settle", _("settled")
    CLAIM = "claim", _("entered differently")


class SheetAct(Kept, ActedOn, Traced):
    """One act on a sheet: who, when, why, from where, and the resulting version of the sheet.

    `key` is the idempotency key, unique per sheet and `key_holder` (`Actor.key_holder`). `digest` identifies
    the request and `answer` is the stored answer, so that a repeated request gets the same one. `body` holds
    what the act contained besides deals: the paper's figures, the end of the sheet.

    After some time the receipt is forgotten (`scoring.services.receipts`): then `digest` and `answer` are
    empty, and `key` is what stays of a used key.
    """

    sheet = models.ForeignKey(Scoresheet, on_delete=models.PROTECT, related_name="acts")
    kind = models.CharField(max_length=8, choices=ActKind.choices)
    version = models.PositiveIntegerField()
    at = models.DateTimeField(db_default=Now())
    reason = models.CharField(max_length=300, blank=True)
    key = models.CharField(max_length=200, null=True)  # noqa: DJ001 (null: no key, so no clash)
    key_holder = models.CharField(max_length=80, blank=True, default="", db_default="")
    digest = models.CharField(max_length=64, blank=True)
    answer = models.JSONField(null=True)
    body = models.JSONField(default=dict)

    class Meta:
        verbose_name = _("act")
        verbose_name_plural = _("acts")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["sheet", "key_holder", "key"],
                name="act_key_of_holder_once",
                condition=models.Q(key__isnull=False),
            ),
        ]
        indexes: ClassVar = [
            # For what is forgotten after a time: both lose the rows again.
            models.Index(fields=["at"], name="act_with_address", condition=models.Q(address__isnull=False)),
            models.Index(
                fields=["at"],
                name="act_with_receipt",
                condition=models.Q(key__isnull=False) & ~models.Q(digest=""),
            ),
        ]
        ordering: ClassVar = ["sheet_id", "id"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.actor_name}"

    def words(self, person: Callable[[str, str], str]) -> str:
        """A description of the act; of a substitution also who, for whom and from when, named by `person`."""
        if self.kind not in (ActKind.SEAT, ActKind.UNSEAT):
            return self.get_kind_display()
        body = told(self.body, person)
        return gettext("%(what)s: %(name)s for %(replaces)s from deal %(deal)s") % {
            "what": self.get_kind_display(),
            "name": body["player"],
            "replaces": body["replaces"],
            "deal": body["from_deal"],
        }


class DealVersion(Kept):
    """One version of a deal: the source of truth. The highest version is current.

    `body` is the deal of INTERFACES §2 with seat numbers for player names and positions for side names; null
    is a voided deal.
    """

    sheet = models.ForeignKey(Scoresheet, on_delete=models.PROTECT, related_name="deal_versions")
    act = models.ForeignKey(SheetAct, on_delete=models.PROTECT, related_name="deal_versions")
    number = models.PositiveSmallIntegerField()
    version = models.PositiveIntegerField(default=1)
    body = models.JSONField(null=True)

    class Meta:
        verbose_name = _("deal")
        verbose_name_plural = _("deals")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["sheet", "number", "version"], name="deal_version_once"),
            models.CheckConstraint(
                condition=models.Q(number__gte=1, number__lte=500, version__gte=1), name="deal_version_range"
            ),
        ]
        ordering: ClassVar = ["sheet_id", "number", "version"]

    def __str__(self) -> str:
        return f"{self.number}.{self.version}"


class SignatureMethod(models.TextChoices):
    """How a signature was made."""

    PAPER = "paper", _("seen on paper")
    OWN = "own", _("given here")


class Signature(Kept, ActedOn):
    """A side's signature of one version of a sheet; a newer version makes it lapse."""

    sheet = models.ForeignKey(Scoresheet, on_delete=models.PROTECT, related_name="signatures")
    act = models.ForeignKey(SheetAct, on_delete=models.PROTECT, related_name="signatures")
    version = models.PositiveIntegerField()
    side = models.PositiveSmallIntegerField()
    method = models.CharField(max_length=8, choices=SignatureMethod.choices)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("signature")
        verbose_name_plural = _("signatures")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["sheet", "version", "side"], name="signature_once"),
            models.CheckConstraint(condition=models.Q(side__lt=MOST_SIDES), name="signature_side"),
        ]
        ordering: ClassVar = ["sheet_id", "version", "side"]

    def __str__(self) -> str:
        return gettext("%(name)s, version %(version)d") % {"name": self.actor_name, "version": self.version}


class SecondTyping(ActedOn):
    """A second typing of a saved sheet, kept for comparison; it counts nothing itself.

    `deals` are bodies as in `DealVersion`, in order, compared with version `against_version` of the sheet. It
    was begun on version `begun_version`; whatever agrees with that version is not the typist's own entry.
    `reason` is the one given for a correction. It is settled when somebody applies it as a correction or
    dismisses it.
    """

    AUTHORS: ClassVar = ("actor", "settled_by")

    sheet = models.ForeignKey(Scoresheet, on_delete=models.PROTECT, related_name="second_typings")
    key = models.CharField(max_length=200)
    at = models.DateTimeField(db_default=Now())
    against_version = models.PositiveIntegerField()
    begun_version = models.PositiveIntegerField(default=0)
    reason = models.CharField(max_length=300, blank=True)
    deals = models.JSONField()
    stopped = models.BooleanField(default=False)
    paper = models.JSONField(null=True)
    settled_at = models.DateTimeField(null=True)
    settled_by_kind = models.CharField(max_length=12, choices=ACTOR_KINDS, blank=True)
    settled_by_id = models.CharField(max_length=64, blank=True)
    settled_by_name = models.CharField(max_length=150, blank=True)
    settled_how = models.CharField(max_length=300, blank=True)

    class Meta:
        verbose_name = _("second typing")
        verbose_name_plural = _("second typings")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["sheet", "actor_kind", "actor_id", "key"], name="second_typing_once"
            ),
        ]
        ordering: ClassVar = ["sheet_id", "id"]

    def __str__(self) -> str:
        return f"{self.sheet}: {self.actor_name}"
