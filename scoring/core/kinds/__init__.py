"""The kinds of game (RULES §8): each is one object, and nothing else compares kinds.

A kind says how many sides and seats a sheet has, who plays whom in a deal, what one result looks like, how a
deal becomes lines, and how the sheet is settled. `kind_of` is the kind of some rules.
"""

from collections.abc import Mapping
from typing import Final

from scoring.core.errors import RulesError
from scoring.core.kinds.base import Kind
from scoring.core.kinds.captains import Captains
from scoring.core.kinds.cutthroat import Cutthroat
from scoring.core.kinds.gin import Gin, PartnersOnePack
from scoring.core.kinds.jersey import Jersey
from scoring.core.kinds.rummy import BasicRummy
from scoring.core.messages import mark
from scoring.core.rules import KINDS as KEYS
from scoring.core.rules import PRESETS, Rules

__all__ = ["KEPT_PRESETS", "KINDS", "Kind", "check_kept", "kind_of"]

KINDS: Final[Mapping[str, Kind]] = {
    kind.key: kind for kind in (Gin(), Cutthroat(), Captains(), Jersey(), PartnersOnePack(), BasicRummy())
}
assert tuple(KINDS) == KEYS  # noqa: S101 (a kind that rules may name and nobody plays)


def kind_of(rules: Rules) -> Kind:
    """The kind of game that these rules are for."""
    return KINDS[rules.kind]


def check_kept(rules: Rules) -> None:
    """Refuse (`not_kept`) the rules of a game whose sheets cannot be stored."""
    kind = kind_of(rules)
    if not kind.is_kept:
        message = mark("Sheets of this game can be scored, but not kept: %(game)s.", game=kind.title)
        raise RulesError("not_kept", message, field="rules.kind")


# Presets of games whose sheets can be stored: those that clubs are offered.
KEPT_PRESETS: Final = tuple(name for name in PRESETS if kind_of(Rules.preset(name)).is_kept)
