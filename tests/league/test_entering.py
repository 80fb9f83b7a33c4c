"""Members enter events themselves, wait in order, move up, and withdraw; refusals are sentences."""

import datetime
import re
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.admin.rounds import RoundAdmin
from league.draws.round_life import draft_round
from league.draws.rounds import add_round, draw_round_robin
from league.errors import LeagueError
from league.events import entries, events, waiting
from league.events.entering import ask_rounds_off, enter_oneself, own_standing, rounds_ahead, withdraw_oneself
from league.events.event_life import start_event
from league.events.next_season import copy_event
from league.models import (
    AuditEntry,
    Club,
    ClubRules,
    Entry,
    EntryRequest,
    Event,
    EventState,
    Player,
    Presence,
    Pyramid,
    RequestState,
    Role,
    WhoEnters,
)
from league.people.erasing import erase_person
from league.people.own_data import own_data
from league.people.players import merge_players
from league.policy import actor_of
from scoring.core.actors import Actor, ActorKind
from scoring.core.skills import NEWCOMER, shown
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    PlayerFactory,
    SeasonFactory,
    UserFactory,
)
from tests.refusals import code_of, refuses

pytestmark = pytest.mark.django_db

HOUR = datetime.timedelta(hours=1)


@pytest.fixture
def club() -> Club:
    made: Club = ClubFactory.create(place="The old library", time_zone="Europe/Paris")
    return made


@pytest.fixture
def event(club: Club) -> Event:
    """A Swiss with two places, whose entries are open."""
    made: Event = EventFactory.create(
        club=club, name="Cup", state=EventState.OPEN, format="swiss", places=2, rounds_planned=3
    )
    ClubRules.objects.create(club=club, rules=made.rules)
    return made


def member(club: Club, name: str, role: Role | None = Role.MEMBER) -> Actor:
    """The account of a player, with an office in the club unless `role` is None."""
    office = {} if role is None else {"club": club, "role": role}
    user = UserFactory.create(username=name.lower(), is_staff=False, **office)
    PlayerFactory.create(club=club, name=name, user=user)
    return actor_of(user)


def entered(event: Event) -> list[str]:
    return list(event.entries.filter(withdrawn_at=None).order_by("pk").values_list("name", flat=True))


def listed(event: Event) -> list[tuple[str, str]]:
    return [(row.player.name, row.state) for row in waiting.the_list(event)]


def test_places_are_given_in_order_and_the_list_moves_up(event: Event, director: Actor) -> None:
    people = {name: member(event.club, name) for name in ("Ann", "Bob", "Cid", "Dee", "Eve")}
    made = [enter_oneself(actor=by, event=event) for by in people.values()]
    assert [isinstance(row, Entry) for row in made] == [True, True, False, False, False]
    assert entered(event) == ["Ann", "Bob"]
    assert [name for name, _state in listed(event)] == ["Cid", "Dee", "Eve"]
    # Whoever waits may leave; those behind him stand one place further up.
    withdraw_oneself(actor=people["Dee"], event=event)
    withdraw_oneself(actor=people["Ann"], event=event)
    assert entered(event) == ["Bob", "Cid"]
    # Out is out: who comes again comes last.
    enter_oneself(actor=people["Ann"], event=event)
    assert [name for name, _state in listed(event)] == ["Eve", "Ann"]
    entries.remove_entry(actor=director, entry=event.entries.get(name="Bob"))
    assert entered(event) == ["Cid", "Eve"]
    entries.withdraw_entry(actor=director, entry=event.entries.get(name="Eve"), reason="ill")
    assert entered(event) == ["Cid", "Ann"]
    assert listed(event) == []


def test_more_places_go_to_the_list_and_fewer_throw_nobody_out(event: Event, director: Actor) -> None:
    for name in ("Ann", "Bob", "Cid", "Dee"):
        enter_oneself(actor=member(event.club, name), event=event)
    events.change_event(actor=director, event=event, places=3)
    assert (entered(event), listed(event)) == (["Ann", "Bob", "Cid"], [("Dee", RequestState.WAITING)])
    events.change_event(actor=director, event=event, places=1)
    entries.remove_entry(actor=director, entry=event.entries.get(name="Ann"))
    assert entered(event) == ["Bob", "Cid"]
    events.change_event(actor=director, event=event, places=None)
    assert entered(event) == ["Bob", "Cid", "Dee"]


