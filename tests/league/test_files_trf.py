"""A Swiss as FIDE's Tournament Report File: the columns of TRF16, and what an event becomes in them."""

import datetime
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from league.core.trf import Game, Tournament, TrfPlayer, Virtual, written
from league.core.trf_letters import USUAL
from league.core.trf_reading import read_trf
from league.draws.confirming import confirm_result
from league.draws.forfeits import award_forfeit, award_walkover
from league.draws.levels import decide_level, undecided
from league.draws.recalculating import recalculate
from league.draws.round_life import draft_round, publish_round
from league.errors import LeagueError
from league.events.entries import withdraw_entry
from league.events.events import change_event, usual_settings
from league.files.taking_over import TakingOptions, apply_taking, plan_taking
from league.files.trf import export_trf
from league.models import Club, CutHow, Event, ForbiddenPair, Match, MatchState, Role
from league.tables.adjustments import add_adjustment
from league.tables.placings import final_levels
from league.tables.standings import current_standings
from league.upkeep.rebuilding import check_matches
from scoring.core.actors import Actor
from tests.factories import OPERATOR, UserFactory, play
from tests.league.swiss_rounds import paired, play_all, seeded, swiss_of
from tests.league.trf_checker import checked
from tests.refusals import refuses


def test_columns_are_where_fide_has_them() -> None:
    """TRF16, player section: number 5-8, name 15-47, points 81-84, rank 86-89, rounds from 92 by tens."""
    games = [Game(12, "w", "1"), Game(3, "b", "="), Game(result="U")]
    file = written(
        Tournament(
            name="Cup",
            players=[TrfPlayer("A " + "n" * 40, 1, games)],
            rounds=3,
            starts_on=datetime.date(2026, 9, 1),
            dates=[datetime.date(2026, 9, 1), None, datetime.date(2027, 1, 12)],
        )
    )
    assert "042 2026/09/01\r\n" in file
    (dates,) = (line for line in file.split("\r\n") if line.startswith("132"))
    assert dates[3:].split() == ["26/09/01", "27/01/12"]
    assert (dates[91:99], dates[111:119]) == ("26/09/01", "27/01/12")
    (line,) = (line for line in file.split("\r\n") if line.startswith("001"))
    assert (line[4:8], line[14:47], line[80:84], line[85:89]) == ("   1", "A " + "n" * 31, " 2.5", "   1")
    assert (line[91:95], line[96], line[98]) == ("  12", "w", "1")
    assert (line[101:105], line[106], line[108]) == ("   3", "b", "=")
    assert (line[111:115], line[116], line[118]) == ("0000", "-", "U")
    assert len(line) == 119


def test_virtual_points_and_pairs_kept_apart_are_records_of_2026() -> None:
    """As the format's example, 250 00.0 02.0 001 003 0001 0090, without points of teams.

    Of what results are worth only that is told which is not usual: 1, ½ and 0, and a bye is a win.
    """
    file = written(
        Tournament(
            name="Two\nlines",
            players=[],
            rounds=5,
            worth={**USUAL, "W": Decimal(3), "D": Decimal(1), "P": Decimal(3)},
            tie_breaks=["PTS", "DE", "BH/C1"],
            virtual=[Virtual(Decimal(2), 1, 3, 2)],
            apart=[(7, 12)],
        )
    )
    assert file.split("\r\n") == [
        "012 Two lines",
        "062 0",
        "092 Individual: Swiss-System",
        "142 5",
        "XXR 5",
        "162  W 3.0    D 1.0",
        "202 DE,BH/C1",
        "212 PTS,DE,BH/C1",
        "250       2.0 001 003 0001 0002",
        "260 001 005    7   12",
        "XXP 7 12",
        "",
    ]


