"""Corrections: new versions in the place of deals, as one act with its reason; the end may move."""

from typing import Any

import pytest

from scoring.core.errors import ScoringError
from scoring.core.hands import Gin, Knock, Points
from scoring.core.sheets import VOID, Deal
from scoring.models import ActKind, DealVersion, PaperState, Scoresheet, SheetAct, SheetStatus
from scoring.services import accept_difference, correct_deals, record_deals, sign_sheet, void_sheet
from scoring.services.records import kept_sheet
from scoring.typing.paper_figures import Paper
from tests.factories import OPERATOR, won
from tests.kept import assert_derived, refused


def record(sheet: Scoresheet, *deals: Deal, **options: Any) -> Any:
    return record_deals(actor=OPERATOR, sheet=sheet, deals=deals, **options)


def correct(sheet: Scoresheet, changes: dict[int, Deal], reason: str = "misread", **options: Any) -> Any:
    return correct_deals(
        **{"actor": OPERATOR, "sheet": sheet, "changes": changes, "reason": reason, **options}
    )


def bodies(sheet: Scoresheet, number: int) -> list[Any]:
    rows = DealVersion.objects.filter(sheet=sheet, number=number).order_by("version")
    return [None if row.body is None else row.body["hands"][0]["points"] for row in rows]


def test_corrected_deal_keeps_its_history(sheet: Scoresheet) -> None:
    record(sheet, won("Ann", "Bob", 53), won("Bob", "Ann", 12))
    receipt = correct(sheet, {1: won("Ann", "Bob", 35)}, "  35,\n not 53 ")
    assert (receipt.version, receipt.first, receipt.count) == (2, 1, 1)
    correct(sheet, {1: won("Bob", "Ann", 35), 2: won("Bob", "Ann", 21)})
    assert bodies(sheet, 1) == [53, 35, 35]
    assert bodies(sheet, 2) == [12, 21]
    kept = assert_derived(sheet)
    assert [deal.hands[0] for deal in kept_sheet(kept).deals] == [
        Points("Bob", "Ann", 35),
        Points("Bob", "Ann", 21),
    ]
    acts = SheetAct.objects.filter(sheet=sheet, kind=ActKind.CORRECT).order_by("id")
    assert [(act.version, act.reason, act.actor_name) for act in acts] == [
        (2, "35, not 53", "The tests"),
        (3, "misread", "The tests"),
    ]


def test_voided_deal_keeps_its_number_and_may_come_back(sheet: Scoresheet) -> None:
    record(sheet, won("Ann", "Bob", 10), won("Ann", "Bob", 20), won("Ann", "Bob", 30))
    correct(sheet, {2: VOID}, "typed twice")
    kept = assert_derived(sheet)
    assert kept.deal_count == 3
    assert kept.derived["boxes"] == [2, 0]
    record(sheet, won("Bob", "Ann", 5))
    correct(sheet, {2: won("Ann", "Bob", 20)}, "it was there after all")
    assert bodies(sheet, 2) == [20, None, 20]
    assert assert_derived(sheet).derived["boxes"] == [3, 1]


def test_forgotten_deal_is_entered_by_correcting_from_there_on(sheet: Scoresheet) -> None:
    record(sheet, won("Ann", "Bob", 10), won("Bob", "Ann", 30))
    receipt = correct(
        sheet,
        {2: won("Ann", "Bob", 20), 3: won("Bob", "Ann", 30), 4: won("Ann", "Bob", 1)},
        "a row was skipped",
    )
    assert (receipt.first, receipt.count) == (2, 3)
    assert bodies(sheet, 2) == [30, 20]
    assert (bodies(sheet, 3), bodies(sheet, 4)) == ([30], [1])
    assert assert_derived(sheet).deal_count == 4


def test_deals_equal_to_what_is_stored_are_passed_over(sheet: Scoresheet) -> None:
    record(sheet, won("Ann", "Bob", 10), won("Ann", "Bob", 20))
    receipt = correct(sheet, {1: won("Ann", "Bob", 10), 2: won("Ann", "Bob", 21)})
    assert (receipt.first, receipt.count) == (2, 1)
    assert bodies(sheet, 1) == [10]


def test_upcard_in_other_spelling_is_the_same_deal(sheet: Scoresheet) -> None:
    record(sheet, Deal((Knock("Ann", "Bob", 8, 20, "TD"),)))
    with refused("nothing_changed", field="deals"):
        correct(sheet, {1: Deal((Knock("Ann", "Bob", 8, 20, "10d"),))})
    assert assert_derived(sheet).version == 1


def test_correction_may_end_the_sheet_earlier(sheet: Scoresheet) -> None:
    record(sheet, *[won("Ann", "Bob", 30)] * 6)
    correct(sheet, {number: won("Ann", "Bob", 100) for number in (1, 2, 3)}, "hundreds")
    kept = assert_derived(sheet)
    assert (kept.status, kept.deal_count) == (SheetStatus.FINISHED, 6)
    # What lies after the end is kept, and counts nowhere.
    assert [deal.counted for deal in kept_sheet(kept).state.deals] == [True] * 3 + [False] * 3
    assert kept.derived["seats"]["0"] == {"hands": 3, "won": 3, "points": 300}
    assert kept.derived["boxes"] == [3, 0]
    with refused("sheet_finished", deal=7):
        record(sheet, won("Ann", "Bob", 1))
    correct(sheet, {1: won("Bob", "Ann", 1)}, "back again")
    kept = assert_derived(sheet)
    assert all(deal.counted for deal in kept_sheet(kept).state.deals[:4])


