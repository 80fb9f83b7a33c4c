"""A worker's part, in this process with real tables: played to the end whatever happens in between."""

import datetime
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from games.bots import HouseBot, house_bot
from games.errors import GameError
from games.gin.hand import HandState
from games.gin.log import HandLog
from games.models import MOST_ATTEMPTS, BotMatch, BotMatchState
from games.services import (
    cancel_bot_match,
    claim,
    hand_out,
    plan_bot_match,
    play_bot_match,
    play_on,
    strategies,
    try_again,
)
from games.signals import bot_match_ended
from games.tables.play import play_sheet
from games.tables.playing import TableFault
from scoring.core.hands import Dead
from scoring.core.sheets import MOST_DEALS, VOID, Deal, SheetSide, TeamLine
from scoring.documents.sheets import players_of
from scoring.models import ActKind, DealVersion, Scoresheet, SheetStatus
from scoring.services import correct_deals, record_deals, stop_sheet, void_sheet
from scoring.services.records import kept_sheet
from scoring.signals import sheet_changed
from tests.factories import OPERATOR, won
from tests.games import bad_bots
from tests.games.bot_matches import ANN_AND_BOB, SEED, WE_AND_YOU, blank_sheet, documents, planned, seated
from tests.kept import assert_derived
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

BOTS = (house_bot("simple"), house_bot("steady"), house_bot("novice"))


def play_a_deal(match: BotMatch) -> None:
    """A worker plays one more deal; it is told to stop once that is recorded."""
    recorded = match.sheet.deal_versions.count()
    play_bot_match(match.pk, is_stopping=lambda: match.sheet.deal_versions.count() > recorded)


@pytest.fixture(autouse=True)
def _bad_bots_play_here(settings: Any) -> None:
    settings.BOT_STRATEGIES = bad_bots.PATHS


def bot(name: str) -> HouseBot:
    return HouseBot.of(strategies()[name])


def once_after(match: BotMatch, deals: int, do: Callable[[], object]) -> Callable[[], bool]:
    """For `is_stopping`, which is asked between deals: does something once, when so many are stored."""
    done: list[object] = []

    def asked() -> bool:
        if not done and Scoresheet.objects.get(pk=match.sheet_id).deal_count >= deals:
            done.append(do())
        return False

    return asked


def played_alone(match: BotMatch, after: list[Deal]) -> list[Deal]:
    """The deals that bots play after these, by the pure core."""
    kept = kept_sheet(match.sheet)
    bots = {
        kept.seat_names[int(seat)]: HouseBot.from_document(one, strategies())
        for seat, one in match.bots.items()
    }
    return list(play_sheet(match.sheet.rules.rules, kept.sides, bots, match.seed, played=after))


@pytest.mark.parametrize(("sides", "columns"), [(ANN_AND_BOB, 3), (WE_AND_YOU, 1)])
def test_match_is_played_to_its_end(sides: tuple[SheetSide, SheetSide], columns: int) -> None:
    match = planned(blank_sheet(sides, columns=columns), *BOTS)
    play_bot_match(match.pk)
    match.refresh_from_db()
    sheet = match.sheet
    assert (match.state, match.owner, match.note) == (BotMatchState.FINISHED, "", "")
    assert match.started_at is not None
    assert match.ended_at is not None
    assert sheet.status == SheetStatus.FINISHED
    assert_derived(sheet)
    deals = kept_sheet(sheet).deals
    assert deals == played_alone(match, [])
    for hand in match.hands.all():
        result = deals[hand.deal - 1].two_handed[hand.table]
        log = HandLog.from_document(hand.log)
        seats = players_of(result)
        players = seats if seats[0] in sides[0].players else (seats[1], seats[0])
        assert (
            HandState.replay(
                sheet.rules.rules.for_team_size(len(sides[0].players)), log, players=players
            ).result
            == result
        )
        assert len(hand.estimates) == len(log.actions)
    assert match.hands.count() == len(deals) * len(sides[0].players)


def test_sheet_says_who_played() -> None:
    match = planned(None, house_bot("simple"), house_bot("steady"))
    play_bot_match(match.pk)
    acts = list(match.sheet.acts.values_list("kind", "actor_kind", "actor_id", "actor_name"))
    assert set(acts) == {(ActKind.RECORD, "bot", match.code, "Ann, Bob")}
    assert len(acts) == match.sheet.deal_versions.count()


