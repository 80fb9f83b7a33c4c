"""The services that write one kind of row, as data: the administration and the API name theirs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.core.exceptions import PermissionDenied

from scoring.core.actors import Actor

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Services(Generic[Row]):
    """What adds, changes and deletes rows, which it takes under the name `row`; None for what is not done.

    What is not done is forbidden (`PermissionDenied`).
    """

    row: str = ""
    add: Callable[..., Row] | None = None
    change: Callable[..., object] | None = None
    remove: Callable[..., object] | None = None

    def added(self, actor: Actor, values: Mapping[str, Any]) -> Row:
        """A new row with these values."""
        if self.add is None:
            raise PermissionDenied
        return self.add(actor=actor, **values)

    def changed(self, actor: Actor, row: Row, values: Mapping[str, Any]) -> None:
        """Change these values of the row."""
        if self.change is None:
            raise PermissionDenied
        self.change(actor=actor, **{self.row: row}, **values)

    def removed(self, actor: Actor, row: Row) -> None:
        """Delete the row."""
        if self.remove is None:
            raise PermissionDenied
        self.remove(actor=actor, **{self.row: row})
