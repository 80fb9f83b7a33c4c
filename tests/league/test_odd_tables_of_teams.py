"""A team that would have a bye plays its tables against the event's bot: by hand, and in an evening."""

from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.draws.missing import missing_results
from league.draws.online import play_online
from league.draws.round_life import complete_round
from league.draws.rounds import delete_draw, draw_round_robin
from league.draws.sitting_in import give_bye_instead, let_bot_sit_in
from league.events.entries import withdraw_entry
from league.files.exporting import export_hands
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
from league.people.records import matches_of
from league.record.requests import request_ratings
from league.tables import ratings
from scoring.models import Scoresheet, Seat
from tests.factories import OPERATOR, EntryFactory, EventFactory, house_rules, play
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
from tests.league.test_odd_tables import byes, standing

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
    for match in event.matches.exclude(pk=bye.pk):
        play(match, 5, stopped=True)
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
    for match in event.matches.exclude(pk=bye.pk):
        play(match, 5, stopped=True)
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
    for match in event.matches.exclude(pk=bye.pk):
        play(match, 5, stopped=True)
    give_bye_instead(actor=OPERATOR, match=bye, reason="They have left.")
    assert (seated(bye), missing_results(event, before=2)) == ([], [])
    assert standing(event)[bye.entry_a.name] == (2, 0, 0, 0)
    set_line_up(actor=OPERATOR, match=bye, side=0, players=team)
    assert standing(event)[bye.entry_a.name] == (0, 0, 0, 0)
    (bye,) = byes(event)
    play_on(play_online(actor=by(team[0]), match=bye), *team)
    refused("has_hands", partial(give_bye_instead, actor=OPERATOR, match=bye, reason="They have lost."))


def test_bye_of_a_round_that_is_complete_stays_one(club: Club, robo: Player) -> None:
    """Its table would not open any more."""
    event, bye, team = swiss(club, robo)
    for match in event.matches.exclude(pk=bye.pk):
        play(match, 5, stopped=True)
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
    for match in event.matches.exclude(pk=bye.pk):
        play(match, 5, stopped=True)
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
    """Everywhere the bot is marked as one; a file of hands leaves out what it has played."""
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
    assert "No match of yours is drawn." not in club_page
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
    exported = export_hands(event)
    said = "Left out: 1 sheet of a team that was played against a bot in place of a bye."
    assert said in exported.notes
    assert "Robo" not in exported.text
