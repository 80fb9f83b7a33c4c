"""What the standings of groups and a knockout say once the knockout has results: the winner, all places."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.draws.brackets import draw_bracket
from league.draws.group_rounds import draw_groups
from league.draws.round_life import publish_round
from league.models import Club, Event, Match
from league.policy.naming import AS_WRITTEN
from league.tables.outcomes import EventOutcome, event_outcome
from league.tables.tables import event_table
from tests.factories import OPERATOR, ClubFactory, EventFactory
from tests.league.bracket_play import match_of, next_round, win
from tests.league.test_group_rounds import group_cup, groups_of, play_groups
from tests.pdf_text import texts

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(club: Club) -> Event:
    """Two groups of four are played, the better seed winning each match; the best two of both go on."""
    event = group_cup(club)
    event.third_place = True
    event.save()
    draw_groups(actor=OPERATOR, event=event)
    play_groups(event)
    return event


def drawn(event: Event) -> Event:
    publish_round(actor=OPERATOR, round_=draw_bracket(actor=OPERATOR, event=event))
    return event


def outcome(event: Event, *, as_of: int | None = None) -> EventOutcome | None:
    return event_outcome(event, event_table(event, AS_WRITTEN, as_of=as_of), as_of=as_of)


def lines(found: EventOutcome | None) -> list[tuple[int | None, str]]:
    assert found is not None
    return [(line.place, line.named.name) for line in found.lines]


def beaten(event: Event, tie: int) -> tuple[str, str]:
    """The first side of a tie wins it: who has won and who has lost."""
    match = match_of(event, tie)
    assert match.entry_b is not None
    win(event, tie, match.entry_a.name)
    return match.entry_a.name, match.entry_b.name


def played_out(event: Event) -> list[str]:
    """The whole knockout: its first to fourth."""
    drawn(event)
    beaten(event, 1)
    beaten(event, 2)
    next_round(event)
    decided = {match.tie.part: beaten(event, match.tie.number) for match in _last_round(event) if match.tie}
    return [*decided["final"], *decided["third"]]


def _last_round(event: Event) -> list[Match]:
    last = event.rounds.order_by("number").last()
    assert last is not None
    return list(last.matches.select_related("tie"))


def test_nothing_has_come_of_it_before_the_knockout_has_results(event: Event) -> None:
    assert outcome(event) is None
    assert outcome(drawn(event)) is None
    assert outcome(EventFactory.create()) is None


def test_who_is_out_has_a_place_and_the_others_are_still_in_it(event: Event) -> None:
    event.third_place = False
    event.save()
    drawn(event)
    _winner, loser = beaten(event, 1)
    others = {name for place, name in lines(outcome(event)) if place is None}
    assert len(others) == 3
    assert loser not in others
    known = [(place, name) for place, name in lines(outcome(event)) if place is not None]
    assert known[0] == (3, loser)
    # Level in their groups, they share places in the whole event.
    groups = groups_of(event)
    assert {name for place, name in known if place == 5} == {groups[1][2], groups[2][2]}
    assert {name for place, name in known if place == 7} == {groups[1][3], groups[2][3]}


def test_the_page_and_the_print_say_who_has_won_and_every_place(client: Client, event: Event) -> None:
    best = played_out(event)
    found = outcome(event)
    assert found is not None
    assert found.is_final
    assert found.champion is not None
    assert found.champion.name == best[0]
    assert lines(found)[:4] == list(enumerate(best, start=1))
    address = [event.club.slug, event.slug]
    content = client.get(reverse("event", args=address)).content.decode()
    assert f"won by {best[0]}" in content
    assert content.index("Final places") < content.index("Group 1")
    said = texts(client.get(reverse("event_standings_pdf", args=address)).content)
    assert said.index("Final places") < said.index("Group 1")
    assert f"won by {best[0]}" in " ".join(said)
    first = said.index("Final places") + 1
    assert said[first : first + 8] == [
        words for place, name in lines(found)[:4] for words in (str(place), name)
    ]


def test_as_of_an_earlier_round_it_is_what_it_was_then(event: Event) -> None:
    played_out(event)
    assert outcome(event, as_of=3) is None
    then = outcome(event, as_of=4)
    assert then is not None
    assert then.champion is None
    assert [place for place, _name in lines(then)] == [None] * 4 + [5, 5, 7, 7]


def test_queries_do_not_grow_with_the_entries(event: Event) -> None:
    played_out(event)
    counts = []
    for each in (event, large_cup()):
        table = event_table(each, AS_WRITTEN)
        with CaptureQueriesContext(connection) as queries:
            assert event_outcome(each, table) is not None
        counts.append(len(queries))
    assert counts == [2, 2]


def large_cup() -> Event:
    event = group_cup(ClubFactory.create(), 12, groups=4)
    draw_groups(actor=OPERATOR, event=event)
    play_groups(event)
    drawn(event)
    beaten(event, 1)
    return event
