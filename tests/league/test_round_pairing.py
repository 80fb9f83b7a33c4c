"""Whom the next round of a Swiss brings together, and when it is not paired; a whole Swiss."""

import random
import re
from collections import Counter
from collections.abc import Callable
from decimal import Decimal

import pytest
from django.db import connection
from django.db.models import Q
from django.test.utils import CaptureQueriesContext

from league.draws.forfeits import award_forfeit, award_walkover
from league.draws.levels import decide_level, undecided
from league.draws.planning import plan_next_round
from league.draws.plans import NoRoundPlanError
from league.draws.recalculating import recalculate
from league.draws.round_life import draft_round, publish_round
from league.draws.round_swaps import plan_swap
from league.draws.staleness import no_longer_fits
from league.draws.swiss_rounds import first_half, in_pairing_order, virtual_points_in
from league.errors import LeagueError
from league.events.entries import withdraw_entry
from league.events.events import change_event
from league.files.trf import export_trf
from league.models import (
    Appearance,
    AuditEntry,
    Club,
    CutHow,
    Entry,
    Event,
    EventState,
    ForbiddenPair,
    Match,
    MatchState,
    Presence,
    PresenceState,
    Round,
    RoundState,
)
from league.people.players import change_player
from league.policy.naming import Names
from league.tables.adjustments import add_adjustment
from scoring.core.actors import Actor
from scoring.models import Scoresheet
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    play,
)
from tests.league.swiss_rounds import paired, play_all, seeded, swiss_of, who
from tests.league.told import as_written
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


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
    assert {
        match.entry_b_id is None: Names(None, covered=False).reasons(match) for match in round_.matches.all()
    } == {
        False: ["both are on 0", "they have not met"],
        True: ["bye: lowest score without a free win"],
    }
    assert not Scoresheet.objects.exists()
    assert not Appearance.objects.exists()
    note = AuditEntry.objects.get(action="round.draft")
    assert note.after is not None
    assert as_written(note.after)["byes"] == ["Entry 05"]


def test_a_float_says_who_meets_whom_and_why(club: Club, director: Actor) -> None:
    """Three won, so one of them floats down to one of the three who lost."""
    event = swiss_of(club, 6)
    play_all(paired(director, event))
    said = ["; ".join(Names(None, covered=False).reasons(match)) for match in matches_of(event, director)]
    (floated,) = (sentence for sentence in said if "meets" in sentence)
    assert re.fullmatch(
        r"Entry 0\d \(2\) meets Entry 0\d \(0\): an odd number was left on 2; "
        r"Entry 0\d has not floated up before",
        floated,
    )
    assert (
        said.count("both are on 2; they have not met") == said.count("both are on 0; they have not met") == 1
    )


def matches_of(event: Event, director: Actor) -> list[Match]:
    """The matches of the next round, drafted."""
    return list(draft_round(actor=director, event=event).matches.all())


@pytest.mark.parametrize("winner", [0, None])
@pytest.mark.parametrize("award", [award_walkover, award_forfeit])
def test_two_of_whom_one_or_both_did_not_come_have_not_met(
    club: Club, director: Actor, award: Callable[..., Match], winner: int | None
) -> None:
    """FIDE C.04.2, 3.5: two who did not play their match may be paired again."""
    event = swiss_of(club, 2)
    (only,) = paired(director, event).matches.all()
    award(actor=director, match=only, winner_side=winner, reason="did not come")
    assert who(draft_round(actor=director, event=event)) == ["01 – 02"]


def test_a_match_given_up_after_a_hand_was_a_meeting(club: Club, director: Actor) -> None:
    event = swiss_of(club, 2)
    (only,) = paired(director, event).matches.all()
    play(only, 20)
    award_forfeit(actor=director, match=only, winner_side=0, reason="had to leave")
    with pytest.raises(NoRoundPlanError):
        draft_round(actor=director, event=event)