def test_forgotten_deal_may_push_the_last_one_past_the_end(sheet: Scoresheet) -> None:
    record(sheet, *[won("Ann", "Bob", 100)] * 3)
    deals = {1: won("Bob", "Ann", 7), **{number: won("Ann", "Bob", 100) for number in (2, 3, 4, 5)}}
    receipt = correct(sheet, deals, "forgotten")
    assert receipt.status == "finished"
    assert [deal.counted for deal in kept_sheet(assert_derived(sheet)).state.deals] == [True] * 4 + [False]


def test_correction_may_reopen_a_finished_sheet(sheet: Scoresheet) -> None:
    record(sheet, *[won("Ann", "Bob", 100)] * 3)
    receipt = correct(sheet, {3: won("Ann", "Bob", 10)})
    assert (receipt.status, assert_derived(sheet).status) == ("open", "open")
    record(sheet, won("Ann", "Bob", 90))
    assert assert_derived(sheet).status == "finished"


def test_correction_calls_time_and_takes_it_back(sheet: Scoresheet) -> None:
    record(sheet, won("Ann", "Bob", 40))
    assert correct(sheet, {}, "time was called", stopped=True).status == "stopped"
    assert assert_derived(sheet).stopped
    correct(sheet, {1: won("Ann", "Bob", 41)})
    assert assert_derived(sheet).status == "stopped"
    receipt = correct(sheet, {}, "it was the other table", stopped=False)
    assert (receipt.status, receipt.first, receipt.count) == ("open", None, 0)
    assert assert_derived(sheet).nets == [0, 0]
    record(sheet, won("Ann", "Bob", 40))


def test_correction_changes_what_the_paper_says(sheet: Scoresheet) -> None:
    record(sheet, won("Ann", "Bob", 40), stopped=True, paper=Paper(net=60))
    assert assert_derived(sheet).paper_state == PaperState.DIFFERS
    correct(sheet, {}, "65 on the paper", paper=Paper(net=65))
    kept = assert_derived(sheet)
    assert kept.paper_state == PaperState.AGREES
    assert kept.paper == Paper(net=65).to_document()
    with refused("nothing_changed", field="deals"):
        correct(sheet, {}, "again", paper=Paper(net=65))
    correct(sheet, {}, "there is no paper", paper=Paper())
    assert assert_derived(sheet).paper_state == PaperState.NONE


def test_correction_may_change_only_which_side_stands_left(sheet: Scoresheet) -> None:
    record(sheet, won("Ann", "Bob", 40), left_side=1)
    assert correct(sheet, {}, "the other way round", left_side=0).version == 2
    assert assert_derived(sheet).left_side == 0
    with refused("nothing_changed", field="deals"):
        correct(sheet, {}, "again", left_side=0)


def test_paper_with_totals_of_more_columns_than_the_sheet_is_refused(sheet: Scoresheet) -> None:
    record(sheet, won("Ann", "Bob", 40))
    with refused("too_many_totals", field="paper.totals"):
        correct(sheet, {}, paper=Paper(totals=((65, 0),) * 4))
    assert assert_derived(sheet).version == 1


def test_acceptance_and_signatures_lapse_with_a_correction(sheet: Scoresheet) -> None:
    record(sheet, won("Ann", "Bob", 40), stopped=True, paper=Paper(net=60))
    accept_difference(actor=OPERATOR, sheet=sheet, reason="added wrongly")
    sign_sheet(actor=OPERATOR, sheet=sheet)
    correct(sheet, {1: won("Ann", "Bob", 41)})
    kept = assert_derived(sheet)
    assert kept.paper_state == PaperState.DIFFERS
    assert not kept.signatures.filter(version=kept.version).exists()
    correct(sheet, {1: won("Ann", "Bob", 35)})
    assert assert_derived(sheet).paper_state == PaperState.AGREES


def test_voided_row_is_no_line_on_the_paper(sheet: Scoresheet) -> None:
    record(sheet, *[won("Ann", "Bob", 20)] * 3, paper=Paper(lines=2))
    assert assert_derived(sheet).paper_state == PaperState.DIFFERS
    correct(sheet, {3: VOID}, "typed twice")
    assert assert_derived(sheet).paper_state == PaperState.AGREES


# Keys


def test_same_key_answers_the_first_receipt(sheet: Scoresheet) -> None:
    record(sheet, won("Ann", "Bob", 53))
    first = correct(sheet, {1: won("Ann", "Bob", 35)}, key="one", expected_version=1)
    correct(sheet, {1: won("Ann", "Bob", 36)}, key="two")
    again = correct(sheet, {1: won("Ann", "Bob", 35)}, key="one", expected_version=1)
    assert again.repeated
    assert again.to_document() == first.to_document()
    assert bodies(sheet, 1) == [53, 35, 36]


