"""A substitute in the middle of a kept sheet: seated once, each deal names who played it."""

from typing import Any

import pytest

from scoring.core.actors import Actor, ActorKind
from scoring.core.errors import ScoringError
from scoring.core.hands import Gin, Points
from scoring.core.mentions import mention
from scoring.core.sheets import VOID, Deal, Substitute
from scoring.models import ActKind, Scoresheet, Seat, SheetAct
from scoring.services import (
    Receipt,
    add_substitute,
    correct_deals,
    record_deals,
    remove_substitute,
    sign_sheet,
    stop_sheet,
    void_sheet,
)
from scoring.services.rebuilding import check_sheets
from scoring.services.records import kept_sheet, seat_figures
from tests.factories import OPERATOR, won
from tests.kept import assert_derived, refused


def record(sheet: Scoresheet, *deals: Deal, **options: Any) -> Receipt:
    return record_deals(**{"actor": OPERATOR, "sheet": sheet, "deals": deals, **options})


def seat(sheet: Scoresheet, **options: Any) -> Receipt:
    usual = {"actor": OPERATOR, "sheet": sheet, "side": 0, "replaces": "Ann", "name": "Xid", "from_deal": 3}
    return add_substitute(**{**usual, **options})


@pytest.fixture
def begun(sheet: Scoresheet) -> Scoresheet:
    """Two deals are recorded: 30 for Ann, 10 for Bob."""
    record(sheet, won("Ann", "Bob", 30), won("Bob", "Ann", 10))
    return sheet


def findings(sheet: Scoresheet) -> list[str]:
    checked = check_sheets(Scoresheet.objects.filter(pk=sheet.pk))
    return [line for _count, found in checked for finding in found for line in finding.lines()]


def test_seat_passes_on_with_the_next_deal(begun: Scoresheet) -> None:
    receipt = seat(begun)
    # Neither a deal nor the end has changed: whoever is typing goes on.
    assert (receipt.version, receipt.first, receipt.count, receipt.status) == (1, None, 0, "open")
    with refused("not_seated", deal=3, field="winner"):
        record(begun, won("Ann", "Bob", 5))
    record(begun, won("Xid", "Bob", 20), won("Bob", "Xid", 15), expected_version=1)
    stored = assert_derived(begun)
    kept = kept_sheet(stored)
    assert kept.sides[0].substitutes == (Substitute("Xid", "Ann", 3),)
    bodies = [version.body or {} for version in kept.versions]
    assert [body["hands"][0]["winner"] for body in bodies] == [0, 1, 2, 1]
    assert stored.derived["order"] == [[0, 2], [1]]
    assert (stored.derived["hands_won"], stored.derived["gins"]) == ([2, 2], [0, 0])
    act = SheetAct.objects.get(sheet=begun, kind=ActKind.SEAT)
    seated = {"player": mention("", "Xid"), "replaces": mention("", "Ann")}
    assert act.body == {"side": 0, "seat": 2, **seated, "from_deal": 3}
    assert findings(begun) == []


def test_shares_are_derived_with_the_sheet(begun: Scoresheet) -> None:
    seat(begun)
    record(begun, won("Xid", "Bob", 20), stopped=True)
    stored = assert_derived(begun)
    # Stopped before deal 3 column 1 is 55 to 35; in the end column 1 is 100 to 35 and column 2 20 + 25 to 0.
    assert stored.nets[0] == 65 + 45
    figures = [seat_figures(stored, 0, 0, size=1), seat_figures(stored, 0, 1, size=1)]
    assert [one["net"] for one in figures] == [20, 110 - 20]
    assert figures[1] == {"hands": 1, "won": 1, "points": 20, "net": 90}
    assert "net" not in seat_figures(stored, 1, 0, size=1)


def test_seat_may_pass_on_again(begun: Scoresheet) -> None:
    seat(begun)
    record(begun, won("Xid", "Bob", 20))
    with refused("unknown_player", field="sides[0].substitutes"):
        seat(begun, name="Yve", from_deal=4)
    seat(begun, replaces="Xid", name="Yve", from_deal=4)
    record(begun, won("Yve", "Bob", 1))
    assert kept_sheet(assert_derived(begun)).sides[0].seated(4) == ("Yve",)
    assert Seat.objects.get(sheet=begun, name="Yve").replaces == 2


def test_player_of_a_team_is_replaced_in_his_seat(team_sheet: Scoresheet) -> None:
    record(team_sheet, Deal((Points("Ann", "Bob", 5), Points("Dot", "Cid", 9))))
    seat(team_sheet, side=1, replaces="Dot", name="Xid", from_deal=2)
    with refused("not_seated", deal=2, field="winner"):
        record(team_sheet, Deal((Points("Ann", "Bob", 5), Points("Dot", "Cid", 9))))
    record(team_sheet, Deal((Gin("Xid", "Ann", 5), Points("Cid", "Bob", 3))))
    stored = assert_derived(team_sheet)
    assert stored.derived["order"] == [[0, 1], [2, 3, 4]]
    assert (stored.derived["hands_won"], stored.derived["gins"]) == ([2, 2], [0, 1])
    assert seat_figures(stored, 1, 2, size=2)["gins"] == 1


