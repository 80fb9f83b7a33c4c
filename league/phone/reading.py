"""Parsing of the form with which a phone enters a deal.

The fields of its hands are those of the keypad of the kind of game (`league.phone.keypads`). Beside them
`number` is the number of the deal as the phone sees it, and `key` its idempotency key.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.phone.keypads import keypad_of
from league.phone.keypads.base import Asked, figure
from scoring.core.errors import ScoringError
from scoring.core.kinds import kind_of
from scoring.core.rules import Rules
from scoring.core.sheets import Deal, SheetSide
from scoring.documents.sheets import DealReader


@dataclass(frozen=True, slots=True)
class EnteredDeal:
    """A deal as entered, with its number and idempotency key."""

    number: int
    key: str
    deal: Deal


def read_entry(fields: Mapping[str, str], sides: Sequence[SheetSide], rules: Rules) -> EnteredDeal:
    """The entry in these fields. Raises a `ScoringError` for missing fields and impossible hands."""
    number = figure(fields, "number", _("Type the number of the deal."))
    return EnteredDeal(number, fields.get("key", ""), read_deal(fields, number, sides, rules))


def read_deal(fields: Mapping[str, str], number: int, sides: Sequence[SheetSide], rules: Rules) -> Deal:
    """The deal in these fields, its hands possible under the rules and won by whom they say."""
    keypad = keypad_of(rules)
    asked = Asked(number, sides, rules)
    kind = kind_of(rules)
    count = kind.hands_in(sides)
    documents = []
    for hand in range(count):
        try:
            documents.append(keypad.document(asked, hand, fields))
        except ScoringError as error:
            raise _at_hand(error, hand, count) from None
    deal = DealReader(sides, rules).read({"hands": documents}, number)
    for hand, result in enumerate(deal.hands):
        try:
            keypad.check(hand, fields, result, kind.score_hand(rules, result))
        except ScoringError as error:
            raise _at_hand(error, hand, count) from None
    return deal


def _at_hand(error: ScoringError, hand: int, count: int) -> ScoringError:
    """The error with the number of its hand, if the deal has several."""
    return error.at(hand=hand + 1) if count > 1 else error
