"""How fast a sheet is scored, measured by the parsing of the request that brings it."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from scoring.core.rules import Rules
from scoring.core.sheets import score_sheet
from scoring.documents.sheets import read_deals, score_document
from scoring.documents.sides import read_sides
from tests.bench.registry import Figure, bench, best_of

_HANDS: Final[list[dict[str, Any]]] = [
    {"kind": "knock", "knocker": "Ann", "knocker_deadwood": 8, "defender_deadwood": 20},
    {"kind": "gin", "knocker": "Bob", "defender_deadwood": 31, "upcard": "7S"},
    {"kind": "points", "winner": "Ann", "points": 25},
    {"kind": "dead"},
    {"kind": "knock", "knocker": "Bob", "knocker_deadwood": 8, "defender_deadwood": 6},
    {"kind": "knock", "knocker": "Ann", "knocker_deadwood": 3, "defender_deadwood": 21},
    {"kind": "points", "winner": "Bob", "points": 12, "mark": "knock"},
    {"kind": "gin", "knocker": "Ann", "defender_deadwood": 17},
    {"kind": "knock", "knocker": "Bob", "knocker_deadwood": 1, "defender_deadwood": 30},
    {"kind": "knock", "knocker": "Ann", "knocker_deadwood": 10, "defender_deadwood": 24},
]


def hollywood_request() -> dict[str, Any]:
    """Ten deals on three columns, some of which close."""
    return {
        "rules": {"preset": "standard", "columns": 3, "target": 100},
        "sides": [{"name": "Ann"}, {"name": "Bob"}],
        "deals": [{"hands": [hand]} for hand in _HANDS],
        "stopped": False,
    }


@bench()
def score_a_sheet() -> list[Figure]:
    request = hollywood_request()
    text = json.dumps(request)
    rules = Rules.from_document(request["rules"])
    sides = read_sides(request["sides"], rules)
    deals = read_deals(request["deals"], sides, rules)
    assert len(score_sheet(rules, sides, deals).deals) == 10

    parsing, scoring, whole = best_of(
        lambda: json.loads(text),
        lambda: score_sheet(rules, sides, deals),
        lambda: score_document(request),
        rounds=60,
        times=20,
    )
    return [
        Figure(
            "score_sheet on parsed input, by json.loads of its ten-deal request", scoring / parsing, "×", 20
        ),
        Figure("reading, scoring and answering the same request", whole / parsing, "×"),
        Figure("json.loads of the request", parsing * 1e6, "µs"),
        Figure("score_sheet", scoring * 1e6, "µs"),
    ]


_HANDS_OF_A_LONG_SHEET: Final = 100
_PLAYERS: Final = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay")


def _long_request(preset: str, players: tuple[str, ...], hand: Callable[[int], Any]) -> dict[str, Any]:
    """A sheet of 100 won hands that does not end."""
    return {
        "rules": {"preset": preset, "target": 10_000},
        "sides": [{"name": name} for name in players],
        "deals": [{"hands": [hand(number)]} for number in range(_HANDS_OF_A_LONG_SHEET)],
    }


def _knock(number: int) -> dict[str, Any]:
    return {"kind": "knock", "knocker": "Ann", "knocker_deadwood": number % 8, "defender_deadwood": 30}


def _out(number: int) -> dict[str, Any]:
    winner = _PLAYERS[number % 6]
    left = {player: 7 + number % 40 for player in _PLAYERS if player != winner}
    return {"kind": "out", "winner": winner, "left": left, "rummy": number % 9 == 0}


@bench()
def score_six_sides() -> list[Figure]:
    requests = (_long_request("standard", _PLAYERS[:2], _knock), _long_request("basic_rummy", _PLAYERS, _out))
    calls: list[Callable[[], object]] = []
    for request in requests:
        rules = Rules.from_document(request["rules"])
        sides = read_sides(request["sides"], rules)
        deals = read_deals(request["deals"], sides, rules)
        assert [len(deal.lines) for deal in score_sheet(rules, sides, deals).deals] == [1] * len(deals)
        calls += [partial(score_sheet, rules, sides, deals), partial(score_document, request)]
    two, two_whole, six, six_whole = best_of(*calls, rounds=30, times=5)
    return [
        Figure("100 hands of six by a line of two", six / two, "×", 3),
        Figure("reading, scoring and answering them", six_whole / two_whole, "×", 3),
        Figure("score_sheet of 100 hands of two", two * 1e6, "µs"),
        Figure("score_sheet of 100 hands of six", six * 1e6, "µs"),
    ]
