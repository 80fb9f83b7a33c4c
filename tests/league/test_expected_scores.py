"""What is expected stands beside a match that is still to be played, where enough is known of both sides."""

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.core.expected import ENOUGH_MATCHES, LEVEL, Form, Weighing, expected_score, first_weights, percent
from league.core.ratings import PROVISIONAL_BELOW
from league.models import (
    Club,
    Entry,
    Event,
    EventKind,
    ExpectedWeights,
    Match,
    Player,
    Rating,
    Role,
    Round,
    RoundState,
    ShownAs,
)
from league.record.requests import request_ratings
from league.tables import ratings
from league.tables.expected_scores import tell_expected
from league.upkeep.rebuilding_ratings import check_ratings
from tests.factories import (
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    UserFactory,
    big_event,
    play,
)
from tests.league.test_pages import read

pytestmark = pytest.mark.django_db

STRONG = Form(29.0, 1.5, 110.0)
WEAK = Form(23.0, 1.5, -60.0)
WEIGHING = Weighing(200, (0.2, 0.5, 0.1, 0.1, 0.1, 0.0))
OF_STRONG = percent(expected_score([STRONG], [WEAK], WEIGHING))


def rated(club: Club, name: str, form: Form, matches: int = 20, **more: object) -> Player:
    player: Player = PlayerFactory.create(club=club, name=name, **more)
    Rating.objects.create(player=player, mu=form.mu, sigma=form.sigma, elo=form.elo, matches=matches)
    return player


def weigh(club: Club, weighing: Weighing = WEIGHING, size: int = 1) -> None:
    ExpectedWeights.objects.create(
        club=club, size=size, matches=weighing.matches, weights=list(weighing.weights)
    )


@pytest.fixture
def round_(club: Club) -> Round:
    return RoundFactory.create(event=EventFactory.create(club=club, slug="cup"))


def entered(event: Event, *players: Player) -> Entry:
    return EntryFactory.create(event=event, name=" + ".join(each.name for each in players), players=players)


@pytest.fixture
def match(round_: Round) -> Match:
    """Ann Archer, who is strong, is to play Bob Baker, who is not; enough matches have been played."""
    club = round_.event.club
    weigh(club)
    a, b = (
        entered(round_.event, rated(club, name, form))
        for name, form in (("Ann Archer", STRONG), ("Bob Baker", WEAK))
    )
    return MatchFactory.create(event=round_.event, round=round_, entry_a=a, entry_b=b)


def told(match: Match) -> int | None:
    found = Match.objects.select_related("round", "event").get(pk=match.pk)
    tell_expected([found], found.event)
    return found.expected


def test_pages_say_what_is_expected_and_of_whom(client: Client, match: Match) -> None:
    assert 55 < OF_STRONG < 75
    text = read(client, "round", "harbour", "cup", 1)
    assert f"Ann Archer expected {OF_STRONG} % v" in text
    assert "“Expected” is the share of such matches that the first side wins" in text
    text = read(client, "match", "harbour", "cup", match.code)
    assert f"Expected {OF_STRONG} % for Ann Archer, {100 - OF_STRONG} % for Bob Baker." in text


def test_it_is_of_the_first_side(match: Match) -> None:
    turned = MatchFactory.create(event=match.event, entry_a=match.entry_b, entry_b=match.entry_a)
    assert told(turned) == 100 - OF_STRONG


def test_who_is_covered_stays_so(client: Client, match: Match) -> None:
    Player.objects.filter(name="Ann Archer").update(shown_as=ShownAs.INITIALS)
    for page, what in (("round", 1), ("match", match.code)):
        text = read(client, page, "harbour", "cup", what)
        assert "xpected" in text
        assert "Archer" not in text


def test_a_result_has_no_expectation_beside_it(client: Client, match: Match) -> None:
    play(match, 105, 104, 110)
    for page, what in (("round", 1), ("match", match.code)):
        assert "xpected" not in read(client, page, "harbour", "cup", what)


def test_while_it_is_played_it_stands_there(match: Match) -> None:
    play(match, 20)
    assert told(match) == OF_STRONG


def test_drafts_tell_nothing_to_a_director_either(client: Client, match: Match) -> None:
    Round.objects.update(state=RoundState.DRAFTED)
    client.force_login(UserFactory.create(club=match.event.club, role=Role.DIRECTOR))
    for page, what in (("round", 1), ("match", match.code)):
        assert "xpected" not in read(client, page, "harbour", "cup", what)


