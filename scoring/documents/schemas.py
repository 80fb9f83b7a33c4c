"""JSON Schemas of a sheet and of its score (INTERFACES §2), for the OpenAPI document.

They only describe: `scoring.documents.sheets` decides what is refused. The ranges and choices of knobs come
from `scoring.core.rules`.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final, cast

from scoring.core.hands import MARKS, MOST_DEADWOOD, MOST_POINTS, Outcome
from scoring.core.kinds import MOST_SIDES
from scoring.core.own_knobs import OWN_KNOBS, OwnKnobs
from scoring.core.rules import CHOICES, EXTRA_BOX_KINDS, KNOBS, OPTIONAL, PRESETS, RANGES
from scoring.core.sheets import MOST_DEALS
from scoring.documents.hand_readers import READERS
from scoring.documents.shapes import LONGEST_NAME
from scoring.documents.sides import LARGEST_TEAM, MOST_SUBSTITUTES

Schema = dict[str, Any]


def _object(required: str, **properties: Schema) -> Schema:
    """The schema of an object; `required` lists the properties that are always present, "*" means all."""
    names = list(properties) if required == "*" else required.split()
    schema: Schema = {"type": "object", "properties": properties}
    return {**schema, "required": names} if names else schema


def _list(items: Schema, **limits: int) -> Schema:
    return {"type": "array", "items": items, **limits}


def _count(low: int, high: int, **more: Any) -> Schema:
    return {"type": "integer", "minimum": low, "maximum": high, **more}


def _one_of(*values: str) -> Schema:
    return {"type": "string", "enum": list(values)}


def _knob(name: str) -> Schema:
    if name == "extra_boxes":
        return _object("", **{kind: _count(0, 10) for kind in EXTRA_BOX_KINDS})
    schema = _single(name, RANGES, CHOICES)
    return {**schema, "nullable": True} if name in OPTIONAL else schema


def _single(
    name: str, ranges: Mapping[str, tuple[int, int]], choices: Mapping[str, tuple[str | int, ...]]
) -> Schema:
    """The schema of a knob: a number, one of its choices, or a switch."""
    if name in ranges:
        return _count(*ranges[name])
    if name in choices:
        values = choices[name]
        return {"type": "string" if isinstance(values[0], str) else "integer", "enum": list(values)}
    return {"type": "boolean"}


def _own(knobs: type[OwnKnobs]) -> Schema:
    """The schema of the knobs that only one kind of game has."""
    single = {knob.name: _single(knob.name, knobs.RANGES, knobs.CHOICES) for knob in fields(knobs)}
    return {**_object("", **single), "description": f"Knobs of the kind {knobs.KIND} alone."}


_NAME: Final[Schema] = {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}
_INTEGER: Final[Schema] = {"type": "integer"}
_NAME_OR_NULL: Final[Schema] = {"type": "string", "nullable": True}
_BY_SIDE: Final[Schema] = {"type": "object", "additionalProperties": _INTEGER}
_BY_PLAYER: Final = _BY_SIDE
_KNOBS: Final = {name: _knob(name) for name in KNOBS}
_OWN_KNOBS: Final = {kind: _own(knobs) for kind, knobs in OWN_KNOBS.items()}

_KINDS_OF_HANDS: Final = list(dict.fromkeys(kind for reader in READERS.values() for kind in reader.FIELDS))


def _figures(most: int, description: str) -> Schema:
    """An object of players and their figures."""
    return {"type": "object", "additionalProperties": _count(0, most), "description": description}


_FROM: Final = _figures(MOST_POINTS, "Jersey: the points won from each other player.")

_HAND: Final = _object(
    "kind",
    kind=_one_of(*_KINDS_OF_HANDS),
    knocker=_NAME,
    defender=_NAME,
    knocker_deadwood=_count(0, MOST_DEADWOOD),
    defender_deadwood=_count(0, MOST_DEADWOOD),
    others=_figures(MOST_DEADWOOD, "Jersey: the deadwood of each player but the knocker."),
    winner=_NAME,
    loser=_NAME,
    points=_count(0, MOST_POINTS),
    gains={
        **_list(_object("*", winner=_NAME, **{"from": _FROM}), minItems=2, maxItems=2),
        "description": "Jersey, in place of winner and from: two winners, and what each won from one player.",
    },
    penalties=_figures(MOST_POINTS, "Jersey: what is taken off the knocker."),
    left=_figures(MOST_POINTS, "Rummy: what each player had left but who went out; of a blocked hand all."),
    rummy={"type": "boolean", "default": False},
    mark=_one_of(*MARKS),
    upcard={"type": "string", "description": "Rank, then suit: AS, TD or 10♦."},
    by_time={
        "type": "boolean",
        "default": False,
        "description": "Of gin and out: the other lost the hand by time, which counts the same.",
    },
    **{"from": _FROM},
)

_SUBSTITUTE: Final = _object(
    "*",
    player=_NAME,
    replaces={**_NAME, "description": "Who sits there until then."},
    from_deal=_count(2, MOST_DEALS),
)

SHEET: Final = _object(
    "sides",
    rules=_object("", preset=_one_of(*PRESETS), **_KNOBS, **_OWN_KNOBS),
    sides=_list(
        _object(
            "name",
            name=_NAME,
            players=_list(_NAME, minItems=1, maxItems=LARGEST_TEAM),
            substitutes=_list(_SUBSTITUTE, maxItems=MOST_SUBSTITUTES),
        ),
        minItems=2,
        maxItems=MOST_SIDES,
    ),
    deals=_list(
        {
            **_object(
                "",
                hands=_list(_HAND, minItems=1, maxItems=LARGEST_TEAM),
                line=_object("winner points", winner=_NAME, points=_count(0, MOST_POINTS), boxes=_INTEGER),
            ),
            "nullable": True,
            "description": "All hands dealt at the same time, or a team's line; null is a voided deal.",
        },
        maxItems=MOST_DEALS,
    ),
    stopped={"type": "boolean", "default": False},
    surplus={**_one_of("refuse", "keep"), "default": "refuse"},
)

_COLUMN_SIDE: Final = _object(
    "*",
    name=_NAME,
    points=_INTEGER,
    boxes=_INTEGER,
    box_points=_INTEGER,
    game_bonus=_INTEGER,
    shutout_bonus=_INTEGER,
    total=_INTEGER,
    entries=_list(_object("*", deal=_INTEGER, points=_INTEGER, running=_INTEGER)),
)

_GAIN: Final = _object("*", winner=_NAME, points=_INTEGER, boxes=_INTEGER, **{"from": _BY_PLAYER})
TABLE_SCORE: Final[Schema] = {
    **_object("outcome gains", outcome=_one_of(*Outcome), gains=_list(_GAIN), penalties=_BY_PLAYER),
    "description": "A hand of Jersey or of rummy.",
}
_HAND_SCORE: Final[Schema] = {
    "anyOf": [
        _object(
            "outcome winner points boxes",
            outcome=_one_of(*Outcome),
            winner=_NAME_OR_NULL,
            points=_INTEGER,
            boxes=_INTEGER,
            penalty={**_INTEGER, "description": "What is taken off the knocker."},
        ),
        TABLE_SCORE,
    ]
}

ANSWER: Final = _object(
    "rules deals columns status winner totals net columns_won",
    rules=_object(" ".join(KNOBS), **_KNOBS, **_OWN_KNOBS),
    deals=_list(
        _object(
            "number hands lines",
            number=_INTEGER,
            hands=_list(_HAND_SCORE),
            lines=_list(
                _object(
                    "side points boxes columns",
                    side=_NAME,
                    points={**_INTEGER, "description": "Below 0 it is a penalty."},
                    boxes=_INTEGER,
                    columns=_list(_INTEGER),
                    **{"from": _BY_PLAYER},
                )
            ),
            counted={"type": "boolean", "default": True},
            void={"type": "boolean", "default": False},
        )
    ),
    columns=_list(
        _object(
            "*",
            number=_INTEGER,
            status=_one_of("open", "closed", "stopped"),
            winner=_NAME_OR_NULL,
            closed_by_deal={"type": "integer", "nullable": True},
            sides=_list(_COLUMN_SIDE, minItems=2, maxItems=MOST_SIDES),
            result=_INTEGER,
        )
    ),
    status=_one_of("open", "finished", "stopped"),
    winner=_NAME_OR_NULL,
    totals=_BY_SIDE,
    net=_BY_SIDE,
    columns_won=_BY_SIDE,
    places={**_BY_SIDE, "description": "Of more than two sides; those who are level share a place."},
    next={
        **_object("*", playing=_list(_NAME), waiting=_list(_NAME), dealer=_NAME),
        "description": "Who plays the next deal of an open sheet, where the deals before tell.",
    },
)

SHEET_EXAMPLE: Final = cast(
    Schema,
    {
        "rules": {"preset": "standard", "columns": 3, "target": 100},
        "sides": [{"name": "Ann"}, {"name": "Bob"}],
        "deals": [
            {"hands": [{"kind": "knock", "knocker": "Ann", "knocker_deadwood": 8, "defender_deadwood": 20}]},
            {"hands": [{"kind": "gin", "knocker": "Bob", "defender_deadwood": 31, "upcard": "7S"}]},
            {"hands": [{"kind": "points", "winner": "Ann", "points": 25}]},
            {"hands": [{"kind": "dead"}]},
        ],
        "stopped": False,
    },
)
PROBLEM_EXAMPLE: Final[Schema] = {
    "type": "about:blank",
    "title": "Unprocessable Entity",
    "status": 422,
    "detail": "Ann cannot knock with 12: the limit is 10.",
    "code": "illegal_knock",
    "deal": 1,
    "hand": 1,
    "field": "knocker_deadwood",
}
