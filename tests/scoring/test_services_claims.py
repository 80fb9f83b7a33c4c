"""Deals entered at the table by two sides: one stands, another is a claim, one's own is taken back."""

from typing import Any

import pytest

from scoring.core.actors import Actor, ActorKind
from scoring.core.hands import Dead, Gin, Knock, Outcome, Points
from scoring.core.sheets import VOID, Deal, TeamLine
from scoring.models import ActKind, Claim, DealVersion, HouseRules, Scoresheet, SheetAct, SheetStatus
from scoring.services import (
    claims,
    correct_deals,
    open_sheet,
    record_deals,
    sign_sheet,
    stop_sheet,
    void_sheet,
)
from scoring.services.claims import (
    Entered,
    TableReceipt,
    next_number,
    open_claims,
    record_at_table,
    settle_claim,
    undo_last,
    withdraw_claim,
)
from scoring.services.records import kept_sheet
from tests.factories import OPERATOR, house_rules, won
from tests.kept import assert_derived, contents, refused
from tests.scoring.conftest import ANN_AND_BOB

ANN = Actor(ActorKind.IMPORT, "ann", "Ann")
BOB = Actor(ActorKind.IMPORT, "bob", "Bob")


def enter(sheet: Scoresheet, number: int, deal: Deal, key: str, actor: Actor = ANN) -> TableReceipt:
    return record_at_table(actor=actor, sheet=sheet, number=number, deal=deal, key=key)


def undo(sheet: Scoresheet, number: int, key: str = "undo", actor: Actor = ANN) -> Any:
    return undo_last(actor=actor, sheet=sheet, number=number, key=key)


def following(sheet: Scoresheet) -> int:
    return next_number(kept_sheet(sheet))


def test_next_deal_is_recorded_and_its_key_answers_again(sheet: Scoresheet) -> None:
    first = enter(sheet, 1, won("Ann", "Bob", 12), "a1")
    assert (first.outcome, first.number, first.version, first.repeated) == (Entered.RECORDED, 1, 1, False)
    enter(sheet, 2, won("Bob", "Ann", 30), "b1", BOB)
    again = enter(sheet, 1, won("Ann", "Bob", 12), "a1")
    assert (again.outcome, again.version, again.repeated) == (Entered.RECORDED, 1, True)
    assert assert_derived(sheet).deal_count == 2
    with refused("key_reused", field="key"):
        enter(sheet, 1, won("Ann", "Bob", 13), "a1")
    with refused("key_reused", field="key"):
        enter(sheet, 3, won("Ann", "Bob", 12), "a1")


def test_same_deal_from_the_other_side_writes_nothing(sheet: Scoresheet) -> None:
    enter(sheet, 1, Deal((Knock("Ann", "Bob", 8, 20),)), "a1")
    same = enter(sheet, 1, Deal((Knock("Ann", "Bob", 8, 20),)), "b1", BOB)
    assert (same.outcome, same.version) == (Entered.SAME, 1)
    # Nobody disputes what a side tells in fewer words: 20 − 8 (RULES §4).
    assert enter(sheet, 1, won("Ann", "Bob", 12), "b2", BOB).outcome == Entered.SAME
    assert SheetAct.objects.filter(sheet=sheet).count() == 1
    assert not Claim.objects.exists()


def test_retry_is_answered_as_it_was_whatever_became_of_the_deal(sheet: Scoresheet) -> None:
    enter(sheet, 1, won("Ann", "Bob", 12), "a1")
    same = enter(sheet, 1, won("Ann", "Bob", 12), "b1", BOB)
    undo(sheet, 1)
    before = contents()
    again = enter(sheet, 1, won("Ann", "Bob", 12), "b1", BOB)
    assert again == TableReceipt(Entered.SAME, sheet.code, 1, same.version, repeated=True)
    enter(sheet, 1, won("Bob", "Ann", 30), "a2")
    assert enter(sheet, 1, won("Ann", "Bob", 12), "b1", BOB) == again
    assert not Claim.objects.exists()
    assert contents()["TableAnswer"] == before["TableAnswer"]
    with refused("key_reused", field="key"):
        enter(sheet, 1, won("Bob", "Ann", 30), "b1", BOB)
    with refused("key_reused", field="key"):
        undo(sheet, 1, "b1", BOB)
    # Another's key of the same name is his own.
    assert enter(sheet, 1, won("Bob", "Ann", 30), "b1").outcome == Entered.SAME


