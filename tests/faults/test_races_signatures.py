"""What is signed while it is corrected, and time called or a night released while a hand is recorded."""

import pytest

from league.draws.confirming import confirm_result
from league.draws.recalculating import recalculate
from league.draws.releasing import release_round
from league.draws.round_clock import change_clock, start_clock
from league.draws.time_called import call_time
from league.errors import LeagueError
from league.events.events import change_event
from league.matches.counting import said_under
from league.models import CountsWhen, Match, MatchState, Standing
from league.upkeep.rebuilding import check_matches, check_table
from scoring.core.errors import ScoringError
from scoring.models import SheetStatus
from scoring.services import correct_deals, dispute_sheet, record_deals, settle_dispute, sign_sheet
from tests.factories import OPERATOR, EventFactory, MatchFactory, RoundFactory, play, sheet_of, won
from tests.faults.threads import at_once
from tests.kept import assert_derived

pytestmark = pytest.mark.django_db(transaction=True)


def refused(call: object) -> str:
    """Does it: "" where it is done, else the code of the refusal."""
    try:
        call()  # type: ignore[operator]
    except (LeagueError, ScoringError) as refusal:
        return refusal.code
    return ""


@pytest.mark.parametrize("attempt", range(3))
def test_sheet_is_signed_as_it_was_seen_or_not_at_all(attempt: int) -> None:
    """Whoever signs version 1 while it is corrected has signed version 1, or is told; it never counts so."""
    match = play(MatchFactory.create(event=EventFactory.create(counts_when=CountsWhen.BOTH_SIGNATURES)), 40)
    sheet = sheet_of(match)
    record_deals(actor=OPERATOR, sheet=sheet, deals=[], stopped=True)
    first, second = (match.side_name(side) for side in (0, 1))

    def sign() -> str:
        return refused(lambda: sign_sheet(actor=OPERATOR, sheet=sheet, expected_version=2))

    def correct() -> str:
        changes = {1: won(second, first, 40)}
        return refused(lambda: correct_deals(actor=OPERATOR, sheet=sheet, changes=changes, reason="theirs"))

    signed, corrected = at_once([sign, correct])
    assert corrected == ""
    assert signed in ("", "stale_version")
    kept = assert_derived(sheet)
    assert (kept.version, said_under(kept).signed) == (3, frozenset())
    match.refresh_from_db()
    assert match.held


def test_match_counts_once_both_have_signed_at_once() -> None:
    match = play(MatchFactory.create(event=EventFactory.create(counts_when=CountsWhen.BOTH_SIGNATURES)), 40)
    sheet = sheet_of(match)
    record_deals(actor=OPERATOR, sheet=sheet, deals=[], stopped=True)

    def sign(side: int) -> int:
        return len(sign_sheet(actor=OPERATOR, sheet=sheet, sides=[side]))

    assert sum(at_once([lambda: sign(0), lambda: sign(1), lambda: sign(0), lambda: sign(1)])) == 2
    match.refresh_from_db()
    assert not match.held
    assert_derived(sheet)


def test_dispute_and_confirmation_meet() -> None:
    """Whichever comes first, a disputed match is held back."""
    match = play(MatchFactory.create(event=EventFactory.create(counts_when=CountsWhen.DIRECTOR)), 40)
    sheet = sheet_of(match)
    record_deals(actor=OPERATOR, sheet=sheet, deals=[], stopped=True)

    def dispute() -> str:
        return refused(lambda: dispute_sheet(actor=OPERATOR, sheet=sheet, sentence="Not so.", side=0))

    def confirm() -> str:
        return refused(lambda: confirm_result(actor=OPERATOR, match=match, reason="seen"))

    disputed, confirmed = at_once([dispute, confirm])
    assert disputed == ""
    assert confirmed in ("", "disputed")
    match.refresh_from_db()
    assert match.held
    settle_dispute(actor=OPERATOR, dispute=sheet.disputes.get(), reason="It is so.")
    assert_derived(sheet)


