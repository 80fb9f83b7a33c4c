"""A bracket through the services: drawn, played to its end, with drawn ties, withdrawals, walkovers."""

import pytest

from league.draws.advancing import settle_ties
from league.draws.brackets import draw_bracket, plan_bracket
from league.draws.forfeits import award_forfeit, award_walkover
from league.draws.planning import plan_next_round
from league.draws.recalculating import recalculate
from league.draws.round_life import complete_round, draft_round, publish_round, repair_round
from league.draws.rounds import delete_draw
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
    Match,
    MatchState,
    Presence,
    PresenceState,
    RoundState,
    Standing,
    TieDecider,
)
from scoring.models import Scoresheet
from scoring.services import stop_sheet
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    PlayerFactory,
    house_rules,
    play,
)
from tests.kept import contents
from tests.league.bracket_play import (
    after_first_round,
    correct,
    cup,
    draw_it,
    drawn,
    match_of,
    next_round,
    pairs,
    places,
    ties,
    win,
)
from tests.league.told import as_written
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def test_bracket_of_five_is_drawn_with_its_byes(club: Club) -> None:
    event = cup(club, 5)
    round_ = draw_bracket(actor=OPERATOR, event=event)
    assert ties(event) == {
        1: "E1-? E1 by bye",
        2: "E4-E5",
        3: "E2-? E2 by bye",
        4: "E3-? E3 by bye",
        5: "E1-?",
        6: "E2-E3",
        7: "?-?",
    }
    assert (round_.number, round_.state) == (1, RoundState.DRAFTED)
    assert pairs(round_) == ["E4 v E5"]
    assert {match.entry_a.name for match in round_.matches.filter(state=MatchState.BYE)} == {"E1", "E2", "E3"}
    assert round_.matches.get(tie__number=2).reasons == ["match 2: seed 4 v seed 5"]
    assert event.ties.get(number=2).round == round_


def test_bracket_of_five_is_played_to_its_end(club: Club) -> None:
    event = cup(club, 5, third_place=True)
    drawn(event)
    win(event, 2, "E5")
    second = next_round(event)
    assert pairs(second) == ["E1 v E5", "E2 v E3"]
    assert match_of(event, 5).reasons == ["match 5: winner of match 1 v winner of match 2"]
    win(event, 5, "E5")
    win(event, 6, "E2")
    third = next_round(event)
    assert pairs(third) == ["E1 v E3", "E5 v E2"]
    win(event, 8, "E5")
    win(event, 7, "E3")
    assert places(event) == {"E5": 1, "E2": 2, "E3": 3, "E1": 4, "E4": 5}
    table = Standing.objects.filter(event=event).order_by("position").values_list("entry__name", "rank")
    assert list(table) == [("E5", 1), ("E2", 2), ("E3", 3), ("E1", 4), ("E4", 5)]
    with refuses(LeagueError, "no_more_rounds"):
        plan_next_round(event)


def test_double_elimination_of_four_with_its_reset(club: Club) -> None:
    event = cup(club, 4, format="double")
    drawn(event)
    win(event, 1, "E1")
    win(event, 2, "E3")
    assert pairs(next_round(event)) == ["E1 v E3", "E4 v E2"]
    win(event, 3, "E3")
    win(event, 4, "E4")
    assert pairs(next_round(event)) == ["E1 v E4"]
    win(event, 5, "E1")
    assert pairs(next_round(event)) == ["E3 v E1"]
    win(event, 6, "E1")
    # Both have lost once: the second final is needed.
    assert pairs(next_round(event)) == ["E3 v E1"]
    win(event, 7, "E3")
    assert places(event) == {"E3": 1, "E1": 2, "E4": 3, "E2": 4}


def test_reset_is_not_needed_where_the_undefeated_wins(club: Club) -> None:
    event = after_first_round(cup(club, 2, format="double"), "E2")
    win(event, 2, "E2")
    assert ties(event)[3] == "?-? nobody by not_needed"
    assert places(event) == {"E2": 1, "E1": 2}
    with refuses(LeagueError, "no_more_rounds"):
        draft_round(actor=OPERATOR, event=event)


def test_settling_twice_changes_nothing(club: Club) -> None:
    event = cup(club, 6, format="double")
    drawn(event)
    for tie in (2, 4):
        win(event, tie, match_of(event, tie).entry_a.name)
    before = contents()
    assert settle_ties(Event.objects.get(pk=event.pk)) is False
    assert contents() == before


