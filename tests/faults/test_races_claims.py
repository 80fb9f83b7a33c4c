"""Two telephones and an officer at one sheet at the same time: one deal stands, and nothing is lost."""

from functools import partial

import pytest

from scoring.core.actors import Actor, ActorKind
from scoring.models import Claim, ClaimSettlement, DealVersion, Scoresheet
from scoring.services import open_sheet
from scoring.services.claims import (
    Entered,
    TableReceipt,
    open_claims,
    record_at_table,
    settle_claim,
    undo_last,
    withdraw_claim,
)
from scoring.services.records import kept_sheet
from tests.factories import OPERATOR, house_rules, won
from tests.faults.threads import at_once
from tests.kept import assert_derived
from tests.refusals import code_of
from tests.scoring.conftest import ANN_AND_BOB

pytestmark = pytest.mark.django_db(transaction=True)

TELEPHONES = 6


@pytest.fixture
def sheet(transactional_db: None) -> Scoresheet:
    """Ann against Bob, long enough for everybody to write on."""
    return open_sheet(actor=OPERATOR, rules=house_rules(columns=1, target=10_000), sides=ANN_AND_BOB)


def telephone(number: int) -> Actor:
    return Actor(ActorKind.IMPORT, str(number), f"Telephone {number}")


def enter(sheet: Scoresheet, phone: int, number: int, points: int, key: str) -> TableReceipt:
    deal = won("Ann", "Bob", points)
    return record_at_table(actor=telephone(phone), sheet=sheet, number=number, deal=deal, key=key)


def test_same_deal_from_all_sides_is_one_deal(sheet: Scoresheet) -> None:
    for number in (1, 2, 3):
        calls = [
            partial(enter, sheet, phone, number, 10 * number, f"{number}") for phone in range(TELEPHONES)
        ]
        receipts = at_once(calls)
        assert sorted(receipt.outcome for receipt in receipts) == ["recorded", *["same"] * (TELEPHONES - 1)]
    assert assert_derived(sheet).version == 3
    assert not Claim.objects.exists()


def test_different_entries_are_one_deal_and_claims(sheet: Scoresheet) -> None:
    receipts = at_once([partial(enter, sheet, phone, 1, 10 + phone, "k") for phone in range(TELEPHONES)])
    outcomes = [receipt.outcome for receipt in receipts]
    assert outcomes.count(Entered.RECORDED) == 1
    stands = kept_sheet(assert_derived(sheet)).deals[0].hands[0].points  # type: ignore[union-attr]
    claimed = {claim.body["hands"][0]["points"] for claim in open_claims(sheet)}
    assert claimed | {stands} == {10 + phone for phone in range(TELEPHONES)}
    assert stands not in claimed


def test_key_that_comes_several_times_at_once_is_one_entry(sheet: Scoresheet) -> None:
    enter(sheet, 0, 1, 5, "first")
    for number, points in ((2, 7), (1, 9)):
        calls = [partial(enter, sheet, 1, number, points, f"key {number}")] * TELEPHONES
        receipts = at_once(calls)
        assert len({(receipt.outcome, receipt.claim) for receipt in receipts}) == 1
    assert DealVersion.objects.filter(sheet=sheet).count() == 2
    assert open_claims(sheet).count() == 1
    assert_derived(sheet)


def test_taking_back_and_going_on_come_one_after_the_other(sheet: Scoresheet) -> None:
    enter(sheet, 0, 1, 5, "first")

    undo = partial(undo_last, actor=telephone(0), sheet=sheet, number=1, key="undo")
    said = at_once([partial(code_of, undo), partial(code_of, partial(enter, sheet, 1, 2, 8, "second"))])
    # Whichever came first, the other had to look again.
    assert sorted(said) in (["done", "not_last"], ["done", "unknown_deal"])
    assert_derived(sheet)


def test_claim_is_decided_once(sheet: Scoresheet) -> None:
    enter(sheet, 0, 1, 5, "first")
    enter(sheet, 1, 1, 8, "second")
    claim = open_claims(sheet).get()
    calls = [partial(settle_claim, actor=OPERATOR, claim=claim, take=True)] * TELEPHONES
    assert len({settlement.pk for settlement in at_once(calls)}) == 1
    assert ClaimSettlement.objects.count() == 1
    assert assert_derived(sheet).version == 2


def test_claim_is_taken_back_or_taken_over(sheet: Scoresheet) -> None:
    enter(sheet, 0, 1, 5, "first")
    enter(sheet, 1, 1, 8, "second")
    claim = open_claims(sheet).get()
    back = partial(withdraw_claim, actor=telephone(1), claim=claim)
    over = partial(settle_claim, actor=OPERATOR, claim=claim, take=True)
    said = at_once([partial(code_of, call) for call in [back, over] * (TELEPHONES // 2)])
    taken = ClaimSettlement.objects.get().taken
    # Whoever came first is answered the same each time, the others are told that it is decided.
    assert said == (["settled", "done"] if taken else ["done", "settled"]) * (TELEPHONES // 2)
    assert assert_derived(sheet).version == (2 if taken else 1)
