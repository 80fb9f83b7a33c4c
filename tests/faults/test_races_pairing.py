"""Two directors pair, publish or pair anew at the same moment: one does, the other is told."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from league.draws.round_life import discard_round, draft_round, publish_round, repair_round
from league.errors import LeagueError
from league.models import AuditEntry, Event, Match, Round
from scoring.models import Scoresheet
from tests.factories import OPERATOR, EntryFactory, EventFactory
from tests.faults.threads import DEADLINE_SECONDS

pytestmark = pytest.mark.django_db(transaction=True)


def swiss_of(count: int) -> Event:
    event: Event = EventFactory.create(format="swiss")
    for seed in range(1, count + 1):
        EntryFactory.create(event=event, seed=seed)
    return event


def at_once(*acts: Callable[[], object]) -> list[str]:
    """What the directors are told, in order of words."""
    start = Barrier(len(acts))

    def act(do: Callable[[], object]) -> str:
        try:
            start.wait(DEADLINE_SECONDS)
            do()
        except LeagueError as refusal:
            return refusal.code
        finally:
            connection.close()
        return "done"

    with ThreadPoolExecutor(max_workers=len(acts)) as directors:
        return sorted(directors.map(act, acts))


@pytest.mark.parametrize("number", [1, None])
def test_of_two_pairings_of_a_round_one_is_made(number: int | None) -> None:
    """The page says which round it is for; even without that a round is paired once."""
    event = swiss_of(9)

    def pair() -> object:
        return draft_round(actor=OPERATOR, event=Event.objects.get(pk=event.pk), number=number)

    assert at_once(pair, pair) == ["done", "paired_already" if number else "round_drafted"]
    assert (Round.objects.count(), Match.objects.count()) == (1, 5)
    assert AuditEntry.objects.filter(action="round.draft").count() == 1


def test_of_two_publications_one_opens_the_sheets() -> None:
    round_ = draft_round(actor=OPERATOR, event=swiss_of(8))

    def publish() -> object:
        return publish_round(actor=OPERATOR, round_=Round.objects.get(pk=round_.pk))

    # The other sees that it is published, or that sheets have come while it waited.
    assert at_once(publish, publish) in (["done", "wrong_state"], ["clash", "done"])
    assert Scoresheet.objects.count() == 4


def test_of_a_publication_and_a_removal_one_is_done_or_both_in_turn() -> None:
    round_ = draft_round(actor=OPERATOR, event=swiss_of(8))

    def publish() -> object:
        return publish_round(actor=OPERATOR, round_=Round.objects.get(pk=round_.pk))

    def discard() -> object:
        return discard_round(actor=OPERATOR, round_=Round.objects.get(pk=round_.pk))

    told = at_once(publish, discard)
    if told == ["done", "done"]:
        assert AuditEntry.objects.filter(action="round.publish").exists()
    elif "clash" in told:
        # Who takes it away has waited, and meets sheets that it has not seen: it is for him to look again.
        assert (told, Scoresheet.objects.count()) == (["clash", "done"], 4)
        discard()
    else:
        assert told[1] in ("done", "gone")
    assert not Round.objects.exists()
    assert (Match.objects.count(), Scoresheet.objects.count()) == (0, 0)


def test_two_pairings_anew_leave_one_pairing() -> None:
    round_ = draft_round(actor=OPERATOR, event=swiss_of(8))

    def repair() -> object:
        return repair_round(actor=OPERATOR, round_=Round.objects.get(pk=round_.pk))

    told = at_once(repair, repair)
    assert "done" in told
    assert set(told) <= {"done", "clash"}
    assert Match.objects.count() == 4
