"""The migration that tells whose the seats of older exhibitions are."""

from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection

from league.bots.bot_matches import plant_exhibitions
from league.models import BotSchedule, Exhibition, Player, PlayerAlias
from league.people.players import change_player
from tests.factories import OPERATOR
from tests.league.bot_cases import pair_schedule

pytestmark = pytest.mark.django_db


@pytest.fixture
def schedule() -> BotSchedule:
    """Two sheets of Ada and Bob; the second has Bob first. Whose seats they are is not stored."""
    made = pair_schedule(sheets=2)
    Player.objects.filter(pk=made.bot_a_id or 0).update(name="Ada")
    Player.objects.filter(pk=made.bot_b_id or 0).update(name="Bob")
    made = BotSchedule.objects.get(pk=made.pk)
    plant_exhibitions(made)
    Exhibition.objects.update(player_a=None, player_b=None)
    return made


def rename(name: str, other: str) -> None:
    change_player(actor=OPERATOR, player=Player.objects.get(name=name), name=other)


def filled() -> list[tuple[str | None, str | None]]:
    """Who sits where, sheet by sheet, after the migration."""
    migration = import_module("league.migrations.0006_fill_exhibition_players")
    migration.fill(apps, SimpleNamespace(connection=connection))
    rows = Exhibition.objects.order_by("sheet_id")
    return list(rows.values_list("player_a__name", "player_b__name"))


def test_seats_go_to_the_bots_of_these_names(schedule: BotSchedule) -> None:
    Exhibition.objects.update(schedule=None)
    Player.objects.create(club=pair_schedule().club, name="Ada", strategy="simple")
    assert filled() == [("Ada", "Bob"), ("Bob", "Ada")]


def test_bot_that_was_renamed_is_found_by_its_former_name(schedule: BotSchedule) -> None:
    rename("Ada", "Countess")
    Exhibition.objects.update(schedule=None)
    assert filled() == [("Countess", "Bob"), ("Bob", "Countess")]


def test_bot_that_no_name_tells_is_the_other_of_the_schedule(schedule: BotSchedule) -> None:
    rename("Ada", "Countess")
    PlayerAlias.objects.all().delete()
    assert filled() == [("Countess", "Bob"), ("Bob", "Countess")]


def test_who_cannot_be_told_is_left_open(schedule: BotSchedule) -> None:
    Exhibition.objects.update(schedule=None)
    Player.objects.filter(name="Ada").update(name="Countess")
    Player.objects.filter(name="Bob").update(strategy="")
    assert filled() == [(None, None), (None, None)]