def test_deals_already_recorded_pass_to_the_substitute_as_a_correction(begun: Scoresheet) -> None:
    record(begun, won("Ann", "Bob", 20), won("Bob", "Ann", 15))
    with refused("reason_missing", field="reason"):
        seat(begun)
    receipt = seat(begun, reason="He left after the second hand")
    assert (receipt.version, receipt.nets) == (3, (0, 0))
    stored = assert_derived(begun)
    kept = kept_sheet(stored)
    assert [deal.hands for deal in kept.deals[1:]] == [
        (Points("Bob", "Ann", 10),),
        (Points("Xid", "Bob", 20),),
        (Points("Bob", "Xid", 15),),
    ]
    assert [version.version for version in kept.versions] == [1, 1, 2, 2]
    kinds = SheetAct.objects.filter(sheet=begun).order_by("id").values_list("kind", "version", "reason")
    assert list(kinds)[2:] == [
        ("correct", 3, "He left after the second hand"),
        ("seat", 3, "He left after the second hand"),
    ]
    assert findings(begun) == []


def test_passing_recorded_deals_on_takes_the_right_to_correct(begun: Scoresheet, settings: Any) -> None:
    settings.SCORING_POLICY = "tests.scoring.test_services_substitute.RecordersOnly"
    record(begun, won("Ann", "Bob", 20))
    with refused("not_allowed"):
        seat(begun, reason="He left")
    seat(begun, from_deal=4)


class RecordersOnly:
    """May record, and not correct."""

    def allows(self, actor: Actor, action: str, sheet: Scoresheet | None) -> bool:
        return action != "correct"

    def refusal(self, actor: Actor, action: str, sheet: Scoresheet | None) -> None:
        return None

    def visible(self, actor: Actor, queryset: Any) -> Any:
        return queryset


@pytest.mark.parametrize(
    ("asked", "code", "field"),
    [
        ({"from_deal": 1}, "out_of_range", "from_deal"),
        ({"from_deal": 4}, "out_of_range", "from_deal"),
        ({"side": 2}, "unknown_side", "side"),
        ({"replaces": "Zoe"}, "unknown_player", "sides[0].substitutes"),
        ({"replaces": "Bob"}, "unknown_player", "sides[0].substitutes"),
        ({"name": "Bob"}, "duplicate_name", "sides"),
        ({"name": "Ann"}, "duplicate_name", "sides"),
    ],
)
def test_substitute_who_cannot_sit_is_refused(
    begun: Scoresheet, asked: dict[str, Any], code: str, field: str | None
) -> None:
    with refused(code, field=field):
        seat(begun, **asked)


def test_substitute_is_refused_where_nothing_is_left_to_play(
    begun: Scoresheet, team_sheet: Scoresheet
) -> None:
    stop_sheet(actor=OPERATOR, sheet=begun)
    with refused("sheet_finished", field="from_deal"):
        seat(begun)
    seat(begun, from_deal=2, reason="Ann had left before")
    assert kept_sheet(assert_derived(begun)).deals[1] == won("Bob", "Xid", 10)
    void_sheet(actor=OPERATOR, sheet=team_sheet, reason="Wet")
    with refused("sheet_void"):
        seat(team_sheet, from_deal=2)


def test_signatures_lapse_where_deals_pass_on(begun: Scoresheet) -> None:
    stop_sheet(actor=OPERATOR, sheet=begun)
    sign_sheet(actor=OPERATOR, sheet=begun)
    seat(begun, from_deal=2, reason="Ann had left")
    assert not begun.signatures.filter(version=assert_derived(begun).version).exists()


def test_nobody_else_seats_a_substitute(begun: Scoresheet) -> None:
    with refused("not_allowed"):
        seat(begun, actor=Actor(ActorKind.TABLE_LINK, "t1", "Table 1"))


def test_earlier_versions_of_a_deal_stay_readable(begun: Scoresheet) -> None:
    record(begun, won("Ann", "Bob", 20))
    seat(begun, reason="He left")
    correct_deals(actor=OPERATOR, sheet=begun, changes={3: VOID}, reason="Not played")
    kept = kept_sheet(assert_derived(begun))
    bodies = begun.deal_versions.filter(number=3).order_by("version").values_list("body", flat=True)
    assert [kept.deal(body, 3) for body in bodies] == [won("Ann", "Bob", 20), won("Xid", "Bob", 20), VOID]


def test_substitute_by_mistake_is_taken_back_before_he_plays(begun: Scoresheet) -> None:
    seat(begun)
    with refused("reason_missing", field="reason"):
        remove_substitute(actor=OPERATOR, sheet=begun, name="Xid", reason=" ")
    with refused("unknown_player", field="name"):
        remove_substitute(actor=OPERATOR, sheet=begun, name="Ann", reason="Wrong")
    remove_substitute(actor=OPERATOR, sheet=begun, name="Xid", reason="It was Yve")
    seat(begun, name="Yve")
    record(begun, won("Yve", "Bob", 20))
    stored = assert_derived(begun)
    assert kept_sheet(stored).sides[0].substitutes == (Substitute("Yve", "Ann", 3),)
    assert findings(begun) == []
    with refused("has_hands", field="name"):
        remove_substitute(actor=OPERATOR, sheet=begun, name="Yve", reason="Wrong")


def test_substitute_who_was_followed_stays(begun: Scoresheet) -> None:
    seat(begun)
    record(begun, won("Bob", "Xid", 1))
    seat(begun, replaces="Xid", name="Yve", from_deal=4)
    with refused("seat_passed_on"):
        remove_substitute(actor=OPERATOR, sheet=begun, name="Xid", reason="Wrong")


def test_rebuild_says_where_seats_are_not_those_of_the_acts(begun: Scoresheet) -> None:
    seat(begun)
    SheetAct.objects.filter(sheet=begun, kind=ActKind.SEAT).delete()
    assert findings(begun) == [f"sheet {begun} ({begun.code}): its substitutes are not those who were seated"]


def test_refusals_are_scoring_errors(begun: Scoresheet) -> None:
    with pytest.raises(ScoringError, match="next one"):
        seat(begun, from_deal=9)
