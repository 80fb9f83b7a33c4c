"""An event's life: which step leads where, what it needs, what comes next."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from league.errors import LeagueError
from league.events.event_life import (
    archive_event,
    close_to_draft,
    finish_event,
    open_entries,
    reopen_event,
    start_event,
    unarchive_event,
)
from league.events.events import change_event, create_event
from league.events.house_rules import make_club_rules
from league.events.next_step import next_step
from league.models import (
    AuditEntry,
    Club,
    Event,
    EventKind,
    EventState,
    RoundState,
    TieDecider,
)
from league.tables.adjustments import add_adjustment, remove_adjustment
from scoring.core.actors import Actor
from scoring.core.rules import Rules
from scoring.services import correct_deals
from scoring.typing.paper_figures import Paper
from tests.factories import OPERATOR, EntryFactory, EventFactory, MatchFactory, RoundFactory, play, sheet_of
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

DRAFT, OPEN, RUNNING, FINISHED, ARCHIVED = EventState

# A service, the states it starts from, the state it leads to.
STEPS: list[tuple[Callable[..., Event], set[EventState], EventState]] = [
    (open_entries, {DRAFT}, OPEN),
    (close_to_draft, {OPEN}, DRAFT),
    (start_event, {DRAFT, OPEN}, RUNNING),
    (finish_event, {RUNNING}, FINISHED),
    (reopen_event, {FINISHED}, RUNNING),
    (archive_event, {FINISHED}, ARCHIVED),
    (unarchive_event, {ARCHIVED}, FINISHED),
]


def event_in(state: EventState, **values: Any) -> Event:
    """An event in a state, with two entries."""
    event: Event = EventFactory.create(state=state, **values)
    for _ in range(2):
        EntryFactory.create(event=event)
    return event


@pytest.mark.parametrize("state", EventState)
@pytest.mark.parametrize(("step", "begins", "ends"), STEPS, ids=[step.__name__ for step, *_ in STEPS])
def test_step_is_taken_from_its_states_only(
    step: Callable[..., Event], begins: set[EventState], ends: EventState, state: EventState
) -> None:
    event = event_in(state)
    if state in begins:
        assert step(actor=OPERATOR, event=event).state == ends
        assert AuditEntry.objects.get().after == {"state": ends.value}
        return
    with refuses(LeagueError, "wrong_state"):
        step(actor=OPERATOR, event=event)
    event.refresh_from_db()
    assert event.state == state
    assert not AuditEntry.objects.exists()


def test_a_new_event_is_a_draft(club: Club, director: Actor) -> None:
    rules = make_club_rules(actor=OPERATOR, club=club, name="Ours", rules=Rules()).rules
    event = create_event(actor=director, club=club, name="Cup", slug="cup", rules=rules)
    assert (event.state, event.format, event.team_size) == (DRAFT, "round_robin", 1)
    evening = create_event(
        actor=director, club=club, name="Evening", slug="e", rules=rules, format="rotation"
    )
    assert (evening.kind, evening.team_size) == (EventKind.INDIVIDUAL, 2)


@pytest.mark.parametrize(
    ("event_format", "values", "entries", "enough"),
    [
        ("round_robin", {}, 1, False),
        ("round_robin", {}, 2, True),
        ("swiss", {}, 1, False),
        ("double", {}, 1, False),
        ("rotation", {"team_size": 2}, 3, False),
        ("rotation", {"team_size": 2}, 4, True),
        ("groups", {"group_count": 3, "qualifiers": 1}, 5, False),
        ("groups", {"group_count": 3, "qualifiers": 1}, 6, True),
    ],
)
def test_start_needs_enough_entries(
    event_format: str, values: dict[str, Any], entries: int, enough: bool
) -> None:
    event: Event = EventFactory.create(state=OPEN, format=event_format, **values)
    for number in range(entries):
        EntryFactory.create(event=event, seed=number + 1)
    if enough:
        assert start_event(actor=OPERATOR, event=event).state == RUNNING
        return
    with pytest.raises(LeagueError, match=f"needed, not {entries}") as refusal:
        start_event(actor=OPERATOR, event=event)
    assert refusal.value.code == "too_few_entries"


def test_finish_says_what_is_unfinished_and_does_it_when_told() -> None:
    event: Event = EventFactory.create()
    played, missing, differs = (MatchFactory.create(event=event) for _ in range(3))
    RoundFactory.create(event=event, state=RoundState.DRAFTED, number=9)
    play(played, 300, 200, 150)
    play(differs, 300, 200, 150)
    correct_deals(actor=OPERATOR, sheet=sheet_of(differs), changes={}, reason="the paper", paper=Paper(net=1))
    with refuses(LeagueError, "unfinished", field="despite_unfinished") as refusal:
        finish_event(actor=OPERATOR, event=event)
    for part in (
        "Round 9 is drafted",
        f"1 match has no result: {missing.label}.",
        f"1 result is pending and does not count yet: {differs.label}.",
    ):
        assert part in str(refusal.value.message)
    assert played.label not in str(refusal.value.message)
    assert finish_event(actor=OPERATOR, event=event, despite_unfinished=True).state == FINISHED
    assert missing.label in AuditEntry.objects.get(action="event.finish").reason


@pytest.mark.parametrize("state", [FINISHED, ARCHIVED])
def test_settings_are_frozen_by_the_end(state: EventState) -> None:
    event = event_in(state)
    with refuses(LeagueError, "wrong_state"):
        change_event(actor=OPERATOR, event=event, name="Renamed")


def test_points_are_given_until_the_archive() -> None:
    event = event_in(FINISHED)
    entry = event.entries.all()[0]
    adjustment = add_adjustment(actor=OPERATOR, entry=entry, points=Decimal(1), reason="the fair play prize")
    archive_event(actor=OPERATOR, event=event)
    entry.refresh_from_db()
    with pytest.raises(LeagueError, match="is archived"):
        add_adjustment(actor=OPERATOR, entry=entry, points=Decimal(1), reason="once more")
    with pytest.raises(LeagueError, match="is archived"):
        remove_adjustment(actor=OPERATOR, adjustment=adjustment)


def test_format_is_fixed_once_drawn() -> None:
    event = event_in(RUNNING, format="swiss", rounds_planned=4)
    change_event(actor=OPERATOR, event=event, format="round_robin")
    event = change_event(actor=OPERATOR, event=event, format="swiss")
    RoundFactory.create(event=event)
    with refuses(LeagueError, "already_drawn", field="format"):
        change_event(actor=OPERATOR, event=event, format="round_robin")
    assert change_event(actor=OPERATOR, event=event, rounds_planned=5).rounds_planned == 5


def test_length_of_a_rotating_evening_is_fixed_once_drawn() -> None:
    event: Event = EventFactory.create(format="rotation", team_size=2, rounds_planned=6)
    change_event(actor=OPERATOR, event=event, rounds_planned=7)
    RoundFactory.create(event=event)
    with refuses(LeagueError, "already_drawn", field="rounds_planned"):
        change_event(actor=OPERATOR, event=event, rounds_planned=8)


@pytest.mark.parametrize(
    ("event_format", "field", "value"),
    [
        ("single", "tie_decider", TieDecider.DIRECTOR),
        ("single", "lot_seed", 2),
        ("groups", "lot_seed", 2),
        ("swiss", "lot_seed", 2),
        ("rotation", "lot_seed", 2),
        ("round_robin", "lot_seed", 2),
        ("ladder", "lot_seed", 2),
    ],
)
def test_what_decides_and_draws_is_fixed_once_drawn(event_format: str, field: str, value: object) -> None:
    size = 2 if event_format == "rotation" else 1
    event: Event = EventFactory.create(format=event_format, team_size=size)
    was = getattr(event, field)
    for fine in (value, was):
        event = change_event(actor=OPERATOR, event=event, **{field: fine})
    RoundFactory.create(event=event)
    with refuses(LeagueError, "already_drawn", field=field):
        change_event(actor=OPERATOR, event=event, **{field: value})


def test_players_entered_may_change_to_rotating_partners_and_not_to_teams() -> None:
    event = event_in(OPEN)
    assert change_event(actor=OPERATOR, event=event, format="rotation").team_size == 2
    assert change_event(actor=OPERATOR, event=event, format="swiss").team_size == 1
    with refuses(LeagueError, "has_entries"):
        change_event(actor=OPERATOR, event=event, kind=EventKind.TEAM, team_size=2)


def test_next_step_of_a_swiss_from_the_draft_to_the_archive() -> None:
    event = event_in(DRAFT, format="swiss", rounds_planned=1)
    said = [next_step(event)]
    event = open_entries(actor=OPERATOR, event=event)
    said.append(next_step(event))
    event = start_event(actor=OPERATOR, event=event)
    said.append(next_step(event))
    drafted = RoundFactory.create(event=event, state=RoundState.DRAFTED)
    said.append(next_step(event))
    drafted.state = RoundState.PUBLISHED
    drafted.save()
    a, b = event.entries.all()
    match = MatchFactory.create(event=event, round=drafted, entry_a=a, entry_b=b)
    said.append(next_step(event))
    play(match, 300, 200, 150)
    said.append(next_step(event))
    event = change_event(actor=OPERATOR, event=event, rounds_planned=2)
    said.append(next_step(event))
    event = finish_event(actor=OPERATOR, event=event)
    said.append(next_step(event))
    event = archive_event(actor=OPERATOR, event=event)
    said.append(next_step(event))
    for sentence, part in zip(
        said,
        [
            "A draft with 2 entries",
            "Entries are open, 2 entries so far",
            "nothing is drawn yet",
            "Round 1 is drafted",
            "Round 1 is published; 1 result is missing.",
            "Everything is played: finish the event.",
            "All results of round 1 are in: pair round 2.",
            "Finished.",
            "In the archive",
        ],
        strict=True,
    ):
        assert part in sentence


def test_next_step_names_the_first_round_that_waits_and_what_is_held() -> None:
    event: Event = EventFactory.create()
    first, second = (RoundFactory.create(event=event) for _ in range(2))
    for round_ in (first, first, second):
        match = MatchFactory.create(event=event, round=round_)
    held = MatchFactory.create(event=event, round=first)
    play(held, 300, 200, 150)
    correct_deals(actor=OPERATOR, sheet=sheet_of(held), changes={}, reason="the paper", paper=Paper(net=1))
    assert next_step(event) == (
        "Round 1 is published; 2 results are missing. 1 round to go. "
        "1 result is pending and does not count yet."
    )
    assert match.round == second
