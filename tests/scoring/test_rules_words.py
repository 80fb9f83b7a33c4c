"""House rules in sentences: every value of every knob says something of its own; what is no rule."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from scoring.core.rule_differences import SINGLE_KNOBS, differences
from scoring.core.rules import CHOICES, PRESETS, SWITCHES, Rules
from scoring.words.example_words import worked_examples
from scoring.words.knob_words import PRESET_WORDS, change_words, value_words
from scoring.words.knobs import GROUPS, KNOBS, is_in_force, knob_sentence, knob_sentences
from scoring.words.misconceptions import not_rules_here
from tests.scoring.strategies import rules as any_rules

# Under these every knob is in force.
ALL_IN_FORCE = Rules(spades_double=True, shutout="flat", columns=3)


def test_every_knob_stands_once_in_a_group_and_has_words() -> None:
    grouped = [knob for _title, knobs in GROUPS for knob in knobs]
    assert sorted(grouped) == sorted(SINGLE_KNOBS)
    assert {name: tuple(knob.choices) for name, knob in KNOBS.items() if knob.choices} == CHOICES
    assert PRESET_WORDS.keys() == PRESETS.keys()


@pytest.mark.parametrize("knob", SINGLE_KNOBS)
def test_every_knob_can_be_in_force_and_says_what_it_means(knob: str) -> None:
    assert is_in_force(ALL_IN_FORCE, knob)
    assert knob_sentence(ALL_IN_FORCE, knob).endswith(".")


@pytest.mark.parametrize("knob", [*CHOICES, *SWITCHES])
def test_every_choice_has_a_sentence_of_its_own(knob: str) -> None:
    values: tuple[Any, ...] = CHOICES.get(knob, (True, False))
    said = set()
    for value in values:
        changes: dict[str, Any] = {knob: value}
        if value == "elder_eleven":
            changes["spades_double"] = False
        said.add(knob_sentence(replace(ALL_IN_FORCE, **changes), knob))
    assert len(said) == len(values)


@pytest.mark.parametrize(
    ("knob", "value"),
    [
        ("knock_limit", 7),
        ("gin_bonus", 31),
        ("big_gin_bonus", 77),
        ("undercut_bonus", 13),
        ("target", 250),
        ("team_target", 333),
        ("game_bonus", 66),
        ("box_bonus", 15),
        ("shutout_amount", 88),
        ("columns", 5),
        ("sweep_boxes", 4),
    ],
)
def test_a_figure_stands_in_its_sentence(knob: str, value: int) -> None:
    changed: dict[str, Any] = {knob: value}
    assert str(value) in knob_sentence(replace(ALL_IN_FORCE, **changed), knob)


@pytest.mark.parametrize(
    ("changed", "idle"),
    [
        ({"knock_limit": 0}, {"oklahoma", "zero_knock", "undercut_bonus", "undercut_on_tie"}),
        ({"big_gin_bonus": None}, {"extra_boxes_big_gin"}),
        ({"spades_double": False}, {"spades_double_boxes"}),
        ({"box_bonus": 0}, {"box_credit"}),
        ({"shutout": "none"}, {"shutout_amount"}),
        ({"columns": 1}, {"last_column_double"}),
    ],
)
def test_a_knob_without_effect_says_so(changed: dict[str, Any], idle: set[str]) -> None:
    said = knob_sentences(replace(ALL_IN_FORCE, **changed))
    found = {knob for knob, sentence in said.items() if sentence.startswith("Not in force: ")}
    assert idle <= found
    assert found - idle <= {"extra_boxes_undercut", "extra_boxes_gin_off"}


def test_changes_are_told_by_their_titles() -> None:
    changes = change_words(differences(Rules(), Rules(undercut_bonus=10, big_gin_bonus=None)))
    assert [(str(one.title), str(one.before), str(one.after)) for one in changes] == [
        ("Big gin", "31", "not played"),
        ("Undercut", "25", "10"),
    ]
    assert str(value_words("undercut_on_tie", False)) == "no"


@pytest.mark.parametrize(
    ("rules", "said", "unsaid"),
    [
        # RULES §10, by the club's own values.
        (
            Rules(),
            ["Laying off before the knock", "Aces high", "An undercut of 10: it is 25 here.", "10 or less"],
            ["Big gin"],
        ),
        (Rules(), ["A game of 50: it goes to 100 here."], []),
        (Rules(target=50), ["A game of 100: it goes to 50 here."], ["A game of 50"]),
        (
            Rules.preset("continental"),
            ["An undercut of 25: it is 10 here.", "Runs round the corner", "Big gin"],
            ["Aces high"],
        ),
        (Rules.preset("gin_only"), ["nobody knocks here"], ["undercut", "10 or less", "Oklahoma"]),
        (Rules.preset("oklahoma"), [], ["Oklahoma"]),
        (Rules(gin_bonus=30), ["Gin for 20 or 25: it is 30 here."], []),
        (Rules(box_credit="at_once"), [], ["Boxes helping"]),
    ],
)
def test_what_is_no_rule_goes_by_the_rules(rules: Rules, said: list[str], unsaid: list[str]) -> None:
    text = " ".join(not_rules_here(rules))
    assert [words for words in said if words not in text] == []
    assert [words for words in unsaid if words in text] == []


def test_upcards_are_named_in_words() -> None:
    """S0, S1: an ace means gin; a spade doubles (35 + 25)."""
    examples = worked_examples(Rules.preset("oklahoma"))
    assert [f"{each.what}: {each.comes_to}" for each in examples.limits] == [
        "With the king of hearts turned up: this hand is knocked with 10 or less",
        "With the 7 of diamonds turned up: this hand is knocked with 7 or less",
        "With the 4 of clubs turned up: this hand is knocked with 4 or less",
        "With the ace of hearts turned up: this hand takes gin",
    ]
    assert "Gin against 35, with the 9 of spades turned up: gin: the knocker scores 120" in [
        f"{each.what}: {each.comes_to}" for each in examples.hands
    ]


def test_examples_carry_the_scorer_s_figures() -> None:
    examples = worked_examples(Rules.preset("continental", columns=3))
    assert "Knocker 8, defender 6: undercut: the defender scores 12" in [
        f"{each.what}: {each.comes_to}" for each in examples.hands
    ]
    # RULES §5: (120 + 40 + 100 + 100) twice, the loser having no box.
    assert examples.shutout == (
        "Ada wins 2 hands and Ben none: points 120 + boxes 40 + game 100 + shutout 100 = 360, doubled 720."
    )
    assert [f"{each.what}: {each.comes_to}" for each in examples.teams] == [
        "North 1 makes 16, North 2 makes 12: North enters 28",
        "North 1 makes 7, South 2 makes 13: South enters 6",
    ]


@given(rules=any_rules())
def test_all_rules_can_be_told(rules: Rules) -> None:
    assert all(knob_sentences(rules).values())
    assert not_rules_here(rules)
    examples = worked_examples(rules)
    assert all(each.what and each.comes_to for each in (*examples.hands, *examples.limits, *examples.teams))
    assert len(examples.settlement) <= rules.columns + 1
