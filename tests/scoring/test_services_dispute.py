"""What is said against a sheet: disputed with a sentence, settled with a sentence, and signed again."""

import pytest

from scoring.models import ActKind, Scoresheet, SheetAct, Signature
from scoring.services import (
    correct_deals,
    dispute_sheet,
    open_disputes,
    record_deals,
    settle_dispute,
    sign_sheet,
    void_sheet,
)
from tests.factories import OPERATOR, won
from tests.kept import assert_derived, refused


@pytest.fixture
def ended(sheet: Scoresheet) -> Scoresheet:
    """Ann 40 points ahead of Bob when time was called: version 1."""
    record_deals(actor=OPERATOR, sheet=sheet, deals=[won("Ann", "Bob", 40)], stopped=True)
    return sheet


def dispute(sheet: Scoresheet, sentence: str = "Bob won the last hand.", side: int = 1) -> object:
    return dispute_sheet(actor=OPERATOR, sheet=sheet, sentence=sentence, side=side)


def test_dispute_is_kept_and_changes_no_version(ended: Scoresheet) -> None:
    kept = dispute_sheet(actor=OPERATOR, sheet=ended, sentence="  Bob won\nthe last hand. ", side=1)
    assert (kept.version, kept.side, str(kept.sentence)) == (1, 1, "Bob won the last hand.")
    assert assert_derived(ended).version == 1
    act = SheetAct.objects.get(kind=ActKind.DISPUTE)
    assert (act.reason, act.body, act.actor_name) == ("Bob won the last hand.", {"side": 1}, "The tests")
    assert list(open_disputes(ended)) == [kept]


def test_same_dispute_said_twice_is_one(ended: Scoresheet) -> None:
    assert dispute(ended) == dispute(ended)
    with refused("disputed", field="side"):
        dispute(ended, "And the first one too.")
    assert dispute(ended, "Ann agrees with Bob.", side=0) is not None
    assert open_disputes(ended).count() == 2


def test_dispute_is_refused(sheet: Scoresheet) -> None:
    with refused("sheet_open"):
        dispute(sheet)
    record_deals(actor=OPERATOR, sheet=sheet, deals=[won("Ann", "Bob", 40)], stopped=True)
    with refused("reason_missing", field="sentence"):
        dispute(sheet, " \n ")
    with refused("too_long", field="sentence"):
        dispute(sheet, "x" * 301)
    with refused("wrong_text", field="sentence"):
        dispute(sheet, "a\x00b")
    with refused("unknown_side", field="sides"):
        dispute(sheet, side=2)
    with refused("side_missing", field="side"):
        dispute_sheet(actor=OPERATOR, sheet=sheet, sentence="Not so.")
    with refused("stale_version"):
        dispute_sheet(actor=OPERATOR, sheet=sheet, sentence="Not so.", side=0, expected_version=0)
    void_sheet(actor=OPERATOR, sheet=sheet, reason="typed twice")
    with refused("sheet_void"):
        dispute(sheet)


def test_dispute_outlives_a_correction_until_it_is_settled(ended: Scoresheet) -> None:
    kept = dispute_sheet(actor=OPERATOR, sheet=ended, sentence="Bob won.", side=1)
    correct_deals(actor=OPERATOR, sheet=ended, changes={1: won("Bob", "Ann", 40)}, reason="Bob's")
    assert list(open_disputes(ended)) == [kept]
    settlement = settle_dispute(actor=OPERATOR, dispute=kept, reason="It was mended.")
    assert not open_disputes(ended).exists()
    assert (settlement.reason, settlement.actor_name) == ("It was mended.", "The tests")
    assert (settlement.act.kind, settlement.act.body) == (ActKind.SETTLE, {"dispute": kept.pk})
    assert assert_derived(ended).version == 2
    assert dispute(ended) is not None, "another may follow"


def test_settling_twice_is_answered_once(ended: Scoresheet) -> None:
    kept = dispute_sheet(actor=OPERATOR, sheet=ended, sentence="Bob won.", side=1)
    with refused("reason_missing", field="reason"):
        settle_dispute(actor=OPERATOR, dispute=kept, reason="")
    first = settle_dispute(actor=OPERATOR, dispute=kept, reason="No.")
    assert settle_dispute(actor=OPERATOR, dispute=kept, reason="No.") == first
    with refused("settled"):
        settle_dispute(actor=OPERATOR, dispute=kept, reason="Yes.")
    assert SheetAct.objects.filter(kind=ActKind.SETTLE).count() == 1


def test_side_that_disputes_signs_when_that_is_settled(ended: Scoresheet) -> None:
    kept = dispute_sheet(actor=OPERATOR, sheet=ended, sentence="Bob won.", side=1)
    with refused("disputed", field="sides"):
        sign_sheet(actor=OPERATOR, sheet=ended)
    assert len(sign_sheet(actor=OPERATOR, sheet=ended, sides=[0])) == 1
    settle_dispute(actor=OPERATOR, dispute=kept, reason="He did not.")
    sign_sheet(actor=OPERATOR, sheet=ended)
    assert sorted(Signature.objects.values_list("side", flat=True)) == [0, 1]
