"""Who is here tonight, byes asked ahead, guests, and pairs kept apart: the services and the page."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.draws.kept_apart import allow_pair, keep_apart
from league.draws.planning import attendance_of
from league.draws.round_life import draft_round, publish_round
from league.errors import LeagueError
from league.events.entries import withdraw_entry
from league.events.presence import add_guest, ask_byes, mark_everybody, set_presence
from league.models import (
    AuditEntry,
    Club,
    Entry,
    Event,
    EventState,
    ForbiddenPair,
    Player,
    Presence,
    PresenceState,
    Role,
    RoundState,
    registered,
)
from league.policy import actor_of
from scoring.core.actors import Actor
from tests.clients import logged_in
from tests.factories import EntryFactory, EventFactory, PlayerFactory, RoundFactory, UserFactory
from tests.league.admin_pages import page, text
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

HERE, AWAY, BYE = PresenceState.HERE, PresenceState.AWAY, PresenceState.BYE


@pytest.fixture
def event(club: Club) -> Event:
    event: Event = EventFactory.create(
        club=club, name="Saturday Swiss", format="swiss", check_in=True, rounds_planned=5
    )
    for seed in range(1, 5):
        EntryFactory.create(event=event, name=f"Entry {seed}", seed=seed)
    return event


def entry(event: Event, seed: int) -> Entry:
    return event.entries.get(seed=seed)


def names(entries: tuple[Entry, ...]) -> list[str]:
    return [one.name for one in entries]


def test_scorekeeper_checks_in_and_takes_it_back(event: Event, keeper: Actor) -> None:
    one = entry(event, 1)
    for state in (HERE, BYE, HERE, None):
        set_presence(actor=keeper, event=event, entry=one, number=1, state=state)
        kept = Presence.objects.filter(entry=one, round_number=1).values_list("state", flat=True)
        assert list(kept) == ([] if state is None else [state])
    notes = AuditEntry.objects.filter(action="presence.set").order_by("pk")
    assert [note.after for note in notes] == [
        {"round": 1, "state": state} for state in ("here", "bye", "here", None)
    ]
    set_presence(actor=keeper, event=event, entry=one, number=1, state=None)
    assert notes.count() == 4


@pytest.mark.parametrize(
    ("check_in", "present", "asked", "away"),
    [
        (True, ["Entry 1"], ["Entry 3"], ["Entry 2", "Entry 4"]),
        (False, ["Entry 1", "Entry 4"], ["Entry 3"], ["Entry 2"]),
    ],
)
def test_who_is_present(
    event: Event, keeper: Actor, check_in: bool, present: list[str], asked: list[str], away: list[str]
) -> None:
    event.check_in = check_in
    event.save()
    for seed, state in ((1, HERE), (2, AWAY), (3, BYE)):
        set_presence(actor=keeper, event=event, entry=entry(event, seed), number=1, state=state)
    found = attendance_of(event, 1)
    assert (names(found.present), names(found.asked_off), names(found.away)) == (present, asked, away)


def test_everybody_else_is_marked_at_once(event: Event, keeper: Actor) -> None:
    set_presence(actor=keeper, event=event, entry=entry(event, 1), number=1, state=AWAY)
    assert mark_everybody(actor=keeper, event=event, number=1) == 3
    assert mark_everybody(actor=keeper, event=event, number=1) == 0
    assert names(attendance_of(event, 1).present) == ["Entry 2", "Entry 3", "Entry 4"]


def test_byes_are_asked_for_rounds_ahead(event: Event, keeper: Actor) -> None:
    two = entry(event, 2)
    set_presence(actor=keeper, event=event, entry=two, number=3, state=HERE)
    assert ask_byes(actor=keeper, event=event, entry=two, numbers=[5, 3, 5]) == [3, 5]
    kept = Presence.objects.filter(entry=two).order_by("round_number").values_list("round_number", "state")
    assert list(kept) == [(3, "bye"), (5, "bye")]
    noted = AuditEntry.objects.get(action="presence.bye")
    assert (noted.actor_name, noted.object_name, noted.after) == (keeper.name, "Entry 2", {"rounds": [3, 5]})
    assert names(attendance_of(event, 3).asked_off) == ["Entry 2"]


def test_guest_plays_from_this_round_on_and_is_not_ranked(event: Event, director: Actor) -> None:
    known = PlayerFactory.create(club=event.club, name="Known Guest")
    new = add_guest(actor=director, event=event, number=2, name="  New   Guest ")
    old = add_guest(actor=director, event=event, number=1, name="Known Guest")
    assert (new.name, new.is_guest, new.first_round) == ("New Guest", True, 2)
    assert list(old.players.all()) == [known]
    assert names(attendance_of(event, 1).present) == ["Known Guest"]
    assert names(attendance_of(event, 2).present) == ["New Guest"]
    with refuses(LeagueError, "player_twice"):
        add_guest(actor=director, event=event, number=1, name="Known Guest")


def test_guest_is_refused(event: Event, director: Actor, keeper: Actor, club: Club) -> None:
    players = Player.objects.count()
    with refuses(LeagueError, "not_allowed"):
        add_guest(actor=keeper, event=event, number=1, name="X")
    teams = EventFactory.create(club=club, format="swiss", team_size=2)
    with refuses(LeagueError, "wrong_kind"):
        add_guest(actor=director, event=teams, number=1, name="X")
    assert Player.objects.count() == players


def test_what_cannot_be_said(event: Event, director: Actor, keeper: Actor, club: Club) -> None:
    one, gone, late = entry(event, 1), entry(event, 2), entry(event, 3)
    event.entries.filter(pk=gone.pk).update(withdrawn_at="2026-01-01T00:00Z")
    event.entries.filter(pk=late.pk).update(first_round=3)
    gone.refresh_from_db()
    late.refresh_from_db()
    other = EntryFactory.create()
    publish_round(actor=director, round_=_first_round(event, director, keeper))
    robin = EventFactory.create(club=club)
    stranger = actor_of(UserFactory.create())
    for actor, of, who, number, code in (
        (keeper, event, one, 1, "round_published"),
        (keeper, event, one, 6, "out_of_range"),
        (keeper, event, one, 0, "out_of_range"),
        (keeper, event, gone, 2, "withdrawn"),
        (keeper, event, late, 2, "not_yet"),
        (keeper, event, other, 2, "other_event"),
        (keeper, robin, one, 2, "no_check_in"),
        (stranger, event, one, 2, "not_allowed"),
    ):
        with refuses(LeagueError, code):
            set_presence(actor=actor, event=of, entry=who, number=number, state=HERE)
    with refuses(LeagueError, "no_rounds"):
        ask_byes(actor=keeper, event=event, entry=one, numbers=[])
    Event.objects.filter(pk=event.pk).update(state=EventState.FINISHED)
    with refuses(LeagueError, "wrong_state"):
        mark_everybody(actor=keeper, event=event, number=2)


def _first_round(event: Event, director: Actor, keeper: Actor) -> Any:
    mark_everybody(actor=keeper, event=event, number=1)
    return draft_round(actor=director, event=event)


def test_pairs_are_kept_apart_and_allowed_again(event: Event, director: Actor, keeper: Actor) -> None:
    one, two = entry(event, 1), entry(event, 2)
    pair = keep_apart(actor=director, event=event, one=two, other=one, reason=" one  car ")
    assert (pair.entry_a, pair.entry_b, pair.reason) == (one, two, "one car")
    for first, second, code in ((one, two, "kept_apart_already"), (one, one, "same_entry")):
        with refuses(LeagueError, code):
            keep_apart(actor=director, event=event, one=first, other=second)
    with refuses(LeagueError, "other_event", field="other"):
        keep_apart(actor=director, event=event, one=one, other=EntryFactory.create())
    for act in (
        lambda: keep_apart(actor=keeper, event=event, one=one, other=entry(event, 3)),
        lambda: allow_pair(actor=keeper, pair=pair),
    ):
        with refuses(LeagueError, "not_allowed"):
            act()
    allow_pair(actor=director, pair=pair)
    assert not ForbiddenPair.objects.exists()
    assert set(AuditEntry.objects.filter(object_type="forbiddenpair").values_list("action", flat=True)) == {
        "forbidden.add",
        "forbidden.remove",
    }


@pytest.mark.parametrize("event_format", list(registered()))
def test_pairs_are_kept_apart_where_it_is_chosen_who_meets_whom(
    club: Club, director: Actor, owner: Client, event_format: str
) -> None:
    size = 2 if event_format == "rotation" else 1
    event = EventFactory.create(club=club, format=event_format, team_size=size)
    one, two = EntryFactory.create_batch(2, event=event)
    offered = "Keep two entries apart" in text(owner.get(page("event", event)))
    if event_format in ("swiss", "groups", "tables", "tables_swiss", "tables_cup"):
        assert keep_apart(actor=director, event=event, one=one, other=two).entry_a == one
        assert offered
        return
    with refuses(LeagueError, "not_apart"):
        keep_apart(actor=director, event=event, one=one, other=two)
    assert not ForbiddenPair.objects.exists()
    assert not offered


@pytest.fixture
def at_door(club: Club) -> Client:
    """A scorekeeper at the browser."""
    return logged_in(UserFactory.create(club=club, role=Role.SCOREKEEPER))


def test_page_shows_who_is_here_and_a_tap_changes_it(event: Event, at_door: Client) -> None:
    where = page("event", event, "check_in")
    one = entry(event, 1)
    assert "<strong>0</strong> here" in text(at_door.get(where))
    answer = at_door.post(where, {"set": f"{one.pk}:1:here"}, follow=True)
    assert "<strong>1</strong> here · <strong>3</strong> not here" in text(answer)
    # The next tap takes it back.
    assert f'value="{one.pk}:1:"' in text(answer)
    answer = at_door.post(where, {"set": f"{one.pk}:1:"}, follow=True)
    assert "<strong>0</strong> here" in text(answer)
    assert "A guest" not in text(answer)


def test_page_without_check_in_has_everybody_here_until_told(event: Event, at_door: Client) -> None:
    Event.objects.filter(pk=event.pk).update(check_in=False)
    where = page("event", event, "check_in")
    answer = at_door.get(where)
    assert "<strong>4</strong> here" in text(answer)
    assert "are here too" not in text(answer)
    one = entry(event, 1)
    assert f'value="{one.pk}:1:away"' in text(answer)
    at_door.post(where, {"set": f"{one.pk}:1:away"})
    assert Presence.objects.get().state == AWAY


@pytest.mark.parametrize(
    "nonsense", ["", "x", "1:2", "x:1:here", "1:x:here", "999999:1:here", "-1:1:here", "1:1:2:3"]
)
def test_nonsense_from_the_page_changes_nothing(event: Event, at_door: Client, nonsense: str) -> None:
    assert at_door.post(page("event", event, "check_in"), {"set": nonsense}).status_code == 302
    assert not Presence.objects.exists()


@pytest.mark.parametrize(
    ("numbers", "status", "said"),
    [
        ("2, 4", 302, ""),
        ("2 4", 302, ""),
        ("two", 422, "Write numbers of rounds"),
        ("", 422, "This field is required."),
        ("9", 302, "Rounds are 1 to 5."),
    ],
)
def test_byes_asked_on_the_page(event: Event, at_door: Client, numbers: str, status: int, said: str) -> None:
    where = page("event", event, "check_in")
    data = {"byes": "1", "byes-entry": entry(event, 1).pk, "byes-numbers": numbers}
    answer = at_door.post(where, data)
    assert answer.status_code == status
    asked = Presence.objects.filter(state=BYE).count()
    assert asked == (0 if said else 2)
    shown = text(answer if status == 422 else at_door.get(where))
    assert said in shown
    if asked:
        assert "Entry 1, round 2" in shown


@pytest.mark.parametrize("long", ["9" * 5000, "9" * 20])
def test_numbers_too_long_to_be_any_change_nothing(event: Event, at_door: Client, long: str) -> None:
    where = page("event", event, "check_in")
    for said in (f"{long}:1:here", f"{entry(event, 1).pk}:{long}:here"):
        assert at_door.post(where, {"set": said}).status_code == 302
    assert not Presence.objects.exists()
    assert at_door.get(where, {"round": long}).status_code == 200


@pytest.mark.parametrize(("format", "is_asked"), [("swiss", True), ("single", False)])
def test_who_is_here_is_asked_while_a_round_depends_on_it(
    event: Event, at_door: Client, format: str, is_asked: bool
) -> None:
    Event.objects.filter(pk=event.pk).update(format=format)
    assert "Who is here" in text(at_door.get(page("event", event)))
    RoundFactory.create(event=event)
    assert ("Who is here" in text(at_door.get(page("event", event)))) is is_asked


def test_who_has_withdrawn_is_not_among_those_nothing_is_known_of(
    event: Event, director: Actor, keeper: Actor, at_door: Client
) -> None:
    for seed in range(1, 4):
        set_presence(actor=keeper, event=event, entry=entry(event, seed), number=1, state=HERE)
    for seed in range(1, 4):
        withdraw_entry(actor=director, entry=entry(event, seed), reason="ill")
    assert at_door.get(page("event", event, "check_in")).context["unknown_count"] == 1


def test_page_of_a_published_round_is_only_read(event: Event, director: Actor, at_door: Client) -> None:
    keeper = director
    round_ = publish_round(actor=director, round_=_first_round(event, director, keeper))
    assert round_.state == RoundState.PUBLISHED
    where = page("event", event, "check_in")
    assert "Who is here in round 2" in text(at_door.get(where))
    shown = text(at_door.get(where, {"round": "1"}))
    assert "Round 1 is published; who plays in it stands." in shown
    assert 'class="tap"' in shown
    assert "aria-pressed" not in shown
    answer = at_door.post(f"{where}?round=1", {"set": f"{entry(event, 1).pk}:1:away"}, follow=True)
    assert "Round 1 is published" in text(answer)
    assert Presence.objects.filter(state=AWAY).count() == 0


def test_page_is_the_clubs_own(event: Event) -> None:
    stranger = logged_in(UserFactory.create(club=EventFactory.create().club, role=Role.DIRECTOR))
    assert stranger.get(page("event", event, "check_in")).status_code == 404
    member = logged_in(UserFactory.create(club=event.club, role=Role.MEMBER))
    assert member.get(page("event", event, "check_in")).status_code == 403


def test_directors_keep_entries_apart_in_the_admin(event: Event, owner: Client) -> None:
    one, two = entry(event, 1), entry(event, 2)
    data = {"one": one.pk, "other": two.pk, "reason": "one car"}
    shown = text(owner.post(page("event", event, "keep_apart"), data))
    assert "Entry 1 and Entry 2 will not be paired with each other" in shown
    assert not ForbiddenPair.objects.exists()
    owner.post(page("event", event, "keep_apart"), {**data, "_confirm": "1"})
    listed = text(owner.get(reverse("admin:league_forbiddenpair_changelist")))
    assert "Entry 1 not with Entry 2" in listed
    pair = ForbiddenPair.objects.get()
    owner.post(page("forbiddenpair", pair, "delete"), {"post": "yes"})
    assert not ForbiddenPair.objects.exists()


def test_pairing_that_takes_rematches_is_shown_before_it_is_made(
    event: Event, owner: Client, director: Actor
) -> None:
    """The act shows the nearest pairing as a warning; nothing is stored until it is confirmed."""
    Event.objects.filter(pk=event.pk).update(check_in=False)
    event.refresh_from_db()
    for seed in (3, 4):
        EntryFactory.create(event=event, name=f"Gone {seed}", withdrawn_at="2026-01-01T00:00Z")
    for _ in range(3):
        publish_round(actor=director, round_=draft_round(actor=director, event=event, despite_missing=True))
    where = page("event", event, "pair")
    form = text(owner.get(where))
    assert "6 results are missing: SS01-1" in form
    asked = owner.post(where, {"number": "4"})
    assert asked.status_code == 422
    assert "Tick this, or wait for the results." in text(asked)
    shown = text(owner.post(where, {"number": "4", "despite_missing": "on"}))
    assert "Round 4 cannot be paired by the rules. The nearest pairing takes 2 rematches." in shown
    assert "rematch: no other pairing" in shown
    assert event.rounds.count() == 3
    answer = owner.post(where, {"number": "4", "despite_missing": "on", "_confirm": "1"})
    fourth = event.rounds.get(number=4)
    assert answer.status_code == 302
    assert answer["Location"] == page("round", fourth)
    again = owner.post(where, {"number": "4", "despite_missing": "on", "_confirm": "1"})
    assert again.status_code == 422
    assert "Round 4 has just been paired. Look at it." in text(again)


def test_deleted_round_leads_back_to_its_event(event: Event, owner: Client, director: Actor) -> None:
    round_ = _first_round(event, director, director)
    assert "Delete the round" in text(owner.get(page("round", round_)))
    answer = owner.post(page("round", round_, "discard"), {"_confirm": "1"})
    assert answer["Location"] == page("event", event)
    assert not event.rounds.exists()
