"""JSON Schemas of a hand to judge and of the ruling (INTERFACES §3), for the OpenAPI document.

They only describe: `games.gin.documents` decides what is refused.
"""

from typing import Any, Final

from scoring.core.hands import MARKS, MOST_DEADWOOD, Outcome
from scoring.documents.schemas import SHEET, TABLE_SCORE

Schema = dict[str, Any]

_CARDS: Final[Schema] = {"type": "string", "description": "Cards separated by spaces: AS TD 7H."}
_MELDS: Final[Schema] = {"type": "array", "items": _CARDS}
_COUNT: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": MOST_DEADWOOD}


def _object(required: list[str], properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": required}


_UPCARD: Final[Schema] = {
    "type": "string",
    "nullable": True,
    "description": "The first face-up card, if known.",
}
_OWN_MELDS: Final[Schema] = {
    **_MELDS,
    "nullable": True,
    "description": "The knocker's own arrangement, if there is one.",
}
_KNOCKER: Final[Schema] = {**_CARDS, "description": "Ten cards after the discard; eleven for big gin."}
_RULES: Final[Schema] = SHEET["properties"]["rules"]

HAND: Final[Schema] = {
    "anyOf": [
        _object(
            ["knocker", "defender"],
            {
                "rules": _RULES,
                "upcard": _UPCARD,
                "knocker": _KNOCKER,
                "defender": {**_CARDS, "description": "Ten cards."},
                "melds": _OWN_MELDS,
            },
        ),
        {
            **_object(
                ["knocker", "others"],
                {
                    "rules": _RULES,
                    "upcard": _UPCARD,
                    "knocker": _KNOCKER,
                    "others": {
                        **_MELDS,
                        "minItems": 2,
                        "maxItems": 2,
                        "description": "Ten cards each, in order of seats from the knocker's left.",
                    },
                    "melds": _OWN_MELDS,
                },
            ),
            "description": "A hand of Jersey.",
        },
        {
            **_object(
                ["left"],
                {
                    "rules": _RULES,
                    "left": {
                        **_MELDS,
                        "minItems": 1,
                        "maxItems": 6,
                        "description": "The hands that are left, from the seat next to who went out; of a"
                        " blocked hand all.",
                    },
                    "blocked": {"type": "boolean", "default": False},
                    "rummy": {"type": "boolean", "default": False},
                },
            ),
            "description": "The hands that are left in rummy.",
        },
    ]
}

_ARRANGEMENT: Final[Schema] = {"melds": _MELDS, "deadwood": _COUNT, "unmatched": _CARDS}
_LAY_OFF: Final = _object(
    ["card", "meld"],
    {
        "card": {"type": "string"},
        "meld": {"type": "integer", "minimum": 0, "description": "Which of the knocker's melds, from 0."},
    },
)

_KNOCKER_LAID: Final = _object(list(_ARRANGEMENT), _ARRANGEMENT)
_REPLY: Final = _object(
    [*_ARRANGEMENT, "lay_offs"], {**_ARRANGEMENT, "lay_offs": {"type": "array", "items": _LAY_OFF}}
)
_SEVERAL: Final = TABLE_SCORE["properties"]

RULING: Final[Schema] = {
    "anyOf": [
        _object(
            ["outcome", "winner", "points", "boxes", "knocker", "defender"],
            {
                "outcome": {"type": "string", "enum": [*map(str, (*MARKS, Outcome.DEAD))]},
                "winner": {"type": "string", "enum": ["knocker", "defender", None], "nullable": True},
                "points": {"type": "integer", "minimum": 0},
                "penalty": {
                    "type": "integer",
                    "minimum": 1,
                    "description": "What is taken off who lost the hand.",
                },
                "boxes": {"type": "integer", "minimum": 0},
                "knocker": _KNOCKER_LAID,
                "defender": _REPLY,
            },
        ),
        {
            **_object(
                ["outcome", "gains", "knocker", "others"],
                {
                    **_SEVERAL,
                    "knocker": _KNOCKER_LAID,
                    "others": {"type": "array", "items": _REPLY, "minItems": 2, "maxItems": 2},
                },
            ),
            "description": "Of Jersey; the others are called “others[0]” and “others[1]”.",
        },
        {
            **_object(
                ["outcome", "gains", "left"],
                {**_SEVERAL, "left": {"type": "array", "items": {"type": "integer", "minimum": 0}}},
            ),
            "description": "Of rummy: what each hand counts; the players are called “out”, “left[0]” …",
        },
    ]
}

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