@pytest.mark.parametrize("sides", [ANN_AND_BOB, WE_AND_YOU])
def test_given_back_after_every_deal_it_ends_in_the_same_sheet(sides: tuple[SheetSide, SheetSide]) -> None:
    undisturbed, match = (planned(blank_sheet(sides), *BOTS) for _ in range(2))
    play_bot_match(undisturbed.pk)
    times = 0
    while not match.is_over:
        play_a_deal(match)
        match.refresh_from_db()
        times += 1
        assert match.sheet.deal_versions.count() <= times
        assert match.is_over or hand_out(timezone.now()) == [match.pk]
    assert times >= 3
    assert documents(match) == documents(undisturbed)


def test_worker_that_is_to_stop_gives_up_a_deal_that_takes_long(settings: Any) -> None:
    settings.BOT_MOVE_SECONDS = 60.0
    match = planned(None, bot("hanging"))
    asked: list[bool] = []

    def is_stopping() -> bool:
        """Once he has been asked ten times in the second deal."""
        asked.append(match.sheet.deal_versions.exists())
        return asked.count(True) > 10

    play_bot_match(match.pk, is_stopping=is_stopping)
    match.refresh_from_db()
    assert (match.state, match.note, match.sheet.deal_versions.count()) == (BotMatchState.DUE, "", 1)


def test_bots_play_on_from_what_the_sheet_says() -> None:
    sheet = blank_sheet(WE_AND_YOU)
    paper = Deal(line=TeamLine("You", 12, 1))
    keyed = Deal((Dead(("Ann", "Bob")), Dead(("Cid", "Dan"))))
    record_deals(actor=OPERATOR, sheet=sheet, deals=[paper, keyed, keyed])
    correct_deals(actor=OPERATOR, sheet=sheet, changes={2: VOID}, reason="Never played")
    match = planned(sheet)
    play_bot_match(match.pk)
    match.refresh_from_db()
    assert match.state == BotMatchState.FINISHED
    deals = kept_sheet(match.sheet).deals
    assert deals[:3] == [paper, VOID, keyed]
    assert deals[3:] == played_alone(match, deals[:3])
    assert set(match.hands.values_list("deal", flat=True)) == set(range(4, len(deals) + 1))


def test_corrected_in_the_middle_it_is_played_on_from_there() -> None:
    match = planned(blank_sheet(columns=3))
    corrected = won("Bob", "Ann", 44)

    def correct() -> None:
        correct_deals(actor=OPERATOR, sheet=match.sheet, changes={1: corrected}, reason="Miscounted")

    play_bot_match(match.pk, is_stopping=once_after(match, 2, correct))
    match.refresh_from_db()
    assert match.state == BotMatchState.FINISHED
    deals = kept_sheet(match.sheet).deals
    first, second, *_ = played_alone(match, [])
    assert deals[:2] == [corrected, second]
    assert deals[2:] == played_alone(match, deals[:2])
    versions = DealVersion.objects.filter(sheet=match.sheet).values_list("number", "version")
    assert sorted(versions) == sorted([(1, 2), *((number, 1) for number in range(1, len(deals) + 1))])
    assert first != corrected


@pytest.mark.parametrize("deals", [0, 1, 3])
def test_cancelled_at_any_deal_it_leaves_what_was_played(deals: int) -> None:
    match = planned(blank_sheet(columns=3))

    def cancel() -> None:
        cancel_bot_match(actor=OPERATOR, match=match, reason="Enough")

    play_bot_match(match.pk, is_stopping=once_after(match, deals, cancel))
    match.refresh_from_db()
    assert (match.state, match.note) == (BotMatchState.CANCELLED, "Cancelled by The tests: Enough")
    stored = kept_sheet(match.sheet).deals
    assert stored == played_alone(match, [])[: len(stored)]
    assert len(stored) == deals
    assert match.sheet.status == SheetStatus.OPEN
    assert match.hands.count() == deals
    play_bot_match(match.pk)
    assert match.sheet.deal_versions.count() == deals


@pytest.mark.parametrize(
    ("end", "note"),
    [
        (lambda sheet: stop_sheet(actor=OPERATOR, sheet=sheet), "Time was called on the sheet."),
        (lambda sheet: void_sheet(actor=OPERATOR, sheet=sheet, reason="Torn"), "The sheet was voided."),
    ],
)
def test_sheet_ended_by_a_director_ends_the_match(end: Callable[[Scoresheet], Any], note: str) -> None:
    match = planned(blank_sheet(columns=3))
    play_bot_match(match.pk, is_stopping=once_after(match, 2, lambda: end(match.sheet)))
    match.refresh_from_db()
    assert (match.state, match.note, match.loser_side) == (BotMatchState.CANCELLED, note, None)
    assert match.sheet.deal_versions.count() == 2


