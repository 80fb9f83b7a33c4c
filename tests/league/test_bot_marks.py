"""A bot is visible as one wherever its name stands: on pages, in print, in the administration."""

import re
from dataclasses import dataclass

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.draws import recalculating
from league.errors import LeagueError
from league.events.entries import change_entry, enter_players, enter_team
from league.events.event_life import finish_event
from league.models import Club, Entry, Event, Match, Player, Role
from league.people.players import change_player, merge_players
from league.record.requests import request_ratings
from league.tables import ratings
from league.tables.season_tables import create_season_table
from tests.factories import (
    OPERATOR,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    UserFactory,
    house_rules,
    play,
)
from tests.league.bracket_play import drawn, win
from tests.league.simulation import SHORT
from tests.league.test_pages import read
from tests.pdf_text import texts
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

# The names of the two bots; every name below is in no other.
BOTS = ("Zork", "Hal")


@dataclass
class Scene:
    """A league of Zork and Hal among persons, a cup that Zork has won, an evening of teams."""

    league: Event
    cup: Event
    teams: Event
    match: Match
    zork: Player


@pytest.fixture
def scene(club: Club) -> Scene:
    zork, hal = (
        PlayerFactory.create(club=club, name=name, strategy=strategy, level=level)
        for name, strategy, level in (("Zork", "simple", None), ("Hal", "steady", None))
    )
    ann, bob = (PlayerFactory.create(club=club, name=name) for name in ("Ann", "Bob"))
    people = (zork, hal, ann, bob)
    league = EventFactory.create(club=club, name="League", slug="league", rules=house_rules(**SHORT))
    z, h, a, b = enter_players(actor=OPERATOR, event=league, players=people)
    first, second = RoundFactory.create(event=league), RoundFactory.create(event=league)
    match = play(MatchFactory.create(event=league, round=first, entry_a=z, entry_b=h), 5)
    play(MatchFactory.create(event=league, round=first, entry_a=a, entry_b=b), 5)
    MatchFactory.create(event=league, round=second, entry_a=a, entry_b=z)
    MatchFactory.create(event=league, round=second, entry_a=h, entry_b=None)
    cup = EventFactory.create(club=club, name="Cup", slug="cup", format="single", rules=house_rules(**SHORT))
    for seed, player in enumerate(people, start=1):
        EntryFactory.create(event=cup, name=player.name, players=[player], seed=seed)
    drawn(cup)
    win(cup, 1, "Zork")
    teams = EventFactory.create(club=club, name="Teams", slug="teams", team_size=2)
    machines = enter_team(actor=OPERATOR, event=teams, name="The Machines", players=[zork, hal])
    mixed = enter_team(
        actor=OPERATOR,
        event=teams,
        name="The Mixed",
        players=[ann, PlayerFactory.create(club=club, name="Eliza", strategy="novice")],
    )
    play(MatchFactory.create(event=teams, entry_a=machines, entry_b=mixed), 300, stopped=True)
    for event in (league, cup, teams):
        recalculating.recalculate(event.pk)
    request_ratings(club.pk)
    ratings.recalculate(club.pk)
    return Scene(league, cup, teams, match, zork)


def unmarked(text: str, *names: str) -> list[str]:
    """Where a bot's name stands without its mark, with what follows it."""
    return [
        found[0]
        for name in names or BOTS
        for found in re.finditer(rf"\b{name}\b.{{0,24}}", text)
        if not re.match(rf"{name} (bot\b|\(bot\))", found[0])
    ]


@pytest.mark.parametrize(
    ("view", "args"),
    [
        ("club", ()),
        ("players", ()),
        ("ratings", ()),
        ("champions", ()),
        ("season_table", ("season",)),
        ("event", ("league",)),
        ("event_rounds", ("league",)),
        ("event_crosstable", ("league",)),
        ("round", ("league", 1)),
        ("round", ("league", 2)),
        ("round_print", ("league", 1)),
        ("round_print", ("league", 2)),
        ("event", ("cup",)),
        ("event_bracket", ("cup",)),
        ("event_crosstable", ("cup",)),
        ("event_players", ("teams",)),
        ("player", ("Ann",)),
        ("player", ("Zork",)),
        ("rating", ("Hal",)),
        ("rating", ("Zork",)),
    ],
)
def test_every_page_marks_every_bot(
    client: Client, club: Club, scene: Scene, view: str, args: tuple[object, ...]
) -> None:
    finish_event(actor=OPERATOR, event=scene.league, despite_unfinished=True)
    create_season_table(
        actor=OPERATOR, club=club, name="Season", slug="season", place_points=[3, 2, 1], events=[scene.league]
    )
    if view in ("player", "rating"):
        args = tuple(Player.objects.get(name=name).code for name in args)
    text = read(client, view, club.slug, *args)
    assert "Zork bot" in text or "Hal bot" in text or view == "event_rounds"
    assert not unmarked(text)


