"""The workplace names the same next step of every running event as the event's own page."""

from collections.abc import Callable, Collection
from itertools import pairwise
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.admin.workplace import CLUBS
from league.draws.group_rounds import draw_groups
from league.draws.movements import draw_movement
from league.draws.recalculating import recalculate
from league.draws.round_life import draft_round
from league.draws.rounds import draw_round_robin
from league.events.entries import withdraw_entry
from league.models import Club, Event, EventState, Match, Role, registered
from tests.factories import OPERATOR, ClubFactory, EntryFactory, EventFactory, UserFactory, play
from tests.league import table_cases
from tests.league.admin_pages import page
from tests.league.bracket_play import cup, draw_it, drawn, drawn_from_groups, turn_over, win
from tests.league.ladder_cases import ladder
from tests.league.rotation_cases import evening
from tests.league.swiss_rounds import paired, play_all, swiss_of

pytestmark = pytest.mark.django_db

# What decides is a lot or a director, not a figure: with drawn sheets everybody is level.
PLAIN: Final = ["match_points", "net"]


def stale_draft(club: Club) -> Event:
    """Round 2 of a Swiss is a draft, and then a result of round 1 has changed."""
    event = swiss_of(club, 4)
    play_all(paired(OPERATOR, event))
    draft_round(actor=OPERATOR, event=event)
    first = Match.objects.filter(event=event, round__number=1).order_by("table")[0]
    Match.objects.filter(pk=first.pk).update(winner_side=1, net=-50)
    return event


def between_rounds(club: Club, format: str = "single") -> Event:
    """The first round of a knockout of four is played."""
    event = cup(club, 4, format=format)
    drawn(event)
    win(event, 1, "E1")
    win(event, 2, "E2")
    return event


def double(club: Club) -> Event:
    return between_rounds(club, format="double")


def undecided_tie(club: Club) -> Event:
    """A tie of a knockout is drawn, and its director is to say who goes on."""
    event = cup(club, 4, format="consolation", tie_decider="director")
    drawn(event)
    win(event, 2, "E2")
    draw_it(event, 1)
    return event


def without_bracket(club: Club) -> Event:
    """Two groups of two are played: their bracket is to be drawn."""
    event = cup(club, 4, format="groups", group_count=2, qualifiers=1, criteria=PLAIN)
    draw_groups(actor=OPERATOR, event=event)
    for match in event.matches.exclude(entry_b=None).select_related("sheet", "event"):
        play(match, 5)
    recalculate(event.pk)
    return event


def level_at_a_line(club: Club) -> Event:
    """Two groups of two have drawn all their sheets: who goes on is to be decided."""
    event = cup(club, 4, format="groups", group_count=2, qualifiers=1, criteria=PLAIN)
    draw_groups(actor=OPERATOR, event=event)
    for match in event.matches.exclude(entry_b=None).select_related("sheet", "event"):
        play(match, stopped=True)
    recalculate(event.pk)
    return event


def bracket_in_doubt(club: Club) -> Event:
    """The results of a group have changed since the bracket was drawn."""
    event = drawn_from_groups(club)
    turn_over(event, 1)
    return event


def level_for_a_prize(club: Club) -> Event:
    """A round robin of two with a prize has ended drawn."""
    event = cup(club, 2, format="round_robin", prizes=1, criteria=PLAIN)
    draw_round_robin(actor=OPERATOR, event=event)
    play(event.matches.get(), stopped=True)
    recalculate(event.pk)
    return event


def left_behind(club: Club) -> Event:
    """Somebody who has withdrawn still sits in the line-ups of an evening of changing partners."""
    event = evening(club, 5)
    draw_movement(actor=OPERATOR, event=event, publish=True)
    withdraw_entry(actor=OPERATOR, entry=event.entries.get(name="Ann"), reason="ill")
    return event


def open_ladder(club: Club) -> Event:
    return ladder(4, club=club)


def entries_open(club: Club, entered: int, **of_event: Any) -> Event:
    event: Event = EventFactory.create(club=club, state=EventState.OPEN, **of_event)
    EntryFactory.create_batch(entered, event=event)
    return event


def too_few(club: Club) -> Event:
    return entries_open(club, 1, format="swiss")


def too_few_for_groups(club: Club) -> Event:
    return entries_open(club, 5, format="groups", group_count=3, qualifiers=1)


def too_few_teams(club: Club) -> Event:
    return entries_open(club, 1, kind="team", team_size=2)


def enough(club: Club) -> Event:
    return entries_open(club, 2)


def even_tables(club: Club, **of_event: Any) -> Event:
    """The first round of nine at tables of three is played."""
    event = table_cases.evening(club, **of_event)
    for match in table_cases.drawn(event):
        table_cases.play_jersey(match, table_cases.names_at(match)[0])
    recalculate(event.pk)
    return event


def tables_by_points(club: Club) -> Event:
    return even_tables(club, format="tables_swiss")


def cup_of_tables(club: Club) -> Event:
    return even_tables(club, format="tables_cup", qualifiers=1)


