"""What the keypads of all kinds have in common: the fields of a hand, read one by one.

A field of hand t of a deal (from 0) ends with `-t`. Every hand has `how`, the way it ended; the other fields
are those of the keypad.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from django.utils.translation import gettext as _

from scoring.core.errors import DocumentError
from scoring.core.hands import HandResult
from scoring.core.kinds.base import Score
from scoring.core.rules import Rules
from scoring.core.sheets import SheetSide, Table
from scoring.core.table_hands import TableResult

_LONGEST_FIGURE: Final = 6


@dataclass(frozen=True, slots=True)
class Asked:
    """The deal that is asked for: its number, who sits there, the rules, who plays it where that follows."""

    number: int
    sides: Sequence[SheetSide]
    rules: Rules
    table: Table | None = None


class Keypad(ABC):
    """What is asked of a hand in some kinds of game, and how the answers become its document."""

    # The fields of one hand: shown what `shown` returns as `hand`, beside `several` and `rules`.
    template: ClassVar[str]

    @abstractmethod
    def shown(self, asked: Asked, hand: int, fields: Mapping[str, str]) -> Any:
        """Return what the template shows of a hand, filled from a submitted form."""

    @abstractmethod
    def document(self, asked: Asked, hand: int, fields: Mapping[str, str]) -> dict[str, Any]:
        """Return the document of a hand (INTERFACES §2).

        Refused are fields that are missing (`missing_field`), unknown (`unknown_value`) or no figures
        (`wrong_type`), each named as in the form. What is not asked for is not read.
        """

    def check(  # noqa: B027 (where nothing is told twice, nothing can differ)
        self, hand: int, fields: Mapping[str, str], result: HandResult | TableResult, score: Score
    ) -> None:
        """Refuse (`not_won`) a hand that came out otherwise than the fields say."""


def of_hand(fields: Mapping[str, str], hand: int) -> dict[str, str]:
    """The fields of a hand, by their names without its number."""
    end = f"-{hand}"
    return {name.removesuffix(end): value for name, value in fields.items() if name.endswith(end)}


def one_of(fields: Mapping[str, str], field: str, known: Sequence[str], sentence: str) -> str:
    """The value of a field that is one of these; else refused with the sentence."""
    value = fields.get(field, "")
    if value not in known:
        raise DocumentError("unknown_value" if value else "missing_field", sentence, field=field)
    return value


def figure(fields: Mapping[str, str], field: str, sentence: str) -> int:
    """The whole number in a field; refused with the sentence if it is blank."""
    text = fields.get(field, "").strip()
    if not text:
        raise DocumentError("missing_field", sentence, field=field)
    if not (text.isascii() and text.isdecimal()) or len(text) > _LONGEST_FIGURE:
        raise DocumentError("wrong_type", _("A figure is a whole number."), field=field)
    return int(text)


def count_of(fields: Mapping[str, str], field: str, player: str) -> int:
    """What a player counts."""
    return figure(fields, field, _("Type the count of %(name)s.") % {"name": player})


def way(fields: Mapping[str, str], hand: int, known: Sequence[str]) -> str:
    """How the hand ended."""
    return one_of(fields, f"how-{hand}", known, _("Choose how the hand ended."))


def winner_of(fields: Mapping[str, str], hand: int, count: int) -> int:
    """Who of so many players won, from 0."""
    return int(one_of(fields, f"won-{hand}", [str(seat) for seat in range(count)], _("Choose who won.")))


def is_by_points(fields: Mapping[str, str], hand: int) -> bool:
    """Whether the hand is told by points, not by counts."""
    return one_of(fields, f"by-{hand}", ("counts", "points"), _("Choose counts or points.")) == "points"


def big_or_not(fields: Mapping[str, str], hand: int, how: str) -> str:
    """Gin, which a mark beside it makes big gin; any other way as it is."""
    return "big_gin" if how == "gin" and fields.get(f"big-{hand}") else how


def upcard(fields: Mapping[str, str], hand: int) -> str | None:
    """The upcard as the rules need it."""
    return fields.get(f"upcard-{hand}", "").strip() or None
