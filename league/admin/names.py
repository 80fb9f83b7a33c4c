"""Fields that offer players or entries, in the order in which people look for names."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.forms.models import ModelChoiceIterator

from league.collation import name_key


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
