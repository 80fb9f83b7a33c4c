"""What bots play ends otherwise: a bot fails, or its match, sheet or event is changed by people."""

import datetime
from typing import Any

import pytest

from games.models import BotMatch, BotMatchState
from games.services import claim, end_failed
from games.tables.play import BotError
from league.bots.bot_matches import cancel, play_now, play_round
from league.draws.forfeits import award_forfeit, award_walkover, clear_award
from league.draws.matches_by_hand import remove_match
from league.draws.recalculating import recalculate
from league.draws.round_life import complete_round, draft_round, publish_round, repair_round, unpublish_round
from league.draws.rounds import delete_draw
from league.events.entries import withdraw_entry
from league.events.event_life import finish_event
from league.matches.line_ups import set_line_up
from league.matches.matches import renew_sheet
from league.matches.substitutes import seat_substitute
from league.models import (
    AuditEntry,
    Club,
    Event,
    EventState,
    Match,
    MatchState,
    Player,
)
from league.people.players import change_player
from scoring.core.errors import RecordingError
from scoring.models import Scoresheet
from scoring.services import record_deals, void_sheet
from tests.factories import (
    OPERATOR,
    EventFactory,
    PlayerFactory,
    won,
)
from tests.league import bot_cases
from tests.league.bot_cases import begin, bot_match, of, planted, refused
from tests.league.bracket_play import cup, drawn, match_of
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

BY: dict[str, Any] = {"actor": OPERATOR}


# A bot that fails.


def fail(match: Match, loser: int) -> BotMatch:
    bots = of(match)
    claimed = claim(bots.pk, "worker")
    assert claimed is not None
    name = bots.sheet.seats.get(number=loser).name
    end_failed(claimed, "worker", BotError(name, 1, "it did not answer"))
    bots.refresh_from_db()
    return bots


@pytest.mark.parametrize("loser", [0, 1])
def test_bot_that_fails_forfeits_the_match(loser: int) -> None:
    match = planted()
    begin(match)
    bots = fail(match, loser)
    match.refresh_from_db()
    assert (bots.state, match.state, match.winner_side) == (
        BotMatchState.FORFEITED,
        MatchState.FORFEIT,
        1 - loser,
    )
    note = AuditEntry.objects.get(action="match.forfeit")
    assert (note.reason, note.actor_name) == (bots.note, "House bots")
    assert "did not answer" in bots.note


def test_forfeit_in_a_bracket_lets_the_other_go_on(club: Club) -> None:
    event = cup(club, 4)
    Player.objects.filter(entries__event=event).update(strategy="simple")
    drawn(event)
    match = match_of(event, 1)
    play_now(**BY, match=match)
    fail(match, 1)
    recalculate(event.pk)
    assert event.ties.get(number=1).winner == match.entry_a


@pytest.mark.parametrize("why", ["stated", "finished", "gone"])
def test_forfeit_that_cannot_be_stated_takes_nothing_back(why: str) -> None:
    match = planted()
    if why == "stated":
        Match.objects.filter(pk=match.pk).update(state=MatchState.WALKOVER, winner_side=1)
    elif why == "finished":
        Event.objects.filter(pk=match.event_id).update(state=EventState.FINISHED)
    else:
        Match.objects.filter(pk=match.pk).update(sheet=None)
        match = Match.objects.get(pk=match.pk)
        bots = BotMatch.objects.get()
        claimed = claim(bots.pk, "worker")
        assert claimed is not None
        end_failed(claimed, "worker", BotError("x", 1, "it did not answer"))
        assert BotMatch.objects.get().state == BotMatchState.FORFEITED
        return
    before = Match.objects.values_list("state", "winner_side").get(pk=match.pk)
    assert fail(match, 0).state == BotMatchState.FORFEITED
    assert Match.objects.values_list("state", "winner_side").get(pk=match.pk) == before


def test_forfeit_taken_back_before_the_first_hand_lets_bots_play_again() -> None:
    match = planted()
    fail(match, 0)
    clear_award(**BY, match=match, reason="the bot was mended")
    assert play_now(**BY, match=match).state == BotMatchState.DUE


def test_forfeit_taken_back_on_a_sheet_begun_by_people_lets_bots_play_again() -> None:
    match = bot_cases.bot_match()
    assert match.sheet is not None
    one, two = match.sheet.seats.order_by("number").values_list("name", flat=True)
    record_deals(**BY, sheet=match.sheet, deals=[won(one, two, 20)])
    play_now(**BY, match=match)
    fail(match, 0)
    clear_award(**BY, match=match, reason="the bot was mended")
    assert play_now(**BY, match=match).state == BotMatchState.DUE


# What happens around a bot match.


