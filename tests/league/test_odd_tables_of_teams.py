"""A team that would have a bye plays its tables against the event's bot: by hand, and in an evening."""

from functools import partial
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse

from league.core.hand_files.problems import FileRefused
from league.draws.missing import missing_results
from league.draws.online import play_online
from league.draws.round_life import complete_round, publish_round, unpublish_round
from league.draws.rounds import delete_draw, draw_round_robin
from league.draws.sitting_in import give_bye_instead, let_bot_sit_in
from league.events.entries import withdraw_entry
from league.files.exporting import export_hands
from league.files.undoing import undo_import
from league.matches.line_ups import set_line_up
from league.models import (
    Appearance,
    Club,
    Entry,
    Event,
    IndividualStanding,
    Match,
    MatchState,
    OddTable,
    PlayedWhere,
    Player,
    Rating,
    Rest,
)
from league.people.friendlies import own_tables
from league.people.players import create_player
from league.people.records import matches_of
from league.record.requests import request_ratings
from league.tables import ratings
from scoring.models import Scoresheet, Seat
from tests.factories import OPERATOR, ClubFactory, EntryFactory, EventFactory, house_rules, play
from tests.kept import contents
from tests.league.hand_files import imported
from tests.league.swiss_rounds import paired
from tests.league.table_players import (
    QUICK,
    address,
    browser,
    by,
    member,
    plain_text,
    play_on,
    refused,
    text,
)
from tests.league.test_files_substitutes import sheets_of
from tests.league.test_odd_tables import byes, play_others, standing
from tests.league.test_rebuild import rebuild

pytestmark = pytest.mark.django_db

TEAMS = ("Ann", "Bob", "Cid")


def entered(club: Club, bot: Player | None, *, size: int = 2, **settings: Any) -> Event:
    """An event of three teams of so many members, two at a table, where this bot plays who is left over."""
    usual = {"rules": house_rules(**QUICK), "played": PlayedWhere.ONLINE, "sits_in": bot, "slug": "league"}
    event: Event = EventFactory.create(club=club, team_size=2, **usual | settings)
    for seed, name in enumerate(TEAMS, start=1):
        players = [member(club, f"{name} {number}") for number in range(1, size + 1)]
        EntryFactory.create(event=event, name=f"Team {name}", players=players, seed=seed)
    return event


def swiss(club: Club, bot: Player, **settings: Any) -> tuple[Event, Match, list[Player]]:
    """Such an event with a round paired: with its bye, and the team that has it."""
    event = entered(club, bot, format="swiss", rounds_planned=3, loss_points=0, **settings)
    paired(OPERATOR, event)
    (bye,) = byes(event)
    return event, bye, of_team(bye.entry_a)


def of_team(entry: Entry) -> list[Player]:
    """The members of a team, in order of its roster."""
    return [each.player for each in entry.members.select_related("player__user").order_by("position")]


def seated(match: Match) -> list[str]:
    """Who sits at a match, through both sides."""
    rows = Appearance.objects.filter(match=match).order_by("side", "position")
    return list(rows.values_list("player__name", flat=True))


def test_whole_match_against_the_bots_team_counts_as_it_is_played(club: Club, robo: Player) -> None:
    """The bot has a seat for each of the team, and no line in any table; nobody is rated for it."""
    event, bye, team = swiss(club, robo)
    assert bye.rest == Rest.PLAYED
    names = list(Seat.objects.filter(sheet=bye.sheet).order_by("number").values_list("name", "person"))
    assert names == [*((each.name, each.code) for each in team), ("Robo", robo.code), ("Robo (2)", robo.code)]
    play_others(bye)
    assert standing(event)[bye.entry_a.name] == (0, 0, 0, 0)
    assert [match.pk for match in missing_results(event, before=2)] == [bye.pk]
    table = play_online(actor=by(team[1]), match=bye)
    assert [bool(seat.bot) for seat in table.seats.order_by("number")] == [False, False, True, True]
    play_on(table, *team)
    bye.refresh_from_db()
    assert bye.state == MatchState.BYE
    assert bye.sheet is not None
    won = bye.sheet.winner == 0
    table_of = standing(event)
    assert table_of[bye.entry_a.name] == (2 * won, int(won), int(not won), bye.sheet.nets[0])
    assert len(table_of) == len(TEAMS)
    assert missing_results(event, before=2) == []
    request_ratings(event.club_id)
    ratings.recalculate(event.club_id)
    assert not Rating.objects.filter(player__in=[*team, robo]).exists()
    assert not IndividualStanding.objects.filter(player__in=[*team, robo], played__gt=0).exists()
    assert matches_of(robo) == []