@pytest.mark.parametrize("award", [award_walkover, award_forfeit])
def test_a_match_won_without_play_is_a_bye_when_byes_are_given(
    club: Club, director: Actor, award: Callable[..., Match]
) -> None:
    """1 wins against 2 without play, 3 has the bye, then 2: nobody is left without a free win."""
    event = swiss_of(club, 3)
    first = paired(director, event).matches.get(label="SS01-1")
    side = 0 if first.entry_a.seed == 1 else 1
    award(actor=director, match=first, winner_side=side, reason="did not come")
    second = paired(director, event)
    assert who(second) == ["01 – 03", "02"]
    play_all(second)
    with pytest.raises(NoRoundPlanError, match="a second bye"):
        draft_round(actor=director, event=event)


def test_an_accelerated_swiss_begins_with_the_first_half_among_itself(club: Club, director: Actor) -> None:
    """Of eight in five rounds: seeds 1 to 4 have a win more in two rounds, and a draw more in the third."""
    event = swiss_of(club, 8, accelerated=True, rounds_planned=5)
    first = paired(director, event)
    assert who(first) == ["01 – 03", "02 – 04", "05 – 07", "06 – 08"]
    said = Names(None, covered=False).reasons(first.matches.get(label="SS01-1"))
    assert said == ["both are on 2", "they have not met", "virtual points are counted"]
    play_better(first)
    assert who(paired(director, event))[0] == "01 – 02"
    # 3 and 4 lost in the first half and 5 and 6 won in the other: with virtual points they are level.
    level = " – ".join(who(event.rounds.get(number=2))[1:3])
    assert set(level.split(" – ")) == {"03", "04", "05", "06"}


def test_how_many_rounds_are_accelerated_is_fixed_once_round_1_is_drawn(club: Club, director: Actor) -> None:
    """Of five rounds three are, the third with a draw more; of nine it would be five, with a win more."""
    event = swiss_of(club, 8, accelerated=True, rounds_planned=5)
    for _ in range(2):
        play_all(paired(director, event))
    records = [line for line in export_trf(event).split("\r\n") if line.startswith("250")]
    assert [(line.split()[1:4]) for line in records] == [["1.0", "001", "002"], ["0.5", "003", "003"]]
    before = plan_next_round(event).matches
    event = change_event(actor=director, event=event, rounds_planned=9)
    assert plan_next_round(event).matches == before
    assert [line for line in export_trf(event).split("\r\n") if line.startswith("250")] == records
    third = paired(director, event)
    assert third.scores is not None
    assert sum(map(Decimal, third.scores.values())) == 2 * 4 * 2 + 4 * 1
    play_all(third)
    fourth = draft_round(actor=director, event=event)
    assert fourth.scores is not None
    assert sum(map(Decimal, fourth.scores.values())) == 3 * 4 * 2


def test_virtual_points_are_those_of_a_win_where_columns_count(club: Club, director: Actor) -> None:
    """Three columns and a sheet are 4 points; half of that in the last accelerated round."""
    event = swiss_of(club, 8, accelerated=True, rounds_planned=5, points_scheme="columns")
    assert event.rules.rules.columns == 3
    first = paired(director, event)
    assert Names(None, covered=False).reasons(first.matches.get(label="SS01-1"))[0] == "both are on 4"
    assert [virtual_points_in(event, number) for number in range(1, 6)] == [4, 4, 2, 0, 0]


def test_points_given_later_make_no_float_of_an_earlier_round(club: Club, director: Actor) -> None:
    """All began with 0. 3 gets a point after round 1, and floats down in round 2 for the first time."""
    event = swiss_of(club, 4)
    first = paired(director, event)
    play_better(first)
    add_adjustment(actor=director, entry=seeded(event, 3), points=Decimal(1), reason="late start")
    for scores in (first.scores, None):
        Round.objects.filter(pk=first.pk).update(scores=scores)
        said = " ".join(match.why for match in plan_next_round(event).matches)
        assert "Entry 03 (1) meets Entry 04 (0)" in said
        assert "in the last round" not in said
        assert "Entry 04 has not floated up before" in said


