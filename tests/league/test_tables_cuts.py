"""Who goes on from a table of many, and who has a prize after it, where places are shared (RULES §19)."""

from collections.abc import Sequence
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.core.lots import by_lot
from league.draws.formats import format_of
from league.draws.levels import decide_level, is_asked, take_back_decision, undecided
from league.draws.matches_by_hand import remove_match
from league.draws.planning import plan_next_round
from league.draws.recalculating import recalculate
from league.draws.releasing import release_round
from league.draws.round_life import (
    discard_round,
    draft_round,
    publish_round,
    repair_round,
    unpublish_round,
)
from league.draws.staleness import no_longer_fits
from league.errors import LeagueError
from league.events.entries import withdraw_entry
from league.events.next_step import step_of
from league.models import Club, CutDecision, CutHow, Entry, Event, EventState, Match, Role
from league.policy.naming import AS_WRITTEN
from league.tables.tables import event_table
from scoring.services import correct_deals, record_deals
from tests.clients import logged_in
from tests.factories import OPERATOR, UserFactory, sheet_of
from tests.league.admin_pages import page, text
from tests.league.api.world import ANYBODY, Asking
from tests.league.cut_cases import decide, prizes_of
from tests.league.table_cases import NINE, drawn, evening, names_at, play_jersey
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def play_rummy(match: Match, *worth: int) -> None:
    """A hand that each seat wins with so much from everybody else, none for 0; then time is called."""
    assert match.sheet is not None
    names = names_at(match)
    deals = [
        {
            "hands": [
                {"kind": "out", "winner": name, "left": {other: points for other in names if other != name}}
            ]
        }
        for name, points in zip(names, worth, strict=True)
        if points
    ]
    record_deals(actor=OPERATOR, sheet=match.sheet, deals=deals, stopped=True)
    match.refresh_from_db()


def cup(club: Club, *first: int, **values: Any) -> tuple[Event, Match, Match]:
    """Two tables of four, of which two go on; the first by what is said, the second in order of seats."""
    event = evening(club, NINE[:8], format="tables_cup", preset="basic_rummy", qualifiers=2, **values)
    one, other = drawn(event)
    play_rummy(one, *first)
    play_rummy(other, 4, 3, 2, 1)
    return event, one, other


def cup_with_level_second(club: Club, **values: Any) -> tuple[Event, Match, Match]:
    """At the first table two share the second place, and one of them goes on."""
    event, first, second = cup(club, 3, 2, 2, 1, **values)
    assert [place for place, _side, _net in first.by_place] == [1, 2, 2, 4]
    assert [place for place, _side, _net in second.by_place] == [1, 2, 3, 4]
    return event, first, second


def cup_with_three_level(club: Club) -> tuple[Event, Match]:
    """At the first table three share the second place, and one of them goes on."""
    event, first, _second = cup(club, 2, 0, 0, 0)
    return event, first


def seated(event: Event) -> set[str]:
    (final,) = plan_next_round(event).matches
    return {entry.name for side in final.sides for entry in side}


def entries_at(match: Match, *seats: int) -> list[Entry]:
    return [match.side(seat)[0] for seat in seats]


def test_a_lot_on_the_record_says_who_goes_on_from_a_table(club: Club) -> None:
    event, first, second = cup_with_level_second(club)
    with refuses(LeagueError, "level_at_cut") as refused:
        plan_next_round(event)
    one, other = entries_at(first, 1, 2)
    said = (
        f"{one} and {other} are level for places 2 and 3 at table 1 of round 1, and 1 of them goes on. "
        "A director says who comes first: by a play-off, by lot or by decision."
    )
    assert str(refused.value) == said
    step = step_of(event)
    assert (step.words, step.act, is_asked(event)) == (said, "decide-level", True)
    (level,) = undecided(event)
    assert set(level.entries) == {one, other}
    decision = decide(event, level, CutHow.LOT)
    assert decision.order == by_lot({one.pk: one.code, other.pk: other.code}, decision.lot or 0)
    assert (decision.round, decision.table) == (1, 1)
    goes = Entry.objects.get(pk=decision.order[0])
    assert seated(event) == {*names_at(first)[:1], goes.name, *names_at(second)[:2]}
    assert plan_next_round(event).notes[-1].startswith(f"By lot number {decision.lot}, drawn on ")
    assert not undecided(event)
    assert step_of(event).act == "pair"


