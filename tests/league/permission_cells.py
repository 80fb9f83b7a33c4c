"""Cells and rows of the permission table: who is answered how.

A cell says of everybody who asks with which status they are answered. What is sent empty is told what is
missing (422), by whoever takes it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from league.policy import Permission
from tests.league.permission_askers import granted
from tests.league.permission_world import ACTORS

# By who asks: the status they are answered with.
Cell = Mapping[str, int]

ANYBODY: Final = frozenset(ACTORS)
NOBODY: Final[frozenset[str]] = frozenset()
ADMINISTRATOR: Final = frozenset({"administrator"})
OWNERS: Final = granted(Permission.MANAGE)
DIRECTORS: Final = granted(Permission.DIRECT)
KEEPERS: Final = granted(Permission.RECORD)
MEMBERS: Final = granted(Permission.VIEW) | {"player"}
# Who has an account, of this club or another.
SIGNED_IN: Final = MEMBERS | {"stranger"}
# For the club; one of them a scorekeeper's, the others the owner's.
TOKENS: Final = frozenset({"read token", "record token", "keeper's token", "manage token"})
# The owner's, to record for one event or on one sheet.
NARROW: Final = frozenset({"event token", "sheet token"})
# Who is nobody in particular to the API, which knows no links of tables.
NAMELESS: Final = ("anonymous", "table link")


def let(who: frozenset[str], status: int, else_: int = 404, others: Mapping[str, int] | None = None) -> Cell:
    """A cell: who is let through, and with which status; `else_` for the rest, but for `others` by name."""
    named = others or {}
    return {actor: status if actor in who else named.get(actor, else_) for actor in ACTORS}


@dataclass(frozen=True)
class Row:
    """A route: its cells by method. What has no cell is answered to everybody as `refused` says.

    `names` says which value of the world a parameter of the route stands for, itself where it is not named;
    `body` makes of the values of the world what is sent by methods that write. Whose answer is the same for
    everybody and takes seconds to make is `asked_by` few.
    """

    cells: Mapping[str, Cell]
    names: Mapping[str, str] = field(default_factory=dict)
    refused: Cell = field(default_factory=lambda: let(ANYBODY, 405))
    methods: tuple[str, ...] = ("GET", "POST", "PUT", "PATCH", "DELETE")
    body: Callable[[Mapping[str, Any]], Any] = lambda values: {}
    asked_by: tuple[str, ...] = ACTORS

    def cell(self, method: str) -> Cell:
        """How everybody is answered by this method."""
        return self.cells.get(method, self.refused)


# Of a private club; of a public one it is anybody's (`test_what_members_read…`).
READ: Final = let(MEMBERS, 200)
OPEN: Final = let(ANYBODY, 200)
NOT_THERE: Final = let(ANYBODY, 404)
