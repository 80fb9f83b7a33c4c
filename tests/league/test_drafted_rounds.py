"""A drafted round is its directors' alone, at every door; scorekeepers come in when it is published."""

from collections.abc import Callable
from typing import Final

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.models import Club, Event, EventState, Match, Role, Round, RoundState
from tests.clients import logged_in
from tests.factories import EventFactory, MatchFactory, RoundFactory, UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


@pytest.fixture
def match(club: Club) -> Match:
    """A match of a drafted round, with a sheet, which it would get by being published."""
    event = EventFactory.create(club=club, slug="league")
    round_ = RoundFactory.create(event=event, date=timezone.localdate())
    match = MatchFactory.create(event=event, round=round_, entry_a__name="Eklund", entry_b__name="Castell")
    assert match.sheet is not None
    Round.objects.update(state=RoundState.DRAFTED)
    return Match.objects.get(pk=match.pk)


def person(club: Club, role: Role) -> User:
    return UserFactory.create(club=club, role=role)


def _page(name: str, *arguments: Callable[[Match], object]) -> Callable[[Match], str]:
    return lambda match: reverse(name, args=[each(match) for each in arguments])


def _api(path: str) -> Callable[[Match], str]:
    return lambda match: (
        "/api/v1/"
        + path.format(match=match.code, sheet=match.sheet and match.sheet.code, round=match.round.code)
    )


PLACE = (lambda match: match.event.club.slug, lambda match: match.event.slug)
# What is one page about the round or one of its matches: there for directors, and not there for others.
DOORS = {
    "tray": _page("entry:tray", lambda match: match.round.code),
    "typing": _page("entry:sheet", lambda match: match.code),
    "comparing": _page("entry:compare", lambda match: match.code),
    "round": _page("round", *PLACE, lambda match: match.round.number),
    "print": _page("round_print", *PLACE, lambda match: match.round.number),
    "pairings": _page("pairings_pdf", *PLACE, lambda match: match.round.number),
    "slips": _page("slips_pdf", *PLACE, lambda match: match.round.number),
    "blank sheets": _page("blank_sheets_pdf", *PLACE, lambda match: match.round.number),
    "match": _page("match", *PLACE, lambda match: match.code),
    "telephones": _page("round_links", *PLACE, lambda match: match.round.number),
    "telephones of a match": _page("match_links", *PLACE, lambda match: match.code),
    "admin's round": _page("admin:league_round_change", lambda match: match.round.pk),
    "admin's match": _page("admin:league_match_change", lambda match: match.pk),
    "admin's sheet": _page("admin:scoring_scoresheet_change", lambda match: match.sheet_id),
    "API's round": _api("rounds/{round}/"),
    "API's match": _api("matches/{match}/"),
    "API's sheet": _api("sheets/{sheet}/"),
}
# Lists, in which it is missing for others.
LISTS: Final[dict[str, tuple[Callable[[Match], str], str]]] = {
    "nights": (_page("entry:night"), "/night/"),
    "index": (_page("admin:index"), "/night/"),
    "rounds": (_page("event_rounds", *PLACE), "rounds/1/"),
    "admin's matches": (_page("admin:league_match_changelist"), "Eklund"),
    "API's matches": (_api("matches/"), "Eklund"),
    "API's rounds": (_api("rounds/"), '"number":1'),
    "API's sheets": (_api("sheets/"), "Eklund"),
}


def told(client: Client, address: str, words: str) -> bool:
    answered = client.get(address, follow=True)
    return answered.status_code == 200 and words.replace(" ", "") in answered.content.decode().replace(
        " ", ""
    )


@pytest.mark.parametrize("door", DOORS)
def test_drafted_round_is_not_there_for_scorekeepers(club: Club, match: Match, door: str) -> None:
    statuses = {}
    for role in (Role.SCOREKEEPER, Role.DIRECTOR):
        client = logged_in(person(club, role))
        statuses[role] = client.get(DOORS[door](match)).status_code
    assert statuses == {Role.SCOREKEEPER: 404, Role.DIRECTOR: 200}


@pytest.mark.parametrize("name", LISTS)
def test_lists_leave_it_out_for_scorekeepers(club: Club, match: Match, name: str) -> None:
    address, words = LISTS[name]
    keeper = logged_in(person(club, Role.SCOREKEEPER))
    if "API" not in name:
        # The tray has a place in the frame of the list itself.
        words = words.replace("/night/", f"/night/rounds/{match.round.code}/")
    assert not told(keeper, address(match), words)
    Round.objects.update(state=RoundState.PUBLISHED)
    assert told(keeper, address(match), words)


def test_other_rounds_of_the_night_are_named_without_the_drafted(club: Club, match: Match) -> None:
    other = MatchFactory.create(event__club=club, round__date=match.round.date)
    for role, seen in ((Role.SCOREKEEPER, False), (Role.DIRECTOR, True)):
        client = logged_in(person(club, role))
        text = client.get(reverse("entry:tray", args=[other.round.code])).content.decode()
        assert (reverse("entry:tray", args=[match.round.code]) in text) is seen


def test_tray_of_an_event_that_is_a_draft_is_the_directors_too(club: Club, match: Match) -> None:
    Event.objects.update(state=EventState.DRAFT)
    Round.objects.update(state=RoundState.PUBLISHED)
    for role, status in ((Role.SCOREKEEPER, 404), (Role.DIRECTOR, 200)):
        client = logged_in(person(club, role))
        assert client.get(DOORS["tray"](match)).status_code == status


def test_nothing_is_typed_there_by_a_scorekeeper(club: Club, match: Match) -> None:
    client = logged_in(person(club, Role.SCOREKEEPER))
    for name in ("entry:preview", "entry:repairs", "entry:save"):
        sent = client.post(reverse(name, args=[match.code]), {}, headers={"Accept": "application/json"})
        assert sent.status_code == 404, name