def test_it_may_count_as_the_bye(club: Club, robo: Player) -> None:
    event, bye, _team = swiss(club, robo, odd_table=OddTable.BYE)
    play(bye, -7, stopped=True)
    play_others(bye)
    assert standing(event)[bye.entry_a.name] == (2, 0, 0, 0)


@pytest.mark.parametrize(
    "settings",
    [
        {"sits_in": None},
        {"odd_table": OddTable.REST},
        {"played": PlayedWhere.AT_TABLE},
        {"holds_results": True},
    ],
)
def test_bye_stays_one_where_the_event_says_so(club: Club, robo: Player, settings: dict[str, Any]) -> None:
    """Nor does a line-up make a match of it."""
    event = entered(club, robo, **settings)
    draw_round_robin(actor=OPERATOR, event=event)
    assert [match.rest for match in byes(event)] == [Rest.BYE] * 3
    bye = byes(event)[0]
    refused(
        "not_played",
        partial(set_line_up, actor=OPERATOR, match=bye, side=0, players=of_team(bye.entry_a)),
    )


def test_bye_stays_one_where_the_bot_thinks_too_long_for_several(club: Club, robo: Player) -> None:
    Player.objects.filter(pk=robo.pk).update(strategy="expert", level=2)
    robo.refresh_from_db()
    event = entered(club, robo)
    draw_round_robin(actor=OPERATOR, event=event)
    assert {match.rest for match in byes(event)} == {Rest.BYE}


def test_team_of_more_players_plays_the_bot_once_it_is_said_who(club: Club, robo: Player) -> None:
    """Until then it has the bye; whoever may not sit for it is refused as elsewhere."""
    event, bye, team = swiss(club, robo, size=3)
    assert (bye.rest, seated(bye)) == (Rest.BYE, [])
    lines = partial(set_line_up, actor=OPERATOR, match=bye, side=0)
    refused("wrong_size", partial(lines, players=team))
    refused("not_played", partial(set_line_up, actor=OPERATOR, match=bye, side=1, players=team[:2]))
    other = Entry.objects.filter(event=event).exclude(pk=bye.entry_a_id)[0]
    refused("other_entry", partial(lines, players=of_team(other)[:2]))
    lines(players=[team[2], team[0]])
    (bye,) = byes(event)
    assert (bye.rest, seated(bye)) == (Rest.PLAYED, [team[2].name, team[0].name, "Robo", "Robo"])
    lines(players=[team[1], team[0]])
    assert seated(bye) == [team[1].name, team[0].name, "Robo", "Robo"]
    play_on(play_online(actor=by(team[0]), match=bye), team[1], team[0])
    refused("has_hands", partial(lines, players=team[:2]))
    assert bye not in missing_results(event, before=2)


def test_somebody_else_plays_for_who_is_absent_and_no_second_bot_does(club: Club, robo: Player) -> None:
    event, bye, team = swiss(club, robo)
    sit_in = partial(let_bot_sit_in, actor=OPERATOR, match=bye, absent=team[0], reason="He is ill.")
    with_captain = Entry.objects.filter(pk=bye.entry_a_id)
    with_captain.update(captain=team[1])
    refused("plays_already", sit_in)
    assert "Somebody of your team is not here" not in text(browser(team[1]), bye)
    guest = member(club, "Eve")
    set_line_up(actor=OPERATOR, match=bye, side=0, players=[guest, team[1]])
    (bye,) = byes(event)
    table = play_online(actor=by(guest), match=bye)
    assert [seat.account for seat in table.seats.order_by("number")] == [guest.user, team[1].user, None, None]


