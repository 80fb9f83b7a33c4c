"""A bot that plays whoever would have a bye: what that counts, for whom, and where it is told."""

import datetime
import re
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import TableMatch
from games.services import act, keep_clocks, table_state
from league.core.hand_files.problems import FileRefused
from league.core.standings import CountsAs
from league.core.trf_reading import read_trf
from league.draws.levels import is_asked
from league.draws.missing import missing_results
from league.draws.online import play_online
from league.draws.recalculating import recalculate
from league.draws.rounds import delete_draw, draw_round_robin
from league.draws.sitting_in import give_bye_instead
from league.errors import LeagueError
from league.events.event_life import finish_event, unfinished
from league.events.events import usual_settings
from league.events.next_step import next_step
from league.files.exporting import export_hands
from league.files.trf import export_trf
from league.files.undoing import undo_import
from league.matches.matches import renew_sheet
from league.matches.member_tables import end_table_for
from league.models import (
    Club,
    Entry,
    Event,
    Match,
    MatchState,
    OddTable,
    OnlineClock,
    PlayedWhere,
    Player,
    Rating,
    Rest,
    Round,
    Standing,
)
from league.people.players import change_player, create_player
from league.record.requests import request_ratings
from league.tables import ratings
from league.tables.round_summaries import left_over, summaries
from scoring.core.rules import Rules
from scoring.models import Scoresheet, SheetStatus
from scoring.services import void_sheet
from tests.factories import OPERATOR, ClubFactory, EntryFactory, EventFactory, house_rules, play
from tests.kept import contents
from tests.league.hand_files import dead, file_of, imported
from tests.league.swiss_rounds import paired
from tests.league.table_players import QUICK, by, member, plain_text
from tests.league.test_rebuild import rebuild
from tests.league.test_sitting_in import LONG, play_until_over
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.fixture
def members(club: Club) -> list[Player]:
    return [member(club, name) for name in ("Ann", "Bob", "Cid")]


def entered(robo: Player | None, players: list[Player], **settings: Any) -> Event:
    """An event of these players, in which this bot plays whoever is left over."""
    usual = {"rules": house_rules(**QUICK), "played": PlayedWhere.ONLINE, "sits_in": robo, "slug": "league"}
    event: Event = EventFactory.create(club=players[0].club, **usual | settings)
    for seed, player in enumerate(players, start=1):
        EntryFactory.create(event=event, name=player.name, players=[player], seed=seed)
    return event


def swiss(robo: Player, players: list[Player], **settings: Any) -> tuple[Event, Match, Player]:
    """Such an event with a round paired: with its bye, and the player who has it."""
    event = entered(robo, players, format="swiss", rounds_planned=3, **settings)
    paired(OPERATOR, event)
    (bye,) = byes(event)
    return event, bye, next(one for one in players if one.name == bye.entry_a.name)


def play_others(bye: Match) -> None:
    """Play all matches of its round but the bye: the first side of each wins."""
    for match in bye.round.matches.exclude(pk=bye.pk):
        play(match, 5, stopped=True)


def byes(event: Event) -> list[Match]:
    rows = Match.objects.filter(event=event, state=MatchState.BYE).with_sides("round", "sheet", "event")
    return list(rows.order_by("round__number"))


def standing(event: Event) -> dict[str, tuple[int, int, int, int]]:
    """Points, matches won, matches lost and net by entry."""
    recalculate(event.pk)
    rows = Standing.objects.filter(event=event).select_related("entry")
    return {row.entry.name: (int(row.points), row.wins, row.losses, row.net) for row in rows}


