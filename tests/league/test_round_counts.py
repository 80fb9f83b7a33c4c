"""How many rounds pages say an event has: those that are planned, not only those there are by now."""

import pytest
from django.test import Client
from django.utils import timezone

from league.draws.brackets import draw_bracket
from league.draws.group_rounds import draw_groups
from league.events.front_page import lines_of
from league.models import Club, Event, EventState, Round, RoundState
from league.tables.round_summaries import rounds_in_all
from tests.factories import OPERATOR, EventFactory, MatchFactory, RoundFactory, play
from tests.league.bracket_play import cup, drawn, next_round, win
from tests.league.test_group_rounds import group_cup, play_groups
from tests.league.test_pages import read

pytestmark = pytest.mark.django_db


def counts(event: Event) -> set[int | None]:
    """What the pages of the event say and what the lists of events say: they must agree."""
    rounds = Round.objects.exclude(state=RoundState.DRAFTED)
    (line,) = lines_of(Event.objects.filter(pk=event.pk), rounds=rounds, today=timezone.localdate())
    assert line.rounds == rounds.filter(event=event).count()
    return {rounds_in_all(event, line.rounds), line.in_all}


@pytest.mark.parametrize(
    ("format", "planned", "state", "expected"),
    [
        ("swiss", 5, EventState.RUNNING, 5),
        ("swiss", 1, EventState.RUNNING, 2),
        ("swiss", None, EventState.RUNNING, None),
        ("swiss", None, EventState.FINISHED, 2),
        ("swiss", 5, EventState.FINISHED, 2),
        ("swiss", 5, EventState.ARCHIVED, 2),
        ("rotation", 7, EventState.RUNNING, 7),
        ("round_robin", None, EventState.RUNNING, 2),
        ("round_robin", 9, EventState.RUNNING, 2),
        ("single", None, EventState.RUNNING, None),
    ],
)
def test_two_rounds_there_are_of(
    format: str, planned: int | None, state: EventState, expected: int | None
) -> None:
    size = 2 if format == "rotation" else 1
    event = EventFactory.create(format=format, team_size=size, rounds_planned=planned, state=state)
    for _ in range(2):
        RoundFactory.create(event=event)
    assert counts(event) == {expected}


def test_a_bracket_has_its_stages_and_the_second_final_once_it_is_needed(club: Club) -> None:
    event = cup(club, 4, format="double")
    drawn(event)
    stages = 4
    # Winners 1, winners' final with losers 1, losers' final, final; the fifth would be the second final.
    assert counts(event) == {stages}
    while event.rounds.count() < stages:
        _play_round(event, first=True)
        next_round(event)
    assert counts(event) == {stages}
    _play_round(event, first=False)
    next_round(event)
    assert counts(event) == {stages + 1}


def _play_round(event: Event, *, first: bool) -> None:
    """Every tie of the last round is won by who came out of the winners' bracket, or by the other."""
    last = event.rounds.order_by("number").last()
    assert last is not None
    for match in last.matches.exclude(entry_b=None).select_related("tie", "entry_a", "entry_b"):
        assert match.tie is not None
        assert match.entry_b is not None
        assert match.tie.entry_a is not None
        assert match.tie.entry_b is not None
        win(event, match.tie.number, (match.tie.entry_a if first else match.tie.entry_b).name)


def test_groups_have_the_rounds_of_their_knockout_to_come(club: Club) -> None:
    event = group_cup(club)
    draw_groups(actor=OPERATOR, event=event)
    # Four in a group meet in three rounds; then semifinals and final.
    assert counts(event) == {5}
    play_groups(event)
    draw_bracket(actor=OPERATOR, event=event)
    assert counts(event) == {5}


def test_pages_say_of_how_many(client: Client) -> None:
    event = EventFactory.create(club__slug="harbour", slug="open", format="swiss", rounds_planned=5)
    play(MatchFactory.create(event=event), 40, stopped=True)
    assert "Round 1 of 5 · " in read(client, "event", "harbour", "open")
    assert "Round 1 of 5 " in read(client, "round", "harbour", "open", 1)
    assert "round 1 of 5" in read(client, "club", "harbour")
    event.rounds_planned = None
    event.save()
    assert "Round 1 · " in read(client, "event", "harbour", "open")
    assert "Round 1 of" not in read(client, "round", "harbour", "open", 1)
    assert "round 1 of" not in read(client, "club", "harbour")