def test_nothing_is_told_of_a_round_that_is_held_back(match: Match) -> None:
    Event.objects.update(holds_results=True)
    assert told(match) is None


def test_nothing_is_told_of_a_match_that_counts_for_nobody(match: Match) -> None:
    Match.objects.update(annulled=True)
    assert told(match) is None


@pytest.mark.parametrize(
    "what", ["weights", "matches of that size", "a player's matches", "a rating", "a side"]
)
def test_nothing_is_told_of_what_is_little_known(match: Match, what: str) -> None:
    if what == "weights":
        ExpectedWeights.objects.update(size=2)
    elif what == "matches of that size":
        ExpectedWeights.objects.update(matches=ENOUGH_MATCHES - 1)
    elif what == "a player's matches":
        Rating.objects.filter(player__name="Bob Baker").update(matches=PROVISIONAL_BELOW - 1)
    elif what == "a rating":
        Rating.objects.filter(player__name="Bob Baker").delete()
    else:
        match.appearances.filter(side=1).delete()
    assert told(match) is None


def test_a_bye_has_none(round_: Round) -> None:
    weigh(round_.event.club)
    entry = entered(round_.event, rated(round_.event.club, "Ann", STRONG))
    assert told(MatchFactory.create(event=round_.event, round=round_, entry_a=entry, entry_b=None)) is None


def test_pairs_are_weighed_by_pairs(club: Club) -> None:
    event = EventFactory.create(club=club, kind=EventKind.TEAM, team_size=2)
    weighing = Weighing(40, tuple(first_weights(2)))
    weigh(club)
    weigh(club, weighing, size=2)
    forms = (STRONG, WEAK, WEAK, WEAK)
    players = [rated(club, name, form) for name, form in zip("ABCD", forms, strict=True)]
    match = MatchFactory.create(
        event=event, entry_a=entered(event, *players[:2]), entry_b=entered(event, *players[2:])
    )
    assert told(match) == percent(expected_score(forms[:2], forms[2:], weighing))


@pytest.mark.parametrize("name", ["round", "match"])
def test_it_takes_two_queries_however_many_matches(client: Client, match: Match, name: str) -> None:
    address = reverse(name, args=["harbour", "cup", 1 if name == "round" else match.code])

    def queries() -> int:
        caches["looks"].clear()
        with CaptureQueriesContext(connection) as taken:
            assert client.get(address).status_code == 200
        return len(taken)

    queries()
    one = queries()
    for number in range(3):
        players = [rated(match.event.club, f"{letter}{number}", STRONG) for letter in "XY"]
        a, b = (entered(match.event, player) for player in players)
        MatchFactory.create(event=match.event, round=match.round, entry_a=a, entry_b=b)
    assert queries() == one
    Match.objects.update(annulled=True)
    assert queries() == one - 2


def test_it_is_derived_with_the_ratings_and_mended_with_them(club: Club) -> None:
    """Six play 31 matches: what is stored tells the next; tampering is found, results count."""
    event = big_event(entries=6, matches=31, event=EventFactory.create(club=club), sheets=False)

    def derived() -> tuple[list[tuple[float, ...]], list[tuple[int, list[float]]]]:
        request_ratings(club.pk)
        ratings.recalculate(club.pk)
        return (
            list(Rating.objects.order_by("player").values_list("elo", "mu")),
            list(ExpectedWeights.objects.values_list("matches", "weights")),
        )

    elos, weights = derived()
    assert weights[0][0] == 31
    assert sum(weights[0][1]) == pytest.approx(1)
    assert sum(elo for elo, _mu in elos) == pytest.approx(0, abs=1e-4)
    assert check_ratings(club).lines == []

    first, second = event.entries.order_by("pk")[:2]
    match = MatchFactory.create(event=event, entry_a=first, entry_b=second)
    assert told(match) is not None

    ExpectedWeights.objects.update(matches=3)
    (line,) = check_ratings(club).lines
    assert line.endswith("sides of 1: matches is 3, the matches give 31")
    assert derived() == (elos, weights)

    Match.objects.filter(winner_side__isnull=False).order_by("pk").first().delete()  # type: ignore[union-attr]
    assert derived()[1][0][0] == 30
    Match.objects.filter(event=event).exclude(pk=match.pk).delete()
    assert derived() == ([], [])


def test_a_newcomer_is_level() -> None:
    assert Rating(mu=25, sigma=8, matches=0).elo == LEVEL
