"""An event drafted once more: what is taken over, what is not, and what it is called."""

import datetime
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from league.core.evening import EveningState
from league.errors import LeagueError
from league.events.evenings import set_evening
from league.events.next_season import draft_again, next_name, plan_again
from league.models import (
    AbsentAt,
    AuditEntry,
    Club,
    ClubRules,
    Entry,
    Evening,
    Event,
    EventState,
    PlayedWhere,
    PointsScheme,
    Pyramid,
    Season,
    StandingsRequest,
)
from tests.factories import (
    OPERATOR,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    SeasonFactory,
    play,
)
from tests.league.admin_pages import page, text
from tests.league.told import as_written
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.fixture
def old(club: Club) -> Season:
    return SeasonFactory.create(club=club, name="2026", slug="2026")


@pytest.fixture
def new(club: Club) -> Season:
    return SeasonFactory.create(club=club, name="2027", slug="2027", starts_on=datetime.date(2027, 1, 1))


def league(club: Club, own_rules: ClubRules, season: Season | None, **values: Any) -> Event:
    """Ann, Bob and Cid; Cid beats Ann, Ann beats Bob. Dot has withdrawn, Eve is a guest."""
    event: Event = EventFactory.create(
        club=club,
        rules=own_rules.rules,
        season=season,
        **{
            "name": "Harbour League 2026",
            "slug": "league-2026",
            "criteria": ["match_points", "net"],
            **values,
        },
    )
    of = {name: EntryFactory.create(event=event, name=name) for name in ("Ann", "Bob", "Cid", "Dot")}
    EntryFactory.create(event=event, name="Eve", is_guest=True)
    play(MatchFactory.create(event=event, entry_a=of["Cid"], entry_b=of["Ann"]), 60, stopped=True)
    play(MatchFactory.create(event=event, entry_a=of["Ann"], entry_b=of["Bob"]), 30, stopped=True)
    Entry.objects.filter(pk=of["Dot"].pk).update(withdrawn_at=timezone.now())
    return event


def seeded(event: Event) -> list[tuple[int | None, str]]:
    return list(event.entries.order_by("seed").values_list("seed", "name"))


def test_everything_that_can_be_set_is_taken_over(
    club: Club, own_rules: ClubRules, old: Season, new: Season
) -> None:
    settings = {
        "format": "swiss",
        "rounds_planned": 5,
        "check_in": True,
        "points_scheme": PointsScheme.COLUMNS,
        "column_points": Decimal("1.5"),
        "late_points": Decimal("0.5"),
        "net_cap": 300,
        "best_nights": 4,
        "restart_criteria": True,
    }
    event = league(club, own_rules, old, lot_seed=8, **settings)
    made = draft_again(actor=OPERATOR, event=event, season=new)
    made.refresh_from_db()
    assert (made.name, made.slug, made.season) == ("Harbour League 2027", "league-2027", new)
    assert (made.state, made.rounds.count(), made.calculation) == (EventState.DRAFT, 0, 0)
    assert {name: getattr(made, name) for name in settings} == settings
    assert (made.rules, made.criteria) == (event.rules, event.criteria)
    assert made.lot_seed not in (8, 9)
    own = {
        "id",
        "code",
        "updated_at",
        "state",
        "season",
        "name",
        "slug",
        "lot_seed",
        "created_at",
        "calculation",
        "standings_at",
    }
    taken = [field.attname for field in Event._meta.concrete_fields if field.name not in own]
    assert [getattr(made, name) for name in taken] == [getattr(event, name) for name in taken]


def test_entries_are_seeded_by_the_table_without_who_withdrew_and_guests(
    club: Club, own_rules: ClubRules, old: Season, new: Season
) -> None:
    event = league(club, own_rules, old)
    made = draft_again(actor=OPERATOR, event=event, season=new)
    assert seeded(made) == [(1, "Cid"), (2, "Ann"), (3, "Bob")]
    assert [entry.name for entry in plan_again(event=event, season=new).left_out] == ["Dot", "Eve"]
    was = {entry.name: entry.players.get() for entry in event.entries.all()}
    assert {entry.name: entry.players.get() for entry in made.entries.all()}.items() <= was.items()
    assert StandingsRequest.objects.filter(event=made).exists()
    (note,) = AuditEntry.objects.filter(action="event.enter_again")
    assert as_written(note.after) == {"entries": ["Cid", "Ann", "Bob"]}


def test_before_anything_is_played_seeds_are_in_the_order_they_have(club: Club, own_rules: ClubRules) -> None:
    event = EventFactory.create(club=club, rules=own_rules.rules)
    for name, seed in (("Ann", None), ("Bob", 2), ("Cid", 1)):
        EntryFactory.create(event=event, name=name, seed=seed)
    made = draft_again(actor=OPERATOR, event=event, season=None)
    assert seeded(made) == [(1, "Cid"), (2, "Bob"), (3, "Ann")]


def test_a_team_keeps_its_members_in_their_order(club: Club, own_rules: ClubRules) -> None:
    event = EventFactory.create(club=club, rules=own_rules.rules, team_size=2)
    players = [PlayerFactory.create(club=club, name=name) for name in ("Zoe", "Ann", "Moe")]
    EntryFactory.create(event=event, name="The Ants", players=players)
    made = draft_again(actor=OPERATOR, event=event, season=None)
    members = made.members.order_by("position")
    assert [(member.entry.name, member.player.name) for member in members] == [
        ("The Ants", "Zoe"),
        ("The Ants", "Ann"),
        ("The Ants", "Moe"),
    ]


