"""Lists that go on after a row instead of after a number of rows.

A far page so costs what the first one does, and rows that come or go meanwhile move no other row to another
page. The order is that of the query, which ends with the primary key; the place is the row's values in it.
"""

import datetime
from collections.abc import Sequence
from typing import Any, Final, cast

from django.core.exceptions import FieldDoesNotExist
from django.db import connections
from django.db.models import DateTimeField, Field, Model, Q, QuerySet

_KEYS: Final = {"pk", "id"}
_TICK: Final = datetime.timedelta(microseconds=1)


def order_of(rows: Any) -> list[str] | None:
    """The names that order the rows, “-” before those that fall; None if that is no total order."""
    if not isinstance(rows, QuerySet):
        return None
    names = [name for name in rows.query.order_by if isinstance(name, str)]
    if len(names) < len(rows.query.order_by) or not names or names[-1].lstrip("-") not in _KEYS:
        return None
    return names


def place_of(row: Model, order: Sequence[str]) -> list[Any]:
    """The row's values in this order, as JSON has them."""
    return [_plain(_value(row, name.lstrip("-"))) for name in order]


def beyond(
    rows: QuerySet[Any], order: Sequence[str], place: Sequence[Any], *, backwards: bool
) -> QuerySet[Any]:
    """The rows after a place, nearest first, or before it if `backwards`."""
    turned = [name.removeprefix("-") if name.startswith("-") else f"-{name}" for name in order]
    wanted = turned if backwards else order
    nulls_are_largest = connections[rows.db].features.nulls_order_largest
    found, same = Q(), Q()
    for number, (name, value) in enumerate(zip(wanted, place, strict=True)):
        field, rises = name.removeprefix("-"), not name.startswith("-")
        column = _column(rows.model, field)
        nulls_follow = rises == nulls_are_largest and (column is None or column.null)
        if value is None:
            if not nulls_follow:
                found |= same & Q(**{f"{field}__isnull": False})
            same &= Q(**{f"{field}__isnull": True})
            continue
        if isinstance(column, DateTimeField):
            value = datetime.datetime.fromisoformat(value)
        later, level, bound = _compared(field, value, rises=rises)
        found |= same & (later | Q(**{f"{field}__isnull": True}) if nulls_follow else later)
        same &= level
        if number == 0 and len(order) > 1 and not nulls_follow:
            # The bound stands by itself, where an index is found for it.
            rows = rows.filter(bound)
    return rows.filter(found).order_by(*wanted)


def _compared(field: str, value: Any, *, rises: bool) -> tuple[Q, Q, Q]:
    """Conditions: beyond the value, level with it, and either."""
    if isinstance(value, datetime.datetime) and value.microsecond % 1000 == 0:
        # SQLite compares texts, and its own clock writes three digits where we write six.
        before, after = value - _TICK, value + _TICK
        later = Q(**{f"{field}__gte": after} if rises else {f"{field}__lte": before})
        bound = Q(**{f"{field}__gt": before} if rises else {f"{field}__lt": after})
        return later, Q(**{f"{field}__gt": before, f"{field}__lt": after}), bound
    way = "gt" if rises else "lt"
    return Q(**{f"{field}__{way}": value}), Q(**{field: value}), Q(**{f"{field}__{way}e": value})


def _value(row: Any, path: str) -> Any:
    for name in path.split("__"):
        row = None if row is None else getattr(row, name)
    return row


def _plain(value: Any) -> Any:
    if isinstance(value, datetime.date):
        return value.isoformat()
    return value if value is None or isinstance(value, int | str) else str(value)


def _column(model: type[Model], path: str) -> Field[Any, Any] | None:
    """The field of a path, or the first on it that may be null; None for what is computed."""
    of: Any = model
    for name in path.split("__"):
        try:
            field = of._meta.pk if name == "pk" else of._meta.get_field(name)
        except FieldDoesNotExist:
            return None
        if field.null:
            break
        of = field.related_model
    return cast("Field[Any, Any]", field)