def test_nobody_moves_up_once_it_is_drawn(event: Event, director: Actor) -> None:
    people = {name: member(event.club, name) for name in ("Ann", "Bob", "Cid")}
    for by in people.values():
        enter_oneself(actor=by, event=event)
    start_event(actor=director, event=event)
    draft_round(actor=director, event=Event.objects.get(pk=event.pk))
    entries.withdraw_entry(actor=director, entry=event.entries.get(name="Ann"), reason="ill")
    assert (entered(event), listed(event)) == (["Bob"], [("Cid", RequestState.WAITING)])
    assert code_of(partial(enter_oneself, actor=member(event.club, "Dee"), event=event)) == "already_drawn"
    assert code_of(partial(withdraw_oneself, actor=people["Bob"], event=event)) == "already_drawn"
    row = EntryRequest.objects.get(player__name="Cid")
    assert code_of(partial(waiting.move_request, actor=director, request=row, place=1)) == "already_drawn"
    # A late entry is a director's; it is off the list then.
    entries.enter_late(actor=director, event=event, players=[row.player])
    assert not EntryRequest.objects.exists()


def test_who_waits_moves_up_when_the_draw_is_deleted(event: Event, director: Actor) -> None:
    Event.objects.filter(pk=event.pk).update(format="round_robin", places=3)
    event.refresh_from_db()
    people = {name: member(event.club, name) for name in ("Ann", "Bob", "Cid", "Dee")}
    for by in people.values():
        enter_oneself(actor=by, event=event)
    start_event(actor=director, event=event)
    draw_round_robin(actor=director, event=event)
    entries.withdraw_entry(actor=director, entry=event.entries.get(name="Ann"), reason="ill")
    assert (entered(event), [name for name, _state in listed(event)]) == (["Bob", "Cid"], ["Dee"])
    waiting.delete_draw(actor=director, event=event)
    assert (entered(event), listed(event)) == (["Bob", "Cid", "Dee"], [])


def test_who_waits_moves_up_when_the_only_round_goes(event: Event, director: Actor) -> None:
    people = {name: member(event.club, name) for name in ("Ann", "Bob", "Cid")}
    for by in people.values():
        enter_oneself(actor=by, event=event)
    start_event(actor=director, event=event)
    added = add_round(actor=director, event=event, number=1)
    entries.withdraw_entry(actor=director, entry=event.entries.get(name="Ann"), reason="ill")
    assert entered(event) == ["Bob"]
    waiting.remove_round(actor=director, round_=added)
    assert entered(event) == ["Bob", "Cid"]


def test_who_waits_moves_up_when_the_only_round_is_discarded(event: Event, director: Actor) -> None:
    for name in ("Ann", "Bob", "Cid"):
        enter_oneself(actor=member(event.club, name), event=event)
    start_event(actor=director, event=event)
    drafted = draft_round(actor=director, event=Event.objects.get(pk=event.pk))
    entries.withdraw_entry(actor=director, entry=event.entries.get(name="Ann"), reason="ill")
    assert entered(event) == ["Bob"]
    # As the administration does it.
    (discard,) = (act for act in RoundAdmin.acts if act.slug == "discard")
    discard.run(director, drafted, {})
    assert entered(event) == ["Bob", "Cid"]


@pytest.mark.parametrize(
    ("settings", "refusal"),
    [
        ({"who_enters": WhoEnters.DIRECTOR}, "not_allowed"),
        ({"entries_open_at": HOUR}, "not_yet"),
        ({"entries_close_at": -HOUR}, "closed"),
        ({"state": EventState.DRAFT}, "wrong_state"),
        ({"state": EventState.RUNNING}, "wrong_state"),
        ({"state": EventState.FINISHED}, "wrong_state"),
        ({"lowest_rating": shown(NEWCOMER.mu) + 1}, "rating_out_of_bounds"),
        ({"highest_rating": shown(NEWCOMER.mu) - 1}, "rating_out_of_bounds"),
    ],
)
def test_entering_is_refused(event: Event, settings: dict[str, Any], refusal: str) -> None:
    by = member(event.club, "Ann")
    now = timezone.now()
    for name, value in settings.items():
        setattr(event, name, now + value if isinstance(value, datetime.timedelta) else value)
    event.save()
    assert code_of(partial(enter_oneself, actor=by, event=event)) == refusal
    assert not event.entries.exists()
    assert not EntryRequest.objects.exists()


