"""The policy for those who come by a token or a link, or sit at the table: what each may, and on what."""

import datetime
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from league.core.secrets import digest_of, new_secret
from league.models import (
    ApiToken,
    Appearance,
    Club,
    Event,
    EventState,
    Match,
    Role,
    RoundState,
    TableLink,
    TokenScope,
)
from league.policy import (
    GRANTS,
    ClubPolicy,
    Permission,
    actor_at,
    actor_of,
    can,
    clubs_where,
    events_seen,
    rounds_seen,
    sheets_seen,
)
from scoring.core.actors import Actor
from scoring.models import Scoresheet
from scoring.policy import SheetAction
from tests.factories import OPERATOR, ClubFactory, EventFactory, MatchFactory, RoundFactory, UserFactory

pytestmark = pytest.mark.django_db

KEEPING = set(SheetAction) - {SheetAction.SETTLE, SheetAction.VOID}
AT_THE_TABLE = {SheetAction.RECORD, SheetAction.UNDO, SheetAction.SIGN, SheetAction.DISPUTE}


@dataclass(frozen=True)
class Place:
    """Two matches of one event of a private club, and one of another event there."""

    club: Club
    event: Event
    match: Match
    other: Match
    elsewhere: Match

    @property
    def sheets(self) -> list[Scoresheet]:
        return [match.sheet for match in (self.match, self.other, self.elsewhere) if match.sheet is not None]


@pytest.fixture
def place() -> Place:
    club = ClubFactory.create(is_public=False)
    event = EventFactory.create(club=club)
    elsewhere = EventFactory.create(club=club)
    matches = [MatchFactory.create(event=each) for each in (event, event, elsewhere)]
    return Place(club, event, *matches)


def _token(user: User, scope: TokenScope, place: Place, bound: str) -> ApiToken:
    bounds: dict[str, dict[str, object]] = {
        "": {},
        "club": {"club": place.club},
        "event": {"club": place.club, "event": place.event},
        "sheet": {"club": place.club, "event": place.event, "sheet": place.match.sheet},
        "other club": {"club": ClubFactory.create()},
    }
    return ApiToken.objects.create(
        user=user, name="t", scope=scope, digest=digest_of(f"{user.pk}{bound}{scope}"), **bounds[bound]
    )


def _allowed(actor: Actor, sheet: Scoresheet | None) -> set[SheetAction]:
    return {action for action in SheetAction if ClubPolicy().allows(actor, action, sheet)}


@pytest.mark.parametrize(
    ("scope", "bound", "on_sheets"),
    [
        (TokenScope.READ, "", [set(), set(), set()]),
        (TokenScope.READ, "club", [set(), set(), set()]),
        (TokenScope.RECORD, "club", [KEEPING, KEEPING, KEEPING]),
        (TokenScope.RECORD, "event", [KEEPING, KEEPING, set()]),
        (TokenScope.RECORD, "sheet", [KEEPING, set(), set()]),
        (TokenScope.RECORD, "other club", [set(), set(), set()]),
        (TokenScope.MANAGE, "club", [set(SheetAction), set(SheetAction), set(SheetAction)]),
        (TokenScope.MANAGE, "sheet", [set(SheetAction), set(), set()]),
    ],
)
def test_a_token_may_on_a_sheet_what_its_scope_and_bounds_have(
    place: Place, scope: TokenScope, bound: str, on_sheets: list[set[SheetAction]]
) -> None:
    actor = actor_of(_token(UserFactory.create(club=place.club, role=Role.OWNER), scope, place, bound))
    assert [_allowed(actor, sheet) for sheet in place.sheets] == on_sheets


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize("scope", list(TokenScope))
def test_a_token_may_in_its_club_no_more_than_its_user(place: Place, role: Role, scope: TokenScope) -> None:
    user = UserFactory.create(club=place.club, role=role)
    token = _token(user, scope, place, "club" if scope != TokenScope.READ else "")
    granted = {permission for permission in Permission if can(token, permission, place.club)}
    assert granted == GRANTS[role] & GRANTS[scope]
    for permission in Permission:
        assert clubs_where(token, permission).filter(pk=place.club.pk).exists() is (permission in granted)


def test_a_token_for_one_event_or_sheet_may_nothing_in_its_club_as_a_whole(place: Place) -> None:
    owner = UserFactory.create(club=place.club, role=Role.OWNER)
    for bound in ("event", "sheet"):
        token = _token(owner, TokenScope.MANAGE, place, bound)
        assert not any(can(token, permission, place.club) for permission in Permission)


