"""Judging a hand given as JSON (INTERFACES §3)."""

from typing import Any, Final

from games.errors import GameError
from games.gin.cards import Hand
from games.gin.judging import Ruling, judge
from scoring.core.messages import mark
from scoring.core.rules import Rules
from scoring.documents.shapes import json_object, only

_FIELDS: Final = frozenset({"rules", "upcard", "knocker", "defender", "melds"})


def judge_document(document: object) -> dict[str, Any]:
    """Judges the body of `POST /api/v1/judge/` and returns its answer; refuses like `judged`."""
    return judged(document).to_document()


def judged(document: object) -> Ruling:
    """The ruling on the body of `POST /api/v1/judge/`; stores nothing.

    Refuses with `ScoringError` an invalid document or invalid rules, with `GameError` an invalid hand.
    """
    request = json_object(document, "", mark("The request is an object with rules, knocker and defender."))
    only(request, _FIELDS)
    upcard, melds = request.get("upcard"), request.get("melds")
    return judge(
        Rules.from_document(request.get("rules", {})),
        knocker=_hand(request.get("knocker"), "knocker"),
        defender=_hand(request.get("defender"), "defender"),
        upcard=None if upcard is None else _text(upcard, "upcard"),
        melds=None if melds is None else _melds(melds),
    )


def _hand(value: object, field: str) -> Hand:
    return Hand.parse(_text(value, field), field=field)


def _melds(value: object) -> list[Hand]:
    if not isinstance(value, list):
        raise GameError(
            "wrong_type", mark("melds is a list of melds, each its cards as text."), field="melds"
        )
    return [_hand(meld, "melds") for meld in value]


def _text(value: object, field: str) -> str:
    if value is None:
        raise GameError("missing_field", mark("%(field)s is missing.", field=field), field=field)
    if not isinstance(value, str):
        raise GameError(
            "wrong_type", mark("%(field)s is cards as text, as in “AS TD”.", field=field), field=field
        )
    return value