def test_correction_that_ends_the_sheet_ends_the_match() -> None:
    match = planned(blank_sheet())

    def correct() -> None:
        changes = {1: won("Ann", "Bob", 150)}
        correct_deals(actor=OPERATOR, sheet=match.sheet, changes=changes, reason="Miscounted")

    play_bot_match(match.pk, is_stopping=once_after(match, 1, correct))
    match.refresh_from_db()
    assert match.state == BotMatchState.FINISHED
    assert match.sheet.deal_versions.filter(version=1).count() == 1


def test_full_sheet_ends_the_match_with_a_note() -> None:
    sheet = blank_sheet(target=10_000)
    record_deals(actor=OPERATOR, sheet=sheet, deals=[Deal((Dead(("Ann", "Bob")),))] * (MOST_DEALS - 1))
    match = planned(sheet)
    play_bot_match(match.pk)
    match.refresh_from_db()
    assert (match.state, match.sheet.deal_count) == (BotMatchState.FINISHED, MOST_DEALS)
    assert match.note == "The sheet is full: it has 500 deals, and nobody has won it."


def test_worker_whose_lease_lapsed_writes_nothing_more() -> None:
    match = planned(blank_sheet(columns=3))

    def other_worker_takes_over() -> None:
        lapsed = timezone.now() - datetime.timedelta(hours=1)
        BotMatch.objects.filter(pk=match.pk).update(heartbeat=lapsed)
        assert claim(match.pk, "other") is not None

    play_bot_match(match.pk, is_stopping=once_after(match, 2, other_worker_takes_over))
    match.refresh_from_db()
    assert (match.state, match.owner) == (BotMatchState.PLAYING, "other")
    assert (match.sheet.deal_versions.count(), match.hands.count()) == (2, 2)


def test_worker_is_heard_of_while_a_bot_thinks(settings: Any) -> None:
    settings.BOT_LEASE_SECONDS, settings.BOT_MOVE_SECONDS = 3.0, 5.0
    match = planned(None, bot("hanging"))
    silences: list[float] = []

    def listen() -> bool:
        heard = BotMatch.objects.values_list("heartbeat", flat=True).get(pk=match.pk)
        assert heard is not None
        silences.append((timezone.now() - heard).total_seconds())
        return False

    play_bot_match(match.pk, is_stopping=listen)
    assert max(silences) < 3.0
    match.refresh_from_db()
    assert match.state == BotMatchState.FORFEITED


def test_match_not_due_or_over_is_not_played() -> None:
    sheet = blank_sheet()
    tomorrow = timezone.now() + datetime.timedelta(days=1)
    match = plan_bot_match(sheet=sheet, bots=seated(sheet), due_at=tomorrow, seed=SEED)
    play_bot_match(match.pk)
    assert not match.hands.exists()
    play_bot_match(match.pk + 1)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("raising", "ValueError: no idea what to do here, an…"),
        ("cheating", "It chose “big_gin”. "),
        ("crashing", "Its process ended by signal 11."),
        ("hanging", "It did not answer within 1 seconds."),
    ],
)
def test_bot_that_fails_forfeits_and_keeps_what_was_played(name: str, said: str, settings: Any) -> None:
    settings.BOT_MOVE_SECONDS = 1.0
    match = planned(None, house_bot("simple"), bot(name))
    told: list[str] = []

    def hear(match: BotMatch, **more: Any) -> None:
        told.append(match.state)

    bot_match_ended.connect(hear)
    try:
        play_bot_match(match.pk)
    finally:
        bot_match_ended.disconnect(hear)
    match.refresh_from_db()
    assert (match.state, match.loser_side) == (BotMatchState.FORFEITED, 1)
    deals = kept_sheet(match.sheet).deals
    assert match.note.startswith(f"Bob failed in deal {len(deals) + 1}: {said}")
    assert len(deals) >= 1
    assert match.sheet.status == SheetStatus.OPEN
    assert told == ["forfeited"]


def test_forfeit_on_a_sheet_that_was_stopped_meanwhile_is_none() -> None:
    match = planned(None, bot("raising"))

    def stop(sheet: Scoresheet, **more: Any) -> None:
        if not sheet.stopped:
            sheet_changed.disconnect(stop)
            stop_sheet(actor=OPERATOR, sheet=sheet)

    play_bot_match(match.pk, is_stopping=once_after(match, 1, lambda: stop(match.sheet)))
    match.refresh_from_db()
    assert (match.state, match.loser_side) == (BotMatchState.CANCELLED, None)


def breaks(**more: Any) -> None:
    raise ZeroDivisionError("a fault of ours")