def test_stated_match_is_not_played_any_more() -> None:
    match = planted()
    begin(match)
    award_forfeit(**BY, match=match, winner_side=0, reason="left")
    assert (of(match).state, of(match).note) == (BotMatchState.CANCELLED, "A forfeit was awarded.")
    given = planted()
    award_walkover(**BY, match=given, winner_side=0, reason="nobody")
    assert of(given).state == BotMatchState.CANCELLED


@pytest.mark.parametrize("give_matches", [False, True])
def test_bot_that_withdraws_begins_nothing(give_matches: bool) -> None:
    match = planted()
    withdraw_entry(**BY, entry=match.entry_a, reason="unplugged", give_matches=give_matches)
    assert of(match).state == BotMatchState.CANCELLED
    match.refresh_from_db()
    assert match.state == (MatchState.WALKOVER if give_matches else MatchState.SCHEDULED)


def test_voided_sheet_ends_its_bot_match_and_a_new_one_can_be_planted() -> None:
    match = planted()
    begin(match)
    bots = of(match)
    void_sheet(**BY, sheet=bots.sheet, reason="wrong rules")
    bots.refresh_from_db()
    assert (bots.state, bots.note) == (BotMatchState.CANCELLED, "The sheet was voided.")
    match = renew_sheet(**BY, match=match)
    assert play_now(**BY, match=match).state == BotMatchState.DUE


def test_line_up_of_others_ends_it() -> None:
    match = planted()
    set_line_up(**BY, match=match, side=0, players=[PlayerFactory.create(club=match.event.club)])
    assert (of(match).state, of(match).note) == (
        BotMatchState.CANCELLED,
        "Other players have taken the seats.",
    )


def test_new_name_of_a_bot_at_its_usual_level_leaves_its_match_planted() -> None:
    match = bot_match()
    expert = match.appearances.get(side=0).player
    Player.objects.filter(pk=expert.pk).update(strategy="expert", level=None)
    play_now(**BY, match=match)
    expert.refresh_from_db()
    change_player(**BY, player=expert, name="Deep Knock")
    assert (of(match).state, of(match).note) == (BotMatchState.DUE, "")
    assert "Deep Knock" in [seat.name for seat in of(match).sheet.seats.all()]


def test_nobody_takes_over_a_seat_while_bots_play() -> None:
    match = planted()
    begin(match)
    with refuses(RecordingError, "bots_play"):
        seat_substitute(
            **BY,
            match=match,
            replaces=match.entry_a.players.get(),
            player=PlayerFactory.create(club=match.event.club),
            from_deal=2,
        )


def test_draw_deleted_takes_its_bot_matches_along() -> None:
    match = planted()
    delete_draw(**BY, event=match.event)
    assert not BotMatch.objects.exists()
    assert not Scoresheet.objects.exists()


def test_round_that_is_paired_anew_or_a_draft_again_takes_its_bot_matches_along() -> None:
    event = EventFactory.create(format="swiss")
    bot_cases.bot_entries(event, 4)
    round_ = publish_round(**BY, round_=draft_round(**BY, event=event))
    assert len(play_round(**BY, round_=round_)) == 2
    unpublish_round(**BY, round_=round_)
    assert not BotMatch.objects.exists()
    publish_round(**BY, round_=round_)
    play_round(**BY, round_=round_)
    repair_round(**BY, round_=round_)
    assert not BotMatch.objects.exists()
    assert not Scoresheet.objects.exists()


def test_match_removed_takes_its_bot_match_along() -> None:
    remove_match(**BY, match=planted())
    assert not BotMatch.objects.exists()


def test_draw_stands_once_bots_have_played() -> None:
    match = planted()
    begin(match)
    refused("has_hands", remove_match, match=match)
    refused("has_hands", delete_draw, event=match.event)


def test_event_is_not_finished_over_the_heads_of_its_bots() -> None:
    match = planted()
    refused("bots_play", finish_event, event=match.event, despite_unfinished=True)
    complete_round(**BY, round_=match.round, reason="enough")
    cancel(**BY, match=match, reason="enough")
    finish_event(**BY, event=match.event, despite_unfinished=True)


def test_bots_are_told_of_a_withdrawal_in_words_they_know() -> None:
    match = planted()
    type(match.entry_a).objects.filter(pk=match.entry_a_id).update(
        withdrawn_at=datetime.datetime.now(datetime.UTC)
    )
    with refuses(RecordingError, "withdrawn"):
        begin(match)


def test_cancelled_match_is_played_on_by_the_same_bots() -> None:
    match = planted()
    begin(match)
    bots = of(match)
    cancel(**BY, match=match, reason="The room closes")
    on = play_now(**BY, match=match)
    assert (on.pk, on.seed, on.bots, on.state) == (bots.pk, bots.seed, bots.bots, BotMatchState.DUE)
