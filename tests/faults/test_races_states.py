"""What an event is doing is asked once it is held: nothing is written into one that was just put away."""

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction

from league.draws.forfeits import award_walkover, clear_award
from league.draws.kept_apart import allow_pair
from league.draws.matches_by_hand import remove_match
from league.draws.round_life import draft_round, publish_round, repair_round
from league.draws.rounds import add_round, change_round, draw_round_robin, remove_round
from league.errors import LeagueError
from league.events.entries import reinstate_entry, withdraw_entry
from league.events.event_life import archive_event, finish_event
from league.models import Entry, Event, ForbiddenPair, Match, MatchState, Player, Round
from league.people.players import change_player
from league.record.locking import left_when_crossed, refused_when_crossed
from tests.factories import OPERATOR, ClubFactory, EntryFactory, EventFactory
from tests.faults.test_races_locks import one_after_the_other
from tests.faults.threads import DEADLINE_SECONDS, at_once, until_someone_waits
from tests.league.bracket_play import cup

pytestmark = pytest.mark.django_db(transaction=True)

BY: dict[str, Any] = {"actor": OPERATOR}


@pytest.fixture
def event(transactional_db: None) -> Event:
    """A round robin of three: a match is stated, two wait; one has gone, two are kept apart."""
    event: Event = EventFactory.create()
    a, b, c = [EntryFactory.create(event=event, name=name) for name in "ABC"]
    draw_round_robin(actor=OPERATOR, event=event)
    match = event.matches.filter(entry_b__isnull=False).order_by("round__number")[0]
    award_walkover(actor=OPERATOR, match=match, winner_side=0, reason="nobody came")
    add_round(actor=OPERATOR, event=event, number=9)
    ForbiddenPair.objects.create(event=event, entry_a=a, entry_b=b)
    withdraw_entry(actor=OPERATOR, entry=c, reason="ill")
    return event


def waiting(event: Event) -> Match:
    return event.matches.select_related("event__club").filter(state=MatchState.SCHEDULED).order_by("pk")[0]


def stated(event: Event) -> Match:
    return event.matches.select_related("event__club").get(state=MatchState.WALKOVER)


def empty_round(event: Event) -> Round:
    return event.rounds.select_related("event__club").get(number=9)


def pair_of(event: Event) -> ForbiddenPair:
    return ForbiddenPair.objects.select_related("event__club").get(event=event)


def gone(event: Event) -> Entry:
    return event.entries.select_related("event__club").exclude(withdrawn_at=None).get()


LATE: dict[str, Callable[[Event], Callable[[], Any]]] = {
    "walkover": lambda event: partial(
        award_walkover, **BY, match=waiting(event), winner_side=None, reason="late"
    ),
    "clear": lambda event: partial(clear_award, **BY, match=stated(event), reason="late"),
    "remove a match": lambda event: partial(remove_match, **BY, match=waiting(event)),
    "move a round": lambda event: partial(change_round, **BY, round_=empty_round(event), date=None),
    "remove a round": lambda event: partial(remove_round, **BY, round_=empty_round(event)),
    "allow a pair": lambda event: partial(allow_pair, **BY, pair=pair_of(event)),
    "reinstate": lambda event: partial(reinstate_entry, **BY, entry=gone(event), reason="well again"),
}


@pytest.mark.parametrize("what", LATE)
def test_nothing_is_written_into_an_event_that_was_just_archived(event: Event, what: str) -> None:
    late = LATE[what](event)

    def put_away() -> None:
        finish_event(actor=OPERATOR, event=event, despite_unfinished=True)
        archive_event(actor=OPERATOR, event=event)

    assert one_after_the_other(put_away, late) == ["done", "wrong_state"]


def test_sheets_that_came_while_one_waited_are_not_locked_out_of_order() -> None:
    """Who pairs anew has seen matches without sheets; the other publishes them."""
    event = cup(ClubFactory.create(), 4, format="swiss", rounds_planned=3)
    round_ = draft_round(actor=OPERATOR, event=event)
    again = Round.objects.select_related("event__club").get(pk=round_.pk)
    told = one_after_the_other(
        lambda: publish_round(actor=OPERATOR, round_=round_),
        lambda: repair_round(actor=OPERATOR, round_=again),
    )
    # On SQLite the second has not even looked yet.
    assert told == ["done", "clash" if connection.vendor == "postgresql" else "done"]


def test_an_entry_is_renamed_only_under_its_event() -> None:
    """Else a draw that points to the entry would wait for who renames it, and he for the draw."""
    event = cup(ClubFactory.create(), 4)
    is_in, is_done = threading.Event(), threading.Event()

    def hold() -> bool:
        with transaction.atomic():
            Event.objects.select_for_update(no_key=True).get(pk=event.pk)
            is_in.set()
            until_someone_waits(or_done=is_done)
            return is_done.is_set()

    def rename() -> None:
        assert is_in.wait(DEADLINE_SECONDS)
        player = Player.objects.get(club=event.club, name="E1")
        change_player(actor=OPERATOR, player=player, name="Eve")
        is_done.set()

    was_done, _none = at_once([hold, rename])
    assert not was_done
    assert event.entries.filter(name="Eve").exists()


def crossing(net: Callable[[], Any]) -> list[str]:
    """Two who lock two events in opposite orders, each within the net; what they were told."""
    one, other = EventFactory.create(), EventFactory.create()
    # On SQLite there is one writer at a time, who meets nobody.
    meet = threading.Barrier(2 if connection.vendor == "postgresql" else 1)

    def lock_both(*events: Event) -> str:
        told = "left"
        try:
            with net(), transaction.atomic():
                for event in events:
                    Event.objects.select_for_update(no_key=True).get(pk=event.pk)
                    if event is events[0]:
                        meet.wait(DEADLINE_SECONDS)
                told = "done"
        except LeagueError as refusal:
            told = refusal.code
        return told

    return sorted(at_once([lambda: lock_both(one, other), lambda: lock_both(other, one)]))


def test_who_crosses_another_is_told_or_left_to_the_sweep() -> None:
    on_postgres = connection.vendor == "postgresql"
    assert crossing(refused_when_crossed) == (["crossed", "done"] if on_postgres else ["done", "done"])
    assert crossing(left_when_crossed) == (["done", "left"] if on_postgres else ["done", "done"])


@pytest.mark.parametrize("net", [refused_when_crossed, left_when_crossed])
def test_other_errors_of_the_database_go_through(net: Callable[[], Any]) -> None:
    with pytest.raises(OperationalError, match="away"), net():
        raise OperationalError("the server is away")