def test_best_of_three_goes_on_in_the_same_round_until_it_is_decided(club: Club) -> None:
    event = cup(club, 2, best_of=3)
    round_ = drawn(event)
    win(event, 1, "E2")
    assert match_of(event, 1, 2).round == round_
    assert match_of(event, 1, 2).label == f"{match_of(event, 1).label}.2"
    win(event, 1, "E1", leg=2)
    win(event, 1, "E2", leg=3)
    assert ties(event) == {1: "E1-E2 E2 by sheet"}
    assert [match.sheet is not None for match in round_.matches.order_by("leg")] == [True] * 3
    assert Appearance.objects.filter(round=round_, player__name="E1").count() == 3


def test_best_of_three_ends_after_two(club: Club) -> None:
    event = cup(club, 2, best_of=3)
    drawn(event)
    win(event, 1, "E2")
    win(event, 1, "E2", leg=2)
    assert Match.objects.filter(event=event).count() == 2
    assert places(event) == {"E2": 1, "E1": 2}


def test_blank_sheet_goes_when_a_correction_decides_the_tie_before_it(club: Club) -> None:
    event = cup(club, 2, best_of=3)
    drawn(event)
    win(event, 1, "E2")
    win(event, 1, "E1", leg=2)
    third = match_of(event, 1, 3).sheet
    assert third is not None
    correct(event, 1, "E1")
    assert ties(event) == {1: "E1-E2 E1 by sheet"}
    assert not Scoresheet.objects.filter(pk=third.pk).exists()
    correct(event, 1, "E2")
    assert match_of(event, 1, 3).state == MatchState.SCHEDULED


def test_round_that_was_closed_is_open_again_for_an_extra_sheet(club: Club) -> None:
    event = cup(club, 2)
    round_ = drawn(event)
    sheet = match_of(event, 1).sheet
    assert sheet is not None
    stop_sheet(actor=OPERATOR, sheet=sheet)
    complete_round(actor=OPERATOR, round_=round_)
    recalculate(event.pk)
    round_.refresh_from_db()
    assert round_.state == RoundState.PUBLISHED
    assert match_of(event, 1, 2).state == MatchState.SCHEDULED


def test_drawn_tie_gets_an_extra_sheet(club: Club) -> None:
    event = cup(club, 2)
    drawn(event)
    draw_it(event, 1)
    draw_it(event, 1, leg=2)
    win(event, 1, "E2", leg=3)
    assert ties(event) == {1: "E1-E2 E2 by sheet"}


@pytest.mark.parametrize(
    ("decider", "expected"),
    [(TieDecider.HIGHER_SEED, "E1-E2 E1 by higher_seed"), (TieDecider.DIRECTOR, "E1-E2")],
)
def test_drawn_tie_is_decided_as_the_event_says(club: Club, decider: str, expected: str) -> None:
    event = cup(club, 2, tie_decider=decider)
    drawn(event)
    draw_it(event, 1)
    assert ties(event) == {1: expected}
    assert Match.objects.filter(event=event).count() == 1


def test_drawn_tie_is_decided_by_lot_the_same_way_each_time() -> None:
    fell = []
    for seed in (1, 1, 2, 3, 4, 5, 6):
        event = cup(ClubFactory.create(), 2, tie_decider=TieDecider.LOT, lot_seed=seed)
        drawn(event)
        draw_it(event, 1)
        fell.append(ties(event)[1])
    assert fell[0] == fell[1]
    assert set(fell) == {"E1-E2 E1 by lot", "E1-E2 E2 by lot"}


def test_lot_of_a_tie_is_the_entries_own_and_stays_once_it_is_drawn() -> None:
    """The same seed of the event and the same tie, others who are in it; then another seed."""
    fell = set()
    for number in range(8):
        event = cup(ClubFactory.create(), 2, tie_decider=TieDecider.LOT)
        for entry in event.entries.all():
            Entry.objects.filter(pk=entry.pk).update(lot_key=f"{entry.name} {number}")
        drawn(event)
        draw_it(event, 1)
        before = ties(event)[1]
        fell.add(before)
        for seed in range(2, 6):
            Event.objects.filter(pk=event.pk).update(lot_seed=seed)
            recalculate(event.pk)
            assert ties(event)[1] == before
    assert fell == {"E1-E2 E1 by lot", "E1-E2 E2 by lot"}


