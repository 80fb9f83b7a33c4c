"""Season tables: made by directors, computed from the standings of events that are finished."""

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.draws.recalculating import recalculate
from league.errors import LeagueError
from league.models import (
    AuditEntry,
    Club,
    Event,
    EventState,
    Player,
    Role,
    SeasonTable,
    Standing,
)
from league.tables.placings import final_order, final_places
from league.tables.season_lists import shown_lines
from league.tables.season_tables import (
    change_season_table,
    create_season_table,
    points_of,
    read_points,
    remove_season_table,
    season_ranking,
)
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    SeasonFactory,
    UserFactory,
    count_table,
    play,
)
from tests.league.drawn_brackets import draw_ties, play_out
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

HALF = Decimal("0.5")


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def people(club: Club) -> dict[str, Player]:
    return {name: PlayerFactory.create(club=club, name=name) for name in ("Ann", "Bob", "Cid", "Dot")}


def finished(club: Club, *pairs: tuple[Player, Player, int], **fields: Any) -> Event:
    """An event in which these met, each pair once, by so many points for the first; level ones draw."""
    event = EventFactory.create(club=club, criteria=["match_points"], **fields)
    round_ = RoundFactory.create(event=event)
    for first, second, points in pairs:
        a, b = (EntryFactory.create(event=event, name=one.name, players=[one]) for one in (first, second))
        play(MatchFactory.create(event=event, round=round_, entry_a=a, entry_b=b), points, stopped=True)
    count_table(event.pk)
    Event.objects.filter(pk=event.pk).update(state=EventState.FINISHED)
    event.refresh_from_db()
    return event


def table_over(club: Club, *events: Event, **fields: Any) -> SeasonTable:
    values = {"name": "Season", "slug": "season", "place_points": [10, 8, 7, 5], "events": events} | fields
    return create_season_table(actor=OPERATOR, club=club, **values)


def lines(table: SeasonTable) -> list[tuple[Any, ...]]:
    return [(line.rank, line.player.name, line.points) for line in season_ranking(table).lines]


def test_points_of_places_are_added_up_over_events(club: Club, people: dict[str, Player]) -> None:
    ann, bob, cid, dot = people.values()
    # Ann and Cid win: they share the first place, (10+8)/2 = 9, Bob and Dot the third, (7+5)/2 = 6.
    first = finished(club, (ann, bob, 40), (cid, dot, 20))
    # Bob beats Ann: 10 and 8.
    second = finished(club, (bob, ann, 30))
    assert lines(table_over(club, first, second)) == [
        (1, "Ann", 9 + 8),
        (2, "Bob", 6 + 10),
        (3, "Cid", 9),
        (4, "Dot", 6),
    ]


def test_line_has_a_result_for_each_event_and_says_which_count(club: Club, people: dict[str, Player]) -> None:
    ann, bob, cid, _dot = people.values()
    events = [finished(club, (ann, bob, 40)), finished(club, (cid, ann, 5)), finished(club, (ann, cid, 5))]
    ranking = season_ranking(table_over(club, *events, best=1))
    assert ranking.events == tuple(events)
    assert [
        (
            line.player.name,
            line.points,
            [each and (each.place, each.points, each.counts) for each in line.results],
        )
        for line in ranking.lines
    ] == [
        ("Ann", 10, [(1, 10, True), (2, 8, False), (1, 10, False)]),
        ("Cid", 10, [None, (1, 10, True), (2, 8, False)]),
        ("Bob", 8, [(2, 8, True), None, None]),
    ]


def test_the_page_says_what_put_one_ahead_who_has_the_same_points(
    client: Client, club: Club, people: dict[str, Player]
) -> None:
    ann, bob, cid, dot = people.values()
    fay = PlayerFactory.create(club=club, name="Fay")
    # Ann has 10; Bob 8 and 2; Cid 2 and 8; Dot 10 as well, and 0 from a last place; Fay none.
    points = [10, 8, 0]
    events = [
        finished(club, (ann, bob, 40)),
        finished(club, (dot, cid, 40)),
        finished(club, (fay, dot, 40), (cid, bob, 40)),
    ]
    table = table_over(club, *events, place_points=[*points[:2], 0, 0])
    ranking = season_ranking(table)
    shown = {each.line.player.name: (each.line.points, each.ahead_by) for each in shown_lines(ranking)}
    assert shown["Dot"] == (10, "by result no. 2, 0 to –")
    content = client.get(reverse("season_table", args=[club.slug, table.slug])).content.decode()
    assert "by result no. 2, 0 to –" in content
    assert "Level on points, the better single result is ahead" in content


