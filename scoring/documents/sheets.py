"""Sheets, deals and hands as JSON (INTERFACES §2): reads requests, writes what is stored.

Reading checks shape, names and ranges, and refuses with a `ScoringError` that carries deal, hand and field.
What a hand is like is known to the readers of `hand_readers`, by the kind of game.
"""

import json
import math
from collections.abc import Sequence
from typing import Any, Final

from scoring.core.errors import DocumentError, HandError, ScoringError, SheetError, shown
from scoring.core.hands import (
    MOST_POINTS,
    BigGin,
    Dead,
    Gin,
    HandResult,
    Knock,
    Outcome,
    Points,
)
from scoring.core.kinds import kind_of
from scoring.core.kinds.base import named_in
from scoring.core.messages import mark, mark_plural
from scoring.core.rules import Rules
from scoring.core.sheets import MOST_DEALS, VOID, Deal, SheetSide, SheetState, TeamLine, score_sheet
from scoring.core.table_hands import Blocked, Out, TableKnock, TablePoints, TableResult
from scoring.documents.hand_readers import READERS
from scoring.documents.seating import Seating
from scoring.documents.shapes import integer, json_object, only
from scoring.documents.sides import read_sides

# In bytes: enough for 500 deals of 12 hands with long names.
LARGEST_DOCUMENT: Final = 2_500_000
MOST_LINE_BOXES: Final = 999

_SHEET_FIELDS: Final = frozenset({"rules", "sides", "deals", "stopped", "surplus"})
_DEAL_FIELDS: Final = frozenset({"hands", "line"})
_LINE_FIELDS: Final = frozenset({"winner", "points", "boxes"})


def parse_document(data: bytes) -> object:
    """JSON from UTF-8 bytes; refused with `too_large` or `not_json`.

    As RFC 7493 asks of JSON that programs exchange, a name stands once in an object, a number is one that can
    be computed with, and no text has half a surrogate pair.
    """
    if len(data) > LARGEST_DOCUMENT:
        raise DocumentError(
            "too_large",
            mark("The document is larger than %(most)s bytes.", most=f"{LARGEST_DOCUMENT:,}"),
        )
    try:
        document = json.loads(
            data.decode("utf-8-sig"),
            parse_constant=_refuse_constant,
            parse_float=_finite,
            object_pairs_hook=_named_once,
        )
        # Halves of pairs come from escapes alone, as the bytes were UTF-8.
        if b"\\u" in data:
            json.dumps(document, ensure_ascii=False).encode()
    except UnicodeDecodeError:
        raise DocumentError("not_json", mark("The document is not text in UTF-8.")) from None
    except UnicodeEncodeError:
        raise DocumentError("not_json", mark("A text has half a surrogate pair.")) from None
    except json.JSONDecodeError as error:
        message = mark(
            "The document is not JSON: %(reason)s (line %(line)s, column %(column)s).",
            reason=error.msg,
            line=error.lineno,
            column=error.colno,
        )
        raise DocumentError("not_json", message) from None
    except RecursionError:
        raise DocumentError("not_json", mark("The document is nested too deep.")) from None
    except ValueError:
        raise DocumentError("not_json", mark("A number in the document has too many digits.")) from None
    return document


def score_document(document: object) -> dict[str, Any]:
    """Scores the body of `POST /api/v1/score/` and returns its answer; stores nothing.

    Refuses with `ScoringError` everything INTERFACES §2 lists under "refused".
    """
    return state_of_document(document).to_document()


def state_of_document(document: object) -> SheetState:
    """The result of `score_document` before it is turned into JSON."""
    sheet = json_object(document, "", mark("The request is an object with rules, sides and deals."))
    only(sheet, _SHEET_FIELDS)
    rules = Rules.from_document(sheet.get("rules", {}))
    sides = read_sides(sheet.get("sides"), rules)
    deals = read_deals(sheet.get("deals", []), sides, rules)
    stopped = sheet.get("stopped", False)
    if not isinstance(stopped, bool):
        raise DocumentError("wrong_type", mark("stopped is true or false."), field="stopped")
    surplus = sheet.get("surplus", "refuse")
    if surplus not in ("refuse", "keep"):
        raise DocumentError("unknown_value", mark("surplus is “refuse” or “keep”."), field="surplus")
    return score_sheet(rules, sides, deals, stopped=stopped, surplus=surplus)


def read_deals(document: object, sides: Sequence[SheetSide], rules: Rules) -> list[Deal]:
    """The deals of a request, numbered from 1 in errors."""
    if not isinstance(document, list):
        raise DocumentError("wrong_type", mark("deals is a list."), field="deals")
    if len(document) > MOST_DEALS:
        raise SheetError(
            "too_many_deals",
            mark("A sheet holds at most %(most)s deals.", most=MOST_DEALS),
            field="deals",
        )
    reader = DealReader(sides, rules)
    return [reader.read(deal, number) for number, deal in enumerate(document, start=1)]


