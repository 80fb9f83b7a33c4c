"""Worked examples of house rules; the figures are those of RULES §4 to §7, or worked out beside each case."""

from typing import Any

import pytest
from hypothesis import given

from scoring.core.hands import BigGin, Knock, Outcome
from scoring.core.rule_examples import (
    MOST_DEALS,
    hand_examples,
    limit_examples,
    sheet_example,
    shutout_example,
    team_examples,
)
from scoring.core.rules import Rules
from scoring.core.sheets import score_sheet
from scoring.core.table_examples import table_hand_examples, table_sheet_example
from scoring.words.knob_words import GIN_PRESET_WORDS, PRESET_WORDS
from tests.scoring.strategies import rules as any_rules

NAMES = ("Ada", "Ben")


def scores(rules: Rules) -> dict[Outcome, list[int]]:
    """The points of the examples by how the hand ended."""
    found: dict[Outcome, list[int]] = {}
    for example in hand_examples(rules):
        found.setdefault(example.score.outcome, []).append(example.score.points)
    return found


def test_what_is_taken_off_stands_in_the_examples() -> None:
    # 8-6 and 8-8; the bonus of 25 is a penalty.
    examples = hand_examples(Rules(undercut_penalty="bonus"))
    undercuts = [each.score for each in examples if each.score.outcome is Outcome.UNDERCUT]
    assert [(score.points, score.penalty) for score in undercuts] == [(2, 25), (0, 25)]


@pytest.mark.parametrize(
    ("preset", "overrides", "expected"),
    [
        # S3: 4 against 27 is 23. S1: 8 against 6 is an undercut of 27; 8 against 8 of 25. 35 + 25, 35 + 31.
        # S1: nothing left and gin not said is a knock, 20 against nothing.
        (
            "standard",
            {},
            {
                Outcome.KNOCK: [23, 20],
                Outcome.GIN: [60],
                Outcome.BIG_GIN: [66],
                Outcome.UNDERCUT: [27, 25],
                Outcome.DEAD: [0],
            },
        ),
        # S4: 35 + 20; 2 + 10; a tie is 10; nothing left is gin, 20 + 20.
        (
            "continental",
            {},
            {Outcome.KNOCK: [23], Outcome.GIN: [55, 40], Outcome.UNDERCUT: [12, 10], Outcome.DEAD: [0]},
        ),
        # S0: gin only.
        ("gin_only", {}, {Outcome.GIN: [60], Outcome.BIG_GIN: [66], Outcome.DEAD: [0]}),
        # S1: a spade doubles the whole, (35 + 25) × 2.
        (
            "oklahoma",
            {},
            {
                Outcome.KNOCK: [23, 20],
                Outcome.GIN: [60, 120],
                Outcome.BIG_GIN: [66],
                Outcome.UNDERCUT: [27, 25],
                Outcome.DEAD: [0],
            },
        ),
        # A tie is dead where it is no undercut; with nothing left the defender has 8 - 0 + 25.
        (
            "tournament",
            {"undercut_on_tie": False, "extra_boxes": {"gin_off": 1}},
            {
                Outcome.KNOCK: [23],
                Outcome.GIN: [60, 45],
                Outcome.UNDERCUT: [27],
                Outcome.GIN_OFF: [33],
                Outcome.DEAD: [0, 0],
            },
        ),
    ],
)
def test_hands_are_worth_what_the_rules_say(
    preset: str, overrides: dict[str, Any], expected: dict[Outcome, list[int]]
) -> None:
    assert scores(Rules.preset(preset, **overrides)) == expected


def test_upcards_set_the_limit_where_oklahoma_is_played() -> None:
    # S2: an ace means 1; S0, S1: it means gin. A court card counts 10, the limit of the rules may be lower.
    assert [each.limit for each in limit_examples(Rules(oklahoma="ace_is_one"))] == [10, 7, 4, 1]
    assert [each.limit for each in limit_examples(Rules(oklahoma="ace_is_gin", knock_limit=5))] == [
        5,
        5,
        4,
        0,
    ]
    assert limit_examples(Rules()) == ()


def test_big_gin_and_knocks_are_left_out_where_they_are_not_played() -> None:
    results = [example.result for example in hand_examples(Rules.preset("gin_only", big_gin_bonus=None))]
    assert not [result for result in results if isinstance(result, (Knock, BigGin))]


