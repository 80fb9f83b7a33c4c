"""Rounds drafted, published, complete, and back."""

import datetime
import itertools

import pytest

from league.draws.forfeits import award_walkover
from league.draws.matches_by_hand import add_match, remove_match
from league.draws.round_life import (
    complete_round,
    discard_round,
    draft_round,
    publish_round,
    reopen_round,
    repair_round,
    unpublish_round,
)
from league.draws.round_swaps import plan_swap, swap_entries
from league.draws.rounds import change_round, delete_draw
from league.errors import LeagueError
from league.events.entries import withdraw_entry
from league.matches.line_ups import set_line_up
from league.models import (
    Appearance,
    AuditEntry,
    Club,
    Entry,
    Event,
    EventState,
    ForbiddenPair,
    FormerSheet,
    Match,
    Presence,
    PresenceState,
    Role,
    Round,
    RoundState,
    StandingsRequest,
)
from league.policy import actor_of
from scoring.core.actors import Actor
from scoring.models import Scoresheet
from scoring.services import void_sheet
from tests.factories import (
    EntryFactory,
    EventFactory,
    PlayerFactory,
    UserFactory,
    play,
)
from tests.league.swiss_rounds import paired, play_all, seeded, swiss_of, who
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def test_published_round_has_sheets_and_line_ups(club: Club, director: Actor) -> None:
    round_ = paired(director, swiss_of(club, 5))
    assert round_.state == RoundState.PUBLISHED
    assert Scoresheet.objects.count() == 2
    assert Appearance.objects.filter(round=round_).count() == 4
    for match in round_.matches.exclude(entry_b=None):
        assert match.sheet is not None
        assert match.sheet.label == match.label
        assert [side.name for side in match.sheet.sides.order_by("position")] == [
            match.entry_a.name,
            str(match.entry_b),
        ]
    assert StandingsRequest.objects.filter(event=round_.event).exists()
    with refuses(LeagueError, "wrong_state"):
        publish_round(actor=director, round_=round_)


def test_teams_with_more_members_get_their_sheets_with_their_line_ups(club: Club, director: Actor) -> None:
    event: Event = EventFactory.create(club=club, format="swiss", team_size=2)
    for _ in range(2):
        EntryFactory.create(event=event, players=PlayerFactory.create_batch(3, club=club))
    round_ = draft_round(actor=director, event=event)
    match = round_.matches.get()
    members = [list(entry.players.all()[:2]) for entry in (match.entry_a, match.entry_b) if entry]
    with refuses(LeagueError, "round_drafted"):
        set_line_up(actor=director, match=match, side=0, players=members[0])
    publish_round(actor=director, round_=round_)
    assert not Scoresheet.objects.exists()
    for side, players in enumerate(members):
        set_line_up(actor=director, match=Match.objects.get(pk=match.pk), side=side, players=players)
    assert Scoresheet.objects.count() == 1


def test_who_has_gone_since_the_draft_is_said_before_it_is_published(club: Club, director: Actor) -> None:
    event = swiss_of(club, 4)
    round_ = draft_round(actor=director, event=event)
    withdraw_entry(actor=director, entry=event.entries.get(seed=4), reason="Ill")
    with refuses(LeagueError, "not_here") as said:
        publish_round(actor=director, round_=round_)
    assert "Entry 04" in str(said.value.message)
    again = repair_round(actor=director, round_=round_)
    assert (again.pk, who(again)) == (round_.pk, ["01 – 02", "03"])
    publish_round(actor=director, round_=again)


def test_round_is_paired_anew_before_its_first_hand_only(club: Club, director: Actor) -> None:
    event = swiss_of(club, 4)
    round_ = paired(director, event)
    EntryFactory.create(event=event, name="Entry 05", seed=5)
    repair_round(actor=director, round_=round_)
    round_.refresh_from_db()
    assert (round_.state, who(round_)) == (RoundState.DRAFTED, ["01 – 03", "02 – 04", "05"])
    assert not Scoresheet.objects.exists()
    note = AuditEntry.objects.get(action="round.repair")
    assert note.before is not None
    assert note.before["state"] == RoundState.PUBLISHED

    publish_round(actor=director, round_=round_)
    match = round_.matches.get(table=1)
    play(match, 20)
    for act in (repair_round, discard_round, unpublish_round):
        with refuses(LeagueError, "has_hands") as said:
            act(actor=director, round_=round_)
    assert match.label in str(said.value.message)


