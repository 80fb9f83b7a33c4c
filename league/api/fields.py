"""Fields and filters that several resources share."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final

from django import forms
from django.db.models import Model, QuerySet
from django.utils.translation import gettext_lazy as _
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from league.policy import Who

# Of a list that is not to be empty.
ONE_AT_LEAST: Final[dict[str, Any]] = {"min_length": _("Name one at least.")}
_YES_NO: Final = [("true", _("yes")), ("false", _("no"))]


class OneOf(serializers.CharField):
    """Names a row by its public id, among those that `choose` gives to who asks.

    Refuses (`does_not_exist`) one that is not among them, whether or not it is anywhere else.
    """

    default_error_messages: ClassVar = {"does_not_exist": _("There is no “{value}” here.")}

    def __init__(self, choose: Callable[[Who], QuerySet[Any]], by: str = "code", **options: Any) -> None:
        super().__init__(max_length=80, **options)
        self._choose = choose
        self._by = by

    def to_internal_value(self, data: Any) -> Any:
        value = super().to_internal_value(data)
        self.run_validators(value)
        row: Model | None = self._choose(self.context["who"]).filter(**{self._by: value}).first()
        if row is None:
            self.fail("does_not_exist", value=value)
        return row

    def run_validators(self, value: Any) -> None:
        """They are about the text, which is a row by the time they would be asked."""
        if isinstance(value, str):
            super().run_validators(value)


class Ordering(filters.OrderingFilter):  # type: ignore[misc]
    """An order in which no two rows are level, so that pages do not overlap."""

    def filter(self, queryset: QuerySet[Any], value: Sequence[str] | None) -> QuerySet[Any]:
        if not value:
            return queryset
        return queryset.order_by(*(self.get_ordering_value(name) for name in value), "pk")


def ordering(*names: str, **fields: str) -> Ordering:
    """An order by these names, each up, or down with “-” before it; `fields` by what they stand for."""
    return Ordering(
        fields=[*((name, name) for name in names), *((by, name) for name, by in fields.items())],
        label="The order; “-” turns it round.",
    )


class OfEventFilter(filters.FilterSet):  # type: ignore[misc]
    """Rows of events, by event and club."""

    club = filters.CharFilter(field_name="event__club__slug", label="The club's slug.")
    event = filters.CharFilter(field_name="event__code", label="The event's code.")


class WholeNumber(filters.NumberFilter):  # type: ignore[misc]
    """A number without a fraction."""

    field_class = forms.IntegerField


def number(field: str, *, label: str) -> filters.NumberFilter:
    """A number counted from 1; refuses what is none."""
    schema = {"type": "integer", "minimum": 1, "maximum": 9999, "description": label}
    found: filters.NumberFilter = extend_schema_field(schema)(
        WholeNumber(field_name=field, min_value=1, max_value=9999, label=label)
    )
    return found


def yes_no(field: str | None = None, *, label: str, **options: Any) -> filters.TypedChoiceFilter:
    """Whether something is so; refuses what is neither `true` nor `false`."""
    found: filters.TypedChoiceFilter = extend_schema_field({"type": "boolean", "description": label})(
        filters.TypedChoiceFilter(
            field_name=field, choices=_YES_NO, coerce=lambda value: value == "true", label=label, **options
        )
    )
    return found