def test_teams_are_scored_as_the_rules_have_it() -> None:
    """RULES §7: both win, 16 and 12, is 28; one each, 7 and 13, is 6 for the other team."""
    both, each = team_examples(Rules(), ("North", "South"))
    assert [(line.side, line.points) for line in both.deals[0].lines] == [("North", 28)]
    assert [(line.side, line.points) for line in each.deals[0].lines] == [("South", 6)]
    _both, summed = team_examples(Rules(team_scoring="sum"), ("North", "South"))
    assert [(line.side, line.points) for line in summed.deals[0].lines] == [("North", 7), ("South", 13)]


@pytest.mark.parametrize(
    ("preset", "result"),
    [
        # Two hands of 40 + 25: 130, two boxes 50, the game 100, the shutout 100 more.
        ("standard", 380),
        # The whole total again: (130 + 50 + 100) × 2.
        ("classic", 560),
        # 60 a hand: 120 and nothing else.
        ("online", 130),
        # 120 + 40 + 100 + 100, doubled against no box.
        ("continental", 720),
    ],
)
def test_a_shutout_is_settled_as_the_preset_has_it(preset: str, result: int) -> None:
    (column,) = shutout_example(Rules.preset(preset, columns=3), NAMES).columns
    assert (column.winner, column.result, column.sides[1].total) == ("Ada", result, 0)


@pytest.mark.parametrize("preset", GIN_PRESET_WORDS)
@pytest.mark.parametrize("columns", [1, 3])
def test_a_sheet_is_played_to_its_end_and_both_win_something(preset: str, columns: int) -> None:
    state = sheet_example(Rules.preset(preset, columns=columns), NAMES)
    assert state.status == "finished"
    assert all(state.boxes)


NAMES_AT_A_TABLE = ("Ada", "Ben", "Cleo", "Dan")


@pytest.mark.parametrize("preset", sorted(PRESET_WORDS.keys() - GIN_PRESET_WORDS.keys()))
def test_sheets_of_other_kinds_are_played_to_their_end_and_are_the_scorer_s(preset: str) -> None:
    rules = Rules.preset(preset)
    state = table_sheet_example(rules, NAMES_AT_A_TABLE)
    assert state.status == "finished"
    assert sum(state.nets) == 0
    assert score_sheet(rules, state.sides, [deal.deal for deal in state.deals]) == state


def test_hands_of_jersey_and_rummy_are_those_of_rules_8() -> None:
    # 12 + 20; 43 + 51; the undercut 3 + 25 from the knocker, 30 - 5 from the third.
    jersey = table_hand_examples(Rules.preset("jersey"), NAMES_AT_A_TABLE)
    points = {score.outcome: [gain.points for gain in score.gains] for _hand, score in jersey}
    assert (points[Outcome.KNOCK], points[Outcome.GIN]) == ([32], [94])
    (undercut, *_others) = [score for _hand, score in jersey if score.outcome is Outcome.UNDERCUT]
    assert [gain.points for gain in undercut.gains] == [28 + 25]
    # 31 + 8 + 15, and double.
    rummy = table_hand_examples(Rules.preset("basic_rummy"), NAMES_AT_A_TABLE)
    assert [gain.points for _hand, score in rummy for gain in score.gains] == [54, 108]
    assert table_hand_examples(Rules.preset("cutthroat"), NAMES_AT_A_TABLE) == ()


def test_a_sheet_of_deals_has_as_many() -> None:
    state = sheet_example(Rules(deals=6), NAMES)
    assert (state.status, len(state.deals)) == ("finished", 6)
    assert len(shutout_example(Rules(deals=6), NAMES).deals) == 6


def test_a_sheet_that_is_long_in_coming_is_stopped() -> None:
    state = sheet_example(Rules(target=10_000), NAMES)
    assert (state.status, len(state.deals)) == ("stopped", MOST_DEALS)


@given(rules=any_rules())
def test_every_rules_have_examples_and_they_are_the_scorer_s(rules: Rules) -> None:
    assert hand_examples(rules)
    state = sheet_example(rules, NAMES)
    again = score_sheet(
        rules, state.sides, [deal.deal for deal in state.deals], stopped=state.status == "stopped"
    )
    assert again == state
    (column,) = shutout_example(rules, NAMES).columns
    assert column.winner == "Ada"
    assert len(team_examples(rules, ("North", "South"))) == 2
