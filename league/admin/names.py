"""Form fields and columns for names: who wrote a row, events with their season."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.models import Entry, Event, Player
from league.policy.naming import Names
from scoring.admin import LongChangeList
from scoring.models import ActedOn


@admin.display(description=gettext_lazy("name"), ordering="name")
def shown_name(row: Player | Entry) -> str:
    """The name, with bots marked."""
    return str(row)


class AuthoredRows(LongChangeList):
    """A change list of authored rows that looks up the current names of a page's authors once per club."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        rows: list[Any] = list(self.result_list)
        clubs: dict[int | None, list[Any]] = defaultdict(list)
        for row in rows:
            clubs[_club_of(row)].append(row)
        for club, of_club in clubs.items():
            names = Names(club, covered=False)
            self.learn(names, of_club)
            for row in of_club:
                row.names = names
        self.result_list = rows

    def learn(self, names: Names, rows: Sequence[Any]) -> None:
        """Looks up who is named on rows of one club."""
        names.learn_authors(rows)


def names_for(row: ActedOn) -> Names:
    """The names loaded for the whole list; on a single row's page, loaded for it alone."""
    found: Names | None = row.__dict__.get("names")
    return found or Names(_club_of(row), covered=False)


class ShowsAuthor:
    """An admin of authored rows of a club or an event."""

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return AuthoredRows

    @admin.display(description=gettext_lazy("who"), ordering="actor_name")
    def author(self, row: ActedOn) -> str:
        """The author's current name."""
        return names_for(row).author(row)


def _club_of(row: Any) -> int | None:
    club: int | None = row.club_id if hasattr(row, "club_id") else row.event.club_id
    return club


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
