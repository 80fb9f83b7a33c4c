"""Tokens of programs: what is issued and refused, what opens the API and what no longer does."""

import datetime
from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from league.errors import LeagueError
from league.models import ApiToken, AuditEntry, Club, Exhibition, Match, Membership, Role, TokenScope
from league.people.tokens import (
    LONGEST_LIFE,
    MOST_TOKENS,
    issue_token,
    note_use,
    revoke_token,
    token_of,
)
from league.policy import ClubPolicy, Permission, actor_of, can, clubs_where, events_seen, sheets_seen
from scoring.core.sheets import SheetSide
from scoring.models import Scoresheet
from scoring.policy import SheetAction
from scoring.services import open_sheet
from tests.factories import OPERATOR, ClubFactory, EventFactory, MatchFactory, UserFactory, house_rules
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

Issue = Callable[..., tuple[ApiToken, str]]


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(name="Harbour", slug="harbour", is_public=False)


@pytest.fixture
def match(club: Club) -> Match:
    return MatchFactory.create(event=EventFactory.create(club=club))


@pytest.fixture
def keeper(club: Club) -> User:
    return UserFactory.create(username="bea", club=club, role=Role.SCOREKEEPER)


@pytest.fixture
def issue(keeper: User) -> Issue:
    """A token of the scorekeeper's, for a week, that reads unless told otherwise."""

    def make(**values: Any) -> tuple[ApiToken, str]:
        return issue_token(**{"user": keeper, "name": "Clock", "scope": TokenScope.READ, "days": 7, **values})

    return make


def test_secret_is_long_and_only_its_digest_is_kept(issue: Issue) -> None:
    token, secret = issue()
    assert secret.startswith("gin_")
    assert len(secret) == len("gin_") + 64
    row = ApiToken.objects.filter(pk=token.pk).values().get()
    assert not any(secret in str(value) for value in row.values())
    assert token_of(secret) == token


def test_each_secret_is_another(issue: Issue) -> None:
    assert len({issue()[1] for _ in range(20)}) == 20


def test_issue_and_revoke_are_noted_without_anything_of_the_secret(
    issue: Issue, keeper: User, club: Club
) -> None:
    token, secret = issue(club=club, scope=TokenScope.RECORD)
    code, digest = token.code, token.digest
    revoke_token(user=keeper, token=token)
    made, gone = AuditEntry.objects.filter(club=club).order_by("id")
    assert (made.action, gone.action) == ("token.issue", "token.revoke")
    for entry in (made, gone):
        assert (entry.object_id, entry.object_name) == (code, "Clock")
        kept = f"{entry.before} {entry.after}"
        assert secret[:15] not in kept
        assert digest not in kept
    assert made.after is not None
    assert made.after["scope"] == "record"


@pytest.mark.parametrize(
    ("values", "code", "field"),
    [
        ({"days": 0}, "out_of_range", "days"),
        ({"days": LONGEST_LIFE + 1}, "out_of_range", "days"),
        ({"name": "  "}, "invalid", "name"),
        ({"name": "x" * 81}, "invalid", "name"),
        ({"scope": TokenScope.RECORD}, "bound_missing", "bound"),
        ({"scope": TokenScope.MANAGE}, "bound_missing", "bound"),
    ],
)
def test_issue_refuses(issue: Issue, values: dict[str, Any], code: str, field: str) -> None:
    with refuses(LeagueError, code, field=field):
        issue(**values)
    assert not ApiToken.objects.exists()


def test_issue_refuses_to_manage_where_one_directs_nothing(issue: Issue, club: Club) -> None:
    with refuses(LeagueError, "not_allowed", field="scope"):
        issue(scope=TokenScope.MANAGE, club=club)


def test_issue_refuses_bounds_that_the_user_may_not_see(issue: Issue, club: Club) -> None:
    hidden = MatchFactory.create(event=EventFactory.create(club__is_public=False))
    for bound, code in (
        ({"club": hidden.event.club}, "unknown_club"),
        ({"event": hidden.event}, "unknown_event"),
        ({"sheet": hidden.sheet}, "unknown_sheet"),
    ):
        with refuses(LeagueError, code):
            issue(**bound)


def test_issue_refuses_bounds_of_different_clubs(issue: Issue, club: Club, match: Match) -> None:
    other = EventFactory.create(club=ClubFactory.create())
    for bounds in (
        {"club": other.club, "event": match.event},
        {"club": other.club, "sheet": match.sheet},
        {"event": other, "sheet": match.sheet},
    ):
        with refuses(LeagueError, "other_event"):
            issue(**bounds)


def test_issue_refuses_a_sheet_of_no_club(club: Club) -> None:
    sheet = open_sheet(
        actor=OPERATOR, rules=house_rules(), sides=(SheetSide("Ann", ("Ann",)), SheetSide("Bob", ("Bob",)))
    )
    administrator = UserFactory.create(is_superuser=True)
    with refuses(LeagueError, "unknown_sheet"):
        issue_token(user=administrator, name="x", scope=TokenScope.READ, sheet=sheet, days=1)


