"""Two who arrange their match act at the same moment: one result, and the other is told."""

import datetime
from functools import partial

import pytest
from django.utils import timezone

from league.draws.arranging import accept_time, propose_times, take_back_times
from league.models import AuditEntry, EntryMember, Match, ProposedTime, Round
from league.policy import actor_of
from scoring.core.actors import Actor
from tests.factories import MatchFactory, PlayerFactory, UserFactory
from tests.faults.threads import at_once
from tests.refusals import code_of

pytestmark = pytest.mark.django_db(transaction=True)


def arranged() -> tuple[Match, Actor, Actor, Actor]:
    """A match to arrange within three days, with one of its first side and two of its second."""
    match = MatchFactory.create()
    today = timezone.now().date()
    Round.objects.filter(pk=match.round_id).update(date=today, last_day=today + datetime.timedelta(days=3))
    people: list[Actor] = []
    for side in (0, 1, 1):
        (entry,) = match.side(side)
        user = UserFactory.create()
        player = PlayerFactory.create(club=match.event.club, user=user)
        EntryMember.objects.create(event=match.event, entry=entry, player=player, position=len(people) + 1)
        people.append(actor_of(user))
    ann, bob, bea = people
    return Match.objects.select_related("event__club", "round").get(pk=match.pk), ann, bob, bea


def test_of_two_who_accept_one_does_and_what_is_taken_back_is_not_agreed() -> None:
    match, ann, bob, bea = arranged()
    tomorrow = timezone.now().replace(tzinfo=None) + datetime.timedelta(days=1)
    times = [tomorrow, tomorrow + datetime.timedelta(hours=1)]
    first, second = propose_times(actor=ann, match=match, times=times)
    said = at_once(
        [
            lambda: code_of(partial(accept_time, actor=bob, match=match, proposed=first.pk)),
            lambda: code_of(partial(accept_time, actor=bea, match=match, proposed=second.pk)),
        ]
    )
    assert sorted(said) == ["done", "not_proposed"]
    match.refresh_from_db()
    assert match.planned_at == (first.at if said[0] == "done" else second.at)
    (third,) = propose_times(actor=ann, match=match, times=[tomorrow + datetime.timedelta(hours=2)])
    said = at_once(
        [
            lambda: code_of(partial(accept_time, actor=bob, match=match, proposed=third.pk)),
            lambda: code_of(partial(take_back_times, actor=ann, match=match)),
        ]
    )
    assert sorted(said) == ["done", "not_proposed"]
    match.refresh_from_db()
    assert (match.planned_at == third.at) == (said[0] == "done")
    # Two who propose at once: the second has not seen what the first did.
    said = at_once(
        [
            partial(code_of, partial(propose_times, actor=by, match=match, times=times[:1]))
            for by in (ann, bob)
        ]
    )
    assert sorted(said) == ["done", "proposed_meanwhile"]
    assert ProposedTime.objects.count() == 1
    assert AuditEntry.objects.filter(action="match.propose").count() == 3
