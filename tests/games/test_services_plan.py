"""Bot matches are planned, or refused with a sentence and nothing stored."""

import datetime
from typing import Any

import pytest
from django.utils import timezone

from games.bots import HouseBot, Strategy, house_bot
from games.bots.simple import Simple
from games.errors import GameError
from games.models import SEED_LIMIT, BotMatch, BotMatchState
from games.services import cancel_bot_match, hand_out, plan_bot_match, strategies
from scoring.core.errors import RecordingError
from scoring.core.sheets import SheetSide
from scoring.models import Scoresheet
from scoring.services import record_deals, stop_sheet, void_sheet
from tests.factories import OPERATOR, won
from tests.games.bot_matches import WE_AND_YOU, blank_sheet, planned, seated
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def stranger(levels: tuple[int, ...] = ()) -> HouseBot:
    """A bot of nobody's house."""
    strategy = Strategy(
        "stranger", "Nobody knows him.", lambda samples, chances: Simple(chances), levels, None
    )
    return HouseBot.of(strategy)


def test_match_is_planned_with_everything_it_takes_to_play_it() -> None:
    sheet = blank_sheet(WE_AND_YOU)
    bots = seated(sheet, house_bot("simple"), house_bot("steady"))
    match = plan_bot_match(sheet=sheet, bots=bots, seed=7)
    match.refresh_from_db()
    assert match.bots == {str(number): bot.to_document() for number, bot in bots.items()}
    assert (match.seed, match.state, match.owner, match.is_over) == (7, BotMatchState.DUE, "", False)
    assert match.due_at <= timezone.now()


def test_seeds_are_drawn_where_none_is_given() -> None:
    seeds = {plan_bot_match(sheet=sheet, bots=seated(sheet)).seed for sheet in map(fresh, range(5))}
    assert len(seeds) == 5
    assert all(0 <= seed < SEED_LIMIT for seed in seeds)


def fresh(number: int) -> Scoresheet:
    return blank_sheet()


def test_match_due_in_the_past_is_due_now() -> None:
    sheet = blank_sheet()
    due_at = timezone.now() - datetime.timedelta(days=3)
    match = plan_bot_match(sheet=sheet, bots=seated(sheet), due_at=due_at)
    assert hand_out(timezone.now()) == [match.pk]


def test_begun_sheet_is_played_on() -> None:
    sheet = blank_sheet()
    record_deals(actor=OPERATOR, sheet=sheet, deals=[won("Ann", "Bob", 20)])
    assert planned(sheet).state == BotMatchState.DUE


def ended(sheet: Scoresheet) -> None:
    record_deals(actor=OPERATOR, sheet=sheet, deals=[won("Ann", "Bob", 100)])


def stopped(sheet: Scoresheet) -> None:
    stop_sheet(actor=OPERATOR, sheet=sheet)


def voided(sheet: Scoresheet) -> None:
    void_sheet(actor=OPERATOR, sheet=sheet, reason="Torn")


@pytest.mark.parametrize("end", [ended, stopped, voided])
def test_sheet_that_has_ended_is_refused(end: Any) -> None:
    sheet = blank_sheet()
    end(sheet)
    refused("sheet_over", sheet, seated(sheet))


def test_second_match_for_a_sheet_is_refused() -> None:
    match = planned()
    refused("already_planned", match.sheet, seated(match.sheet), stored=1)


def test_seat_without_a_bot_is_refused() -> None:
    sheet = blank_sheet(WE_AND_YOU)
    bots = seated(sheet)
    del bots[3]
    refused("no_bot", sheet, bots, said="Dan")


def test_bot_without_a_seat_is_refused() -> None:
    sheet = blank_sheet()
    refused("unknown_seat", sheet, seated(sheet) | {2: house_bot("simple")})


def test_shared_pack_is_dealt_to_two_against_two_by_those_who_play_so() -> None:
    teams = blank_sheet(WE_AND_YOU, packs="shared")
    refused("not_played", teams, seated(teams), said="simple")
    larger = SheetSide("We", ("Ann", "Cid", "Eve")), SheetSide("You", ("Bob", "Dan", "Fay"))
    three = blank_sheet(larger, packs="shared")
    refused("shared_pack", three, seated(three, house_bot("steady")))
    assert planned(teams, house_bot("novice"), house_bot("steady"))
    assert planned(blank_sheet(packs="shared"))


def test_strategy_that_does_not_play_here_is_refused() -> None:
    sheet = blank_sheet()
    refused("unknown_strategy", sheet, seated(sheet, stranger()), said="stranger")


def test_level_that_the_strategy_does_not_have_is_refused() -> None:
    """A bot made by hand past the checks of `HouseBot.of`."""
    sheet = blank_sheet()
    refused("level_out_of_range", sheet, seated(sheet, HouseBot(strategies()["simple"], 3, 10)))


@pytest.mark.parametrize("seed", [-1, SEED_LIMIT, True])
def test_seed_that_is_none_is_refused(seed: int) -> None:
    sheet = blank_sheet()
    refused("seed_out_of_range", sheet, seated(sheet), seed=seed)


def refused(
    code: str,
    sheet: Scoresheet,
    bots: dict[int, HouseBot],
    *,
    seed: int | None = None,
    said: str = "",
    stored: int = 0,
) -> None:
    with refuses(GameError, code) as refusal:
        plan_bot_match(sheet=sheet, bots=bots, seed=seed)
    assert said in str(refusal.value.message)
    assert BotMatch.objects.count() == stored


def test_match_is_cancelled_with_its_reason() -> None:
    match = planned()
    cancel_bot_match(actor=OPERATOR, match=match, reason="The table is needed")
    match.refresh_from_db()
    assert (match.state, match.note) == (
        BotMatchState.CANCELLED,
        "Cancelled by The tests: The table is needed",
    )
    assert match.is_over
    assert match.ended_at is not None
    assert hand_out(timezone.now()) == []


def test_match_is_cancelled_once() -> None:
    match = planned()
    cancel_bot_match(actor=OPERATOR, match=match, reason="Once")
    with refuses(GameError, "match_over"):
        cancel_bot_match(actor=OPERATOR, match=match, reason="Twice")
    match.refresh_from_db()
    assert "Once" in match.note


def test_match_is_not_cancelled_without_a_reason() -> None:
    match = planned()
    with refuses(RecordingError, "reason_missing"):
        cancel_bot_match(actor=OPERATOR, match=match, reason=" ")
    match.refresh_from_db()
    assert match.state == BotMatchState.DUE


def test_note_keeps_to_its_length() -> None:
    match = planned()
    cancel_bot_match(actor=OPERATOR, match=match, reason="x" * 300)
    match.refresh_from_db()
    assert len(match.note) == 300
    assert match.note.endswith("x…")
