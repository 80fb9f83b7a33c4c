"""Records of play at the table besides deals: claims, stored answers to keys, and disputes."""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from scoring.core.actors import ActorKind
from scoring.core.kinds import MOST_SIDES
from scoring.models.base import ActedOn, Kept
from scoring.models.sheets import Scoresheet, SheetAct


class Claim(Kept, ActedOn):
    """A deal entered differently at the table: kept, but without effect until a director accepts it.

    `number` is the deal it was meant to be, `body` as in `DealVersion`. `against_version` is the version of
    that deal it differs from, 0 if there is none because it came after time was called. `key` is its
    idempotency key, as in `SheetAct`. A `ClaimSettlement` settles it.
    """

    sheet = models.ForeignKey(Scoresheet, on_delete=models.PROTECT, related_name="claims")
    number = models.PositiveSmallIntegerField()
    against_version = models.PositiveIntegerField()
    key = models.CharField(max_length=200)
    key_holder = models.CharField(max_length=80, default="", db_default="")
    digest = models.CharField(max_length=64, blank=True)
    body = models.JSONField()
    at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("claim")
        verbose_name_plural = _("claims")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["sheet", "key_holder", "key"], name="claim_key_of_holder_once"),
        ]
        ordering: ClassVar = ["sheet_id", "id"]

    def __str__(self) -> str:
        return f"{self.number}: {self.actor_name}"


class ClaimSettlement(Kept, ActedOn):
    """The decision on a claim: accepted as a correction, or dismissed. Its actor decided."""

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
    """The stored answer to a table entry that changed nothing: the deal was already there, or claimed.

    `claim` is the claim that already said so, if any. `version` is the sheet's version as answered; `key` and
    `digest` are as in `SheetAct`.
    """

    sheet = models.ForeignKey(Scoresheet, on_delete=models.PROTECT, related_name="answers")
    actor_kind = models.CharField(max_length=12, choices=[(kind.value, kind.value) for kind in ActorKind])
    actor_id = models.CharField(max_length=64)
    key = models.CharField(max_length=200)
    key_holder = models.CharField(max_length=80, default="", db_default="")
    digest = models.CharField(max_length=64, blank=True)
    version = models.PositiveIntegerField()
    claim = models.ForeignKey(Claim, on_delete=models.PROTECT, related_name="answers", null=True)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("answer at the table")
        verbose_name_plural = _("answers at the table")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["sheet", "key_holder", "key"], name="answer_key_of_holder_once"),
        ]
        ordering: ClassVar = ["sheet_id", "id"]

    def __str__(self) -> str:
        return self.key


class OpeningKey(Kept):
    """The key with which a program opened a sheet, so that the same request opens no second one.

    `key` and `digest` are as in `SheetAct`; here one holder has a key once for all sheets.
    """

    sheet = models.OneToOneField(Scoresheet, on_delete=models.CASCADE, related_name="opening_key")
    key = models.CharField(max_length=200)
    key_holder = models.CharField(max_length=80)
    digest = models.CharField(max_length=64, blank=True)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("key of an opened sheet")
        verbose_name_plural = _("keys of opened sheets")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["key_holder", "key"], name="opening_key_of_holder_once"),
        ]
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return self.key


class Dispute(Kept, ActedOn):
    """A side's statement that a version of the sheet is not what was played.

    The result does not count until the dispute is settled. `act` is the act it came with.
    """

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
            models.CheckConstraint(condition=models.Q(side__lt=MOST_SIDES), name="dispute_side"),
        ]
        ordering: ClassVar = ["sheet_id", "id"]

    def __str__(self) -> str:
        return f"{self.sheet}: {self.sentence}"


class DisputeSettlement(Kept, ActedOn):
    """The end of a dispute, with a sentence from the director or from the side that raised it."""

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
