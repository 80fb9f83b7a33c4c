"""Sheets as JSON (INTERFACES §2): the contract's example, what may be left out, round trips."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.core.errors import ScoringError
from scoring.core.hands import BigGin, Dead, Gin, Knock, Outcome, Points
from scoring.core.rules import Rules
from scoring.core.sheets import VOID, Deal, SheetSide, TeamLine, score_sheet
from scoring.documents.sheets import DealReader, deal_document, parse_document, score_document
from scoring.documents.sides import read_sides
from tests.refusals import refuses
from tests.scoring.paper import ANN_AND_BOB, WE_AND_THEY
from tests.scoring.strategies import json_documents, sheets

EXAMPLE: dict[str, Any] = {
    "rules": {"preset": "standard", "columns": 3, "target": 100},
    "sides": [{"name": "Ann"}, {"name": "Bob"}],
    "deals": [
        {"hands": [{"kind": "knock", "knocker": "Ann", "knocker_deadwood": 8, "defender_deadwood": 20}]},
        {"hands": [{"kind": "gin", "knocker": "Bob", "defender_deadwood": 31, "upcard": "7S"}]},
        {"hands": [{"kind": "points", "winner": "Ann", "points": 25}]},
        {"hands": [{"kind": "dead"}]},
    ],
    "stopped": False,
}


def column_side(name: str, points: int, boxes: int, entries: list[tuple[int, int, int]]) -> dict[str, Any]:
    return {
        "name": name,
        "points": points,
        "boxes": boxes,
        "box_points": 25 * boxes,
        "game_bonus": 0,
        "shutout_bonus": 0,
        "total": points + 25 * boxes,
        "entries": [{"deal": deal, "points": made, "running": running} for deal, made, running in entries],
    }


def test_example_of_the_contract() -> None:
    # Ann 20-8=12 in I; Bob 31+25=56 in I; Ann 25 in I (12+25=37) and II.
    open_column = {"status": "open", "winner": None, "closed_by_deal": None, "result": 0}
    assert score_document(EXAMPLE) == {
        "rules": Rules.preset("standard", columns=3, target=100).to_document(),
        "deals": [
            {
                "number": 1,
                "hands": [{"outcome": "knock", "winner": "Ann", "points": 12, "boxes": 1}],
                "lines": [{"side": "Ann", "points": 12, "boxes": 1, "columns": [1]}],
            },
            {
                "number": 2,
                "hands": [{"outcome": "gin", "winner": "Bob", "points": 56, "boxes": 1}],
                "lines": [{"side": "Bob", "points": 56, "boxes": 1, "columns": [1]}],
            },
            {
                "number": 3,
                "hands": [{"outcome": "points", "winner": "Ann", "points": 25, "boxes": 1}],
                "lines": [{"side": "Ann", "points": 25, "boxes": 1, "columns": [1, 2]}],
            },
            {
                "number": 4,
                "hands": [{"outcome": "dead", "winner": None, "points": 0, "boxes": 0}],
                "lines": [],
            },
        ],
        "columns": [
            {
                "number": 1,
                **open_column,
                "sides": [
                    column_side("Ann", 37, 2, [(1, 12, 12), (3, 25, 37)]),
                    column_side("Bob", 56, 1, [(2, 56, 56)]),
                ],
            },
            {
                "number": 2,
                **open_column,
                "sides": [column_side("Ann", 25, 1, [(3, 25, 25)]), column_side("Bob", 0, 0, [])],
            },
            {
                "number": 3,
                **open_column,
                "sides": [column_side("Ann", 0, 0, []), column_side("Bob", 0, 0, [])],
            },
        ],
        "status": "open",
        "winner": None,
        "totals": {"Ann": 37 + 50 + 25 + 25, "Bob": 56 + 25},
        "net": {"Ann": 0, "Bob": 0},
        "columns_won": {"Ann": 0, "Bob": 0},
    }


def test_sheet_needs_nothing_but_its_sides() -> None:
    answer = score_document({"sides": [{"name": "Ann"}, {"name": "Bob"}]})
    assert (answer["status"], answer["deals"], len(answer["columns"])) == ("open", [], 1)
    assert answer["rules"] == Rules().to_document()


def test_stopped_and_surplus_are_read() -> None:
    deals = [{"hands": [{"kind": "points", "winner": "Ann", "points": 60}]}] * 3
    sheet = {"sides": EXAMPLE["sides"], "deals": deals}
    assert score_document({**sheet, "deals": deals[:1], "stopped": True})["status"] == "stopped"
    assert score_document({**sheet, "surplus": "keep"})["deals"][2]["counted"] is False
    with refuses(ScoringError, "sheet_finished", deal=3):
        score_document(sheet)


A, B = "Ann", "Bob"
READ = [
    ({"kind": "knock", "knocker": A, "knocker_deadwood": 8, "defender_deadwood": 20}, Knock(A, B, 8, 20)),
    ({"kind": "knock", "knocker": B, "knocker_deadwood": 0, "defender_deadwood": 98}, Knock(B, A, 0, 98)),
    (
        {"kind": "knock", "knocker": B, "defender": A, "knocker_deadwood": 0, "defender_deadwood": 0},
        Knock(B, A, 0, 0),
    ),
    ({"kind": "gin", "knocker": A, "defender_deadwood": 31}, Gin(A, B, 31)),
    ({"kind": "gin", "knocker": A, "defender_deadwood": 31, "knocker_deadwood": 0}, Gin(A, B, 31)),
    ({"kind": "gin", "knocker": A, "defender_deadwood": 31, "upcard": "10♦"}, Gin(A, B, 31, "TD")),
    ({"kind": "gin", "knocker": A, "defender_deadwood": 31, "upcard": None}, Gin(A, B, 31)),
    ({"kind": "big_gin", "knocker": B, "defender_deadwood": 5, "knocker_deadwood": 0}, BigGin(B, A, 5)),
    ({"kind": "points", "winner": A, "points": 0}, Points(A, B, 0)),
    ({"kind": "points", "winner": A, "loser": B, "points": 9999}, Points(A, B, 9999)),
    ({"kind": "points", "winner": A, "points": 44, "mark": "gin"}, Points(A, B, 44, Outcome.GIN)),
    ({"kind": "points", "winner": A, "points": 44, "mark": None}, Points(A, B, 44)),
    ({"kind": "dead"}, Dead((A, B))),
    ({"kind": "dead", "upcard": "as"}, Dead((A, B), "AS")),
    ({"kind": "dead", "knocker": B}, Dead((B, A))),
    ({"kind": "dead", "defender": B}, Dead((A, B))),
    ({"kind": "dead", "knocker": B, "defender": A}, Dead((B, A))),
]


@pytest.mark.parametrize(("document", "hand"), READ)
def test_hand_is_read(document: dict[str, Any], hand: Any) -> None:
    assert DealReader(ANN_AND_BOB, Rules()).read({"hands": [document]}) == Deal((hand,))


def test_deal_of_teams_is_read() -> None:
    deal = {
        "hands": [
            {"kind": "gin", "knocker": "Tom", "defender": "Wes", "defender_deadwood": 9},
            {"kind": "dead", "knocker": "Wim", "defender": "Ted"},
        ]
    }
    expected = Deal((Gin("Tom", "Wes", 9), Dead(("Wim", "Ted"))))
    assert DealReader(WE_AND_THEY, Rules()).read(deal) == expected


@pytest.mark.parametrize(
    ("document", "deal"),
    [
        ({"line": {"winner": "We", "points": 28}}, Deal(line=TeamLine("We", 28, 1))),
        ({"line": {"winner": "They", "points": 0, "boxes": 3}}, Deal(line=TeamLine("They", 0, 3))),
        ({"hands": None, "line": {"winner": "We", "points": 28}}, Deal(line=TeamLine("We", 28, 1))),
        (None, VOID),
    ],
)
def test_line_of_a_team_and_a_voided_deal_are_read(document: Any, deal: Deal) -> None:
    assert DealReader(WE_AND_THEY, Rules()).read(document) == deal


@pytest.mark.parametrize(
    ("document", "side"),
    [
        ({"name": "Ann"}, SheetSide("Ann", ("Ann",))),
        ({"name": "Ann", "players": None}, SheetSide("Ann", ("Ann",))),
        ({"name": "Red", "players": ["Ann"]}, SheetSide("Red", ("Ann",))),
        ({"name": "x" * 80}, SheetSide("x" * 80, ("x" * 80,))),
        ({"name": "Zoë O’Neil-Łuk"}, SheetSide("Zoë O’Neil-Łuk", ("Zoë O’Neil-Łuk",))),
        # A space that does not break, and the joiner that Persian names are written with.
        ({"name": "Anne\u00a0Lee"}, SheetSide("Anne\u00a0Lee", ("Anne\u00a0Lee",))),
        ({"name": "علی\u200cرضا"}, SheetSide("علی\u200cرضا", ("علی\u200cرضا",))),
    ],
)
def test_side_is_read(document: dict[str, Any], side: SheetSide) -> None:
    players = {"name": "Other", "players": ["Other"]}
    assert read_sides([document, players], Rules())[0] == side


def test_side_has_up_to_12_players() -> None:
    first, second = read_sides(
        [{"name": side, "players": [f"{side}{number}" for number in range(12)]} for side in "AB"],
        Rules(),
    )
    assert len(first.players) == len(second.players) == 12


@given(sheets())
def test_deal_document_reads_back_as_the_same_deal(sheet: Any) -> None:
    rules, sides, deals = sheet
    reader = DealReader(sides, rules)
    for deal in deals:
        document = deal_document(deal)
        assert reader.read(json.loads(json.dumps(document))) == deal
        assert (document is None) == deal.is_void


def document_of(sheet: Any) -> dict[str, Any]:
    rules, sides, deals = sheet
    return {
        "rules": rules.to_document(),
        "sides": [{"name": side.name, "players": list(side.players)} for side in sides],
        "deals": [deal_document(deal) for deal in deals],
        "surplus": "keep",
    }


@given(sheets(), st.booleans())
def test_document_scores_as_the_sheet_does(sheet: Any, stopped: bool) -> None:
    document = json.loads(json.dumps({**document_of(sheet), "stopped": stopped}))
    answer = score_document(document)
    assert answer == score_sheet(*sheet, stopped=stopped, surplus="keep").to_document()
    assert json.loads(json.dumps(answer)) == answer


@given(sheets())
def test_rules_of_an_answer_score_the_same_again(sheet: Any) -> None:
    document = document_of(sheet)
    answer = score_document(document)
    assert score_document({**document, "rules": answer["rules"]}) == answer


# Any JSON either scores or is refused


def answer_of(call: Callable[[Any], Any], argument: Any) -> Any:
    """What the call returns, or the refusal it raises; any other error is a failure."""
    try:
        return call(argument)
    except ScoringError as error:
        return error


def scores_or_refuses(document: Any) -> None:
    before = repr(document)
    answer = answer_of(score_document, document)
    if isinstance(answer, ScoringError):
        assert answer.code
        assert 0 < len(str(answer)) < 800
        (str(answer) + str(answer.field)).encode()
    else:
        json.dumps(answer, allow_nan=False)
    assert repr(document) == before


@given(json_documents())
def test_any_json_scores_or_is_refused(document: Any) -> None:
    scores_or_refuses(document)


@given(st.data(), sheets(most=4), json_documents())
def test_any_sheet_with_something_odd_in_it_scores_or_is_refused(
    data: st.DataObject, sheet: Any, odd: Any
) -> None:
    document = document_of(sheet)
    places = list(places_in(document))
    container, key = data.draw(st.sampled_from(places))
    match data.draw(st.sampled_from(["replace", "remove", "add"])):
        case "replace":
            container[key] = odd
        case "remove":
            del container[key]
        case "add" if isinstance(container, dict):
            container[data.draw(st.text(max_size=5))] = odd
        case _:
            container.append(odd)
    scores_or_refuses(document)


def places_in(document: Any) -> Any:
    """Every (container, key) of a document."""
    for key, value in list(document.items() if isinstance(document, dict) else enumerate(document)):
        yield document, key
        if isinstance(value, dict | list):
            yield from places_in(value)


# From bytes


@given(st.binary(max_size=200))
def test_any_bytes_are_json_or_refused(data: bytes) -> None:
    answer = answer_of(parse_document, data)
    if isinstance(answer, ScoringError):
        assert answer.code == "not_json"
    else:
        assert answer == json.loads(data)


def test_json_may_start_with_a_byte_order_mark() -> None:
    assert parse_document(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}


def test_a_pair_of_surrogates_is_a_character() -> None:
    assert parse_document(rb'{"a": "\ud83c\udca1"}') == {"a": "\N{PLAYING CARD ACE OF SPADES}"}


@pytest.mark.parametrize(
    ("data", "code", "words"),
    [
        (b"", "not_json", "line 1, column 1"),
        (b"{", "not_json", "line 1, column 2"),
        (b'{"a": 1}\n,', "not_json", "line 2, column 1"),
        (b"\xff\xfe\x00\x01", "not_json", "UTF-8"),
        (b'{"a": NaN}', "not_json", "NaN"),
        (b'{"a": -Infinity}', "not_json", "-Infinity"),
        (b'{"a": [-1e999]}', "not_json", "-1e999"),
        (b'{"a": 1, "b": {"c": 1, "d": 2, "c": 1}}', "not_json", "“c” stands twice"),
        (rb'{"a": ["\ud800"]}', "not_json", "surrogate"),
        (rb'{"a": {"\udC00b": 1}}', "not_json", "surrogate"),
        (b"[" * 100_000, "not_json", "nested"),
        (b'{"a":' * 100_000, "not_json", "nested"),
        (b"1" * 5000, "not_json", "digits"),
        (b" " * 2_500_001, "too_large", "2,500,000 bytes"),
    ],
    ids=[
        "nothing",
        "cut off",
        "two documents",
        "not text",
        "NaN",
        "infinity",
        "overflow",
        "twice",
        "half a text",
        "half a name",
        "lists",
        "objects",
        "number",
        "size",
    ],
)
def test_bytes_are_refused_with_a_sentence(data: bytes, code: str, words: str) -> None:
    with refuses(ScoringError, code) as refused:
        parse_document(data)
    assert words in str(refused.value.message)