def test_a_name_decides_nothing(club: Club) -> None:
    event, first, _second = cup_with_level_second(club)
    decide(event, undecided(event)[0], CutHow.LOT)
    before = {entry.pk for match in plan_next_round(event).matches for (entry,) in match.sides}
    one, other = entries_at(first, 1, 2)
    Entry.objects.filter(pk=one.pk).update(name="between")
    Entry.objects.filter(pk=other.pk).update(name=one.name)
    assert {entry.pk for match in plan_next_round(event).matches for (entry,) in match.sides} == before


def test_a_decision_is_told_as_long_as_the_tie_is_the_same(club: Club) -> None:
    event, first, _second = cup_with_level_second(club)
    one, other = entries_at(first, 1, 2)
    (level,) = undecided(event)
    decide(event, level, order=[other, one], reason="they played a hand for it")
    assert other.name in seated(event)
    assert one.name not in seated(event)
    (told,) = event_table(event, AS_WRITTEN).cuts.cuts
    assert told.words.endswith(f"in this order: {other} and {one}. Reason: they played a hand for it")
    (final,) = drawn(event)
    # Once the final is paired the decision is still told; nobody is asked, whatever is corrected or comes.
    withdraw_entry(actor=OPERATOR, entry=one, reason="went home")
    assert len(event_table(event, AS_WRITTEN).cuts.cuts) == 1
    names = names_at(first)
    hand = {"kind": "out", "winner": one.name, "left": {name: 9 for name in names if name != one.name}}
    correct_deals(actor=OPERATOR, sheet=sheet_of(first), changes={2: {"hands": [hand]}}, reason="misread")
    assert event_table(event, AS_WRITTEN).cuts.cuts == []
    assert not undecided(event)
    assert other.name in names_at(final)


def test_a_tie_that_is_another_is_asked_again(club: Club) -> None:
    event, first = cup_with_three_level(club)
    (level,) = undecided(event)
    decide(event, level)
    withdraw_entry(actor=OPERATOR, entry=level.entries[0], reason="ill")
    with pytest.raises(LeagueError) as refused:
        plan_next_round(event)
    assert "An earlier decision is void: the tie is no longer the same." in str(refused.value)
    (again,) = undecided(event)
    assert set(again.entries) == set(entries_at(first, 1, 2, 3)) - {level.entries[0]}


def test_of_two_tables_a_decision_is_void_at_its_own_alone(club: Club) -> None:
    event = evening(club, NINE[:8], format="tables_cup", preset="basic_rummy", qualifiers=2)
    for match in drawn(event):
        play_rummy(match, 2, 1, 1, 0)
    one, other = undecided(event)
    assert (one.cut.table, other.cut.table) == (1, 2)
    decide(event, one)
    (left,) = undecided(event)
    assert left.cut == other.cut
    assert "void" not in left.state


def test_three_who_are_level_play_off_at_a_table(club: Club) -> None:
    """It counts for that order alone, is not taken for the final, and the round after it is paired."""
    event, first = cup_with_three_level(club)
    recalculate(event.pk)
    before = list(event.standings.order_by("entry").values_list("entry", "points", "net", "rank"))
    (level,) = undecided(event)
    decision = decide(event, level, CutHow.PLAY_OFF)
    (match,) = event.matches.filter(play_off=decision).with_sides("sheet", "event", "round")
    assert (match.round.number, len(match.sides)) == (2, 3)
    with pytest.raises(LeagueError) as refused:
        plan_next_round(event, despite_missing=True)
    assert "They play off for it, and a result is missing." in str(refused.value)
    play_rummy(match, 3, 2, 1)
    winner = match.side(0)[0]
    recalculate(event.pk)
    assert list(event.standings.order_by("entry").values_list("entry", "points", "net", "rank")) == before
    plan = plan_next_round(event)
    assert plan.number == 3
    assert seated(event) >= {winner.name, names_at(first)[0]}
    assert any(note.startswith("By a play-off, in this order: ") for note in plan.notes)
    (final,) = drawn(event)
    play_rummy(final, 1, 2, 3, 4)
    with refuses(LeagueError, "no_more_rounds"):
        plan_next_round(event)
    recalculate(event.pk)
    table = [row.entry.name for row in event.standings.select_related("entry").order_by("position")]
    assert table[:4] == [final.side(side)[0].name for _place, side, _net in final.by_place]