def test_fault_of_ours_leaves_the_match_to_a_later_attempt() -> None:
    match = planned()
    sheet_changed.connect(breaks)
    try:
        with pytest.raises(ZeroDivisionError):
            play_bot_match(match.pk)
    finally:
        sheet_changed.disconnect(breaks)
    match.refresh_from_db()
    assert (match.state, match.note, match.attempts) == (
        BotMatchState.DUE,
        "A fault: ZeroDivisionError",
        1,
    )
    assert not match.hands.exists()
    assert hand_out(timezone.now()) == []
    assert hand_out(timezone.now() + datetime.timedelta(seconds=91)) == [match.pk]
    play_bot_match(match.pk)
    match.refresh_from_db()
    assert (match.state, match.note) == (BotMatchState.FINISHED, "")


def test_what_a_receiver_raises_takes_the_end_back() -> None:
    match = planned()
    bot_match_ended.connect(breaks)
    try:
        with pytest.raises(ZeroDivisionError):
            play_bot_match(match.pk)
    finally:
        bot_match_ended.disconnect(breaks)
    match.refresh_from_db()
    assert (match.state, match.sheet.status) == (BotMatchState.DUE, SheetStatus.OPEN)
    play_bot_match(match.pk)
    match.refresh_from_db()
    assert match.state == BotMatchState.FINISHED
    assert kept_sheet(match.sheet).deals == played_alone(match, [])


def test_match_that_never_gets_anywhere_is_left_alone_until_somebody_looks(
    settings: Any,
) -> None:
    match = planned(None, bot("slow"))
    settings.BOT_STRATEGIES = []
    for _ in range(MOST_ATTEMPTS):
        assert not match.is_left_alone
        play_bot_match(match.pk)
        match.refresh_from_db()
        assert match.state == BotMatchState.DUE
        assert "There is no strategy “slow”" in match.note
    assert match.is_left_alone
    assert hand_out(timezone.now() + datetime.timedelta(days=1)) == []
    assert claim(match.pk, "anybody") is None
    settings.BOT_STRATEGIES = bad_bots.PATHS
    try_again(actor=OPERATOR, match=match)
    assert hand_out(timezone.now()) == [match.pk]
    play_a_deal(match)
    match.refresh_from_db()
    assert (match.sheet.deal_versions.count(), match.note) == (1, "")


def test_cancelled_match_is_played_on_to_the_same_sheet() -> None:
    undisturbed, match = planned(None, *BOTS), planned(None, *BOTS)
    play_bot_match(undisturbed.pk)
    play_a_deal(match)
    cancel_bot_match(actor=OPERATOR, match=match, reason="The room closes")
    play_bot_match(match.pk)
    assert match.sheet.deal_versions.count() == 1
    taken_up = play_on(match=match)
    assert (taken_up.state, taken_up.note, taken_up.ended_at) == (BotMatchState.DUE, "", None)
    play_bot_match(match.pk)
    match.refresh_from_db()
    assert match.state == BotMatchState.FINISHED
    assert documents(match) == documents(undisturbed)


def test_only_what_was_cancelled_on_an_open_sheet_is_played_on() -> None:
    match = planned()
    with refuses(GameError, "not_cancelled"):
        play_on(match=match)
    cancel_bot_match(actor=OPERATOR, match=match, reason="Late")
    stop_sheet(actor=OPERATOR, sheet=match.sheet)
    with refuses(GameError, "sheet_over"):
        play_on(match=match)
    match.refresh_from_db()
    assert match.state == BotMatchState.CANCELLED


def test_large_teams_are_named_in_short() -> None:
    sides = tuple(
        SheetSide(side, tuple(f"{side} player {number} of the evening and dawn" for number in range(4)))
        for side in ("We", "You")
    )
    match = planned(blank_sheet((sides[0], sides[1])))
    play_a_deal(match)
    (name,) = match.sheet.acts.values_list("actor_name", flat=True)
    assert name.startswith("We player 0 of the evening an…, We player 1")
    assert name.endswith(" and 4 more")


def test_what_cannot_be_loaded_gives_the_match_back_and_says_so() -> None:
    match = planned(None, house_bot("simple"), bot("unloadable"))
    with pytest.raises(TableFault):
        play_bot_match(match.pk)
    match.refresh_from_db()
    assert match.state == BotMatchState.DUE
    assert match.note == "Not the bots' fault: ImportError: a library of another version"


def test_match_begun_at_a_level_that_is_gone_is_played_on_with_its_samples() -> None:
    match = planned(None, bot("cold"), house_bot("simple"))
    gone = {"strategy": "cold", "level": 2, "samples": 30}
    BotMatch.objects.filter(pk=match.pk).update(bots=match.bots | {"0": gone})
    play_a_deal(match)
    match.refresh_from_db()
    assert (match.note, match.sheet.deal_versions.count()) == ("", 1)
