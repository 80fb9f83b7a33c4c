"""Forgetting receipts: the stored answers to keys, after a time.

What stays for good is that the key was used, as a digest of it. An old key is refused (`key_expired`) and
never records a second time.
"""

from collections.abc import Sequence
from typing import Any, Final

from django.db import models, transaction
from django.db.models import Q, QuerySet

from scoring.core.keys import spent_key
from scoring.models import Claim, OpeningKey, SheetAct, TableAnswer

# The tables that keep what was answered to a key.
RECEIPTS: Final[tuple[type[models.Model], ...]] = (SheetAct, TableAnswer, Claim, OpeningKey)


def kept_receipts(model: type[models.Model]) -> QuerySet[Any]:
    """The rows of one of `RECEIPTS` whose receipt is not forgotten."""
    return model._base_manager.filter(Q(key__isnull=False) & ~Q(digest=""))


@transaction.atomic
def forget_receipts(rows: Sequence[SheetAct | TableAnswer | Claim | OpeningKey]) -> None:
    """Forget the receipts of these rows of one table, which the caller has locked."""
    if not rows:
        return
    fields = ["key", "digest"]
    for row in rows:
        if row.key is not None:
            row.key = spent_key(row.key)
        row.digest = ""
        if isinstance(row, SheetAct):
            row.answer = None
    if isinstance(rows[0], SheetAct):
        fields.append("answer")
    type(rows[0])._base_manager.bulk_update(rows, fields)  # type: ignore[arg-type]
