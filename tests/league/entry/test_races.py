"""Sheets saved from several places at once: nothing doubled, nothing lost, nobody stuck."""

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection

from league.entry.drafts import Draft
from league.entry.saving import SaveOutcome, dismiss, save_draft, take_over
from league.models import Match
from league.policy import actor_of
from scoring.core.errors import RecordingError
from scoring.models import DealVersion, Scoresheet, SecondTyping, SheetAct
from tests.factories import ClubFactory, EventFactory, MatchFactory, UserFactory
from tests.faults.threads import DEADLINE_SECONDS

pytestmark = pytest.mark.django_db(transaction=True)

DRAFT = Draft(key="key-0001", version=0, left=0, rows=(("a62",), ("b12",), ("d",)))


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """What each act answers or raises when all begin together, each in a thread of its own."""
    answers: list[Any] = [None] * len(acts)
    gate = threading.Barrier(len(acts))

    def run(place: int) -> None:
        gate.wait(DEADLINE_SECONDS)
        try:
            answers[place] = acts[place]()
        except RecordingError as error:
            answers[place] = error.code
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[place]) for place in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(DEADLINE_SECONDS)
        assert not thread.is_alive()
    return answers


@pytest.fixture
def match() -> Match:
    return MatchFactory.create(event=EventFactory.create(club=ClubFactory.create()))


def sheet_of(match: Match) -> Scoresheet:
    return Scoresheet.objects.select_related("rules").get(match=match)


def test_same_draft_saved_from_several_tabs_at_once_is_saved_once(match: Match) -> None:
    actor = actor_of(UserFactory.create(club=match.event.club))
    sheets = [sheet_of(match) for _ in range(6)]
    saved = at_once(
        *[lambda sheet=sheet: save_draft(actor=actor, sheet=sheet, draft=DRAFT) for sheet in sheets]
    )
    assert Counter(one.outcome for one in saved) == {SaveOutcome.SAVED: 1, SaveOutcome.SAVED_BEFORE: 5}
    assert (DealVersion.objects.count(), SheetAct.objects.count()) == (3, 1)
    assert not SecondTyping.objects.exists()


def test_people_saving_different_rows_at_once_are_all_kept(match: Match) -> None:
    actors = [actor_of(UserFactory.create(club=match.event.club)) for _ in range(4)]
    drafts = [
        replace(DRAFT, key=f"key-of-{number}", rows=((f"a{60 + number}",),)) for number in range(len(actors))
    ]
    sheets = [sheet_of(match) for _ in actors]
    saved = at_once(
        *[
            lambda actor=actor, draft=draft, sheet=sheet: save_draft(actor=actor, sheet=sheet, draft=draft)
            for actor, draft, sheet in zip(actors, drafts, sheets, strict=True)
        ]
    )
    assert Counter(one.outcome for one in saved) == {SaveOutcome.SAVED: 1, SaveOutcome.TYPED_TWICE: 3}
    assert (sheet_of(match).version, DealVersion.objects.count(), SecondTyping.objects.count()) == (1, 1, 3)


def test_second_typing_taken_over_and_dismissed_at_once_is_settled_once(match: Match) -> None:
    first, second = (actor_of(UserFactory.create(club=match.event.club)) for _ in range(2))
    save_draft(actor=first, sheet=sheet_of(match), draft=DRAFT)
    kept = save_draft(
        actor=second, sheet=sheet_of(match), draft=replace(DRAFT, key="key-0002", rows=(("a63",),))
    ).second
    assert kept is not None
    answers = at_once(
        lambda: take_over(actor=first, second=kept, reason="The paper says so.", expected_version=1),
        lambda: dismiss(actor=second, second=kept, reason="A slip."),
    )
    assert answers.count("settled") == 1
    kept.refresh_from_db()
    taken = kept.settled_how.startswith("taken over")
    assert sheet_of(match).version == (2 if taken else 1)
