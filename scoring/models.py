"""Sheets that are kept: house rules in versions, sheets with their sides and seats, and every act on them.

The truth is `DealVersion` (and the acts around it): appended, never changed. What `Scoresheet` holds beside
it — status, net, `derived` — is computed by `scoring.services` from the deals and can be computed again.
"""

import secrets
from collections.abc import Collection
from typing import Any, ClassVar, Final, NoReturn, Self

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.actors import Actor, ActorKind
from scoring.origin import current_origin
from scoring.printed_names import are_covered, printed, printed_within
from scoring.rules import Rules

# No vowels and no look-alikes: a code is read aloud and typed, and should spell nothing.
_CODE_LETTERS: Final = "23456789bcdfghjkmnpqrstvwxz"


def random_code() -> str:
    """A public code of ten letters and digits (about 47 bits), for addresses nobody should guess."""
    return "".join(secrets.choice(_CODE_LETTERS) for _ in range(10))


class Printed(models.Model):
    """A row with people's names, which are spelt as it is read: see `printed_names`.

    `NAMES` are its fields that hold one, `SENTENCES` those in whose texts names may stand. While names are
    covered no row is saved: it might have been read so.
    """

    NAMES: ClassVar[tuple[str, ...]] = ()
    SENTENCES: ClassVar[tuple[str, ...]] = ()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        if are_covered():
            raise TypeError(f"{type(self).__name__} rows are not saved while names are covered.")
        super().save(*args, **kwargs)

    @classmethod
    def from_db(
        cls, db: str | None, field_names: Collection[str], values: Collection[Any], **how: Any
    ) -> Self:
        row = super().from_db(db, field_names, values, **how)
        if are_covered():
            read = row.__dict__
            read.update({name: printed(read[name]) for name in cls.NAMES if read.get(name)})
            read.update({name: printed_within(read[name]) for name in cls.SENTENCES if read.get(name)})
        return row


class ActedOn(Printed):
    """Who did it, as `Actor` says; the name is what history prints."""

    NAMES = ("actor_name",)

    actor_kind = models.CharField(max_length=12, choices=[(kind.value, kind.value) for kind in ActorKind])
    actor_id = models.CharField(max_length=64)
    actor_name = models.CharField(max_length=150)

    class Meta:
        abstract = True

    @staticmethod
    def actor_fields(actor: Actor) -> dict[str, str]:
        """The three columns for an actor."""
        return {"actor_kind": actor.kind.value, "actor_id": actor.id, "actor_name": actor.name[:150]}


