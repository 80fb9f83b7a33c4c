"""Recording: deals are appended as one act; a key makes it once; a refusal changes nothing."""

from typing import Any

import pytest

from scoring.core.actors import Actor, ActorKind
from scoring.core.errors import ScoringError
from scoring.core.hands import Dead, Gin, Knock, Outcome, Points
from scoring.core.rules import Rules
from scoring.core.sheets import VOID, Deal, TeamLine
from scoring.documents.sheets import read_deals
from scoring.models import ActKind, DealVersion, Scoresheet, SheetAct, SheetStatus
from scoring.services import correct_deals, record_deals, stop_sheet, void_sheet
from scoring.services.records import kept_sheet
from scoring.typing.paper_figures import Paper
from tests.factories import OPERATOR, won
from tests.kept import assert_derived, refused

pytestmark = pytest.mark.postgresql

SCOREKEEPER = Actor(ActorKind.IMPORT, "7", "Sam")


def record(sheet: Scoresheet, *deals: Deal, **options: Any) -> Any:
    return record_deals(**{"actor": OPERATOR, "sheet": sheet, "deals": deals, **options})


def test_deals_are_appended_and_the_sheet_follows(sheet: Scoresheet) -> None:
    receipt = record(sheet, won("Ann", "Bob", 40), won("Bob", "Ann", 12))
    assert receipt.to_document() == {
        "sheet": sheet.code,
        "version": 1,
        "first": 1,
        "count": 2,
        "status": "open",
        "net": 0,
    }
    assert not receipt.repeated
    receipt = record(sheet, won("Ann", "Bob", 70))
    assert (receipt.version, receipt.first, receipt.count) == (2, 3, 1)
    # Column 1 is Ann's: 110 + 2 boxes + game bonus, against Bob's 12 and a box.
    assert receipt.nets[0] == (110 + 50 + 100) - (12 + 25)
    kept = assert_derived(sheet)
    assert (kept.status, kept.deal_count, kept.nets) == ("open", 3, [223, -223])
    assert kept.derived["columns_won"] == [1, 0]
    assert kept.derived["boxes"] == [2, 1]
    assert kept.derived["seats"]["0"] == {"hands": 3, "won": 2, "points": 110}
    assert kept.derived["seats"]["1"] == {"hands": 3, "won": 1, "points": 12}


def test_caller_sees_the_sheet_again_only_by_reading_it(sheet: Scoresheet) -> None:
    record(sheet, won("Ann", "Bob", 40))
    assert sheet.version == 0
    record(sheet, won("Ann", "Bob", 40))
    assert assert_derived(sheet).version == 2


def test_who_recorded_is_kept(sheet: Scoresheet) -> None:
    long_name = "S" * 200
    record(sheet, won("Ann", "Bob", 1), actor=Actor(ActorKind.IMPORT, "7", long_name), key="k")
    act = SheetAct.objects.get(sheet=sheet)
    assert (act.kind, act.actor_kind, act.actor_id) == (ActKind.RECORD, "import", "7")
    assert act.actor_name == long_name[:150]
    assert (act.version, act.key, act.body) == (1, "k", {"stopped": False})


def test_deals_are_stored_by_seat_number(sheet: Scoresheet, team_sheet: Scoresheet) -> None:
    deals = [
        Deal((Knock("Bob", "Ann", 8, 20, "7S"),)),
        Deal((Gin("Ann", "Bob", 31),)),
        Deal((Dead(("Bob", "Ann")),)),
        Deal((Points("Ann", "Bob", 25, Outcome.UNDERCUT),)),
    ]
    record(sheet, *deals)
    assert list(DealVersion.objects.filter(sheet=sheet).values_list("body", flat=True)) == [
        {
            "hands": [
                {
                    "kind": "knock",
                    "knocker": 1,
                    "defender": 0,
                    "knocker_deadwood": 8,
                    "defender_deadwood": 20,
                    "upcard": "7S",
                }
            ]
        },
        {"hands": [{"kind": "gin", "knocker": 0, "defender": 1, "defender_deadwood": 31}]},
        {"hands": [{"kind": "dead", "knocker": 1, "defender": 0}]},
        {"hands": [{"kind": "points", "winner": 0, "loser": 1, "points": 25, "mark": "undercut"}]},
    ]
    assert kept_sheet(assert_derived(sheet)).deals == deals

    team_deals = [
        Deal((Gin("Dot", "Cid", 12), Points("Ann", "Bob", 9))),
        Deal(line=TeamLine("You", 28, 3)),
    ]
    record(team_sheet, *team_deals)
    stored = DealVersion.objects.filter(sheet=team_sheet)
    first, second = [row.body or {} for row in stored.order_by("number")]
    assert [hand.get("knocker", hand.get("winner")) for hand in first["hands"]] == [3, 0]
    assert second == {"line": {"winner": 1, "points": 28, "boxes": 3}}
    assert kept_sheet(assert_derived(team_sheet)).deals == team_deals