def divisions(club: Club) -> list[Event]:
    """Two divisions of last season: Dot and Eve in the first, Fay in the second, from which Gus withdrew."""
    pyramid = Pyramid.objects.create(club=club, name="League", slug="pyramid")
    season = SeasonFactory.create(club=club, starts_on=datetime.date(2026, 1, 1))
    made = [
        EventFactory.create(
            club=club,
            season=season,
            pyramid=pyramid,
            level=level,
            state=EventState.FINISHED,
            slug=f"div-{level}",
        )
        for level in (1, 2)
    ]
    for name, level in (("Dot", 1), ("Eve", 1), ("Fay", 2), ("Gus", 2)):
        actor = member(club, name)
        player = Player.objects.get(user__username=actor.name)
        EntryFactory.create(event=made[level - 1], name=name, players=[player])
    Entry.objects.filter(name="Gus").update(withdrawn_at=timezone.now())
    return made


@pytest.mark.parametrize(
    ("highest", "lowest", "may"),
    [
        (None, None, {"Dot", "Fay", "Gus", "Ann"}),
        (2, None, {"Fay", "Gus", "Ann"}),
        (None, 1, {"Dot"}),
        (2, 2, {"Fay"}),
        (1, 2, {"Dot", "Fay"}),
    ],
)
def test_event_may_be_for_divisions(
    event: Event, highest: int | None, lowest: int | None, may: set[str]
) -> None:
    first, _second = divisions(event.club)
    member(event.club, "Ann")
    event.divisions_of, event.highest_division, event.lowest_division = first.pyramid, highest, lowest
    event.places = None
    event.save()
    for name in ("Dot", "Fay", "Gus", "Ann"):
        by = actor_of(User.objects.get(username=name.lower()))
        if name in may:
            enter_oneself(actor=by, event=event)
        else:
            assert code_of(partial(enter_oneself, actor=by, event=event)) == "division_out_of_bounds"
    assert set(entered(event)) == may


@pytest.mark.parametrize(
    ("highest", "lowest", "said"),
    [
        (None, None, "members of the club"),
        (2, None, "members of the club · division 2 or lower of League"),
        (None, 2, "members of the club · division 2 or higher of League"),
        (1, 2, "members of the club · divisions 1 to 2 of League"),
        (2, 2, "members of the club · division 2 of League"),
    ],
)
def test_announcement_says_for_which_divisions(
    client: Client, event: Event, highest: int | None, lowest: int | None, said: str
) -> None:
    event.club.is_public = True
    event.club.save()
    event.divisions_of = Pyramid.objects.create(club=event.club, name="League", slug="pyramid")
    event.highest_division, event.lowest_division = highest, lowest
    event.save()
    page = client.get(reverse("event", args=[event.club.slug, event.slug])).content.decode()
    told = re.search(r"<dt>For</dt><dd>(.*?)</dd>", page, re.DOTALL)
    assert told is not None
    assert " ".join(told[1].split()) == said


def test_division_is_filled_by_the_season_before_and_newcomers_begin_in_the_lowest(club: Club) -> None:
    first, second = divisions(club)
    member(club, "Ann")
    third = EventFactory.create(club=club, season=first.season, pyramid=first.pyramid, level=3, slug="div-3")
    member(club, "Hal")
    EntryFactory.create(event=third, name="Hal", players=[Player.objects.get(name="Hal")])
    season = SeasonFactory.create(club=club, starts_on=datetime.date(2027, 1, 1))
    upper, lower = (
        EventFactory.create(
            club=club,
            season=season,
            pyramid=old.pyramid,
            level=old.level,
            state=EventState.OPEN,
            slug=f"new-{old.level}",
        )
        for old in (first, second)
    )
    placed = {}
    for name in ("Dot", "Fay", "Ann", "Hal"):
        by = actor_of(User.objects.get(username=name.lower()))
        assert code_of(partial(enter_oneself, actor=by, event=upper)) == "division_placed"
        try:
            enter_oneself(actor=by, event=lower)
        except LeagueError as refusal:
            placed[name] = refusal.code
    assert placed == {"Dot": "division_placed"}
    assert entered(lower) == ["Fay", "Ann", "Hal"]


