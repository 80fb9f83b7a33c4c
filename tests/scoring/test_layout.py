"""The score-sheet table: which figure stands in which cell."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.template.loader import render_to_string

from scoring.core.rules import Rules
from scoring.core.sheets import Deal, SheetSide, score_sheet
from scoring.documents.sheets import read_deals
from scoring.documents.sides import read_sides
from scoring.paper.layout import HandLine, NextDeal, SheetTable, sheet_frame, sheet_table
from scoring.templatetags.figures import foot_words, hand_met, hand_words, result_words
from scoring.typing.notation import read_rows

ANN_AND_BOB = [{"name": "Ann"}, {"name": "Bob"}]


def points(winner: str, figure: int, mark: str | None = None) -> dict[str, object]:
    hand = {"kind": "points", "winner": winner, "points": figure}
    return {"hands": [hand | ({"mark": mark} if mark else {})]}


def table(
    *deals: Mapping[str, object] | None,
    order: str = "abab",
    left_side: int = 0,
    stopped: bool = False,
    **knobs: Any,
) -> SheetTable:
    sides = read_sides(ANN_AND_BOB, Rules())
    read = [Deal() if deal is None else read_deals([deal], sides, Rules())[0] for deal in deals]
    rules = Rules.preset("standard", **{"columns": 3, **knobs})
    state = score_sheet(rules, sides, read, stopped=stopped, surplus="keep")
    return sheet_table(state, order=order, left_side=left_side)


def running(shown: SheetTable) -> list[list[int | str | None]]:
    """The cells as they are seen: a figure, nothing, or a hatched cell as x."""
    return [["x" if cell.closed else cell.running for cell in row.cells] for row in shown.rows]


@pytest.mark.parametrize(
    ("order", "left_side", "places"),
    [
        ("abab", 0, "1a 1b 2a 2b 3a 3b"),
        ("abab", 1, "1b 1a 2b 2a 3b 3a"),
        ("aabb", 0, "1a 2a 3a 1b 2b 3b"),
        ("aabb", 1, "1b 2b 3b 1a 2a 3a"),
    ],
)
def test_places_stand_in_the_clubs_order(order: str, left_side: int, places: str) -> None:
    frame = sheet_frame(("Ann", "Bob"), 3, order=order, left_side=left_side)
    assert " ".join(f"{place.column}{'ab'[place.side]}" for place in frame.places) == places
    assert sum(group.span for group in frame.groups) == frame.width == 6


def test_a_new_group_begins_where_its_heading_does() -> None:
    for order, starts in (("abab", [0, 2, 4]), ("aabb", [0, 3])):
        frame = sheet_frame(("Ann", "Bob"), 3, order=order)
        assert [index for index, place in enumerate(frame.places) if place.begins_group] == starts


def test_headings_are_sides_in_a_game_and_games_in_a_side() -> None:
    by_game = sheet_frame(("Eklund", "Castell"), 2)
    assert [short for _, short, _ in by_game.heads] == ["Ekl", "Cas", "Ekl", "Cas"]
    assert [group.numeral for group in by_game.groups] == ["I", "II"]
    by_side = sheet_frame(("Eklund", "Castell"), 2, order="aabb")
    assert [short for _, short, _ in by_side.heads] == ["I", "II", "I", "II"]
    assert [group.name for group in by_side.groups] == ["Eklund", "Castell"]


@pytest.mark.parametrize(
    ("names", "under_games"),
    [
        (("Eklund", "Castell"), ("Eklund", "Castell")),
        (("Eklund", "Papadopoulou"), ("Ekl", "Pap")),
        (("Christensen, P.", "Christensen, K."), ("…P.", "…K.")),
    ],
)
def test_a_result_calls_the_winner_no_longer_than_its_game_is_wide(
    names: tuple[str, str], under_games: tuple[str, str]
) -> None:
    assert sheet_frame(names, 3).names_under_games == under_games


def test_frame_refuses_an_unknown_order() -> None:
    with pytest.raises(ValueError, match="abab, aabb"):
        sheet_frame(("Ann", "Bob"), 3, order="baba")


def test_first_wins_are_entered_as_hollywood_prescribes() -> None:
    """RULES §6: the first win in one column, the second in two, the third in all three."""
    shown = table(points("Ann", 18), points("Bob", 12), points("Ann", 25), points("Ann", 15))
    assert running(shown) == [
        [18, None, None, None, None, None],
        [None, 12, None, None, None, None],
        [43, None, 25, None, None, None],
        [58, None, 40, None, 15, None],
    ]


def test_a_closed_column_is_hatched_from_the_next_deal_on() -> None:
    shown = table(points("Ann", 105), points("Bob", 10), points("Ann", 3))
    assert running(shown) == [
        [105, None, None, None, None, None],
        ["x", "x", None, 10, None, None],
        ["x", "x", 3, None, None, None],
    ]
    closing = [cell for row in shown.rows for cell in row.cells if cell.closes]
    assert [(cell.row, cell.place.column, cell.place.side) for cell in closing] == [(1, 1, 0)]
    assert [row.closes for row in shown.rows] == [(1,), (), ()]


def test_swapping_the_sides_swaps_the_cells() -> None:
    deals = (points("Ann", 60), points("Bob", 70), points("Ann", 50), points("Bob", 40))
    left, right = table(*deals), table(*deals, left_side=1)
    for row, swapped in zip(running(left), running(right), strict=True):
        assert [row[1], row[0], row[3], row[2], row[5], row[4]] == swapped
    assert right.leader_name == left.leader_name


def test_a_row_is_kept_for_dead_void_and_surplus_deals() -> None:
    dead = {"hands": [{"kind": "dead"}]}
    shown = table(points("Ann", 60), dead, None, points("Ann", 60), points("Bob", 9), columns=1)
    assert [row.kind for row in shown.rows] == ["won", "dead", "void", "won", "surplus"]
    assert running(shown)[4] == ["x", "x"]
    assert shown.rows[1].hands[0].side is None


def test_few_words_stand_in_the_row_and_are_not_repeated_below_it() -> None:
    shown = table(points("Ann", 60), {"hands": [{"kind": "dead"}]}, None)
    page = render_to_string("scoring/_sheet.html", {"table": shown})
    assert (page.count("dead hand"), page.count("struck out")) == (1, 1)
    assert page.count("Ann 60") == 2


def test_a_knock_shows_both_counts_and_an_undercut_who_made_it() -> None:
    knock = {"kind": "knock", "knocker": "Ann", "knocker_deadwood": 8, "defender_deadwood": 20}
    undercut = {"kind": "knock", "knocker": "Ann", "knocker_deadwood": 8, "defender_deadwood": 6}
    first, second = (row.hands[0] for row in table({"hands": [knock]}, {"hands": [undercut]}).rows)
    assert isinstance(first, HandLine)
    assert isinstance(second, HandLine)
    assert (first.outcome, first.winner, first.loser, first.counts, first.points) == (
        "knock",
        "Ann",
        "Bob",
        (8, 20),
        12,
    )
    assert (second.outcome, second.winner, second.side, second.counts) == ("undercut", "Bob", 1, (8, 6))


def test_foot_settles_each_game_and_leaves_out_bonuses_nobody_has() -> None:
    shown = table(points("Ann", 112), points("Bob", 20))
    lines = {line.kind: [figure.value for figure in line.figures] for line in shown.foot}
    assert lines == {
        "points": [112, 0, 0, 20, 0, 0],
        "boxes": [1, 0, 0, 1, 0, 0],
        "box_points": [25, 0, 0, 25, 0, 0],
        "game_bonus": [100, 0, 0, 0, 0, 0],
        "shutout_bonus": [100, 0, 0, 0, 0, 0],
        "total": [337, 0, 0, 45, 0, 0],
    }
    assert "shutout_bonus" not in {line.kind for line in table(points("Ann", 9)).foot}
    assert [figure.won for figure in shown.foot[0].figures] == [True, *[False] * 5]


def test_penalties_have_a_line_of_their_own_below_what_was_won() -> None:
    # 40 and 2 for Bob's undercut, and 25 off Ann: her last sum is 15, and the lines add up to the total.
    shown = table(
        points("Ann", 40), points("Bob", 2, "undercut"), columns=1, stopped=True, undercut_penalty="bonus"
    )
    assert running(shown) == [[40, None], [15, 2]]
    lines = {line.kind: [figure.value for figure in line.figures] for line in shown.foot}
    assert lines == {
        "points": [40, 2],
        "penalties": [-25, 0],
        "boxes": [1, 1],
        "box_points": [25, 25],
        "total": [40, 27],
    }
    assert [line.is_bonus for line in shown.foot if line.kind == "penalties"] == [True]
    assert foot_words("penalties") == "penalties"


def test_a_hand_says_what_it_takes_off_the_knocker() -> None:
    knock = {"kind": "knock", "knocker": "Ann", "knocker_deadwood": 8, "defender_deadwood": 6}
    (hand,) = table({"hands": [knock]}, undercut_penalty="all").rows[0].hands
    assert isinstance(hand, HandLine)
    assert (hand.winner, hand.points, hand.boxes, hand.loser, hand.penalty) == ("Bob", 0, 1, "Ann", 27)


def test_an_open_match_of_deals_says_how_many_are_to_go() -> None:
    shown = table(points("Ann", 112), points("Bob", 20), None, columns=1, deals=5)
    (result,) = shown.results
    assert (result.to_go, result.needs, result_words(result)) == (3, (0, 0), "open, 3 deals to go")
    (level,) = table(points("Ann", 30), points("Bob", 30), columns=1, deals=2).results
    assert (level.to_go, result_words(level)) == (None, "level")


def test_results_say_who_won_and_what_an_open_game_needs() -> None:
    first, second, third = table(points("Ann", 112), points("Bob", 20)).results
    assert (first.status, first.winner_name, first.margin, first.span) == ("closed", "Ann", 337, 2)
    assert (second.status, second.winner, second.needs, second.least_needed) == ("open", None, (100, 80), 80)
    assert third.least_needed == 100


def test_results_by_side_are_signed_for_their_block() -> None:
    shown = table(points("Ann", 112), points("Bob", 20), order="aabb")
    assert [(result.column, result.side, result.margin) for result in shown.results] == [
        (1, 0, 337),
        (2, 0, 0),
        (3, 0, 0),
        (1, 1, -337),
        (2, 1, 0),
        (3, 1, 0),
    ]
    assert [result.least_needed for result in shown.results][1:] == [100, 100, 0, 80, 100]


def test_a_result_that_counts_twice_says_so() -> None:
    shown = table(
        points("Ann", 40), points("Ann", 40), points("Ann", 9), stopped=True, last_column_double=True
    )
    assert [result.factor for result in shown.results] == [1, 1, 2]
    assert shown.results[2].margin == 2 * (9 + 25)


def test_net_and_leader_are_the_sheets() -> None:
    shown = table(points("Bob", 30), stopped=True)
    assert (shown.nets, shown.leader, shown.leader_name) == ((-55, 55), 1, "Bob")
    assert table().leader is None


def test_upcards_are_shown_where_they_count() -> None:
    assert not table(points("Ann", 9)).shows_upcards
    assert table(points("Ann", 9), oklahoma="ace_is_one").shows_upcards
    assert table(points("Ann", 9), spades_double=True).shows_upcards


def test_a_teams_line_has_its_row() -> None:
    sides = read_sides(
        [{"name": "We", "players": ["Ann", "Cid"]}, {"name": "They", "players": ["Bob", "Dee"]}],
        Rules(),
    )
    deals = read_deals([{"line": {"winner": "They", "points": 28, "boxes": 2}}], sides, Rules())
    shown = sheet_table(score_sheet(Rules(), sides, deals))
    assert shown.rows[0].hands == ()
    assert [(line.name, line.points, line.boxes) for line in shown.rows[0].lines] == [("They", 28, 2)]
    assert shown.results[0].least_needed == 125 - 28


def test_who_met_whom_is_said_of_a_hand_won_and_of_a_dead_one() -> None:
    won = HandLine("gin", "Ann", "Bob", 0, 55, 1)
    dead = HandLine("dead", "Ann", "Bob", None, 0, 0)
    assert (hand_met(won), hand_met(dead)) == ("v Bob", "(Ann v Bob)")


def test_boxes_of_a_sheet_count_a_win_once_and_those_of_a_game_say_so() -> None:
    found = table(*[points("Ann", 10)] * 3, columns=3, left_side=1)
    (boxes,) = [line for line in found.foot if line.kind == "boxes"]
    # The first win is in one game, the second in two, the third in three.
    assert [figure.value for figure in boxes.figures if figure.place.side == 0] == [3, 2, 1]
    assert found.boxes_once == (("Bob", 0), ("Ann", 3))
    assert (foot_words("boxes"), foot_words("boxes", 3)) == ("boxes", "boxes in the game")


def test_a_sheet_of_three_has_a_column_each_nets_and_who_plays_next() -> None:
    sides = [SheetSide(name, (name,)) for name in ("Ann", "Bob", "Cid")]
    rows = [["a 12 20"], ["b28 c28 u"], ["d"], ["t"]]
    state = read_rows(rows, rules=Rules.preset("jersey"), sides=sides).state
    shown = sheet_table(state, left_side=2)
    assert [short for _place, short, _full in shown.frame.heads] == ["Cid", "Ann", "Bob"]
    assert [hand_words(hand) for row in shown.rows for hand in row.hands] == [
        "Ann 32 (12 Bob, 20 Cid)",
        "Bob undercut 28 (28 Ann), Cid undercut 28 (28 Ann)",
        "dead hand",
    ]
    # Each has a box of 25; each settles with each: 57 to 53 and 53.
    foot = {line.kind: [figure.value for figure in line.figures] for line in shown.foot}
    assert (foot["total"], foot["net"]) == ([53, 57, 53], [-4, 8, -4])
    assert (shown.leader_name, shown.lead, shown.next) == ("Ann", 8, None)
    begun = read_rows([["a12"]], rules=Rules.preset("cutthroat"), sides=sides).state
    assert sheet_table(begun).next == NextDeal(("Ann", "Cid"), ("Bob",), "Bob")
