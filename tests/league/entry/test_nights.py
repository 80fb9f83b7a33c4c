"""The rounds that wait to be typed, on the first page of the admin and where one chooses among them."""

import datetime
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.admin.workplace import MOST_NIGHTS
from league.entry import nights as nights_of
from league.entry.nights import nights
from league.models import (
    CountsWhen,
    Event,
    EventState,
    Match,
    MatchState,
    Membership,
    Role,
    Round,
    RoundState,
)
from scoring.models import PaperState, Scoresheet
from tests.entry_drafts import FINISHED, draft_of, save
from tests.factories import ClubFactory, EventFactory, MatchFactory, RoundFactory, UserFactory, play
from tests.league.ladder_cases import challenge, ladder
from tests.league.test_pages import read

pytestmark = pytest.mark.django_db

TODAY = datetime.date(2026, 1, 9)


@pytest.fixture(autouse=True)
def evening() -> Iterator[None]:
    with time_machine.travel(datetime.datetime(2026, 1, 9, 22, tzinfo=datetime.UTC), tick=False):
        yield


def round_with_a_match(match: Match, days: int | None, **state: Any) -> Round:
    """Another round of the event, so many days from today."""
    date = None if days is None else TODAY + datetime.timedelta(days=days)
    round_ = RoundFactory.create(event=match.event, date=date)
    MatchFactory.create(event=match.event, round=round_, **state)
    return round_


def waiting(keeper: User) -> list[Round]:
    return [night.round for night in nights(keeper)]


@pytest.fixture
def tonight(match: Match) -> Round:
    Round.objects.update(date=TODAY)
    match.round.refresh_from_db()
    return match.round


def test_every_round_with_sheets_missing_waits_tonights_first(
    match: Match, tonight: Round, keeper: User
) -> None:
    older = round_with_a_match(match, -14)
    differing = round_with_a_match(match, -7, state=MatchState.FINISHED, held=True)
    Scoresheet.objects.filter(match__round=differing).update(paper_state=PaperState.DIFFERS)
    round_with_a_match(match, -21, state=MatchState.FINISHED)
    round_with_a_match(match, -28, state=MatchState.FORFEIT)
    round_with_a_match(match, 7)
    undated = round_with_a_match(match, None, state=MatchState.PLAYING)
    round_with_a_match(match, None)
    begun = round_with_a_match(match, 14, state=MatchState.PLAYING)
    assert waiting(keeper) == [tonight, begun, differing, older, undated]


def test_the_current_round_is_before_later_ones(signed_in: Client, match: Match, keeper: User) -> None:
    """Neither was begun when it was due: the lower number is what is played next, as on all pages."""
    Round.objects.update(date=TODAY - datetime.timedelta(days=14))
    later = round_with_a_match(match, -7)
    assert waiting(keeper) == [match.round, later]
    event = match.event
    shown = signed_in.get(reverse("event", args=[event.club.slug, event.slug]))
    assert shown.context["current"].round == match.round


def test_a_draft_has_no_sheets_to_type(match: Match, tonight: Round) -> None:
    director = UserFactory.create(club=match.event.club, role=Role.DIRECTOR)
    draft = round_with_a_match(match, 0)
    Round.objects.filter(pk=draft.pk).update(state=RoundState.DRAFTED)
    assert waiting(director) == [tonight]


def test_first_published_round_without_a_date_waits(match: Match, keeper: User) -> None:
    later = round_with_a_match(match, None)
    Round.objects.update(date=None)
    assert waiting(keeper) == [match.round]
    Round.objects.filter(pk=match.round.pk).update(state=RoundState.DRAFTED)
    assert waiting(keeper) == [later]
    Event.objects.update(state=EventState.FINISHED)
    assert waiting(keeper) == [later], "nothing waits: what is shown is the last round, and not the draft"


def test_of_rounds_without_a_date_the_current_one_waits(match: Match, tonight: Round, keeper: User) -> None:
    """Tonight's round is the current one: a later one without a date is not asked for beside it."""
    round_with_a_match(match, None)
    assert waiting(keeper) == [tonight]
    first = match.round
    Round.objects.filter(pk=first.pk).update(date=None)
    assert waiting(keeper) == [first]


def test_a_round_that_its_director_has_closed_is_over(match: Match, tonight: Round, keeper: User) -> None:
    other = round_with_a_match(match, -7)
    Round.objects.filter(pk=tonight.pk).update(state=RoundState.COMPLETE)
    assert waiting(keeper) == [other]