def test_result_corrected_later_makes_no_float_of_the_round_that_was_paired_before(
    club: Club, director: Actor
) -> None:
    """Round 2 was paired 2–2 and 0–0. By the corrected result 3 would have floated in it."""
    event = swiss_of(club, 4)
    first = paired(director, event)
    play_better(first)
    second = paired(director, event)
    assert who(second) == ["01 – 02", "03 – 04"]
    play_better(second)
    match = first.matches.get(Q(entry_a__seed=3) | Q(entry_b__seed=3))
    Match.objects.filter(pk=match.pk).update(winner_side=int(match.entry_b == seeded(event, 3)))
    said = " ".join(match.why for match in plan_next_round(event).matches)
    assert "Entry 03 (4) meets Entry 02 (2)" in said
    assert "in the last round" not in said
    assert "Entry 02 has not floated up before" in said


def play_better(round_: Round) -> None:
    """In every match the better seed wins."""
    for match in round_.matches.exclude(entry_b=None).select_related("entry_a", "entry_b", "sheet", "event"):
        play(match, 50 if seed_of(match, 0) < seed_of(match, 1) else -50, stopped=True)


def test_order_of_those_without_a_seed_stays_whoever_comes_late_or_gets_another_name(
    club: Club, director: Actor
) -> None:
    """Neither the alphabet nor the order of entries has a part in it."""
    event = swiss_of(club, 8)
    event.entries.update(seed=None)

    def planned() -> list[set[int]]:
        return [
            {entry.pk for side in match.sides for entry in side} for match in plan_next_round(event).matches
        ]

    before, order = planned(), in_pairing_order(event, event.entries.all())
    for number, entry in enumerate(event.entries.order_by("name")):
        change_player(actor=director, player=entry.players.get(), name=f"Name {90 - number}")
    assert planned() == before
    aaron = EntryFactory.create(event=event, name="Aaron")
    after = in_pairing_order(event, event.entries.all())
    assert [entry for entry in after if entry != aaron] == order
    # By another seed they stand in another order.
    event.lot_seed += 1
    assert in_pairing_order(event, order) != order


def test_who_sits_out_the_first_round_moves_nobody_out_of_the_first_half(club: Club, director: Actor) -> None:
    """Of the six who begin 3 to 6 have a win more; so they have in round 2, and so have 1 and 2, who come."""
    event = swiss_of(club, 8, accelerated=True, rounds_planned=5)
    for seed in (1, 2):
        asks_off(event, seed)
    first = paired(director, event)
    assert who(first)[:3] == ["03 – 05", "04 – 06", "07 – 08"]
    assert {seeded(event, seed).pk for seed in range(1, 7)} == first_half(event)


@pytest.mark.parametrize("lot_seed", range(6))
@pytest.mark.parametrize("comes_late", [False, True])
def test_round_without_a_match_for_more_than_a_loss_is_a_float_down(
    club: Club, director: Actor, lot_seed: int, comes_late: bool
) -> None:
    """Five are on 1 and meet 6: not 5, the last of them, who had a draw for a round asked off (1.4.3).

    Nor if it was given that for coming late.
    """
    event = swiss_of(club, 6, bye_points=0, absent_points=1, late_points=1, lot_seed=lot_seed)
    if comes_late:
        event.entries.filter(seed=5).update(first_round=2)
    else:
        asks_off(event, 5)
    first = paired(director, event)
    assert who(first) == ["01 – 03", "02 – 04", "06", *([] if comes_late else ["05"])]
    for match in first.matches.exclude(entry_b=None):
        play(match, 50, -50, stopped=True)
    assert "05 – 06" not in who(draft_round(actor=director, event=event))