def test_walkover_and_forfeit_decide_a_tie_of_three_sheets(club: Club) -> None:
    event = cup(club, 4, best_of=3)
    drawn(event)
    award_walkover(actor=OPERATOR, match=match_of(event, 1), winner_side=1, reason="not there")
    win(event, 2, "E2")
    award_forfeit(actor=OPERATOR, match=match_of(event, 2, 2), winner_side=1, reason="went home")
    recalculate(event.pk)
    assert ties(event)[1] == "E1-E4 E4 by walkover"
    assert ties(event)[2] == "E2-E3 E3 by walkover"
    assert ties(event)[3] == "E4-E3"


def test_match_given_to_neither_waits_for_the_director(club: Club) -> None:
    event = cup(club, 2)
    drawn(event)
    award_walkover(actor=OPERATOR, match=match_of(event, 1), winner_side=None, reason="nobody came")
    recalculate(event.pk)
    assert ties(event) == {1: "E1-E2"}


def test_withdrawn_entry_loses_what_is_not_begun(club: Club) -> None:
    event = cup(club, 4)
    drawn(event)
    withdraw_entry(actor=OPERATOR, entry=event.entries.get(name="E1"), reason="ill")
    recalculate(event.pk)
    assert ties(event)[1] == "E1-E4 E4 by walkover"
    match = match_of(event, 1)
    assert (match.state, match.winner_side) == (MatchState.WALKOVER, 1)


def test_withdrawn_entry_loses_to_an_opponent_who_is_not_yet_known(club: Club) -> None:
    event = cup(club, 4)
    drawn(event)
    win(event, 1, "E1")
    withdraw_entry(actor=OPERATOR, entry=event.entries.get(name="E1"), reason="ill")
    recalculate(event.pk)
    assert ties(event)[3] == "E1-?"
    win(event, 2, "E3")
    assert ties(event)[3] == "E1-E3 E3 by walkover"
    assert places(event) == {"E3": 1, "E1": 2, "E4": 3, "E2": 3}


def test_of_two_who_have_withdrawn_the_better_seed_is_written_and_loses_next(club: Club) -> None:
    event = cup(club, 4)
    drawn(event)
    for name in ("E1", "E4"):
        withdraw_entry(actor=OPERATOR, entry=event.entries.get(name=name), reason="ill")
    recalculate(event.pk)
    assert ties(event)[1] == "E1-E4 E1 by walkover"
    assert (match_of(event, 1).state, match_of(event, 1).winner_side) == (MatchState.WALKOVER, None)
    win(event, 2, "E2")
    assert ties(event)[3] == "E1-E2 E2 by walkover"


def test_sheet_that_is_being_played_is_not_lost_by_withdrawing(club: Club) -> None:
    event = cup(club, 2)
    event.rules = house_rules(columns=1)
    event.save()
    drawn(event)
    play(match_of(event, 1), 10)
    withdraw_entry(actor=OPERATOR, entry=event.entries.get(name="E1"), reason="ill")
    recalculate(event.pk)
    assert ties(event) == {1: "E1-E2"}
    play(match_of(event, 1), 95)
    recalculate(event.pk)
    assert ties(event) == {1: "E1-E2 E1 by sheet"}


def test_held_sheet_does_not_decide(club: Club) -> None:
    event = cup(club, 2)
    drawn(event)
    match = match_of(event, 1)
    play(match, 5)
    Match.objects.filter(pk=match.pk).update(held=True)
    recalculate(event.pk)
    assert ties(event) == {1: "E1-E2"}


def test_entries_without_a_seed_follow_by_name(club: Club) -> None:
    event = cup(club, 2)
    EntryFactory.create(event=event, name="Aal")
    EntryFactory.create(event=event, name="Zander")
    assert [entry.name for entry in plan_bracket(event).entries] == ["E1", "E2", "Aal", "Zander"]


def test_withdrawn_entries_are_not_drawn(club: Club) -> None:
    event = cup(club, 3)
    withdraw_entry(actor=OPERATOR, entry=event.entries.get(name="E1"), reason="ill")
    assert [entry.name for entry in plan_bracket(event).entries] == ["E2", "E3"]


def test_with_check_in_only_those_who_are_here_are_drawn(club: Club) -> None:
    event = cup(club, 3, check_in=True)
    for entry in event.entries.exclude(name="E2"):
        Presence.objects.create(event=event, round_number=1, entry=entry, state=PresenceState.HERE)
    plan = plan_bracket(event)
    assert [entry.name for entry in plan.entries] == ["E1", "E3"]
    assert plan.notes == ("E2 is not here and takes no part.",)


