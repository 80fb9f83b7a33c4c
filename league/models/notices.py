"""What people are told: an outbox of notices, and what each person chooses of them."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.audit import AuditEntry
from league.models.clubs import Club
from league.models.events import Event, Round
from league.models.matches import Match
from league.models.notice_kinds import NoticeKind, NoticeWay, kinds_told
from league.models.outbox import Outgoing
from scoring.models import random_code


class PushDevice(models.Model):
    """A browser in which somebody has asked to be told: its address at a push service (RFC 8030), and keys.

    What is sent is encrypted for the keys (RFC 8291), so that the push service cannot read it. `reached_at`
    is when the service took something last.
    """

    code = models.CharField(max_length=16, unique=True, default=random_code, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="push_devices")
    endpoint = models.CharField(max_length=1000, unique=True)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    name = models.CharField(max_length=80)
    made_at = models.DateTimeField()
    reached_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("device to be told on")
        verbose_name_plural = _("devices to be told on")
        ordering: ClassVar = ["user_id", "id"]

    def __str__(self) -> str:
        return self.name


class NoticeEnd(models.TextChoices):
    """How a notice ended."""

    SENT = "sent", _("sent")
    # Untrue by then, not to be seen by the reader, switched off, or nobody to be told any more.
    DROPPED = "dropped", _("no longer to be told")
    REFUSED = "refused", _("refused by the mail server or the push service")
    LATE = "late", _("not sent in time")


class Notice(Outgoing):
    """Something that one person is to be told: a row of the outbox, made in the transaction of its cause.

    It refers to what the text is made of; names and results are looked up when it is sent, for that reader.
    It is over as `end` says; `answer` is what the mail server or the push service said last. `message_id` is
    the mail's in every attempt; without its host it is the topic of what is pushed. By push there is a row
    for each device, and one without a device had one that is gone.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=10, choices=NoticeKind.choices)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="notices", null=True)
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="notices", null=True)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="notices", null=True)
    # What an officer has written or answered, and who leaves, stands on the record.
    letter = models.ForeignKey(AuditEntry, on_delete=models.CASCADE, related_name="notices", null=True)
    way = models.CharField(
        max_length=4, choices=NoticeWay.choices, default=NoticeWay.MAIL, db_default=NoticeWay.MAIL
    )
    device = models.ForeignKey(PushDevice, on_delete=models.SET_NULL, related_name="notices", null=True)
    message_id = models.CharField(max_length=320, unique=True)
    end = models.CharField(max_length=8, choices=NoticeEnd.choices, blank=True, default="")

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        indexes: ClassVar = [
            models.Index(
                fields=["due_at", "id"], condition=models.Q(ended_at__isnull=True), name="notice_waiting"
            ),
            models.Index(fields=["ended_at"], name="notice_by_end"),
        ]
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}, {self.event or self.club}"


class NoticeChoices(models.Model):
    """What a person has chosen to be told by a club; without a row, or a kind in it, the club's usual holds.

    `kinds` are those chosen to be told by mail, `pushed_kinds` on the person's devices: whether each is
    wanted, by `NoticeKind`. `is_off` stops all mail. Times are those of the club's zone: between `quiet_from`
    and `quiet_until`, over midnight too, nothing is sent; what waits at `digest_at` is sent in one mail, and
    no mail in between.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notice_choices"
    )
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="notice_choices")
    kinds = models.JSONField(default=dict)
    pushed_kinds = models.JSONField(default=dict)
    is_off = models.BooleanField(default=False)
    quiet_from = models.TimeField(null=True)
    quiet_until = models.TimeField(null=True)
    digest_at = models.TimeField(null=True)

    class Meta:
        verbose_name = _("choice of notices")
        verbose_name_plural = _("choices of notices")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "user"], name="notice_choices_once"),
            models.CheckConstraint(
                condition=models.Q(quiet_from__isnull=True, quiet_until__isnull=True)
                | models.Q(quiet_from__isnull=False, quiet_until__isnull=False),
                name="notice_quiet_from_and_until",
            ),
        ]
        ordering: ClassVar = ["club_id", "user_id"]

    def __str__(self) -> str:
        return f"{self.user}, {self.club}"

    def wants(self, kind: str, way: str = NoticeWay.MAIL) -> bool:
        """Return whether this kind is to be told in this way; the club must be loaded."""
        if kind not in kinds_told(way):
            return False
        if way == NoticeWay.MAIL:
            chosen, usual, is_off = self.kinds.get(kind), self.club.told_by_mail, self.is_off
        else:
            chosen, usual, is_off = self.pushed_kinds.get(kind), self.club.told_by_push, False
        return not is_off and bool(kind in usual if chosen is None else chosen)
