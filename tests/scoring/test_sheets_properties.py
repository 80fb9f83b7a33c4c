"""What holds for every sheet, whatever the rules, the sides and the deals."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.core.errors import ScoringError
from scoring.core.hands import Knock, Points, score_hand
from scoring.core.rules import Rules
from scoring.core.sheets import ColumnState, Deal, RunningSheet, SheetSide, SheetState, score_sheet
from scoring.typing.wording import deals_left
from tests.scoring import reference
from tests.scoring.paper import ANN_AND_BOB
from tests.scoring.strategies import deals as any_deals
from tests.scoring.strategies import sheets

Sides = tuple[SheetSide, SheetSide]
Sheet = tuple[Rules, Sides, list[Deal]]


def scored(sheet: Sheet, *, stopped: bool = False) -> SheetState:
    return score_sheet(*sheet, stopped=stopped, surplus="keep")


@given(sheets(), st.integers(0, 25))
def test_deal_by_deal_equals_a_full_replay(sheet: Sheet, count: int) -> None:
    rules, sides, deals = sheet
    part, whole = scored((rules, sides, deals[:count])), scored(sheet)
    assert part.deals == whole.deals[:count]
    for now, later in zip(part.columns, whole.columns, strict=True):
        for before, after in zip(now.sides, later.sides, strict=True):
            assert before.entries == tuple(entry for entry in after.entries if entry.deal <= count)


@given(sheets(most=12), st.booleans())
def test_running_sheet_is_at_every_deal_what_a_replay_says(sheet: Sheet, stopped: bool) -> None:
    rules, sides, deals = sheet
    running = RunningSheet(rules, sides, surplus="keep")
    for count, deal in enumerate(deals, start=1):
        added = running.add(deal)
        replay = scored((rules, sides, deals[:count]), stopped=stopped)
        assert running.settle(stopped=stopped) == replay
        assert added == replay.deals[-1]
        assert running.played == count
        assert running.is_finished == (replay.status == "finished")
        assert running.deals_left == deals_left(replay)
        assert running.figures == tuple(
            (
                column.closed_by_deal is None,
                tuple(side.running for side in column.sides),
                tuple(side.boxes for side in column.sides),
            )
            for column in replay.columns
        )
        ends = [column.closed_by_deal for column in replay.columns]
        assert running.ended_by == (None if None in ends else max(end or 0 for end in ends))
        open_columns = [column for column in replay.columns if column.closed_by_deal is None]
        for index in (0, 1):
            expected = open_columns[0].sides[index].running if open_columns else 0
            assert running.running(index) == expected


@given(st.data(), sheets(most=12), st.integers(0, 12))
def test_copy_of_a_running_sheet_goes_on_alone(data: st.DataObject, sheet: Sheet, count: int) -> None:
    rules, sides, deals = sheet
    running = RunningSheet(rules, sides, surplus="keep")
    for deal in deals[:count]:
        running.add(deal)
    before = running.settle()
    other = running.copy()
    other.add(data.draw(any_deals(rules, sides)))
    assert running.settle() == before
    for deal in deals[count:]:
        running.add(deal)
    assert running.settle() == scored(sheet)


def test_refused_deal_changes_nothing_on_a_running_sheet() -> None:
    running = RunningSheet(Rules(), ANN_AND_BOB)
    running.add(Deal((Points("Ann", "Bob", 40),)))
    before = running.settle()
    with pytest.raises(ScoringError):
        running.add(Deal((Knock("Ann", "Bob", 11, 20),)))
    assert running.settle() == before


@given(sheets(), st.booleans())
def test_nets_sum_to_0(sheet: Sheet, stopped: bool) -> None:
    state = scored(sheet, stopped=stopped)
    assert sum(state.to_document()["net"].values()) == 0
    signed = [
        column.result if column.winner == state.sides[0].name else -column.result for column in state.columns
    ]
    assert state.net == sum(signed)


@given(sheets(), st.integers(0, 25))
def test_closed_column_never_changes_while_deals_are_appended(sheet: Sheet, count: int) -> None:
    rules, sides, deals = sheet
    part, whole = scored((rules, sides, deals[:count])), scored(sheet)
    for now, later in zip(part.columns, whole.columns, strict=True):
        if now.status == "closed":
            assert now == later


@given(st.data(), sheets(sizes=(1, 2)))
def test_correction_changes_nothing_before_it(data: st.DataObject, sheet: Sheet) -> None:
    rules, sides, deals = sheet
    if not deals:
        return
    index = data.draw(st.integers(0, len(deals) - 1))
    mended = [*deals[:index], data.draw(any_deals(rules, sides)), *deals[index + 1 :]]
    old, new = scored(sheet), scored((rules, sides, mended))
    assert old.deals[:index] == new.deals[:index]
    for before, after in zip(old.columns, new.columns, strict=True):
        if before.closed_by_deal is not None and before.closed_by_deal <= index:
            assert before == after
        for one, other in zip(before.sides, after.sides, strict=True):
            assert [entry for entry in one.entries if entry.deal <= index] == [
                entry for entry in other.entries if entry.deal <= index
            ]


@given(sheets(), st.booleans())
def test_swapping_the_sides_swaps_the_result(sheet: Sheet, stopped: bool) -> None:
    rules, sides, deals = sheet
    state, swapped = scored(sheet, stopped=stopped), scored((rules, sides[::-1], deals), stopped=stopped)
    assert (swapped.net, swapped.totals, swapped.columns_won, swapped.boxes) == (
        -state.net,
        state.totals[::-1],
        state.columns_won[::-1],
        state.boxes[::-1],
    )
    assert (swapped.winner, swapped.status) == (state.winner, state.status)
    for one, other in zip(state.columns, swapped.columns, strict=True):
        assert one.sides == other.sides[::-1]
        assert (one.winner, one.result, one.closed_by_deal) == (
            other.winner,
            other.result,
            other.closed_by_deal,
        )


@given(sheets(sizes=(1,), columns=1))
def test_one_column_equals_the_ordinary_game(sheet: Sheet) -> None:
    rules, _, deals = sheet
    hands = [score_hand(rules, hand) for deal in deals for hand in deal.two_handed]
    used, points, net = reference.ordinary_game(
        rules,
        [
            (int(hand.winner == "Bob"), hand.points, hand.boxes, hand.penalty) if hand.winner else None
            for hand in hands
        ],
    )
    state = scored(sheet)
    assert sum(deal.counted and not deal.deal.is_void for deal in state.deals) == used
    assert [side.points for side in state.columns[0].sides] == points
    assert state.net == net


@given(sheets(), st.booleans())
def test_sheet_is_what_the_naive_scorer_says(sheet: Sheet, stopped: bool) -> None:
    rules, sides, deals = sheet
    state = scored(sheet, stopped=stopped)
    naive = reference.hollywood(rules, sides, deals)
    for column, expected in zip(state.columns, naive, strict=True):
        assert column.closed_by_deal == expected.closed_by
        assert winner_of(state.rules, column) == expected.winner
        for side in column.sides:
            assert [(entry.deal, entry.points) for entry in side.entries] == [
                (deal, points) for deal, _, points, _ in expected.of(side.name)
            ]
            assert (side.points, side.boxes) == (expected.points(side.name), expected.boxes(side.name))
    assert state.net == reference.hollywood_net(rules, sides, deals, stopped=stopped)


def winner_of(rules: Rules, column: ColumnState) -> str | None:
    """Who has won the column: of one that was stopped, or of `deals` that ended level, nobody."""
    first, second = column.sides
    is_level = rules.deals is not None and first.running == second.running
    return column.winner if column.status == "closed" and not is_level else None


@given(sheets(), st.booleans())
def test_figures_of_a_sheet_agree_with_each_other(sheet: Sheet, stopped: bool) -> None:
    state = scored(sheet, stopped=stopped)
    for column in state.columns:
        check_column(state.rules, column)
    for index in (0, 1):
        assert state.totals[index] == sum(column.sides[index].total for column in state.columns)
        name = state.sides[index].name
        assert state.columns_won[index] == sum(column.winner == name for column in state.columns)
        for column in state.columns:
            lines = [
                (deal.number, line.points)
                for deal in state.deals
                for line in deal.lines
                if line.side == name and column.number in line.columns
            ]
            assert lines == [(entry.deal, entry.points) for entry in column.sides[index].entries]
    statuses = {column.status for column in state.columns}
    assert state.status == ("finished" if statuses == {"closed"} else "stopped" if stopped else "open")
    if state.status == "open" or state.net == 0:
        assert state.winner is None
    else:
        assert state.winner == state.sides[state.net < 0].name
    # Deals count until the last column closes, and none does after it.
    ends = [column.closed_by_deal for column in state.columns]
    last = max(end or 0 for end in ends) if None not in ends else len(state.deals)
    assert [deal.counted for deal in state.deals] == [deal.number <= last for deal in state.deals]
    assert not any(deal.lines for deal in state.deals[last:])


def check_column(rules: Rules, column: ColumnState) -> None:
    for side in column.sides:
        assert side.points == sum(entry.points for entry in side.entries)
        assert side.box_points == side.boxes * rules.box_bonus
        assert side.total == side.points + side.box_points + side.game_bonus + side.shutout_bonus
        assert [entry.deal for entry in side.entries] == sorted(entry.deal for entry in side.entries)
        assert side.penalties == 0 or rules.undercut_penalty != "none"
        at_once = rules.box_credit == "at_once"
        assert side.running == side.points + (side.box_points if at_once else 0)
        for before, after in pairwise(side.entries):
            assert after.running >= before.running + after.points
        if column.status != "closed" or side.name != column.winner:
            assert side.game_bonus == side.shutout_bonus == 0
    first, second = column.sides
    match column.status:
        case "closed" if rules.deals is not None:
            assert column.closed_by_deal is not None
            if first.running != second.running:
                assert column.winner == (first if first.running > second.running else second).name
            else:
                assert (column.winner is None) == (first.total == second.total)
                assert (first.game_bonus, second.game_bonus) == (0, 0)
        case "closed":
            assert column.winner in (first.name, second.name)
            assert column.closed_by_deal is not None
            assert max(first.running, second.running) >= rules.target
        case "open":
            assert (column.winner, column.result, column.closed_by_deal) == (None, 0, None)
        case "stopped":
            assert column.closed_by_deal is None
            assert column.result >= 0
            assert (column.winner is None) == (first.total == second.total)


@given(sheets(sizes=(1,)))
def test_individuals_enter_columns_from_left_to_right(sheet: Sheet) -> None:
    state = scored(sheet)
    for left, right in pairwise(state.columns):
        # A penalty may be taken off in the left column alone.
        if state.rules.undercut_penalty == "none":
            assert (left.closed_by_deal or 10**6) <= (right.closed_by_deal or 10**6)
        for one, other in zip(left.sides, right.sides, strict=True):
            # Whoever has a win further right had one here, or found this column closed.
            if other.has_won and not one.has_won:
                assert left.closed_by_deal is not None
                assert left.closed_by_deal < next(entry.deal for entry in other.entries if entry.points >= 0)
