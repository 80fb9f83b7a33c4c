"""Judging a hand given as JSON (INTERFACES §3), by the kind of game."""

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from games.errors import GameError
from games.gin.cards import Hand
from games.gin.judging import Ruling, judge
from games.gin.judging_jersey import JerseyRuling, judge_jersey
from games.gin.judging_rummy import RummyRuling, judge_rummy
from scoring.core.kinds import KINDS
from scoring.core.messages import mark
from scoring.core.rules import Rules
from scoring.documents.shapes import json_object, only


class AnyRuling(Protocol):
    """What is ruled on a hand of any game."""

    def to_document(self) -> dict[str, Any]:
        """The answer of INTERFACES §3."""


def judge_document(document: object) -> dict[str, Any]:
    """Judges the body of `POST /api/v1/judge/` and returns its answer; stores nothing.

    Refuses with `ScoringError` an invalid document or invalid rules, with `GameError` an invalid hand.
    """
    request = _request(document)
    rules = Rules.from_document(request.get("rules", {}))
    return _JUDGES[rules.kind](rules, request).to_document()


def judged(document: object) -> Ruling:
    """The ruling on a hand of two; refuses like `judge_document`."""
    request = _request(document)
    return _judge_two(Rules.from_document(request.get("rules", {})), request)


def _request(document: object) -> Mapping[str, Any]:
    return json_object(document, "", mark("The request is an object with rules and hands."))


def _judge_two(rules: Rules, request: Mapping[str, Any]) -> Ruling:
    only(request, frozenset({"rules", "upcard", "knocker", "defender", "melds"}))
    return judge(
        rules,
        knocker=_hand(request.get("knocker"), "knocker"),
        defender=_hand(request.get("defender"), "defender"),
        upcard=_upcard(request),
        melds=_melds(request),
    )


def _judge_three(rules: Rules, request: Mapping[str, Any]) -> JerseyRuling:
    only(request, frozenset({"rules", "upcard", "knocker", "others", "melds"}))
    return judge_jersey(
        rules,
        knocker=_hand(request.get("knocker"), "knocker"),
        others=_hands(request.get("others"), "others"),
        upcard=_upcard(request),
        melds=_melds(request),
    )


def _judge_rummy(rules: Rules, request: Mapping[str, Any]) -> RummyRuling:
    only(request, frozenset({"rules", "left", "blocked", "rummy"}))
    blocked, rummy = (_switch(request, field) for field in ("blocked", "rummy"))
    if blocked and rummy:
        message = mark("Nobody goes rummy in a blocked hand.")
        raise GameError("conflicting_fields", message, field="rummy")
    return judge_rummy(rules, left=_hands(request.get("left"), "left"), blocked=blocked, rummy=rummy)


_JUDGES: Final[Mapping[str, Callable[[Rules, Mapping[str, Any]], AnyRuling]]] = {
    "gin": _judge_two,
    "cutthroat": _judge_two,
    "captains": _judge_two,
    "jersey": _judge_three,
    "partners_one_pack": _judge_two,
    "basic_rummy": _judge_rummy,
}
assert _JUDGES.keys() == KINDS.keys()  # noqa: S101 (a kind whose hands nobody judges)


def _hand(value: object, field: str) -> Hand:
    return Hand.parse(_text(value, field), field=field)


def _hands(value: object, field: str) -> list[Hand]:
    if value is None:
        raise GameError("missing_field", mark("%(field)s is missing.", field=field), field=field)
    if not isinstance(value, list):
        message = mark("%(field)s is a list of hands, each its cards as text.", field=field)
        raise GameError("wrong_type", message, field=field)
    return [_hand(hand, f"{field}[{number}]") for number, hand in enumerate(value)]


def _melds(request: Mapping[str, Any]) -> list[Hand] | None:
    value = request.get("melds")
    if value is None:
        return None
    if not isinstance(value, list):
        raise GameError(
            "wrong_type", mark("melds is a list of melds, each its cards as text."), field="melds"
        )
    return [_hand(meld, "melds") for meld in value]


def _upcard(request: Mapping[str, Any]) -> str | None:
    upcard = request.get("upcard")
    return None if upcard is None else _text(upcard, "upcard")


def _switch(request: Mapping[str, Any], field: str) -> bool:
    value = request.get(field, False)
    if not isinstance(value, bool):
        raise GameError("wrong_type", mark("%(field)s is true or false.", field=field), field=field)
    return value


def _text(value: object, field: str) -> str:
    if value is None:
        raise GameError("missing_field", mark("%(field)s is missing.", field=field), field=field)
    if not isinstance(value, str):
        raise GameError(
            "wrong_type", mark("%(field)s is cards as text, as in “AS TD”.", field=field), field=field
        )
    return value
