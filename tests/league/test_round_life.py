"""Rounds drafted, published, complete, and back; a Swiss from its first round to its last."""

import datetime
import random
from collections import Counter
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.errors import LeagueError
from league.models import (
    Appearance,
    AuditEntry,
    Club,
    Entry,
    Event,
    EventFormat,
    EventState,
    ForbiddenPair,
    FormerSheet,
    Match,
    MatchState,
    Presence,
    PresenceState,
    Role,
    Round,
    RoundState,
    StandingsRequest,
)
from league.policy import actor_of
from league.services.entries import withdraw_entry
from league.services.line_ups import set_line_up
from league.services.matches_by_hand import add_match, remove_match
from league.services.planning import plan_next_round
from league.services.plans import NoPairingError
from league.services.round_life import (
    complete_round,
    discard_round,
    draft_round,
    left_out,
    publish_round,
    reopen_round,
    repair_round,
    unpublish_round,
)
from league.services.round_swaps import plan_swap, swap_entries
from league.services.rounds import change_round, delete_draw
from league.services.stated import state_walkover
from scoring.actors import Actor
from scoring.models import Scoresheet
from scoring.services import void_sheet
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    PlayerFactory,
    UserFactory,
    play,
)

pytestmark = pytest.mark.django_db


def swiss_of(club: Club, count: int, *, team_size: int = 1, **values: object) -> Event:
    event: Event = EventFactory.create(
        club=club, name="Saturday Swiss", format=EventFormat.SWISS, team_size=team_size, **values
    )
    for number in range(1, count + 1):
        EntryFactory.create(event=event, name=f"Entry {number:02}", seed=number)
    return event


def who(round_: Round) -> list[str]:
    """Who meets whom, and who sits out, in order of tables."""
    rows = round_.matches.select_related("entry_a", "entry_b").order_by("id")
    return [
        " – ".join(sorted(entry.name[-2:] for entry in (match.entry_a, match.entry_b) if entry))
        for match in rows
    ]


def play_all(round_: Round, *, chance: random.Random | None = None) -> None:
    """Plays every match: the first named wins, or who chance says."""
    for match in round_.matches.filter(state=MatchState.SCHEDULED).order_by("pk"):
        points = 50 if chance is None else chance.choice([40, -40, 60, -60])
        play(match, points, stopped=True)


def paired(director: Actor, event: Event) -> Round:
    return publish_round(actor=director, round_=draft_round(actor=director, event=event))


def test_draft_has_matches_with_reasons_and_no_sheets(club: Club, director: Actor) -> None:
    event = swiss_of(club, 5)
    round_ = draft_round(actor=director, event=event)
    assert (round_.number, round_.state) == (1, RoundState.DRAFTED)
    assert who(round_) == ["01 – 03", "02 – 04", "05"]
    assert [match.label for match in round_.matches.order_by("id")] == [
        "SS01-1",
        "SS01-2",
        "SS01-bye",
    ]
    assert {tuple(match.reasons) for match in round_.matches.all()} == {
        ("same score",),
        ("bye: lowest score without one",),
    }
    assert not Scoresheet.objects.exists()
    assert not Appearance.objects.exists()
    note = AuditEntry.objects.get(action="round.draft")
    assert note.after is not None
    assert note.after["byes"] == ["Entry 05"]


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
    with pytest.raises(LeagueError) as again:
        publish_round(actor=director, round_=round_)
    assert again.value.code == "wrong_state"


def test_teams_with_more_members_get_their_sheets_with_their_line_ups(club: Club, director: Actor) -> None:
    event: Event = EventFactory.create(club=club, format=EventFormat.SWISS, team_size=2)
    for _ in range(2):
        EntryFactory.create(event=event, players=PlayerFactory.create_batch(3, club=club))
    round_ = draft_round(actor=director, event=event)
    match = round_.matches.get()
    members = [list(entry.players.all()[:2]) for entry in (match.entry_a, match.entry_b) if entry]
    with pytest.raises(LeagueError) as early:
        set_line_up(actor=director, match=match, side=0, players=members[0])
    assert early.value.code == "round_drafted"
    publish_round(actor=director, round_=round_)
    assert not Scoresheet.objects.exists()
    for side, players in enumerate(members):
        set_line_up(actor=director, match=Match.objects.get(pk=match.pk), side=side, players=players)
    assert Scoresheet.objects.count() == 1