def test_whoever_has_the_bye_plays_the_bot_and_it_counts_as_played(
    members: list[Player], robo: Player
) -> None:
    """Not before it is over. The bot is in no table, and nobody is rated."""
    event, bye, player = swiss(robo, members, loss_points=0)
    play_others(bye)
    assert standing(event)[player.name] == (0, 0, 0, 0)
    assert [match.pk for match in missing_results(event, before=2)] == [bye.pk]
    table = play_online(actor=by(player), match=bye)
    play_until_over(table, player, 0)
    bye.refresh_from_db()
    assert bye.sheet is not None
    assert bye.sheet.status == SheetStatus.FINISHED
    assert bye.state == MatchState.BYE
    won = bye.sheet.winner == 0
    assert standing(event)[player.name] == (2 * won, int(won), int(not won), bye.net)
    assert bye.net == bye.sheet.nets[0] != 0
    assert len(standing(event)) == 3
    Club.objects.update(is_public=True)
    assert " bot " in read(Client(), reverse("event_crosstable", args=["harbour", "league"]))
    assert missing_results(event, before=2) == []
    request_ratings(event.club_id)
    ratings.recalculate(event.club_id)
    assert set(Rating.objects.values_list("player__name", flat=True)) == {"Ann", "Bob", "Cid"} - {player.name}


def test_it_counts_as_the_bye_if_the_event_says_so(members: list[Player], robo: Player) -> None:
    event, bye, _player = swiss(robo, members, odd_table=OddTable.BYE)
    play(bye, -7, stopped=True)
    play_others(bye)
    assert standing(event)[bye.entry_a.name] == (2, 0, 0, 0)


@pytest.mark.parametrize("figure", [7, -7])
def test_for_opponents_it_is_a_bye_and_nobody_has_two(
    members: list[Player], robo: Player, figure: int
) -> None:
    """The Buchholz of who has it is what a bye gives; the next bye is somebody else's."""
    event = entered(robo, members, format="swiss", rounds_planned=3, criteria=["match_points", "buchholz"])
    Event.objects.filter(pk=event.pk).update(bye_strength=CountsAs.ZERO)
    event.refresh_from_db()
    paired(OPERATOR, event)
    (bye,) = byes(event)
    play(bye, figure, stopped=True)
    play_others(bye)
    recalculate(event.pk)
    row = Standing.objects.get(entry=bye.entry_a)
    assert row.metrics["buchholz"] == 0
    paired(OPERATOR, event)
    first, second = byes(event)
    assert first.entry_a != second.entry_a
    assert second.rest == Rest.PLAYED


def test_round_robin_has_it_in_every_round_and_goes_with_its_draw(
    members: list[Player], robo: Player
) -> None:
    event = entered(robo, members)
    draw_round_robin(actor=OPERATOR, event=event)
    assert [match.rest for match in byes(event)] == [Rest.PLAYED] * 3
    assert Scoresheet.objects.count() == 6
    delete_draw(actor=OPERATOR, event=event)
    assert not Scoresheet.objects.exists()
    draw_round_robin(actor=OPERATOR, event=event)
    play(byes(event)[0], 7)
    with refuses(LeagueError, "has_hands"):
        delete_draw(actor=OPERATOR, event=event)


@pytest.mark.parametrize(
    "settings",
    [
        {"sits_in": None},
        {"odd_table": OddTable.REST},
        {"played": PlayedWhere.AT_TABLE},
        {"holds_results": True},
    ],
)
def test_bye_stays_one_where_the_event_says_so(
    members: list[Player], robo: Player, settings: dict[str, Any]
) -> None:
    event = entered(robo, members, **settings)
    draw_round_robin(actor=OPERATOR, event=event)
    assert [match.rest for match in byes(event)] == [Rest.BYE] * 3


def test_bye_stays_one_where_the_bot_does_not_play_the_game(members: list[Player], robo: Player) -> None:
    event = entered(robo, members, rules=house_rules("basic_rummy", columns=1))
    draw_round_robin(actor=OPERATOR, event=event)
    assert {match.rest for match in byes(event)} == {Rest.BYE}


def test_bye_stays_one_where_the_bot_has_become_a_person(members: list[Player], robo: Player) -> None:
    event = entered(robo, members)
    change_player(actor=OPERATOR, player=robo, strategy="")
    draw_round_robin(actor=OPERATOR, event=Event.objects.get(pk=event.pk))
    assert {match.rest for match in byes(event)} == {Rest.BYE}


