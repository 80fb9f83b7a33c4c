"""JSON Schemas of a hand to judge and of the ruling (INTERFACES §3), for the OpenAPI document.

They only describe: `games.gin.documents` decides what is refused.
"""

from typing import Any, Final

from scoring.core.hands import MARKS, MOST_DEADWOOD, Outcome
from scoring.documents.schemas import SHEET

Schema = dict[str, Any]

_CARDS: Final[Schema] = {"type": "string", "description": "Cards separated by spaces: AS TD 7H."}
_MELDS: Final[Schema] = {"type": "array", "items": _CARDS}
_COUNT: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": MOST_DEADWOOD}


def _object(required: list[str], properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": required}


HAND: Final = _object(
    ["knocker", "defender"],
    {
        "rules": SHEET["properties"]["rules"],
        "upcard": {"type": "string", "nullable": True, "description": "The first face-up card, if known."},
        "knocker": {**_CARDS, "description": "Ten cards after the discard; eleven for big gin."},
        "defender": {**_CARDS, "description": "Ten cards."},
        "melds": {
            **_MELDS,
            "nullable": True,
            "description": "The knocker's own arrangement, if there is one.",
        },
    },
)

_ARRANGEMENT: Final[Schema] = {"melds": _MELDS, "deadwood": _COUNT, "unmatched": _CARDS}
_LAY_OFF: Final = _object(
    ["card", "meld"],
    {
        "card": {"type": "string"},
        "meld": {"type": "integer", "minimum": 0, "description": "Which of the knocker's melds, from 0."},
    },
)

RULING: Final = _object(
    ["outcome", "winner", "points", "boxes", "knocker", "defender"],
    {
        "outcome": {"type": "string", "enum": [*map(str, (*MARKS, Outcome.DEAD))]},
        "winner": {"type": "string", "enum": ["knocker", "defender", None], "nullable": True},
        "points": {"type": "integer", "minimum": 0},
        "penalty": {"type": "integer", "minimum": 1, "description": "What is taken off who lost the hand."},
        "boxes": {"type": "integer", "minimum": 0},
        "knocker": _object(list(_ARRANGEMENT), _ARRANGEMENT),
        "defender": _object(
            [*_ARRANGEMENT, "lay_offs"],
            {**_ARRANGEMENT, "lay_offs": {"type": "array", "items": _LAY_OFF}},
        ),
    },
)

HAND_EXAMPLE: Final[Schema] = {
    "rules": {"preset": "standard"},
    "upcard": "9C",
    "knocker": "AS 2S 3S 7C 7D 7H JC JD JH 4D",
    "defender": "5C 6C 7S 9H 9D 9S KC KD 4S AD",
    "melds": None,
}
PROBLEM_EXAMPLE: Final[Schema] = {
    "type": "about:blank",
    "title": "Unprocessable Entity",
    "status": 422,
    "detail": "The knocker cannot knock with 14: the limit is 10.",
    "code": "illegal_knock",
    "deal": None,
    "hand": None,
    "field": "knocker",
}
