"""Matches that bots play: planted by hand and for a whole event, and cancelled."""

from typing import Any

import pytest

from games.models import BotMatch, BotMatchState
from games.services import play_bot_match
from league.bots.bot_matches import (
    cancel,
    cancel_exhibition,
    cancel_round,
    plant_in_event,
    play_now,
    play_round,
)
from league.draws.forfeits import award_walkover
from league.draws.recalculating import recalculate
from league.events.entries import withdraw_entry
from league.models import (
    AuditEntry,
    Event,
    EventState,
    Exhibition,
    MatchState,
    RoundState,
)
from scoring.services import record_deals
from tests.factories import (
    OPERATOR,
    EntryFactory,
    EventFactory,
    MatchFactory,
    RoundFactory,
    house_rules,
    won,
)
from tests.league import bot_cases
from tests.league.bot_cases import begin, bot_match, of, planted, refused

pytestmark = pytest.mark.django_db

BY: dict[str, Any] = {"actor": OPERATOR}


def test_match_is_planted_for_its_bots() -> None:
    match = bot_match()
    names = ["simple", "steady"]
    for entry, name in zip((match.entry_a, match.entry_b), names, strict=True):
        assert entry is not None
        entry.players.update(strategy=name)
    bots = play_now(**BY, match=match)
    assert bots.state == BotMatchState.DUE
    assert [bots.bots[seat]["strategy"] for seat in "01"] == names
    assert AuditEntry.objects.filter(action="match.let_bots_play", object_id=str(match.pk)).exists()


def test_bots_play_it_to_its_end_and_it_counts() -> None:
    match = planted(EventFactory.create(rules=house_rules(columns=1)))
    play_bot_match(of(match).pk)
    match.refresh_from_db()
    assert of(match).state == BotMatchState.FINISHED
    assert match.state == MatchState.FINISHED
    recalculate(match.event_id)
    assert match.entry_a.standing.played == 1


def test_teams_of_bots_and_rotating_pairs_are_planted_seat_by_seat() -> None:
    team = EventFactory.create(team_size=2)
    bots = bot_cases.bots(team.club, 4)
    sides = [
        EntryFactory.create(event=team, name=f"Team {number}", players=bots[number * 2 : number * 2 + 2])
        for number in (0, 1)
    ]
    match = MatchFactory.create(event=team, entry_a=sides[0], entry_b=sides[1])
    assert len(play_now(**BY, match=match).bots) == 4
    pairs = EventFactory.create(team_size=2, format="rotation")
    a, b, c, d = bot_cases.bot_entries(pairs, 4)
    match = MatchFactory.create(event=pairs, entry_a=a, partner_a=b, entry_b=c, partner_b=d)
    assert sorted(play_now(**BY, match=match).bots) == ["0", "1", "2", "3"]


def test_round_is_planted_but_for_the_matches_of_people() -> None:
    round_, _data = bot_cases.round_of_bots()
    assert len(play_round(**BY, round_=round_)) == 2
    refused("nothing_to_play", play_round, round_=round_)
    assert cancel_round(**BY, round_=round_, reason="rain") == 2
    refused("nothing_to_cancel", cancel_round, round_=round_, reason="rain")


def test_what_is_not_for_bots_is_refused() -> None:
    person = MatchFactory.create()
    refused("persons_play", play_now, match=person)
    mixed = MatchFactory.create(event=person.event, entry_a=bot_cases.bot_entries(person.event, 1)[0])
    refused("persons_play", play_now, match=mixed)
    refused("bye", play_now, match=MatchFactory.create(entry_b=None))
    refused("bots_play", play_now, match=planted())
    stated = bot_match()
    award_walkover(**BY, match=stated, winner_side=0, reason="x")
    refused("has_result", play_now, match=stated)
    drafted = bot_match(round=RoundFactory.create(state=RoundState.DRAFTED))
    assert refused("no_line_up", play_now, match=drafted).message == "Set all line-ups first."
    over = bot_match()
    Event.objects.filter(pk=over.event_id).update(state=EventState.FINISHED)
    refused("wrong_state", play_now, match=over)
    gone = bot_match()
    withdraw_entry(**BY, entry=gone.entry_a, reason="unplugged")
    refused("withdrawn", play_now, match=gone)
    unknown = bot_match()
    unknown.entry_a.players.update(strategy="retired")
    refused("unknown_strategy", play_now, match=unknown)


def test_sheet_that_people_have_begun_is_played_on_by_bots() -> None:
    match = bot_match()
    assert match.sheet is not None
    one, two = match.sheet.seats.order_by("number").values_list("name", flat=True)
    record_deals(**BY, sheet=match.sheet, deals=[won(one, two, 20)])
    assert play_now(**BY, match=match).state == BotMatchState.DUE


def test_cancelled_before_its_first_hand_it_can_be_planted_again() -> None:
    match = planted()
    first = of(match)
    cancel(**BY, match=match, reason="later")
    assert of(match).state == BotMatchState.CANCELLED
    again = play_now(**BY, match=match)
    assert (again.state, again.pk != first.pk) == (BotMatchState.DUE, True)
    assert BotMatch.objects.count() == 1


def test_cancelled_match_waits_to_be_played_and_people_go_on() -> None:
    match = planted()
    begin(match)
    cancel(**BY, match=match, reason="we do it by hand")
    match.refresh_from_db()
    assert (match.state, of(match).state) == (MatchState.PLAYING, BotMatchState.CANCELLED)
    assert match.sheet is not None
    one, two = match.sheet.seats.order_by("number").values_list("name", flat=True)
    assert record_deals(**BY, sheet=match.sheet, deals=[won(one, two, 5)]).version == 2
    refused("nothing_to_cancel", cancel, match=match, reason="again")


def test_reason_of_a_cancellation_is_asked() -> None:
    refused("reason_missing", cancel, match=planted(), reason=" ")


def test_exhibition_is_cancelled_once() -> None:
    made, _data = bot_cases.exhibition()
    cancel_exhibition(**BY, exhibition=made, reason="enough")
    refused("match_over", cancel_exhibition, exhibition=Exhibition.objects.get(), reason="enough")


# Of a whole event, as schedules do.


def test_event_is_planted_in_order_of_rounds_and_no_more_than_asked() -> None:
    event = EventFactory.create()
    rounds = [RoundFactory.create(event=event, number=number) for number in (2, 1)]
    later, sooner = [bot_match(event, round=round_) for round_ in rounds]
    assert [each.sheet_id for each in plant_in_event(event, 1)] == [sooner.sheet_id]
    assert [each.sheet_id for each in plant_in_event(event, 9)] == [later.sheet_id]
    assert plant_in_event(event, 9) == []


def test_what_was_cancelled_withdrawn_or_drafted_is_not_planted_by_schedules() -> None:
    event = EventFactory.create()
    cancelled = bot_match(event)
    play_now(**BY, match=cancelled)
    cancel(**BY, match=cancelled, reason="by hand")
    withdrawn = bot_match(event)
    withdraw_entry(**BY, entry=withdrawn.entry_a, reason="unplugged")
    bot_match(event, round=RoundFactory.create(event=event, state=RoundState.DRAFTED))
    waiting = bot_match(event)
    assert [each.sheet_id for each in plant_in_event(event, 2)] == [waiting.sheet_id]


@pytest.mark.parametrize("state", [EventState.DRAFT, EventState.OPEN])
def test_event_that_has_not_begun_has_nothing_to_plant(state: EventState) -> None:
    event = EventFactory.create(state=state)
    assert plant_in_event(event, 3) == []
