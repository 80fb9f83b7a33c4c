"""Sheets of every kind are kept: recorded, corrected, taken over, signed and derived again."""

from random import Random
from typing import Any

import pytest
from django.core.management import call_command

from scoring.core.sheets import VOID, SheetSide
from scoring.documents.sheets import score_document
from scoring.models import Scoresheet, SignatureMethod
from scoring.services import (
    add_substitute,
    correct_deals,
    dispute_sheet,
    open_sheet,
    remove_substitute,
    reseat_sheet,
    settle_dispute,
    sign_sheet,
    stop_sheet,
)
from scoring.services.claims import Entered, record_at_table, settle_claim, undo_last
from scoring.services.records import kept_sheet
from tests.factories import OPERATOR
from tests.kept import assert_derived, refused
from tests.scoring.kept.sheets import opened, points, record, shares
from tests.scoring.kinds.paper import NAMES
from tests.scoring.kinds.strategies import KINDS, sheet_of

pytestmark = pytest.mark.django_db


def answer_of(sheet: Scoresheet) -> dict[str, Any]:
    return kept_sheet(Scoresheet.objects.get(pk=sheet.pk)).state.to_document()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_a_sheet_kept_deal_by_deal_is_scored_as_its_document(kind: str, seed: int) -> None:
    document = sheet_of(Random(seed), kind, 10, {"target": 9999, "deals": None})
    sides, deals = document["sides"], document["deals"]
    late = {
        one["from_deal"]: (number, one)
        for number, side in enumerate(sides)
        for one in side.get("substitutes", [])
    }
    rules = {"preset": "standard", **document["rules"]}
    sheet = opened(rules.pop("preset"), sides=[{"name": side["name"]} for side in sides], **rules)
    struck = []
    for number, deal in enumerate(deals, start=1):
        if number in late:
            side, one = late[number]
            add_substitute(
                actor=OPERATOR,
                sheet=sheet,
                side=side,
                replaces=one["replaces"],
                name=one["player"],
                from_deal=number,
            )
        if deal is None:
            struck.append(number)
            deal = {"hands": [dead_hand(sheet)]}
        record(sheet, *deal["hands"])
    if struck:
        changes = dict.fromkeys(struck, VOID)
        correct_deals(actor=OPERATOR, sheet=sheet, changes=changes, reason="Struck out.")
    assert answer_of(sheet) == score_document(document)
    kept = assert_derived(sheet)
    assert sum(kept.nets) == 0


def dead_hand(sheet: Scoresheet) -> dict[str, Any]:
    following = answer_of(sheet)["next"]
    if len(following["playing"]) == 2 and following["waiting"]:
        return {"kind": "dead", "knocker": following["playing"][0], "defender": following["playing"][1]}
    return {"kind": "dead"}


def test_cutthroat_settles_each_with_each() -> None:
    # RULES §8: 104 points with 5 boxes, 60 with 2, 0 with none.
    sheet = opened("cutthroat")
    record(sheet, points("Ann", "Bob", 20), points("Ann", "Cid", 20), points("Ann", "Bob", 20))
    record(sheet, points("Ann", "Cid", 20), points("Bob", "Ann", 30), points("Bob", "Cid", 30))
    receipt = record(sheet, points("Ann", "Bob", 24))
    assert (receipt.status, receipt.nets) == ("finished", (648, -109, -539))
    assert receipt.to_document()["net"] == 648
    assert receipt.to_document()["nets"] == [648, -109, -539]
    kept = assert_derived(sheet)
    assert (kept.nets, kept.places, kept.winner, kept.leader, kept.lead) == (
        [648, -109, -539],
        [1, 2, 3],
        0,
        0,
        648,
    )
    assert kept.derived["boxes"] == [5, 2, 0]
    assert kept.derived["seats"]["0"] == {"hands": 6, "won": 5, "points": 104}
    assert kept.derived["seats"]["2"] == {"hands": 3}


def test_jersey_counts_wins_by_player() -> None:
    # RULES §8: a knocks with 6, b has 18, c 26: 32. Then a 8, b 5, c 30: b 28 and 25.
    sheet = opened("jersey")
    record(
        sheet, {"kind": "knock", "knocker": "Ann", "knocker_deadwood": 6, "others": {"Bob": 18, "Cid": 26}}
    )
    record(sheet, {"kind": "knock", "knocker": "Ann", "knocker_deadwood": 8, "others": {"Bob": 5, "Cid": 30}})
    record(sheet, {"kind": "gin", "knocker": "Cid", "others": {"Ann": 18, "Bob": 26}}, {"kind": "dead"})
    kept = assert_derived(sheet)
    assert kept.derived["totals"] == [32 + 25, 53 + 25, 94 + 25]
    assert kept.derived["seats"] == {
        "0": {"hands": 4, "won": 1, "points": 32, "knocks": 1},
        "1": {"hands": 4, "won": 1, "points": 53, "undercuts": 1},
        "2": {"hands": 4, "won": 1, "points": 94, "gins": 1},
    }
    assert (kept.nets, kept.places) == ([0, 0, 0], [])