def test_bye_is_given_instead_and_the_team_may_play_after_all(club: Club, robo: Player) -> None:
    event, bye, team = swiss(club, robo)
    play_others(bye)
    give_bye_instead(actor=OPERATOR, match=bye, reason="They have left.")
    assert (seated(bye), missing_results(event, before=2)) == ([], [])
    assert standing(event)[bye.entry_a.name] == (2, 0, 0, 0)
    assert Match.objects.get(bye_given=True) == bye
    set_line_up(actor=OPERATOR, match=bye, side=0, players=team)
    assert not Match.objects.filter(bye_given=True).exists()
    assert standing(event)[bye.entry_a.name] == (0, 0, 0, 0)
    (bye,) = byes(event)
    play_on(play_online(actor=by(team[0]), match=bye), *team)
    refused("has_hands", partial(give_bye_instead, actor=OPERATOR, match=bye, reason="They have lost."))


def test_given_bye_is_one_no_more_in_a_draft(club: Club, robo: Player) -> None:
    """There entries change places, and what was decided for one is not so for another."""
    _event, bye, _team = swiss(club, robo)
    give_bye_instead(actor=OPERATOR, match=bye, reason="They have left.")
    publish_round(actor=OPERATOR, round_=unpublish_round(actor=OPERATOR, round_=bye.round))
    bye.refresh_from_db()
    assert (bye.bye_given, bye.rest) == (False, Rest.PLAYED)


def test_bye_that_was_given_in_a_former_version_is_known_from_the_record(club: Club, robo: Player) -> None:
    event = entered(club, robo)
    draw_round_robin(actor=OPERATOR, event=event)
    given, played, _usual = byes(event)
    for bye in (given, played):
        give_bye_instead(actor=OPERATOR, match=bye, reason="They have left.")
    set_line_up(actor=OPERATOR, match=played, side=0, players=of_team(played.entry_a))
    Match.objects.update(bye_given=False)
    import_module("league.migrations.0079_byes_given").read_record(apps, None)
    assert list(Match.objects.filter(bye_given=True)) == [given]


def test_bye_of_a_round_that_is_complete_stays_one(club: Club, robo: Player) -> None:
    """Its table would not open any more."""
    event, bye, team = swiss(club, robo)
    play_others(bye)
    give_bye_instead(actor=OPERATOR, match=bye, reason="They have left.")
    complete_round(actor=OPERATOR, round_=bye.round)
    (bye,) = byes(event)
    refused("not_played", partial(set_line_up, actor=OPERATOR, match=bye, side=0, players=team))
    assert standing(event)[bye.entry_a.name] == (2, 0, 0, 0)


def test_own_games_say_that_a_team_plays_the_bot(club: Club, robo: Player) -> None:
    _event, bye, team = swiss(club, robo)
    play_online(actor=by(team[0]), match=bye)
    (own,) = own_tables(team[1].user_id or 0, club)
    assert own.others == ((robo, "Robo", False),)


def test_team_that_withdraws_plays_the_bot_no_more(club: Club, robo: Player) -> None:
    """A director gives it the bye, as to a single player, and the round waits for nothing."""
    event, bye, team = swiss(club, robo)
    play_others(bye)
    assert withdraw_entry(actor=OPERATOR, entry=bye.entry_a, reason="gone", give_matches=True) == 0
    (bye,) = byes(event)
    refused("withdrawn", partial(play_online, actor=by(team[0]), match=bye))
    give_bye_instead(actor=OPERATOR, match=bye, reason="They have withdrawn.")
    assert missing_results(event, before=2) == []
    refused("withdrawn", partial(set_line_up, actor=OPERATOR, match=bye, side=0, players=team))


def test_what_the_bot_plays_goes_with_the_draw(club: Club, robo: Player) -> None:
    event = entered(club, robo)
    draw_round_robin(actor=OPERATOR, event=event)
    assert [match.rest for match in byes(event)] == [Rest.PLAYED] * 3
    delete_draw(actor=OPERATOR, event=event)
    assert not Scoresheet.objects.exists()
    draw_round_robin(actor=OPERATOR, event=event)
    play(byes(event)[0], 7)
    refused("has_hands", partial(delete_draw, actor=OPERATOR, event=event))


