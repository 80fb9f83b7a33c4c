"""Sheets opened, blank sheets renamed, house rules in versions."""

from typing import Any

import pytest

from scoring.core.rules import Rules
from scoring.core.sheets import SheetSide
from scoring.models import HouseRules, Scoresheet, Seat, SheetStatus, Side
from scoring.services import (
    SheetPlan,
    make_house_rules,
    open_sheet,
    open_sheets,
    record_deals,
    reseat_sheet,
)
from scoring.services.records import kept_sheet
from tests.factories import OPERATOR, won
from tests.kept import assert_derived, refused
from tests.scoring.conftest import ANN_AND_BOB, WE_AND_YOU


def test_opened_sheet_is_blank_and_says_who_opened_it(hollywood: HouseRules) -> None:
    sheet = open_sheet(actor=OPERATOR, rules=hollywood, sides=WE_AND_YOU, label="HL03-2")
    kept = assert_derived(sheet)
    assert (kept.label, kept.status, kept.version, kept.nets, kept.winner) == (
        "HL03-2",
        "open",
        0,
        [0, 0],
        None,
    )
    assert (kept.actor_kind, kept.actor_id, kept.actor_name) == ("operator", "tests", "The tests")
    assert len(kept.code) == 10
    assert kept_sheet(kept).sides == WE_AND_YOU
    seats = (
        Seat.objects.filter(sheet=sheet).order_by("number").values_list("number", "name", "side__position")
    )
    assert list(seats) == [(0, "Ann", 0), (1, "Cid", 0), (2, "Bob", 1), (3, "Dot", 1)]


def test_many_sheets_are_opened_in_order(hollywood: HouseRules, django_assert_max_num_queries: Any) -> None:
    plans = [
        SheetPlan((SheetSide(f"A{number}", (f"A{number}",)), SheetSide("Bob", ("Bob",))), f"T{number}")
        for number in range(50)
    ]
    with django_assert_max_num_queries(6):
        sheets = open_sheets(actor=OPERATOR, rules=hollywood, plans=plans)
    assert [sheet.label for sheet in sheets] == [plan.label for plan in plans]
    for sheet, plan in zip(sheets, plans, strict=True):
        assert kept_sheet(sheet).sides == plan.sides
    assert len({sheet.code for sheet in sheets}) == 50


def one(name: str, *players: str) -> SheetSide:
    return SheetSide(name, players or (name,))


@pytest.mark.parametrize(
    ("sides", "code", "field"),
    [
        ((one("Ann"), one("Ann")), "duplicate_name", "sides"),
        ((one("We", "Ann", "Bob"), one("You", "Bob", "Cid")), "duplicate_name", "sides"),
        ((one("We", "Ann", "Bob"), one("Cid")), "unequal_sides", "sides"),
        ((one("Ann"), one("B" * 81)), "too_long", "sides[1].name"),
        ((one("Ann"), one("A\0b")), "wrong_name", "sides[1].name"),
        ((one(" "), one("Ann")), "missing_field", "sides[0].name"),
        (
            (one("We", *(f"A{n}" for n in range(13))), one("You", *(f"B{n}" for n in range(13)))),
            "out_of_range",
            "sides[0].players",
        ),
    ],
)
def test_sides_that_cannot_meet_are_refused(
    hollywood: HouseRules, sides: tuple[SheetSide, SheetSide], code: str, field: str
) -> None:
    with refused(code, field=field):
        open_sheets(actor=OPERATOR, rules=hollywood, plans=[SheetPlan(ANN_AND_BOB), SheetPlan(sides)])


def test_label_too_long_is_refused(hollywood: HouseRules) -> None:
    with refused("too_long", field="label"):
        open_sheet(actor=OPERATOR, rules=hollywood, sides=ANN_AND_BOB, label="x" * 41)
    assert open_sheet(actor=OPERATOR, rules=hollywood, sides=ANN_AND_BOB, label="x" * 40).label == "x" * 40


def test_blank_sheet_takes_other_names(sheet: Scoresheet) -> None:
    reseat_sheet(actor=OPERATOR, sheet=sheet, sides=WE_AND_YOU)
    kept = assert_derived(sheet)
    assert kept_sheet(kept).sides == WE_AND_YOU
    assert (kept.code, kept.label) == (sheet.code, "R1-T1")
    assert (Side.objects.count(), Seat.objects.count()) == (2, 4)
    with refused("duplicate_name", field="sides"):
        reseat_sheet(actor=OPERATOR, sheet=sheet, sides=(one("Ann"), one("Ann")))


def test_sheet_that_is_not_blank_keeps_its_names(sheet: Scoresheet) -> None:
    record_deals(actor=OPERATOR, sheet=sheet, deals=[won("Ann", "Bob", 1)])
    with refused("sheet_begun"):
        reseat_sheet(actor=OPERATOR, sheet=sheet, sides=WE_AND_YOU)


def test_who_may_nothing_opens_no_sheet(hollywood: HouseRules, settings: Any) -> None:
    settings.SCORING_POLICY = "tests.scoring.test_policy.NobodyPolicy"
    with refused("not_allowed"):
        open_sheet(actor=OPERATOR, rules=hollywood, sides=ANN_AND_BOB)


# House rules


@pytest.mark.parametrize("preset", ["standard", "tournament", "online", "classic", "continental", "gin_only"])
def test_house_rules_keep_every_knob(db: None, preset: str) -> None:
    rules = Rules.preset(preset, columns=3)
    made = make_house_rules(actor=OPERATOR, name="Ours", rules=rules)
    stored = HouseRules.objects.get(pk=made.pk)
    assert stored.rules == rules
    assert stored.knobs == rules.to_document()
    assert "preset" not in stored.knobs
    assert (stored.version, stored.actor_name) == (1, "The tests")


def test_house_rules_go_on_in_versions(hollywood: HouseRules) -> None:
    second = make_house_rules(actor=OPERATOR, name="Ours", rules=Rules.preset("classic"), earlier=hollywood)
    # From an old version, too, the count goes on from the newest.
    third = make_house_rules(actor=OPERATOR, name="Ours", rules=Rules.preset("online"), earlier=hollywood)
    assert [(rules.code, rules.version) for rules in (second, third)] == [
        (hollywood.code, 2),
        (hollywood.code, 3),
    ]
    assert HouseRules.objects.get(pk=hollywood.pk).rules == hollywood.rules


def test_old_sheet_keeps_the_rules_it_was_opened_with(sheet: Scoresheet) -> None:
    make_house_rules(
        actor=OPERATOR, name="Ours", rules=Rules.preset("standard", target=50), earlier=sheet.rules
    )
    record_deals(actor=OPERATOR, sheet=sheet, deals=[won("Ann", "Bob", 60)])
    assert assert_derived(sheet).status == SheetStatus.OPEN
    assert kept_sheet(Scoresheet.objects.get(pk=sheet.pk)).state.rules.target == 100