def test_round_in_which_something_is_stated_stands(club: Club, director: Actor) -> None:
    round_ = paired(director, swiss_of(club, 4))
    match = round_.matches.order_by("table")[0]
    award_walkover(actor=director, match=match, winner_side=0, reason="Nobody came")
    with refuses(LeagueError, "has_stated"):
        repair_round(actor=director, round_=round_)


def test_only_the_last_round_is_paired_anew(club: Club, director: Actor) -> None:
    event = swiss_of(club, 4)
    first = paired(director, event)
    draft_round(actor=director, event=event, despite_missing=True)
    for act in (repair_round, discard_round):
        with refuses(LeagueError, "not_last"):
            act(actor=director, round_=first)


def test_published_round_goes_back_to_a_draft_and_keeps_its_pairs(club: Club, director: Actor) -> None:
    round_ = paired(director, swiss_of(club, 4))
    before = who(round_)
    voided = round_.matches.order_by("table")[0].sheet
    assert voided is not None
    void_sheet(actor=director, sheet=voided, reason="Torn")
    unpublish_round(actor=director, round_=round_)
    round_.refresh_from_db()
    assert (round_.state, who(round_)) == (RoundState.DRAFTED, before)
    assert not Appearance.objects.exists()
    assert list(Scoresheet.objects.all()) == [voided]
    assert FormerSheet.objects.get().sheet == voided
    publish_round(actor=director, round_=round_)
    assert Scoresheet.objects.count() == 3


def test_round_is_discarded(club: Club, director: Actor) -> None:
    event = swiss_of(club, 5)
    round_ = paired(director, event)
    assert discard_round(actor=director, round_=round_) == 3
    assert (Round.objects.count(), Match.objects.count(), Scoresheet.objects.count()) == (0, 0, 0)
    draft_round(actor=director, event=event)
    delete_draw(actor=director, event=event)
    assert not Round.objects.exists()


def test_round_is_complete_once_all_is_played_or_a_reason_is_given(club: Club, director: Actor) -> None:
    event = swiss_of(club, 4)
    round_ = paired(director, event)
    one, two = round_.matches.order_by("table")
    play(one, 50, stopped=True)
    with refuses(LeagueError, "results_missing", field="reason") as said:
        complete_round(actor=director, round_=round_)
    assert two.label in str(said.value.message)
    complete_round(actor=director, round_=round_, reason="They play it next week")
    assert AuditEntry.objects.get(action="round.complete").reason == "They play it next week"
    reopen_round(actor=director, round_=round_)
    play(two, 50, stopped=True)
    complete_round(actor=director, round_=round_)
    round_.refresh_from_db()
    assert round_.state == RoundState.COMPLETE


def test_two_entries_of_a_draft_trade_places(club: Club, director: Actor) -> None:
    event = swiss_of(club, 5)
    round_ = draft_round(actor=director, event=event)
    swap_entries(actor=director, round_=round_, one=seeded(event, 3), other=seeded(event, 4))
    assert who(round_) == ["01 – 04", "02 – 03", "05"]
    swap_entries(actor=director, round_=round_, one=seeded(event, 5), other=seeded(event, 1))
    assert who(round_) == ["04 – 05", "02 – 03", "01"]
    assert all(match.reasons == ["changed by hand"] for match in round_.matches.all())
    match = round_.matches.get(table=1)
    first = match.entry_a
    swap_entries(actor=director, round_=round_, one=seeded(event, 4), other=seeded(event, 5))
    match.refresh_from_db()
    assert match.entry_a != first
    assert AuditEntry.objects.filter(action="round.swap").count() == 3


def test_swap_warns_of_what_the_pairing_would_not_have_done(club: Club, director: Actor) -> None:
    event = swiss_of(club, 5)
    play_all(paired(director, event))
    round_ = draft_round(actor=director, event=event)
    ForbiddenPair.objects.create(event=event, entry_a=seeded(event, 2), entry_b=seeded(event, 5))
    said = {
        warning
        for one in range(1, 6)
        for other in range(1, 6)
        if one != other
        for warning in plan_swap(round_=round_, one=seeded(event, one), other=seeded(event, other)).warnings
    }
    assert any("they have met" in warning for warning in said)
    assert any("they should not meet" in warning for warning in said)
    assert "Entry 05 has had a bye." in said


