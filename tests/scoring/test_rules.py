"""House rules: the presets cell by cell (RULES §9), every knob's range, and the refusals."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from scoring.core.errors import ScoringError
from scoring.core.rules import KNOBS, PRESETS, ExtraBoxes, Rules
from tests.scoring.strategies import rules as any_rules

# RULES §9, the table of presets; a row is a knob, the columns are the presets in this order.
COLUMNS = ("standard", "tournament", "online", "classic", "continental")
TABLE: dict[str, tuple[Any, ...]] = {
    "knock_limit": (10, 10, 10, 10, 10),
    "ace": ("low", "low", "low", "low", "low_or_high"),
    "oklahoma": ("off", "off", "off", "off", "off"),
    "gin_bonus": (25, 25, 25, 25, 20),
    "big_gin_bonus": (31, None, None, None, None),
    "undercut_bonus": (25, 25, 25, 25, 10),
    "target": (100, 100, 100, 100, 100),
    "team_target": (125, 125, 125, 125, 125),
    "game_bonus": (100, 100, 0, 100, 100),
    "box_bonus": (25, 25, 0, 25, 20),
    "shutout": ("double_game_bonus", "double_game_bonus", "none", "double_total", "double_game_bonus"),
    "double_if_loser_boxless": (False, False, False, False, True),
    "zero_knock": ("knock", "gin", "gin", "gin", "gin"),
    "next_dealer": ("loser", "alternate", "alternate", "alternate", "loser"),
    "stock_end": ("two_left", "fiftieth_card", "two_left", "two_left", "two_left"),
}
# RULES §9, below the table.
DEFAULTS: dict[str, Any] = {
    "kind": "gin",
    "deals": None,
    "undercut_penalty": "none",
    "undercut_on_tie": True,
    "extra_boxes": {"gin": 0, "big_gin": 0, "undercut": 0, "gin_off": 0},
    "sweep_boxes": 0,
    "spades_double": False,
    "spades_double_boxes": "none",
    "box_credit": "at_end",
    "shutout_amount": 100,
    "columns": 1,
    "last_column_double": False,
    "team_scoring": "net",
    "packs": "per_table",
    "deal": "upcard",
    "discard_taken_card": "never",
    "first_dealer": "high",
}


@pytest.mark.parametrize("knob", TABLE)
@pytest.mark.parametrize("preset", COLUMNS)
def test_preset_has_the_value_of_the_table(preset: str, knob: str) -> None:
    assert Rules.preset(preset).to_document()[knob] == TABLE[knob][COLUMNS.index(preset)]


@pytest.mark.parametrize("knob", DEFAULTS)
@pytest.mark.parametrize("preset", COLUMNS)
def test_preset_has_the_default_when_the_table_is_silent(preset: str, knob: str) -> None:
    assert Rules.preset(preset).to_document()[knob] == DEFAULTS[knob]


def test_table_and_defaults_name_every_knob() -> None:
    assert set(TABLE) | set(DEFAULTS) == set(KNOBS)


def test_named_variants_are_standard_with_a_difference() -> None:
    assert Rules.preset("gin_only") == replace(Rules(), knock_limit=0)
    assert Rules.preset("oklahoma") == replace(Rules(), oklahoma="ace_is_gin", spades_double=True)
    assert Rules.preset("standard") == Rules()


def test_rules_are_standard_when_no_preset_is_named() -> None:
    assert Rules.from_document({}) == Rules.preset("standard")
    assert Rules.from_document({"columns": 3}) == Rules.preset("standard", columns=3)


def test_target_holds_for_teams_when_no_team_target_is_given() -> None:
    assert Rules.from_document({"target": 200}).team_target == 200
    assert Rules.from_document({"target": 200, "team_target": 150}).team_target == 150
    assert Rules.from_document({"team_target": 150}).target == 100
    assert Rules.from_document({"columns": 3}).team_target == 125


def test_target_in_force_depends_on_the_size_of_the_sides() -> None:
    rules = Rules.preset("standard")
    assert rules.for_team_size(1).target == 100
    assert rules.for_team_size(2).target == 125
    assert rules.for_team_size(2).to_document() == {**rules.to_document(), "target": 125}


def test_extra_boxes_merge_key_by_key() -> None:
    rules = Rules.from_document({"extra_boxes": {"gin": 1, "gin_off": 3}})
    assert rules.extra_boxes == ExtraBoxes(gin=1, big_gin=0, undercut=0, gin_off=3)
    assert Rules.preset("standard", extra_boxes=ExtraBoxes(gin=2)).extra_boxes.gin == 2


@given(any_rules())
def test_document_of_rules_reads_back_as_the_same_rules(rules: Rules) -> None:
    document = rules.to_document()
    assert tuple(document) == KNOBS
    assert Rules.from_document(document) == rules


def test_rules_stored_before_a_knob_was_there_have_its_default() -> None:
    stored = Rules.preset("tournament", columns=3).to_document()
    for knob in ("kind", "deals", "undercut_penalty"):
        del stored[knob]
    assert Rules.from_document(stored) == Rules.preset("tournament", columns=3)


@pytest.mark.parametrize("name", PRESETS)
def test_document_of_a_preset_reads_back_as_the_same_rules(name: str) -> None:
    rules = Rules.preset(name)
    assert Rules.from_document(rules.to_document()) == rules
    own = {rules.kind} if rules.own is not None else set()
    assert rules.to_document().keys() == {*KNOBS, *own}


def test_knobs_of_a_kind_merge_key_by_key() -> None:
    rules = Rules.preset("battle_royal", jersey={"stock_left": 2})
    assert rules.to_document()["jersey"] == Rules.preset("battle_royal").to_document()["jersey"] | {
        "stock_left": 2
    }


RANGES = {
    "knock_limit": (0, 98),
    "gin_bonus": (0, 1000),
    "big_gin_bonus": (0, 1000),
    "undercut_bonus": (0, 1000),
    "box_bonus": (0, 1000),
    "game_bonus": (0, 1000),
    "shutout_amount": (0, 1000),
    "target": (1, 10000),
    "team_target": (1, 10000),
    "columns": (1, 12),
    "sweep_boxes": (0, 10),
    "deals": (1, 500),
}
OPTIONAL = {"big_gin_bonus", "deals"}
SWITCHES = ("spades_double", "undercut_on_tie", "double_if_loser_boxless", "last_column_double")
CHOICES = {
    "kind": ("gin", "cutthroat", "captains", "jersey", "partners_one_pack", "basic_rummy"),
    "undercut_penalty": ("none", "bonus", "all"),
    "ace": ("low", "low_or_high"),
    "oklahoma": ("off", "ace_is_one", "ace_is_gin"),
    "spades_double_boxes": ("none", "extra", "all"),
    "zero_knock": ("knock", "gin"),
    "box_credit": ("at_end", "at_once"),
    "shutout": ("none", "double_game_bonus", "double_points", "double_total", "flat"),
    "team_scoring": ("net", "sum"),
    "packs": ("per_table", "shared"),
    "first_dealer": ("high", "low"),
    "next_dealer": ("loser", "winner", "alternate"),
    "deal": ("upcard", "elder_eleven"),
    "discard_taken_card": ("never", "always", "fiftieth_card"),
    "stock_end": ("two_left", "fiftieth_card"),
}


def test_every_knob_is_a_number_a_switch_or_a_choice() -> None:
    assert {*RANGES, *SWITCHES, *CHOICES, "extra_boxes"} == set(KNOBS)


@pytest.mark.parametrize("knob", RANGES)
def test_number_is_taken_to_its_bounds_and_refused_beyond(knob: str) -> None:
    low, high = RANGES[knob]
    for value in (low, high):
        assert Rules.from_document({knob: value}).to_document()[knob] == value
    for value in (low - 1, high + 1, 10**5000):
        assert refusal({knob: value}) == ("out_of_range", f"rules.{knob}")
    wrongs: list[object] = ["10", 10.0, True, [], {}]
    for wrong in wrongs:
        assert refusal({knob: wrong}) == ("wrong_type", f"rules.{knob}")


@pytest.mark.parametrize("knob", sorted(RANGES.keys() - OPTIONAL))
def test_null_is_refused_where_a_number_belongs(knob: str) -> None:
    assert refusal({knob: None}) == ("wrong_type", f"rules.{knob}")


@pytest.mark.parametrize("knob", SWITCHES)
def test_switch_is_true_or_false(knob: str) -> None:
    for value in (True, False):
        assert Rules.from_document({knob: value}).to_document()[knob] is value
    for wrong in (1, 0, "true", None):
        assert refusal({knob: wrong}) == ("wrong_type", f"rules.{knob}")


@pytest.mark.parametrize("knob", CHOICES)
def test_choice_is_one_of_its_values(knob: str) -> None:
    for value in CHOICES[knob]:
        assert Rules.from_document({knob: value}).to_document()[knob] == value
    assert refusal({knob: "sometimes"}) == ("unknown_value", f"rules.{knob}")
    wrongs: list[object] = [None, 1, True, ["off"], {}]
    for wrong in wrongs:
        assert refusal({knob: wrong}) == ("wrong_type", f"rules.{knob}")


@pytest.mark.parametrize("kind", ["gin", "big_gin", "undercut", "gin_off"])
def test_extra_boxes_are_0_to_10_each(kind: str) -> None:
    field = f"rules.extra_boxes.{kind}"
    assert Rules.from_document({"extra_boxes": {kind: 10}}).to_document()["extra_boxes"][kind] == 10
    assert refusal({"extra_boxes": {kind: 11}}) == ("out_of_range", field)
    assert refusal({"extra_boxes": {kind: -1}}) == ("out_of_range", field)
    assert refusal({"extra_boxes": {kind: "1"}}) == ("wrong_type", field)


@pytest.mark.parametrize(
    ("document", "code", "field"),
    [
        ([], "wrong_type", "rules"),
        (None, "wrong_type", "rules"),
        ("standard", "wrong_type", "rules"),
        ({"preset": "house"}, "unknown_preset", "rules.preset"),
        ({"preset": 1}, "wrong_type", "rules.preset"),
        ({"preset": ["standard"]}, "wrong_type", "rules.preset"),
        ({"gin_bonuss": 25}, "unknown_knob", "rules.gin_bonuss"),
        # Names that Python's own argument lists would trip over.
        ({"name": "x"}, "unknown_knob", "rules.name"),
        ({"cls": "x"}, "unknown_knob", "rules.cls"),
        ({"self": "x"}, "unknown_knob", "rules.self"),
        ({"\ud800": 1}, "unknown_knob", "rules.\ufffd"),
        ({"extra_boxes": 1}, "wrong_type", "rules.extra_boxes"),
        ({"extra_boxes": None}, "wrong_type", "rules.extra_boxes"),
        ({"extra_boxes": {"knock": 1}}, "unknown_knob", "rules.extra_boxes.knock"),
        ({"deal": "elder_eleven", "oklahoma": "ace_is_one"}, "conflicting_knobs", "rules.oklahoma"),
        ({"deal": "elder_eleven", "spades_double": True}, "conflicting_knobs", "rules.spades_double"),
        ({"preset": "oklahoma", "deal": "elder_eleven"}, "conflicting_knobs", "rules.oklahoma"),
        ({"deals": 8, "columns": 3}, "conflicting_knobs", "rules.columns"),
        ({"kind": "jersey", "columns": 2}, "conflicting_knobs", "rules.columns"),
        # Knobs of another kind of game, and of this one.
        ({"jersey": {"count": "sum"}}, "unknown_knob", "rules.jersey"),
        ({"preset": "jersey", "cutthroat": {}}, "unknown_knob", "rules.cutthroat"),
        ({"preset": "jersey", "jersey": 1}, "wrong_type", "rules.jersey"),
        ({"preset": "jersey", "jersey": {"counts": "sum"}}, "unknown_knob", "rules.jersey.counts"),
        ({"preset": "jersey", "jersey": {"count": "all"}}, "unknown_value", "rules.jersey.count"),
        ({"preset": "jersey", "jersey": {"stock_left": 10}}, "out_of_range", "rules.jersey.stock_left"),
        (
            {"preset": "cutthroat", "cutthroat": {"sitter_deals": 1}},
            "wrong_type",
            "rules.cutthroat.sitter_deals",
        ),
    ],
)
def test_rules_are_refused_by_name(document: object, code: str, field: str) -> None:
    assert refusal(document) == (code, field)


def test_sentence_stays_short_when_a_name_is_long() -> None:
    with pytest.raises(ScoringError) as refused:
        Rules.from_document({"x" * 100_000: 1})
    assert len(str(refused.value)) < 200


def refusal(document: object) -> tuple[str, str | None]:
    with pytest.raises(ScoringError) as refused:
        Rules.from_document(document)
    assert str(refused.value.message)
    return refused.value.code, refused.value.field