def test_of_two_who_win_the_knocker_has_knocked() -> None:
    sheet = opened("jersey", jersey={"undercut": "each"})
    record(sheet, {"kind": "knock", "knocker": "Ann", "knocker_deadwood": 8, "others": {"Bob": 5, "Cid": 30}})
    seats = assert_derived(sheet).derived["seats"]
    assert seats["0"] == {"hands": 1, "won": 1, "points": 22, "knocks": 1}
    assert seats["1"] == {"hands": 1, "won": 1, "points": 28, "undercuts": 1}


@pytest.mark.parametrize(
    ("kind", "seats"), [("cutthroat", 2), ("cutthroat", 5), ("jersey", 2), ("jersey", 4)]
)
def test_wrong_number_of_sides_is_refused(kind: str, seats: int) -> None:
    sheet = opened(kind)
    sides = tuple(SheetSide(name, (name,)) for name in NAMES[:seats])
    with refused("wrong_sides", field="sides"):
        open_sheet(actor=OPERATOR, rules=sheet.rules, sides=sides)
    with refused("wrong_sides", field="sides"):
        reseat_sheet(actor=OPERATOR, sheet=sheet, sides=sides)


def test_a_blank_sheet_of_three_is_reseated_for_four() -> None:
    sheet = opened("cutthroat")
    sides = tuple(SheetSide(name, (name,)) for name in NAMES[:4])
    reseat_sheet(actor=OPERATOR, sheet=sheet, sides=sides)
    kept = Scoresheet.objects.get(pk=sheet.pk)
    assert (kept.nets, list(kept.sides.values_list("name", flat=True))) == ([0] * 4, list(NAMES[:4]))


IMPOSSIBLE: dict[str, tuple[str, dict[str, Any], str, str]] = {
    "who sits out wins": ("cutthroat", points("Cid", "Ann", 12), "sits_out", "winner"),
    "who sits out loses": ("cutthroat", points("Ann", "Cid", 12), "sits_out", "loser"),
    "a count no hand has": (
        "jersey",
        {"kind": "knock", "knocker": "Ann", "knocker_deadwood": 6, "others": {"Bob": 99, "Cid": 26}},
        "out_of_range",
        "others.Bob",
    ),
    "a knock over the limit": (
        "jersey",
        {"kind": "knock", "knocker": "Ann", "knocker_deadwood": 11, "others": {"Bob": 18, "Cid": 26}},
        "illegal_knock",
        "knocker_deadwood",
    ),
    "a figure is missing": ("jersey", shares("Ann", Bob=12), "missing_field", "from.Cid"),
    "points of a stranger": ("jersey", shares("Ann", Bob=12, Zoe=20), "unknown_player", "from"),
}


