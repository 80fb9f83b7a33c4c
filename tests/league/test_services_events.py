"""Events and entries: rules in one version, who is entered, withdrawals, adjustments."""

import datetime
from decimal import Decimal
from typing import Any

import pytest

from league.draws.rounds import delete_draw, draw_round_robin
from league.errors import LeagueError
from league.events.entries import (
    change_entry,
    enter_players,
    enter_team,
    reinstate_entry,
    remove_entry,
    withdraw_entry,
)
from league.events.events import (
    change_event,
    change_season,
    create_event,
    create_season,
    remove_event,
    remove_season,
)
from league.events.house_rules import make_club_rules
from league.models import (
    Adjustment,
    AuditEntry,
    Club,
    Entry,
    Event,
    EventKind,
    MatchState,
    Season,
    StandingsRequest,
)
from league.tables.adjustments import add_adjustment, remove_adjustment
from scoring.core.actors import Actor
from scoring.core.rules import Rules
from scoring.models import HouseRules
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
)
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.fixture
def rules(club: Club) -> HouseRules:
    return make_club_rules(actor=OPERATOR, club=club, name="Ours", rules=Rules(columns=3)).rules


@pytest.fixture
def event(club: Club, rules: HouseRules) -> Event:
    return EventFactory.create(club=club, rules=rules)


@pytest.fixture
def teams(club: Club, rules: HouseRules) -> Event:
    return EventFactory.create(club=club, rules=rules, team_size=2)


def test_create_event(club: Club, director: Actor, rules: HouseRules) -> None:
    season = create_season(actor=director, club=club, name="Spring", slug="spring")
    event = create_event(
        actor=director,
        club=club,
        name="Cup",
        slug="cup",
        rules=rules,
        season=season,
        criteria=["net", "lot"],
        win_points=Decimal(3),
    )
    assert event.criteria == ["net", "lot"]
    note = AuditEntry.objects.get(action="event.create")
    assert note.after is not None
    assert (note.after["season"], note.after["rules"], note.after["win_points"]) == ("Spring", "Ours", "3")


def test_lots_of_each_event_are_drawn_by_a_number_of_its_own_that_is_recorded(
    club: Club, director: Actor, rules: HouseRules
) -> None:
    made = [
        create_event(actor=director, club=club, name=f"Cup {number}", slug=f"cup-{number}", rules=rules)
        for number in range(4)
    ]
    seeds = [event.lot_seed for event in made]
    assert len(set(seeds)) == 4
    notes = AuditEntry.objects.filter(action="event.create").order_by("id")
    assert [note.after and note.after["lot_seed"] for note in notes] == seeds


@pytest.mark.parametrize(
    ("values", "strengths"),
    [
        ({"format": "swiss"}, ("fide", "fide", "fide")),
        ({"format": "swiss", "bye_strength": "zero"}, ("zero", "fide", "fide")),
        ({"format": "round_robin"}, ("opponent", "opponent", "opponent")),
        ({"format": "groups", "forfeit_strength": "zero"}, ("opponent", "zero", "opponent")),
        ({"format": "ladder"}, ("zero", "zero", "zero")),
    ],
)
def test_a_new_event_counts_unplayed_rounds_as_fide_does(
    club: Club, director: Actor, rules: HouseRules, values: dict[str, str], strengths: tuple[str, ...]
) -> None:
    event = create_event(actor=director, club=club, name="Cup", slug="cup", rules=rules, **values)
    event.refresh_from_db()
    assert (event.bye_strength, event.forfeit_strength, event.absent_strength) == strengths


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"criteria": []}, "criteria"),
        ({"criteria": ["luck"]}, "criteria"),
        ({"criteria": ["net", "net"]}, "criteria"),
        ({"win_points": Decimal("1000")}, "win_points"),
        ({"slug": "not a slug"}, "slug"),
        ({"kind": EventKind.TEAM, "team_size": 1}, None),
        ({"kind": EventKind.INDIVIDUAL, "team_size": 2}, None),
    ],
)
def test_create_event_refuses(
    club: Club, director: Actor, rules: HouseRules, values: dict[str, Any], field: str | None
) -> None:
    with pytest.raises(LeagueError) as refusal:
        create_event(actor=director, club=club, rules=rules, **({"name": "Cup", "slug": "cup"} | values))
    assert refusal.value.field == field
    assert not Event.objects.exists()


