"""Taking rows of an outbox, so that each is sent by one worker at a time, whatever becomes of it.

Each step is a statement of its own. Of a worker that is killed another takes the rows when the lease is over.
"""

import datetime
import secrets
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from django.utils import timezone

from league.models.outbox import Outgoing, OutgoingRows

Row = TypeVar("Row", bound=Outgoing)


class TakenRows(Generic[Row]):
    """Rows of one table that this worker has taken; `ids` are theirs."""

    def __init__(self, rows: OutgoingRows[Row], lease: datetime.timedelta) -> None:
        self._all = rows
        self._lease = lease
        self._owner = secrets.token_hex(8)
        self.ids: list[int] = []

    def take(self, ids: Sequence[int]) -> None:
        """Take those of the rows that are due and that nobody holds."""
        now = timezone.now()
        free = self._all.due(now).order_by().filter(pk__in=ids)
        if ids and free.update(owner=self._owner, claimed_until=now + self._lease):
            taken = self._all.filter(pk__in=ids, owner=self._owner).order_by()
            self.ids += taken.values_list("pk", flat=True)

    def rows(self, ids: Sequence[int] | None = None) -> OutgoingRows[Row]:
        """The rows that are still held, or those of them with these ids."""
        return self._all.filter(pk__in=self.ids if ids is None else ids, owner=self._owner, ended_at=None)

    def leave(self, at: datetime.datetime, *, ids: Sequence[int] | None = None, **values: Any) -> int:
        """Give the rows back until then; returns how many."""
        return self.rows(ids).update(owner="", claimed_until=None, due_at=at, **values)

    def end(self, *, ids: Sequence[int] | None = None, answer: str = "", **values: Any) -> int:
        """Note that the rows are over; returns how many."""
        now = timezone.now()
        return self.rows(ids).update(
            owner="", claimed_until=None, ended_at=now, answer=answer[:200], **values
        )
