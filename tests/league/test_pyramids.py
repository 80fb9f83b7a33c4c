"""Divisions: the next season drafted from one that is over."""

import datetime
from collections.abc import Sequence
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from league.errors import LeagueError
from league.events.pyramid_lists import divisions_of
from league.events.pyramids import (
    change_pyramid,
    create_pyramid,
    draft_next_season,
    plan_next_season,
    remove_pyramid,
)
from league.models import Club, ClubRules, Entry, Event, EventState, Player, Pyramid, Season
from league.policy import actor_of
from scoring.core.actors import Actor
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
    play,
)
from tests.league.admin_pages import page, text
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.fixture
def old(club: Club) -> Season:
    return SeasonFactory.create(club=club, name="2026", slug="2026", starts_on=datetime.date(2026, 1, 1))


@pytest.fixture
def new(club: Club) -> Season:
    return SeasonFactory.create(club=club, name="2027", slug="2027", starts_on=datetime.date(2027, 1, 1))


@pytest.fixture
def pyramid(club: Club) -> Pyramid:
    return create_pyramid(actor=OPERATOR, club=club, name="Harbour divisions", slug="divisions", moving=1)


def player(club: Club, name: str) -> Player:
    found = Player.objects.filter(club=club, name=name).first()
    return found or PlayerFactory.create(club=club, name=name)


def division(
    pyramid: Pyramid, own_rules: ClubRules, season: Season, level: int, names: Sequence[str], **values: Any
) -> Event:
    """A division that ended in the order of these names: each has beaten all who come later."""
    event: Event = EventFactory.create(
        **{
            "club": pyramid.club,
            "rules": own_rules.rules,
            "pyramid": pyramid,
            "season": season,
            "level": level,
            "name": f"Division {level}",
            "slug": f"division-{level}-{season.slug}",
            "criteria": ["match_points", "net"],
            "state": EventState.FINISHED,
            **values,
        }
    )
    size = event.team_size
    entries = [
        EntryFactory.create(
            event=event,
            name=name,
            players=[player(pyramid.club, name if size == 1 else f"{name} {seat}") for seat in range(size)],
        )
        for name in names
    ]
    for place, winner in enumerate(entries):
        for loser in entries[place + 1 :]:
            play(MatchFactory.create(event=event, entry_a=winner, entry_b=loser), 50, stopped=True)
    return event


@pytest.fixture
def three(pyramid: Pyramid, own_rules: ClubRules, old: Season) -> list[Event]:
    return [
        division(pyramid, own_rules, old, level, names)
        for level, names in enumerate((["A1", "A2", "A3"], ["B1", "B2", "B3", "B4"], ["C1", "C2"]), start=1)
    ]


def seeded(season: Season) -> dict[int | None, list[str]]:
    events = Event.objects.filter(season=season).order_by("level")
    return {
        event.level: list(event.entries.order_by("seed").values_list("name", flat=True)) for event in events
    }


def test_the_last_go_down_and_the_first_go_up(
    pyramid: Pyramid, three: list[Event], old: Season, new: Season
) -> None:
    made = draft_next_season(actor=OPERATOR, pyramid=pyramid, season_from=old, season_to=new)
    assert seeded(new) == {1: ["A1", "A2", "B1"], 2: ["A3", "B2", "B3", "C1"], 3: ["B4", "C2"]}
    assert [(event.name, event.slug, event.state) for event in made] == [
        ("Division 1", "division-1-2027", EventState.DRAFT),
        ("Division 2", "division-2-2027", EventState.DRAFT),
        ("Division 3", "division-3-2027", EventState.DRAFT),
    ]
    assert all(event.pyramid == pyramid and event.rules == three[0].rules for event in made)


def test_who_withdrew_and_guests_are_left_out_and_do_not_count_as_moving(
    pyramid: Pyramid, three: list[Event], old: Season, new: Season
) -> None:
    """A3, the last, has withdrawn: A2 goes down. B1, the first, is a guest: B2 goes up."""
    Entry.objects.filter(name="A3").update(withdrawn_at=timezone.now())
    Entry.objects.filter(name="B1").update(is_guest=True)
    plan = plan_next_season(pyramid=pyramid, season_from=old, season_to=new)
    assert [entry.name for entry in plan.left_out] == ["A3", "B1"]
    draft_next_season(actor=OPERATOR, pyramid=pyramid, season_from=old, season_to=new)
    assert seeded(new) == {1: ["A1", "B2"], 2: ["A2", "B3", "C1"], 3: ["B4", "C2"]}


def test_teams_move_with_their_members(
    pyramid: Pyramid, own_rules: ClubRules, old: Season, new: Season
) -> None:
    for level, names in enumerate((["Ants", "Bees"], ["Cats", "Dogs"]), start=1):
        division(pyramid, own_rules, old, level, names, team_size=2)
    draft_next_season(actor=OPERATOR, pyramid=pyramid, season_from=old, season_to=new)
    assert seeded(new) == {1: ["Ants", "Cats"], 2: ["Bees", "Dogs"]}
    cats = Entry.objects.get(event__season=new, name="Cats")
    assert list(cats.players.order_by("name").values_list("name", flat=True)) == ["Cats 0", "Cats 1"]