def test_every_key_of_a_repeated_claim_is_kept(sheet: Scoresheet) -> None:
    enter(sheet, 1, won("Ann", "Bob", 12), "a1")
    claim = enter(sheet, 1, won("Ann", "Bob", 21), "b1", BOB).claim
    enter(sheet, 1, won("Ann", "Bob", 21), "b2", BOB)
    settle_claim(actor=OPERATOR, claim=open_claims(sheet).get(), take=False)
    again = enter(sheet, 1, won("Ann", "Bob", 21), "b2", BOB)
    assert again == TableReceipt(Entered.CLAIMED, sheet.code, 1, 1, claim=claim, repeated=True)
    assert not open_claims(sheet).exists()
    for other in (won("Ann", "Bob", 12), won("Ann", "Bob", 22)):
        with refused("key_reused", field="key"):
            enter(sheet, 1, other, "b2", BOB)


def test_boxes_alone_make_a_difference(db: None) -> None:
    rules = house_rules(extra_boxes={"gin": 2})
    sheet = open_sheet(actor=OPERATOR, rules=rules, sides=ANN_AND_BOB)
    # Bare points do not say that they were gin: one box for the hand, and not three (RULES §4).
    enter(sheet, 1, won("Ann", "Bob", 37), "a1")
    assert enter(sheet, 1, Deal((Gin("Ann", "Bob", 12),)), "b1", BOB).outcome == Entered.CLAIMED


DIFFERENT = [
    ("other points", Deal((Knock("Ann", "Bob", 8, 21),))),
    ("other winner", won("Bob", "Ann", 12)),
    ("won otherwise", won("Ann", "Bob", 12, mark=Outcome.GIN)),
    ("nobody", Deal((Dead(("Ann", "Bob")),))),
]


@pytest.mark.parametrize("deal", [deal for _, deal in DIFFERENT], ids=[name for name, _ in DIFFERENT])
def test_different_deal_is_a_claim_and_the_sheet_stays(sheet: Scoresheet, deal: Deal) -> None:
    enter(sheet, 1, Deal((Knock("Ann", "Bob", 8, 20),)), "a1")
    claimed = enter(sheet, 1, deal, "b1", BOB)
    assert (claimed.outcome, claimed.version) == (Entered.CLAIMED, 1)
    (claim,) = open_claims(sheet)
    assert (claim.pk, claim.number, claim.against_version, claim.actor_name) == (claimed.claim, 1, 1, "Bob")
    assert kept_sheet(sheet).deal(claim.body, 1) == deal
    assert enter(sheet, 1, deal, "b1", BOB) == TableReceipt(
        Entered.CLAIMED, sheet.code, 1, 1, claim=claim.pk, repeated=True
    )
    # The same said again under another key is no second claim.
    assert enter(sheet, 1, deal, "b2", BOB).claim == claim.pk
    assert open_claims(sheet).count() == 1
    with refused("key_reused", field="key"):
        enter(sheet, 1, won("Bob", "Ann", 99), "b1", BOB)
    assert assert_derived(sheet).version == 1


def test_claims_have_an_end(sheet: Scoresheet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "MOST_OPEN_CLAIMS", 2)
    enter(sheet, 1, won("Ann", "Bob", 1), "a1")
    for points in (2, 3):
        enter(sheet, 1, won("Ann", "Bob", points), f"b{points}", BOB)
    with refused("too_many_claims"):
        enter(sheet, 1, won("Ann", "Bob", 4), "b4", BOB)


def test_what_cannot_be_entered(sheet: Scoresheet) -> None:
    enter(sheet, 1, won("Ann", "Bob", 12), "a1")
    with refused("unknown_deal", deal=3):
        enter(sheet, 3, won("Ann", "Bob", 12), "a3")
    with refused("unknown_deal", deal=0):
        enter(sheet, 0, won("Ann", "Bob", 12), "a0")
    with refused("nothing_to_record", field="deals"):
        enter(sheet, 2, VOID, "a2")
    with refused("illegal_knock", deal=2, field="knocker_deadwood"):
        enter(sheet, 2, Deal((Knock("Ann", "Bob", 11, 20),)), "a2")
    # Neither is it kept as a claim.
    with refused("illegal_knock", deal=1, field="knocker_deadwood"):
        enter(sheet, 1, Deal((Knock("Ann", "Bob", 11, 20),)), "b1", BOB)
    with refused("unknown_player", deal=1, field="winner"):
        enter(sheet, 1, won("Cid", "Bob", 3), "b1", BOB)
    with refused("wrong_key", field="key"):
        enter(sheet, 2, won("Ann", "Bob", 12), "")