@pytest.mark.parametrize(("preset", "hand", "code", "field"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_what_no_hand_can_be_is_refused(preset: str, hand: dict[str, Any], code: str, field: str) -> None:
    sheet = opened(preset)
    dead = dead_hand(sheet)
    record(sheet, dead)
    with refused(code, deal=2, field=field):
        record(sheet, hand)
    with refused(code, deal=1, field=field):
        change = {1: {"hands": [hand]}}
        correct_deals(actor=OPERATOR, sheet=sheet, changes=change, reason="As it was.")


def test_a_correction_that_changes_who_plays_next_names_the_deal_it_breaks() -> None:
    sheet = opened("cutthroat")
    record(sheet, points("Ann", "Bob", 12), points("Cid", "Ann", 31))
    with refused("sits_out", deal=2, field="loser"):
        change: dict[int, object] = {1: {"hands": [points("Bob", "Ann", 12)]}}
        correct_deals(actor=OPERATOR, sheet=sheet, changes=change, reason="Bob won.")
    change[2] = {"hands": [points("Cid", "Bob", 31)]}
    correct_deals(actor=OPERATOR, sheet=sheet, changes=change, reason="Bob won.")
    assert assert_derived(sheet).derived["totals"] == [0, 12 + 25, 31 + 25]


def test_all_sides_sign_and_each_may_dispute() -> None:
    sheet = opened("jersey")
    record(sheet, shares("Ann", Bob=12, Cid=20))
    stop_sheet(actor=OPERATOR, sheet=sheet)
    assert [signed.side for signed in sign_sheet(actor=OPERATOR, sheet=sheet)] == [0, 1, 2]
    correct_deals(
        actor=OPERATOR, sheet=sheet, changes={1: {"hands": [shares("Ann", Bob=12, Cid=21)]}}, reason="21."
    )
    with refused("unknown_side", field="sides"):
        sign_sheet(actor=OPERATOR, sheet=sheet, sides=[3])
    dispute = dispute_sheet(actor=OPERATOR, sheet=sheet, side=2, sentence="It was 20.")
    with refused("disputed", field="sides"):
        sign_sheet(actor=OPERATOR, sheet=sheet, sides=[2], method=SignatureMethod.PAPER)
    assert [signed.side for signed in sign_sheet(actor=OPERATOR, sheet=sheet, sides=[0, 1])] == [0, 1]
    settle_dispute(actor=OPERATOR, dispute=dispute, reason="It was 21.")
    assert [signed.side for signed in sign_sheet(actor=OPERATOR, sheet=sheet)] == [2]
    kept = assert_derived(sheet)
    assert (kept.nets, kept.places) == ([2 * (33 + 25), -58, -58], [1, 2, 2])
    assert kept.winner == 0


def test_a_substitute_takes_the_hands_of_the_deals_from_there_on() -> None:
    sheet = opened("jersey")
    record(sheet, shares("Ann", Bob=12, Cid=20), shares("Cid", Ann=5, Bob=6))
    add_substitute(
        actor=OPERATOR, sheet=sheet, side=2, replaces="Cid", name="Zoe", from_deal=2, reason="Cid had left."
    )
    assert answer_of(sheet)["deals"][1]["hands"][0]["gains"] == [
        {"winner": "Zoe", "points": 11, "boxes": 1, "from": {"Ann": 5, "Bob": 6}}
    ]
    kept = assert_derived(sheet)
    assert kept.derived["order"] == [[0], [1], [2, 3]]
    assert kept.derived["seats"]["3"] == {
        "hands": 1,
        "won": 1,
        "points": 11,
        "net": 0 - kept.derived["seats"]["2"]["net"],
    }
    with refused("has_hands", field="name"):
        remove_substitute(actor=OPERATOR, sheet=sheet, name="Zoe", reason="Cid came back.")
    with refused("not_seated", deal=3, field="from"):
        record(sheet, shares("Ann", Bob=12, Cid=20))


def test_two_telephones_enter_one_deal_of_three_and_differ_about_another() -> None:
    sheet = opened("jersey")
    kept = kept_sheet(sheet)
    counted = {"kind": "knock", "knocker": "Ann", "knocker_deadwood": 6, "others": {"Bob": 18, "Cid": 26}}
    first, same, other = (
        kept.reader.read({"hands": [hand]}, 1)
        for hand in (counted, shares("Ann", Bob=12, Cid=20), shares("Ann", Bob=12, Cid=21))
    )

    def entered(deal: Any, key: str) -> Any:
        return record_at_table(actor=OPERATOR, sheet=sheet, number=1, deal=deal, key=key)

    assert entered(first, "a").outcome is Entered.RECORDED
    assert entered(same, "b").outcome is Entered.SAME
    assert entered(other, "c").outcome is Entered.CLAIMED
    claim = sheet.claims.get()
    settle_claim(actor=OPERATOR, claim=claim, take=True)
    assert assert_derived(sheet).derived["totals"] == [33 + 25, 0, 0]


def test_who_sits_out_is_no_claim_either() -> None:
    sheet = opened("cutthroat")
    record(sheet, points("Ann", "Bob", 12))
    kept = kept_sheet(Scoresheet.objects.get(pk=sheet.pk))
    deal = kept.reader.read({"hands": [points("Cid", "Ann", 12)]}, 1)
    with refused("sits_out", deal=1, field="winner"):
        record_at_table(actor=OPERATOR, sheet=sheet, number=1, deal=deal, key="k")


def test_a_deal_taken_back_is_played_by_the_same() -> None:
    sheet = opened("cutthroat")
    record(sheet, points("Ann", "Bob", 12), points("Cid", "Ann", 9))
    undo_last(actor=OPERATOR, sheet=sheet, number=2, key="k")
    assert answer_of(sheet)["next"] == {"playing": ["Ann", "Cid"], "waiting": ["Bob"], "dealer": "Bob"}
    record(sheet, points("Ann", "Cid", 9))
    assert assert_derived(sheet).derived["totals"] == [12 + 9 + 50, 0, 0]


def test_the_same_key_gets_the_same_receipt_with_all_nets() -> None:
    sheet = opened("jersey", target=30)
    receipt = record(sheet, shares("Ann", Bob=12, Cid=20), key="k")
    again = record(sheet, shares("Ann", Bob=12, Cid=20), key="k")
    assert again.repeated
    assert again.to_document() == receipt.to_document()
    assert receipt.nets == (2 * (32 + 25 + 100 + 100), -257, -257)


def test_sheets_of_three_are_derived_again(capsys: pytest.CaptureFixture[str]) -> None:
    sheet = opened("jersey")
    record(sheet, shares("Ann", Bob=12, Cid=20))
    call_command("rebuild")
    assert capsys.readouterr().out == "No differences.\n"
    Scoresheet.objects.filter(pk=sheet.pk).update(nets=[1, 1, 1])
    call_command("rebuild", "--apply")
    assert assert_derived(sheet).nets == [0, 0, 0]
