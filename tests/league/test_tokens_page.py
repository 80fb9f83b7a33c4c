"""The page where a user makes, lists and revokes his tokens."""

import datetime
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from league.models import ApiToken, Club, Event, EventState, Match, Role, TokenScope
from league.people.tokens import issue_token, token_of
from tests.clients import logged_in
from tests.factories import ClubFactory, EventFactory, MatchFactory, PlayerFactory, SeasonFactory, UserFactory

pytestmark = pytest.mark.django_db

PAGE = "/account/tokens/"
SECRET = re.compile(r"gin_[0-9a-f]{64}")


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(name="Harbour", slug="harbour", is_public=False)


@pytest.fixture
def match(club: Club) -> Match:
    return MatchFactory.create(event=EventFactory.create(club=club, name="Autumn league"))


@pytest.fixture
def keeper(club: Club) -> User:
    return UserFactory.create(username="bea", club=club, role=Role.SCOREKEEPER)


@pytest.fixture
def browser(keeper: User) -> Client:
    return logged_in(keeper)


def form(**values: str) -> dict[str, str]:
    """What the page sends for a token that reads for a month, unless told otherwise."""
    return {"name": "Clock", "scope": "read", "bound": "", "sheet": "", "days": "31", **values}


def text(client: Client) -> str:
    return client.get(PAGE).content.decode()


def test_page_is_for_who_is_signed_in(client: Client) -> None:
    for answer in (client.get(PAGE), client.post(PAGE, form())):
        assert (answer.status_code, answer.headers["Location"]) == (302, f"/login/?next={PAGE}")
    assert not ApiToken.objects.exists()


def test_secret_is_shown_once(browser: Client, keeper: User) -> None:
    answer = browser.post(PAGE, form())
    assert answer.status_code == 200
    assert "no-store" in answer.headers["Cache-Control"]
    (secret,) = set(SECRET.findall(answer.content.decode()))
    token = token_of(secret)
    assert token is not None
    assert (token.user, token.name, token.scope, token.club) == (keeper, "Clock", TokenScope.READ, None)
    assert token.expiry is not None
    assert abs(token.expiry - timezone.now() - datetime.timedelta(days=31)) < datetime.timedelta(minutes=1)
    shown = text(browser)
    assert not SECRET.search(shown)
    assert "Clock" in shown
    assert "never" in shown


def test_token_for_an_event_and_for_a_sheet(browser: Client, match: Match) -> None:
    event = match.event
    browser.post(PAGE, form(scope="record", bound=f"event/{event.code}"))
    assert ApiToken.objects.get().event == event
    assert match.sheet is not None
    for code in (match.sheet.code, match.code):
        ApiToken.objects.all().delete()
        browser.post(PAGE, form(scope="record", sheet=f" {code} "))
        token = ApiToken.objects.get()
        assert (token.sheet, token.event, token.club) == (match.sheet, event, event.club)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"name": ""}, "This field is required."),
        ({"scope": "everything"}, "Select a valid choice."),
        ({"scope": "record"}, "say for which"),
        ({"scope": "manage", "bound": "club/harbour"}, "you direct nothing in Harbour"),
        ({"bound": "club/elsewhere"}, "Select a valid choice."),
        ({"bound": "event/nothing"}, "Select a valid choice."),
        ({"sheet": "nothing"}, "There is no such sheet."),
        ({"days": "400"}, "Select a valid choice."),
        ({"days": "x"}, "Select a valid choice."),
        ({"name": "a\x00b"}, "Null characters are not allowed."),
    ],
)
def test_page_refuses_beside_the_field(browser: Client, values: dict[str, str], sentence: str) -> None:
    ClubFactory.create(slug="elsewhere", is_public=False)
    answer = browser.post(PAGE, form(**values))
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not ApiToken.objects.exists()