class Kept(models.Model):
    """A row that is written once: a second save and a delete are refused."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError(f"{type(self).__name__} rows are never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError(f"{type(self).__name__} rows are never deleted.")


class HouseRules(Kept, ActedOn):
    """One version of somebody's house rules, with every knob; `code` is shared by all versions.

    `copied_from` is the version of other rules that the first version was taken from.
    """

    code = models.CharField(_("code"), max_length=16, default=random_code)
    version = models.PositiveIntegerField(_("version"), default=1)
    name = models.CharField(_("name"), max_length=80)
    knobs = models.JSONField(_("knobs"))
    copied_from = models.ForeignKey(
        "self", on_delete=models.PROTECT, related_name="copies", null=True, blank=True, editable=False
    )
    created_at = models.DateTimeField(_("created at"), db_default=Now())

    class Meta:
        verbose_name = _("house rules")
        verbose_name_plural = _("house rules")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["code", "version"], name="house_rules_version_once"),
        ]
        ordering: ClassVar = ["name", "code", "version"]

    def __str__(self) -> str:
        if self.version == 1:
            return self.name
        return gettext("%(name)s, version %(version)d") % {"name": self.name, "version": self.version}

    @property
    def rules(self) -> Rules:
        """The rules as the scorer takes them."""
        return Rules.from_document(self.knobs)


class SheetStatus(models.TextChoices):
    """What a sheet is; all but `void` as the scorer says."""

    OPEN = "open", _("open")
    FINISHED = "finished", _("finished")
    STOPPED = "stopped", _("stopped")
    VOID = "void", _("void")


class PaperState(models.TextChoices):
    """How the sheet stands to the paper it was typed from."""

    NONE = "none", _("no paper")
    AGREES = "agrees", _("agrees with the paper")
    DIFFERS = "differs", _("differs from the paper")
    ACCEPTED = "accepted", _("difference accepted")


class Scoresheet(ActedOn):
    """A score sheet, a document in its own right like the paper one; the actor is who opened it.

    `label` is what is printed on the paper, `code` its public address. `left_side` is the side whose columns
    stand left on the paper (0 or 1). `version` counts the acts that changed deals or the end; it is the ETag.
    `net` is in points, positive for side 0. `derived` is described at `scoring.records.derived_document`.
    """

    code = models.CharField(_("code"), max_length=16, unique=True, default=random_code, editable=False)
    label = models.CharField(_("label"), max_length=40, blank=True)
    rules = models.ForeignKey(
        HouseRules, on_delete=models.PROTECT, related_name="sheets", verbose_name=_("rules")
    )
    left_side = models.PositiveSmallIntegerField(_("left side"), default=0)
    opened_at = models.DateTimeField(_("opened at"), db_default=Now())
    updated_at = models.DateTimeField(_("updated at"), auto_now=True)
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
    # Derived from here on.
    status = models.CharField(
        _("status"), max_length=8, choices=SheetStatus.choices, default=SheetStatus.OPEN
    )
    deal_count = models.PositiveIntegerField(_("deals"), default=0)
    net = models.BigIntegerField(_("net"), default=0)
    winner_side = models.PositiveSmallIntegerField(_("winner"), null=True, blank=True)
    derived = models.JSONField(_("derived figures"), default=dict)

    class Meta:
        verbose_name = _("score sheet")
        verbose_name_plural = _("score sheets")
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(left_side__in=[0, 1]), name="scoresheet_left_side"),
            models.CheckConstraint(
                condition=models.Q(winner_side__isnull=True) | models.Q(winner_side__in=[0, 1]),
                name="scoresheet_winner_side",
            ),
        ]
        ordering: ClassVar = ["-id"]

    def __str__(self) -> str:
        return self.label or self.code


class Side(Printed):
    """One of the two sides of a sheet, with the name written at the top."""

    NAMES = ("name",)

    sheet = models.ForeignKey(Scoresheet, on_delete=models.CASCADE, related_name="sides")
    position = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=80)

    class Meta:
        verbose_name = _("side")
        verbose_name_plural = _("sides")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["sheet", "position"], name="side_position_once"),
            models.CheckConstraint(condition=models.Q(position__in=[0, 1]), name="side_position"),
        ]
        ordering: ClassVar = ["sheet_id", "position"]

    def __str__(self) -> str:
        return self.name


class Seat(Printed):
    """A player's place on a sheet. Deals name seats by `number`, so a name can be mended in one place.

    A substitute has a number of his own, after all others; `replaces` is the number of the seat he took over
    with deal `from_deal`.
    """

    NAMES = ("name",)

    sheet = models.ForeignKey(Scoresheet, on_delete=models.CASCADE, related_name="seats")
    side = models.ForeignKey(Side, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=80)
    replaces = models.PositiveSmallIntegerField(null=True, blank=True)
    from_deal = models.PositiveSmallIntegerField(default=1, db_default=1)

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
    """What was done to a sheet."""

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


class Traced(models.Model):
    """Where a write came from: by which door, and from which address where it came over the network."""

    door = models.CharField(max_length=10, blank=True, default="", db_default="", editable=False)
    address = models.GenericIPAddressField(null=True, blank=True, editable=False)

    class Meta:
        abstract = True

    @staticmethod
    def origin_fields() -> dict[str, str | None]:
        """The two columns for what is being answered now."""
        origin = current_origin()
        return {"door": origin.door, "address": origin.address}


class SheetAct(Kept, ActedOn, Traced):
    """One act on a sheet: who, when, why, from where, and the version of the sheet it made.

    `key` is the idempotency key, unique per sheet and actor; `digest` is of what was asked and `answer` what
    was answered, so that the same request again gets the same answer. `body` holds what the act brought
    beside deals: the paper's figures, the end of the sheet.
    """

    SENTENCES = ("reason", "body")

    sheet = models.ForeignKey(Scoresheet, on_delete=models.PROTECT, related_name="acts")
    kind = models.CharField(max_length=8, choices=ActKind.choices)
    version = models.PositiveIntegerField()
    at = models.DateTimeField(db_default=Now())
    reason = models.CharField(max_length=300, blank=True)
    key = models.CharField(max_length=200, null=True)  # noqa: DJ001 (null: no key, so no clash)
    digest = models.CharField(max_length=64, blank=True)
    answer = models.JSONField(null=True)
    body = models.JSONField(default=dict)

    class Meta:
        verbose_name = _("act")
        verbose_name_plural = _("acts")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["sheet", "actor_kind", "actor_id", "key"],
                name="act_key_once",
                condition=models.Q(key__isnull=False),
            ),
        ]
        ordering: ClassVar = ["sheet_id", "id"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.actor_name}"

    @property
    def words(self) -> str:
        """What was done, and of a substitute who he is, for whom and since when."""
        if self.kind not in (ActKind.SEAT, ActKind.UNSEAT):
            return self.get_kind_display()
        return gettext("%(what)s: %(name)s for %(replaces)s from deal %(deal)s") % {
            "what": self.get_kind_display(),
            "name": self.body["name"],
            "replaces": self.body["replaces"],
            "deal": self.body["from_deal"],
        }


class DealVersion(Kept):
    """One version of one deal: the truth. The highest version is current. `body` null is a voided deal.

    `body` is the deal of INTERFACES §2 with seat numbers for players' names and side positions for sides'.
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
    """How a signature came about."""

    PAPER = "paper", _("seen on paper")
    OWN = "own", _("given here")


