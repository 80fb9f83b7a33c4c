"""Who follows matches, sheets and entries hears that a player is called otherwise, by whatever door."""

import datetime
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import pytest
from django.db import models
from django.test import Client
from django.urls import reverse

from league.matches.matches import renew_sheet
from league.models import Appearance, Entry, Exhibition, Match, Player, Role, ShownAs
from league.people.accounts import choose_shown_name
from league.people.erasing import erase_person
from league.people.players import change_player, merge_players
from league.people.register import register_player
from scoring.core.sheets import SheetSide
from scoring.models import Scoresheet
from scoring.services import SheetPlan, open_sheets, void_sheet
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    house_rules,
    play,
)
from tests.league.api.world import World, make_world
from tests.league.stamps import told_anew

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

Told = dict[type[models.Model], set[int]]
REGISTERED: Final = "2093"


@pytest.fixture
def world() -> World:
    """The club; Ann has an account, and an id in the register."""
    world = make_world()
    Player.objects.filter(pk=world.player.pk).update(
        external_id=REGISTERED, user=world.users[Role.MEMBER], nickname="Archer"
    )
    world.player.refresh_from_db()
    return world


@pytest.fixture
def places(world: World) -> Told:
    """What names Ann: played, replaced, sat out, of a team while others sit, and of no match."""
    replaced = MatchFactory.create(
        event=world.event, round=RoundFactory.create(event=world.event), entry_a=world.entry
    )
    play(replaced, 5)
    former = replaced.sheet
    assert former is not None
    void_sheet(actor=OPERATOR, sheet=former, reason="wrong table")
    renewed = renew_sheet(actor=OPERATOR, match=replaced)
    bye = MatchFactory.create(
        event=world.event, round=RoundFactory.create(event=world.event), entry_a=world.entry, entry_b=None
    )
    teams = EventFactory.create(club=world.club, team_size=2)
    bench = [*PlayerFactory.create_batch(2, club=world.club), world.player]
    team = EntryFactory.create(event=teams, name="Lions", players=bench)
    others = MatchFactory.create(event=teams, entry_a=team)
    assert not Appearance.objects.filter(match=others, player=world.player).exists()
    stranger = PlayerFactory.create(club=world.club)
    sides = (SheetSide("Ann", ("Ann",)), SheetSide("Zoe", ("Zoe",)))
    plan = SheetPlan(sides, "exhibition", {"Ann": world.player.code, "Zoe": stranger.code})
    (shown,) = open_sheets(actor=OPERATOR, rules=house_rules(), plans=[plan])
    Exhibition.objects.create(sheet=shown, club=world.club, player_a=world.player, player_b=stranger)
    matches = [world.match, renewed, bye, others]
    sheets = [former.pk, shown.pk, *(match.sheet_id for match in matches)]
    return {
        Entry: {world.entry.pk, team.pk},
        Match: {match.pk for match in matches},
        Scoresheet: {sheet for sheet in sheets if sheet is not None},
    }


def _member(world: World) -> Client:
    return logged_in(world.users[Role.MEMBER])


def _on_the_account_page(world: World) -> None:
    address = reverse("shown_as", args=[world.player.code])
    answer = _member(world).post(address, {"shown_as": ShownAs.INITIALS, "nickname": ""})
    assert answer.status_code == 302


def _by_the_api(world: World, **body: Any) -> None:
    answer = world.as_user(Role.DIRECTOR).change(f"players/{world.player.code}/", body)
    assert answer.status_code == 200


def _by_the_register(world: World, **body: Any) -> None:
    address = f"clubs/{world.club.slug}/register/{REGISTERED}/"
    assert world.as_user(Role.DIRECTOR).send("PUT", address, body).status_code == 200


def _merged(world: World) -> None:
    other = PlayerFactory.create(club=world.club, name="Annabel Archer")
    merge_players(actor=OPERATOR, keep=other, drop=world.player)


DOORS: Final[dict[str, Callable[[World], Any]]] = {
    "renamed": lambda world: change_player(actor=OPERATOR, player=world.player, name="Annabel"),
    "renamed by the API": partial(_by_the_api, name="Annabel"),
    "renamed by the register": partial(_by_the_register, name="Annabel"),
    "renamed and covered at once": lambda world: register_player(
        actor=OPERATOR, club=world.club, external_id=REGISTERED, name="Annabel", shown_as=ShownAs.INITIALS
    ),
    "initials": lambda world: choose_shown_name(
        actor=OPERATOR, player=world.player, shown_as=ShownAs.INITIALS
    ),
    "initials, on the account's page": _on_the_account_page,
    "nickname, by the API": partial(_by_the_api, shown_as="nickname", nickname="Archie"),
    "under age": lambda world: change_player(
        actor=OPERATOR, player=world.player, under_age_until=datetime.date(2031, 12, 31)
    ),
    "under age, by the API": partial(_by_the_api, under_age_until="2031-12-31"),
    "erased": lambda world: erase_person(actor=OPERATOR, player=world.player),
    "merged": _merged,
}


@pytest.mark.parametrize("door", DOORS)
def test_all_that_names_a_player_is_told_under_another_name(world: World, places: Told, door: str) -> None:
    told = told_anew(lambda: DOORS[door](world))
    assert world.player.pk in told.pop(Player)
    assert told == places


def test_what_names_a_player_is_not_told_when_nothing_else_is_shown(world: World, places: Told) -> None:
    _by_the_register(world, name=world.player.name, shown_as=world.player.shown_as)
    told = told_anew(lambda: _by_the_register(world, member_number="18", name=world.player.name))
    assert told == {Player: {world.player.pk}}


def test_who_became_another_is_called_otherwise_with_him(world: World, places: Told) -> None:
    _merged(world)
    keep = Player.objects.get(name="Annabel Archer")
    told = told_anew(lambda: change_player(actor=OPERATOR, player=keep, name="Anna Archer"))
    assert told.pop(Player) == {keep.pk}
    assert told == places
