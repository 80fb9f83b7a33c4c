"""Sheets, deals and hands as JSON (INTERFACES §2): reads requests, writes what is stored.

Reading checks shape, names and ranges, and refuses with a `ScoringError` that carries deal, hand and field.
The score of a hand, and whether its knock was legal, is left to `hands.score_hand`.
"""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from scoring.core.cards import parse_card
from scoring.core.errors import DocumentError, HandError, ScoringError, SheetError, shown
from scoring.core.hands import (
    MARKS,
    MOST_DEADWOOD,
    MOST_POINTS,
    BigGin,
    Dead,
    Gin,
    HandResult,
    Knock,
    Outcome,
    Points,
)
from scoring.core.messages import mark, mark_plural
from scoring.core.rules import Rules
from scoring.core.sheets import MOST_DEALS, VOID, Deal, SheetSide, SheetState, TeamLine, score_sheet
from scoring.documents.shapes import integer, json_object, only
from scoring.documents.sides import read_sides

# In bytes: enough for 500 deals of 12 hands with long names.
LARGEST_DOCUMENT: Final = 2_500_000
MOST_LINE_BOXES: Final = 999

_SHEET_FIELDS: Final = frozenset({"rules", "sides", "deals", "stopped", "surplus"})
_DEAL_FIELDS: Final = frozenset({"hands", "line"})
_LINE_FIELDS: Final = frozenset({"winner", "points", "boxes"})
_HAND_FIELDS: Final[dict[str, frozenset[str]]] = {
    "knock": frozenset({"kind", "knocker", "defender", "knocker_deadwood", "defender_deadwood", "upcard"}),
    "gin": frozenset({"kind", "knocker", "defender", "knocker_deadwood", "defender_deadwood", "upcard"}),
    "big_gin": frozenset({"kind", "knocker", "defender", "knocker_deadwood", "defender_deadwood", "upcard"}),
    "points": frozenset({"kind", "winner", "loser", "points", "mark", "upcard"}),
    "dead": frozenset({"kind", "knocker", "defender", "upcard"}),
}

# The two fields of a hand that name players, in the order of `players_of`.
_PLAYER_FIELDS: Final[dict[type[HandResult], tuple[str, str]]] = {
    Knock: ("knocker", "defender"),
    Gin: ("knocker", "defender"),
    BigGin: ("knocker", "defender"),
    Dead: ("knocker", "defender"),
    Points: ("winner", "loser"),
}