def test_swap_does_not_take_a_walkover_for_a_meeting(club: Club, director: Actor) -> None:
    """A match that was not played is no meeting (RULES §12)."""
    event = swiss_of(club, 4)
    first = paired(director, event)
    for match in first.matches.all():
        award_walkover(actor=director, match=match, winner_side=0, reason="not there")
    round_ = draft_round(actor=director, event=event)
    said = [
        plan_swap(round_=round_, one=seeded(event, one), other=seeded(event, other)).warnings
        for one, other in itertools.permutations(range(1, 5), 2)
    ]
    assert set(said) == {()}


def test_swap_is_refused(club: Club, director: Actor) -> None:
    event = swiss_of(club, 6)
    Presence.objects.create(event=event, entry=seeded(event, 6), round_number=1, state=PresenceState.BYE)
    Presence.objects.create(event=event, entry=seeded(event, 5), round_number=1, state=PresenceState.AWAY)
    round_ = draft_round(actor=director, event=event)
    for one, other, code in ((1, 1, "same_entry"), (1, 5, "not_in_round"), (6, 1, "asked_off")):
        with refuses(LeagueError, code):
            swap_entries(actor=director, round_=round_, one=seeded(event, one), other=seeded(event, other))
    publish_round(actor=director, round_=round_)
    with refuses(LeagueError, "round_published"):
        swap_entries(actor=director, round_=round_, one=seeded(event, 1), other=seeded(event, 2))


def test_scorekeepers_pair_nothing(club: Club, director: Actor) -> None:
    scorekeeper = actor_of(UserFactory.create(club=club, role=Role.SCOREKEEPER))
    event = swiss_of(club, 4)
    with refuses(LeagueError, "not_allowed"):
        draft_round(actor=scorekeeper, event=event)
    round_ = draft_round(actor=director, event=event)
    for act in (publish_round, repair_round, discard_round, complete_round, unpublish_round, reopen_round):
        with refuses(LeagueError, "not_allowed"):
            act(actor=scorekeeper, round_=round_)
    with refuses(LeagueError, "not_allowed"):
        swap_entries(actor=scorekeeper, round_=round_, one=seeded(event, 1), other=seeded(event, 2))


def test_match_added_by_hand_finds_nobody_twice(club: Club, director: Actor) -> None:
    """A draft has no line-ups that would tell; who sits out does not play as well."""
    event = swiss_of(club, 5)
    round_ = draft_round(actor=director, event=event)
    late = EntryFactory.create(event=event, name="Entry 06", seed=6)
    bye = round_.matches.get(entry_b=None)

    def add(first: Entry, second: Entry | None) -> str:
        with pytest.raises(LeagueError) as said:
            add_match(actor=director, round_=round_, entry_a=first, entry_b=second)
        return said.value.code

    assert add(seeded(event, 1), late) == "plays_already"
    assert add(late, bye.entry_a) == "plays_already"
    publish_round(actor=director, round_=round_, reason="06 is added by hand")
    assert add(seeded(event, 1), late) == "plays_already"
    assert add(late, bye.entry_a) == "plays_already"
    assert add(seeded(event, 1), None) == "plays_already"
    remove_match(actor=director, match=bye)
    match = add_match(actor=director, round_=round_, entry_a=bye.entry_a, entry_b=late)
    assert match.sheet is not None


def test_match_added_to_a_round_just_published_has_its_sheet(club: Club, director: Actor) -> None:
    """The round is as it is now, not as it was when the page was opened."""
    event = swiss_of(club, 4)
    seen = draft_round(actor=director, event=event)
    publish_round(actor=director, round_=Round.objects.get(pk=seen.pk))
    late = [EntryFactory.create(event=event, name=f"Late {number}") for number in (1, 2)]
    assert add_match(actor=director, round_=seen, entry_a=late[0], entry_b=late[1]).sheet is not None


def test_rounds_of_a_finished_event_stay_where_they_are(club: Club, director: Actor) -> None:
    event = swiss_of(club, 4)
    round_ = paired(director, event)
    Event.objects.filter(pk=event.pk).update(state=EventState.FINISHED)
    round_.event.refresh_from_db()
    with refuses(LeagueError, "wrong_state"):
        change_round(actor=director, round_=round_, date=datetime.date(2026, 5, 1))