def test_event_counts_once_it_is_finished(club: Club, people: dict[str, Player]) -> None:
    ann, bob, *_ = people.values()
    event = finished(club, (ann, bob, 40))
    Event.objects.filter(pk=event.pk).update(state=EventState.RUNNING)
    table = table_over(club, event)
    ranking = season_ranking(table)
    assert (ranking.events, ranking.lines, ranking.open_events) == ((), (), (event,))
    Event.objects.filter(pk=event.pk).update(state=EventState.ARCHIVED)
    assert [line[1] for line in lines(table)] == ["Ann", "Bob"]


def test_members_of_a_team_have_what_the_team_has(club: Club) -> None:
    event = EventFactory.create(club=club, team_size=2, criteria=["match_points"])
    a, b = (EntryFactory.create(event=event, name=name) for name in ("Aces", "Boxes"))
    play(MatchFactory.create(event=event, entry_a=a, entry_b=b), 40, stopped=True)
    recalculate(event.pk)
    Event.objects.filter(pk=event.pk).update(state=EventState.FINISHED)
    assert lines(table_over(club, event)) == [
        (1, "Aces 1", 10),
        (1, "Aces 2", 10),
        (3, "Boxes 1", 8),
        (3, "Boxes 2", 8),
    ]


def test_thirds_are_ranked_exactly_and_shown_to_the_hundredth(club: Club) -> None:
    players = [PlayerFactory.create(club=club, name=f"P{number}") for number in range(6)]
    pairs = [(players[index], players[index + 3], 10) for index in range(3)]
    # Three share the first place: (10+8+7)/3 = 25/3; three the fourth: 5/3.
    found = lines(table_over(club, finished(club, *pairs)))
    assert found[0] == (1, "P0", Decimal("8.33"))
    assert found[3] == (4, "P3", Decimal("1.67"))


def test_places_after_groups_and_a_knockout_are_those_of_the_knockout_first(club: Club) -> None:
    event = EventFactory.create(club=club, format="groups", criteria=["match_points"])
    # The best of each group went on, and B1 won.
    ties = draw_ties(event, ["A1", "B1"])
    play_out(ties, 1, -40)
    for name in ("A2", "A3", "B2", "B3"):
        EntryFactory.create(event=event, name=name)
    # Written in another order than they are read in.
    for name in ("B2", "A3", "B1", "A1", "B3", "A2"):
        entry = event.entries.get(name=name)
        group, rank = "AB".index(name[0]) + 1, int(name[1])
        Standing.objects.create(
            event=event, entry=entry, group=group, rank=rank, position=rank, played=2,
            wins=0, draws=0, losses=0, points=0, net=0, columns_won=0, boxes=0,
        )  # fmt: skip
    table = list(event.standings.select_related("entry"))
    assert [row.entry.name for row in table] == ["A1", "A2", "A3", "B1", "B2", "B3"]
    places = final_places(event, table)
    assert {entry.name: places[entry.pk] for entry in event.entries.all()} == {
        "B1": 1, "A1": 2, "A2": 3, "B2": 3, "A3": 5, "B3": 5
    }  # fmt: skip
    # Nothing tells the second and the third of each group apart: then the groups do.
    for rows in (table, table[::-1]):
        assert [row.entry.name for row in final_order(event, rows)] == ["B1", "A1", "A2", "B2", "A3", "B3"]


def test_queries_do_not_grow_with_the_events(
    club: Club, people: dict[str, Player], django_assert_num_queries: Any
) -> None:
    ann, bob, cid, dot = people.values()
    table = table_over(club, *[finished(club, (ann, bob, 40), (cid, dot, 20)) for _ in range(4)])
    with django_assert_num_queries(3):
        assert len(season_ranking(table).lines) == 4


@pytest.mark.parametrize(
    ("text", "points"),
    [("25 18 15", [25, 18, 15]), (" 1.5, 1; 0.5 ", [Decimal("1.5"), 1, HALF]), ("10\n8", [10, 8]), ("", [])],
)
def test_points_are_read_as_typed(text: str, points: list[Any]) -> None:
    assert read_points(text) == points


@pytest.mark.parametrize("text", ["25 eighteen", "NaN", "1e99", "-3", "1.", "9999999999"])
def test_points_that_are_no_numbers_are_refused(text: str) -> None:
    with pytest.raises(LeagueError, match="25 18 15") as refused:
        read_points(text)
    assert (refused.value.code, refused.value.field) == ("invalid", "place_points")


