"""Who plays the deals to come, as told ahead, is who plays them on a sheet (RULES §8)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.core.hands import Dead, Points
from scoring.core.rules import Rules
from scoring.core.sheet_state import Deal, players_by_seat
from scoring.core.sheets import RunningSheet, SheetSide
from scoring.core.turns import MOST_TURNS, turns_from

NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay")
BY_HAND = {"captains": {"box_held": "hand"}}


def sheet(preset: str, players: int, **knobs: Any) -> RunningSheet:
    rules = Rules.from_document({"preset": preset, "target": 10_000, **knobs})
    return RunningSheet(rules, [SheetSide(name, (name,)) for name in NAMES[:players]])


# Who wins each deal, of the two who play it; None is a dead hand.
WINS = st.lists(st.sampled_from([0, 1, None]), max_size=8)
GAMES = [
    ("cutthroat", 3, {}),
    ("cutthroat", 4, {}),
    ("cutthroat", 4, {"cutthroat": {"sits_out": "in_turn"}}),
    ("cutthroat", 3, {"cutthroat": {"sitter_deals": False}}),
    ("captains", 3, BY_HAND),
    ("captains", 4, BY_HAND),
]


@pytest.mark.parametrize(("preset", "players", "knobs"), GAMES)
@given(wins=WINS)
def test_turns_are_followed_to_who_plays(
    preset: str, players: int, knobs: dict[str, Any], wins: list[Any]
) -> None:
    played = sheet(preset, players, **knobs)
    assert played.table is not None
    turns = turns_from(played.rules, played.sides, [played.table])
    place: int | None = 0
    for won in wins:
        names = players_by_seat(played.sides, 1)
        pair = [names[seat] for seat in played.table.playing]
        hand = Dead(tuple(pair)) if won is None else Points(pair[won], pair[1 - won], 10)
        played.add(Deal((hand,)))
        assert place is not None
        place = place if won is None else turns[place].after[won]
        assert place is not None
        assert turns[place].table == played.table


def test_of_six_the_nearest_turns_are_told_first() -> None:
    """Any four deals are known ahead: 1 + 2 + 4 + 8 + 16 turns are fewer than are told."""
    played = sheet("captains", 6, **BY_HAND)
    assert played.table is not None
    turns = turns_from(played.rules, played.sides, [played.table])
    assert len(turns) == MOST_TURNS
    reached = {0}
    for _deal in range(5):
        following = {after for place in reached for after in turns[place].after}
        assert None not in following
        reached = {place for place in following if place is not None}
    assert any(None in turn.after for turn in turns)


@pytest.mark.parametrize(("preset", "players"), [("jersey", 3), ("basic_rummy", 5)])
def test_where_all_play_only_the_hand_tells_who_deals_next(preset: str, players: int) -> None:
    played = sheet(preset, players)
    assert played.table is not None
    (turn,) = turns_from(played.rules, played.sides, [played.table])
    assert (turn.table, turn.after) == (played.table, ())