def test_deals_sent_after_time_was_called_are_claims_and_counted_when_they_are_taken(
    sheet: Scoresheet,
) -> None:
    enter(sheet, 1, won("Ann", "Bob", 12), "a1")
    stop_sheet(actor=OPERATOR, sheet=sheet)
    late = [
        enter(sheet, number, won("Ann", "Bob", points), f"a{number}") for number, points in ((2, 5), (3, 7))
    ]
    assert [one.outcome for one in late] == [Entered.CLAIMED, Entered.CLAIMED]
    with refused("unknown_deal", deal=5):
        enter(sheet, 5, won("Ann", "Bob", 5), "a5")
    # The other side tells the first of them too.
    enter(sheet, 2, won("Ann", "Bob", 5), "b2", BOB)
    first, second, again = Claim.objects.order_by("id")
    assert (first.number, second.number, again.number) == (2, 3, 2)
    with refused("unknown_deal", deal=3):
        settle_claim(actor=OPERATOR, claim=second, take=True)
    for claim in (first, again, second):
        settle_claim(actor=OPERATOR, claim=claim, take=True)
    kept = kept_sheet(Scoresheet.objects.get(pk=sheet.pk))
    assert [deal.hands[0] for deal in kept.deals] == [Points("Ann", "Bob", points) for points in (12, 5, 7)]
    assert kept.sheet.stopped


def test_nothing_is_appended_after_the_end_but_claims_are_kept(sheet: Scoresheet) -> None:
    enter(sheet, 1, won("Ann", "Bob", 12), "a1")
    stop_sheet(actor=OPERATOR, sheet=sheet)
    assert enter(sheet, 2, won("Ann", "Bob", 5), "a2").outcome == Entered.CLAIMED
    assert kept_sheet(Scoresheet.objects.get(pk=sheet.pk)).sheet.deal_count == 1
    with refused("sheet_stopped"):
        undo(sheet, 1)
    assert enter(sheet, 1, won("Ann", "Bob", 21), "b1", BOB).outcome == Entered.CLAIMED
    void_sheet(actor=OPERATOR, sheet=sheet, reason="wrong table")
    with refused("sheet_void"):
        enter(sheet, 1, won("Ann", "Bob", 22), "b2", BOB)


def test_finished_sheet_takes_no_more(sheet: Scoresheet) -> None:
    for number in (1, 2, 3):
        enter(sheet, number, won("Ann", "Bob", 100), f"a{number}")
    assert assert_derived(sheet).status == SheetStatus.FINISHED
    with refused("sheet_finished", deal=4):
        enter(sheet, 4, won("Ann", "Bob", 5), "a4")


def test_own_last_deal_is_taken_back_and_played_again(sheet: Scoresheet) -> None:
    enter(sheet, 1, won("Ann", "Bob", 12), "a1")
    enter(sheet, 2, won("Ann", "Bob", 53), "a2")
    undone = undo(sheet, 2)
    assert (undone.version, undone.first) == (3, 2)
    assert undo(sheet, 2).to_document() == undone.to_document()
    assert following(sheet) == 2
    assert assert_derived(sheet).derived["boxes"] == [1, 0]
    # The other side, which knows of neither, means the same deal.
    enter(sheet, 2, won("Ann", "Bob", 35), "b2", BOB)
    assert enter(sheet, 2, won("Ann", "Bob", 35), "a2 again").outcome == Entered.SAME
    versions = DealVersion.objects.filter(sheet=sheet, number=2).order_by("version")
    assert [None if row.body is None else row.body["hands"][0]["points"] for row in versions] == [
        53,
        None,
        35,
    ]
    assert following(sheet) == 3
    acts = SheetAct.objects.filter(sheet=sheet).order_by("id").values_list("kind", "reason", "actor_name")
    assert list(acts)[2] == (ActKind.CORRECT, "Taken back at the table.", "Ann")
    assert_derived(sheet)


def test_taking_back_the_last_deal_opens_a_finished_sheet_unless_it_is_signed(sheet: Scoresheet) -> None:
    for number in (1, 2, 3):
        enter(sheet, number, won("Ann", "Bob", 100), f"a{number}")
    sign_sheet(actor=OPERATOR, sheet=sheet, sides=[1])
    with refused("signed", deal=3):
        undo(sheet, 3)
    # What was signed before the last correction has lapsed.
    correct_deals(actor=OPERATOR, sheet=sheet, changes={1: won("Ann", "Bob", 99)}, reason="misread")
    undo(sheet, 3)
    kept = assert_derived(sheet)
    assert kept.status == SheetStatus.OPEN
    assert enter(sheet, 3, Deal((Points("Bob", "Ann", 7),)), "a3 again").outcome == Entered.RECORDED