def test_within_the_moments_and_the_bounds_one_enters(event: Event) -> None:
    now = timezone.now()
    event.entries_open_at, event.entries_close_at = now - HOUR, now + HOUR
    event.lowest_rating = event.highest_rating = shown(NEWCOMER.mu)
    event.save()
    by = member(event.club, "Ann")
    enter_oneself(actor=by, event=event)
    assert code_of(partial(enter_oneself, actor=by, event=event)) == "player_twice"
    Event.objects.filter(pk=event.pk).update(entries_close_at=now)
    assert code_of(partial(withdraw_oneself, actor=by, event=event)) == "closed"


def test_list_may_be_left_after_entries_closed(event: Event) -> None:
    people = [member(event.club, name) for name in ("Ann", "Bob", "Cid")]
    for by in people:
        enter_oneself(actor=by, event=event)
    assert code_of(partial(enter_oneself, actor=people[2], event=event)) == "waits_already"
    Event.objects.filter(pk=event.pk).update(entries_close_at=timezone.now())
    withdraw_oneself(actor=people[2], event=event)
    assert listed(event) == []
    assert code_of(partial(withdraw_oneself, actor=people[2], event=event)) == "not_entered"


def test_who_enters_has_a_player_and_where_it_says_so_an_office(event: Event) -> None:
    stranger = actor_of(UserFactory.create(club=event.club, role=Role.MEMBER))
    assert code_of(partial(enter_oneself, actor=stranger, event=event)) == "no_player"
    assert code_of(partial(enter_oneself, actor=OPERATOR, event=event)) == "no_player"
    guest = member(event.club, "Guy", role=None)
    assert code_of(partial(enter_oneself, actor=guest, event=event)) == "not_allowed"
    elsewhere = member(ClubFactory.create(), "Far")
    Event.objects.filter(pk=event.pk).update(who_enters=WhoEnters.PLAYERS)
    assert code_of(partial(enter_oneself, actor=elsewhere, event=event)) == "no_player"
    # A program has no door here, though its owner has.
    token = Actor(ActorKind.TOKEN, "x", "x", account=guest.id)
    assert code_of(partial(enter_oneself, actor=token, event=event)) == "no_player"
    enter_oneself(actor=guest, event=event)
    assert entered(event) == ["Guy"]


def test_teams_are_a_directors_to_enter_and_to_take_out(club: Club) -> None:
    teams = EventFactory.create(club=club, team_size=2, state=EventState.OPEN, format="swiss")
    ann = member(club, "Ann")
    assert code_of(partial(enter_oneself, actor=ann, event=teams)) == "wrong_kind"
    players = [Player.objects.get(name="Ann"), PlayerFactory.create(club=club)]
    entry = EntryFactory.create(event=teams, players=players)
    assert code_of(partial(withdraw_oneself, actor=ann, event=teams)) == "wrong_kind"
    assert code_of(partial(ask_rounds_off, actor=ann, event=teams, numbers=[1])) == "wrong_kind"
    assert rounds_ahead(teams, entry) == []
    assert list(teams.entries.all()) == [entry]


def test_whom_only_a_director_enters_a_director_takes_out(event: Event, director: Actor) -> None:
    ann = member(event.club, "Ann")
    Event.objects.filter(pk=event.pk).update(who_enters=WhoEnters.DIRECTOR)
    entries.enter_players(actor=director, event=event, players=[Player.objects.get(name="Ann")])
    assert code_of(partial(withdraw_oneself, actor=ann, event=event)) == "not_allowed"
    assert entered(event) == ["Ann"]


