"""Who may do what: a table of offices and permissions, and what the policy answers for sheets."""

import pytest
from django.contrib.auth.models import AnonymousUser, User
from pytest_django import DjangoAssertNumQueries

from league.errors import LeagueError
from league.models import Club, Event, EventState, Match, Role
from league.policy import (
    ClubPolicy,
    Permission,
    actor_of,
    can,
    clubs_where,
    is_operator,
    require,
)
from scoring.core.actors import Actor, ActorKind
from scoring.core.sheets import SheetSide
from scoring.models import Scoresheet
from scoring.policy import SheetAction
from scoring.services import open_sheet
from tests.factories import OPERATOR, ClubFactory, EventFactory, MatchFactory, UserFactory

pytestmark = pytest.mark.django_db

WHO = ("owner", "director", "scorekeeper", "member", "other club's owner", "no office", "administrator")
YES, NO = True, False

# The offices in the order of WHO; of a club that is not public.
PERMISSIONS = [
    (Permission.VIEW, (YES, YES, YES, YES, NO, NO, YES)),
    (Permission.PLAY, (YES, YES, YES, YES, NO, NO, YES)),
    (Permission.RECORD, (YES, YES, YES, NO, NO, NO, YES)),
    (Permission.DIRECT, (YES, YES, NO, NO, NO, NO, YES)),
    (Permission.MANAGE, (YES, NO, NO, NO, NO, NO, YES)),
]
ACTIONS = [
    (SheetAction.RECORD, (YES, YES, YES, NO, NO, NO, YES)),
    (SheetAction.STOP, (YES, YES, YES, NO, NO, NO, YES)),
    (SheetAction.SIGN, (YES, YES, YES, NO, NO, NO, YES)),
    (SheetAction.ACCEPT, (YES, YES, YES, NO, NO, NO, YES)),
    (SheetAction.OPEN, (YES, YES, YES, NO, NO, NO, YES)),
    (SheetAction.CORRECT, (YES, YES, YES, NO, NO, NO, YES)),
    (SheetAction.UNDO, (YES, YES, YES, NO, NO, NO, YES)),
    (SheetAction.DISPUTE, (YES, YES, YES, NO, NO, NO, YES)),
    (SheetAction.SETTLE, (YES, YES, NO, NO, NO, NO, YES)),
    (SheetAction.VOID, (YES, YES, NO, NO, NO, NO, YES)),
]


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(is_public=False)


@pytest.fixture
def match(club: Club) -> Match:
    return MatchFactory.create(event=EventFactory.create(club=club))


@pytest.fixture
def people(club: Club) -> dict[str, User]:
    users = {role.value: UserFactory.create(club=club, role=role) for role in Role}
    users["other club's owner"] = UserFactory.create(
        club=ClubFactory.create(is_public=False), role=Role.OWNER
    )
    users["no office"] = UserFactory.create()
    users["administrator"] = UserFactory.create(is_superuser=True)
    return users


@pytest.mark.parametrize(("permission", "expected"), PERMISSIONS)
def test_office_grants_permission(
    club: Club, people: dict[str, User], permission: Permission, expected: tuple[bool, ...]
) -> None:
    for who, allowed in zip(WHO, expected, strict=True):
        user = people[who]
        assert can(user, permission, club) is allowed, who
        assert (club in clubs_where(user, permission)) is allowed, who
        assert can(actor_of(user), permission, club) is allowed, who
        user.is_active = False
        user.save()
        assert not can(user, permission, club), who
        assert club not in clubs_where(user, permission), who
        assert not can(actor_of(user), permission, club), who
    assert not can(AnonymousUser(), permission, club)
    assert club not in clubs_where(AnonymousUser(), permission)


@pytest.mark.parametrize(("action", "expected"), ACTIONS)
def test_office_allows_action_on_a_sheet(
    match: Match, people: dict[str, User], action: SheetAction, expected: tuple[bool, ...]
) -> None:
    for who, allowed in zip(WHO, expected, strict=True):
        user = people[who]
        assert ClubPolicy().allows(actor_of(user), action, match.sheet) is allowed, who
        user.is_active = False
        user.save()
        assert not ClubPolicy().allows(actor_of(user), action, match.sheet), who


def test_every_action_and_permission_is_in_the_tables() -> None:
    assert {action for action, _ in ACTIONS} == set(SheetAction)
    assert {permission for permission, _ in PERMISSIONS} == set(Permission)


