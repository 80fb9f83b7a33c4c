"""The keypad of hands of two: of two sides or teams, or of the two who play while the others wait.

Beside `how` (knock, gin, undercut or dead), `won` is which of the two has won (0, 1), `by` is counts or
points, `count0` and `count1` is what they count, `points` the points, `big` marks a big gin, and `upcard` is
the upcard as the rules need it. Of teams `meets` is the seat (from 0) of the second side's player who meets
the first side's player; where others wait, `pair` are the seats of the two, through all sides, as in “0 2”.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, ClassVar, Final

from django.utils.translation import gettext as _

from league.phone.keypads.base import (
    Asked,
    Keypad,
    big_or_not,
    count_of,
    figure,
    is_by_points,
    of_hand,
    one_of,
    upcard,
    way,
    winner_of,
)
from scoring.core.errors import DocumentError
from scoring.core.hands import UNDERCUTS, HandResult, HandScore, Knock
from scoring.core.kinds.base import Score
from scoring.core.sheet_state import players_by_seat
from scoring.core.table_hands import TableResult
from scoring.typing.rows import seat_pairing

_HOW: Final = ("knock", "gin", "undercut", "dead")

_Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class HandFields:
    """The fields of one hand of the next deal; `table` counts from 0.

    `names` are the two players, `opponents` those of the second side whom the first's may meet; `pair` are
    the seats of the two where others wait.
    """

    table: int
    names: _Pair
    fields: Mapping[str, str]
    meets: int = 0
    opponents: Sequence[str] = ()
    pair: str = ""


class KeypadOfTwo(Keypad):
    """A hand for each player of the first side, against one of the second."""

    template: ClassVar[str] = "league/phone/_hand.html"

    def shown(self, asked: Asked, hand: int, fields: Mapping[str, str]) -> HandFields:
        first, second = (side.seated(asked.number) for side in asked.sides)
        _seat, meets = seat_pairing(asked.number, len(first))[hand]
        return HandFields(hand, (first[hand], second[meets]), of_hand(fields, hand), meets, second)

    def document(self, asked: Asked, hand: int, fields: Mapping[str, str]) -> dict[str, Any]:
        pair = self._pair(asked, hand, fields)
        how = way(fields, hand, _HOW)
        card = upcard(fields, hand)
        if how == "dead":
            return {"kind": "dead", "knocker": pair[0], "defender": pair[1], "upcard": card}
        won = winner_of(fields, hand, 2)
        how = big_or_not(fields, hand, how)
        if is_by_points(fields, hand):
            points = figure(fields, f"points-{hand}", _("Type how many points."))
            told = {"points": points, "mark": how, "upcard": card}
            return {"kind": "points", "winner": pair[won], "loser": pair[1 - won], **told}
        knocking = 1 - won if how == "undercut" else won
        knocker, defender = pair[knocking], pair[1 - knocking]
        told = {"knocker": knocker, "defender": defender, "upcard": card}
        told["defender_deadwood"] = count_of(fields, f"count{1 - knocking}-{hand}", defender)
        if how in ("gin", "big_gin"):
            return {"kind": how, **told}
        own = count_of(fields, f"count{knocking}-{hand}", knocker)
        return {"kind": "knock", **told, "knocker_deadwood": own}

    def check(
        self, hand: int, fields: Mapping[str, str], result: HandResult | TableResult, score: Score
    ) -> None:
        if not isinstance(result, Knock) or not isinstance(score, HandScore):
            return
        said = fields.get(f"how-{hand}")
        is_undercut = score.outcome in UNDERCUTS
        if score.winner is not None and is_undercut == (said == "undercut"):
            return
        values = {
            "own": result.knocker_deadwood,
            "other": result.defender_deadwood,
            "knocker": result.knocker,
            "defender": result.defender,
        }
        if score.winner is None:
            sentence = _("%(knocker)s has %(own)s and %(defender)s %(other)s: nobody scores, a dead hand.")
        elif is_undercut:
            sentence = _("%(knocker)s has %(own)s and %(defender)s %(other)s: an undercut by %(defender)s.")
        else:
            sentence = _(
                "%(knocker)s has %(own)s and %(defender)s %(other)s: no undercut, %(knocker)s scores."
            )
        raise DocumentError("not_won", sentence % values, field=f"how-{hand}")

    def _pair(self, asked: Asked, hand: int, fields: Mapping[str, str]) -> _Pair:
        """The two players of a hand."""
        first, second = (side.seated(asked.number) for side in asked.sides)
        if len(second) == 1:
            return first[hand], second[0]
        seats = [str(seat) for seat in range(len(second))]
        meets = one_of(fields, f"meets-{hand}", seats, _("Choose who meets whom."))
        return first[hand], second[int(meets)]


class OfTwoWhoPlay(KeypadOfTwo):
    """The one hand of a deal, of the two whose turn it is.

    The form names them: so an entry never becomes somebody else's, whatever was corrected before it.
    """

    def shown(self, asked: Asked, hand: int, fields: Mapping[str, str]) -> HandFields:
        players = players_by_seat(asked.sides, asked.number)
        given = fields.get(f"pair-{hand}", "")
        if given not in _pairs(len(players)):
            given = "0 1" if asked.table is None else " ".join(str(seat) for seat in asked.table.playing)
        return HandFields(hand, _named(players, given), of_hand(fields, hand), pair=given)

    def _pair(self, asked: Asked, hand: int, fields: Mapping[str, str]) -> _Pair:
        players = players_by_seat(asked.sides, asked.number)
        given = one_of(fields, f"pair-{hand}", _pairs(len(players)), _("Choose who plays."))
        return _named(players, given)


def _pairs(count: int) -> list[str]:
    """All two of so many seats, as the form names them."""
    return [f"{one} {other}" for one, other in permutations(range(count), 2)]


def _named(players: Sequence[str], pair: str) -> _Pair:
    one, other = pair.split()
    return players[int(one)], players[int(other)]