def test_bracket_is_drawn_again_until_its_first_hand(club: Club) -> None:
    event = cup(club, 4)
    drawn(event)
    withdraw_entry(actor=OPERATOR, entry=event.entries.get(name="E4"), reason="ill")
    draw_bracket(actor=OPERATOR, event=event)
    assert ties(event) == {1: "E1-? E1 by bye", 2: "E2-E3", 3: "E1-?"}
    assert event.rounds.count() == 1
    publish_round(actor=OPERATOR, round_=event.rounds.get())
    win(event, 2, "E2")
    before = contents()
    with refuses(LeagueError, "has_hands"):
        draw_bracket(actor=OPERATOR, event=event)
    assert contents() == before


def test_deleting_the_draw_takes_its_ties_with_it(club: Club) -> None:
    event = cup(club, 5)
    drawn(event)
    delete_draw(actor=OPERATOR, event=event)
    assert not event.ties.exists()
    assert not event.rounds.exists()


def test_round_of_a_bracket_can_be_paired_anew(club: Club) -> None:
    event = cup(club, 4)
    round_ = drawn(event)
    repair_round(actor=OPERATOR, round_=round_)
    assert pairs(round_) == ["E1 v E4", "E2 v E3"]
    assert event.ties.get(number=1).round == round_


def test_round_before_the_results_are_in_takes_who_is_ready_and_the_rest_later(club: Club) -> None:
    event = cup(club, 8)
    drawn(event)
    for tie in (1, 2):
        win(event, tie, f"E{1 if tie == 1 else 4}")
    with refuses(LeagueError, "results_missing"):
        draft_round(actor=OPERATOR, event=event)
    assert pairs(next_round(event, despite_missing=True)) == ["E1 v E4"]
    win(event, 3, "E2")
    win(event, 4, "E3")
    win(event, 5, "E1")
    assert pairs(next_round(event)) == ["E2 v E3"]
    win(event, 6, "E2")
    assert pairs(next_round(event)) == ["E1 v E2"]


def test_nothing_is_ready_while_the_director_has_a_tie_to_decide(club: Club) -> None:
    event = cup(club, 2, format="double", tie_decider=TieDecider.DIRECTOR)
    drawn(event)
    draw_it(event, 1)
    with pytest.raises(LeagueError, match=r"The director is to decide match 1 \(E1 v E2\)") as refused:
        plan_next_round(event)
    assert refused.value.code == "nothing_ready"


@pytest.mark.parametrize("format", ["single", "double"])
def test_bracket_refuses_a_single_entry_and_changes_nothing(club: Club, format: str) -> None:
    event = cup(club, 1, format=format)
    before = contents()
    with pytest.raises(LeagueError, match="at least 2 entries") as refused:
        draw_bracket(actor=OPERATOR, event=event)
    assert refused.value.code == "too_few_entries"
    assert contents() == before


def test_bracket_refuses_another_format(club: Club) -> None:
    event = cup(club, 4, format="swiss")
    with refuses(LeagueError, "no_bracket"):
        draw_bracket(actor=OPERATOR, event=event)


def test_bracket_is_drawn_in_a_running_event_only(club: Club) -> None:
    event = cup(club, 4, state=EventState.OPEN)
    with refuses(LeagueError, "wrong_state"):
        draw_bracket(actor=OPERATOR, event=event)


def test_round_before_the_draw_is_refused(club: Club) -> None:
    with pytest.raises(LeagueError, match="Draw the bracket first") as refused:
        plan_next_round(cup(club, 4))
    assert refused.value.code == "nothing_drawn"


def test_draw_is_in_the_audit(club: Club) -> None:
    draw_bracket(actor=OPERATOR, event=cup(club, 3))
    note = AuditEntry.objects.get(action="event.draw")
    assert as_written(note.after) == {"format": "single elimination", "seeds": ["E1", "E2", "E3"], "round": 1}


def test_next_match_of_teams_has_a_sheet_once_both_have_chosen_who_plays(club: Club) -> None:
    event: Event = EventFactory.create(club=club, name="Team Cup", format="single", team_size=2)
    for number in range(1, 4):
        players = PlayerFactory.create_batch(3 if number == 1 else 2, club=club)
        EntryFactory.create(event=event, name=f"T{number}", seed=number, players=players)
    drawn(event)
    play(match_of(event, 2), 200, 200, 200)
    recalculate(event.pk)
    next_round(event)
    match = match_of(event, 3)
    assert match.sheet is None
    chosen = list(event.entries.get(name="T1").players.order_by("pk")[:2])
    set_line_up(actor=OPERATOR, match=match, side=0, players=chosen)
    assert match_of(event, 3).sheet is not None
