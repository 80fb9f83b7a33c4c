"""Challenges on a ladder, written and ended at the same moment."""

import datetime

import pytest
import time_machine

from league.draws.challenges import call_off_challenge, expire_challenges
from league.draws.recalculating import recalculate
from league.errors import LeagueError
from league.models import AuditEntry, Challenge, Event, Match, MatchState
from league.tables.ladders import ladder_places
from scoring.core.errors import ScoringError
from tests.factories import OPERATOR, play
from tests.faults.test_races_pairing import at_once
from tests.league.ladder_cases import challenge, ladder

pytestmark = pytest.mark.django_db(transaction=True)

NOON = datetime.datetime(2026, 3, 2, 12, tzinfo=datetime.UTC)


def test_of_two_challenges_to_the_same_player_one_is_written() -> None:
    event = ladder(4)
    told = at_once(lambda: challenge(event, "D", "B"), lambda: challenge(event, "C", "B"))
    assert told == ["done", "engaged"]
    assert (Challenge.objects.count(), Match.objects.count()) == (1, 1)


def test_of_two_sweeps_one_ends_the_challenge() -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        event = ladder(4)
        challenge(event, "D", "B")
        clock.shift(datetime.timedelta(days=15))
        assert at_once(expire_challenges, expire_challenges) == ["done", "done"]
    assert AuditEntry.objects.filter(action="match.walkover").count() == 1
    recalculate(event.pk)
    assert _order(event) == "ADBC"


def test_challenge_is_played_or_called_off_and_never_both() -> None:
    event = ladder(4)
    made = challenge(event, "D", "B")
    match = Match.objects.select_related("event", "sheet").get(challenge=made)

    def record() -> None:
        try:
            play(match, 5)
        except (ScoringError, Match.DoesNotExist) as refusal:
            raise LeagueError("gone", str(refusal)) from refusal

    told = at_once(record, lambda: call_off_challenge(actor=OPERATOR, challenge=made, reason="both ill"))
    recalculate(event.pk)
    made.refresh_from_db()
    if made.match is None:
        assert told == ["done", "gone"]
        assert _order(event) == "ABCD"
    else:
        assert told == ["done", "has_hands"]
        assert made.match.state == MatchState.FINISHED
        assert _order(event) == "ADBC"


def _order(event: Event) -> str:
    names = dict(event.entries.values_list("pk", "name"))
    return "".join(names[pk] for pk in ladder_places(event))
