"""JSON Schemas and examples of what is read of sheets and written on them, for the OpenAPI document."""

from typing import Any, Final

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter

from league.api.paging import Pages
from scoring.api.problems import PROBLEM_TYPE, problem_document
from scoring.core.sheets import MOST_DEALS
from scoring.documents import schemas as openapi
from scoring.documents.sheets import score_document
from scoring.models import SheetStatus, SignatureMethod
from scoring.services import LONGEST_KEY, LONGEST_REASON

Schema = dict[str, Any]

_TEXT: Final[Schema] = {"type": "string"}
_TEXT_OR_NULL: Final[Schema] = {"type": "string", "nullable": True}
_COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
_NUMBER: Final[Schema] = {"type": "integer", "minimum": 1, "maximum": MOST_DEALS}
_INTEGER: Final[Schema] = {"type": "integer"}
_SWITCH: Final[Schema] = {"type": "boolean"}
_TIME: Final[Schema] = {"type": "string", "format": "date-time"}
_REASON: Final[Schema] = {"type": "string", "minLength": 1, "maxLength": LONGEST_REASON}
_KEY: Final[Schema] = {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY}


def _object(required: str = "*", /, **properties: Schema) -> Schema:
    names = list(properties) if required == "*" else required.split()
    schema: Schema = {"type": "object", "properties": properties}
    return {**schema, "required": names} if names else schema


def _list(items: Schema, **limits: int) -> Schema:
    return {"type": "array", "items": items, **limits}


def page_of(items: Schema) -> Schema:
    """A page of a list, by number or by time."""
    return Pages().get_paginated_response_schema(_list(items))


_NET: Final[Schema] = {**_INTEGER, "description": "In points, positive for the first side."}
_STATUS: Final[Schema] = {"type": "string", "enum": [str(status) for status in SheetStatus]}
_DEAL: Final[Schema] = openapi.SHEET["properties"]["deals"]["items"]
_NEW_DEAL: Final[Schema] = {
    **{name: value for name, value in _DEAL.items() if name != "nullable"},
    "description": "All hands dealt at the same time, or a team's line.",
}
_BY: Final[dict[str, Schema]] = {"at": _TIME, "by": _TEXT}

_ABOUT: Final[dict[str, Schema]] = {
    "code": _TEXT,
    "label": {**_TEXT, "description": "What is printed on the paper sheet."},
    "version": _COUNT,
    "club": {**_TEXT_OR_NULL, "description": "The club's slug."},
    "event": {**_TEXT_OR_NULL, "description": "The event's code."},
    "match": {**_TEXT_OR_NULL, "description": "The match's code."},
    "house_rules": _object(code=_TEXT, version={**_INTEGER, "minimum": 1}, name=_TEXT),
}
SHEET_ROW: Final = _object(
    **_ABOUT,
    sides=_list(_TEXT, minItems=2, maxItems=2),
    status=_STATUS,
    stopped={**_SWITCH, "description": "Whether time was called."},
    deal_count=_COUNT,
    net=_NET,
    winner=_TEXT_OR_NULL,
    opened_at=_TIME,
    updated_at=_TIME,
)
_SIDE: Final = _object(
    "name players",
    **{
        name: {key: value for key, value in schema.items() if key != "description"}
        for name, schema in openapi.SHEET["properties"]["sides"]["items"]["properties"].items()
    },
)
SHEET: Final = _object(
    **_ABOUT,
    sides=_list(_SIDE, minItems=2, maxItems=2),
    stopped=_SWITCH,
    **{**openapi.ANSWER["properties"], "status": _STATUS},
)