class DealReader:
    """Reads the deals of a sheet, whose hands are those of the rules' kind of game.

    With substitutes, a hand names the players seated at its deal. With `anyone` it may name any player who
    ever had the seat, as an earlier version of a stored deal may. Who sits out is left to the score.
    """

    def __init__(self, sides: Sequence[SheetSide], rules: Rules, *, anyone: bool = False) -> None:
        self._names = tuple(side.name for side in sides)
        self._hand_count = kind_of(rules).hands_in(sides)
        self._seating = Seating(sides, anyone=anyone)
        self._reader = READERS[rules.kind](self._seating)

    def read(self, document: object, number: int | None = None) -> Deal:
        """A deal from `{"hands": […]}` or `{"line": {…}}`; null is a voided deal.

        `number` is the deal's number for errors and, with substitutes, for the seating.
        """
        if document is None:
            return VOID
        self._seating.turn_to(number or 1)
        try:
            deal = json_object(document, "deals", mark("A deal is an object with hands, or with a line."))
            only(deal, _DEAL_FIELDS)
            hands, line = deal.get("hands"), deal.get("line")
            if line is not None:
                if hands is not None:
                    raise DocumentError(
                        "conflicting_fields", mark("A deal has hands or a line, not both."), field="line"
                    )
                return Deal(line=self._read_line(line))
            if hands is None:
                raise DocumentError("missing_field", mark("A deal has a list of hands."), field="hands")
            if not isinstance(hands, list):
                raise DocumentError("wrong_type", mark("hands is a list."), field="hands")
            return Deal(self._read_hands(hands))
        except ScoringError as error:
            raise error.at(deal=number) from None

    def _read_hands(self, documents: list[object]) -> tuple[HandResult | TableResult, ...]:
        if len(documents) != self._hand_count:
            raise HandError(
                "wrong_hand_count",
                mark_plural(
                    "A deal here has one hand, not %(sent)s.",
                    "A deal here has %(count)s hands, not %(sent)s.",
                    self._hand_count,
                    sent=len(documents),
                ),
                field="hands",
            )
        hands = []
        for index, document in enumerate(documents, start=1):
            try:
                hands.append(self._reader.read(document))
            except ScoringError as error:
                raise error.at(hand=index) from None
        if self._hand_count > 1:
            seen: set[str] = set()
            for index, hand in enumerate(hands, start=1):
                for player, field in named_in(hand):
                    if player in seen:
                        raise HandError(
                            "player_twice",
                            mark("%(player)s plays twice in this deal.", player=player),
                            field=field,
                            hand=index,
                        )
                    seen.add(player)
        return tuple(hands)

    def _read_line(self, document: object) -> TeamLine:
        line = json_object(document, "line", mark("A line is an object with winner, points and boxes."))
        if self._hand_count == 1:
            raise DocumentError(
                "not_a_team_sheet", mark("Only a team's sheet keeps lines without hands."), field="line"
            )
        only(line, _LINE_FIELDS)
        winner = line.get("winner")
        if winner is None:
            raise DocumentError(
                "missing_field", mark("The line does not say which side won it."), field="winner"
            )
        if not isinstance(winner, str):
            raise DocumentError("wrong_type", mark("winner is the name of a side."), field="winner")
        if winner not in self._names:
            raise HandError(
                "unknown_player",
                mark("“%(winner)s” is not a side of this sheet.", winner=shown(winner)),
                field="winner",
            )
        boxes = 1 if line.get("boxes") is None else integer(line, "boxes", MOST_LINE_BOXES, least=1)
        return TeamLine(winner, integer(line, "points", MOST_POINTS), boxes)


def deal_document(deal: Deal) -> dict[str, Any] | None:
    """The deal as JSON with all players named, None if voided; the inverse of `DealReader.read`."""
    if deal.is_void:
        return None
    if deal.line is not None:
        line = deal.line
        return {"line": {"winner": line.winner, "points": line.points, "boxes": line.boxes}}
    return {"hands": [hand_document(hand) for hand in deal.hands]}


def hand_document(hand: HandResult | TableResult) -> dict[str, Any]:
    """A hand as JSON, without optional fields that are empty."""
    document: dict[str, Any]
    match hand:
        case Knock(knocker, defender, own, other):
            document = {"kind": "knock", "knocker": knocker, "defender": defender}
            document |= {"knocker_deadwood": own, "defender_deadwood": other}
        case Gin(knocker, defender, other) | BigGin(knocker, defender, other):
            kind = "gin" if isinstance(hand, Gin) else "big_gin"
            document = {"kind": kind, "knocker": knocker, "defender": defender, "defender_deadwood": other}
            if isinstance(hand, Gin) and hand.by_time:
                document["by_time"] = True
        case Points(winner, loser, points, mark):
            document = {"kind": "points", "winner": winner, "loser": loser, "points": points}
            if mark is not None:
                document["mark"] = str(mark)
        case Dead(players):
            document = {"kind": "dead", **dict(zip(("knocker", "defender"), players, strict=False))}
        case TableKnock(knocker, own, others, ending):
            document = {"kind": str(ending), "knocker": knocker, "others": dict(others)}
            if ending is Outcome.KNOCK:
                document["knocker_deadwood"] = own
        case TablePoints(gains, penalties, mark):
            winners = [{"winner": gain.winner, "from": dict(gain.shares)} for gain in gains]
            document = {"kind": "points", **(winners[0] if len(winners) == 1 else {"gains": winners})}
            if penalties:
                document["penalties"] = dict(penalties)
            if mark is not None:
                document["mark"] = str(mark)
        case Out(winner, left, rummy, by_time):
            said = {name: True for name, is_so in (("rummy", rummy), ("by_time", by_time)) if is_so}
            return {"kind": "out", "winner": winner, "left": dict(left), **said}
        case Blocked(left):
            return {"kind": "blocked", "left": dict(left)}
    if hand.upcard is not None:
        document["upcard"] = hand.upcard
    return document


def players_of(hand: HandResult) -> tuple[str, str]:
    """The two players of a hand of two, knocker or winner first."""
    (first, _field), (second, _field) = named_in(hand)
    return first, second


def _refuse_constant(name: str) -> None:
    raise DocumentError(
        "not_json", mark("The document is not JSON: %(name)s is not a number there.", name=name)
    )


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise DocumentError("not_json", mark("The number %(digits)s is too large.", digits=shown(digits)))
    return number


def _named_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise DocumentError("not_json", mark("“%(name)s” stands twice in one object.", name=shown(twice)))
    return document