def test_director_approves_declines_and_moves(event: Event, director: Actor) -> None:
    Event.objects.filter(pk=event.pk).update(approves_entries=True)
    people = {name: member(event.club, name) for name in ("Ann", "Bob", "Cid", "Dee")}
    asked = {name: enter_oneself(actor=by, event=event) for name, by in people.items()}
    assert entered(event) == []
    assert {state for _name, state in listed(event)} == {RequestState.ASKED}
    rows = {name: row for name, row in asked.items() if isinstance(row, EntryRequest)}
    for name in ("Bob", "Cid", "Dee"):
        waiting.approve_request(actor=director, request=rows[name])
    # Places are given in the order of approvals, and then of the list.
    assert entered(event) == ["Bob", "Cid"]
    assert listed(event) == [("Ann", RequestState.ASKED), ("Dee", RequestState.WAITING)]
    assert code_of(partial(waiting.approve_request, actor=director, request=rows["Dee"])) == "waits_already"
    assert code_of(partial(waiting.decline_request, actor=director, request=rows["Ann"], reason=" ")) == (
        "reason_missing"
    )
    waiting.decline_request(actor=director, request=rows["Ann"], reason="a beginner's night")
    assert listed(event) == [("Dee", RequestState.WAITING)]
    with pytest.raises(LeagueError, match="beginner's night") as refused:
        enter_oneself(actor=people["Ann"], event=event)
    assert refused.value.code == "declined"
    assert code_of(partial(withdraw_oneself, actor=people["Ann"], event=event)) == "not_entered"
    assert code_of(partial(waiting.move_request, actor=director, request=rows["Ann"], place=1)) == "declined"
    waiting.approve_request(actor=director, request=rows["Ann"])
    assert [name for name, _state in listed(event)] == ["Ann", "Dee"]
    assert waiting.move_request(actor=director, request=rows["Dee"], place=1) == 1
    assert waiting.move_request(actor=director, request=rows["Dee"], place=9) == 2
    assert waiting.move_request(actor=director, request=rows["Dee"], place=1) == 1
    assert (
        code_of(partial(waiting.move_request, actor=director, request=rows["Dee"], place=0)) == "out_of_range"
    )
    withdraw_oneself(actor=people["Bob"], event=event)
    assert entered(event) == ["Cid", "Dee"]
    waiting.remove_request(actor=director, request=rows["Ann"])
    assert listed(event) == []


def test_where_approval_is_no_longer_asked_all_move_up(event: Event, director: Actor) -> None:
    Event.objects.filter(pk=event.pk).update(approves_entries=True)
    for name in ("Ann", "Bob", "Cid"):
        enter_oneself(actor=member(event.club, name), event=event)
    events.change_event(actor=director, event=event, approves_entries=False)
    assert entered(event) == ["Ann", "Bob"]
    assert [row.player.name for row in waiting.waiting(Event.objects.get(pk=event.pk))] == ["Cid"]


def test_list_is_the_directors_alone_to_change(event: Event) -> None:
    people = [member(event.club, name) for name in ("Ann", "Bob", "Cid")]
    for by in people:
        enter_oneself(actor=by, event=event)
    row = EntryRequest.objects.get()
    keeper = actor_of(UserFactory.create(club=event.club, role=Role.SCOREKEEPER))
    for by in (*people, keeper):
        for act in (
            partial(waiting.approve_request, actor=by, request=row),
            partial(waiting.decline_request, actor=by, request=row, reason="x"),
            partial(waiting.move_request, actor=by, request=row, place=1),
            partial(waiting.remove_request, actor=by, request=row),
        ):
            assert code_of(act) == "not_allowed"
    assert listed(event) == [("Cid", RequestState.WAITING)]


def test_whom_a_director_enters_is_off_the_list(event: Event, director: Actor) -> None:
    for name in ("Ann", "Bob", "Cid"):
        enter_oneself(actor=member(event.club, name), event=event)
    entries.enter_players(actor=director, event=event, players=[Player.objects.get(name="Cid")])
    assert (entered(event), listed(event)) == (["Ann", "Bob", "Cid"], [])