def test_bot_that_is_entered_itself_plays_nobody_else(members: list[Player], robo: Player) -> None:
    event = entered(robo, [*members[:2], robo])
    draw_round_robin(actor=OPERATOR, event=event)
    assert {match.rest for match in byes(event)} == {Rest.BYE}
    assert Entry.objects.filter(event=event).count() == 3


def test_result_is_missing_until_the_bot_is_played(members: list[Player], robo: Player) -> None:
    """The bye's alone: for the event, its next step, the counts of its round and the file of pairings."""
    usual = {"format": "swiss", "rounds_planned": 1, "criteria": ["match_points", "net"]}
    event = entered(robo, members, prizes=1, **usual)
    round_ = paired(OPERATOR, event)
    (bye,) = byes(event)
    play_others(bye)
    recalculate(event.pk)
    event = Event.objects.get(pk=event.pk)
    (summary,) = summaries(event, seen=Round.objects.all())
    assert (summary.matches, summary.decided, summary.missing, summary.byes) == (2, 1, 1, 0)
    assert not summary.complete
    assert next_step(event) == "Round 1 is published; 1 result is missing."
    assert not is_asked(event)
    assert unfinished(event).sentences() == [f"1 match has no result: {bye.label}."]
    with refuses(LeagueError, "unfinished"):
        finish_event(actor=OPERATOR, event=event)
    assert not any(player.games for player in read_trf(export_trf(event).encode()).players)
    play(bye, 5, stopped=True)
    (summary,) = summaries(event, seen=Round.objects.all())
    assert (summary.matches, summary.decided, summary.missing) == (2, 2, 0)
    assert round_.matches.count() == 2
    finish_event(actor=OPERATOR, event=event)


def test_later_rounds_list_a_bye_that_is_still_to_be_played(members: list[Player], robo: Player) -> None:
    event = entered(robo, members)
    draw_round_robin(actor=OPERATOR, event=event)
    first, *_others, last = event.rounds.order_by("number")
    (bye,) = first.matches.filter(state=MatchState.BYE)
    play_others(bye)
    assert list(Match.objects.filter(left_over(event, last), round=first)) == [bye]


def test_file_of_pairings_has_a_round_without_a_point_for_who_lost_to_the_bot(
    members: list[Player], robo: Player
) -> None:
    """It is no bye of a whole point there; the bot is nobody in it."""
    event, bye, _player = swiss(robo, members)
    for match in event.matches.all():
        play(match, -7, stopped=True)
    players = [line for line in export_trf(event).splitlines() if line.startswith("001")]
    assert len(players) == 3
    (line,) = [each for each in players if f" {bye.entry_a.name} " in each]
    assert re.search(r" 0000 - Z\s*$", line)


@pytest.mark.parametrize(("points", "order"), [(5, "PTS,BH"), (-7, "PTS")])
def test_file_of_pairings_names_tie_breaks_as_long_as_a_played_bye_is_one_for_fide_too(
    members: list[Player], robo: Player, points: int, order: str
) -> None:
    """A round without a point is none that was asked off: for FIDE it would count as drawn (16.3.2)."""
    strengths = {name: value for name, value in usual_settings("swiss").items() if name.endswith("strength")}
    event, bye, _player = swiss(robo, members, criteria=["match_points", "buchholz"], **strengths)
    play_others(bye)
    play(bye, points, stopped=True)
    assert f"212 {order}" in [line.rstrip() for line in export_trf(event).splitlines()]


