"""House rules in sentences: every value of every knob says something of its own; what is no rule."""

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given

from scoring.core.own_knobs import OWN_KNOBS
from scoring.core.rule_differences import OWN_SINGLE_KNOBS, SINGLE_KNOBS, differences, single_knobs
from scoring.core.rules import CHOICES, PRESETS, SWITCHES, ExtraBoxes, Rules
from scoring.words.example_words import worked_examples
from scoring.words.knob_words import GIN_PRESET_WORDS, PRESET_WORDS, change_words, knob_rows, value_words
from scoring.words.knobs import GROUPS, KNOBS, is_in_force, knob_sentence, knob_sentences
from scoring.words.misconceptions import not_rules_here
from scoring.words.rules_words import hand_sentences, rules_headline, rules_sentences
from tests.scoring.strategies import rules as any_rules

# Under these every knob is in force that two-sided gin has, and every one of a kind's own.
ALL_IN_FORCE = Rules(spades_double=True, shutout="flat", columns=3)
OWN_IN_FORCE = {
    kind: Rules.preset(kind, **({kind: {"last_discard": True}} if kind == "basic_rummy" else {}))
    for kind in OWN_KNOBS
}


def in_force(knob: str) -> Rules:
    """Rules that have the knob, in force."""
    if knob == "deals":
        return Rules(deals=8)
    kinds = [kind for kind, knobs in OWN_SINGLE_KNOBS.items() if knob in knobs]
    return OWN_IN_FORCE[kinds[0]] if kinds else ALL_IN_FORCE


def test_every_knob_stands_once_in_a_group_and_has_words() -> None:
    grouped = [knob for _title, knobs in GROUPS for knob in knobs]
    assert sorted(grouped) == sorted(SINGLE_KNOBS)
    own = {
        f"{kind}_{name}": tuple(map(str, values))
        for kind, knobs in OWN_KNOBS.items()
        for name, values in knobs.CHOICES.items()
    }
    assert {name: tuple(knob.choices) for name, knob in KNOBS.items() if knob.choices} == CHOICES | own
    assert PRESET_WORDS.keys() == PRESETS.keys()
    assert GIN_PRESET_WORDS.keys() == {name for name in PRESETS if "kind" not in PRESETS[name]}


@pytest.mark.parametrize("knob", SINGLE_KNOBS)
def test_every_knob_can_be_in_force_and_says_what_it_means(knob: str) -> None:
    assert is_in_force(in_force(knob), knob)
    assert knob_sentence(in_force(knob), knob).endswith(".")


@pytest.mark.parametrize("knob", [*CHOICES, *SWITCHES])
def test_every_choice_has_a_sentence_of_its_own(knob: str) -> None:
    values: tuple[Any, ...] = CHOICES.get(knob, (True, False))
    said = set()
    for value in values:
        changes: dict[str, Any] = {knob: value}
        if value == "elder_eleven":
            changes["spades_double"] = False
        if knob == "kind":
            changes["columns"] = 1
        said.add(knob_sentence(replace(ALL_IN_FORCE, **changes), knob))
    assert len(said) == len(values)


def own_values() -> Iterator[tuple[str, str, tuple[Any, ...]]]:
    """Kind, knob and some values of every knob that only one kind has."""
    for kind, knobs in OWN_KNOBS.items():
        for knob in fields(knobs):
            values: tuple[Any, ...] = knobs.CHOICES.get(knob.name, (True, False))
            yield kind, knob.name, knobs.RANGES.get(knob.name, values)


@pytest.mark.parametrize(("kind", "knob", "values"), own_values())
def test_every_value_of_a_kind_s_own_knob_has_a_sentence_of_its_own(
    kind: str, knob: str, values: tuple[Any, ...]
) -> None:
    said = set()
    for value in values:
        # An ace that counts more than 1 is high.
        more = (
            {"ace": "high"} if knob == "ace_points" else {"last_discard": True} if knob == "floating" else {}
        )
        rules = Rules.preset(kind, **{kind: {**more, knob: value}})
        sentence = knob_sentence(rules, f"{kind}_{knob}")
        assert sentence.endswith(".")
        said.add(sentence)
    assert len(said) == len(values)


