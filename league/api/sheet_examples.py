"""Headers, refusals and examples of sheets in the OpenAPI document."""

from typing import Any, Final

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter

from scoring.api.problems import PROBLEM_TYPE, problem_document
from scoring.documents.schemas import SHEET_EXAMPLE
from scoring.documents.sheets import score_document

IDEMPOTENCY_KEY: Final = OpenApiParameter(
    "Idempotency-Key",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    required=True,
    description=(
        "A key chosen by the client, of up to 200 characters, the same for every retry. The same "
        "key and content get the first answer again; nothing is recorded twice."
    ),
)
OPTIONAL_KEY: Final = OpenApiParameter(
    "Idempotency-Key",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="A key chosen by the client: the same key and content get the first answer again.",
)
IF_MATCH: Final = OpenApiParameter(
    "If-Match",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="The version of the sheet that you read, as its ETag or as a bare number; any other is 412.",
)

NEW_DEALS: Final = OpenApiExample(
    "A knock",
    value={
        "deals": [
            {"hands": [{"kind": "knock", "knocker": "Ann", "knocker_deadwood": 8, "defender_deadwood": 20}]}
        ]
    },
    request_only=True,
)
RECEIPT: Final = OpenApiExample(
    "Recorded",
    value={"sheet": "k7wq2mzt4d", "version": 1, "first": 1, "count": 1, "status": "open", "net": 0},
    response_only=True,
    status_codes=["201"],
)
CORRECTION: Final = OpenApiExample(
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
BATCH: Final = OpenApiExample(
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
    _refusal("Without a reason", 422, "reason_missing", "Give a reason.", field="reason"),
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
SIGNING: Final = [
    OpenApiExample("For one side", value={"sides": ["Ann"]}, request_only=True),
    OpenApiExample("Signed", value=_SIGNATURES, response_only=True, status_codes=["201"]),
    _refusal("Still being played", 422, "sheet_open", "A sheet can be signed only when it has ended."),
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
DISPUTE: Final = [
    OpenApiExample(
        "In a sentence",
        value={"sentence": "Deal 9 was an undercut of mine.", "side": "Bob"},
        request_only=True,
    ),
    OpenApiExample("Disputed", value=_DISPUTE, response_only=True, status_codes=["201"]),
]
SETTLEMENT: Final = OpenApiExample(
    "In a sentence", value={"reason": "Both remember the undercut; deal 9 is corrected."}, request_only=True
)
OUTCOMES: Final = OpenApiExample(
    "One recorded, one refused",
    value={
        "outcomes": [
            {
                "sheet": "k7wq2mzt4d",
                "key": "table 1, deal 5",
                "status": 201,
                "receipt": {**RECEIPT.value, "version": 5, "first": 5, "net": 25},
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


_ABOUT: Final[dict[str, Any]] = {
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
SHEETS: Final = _told(
    "A sheet",
    {
        **_ABOUT,
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
NEW_SHEET: Final = OpenApiExample(
    "Three at one table",
    value={
        "club": "harbour",
        "rules": "h7k2mdr9qx",
        "sides": [{"name": "Ann"}, {"name": "Bob"}, {"name": "Cid"}],
        "label": "Table 3",
    },
    request_only=True,
)
OPENED: Final = OpenApiExample(
    "A sheet of three",
    value={
        "code": "r3xh9bnp6v",
        "label": "Table 3",
        "version": 0,
        "club": "harbour",
        "event": None,
        "match": None,
        "house_rules": {"code": "h7k2mdr9qx", "version": 2, "name": "Jersey"},
        "sides": ["Ann", "Bob", "Cid"],
        "status": "open",
        "stopped": False,
        "deal_count": 0,
        "net": 0,
        "nets": [0, 0, 0],
        "winner": None,
        "opened_at": "2026-03-06T18:00:00Z",
        "updated_at": "2026-03-06T18:00:00Z",
    },
    response_only=True,
    status_codes=["201"],
)
SHEET: Final = _told(
    "A sheet of four deals",
    {
        **_ABOUT,
        "sides": [{"name": "Ann", "players": ["Ann"]}, {"name": "Bob", "players": ["Bob"]}],
        "stopped": False,
        **score_document(SHEET_EXAMPLE),
    },
)
DEALS: Final = _told("A knock", {"number": 1, "version": 1, "deal": _KNOCK, **_ENTERED})
DEAL_VERSIONS: Final = _told(
    "Entered, and corrected",
    {
        "number": 1,
        "versions": [
            {"version": 1, "deal": _KNOCK, **_ENTERED},
            {"version": 2, "deal": _GIN, **_MENDED},
        ],
    },
)
CORRECTIONS: Final = _told(
    "A deal mended",
    {
        "sheet_version": 5,
        **_MENDED,
        "stopped": False,
        "deals": [{"number": 1, "version": 2, "before": _KNOCK, "after": _GIN}],
    },
)
SIGNATURES: Final = _told("One has signed", _SIGNATURES)
DISPUTES: Final = _told("Still open", _DISPUTE)
SETTLED: Final = OpenApiExample(
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