def test_every_act_is_on_the_record(event: Event, director: Actor) -> None:
    people = [member(event.club, name) for name in ("Ann", "Bob", "Cid")]
    for by in people:
        enter_oneself(actor=by, event=event)
    withdraw_oneself(actor=people[0], event=event)
    noted = AuditEntry.objects.order_by("pk").values_list("action", "object_name", "actor_id")
    assert list(noted) == [
        ("entry.add", "Ann", people[0].id),
        ("entry.add", "Bob", people[1].id),
        ("request.wait", "Cid", people[2].id),
        ("entry.remove", "Ann", people[0].id),
        ("entry.add", "Cid", people[0].id),
        ("entry.move_up", "Cid", people[0].id),
    ]


def test_who_has_paid_is_taken_out_by_a_director(event: Event, director: Actor) -> None:
    by = member(event.club, "Ann")
    enter_oneself(actor=by, event=event)
    event.entries.update(paid_at=timezone.now())
    assert code_of(partial(withdraw_oneself, actor=by, event=event)) == "paid"
    entries.remove_entry(actor=director, entry=event.entries.get())
    assert entered(event) == []


def test_whom_a_director_withdrew_does_not_come_back_by_himself(event: Event, director: Actor) -> None:
    by = member(event.club, "Ann")
    enter_oneself(actor=by, event=event)
    entries.withdraw_entry(actor=director, entry=event.entries.get(), reason="not paid")
    assert code_of(partial(withdraw_oneself, actor=by, event=event)) == "withdrawn"
    assert code_of(partial(enter_oneself, actor=by, event=event)) == "player_twice"
    assert event.entries.get().withdrawn_at is not None


def test_settings_are_checked(event: Event, director: Actor) -> None:
    now = timezone.now()
    of = Pyramid.objects.create(club=event.club, name="League", slug="pyramid")
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"entries_open_at": now, "entries_close_at": now}, "entries_close_at"),
        ({"lowest_rating": 1600, "highest_rating": 1500}, "highest_rating"),
        ({"highest_division": 2}, "divisions_of"),
        ({"divisions_of": of, "highest_division": 2, "lowest_division": 1}, "lowest_division"),
        ({"divisions_of": Pyramid.objects.create(club=ClubFactory.create(), slug="x")}, "divisions_of"),
        ({"places": 0}, "places"),
        ({"round_minutes": 0}, "round_minutes"),
        ({"about": "x" * 4001}, "about"),
        # In the zone of a club such a year may be none.
        ({"starts_at": now.replace(year=9999, month=12, day=31)}, "starts_at"),
        ({"entries_open_at": now.replace(year=1, month=1, day=1)}, "entries_open_at"),
    ]
    for values, field in wrong:
        with pytest.raises(LeagueError) as refused:
            events.change_event(actor=director, event=event, **values)
        assert refused.value.field == field
    with refuses(LeagueError, "out_of_range", field="entries_close_at"):
        events.create_event(
            actor=director,
            club=event.club,
            name="New",
            slug="new",
            rules=event.rules,
            entries_close_at=now.replace(year=9999, month=12, day=31),
        )
    enter_oneself(actor=member(event.club, "Ann"), event=event)
    with refuses(LeagueError, "has_entries"):
        events.change_event(actor=director, event=event, kind="team", team_size=2)


def test_next_event_has_the_announcement_without_its_moments(event: Event, director: Actor) -> None:
    now = timezone.now()
    told = {"venue": "Hall", "fee": "5 €", "about": "All welcome", "contact": "Ann", "round_minutes": 40}
    for name, value in told.items():
        setattr(event, name, value)
    event.starts_at = event.entries_close_at = now + HOUR
    event.save()
    made = copy_event(actor=director, event=event, season=None, name="Next", slug="next")
    assert {name: getattr(made, name) for name in told} == told
    assert (made.places, made.starts_at, made.entries_open_at, made.entries_close_at) == (2, None, None, None)
    assert (event.where, event.asks_at) == ("Hall", "Ann")
    event.venue = ""
    assert event.where == "The old library"


