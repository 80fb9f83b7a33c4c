"""How a director decides who is level where a table is cut: by word, by lot, by play-off."""

from typing import Any

import pytest

from league.core.lots import by_lot
from league.draws.brackets import draw_bracket, keep_bracket, plan_bracket
from league.draws.levels import decide_level, is_asked, take_back_decision, undecided
from league.draws.matches_by_hand import remove_match
from league.draws.qualifying import bracket_in_doubt
from league.draws.recalculating import recalculate
from league.draws.round_life import discard_round
from league.draws.rounds import delete_draw
from league.errors import LeagueError
from league.events.entries import withdraw_entry
from league.models import AuditEntry, Club, CutDecision, CutHow, Entry, Event, Role
from league.policy import actor_of
from league.policy.naming import AS_WRITTEN
from league.tables.standings import current_standings
from league.tables.tables import event_table
from tests.factories import OPERATOR, UserFactory, play
from tests.kept import contents
from tests.league.bracket_play import correct_first_deal
from tests.league.cut_cases import (
    decide,
    decide_all,
    drawn_groups,
    level_groups,
    play_offs,
    refused,
    rename_all,
)
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def test_director_decides_with_a_reason_and_it_is_told(club: Club) -> None:
    event = level_groups(club)
    one, other = (level.entries[::-1] for level in undecided(event))
    for level in undecided(event):
        decide(event, level, order=level.entries[::-1], reason="who came on time")
    assert not undecided(event)
    plan = plan_bracket(event)
    assert {entry.pk for entry in plan.entries} == {one[0].pk, other[0].pk}
    told = event_table(event, AS_WRITTEN).cuts.cuts[0].words
    assert told.startswith("Decided by the director on ")
    assert told.endswith(f"in this order: {one[0]} and {one[1]}. Reason: who came on time")
    note = AuditEntry.objects.filter(action="level.decide").earliest("id")
    assert (note.actor_name, note.reason) == ("The tests", "who came on time")


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"reason": " "}, "reason_missing"),
        ({"order": []}, "order"),
        ({"how": CutHow.LOT, "key": "0" * 16}, "not_level"),
    ],
)
def test_decisions_are_refused_and_change_nothing(club: Club, said: dict[str, Any], code: str) -> None:
    event = level_groups(club)
    level = undecided(event)[0]
    values = {"key": level.cut.key, "how": CutHow.WORD, "order": level.entries, "reason": "agreed"}
    before = contents()
    with refuses(LeagueError, code):
        decide_level(actor=OPERATOR, event=event, **(values | said))
    assert contents() == before


def test_only_directors_decide(club: Club) -> None:
    event = level_groups(club)
    level = undecided(event)[0]
    keeper = actor_of(UserFactory.create(club=club, role=Role.SCOREKEEPER))
    with refuses(LeagueError, "not_allowed"):
        decide_level(actor=keeper, event=event, key=level.cut.key, how=CutHow.LOT)
    decision = decide(event, level)
    with refuses(LeagueError, "not_allowed"):
        take_back_decision(actor=keeper, decision=decision, reason="no")


def test_lot_is_kept_and_can_be_drawn_again_by_anybody(club: Club) -> None:
    event = level_groups(club)
    for level in undecided(event):
        decision = decide(event, level, CutHow.LOT)
        assert decision.lot is not None
        codes = {entry.pk: entry.code for entry in level.entries}
        assert decision.order == by_lot(codes, decision.lot)
    before = [entry.pk for entry in plan_bracket(event).entries]
    rename_all(event)
    assert [entry.pk for entry in plan_bracket(event).entries] == before
    told = event_table(event, AS_WRITTEN).cuts.cuts[0].words
    assert told.startswith(f"By lot number {CutDecision.objects.earliest('id').lot}, drawn on ")
    assert AuditEntry.objects.filter(action="level.decide").count() == 2


def test_play_off_counts_for_that_order_alone(club: Club) -> None:
    event = level_groups(club)
    before = [(row.entry_id, row.points, row.net, row.played) for row in current_standings(event)]
    for level in undecided(event):
        decide(event, level, CutHow.PLAY_OFF)
    assert not undecided(event)
    assert "They play off for it, and a result is missing." in refused(event)
    played = play_offs(event)
    assert [match.round.number for match in played] == [2, 3]
    for match in played:
        play(match, -9)
    recalculate(event.pk)
    assert [(row.entry_id, row.points, row.net, row.played) for row in current_standings(event)] == before
    plan = plan_bracket(event)
    assert set(plan.entries) == {match.entry_b for match in played}
    assert any(note.startswith("By a play-off, in this order: ") for note in plan.notes)
    round_ = draw_bracket(actor=OPERATOR, event=event)
    assert round_.number == 4
    assert bracket_in_doubt(event) == ""


def test_play_off_of_three_is_all_against_all_and_may_leave_some_level(club: Club) -> None:
    """The first wins both; the other two are drawn, and asked again: for the second place of two."""
    event = level_groups(club, 6, groups=2, qualifiers=2)
    level = undecided(event)[0]
    decide(event, level, CutHow.PLAY_OFF)
    played = play_offs(event)
    assert len(played) == 3
    best = level.entries[2]
    for match in played:
        sides = (match.entry_a, match.entry_b)
        play(match, *([9 if sides[0] == best else -9] if best in sides else []), stopped=best not in sides)
    again = next(each for each in undecided(event) if each.cut.group == level.cut.group)
    assert set(again.entries) == {*level.entries} - {best}
    decide(event, again, CutHow.PLAY_OFF)
    play(play_offs(event)[-1], stopped=True)
    third = next(each for each in undecided(event) if each.cut.group == level.cut.group)
    assert "The play-off has left them level." in third.state
    decide(event, third, CutHow.LOT)
    decide_all(event)
    assert best in plan_bracket(event).entries