@pytest.mark.parametrize("odd_table", [OddTable.PLAYED, OddTable.BYE])
@pytest.mark.parametrize("results", [(-7, -12, 9), (105,)], ids=["stopped", "finished"])
def test_what_was_played_against_the_bot_moves_with_the_file_of_hands(
    members: list[Player], robo: Player, odd_table: OddTable, results: tuple[int, ...]
) -> None:
    """Read back, it is a bye of the same entry, and the bot has no place in the table."""
    # As the import makes an event, whose settings are not in the file.
    event = entered(robo, members, odd_table=odd_table, rules=house_rules(columns=1), bye_points=0)
    draw_round_robin(actor=OPERATOR, event=event)
    for match in Match.objects.filter(event=event).with_sides("sheet", "event"):
        play(match, *results, stopped=len(results) > 1)
    exported = export_hands(event)
    assert exported.notes == [
        "An import needs this bot in the club, which plays in place of an opponent: Robo."
    ]
    before = contents()
    assert imported(event.club, exported.text.encode(), create=False, rules=None) is None
    assert contents() == before
    club = ClubFactory.create()
    with pytest.raises(FileRefused, match="has no bot “Robo”, and a bye is played against a bot"):
        imported(club, exported.text.encode(), rules=event.rules.rules)
    create_player(actor=OPERATOR, club=club, name="Robo", strategy="steady")
    kept = contents()
    batch = imported(club, exported.text.encode(), rules=event.rules.rules)
    copy = Event.objects.get(club=club)
    assert [(match.entry_a.name, match.rest, match.net) for match in byes(copy)] == [
        (match.entry_a.name, match.rest, match.net) for match in byes(event)
    ]
    assert standing(copy) == standing(event)
    assert export_hands(copy) == exported
    told, differences = rebuild()
    assert (told[-1], differences) == ("No differences.", 0)
    assert batch is not None
    undo_import(actor=OPERATOR, batch=batch)
    assert not club.events.exists()
    assert kept["Player"] == contents()["Player"]


def test_bye_in_which_nothing_was_played_is_left_out_of_the_file_of_hands(
    members: list[Player], robo: Player
) -> None:
    event = entered(robo, members)
    draw_round_robin(actor=OPERATOR, event=event)
    first, *_others = byes(event)
    play(first, -7, stopped=True)
    exported = export_hands(event)
    assert exported.notes[0] == "Left out: 2 byes, forfeits or walkovers."
    assert exported.hands == 1


def test_what_was_lost_by_the_clock_to_the_bot_is_left_out_of_the_file_of_hands(
    members: list[Player], robo: Player
) -> None:
    """As every forfeit is: read back, its hands would say who has won."""
    now = datetime.datetime(2026, 3, 2, 20, tzinfo=datetime.UTC)
    with time_machine.travel(now, tick=False) as clock:
        event = entered(robo, members, rules=LONG(), online_clock=OnlineClock.CORRESPONDENCE)
        draw_round_robin(actor=OPERATOR, event=event)
        bye, *_others = byes(event)
        (player,) = [one for one in members if one.name == bye.entry_a.name]
        play_until_over(play_online(actor=by(player), match=bye), player, 0, deals=1)
        clock.shift(datetime.timedelta(days=4))
        keep_clocks(timezone.now())
    bye.refresh_from_db()
    assert bye.sheet is not None
    assert (bye.winner_side, bye.net, bye.sheet.deal_count) == (1, 0, 1)
    exported = export_hands(event)
    assert exported.hands == 0
    assert exported.notes[0] == "Left out: 3 byes, forfeits or walkovers."


