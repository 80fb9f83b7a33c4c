"""Writers in one event wait for each other, sheets first and in order of id, and none writes over another."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction

from league.draws.forfeits import award_walkover
from league.draws.rounds import delete_draw, draw_round_robin
from league.errors import LeagueError
from league.events import entries as entries_service
from league.events.entries import withdraw_entry
from league.events.events import change_event
from league.events.house_rules import make_club_rules, next_version
from league.matches.line_ups import set_line_up
from league.matches.matches import renew_sheet
from league.models import Entry, Event, Match, MatchState, Player
from league.people.players import change_player
from league.upkeep.rebuilding import repair_match
from scoring.core.rules import Rules
from scoring.services import record_deals, void_sheet
from tests.factories import OPERATOR, ClubFactory, EntryFactory, EventFactory, MatchFactory, sheet_of, won
from tests.faults.threads import DEADLINE_SECONDS, at_once, until_someone_waits
from tests.kept import assert_derived

pytestmark = pytest.mark.django_db(transaction=True)


def finish(match: Match) -> None:
    deals = [won(match.entry_a.name, str(match.entry_b), 40)]
    record_deals(actor=OPERATOR, sheet=sheet_of(match), deals=deals, stopped=True)


def one_after_the_other(first: Callable[[], Any], second: Callable[[], Any]) -> list[str]:
    """`first` in a transaction that ends when `second` waits for it or is done; what each was refused."""
    is_in, is_done = threading.Event(), threading.Event()

    def lead() -> str:
        try:
            with transaction.atomic():
                first()
                is_in.set()
                until_someone_waits(or_done=is_done)
        except LeagueError as refusal:
            return refusal.code
        return "done"

    def follow() -> str:
        assert is_in.wait(DEADLINE_SECONDS)
        try:
            second()
        except LeagueError as refusal:
            return refusal.code
        finally:
            is_done.set()
        return "done"

    return at_once([lead, follow])


def test_rebuild_of_a_match_that_is_just_being_finished_keeps_its_result() -> None:
    match: Match = MatchFactory.create()
    stale = Match.objects.get(pk=match.pk)
    assert one_after_the_other(lambda: finish(match), lambda: repair_match(stale)) == ["done", "done"]
    match = Match.objects.get(pk=match.pk)
    assert (match.state, match.net > 0) == (MatchState.STOPPED, True)
    assert match.sheet is not None
    assert_derived(match.sheet)


@pytest.fixture
def team_match(transactional_db: None) -> Match:
    """A match of teams of two with three members, one line-up set, no sheet yet."""
    club = ClubFactory.create()
    rules = make_club_rules(actor=OPERATOR, club=club, name="Ours", rules=Rules.preset("standard")).rules
    event = EventFactory.create(club=club, team_size=2, rules=rules)
    for name in ("Reds", "Blues"):
        players = [Player.objects.create(club=club, name=f"{name} {number}") for number in range(3)]
        EntryFactory.create(event=event, name=name, players=players)
    draw_round_robin(actor=OPERATOR, event=event)
    match: Match = event.matches.get()
    return set_line_up(actor=OPERATOR, match=match, side=0, players=members(match.entry_a))


def members(entry: Entry | None) -> list[Player]:
    assert entry is not None
    return [member.player for member in entry.members.order_by("position")[:2]]


def test_rules_are_not_changed_while_a_sheet_is_being_opened(team_match: Match) -> None:
    event = team_match.event
    own = event.club.house_rules.get()
    rules = next_version(actor=OPERATOR, club_rules=own, name="Ours", rules=Rules.preset("online")).rules
    told = one_after_the_other(
        lambda: set_line_up(actor=OPERATOR, match=team_match, side=1, players=members(team_match.entry_b)),
        lambda: change_event(actor=OPERATOR, event=event, rules=rules),
    )
    assert told == ["done", "rules_in_use"]
    assert_sheets_play_by_the_rules_of(event)


def test_sheet_is_opened_by_the_rules_that_are_just_being_chosen(team_match: Match) -> None:
    event = team_match.event
    own = event.club.house_rules.get()
    rules = next_version(actor=OPERATOR, club_rules=own, name="Ours", rules=Rules.preset("online")).rules
    stale = Match.objects.select_related("event__rules").get(pk=team_match.pk)
    told = one_after_the_other(
        lambda: change_event(actor=OPERATOR, event=event, rules=rules),
        lambda: set_line_up(actor=OPERATOR, match=stale, side=1, players=members(stale.entry_b)),
    )
    assert told == ["done", "done"]
    assert_sheets_play_by_the_rules_of(event)


def assert_sheets_play_by_the_rules_of(event: Event) -> None:
    event = Event.objects.get(pk=event.pk)
    sheets = [match.sheet for match in event.matches.select_related("sheet")]
    assert [sheet and sheet.rules_id for sheet in sheets] == [event.rules_id] * len(sheets)


@pytest.fixture
def drawn(transactional_db: None) -> Event:
    """A double round robin of four in which the first sheet of B and C was replaced: its id is the last."""
    event = EventFactory.create()
    for name in "ABCD":
        EntryFactory.create(event=event, name=name)
    draw_round_robin(actor=OPERATOR, event=event, double=True)
    match = event.matches.filter(entry_a__name__in="BC", entry_b__name__in="BC").order_by("round__number")[0]
    finish(match)
    void_sheet(actor=OPERATOR, sheet=sheet_of(match), reason="wrong table")
    renew_sheet(actor=OPERATOR, match=match)
    return event


def test_withdrawal_and_a_change_of_name_do_not_wait_for_each_other(
    drawn: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_in, is_done = threading.Event(), threading.Event()

    def state_then_wait(**fields: Any) -> Match:
        match = award_walkover(**fields)
        if {match.entry_a.name, match.entry_b and match.entry_b.name} == {"B", "C"}:
            is_in.set()
            until_someone_waits(or_done=is_done)
        return match

    monkeypatch.setattr(entries_service, "award_walkover", state_then_wait)

    def withdraw() -> None:
        entry = Entry.objects.get(event=drawn, name="B")
        assert withdraw_entry(actor=OPERATOR, entry=entry, reason="ill", give_matches=True) == 6

    def rename() -> None:
        assert is_in.wait(DEADLINE_SECONDS)
        change_player(actor=OPERATOR, player=Player.objects.get(club=drawn.club, name="C"), name="Cee")
        is_done.set()

    at_once([withdraw, rename])
    assert drawn.matches.filter(state=MatchState.WALKOVER).count() == 6
    assert drawn.entries.filter(name="Cee").exists()


def test_draw_is_not_deleted_under_a_match_that_is_being_renewed(drawn: Event) -> None:
    """Who deletes waits for the sheets before he holds the event, which the other needs for a new one."""
    match = drawn.matches.order_by("sheet_id")[0]
    assert match.sheet is not None
    sheet = match.sheet
    is_in, is_done = threading.Event(), threading.Event()

    def void_and_renew() -> str:
        with transaction.atomic():
            finish(match)
            void_sheet(actor=OPERATOR, sheet=sheet, reason="wrong table")
            is_in.set()
            until_someone_waits(or_done=is_done)
            renew_sheet(actor=OPERATOR, match=match)
        return "done"

    def delete() -> str:
        assert is_in.wait(DEADLINE_SECONDS)
        try:
            delete_draw(actor=OPERATOR, event=Event.objects.get(pk=drawn.pk))
        except LeagueError as refusal:
            return refusal.code
        finally:
            is_done.set()
        return "done"

    # On SQLite he has not even looked before.
    told = "clash" if connection.vendor == "postgresql" else "done"
    assert at_once([void_and_renew, delete]) == ["done", told]
    if told == "clash":
        delete_draw(actor=OPERATOR, event=Event.objects.get(pk=drawn.pk))
    assert not Match.objects.filter(event=drawn).exists()
