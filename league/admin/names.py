"""Form fields and columns for names: players and entries in alphabetical order, events with their season."""

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
    """The name, with bots marked."""
    return str(row)


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


def event_words(event: Event) -> str:
    """An event with its season, as divisions have the same name in each."""
    return f"{event.name} ({event.season})" if event.season is not None else event.name


class EventField(forms.ModelChoiceField[Event]):
    """A single choice of events."""

    def label_from_instance(self, obj: Event) -> str:
        return event_words(obj)


class EventsField(forms.ModelMultipleChoiceField[Event]):
    """Events as check boxes; none need be ticked."""

    widget = forms.CheckboxSelectMultiple

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(label=_("Events"), required=False, **kwargs)

    def label_from_instance(self, obj: Event) -> str:
        return event_words(obj)
