"""Matches that bots play: planted by hand, cancelled, forfeited, and what else happens around them."""

import datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import BotMatch, BotMatchState
from games.play import BotError
from games.services import claim, forfeit, play_bot_match
from games.services.recording import actor_of
from league.errors import LeagueError
from league.models import (
    AuditEntry,
    Club,
    Event,
    EventFormat,
    EventState,
    Exhibition,
    Match,
    MatchState,
    Player,
    RoundState,
)
from league.services.bot_matches import (
    cancel,
    cancel_exhibition,
    cancel_round,
    plant_in_event,
    play_now,
    play_round,
)
from league.services.entries import withdraw_entry
from league.services.event_life import finish_event
from league.services.line_ups import set_line_up
from league.services.matches import renew_sheet
from league.services.matches_by_hand import remove_match
from league.services.round_life import (
    complete_round,
    draft_round,
    publish_round,
    repair_round,
    unpublish_round,
)
from league.services.rounds import delete_draw
from league.services.standings import recalculate
from league.services.stated import clear_stated, state_forfeit, state_walkover
from league.services.substitutes import seat_substitute
from scoring.errors import RecordingError
from scoring.models import Scoresheet
from scoring.services import record_deals, void_sheet
from tests.factories import (
    OPERATOR,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    house_rules,
    won,
)
from tests.kept import contents
from tests.league import bot_cases
from tests.league.admin_pages import page, text
from tests.league.bot_cases import bot_match, of, planted
from tests.league.bracket_play import cup, drawn, match_of

pytestmark = pytest.mark.django_db

BY: dict[str, Any] = {"actor": OPERATOR}


def refused(code: str, call: Any, **values: Any) -> None:
    before = contents()
    with pytest.raises(LeagueError) as refusal:
        call(**BY, **values)
    assert refusal.value.code == code
    assert refusal.value.message.endswith(".")
    assert contents() == before


def begin(match: Match) -> None:
    """A deal goes on the sheet, by the bots."""
    bots = of(match)
    one, two = bots.sheet.seats.order_by("number").values_list("name", flat=True)
    record_deals(actor=actor_of(bots), sheet=bots.sheet, deals=[won(one, two, 20)])


# Planted by hand.


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
    pairs = EventFactory.create(team_size=2, format=EventFormat.ROTATION)
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
    state_walkover(**BY, match=stated, winner_side=0, reason="x")
    refused("has_result", play_now, match=stated)
    drafted = bot_match(round=RoundFactory.create(state=RoundState.DRAFTED))
    refused("no_line_up", play_now, match=drafted)
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


# A bot that fails.


def fail(match: Match, loser: int) -> BotMatch:
    bots = of(match)
    claimed = claim(bots.pk, "worker")
    assert claimed is not None
    name = bots.sheet.seats.get(number=loser).name
    forfeit(claimed, "worker", BotError(name, 1, "it did not answer"))
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
        forfeit(claimed, "worker", BotError("x", 1, "it did not answer"))
        assert BotMatch.objects.get().state == BotMatchState.FORFEITED
        return
    before = Match.objects.values_list("state", "winner_side").get(pk=match.pk)
    assert fail(match, 0).state == BotMatchState.FORFEITED
    assert Match.objects.values_list("state", "winner_side").get(pk=match.pk) == before


def test_forfeit_taken_back_before_the_first_hand_lets_bots_play_again() -> None:
    match = planted()
    fail(match, 0)
    clear_stated(**BY, match=match, reason="the bot was mended")
    assert play_now(**BY, match=match).state == BotMatchState.DUE


# What happens around a bot match.


def test_stated_match_is_not_played_any_more() -> None:
    match = planted()
    begin(match)
    state_forfeit(**BY, match=match, winner_side=0, reason="left")
    assert (of(match).state, of(match).note) == (BotMatchState.CANCELLED, "A forfeit was stated.")
    given = planted()
    state_walkover(**BY, match=given, winner_side=0, reason="nobody")
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


def test_nobody_takes_over_a_seat_while_bots_play() -> None:
    match = planted()
    begin(match)
    with pytest.raises(RecordingError) as refusal:
        seat_substitute(
            **BY,
            match=match,
            replaces=match.entry_a.players.get(),
            player=PlayerFactory.create(club=match.event.club),
            from_deal=2,
        )
    assert refusal.value.code == "bots_play"


def test_draw_deleted_takes_its_bot_matches_along() -> None:
    match = planted()
    delete_draw(**BY, event=match.event)
    assert not BotMatch.objects.exists()
    assert not Scoresheet.objects.exists()


def test_round_that_is_paired_anew_or_a_draft_again_takes_its_bot_matches_along() -> None:
    event = EventFactory.create(format=EventFormat.SWISS)
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
    with pytest.raises(RecordingError) as refusal:
        begin(match)
    assert refusal.value.code == "withdrawn"


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


# The administration.


def test_acts_are_offered_where_they_can_be_done(owner: Client, event: Event) -> None:
    waiting, person = bot_match(event), MatchFactory.create(event=event)
    assert "Let the bots play" in text(owner.get(page("match", waiting)))
    assert "Let the bots play" not in text(owner.get(page("match", person)))
    assert "Let the bots play" in text(owner.get(page("round", waiting.round)))
    play_now(**BY, match=waiting)
    shown = text(owner.get(page("match", waiting)))
    assert "Cancel the bot match" in shown
    assert "Let the bots play" not in shown
    assert "Cancel the bot matches" in text(owner.get(page("round", waiting.round)))


def test_preview_says_who_plays_how(owner: Client, event: Event) -> None:
    match = bot_match(event)
    shown = text(owner.post(page("match", match, "let_bots_play")))
    assert f"{match.entry_a}: simple" in shown
    assert "It can be cancelled at any deal." in shown
    assert not BotMatch.objects.exists()


def test_entry_page_says_that_bots_play_and_saves_no_deal(owner: Client, event: Event) -> None:
    match = bot_match(event)
    address = reverse("entry:sheet", args=[match.code])
    said = "Bots play this sheet: no deal is added here"
    assert said not in text(owner.get(address))
    play_now(**BY, match=match)
    assert said in text(owner.get(address))
    cancel(**BY, match=match, reason="by hand")
    assert said not in text(owner.get(address))
