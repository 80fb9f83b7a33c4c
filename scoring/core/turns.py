"""Who plays the deals to come, as far as that follows from who wins them (RULES §8).

For whoever goes on without being able to ask: a telephone that has no network.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scoring.core.kinds import kind_of
from scoring.core.kinds.base import Frame
from scoring.core.rules import Rules
from scoring.core.sheet_state import SheetSide, Table

# All that three or four players can come to; of more, several deals ahead.
MOST_TURNS: Final = 64


@dataclass(frozen=True, slots=True)
class Turn:
    """Who plays a deal; `after` is, by who of them wins, where in the list the next turn is, if it is there.

    It is empty where more than the winner decides who plays next.
    """

    table: Table
    after: tuple[int | None, ...]


def turns_from(rules: Rules, sides: Sequence[SheetSide], begun: Sequence[Table]) -> list[Turn]:
    """The turns `begun`, in their order, then those that can follow, the nearest first.

    After a dead hand the same play again.
    """
    kind = kind_of(rules)
    frame = Frame(kind.rules_in_force(rules, sides), tuple(sides))
    tables = list(begun)
    following: list[tuple[Table, ...]] = []
    # It grows while it is walked: what follows is asked in turn.
    for table in tables:
        nexts = kind.tables_after(frame, table)
        following.append(nexts)
        tables += [one for one in dict.fromkeys(nexts) if one not in tables][: MOST_TURNS - len(tables)]
    places = {table: place for place, table in reversed(list(enumerate(tables)))}
    return [
        Turn(table, tuple([places.get(one) for one in nexts]))
        for table, nexts in zip(tables, following, strict=True)
    ]
