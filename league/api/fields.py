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

# For lists that must not be empty.
ONE_AT_LEAST: Final[dict[str, Any]] = {"min_length": _("Name one at least.")}
_YES_NO: Final = [("true", _("yes")), ("false", _("no"))]


class OneOf(serializers.CharField):
    """A row named by its public id (field `by`), one of those that `choose` returns for the reader.

    Refuses all others (`does_not_exist`), whether or not they exist.
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
        """Validate the text; the framework's second call has the row instead, and does nothing."""
        if isinstance(value, str):
            super().run_validators(value)


class Ordering(filters.OrderingFilter):  # type: ignore[misc]
    """A total order, by the primary key in the end, so that pages do not overlap."""

    def filter(self, queryset: QuerySet[Any], value: Sequence[str] | None) -> QuerySet[Any]:
        if not value:
            return queryset
        return queryset.order_by(*(self.get_ordering_value(name) for name in value), "pk")


def ordering(*names: str, **fields: str) -> Ordering:
    """Return an ordering by these names, descending with “-” before; `fields` maps names to model fields."""
    return Ordering(
        fields=[*((name, name) for name in names), *((by, name) for name, by in fields.items())],
        label="The order; “-” reverses it.",
    )


class OfEventFilter(filters.FilterSet):  # type: ignore[misc]
    """Filters of rows that belong to an event: club and event."""

    club = filters.CharFilter(field_name="event__club__slug", label="The club's slug.")
    event = filters.CharFilter(field_name="event__code", label="The event's code.")


class WholeNumber(filters.NumberFilter):  # type: ignore[misc]
    """A whole number."""

    field_class = forms.IntegerField


def number(field: str, *, label: str) -> filters.NumberFilter:
    """Return a filter by a whole number from 1 to 9999; refuses anything else."""
    schema = {"type": "integer", "minimum": 1, "maximum": 9999, "description": label}
    found: filters.NumberFilter = extend_schema_field(schema)(
        WholeNumber(field_name=field, min_value=1, max_value=9999, label=label)
    )
    return found


def yes_no(field: str | None = None, *, label: str, **options: Any) -> filters.TypedChoiceFilter:
    """Return a filter by `true` or `false`; refuses anything else."""
    found: filters.TypedChoiceFilter = extend_schema_field({"type": "boolean", "description": label})(
        filters.TypedChoiceFilter(
            field_name=field, choices=_YES_NO, coerce=lambda value: value == "true", label=label, **options
        )
    )
    return found
