"""Members challenge on a ladder and answer: by the ladder's own rules, from its page."""

import datetime
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from league.draws.arranging import accept_time, propose_times
from league.draws.challenges import challenge_oneself, decline_challenge
from league.draws.ladders import add_absence
from league.draws.overdue import club_today, deadline_of
from league.draws.postponing import postpone_match
from league.draws.recalculating import recalculate
from league.errors import LeagueError
from league.models import Challenge, Event, MatchState, Player, Role, ShownAs
from league.policy import actor_of
from league.policy.naming import Names
from league.tables.ladders import ladder_places
from scoring.core.actors import Actor
from tests.clients import logged_in
from tests.factories import OPERATOR, ClubFactory, UserFactory, play
from tests.league.ladder_cases import entry, ladder

pytestmark = pytest.mark.django_db

WHERE = "/clubs/harbour/events/climb/challenge/"


@pytest.fixture
def event() -> Event:
    """A ladder of A to E, all with accounts, of a public club; a challenge reaches two rungs."""
    club = ClubFactory.create(name="Harbour", slug="harbour", time_zone="Europe/Paris")
    made = ladder(5, club=club, slug="climb", challenge_reach=2)
    for one in made.entries.all():
        user = UserFactory.create(username=one.name.lower(), is_staff=False)
        Player.objects.filter(memberships_in_entries__entry=one).update(user=user)
    return made


def by(name: str) -> Actor:
    return actor_of(User.objects.get(username=name.lower()))


def challenge(event: Event, challenger: str, challenged: str) -> Challenge:
    called = Names(event.club_id, covered=True).marked
    return challenge_oneself(
        actor=by(challenger), event=event, challenged=entry(event, challenged), called=called
    )


def client(name: str) -> Client:
    return logged_in(User.objects.get(username=name.lower()))


def refused(call: Callable[..., object], *args: Any, **kwargs: Any) -> LeagueError:
    with pytest.raises(LeagueError) as found:
        call(*args, **kwargs)
    return found.value


def order(event: Event) -> str:
    recalculate(event.pk)
    names = dict(event.entries.values_list("pk", "name"))
    return "".join(names[pk] for pk in ladder_places(event))


def test_members_are_refused_what_a_director_is(event: Event) -> None:
    UserFactory.create(username="zoe", club=event.club, role=Role.MEMBER)
    assert refused(challenge, event, "zoe", "A").code == "not_entered"
    assert refused(challenge, event, "E", "B").code == "too_far"
    assert refused(challenge, event, "B", "C").code == "not_above"
    add_absence(actor=OPERATOR, entry=entry(event, "D"), first_day=club_today(event.club), last_day=None)
    assert refused(challenge, event, "D", "C").code == "away"
    # Who is away is not counted: two rungs reach one further.
    made = challenge(event, "E", "B")
    assert (made.challenger.name, made.challenged.name) == ("E", "B")
    # The name of one who shows himself by initials is told to nobody by a refusal.
    Player.objects.filter(name="B").update(name="Bertha Brown", shown_as=ShownAs.INITIALS)
    taken = refused(challenge, event, "C", "B")
    assert taken.code == "engaged"
    assert "Bertha" not in str(taken)


def test_who_is_challenged_arranges_a_time_within_the_days_of_the_ladder(event: Event) -> None:
    match = challenge(event, "D", "C").match
    assert match is not None
    last = deadline_of(match)
    assert last == club_today(event.club) + datetime.timedelta(days=14)
    evening = datetime.datetime.combine(last, datetime.time(19, 0))
    late = evening + datetime.timedelta(days=1)
    assert refused(propose_times, actor=by("C"), match=match, times=[late]).code == "out_of_window"
    (one,) = propose_times(actor=by("C"), match=match, times=[evening])
    assert accept_time(actor=by("D"), match=match, proposed=one.pk).planned_on == last


def test_who_declines_gives_the_place_up_as_if_it_had_not_been_played(event: Event) -> None:
    made = challenge(event, "D", "C")
    assert refused(decline_challenge, actor=by("D"), challenge=made).code == "not_allowed"
    assert refused(decline_challenge, actor=OPERATOR, challenge=made).code == "not_allowed"
    match = decline_challenge(actor=by("C"), challenge=made)
    assert match.state == MatchState.WALKOVER
    assert order(event) == "ABDCE"
    assert refused(decline_challenge, actor=by("C"), challenge=made).code == "no_challenge"
    begun = challenge(event, "E", "C")
    assert begun.match is not None
    play(begun.match, 1)
    assert refused(decline_challenge, actor=by("C"), challenge=begun).code in ("has_begun", "no_challenge")


def test_pages_lead_from_the_ladder_to_a_challenge_and_its_answer(event: Event) -> None:
    challenger, challenged, guest = client("D"), client("C"), Client()
    there = "/clubs/harbour/events/climb/ladder/"
    assert WHERE in challenger.get(there).content.decode()
    assert WHERE not in guest.get(there).content.decode()
    assert guest.get(WHERE).status_code == 302
    said = challenger.get(WHERE).content.decode()
    offered = [one.name for one in event.entries.order_by("name") if f'value="{one.code}"' in said]
    assert offered == ["B", "C"]
    ask = partial(challenger.post, WHERE)
    sent = ask({"challenged": entry(event, "C").code})
    made = Challenge.objects.get()
    assert made.match is not None
    assert sent.headers["Location"] == f"/clubs/harbour/events/climb/matches/{made.match.code}/arrange/"
    assert "You have challenged" in challenger.get(WHERE).content.decode()
    assert ask({"challenged": entry(event, "B").code}).status_code == 422
    assert "Propose a time to D" in challenged.get("/clubs/harbour/me/").content.decode()
    assert "Decline and give the place up" in challenged.get(WHERE).content.decode()
    assert challenged.post(WHERE, {"decline": str(made.number)}).status_code == 302
    assert order(event) == "ABDCE"
    assert client("A").get("/clubs/harbour/events/none/challenge/").status_code == 404
    assert "at the top" in client("A").get(WHERE).content.decode()


def test_a_director_sets_a_day_within_the_deadline_that_an_absence_has_extended(event: Event) -> None:
    match = challenge(event, "C", "B").match
    assert match is not None
    today = club_today(event.club)
    absent = {"first_day": today, "last_day": today + datetime.timedelta(days=2)}
    add_absence(actor=OPERATOR, entry=entry(event, "B"), **absent)
    last = deadline_of(match)
    assert last is not None
    assert match.deadline is not None
    assert last > match.deadline
    asked: dict[str, Any] = {
        "actor": OPERATOR,
        "match": match,
        "deadline": match.deadline,
        "reason": "agreed",
    }
    assert postpone_match(**asked, planned_on=last).planned_on == last
    too_late = last + datetime.timedelta(days=1)
    assert refused(postpone_match, **asked, planned_on=too_late).code == "out_of_range"


def test_an_account_of_two_entries_challenges_with_the_one_it_chooses(event: Event) -> None:
    """With D and E: E reaches C, for whom D, the first of the two, is not taken."""
    Player.objects.filter(memberships_in_entries__entry=entry(event, "E")).update(
        user=User.objects.get(username="d")
    )
    page, own = "/clubs/harbour/events/climb/challenge/", client("D")
    assert f'href="?as={entry(event, "E").code}"' in own.get(page).content.decode()
    sent = {"challenged": entry(event, "C").code}
    assert own.post(f"{page}?as={entry(event, 'A').code}", sent).status_code == 422
    assert own.post(f"{page}?as={entry(event, 'E').code}", sent).status_code == 302
    assert Challenge.objects.get().challenger == entry(event, "E")