NEW_DEALS: Final = _object(
    "",
    deals=_list(_NEW_DEAL, maxItems=MOST_DEALS),
    stopped={**_SWITCH, "default": False, "description": "Calls time after these deals."},
)
RECEIPT: Final = _object(
    sheet=_TEXT,
    version={**_INTEGER, "minimum": 1, "description": "The sheet's version after this, its ETag."},
    first={**_INTEGER, "nullable": True, "description": "The number of the first deal."},
    count={**_COUNT, "description": "How many deals this brought."},
    status=_STATUS,
    net=_NET,
)
DEAL: Final = _object(number=_NUMBER, version={**_INTEGER, "minimum": 1}, deal=_DEAL, **_BY, reason=_TEXT)
DEAL_VERSIONS: Final = _object(
    number=_NUMBER,
    versions=_list(_object(version={**_INTEGER, "minimum": 1}, deal=_DEAL, **_BY, reason=_TEXT)),
)

NEW_CORRECTION: Final = _object(
    "reason",
    deals={
        "type": "object",
        "additionalProperties": _DEAL,
        "description": "Deals by number; null voids one. Those after the last are added.",
    },
    stopped={**_SWITCH, "description": "Calls time, or takes it back."},
    reason=_REASON,
)
CORRECTION: Final = _object(
    sheet_version=_COUNT,
    **_BY,
    reason=_TEXT,
    stopped=_SWITCH,
    deals=_list(_object(number=_NUMBER, version={**_INTEGER, "minimum": 1}, before=_DEAL, after=_DEAL)),
)

NEW_SIGNATURES: Final = _object(
    "",
    sides=_list(
        {**_TEXT, "description": "The name of a side."},
        minItems=1,
        maxItems=2,
    ),
)
SIGNATURE: Final = _object(
    side=_TEXT,
    sheet_version=_COUNT,
    lapsed={**_SWITCH, "description": "Whether the sheet was changed since."},
    method={"type": "string", "enum": [str(method) for method in SignatureMethod]},
    **_BY,
)
SIGNATURES: Final = _object(version=_COUNT, signatures=_list(SIGNATURE))

NEW_DISPUTE: Final = _object(
    "sentence", sentence=_REASON, side={**_TEXT, "description": "The name of a side."}
)
DISPUTE: Final = _object(
    number={**_INTEGER, "minimum": 1},
    side=_TEXT,
    sheet_version=_COUNT,
    sentence=_TEXT,
    **_BY,
    settlement={**_object(reason=_TEXT, **_BY), "nullable": True},
)
SETTLEMENT: Final = _object("reason", reason=_REASON)

BATCH: Final = _object(
    entries=_list(
        _object(
            "sheet key deals",
            sheet={**_TEXT, "description": "The sheet's code."},
            key={**_KEY, "description": "As the Idempotency-Key of a request of its own."},
            version={**_COUNT, "nullable": True, "description": "As If-Match: the version that was seen."},
            deals=_list(_NEW_DEAL),
            stopped={**_SWITCH, "default": False},
        ),
        minItems=1,
        maxItems=200,
    )
)
OUTCOMES: Final = _object(
    outcomes=_list(
        _object(
            "sheet key status",
            sheet=_TEXT,
            key=_TEXT,
            status={**_INTEGER, "description": "What a request of its own would have been answered with."},
            receipt=RECEIPT,
            problem={"type": "object"},
        )
    )
)

IDEMPOTENCY_KEY: Final = OpenApiParameter(
    "Idempotency-Key",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    required=True,
    description=(
        "A key of the client's own, of up to 200 characters, the same with every retry. The same key and"
        " content is answered as it was the first time; nothing is recorded twice."
    ),
)
OPTIONAL_KEY: Final = OpenApiParameter(
    "Idempotency-Key",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="A key of the client's own: the same key and content is answered as it was the first time.",
)
IF_MATCH: Final = OpenApiParameter(
    "If-Match",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="The version of the sheet that was read, as its ETag or as a bare number; another is 412.",
)