def test_time_may_be_called_with_the_last_deal(sheet: Scoresheet) -> None:
    receipt = record(sheet, won("Ann", "Bob", 40), stopped=True)
    assert (receipt.status, receipt.nets) == ("stopped", (65, -65))
    assert assert_derived(sheet).winner == 0
    with refused("sheet_stopped"):
        record(sheet, won("Ann", "Bob", 40))


def test_time_may_be_called_without_a_deal(sheet: Scoresheet) -> None:
    record(sheet, won("Bob", "Ann", 40))
    receipt = record(sheet, stopped=True)
    assert (receipt.status, receipt.nets, receipt.first, receipt.count) == ("stopped", (-65, 65), None, 0)
    assert assert_derived(sheet).winner == 1


def test_sheet_says_which_side_stands_left(sheet: Scoresheet) -> None:
    record(sheet, won("Ann", "Bob", 40), left_side=1)
    assert assert_derived(sheet).left_side == 1
    record(sheet, won("Ann", "Bob", 40))
    assert assert_derived(sheet).left_side == 1


def test_act_remembers_which_side_it_put_left(sheet: Scoresheet) -> None:
    record(sheet, won("Ann", "Bob", 40), left_side=1)
    assert SheetAct.objects.get(sheet=sheet).body == {"stopped": False, "left_side": 1}


def test_paper_with_totals_of_more_columns_than_the_sheet_is_refused(sheet: Scoresheet) -> None:
    with refused("too_many_totals", field="paper.totals"):
        record(sheet, won("Ann", "Bob", 40), paper=Paper(totals=((65, 0),) * 4))
    assert not SheetAct.objects.filter(sheet=sheet).exists()


def finish(sheet: Scoresheet) -> None:
    record(sheet, *[won("Ann", "Bob", 100)] * 3)
    assert assert_derived(sheet).status == SheetStatus.FINISHED


# Keys


def test_same_key_answers_the_first_receipt(sheet: Scoresheet) -> None:
    first = record(sheet, won("Ann", "Bob", 40), key="one", expected_version=0)
    record(sheet, won("Bob", "Ann", 10), key="two", expected_version=1)
    again = record(sheet, won("Ann", "Bob", 40), key="one", expected_version=0)
    assert again.repeated
    assert again.to_document() == first.to_document()
    assert assert_derived(sheet).deal_count == 2


def test_same_key_answers_after_the_sheet_has_ended_or_was_voided(sheet: Scoresheet) -> None:
    first = record(sheet, won("Ann", "Bob", 40), key="one")
    stop_sheet(actor=OPERATOR, sheet=sheet)
    assert record(sheet, won("Ann", "Bob", 40), key="one").to_document() == first.to_document()
    void_sheet(actor=OPERATOR, sheet=sheet, reason="wrong players")
    assert record(sheet, won("Ann", "Bob", 40), key="one").to_document() == first.to_document()
    assert assert_derived(sheet).version == 3


@pytest.mark.parametrize(
    "other",
    [
        {"deals": [won("Ann", "Bob", 41)]},
        {"deals": [won("Ann", "Bob", 40), won("Ann", "Bob", 40)]},
        {"stopped": True},
        {"paper": Paper(net=0)},
        {"left_side": 1},
    ],
)
def test_key_with_other_content_is_refused(sheet: Scoresheet, other: dict[str, Any]) -> None:
    record(sheet, won("Ann", "Bob", 40), key="one")
    with refused("key_reused", field="key"):
        record(sheet, **{"deals": [won("Ann", "Bob", 40)], "key": "one", **other})


def test_key_of_a_recording_is_refused_for_a_correction(sheet: Scoresheet) -> None:
    record(sheet, won("Ann", "Bob", 40), key="one")
    with refused("key_reused", field="key"):
        correct_deals(
            actor=OPERATOR, sheet=sheet, changes={1: won("Ann", "Bob", 41)}, reason="misread", key="one"
        )


def test_key_is_its_actors_and_its_sheets_own(sheet: Scoresheet, team_sheet: Scoresheet) -> None:
    record(sheet, won("Ann", "Bob", 40), key="one")
    assert not record(sheet, won("Ann", "Bob", 40), key="one", actor=SCOREKEEPER).repeated
    assert not record(team_sheet, Deal(line=TeamLine("We", 40)), key="one").repeated
    assert assert_derived(sheet).deal_count == 2


@pytest.mark.parametrize(
    ("key", "code"), [("", "wrong_key"), ("k" * 201, "wrong_key"), ("a\0b", "wrong_text")]
)
def test_key_that_cannot_be_kept_is_refused(sheet: Scoresheet, key: str, code: str) -> None:
    with refused(code, field="key"):
        record(sheet, won("Ann", "Bob", 40), key=key)


def test_longest_key_is_kept(sheet: Scoresheet) -> None:
    record(sheet, won("Ann", "Bob", 40), key="k" * 200)
    assert record(sheet, won("Ann", "Bob", 40), key="k" * 200).repeated


