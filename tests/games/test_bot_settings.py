"""Settings of the bots that make no sense are refused before anything starts."""

from typing import Any

import pytest

from games.checks import check_bot_settings
from games.strategies import strategies_with
from tests.games import bad_bots


@pytest.mark.parametrize(
    ("name", "value", "number"),
    [
        ("BOT_LEASE_SECONDS", 0.0, "E001"),
        ("BOT_LEASE_SECONDS", -1.0, "E001"),
        ("BOT_LEASE_SECONDS", float("nan"), "E001"),
        ("BOT_MOVE_SECONDS", 0.0, "E002"),
        ("BOT_MOVE_SECONDS", float("inf"), "E002"),
        ("BOT_STRATEGIES", ["nowhere.at.ALL"], "E003"),
        ("BOT_STRATEGIES", ["word"], "E003"),
        ("BOT_STRATEGIES", ["tests.games.bad_bots.NOBODY"], "E003"),
        ("BOT_STRATEGIES", ["tests.games.bad_bots.hangs"], "E003"),
        ("BOT_STRATEGIES", ["games.bots.simple.SIMPLE"], "E003"),
    ],
)
def test_setting_that_makes_no_sense_is_refused(name: str, value: Any, number: str, settings: Any) -> None:
    setattr(settings, name, value)
    assert [found.id for found in check_bot_settings(None)] == [f"games.{number}"]


def test_settings_as_they_come_are_in_order() -> None:
    assert check_bot_settings(None) == []


def test_strategies_of_a_site_come_after_those_of_the_house() -> None:
    house = strategies_with(())
    known = strategies_with(tuple(bad_bots.PATHS))
    assert list(known)[: len(house)] == list(house)
    assert list(known)[len(house) :] == [strategy.name for strategy in bad_bots.ALL]
