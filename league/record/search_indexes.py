"""Indexes by which PostgreSQL finds a word within names and labels without reading all of them.

They are of `pg_trgm`, an extension that comes with PostgreSQL, and made after every `migrate`. Where it is
neither there nor may be made by the user of the database, and on SQLite, a search reads the whole columns.
"""

from typing import Any, Final

from django.apps import AppConfig
from django.db import connections
from django.db.backends.utils import CursorWrapper

# The name of each index with its table and column.
INDEXES: Final = {
    "side_name_parts": ("scoring_side", "name"),
    "sheet_label_parts": ("scoring_scoresheet", "label"),
    "sheet_code_parts": ("scoring_scoresheet", "code"),
    "entry_name_parts": ("league_entry", "name"),
    "match_label_parts": ("league_match", "label"),
}
# Where the extension is: some hosts have a schema for all of them. None where it is not.
_SCHEMA: Final = """
    SELECT (
        SELECT pg_namespace.nspname FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace
        WHERE extname = 'pg_trgm'
    )
"""
_MAY_BE_MADE: Final = """
    SELECT EXISTS (
        SELECT FROM pg_available_extension_versions AS version, pg_roles AS role
        WHERE version.name = 'pg_trgm' AND role.rolname = current_user
        AND (role.rolsuper OR version.trusted AND has_database_privilege(current_database(), 'CREATE'))
    )
"""
_COLUMN_IS_THERE: Final = """
    SELECT EXISTS (
        SELECT FROM pg_attribute
        WHERE attrelid = to_regclass(%s) AND attname = %s AND NOT attisdropped
    )
"""


def install(sender: AppConfig, using: str, verbosity: int = 0, **_: Any) -> None:
    """Make the indexes that are not there yet; receives `post_migrate`, which may be of an earlier state."""
    connection = connections[using]
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        if not _asked(_SCHEMA, cursor):
            if not _asked(_MAY_BE_MADE, cursor):
                if verbosity:
                    print("Searches have no indexes: the extension pg_trgm is not there and may not be made.")
                return
            cursor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
        schema = connection.ops.quote_name(_asked(_SCHEMA, cursor))
        for name, (table, column) in INDEXES.items():
            if _asked(_COLUMN_IS_THERE, cursor, table, column):
                # The expression is that of Django's `icontains`.
                parts = f"upper({column}::text) {schema}.gin_trgm_ops"
                cursor.execute(f"CREATE INDEX IF NOT EXISTS {name} ON {table} USING gin ({parts})")


def _asked(question: str, cursor: CursorWrapper, *parameters: str) -> Any:
    cursor.execute(question, parameters)
    (answer,) = cursor.fetchone()
    return answer
