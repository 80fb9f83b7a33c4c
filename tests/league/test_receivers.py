"""A sheet changes: the match follows in the same transaction, and the table is asked for where it counts."""

from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from league.matches.fields import match_fields
from league.models import Match, MatchState, StandingsRequest
from scoring.core.hands import Outcome
from scoring.core.sheets import SheetSide
from scoring.services import (
    accept_difference,
    correct_deals,
    open_sheet,
    record_deals,
    sign_sheet,
    stop_sheet,
    void_sheet,
)
from scoring.typing.paper_figures import Paper
from tests.factories import OPERATOR, EntryFactory, EventFactory, MatchFactory, sheet_of, won
from tests.kept import assert_derived

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    event = EventFactory.create()
    return MatchFactory.create(
        event=event,
        entry_a=EntryFactory.create(event=event, name="Ann"),
        entry_b=EntryFactory.create(event=event, name="Bob"),
    )


def act(match: Match, service: Any, **options: Any) -> int:
    """Does it to the match's sheet; how many requests for the table that made."""
    StandingsRequest.objects.all().delete()
    service(actor=OPERATOR, sheet=match.sheet, **options)
    assert_derived(sheet_of(match))
    match.refresh_from_db()
    assert not StandingsRequest.objects.exclude(event=match.event).exists()
    return StandingsRequest.objects.count()


def record(match: Match, *points: int, **options: Any) -> int:
    deals = [won("Ann", "Bob", figure) for figure in points]
    return act(match, record_deals, deals=deals, **options)


def test_hand_in_the_middle_of_a_match_does_not_touch_the_table(match: Match) -> None:
    for points in (40, 70):
        assert record(match, points) == 0
        assert (match.state, match.winner_side) == (MatchState.PLAYING, None)
        # Figures are the sheet's until it has ended.
        assert (match.net, match.columns_a, match.boxes_a) == (0, 0, 0)


def test_hand_in_the_middle_of_a_match_is_no_statement_about_it(match: Match) -> None:
    record(match, 40)
    with CaptureQueriesContext(connection) as queries:
        record(match, 30)
    assert not any("league_match" in query["sql"] for query in queries if "UPDATE" in query["sql"])


def test_match_whose_first_hand_comes_after_what_the_paper_says_is_played(match: Match) -> None:
    record_deals(actor=OPERATOR, sheet=sheet_of(match), deals=[], paper=Paper(no_net=True))
    match.refresh_from_db()
    assert match.state == MatchState.SCHEDULED
    record(match, 40)
    assert match.state == MatchState.PLAYING


def test_finished_match_asks_for_the_table(match: Match) -> None:
    assert record(match, 100, 100) == 0
    assert record(match, 100) == 1
    assert (match.state, match.winner_side, match.held) == (MatchState.FINISHED, 0, False)
    assert (match.columns_a, match.columns_b, match.boxes_a, match.boxes_b) == (3, 0, 3, 0)


def test_stopped_match_asks_for_the_table(match: Match) -> None:
    record(match, 40)
    assert act(match, stop_sheet) == 1
    assert (match.state, match.winner_side, match.net) == (MatchState.STOPPED, 0, 65)


def test_correction_asks_only_where_figures_change(match: Match) -> None:
    record(match, 40, stopped=True)
    assert act(match, correct_deals, changes={1: won("Ann", "Bob", 41)}, reason="41") == 1
    assert match.net == 66
    # From points to another hand of the same points and boxes: the sheet changes, the match does not.
    assert (
        act(match, correct_deals, changes={1: won("Ann", "Bob", 41, mark=Outcome.KNOCK)}, reason="a knock")
        == 0
    )
    assert act(match, correct_deals, changes={}, reason="they play on", stopped=False) == 1
    assert (match.state, match.net, match.winner_side) == (MatchState.PLAYING, 0, None)
    assert act(match, correct_deals, changes={1: won("Ann", "Bob", 42)}, reason="42") == 0


def test_match_that_differs_from_its_paper_is_held_until_accepted(match: Match) -> None:
    assert record(match, 40, stopped=True, paper=Paper(net=60)) == 0
    assert (match.held, match.is_counted) == (True, False)
    assert act(match, accept_difference, reason="added wrongly") == 1
    assert match.is_counted
    assert act(match, correct_deals, changes={1: won("Ann", "Bob", 41)}, reason="41") == 1
    assert match.held
    assert act(match, correct_deals, changes={1: won("Ann", "Bob", 35)}, reason="35") == 1
    assert not match.held


def test_signatures_change_nothing_of_a_match(match: Match) -> None:
    record(match, 40, stopped=True)
    assert act(match, sign_sheet) == 0


def test_voided_sheet_leaves_the_match_unplayed(match: Match) -> None:
    record(match, 40, stopped=True)
    assert act(match, void_sheet, reason="the wrong Ann") == 1
    assert match_fields(None) == {name: getattr(match, name) for name in match_fields(None)}


def test_voided_sheet_of_a_match_midway_does_not_touch_the_table(match: Match) -> None:
    record(match, 40)
    assert act(match, void_sheet, reason="the wrong Ann") == 0
    assert match.state == MatchState.SCHEDULED


@pytest.mark.parametrize("state", [MatchState.FORFEIT, MatchState.WALKOVER])
def test_what_a_director_stated_stands(match: Match, state: MatchState) -> None:
    Match.objects.filter(pk=match.pk).update(state=state, winner_side=1)
    assert record(match, 100, 100, 100) == 0
    assert (match.state, match.winner_side, match.net) == (state, 1, 0)


def test_sheet_of_no_match_is_nobodys_business(match: Match) -> None:
    sides = (SheetSide("Ann", ("Ann",)), SheetSide("Bob", ("Bob",)))
    stray = open_sheet(actor=OPERATOR, rules=match.event.rules, sides=sides)
    record_deals(actor=OPERATOR, sheet=stray, deals=[won("Ann", "Bob", 100)] * 3)
    assert not StandingsRequest.objects.exists()


def test_match_and_request_are_taken_back_with_the_hand(match: Match) -> None:
    with transaction.atomic():
        record(match, 100, 100, 100)
        assert match.state == MatchState.FINISHED
        transaction.set_rollback(True)
    match.refresh_from_db()
    assert match.state == MatchState.SCHEDULED
    assert not StandingsRequest.objects.exists()


def test_hands_won_and_gins_of_the_sheet_are_the_matchs(match: Match) -> None:
    gin, knock = won("Bob", "Ann", 60, mark=Outcome.GIN), won("Bob", "Ann", 12, mark=Outcome.KNOCK)
    assert act(match, record_deals, deals=[won("Ann", "Bob", 40), gin, knock], stopped=True) == 1
    assert (match.hands_a, match.hands_b, match.gins_a, match.gins_b) == (1, 2, 0, 1)
    # One gin more, and nothing else: that counts in a table by gins.
    assert act(match, correct_deals, changes={3: won("Bob", "Ann", 12, mark=Outcome.GIN)}, reason="gin") == 1
    assert (match.hands_b, match.gins_b) == (2, 2)


def test_fields_of_a_match_without_a_sheet() -> None:
    assert match_fields(None) == {
        "state": MatchState.SCHEDULED,
        "winner_side": None,
        "net": 0,
        "columns_a": 0,
        "columns_b": 0,
        "boxes_a": 0,
        "boxes_b": 0,
        "hands_a": 0,
        "hands_b": 0,
        "gins_a": 0,
        "gins_b": 0,
        "at_table": [],
        "held": False,
    }