def test_second_round_pairs_winners_with_winners(club: Club, director: Actor) -> None:
    event = swiss_of(club, 8)
    first = paired(director, event)
    winners = set()
    for match in first.matches.all():
        play(match, 50, stopped=True)
        winners.add(match.entry_a_id)
    second = draft_round(actor=director, event=event)
    for match in second.matches.all():
        assert len({match.entry_a_id in winners, match.entry_b_id in winners}) == 1
    first.refresh_from_db()
    assert first.state == RoundState.COMPLETE


def test_round_is_not_paired_while_results_are_missing_unless_said_so(club: Club, director: Actor) -> None:
    event = swiss_of(club, 6)
    first = paired(director, event)
    one, two, held = first.matches.order_by("table")
    play(one, 50, stopped=True)
    play(held, 50, stopped=True)
    Match.objects.filter(pk=held.pk).update(held=True)
    with pytest.raises(LeagueError) as missing:
        draft_round(actor=director, event=event)
    assert (missing.value.code, missing.value.field) == ("results_missing", "despite_missing")
    assert missing.value.message.startswith("2 results are missing: ")
    assert two.label in missing.value.message
    assert f"{held.label} {held} (held back)" in missing.value.message
    assert one.label not in missing.value.message
    assert event.rounds.count() == 1

    second = draft_round(actor=director, event=event, despite_missing=True)
    assert second.number == 2
    assert "2 results are missing" in AuditEntry.objects.filter(action="round.draft").latest("pk").reason
    first.refresh_from_db()
    assert first.state == RoundState.PUBLISHED


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"state": EventState.OPEN}, "wrong_state"),
        ({"state": EventState.FINISHED}, "wrong_state"),
        ({"format": EventFormat.ROUND_ROBIN}, "drawn_at_once"),
    ],
)
def test_round_is_refused(club: Club, director: Actor, values: dict[str, object], code: str) -> None:
    event = swiss_of(club, 4)
    Event.objects.filter(pk=event.pk).update(**values)
    with pytest.raises(LeagueError) as said:
        draft_round(actor=director, event=event)
    assert said.value.code == code
    assert not event.rounds.exists()


def test_nothing_is_paired_after_the_last_planned_round(club: Club, director: Actor) -> None:
    event = swiss_of(club, 4, rounds_planned=1)
    play_all(paired(director, event))
    with pytest.raises(LeagueError) as said:
        draft_round(actor=director, event=event)
    assert said.value.code == "no_more_rounds"


def test_too_few_are_said_plainly(club: Club, director: Actor) -> None:
    event = swiss_of(club, 2)
    Presence.objects.create(
        event=event, entry=event.entries.get(seed=2), round_number=1, state=PresenceState.AWAY
    )
    with pytest.raises(LeagueError) as said:
        draft_round(actor=director, event=event)
    assert said.value.code == "too_few_entries"


def test_a_drafted_round_waits_for_its_director(club: Club, director: Actor) -> None:
    event = swiss_of(club, 4)
    draft_round(actor=director, event=event, number=1)
    with pytest.raises(LeagueError) as said:
        draft_round(actor=director, event=event)
    assert said.value.code == "round_drafted"
    with pytest.raises(LeagueError) as said:
        draft_round(actor=director, event=event, number=1)
    assert said.value.code == "paired_already"


def test_where_nobody_is_left_to_meet_the_fewest_rematches_are_offered(club: Club, director: Actor) -> None:
    event = swiss_of(club, 4)
    for _ in range(3):
        play_all(paired(director, event))
    with pytest.raises(NoPairingError) as refused:
        draft_round(actor=director, event=event)
    assert refused.value.code == "no_pairing"
    assert refused.value.message == (
        "Round 4 cannot be paired by the rules. The nearest pairing takes 2 rematches."
    )
    assert len(refused.value.offer.matches) == 2
    assert event.rounds.count() == 3
    plan = plan_next_round(event, accept_offer=True)
    assert plan.warnings == (refused.value.message,)

    fourth = draft_round(actor=director, event=event, accept_offer=True)
    assert all("rematch: no other pairing" in match.reasons for match in fourth.matches.all())