def test_void_where_the_tie_is_no_longer_the_same(club: Club) -> None:
    event = level_groups(club)
    decide_all(event)
    draw_bracket(actor=OPERATOR, event=event)
    event.refresh_from_db()
    assert bracket_in_doubt(event) == ""
    match = event.matches.filter(tie=None).select_related("sheet", "entry_a", "entry_b").first()
    assert match is not None
    assert match.sheet is not None
    assert match.entry_b is not None
    # Corrected: one has won, so nothing is level any more. Then the other, then neither, by another figure.
    correct_first_deal(match, match.entry_b.name)
    recalculate(event.pk)
    group = match.entry_a.group
    rows = [told for told in event_table(event, AS_WRITTEN).cuts.cuts if told.cut.group == group]
    assert rows == []
    assert bracket_in_doubt(event) != ""
    assert not undecided(event)


def test_another_tie_between_the_same_is_asked_again(club: Club) -> None:
    """A third won against both by as much, so the two are level below the line; a correction lifts them."""
    event = level_groups(club, 6, groups=2, qualifiers=1)
    level = undecided(event)[0]
    decide_all(event)
    before = [entry.pk for entry in plan_bracket(event).entries]
    leaver = level.entries[2]
    withdraw_entry(actor=OPERATOR, entry=leaver, reason="moved")
    said = refused(event)
    assert "An earlier decision is void: the tie is no longer the same." in said
    assert leaver.name not in said
    Entry.objects.filter(pk=leaver.pk).update(withdrawn_at=None)
    assert [entry.pk for entry in plan_bracket(event).entries] == before


def test_decided_twice_the_second_is_told(club: Club) -> None:
    event = level_groups(club)
    level = undecided(event)[0]
    decide(event, level)
    before = contents()
    with refuses(LeagueError, "decided_already") as refusal:
        decide(event, level, CutHow.LOT)
    assert str(refusal.value.message).startswith("The tests has decided this meanwhile. Decided by The tests")
    assert contents() == before


def test_taken_back_it_is_asked_again_and_an_unplayed_play_off_goes(club: Club) -> None:
    event = level_groups(club)
    level = undecided(event)[0]
    decision = decide(event, level, CutHow.PLAY_OFF)
    assert event.rounds.count() == 2
    take_back_decision(actor=OPERATOR, decision=decision, reason="no time for it")
    assert (event.rounds.count(), play_offs(event)) == (1, [])
    assert undecided(event)[0].cut.key == level.cut.key
    decision = decide(event, level, CutHow.PLAY_OFF)
    play(play_offs(event)[0], 9)
    with refuses(LeagueError, "has_hands"):
        take_back_decision(actor=OPERATOR, decision=decision, reason="no")


def test_a_play_off_is_removed_with_its_decision_alone(club: Club) -> None:
    event = level_groups(club)
    decision = decide(event, undecided(event)[0], CutHow.PLAY_OFF)
    (match,) = play_offs(event)
    with refuses(LeagueError, "play_off"):
        remove_match(actor=OPERATOR, match=match)
    with refuses(LeagueError, "play_off") as refusal:
        discard_round(actor=OPERATOR, round_=match.round)
    assert str(refusal.value).startswith(f"{match.label} is a play-off. Take back the decision ")
    assert play_offs(event) == [match]
    take_back_decision(actor=OPERATOR, decision=decision, reason="too late tonight")
    assert play_offs(event) == []


def test_a_play_off_that_is_gone_leaves_them_level(club: Club) -> None:
    """As one that was deleted while nothing refused it."""
    event = level_groups(club)
    level = undecided(event)[0]
    decide(event, level, CutHow.PLAY_OFF)
    (match,) = play_offs(event)
    match.round.delete()
    assert undecided(event)[0].entries == level.entries
    refused(event)
    decide_all(event)
    assert set(level.entries) & set(plan_bracket(event).entries) == {level.entries[0]}


def test_results_that_are_missing_are_waited_for(club: Club) -> None:
    event = drawn_groups(club, 4, groups=2)
    play(event.matches.select_related("sheet", "event")[0], stopped=True)
    assert not is_asked(event)
    level = undecided(event)[0]
    with refuses(LeagueError, "results_missing"):
        decide(event, level)
    decide(event, level, despite_missing=True)


def test_draw_that_is_deleted_takes_what_was_decided_with_it(club: Club) -> None:
    event = drawn_groups(club, 4, groups=2)
    decide(event, undecided(event)[0], CutHow.PLAY_OFF, despite_missing=True)
    assert event.matches.count() == 3
    delete_draw(actor=OPERATOR, event=event)
    assert not event.matches.exists()
    assert not CutDecision.objects.exists()


def test_bracket_drawn_as_listed_stays_in_no_doubt_until_it_is_drawn_again(club: Club) -> None:
    """As before there were decisions: who was level went on in the order of the table."""
    event = level_groups(club)
    decide_all(event)
    draw_bracket(actor=OPERATOR, event=event)
    CutDecision.objects.all().delete()
    event.refresh_from_db()
    assert "are level in everything" in bracket_in_doubt(event)
    with refuses(LeagueError, "level_at_cut"):
        keep_bracket(actor=OPERATOR, event=event, reason="all agree")
    listed = [row.entry_id for row in current_standings(event) if row.position == 1]
    Event.objects.filter(pk=event.pk).update(level_as_listed=True, lot_settled_bracket=True, qualified=listed)
    event.refresh_from_db()
    assert bracket_in_doubt(event) == ""
