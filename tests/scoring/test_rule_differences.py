"""How rules differ, knob by knob, and which preset they are nearest to."""

from typing import Any

import pytest

from scoring.core.rule_differences import (
    OWN_SINGLE_KNOBS,
    SINGLE_KNOBS,
    KnobChange,
    differences,
    nearest_preset,
    single_knobs,
)
from scoring.core.rules import KNOBS, PRESETS, Rules


def test_every_knob_has_a_value_of_its_own() -> None:
    values = single_knobs(Rules(extra_boxes=Rules.preset("standard", extra_boxes={"gin": 2}).extra_boxes))
    own = {knob for knobs in OWN_SINGLE_KNOBS.values() for knob in knobs}
    assert tuple(values) == tuple(knob for knob in SINGLE_KNOBS if knob not in own)
    assert set(KNOBS) - {"extra_boxes"} <= set(SINGLE_KNOBS)
    assert (values["extra_boxes_gin"], values["extra_boxes_undercut"]) == (2, 0)


@pytest.mark.parametrize("name", PRESETS)
def test_rules_have_the_knobs_of_their_own_kind_only(name: str) -> None:
    rules = Rules.preset(name)
    found = {knob for knob in single_knobs(rules) for own in OWN_SINGLE_KNOBS.values() if knob in own}
    assert found == set(OWN_SINGLE_KNOBS.get(rules.kind, ()))


def test_knobs_of_a_kind_are_called_by_it() -> None:
    values = single_knobs(Rules.preset("battle_royal"))
    assert (values["kind"], values["jersey_count"], values["jersey_stock_left"]) == ("jersey", "sum", 3)


def test_another_kind_of_game_has_other_knobs() -> None:
    changes = differences(Rules(), Rules.preset("cutthroat"))
    assert changes == (
        KnobChange("kind", "gin", "cutthroat"),
        KnobChange("cutthroat_sits_out", None, "loser"),
        KnobChange("cutthroat_sitter_deals", None, True),
    )
    back = differences(Rules.preset("cutthroat"), Rules())
    assert [(one.knob, one.before, one.after) for one in back] == [
        (one.knob, one.after, one.before) for one in changes
    ]


def test_equal_rules_do_not_differ() -> None:
    assert differences(Rules.preset("classic"), Rules.preset("classic")) == ()


@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        ({"gin_bonus": 20}, [KnobChange("gin_bonus", 25, 20)]),
        ({"big_gin_bonus": None}, [KnobChange("big_gin_bonus", 31, None)]),
        ({"extra_boxes": {"gin_off": 2}}, [KnobChange("extra_boxes_gin_off", 0, 2)]),
        # RULES §9: a target given alone holds for teams too.
        ({"target": 150}, [KnobChange("target", 100, 150), KnobChange("team_target", 125, 150)]),
    ],
)
def test_differences_are_told_knob_by_knob(overrides: dict[str, Any], expected: list[KnobChange]) -> None:
    assert list(differences(Rules(), Rules.preset("standard", **overrides))) == expected


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_nearest_to_itself(name: str) -> None:
    assert nearest_preset(Rules.preset(name)) == name


@pytest.mark.parametrize(
    ("preset", "overrides"),
    [
        ("standard", {"columns": 3, "gin_bonus": 20}),
        ("tournament", {"columns": 3}),
        ("online", {"target": 150}),
        ("continental", {"gin_bonus": 25}),
        ("oklahoma", {"knock_limit": 7}),
        ("standard", {"packs": "shared", "deals": 8, "undercut_penalty": "bonus"}),
        ("jersey", {"jersey": {"count": "sum"}}),
        ("battle_royal", {"jersey": {"count": "each"}}),
    ],
)
def test_rules_with_some_knobs_turned_stay_near_their_preset(preset: str, overrides: dict[str, Any]) -> None:
    assert nearest_preset(Rules.preset(preset, **overrides)) == preset
