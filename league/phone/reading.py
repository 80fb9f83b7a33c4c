"""Parsing of the form with which a phone enters a deal.

A field of table t (from 0, one for each hand of the deal) ends with `-t`: `meets` is the seat (from 0) of the
second side's player who meets the first side's player there, `how` is knock, gin, undercut or dead, `big`
marks a big gin, `won` is the side (0, 1) that won, `by` is counts or points, `count0` and `count1` are the
sides' deadwood, `points` the points, and `upcard` the upcard as the rules need it. Beside them `number` is
the number of the deal as the phone sees it, and `key` its idempotency key.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from scoring.core.errors import DocumentError, ScoringError
from scoring.core.hands import UNDERCUTS, HandResult, HandScore, Knock, score_hand
from scoring.core.rules import Rules
from scoring.core.sheets import Deal, SheetSide
from scoring.documents.sheets import DealReader

HOW: Final = ("knock", "gin", "undercut", "dead")

_LONGEST_FIGURE: Final = 6


@dataclass(frozen=True, slots=True)
class EnteredDeal:
    """A deal as entered, with its number and idempotency key."""

    number: int
    key: str
    deal: Deal


def read_entry(fields: Mapping[str, str], sides: Sequence[SheetSide], rules: Rules) -> EnteredDeal:
    """The entry in these fields. Raises a `ScoringError` for missing fields and impossible hands."""
    number = _figure(fields, "number", _("Say which deal it is."))
    return EnteredDeal(number, fields.get("key", ""), read_deal(fields, number, sides, rules))


def read_deal(fields: Mapping[str, str], number: int, sides: Sequence[SheetSide], rules: Rules) -> Deal:
    """The deal in these fields, its hands possible under the rules and won by whom they say."""
    first, second = sides[0].seated(number), sides[1].seated(number)
    documents = []
    for table, player in enumerate(first):
        try:
            documents.append(_hand(fields, table, (player, _opponent(fields, table, second))))
        except ScoringError as error:
            raise _at_hand(error, table, len(first)) from None
    deal = DealReader(sides, rules).read({"hands": documents}, number)
    for table, hand in enumerate(deal.two_handed):
        try:
            _check_won(fields, table, hand, score_hand(rules, hand))
        except ScoringError as error:
            raise _at_hand(error, table, len(first)) from None
    return deal


def _hand(fields: Mapping[str, str], table: int, pair: tuple[str, str]) -> dict[str, Any]:
    """The document of a hand (INTERFACES §2)."""
    how = _one_of(fields, f"how-{table}", HOW, _("Say how the hand ended."))
    upcard = fields.get(f"upcard-{table}", "").strip() or None
    if how == "dead":
        return {"kind": "dead", "knocker": pair[0], "defender": pair[1], "upcard": upcard}
    won = int(_one_of(fields, f"won-{table}", ("0", "1"), _("Say who won.")))
    winner, loser = pair[won], pair[1 - won]
    if how == "gin" and fields.get(f"big-{table}"):
        how = "big_gin"
    if _one_of(fields, f"by-{table}", ("counts", "points"), _("Say counts or points.")) == "points":
        points = _figure(fields, f"points-{table}", _("Say how many points."))
        return {
            "kind": "points",
            "winner": winner,
            "loser": loser,
            "points": points,
            "mark": how,
            "upcard": upcard,
        }
    knocking = 1 - won if how == "undercut" else won
    knocker, defender = pair[knocking], pair[1 - knocking]
    asked = _("Say what %(name)s counts.")
    hand: dict[str, Any] = {"knocker": knocker, "defender": defender, "upcard": upcard}
    hand["defender_deadwood"] = _figure(fields, f"count{1 - knocking}-{table}", asked % {"name": defender})
    if how in ("gin", "big_gin"):
        return {"kind": how, **hand}
    own = _figure(fields, f"count{knocking}-{table}", asked % {"name": knocker})
    return {"kind": "knock", **hand, "knocker_deadwood": own}


def _check_won(fields: Mapping[str, str], table: int, hand: HandResult, score: HandScore) -> None:
    """Refuse (`not_won`) counts by which the hand ended otherwise than entered."""
    if not isinstance(hand, Knock):
        return
    said = fields.get(f"how-{table}")
    is_undercut = score.outcome in UNDERCUTS
    if score.winner is not None and is_undercut == (said == "undercut"):
        return
    values = {
        "own": hand.knocker_deadwood,
        "other": hand.defender_deadwood,
        "knocker": hand.knocker,
        "defender": hand.defender,
    }
    if score.winner is None:
        sentence = _("%(knocker)s has %(own)s and %(defender)s %(other)s: nobody scores, a dead hand.")
    elif is_undercut:
        sentence = _("%(knocker)s has %(own)s and %(defender)s %(other)s: an undercut by %(defender)s.")
    else:
        sentence = _("%(knocker)s has %(own)s and %(defender)s %(other)s: no undercut, %(knocker)s scores.")
    raise DocumentError("not_won", sentence % values, field=f"how-{table}")


def _opponent(fields: Mapping[str, str], table: int, players: Sequence[str]) -> str:
    if len(players) == 1:
        return players[0]
    field = f"meets-{table}"
    seats = [str(seat) for seat in range(len(players))]
    return players[int(_one_of(fields, field, seats, _("Say who meets whom.")))]


def _one_of(fields: Mapping[str, str], field: str, known: Sequence[str], sentence: str) -> str:
    value = fields.get(field, "")
    if value not in known:
        raise DocumentError("unknown_value" if value else "missing_field", sentence, field=field)
    return value


def _figure(fields: Mapping[str, str], field: str, sentence: str) -> int:
    text = fields.get(field, "").strip()
    if not text:
        raise DocumentError("missing_field", sentence, field=field)
    if not (text.isascii() and text.isdecimal()) or len(text) > _LONGEST_FIGURE:
        raise DocumentError("wrong_type", _("A figure is a whole number."), field=field)
    return int(text)


def _at_hand(error: ScoringError, table: int, tables: int) -> ScoringError:
    """The error with the number of its hand, if the deal has several."""
    return error.at(hand=table + 1) if tables > 1 else error