def test_a_play_off_is_removed_with_its_decision_alone(club: Club) -> None:
    event, first = cup_with_three_level(club)
    decision = decide(event, undecided(event)[0], CutHow.PLAY_OFF)
    round_ = event.rounds.get(number=2)

    def all_refused() -> None:
        (match,) = round_.matches.all()
        for act in (
            lambda: remove_match(actor=OPERATOR, match=match),
            lambda: discard_round(actor=OPERATOR, round_=round_),
            lambda: repair_round(actor=OPERATOR, round_=round_),
        ):
            with refuses(LeagueError, "play_off") as refused:
                act()
            assert str(refused.value) == (
                f"{match.label} is a play-off. Take back the decision it was made for, and it is deleted too."
            )
        assert decision.matches.get() == match

    all_refused()
    unpublish_round(actor=OPERATOR, round_=round_)
    all_refused()
    take_back_decision(actor=OPERATOR, decision=decision, reason="too late tonight")
    assert [each.number for each in event.rounds.all()] == [1]
    (again,) = undecided(event)
    assert set(again.entries) == set(entries_at(first, 1, 2, 3))


def test_a_play_off_that_is_gone_leaves_them_level(club: Club) -> None:
    """As one that was deleted while nothing refused it."""
    event, first = cup_with_three_level(club)
    decision = decide(event, undecided(event)[0], CutHow.PLAY_OFF)
    event.rounds.get(number=2).delete()
    (level,) = undecided(event)
    assert (level.decision, set(level.entries)) == (decision, set(entries_at(first, 1, 2, 3)))
    with refuses(LeagueError, "level_at_cut"):
        plan_next_round(event)
    (told,) = event_table(event, AS_WRITTEN).cuts.cuts
    assert not told.order
    (listed,) = ANYBODY.get(f"events/{event.code}/cuts/")["decisions"]
    assert listed["order"] == []
    decide(event, level, order=level.entries)
    assert level.entries[0].name in seated(event)


def test_the_last_decision_on_a_table_is_told_not_the_last_on_a_tie_before(club: Club) -> None:
    event, first = cup_with_three_level(club)
    decide(event, undecided(event)[0], CutHow.PLAY_OFF)
    (play_off,) = event.matches.exclude(play_off=None).with_sides("sheet", "event", "round")
    play_rummy(play_off, 1, 1, 1)
    second = decide(event, undecided(event)[0])
    assert second.number == 2
    # Another has won at the table: who is level there are others, and their first decision is the last.
    winner, *others = names_at(first)[::-1]
    hand = {"kind": "out", "winner": winner, "left": dict.fromkeys(others, 2)}
    correct_deals(actor=OPERATOR, sheet=sheet_of(first), changes={1: {"hands": [hand]}}, reason="misread")
    last, one, other = entries_at(first, 0, 1, 2)
    decision = decide(event, undecided(event)[0], order=[one, other, last])
    assert decision.number == 1
    drawn(event)
    withdraw_entry(actor=OPERATOR, entry=last, reason="went home")
    (told,) = event_table(event, AS_WRITTEN).cuts.cuts
    assert told.words.endswith(f"in this order: {one}, {other} and {last}. Reason: agreed")


def test_the_next_step_of_a_knockout_reads_its_tables_once(club: Club) -> None:
    event, _first, _second = cup(club, 4, 3, 2, 1)
    own = format_of(event)
    with CaptureQueriesContext(connection) as asked:
        due = own.next_draw(event, 1)
    assert due == ("All results of round 1 are in: pair round 2.", "pair")
    assert sum("at_table" in query["sql"] for query in asked) == 1
    assert own.last_round(event) is None
    drawn(event)
    with CaptureQueriesContext(connection) as asked:
        assert own.last_round(event) == 2
        assert own.next_draw(event, 2) is None
    assert not any("at_table" in query["sql"] for query in asked)


def test_two_cannot_play_off_at_a_table(club: Club) -> None:
    event, _first, _second = cup_with_level_second(club)
    (level,) = undecided(event)
    with refuses(LeagueError, "no_play_off") as refused:
        decide(event, level, CutHow.PLAY_OFF)
    assert "3 to 6 sit at one, not 2" in str(refused.value)
    director = logged_in(UserFactory.create(club=club, role=Role.DIRECTOR))
    asked = text(director.get(page("event", event, "decide_level")))
    assert level.state in asked
    assert "a lot" in asked
    assert "a play-off" not in asked