def test_create_event_refuses_rules_and_seasons_of_another_club(
    club: Club, director: Actor, rules: HouseRules
) -> None:
    other = ClubFactory.create()
    foreign = make_club_rules(actor=OPERATOR, club=other, name="Theirs", rules=Rules()).rules
    season = create_season(actor=OPERATOR, club=other, name="Spring", slug="spring")
    with refuses(LeagueError, "other_club", field="rules"):
        create_event(actor=director, club=club, name="Cup", slug="cup", rules=foreign)
    with pytest.raises(LeagueError) as refusal:
        create_event(actor=director, club=club, name="Cup", slug="cup", rules=rules, season=season)
    assert refusal.value.field == "season"


def test_rules_are_frozen_by_the_first_sheet(club: Club, director: Actor, event: Event) -> None:
    newer = make_club_rules(actor=OPERATOR, club=club, name="Newer", rules=Rules(columns=1)).rules
    older = event.rules
    change_event(actor=director, event=event, rules=newer)
    change_event(actor=director, event=event, rules=older)
    MatchFactory.create(event=event)
    with refuses(LeagueError, "rules_in_use", field="rules"):
        change_event(actor=director, event=event, rules=newer)


def test_change_of_points_asks_for_the_table_and_of_the_name_does_not(director: Actor, event: Event) -> None:
    change_event(actor=director, event=event, name="Renamed")
    assert not StandingsRequest.objects.exists()
    change_event(actor=director, event=event, win_points=Decimal(3))
    assert StandingsRequest.objects.filter(event=event).count() == 1


def test_kind_is_fixed_by_the_first_entry(director: Actor, event: Event) -> None:
    EntryFactory.create(event=event)
    with refuses(LeagueError, "has_entries"):
        change_event(actor=director, event=event, kind=EventKind.TEAM, team_size=2)


def test_remove_event_and_season(club: Club, director: Actor, event: Event) -> None:
    season = create_season(actor=director, club=club, name="Spring", slug="spring")
    change_event(actor=director, event=event, season=season)
    with refuses(LeagueError, "in_use"):
        remove_season(actor=director, season=season)
    enter_players(actor=director, event=event, players=[PlayerFactory.create(club=club) for _ in range(2)])
    draw_round_robin(actor=director, event=event)
    with pytest.raises(LeagueError, match="delete the draw first"):
        remove_event(actor=director, event=event)
    assert Event.objects.get() == event
    delete_draw(actor=director, event=event)
    remove_event(actor=director, event=event)
    remove_season(actor=director, season=season)
    assert not Event.objects.exists()
    assert not Season.objects.exists()
    removed = AuditEntry.objects.filter(action__endswith=".remove").order_by("pk")
    assert [note.action for note in removed] == ["event.remove", "season.remove"]


def test_season_ends_after_it_has_begun(club: Club, director: Actor) -> None:
    season = create_season(
        actor=director, club=club, name="Spring", slug="spring", starts_on=datetime.date(2026, 1, 1)
    )
    with pytest.raises(LeagueError) as refusal:
        change_season(actor=director, season=season, ends_on=datetime.date(2025, 1, 1))
    assert refusal.value.field == "ends_on"


def test_enter_players(club: Club, director: Actor, event: Event) -> None:
    players = [PlayerFactory.create(club=club, name=name) for name in ("Ann", "Bob")]
    enter_players(actor=director, event=event, players=players)
    assert sorted(event.entries.values_list("name", "players__name")) == [("Ann", "Ann"), ("Bob", "Bob")]
    assert AuditEntry.objects.filter(action="entry.add").count() == 2
    assert StandingsRequest.objects.filter(event=event).exists()


def test_enter_players_refuses(club: Club, director: Actor, event: Event, teams: Event) -> None:
    ann = PlayerFactory.create(club=club)
    enter_players(actor=director, event=event, players=[ann])
    merged = PlayerFactory.create(club=club, merged_into=ann)
    cases: list[tuple[Event, list[Any], str]] = [
        (event, [], "no_players"),
        (event, [ann], "player_twice"),
        (event, [merged], "merged"),
        (event, [PlayerFactory.create()], "other_club"),
        (event, [PlayerFactory.create(club=club)] * 2, "player_twice"),
        (teams, [ann], "wrong_kind"),
    ]
    for where, players, code in cases:
        with refuses(LeagueError, code):
            enter_players(actor=director, event=where, players=players)
    assert Entry.objects.count() == 1


