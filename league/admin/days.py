"""Dates in the admin's forms: with a calendar, and within the range a club can mean."""

import datetime
from typing import Any

from django import forms
from django.contrib.admin.widgets import AdminDateWidget
from django.core.exceptions import ValidationError
from django.utils.formats import date_format

from league.errors import LeagueError
from league.record.days import check_day
from scoring.words.messages import translated


def validate_day(day: datetime.date) -> None:
    """Raise the refusal of `check_day` as a `ValidationError`."""
    try:
        check_day(day, "")
    except LeagueError as refusal:
        raise ValidationError(translated(refusal.message), code=refusal.code) from refusal


def day_words(day: datetime.date) -> str:
    """The date in words, "31 March 2026"."""
    return date_format(day, "j F Y")


class DayField(forms.DateField):
    """A date field with a calendar."""

    widget = AdminDateWidget

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.validators.append(validate_day)
