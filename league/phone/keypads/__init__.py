"""What a telephone asks of a deal, by the kind of game: nothing else of the page compares kinds."""

from collections.abc import Mapping
from typing import Final

from league.phone.keypads.base import Keypad
from league.phone.keypads.of_several import JerseyKeypad, RummyKeypad
from league.phone.keypads.of_two import KeypadOfTwo, OfTwoWhoPlay
from scoring.core.kinds import KINDS
from scoring.core.rules import Rules

__all__ = ["KEYPADS", "Keypad", "keypad_of"]

KEYPADS: Final[Mapping[str, Keypad]] = {
    "gin": KeypadOfTwo(),
    "cutthroat": OfTwoWhoPlay(),
    "captains": OfTwoWhoPlay(),
    "jersey": JerseyKeypad(),
    "partners_one_pack": KeypadOfTwo(),
    "basic_rummy": RummyKeypad(),
}
assert KEYPADS.keys() == KINDS.keys()  # noqa: S101 (a kind that no telephone asks for)


def keypad_of(rules: Rules) -> Keypad:
    """The keypad of the kind of game that these rules are for."""
    return KEYPADS[rules.kind]