def test_enter_team(club: Club, director: Actor, event: Event, teams: Event) -> None:
    players = [PlayerFactory.create(club=club) for _ in range(3)]
    entry = enter_team(actor=director, event=teams, name="Aces", players=players, seed=1)
    assert [member.player for member in entry.members.all()] == players
    for where, name, members, code in (
        (teams, "Kings", [PlayerFactory.create(club=club)], "team_too_small"),
        (teams, "Kings", [players[0], PlayerFactory.create(club=club)], "player_twice"),
        (teams, "Aces", [PlayerFactory.create(club=club) for _ in range(2)], "invalid"),
        (event, "Kings", players, "wrong_kind"),
    ):
        with refuses(LeagueError, code):
            enter_team(actor=director, event=where, name=name, players=members)
    with pytest.raises(LeagueError, match="Another entry has this seed"):
        enter_team(
            actor=director,
            event=teams,
            name="Kings",
            players=[PlayerFactory.create(club=club) for _ in range(2)],
            seed=1,
        )


def test_members_change_but_who_has_played_stays(club: Club, director: Actor, teams: Event) -> None:
    match = MatchFactory.create(event=teams)
    entry = match.entry_a
    first, second = entry.players.order_by("pk")
    extra = PlayerFactory.create(club=club)
    change_entry(actor=director, entry=entry, players=[second, first, extra])
    assert [member.player for member in entry.members.all()] == [second, first, extra]
    change_entry(actor=director, entry=entry, players=[first, second])
    with refuses(LeagueError, "has_played"):
        change_entry(actor=director, entry=entry, players=[first, extra])
    assert set(entry.players.all()) == {first, second}


def test_the_entry_of_a_player_is_called_what_the_player_is(director: Actor, event: Event) -> None:
    entry = EntryFactory.create(event=event, name="Ann")
    with pytest.raises(LeagueError) as refusal:
        change_entry(actor=director, entry=entry, name="The Great Ann")
    assert refusal.value.field == "name"
    assert change_entry(actor=director, entry=entry, name="Ann", seed=4).seed == 4


def test_withdrawal_gives_the_matches_not_begun(director: Actor, event: Event) -> None:
    entry = EntryFactory.create(event=event)
    first = MatchFactory.create(event=event, entry_a=entry)
    second = MatchFactory.create(event=event, entry_b=entry)
    given = withdraw_entry(actor=director, entry=entry, reason="Moved away", give_matches=True)
    assert given == 2
    for match, winner in ((first, 1), (second, 0)):
        match.refresh_from_db()
        assert (match.state, match.winner_side) == (MatchState.WALKOVER, winner)
    with refuses(LeagueError, "withdrawn"):
        withdraw_entry(actor=director, entry=entry, reason="Again")
    assert reinstate_entry(actor=director, entry=entry, reason="Came back").withdrawn_at is None


def test_remove_entry_without_matches_only(director: Actor, event: Event) -> None:
    remove_entry(actor=director, entry=EntryFactory.create(event=event))
    with refuses(LeagueError, "in_use"):
        remove_entry(actor=director, entry=MatchFactory.create(event=event).entry_a)


def test_adjustments_are_noted_when_given_and_when_taken_back(director: Actor, event: Event) -> None:
    entry = EntryFactory.create(event=event)
    adjustment = add_adjustment(actor=director, entry=entry, points=Decimal("-0.5"), reason=" Late  twice ")
    assert (adjustment.event, adjustment.reason) == (event, "Late twice")
    for points, reason, code in ((Decimal(0), "x", "no_points"), (Decimal(1), " ", "reason_missing")):
        with refuses(LeagueError, code):
            add_adjustment(actor=director, entry=entry, points=points, reason=reason)
    remove_adjustment(actor=director, adjustment=adjustment)
    assert not Adjustment.objects.exists()
    assert [note.action for note in AuditEntry.objects.all()[:2]] == ["adjustment.remove", "adjustment.add"]
    assert StandingsRequest.objects.filter(event=event).count() == 2