def test_nothing_is_typed_of_an_event_that_is_over(match: Match, tonight: Round, keeper: User) -> None:
    other = MatchFactory.create(event__club=match.event.club)
    Round.objects.filter(pk=other.round_id).update(date=TODAY)
    Event.objects.filter(pk=match.event_id).update(state=EventState.FINISHED)
    assert waiting(keeper) == [other.round]


def test_typed_night_is_no_work(signed_in: Client, match: Match, tonight: Round, keeper: User) -> None:
    save(signed_in, match, draft_of(*FINISHED))
    assert waiting(keeper) == [tonight]
    page = " ".join(signed_in.get(reverse("admin:index")).content.decode().split())
    assert "all typed" in page
    assert "1 of 1 complete" not in page
    assert signed_in.get(reverse("entry:night"))["Location"] == reverse("entry:tray", args=[tonight.code])
    following = round_with_a_match(match, 7)
    assert waiting(keeper) == [following], "the current round, as on all pages"


def test_what_waits_for_its_director_only_is_typed(signed_in: Client, match: Match, tonight: Round) -> None:
    """The first page says the same as the tray."""
    MatchFactory.create(event=match.event, round=tonight)
    Event.objects.update(counts_when=CountsWhen.DIRECTOR)
    save(signed_in, match, draft_of(*FINISHED))
    match.refresh_from_db()
    assert match.held
    assert "1 of 2 complete" in read(signed_in, "admin:index")
    assert "1 of 2 " in read(signed_in, "entry:tray", tonight.code)


def test_night_before_the_first_is_the_next_to_come(match: Match, keeper: User) -> None:
    Round.objects.update(date=TODAY + datetime.timedelta(days=7))
    round_with_a_match(match, 14)
    assert waiting(keeper) == [match.round]


def test_before_the_first_night_the_current_round_is_offered_as_on_all_pages(
    signed_in: Client, match: Match, keeper: User
) -> None:
    """Round 1 was put off until after round 2: it is the current one all the same, as nobody has played."""
    Round.objects.update(date=TODAY + datetime.timedelta(days=14))
    second = round_with_a_match(match, 7)
    assert waiting(keeper) == [match.round]
    event = match.event
    shown = signed_in.get(reverse("event", args=[event.club.slug, event.slug]))
    assert shown.context["current"].round == match.round
    assert signed_in.get(reverse("entry:night"))["Location"] == reverse("entry:tray", args=[match.round.code])
    Round.objects.filter(pk=match.round_id).update(state=RoundState.COMPLETE)
    assert waiting(keeper) == [second]


def test_of_several_events_the_one_that_comes_next_represents_its_club(match: Match, keeper: User) -> None:
    def event_with_a_round(days: int, state: MatchState, of: EventState = EventState.RUNNING) -> Round:
        date = TODAY + datetime.timedelta(days=days)
        other = EventFactory.create(club=match.event.club, state=of)
        round_: Round = RoundFactory.create(event=other, date=date)
        MatchFactory.create(event=other, round=round_, state=state)
        return round_

    Round.objects.update(date=TODAY - datetime.timedelta(days=3))
    Match.objects.update(state=MatchState.FINISHED)
    assert waiting(keeper) == [match.round], "all is typed: the last"
    later = event_with_a_round(-2, MatchState.FINISHED)
    event_with_a_round(-5, MatchState.FINISHED)
    assert waiting(keeper) == [later]
    over = event_with_a_round(-1, MatchState.SCHEDULED, EventState.FINISHED)
    assert waiting(keeper) == [over]
    event_with_a_round(14, MatchState.SCHEDULED)
    following = event_with_a_round(7, MatchState.SCHEDULED)
    assert waiting(keeper) == [following]


def test_first_page_counts_and_says_the_year(signed_in: Client, match: Match, tonight: Round) -> None:
    MatchFactory.create(event=match.event, round=tonight)
    save(signed_in, match, draft_of(*FINISHED))
    round_with_a_match(match, -30)
    page = read(signed_in, "admin:index")
    assert "Night of 9 January , League: 1 of 2 complete" in page
    assert "Night of 10 December 2025 , League: 0 of 1 complete" in page