def test_row_of_a_bye_that_fits_nothing_is_refused(members: list[Player], robo: Player) -> None:
    event = entered(robo, members)
    draw_round_robin(actor=OPERATOR, event=event)
    bye, match = (
        byes(event)[0],
        Match.objects.filter(event=event, round__number=1).exclude(entry_b=None).get(),
    )
    of_bye = {"event": event.name, "round": 1, "sheet": bye.label, "date": "", "table": ""}
    of_bye |= {"side_a": bye.entry_a.name, "side_b": "Robo"}
    assert match.entry_b is not None
    of_match = of_bye | {"sheet": match.label, "side_a": match.entry_a.name, "side_b": match.entry_b.name}
    hand, row = dead(**of_bye), dead(**of_bye, kind="bye") | {"deal": ""}
    late = row | {"deal": 2, "kind": "substitute", "player": match.entry_a.name, "replaces": "Robo"}
    refused_rows = {
        "a bye was awarded for it": [hand],
        "has no bot": [dead(**of_match), row | of_match],
        "is played by two entries, and not in a bye": [
            dead(**of_match | {"side_b": "Robo"}),
            row | of_match | {"side_b": "Robo"},
        ],
        "Row 3 says already that sheet": [hand, row, row],
        "The whole sheet is played in a bye; leave this empty": [hand, row | {"deal": 1}],
        "This is “besides” or empty, not “half”": [hand, row | {"mark": "half"}],
        "Nobody takes the bot’s seat in a bye": [hand, late, row],
    }
    for said, rows in refused_rows.items():
        with pytest.raises(FileRefused, match=said):
            imported(event.club, file_of(*rows), create=False, rules=None)
    outside = {"event": "", "round": ""}
    with pytest.raises(FileRefused, match="There are byes only in events"):
        imported(event.club, file_of(hand | outside, row | outside))
    made = {"event": "Anew", "table": ""}
    others = {"sheet": "B2", "round": 2, "side_a": match.entry_a.name}
    ways = [hand, row, hand | others, row | others | {"mark": "besides"}]
    with pytest.raises(FileRefused, match="counts differently; in one event all count alike"):
        imported(event.club, file_of(*[one | made for one in ways]))
    teams = {"side_a": "Ann+Bob", "side_b": "Robo+Cid"}
    hand |= {"kind": "dead", "knocker": "Ann", "defender": "Robo"}
    with pytest.raises(FileRefused, match=r"the bot has every seat of this side; write “Robo\+Robo \(2\)”"):
        imported(
            event.club, file_of(*[one | made | teams for one in (hand, hand | {"defender": "Cid"}, row)])
        )
    tables = made | {"game": "jersey", "side_a": "Ann", "side_b": "Bob", "side_c": "Robo"}
    rows = [one | tables | {"knocker": "", "defender": ""} for one in (hand, row)]
    with pytest.raises(FileRefused, match="There are byes only in matches of two sides"):
        imported(event.club, file_of(*rows), rules=Rules.preset("jersey"))


def test_sheet_follows_the_entry_and_is_opened_anew_once_it_is_voided(
    members: list[Player], robo: Player
) -> None:
    _event, bye, player = swiss(robo, members)
    change_player(actor=OPERATOR, player=player, name="Zoe")
    assert bye.sheet is not None
    assert [side.name for side in bye.sheet.sides.order_by("position")] == ["Zoe", "Robo"]
    void_sheet(actor=OPERATOR, sheet=bye.sheet, reason="a wrong start")
    renewed = renew_sheet(actor=OPERATOR, match=bye)
    assert renewed.rest == Rest.PLAYED
    play_online(actor=by(player), match=Match.objects.get(pk=bye.pk))


def test_who_lets_the_bot_wait_too_long_has_lost_to_it(members: list[Player], robo: Player) -> None:
    """The round waits for nothing more, and nothing is added to his net."""
    now = datetime.datetime(2026, 3, 2, 20, tzinfo=datetime.UTC)
    with time_machine.travel(now, tick=False) as clock:
        event, bye, player = swiss(robo, members, loss_points=0, online_clock=OnlineClock.CORRESPONDENCE)
        play_others(bye)
        play_online(actor=by(player), match=bye)
        clock.shift(datetime.timedelta(days=4))
        keep_clocks(timezone.now())
    assert missing_results(event, before=2) == []
    assert standing(event)[player.name] == (0, 0, 1, 0)
    bye.refresh_from_db()
    assert (bye.state, bye.winner_side) == (MatchState.BYE, 1)


def test_rebuild_finds_and_mends_what_was_played_against_the_bot(members: list[Player], robo: Player) -> None:
    event, bye, _player = swiss(robo, members)
    for match in event.matches.all():
        play(match, -7, stopped=True)
    recalculate(event.pk)
    request_ratings(event.club_id)
    ratings.recalculate(event.club_id)
    assert rebuild() == (["No differences."], 0)
    bye.refresh_from_db()
    net = bye.net
    Match.objects.filter(pk=bye.pk).update(net=999, winner_side=0)
    Scoresheet.objects.filter(match=bye).update(nets=[5, -5])
    lines, status = rebuild("--apply")
    assert status == 0
    assert any(f"match {bye.label} of {event}: net is 999" in line for line in lines)
    assert any("nets is [5, -5]" in line for line in lines)
    bye.refresh_from_db()
    assert (bye.state, bye.winner_side, bye.net) == (MatchState.BYE, 1, net)
    assert rebuild() == (["No differences."], 0)