def test_round_asked_off_for_a_win_is_a_free_win(club: Club, director: Actor) -> None:
    """FIDE C.04.1, 4: 3 had a win's points in round 1 without playing, and byes go to 2, then to 1."""
    event = swiss_of(club, 3, absent_points=2)
    asks_off(event, 3)
    neither_came(director, paired(director, event))
    second = paired(director, event)
    assert who(second) == ["01 – 03", "02"]
    play_all(second)
    third = paired(director, event)
    assert who(third) == ["02 – 03", "01"]
    play_all(third)
    with pytest.raises(NoRoundPlanError, match="a second bye"):
        draft_round(actor=director, event=event)


def test_round_asked_off_for_less_than_a_bye_is_no_free_win_where_columns_count(
    club: Club, director: Actor
) -> None:
    """3 had a point in round 1, as for a sheet without its columns: last after round 2, it has the bye."""
    event = swiss_of(
        club,
        3,
        points_scheme="columns",
        sheet_points=1,
        column_points=1,
        bye_points=4,
        absent_points=1,
    )
    asks_off(event, 3)
    neither_came(director, paired(director, event))
    second = paired(director, event)
    assert who(second) == ["01 – 03", "02"]
    match = second.matches.exclude(entry_b=None).get()
    play(match, 50 if match.entry_a.seed == 1 else -50, stopped=True)
    assert who(draft_round(actor=director, event=event)) == ["01 – 02", "03"]


def test_round_missed_by_who_came_late_for_a_win_is_a_free_win(club: Club, director: Actor) -> None:
    """C.04.1, 4: 3 had a win's points for round 1, and now less than anybody; the bye goes to 2."""
    event = swiss_of(club, 3, late_points=2)
    event.entries.filter(seed=3).update(first_round=2)
    neither_came(director, paired(director, event))
    add_adjustment(actor=director, entry=seeded(event, 3), points=Decimal(-3), reason="late at the table")
    assert who(paired(director, event)) == ["01 – 03", "02"]


def neither_came(director: Actor, round_: Round) -> None:
    """The one match of the round is lost by both."""
    match = round_.matches.exclude(entry_b=None).get()
    award_walkover(actor=director, match=match, winner_side=None, reason="neither came")


def asks_off(event: Event, seed: int) -> None:
    Presence.objects.create(event=event, entry=seeded(event, seed), round_number=1, state=PresenceState.BYE)


def seed_of(match: Match, side: int) -> int:
    (entry,) = match.side(side)
    assert entry.seed is not None
    return entry.seed


def test_an_accelerated_swiss_needs_seeds(club: Club, director: Actor) -> None:
    event = swiss_of(club, 4, accelerated=True)
    Entry.objects.filter(event=event, seed=4).update(seed=None)
    with refuses(LeagueError, "no_seeds"):
        draft_round(actor=director, event=event)


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


def test_a_play_off_is_no_meeting(club: Club, director: Actor) -> None:
    """All four are level after a drawn round and play it out, all against all; more rounds are planned."""
    event = swiss_of(club, 4, rounds_planned=1, prizes=1, criteria=["match_points"])
    first = paired(director, event)
    for match in first.matches.all():
        play(match, stopped=True)
    recalculate(event.pk)
    (level,) = undecided(event)
    decide_level(actor=director, event=event, key=level.cut.key, how=CutHow.PLAY_OFF)
    for match in event.matches.exclude(play_off=None).select_related("sheet", "event"):
        play(match, 9, stopped=True)
    assert event.matches.exclude(play_off=None).count() == 6
    Event.objects.filter(pk=event.pk).update(rounds_planned=9)
    event.refresh_from_db()
    drafted = draft_round(actor=director, event=event)
    assert drafted.matches.count() == 2
    assert not set(who(drafted)) & set(who(first))
    here, there = drafted.matches.all()
    met = {frozenset(pair) for pair in first.matches.values_list("entry_a", "entry_b")}
    assert there.entry_b is not None
    (new,) = (entry for entry in (there.entry_a, there.entry_b) if {here.entry_b_id, entry.pk} not in met)
    swap = plan_swap(round_=drafted, one=here.entry_a, other=new)
    assert swap.warnings == ()