def test_a_hidden_sheet_is_answered_like_none(browser: Client) -> None:
    hidden = MatchFactory.create(event=EventFactory.create(club__is_public=False))
    assert hidden.sheet is not None
    answers = [browser.post(PAGE, form(sheet=code)) for code in (hidden.sheet.code, hidden.code, "nothing")]
    assert ["There is no such sheet." in answer.content.decode() for answer in answers] == [True] * 3


def test_bounds_offered_are_the_users_clubs_and_their_events(
    browser: Client, keeper: User, match: Match
) -> None:
    EventFactory.create(club=match.event.club, name="Not told yet", state=EventState.DRAFT)
    EventFactory.create(club=match.event.club, name="Long over", state=EventState.ARCHIVED)
    seated: Event = EventFactory.create(club__name="Bay", name="Bay cup")
    PlayerFactory.create(club=seated.club, user=keeper)
    PlayerFactory.create(club=seated.club, user=keeper)
    EventFactory.create(club__name="Hill", name="Hill cup")
    shown = text(browser)
    for name in ("all of Harbour", "Autumn league", "all of Bay", "Bay cup"):
        assert shown.count(f">{name}<") == 1
    for name in ("Not told yet", "Long over", "Hill"):
        assert name not in shown


def test_events_of_one_name_are_told_apart(browser: Client, club: Club) -> None:
    for year in ("2025", "2026"):
        EventFactory.create(club=club, name="League", season=SeasonFactory.create(club=club, name=year))
    for slug in ("one", "two"):
        EventFactory.create(club=club, name="Friendly night", slug=slug)
    shown = text(browser)
    for name in ("League, 2025", "League, 2026", "Friendly night (one)", "Friendly night (two)"):
        assert shown.count(f">{name}<") == 1


def test_revoke_ends_the_token(browser: Client, keeper: User) -> None:
    token, secret = issue_token(user=keeper, name="Clock", scope=TokenScope.READ, days=1)
    address = f"{PAGE}{token.code}/revoke/"
    assert browser.get(address).status_code == 405
    answer = browser.post(address)
    assert (answer.status_code, answer.headers["Location"]) == (302, PAGE)
    assert token_of(secret) is None
    assert browser.post(address).status_code == 404


def test_somebody_elses_token_is_not_there(browser: Client) -> None:
    other = UserFactory.create()
    token, secret = issue_token(user=other, name="Scoreboard", scope=TokenScope.READ, days=1)
    assert "Scoreboard" not in text(browser)
    assert browser.post(f"{PAGE}{token.code}/revoke/").status_code == 404
    assert token_of(secret) == token


def test_owner_sees_and_revokes_the_tokens_for_his_club(keeper: User, club: Club) -> None:
    bounded, secret = issue_token(user=keeper, name="Clock", scope=TokenScope.READ, club=club, days=1)
    issue_token(user=keeper, name="My own reader", scope=TokenScope.READ, days=1)
    owner = logged_in(UserFactory.create(club=club, role=Role.OWNER))
    shown = text(owner)
    assert "Clock" in shown
    assert "(bea)" in shown
    assert "My own reader" not in shown
    assert owner.post(f"{PAGE}{bounded.code}/revoke/").status_code == 302
    assert token_of(secret) is None


def test_expired_token_is_listed_as_such(browser: Client, keeper: User) -> None:
    issue_token(user=keeper, name="Clock", scope=TokenScope.READ, days=1)
    assert ">expired<" not in text(browser)
    ApiToken.objects.update(expiry=timezone.now())
    assert ">expired<" in text(browser)


def test_making_and_revoking_ask_for_the_forms_own_secret(keeper: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(keeper)
    token, _secret = issue_token(user=keeper, name="Clock", scope=TokenScope.READ, days=1)
    assert strict.post(PAGE, form()).status_code == 403
    assert strict.post(f"{PAGE}{token.code}/revoke/").status_code == 403
    assert list(ApiToken.objects.all()) == [token]


def test_names_are_text_not_markup(browser: Client) -> None:
    answer = browser.post(PAGE, form(name="<script>alert(1)</script>"))
    assert "<script>alert" not in answer.content.decode() + text(browser)