def test_public_club_is_viewed_by_anyone_and_nothing_more(club: Club, people: dict[str, User]) -> None:
    club.is_public = True
    club.save()
    for user in (AnonymousUser(), people["no office"], people["other club's owner"]):
        assert can(user, Permission.VIEW, club)
        assert club in clubs_where(user, Permission.VIEW)
        for permission in set(Permission) - {Permission.VIEW}:
            assert not can(user, permission, club)
            assert club not in clubs_where(user, permission)


def test_actor_is_named_as_history_prints_it() -> None:
    assert actor_of(UserFactory.create(username="sam", first_name="Sam", last_name="Lee")).name == "Sam Lee"
    user = UserFactory.create(username="dot")
    assert actor_of(user) == Actor(ActorKind.USER, str(user.pk), "dot")


def test_sheet_of_no_match_is_the_administrators(match: Match, people: dict[str, User]) -> None:
    sides = (SheetSide("Ann", ("Ann",)), SheetSide("Bob", ("Bob",)))
    stray = open_sheet(actor=OPERATOR, rules=match.event.rules, sides=sides)
    allowed = [who for who in WHO if ClubPolicy().allows(actor_of(people[who]), SheetAction.RECORD, stray)]
    assert allowed == ["administrator"]


@pytest.mark.parametrize(
    ("kind", "allowed"),
    [
        (ActorKind.IMPORT, True),
        (ActorKind.OPERATOR, True),
        (ActorKind.BOT, False),
        (ActorKind.TOKEN, False),
        (ActorKind.TABLE_LINK, False),
        (ActorKind.USER, False),
    ],
)
def test_actor_that_is_no_person(match: Match, kind: ActorKind, allowed: bool) -> None:
    actor = Actor(kind, "0", "Somebody")
    for action in SheetAction:
        assert ClubPolicy().allows(actor, action, match.sheet) is allowed
    assert can(actor, Permission.DIRECT, match.event.club) is allowed
    assert is_operator(actor) is (kind is ActorKind.OPERATOR)
    assert ClubPolicy().visible(actor, Scoresheet.objects.all()).exists() is allowed


def test_visible_sheets_are_those_of_public_clubs_and_of_ones_own(
    match: Match, people: dict[str, User]
) -> None:
    public = MatchFactory.create().sheet
    seen = {
        who: set(ClubPolicy().visible(actor_of(user), Scoresheet.objects.all()))
        for who, user in people.items()
    }
    everything = {match.sheet, public}
    assert seen == {
        "owner": everything,
        "director": everything,
        "scorekeeper": everything,
        "member": everything,
        "administrator": everything,
        "other club's owner": {public},
        "no office": {public},
    }


def test_refusal_names_who_and_where(club: Club, people: dict[str, User]) -> None:
    require(actor_of(people["director"]), Permission.DIRECT, club)
    with pytest.raises(LeagueError, match=club.name) as refusal:
        require(actor_of(people["scorekeeper"]), Permission.DIRECT, club)
    assert refusal.value.code == "not_allowed"


@pytest.mark.parametrize("who", ["owner", "director", "scorekeeper"])
def test_policy_asks_of_an_officer_where_the_sheet_is_and_which_office_it_is(
    match: Match, people: dict[str, User], who: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    actor = actor_of(people[who])
    with django_assert_num_queries(2):
        assert ClubPolicy().allows(actor, SheetAction.RECORD, match.sheet)


@pytest.mark.parametrize(
    ("state", "record", "correct"),
    [
        (EventState.DRAFT, NO, NO),
        (EventState.RUNNING, YES, YES),
        (EventState.FINISHED, NO, YES),
        (EventState.ARCHIVED, NO, NO),
    ],
)
@pytest.mark.parametrize("who", ["owner", "administrator"])
def test_state_of_the_event_closes_its_sheets_for_everybody(
    match: Match, people: dict[str, User], who: str, state: EventState, record: bool, correct: bool
) -> None:
    Event.objects.filter(pk=match.event_id).update(state=state)
    actor = actor_of(people[who])
    assert ClubPolicy().allows(actor, SheetAction.RECORD, match.sheet) is record
    assert ClubPolicy().allows(actor, SheetAction.CORRECT, match.sheet) is correct
