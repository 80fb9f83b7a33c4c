"""What a token for one event is told of matches: in its club of that event, elsewhere what anybody is."""

import pytest

from league.models import Club, Event, Match, MatchState, TokenScope
from tests.factories import EventFactory, MatchFactory, play
from tests.league.api.world import ANYBODY, Asking, World, make_world

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> World:
    return make_world()


@pytest.fixture
def sibling(world: World) -> Match:
    """A match of another event of the club, played and not released."""
    event = EventFactory.create(club=world.club, rules=world.rules.rules, holds_results=True)
    match = MatchFactory.create(event=event)
    play(match, 60, 60, stopped=True)
    return match


@pytest.fixture
def recorder(world: World) -> Asking:
    """The owner's token to record in one event, whose results are held back too."""
    Event.objects.filter(pk=world.event.pk).update(holds_results=True)
    return world.program(TokenScope.RECORD, event=world.event)


def codes(asking: Asking, **query: str) -> set[str]:
    return {row["code"] for row in asking.get("matches/", **query)["results"]}


@pytest.mark.parametrize("scope", [TokenScope.READ, TokenScope.RECORD, TokenScope.MANAGE])
def test_matches_of_a_private_club_are_those_of_the_event(
    world: World, sibling: Match, scope: TokenScope
) -> None:
    Club.objects.update(is_public=False)
    asking = world.program(scope, event=world.event)
    of_event = set(world.event.matches.values_list("code", flat=True))
    assert codes(asking) == of_event
    assert codes(asking, event=sibling.event.code) == set()
    assert codes(asking, club="harbour") == of_event
    for address in (f"matches/{sibling.code}/", f"events/{sibling.event.code}/matches/"):
        assert asking.read(address).json() == ANYBODY.read(address).json()
        assert asking.read(address).status_code == 404
    changed = asking.send("PATCH", f"matches/{sibling.code}/", {"table": 9}, etag="*")
    assert changed.status_code == 404


def test_results_held_back_are_told_of_its_own_event_alone(
    world: World, recorder: Asking, sibling: Match
) -> None:
    own = recorder.get(f"matches/{world.match.code}/")
    assert (own["is_withheld"], own["sides"][0]["hands_won"]) == (False, 4)
    other = recorder.get(f"matches/{sibling.code}/")
    assert other == ANYBODY.get(f"matches/{sibling.code}/")
    assert (other["is_withheld"], other["state"], other["net"]) == (True, "playing", 0)
    # Nor by what can be asked for.
    assert sibling.code not in codes(recorder, state=MatchState.STOPPED)
    assert sibling.code in codes(recorder, state=MatchState.PLAYING)
    assert recorder.read(f"sheets/{sibling.sheet.code}/").status_code == 404  # type: ignore[union-attr]


def test_results_held_back_are_told_to_no_token_for_one_sheet(world: World, recorder: Asking) -> None:
    """It records there; what came of the match it reads from its sheet alone."""
    for_sheet = world.program(TokenScope.RECORD, sheet=world.match.sheet)
    assert for_sheet.get(f"matches/{world.match.code}/") == ANYBODY.get(f"matches/{world.match.code}/")


@pytest.mark.parametrize("scope", [TokenScope.RECORD, TokenScope.MANAGE])
def test_token_for_one_event_moves_no_match(world: World, scope: TokenScope) -> None:
    asking = world.program(scope, event=world.event)
    before = Match.objects.values().get(pk=world.match.pk)
    refused = asking.change(f"matches/{world.match.code}/", {"table": 9})
    assert (refused.status_code, refused.json()["code"]) == (403, "not_allowed")
    assert Match.objects.values().get(pk=world.match.pk) == before
