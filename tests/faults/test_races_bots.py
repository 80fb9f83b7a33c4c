"""Two at once where bots are planted: once is once, and of a keeper and the bots one writes on a sheet."""

import datetime
from collections import Counter
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from games.models import BotMatch, BotMatchState
from games.services import LeaseLost, claim, end_failed, play_bot_match
from games.tables.play import BotError
from league.bots.bot_matches import cancel, play_now, play_round
from league.bots.bot_schedules import change_schedule, plant_now, run_due_schedules
from league.draws.forfeits import award_walkover
from league.draws.rounds import delete_draw
from league.events.event_life import finish_event
from league.matches.line_ups import set_line_up
from league.models import BotSchedule, Exhibition, Match, MatchState
from scoring.core.actors import Actor, ActorKind
from scoring.models import Scoresheet, SheetAct
from scoring.services import record_deals, void_sheet
from tests.factories import OPERATOR, EventFactory, PlayerFactory, house_rules, won
from tests.faults.test_races_locks import one_after_the_other
from tests.faults.threads import at_once
from tests.league.bot_cases import bot_match, event_schedule, of, pair_schedule, planted, round_of_bots
from tests.refusals import code_of

pytestmark = pytest.mark.django_db(transaction=True)

BY: dict[str, Any] = {"actor": OPERATOR}
LATER = datetime.timedelta(hours=2)
ROUNDS = 3


def type_a_deal(match: Match) -> str:
    """What became of a keeper's deal: "done", or the code of the refusal."""
    assert match.sheet is not None
    one, two = match.sheet.seats.order_by("number").values_list("name", flat=True)
    keeper = Actor(ActorKind.IMPORT, "1", "Keeper")
    deals = [won(one, two, 20)]
    return code_of(partial(record_deals, actor=keeper, sheet=match.sheet, deals=deals, expected_version=0))


def together(calls: list[Any]) -> list[Any]:
    """What the calls return that begin at the same moment."""
    return at_once(calls)


def test_two_sweeps_plant_once() -> None:
    for _ in range(ROUNDS):
        schedule = pair_schedule(sheets=2)
        now = timezone.now() + LATER
        before = Exhibition.objects.count()
        planted_now = together([partial(run_due_schedules, now)] * 3)
        assert sorted(planted_now) == [0, 0, 2]
        assert Exhibition.objects.count() == before + 2
        BotSchedule.objects.filter(pk=schedule.pk).update(is_active=False)


def test_two_schedules_of_one_event_plant_each_match_once() -> None:
    event = EventFactory.create()
    for _ in range(4):
        bot_match(event)
    for _ in range(2):
        event_schedule(event, sheets=3)
    now = timezone.now() + LATER
    together([partial(run_due_schedules, now)] * 2)
    run_due_schedules(now)
    assert BotMatch.objects.count() == 4
    assert BotSchedule.objects.filter(is_active=True, next_at__gt=now).count() == 2


def test_sweep_and_switching_off_together() -> None:
    for _ in range(ROUNDS):
        schedule = pair_schedule()
        before = Exhibition.objects.count()
        ran, _changed = together(
            [
                partial(run_due_schedules, timezone.now() + LATER),
                partial(change_schedule, **BY, schedule=schedule, is_active=False),
            ]
        )
        schedule.refresh_from_db()
        assert not schedule.is_active
        assert Exhibition.objects.count() == before + ran


def test_switched_off_first_nothing_is_planted() -> None:
    schedule = pair_schedule()
    switch_off = partial(change_schedule, **BY, schedule=schedule, is_active=False)
    assert one_after_the_other(switch_off, partial(run_due_schedules, timezone.now() + LATER)) == ["done"] * 2
    assert not Exhibition.objects.exists()


def test_planting_and_typing_at_once_make_one_writer() -> None:
    for _ in range(ROUNDS):
        match = bot_match()
        planted_code, typed = together(
            [partial(code_of, partial(play_now, **BY, match=match)), partial(type_a_deal, match)]
        )
        assert planted_code == "done"
        assert typed in ("done", "bots_play")
        assert SheetAct.objects.filter(sheet=match.sheet).count() == (typed == "done")


def test_who_plants_first_has_the_sheet() -> None:
    match = bot_match()
    codes: list[str] = []
    one_after_the_other(partial(play_now, **BY, match=match), lambda: codes.append(type_a_deal(match)))
    assert codes == ["bots_play"]


