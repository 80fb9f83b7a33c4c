"""Cutthroat (RULES §8): who plays, who deals, and how three or four settle."""

from itertools import accumulate
from typing import Any

import pytest

from tests.scoring.kinds.paper import figures, lines, table_of, table_sheet, waiting_sheet


def tables(rows: str, seats: int = 3, **knobs: Any) -> list[tuple[str, str, str]]:
    """Who plays, waits and deals: at first, and after every row."""
    played = accumulate(rows.split(), lambda before, row: f"{before} {row}", initial="")
    return [table_of(waiting_sheet("cutthroat", part, seats, target=9999, **knobs)) for part in played]


def test_example_of_the_rules_who_plays_and_deals() -> None:
    # a wins from b: b goes out and deals; c wins from a: a goes out and deals.
    assert tables("a12 c31") == [("ab", "c", "c"), ("ac", "b", "b"), ("cb", "a", "a")]


def test_example_of_the_rules_settled_each_with_each() -> None:
    # a 20+20+20+20+24 = 104 with 5 boxes, b 30+30 = 60 with 2, c nothing.
    answer = waiting_sheet("cutthroat", "a20 a20 b30 b30 a20 a20 a24")
    assert (answer["status"], answer["winner"]) == ("finished", "Ann")
    assert figures(answer, "totals") == (104 + 125 + 100, 60 + 50, 0)
    assert figures(answer, "net") == (219 + 329 + 100, -219 + 110, -(329 + 100) - 110)
    assert figures(answer, "places") == (1, 2, 3)
    assert answer["columns"][0]["result"] == 648
    assert answer["columns"][0]["sides"][0]["shutout_bonus"] == 100


def test_of_four_the_queue_moves_up() -> None:
    # The queue of three: c d, then d b, then b a.
    assert tables("a9 c9", 4) == [("ab", "cd", "d"), ("ac", "db", "b"), ("cd", "ba", "a")]


@pytest.mark.parametrize(
    ("seats", "pairs", "dealers"),
    [
        # Who has just gone out deals; where two have, the first by seat.
        (3, "ab bc ca ab", "c a b c"),
        (4, "ab cd ac bd ad bc ab", "d a d a b a c"),
    ],
)
def test_in_turn_everybody_meets_everybody_whoever_wins(seats: int, pairs: str, dealers: str) -> None:
    rows, order = "", pairs.split()
    for pair in order[:-1]:
        rows += f" {pair[1]}5"
    said = tables(rows, seats, cutthroat={"sits_out": "in_turn"})
    assert [playing for playing, _waiting, _dealer in said] == order
    assert [dealer for _playing, _waiting, dealer in said] == dealers.split()


@pytest.mark.parametrize(
    ("seats", "sits_out", "rows", "dealers"),
    [
        # Who has come in deals to who stays; in the first deal, and of two who come in, the second.
        (3, "loser", "a5 c5", "b c b"),
        (4, "in_turn", "a5 c5 a5 b5 a5 b5", "b d a d a c a"),
    ],
)
def test_who_comes_in_deals_where_the_sitter_does_not(
    seats: int, sits_out: str, rows: str, dealers: str
) -> None:
    said = tables(rows, seats, cutthroat={"sits_out": sits_out, "sitter_deals": False})
    assert [dealer for _playing, _waiting, dealer in said] == dealers.split()


@pytest.mark.parametrize("sits_out", ["loser", "in_turn"])
def test_after_a_dead_hand_and_a_voided_deal_the_same_play_again(sits_out: str) -> None:
    said = tables("a12 d v", cutthroat={"sits_out": sits_out})
    assert said[1] == said[2] == said[3] != said[0]


def test_lines_are_in_the_winners_own_total() -> None:
    assert lines(waiting_sheet("cutthroat", "a12 d c31")) == [[("a", 12, 1)], [], [("c", 31, 1)]]


@pytest.mark.parametrize(("penalty", "won", "taken_off"), [("none", 27, 0), ("bonus", 2, 25), ("all", 0, 27)])
def test_undercut_is_won_or_taken_off_the_knocker(penalty: str, won: int, taken_off: int) -> None:
    knock = {"kind": "knock", "knocker": "Ann", "defender": "Bob"}
    hand = {**knock, "knocker_deadwood": 8, "defender_deadwood": 6}
    answer = table_sheet("cutthroat", [hand], undercut_penalty=penalty, box_bonus=0, stopped=True)
    assert figures(answer, "totals") == (-taken_off, won, 0)
    # Each settles with each: what a has lost b and c win from him, what b has won a and c pay.
    assert figures(answer, "net") == (-2 * taken_off - won, 2 * won + taken_off, taken_off - won)
    assert table_of(table_sheet("cutthroat", [hand], undercut_penalty=penalty))[:2] == ("bc", "a")


def test_who_has_only_penalties_is_shut_out() -> None:
    undercut = {"kind": "knock", "knocker": "Ann", "defender": "Bob", "knocker_deadwood": 8}
    hands = [
        {**undercut, "defender_deadwood": 6},
        {"kind": "points", "winner": "Bob", "loser": "Cid", "points": 98},
    ]
    answer = table_sheet("cutthroat", hands, undercut_penalty="bonus", box_bonus=0)
    # b 2 + 98 + 100 to a −25 and c 0, 100 from each for the shutout.
    assert figures(answer, "net") == (-(225 + 100) - 25, 225 + 100 + 200 + 100, -(200 + 100) + 25)


def test_boxless_losers_pay_the_winner_double_but_nobody_else() -> None:
    knobs: dict[str, Any] = {"double_if_loser_boxless": True, "shutout": "none", "game_bonus": 0}
    answer = waiting_sheet("cutthroat", "a20 a20 b30 b30 a20 a20 a24", **knobs)
    # 229 to 110 to 0: c is boxless, in the pair with a doubled, in that with b not.
    assert figures(answer, "net") == (119 + 2 * 229, -119 + 110, -2 * 229 - 110)


def test_stopped_sheet_has_neither_game_bonus_nor_shutout() -> None:
    answer = waiting_sheet("cutthroat", "a40 c20", stopped=True)
    assert (answer["status"], answer["winner"]) == ("stopped", "Ann")
    assert figures(answer, "totals") == (65, 0, 45)
    assert figures(answer, "net") == (65 + 20, -65 - 45, 45 - 20)


def test_sheet_of_n_deals_goes_to_who_has_most() -> None:
    answer = waiting_sheet("cutthroat", "a40 v d c50", deals=3)
    assert (answer["status"], answer["columns"][0]["closed_by_deal"], answer["winner"]) == (
        "finished",
        4,
        "Cid",
    )
    # c 50 + 25 + 100 to a 40 + 25; b is shut out.
    assert figures(answer, "net") == (-110 + 65, -(175 + 100) - 65, 110 + 175 + 100)


def test_level_after_n_deals_nobody_has_won_the_game() -> None:
    answer = waiting_sheet("cutthroat", "a40 c40", deals=2, double_if_loser_boxless=True)
    assert (answer["status"], answer["winner"]) == ("finished", None)
    assert figures(answer, "net") == (65, -130, 65)
    assert figures(answer, "places") == (1, 3, 1)


def test_open_sheet_has_no_nets_and_places_by_totals() -> None:
    answer = waiting_sheet("cutthroat", "a12 c31")
    assert (answer["status"], answer["winner"]) == ("open", None)
    assert figures(answer, "net") == (0, 0, 0)
    assert figures(answer, "places") == (2, 3, 1)
