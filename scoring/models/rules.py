"""Versions of house rules."""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.core.rules import Rules
from scoring.models.base import ActedOn, Kept, random_code


class HouseRules(Kept, ActedOn):
    """One version of a set of house rules, with every knob; all versions share a `code`.

    `copied_from` is the version of other rules that the first version was copied from. Rules of which only
    the length is another (`rules_of_length`) have that after a hyphen in their `code`, and of each version
    from which they are made the number.
    """

    code = models.CharField(_("code"), max_length=24, default=random_code)
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
    def is_of_length(self) -> bool:
        """Whether these are other rules but for their length: no club has them on a list."""
        return "-" in self.code

    @property
    def rules(self) -> Rules:
        """The rules for the scorer."""
        return Rules.from_document(self.knobs)