def parse_document(data: bytes) -> object:
    """JSON from UTF-8 bytes; refused with `too_large` or `not_json`.

    As RFC 7493 asks of JSON that programs exchange, a name stands once in an object, a number is one that can
    be computed with, and no text has half a surrogate pair.
    """
    if len(data) > LARGEST_DOCUMENT:
        raise DocumentError(
            "too_large",
            mark(
                "The document is larger than %(most)s bytes.",
                most=f"{LARGEST_DOCUMENT:,}",
            ),
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
    sides = read_sides(sheet.get("sides"))
    deals = read_deals(sheet.get("deals", []), sides)
    stopped = sheet.get("stopped", False)
    if not isinstance(stopped, bool):
        raise DocumentError("wrong_type", mark("stopped is true or false."), field="stopped")
    surplus = sheet.get("surplus", "refuse")
    if surplus not in ("refuse", "keep"):
        raise DocumentError("unknown_value", mark("surplus is “refuse” or “keep”."), field="surplus")
    return score_sheet(rules, sides, deals, stopped=stopped, surplus=surplus)


def read_deals(document: object, sides: Sequence[SheetSide]) -> list[Deal]:
    """The deals of a request, numbered from 1 in errors."""
    if not isinstance(document, list):
        raise DocumentError("wrong_type", mark("deals is a list."), field="deals")
    if len(document) > MOST_DEALS:
        raise SheetError(
            "too_many_deals",
            mark("A sheet holds at most %(most)s deals.", most=MOST_DEALS),
            field="deals",
        )
    reader = DealReader(sides)
    return [reader.read(deal, number) for number, deal in enumerate(document, start=1)]


class DealReader:
    """Reads deals of two sides; the seating is worked out once.

    With substitutes, a hand names the players seated at its deal. With `anyone` it may name any player who
    ever had the seat, as an earlier version of a stored deal may.
    """

    def __init__(self, sides: Sequence[SheetSide], *, anyone: bool = False) -> None:
        self._sides = sides
        self._side_of = {player: index for index, side in enumerate(sides) for player in side.everyone}
        self._names = tuple(side.name for side in sides)
        self._team_size = len(sides[0].players)
        self._changes = not anyone and any(side.substitutes for side in sides)
        self._away: frozenset[str] = frozenset()
        self._seat(1)
        if not self._changes:
            self._away = frozenset()

    def _seat(self, number: int) -> None:
        """Sets the seating for deal `number`."""
        first, second = (side.seated(number) for side in self._sides)
        self._pair = (first[0], second[0])
        self._opponent = {first[0]: second[0], second[0]: first[0]} if self._team_size == 1 else {}
        self._away = frozenset(self._side_of).difference(first, second)

    def read(self, document: object, number: int | None = None) -> Deal:
        """A deal from `{"hands": […]}` or `{"line": {…}}`; null is a voided deal.

        `number` is the deal's number for errors and, with substitutes, for the seating.
        """
        if document is None:
            return VOID
        if self._changes:
            self._seat(number or 1)
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

    def _read_hands(self, documents: list[object]) -> tuple[HandResult, ...]:
        if len(documents) != self._team_size:
            raise HandError(
                "wrong_hand_count",
                mark_plural(
                    "A deal here has one hand, not %(sent)s.",
                    "A deal here has %(count)s hands, not %(sent)s.",
                    self._team_size,
                    sent=len(documents),
                ),
                field="hands",
            )
        hands = []
        for index, document in enumerate(documents, start=1):
            try:
                hands.append(self._read_hand(document))
            except ScoringError as error:
                raise error.at(hand=index) from None
        if self._team_size > 1:
            seen: set[str] = set()
            for index, hand in enumerate(hands, start=1):
                for player, field in zip(players_of(hand), _PLAYER_FIELDS[type(hand)], strict=True):
                    if player in seen:
                        raise HandError(
                            "player_twice",
                            mark("%(player)s plays twice in this deal.", player=player),
                            field=field,
                            hand=index,
                        )
                    seen.add(player)
        return tuple(hands)

    def _read_hand(self, document: object) -> HandResult:
        hand = json_object(document, "hands", mark("A hand is an object with a kind."))
        kind = hand.get("kind")
        if not isinstance(kind, str) or kind not in _HAND_FIELDS:
            raise HandError(
                "unknown_kind",
                mark("kind is one of: %(kinds)s.", kinds=", ".join(_HAND_FIELDS)),
                field="kind",
            )
        if not hand.keys() <= _HAND_FIELDS[kind]:
            only(hand, _HAND_FIELDS[kind], kind)
        upcard = hand.get("upcard")
        if upcard is not None:
            if not isinstance(upcard, str):
                raise HandError(
                    "wrong_type", mark("The upcard is a card as text, as in “7S”."), field="upcard"
                )
            upcard = parse_card(upcard)
        match kind:
            case "points":
                winner, loser = self._read_players(hand, "winner", "loser")
                points = integer(hand, "points", MOST_POINTS)
                return Points(winner, loser, points, self._read_mark(hand.get("mark")), upcard)
            case "dead":
                if self._team_size == 1 and hand.get("knocker") is None and hand.get("defender") is None:
                    return Dead(self._pair, upcard)
                present = "knocker" if hand.get("knocker") is not None else "defender"
                other = "defender" if present == "knocker" else "knocker"
                pair = self._read_players(hand, present, other)
                return Dead(pair if present == "knocker" else pair[::-1], upcard)
        knocker, defender = self._read_players(hand, "knocker", "defender")
        defender_deadwood = integer(hand, "defender_deadwood", MOST_DEADWOOD)
        if kind == "knock":
            # No upper bound here: a count above the limit is an illegal knock, refused by `score_hand`.
            knocker_deadwood = integer(hand, "knocker_deadwood", None)
            return Knock(knocker, defender, knocker_deadwood, defender_deadwood, upcard)
        if hand.get("knocker_deadwood") is not None and integer(hand, "knocker_deadwood", MOST_DEADWOOD) != 0:
            raise HandError(
                "out_of_range", mark("Gin leaves the knocker no deadwood."), field="knocker_deadwood"
            )
        return (Gin if kind == "gin" else BigGin)(knocker, defender, defender_deadwood, upcard)

    def _read_players(self, hand: Mapping[str, Any], first: str, second: str) -> tuple[str, str]:
        """The two players of a hand; in single play the second may be left out."""
        player = self._read_player(hand, first)
        if hand.get(second) is None and self._opponent:
            return player, self._opponent[player]
        other = self._read_player(hand, second)
        if self._side_of[player] == self._side_of[other]:
            raise HandError(
                "same_side",
                mark("%(player)s and %(other)s are on one side.", player=player, other=other),
                field=second,
            )
        return player, other

    def _read_player(self, hand: Mapping[str, Any], field: str) -> str:
        name = hand.get(field)
        if name is None:
            raise HandError(
                "missing_field", mark("The hand does not say who its %(field)s is.", field=field), field=field
            )
        if not isinstance(name, str):
            raise HandError("wrong_type", mark("%(field)s is a name.", field=field), field=field)
        if name not in self._side_of:
            raise HandError(
                "unknown_player",
                mark("“%(name)s” does not play on this sheet.", name=shown(name)),
                field=field,
            )
        if name in self._away:
            raise HandError(
                "not_seated", mark("%(name)s does not sit at the table in this deal.", name=name), field=field
            )
        return name

    def _read_mark(self, outcome: object) -> Outcome | None:
        if outcome is None:
            return None
        if not isinstance(outcome, str) or outcome not in MARKS:
            raise HandError(
                "unknown_mark", mark("mark is one of: %(marks)s.", marks=", ".join(MARKS)), field="mark"
            )
        return Outcome(outcome)

    def _read_line(self, document: object) -> TeamLine:
        line = json_object(document, "line", mark("A line is an object with winner, points and boxes."))
        if self._team_size == 1:
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
    """The deal as JSON with both players named, None if voided; the inverse of `DealReader.read`."""
    if deal.is_void:
        return None
    if deal.line is not None:
        line = deal.line
        return {"line": {"winner": line.winner, "points": line.points, "boxes": line.boxes}}
    return {"hands": [hand_document(hand) for hand in deal.hands]}


def hand_document(hand: HandResult) -> dict[str, Any]:
    """A hand as JSON, without optional fields that are empty."""
    document: dict[str, Any]
    match hand:
        case Knock(knocker, defender, own, other):
            document = {"kind": "knock", "knocker": knocker, "defender": defender}
            document |= {"knocker_deadwood": own, "defender_deadwood": other}
        case Gin(knocker, defender, other) | BigGin(knocker, defender, other):
            kind = "gin" if isinstance(hand, Gin) else "big_gin"
            document = {"kind": kind, "knocker": knocker, "defender": defender, "defender_deadwood": other}
        case Points(winner, loser, points, mark):
            document = {"kind": "points", "winner": winner, "loser": loser, "points": points}
            if mark is not None:
                document["mark"] = str(mark)
        case Dead(players):
            document = {"kind": "dead", "knocker": players[0], "defender": players[1]}
    if hand.upcard is not None:
        document["upcard"] = hand.upcard
    return document


def players_of(hand: HandResult) -> tuple[str, str]:
    """The two players of a hand, knocker or winner first."""
    match hand:
        case Dead(players):
            return players
        case Points(winner, loser):
            return winner, loser
        case Knock(knocker, defender) | Gin(knocker, defender) | BigGin(knocker, defender):
            return knocker, defender


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