NEW_DEALS_EXAMPLE: Final = OpenApiExample(
    "A knock",
    value={
        "deals": [
            {"hands": [{"kind": "knock", "knocker": "Ann", "knocker_deadwood": 8, "defender_deadwood": 20}]}
        ]
    },
    request_only=True,
)
RECEIPT_EXAMPLE: Final = OpenApiExample(
    "Recorded",
    value={"sheet": "k7wq2mzt4d", "version": 1, "first": 1, "count": 1, "status": "open", "net": 0},
    response_only=True,
    status_codes=["201"],
)
CORRECTION_EXAMPLE: Final = OpenApiExample(
    "A deal mended, another one struck out",
    value={
        "deals": {
            "4": {"hands": [{"kind": "gin", "knocker": "Bob", "defender_deadwood": 31}]},
            "7": None,
        },
        "reason": "Bob had said gin; deal 7 was written twice.",
    },
    request_only=True,
)
BATCH_EXAMPLE: Final = OpenApiExample(
    "A hand at each of two tables",
    value={
        "entries": [
            {
                "sheet": "k7wq2mzt4d",
                "key": "table 1, deal 5",
                "deals": [{"hands": [{"kind": "points", "winner": "Ann", "points": 25}]}],
            },
            {
                "sheet": "r3xh9bnp6v",
                "key": "table 2, deal 3",
                "version": 2,
                "deals": [{"hands": [{"kind": "dead"}]}],
            },
        ]
    },
    request_only=True,
)


def _refusal(title: str, status: int, code: str, detail: str, **place: Any) -> OpenApiExample:
    return OpenApiExample(
        title,
        value=problem_document(status, code, detail, place),
        response_only=True,
        media_type=PROBLEM_TYPE,
        status_codes=[str(status)],
    )


_STALE: Final = _refusal(
    "Changed meanwhile",
    412,
    "stale_version",
    "The sheet was changed meanwhile: it is at version 5, not 4.",
)
_BUSY: Final = _refusal("Busy", 409, "busy", "Somebody else is writing on this sheet. Send the same again.")
RECORDING_REFUSALS: Final = [
    _refusal(
        "A knock over the limit",
        422,
        "illegal_knock",
        "Ann cannot knock with 12: the limit is 10.",
        deal=1,
        hand=1,
        field="knocker_deadwood",
    ),
    _refusal(
        "The key was used before", 422, "key_reused", "This key was used for something else.", field="key"
    ),
    _STALE,
    _BUSY,
]
CORRECTING_REFUSALS: Final = [
    _refusal("Without a reason", 422, "reason_missing", "Say why.", field="reason"),
    _STALE,
    _BUSY,
]
_SIGNATURES: Final = {
    "version": 17,
    "signatures": [
        {
            "side": "Ann",
            "sheet_version": 17,
            "lapsed": False,
            "method": "own",
            "at": "2026-03-06T21:40:00Z",
            "by": "Ann",
        }
    ],
}
SIGNING_EXAMPLES: Final = [
    OpenApiExample("For one side", value={"sides": ["Ann"]}, request_only=True),
    OpenApiExample("Signed", value=_SIGNATURES, response_only=True, status_codes=["201"]),
    _refusal("Still being played", 422, "sheet_open", "A sheet is signed when it has ended."),
    _STALE,
]
_DISPUTE: Final = {
    "number": 1,
    "side": "Bob",
    "sheet_version": 17,
    "sentence": "Deal 9 was an undercut of mine.",
    "at": "2026-03-06T21:45:00Z",
    "by": "Bob",
    "settlement": None,
}
DISPUTE_EXAMPLES: Final = [
    OpenApiExample(
        "In a sentence",
        value={"sentence": "Deal 9 was an undercut of mine.", "side": "Bob"},
        request_only=True,
    ),
    OpenApiExample("Disputed", value=_DISPUTE, response_only=True, status_codes=["201"]),
]
SETTLEMENT_EXAMPLE: Final = OpenApiExample(
    "In a sentence", value={"reason": "Both remember the undercut; deal 9 is corrected."}, request_only=True
)
OUTCOMES_EXAMPLE: Final = OpenApiExample(
    "One recorded, one refused",
    value={
        "outcomes": [
            {
                "sheet": "k7wq2mzt4d",
                "key": "table 1, deal 5",
                "status": 201,
                "receipt": {**RECEIPT_EXAMPLE.value, "version": 5, "first": 5, "net": 25},
            },
            {
                "sheet": "r3xh9bnp6v",
                "key": "table 2, deal 3",
                "status": 412,
                "problem": problem_document(
                    412,
                    "stale_version",
                    "The sheet was changed meanwhile: it is at version 3, not 2.",
                    {},
                ),
            },
        ]
    },
    response_only=True,
    status_codes=["200"],
)


