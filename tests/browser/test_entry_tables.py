"""Sheets of every game for a table of many, typed in the browser as they stand on the printed paper."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.browser.keeper import Keeper
from tests.league.table_cases import drawn, evening, names_at
from tests.pdf_text import texts
from tests.scoring.kinds import slow

FOUR = ("Ann", "Bob", "Cid", "Dee")


def points(winner: str, loser: str, figure: int) -> dict[str, Any]:
    return {"kind": "points", "winner": winner, "loser": loser, "points": figure}


def from_all(winner: str, **figures: int) -> dict[str, Any]:
    return {"kind": "points", "winner": winner, "from": figures}


@dataclass(frozen=True)
class Game:
    """How many play, knobs, and rows with the hands that they are, by the names in order of seats."""

    players: int
    played: Callable[..., dict[str, dict[str, Any]]]
    knobs: dict[str, Any] = field(default_factory=dict)


# The figures of Jersey and rummy are examples of RULES §8.
GAMES: Final = {
    "jersey": Game(
        3,
        lambda a, b, c: {"a 12 20": from_all(a, **{b: 12, c: 20}), "b 28 25": from_all(b, **{c: 28, a: 25})},
    ),
    "cutthroat": Game(3, lambda a, b, c: {"a12": points(a, b, 12), "c17": points(c, a, 17)}),
    "captains": Game(
        3,
        lambda a, b, c: {"a12": points(a, b, 12), "c30": points(c, a, 30)},
        {"captains": {"box_held": "hand"}},
    ),
    "basic_rummy": Game(
        4, lambda a, b, c, d: {"c 31 8 15": {"kind": "out", "winner": c, "left": {d: 31, a: 8, b: 15}}}
    ),
}


@pytest.mark.parametrize("game", GAMES)
def test_a_table_is_printed_typed_and_told(keeper: Keeper, game: str) -> None:
    told, page, club = GAMES[game], keeper.page, keeper.match.event.club
    event = evening(club, FOUR[: told.players], preset=game, knobs=told.knobs)
    (match,) = drawn(event)
    names = names_at(match)
    hands = told.played(*names)
    blank = page.request.get(keeper.url + reverse("blank_sheets_pdf", args=["harbour", "evening", 1])).body()
    assert all(f"signed: {name}" in texts(blank) for name in names)
    keeper.open_sheet(match)
    keeper.type_rows(*hands, "t")
    for row, name in enumerate(("a", "b", "c", "d").index(written[0]) for written in hands):
        keeper.echo_of(row + 1).to_contain_text(names[name])
    keeper.save()
    keeper.says(f"{match.label} is saved.")
    scored = slow.score(
        event.rules.rules, [{"name": name} for name in names], [{"hands": [hand]} for hand in hands.values()]
    )
    match.refresh_from_db()
    assert [net for _place, net, *_more in match.at_table] == [scored.net(name) for name in names]
    page.goto(keeper.url + reverse("round", args=["harbour", "evening", 1]))
    first = max(names, key=scored.net)
    expect(page.locator(".seat-placed").first).to_contain_text(f"1. {first}")