# Refusals


@pytest.mark.parametrize("version", [0, 2, 99, -1])
def test_stale_writer_is_refused(sheet: Scoresheet, version: int) -> None:
    record(sheet, won("Ann", "Bob", 40), key="one", expected_version=0)
    with refused("stale_version"):
        record(sheet, won("Ann", "Bob", 40), key="two", expected_version=version)


def test_nothing_to_record_is_refused(sheet: Scoresheet) -> None:
    with refused("nothing_to_record", field="deals"):
        record(sheet)
    with refused("nothing_to_record", field="deals"):
        record(sheet, won("Ann", "Bob", 40), VOID)


def test_deal_after_the_end_is_refused_with_its_number(sheet: Scoresheet) -> None:
    finish(sheet)
    with refused("sheet_finished", deal=4):
        record(sheet, won("Ann", "Bob", 5))
    with refused("sheet_finished", field="stopped"):
        record(sheet, stopped=True)


def test_deal_after_the_end_within_one_act_is_refused(sheet: Scoresheet) -> None:
    with refused("sheet_finished", deal=4):
        record(sheet, *[won("Ann", "Bob", 100)] * 4)


def test_sheet_deleted_meanwhile_takes_nothing(sheet: Scoresheet) -> None:
    stale = Scoresheet.objects.get(pk=sheet.pk)
    Scoresheet.objects.filter(pk=sheet.pk).delete()
    with refused("sheet_gone"):
        record(stale, won("Ann", "Bob", 5))


def test_voided_sheet_takes_nothing(sheet: Scoresheet) -> None:
    void_sheet(actor=OPERATOR, sheet=sheet, reason="typed twice")
    with refused("sheet_void"):
        record(sheet, won("Ann", "Bob", 5))


@pytest.mark.parametrize(
    ("deal", "code", "field"),
    [
        (Deal((Knock("Ann", "Bob", 11, 20),)), "illegal_knock", "knocker_deadwood"),
        (Deal((Knock("Ann", "Bob", 8, 99),)), "out_of_range", "defender_deadwood"),
        (Deal((Points("Ann", "Zoe", 8),)), "unknown_player", "loser"),
        (Deal((Points("Ann", "Ann", 8),)), "same_side", "loser"),
        (Deal((Points("Ann", "Bob", 10_000),)), "out_of_range", "points"),
        (Deal((Points("Ann", "Bob", -1),)), "out_of_range", "points"),
        (Deal((Gin("Ann", "Bob", 8, "ZZ"),)), "unknown_card", "upcard"),
        (Deal((Gin("Ann", "Bob", 8), Gin("Bob", "Ann", 8))), "wrong_hand_count", "hands"),
        (Deal(line=TeamLine("Ann", 8)), "not_a_team_sheet", "line"),
    ],
)
def test_deal_of_another_sheet_is_refused_at_its_number(
    sheet: Scoresheet, deal: Deal, code: str, field: str
) -> None:
    record(sheet, won("Ann", "Bob", 5))
    with refused(code, deal=3, field=field):
        record(sheet, won("Bob", "Ann", 5), deal)


def test_team_sheet_refuses_a_player_twice(team_sheet: Scoresheet) -> None:
    with refused("player_twice", deal=1, field="loser"):
        record(team_sheet, Deal((Points("Ann", "Bob", 8), Points("Cid", "Bob", 3))))
    with refused("unknown_player", deal=1, field="winner"):
        record(team_sheet, Deal(line=TeamLine("They", 8)))


def test_sheet_holds_five_hundred_deals(sheet: Scoresheet) -> None:
    dead = read_deals([{"hands": [{"kind": "dead"}]}], kept_sheet(sheet).sides, Rules())
    record(sheet, *dead * 499)
    with refused("too_many_deals", deal=501, field="deals"):
        record(sheet, *dead * 2)
    record(sheet, *dead)
    assert assert_derived(sheet).deal_count == 500
    with refused("too_many_deals", deal=501, field="deals"):
        record(sheet, *dead)
    with refused("too_many_deals", deal=501, field="deals"):
        correct_deals(actor=OPERATOR, sheet=sheet, changes={501: dead[0]}, reason="forgotten")


def test_who_may_nothing_records_nothing(sheet: Scoresheet, settings: Any) -> None:
    settings.SCORING_POLICY = "tests.scoring.test_policy.NobodyPolicy"
    with refused("not_allowed"):
        record(sheet, won("Ann", "Bob", 5))


def test_receiver_that_fails_takes_the_hand_back(sheet: Scoresheet) -> None:
    from scoring.signals import sheet_changed

    def fail(**_: Any) -> None:
        raise ScoringError("broken", "The floor above cannot take it.")

    sheet_changed.connect(fail, sender=Scoresheet)
    try:
        with refused("broken"):
            record(sheet, won("Ann", "Bob", 5))
    finally:
        sheet_changed.disconnect(fail, sender=Scoresheet)