def test_issue_refuses_more_than_a_hundred_live_ones(issue: Issue, keeper: User) -> None:
    expired = issue()[0]
    ApiToken.objects.filter(pk=expired.pk).update(expiry=timezone.now())
    rows = [
        ApiToken(digest=f"{number}", token_key="x", user=keeper, name="Clock")
        for number in range(MOST_TOKENS - 1)
    ]
    ApiToken.objects.bulk_create(rows)
    issue()
    with refuses(LeagueError, "too_many"):
        issue()


def test_bounds_around_the_narrowest_are_filled_in(issue: Issue, match: Match, club: Club) -> None:
    token, _secret = issue(sheet=match.sheet, scope=TokenScope.RECORD)
    assert (token.club, token.event, token.sheet) == (club, match.event, match.sheet)
    token, _secret = issue(event=match.event)
    assert (token.club, token.event, token.sheet) == (club, match.event, None)


# What a token opens


@pytest.mark.parametrize(
    ("bound", "scope", "records_here", "records_beside", "records_elsewhere"),
    [
        ("sheet", TokenScope.RECORD, True, False, False),
        ("event", TokenScope.RECORD, True, True, False),
        ("club", TokenScope.RECORD, True, True, True),
        ("club", TokenScope.READ, False, False, False),
    ],
)
def test_token_records_within_its_bound(
    issue: Issue,
    match: Match,
    club: Club,
    bound: str,
    scope: TokenScope,
    records_here: bool,
    records_beside: bool,
    records_elsewhere: bool,
) -> None:
    beside = MatchFactory.create(event=match.event)
    elsewhere = MatchFactory.create(event=EventFactory.create(club=club))
    bounds = {"sheet": match.sheet, "event": match.event, "club": club}
    actor = actor_of(issue(scope=scope, **{bound: bounds[bound]})[0])
    allowed = [
        ClubPolicy().allows(actor, SheetAction.RECORD, each.sheet) for each in (match, beside, elsewhere)
    ]
    assert allowed == [records_here, records_beside, records_elsewhere]
    other_club = MatchFactory.create()
    assert not ClubPolicy().allows(actor, SheetAction.RECORD, other_club.sheet)


@pytest.mark.parametrize(("bound", "sees_event"), [("sheet", False), ("event", True)])
def test_narrow_token_sees_nothing_else_of_a_private_club(
    issue: Issue, match: Match, club: Club, bound: str, sees_event: bool
) -> None:
    beside = MatchFactory.create(event=match.event)
    elsewhere = MatchFactory.create(event=EventFactory.create(club=club))
    bounds = {"sheet": match.sheet, "event": match.event}
    token, _secret = issue(scope=TokenScope.RECORD, **{bound: bounds[bound]})
    sheets = set(sheets_seen(token, Scoresheet.objects.all()))
    assert sheets == ({match.sheet, beside.sheet} if bound == "event" else {match.sheet})
    assert set(events_seen(token)) == ({match.event} if sees_event else set())
    assert elsewhere.sheet not in sheets
    assert not clubs_where(token, Permission.VIEW).exists()


def test_token_for_the_sheet_of_an_exhibition_may_nothing_in_its_club(issue: Issue, club: Club) -> None:
    sheet = open_sheet(
        actor=OPERATOR, rules=house_rules(), sides=(SheetSide("Ann", ("Ann",)), SheetSide("Bob", ("Bob",)))
    )
    Exhibition.objects.create(sheet=sheet, club=club)
    token, _secret = issue(scope=TokenScope.RECORD, sheet=sheet)
    assert not can(token, Permission.RECORD, club)
    assert not clubs_where(token, Permission.RECORD).exists()
    assert list(sheets_seen(token, Scoresheet.objects.all())) == [sheet]


def test_token_loses_what_its_user_loses(issue: Issue, match: Match, keeper: User) -> None:
    token, _secret = issue(scope=TokenScope.RECORD, sheet=match.sheet)
    Membership.objects.filter(user=keeper).delete()
    assert not ClubPolicy().allows(actor_of(token), SheetAction.RECORD, match.sheet)
    assert not sheets_seen(token, Scoresheet.objects.all()).exists()


# What no longer opens anything


def test_expired_token_opens_nothing(issue: Issue, match: Match) -> None:
    token, secret = issue(scope=TokenScope.RECORD, sheet=match.sheet, days=7)
    with time_machine.travel(timezone.now() + datetime.timedelta(days=7, seconds=1)):
        assert token_of(secret) is None
        assert not ClubPolicy().allows(actor_of(token), SheetAction.RECORD, match.sheet)
    assert ApiToken.objects.filter(pk=token.pk).exists()