def test_a_division_that_is_not_finished_is_named_unless_the_director_says_so(
    pyramid: Pyramid, three: list[Event], old: Season, new: Season
) -> None:
    Event.objects.filter(pk__in=[three[1].pk, three[2].pk]).update(state=EventState.RUNNING)
    with refuses(LeagueError, "not_finished", field="despite_unfinished") as refusal:
        draft_next_season(actor=OPERATOR, pyramid=pyramid, season_from=old, season_to=new)
    assert str(refusal.value.message) == "Not finished yet: Division 2, Division 3."
    assert not Event.objects.filter(season=new).exists()
    draft_next_season(
        actor=OPERATOR, pyramid=pyramid, season_from=old, season_to=new, despite_unfinished=True
    )
    assert Event.objects.filter(season=new).count() == 3


def test_what_cannot_be_drafted_is_refused_and_changes_nothing(
    pyramid: Pyramid, three: list[Event], own_rules: ClubRules, old: Season, new: Season
) -> None:
    empty = SeasonFactory.create(club=pyramid.club)
    strange = SeasonFactory.create(club=ClubFactory.create())
    for season_from, season_to, code in (
        (old, old, "invalid"),
        (old, strange, "invalid"),
        (empty, new, "no_divisions"),
    ):
        with refuses(LeagueError, code):
            draft_next_season(actor=OPERATOR, pyramid=pyramid, season_from=season_from, season_to=season_to)
    division(pyramid, own_rules, new, 1, ["A1"])
    with refuses(LeagueError, "already_drafted"):
        draft_next_season(actor=OPERATOR, pyramid=pyramid, season_from=old, season_to=new)
    assert Event.objects.filter(season=new).count() == 1


def test_divisions_of_players_and_of_teams_do_not_mix(
    pyramid: Pyramid, own_rules: ClubRules, old: Season, new: Season
) -> None:
    division(pyramid, own_rules, old, 1, ["A1", "A2"])
    division(pyramid, own_rules, old, 2, ["Ants", "Bees"], team_size=2)
    with refuses(LeagueError, "wrong_kind"):
        plan_next_season(pyramid=pyramid, season_from=old, season_to=new)


def test_nobody_is_drafted_into_a_division_twice(
    pyramid: Pyramid, own_rules: ClubRules, old: Season, new: Season
) -> None:
    """Who plays in both divisions cannot stay in the upper one and come up from the lower one too."""
    division(pyramid, own_rules, old, 1, ["Ann", "Bob"])
    division(pyramid, own_rules, old, 2, ["Ann", "Cid"])
    with refuses(LeagueError, "clash") as refusal:
        draft_next_season(actor=OPERATOR, pyramid=pyramid, season_from=old, season_to=new)
    assert str(refusal.value.message) == "Ann would be in the division of Division 1 twice."
    assert not Event.objects.filter(season=new).exists()


def test_what_decided_at_the_line_is_said(
    pyramid: Pyramid, own_rules: ClubRules, old: Season, new: Season
) -> None:
    """In the upper one Bob and Cid have one match won each; Bob won by more."""
    upper = EventFactory.create(
        club=pyramid.club,
        rules=own_rules.rules,
        pyramid=pyramid,
        season=old,
        level=1,
        state=EventState.FINISHED,
        criteria=["match_points", "net"],
    )
    ann, bob, cid = (EntryFactory.create(event=upper, name=name) for name in ("Ann", "Bob", "Cid"))
    for winner, loser, points in ((ann, bob, 30), (bob, cid, 90), (cid, ann, 20), (ann, cid, 40)):
        round_ = RoundFactory.create(event=upper)
        play(
            MatchFactory.create(event=upper, round=round_, entry_a=winner, entry_b=loser),
            points,
            stopped=True,
        )
    division(pyramid, own_rules, old, 2, ["Dot", "Eve"])
    plan = plan_next_season(pyramid=pyramid, season_from=old, season_to=new)
    assert plan.notes == ["Bob and Cid are level; what puts Bob first is: Net."]