def test_only_those_who_are_there_are_paired(club: Club, director: Actor) -> None:
    """Without check-in all but those away; who asked for a bye sits out for its points."""
    event = swiss_of(club, 6, absent_points=Decimal("0.5"))
    for seed, state in ((1, PresenceState.AWAY), (2, PresenceState.BYE), (3, PresenceState.HERE)):
        Presence.objects.create(event=event, entry=event.entries.get(seed=seed), round_number=1, state=state)
    event.entries.filter(seed=4).update(first_round=2)
    plan = plan_next_round(event)
    assert plan.warnings == ("1 entry is not here and is not paired: Entry 01.",)
    round_ = draft_round(actor=director, event=event)
    assert who(round_) == ["03 – 05", "06", "02"]
    assert [match.state for match in round_.matches.order_by("id")] == [
        MatchState.SCHEDULED,
        MatchState.BYE,
        MatchState.ABSENT,
    ]
    publish_round(actor=director, round_=round_)


def test_with_check_in_only_those_marked_here_are_paired(club: Club, director: Actor) -> None:
    event = swiss_of(club, 6, check_in=True)
    for seed in (2, 3, 4, 6):
        Presence.objects.create(
            event=event, entry=event.entries.get(seed=seed), round_number=1, state=PresenceState.HERE
        )
    round_ = draft_round(actor=director, event=event)
    assert who(round_) == ["02 – 04", "03 – 06"]
    assert left_out(event, round_) == []
    Presence.objects.create(event=event, entry=seeded(event, 1), round_number=1, state=PresenceState.HERE)
    assert left_out(event, round_) == [seeded(event, 1)]


def test_who_has_gone_since_the_draft_is_said_before_it_is_published(club: Club, director: Actor) -> None:
    event = swiss_of(club, 4)
    round_ = draft_round(actor=director, event=event)
    withdraw_entry(actor=director, entry=event.entries.get(seed=4), reason="Ill")
    with pytest.raises(LeagueError) as said:
        publish_round(actor=director, round_=round_)
    assert said.value.code == "not_here"
    assert "Entry 04" in said.value.message
    again = repair_round(actor=director, round_=round_)
    assert (again.pk, who(again)) == (round_.pk, ["01 – 02", "03"])
    publish_round(actor=director, round_=again)


def test_forbidden_pairs_are_kept_apart(club: Club, director: Actor) -> None:
    event = swiss_of(club, 4)
    one, three = event.entries.get(seed=1), event.entries.get(seed=3)
    ForbiddenPair.objects.create(event=event, entry_a=one, entry_b=three)
    assert "01 – 03" not in who(draft_round(actor=director, event=event))


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
        with pytest.raises(LeagueError) as said:
            act(actor=director, round_=round_)
        assert said.value.code == "has_hands"
    assert match.label in said.value.message


def test_round_in_which_something_is_stated_stands(club: Club, director: Actor) -> None:
    round_ = paired(director, swiss_of(club, 4))
    match = round_.matches.order_by("table")[0]
    state_walkover(actor=director, match=match, winner_side=0, reason="Nobody came")
    with pytest.raises(LeagueError) as said:
        repair_round(actor=director, round_=round_)
    assert said.value.code == "has_stated"


def test_only_the_last_round_is_paired_anew(club: Club, director: Actor) -> None:
    event = swiss_of(club, 4)
    first = paired(director, event)
    draft_round(actor=director, event=event, despite_missing=True)
    for act in (repair_round, discard_round):
        with pytest.raises(LeagueError) as said:
            act(actor=director, round_=first)
        assert said.value.code == "not_last"


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
    with pytest.raises(LeagueError) as said:
        complete_round(actor=director, round_=round_)
    assert (said.value.code, said.value.field) == ("results_missing", "reason")
    assert two.label in said.value.message
    complete_round(actor=director, round_=round_, reason="They play it next week")
    assert AuditEntry.objects.get(action="round.complete").reason == "They play it next week"
    reopen_round(actor=director, round_=round_)
    play(two, 50, stopped=True)
    complete_round(actor=director, round_=round_)
    round_.refresh_from_db()
    assert round_.state == RoundState.COMPLETE


