"""What is said at the table beside the deals: a deal entered otherwise, an answer for a key, a dispute."""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from scoring.core.actors import ActorKind
from scoring.models.base import ActedOn, Kept
from scoring.models.sheets import Scoresheet, SheetAct


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