class Signature(Kept, ActedOn):
    """A side's signature under one version of a sheet; it lapses when the sheet has a newer one."""

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
            models.CheckConstraint(condition=models.Q(side__in=[0, 1]), name="signature_side"),
        ]
        ordering: ClassVar = ["sheet_id", "version", "side"]

    def __str__(self) -> str:
        return gettext("%(name)s, version %(version)d") % {"name": self.actor_name, "version": self.version}


class SecondTyping(ActedOn):
    """A sheet that was typed again after it had been saved, kept to be compared; nothing of it counts.

    `deals` are bodies as in `DealVersion`, in order, against version `against_version` of the sheet; it was
    begun on version `begun_version`, and what it says as that did is not of its typist. `reason` is the one
    given for a correction.
    Settled when somebody took it over as a correction or dismissed it.
    """

    SENTENCES = ("reason", "settled_how")

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
    settled_by = models.CharField(max_length=150, blank=True)
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


class Claim(Kept, ActedOn):
    """Another entry of a deal that stands on the sheet already, made at the table: kept, and nothing of it
    counts until a director takes it over.

    `number` is the deal it was meant to be, `body` as in `DealVersion`, `against_version` the version of that
    deal which it differs from, 0 where there is none: it came after time was called. `key` is the idempotency
    key it came with. Settled by a `ClaimSettlement`.
    """

    sheet = models.ForeignKey(Scoresheet, on_delete=models.PROTECT, related_name="claims")
    number = models.PositiveSmallIntegerField()
    against_version = models.PositiveIntegerField()
    key = models.CharField(max_length=200)
    digest = models.CharField(max_length=64)
    body = models.JSONField()
    at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("claim")
        verbose_name_plural = _("claims")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["sheet", "actor_kind", "actor_id", "key"], name="claim_key_once"),
        ]
        ordering: ClassVar = ["sheet_id", "id"]

    def __str__(self) -> str:
        return f"{self.number}: {self.actor_name}"


class ClaimSettlement(Kept, ActedOn):
    """What became of a claim: taken over as a correction, or dismissed; the actor is who decided."""

    SENTENCES = ("reason",)

    claim = models.OneToOneField(Claim, on_delete=models.PROTECT, related_name="settlement")
    taken = models.BooleanField()
    reason = models.CharField(max_length=300, blank=True)
    act = models.ForeignKey(SheetAct, on_delete=models.PROTECT, related_name="+", null=True)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("settlement of a claim")
        verbose_name_plural = _("settlements of claims")
        ordering: ClassVar = ["claim_id"]

    def __str__(self) -> str:
        return str(self.claim)


class TableAnswer(Kept):
    """The answer to an entry made at the table that has changed nothing, kept for its key: the deal stood
    there just so, or `claim` said it already. `version` is the sheet's as it was told; `digest` as in an act.
    """

    sheet = models.ForeignKey(Scoresheet, on_delete=models.PROTECT, related_name="answers")
    actor_kind = models.CharField(max_length=12, choices=[(kind.value, kind.value) for kind in ActorKind])
    actor_id = models.CharField(max_length=64)
    key = models.CharField(max_length=200)
    digest = models.CharField(max_length=64)
    version = models.PositiveIntegerField()
    claim = models.ForeignKey(Claim, on_delete=models.PROTECT, related_name="answers", null=True)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("answer at the table")
        verbose_name_plural = _("answers at the table")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["sheet", "actor_kind", "actor_id", "key"], name="answer_key_once"
            ),
        ]
        ordering: ClassVar = ["sheet_id", "id"]

    def __str__(self) -> str:
        return self.key


class Dispute(Kept, ActedOn):
    """A side says, in a sentence, that a version of the sheet is not what was played.

    Until it is settled the result does not count. `act` is the one it came with; `side` 0 or 1.
    """

    SENTENCES = ("sentence",)

    sheet = models.ForeignKey(Scoresheet, on_delete=models.PROTECT, related_name="disputes")
    act = models.ForeignKey(SheetAct, on_delete=models.PROTECT, related_name="disputes")
    version = models.PositiveIntegerField()
    side = models.PositiveSmallIntegerField()
    sentence = models.CharField(max_length=300)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("dispute")
        verbose_name_plural = _("disputes")
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(side__in=[0, 1]), name="dispute_side"),
        ]
        ordering: ClassVar = ["sheet_id", "id"]

    def __str__(self) -> str:
        return f"{self.sheet}: {self.sentence}"


class DisputeSettlement(Kept, ActedOn):
    """How a dispute ended: the director, or the side that made it, says so in a sentence."""

    SENTENCES = ("reason",)

    dispute = models.OneToOneField(Dispute, on_delete=models.PROTECT, related_name="settlement")
    act = models.ForeignKey(SheetAct, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=300)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("settlement of a dispute")
        verbose_name_plural = _("settlements of disputes")
        ordering: ClassVar = ["dispute_id"]

    def __str__(self) -> str:
        return str(self.dispute)