def test_points_that_no_letter_has_are_assigned() -> None:
    """Record 299: the result in column 5, points in 14-17, the round in 20-22, players in 24-27, 29-32 …

    So a win for two points and a loss for one, two byes of 1½, and a penalty that belongs to no round.
    """
    half_more = Game(result="H", points=Decimal("1.5"))
    file = written(
        Tournament(
            name="Cup",
            players=[
                TrfPlayer("Ann", 1, [Game(2, "w", "1", Decimal(2)), half_more]),
                TrfPlayer("Bob", 2, [Game(1, "b", "0", Decimal(1)), half_more], bonus=Decimal("-0.5")),
                TrfPlayer("Cid", 3, [Game(result="F"), Game()], bonus=Decimal("-0.5")),
            ],
            rounds=2,
        )
    )
    lines = file.split("\r\n")
    assert [line[80:84] for line in lines if line.startswith("001")] == [" 3.5", " 2.0", " 0.5"]
    assert [line for line in lines if line.startswith("299")] == [
        "299 L         1.0  001    2",
        "299 W         2.0  001    1",
        "299 H         1.5  002    1    2",
        "299          -0.5  000    2    3",
    ]


@pytest.mark.parametrize("points", [Decimal("0.25"), Decimal("-100.5"), Decimal(10000)])
def test_points_that_have_no_room_are_refused(points: Decimal) -> None:
    with refuses(LeagueError, "trf_points") as refusal:
        written(Tournament(name="Cup", players=[TrfPlayer("Ann", 1, [], bonus=points)], rounds=1))
    assert str(points) in str(refusal.value.message)
    whole = written(Tournament(name="Cup", players=[TrfPlayer("Ann", 1, [], bonus=Decimal(-100))], rounds=1))
    assert "-100    1" in whole


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
    assert lines[5] == "162  P 0.5"
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
def test_a_swiss_of_open_length_does_not_say_how_many_rounds_there_are(club: Club, director: Actor) -> None:
    """What comes back is of open length too, and the same file."""
    event = swiss_of(club, 4, rounds_planned=None, criteria=["match_points"])
    play_all(paired(director, event))
    text = export_trf(event)
    assert checked(text).rounds == 1
    assert not {line[:3] for line in text.split("\r\n")} & {"142", "XXR"}
    plan = plan_taking(club=club, data=text.encode(), file_name="s.trf", options=TakingOptions(name="Back"))
    back = apply_taking(actor=director, plan=plan).event
    assert back is not None
    assert back.rounds_planned is None
    assert export_trf(back) == text.replace("012 Saturday Swiss", "012 Back")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("days", "planned", "told"),
    [
        ([1, 8], 2, {"042": "2026/09/01", "052": "2026/09/08"}),
        ([1, 8], 3, {"042": "2026/09/01"}),
        ([1, 1], 2, {"042": "2026/09/01", "052": "2026/09/01"}),
        # A reader would take the only day for that of both.
        ([1, None], 2, {}),
        ([None, None], 2, {}),
    ],
)
def test_dates_of_rounds_come_back(
    club: Club, director: Actor, days: list[int | None], planned: int, told: dict[str, str]
) -> None:
    """The first day is told, and the last once the event is over."""
    event = swiss_of(club, 4, rounds_planned=planned, criteria=["match_points"])
    dates = [None if day is None else datetime.date(2026, 9, day) for day in days]
    for day in dates:
        play_all(publish_round(actor=director, round_=draft_round(actor=director, event=event, date=day)))
    text = export_trf(event)
    assert {line[:3]: line[4:] for line in text.split("\r\n") if line[:3] in ("042", "052")} == told
    plan = plan_taking(club=club, data=text.encode(), file_name="s.trf", options=TakingOptions(name="Back"))
    back = apply_taking(actor=director, plan=plan).event
    assert back is not None
    assert list(back.rounds.order_by("number").values_list("date", flat=True)) == dates


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
def test_what_counts_nothing_is_a_round_that_neither_played(club: Club, director: Actor) -> None:
    """With 3, 2 and 1 a loss by forfeit has a point. 1 met 3 and 2 met 4, then 3 goes, and is annulled.

    Nobody has anything of the first match: no letter is worth nothing, so record 299 says it.
    """
    event = swiss_of(
        club, 4, rounds_planned=1, win_points=3, draw_points=2, loss_points=1, criteria=["match_points"]
    )
    play_all(paired(director, event))
    withdraw_entry(actor=director, entry=seeded(event, 3), reason="should not have played", annul=True)
    text = export_trf(event)
    points = checked(text).points
    assert [points[number] for number in (1, 3)] == [0, 0]
    assert sorted(points[number] for number in (2, 4)) == [1, 3]
    assert "299 Z         0.0  001    1    3\r\n" in text
    read = read_trf(text.encode())
    assert {player.number: player.points for player in read.players} == points
    assert [read.points_of(game) for game in (*read.players[0].games, *read.players[2].games)] == [0, 0]
    withdraw_entry(actor=director, entry=seeded(event, 4), reason="nor should this one", annul=True)
    read = read_trf(export_trf(event).encode())
    assert (read.rounds, {player.points for player in read.players}) == (1, {Decimal(0)})