def test_match_is_marked_above_its_sheet_and_in_its_line_ups(client: Client, scene: Scene) -> None:
    text = read(client, "match", "harbour", "league", scene.match.code)
    assert "Zork bot v Hal bot" in text
    assert text.count("Zork bot") >= 2


def test_team_is_marked_once_where_all_are_bots_else_each_bot_is(client: Client, scene: Scene) -> None:
    for page in ("event", "event_players"):
        text = read(client, page, "harbour", "teams")
        assert not unmarked(text, "Eliza")
    table = read(client, "event", "harbour", "teams")
    assert "The Machines bot Zork , Hal" in table
    assert "The Mixed Ann , Eliza bot" in table
    match = Match.objects.get(event=scene.teams)
    text = read(client, "match", "harbour", "teams", match.code)
    assert "The Machines bot v The Mixed" in text
    assert "Zork bot , Hal bot" in text
    assert "Ann , Eliza bot" in text


@pytest.mark.parametrize(
    ("view", "args"),
    [
        ("event_standings_pdf", ("league",)),
        ("crosstable_pdf", ("league",)),
        ("bracket_pdf", ("cup",)),
        ("pairings_pdf", ("league", 1)),
        ("slips_pdf", ("league", 2)),
        ("blank_sheets_pdf", ("league", 2)),
    ],
)
def test_every_print_marks_every_bot(
    client: Client, scene: Scene, view: str, args: tuple[object, ...]
) -> None:
    text = " ".join(texts(client.get(reverse(view, args=["harbour", *args])).content))
    assert "Zork (bot)" in text
    assert not unmarked(text)


def test_lists_of_the_administration_and_the_night_tray_mark_bots(client: Client, scene: Scene) -> None:
    client.force_login(UserFactory.create(club=scene.league.club, role=Role.OWNER))
    for name in ("player", "entry", "match"):
        page = client.get(reverse(f"admin:league_{name}_changelist")).content.decode()
        assert "Zork (bot)" in page
    tray = read(client, "entry:tray", scene.match.round.code)
    assert "Zork (bot) v Hal (bot)" in tray


def test_table_in_the_terminal_marks_bots(scene: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("standings", "league")
    said = capsys.readouterr().out
    assert "Zork (bot)" in said
    assert not unmarked(said)


@pytest.mark.parametrize("view", ["event", "event_crosstable", "event_rounds"])
def test_marks_cost_no_query(client: Client, scene: Scene, view: str) -> None:
    address = reverse(view, args=["harbour", "league"])
    counts = []
    for _turn in range(2):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            client.get(address)
        counts.append(len(queries))
        Player.objects.update(strategy="", level=None)
        Entry.objects.all().note_bots()
    assert counts[0] == counts[1]


def test_entry_of_players_is_a_bots_as_long_as_all_of_them_are(scene: Scene) -> None:
    machines = Entry.objects.get(name="The Machines")
    assert str(machines) == "The Machines (bot)"
    person = PlayerFactory.create(club=scene.teams.club, name="Cid")
    players = [member.player for member in machines.members.select_related("player")]
    change_entry(actor=OPERATOR, entry=machines, players=[*players, person])
    assert str(Entry.objects.get(pk=machines.pk)) == "The Machines"


def test_player_who_becomes_a_bot_before_the_first_match_is_one_where_entered(club: Club) -> None:
    player = PlayerFactory.create(club=club, name="Cid")
    (entry,) = enter_players(actor=OPERATOR, event=EventFactory.create(club=club), players=[player])
    change_player(actor=OPERATOR, player=player, strategy="simple")
    assert str(Entry.objects.get(pk=entry.pk)) == "Cid (bot)"
    change_player(actor=OPERATOR, player=player, strategy="")
    assert str(Entry.objects.get(pk=entry.pk)) == "Cid"


@pytest.mark.parametrize(("keep", "drop"), [("Zork", "Cid"), ("Cid", "Zork"), ("Zork", "Hal")])
def test_bot_is_merged_with_nobody_who_does_not_play_alike(scene: Scene, keep: str, drop: str) -> None:
    PlayerFactory.create(club=scene.league.club, name="Cid")
    with refuses(LeagueError, "not_alike"):
        merge_players(actor=OPERATOR, keep=Player.objects.get(name=keep), drop=Player.objects.get(name=drop))
