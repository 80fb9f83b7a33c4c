"""A Swiss as FIDE's Tournament Report File: the columns of TRF16, and what an event becomes in them."""

import datetime
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from league.core.trf import Game, Player, Tournament, Virtual, written
from league.core.trf_reading import read_trf
from league.draws.forfeits import award_forfeit, award_walkover
from league.draws.levels import decide_level, undecided
from league.draws.recalculating import recalculate
from league.events.entries import withdraw_entry
from league.files.taking_over import TakingOptions, apply_taking, plan_taking
from league.files.trf import export_trf
from league.models import Club, CutHow, Event, ForbiddenPair, Role
from league.tables.standings import current_standings
from league.upkeep.rebuilding import check_matches
from scoring.core.actors import Actor
from tests.factories import UserFactory, play
from tests.league.swiss_rounds import paired, play_all, seeded, swiss_of


def test_columns_are_where_fide_has_them() -> None:
    """TRF16, player section: number 5-8, name 15-47, points 81-84, rank 86-89, rounds from 92 by tens."""
    games = [Game(12, "w", "1"), Game(3, "b", "="), Game(result="U")]
    file = written(
        Tournament(
            name="Cup",
            players=[Player("A " + "n" * 40, Decimal("2.5"), 1, games)],
            rounds=3,
            starts_on=datetime.date(2026, 9, 1),
        )
    )
    assert "042 2026/09/01\r\n" in file
    (line,) = (line for line in file.split("\r\n") if line.startswith("001"))
    assert (line[4:8], line[14:47], line[80:84], line[85:89]) == ("   1", "A " + "n" * 31, " 2.5", "   1")
    assert (line[91:95], line[96], line[98]) == ("  12", "w", "1")
    assert (line[101:105], line[106], line[108]) == ("   3", "b", "=")
    assert (line[111:115], line[116], line[118]) == ("0000", "-", "U")
    assert len(line) == 119


def test_virtual_points_and_pairs_kept_apart_are_records_of_2026() -> None:
    """As the format's example, 250 00.0 02.0 001 003 0001 0090, without points of teams; and TRF16."""
    file = written(
        Tournament(
            name="Two\nlines",
            players=[],
            rounds=5,
            worth=[("W", Decimal(3)), ("D", Decimal(1))],
            virtual=[Virtual(Decimal(2), 1, 3, 2)],
            forbidden=[(7, 12)],
        )
    )
    assert file.split("\r\n") == [
        "012 Two lines",
        "062 0",
        "092 Individual: Swiss-System",
        "142 5",
        "XXR 5",
        "162  W 3.0    D 1.0",
        "250       2.0 001 003 0001 0002",
        "XXA    1  2.0  2.0  2.0",
        "XXA    2  2.0  2.0  2.0",
        "260 001 005    7   12",
        "XXP 7 12",
        "",
    ]


@pytest.mark.django_db
def test_an_event_is_written_round_by_round(club: Club, director: Actor) -> None:
    """Five in two rounds; in the first 4 does not come, then it withdraws."""
    event = swiss_of(club, 5, rounds_planned=3, bye_points=1)
    one, two = seeded(event, 1), seeded(event, 2)
    ForbiddenPair.objects.create(event=event, entry_a=one, entry_b=two)
    first = paired(director, event)
    for match in first.matches.filter(entry_b__isnull=False):
        if two in (match.entry_a, match.entry_b):
            winner = 0 if match.entry_a == two else 1
            award_walkover(actor=director, match=match, winner_side=winner, reason="did not come")
        else:
            play(match, 50 if match.entry_a == one else -50, stopped=True)
    withdraw_entry(actor=director, entry=seeded(event, 4), reason="ill")
    play_all(paired(director, event))
    lines = export_trf(event).split("\r\n")
    assert lines[:5] == ["012 Saturday Swiss", "062 5", "092 Individual: Swiss-System", "142 3", "XXR 3"]
    assert lines[5] == "162  W 1.0    D 0.5    L 0.0    P 0.5"
    rounds = {line[14:22]: line[91:] for line in lines if line.startswith("001")}
    assert rounds["Entry 01"][:4] == "   3"
    assert rounds["Entry 01"][7] == "1"
    assert rounds["Entry 02"][:4] == "   4"
    assert rounds["Entry 02"][7] == "+"
    assert rounds["Entry 04"][:4] == "   2"
    assert rounds["Entry 04"][7] == "-"
    assert rounds["Entry 04"][10:18] == "0000 - Z"
    assert rounds["Entry 05"][:8] == "0000 - U"
    assert {len(each) for each in rounds.values()} == {18}
    assert lines[-3:] == ["260 001 003    1    2", "XXP 1 2", ""]


