"""Pictures on the pages of a match and of a player: what they draw of, and what of it can be heard."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from league.draws.recalculating import recalculate
from league.draws.releasing import release_round
from league.models import Club, Event, Match, Player
from league.people.records import HandCounts, hands_met, matches_of
from league.tables import ratings
from scoring.core.hands import Outcome
from scoring.services import record_deals
from tests.factories import OPERATOR, EntryFactory, EventFactory, MatchFactory, house_rules, play, won

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(club: Club) -> Event:
    return EventFactory.create(club=club, slug="league", holds_results=True, rules=house_rules(columns=3))


@pytest.fixture
def match(event: Event) -> Match:
    """Ann has 30 by gin and 10 without a mark, Bob 20 by an undercut and 12 by a knock; time is called."""
    ann, bob = (EntryFactory.create(event=event, name=name) for name in ("Ann", "Bob"))
    made: Match = MatchFactory.create(event=event, entry_a=ann, entry_b=bob)
    assert made.sheet is not None
    deals = [
        won("Ann", "Bob", 30, mark=Outcome.GIN),
        won("Bob", "Ann", 20, mark=Outcome.UNDERCUT),
        won("Ann", "Bob", 10),
        won("Bob", "Ann", 12, mark=Outcome.KNOCK),
    ]
    record_deals(actor=OPERATOR, sheet=made.sheet, deals=deals, stopped=True)
    made.refresh_from_db()
    return made


def released(match: Match) -> None:
    release_round(actor=OPERATOR, round_=match.round)
    recalculate(match.event_id)
    ratings.recalculate(match.event.club_id)


def of_match(client: Client, match: Match) -> str:
    return client.get(reverse("match", args=["harbour", "league", match.code])).content.decode()


def of_player(client: Client, name: str) -> str:
    code = Player.objects.get(name=name).code
    return client.get(reverse("player", args=["harbour", code])).content.decode()


def test_hands_are_counted_by_how_they_ended_for_both(match: Match) -> None:
    released(match)
    ann, bob = (hands_met(matches_of(entry.players.get())) for entry in (match.entry_a, match.entry_b))  # type: ignore[union-attr]
    assert ann is not None
    assert bob is not None
    assert (ann.won, ann.lost) == (HandCounts(1, 0, 0, 1, 40), HandCounts(0, 1, 1, 0, 32))
    assert (bob.won, bob.lost) == (ann.lost, ann.won)
    assert [kind for kind, _row in ann.rows] == ["gins", "knocks", "undercuts", "others", "points"]
    assert (ann.matches, ann.won.hands) == (1, 2)


def test_teams_hands_are_no_player_s(club: Club) -> None:
    """Whom each has met at a table is not on a team's line."""
    event = EventFactory.create(club=club, team_size=2)
    match = MatchFactory.create(event=event)
    play(match, 40, stopped=True)
    assert hands_met(matches_of(match.entry_a.players.earliest("pk"))) is None


def test_player_s_page_draws_rating_and_hands_with_their_figures(client: Client, match: Match) -> None:
    released(match)
    page = of_player(client, "Ann")
    assert page.count("<svg") == 2
    assert "style=" not in page
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(set(ids)) == len(ids)
    table = re.search(r"<caption>How hands ended</caption>.*?</table>", page, re.DOTALL)
    assert table is not None
    words = re.sub(r"<[^>]+>", " ", table[0]).split()
    assert " ".join(words) == (
        "How hands ended won lost gin 1 0 knock 0 1 undercut 0 1 not marked 1 0 points 40 32"
    )
    assert 'class="rating-results"' in page
    assert reverse("rating", args=["harbour", Player.objects.get(name="Ann").code]) in page


def test_sheet_is_drawn_as_a_climb_a_game(client: Client, match: Match) -> None:
    """Of three games two are begun: Ann has 40 and 10, Bob 32 and 12; the third is level at nothing."""
    released(match)
    page = of_match(client, match)
    assert page.count("<svg") == 3
    assert page.count("<polyline") == 6
    lasts = re.findall(r'class="picture-last"[^>]*>(\d+)<', page)
    assert lasts == ["40", "32", "10", "12", "0", "0"]


def test_nothing_held_back_is_drawn(client: Client, match: Match) -> None:
    recalculate(match.event_id)
    ratings.recalculate(match.event.club_id)
    assert "<svg" not in of_match(client, match)
    assert "<svg" not in of_player(client, "Ann")


def test_sheet_without_deals_and_table_of_several_have_no_climb(client: Client, event: Event) -> None:
    match = MatchFactory.create(event=event)
    assert "<svg" not in of_match(client, match)
