"""Addresses from which mail comes back."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class MailBounce(models.Model):
    """Mail to an address of an account came back; from `off_at` on nothing is told there.

    It holds for `address` alone: an account with another one is told again. `status` is the last reason, as
    an enhanced code (RFC 3463), `at` when it was noted. What is not the address's own fault beyond doubt is
    counted in `times`, once a day.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="mail_bounce"
    )
    address = models.EmailField()
    status = models.CharField(max_length=12)
    at = models.DateTimeField()
    times = models.PositiveSmallIntegerField(default=1)
    off_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("returned mail")
        verbose_name_plural = _("returned mail")
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(times__gte=1), name="mail_bounce_counted"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.status}"
