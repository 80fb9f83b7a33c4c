"""Form fields of acts: dates within the range a club can mean, names in alphabetical order."""

import datetime
from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib.admin.widgets import AdminDateWidget, AdminSplitDateTime
from django.core.exceptions import ValidationError
from django.forms.models import ModelChoiceIterator
from django.utils.formats import date_format

from league.core.collation import name_key
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


class ClockField(forms.SplitDateTimeField):
    """A date and time as a clock shows them, without a time zone: within the range a club can mean."""

    widget = AdminSplitDateTime

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        day: forms.Field = self.fields[0]
        day.validators.append(validate_day)

    def compress(self, data_list: Any) -> datetime.datetime | None:
        moment = super().compress(data_list)
        return None if moment is None else moment.replace(tzinfo=None)


class InOrderOfNames(ModelChoiceIterator[Any]):
    """Choices sorted by label, the empty choice first."""

    def __iter__(self) -> Iterator[Any]:
        yield from sorted(super().__iter__(), key=lambda choice: (choice[0] != "", name_key(str(choice[1]))))


class NameField(forms.ModelChoiceField[Any]):
    """A single choice, sorted by name."""

    iterator = InOrderOfNames


class NamesField(forms.ModelMultipleChoiceField[Any]):
    """A multiple choice, sorted by name."""

    iterator = InOrderOfNames
