"""A tie of one sheet, the best of three, and what decides those that end equal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.core.pairing.errors import PairingError
from league.core.pairing.ties import (
    Decided,
    NeedsDirector,
    NextSheet,
    TieDecider,
    TieDecision,
    TieOutcome,
    outcome,
)
from tests.refusals import refuses

A, B, DRAWN = 0, 1, None


@pytest.mark.parametrize(
    ("best_of", "sheets", "expected"),
    [
        pytest.param(1, [], NextSheet(1), id="nothing played"),
        pytest.param(1, [A], Decided(A, TieDecision.SHEET), id="one sheet won"),
        pytest.param(1, [B], Decided(B, TieDecision.SHEET), id="one sheet won by the second side"),
        pytest.param(3, [], NextSheet(1), id="nothing played of three"),
        pytest.param(3, [A], NextSheet(2), id="one of three"),
        pytest.param(3, [A, A], Decided(A, TieDecision.SHEET), id="two of two, the third is not played"),
        pytest.param(3, [A, B], NextSheet(3), id="one each"),
        pytest.param(3, [A, B, B], Decided(B, TieDecision.SHEET), id="two of three"),
        pytest.param(3, [A, DRAWN], NextSheet(3), id="the third can still make it equal"),
        pytest.param(3, [A, DRAWN, DRAWN], Decided(A, TieDecision.SHEET), id="one won, two drawn"),
        pytest.param(3, [DRAWN, B, DRAWN], Decided(B, TieDecision.SHEET), id="only the second won"),
        pytest.param(3, [DRAWN, DRAWN], NextSheet(3), id="two drawn"),
        pytest.param(3, [DRAWN, DRAWN, B], Decided(B, TieDecision.SHEET), id="two drawn, the third won"),
    ],
)
@pytest.mark.parametrize("decider", TieDecider)
def test_sheets_decide_alike_whatever_the_decider(
    best_of: int, sheets: list[int | None], expected: TieOutcome, decider: TieDecider
) -> None:
    assert outcome(sheets, best_of=best_of, decider=decider, seeds=(5, 4), lots=(1, 2)) == expected


EQUAL: list[tuple[int, list[int | None]]] = [
    (1, [DRAWN]),
    (3, [A, B, DRAWN]),
    (3, [DRAWN, DRAWN, DRAWN]),
    (3, [DRAWN, B, A]),
]


@pytest.mark.parametrize(("best_of", "sheets"), EQUAL)
def test_equal_tie_is_given_to_the_decider(best_of: int, sheets: list[int | None]) -> None:
    def by(decider: TieDecider, seeds: tuple[int, int] = (9, 2)) -> TieOutcome:
        return outcome(sheets, best_of=best_of, decider=decider, seeds=seeds, lots=(1, 2))

    assert by(TieDecider.EXTRA_SHEET) == NextSheet(len(sheets) + 1)
    assert by(TieDecider.HIGHER_SEED) == Decided(B, TieDecision.HIGHER_SEED)
    assert by(TieDecider.HIGHER_SEED, (1, 2)) == Decided(A, TieDecision.HIGHER_SEED)
    assert by(TieDecider.DIRECTOR) == NeedsDirector()


@pytest.mark.parametrize(("best_of", "sheets"), EQUAL)
def test_extra_sheets_follow_until_one_is_won(best_of: int, sheets: list[int | None]) -> None:
    def after(*more: int | None) -> TieOutcome:
        return outcome(
            [*sheets, *more], best_of=best_of, decider=TieDecider.EXTRA_SHEET, seeds=(1, 2), lots=(1, 2)
        )

    assert after(DRAWN) == NextSheet(len(sheets) + 2)
    assert after(DRAWN, B) == Decided(B, TieDecision.SHEET)


@pytest.mark.parametrize(("lots", "winner"), [((7, 3), A), ((3, 7), B)])
def test_the_higher_lot_goes_on(lots: tuple[int, int], winner: int) -> None:
    drawn = outcome([DRAWN], best_of=1, decider=TieDecider.LOT, seeds=(1, 2), lots=lots)
    assert drawn == Decided(winner, TieDecision.LOT)


@given(
    st.lists(st.sampled_from([A, B, DRAWN]), max_size=8), st.sampled_from([1, 3]), st.sampled_from(TieDecider)
)
def test_turning_the_sides_over_turns_the_outcome_over(
    sheets: list[int | None], best_of: int, decider: TieDecider
) -> None:
    turned = [None if winner is None else 1 - winner for winner in sheets]
    here = outcome(sheets, best_of=best_of, decider=decider, seeds=(1, 2), lots=(1, 2))
    there = outcome(turned, best_of=best_of, decider=decider, seeds=(2, 1), lots=(2, 1))
    if isinstance(here, Decided):
        assert there == Decided(1 - here.winner, here.by)
    else:
        assert there == here


@given(st.lists(st.sampled_from([A, B, DRAWN]), max_size=8), st.sampled_from([A, B, DRAWN]))
def test_decision_by_sheets_is_not_changed_by_a_sheet_more(
    sheets: list[int | None], more: int | None
) -> None:
    for best_of in (1, 3):
        before, after = (
            outcome(read, best_of=best_of, decider=TieDecider.EXTRA_SHEET, seeds=(1, 2), lots=(1, 2))
            for read in (sheets, [*sheets, more])
        )
        if isinstance(before, Decided):
            assert after == before


@pytest.mark.parametrize(
    ("best_of", "seeds", "code"), [(2, (1, 2), "best_of"), (5, (1, 2), "best_of"), (1, (3, 3), "seed_twice")]
)
def test_outcome_refuses_what_is_no_tie(best_of: int, seeds: tuple[int, int], code: str) -> None:
    with refuses(PairingError, code):
        outcome([], best_of=best_of, decider=TieDecider.LOT, seeds=seeds, lots=(1, 2))