def test_merged_player_keeps_the_place_on_the_list_once(event: Event, director: Actor) -> None:
    for name in ("Ann", "Bob", "Cid", "Dee", "Eve"):
        enter_oneself(actor=member(event.club, name), event=event)
    named = {player.name: player for player in Player.objects.all()}
    administrator = actor_of(User.objects.create_superuser("root"))
    fay = PlayerFactory.create(club=event.club, name="Fay")
    merge_players(actor=administrator, keep=fay, drop=named["Cid"])
    assert [name for name, _state in listed(event)] == ["Fay", "Dee", "Eve"]
    # Of both places the better one, unless it was declined.
    merge_players(actor=administrator, keep=named["Dee"], drop=fay)
    assert [name for name, _state in listed(event)] == ["Dee", "Eve"]
    assert EntryRequest.objects.get(player=named["Dee"]).position == 1
    first = EntryRequest.objects.get(player=named["Dee"])
    waiting.decline_request(actor=director, request=first, reason="Too late")
    merge_players(actor=administrator, keep=named["Dee"], drop=named["Eve"])
    assert listed(event) == [("Dee", RequestState.WAITING)]
    # Who is entered waits for nothing.
    merge_players(actor=administrator, keep=named["Dee"], drop=named["Ann"])
    assert listed(event) == []
    assert sorted(entered(event)) == ["Bob", "Dee"]


def test_erased_person_waits_nowhere_and_own_data_tell_of_it_before(event: Event) -> None:
    for name in ("Ann", "Bob", "Cid"):
        enter_oneself(actor=member(event.club, name), event=event)
    player = Player.objects.get(name="Cid")
    assert player.user is not None
    (own,) = own_data(player.user)["players"]
    assert [(one["event"], one["state"], one["position"]) for one in own["requests"]] == [
        ("Cup", "waiting", EntryRequest.objects.get().position)
    ]
    erase_person(actor=actor_of(User.objects.create_superuser("root")), player=player)
    assert not EntryRequest.objects.exists()
    assert "Cid" not in {name for names in AuditEntry.objects.values_list("object_name") for name in names}


def test_rounds_are_asked_off_by_oneself(event: Event, director: Actor) -> None:
    people = {name: member(event.club, name) for name in ("Ann", "Bob")}
    for by in people.values():
        enter_oneself(actor=by, event=event)
    assert ask_rounds_off(actor=people["Ann"], event=event, numbers=[2, 1]) == [1, 2]
    ann = event.entries.get(name="Ann")
    assert [(each.number, each.is_off) for each in rounds_ahead(event, ann)] == [
        (1, True),
        (2, True),
        (3, False),
    ]
    ask_rounds_off(actor=people["Ann"], event=event, numbers=[3])
    assert list(Presence.objects.values_list("entry__name", "round_number", "state")) == [("Ann", 3, "bye")]
    assert code_of(partial(ask_rounds_off, actor=people["Ann"], event=event, numbers=[4])) == "out_of_range"
    Event.objects.filter(pk=event.pk).update(rounds_planned=9)
    event.refresh_from_db()
    assert code_of(partial(ask_rounds_off, actor=people["Ann"], event=event, numbers=[5])) == "out_of_range"
    other = member(event.club, "Cid")
    assert code_of(partial(ask_rounds_off, actor=other, event=event, numbers=[1])) == "not_entered"
    Event.objects.filter(pk=event.pk).update(format="single")
    assert rounds_ahead(Event.objects.get(pk=event.pk), ann) == []


def test_own_standing_says_what_one_may_do(event: Event) -> None:
    people = {name: member(event.club, name) for name in ("Ann", "Bob", "Cid")}
    users = {name: User.objects.get(pk=by.id) for name, by in people.items()}
    before = own_standing(event, users["Ann"])
    assert (before.may_enter, before.places.leave_one, before.entry, before.place) == (True, True, None, None)
    for by in people.values():
        enter_oneself(actor=by, event=event)
    ann, cid = own_standing(event, users["Ann"]), own_standing(event, users["Cid"])
    assert (ann.may_enter, ann.stays, ann.place) == (False, "", None)
    assert (cid.may_enter, cid.place, cid.places.free, cid.places.leave_one) == (False, 1, 0, False)
    assert cid.refusal == "You are on the list of “Cup” already."
    outsider = own_standing(event, UserFactory.create())
    assert not outsider.sees_list
    assert outsider.player is None
