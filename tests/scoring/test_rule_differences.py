"""How rules differ, knob by knob, and which preset they are nearest to."""

from typing import Any

import pytest

from scoring.core.rule_differences import SINGLE_KNOBS, KnobChange, differences, nearest_preset, single_knobs
from scoring.core.rules import KNOBS, PRESETS, Rules


def test_every_knob_has_a_value_of_its_own() -> None:
    values = single_knobs(Rules(extra_boxes=Rules.preset("standard", extra_boxes={"gin": 2}).extra_boxes))
    assert tuple(values) == SINGLE_KNOBS
    assert set(KNOBS) - {"extra_boxes"} <= set(SINGLE_KNOBS)
    assert (values["extra_boxes_gin"], values["extra_boxes_undercut"]) == (2, 0)


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
    ],
)
def test_rules_with_some_knobs_turned_stay_near_their_preset(preset: str, overrides: dict[str, Any]) -> None:
    assert nearest_preset(Rules.preset(preset, **overrides)) == preset