def test_who_goes_up_of_groups_of_unequal_size_is_compared_per_match(
    pyramid: Pyramid, own_rules: ClubRules, old: Season, new: Season
) -> None:
    """Bob won both of his matches, 2 points each; Quin two of three and drew one, 5 points and 1.67 a match.

    Sue, the fourth of her group, goes down.
    """
    division(pyramid, own_rules, old, 1, ["Ann", "Zoe"])
    lower = EventFactory.create(
        club=pyramid.club,
        rules=own_rules.rules,
        pyramid=pyramid,
        season=old,
        level=2,
        name="Division 2",
        slug=f"division-2-{old.slug}",
        format="groups",
        group_count=2,
        qualifiers=1,
        criteria=["match_points", "net"],
        state=EventState.FINISHED,
    )
    entries = {
        name: EntryFactory.create(event=lower, name=name, group=group)
        for group, names in enumerate((("Bob", "Dot", "Cid"), ("Quin", "Ray", "Tim", "Sue")), start=1)
        for name in names
    }
    results = [
        ("Bob", "Dot", 10),
        ("Bob", "Cid", 40),
        ("Dot", "Cid", 40),
        ("Quin", "Ray", 60),
        ("Quin", "Tim", None),
        ("Quin", "Sue", 30),
        ("Ray", "Tim", 30),
        ("Ray", "Sue", 30),
        ("Tim", "Sue", 30),
    ]
    for winner, loser, points in results:
        match = MatchFactory.create(event=lower, entry_a=entries[winner], entry_b=entries[loser])
        play(match, *([] if points is None else [points]), stopped=True)
    division(pyramid, own_rules, old, 3, ["Uma", "Vic"])
    draft_next_season(actor=OPERATOR, pyramid=pyramid, season_from=old, season_to=new)
    after = seeded(new)
    assert after[1] == ["Ann", "Bob"]
    assert after[3] == ["Sue", "Vic"]
    assert set(after[2]) == {"Zoe", "Quin", "Dot", "Ray", "Tim", "Cid", "Uma"}


def test_small_divisions_move_fewer_and_it_is_said(
    pyramid: Pyramid, own_rules: ClubRules, old: Season, new: Season
) -> None:
    change_pyramid(actor=OPERATOR, pyramid=pyramid, moving=2)
    pyramid.refresh_from_db()
    division(pyramid, own_rules, old, 1, ["A1", "A2", "A3"])
    division(pyramid, own_rules, old, 2, ["B1"])
    plan = plan_next_season(pyramid=pyramid, season_from=old, season_to=new)
    assert plan.notes == ["Division 1 and Division 2 change only 1: they are too small for more."]
    draft_next_season(actor=OPERATOR, pyramid=pyramid, season_from=old, season_to=new)
    assert seeded(new) == {1: ["A1", "A2", "B1"], 2: ["A3"]}


def test_only_directors_draft(pyramid: Pyramid, three: list[Event], old: Season, new: Season) -> None:
    keeper: Actor = actor_of(UserFactory.create(club=pyramid.club))
    with refuses(LeagueError, "not_allowed"):
        draft_next_season(actor=keeper, pyramid=pyramid, season_from=old, season_to=new)


def test_divisions_with_events_are_kept(pyramid: Pyramid, three: list[Event]) -> None:
    with refuses(LeagueError, "in_use"):
        remove_pyramid(actor=OPERATOR, pyramid=pyramid)
    Event.objects.filter(pyramid=pyramid).update(pyramid=None, level=None)
    remove_pyramid(actor=OPERATOR, pyramid=pyramid)
    assert not Pyramid.objects.exists()


def test_divisions_are_listed_by_season_from_the_top(
    pyramid: Pyramid, three: list[Event], old: Season, new: Season, django_assert_num_queries: Any
) -> None:
    draft_next_season(actor=OPERATOR, pyramid=pyramid, season_from=old, season_to=new)
    with django_assert_num_queries(2):
        (season,) = divisions_of(pyramid)
    assert season.season == old
    assert [(each.event, each.promoted, each.relegated) for each in season.divisions] == [
        (three[0], 0, 1),
        (three[1], 1, 1),
        (three[2], 1, 0),
    ]
    assert [each.season for each in divisions_of(pyramid, with_drafts=True)] == [new, old]


def test_act_shows_who_goes_where_before_it_drafts(
    owner: Client, pyramid: Pyramid, three: list[Event], old: Season, new: Season
) -> None:
    assert "Draft the next season" in text(owner.get(page("pyramid", pyramid)))
    data = {"season_from": old.pk, "season_to": new.pk}
    shown = text(owner.post(page("pyramid", pyramid, "next_season"), data))
    assert "Division 1 (…/division-1-2027/)" in shown
    assert "<td>Division 1</td><td>3</td><td>B1</td><td>place 1 in Division 2</td><td>goes up</td>" in shown
    assert "<td>Division 2</td><td>1</td><td>A3</td><td>place 3 in Division 1</td><td>goes down</td>" in shown
    assert not Event.objects.filter(season=new).exists()
    owner.post(page("pyramid", pyramid, "next_season"), {**data, "_confirm": "1"})
    assert Event.objects.filter(season=new).count() == 3


def test_divisions_are_made_in_the_admin(owner: Client, club: Club) -> None:
    data = {"club": club.pk, "name": "Divisions", "slug": "divisions", "moving": "2"}
    assert owner.post("/admin/league/pyramid/add/", data).status_code == 302
    made = Pyramid.objects.get()
    assert (made.club, made.moving) == (club, 2)
    answer = owner.post(page("pyramid", made), {**data, "moving": "0"})
    assert answer.status_code == 422
