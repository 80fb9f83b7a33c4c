"""Fields of settings of which a model has several alike."""

from decimal import Decimal
from typing import TYPE_CHECKING

from django.core.validators import MaxLengthValidator, MaxValueValidator, MinValueValidator
from django.db import models

from league.core.standings import CountsAs
from league.models.formats import COUNTS_AS, STRENGTHS

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


def line(label: "StrOrPromise", most: int, told: "StrOrPromise" = "") -> "models.CharField[str, str]":
    """A text of one line, that may be empty; `told` helps who fills it in."""
    return models.CharField(label, max_length=most, blank=True, default="", db_default="", help_text=told)


def text(label: "StrOrPromise", most: int, told: "StrOrPromise" = "") -> "models.TextField[str, str]":
    """A text of several lines, that may be empty."""
    at_most = [MaxLengthValidator(most)]
    return models.TextField(
        label, max_length=most, validators=at_most, blank=True, default="", db_default="", help_text=told
    )


def switch(
    label: "StrOrPromise", *, on: bool = False, told: "StrOrPromise" = ""
) -> "models.BooleanField[bool, bool]":
    """On or off."""
    return models.BooleanField(label, default=on, db_default=on, help_text=told)


def counts(label: "StrOrPromise") -> "models.CharField[str, str]":
    """How a match that was not played counts."""
    return models.CharField(label, max_length=14, choices=COUNTS_AS, default=CountsAs.ZERO)


def strength(label: "StrOrPromise") -> "models.CharField[str, str]":
    """How strong an opponent is who did not play."""
    return models.CharField(label, max_length=14, choices=STRENGTHS, default=CountsAs.ZERO)


def points(default: int, label: "StrOrPromise") -> "models.DecimalField[Decimal | int, Decimal]":
    """Points for a result, from −100 to 100."""
    return models.DecimalField(
        label,
        max_digits=6,
        decimal_places=2,
        default=default,
        validators=[MinValueValidator(-100), MaxValueValidator(100)],
    )


def choice(
    label: "StrOrPromise", most: int, usual: models.TextChoices, told: "StrOrPromise" = ""
) -> "models.CharField[str, str]":
    """One of those of which `usual` is one."""
    choices = type(usual).choices
    return models.CharField(
        label, max_length=most, choices=choices, default=usual, db_default=usual, help_text=told
    )


def _within(least: int, most: int | None) -> list[MinValueValidator | MaxValueValidator]:
    found: list[MinValueValidator | MaxValueValidator] = [MinValueValidator(least)] if least else []
    return found if most is None else [*found, MaxValueValidator(most)]


def number(
    label: "StrOrPromise", usual: int, least: int, most: int
) -> "models.PositiveSmallIntegerField[int, int]":
    """A whole number in these bounds."""
    validators = _within(least, most)
    return models.PositiveSmallIntegerField(label, default=usual, db_default=usual, validators=validators)


def number_or_none(
    label: "StrOrPromise", least: int = 1, most: int | None = None
) -> "models.PositiveSmallIntegerField[int | None, int | None]":
    """A whole number in these bounds, or none."""
    return models.PositiveSmallIntegerField(label, null=True, blank=True, validators=_within(least, most))