def test_a_team_that_is_called_as_the_bot_is_none(club: Club, robo: Player) -> None:
    event = entered(club, robo)
    Entry.objects.filter(event=event, name="Team Ann").update(name="Robo")
    draw_round_robin(actor=OPERATOR, event=event)
    (bye,) = [match for match in byes(event) if match.entry_a.name == "Robo"]
    assert bye.sheet is not None
    assert [side.name for side in bye.sheet.sides.order_by("position")] == ["Robo", "Robo (2)"]


def test_it_is_told_on_pages_and_by_the_api(club: Club, robo: Player) -> None:
    """Everywhere the bot is marked as one."""
    Club.objects.update(is_public=True)
    event, bye, team = swiss(club, robo)
    client = browser(team[0])
    page = text(client, bye)
    assert f"{bye.entry_a.name} plays a bot in this round, as there is no opponent." in page
    assert "Robo bot , Robo bot" in page
    opening = plain_text(client.get(address(bye, "match_play")).content.decode())
    assert f"{bye.entry_a.name} v Robo bot The match" in opening
    assert "for both teams" not in opening
    printed = client.get(reverse("round_print", args=[club.slug, event.slug, 1])).content.decode()
    assert f"{bye.entry_a.name} plays a bot" in plain_text(printed)
    for name in ("pairings_pdf", "slips_pdf", "blank_sheets_pdf"):
        assert client.get(reverse(name, args=[club.slug, event.slug, 1])).status_code == 200
    club_page = plain_text(client.get(reverse("club_me", args=[club.slug])).content.decode())
    assert "Your team plays a bot, and it counts." in club_page
    assert "You have no match to play just now." not in club_page
    told = Client().get(f"/api/v1/matches/{bye.code}/").json()
    own, other = told["sides"]
    assert (own["name"], own["entries"]) == (bye.entry_a.name, [bye.entry_a.code])
    assert (other["name"], other["entries"]) == ("Robo", [])
    players = [one["code"] for one in own["players"] + other["players"]]
    assert players == [*(one.code for one in team), robo.code, robo.code]
    table = play_online(actor=by(team[0]), match=bye)
    playing = plain_text(client.get(reverse("play_table", args=[table.code])).content.decode())
    assert f"{team[1].name} v Robo (2) (bot)" in playing
    play_on(table, *team)


@pytest.mark.parametrize("odd_table", [OddTable.PLAYED, OddTable.BYE])
@pytest.mark.parametrize("name", ["Team Ann", "Robo"], ids=["other names", "a team called as the bot"])
def test_what_a_team_played_against_the_bot_moves_with_the_file_of_hands(
    club: Club, robo: Player, odd_table: OddTable, name: str
) -> None:
    """Read back into an empty club it is a bye of the same team, with equal sheets and standings."""
    event = entered(club, robo, odd_table=odd_table, bye_points=0)
    Entry.objects.filter(event=event, name="Team Ann").update(name=name)
    draw_round_robin(actor=OPERATOR, event=event)
    for number, match in enumerate(Match.objects.filter(event=event).with_sides("sheet", "event")):
        play(match, *((-7, 12) if number % 2 else (9, -4)), stopped=True)
    exported = export_hands(event)
    assert exported.notes == [
        "An import needs this bot in the club, which plays in place of an opponent: Robo."
    ]
    assert "Robo+Robo (2)" in exported.text
    before = contents()
    assert imported(club, exported.text.encode(), create=False, rules=None) is None
    assert contents() == before
    other = ClubFactory.create()
    with pytest.raises(FileRefused, match="has no bot “Robo”, and a bye is played against a bot"):
        imported(other, exported.text.encode(), rules=event.rules.rules)
    create_player(actor=OPERATOR, club=other, name="Robo", strategy="steady")
    kept = contents()
    batch = imported(other, exported.text.encode(), rules=event.rules.rules)
    copy = Event.objects.get(club=other)
    assert sheets_of(copy) == sheets_of(event)
    assert [(match.rest, match.entry_a.name, match.net) for match in byes(copy)] == [
        (match.rest, match.entry_a.name, match.net) for match in byes(event)
    ]
    assert standing(copy) == standing(event)
    assert export_hands(copy) == exported
    told, differences = rebuild()
    assert (told[-1], differences) == ("No differences.", 0)
    assert batch is not None
    undo_import(actor=OPERATOR, batch=batch)
    assert not other.events.exists()
    assert kept["Player"] == contents()["Player"]