def test_planted_twice_at_once_it_is_planted_once() -> None:
    match = bot_match()
    codes = together([partial(code_of, partial(play_now, **BY, match=match))] * 3)
    assert Counter(codes) == {"done": 1, "bots_play": 2}
    round_, _data = round_of_bots()
    codes = together([partial(code_of, partial(play_round, **BY, round_=round_))] * 2)
    assert codes.count("done") == 1
    assert BotMatch.objects.filter(sheet__match__round=round_).count() == 2


def test_planting_by_hand_and_by_a_schedule_together() -> None:
    event = EventFactory.create()
    match = bot_match(event)
    schedule = event_schedule(event)
    together(
        [
            partial(code_of, partial(play_now, **BY, match=match)),
            partial(code_of, partial(plant_now, **BY, schedule=schedule)),
            partial(run_due_schedules, timezone.now() + LATER),
        ]
    )
    assert BotMatch.objects.count() == 1
    assert BotSchedule.objects.get().is_active


def test_planting_and_deleting_the_draw_at_once_leave_no_orphan() -> None:
    for _ in range(ROUNDS):
        match = bot_match()
        together(
            [
                partial(code_of, partial(play_now, **BY, match=match)),
                partial(code_of, partial(delete_draw, **BY, event=match.event)),
            ]
        )
        assert BotMatch.objects.filter(sheet__match=None).count() == 0
        assert Scoresheet.objects.filter(match=None).count() == 0


def test_planting_and_finishing_the_event_together() -> None:
    for _ in range(ROUNDS):
        match = bot_match()
        finish = partial(finish_event, **BY, event=match.event, despite_unfinished=True)
        codes = together(
            [
                partial(code_of, partial(play_now, **BY, match=match)),
                partial(code_of, finish),
            ]
        )
        assert codes in (["done", "bots_play"], ["wrong_state", "done"])


def test_playing_and_cancelling_together() -> None:
    for _ in range(ROUNDS):
        match = planted(EventFactory.create(rules=house_rules(columns=1)))
        bots = of(match)
        together(
            [
                partial(play_bot_match, bots.pk),
                partial(code_of, partial(cancel, **BY, match=match, reason="rain")),
            ]
        )
        bots.refresh_from_db()
        assert bots.state in (BotMatchState.CANCELLED, BotMatchState.FINISHED)
        assert bots.hands.count() == Scoresheet.objects.get(pk=bots.sheet_id).deal_count


@pytest.mark.parametrize("what", ["walkover", "void", "line-up", "delete"])
def test_playing_meets_what_takes_the_match_away(what: str) -> None:
    """Whoever comes second is refused, or finds nothing to do; nothing stays that is played by nobody."""
    match = planted(EventFactory.create(rules=house_rules(columns=1)))
    bots = of(match)
    stranger = PlayerFactory.create(club=match.event.club)
    calls: dict[str, Any] = {
        "walkover": partial(award_walkover, **BY, match=match, winner_side=0, reason="x"),
        "void": partial(void_sheet, **BY, sheet=bots.sheet, reason="x"),
        "line-up": partial(set_line_up, **BY, match=match, side=0, players=[stranger]),
        "delete": partial(delete_draw, **BY, event=match.event),
    }
    together([partial(play_bot_match, bots.pk), partial(code_of, calls[what])])
    assert not BotMatch.objects.filter(state=BotMatchState.PLAYING).exists()


def test_forfeit_and_walkover_at_once_end_the_match_once() -> None:
    for _ in range(ROUNDS):
        match = planted()
        bots = of(match)
        claimed = claim(bots.pk, "worker")
        assert claimed is not None
        name = bots.sheet.seats.get(number=0).name

        def forfeit(claimed: BotMatch = claimed, name: str = name) -> None:
            end_failed(claimed, "worker", BotError(name, 1, "it did not answer"))

        walkover = partial(award_walkover, **BY, match=match, winner_side=0, reason="x")
        together([partial(either, forfeit), partial(code_of, walkover)])
        match.refresh_from_db()
        assert match.state in (MatchState.FORFEIT, MatchState.WALKOVER)
        assert of(match).is_over


def either(call: Any) -> None:
    """A worker's end, which may come too late."""
    with suppress(LeaseLost):
        call()