def test_round_is_not_paired_while_results_are_missing_unless_said_so(club: Club, director: Actor) -> None:
    event = swiss_of(club, 6)
    first = paired(director, event)
    one, two, held = first.matches.order_by("table")
    play(one, 50, stopped=True)
    play(held, 50, stopped=True)
    Match.objects.filter(pk=held.pk).update(held=True)
    with refuses(LeagueError, "results_missing", field="despite_missing") as missing:
        draft_round(actor=director, event=event)
    assert str(missing.value.message).startswith("2 results are missing: ")
    assert two.label in str(missing.value.message)
    assert f"{held.label} {held} (pending)" in str(missing.value.message)
    assert one.label not in str(missing.value.message)
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
        ({"format": "round_robin"}, "drawn_at_once"),
    ],
)
def test_round_is_refused(club: Club, director: Actor, values: dict[str, object], code: str) -> None:
    event = swiss_of(club, 4)
    Event.objects.filter(pk=event.pk).update(**values)
    with refuses(LeagueError, code):
        draft_round(actor=director, event=event)
    assert not event.rounds.exists()


def test_nothing_is_paired_after_the_last_planned_round(club: Club, director: Actor) -> None:
    event = swiss_of(club, 4, rounds_planned=1)
    play_all(paired(director, event))
    with refuses(LeagueError, "no_more_rounds"):
        draft_round(actor=director, event=event)


def test_too_few_are_said_plainly(club: Club, director: Actor) -> None:
    event = swiss_of(club, 2)
    Presence.objects.create(
        event=event, entry=event.entries.get(seed=2), round_number=1, state=PresenceState.AWAY
    )
    with refuses(LeagueError, "too_few_entries"):
        draft_round(actor=director, event=event)


def test_a_drafted_round_waits_for_its_director(club: Club, director: Actor) -> None:
    event = swiss_of(club, 4)
    draft_round(actor=director, event=event, number=1)
    with refuses(LeagueError, "round_drafted"):
        draft_round(actor=director, event=event)
    with refuses(LeagueError, "paired_already"):
        draft_round(actor=director, event=event, number=1)


def test_where_nobody_is_left_to_meet_the_fewest_rematches_are_offered(club: Club, director: Actor) -> None:
    event = swiss_of(club, 4)
    for _ in range(3):
        play_all(paired(director, event))
    with refuses(NoRoundPlanError, "no_pairing") as refused:
        draft_round(actor=director, event=event)
    assert str(refused.value.message) == (
        "Round 4 cannot be paired by the rules. The nearest pairing takes 2 rematches."
    )
    assert len(refused.value.offer.matches) == 2
    assert event.rounds.count() == 3
    plan = plan_next_round(event, accept_offer=True)
    assert plan.warnings == (str(refused.value.message),)

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
    assert no_longer_fits(event, round_) == []
    Presence.objects.create(event=event, entry=seeded(event, 1), round_number=1, state=PresenceState.HERE)
    assert no_longer_fits(event, round_) == ["Here and not in this round: Entry 01."]


def test_forbidden_pairs_are_kept_apart(club: Club, director: Actor) -> None:
    event = swiss_of(club, 4)
    one, three = event.entries.get(seed=1), event.entries.get(seed=3)
    ForbiddenPair.objects.create(event=event, entry_a=one, entry_b=three)
    assert "01 – 03" not in who(draft_round(actor=director, event=event))


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


def test_planning_asks_the_database_as_often_for_many_as_for_few(club: Club, director: Actor) -> None:
    often = []
    for count in (6, 40):
        event = swiss_of(ClubFactory.create(), count)
        play_all(publish_round(actor=OPERATOR, round_=draft_round(actor=OPERATOR, event=event)))
        with CaptureQueriesContext(connection) as queries:
            plan_next_round(event)
        often.append(len(queries))
    assert often[0] == often[1] <= 15
