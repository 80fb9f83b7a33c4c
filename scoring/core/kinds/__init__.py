"""The kinds of game (RULES §8): each is one object, which scoring asks.

A kind says how many sides and seats a sheet has, who plays whom in a deal, what one result looks like, how a
deal becomes lines, and how the sheet is settled. `kind_of` is the kind of some rules.
"""

from collections.abc import Mapping
from typing import Final

from scoring.core.kinds.base import Kind
from scoring.core.kinds.captains import Captains
from scoring.core.kinds.cutthroat import Cutthroat
from scoring.core.kinds.gin import GinRummy, PartnersOnePack
from scoring.core.kinds.jersey import Jersey
from scoring.core.kinds.rummy import BasicRummy
from scoring.core.rules import KINDS as KEYS
from scoring.core.rules import Rules

__all__ = ["KINDS", "MOST_SIDES", "Kind", "kind_of"]

KINDS: Final[Mapping[str, Kind]] = {
    kind.key: kind
    for kind in (GinRummy(), Cutthroat(), Captains(), Jersey(), PartnersOnePack(), BasicRummy())
}
assert tuple(KINDS) == KEYS  # noqa: S101 (a kind that rules may name and nobody plays)

# The most sides that a sheet of any kind has.
MOST_SIDES: Final = max(kind.most_sides for kind in KINDS.values())


def kind_of(rules: Rules) -> Kind:
    """The kind of game that these rules are for."""
    return KINDS[rules.kind]
