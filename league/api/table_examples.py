"""Headers and examples of tables at which members play, in the OpenAPI document."""

from typing import Final

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

IF_MATCH: Final = OpenApiParameter(
    "If-Match",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    required=True,
    description="The version of the table that you read, as its ETag or as a bare number; any other is 412.",
)
KEY: Final = OpenApiParameter(
    "Idempotency-Key",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    required=True,
    description=(
        "A key chosen by the client, of up to 64 characters, the same for every retry. The same key, version "
        "and action are carried out once, and answered with the same `answered`."
    ),
)
ETAG: Final = OpenApiParameter(
    "ETag",
    str,
    OpenApiParameter.HEADER,
    response=[200, 201],
    description="The version of the table as you see it, for If-None-Match and If-Match.",
)
AT_TABLE: Final = OpenApiParameter(
    "table", OpenApiTypes.INT, description="Which hand of the deal, from 1, which is also the default."
)
NEW: Final = {"sheet": "k7wq2mzt4d", "seat": 0, "bot": "simple"}
LAST: Final = {
    "deal": 1,
    "table": 1,
    "seats": [0, 1],
    "dealer": 1,
    "actions": ["take", "discard KD", "draw", "knock QS"],
    "commitment": "5b0f4dd0…",
    "pack": "4C 9H 7S …",
    "nonce": "e61c09b7…",
}
WATCHED: Final = {
    "code": "t4mxw9hb2q",
    "sheet": "k7wq2mzt4d",
    "is_live": True,
    "seats": [{"seat": 0, "side": 0, "bot": None}, {"seat": 1, "side": 1, "bot": "simple"}],
    "version": 9,
    "seat": None,
    "deal": 2,
    "tables": [
        {
            "table": 1,
            "seats": [0, 1],
            "commitment": "c1a7e03f…",
            "turn": 0,
            "move_count": 2,
            "is_over": False,
        }
    ],
    "commitment": "c1a7e03f…",
    "turn": 0,
    "move_count": 2,
    "hand": None,
    "last_hand": LAST,
    "clock": None,
    "forfeited_by": None,
    "adjourned_at": None,
    "adjourned_why": None,
    "phrases": None,
    "warnings": [],
    "stream": "/streams/t4mxw9hb2q:1vQ8Zt:Jc3…",
}
OVER: Final = {
    **WATCHED,
    "is_live": False,
    "tables": [],
    "stream": None,
    **dict.fromkeys(("deal", "commitment", "turn", "move_count")),
}
_PACE: Final = {
    "count": 12,
    "quickest": 1.4,
    "lower": 2.5,
    "median": 4.0,
    "upper": 9.5,
    "slowest": 31.0,
    "bands": [0, 4, 5, 2, 1, 0],
}
_AGREEMENT: Final = {
    "choices": 34,
    "agreed": 25,
    "share": 0.7353,
    "share_error": 0.0736,
    "mean_cost": 1.12,
    "cost_error": 0.42,
}
CONDUCT: Final = {
    "match": "m3xq8ktw2v",
    "is_live": False,
    "adjourned_at": None,
    "adjourned_why": None,
    "seats": [
        {
            "seat": 0,
            "drawing": _PACE,
            "putting_down": _PACE,
            "time_outs": 0,
            "phrases": 1,
            "warnings": [],
            "agreement": _AGREEMENT,
            "former": {
                "matches": 7,
                "agreement": {
                    **_AGREEMENT,
                    "choices": 301,
                    "agreed": 214,
                    "share": 0.711,
                    "share_error": 0.026,
                },
            },
            "unweighed": 0,
        }
    ],
    "bots": [{"strategy": "steady", "level": None, "agreement": _AGREEMENT}],
}
ADJOURNED: Final = {
    **WATCHED,
    "adjourned_at": "2026-12-03T18:00:00Z",
}
SEEN: Final = {
    **WATCHED,
    "seat": 0,
    "phrases": {
        "is_muted": False,
        "latest": [{"seat": 1, "phrase": "good_luck", "said_at": "2026-12-03T18:00:00Z"}],
    },
    "hand": {
        "dealer": 0,
        "phase": "draw",
        "turn": 0,
        "hand": "AC 2C 3C 7D 7H 9S TS JD QD KH",
        "upcard": "5H",
        "pile": "5H",
        "stock": 31,
        "known": "",
        "known_by": ["", ""],
        "counts": [10, 10],
        "limit": 10,
        "moves": [{"seat": 1, "move": "pass"}, {"seat": 0, "move": "pass"}],
        "legal": ["draw"],
        "laid": None,
        "offered": None,
        "beside": None,
        "melds": None,
        "open_stock": None,
    },
}
_CLOCK: Final = {
    "turn_seconds": 120,
    "bank_seconds": 900,
    "time_out": "default_action",
    "now": "2026-12-03T18:00:20Z",
    "turn_since": "2026-12-03T18:00:00Z",
    "paused_at": None,
    "pause_asked_by": None,
    "seats": [
        {"bank_left": 900, "deadline": "2026-12-03T18:17:00Z", "time_outs": 0},
        {"bank_left": 840, "deadline": None, "time_outs": 0},
    ],
}
TIMED: Final = {**SEEN, "clock": _CLOCK}
PAUSE_ASKED: Final = {**SEEN, "clock": {**_CLOCK, "pause_asked_by": 0}}
HINT: Final = {
    "version": 9,
    "action": "discard KH",
    "weighed": [
        {"action": "discard KH", "value": 0.53, "samples": 60, "is_chance": True},
        {"action": "discard 7S", "value": 0.49, "samples": 60, "is_chance": True},
    ],
    "error": 2.5,
}
_WEIGHED: Final = {
    "move": 2,
    "kind": "discard",
    "chosen": "discard 7S",
    "better": "discard KH",
    "cost": 4.25,
    "error": 0.75,
    "is_clear": True,
    "options": [
        {"action": "discard KH", "points": 6.5, "deadwood": 14, "risk": 0.03, "knocking": 5},
        {"action": "discard 7S", "points": 2.25, "deadwood": 21, "risk": 0.22, "knocking": 2},
    ],
}
HAND_REPORT: Final = {"deal": 1, "seat": 0, "is_weighed": True, "choices": [_WEIGHED]}
REPORT: Final = {"seat": 0, "dearest": [{"deal": 1, **_WEIGHED}]}
OWN_PLAY: Final = {
    "curves": [
        {
            "kind": "discard",
            "choices": 31,
            "points": 20.15,
            "mean": 0.65,
            "matches": [
                {
                    "choices": 31,
                    "points": 20.15,
                    "mean": 0.65,
                    "table": "t4mxw9hb2q",
                    "begun_at": "2026-12-03T18:00:00Z",
                    "latest": 0.65,
                }
            ],
        }
    ]
}