@pytest.mark.parametrize(
    ("points", "code"),
    [
        ([], "no_points"),
        ([5, 8], "rising_points"),
        ([Decimal("1.005")], "out_of_range"),
        ([3, -1], "out_of_range"),
        ([10000], "out_of_range"),
        ([1] * 257, "too_long"),
    ],
)
def test_impossible_points_are_refused(club: Club, points: list[Any], code: str) -> None:
    with refuses(LeagueError, code, field="place_points"):
        table_over(club, place_points=points)
    assert not SeasonTable.objects.exists()


def test_halves_are_kept_exactly(club: Club) -> None:
    table = table_over(club, place_points=[Decimal("1.50"), HALF, 0])
    table.refresh_from_db()
    assert table.place_points == ["1.5", "0.5", 0]
    assert points_of(table) == [Decimal("1.5"), HALF, 0]


def test_what_is_another_clubs_is_refused(club: Club) -> None:
    strange = EventFactory.create()
    for fields, field in (({"events": [strange]}, "events"), ({"season": SeasonFactory.create()}, "season")):
        with refuses(LeagueError, "invalid", field=field):
            table_over(club, **fields)
    assert not SeasonTable.objects.exists()


def test_changes_are_in_the_audit(club: Club, people: dict[str, Player]) -> None:
    ann, bob, *_ = people.values()
    event = finished(club, (ann, bob, 40), name="Cup")
    table = table_over(club)
    change_season_table(actor=OPERATOR, table=table, events=[event], place_points=[3, 1], best=2)
    change_season_table(actor=OPERATOR, table=table, events=[event], best=2)
    remove_season_table(actor=OPERATOR, table=table)
    notes = AuditEntry.objects.filter(object_type="seasontable").order_by("id")
    assert [(note.action, note.before, note.after) for note in notes[1:3]] == [
        (
            "season_table.change",
            {"place_points": [10, 8, 7, 5], "best": None},
            {"place_points": [3, 1], "best": 2},
        ),
        ("season_table.events", {"events": []}, {"events": ["Cup"]}),
    ]
    assert [note.action for note in notes] == [
        "season_table.create",
        "season_table.change",
        "season_table.events",
        "season_table.remove",
    ]
    assert Event.objects.filter(pk=event.pk).exists()


@pytest.fixture
def director(client: Client, club: Club) -> Client:
    client.force_login(UserFactory.create(club=club, role=Role.DIRECTOR))
    return client


def test_director_makes_a_table_and_sees_it_before_it_is_changed(
    director: Client, club: Club, people: dict[str, Player]
) -> None:
    ann, bob, *_ = people.values()
    event, later = finished(club, (ann, bob, 40), name="Cup"), EventFactory.create(club=club, name="Shield")
    new = {"club": club.pk, "name": "Year", "slug": "year", "place_points": "6 4", "best": ""}
    assert director.post(reverse("admin:league_seasontable_add"), new).status_code == 302
    table = SeasonTable.objects.get()
    assert table.place_points == [6, 4]

    act = reverse("admin:league_seasontable_make", args=[table.pk])
    asked = {"place_points": "6 4.5", "best": "1", "events": [event.pk, later.pk]}
    shown = director.post(act, asked).content.decode()
    assert "1 event will count." in shown
    assert "Not finished yet, and to be counted when they are: Shield." in shown
    assert "<td>1</td><td>Ann</td><td>6</td><td>6</td>" in shown
    assert "<td>2</td><td>Bob</td><td>4.5</td><td>4.5</td>" in shown
    table.refresh_from_db()
    assert (table.place_points, table.events.count()) == ([6, 4], 0)

    assert director.post(act, {**asked, "_confirm": "yes"}).status_code == 302
    table.refresh_from_db()
    assert (table.place_points, table.best, table.events.count()) == ([6, "4.5"], 1, 2)


def test_refusals_stand_beside_their_field(director: Client, club: Club) -> None:
    table = table_over(club)
    act = reverse("admin:league_seasontable_make", args=[table.pk])
    for points, said in (
        ("1 2", "cannot be worth more"),
        ("a few", "25 18 15"),
        ("", "This field is required"),
    ):
        answer = director.post(act, {"place_points": points})
        assert answer.status_code == 422
        assert said in answer.content.decode()
    strange = EventFactory.create()
    assert director.post(act, {"place_points": "3", "events": [strange.pk]}).status_code == 422


def test_name_of_a_table_is_changed_in_its_form(director: Client, club: Club) -> None:
    table = table_over(club)
    page = reverse("admin:league_seasontable_change", args=[table.pk])
    assert director.post(page, {"season": "", "name": "Whole year", "slug": "year"}).status_code == 302
    table.refresh_from_db()
    assert (table.name, table.slug, table.place_points) == ("Whole year", "year", [10, 8, 7, 5])