def test_revoked_token_opens_nothing(issue: Issue, keeper: User) -> None:
    token, secret = issue()
    revoke_token(user=keeper, token=token)
    assert token_of(secret) is None


def test_token_of_a_closed_account_opens_nothing(issue: Issue, keeper: User) -> None:
    _token, secret = issue()
    User.objects.filter(pk=keeper.pk).update(is_active=False)
    assert token_of(secret) is None


@pytest.mark.parametrize(
    "tampered",
    [
        lambda secret: secret[:-1] + ("0" if secret[-1] != "0" else "1"),
        lambda secret: secret[:-1],
        lambda secret: secret + "0",
        lambda secret: secret.upper(),
        lambda secret: secret[:15],
        lambda secret: "",
        lambda secret: "gin_\x00",
        lambda secret: "gin_ünïcode",
    ],
)
def test_tampered_secret_opens_nothing(issue: Issue, tampered: Callable[[str], str]) -> None:
    _token, secret = issue()
    assert token_of(tampered(secret)) is None


def test_digest_is_no_secret(issue: Issue) -> None:
    token, _secret = issue()
    assert token_of(token.digest) is None


@pytest.mark.parametrize(
    ("who", "may"),
    [("owner of the club", True), ("administrator", True), ("member", False), ("owner elsewhere", False)],
)
def test_revoke_is_for_the_user_and_who_manages(issue: Issue, club: Club, who: str, may: bool) -> None:
    users: dict[str, dict[str, Any]] = {
        "owner of the club": {"club": club, "role": Role.OWNER},
        "administrator": {"is_superuser": True},
        "member": {"club": club, "role": Role.MEMBER},
        "owner elsewhere": {"club": ClubFactory.create(), "role": Role.OWNER},
    }
    token, secret = issue(club=club)
    user = UserFactory.create(**users[who])
    if may:
        revoke_token(user=user, token=token)
    else:
        with pytest.raises(LeagueError, match="somebody else's"):
            revoke_token(user=user, token=token)
    assert (token_of(secret) is None) == may


def test_unbounded_token_is_nobody_elses_to_revoke(issue: Issue, club: Club) -> None:
    token, _secret = issue()
    with pytest.raises(LeagueError, match="somebody else's"):
        revoke_token(user=UserFactory.create(club=club, role=Role.OWNER), token=token)


# Its use


def test_use_is_noted_once_a_minute(issue: Issue, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    _token, secret = issue()
    with time_machine.travel("2026-11-02 12:00:00Z", tick=False) as clock:
        noon = timezone.now()
        ApiToken.objects.update(expiry=noon + datetime.timedelta(days=1))
        for seconds, noted in ((0, 0), (59, 0), (60, 60), (90, 60), (120, 120)):
            clock.move_to(noon + datetime.timedelta(seconds=seconds))
            token = token_of(secret)
            assert token is not None
            note_use(token)
            token.refresh_from_db()
            assert token.last_used_at == noon + datetime.timedelta(seconds=noted)
            with django_assert_num_queries(0):
                note_use(token)


def test_of_requests_at_once_one_notes_its_use(issue: Issue) -> None:
    _token, secret = issue()
    with time_machine.travel("2026-11-02 12:00:00Z", tick=False) as clock:
        ApiToken.objects.update(expiry=timezone.now() + datetime.timedelta(days=1))
        first, second = token_of(secret), token_of(secret)
        assert first is not None
        assert second is not None
        note_use(first)
        clock.shift(1)
        note_use(second)
        first.refresh_from_db()
        assert first.last_used_at == timezone.now() - datetime.timedelta(seconds=1)


# At the door


def asked(header: str) -> int:
    """The status of a question that any live token may ask."""
    return Client().get("/api/v1/schema/?format=json", headers={"Authorization": header}).status_code


@pytest.mark.parametrize(
    "header",
    [
        *("Token", "Token a b", "Token gin_0", "Token gin_\xff\xfe", "Token \x00", "token " + "f" * 5000),
        *("Bearer", "Bearer gin_0", "Basic YW5uOnNlY3JldA==", "Digest username=ann", "gin_0"),
    ],
)
def test_header_that_names_no_token_is_turned_away(header: str) -> None:
    answer = Client().get("/api/v1/schema/?format=json", headers={"Authorization": header})
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Token, Bearer"
    assert answer.json()["code"] == "authentication_failed"


@pytest.mark.parametrize("scheme", ["Token", "token", "Bearer", "BEARER"])
def test_token_opens_the_api_and_is_noted(issue: Issue, scheme: str) -> None:
    token, secret = issue()
    assert asked(f"{scheme} {secret}") == 200
    token.refresh_from_db()
    assert token.last_used_at is not None


def test_asking_with_a_token_takes_one_question(
    issue: Issue, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    _token, secret = issue()
    asked(f"Token {secret}")
    with django_assert_num_queries(1):
        asked(f"Token {secret}")