def test_night_when_several_rounds_wait_offers_a_choice(
    signed_in: Client, keeper: User, match: Match, tonight: Round
) -> None:
    other = RoundFactory.create()
    Membership.objects.create(user=keeper, club=other.event.club, role=Role.SCOREKEEPER)
    page = signed_in.get(reverse("entry:night")).content.decode()
    assert reverse("entry:tray", args=[other.code]) in page
    assert reverse("entry:tray", args=[tonight.code]) in page


def test_nights_cost_the_same_for_more_rounds(
    match: Match, tonight: Round, keeper: User, django_assert_max_num_queries: Callable[[int], Any]
) -> None:
    for days in range(-12, 0):
        round_with_a_match(match, days)
    with django_assert_max_num_queries(5):
        assert len(nights(keeper)) == 13


def test_challenges_cost_the_same_however_many_there_are(
    match: Match, tonight: Round, keeper: User, django_assert_num_queries: Callable[[int], Any]
) -> None:
    event = ladder(8, club=match.event.club)
    challenge(event, "C", "B")
    with django_assert_num_queries(5):
        assert [night.name for night in nights(keeper)] == ["Night of 9 January", "C challenges B"]
    for pair in ("DA", "FE", "HG"):
        challenge(event, *pair)
    with django_assert_num_queries(5):
        assert len(nights(keeper)) == 5


def test_only_the_rounds_that_are_shown_are_made(
    match: Match, tonight: Round, keeper: User, django_assert_num_queries: Callable[[int], Any]
) -> None:
    for days in range(-12, 0):
        round_with_a_match(match, days)
    everything = nights(keeper)
    assert nights(keeper, 4) == everything[:4]
    with CaptureQueriesContext(connection) as queries:
        nights(keeper, 4)
    ids = {str(night.round.pk) for night in everything[4:]}
    assert not ids & set(re.findall(r"\d+", queries[-1]["sql"].rpartition("WHERE")[2]))


@pytest.mark.parametrize(
    ("at_a_time", "at_first"),
    [(1, 1), (1, 7), (2, 4), (2, 7), (nights_of.ROUNDS_AT_A_TIME, nights_of.ROUNDS_AT_FIRST)],
)
def test_the_first_nights_are_those_of_all(
    match: Match,
    tonight: Round,
    keeper: User,
    monkeypatch: pytest.MonkeyPatch,
    at_a_time: int,
    at_first: int,
) -> None:
    """However many are asked for: current rounds, what is left of earlier ones, and what has no date."""
    monkeypatch.setattr(nights_of, "ROUNDS_AT_A_TIME", at_a_time)
    monkeypatch.setattr(nights_of, "ROUNDS_AT_FIRST", at_first)
    monkeypatch.setattr(nights_of, "FEW_CLUBS", 0)
    round_with_a_match(match, -3)
    for days in (1, 4, None):
        other = MatchFactory.create(event__club=match.event.club)
        Round.objects.filter(pk=other.round_id).update(date=TODAY - datetime.timedelta(days=9))
        round_with_a_match(other, None if days is None else -days, state=MatchState.PLAYING)
        round_with_a_match(other, 5)
        round_with_a_match(other, None)
    challenge(ladder(4, club=match.event.club), "C", "B")
    everything = nights(keeper)
    assert [night.is_tonight for night in everything] == [True] + [False] * (len(everything) - 1)
    assert len(everything) == 9
    for most in range(len(everything) + 2):
        assert nights(keeper, most) == everything[:most]


@pytest.mark.parametrize("at_first", [1, 2, 3])
def test_tonight_is_first_where_clubs_have_different_dates(
    match: Match, keeper: User, monkeypatch: pytest.MonkeyPatch, at_first: int
) -> None:
    """It is already tomorrow in Auckland: what was due there yesterday is dated like tonight's of Harbour."""
    Round.objects.update(date=TODAY)
    Event.objects.filter(pk=match.event_id).update(name="The last by name")
    there = ClubFactory.create(name="Auckland", time_zone="Pacific/Auckland")
    Membership.objects.create(user=keeper, club=there, role=Role.SCOREKEEPER)
    put_off = MatchFactory.create(event__club=there)
    Round.objects.filter(pk=put_off.round_id).update(date=TODAY)
    abroad = round_with_a_match(MatchFactory.create(event__club=there), 1)
    Round.objects.filter(event=abroad.event).exclude(pk=abroad.pk).delete()
    monkeypatch.setattr(nights_of, "ROUNDS_AT_FIRST", at_first)
    monkeypatch.setattr(nights_of, "FEW_CLUBS", 0)
    found = [abroad, match.round, put_off.round]
    for most in range(1, 4):
        assert [night.round for night in nights(keeper, most)] == found[:most]