@pytest.mark.parametrize(
    ("name", "slug", "has_season", "gets_season", "wanted"),
    [
        ("League 2026", "league-2026", True, True, ("League 2027", "league-2027")),
        ("League", "league", True, True, ("League", "league-2027")),
        ("League", "league", False, True, ("League", "league-2027")),
        ("League 2026", "league-2026", True, False, ("League 2026", "league-2026-2")),
    ],
)
def test_name_and_address_follow_the_season(
    club: Club,
    old: Season,
    new: Season,
    name: str,
    slug: str,
    has_season: bool,
    gets_season: bool,
    wanted: tuple[str, str],
) -> None:
    event = EventFactory.create(club=club, name=name, slug=slug, season=old if has_season else None)
    assert next_name(event, new if gets_season else None) == wanted


def test_address_that_is_taken_gets_a_number(club: Club, old: Season, new: Season) -> None:
    event = EventFactory.create(club=club, slug="league-2026", season=old)
    EventFactory.create(club=club, slug="league-2027")
    EventFactory.create(club=club, slug="league-2027-2")
    assert next_name(event, new)[1] == "league-2027-3"
    long = EventFactory.create(club=club, slug="x" * 60, season=old)
    assert len(next_name(long, new)[1]) <= 60


def test_division_is_not_drafted_alone(club: Club, own_rules: ClubRules, old: Season, new: Season) -> None:
    divisions = Pyramid.objects.create(club=club, name="Divisions", slug="divisions")
    event = EventFactory.create(club=club, rules=own_rules.rules, season=old, pyramid=divisions, level=1)
    with refuses(LeagueError, "is_division"):
        draft_again(actor=OPERATOR, event=event, season=new)
    assert Event.objects.count() == 1


def test_act_shows_who_plays_before_it_drafts(
    owner: Client, club: Club, own_rules: ClubRules, old: Season, new: Season
) -> None:
    event = league(club, own_rules, old)
    assert "Draft it for the next season" in text(owner.get(page("event", event)))
    data = {"season": new.pk, "name": "", "slug": ""}
    shown = text(owner.post(page("event", event, "draft_again"), data))
    assert "“Harbour League 2027” will be made as a draft, at …/league-2027/" in shown
    assert "<td>1</td><td>Cid</td>" in shown
    assert "Left out, as withdrawn or a guest: Dot, Eve." in shown
    assert Event.objects.count() == 1
    owner.post(
        page("event", event, "draft_again"), {**data, "name": "The Cup", "slug": "cup", "_confirm": "1"}
    )
    made = Event.objects.get(slug="cup")
    assert (made.name, made.state, made.entries.count()) == ("The Cup", EventState.DRAFT, 3)


def test_seasons_that_were_over_before_are_not_offered(
    owner: Client, club: Club, own_rules: ClubRules, old: Season, new: Season
) -> None:
    before = SeasonFactory.create(club=club, name="2025", starts_on=datetime.date(2025, 1, 1))
    old.starts_on = datetime.date(2026, 1, 1)
    old.save()
    event = league(club, own_rules, old)
    shown = text(owner.get(page("event", event, "draft_again")))
    offered = {season.name for season in (before, old, new) if f'<option value="{season.pk}"' in shown}
    assert offered == {"2026", "2027"}


def test_act_says_that_an_address_is_taken(owner: Client, club: Club, own_rules: ClubRules) -> None:
    event = league(club, own_rules, None)
    data = {"season": "", "name": "", "slug": "league-2026", "_confirm": "1"}
    answer = owner.post(page("event", event, "draft_again"), data)
    assert answer.status_code == 422
    assert Event.objects.count() == 1


def test_bots_play_again_as_bots_and_their_matches_count_as_before(
    club: Club, own_rules: ClubRules, old: Season, new: Season
) -> None:
    event = league(club, own_rules, old, bot_matches_count=False)
    bot = PlayerFactory.create(club=club, name="Zork", strategy="simple")
    EntryFactory.create(event=event, name="Zork", players=[bot])
    again = draft_again(actor=OPERATOR, event=event, season=new)
    assert not again.bot_matches_count
    assert [entry.name for entry in again.entries.filter(is_bot=True)] == ["Zork"]
    assert again.entries.count() == 4


def test_how_an_event_runs_itself_is_taken_over_as_long_as_it_can(
    club: Club, own_rules: ClubRules, old: Season, new: Season
) -> None:
    event = league(club, own_rules, old, format="swiss", played=PlayedWhere.ONLINE)
    set_evening(actor=OPERATOR, event=event, break_minutes=7, wait_minutes=12, absent=AbsentAt.FORFEIT)
    made = draft_again(actor=OPERATOR, event=event, season=new)
    evening = Evening.objects.get(event=made)
    assert (evening.break_minutes, evening.wait_minutes, evening.absent) == (7, 12, AbsentAt.FORFEIT)
    assert (evening.state, evening.round, evening.come_by) == (EveningState.SET, None, None)
    # It is played at a table by now, where no evening runs itself.
    Event.objects.filter(pk=event.pk).update(played=PlayedWhere.AT_TABLE)
    event.refresh_from_db()
    later = draft_again(actor=OPERATOR, event=event, season=new)
    assert not Evening.objects.filter(event=later).exists()