@pytest.mark.parametrize("attempt", range(3))
def test_hand_is_on_the_sheet_before_time_or_is_refused(attempt: int) -> None:
    round_ = RoundFactory.create()
    matches = [play(MatchFactory.create(event=round_.event, round=round_), 10) for _ in range(3)]

    def record(match: Match) -> str:
        deal = won(match.side_name(0), match.side_name(1), 5)
        return refused(lambda: record_deals(actor=OPERATOR, sheet=sheet_of(match), deals=[deal]))

    def call() -> str:
        return refused(lambda: call_time(actor=OPERATOR, round_=round_))

    called, *recorded = at_once([call, *[lambda match=match: record(match) for match in matches]])
    assert called == ""
    for match, code in zip(matches, recorded, strict=True):
        sheet = assert_derived(sheet_of(match))
        assert sheet.status == SheetStatus.STOPPED
        assert (code, sheet.deal_count) in [("", 2), ("sheet_stopped", 1)]
        match.refresh_from_db()
        assert match.state == MatchState.STOPPED


def test_two_who_call_time_stop_each_sheet_once() -> None:
    round_ = RoundFactory.create()
    match = play(MatchFactory.create(event=round_.event, round=round_), 10)

    def call() -> str:
        return refused(lambda: call_time(actor=OPERATOR, round_=round_))

    assert sorted(at_once([call, call])) == ["", "nobody_plays"]
    assert assert_derived(sheet_of(match)).version == 2


@pytest.mark.parametrize("attempt", range(3))
def test_clock_ends_when_time_is_called_while_somebody_gives_more(attempt: int) -> None:
    round_ = RoundFactory.create()
    play(MatchFactory.create(event=round_.event, round=round_), 10)
    start_clock(actor=OPERATOR, round_=round_, minutes=45)

    def call() -> str:
        return refused(lambda: call_time(actor=OPERATOR, round_=round_))

    def give() -> str:
        return refused(lambda: change_clock(actor=OPERATOR, round_=round_, minutes=5))

    called, given = at_once([call, give])
    assert called == ""
    assert given in ("", "no_clock")
    round_.refresh_from_db()
    assert round_.ends_at is None
    assert round_.called_at is not None


def test_night_released_while_its_last_hand_is_recorded() -> None:
    """However they meet, the table has the match in the end, and nothing differs from the sheets."""
    event = EventFactory.create(holds_results=True)
    match = play(MatchFactory.create(event=event), 10)
    deal = won(match.side_name(0), match.side_name(1), 5)

    def record() -> str:
        return refused(
            lambda: record_deals(actor=OPERATOR, sheet=sheet_of(match), deals=[deal], stopped=True)
        )

    def release() -> str:
        return refused(lambda: release_round(actor=OPERATOR, round_=match.round))

    assert at_once([record, release]) == ["", ""]
    recalculate(event.pk)
    assert Standing.objects.get(rank=1).played == 1
    event.refresh_from_db()
    assert check_table(event).lines == []


@pytest.mark.parametrize("attempt", range(3))
def test_setting_changes_while_a_match_ends(attempt: int) -> None:
    """Whichever comes first, the match is held as the new setting says."""
    event = EventFactory.create()
    match = play(MatchFactory.create(event=event), 10)
    deal = won(match.side_name(0), match.side_name(1), 5)

    def record() -> str:
        return refused(
            lambda: record_deals(actor=OPERATOR, sheet=sheet_of(match), deals=[deal], stopped=True)
        )

    def change() -> str:
        return refused(
            lambda: change_event(actor=OPERATOR, event=event, counts_when=CountsWhen.BOTH_SIGNATURES)
        )

    assert at_once([record, change]) == ["", ""]
    match.refresh_from_db()
    assert match.held
    event.refresh_from_db()
    assert list(check_matches(event, {})) == []