@pytest.mark.django_db
def test_matches_of_bots_that_do_not_count_are_left_out(club: Club, director: Actor) -> None:
    event = swiss_of(club, 4, rounds_planned=1, bot_matches_count=False, criteria=["match_points"])
    for seed in (1, 3):
        seeded(event, seed).players.update(strategy="novice")
    play_all(paired(director, event))
    file = checked(export_trf(event))
    assert [file.games[number][0][2] for number in (1, 3)] == ["Z", "Z"]
    assert sorted(file.games[number][0][2] for number in (2, 4)) == ["0", "1"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("all counts", "PTS,BH"),
        ("annulled", "PTS"),
        ("annulled, and less than nothing", None),
        ("bots", "PTS"),
        ("guest", None),
    ],
)
def test_of_the_criteria_only_those_are_told_that_the_file_has_too(
    club: Club, director: Actor, what: str, told: str | None
) -> None:
    """A match that counts nothing is no round in the table; a guest is last whatever his points."""
    event = swiss_of(
        club,
        6,
        rounds_planned=2,
        criteria=["match_points", "buchholz"],
        bot_matches_count=False,
        **usual_settings("swiss"),
    )
    if what == "bots":
        for seed in (1, 4):
            seeded(event, seed).players.update(strategy="novice")
    if what == "guest":
        event.entries.filter(seed=1).update(is_guest=True)
    for _number in range(2):
        play_all(paired(director, event))
    if what.startswith("annulled"):
        withdraw_entry(actor=director, entry=seeded(event, 3), reason="should not have played", annul=True)
    if what.endswith("nothing"):
        add_adjustment(actor=director, entry=seeded(event, 6), points=Decimal(-5), reason="late at the table")
    text = export_trf(event)
    checked(text)
    orders = [line[4:] for line in text.split("\r\n") if line[:3] == "212"]
    assert orders == ([] if told is None else [told])


@pytest.mark.django_db
def test_a_result_that_is_held_is_open(club: Club, director: Actor) -> None:
    """Both have played, and a director has to confirm it: the round is not decided before both are."""
    event = swiss_of(club, 4, rounds_planned=2, counts_when="director")
    before = export_trf(event)
    round_ = paired(director, event)
    play_all(round_)
    first, second = round_.matches.order_by("pk")
    confirm_result(actor=director, match=first)
    assert export_trf(event) == before
    confirm_result(actor=director, match=second)
    assert checked(export_trf(event)).rounds == 1


@pytest.mark.django_db
def test_entries_without_seeds_are_numbered_as_they_were_paired(club: Club, director: Actor) -> None:
    """The upper half of eight who are equal meets the lower, the first the fifth: in the order of the lot."""
    event = swiss_of(club, 8, rounds_planned=3, lot_seed=7)
    event.entries.update(seed=None)
    play_all(paired(director, event))
    file = checked(export_trf(event))
    assert [file.games[number][0][0] for number in range(1, 5)] == [5, 6, 7, 8]
    names = [line[14:22] for line in export_trf(event).split("\r\n") if line.startswith("001")]
    assert names != sorted(names)


