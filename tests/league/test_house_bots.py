"""Players who are bots: how they play, what they may not have, and when that changes."""

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.test import Client

from games.models import BotMatch, BotMatchState
from league.bots.bot_schedules import change_schedule, remove_schedule
from league.bots.house_bots import house_bot_of
from league.draws.rounds import draw_round_robin
from league.errors import LeagueError
from league.events.entries import enter_players, enter_team
from league.models import BotSchedule, Club, Entry, Event, Player
from league.people.players import change_player, check_mergeable, create_player, merge_players, remove_player
from tests.factories import OPERATOR, ClubFactory, EventFactory, PlayerFactory, UserFactory, sheet_of
from tests.kept import refused_service
from tests.league import bot_cases
from tests.league.admin_pages import formset, page, text

pytestmark = pytest.mark.django_db

BY: dict[str, Any] = {"actor": OPERATOR}


def refused(code: str, field: str | None, call: Any, **values: Any) -> None:
    refusal = refused_service(code, call, **BY, **values)
    assert refusal.field == field
    assert str(refusal.message).endswith(".")


def test_bot_is_a_player_with_a_strategy(club: Club) -> None:
    bot = create_player(**BY, club=club, name="Ada", strategy="simple")
    assert (bot.is_bot, bot.strategy, bot.level, str(bot)) == (True, "simple", None, "Ada (bot)")
    change_player(**BY, player=bot, strategy="steady")
    bot.refresh_from_db()
    assert bot.strategy == "steady"


@pytest.mark.parametrize(
    ("values", "code", "field"),
    [
        ({"strategy": "genius"}, "unknown_strategy", "strategy"),
        ({"strategy": "simple", "level": 1}, "level_out_of_range", "level"),
        ({"level": 1}, "level_out_of_range", "level"),
    ],
)
def test_strategies_and_levels_there_are_not_are_refused(
    club: Club, values: dict[str, Any], code: str, field: str
) -> None:
    person = PlayerFactory.create(club=club)
    refused(code, field, create_player, club=club, name="Ada", **values)
    refused(code, field, change_player, player=person, **values)


def test_bot_has_no_account(club: Club) -> None:
    user = UserFactory.create(club=club)
    refused("bot_account", "user", create_player, club=club, name="Ada", strategy="simple", user=user)
    bot = PlayerFactory.create(club=club, strategy="simple")
    refused("bot_account", "user", change_player, player=bot, user=user)
    person = PlayerFactory.create(club=club, user=user)
    refused("bot_account", "user", change_player, player=person, strategy="simple")
    change_player(**BY, player=person, strategy="simple", user=None)


def test_who_has_matches_stays_what_he_is(event: Event) -> None:
    match = bot_cases.bot_match(event)
    bot = match.entry_a.players.get()
    refused("has_played", "strategy", change_player, player=bot, strategy="")
    person = PlayerFactory.create(club=event.club)
    change_player(**BY, player=person, strategy="simple")
    change_player(**BY, player=person, strategy="")


def test_strategy_stays_while_a_bot_match_is_to_be_played(event: Event) -> None:
    match = bot_cases.planted(event)
    bot = match.entry_a.players.get()
    refused("bots_play", "strategy", change_player, player=bot, strategy="steady")
    BotMatch.objects.update(state=BotMatchState.FINISHED)
    change_player(**BY, player=bot, strategy="steady")
    assert bot_cases.of(match).bots["0"]["strategy"] == "simple"


def test_strategy_stays_while_an_exhibition_is_to_be_played() -> None:
    made, _data = bot_cases.exhibition()
    schedule = made.schedule
    assert schedule is not None
    others = bot_cases.bots(made.club)
    change_schedule(**BY, schedule=schedule, bot_a=others[0], bot_b=others[1])
    change_player(**BY, player=others[0], strategy="steady")
    refused("bots_play", "strategy", change_player, player=made.player_a, strategy="steady")
    remove_schedule(**BY, schedule=schedule)
    refused("bots_play", "strategy", change_player, player=made.player_b, strategy="steady")


def test_bots_of_an_exhibition_stay_its_players() -> None:
    made, _data = bot_cases.exhibition()
    assert made.schedule is not None
    assert made.player_a is not None
    assert made.player_b is not None
    assert (made.player_a, made.player_b) == (made.schedule.bot_a, made.schedule.bot_b)
    remove_schedule(**BY, schedule=made.schedule)
    with pytest.raises(LeagueError, match="they are two") as met:
        check_mergeable(keep=made.player_a, drop=made.player_b)
    assert met.value.code == "met"
    refused("in_use", None, remove_player, player=made.player_a)
    twin = PlayerFactory.create(club=made.club, strategy="simple")
    merge_players(**BY, keep=twin, drop=made.player_b)
    made.refresh_from_db()
    assert made.player_b == twin