def seeded(event: Event, seed: int) -> Entry:
    return event.entries.get(seed=seed)


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


def test_swap_is_refused(club: Club, director: Actor) -> None:
    event = swiss_of(club, 6)
    Presence.objects.create(event=event, entry=seeded(event, 6), round_number=1, state=PresenceState.BYE)
    Presence.objects.create(event=event, entry=seeded(event, 5), round_number=1, state=PresenceState.AWAY)
    round_ = draft_round(actor=director, event=event)
    for one, other, code in ((1, 1, "same_entry"), (1, 5, "not_in_round"), (6, 1, "asked_off")):
        with pytest.raises(LeagueError) as said:
            swap_entries(actor=director, round_=round_, one=seeded(event, one), other=seeded(event, other))
        assert said.value.code == code
    publish_round(actor=director, round_=round_)
    with pytest.raises(LeagueError) as said:
        swap_entries(actor=director, round_=round_, one=seeded(event, 1), other=seeded(event, 2))
    assert said.value.code == "round_published"


def test_scorekeepers_pair_nothing(club: Club, director: Actor) -> None:
    scorekeeper = actor_of(UserFactory.create(club=club, role=Role.SCOREKEEPER))
    event = swiss_of(club, 4)
    with pytest.raises(LeagueError) as said:
        draft_round(actor=scorekeeper, event=event)
    assert said.value.code == "not_allowed"
    round_ = draft_round(actor=director, event=event)
    for act in (publish_round, repair_round, discard_round, complete_round, unpublish_round, reopen_round):
        with pytest.raises(LeagueError) as said:
            act(actor=scorekeeper, round_=round_)
        assert said.value.code == "not_allowed"
    with pytest.raises(LeagueError) as said:
        swap_entries(actor=scorekeeper, round_=round_, one=seeded(event, 1), other=seeded(event, 2))
    assert said.value.code == "not_allowed"


@pytest.mark.parametrize("seed", range(4))
def test_swiss_played_to_its_end_with_comings_and_goings(club: Club, director: Actor, seed: int) -> None:
    """Seven rounds of ten: nobody meets twice, nobody has two byes, everybody there has one place."""
    chance = random.Random(seed)
    event = swiss_of(club, 10 + seed % 2, rounds_planned=6)
    for number in range(1, 7):
        if number == 2:
            EntryFactory.create(event=event, name="Entry 20", seed=20, first_round=2)
        if number == 4:
            withdraw_entry(actor=director, entry=chance.choice(list(event.entries.all())), reason="Ill")
        round_ = draft_round(actor=director, event=event)
        publish_round(actor=director, round_=round_)
        there = event.entries.filter(withdrawn_at=None, first_round__lte=number)
        seated = Counter(
            entry
            for match in round_.matches.all()
            for entry in (match.entry_a_id, match.entry_b_id)
            if entry is not None
        )
        assert seated == Counter(there.values_list("pk", flat=True))
        play_all(round_, chance=chance)
    met = Counter(
        frozenset((match.entry_a_id, match.entry_b_id)) for match in event.matches.exclude(entry_b=None)
    )
    assert set(met.values()) == {1}
    byes = Counter(event.matches.filter(state=MatchState.BYE).values_list("entry_a_id", flat=True))
    assert max(byes.values(), default=0) <= 1


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
    publish_round(actor=director, round_=round_)
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
    with pytest.raises(LeagueError) as said:
        change_round(actor=director, round_=round_, date=datetime.date(2026, 5, 1))
    assert said.value.code == "wrong_state"


def test_planning_asks_the_database_as_often_for_many_as_for_few(club: Club, director: Actor) -> None:
    often = []
    for count in (6, 40):
        event = swiss_of(ClubFactory.create(), count)
        play_all(publish_round(actor=OPERATOR, round_=draft_round(actor=OPERATOR, event=event)))
        with CaptureQueriesContext(connection) as queries:
            plan_next_round(event)
        often.append(len(queries))
    assert often[0] == often[1] <= 15