@pytest.mark.django_db
def test_a_team_that_plays_twice_in_a_round_has_no_room(club: Club, director: Actor) -> None:
    event = swiss_of(club, 4, team_size=2, rounds_planned=1)
    one = seeded(event, 1)
    round_ = paired(director, event)
    play_all(round_)
    other = event.entries.exclude(pk=one.pk).first()
    Match.objects.create(
        event=event,
        round=round_,
        label="extra",
        entry_a=one,
        entry_b=other,
        state=MatchState.WALKOVER,
        winner_side=0,
    )
    with refuses(LeagueError, "trf_twice") as refusal:
        export_trf(event)
    assert str(refusal.value.message) == "Entry 01 has two matches in round 1: FIDE's TRF has room for one."


@pytest.mark.django_db
def test_why_there_is_no_file_is_said_on_the_events_page(client: Client, club: Club) -> None:
    event = swiss_of(club, 2)
    add_adjustment(actor=OPERATOR, entry=seeded(event, 1), points=Decimal("0.25"), reason="a quarter")
    client.force_login(UserFactory.create(club=club, role=Role.DIRECTOR))
    answer = client.get(reverse("admin:league_importbatch_trf", args=[event.pk]), follow=True)
    assert answer.redirect_chain == [(reverse("admin:league_event_change", args=[event.pk]), 302)]
    assert "FIDE’s TRF has no room for 0.25 points" in answer.content.decode().replace("&#x27;", "’")


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
@pytest.mark.parametrize(("scheme", "win", "draw"), [("match", "1.0", "0.5"), ("columns", "4.0", "2.0")])
def test_virtual_points_are_those_by_which_rounds_are_paired(
    club: Club, director: Actor, scheme: str, win: str, draw: str
) -> None:
    """Of five rounds three are accelerated, and stay so if there will be nine.

    A sheet of three columns is worth a point, and so is each of these.
    """
    event = swiss_of(
        club, 4, rounds_planned=5, accelerated=True, points_scheme=scheme, sheet_points=1, column_points=1
    )
    Event.objects.filter(pk=event.pk).update(bye_points=2 if scheme == "match" else 4)
    event.refresh_from_db()
    play_all(paired(director, event))
    change_event(actor=director, event=event, rounds_planned=9)
    file = export_trf(Event.objects.get(pk=event.pk))
    virtual = [line for line in file.split("\r\n") if line.startswith("250")]
    assert virtual == [f"250       {win} 001 002 0001 0002", f"250       {draw} 003 003 0001 0002"]
    plan = plan_taking(club=club, data=file.encode(), file_name="s.trf", options=TakingOptions(name="Back"))
    back = apply_taking(actor=director, plan=plan).event
    assert back is not None
    assert (back.accelerated, back.accelerated_rounds, back.rounds_planned) == (True, 3, 9)
    assert [line for line in export_trf(back).split("\r\n") if line.startswith("250")] == virtual


@pytest.mark.django_db
def test_a_lot_is_no_place_in_a_file(club: Club, director: Actor) -> None:
    """All four have drawn, and the lot alone puts them in order: who has the prize is asked, wherever it is.

    If the file says who is first, that was decided there.
    """
    event = swiss_of(club, 4, rounds_planned=1, prizes=1, criteria=["match_points", "lot"])
    for match in paired(director, event).matches.all():
        play(match, stopped=True)
    recalculate(event.pk)
    assert [row.rank for row in current_standings(event)] == [1, 2, 3, 4]
    assert [len(level.entries) for level in undecided(event)] == [4]
    text = export_trf(event)
    assert set(checked(text).ranks.values()) == {1}
    one_first = text.replace("0.5    1", "0.5    2").replace("0.5    2", "0.5    1", 1)
    told = {"As it is": text, "One is first": one_first}
    levels = {}
    for name, file in told.items():
        plan = plan_taking(club=club, data=file.encode(), file_name="s.trf", options=TakingOptions(name=name))
        back = apply_taking(actor=director, plan=plan).event
        assert back is not None
        recalculate(back.pk)
        levels[name] = final_levels(back, current_standings(back))
    assert [list(map(len, each)) for each in levels.values()] == [[4], [1, 3]]
    Event.objects.filter(pk=event.pk).update(lot_settled_places=True)
    kept = checked(export_trf(Event.objects.get(pk=event.pk))).ranks
    assert sorted(kept.values()) == [1, 2, 3, 4]


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