@pytest.mark.django_db
def test_a_game_that_both_have_lost_goes_out_and_comes_back(club: Club, director: Actor) -> None:
    """Both give up after a hand: a game, and a loss for either. Before the first hand it is none."""
    event = swiss_of(club, 4, rounds_planned=1)
    begun, unbegun = paired(director, event).matches.order_by("table")
    play(begun, 20)
    for match in (begun, unbegun):
        award_forfeit(actor=director, match=match, winner_side=None, reason="both had to leave")
    file = export_trf(event)
    games = {line[14:22]: line[96:99] for line in file.split("\r\n") if line.startswith("001")}
    assert [games[begun.entry_a.name], games[str(begun.entry_b)]] == ["w 0", "b 0"]
    assert [games[unbegun.entry_a.name], games[str(unbegun.entry_b)]] == ["w -", "b -"]
    plan = plan_taking(
        club=club, data=file.encode(), file_name="s.trf", options=TakingOptions(name="Came back")
    )
    assert plan.lines()[2:5] == [
        "0 games without sheets or deals.",
        "1 walkover.",
        "1 game that both have lost.",
    ]
    back = apply_taking(actor=director, plan=plan).event
    assert back is not None
    one, other = read_trf(file.encode()), read_trf(export_trf(back).encode())
    assert [player.games for player in one.players] == [player.games for player in other.players]
    recalculate(back.pk)
    rows = current_standings(back)
    assert [(int(row.points), row.losses, row.draws) for row in rows] == [(0, 1, 0)] * 4
    assert list(check_matches(back, {})) == []


@pytest.mark.django_db
def test_play_offs_are_no_part_of_a_swiss(club: Club, director: Actor) -> None:
    """Both are level for the one prize after a drawn round, and play it out: the file stays as it was."""
    event = swiss_of(club, 2, rounds_planned=1, prizes=1, criteria=["match_points"])
    for match in paired(director, event).matches.all():
        play(match, stopped=True)
    recalculate(event.pk)
    before = export_trf(event)
    (level,) = undecided(event)
    decide_level(actor=director, event=event, key=level.cut.key, how=CutHow.PLAY_OFF)
    assert export_trf(event) == before
    play(event.matches.select_related("sheet", "event").get(play_off__isnull=False), 9)
    recalculate(event.pk)
    assert export_trf(event) == before


@pytest.mark.django_db
def test_an_accelerated_event_says_who_has_virtual_points(club: Club, director: Actor) -> None:
    event = swiss_of(club, 8, rounds_planned=5, accelerated=True)
    paired(director, event)
    lines = export_trf(event).split("\r\n")
    assert {len(line) for line in lines if line.startswith("001")} == {89}, "the round is open"
    virtual = [line for line in lines if line.startswith("250")]
    assert virtual == ["250       1.0 001 002 0001 0004", "250       0.5 003 003 0001 0004"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("role", "event_format", "status"),
    [(Role.DIRECTOR, "swiss", 200), (Role.DIRECTOR, "round_robin", 404), (Role.SCOREKEEPER, "swiss", 404)],
)
def test_a_director_downloads_it(
    client: Client, club: Club, role: Role, event_format: str, status: int
) -> None:
    event = swiss_of(club, 4)
    Event.objects.filter(pk=event.pk).update(format=event_format)
    client.force_login(UserFactory.create(club=club, role=role))
    answer = client.get(reverse("admin:league_importbatch_trf", args=[event.pk]))
    assert answer.status_code == status
    if status == 200:
        assert answer["Content-Disposition"] == f'attachment; filename="{event.slug}.trf"'
        assert answer.content.decode() == export_trf(event)