def test_bot_that_is_renamed_plays_on(event: Event) -> None:
    match = bot_cases.planted(event)
    change_player(**BY, player=match.entry_a.players.get(), name="Ada")
    assert bot_cases.of(match).state == BotMatchState.DUE
    assert sheet_of(match).seats.get(number=0).name == "Ada"


def test_bot_is_not_merged_with_a_person(club: Club) -> None:
    person, bot, other = [PlayerFactory.create(club=club, strategy=name) for name in ("", "simple", "steady")]
    for pair in ((person, bot), (bot, person), (bot, other)):
        with pytest.raises(LeagueError, match="a bot is merged only with a bot"):
            check_mergeable(keep=pair[0], drop=pair[1])


def test_merged_bot_is_followed_in_its_schedules() -> None:
    schedule = bot_cases.pair_schedule()
    assert schedule.bot_a is not None
    twin = PlayerFactory.create(club=schedule.club, strategy="simple")
    refused("same_schedule", "keep", merge_players, keep=schedule.bot_a, drop=schedule.bot_b)
    merge_players(**BY, keep=twin, drop=schedule.bot_a)
    schedule.refresh_from_db()
    assert schedule.bot_a == twin


def test_bot_of_a_schedule_is_not_deleted() -> None:
    schedule = bot_cases.pair_schedule()
    refused("in_use", None, remove_player, player=schedule.bot_a)
    assert BotSchedule.objects.exists()


def test_bots_enter_any_event_of_their_club(club: Club) -> None:
    alone = EventFactory.create(club=club)
    enter_players(**BY, event=alone, players=[*bot_cases.bots(club), PlayerFactory.create(club=club)])
    draw_round_robin(**BY, event=alone)
    team = EventFactory.create(club=club, team_size=2)
    bots = bot_cases.bots(club)
    enter_team(**BY, event=team, name="Machines", players=bots)
    pairs = EventFactory.create(club=club, team_size=2, format="rotation")
    enter_players(**BY, event=pairs, players=bots)
    assert set(Entry.objects.filter(is_bot=True).values_list("event", flat=True)) == {
        alone.pk,
        team.pk,
        pairs.pk,
    }
    with pytest.raises(LeagueError, match="Choose only players of"):
        enter_players(**BY, event=EventFactory.create(club=ClubFactory.create()), players=bots)


# The administration.


def test_form_says_what_strategies_and_levels_there_are(owner: Client, club: Club) -> None:
    shown = text(owner.get("/admin/league/player/add/"))
    assert '<option value="simple">simple: ' in shown
    assert "a person" in shown


def test_form_makes_a_bot(owner: Client, club: Club) -> None:
    data = {"club": club.pk, "name": "Ada", "strategy": "steady", "level": "", **formset("aliases")}
    assert owner.post("/admin/league/player/add/", data).status_code == 302
    assert Player.objects.get(name="Ada").strategy == "steady"


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"strategy": "genius"}, "Select a valid choice."),
        ({"strategy": "simple", "level": "4"}, "simple has no levels."),
        ({"strategy": "", "level": "4"}, "Only a bot has a level."),
        ({"strategy": "simple", "level": "-1"}, "greater than or equal to 0"),
    ],
)
def test_form_refuses_with_a_sentence(
    owner: Client, club: Club, values: dict[str, str], sentence: str
) -> None:
    data = {"club": club.pk, "name": "Ada", **values, **formset("aliases")}
    answer = owner.post("/admin/league/player/add/", data)
    assert answer.status_code == 422
    assert sentence in text(answer)
    assert not Player.objects.filter(name="Ada").exists()


def test_form_of_a_bot_whose_strategy_is_gone_can_be_saved(owner: Client, club: Club) -> None:
    bot = PlayerFactory.create(club=club, name="Old", strategy="retired")
    data = {"name": "Older", "strategy": "retired", "member_number": bot.member_number, **formset("aliases")}
    assert owner.post(page("player", bot), data).status_code == 302
    bot.refresh_from_db()
    assert bot.name == "Older"


def test_bots_at_former_levels_of_expert_play_at_the_nearest(club: Club) -> None:
    """Of 0, 60, 200, 800 and 2,400 samples there are 0, 60 and 800 left."""
    bots = [
        PlayerFactory.create(club=club, name=f"Bot {level}", strategy="expert", level=level)
        for level in (None, 1, 2, 3, 4, 5)
    ]
    other = PlayerFactory.create(club=club, name="Other", strategy="added", level=5)
    import_module("league.migrations.0072_levels_of_expert").keep_strength(apps, None)
    assert [house_bot_of(Player.objects.get(pk=bot.pk)).samples for bot in bots] == [800, 0, 60, 60, 800, 800]
    assert Player.objects.get(pk=other.pk).level == 5