def test_director_gives_the_bye_instead(members: list[Player], robo: Player) -> None:
    event, bye, player = swiss(robo, members)
    play_online(actor=by(player), match=bye)
    give_bye_instead(actor=OPERATOR, match=bye, reason="she has left")
    play_others(bye)
    assert standing(event)[player.name] == (2, 0, 0, 0)
    assert missing_results(event, before=2) == []
    assert Scoresheet.objects.count() == 1
    with refuses(LeagueError, "plays_no_bot"):
        give_bye_instead(actor=OPERATOR, match=bye, reason="again")


def test_bye_is_given_no_more_while_play_goes_on_that_a_player_has_begun(
    members: list[Player], robo: Player
) -> None:
    """What he has played never vanishes by that: a director ends the play first, which is noted."""
    # By rules under which the bot does not end a hand in its first turns.
    _event, bye, player = swiss(robo, members, rules=house_rules(**QUICK | {"knock_limit": 0}))
    table = play_online(actor=by(player), match=bye)
    told = table_state(actor=by(player), match=table, seat=0)
    act(
        actor=by(player),
        match=table,
        seat=0,
        version=told["version"],
        action=told["hand"]["legal"][-1],
        key="first",
    )
    with refuses(LeagueError, "has_hands"):
        give_bye_instead(actor=OPERATOR, match=bye, reason="she has left")
    assert TableMatch.objects.filter(pk=table.pk, is_live=True).exists()
    end_table_for(actor=OPERATOR, match=table, reason="she has left")
    give_bye_instead(actor=OPERATOR, match=bye, reason="she has left")
    bye.refresh_from_db()
    assert (bye.bye_given, bye.sheet) == (True, None)


def test_it_is_told_on_pages_and_by_the_api(club: Club, members: list[Player], robo: Player) -> None:
    Club.objects.update(is_public=True)
    event = entered(robo, members)
    draw_round_robin(actor=OPERATOR, event=event)
    bye = byes(event)[0]
    player = next(one for one in members if one.name == bye.entry_a.name)
    client = Client()
    assert player.user is not None
    client.force_login(player.user)
    match = reverse("match", args=["harbour", "league", bye.code])
    page = read(client, match)
    assert f"{player.name} plays a bot in this round, as there is no opponent." in page
    assert "The match counts as it is played" in page
    assert "Robo bot" in page
    assert "Play now" in page
    opening = read(client, reverse("match_play", args=["harbour", "league", bye.code]))
    assert f"{player.name} v Robo bot" in opening
    assert "plays a bot" in read(client, reverse("round", args=["harbour", "league", bye.round.number]))
    assert "You play a bot, and it counts." in read(client, reverse("club_me", args=["harbour"]))
    play(bye, 7, stopped=True)
    assert f"Score sheet {bye.label}" in read(client, match)
    profile = read(client, reverse("player", args=["harbour", player.code]))
    assert re.search(r"bye.{0,40}\b2\b", profile)
    told = client.get(f"/api/v1/matches/{bye.code}/").json()
    assert (told["state"], told["sheet"]) == ("bye", bye.sheet and bye.sheet.code)
    named = [
        (side["name"], side["entries"], [one["code"] for one in side["players"]]) for side in told["sides"]
    ]
    assert named == [(player.name, [bye.entry_a.code], [player.code]), ("Robo", [], [robo.code])]
    assert told["net"] == told["sides"][0]["net"] == -told["sides"][1]["net"] != 0
    for name in ("pairings_pdf", "slips_pdf", "blank_sheets_pdf", "crosstable_pdf"):
        args = ["harbour", "league"] + ([] if name == "crosstable_pdf" else [bye.round.number])
        assert client.get(reverse(name, args=args)).status_code in (200, 302, 404)


def read(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return plain_text(answer.content.decode())
