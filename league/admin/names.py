"""Names in lists, fields of players or entries in the order of names; events by season."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib import admin
from django.forms.models import ModelChoiceIterator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.core.collation import name_key
from league.models import Entry, Event, Player


@admin.display(description=gettext_lazy("name"), ordering="name")
def shown_name(row: Player | Entry) -> str:
    """A name in a list, a bot's marked."""
    return str(row)


class InOrderOfNames(ModelChoiceIterator[Any]):
    """The choices by their labels, no choice first."""

    def __iter__(self) -> Iterator[Any]:
        yield from sorted(super().__iter__(), key=lambda choice: (choice[0] != "", name_key(str(choice[1]))))


class NameField(forms.ModelChoiceField[Any]):
    """One of many names."""

    iterator = InOrderOfNames


class NamesField(forms.ModelMultipleChoiceField[Any]):
    """Some of many names."""

    iterator = InOrderOfNames


def event_words(event: Event) -> str:
    """An event with its season, as divisions are called the same in each."""
    return f"{event.name} ({event.season})" if event.season is not None else event.name


class EventField(forms.ModelChoiceField[Event]):
    """One of many events."""

    def label_from_instance(self, obj: Event) -> str:
        return event_words(obj)


class EventsField(forms.ModelMultipleChoiceField[Event]):
    """Events to tick; none is an answer too."""

    widget = forms.CheckboxSelectMultiple

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(label=_("Events"), required=False, **kwargs)

    def label_from_instance(self, obj: Event) -> str:
        return event_words(obj)