def test_a_page_tells_that_a_play_off_is_one_table(club: Club) -> None:
    event, _first = cup_with_three_level(club)
    (level,) = undecided(event)
    director = logged_in(UserFactory.create(club=club, role=Role.DIRECTOR))
    address = page("event", event, "decide_level")
    said = text(director.post(address, {"key": level.cut.key, "how": "play_off"}))
    assert "They will play at one table: the places at it will decide." in said
    director.post(address, {"key": level.cut.key, "how": "play_off", "_confirm": "1"})
    decision = CutDecision.objects.get()
    assert decision.matches.count() == 1
    assert "who goes on from a table, round 1, table 1" in text(director.get(page("cutdecision", decision)))


def test_a_draft_is_stale_once_the_decision_it_rests_on_is_taken_back(club: Club) -> None:
    event, _first, _second = cup_with_level_second(club)
    decision = decide(event, undecided(event)[0], CutHow.LOT)
    round_ = draft_round(actor=OPERATOR, event=event)
    assert no_longer_fits(event, round_) == []
    take_back_decision(actor=OPERATOR, decision=decision, reason="drawn too early")
    assert no_longer_fits(event, round_) == [
        "Who goes on from a table has been decided differently since this round was drawn."
    ]
    assert len(undecided(event)) == 1


def test_programs_are_told_of_the_round_and_the_table(club: Club) -> None:
    event, _first, _second = cup_with_level_second(club, holds_results=True)
    browser = logged_in(UserFactory.create(club=club, role=Role.DIRECTOR))
    (level,) = Asking(browser).get(f"events/{event.code}/levels/")["levels"]
    told = ("kind", "group", "round", "table", "above", "missing", "is_open")
    assert [level[name] for name in told] == ["table", None, 1, 1, 1, [], True]
    decide(event, undecided(event)[0], CutHow.LOT)
    assert ANYBODY.get(f"events/{event.code}/cuts/")["decisions"] == []
    release_round(actor=OPERATOR, round_=event.rounds.get())
    (decision,) = ANYBODY.get(f"events/{event.code}/cuts/")["decisions"]
    assert [decision[name] for name in ("kind", "round", "table", "how")] == ["table", 1, 1, "lot"]


@pytest.mark.parametrize("kind", ["tables", "tables_swiss"])
def test_a_prize_after_tables_is_decided_by_lot_or_a_table(club: Club, kind: str) -> None:
    """At one table nothing was won by anybody, so that all three are level for one prize."""
    event = evening(club, NINE[:3], format=kind, rounds_planned=1, prizes=1)
    (match,) = drawn(event)
    play_jersey(match)
    recalculate(event.pk)
    (level,) = undecided(event)
    decision = decide(event, level, CutHow.PLAY_OFF)
    (play_off,) = event.matches.filter(play_off=decision).with_sides("sheet", "event", "round")
    winners: Sequence[str] = names_at(play_off)[:1]
    play_jersey(play_off, *winners)
    assert not undecided(event)
    recalculate(event.pk)
    assert {row.played for row in event.standings.all()} == {1}
    event.state = EventState.FINISHED
    event.save()
    (row, *_others) = prizes_of(event)
    assert [entry.name for entry in row.entries] == winners
    with refuses(LeagueError, "decided_already"):
        decide_level(actor=OPERATOR, event=event, key=level.cut.key, how=CutHow.LOT)


def test_a_play_off_that_is_a_draft_again_is_not_measured_by_who_is_here(club: Club) -> None:
    """Nobody but those who are level plays in it, and it cannot be paired again."""
    settings: dict[str, Any] = {"format": "tables_swiss", "rounds_planned": 1, "table_size": 4, "prizes": 2}
    event = evening(club, NINE[:4], preset="basic_rummy", **settings)
    (match,) = drawn(event)
    play_rummy(match, 2, 0, 0, 0)
    recalculate(event.pk)
    (level,) = undecided(event)
    assert len(level.entries) == 3
    decide(event, level, CutHow.PLAY_OFF)
    round_ = unpublish_round(actor=OPERATOR, round_=event.rounds.get(number=2))
    assert no_longer_fits(event, round_) == []
    publish_round(actor=OPERATOR, round_=round_)