def test_nothing_else_is_taken_back(sheet: Scoresheet) -> None:
    with refused("not_last", deal=1):
        undo(sheet, 1)
    enter(sheet, 1, won("Ann", "Bob", 12), "a1")
    enter(sheet, 2, won("Bob", "Ann", 12), "b2", BOB)
    with refused("not_last", deal=1):
        undo(sheet, 1)
    with refused("not_yours", deal=2):
        undo(sheet, 2)
    # What an officer has put there is not one's own any more.
    correct_deals(actor=OPERATOR, sheet=sheet, changes={2: won("Bob", "Ann", 21)}, reason="misread")
    with refused("not_yours", deal=2):
        undo(sheet, 2, actor=BOB)
    enter(sheet, 3, won("Ann", "Bob", 1), "a3")
    undo(sheet, 3)
    with refused("not_last", deal=3):
        undo(sheet, 3, "another key")
    with refused("key_reused", field="key"):
        undo(sheet, 2)


def test_deal_an_officer_struck_out_keeps_its_number(sheet: Scoresheet) -> None:
    enter(sheet, 1, won("Ann", "Bob", 12), "a1")
    enter(sheet, 2, won("Ann", "Bob", 12), "a2")
    correct_deals(actor=OPERATOR, sheet=sheet, changes={2: VOID}, reason="typed twice")
    assert following(sheet) == 3
    assert enter(sheet, 2, won("Ann", "Bob", 12), "a2").repeated
    assert enter(sheet, 2, won("Ann", "Bob", 12), "b2", BOB).outcome == Entered.CLAIMED


def test_claim_that_is_taken_over_is_a_correction(sheet: Scoresheet) -> None:
    enter(sheet, 1, won("Ann", "Bob", 12), "a1")
    enter(sheet, 1, won("Ann", "Bob", 21), "b1", BOB)
    (claim,) = open_claims(sheet)
    settled = settle_claim(actor=OPERATOR, claim=claim, take=True)
    assert settled.taken
    assert settled.act is not None
    assert (settled.act.kind, settled.act.reason) == (
        ActKind.CORRECT,
        "As entered differently at the table.",
    )
    assert not open_claims(sheet).exists()
    assert assert_derived(sheet).version == 2
    assert settle_claim(actor=OPERATOR, claim=claim, take=True) == settled
    with refused("settled"):
        settle_claim(actor=OPERATOR, claim=claim, take=False, reason="no")


def test_claim_that_is_dismissed_changes_nothing(sheet: Scoresheet) -> None:
    enter(sheet, 1, won("Ann", "Bob", 12), "a1")
    enter(sheet, 1, won("Ann", "Bob", 21), "b1", BOB)
    (claim,) = open_claims(sheet)
    settled = settle_claim(actor=OPERATOR, claim=claim, take=False, reason=" Bob  agrees ")
    assert (settled.taken, settled.reason) == (False, "Bob agrees")
    told = [(act.kind, act.actor_id, act.reason, act.body) for act in sheet.acts.order_by("id")][1:]
    assert told == [
        (ActKind.CLAIM, BOB.id, "Deal 1 differs here from the sheet.", {"claim": claim.pk}),
        (ActKind.SETTLE, OPERATOR.id, "Bob agrees", {"claim": claim.pk}),
    ]
    assert settled.act == sheet.acts.latest("id")
    assert assert_derived(sheet).version == 1
    assert enter(sheet, 1, won("Ann", "Bob", 21), "b1", BOB).claim == claim.pk


def test_claim_is_taken_back_by_an_act_of_its_own(sheet: Scoresheet) -> None:
    enter(sheet, 1, won("Ann", "Bob", 12), "a1")
    enter(sheet, 1, won("Ann", "Bob", 21), "b1", BOB)
    (claim,) = open_claims(sheet)
    before = contents()
    with refused("not_yours", deal=1):
        withdraw_claim(actor=ANN, claim=claim)
    assert contents() == before
    taken_back = withdraw_claim(actor=BOB, claim=claim)
    assert (taken_back.taken, taken_back.actor_name) == (False, "Bob")
    act = SheetAct.objects.get(kind=ActKind.SETTLE)
    assert taken_back.act == act
    assert (act.actor_name, act.body, act.version) == ("Bob", {"claim": claim.pk}, 1)
    assert act.reason == "Deal 1: the other entry is taken back at the table."
    assert not open_claims(sheet).exists()
    assert assert_derived(sheet).version == 1
    # Tapped twice.
    assert withdraw_claim(actor=BOB, claim=claim) == taken_back
    assert SheetAct.objects.filter(kind=ActKind.SETTLE).count() == 1
    # Said again later, it is claimed again.
    assert enter(sheet, 1, won("Ann", "Bob", 21), "b2", BOB).outcome == Entered.CLAIMED