@pytest.mark.parametrize(
    ("rules", "idle"),
    [
        (Rules.preset("cutthroat"), {"team_scoring", "next_dealer"}),
        (Rules.preset("captains"), {"team_target"}),
        (Rules.preset("captains", captains={"box_deals": True}), {"first_dealer", "next_dealer"}),
        (Rules.preset("jersey"), {"next_dealer", "deal", "packs"}),
        (Rules.preset("partners_one_pack"), {"target", "packs"}),
        (Rules.preset("basic_rummy"), {"knock_limit", "ace", "gin_bonus", "box_bonus", "shutout"}),
        (Rules.preset("basic_rummy"), {"basic_rummy_floating"}),
        (Rules.preset("basic_rummy", basic_rummy={"turnovers": 0}), {"basic_rummy_stock"}),
    ],
)
def test_a_knob_that_the_game_does_not_need_says_so(rules: Rules, idle: set[str]) -> None:
    said = knob_sentences(rules)
    assert {knob for knob in idle if not said[knob].startswith("Not in force: ")} == set()
    assert not said["kind"].startswith("Not")


@pytest.mark.parametrize("name", PRESETS)
def test_rules_of_every_kind_can_be_told(name: str) -> None:
    rows = [row for _title, knobs in knob_rows(Rules.preset(name)) for row in knobs]
    assert len(rows) == len(single_knobs(Rules.preset(name)))
    assert all(str(title) and str(value) for title, value in rows)


def test_a_knob_that_a_kind_does_not_have_is_not_played() -> None:
    (change,) = [
        one
        for one in change_words(differences(Rules(), Rules.preset("jersey")))
        if one.knob == "jersey_count"
    ]
    assert (str(change.before), str(change.after)) == ("not played", "the difference to each")


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
        ("deals", 17),
    ],
)
def test_a_figure_stands_in_its_sentence(knob: str, value: int) -> None:
    changed: dict[str, Any] = {"columns": 1, knob: value} if knob == "deals" else {knob: value}
    assert str(value) in knob_sentence(replace(ALL_IN_FORCE, **changed), knob)


@pytest.mark.parametrize(
    ("changed", "idle"),
    [
        (
            {"knock_limit": 0},
            {"oklahoma", "zero_knock", "undercut_bonus", "undercut_on_tie", "undercut_penalty"},
        ),
        ({"deals": 8, "columns": 1}, {"target", "team_target", "last_column_double"}),
        ({}, {"deals"}),
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
    assert found - idle <= {"extra_boxes_undercut", "extra_boxes_gin_off", "deals"}


@pytest.mark.parametrize(
    ("penalty", "bonus", "said"),
    [
        ("none", "scores the difference, and 25 more", []),
        ("bonus", "loses 25", ["The bonus of an undercut is taken off the knocker."]),
        ("all", "loses the difference, and 25 more", ["it is all taken off the knocker"]),
    ],
)
def test_penalty_of_an_undercut_is_told(penalty: str, bonus: str, said: list[str]) -> None:
    rules = Rules(undercut_penalty=penalty)
    assert bonus in knob_sentence(rules, "undercut_bonus")
    text = " ".join(hand_sentences(rules))
    assert [words for words in said if words not in text] == []
    assert ("taken off" in text) == (penalty != "none")


def test_what_an_undercut_comes_to_is_told_with_its_penalty() -> None:
    def told(penalty: str, **knobs: Any) -> list[str]:
        rules = Rules(undercut_penalty=penalty, **knobs)
        return [each.comes_to for each in worked_examples(rules).hands if each.what.startswith("Knocker 8, ")]

    assert told("bonus") == [
        "undercut: the defender scores 2, and the knocker loses 25",
        "undercut: the knocker loses 25",
    ]
    assert told("all")[0] == "undercut: the knocker loses 27"
    boxes = ExtraBoxes(gin_off=1)
    assert told("all", extra_boxes=boxes)[2] == (
        "undercut with nothing left over: the knocker loses 33, and 2 boxes"
    )


@pytest.mark.parametrize(
    ("rules", "headline"),
    [
        (Rules(), "one game to 100"),
        (Rules(columns=3, target=150), "three games to 150"),
        (Rules(deals=8), "8 deals"),
        (Rules(deals=1), "1 deal"),
    ],
)
def test_headline(rules: Rules, headline: str) -> None:
    assert rules_headline(rules) == headline


def test_match_of_deals_is_told() -> None:
    said = rules_sentences(Rules(deals=8, box_credit="at_once"))
    assert "Whoever has most points after the last deal has won; dead deals count." in said
    assert "A box is worth 25, and counts at once." in said
    assert not [sentence for sentence in said if "target" in sentence]
    assert str(value_words("deals", None)) == "to the target"


def test_of_a_game_without_boxes_and_bonuses_none_is_told() -> None:
    assert rules_sentences(Rules.preset("basic_rummy")) == []
    assert rules_sentences(Rules.preset("basic_rummy", deals=2)) == [
        "Whoever has most points after the last deal has won; dead deals count."
    ]


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
        (Rules(deals=8), ["ends by the number of deals", "Boxes helping to win"], ["it goes to", "target"]),
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