def _told(title: str, value: Any) -> OpenApiExample:
    return OpenApiExample(title, value=value, response_only=True, status_codes=["200"])


def _told_page(title: str, row: Any) -> OpenApiExample:
    return _told(title, {"count": 1, "next": None, "previous": None, "results": [row]})


_ABOUT_EXAMPLE: Final[dict[str, Any]] = {
    "code": "k7wq2mzt4d",
    "label": "R3-T1",
    "version": 4,
    "club": "harbour",
    "event": "t6pmq3wzkr",
    "match": "x2hq7mbn4c",
    "house_rules": {"code": "h7k2mdr9qx", "version": 2, "name": "Ours"},
}
_ENTERED: Final = {"at": "2026-03-06T20:10:00Z", "by": "Bea Lind", "reason": ""}
_KNOCK: Final = {
    "hands": [
        {
            "kind": "knock",
            "knocker": "Ann",
            "defender": "Bob",
            "knocker_deadwood": 8,
            "defender_deadwood": 20,
        }
    ]
}
_GIN: Final = {"hands": [{"kind": "gin", "knocker": "Ann", "defender": "Bob", "defender_deadwood": 20}]}
_MENDED: Final = {
    "at": "2026-03-06T20:30:00Z",
    "by": "Bea Lind",
    "reason": "Ann had said gin.",
}
SHEETS_EXAMPLE: Final = _told(
    "A sheet",
    {
        **_ABOUT_EXAMPLE,
        "sides": ["Ann", "Bob"],
        "status": "open",
        "stopped": False,
        "deal_count": 4,
        "net": 0,
        "winner": None,
        "opened_at": "2026-03-06T18:00:00Z",
        "updated_at": "2026-03-06T20:10:00Z",
    },
)
SHEET_EXAMPLE: Final = _told(
    "A sheet of four deals",
    {
        **_ABOUT_EXAMPLE,
        "sides": [{"name": "Ann", "players": ["Ann"]}, {"name": "Bob", "players": ["Bob"]}],
        "stopped": False,
        **score_document(openapi.SHEET_EXAMPLE),
    },
)
DEALS_EXAMPLE: Final = _told_page("A knock", {"number": 1, "version": 1, "deal": _KNOCK, **_ENTERED})
DEAL_VERSIONS_EXAMPLE: Final = _told(
    "Entered, and corrected",
    {
        "number": 1,
        "versions": [
            {"version": 1, "deal": _KNOCK, **_ENTERED},
            {"version": 2, "deal": _GIN, **_MENDED},
        ],
    },
)
CORRECTIONS_EXAMPLE: Final = _told_page(
    "A deal mended",
    {
        "sheet_version": 5,
        **_MENDED,
        "stopped": False,
        "deals": [{"number": 1, "version": 2, "before": _KNOCK, "after": _GIN}],
    },
)
SIGNATURES_EXAMPLE: Final = _told("One has signed", _SIGNATURES)
DISPUTES_EXAMPLE: Final = _told_page("Still open", _DISPUTE)
SETTLED_EXAMPLE: Final = OpenApiExample(
    "Settled",
    value={
        **_DISPUTE,
        "settlement": {
            "reason": "Both remember the undercut; deal 9 is corrected.",
            "at": "2026-03-06T22:05:00Z",
            "by": "Cid Marlow",
        },
    },
    response_only=True,
    status_codes=["201"],
)


def paging(view: Any = None) -> list[OpenApiParameter]:
    """The parameters of a list's pages; with the view, also those by which its changes are followed."""
    return [
        OpenApiParameter(one["name"], one["schema"], description=one["description"])
        for one in Pages().get_schema_operation_parameters(view)
    ]
