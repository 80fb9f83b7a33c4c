"""What a test leaves that writes in transactions of its own: its rows are deleted.

Django would empty every table, and have `migrate` make its own rows and put the triggers in place again, for
each of hundreds of tests.
"""

from collections.abc import Iterator, Sequence

from django.apps import apps
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connection, transaction
from django.test import TransactionTestCase

from league.models import Deletion, WriteCount

_by_django = vars(TransactionTestCase)["_fixture_teardown"]
# What `migrate` writes into each database.
_MADE = (ContentType, Permission)


def delete_rows(case: TransactionTestCase) -> None:
    """Empty all tables, but for what `migrate` writes; stands for `TransactionTestCase._fixture_teardown`."""
    if _is_as_migrated():
        kept = {model._meta.db_table for model in _MADE}
        _delete(set(connection.introspection.django_table_names(include_views=False)) - kept)
    else:
        _by_django(case)
    # In no order: rows of a club may have gone after it and left a tombstone, and all of them are counted.
    Deletion.objects.all().delete()
    WriteCount.objects.all().delete()


def _is_as_migrated() -> bool:
    """Whether there are the content types and permissions of all models, and no others."""
    options = [model._meta for model in apps.get_models()]
    content_types = {(each.app_label, each.model_name) for each in options}
    permissions = {
        (each.app_label, codename)
        for each in options
        for codename in _codenames(each.default_permissions, each.permissions, each.model_name or "")
    }
    return (
        set(ContentType.objects.values_list("app_label", "model")) == content_types
        and set(Permission.objects.values_list("content_type__app_label", "codename")) == permissions
    )


def _codenames(usual: Sequence[str], own: Sequence[tuple[str, str]], model: str) -> Iterator[str]:
    yield from (f"{act}_{model}" for act in usual)
    yield from (codename for codename, _name in own)


def _delete(tables: set[str]) -> None:
    """Delete all rows of these tables; references are looked at when all are gone."""
    quoted = {table: connection.ops.quote_name(table) for table in sorted(tables)}
    has_rows = " UNION ALL ".join(
        f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {name})"  # noqa: S608
        for table, name in quoted.items()
    )
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(has_rows)
        for (table,) in cursor.fetchall():
            cursor.execute(f"DELETE FROM {quoted[table]}")  # noqa: S608