@pytest.mark.parametrize("take", [True, False])
def test_claim_on_which_was_decided_is_not_taken_back(sheet: Scoresheet, take: bool) -> None:
    enter(sheet, 1, won("Ann", "Bob", 12), "a1")
    enter(sheet, 1, won("Ann", "Bob", 21), "b1", BOB)
    (claim,) = open_claims(sheet)
    settle_claim(actor=OPERATOR, claim=claim, take=take)
    before = contents()
    with refused("settled"):
        withdraw_claim(actor=BOB, claim=claim)
    assert contents() == before


def test_claim_on_a_voided_sheet_is_not_taken_back(sheet: Scoresheet) -> None:
    enter(sheet, 1, won("Ann", "Bob", 12), "a1")
    enter(sheet, 1, won("Ann", "Bob", 21), "b1", BOB)
    void_sheet(actor=OPERATOR, sheet=sheet, reason="wrong table")
    with refused("sheet_void"):
        withdraw_claim(actor=BOB, claim=open_claims(sheet).get())


def test_claim_that_stands_by_now_needs_no_correction(sheet: Scoresheet) -> None:
    enter(sheet, 1, won("Ann", "Bob", 12), "a1")
    enter(sheet, 1, won("Ann", "Bob", 21), "b1", BOB)
    undo(sheet, 1)
    enter(sheet, 1, won("Ann", "Bob", 21), "a1 again")
    (claim,) = open_claims(sheet)
    act = settle_claim(actor=OPERATOR, claim=claim, take=True).act
    assert act is not None
    assert (act.kind, act.reason) == (ActKind.SETTLE, "Deal 1 stands as the other entry has it by now.")
    assert assert_derived(sheet).version == 3


def test_teams_may_name_their_tables_in_any_order(team_sheet: Scoresheet) -> None:
    first, second = Points("Ann", "Bob", 16), Points("Dot", "Cid", 12)
    enter(team_sheet, 1, Deal((first, second)), "a1")
    assert enter(team_sheet, 1, Deal((second, first)), "b1", BOB).outcome == Entered.SAME
    other = Deal((Points("Ann", "Dot", 16), Points("Bob", "Cid", 12)))
    assert enter(team_sheet, 1, other, "b2", BOB).outcome == Entered.CLAIMED
    assert enter(team_sheet, 1, Deal(line=TeamLine("We", 4)), "b3", BOB).outcome == Entered.CLAIMED


def test_deal_recorded_by_another_door_is_met(sheet: Scoresheet) -> None:
    record_deals(actor=OPERATOR, sheet=sheet, deals=[won("Ann", "Bob", 12)])
    assert enter(sheet, 1, won("Ann", "Bob", 12), "a1").outcome == Entered.SAME
    assert enter(sheet, 2, won("Ann", "Bob", 3), "a2").outcome == Entered.RECORDED


def test_bare_points_are_another_deal_where_the_undercut_had_a_penalty(hollywood: HouseRules) -> None:
    """Both write 2 for Ann; only one of the two takes 25 off Bob."""
    by = house_rules(undercut_penalty="bonus")
    sheet = open_sheet(actor=OPERATOR, rules=by, sides=ANN_AND_BOB)
    undercut = Deal((Knock("Bob", "Ann", 8, 6),))
    enter(sheet, 1, undercut, "a1")
    marked = won("Ann", "Bob", 2, mark=Outcome.UNDERCUT)
    assert enter(sheet, 1, marked, "b1", BOB).outcome == Entered.SAME
    assert enter(sheet, 1, won("Ann", "Bob", 2), "b2", BOB).outcome == Entered.CLAIMED


def test_deal_taken_back_at_the_end_of_a_match_leaves_room_for_another(hollywood: HouseRules) -> None:
    sheet = open_sheet(actor=OPERATOR, rules=house_rules(columns=1, deals=2), sides=ANN_AND_BOB)
    enter(sheet, 1, won("Ann", "Bob", 12), "a1")
    enter(sheet, 2, won("Ann", "Bob", 30), "a2")
    assert assert_derived(sheet).status == SheetStatus.FINISHED
    undo(sheet, 2)
    assert assert_derived(sheet).status == SheetStatus.OPEN
    enter(sheet, 2, won("Bob", "Ann", 30), "b2", BOB)
    ended = assert_derived(sheet)
    # 30 and a box and the game against 12 and a box.
    assert (ended.status, ended.winner, ended.nets[1]) == (SheetStatus.FINISHED, 1, 30 + 100 - 12)
