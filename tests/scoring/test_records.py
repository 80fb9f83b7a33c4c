"""Kept sheets read back: what is stored gives the deals again, whatever they are, in few queries."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.core.rules import Rules
from scoring.core.sheets import VOID, Deal, SheetSide, TeamLine, score_sheet
from scoring.documents.sheets import read_deals
from scoring.models import DealVersion, HouseRules, Scoresheet
from scoring.services import correct_deals, open_sheet, record_deals
from scoring.services.records import KeptSheet, derived_document, kept_sheet, kept_sheets
from tests.factories import OPERATOR, won
from tests.scoring import strategies
from tests.scoring.conftest import ANN_AND_BOB, WE_AND_YOU


def kept(sides: tuple[SheetSide, SheetSide], rules: Rules | None = None) -> KeptSheet:
    """A kept sheet without a database."""
    house = HouseRules(knobs=(rules or Rules.preset("standard", columns=3)).to_document())
    names = [*sides[0].players, *sides[1].players]
    return KeptSheet(Scoresheet(rules=house), sides, dict(enumerate(names)))


@given(st.data())
def test_stored_deal_reads_back_equal(data: st.DataObject) -> None:
    sides = strategies.sides(data.draw(st.integers(1, 3)))
    rules = data.draw(strategies.rules())
    sheet = kept(sides, rules)
    deal = data.draw(strategies.deals(rules, sides))
    assert sheet.deal(json.loads(json.dumps(sheet.stored(deal))), 1) == deal


def test_stored_deal_names_seats_and_sides_by_number() -> None:
    sheet = kept(WE_AND_YOU)
    assert sheet.stored(VOID) is None
    assert sheet.deal(None, 4) == VOID
    assert sheet.stored(Deal(line=TeamLine("You", 28, 2))) == {
        "line": {"winner": 1, "points": 28, "boxes": 2}
    }


def test_name_is_mended_in_one_place() -> None:
    body = kept(ANN_AND_BOB).stored(won("Ann", "Bob", 20))
    renamed = (SheetSide("Anna", ("Anna",)), ANN_AND_BOB[1])
    assert kept(renamed).deal(body, 1) == won("Anna", "Bob", 20)


def test_current_deals_are_the_highest_versions(sheet: Scoresheet) -> None:
    record_deals(actor=OPERATOR, sheet=sheet, deals=[won("Ann", "Bob", 1), won("Ann", "Bob", 2)])
    act = sheet.acts.get()
    body = {"hands": [{"kind": "points", "winner": 1, "loser": 0, "points": 9}]}
    # In whatever order the rows lie: the newest version may have the oldest id.
    DealVersion.objects.bulk_create(
        [DealVersion(sheet=sheet, act=act, number=1, version=version, body=body) for version in (3, 2)]
    )
    loaded = kept_sheet(sheet)
    assert [version.version for version in loaded.versions] == [3, 1]
    assert loaded.deals == [won("Bob", "Ann", 9), won("Ann", "Bob", 2)]


def test_one_sheet_is_read_in_one_query_as_among_many(
    sheet: Scoresheet, django_assert_num_queries: Any
) -> None:
    record_deals(actor=OPERATOR, sheet=sheet, deals=[won("Ann", "Bob", 1), won("Ann", "Bob", 2)])
    correct_deals(actor=OPERATOR, sheet=sheet, changes={1: VOID, 2: won("Bob", "Ann", 3)}, reason="misread")
    kept = Scoresheet.objects.select_related("rules").get(pk=sheet.pk)
    with django_assert_num_queries(1):
        read = kept_sheet(kept)
    assert read.deals == [VOID, won("Bob", "Ann", 3)]
    (among,) = kept_sheets([kept])
    assert read == among
    told = [(row.pk, row.act_id, row.number, row.version, row.body) for row in read.versions]
    assert told == [(row.pk, row.act_id, row.number, row.version, row.body) for row in among.versions]


def test_many_sheets_are_read_in_two_queries(hollywood: HouseRules, django_assert_num_queries: Any) -> None:
    for number in range(1, 8):
        sides = (SheetSide("Ann", ("Ann",)), SheetSide(f"B{number}", (f"B{number}",)))
        opened = open_sheet(actor=OPERATOR, rules=hollywood, sides=sides)
        record_deals(actor=OPERATOR, sheet=opened, deals=[won("Ann", f"B{number}", number)] * number)
    sheets = list(Scoresheet.objects.select_related("rules").order_by("-id"))
    with django_assert_num_queries(2):
        read = kept_sheets(sheets)
        states = [one.state for one in read]
    assert [one.sheet for one in read] == sheets
    assert [len(state.deals) for state in states] == [7, 6, 5, 4, 3, 2, 1]
    assert [one.sides[1].name for one in read] == ["B7", "B6", "B5", "B4", "B3", "B2", "B1"]
    assert kept_sheets([]) == []


TALLIED = [
    {"hands": [{"kind": "knock", "knocker": "Ann", "knocker_deadwood": 8, "defender_deadwood": 20}]},
    {"hands": [{"kind": "gin", "knocker": "Bob", "defender_deadwood": 31}]},
    {"hands": [{"kind": "big_gin", "knocker": "Bob", "defender_deadwood": 1}]},
    {"hands": [{"kind": "knock", "knocker": "Ann", "knocker_deadwood": 8, "defender_deadwood": 8}]},
    {"hands": [{"kind": "points", "winner": "Bob", "points": 30, "mark": "gin_off"}]},
    {"hands": [{"kind": "points", "winner": "Ann", "points": 7}]},
    {"hands": [{"kind": "dead"}]},
]


def test_derived_figures_of_seats_and_columns() -> None:
    sheet = kept(ANN_AND_BOB)
    state = sheet.score([*read_deals(TALLIED, ANN_AND_BOB, Rules()), VOID], stopped=False)
    assert derived_document(sheet, state) == {
        # I: 12+25 against 113+75+100; II: 7+25 against 87+75; III: 0 against 55+50.
        "totals": [37 + 32, 288 + 162 + 105],
        "columns_won": [0, 1],
        "boxes": [2, 4],
        "hands_won": [2, 4],
        "gins": [0, 2],
        "columns": [
            {"status": "closed", "winner": 1, "points": [12, 113]},
            {"status": "open", "winner": None, "points": [7, 87]},
            {"status": "open", "winner": None, "points": [0, 55]},
        ],
        "seats": {
            "0": {"hands": 7, "won": 2, "knocks": 1, "points": 19},
            "1": {"hands": 7, "won": 4, "gins": 2, "undercuts": 2, "points": 143},
        },
    }


def test_derived_figures_leave_out_what_lies_after_the_end() -> None:
    sheet = kept(ANN_AND_BOB, Rules.preset("standard"))
    state = sheet.score([won("Ann", "Bob", 100), won("Bob", "Ann", 100)], stopped=False)
    derived = derived_document(sheet, state)
    assert derived["boxes"] == [1, 0]
    assert derived["seats"] == {
        "0": {"hands": 1, "won": 1, "points": 100},
        "1": {"hands": 1},
    }


def test_derived_figures_of_teams_count_each_hand_for_its_player() -> None:
    sheet = kept(WE_AND_YOU)
    deal = {
        "hands": [
            {"kind": "gin", "knocker": "Dot", "defender": "Ann", "defender_deadwood": 5},
            {"kind": "points", "winner": "Cid", "loser": "Bob", "points": 12},
        ]
    }
    line = {"line": {"winner": "We", "points": 10}}
    state = sheet.score(read_deals([deal, line], WE_AND_YOU, Rules()), stopped=True)
    derived = derived_document(sheet, state)
    assert derived["seats"] == {
        "0": {"hands": 1},
        "1": {"hands": 1, "won": 1, "points": 12},
        "2": {"hands": 1},
        "3": {"hands": 1, "won": 1, "gins": 1, "points": 30},
    }
    assert derived["boxes"] == [1, 1]
    # The line says nothing of the hands behind it.
    assert (derived["hands_won"], derived["gins"]) == ([1, 1], [0, 1])


@pytest.mark.parametrize("stopped", [False, True])
def test_state_is_what_the_scorer_says(sheet: Scoresheet, stopped: bool) -> None:
    deals = read_deals(TALLIED, ANN_AND_BOB, Rules())
    record_deals(actor=OPERATOR, sheet=sheet, deals=deals, stopped=stopped)
    loaded = kept_sheet(Scoresheet.objects.get(pk=sheet.pk))
    assert loaded.state == score_sheet(
        Rules.preset("standard", columns=3), ANN_AND_BOB, deals, stopped=stopped
    )
