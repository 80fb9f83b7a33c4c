"""Settings of the bots that make no sense are refused before anything starts."""

from typing import Any

import pytest
from django.urls import reverse

from games.bots import STRATEGIES, Strategy
from games.bots.strategies import strategies_with
from games.checks import check_bot_settings
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


@pytest.mark.parametrize("name", ["", "my bot", "bot/1", "bøt", "bot\n", "b" * 41, "rash", "simple"])
def test_name_that_is_no_address_or_is_taken_is_refused(
    name: str, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stands in the address of the bot's page and in the list of the arena, beside the field."""
    own = Strategy(name, "Plays as simple does.", STRATEGIES["simple"].sit_down)
    monkeypatch.setattr(bad_bots, "OWN", own, raising=False)
    strategies_with.cache_clear()
    settings.BOT_STRATEGIES = ["tests.games.bad_bots.OWN"]
    assert [found.id for found in check_bot_settings(None)] == ["games.E003"]


@pytest.mark.parametrize("name", ["b" * 40, "My-bot_2"])
def test_name_of_an_address_is_taken(name: str, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    own = Strategy(name, "Plays as simple does.", STRATEGIES["simple"].sit_down)
    monkeypatch.setattr(bad_bots, "OWN", own, raising=False)
    strategies_with.cache_clear()
    settings.BOT_STRATEGIES = ["tests.games.bad_bots.OWN"]
    assert check_bot_settings(None) == []
    assert strategies_with(("tests.games.bad_bots.OWN",))[name] is own
    assert reverse("bot_profile", args=[name])
    strategies_with.cache_clear()


def test_settings_as_they_come_are_in_order() -> None:
    assert check_bot_settings(None) == []


def test_strategies_of_a_site_come_after_those_of_the_house() -> None:
    house = strategies_with(())
    known = strategies_with(tuple(bad_bots.PATHS))
    assert list(known)[: len(house)] == list(house)
    assert list(known)[len(house) :] == [strategy.name for strategy in bad_bots.ALL]