@pytest.mark.parametrize(
    ("bound", "events", "sheets"),
    [("", 2, 3), ("club", 2, 3), ("event", 1, 2), ("sheet", 0, 1), ("other club", 0, 0)],
)
def test_a_token_reads_what_lies_within_its_bounds(
    place: Place, bound: str, events: int, sheets: int
) -> None:
    owner = UserFactory.create(club=place.club, role=Role.OWNER)
    token = _token(owner, TokenScope.READ if bound == "" else TokenScope.RECORD, place, bound)
    assert events_seen(token).count() == events
    assert sheets_seen(token, Scoresheet.objects.all()).count() == sheets
    assert ClubPolicy().visible(actor_of(token), Scoresheet.objects.all()).count() == sheets


def _expired(token: ApiToken) -> None:
    token.expiry = timezone.now() - datetime.timedelta(seconds=1)
    token.save()


def _closed(token: ApiToken) -> None:
    User.objects.filter(pk=token.user_id).update(is_active=False)


def _revoked(token: ApiToken) -> None:
    token.delete()


def _left(token: ApiToken) -> None:
    token.user.memberships.all().delete()


@pytest.mark.parametrize("done", [_expired, _closed, _revoked, _left])
def test_a_token_that_is_over_may_nothing(place: Place, done: Callable[[ApiToken], None]) -> None:
    token = _token(UserFactory.create(club=place.club, role=Role.OWNER), TokenScope.MANAGE, place, "club")
    actor = actor_of(token)
    done(token)
    assert _allowed(actor, place.match.sheet) == set()
    assert not ClubPolicy().visible(actor, Scoresheet.objects.all()).exists()
    assert ClubPolicy().own_sides(actor, place.sheets[0]) == frozenset()


def _link(match: Match, side: int, **values: object) -> TableLink:
    later = timezone.now() + datetime.timedelta(hours=6)
    fields = {"expires_at": later, **TableLink.actor_fields(OPERATOR), **values}
    assert match.sheet is not None
    return TableLink.objects.create(sheet=match.sheet, side=side, digest=new_secret()[1], **fields)


def test_a_link_opens_its_own_sheet_and_no_other(place: Place) -> None:
    actor = actor_at(_link(place.match, 1), "Ann")
    assert [_allowed(actor, sheet) for sheet in place.sheets] == [AT_THE_TABLE, set(), set()]
    assert _allowed(actor, None) == set()
    assert list(ClubPolicy().visible(actor, Scoresheet.objects.all())) == [place.match.sheet]
    assert ClubPolicy().own_sides(actor, place.sheets[0]) == {1}
    assert ClubPolicy().own_sides(actor, place.sheets[1]) == frozenset()


@pytest.mark.parametrize("over", ["revoked", "expired", "unknown", "event finished"])
def test_a_link_that_is_over_may_nothing(place: Place, over: str) -> None:
    past = timezone.now() - datetime.timedelta(seconds=1)
    link = _link(place.match, 0)
    if over == "revoked":
        TableLink.objects.update(revoked_at=past)
    elif over == "expired":
        TableLink.objects.update(expires_at=past)
    elif over == "unknown":
        link.code = "nothing"
    else:
        Event.objects.update(state=EventState.ARCHIVED)
    assert _allowed(actor_at(link, "Ann"), place.match.sheet) == set()


@pytest.mark.parametrize("by", ["account", "token"])
def test_who_sits_at_a_table_does_there_what_its_link_does(place: Place, by: str) -> None:
    user = UserFactory.create(club=place.club, role=Role.MEMBER)
    seat = Appearance.objects.get(match=place.match, side=1)
    seat.player.user = user
    seat.player.save()
    who = user if by == "account" else _token(user, TokenScope.RECORD, place, "club")
    actor = actor_of(who)
    assert [_allowed(actor, sheet) for sheet in place.sheets] == [AT_THE_TABLE, set(), set()]
    assert ClubPolicy().own_sides(actor, place.sheets[0]) == {1}
    assert ClubPolicy().own_sides(actor, place.sheets[1]) == frozenset()


def test_what_is_drafted_is_seen_by_who_directs_alone(place: Place) -> None:
    RoundFactory.create(event=place.event, state=RoundState.DRAFTED)
    seen = {
        role: rounds_seen(UserFactory.create(club=place.club, role=role))
        .filter(state=RoundState.DRAFTED)
        .exists()
        for role in Role
    }
    assert seen == {Role.OWNER: True, Role.DIRECTOR: True, Role.SCOREKEEPER: False, Role.MEMBER: False}