@pytest.mark.parametrize("few", [0, 1])
def test_a_first_page_of_many_clubs_reads_no_more_rounds_than_it_needs(
    match: Match, tonight: Round, keeper: User, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    """Tonight's, and the current ones of two other events, are among the first three that wait."""
    for days in (-1, -2):
        other = MatchFactory.create(event__club=match.event.club)
        Round.objects.filter(pk=other.round_id).update(date=TODAY + datetime.timedelta(days=days))
    for days in range(-9, -3):
        round_with_a_match(match, days)
    monkeypatch.setattr(nights_of, "ROUNDS_AT_FIRST", 3)
    monkeypatch.setattr(nights_of, "FEW_CLUBS", few)
    for most, limits in ((1, ["3"]), (3, ["3"]), (4, ["3", None]), (None, [None])):
        with CaptureQueriesContext(connection) as queries:
            nights(keeper, most)
        asked = [query["sql"] for query in queries if '"is_due"' in query["sql"]]
        found = [re.search(r" LIMIT (\d+)$", sql) for sql in asked]
        assert [limit and limit[1] for limit in found] == ([None] if few else limits)


def test_for_enough_nights_of_today_no_current_round_is_sought(
    match: Match, tonight: Round, keeper: User, django_assert_num_queries: Callable[[int], Any]
) -> None:
    for _number in range(3):
        round_with_a_match(match, 0)
    round_with_a_match(match, -7)
    with django_assert_num_queries(3):
        assert len(nights(keeper, 4)) == 4
    with django_assert_num_queries(5):
        assert len(nights(keeper, 5)) == 5


def test_clubs_without_a_night_cost_the_same_however_many_there_are(
    match: Match, tonight: Round, django_assert_num_queries: Callable[[int], Any]
) -> None:
    administrator = UserFactory.create(is_superuser=True)
    coming = [
        MatchFactory.create(event__club=ClubFactory.create(name=f"Club {number}")) for number in range(20)
    ]
    for days, other in enumerate(coming, start=1):
        Round.objects.filter(pk=other.round_id).update(date=TODAY + datetime.timedelta(days=days))
    with django_assert_num_queries(5):
        found = waiting(administrator)
    with django_assert_num_queries(6):  # of so many clubs the latest that wait are read first
        assert [night.round for night in nights(administrator, 21)] == found
    assert found == [tonight, *(each.round for each in sorted(coming, key=lambda each: each.event.club.name))]


def test_index_shows_the_most_urgent_and_leads_to_all(
    signed_in: Client, match: Match, tonight: Round
) -> None:
    for days in range(-13, 0):
        round_with_a_match(match, days)
    urgent = nights(User.objects.get(pk=signed_in.session["_auth_user_id"]))[:MOST_NIGHTS]
    shown = signed_in.get(reverse("admin:index")).content.decode()
    trays = [reverse("entry:tray", args=[night.round.code]) for night in urgent]
    of_nights = shown.partition('id="tonight"')[2].partition('class="club"')[0]
    assert [way for way in re.findall(r'href="([^"]+)"', of_nights) if "/night/" in way] == [
        *trays,
        reverse("entry:night"),
        reverse("entry:tables"),
    ]


def test_open_challenge_of_a_ladder_waits_until_it_is_played_or_the_ladder_ends(
    signed_in: Client, match: Match, tonight: Round, keeper: User
) -> None:
    event = ladder(4, club=match.event.club)
    made = challenge(event, "C", "B")
    other = challenge(event, "D", "A")
    assert made.match is not None
    assert other.match is not None
    rounds = [made.match.round, other.match.round]
    assert waiting(keeper) == [tonight, *rounds]
    for page in ("admin:index", "entry:night"):
        said = read(signed_in, page)
        assert re.search(r"C challenges B , (Harbour, )?Harbour Ladder: 0 of 1 complete", said)
    tray = signed_in.get(reverse("entry:tray", args=[rounds[0].code])).content.decode()
    assert "<h1>C challenges B</h1>" in tray
    assert "round 1" not in tray
    play(made.match, 5)
    assert waiting(keeper) == [tonight, rounds[1]]
    Event.objects.filter(pk=event.pk).update(state=EventState.FINISHED)
    assert waiting(keeper) == [tonight]