@pytest.mark.parametrize(
    "other",
    [
        {"changes": {1: won("Ann", "Bob", 36)}},
        {"changes": {1: VOID}},
        {"changes": {2: won("Ann", "Bob", 35)}},
        {"reason": "another"},
        {"stopped": False},
        {"paper": Paper()},
    ],
)
def test_key_with_other_content_is_refused(sheet: Scoresheet, other: dict[str, Any]) -> None:
    record(sheet, won("Ann", "Bob", 53))
    correct(sheet, {1: won("Ann", "Bob", 35)}, key="one")
    with refused("key_reused", field="key"):
        correct(**{"sheet": sheet, "changes": {1: won("Ann", "Bob", 35)}, "key": "one", **other})


# Refusals


@pytest.mark.parametrize(
    ("reason", "code"),
    [("", "reason_missing"), (" \n\t", "reason_missing"), ("x" * 301, "too_long"), ("a\0b", "wrong_text")],
)
def test_correction_says_why(sheet: Scoresheet, reason: str, code: str) -> None:
    record(sheet, won("Ann", "Bob", 53))
    with refused(code, field="reason"):
        correct(sheet, {1: VOID}, reason)
    correct(sheet, {1: VOID}, "x" * 300)


@pytest.mark.parametrize(
    ("changes", "number"),
    [({0: VOID}, 0), ({-1: VOID}, -1), ({3: VOID}, 3), ({4: won("Ann", "Bob", 1)}, 4)],
)
def test_unknown_deal_is_refused(sheet: Scoresheet, changes: dict[int, Deal], number: int) -> None:
    record(sheet, won("Ann", "Bob", 10), won("Ann", "Bob", 20))
    with refused("unknown_deal", deal=number):
        correct(sheet, {1: won("Ann", "Bob", 11), **changes})


def test_nothing_changed_is_refused(sheet: Scoresheet) -> None:
    record(sheet, won("Ann", "Bob", 10))
    for changes in ({}, {1: won("Ann", "Bob", 10)}):
        with refused("nothing_changed", field="deals"):
            correct(sheet, changes)
    with refused("nothing_changed", field="deals"):
        correct(sheet, {}, stopped=False)


def test_stale_writer_is_refused(sheet: Scoresheet) -> None:
    record(sheet, won("Ann", "Bob", 10))
    with refused("stale_version"):
        correct(sheet, {1: VOID}, expected_version=0)


def test_voided_sheet_is_not_corrected(sheet: Scoresheet) -> None:
    record(sheet, won("Ann", "Bob", 10))
    void_sheet(actor=OPERATOR, sheet=sheet, reason="typed twice")
    with refused("sheet_void"):
        correct(sheet, {1: VOID})


def test_impossible_hand_is_refused_at_its_number(sheet: Scoresheet) -> None:
    record(sheet, won("Ann", "Bob", 10), won("Ann", "Bob", 20))
    with refused("illegal_knock", deal=2, field="knocker_deadwood"):
        correct(sheet, {1: VOID, 2: Deal((Knock("Ann", "Bob", 11, 20),))})
    with refused("unknown_player", deal=2, field="winner"):
        correct(sheet, {1: VOID, 2: won("Zoe", "Bob", 20)})


def test_version_is_never_changed_or_deleted(sheet: Scoresheet) -> None:
    record(sheet, won("Ann", "Bob", 10))
    for row in (DealVersion.objects.get(sheet=sheet), SheetAct.objects.get(sheet=sheet)):
        with pytest.raises(TypeError, match="never changed"):
            row.save()
        with pytest.raises(TypeError, match="never deleted"):
            row.delete()
        assert type(row).objects.get(pk=row.pk) == row


def test_place_of_a_refusal_is_said_in_its_sentence(sheet: Scoresheet) -> None:
    record(sheet, won("Ann", "Bob", 10))
    with pytest.raises(ScoringError, match=r"^deal 1, hand 1, winner: “Zoe” does not play"):
        correct(sheet, {1: won("Zoe", "Bob", 20)})


def test_a_hand_that_was_lost_by_time_stays_so_when_another_of_its_deal_is_corrected(
    team_sheet: Scoresheet,
) -> None:
    by_time = Gin("Ann", "Bob", 16, by_time=True)
    record(team_sheet, Deal((by_time, Knock("Cid", "Dot", 3, 20))))
    correct(team_sheet, {1: Deal((Gin("Ann", "Bob", 16), Knock("Cid", "Dot", 3, 25)))})
    lost, other = kept_sheet(assert_derived(team_sheet)).deals[0].hands
    assert isinstance(lost, Gin)
    assert (lost.by_time, other) == (True, Knock("Cid", "Dot", 3, 25))
    correct(team_sheet, {1: Deal((Gin("Ann", "Bob", 17), Knock("Cid", "Dot", 3, 25)))})
    (other_figure, _) = kept_sheet(assert_derived(team_sheet)).deals[0].hands
    assert isinstance(other_figure, Gin)
    assert not other_figure.by_time