# The way to what is to be done, of events that run.
RUNNING: Final[dict[Callable[[Club], Event], str]] = {
    stale_draft: "/league/round/",
    between_rounds: "/pair/",
    double: "/pair/",
    undecided_tie: "/league/tie/",
    without_bracket: "/draw-bracket/",
    level_at_a_line: "/decide-level/",
    bracket_in_doubt: "/night/rounds/",
    level_for_a_prize: "/decide-level/",
    left_behind: "/draw-rest/",
    open_ladder: "/challenge/",
}
AT_TABLES: Final[dict[Callable[[Club], Event], str]] = {
    even_tables: "/pair/",
    tables_by_points: "/pair/",
    cup_of_tables: "/pair/",
}
FORMATS_AT_TABLES: Final = {key for key, own in registered().items() if own.has_tables}
STATES: Final = (
    RUNNING
    | AT_TABLES
    | {
        too_few: "/enter/",
        too_few_for_groups: "/enter/",
        too_few_teams: "/entry/add/?event=",
        enough: "/start/",
    }
)
# The dearest of them asks a bracket, and the groups it was drawn from.
MOST_QUERIES: Final = 13


def told_at(client: Client, event: Event) -> tuple[str, str]:
    """What the workplace says of an event, and where it leads first."""
    ((said, way),) = [
        (each.words, each.next.url if each.next else "")
        for club in client.get(reverse("admin:index")).context["clubs"]
        for each in club.events
        if each.glance.event == event
    ]
    return said, way


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_the_workplace_says_what_the_events_page_says(
    state: Callable[[Club], Event], club: Club, client: Client
) -> None:
    event = state(club)
    client.force_login(UserFactory.create(club=club, role=Role.DIRECTOR))
    own = client.get(page("event", event)).context
    said, way = told_at(client, event)
    assert (said, way) == (own["next_step"], own["next_link"].url if own["next_link"] else "")
    assert said
    assert STATES[state] in way


def test_who_is_missing_is_said_and_the_start_not_offered(club: Club, client: Client) -> None:
    event = too_few_for_groups(club)
    client.force_login(UserFactory.create(club=club, role=Role.DIRECTOR))
    shown = client.get(page("event", event)).context
    assert "5 entries so far" in shown["next_step"]
    assert "6 entries are needed" in shown["next_step"]
    assert "Start the event" not in {str(link.title) for link in shown["acts"]}
    EntryFactory.create(event=event)
    assert client.get(page("event", event)).context["next_link"].title == "Start the event"


def test_a_setting_that_is_missing_is_said(club: Club, client: Client) -> None:
    event = entries_open(club, 4, format="groups", qualifiers=1)
    client.force_login(UserFactory.create(club=club, role=Role.DIRECTOR))
    shown = client.get(page("event", event)).context
    assert "how many groups" in shown["next_step"]
    assert shown["next_link"] is None


def test_a_draft_without_enough_entries_is_opened(club: Club, client: Client) -> None:
    event = EventFactory.create(club=club, state=EventState.DRAFT)
    client.force_login(UserFactory.create(club=club, role=Role.DIRECTOR))
    shown = client.get(page("event", event)).context
    assert shown["next_link"].title == "Open the entries"
    assert "start it" not in shown["next_step"]


def test_an_undecided_tie_is_decided_where_the_next_step_leads(club: Club, client: Client) -> None:
    event = undecided_tie(club)
    client.force_login(UserFactory.create(club=club, role=Role.DIRECTOR))
    _said, way = told_at(client, event)
    shown = client.get(way).context
    assert shown["original"] == event.ties.get(number=1)
    assert "Say who goes on" in {str(link.title) for link in shown["acts"]}


def test_a_scorekeeper_is_led_to_no_decision(club: Club, client: Client) -> None:
    event = undecided_tie(club)
    client.force_login(UserFactory.create(club=club, role=Role.SCOREKEEPER))
    assert told_at(client, event) == ("", "")


@pytest.mark.dear("plays events of every format, and reads the page after each")
@pytest.mark.parametrize(
    ("states", "formats"),
    [(RUNNING, registered().keys() - FORMATS_AT_TABLES), (AT_TABLES, FORMATS_AT_TABLES)],
    ids=["a full page of clubs", "at tables"],
)
def test_what_is_asked_of_an_event_by_itself_is_bounded(
    admin_user: User, client: Client, states: Collection[Callable[[Club], Event]], formats: set[str]
) -> None:
    """Of every format, in the states about which rounds do not tell everything."""
    client.force_login(admin_user)
    client.get(reverse("admin:index"))
    found, costs = set(), []
    for state in states:
        found.add(state(ClubFactory.create()).format)
        with CaptureQueriesContext(connection) as asked:
            shown = client.get(reverse("admin:index"))
        costs.append(len(asked))
    assert found == formats
    assert len(shown.context["clubs"]) == len(states) <= CLUBS == len(RUNNING)
    assert max(after - before for before, after in pairwise(costs)) <= MOST_QUERIES
    assert costs[0] <= 16 + MOST_QUERIES
