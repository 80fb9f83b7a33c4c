"""The end of a sheet and what stands under it: time called, voided, signed, differing from its paper."""

from typing import Any

import pytest

from scoring.models import (
    ActKind,
    PaperState,
    Scoresheet,
    SheetAct,
    SheetStatus,
    Signature,
    SignatureMethod,
)
from scoring.services import (
    accept_difference,
    correct_deals,
    record_deals,
    sign_sheet,
    stop_sheet,
    void_sheet,
)
from scoring.signals import sheet_changed
from scoring.typing.paper_figures import Paper
from tests.factories import OPERATOR, won
from tests.kept import assert_derived, refused


def record(sheet: Scoresheet, *points: int, **options: Any) -> Any:
    deals = [won("Ann", "Bob", figure) for figure in points]
    return record_deals(actor=OPERATOR, sheet=sheet, deals=deals, **options)


@pytest.fixture
def told(sheet: Scoresheet) -> Any:
    """What the floors above were told: (kind of act, whether a state came along)."""
    heard: list[tuple[str, bool]] = []

    def listen(act: SheetAct, state: object, **_: Any) -> None:
        heard.append((act.kind, state is not None))

    sheet_changed.connect(listen, sender=Scoresheet)
    yield heard
    sheet_changed.disconnect(listen, sender=Scoresheet)


# Time called


def test_time_settles_the_open_columns(sheet: Scoresheet) -> None:
    record(sheet, 40)
    receipt = stop_sheet(actor=OPERATOR, sheet=sheet, reason="the hall closes", expected_version=1)
    assert (receipt.version, receipt.status, receipt.nets) == (2, "stopped", (65, -65))
    kept = assert_derived(sheet)
    assert (kept.stopped, kept.winner) == (True, 0)
    act = SheetAct.objects.get(sheet=sheet, kind=ActKind.STOP)
    assert (act.reason, act.body) == ("the hall closes", {"stopped": True})


def test_time_is_called_once_and_on_an_open_sheet_only(sheet: Scoresheet, team_sheet: Scoresheet) -> None:
    record(sheet, 100, 100, 100)
    with refused("sheet_finished"):
        stop_sheet(actor=OPERATOR, sheet=sheet)
    stop_sheet(actor=OPERATOR, sheet=team_sheet)
    with refused("sheet_finished"):
        stop_sheet(actor=OPERATOR, sheet=team_sheet)


def test_time_refuses_a_stale_writer_and_an_endless_reason(sheet: Scoresheet) -> None:
    record(sheet, 40)
    with refused("stale_version"):
        stop_sheet(actor=OPERATOR, sheet=sheet, expected_version=0)
    with refused("too_long", field="reason"):
        stop_sheet(actor=OPERATOR, sheet=sheet, reason="x" * 301)


# Void


def test_voided_sheet_stays_readable(sheet: Scoresheet) -> None:
    record(sheet, 100, 100, 100)
    receipt = void_sheet(actor=OPERATOR, sheet=sheet, reason="the wrong Ann")
    assert (receipt.status, receipt.version) == ("void", 2)
    kept = assert_derived(sheet)
    assert (kept.status, kept.deal_count, kept.stopped) == (SheetStatus.VOID, 3, False)
    assert SheetAct.objects.get(sheet=sheet, kind=ActKind.VOID).reason == "the wrong Ann"


def test_voided_sheet_takes_nothing_more(sheet: Scoresheet) -> None:
    record(sheet, 40, paper=Paper(net=1))
    void_sheet(actor=OPERATOR, sheet=sheet, reason="typed twice")
    with refused("sheet_void"):
        void_sheet(actor=OPERATOR, sheet=sheet, reason="again")
    with refused("sheet_void"):
        stop_sheet(actor=OPERATOR, sheet=sheet)
    with refused("sheet_void"):
        sign_sheet(actor=OPERATOR, sheet=sheet)
    with refused("sheet_void"):
        accept_difference(actor=OPERATOR, sheet=sheet, reason="so what")


def test_voiding_says_why(sheet: Scoresheet) -> None:
    with refused("reason_missing", field="reason"):
        void_sheet(actor=OPERATOR, sheet=sheet, reason=" ")


# Signatures


def test_scorekeeper_attests_both_signatures(sheet: Scoresheet) -> None:
    record(sheet, 100, 100, 100)
    signatures = sign_sheet(actor=OPERATOR, sheet=sheet, expected_version=1)
    assert [(signature.side, signature.version, signature.method) for signature in signatures] == [
        (0, 1, SignatureMethod.PAPER),
        (1, 1, SignatureMethod.PAPER),
    ]
    assert {signature.actor_name for signature in signatures} == {"The tests"}
    assert assert_derived(sheet).version == 1, "a signature is no new version"
    assert SheetAct.objects.get(kind=ActKind.SIGN).body == {"sides": [0, 1], "method": "paper"}


def test_side_signs_a_version_once(sheet: Scoresheet) -> None:
    record(sheet, 40, stopped=True)
    sign_sheet(actor=OPERATOR, sheet=sheet, sides=[1], method=SignatureMethod.OWN)
    (second,) = sign_sheet(actor=OPERATOR, sheet=sheet)
    assert second.side == 0
    assert sign_sheet(actor=OPERATOR, sheet=sheet) == []
    assert sign_sheet(actor=OPERATOR, sheet=sheet, sides=[]) == []
    assert SheetAct.objects.filter(kind=ActKind.SIGN).count() == 2
    correct_deals(actor=OPERATOR, sheet=sheet, changes={1: won("Bob", "Ann", 40)}, reason="Bob's")
    assert len(sign_sheet(actor=OPERATOR, sheet=sheet)) == 2
    assert sorted(Signature.objects.values_list("version", "side")) == [(1, 0), (1, 1), (2, 0), (2, 1)]


def test_signature_is_refused(sheet: Scoresheet) -> None:
    record(sheet, 40)
    with refused("sheet_open"):
        sign_sheet(actor=OPERATOR, sheet=sheet)
    with refused("unknown_side", field="sides"):
        sign_sheet(actor=OPERATOR, sheet=sheet, sides=[2])
    stop_sheet(actor=OPERATOR, sheet=sheet)
    with refused("stale_version"):
        sign_sheet(actor=OPERATOR, sheet=sheet, expected_version=1)


# The paper

COMPUTED = Paper(net=65, totals=((65, 0),), boxes=(1, 0), lines=1)


@pytest.mark.parametrize(
    ("paper", "state"),
    [
        (COMPUTED, PaperState.AGREES),
        (Paper(no_net=True), PaperState.AGREES),
        (Paper(net=-65), PaperState.DIFFERS),
        (Paper(net=65, totals=((None, 25),)), PaperState.DIFFERS),
        (Paper(net=65, boxes=(None, 1)), PaperState.DIFFERS),
        (Paper(lines=2), PaperState.DIFFERS),
        (Paper(), PaperState.NONE),
    ],
)
def test_sheet_is_held_against_its_paper(sheet: Scoresheet, paper: Paper, state: PaperState) -> None:
    record(sheet, 40, stopped=True, paper=paper)
    kept = assert_derived(sheet)
    assert kept.paper_state == state
    assert Paper.from_document(kept.paper) == paper
    assert SheetAct.objects.get(sheet=sheet).body == {"stopped": True, "paper": paper.to_document()}


def test_paper_may_come_after_the_deals(sheet: Scoresheet) -> None:
    record(sheet, 100, 100, 100)
    assert assert_derived(sheet).paper_state == PaperState.NONE
    receipt = record(sheet, paper=Paper(net=1))
    assert (receipt.first, receipt.count) == (None, 0)
    assert assert_derived(sheet).paper_state == PaperState.DIFFERS


def test_figures_are_compared_again_with_every_deal(sheet: Scoresheet) -> None:
    record(sheet, 40, paper=Paper(lines=2))
    assert assert_derived(sheet).paper_state == PaperState.DIFFERS
    record(sheet, 10)
    assert assert_derived(sheet).paper_state == PaperState.AGREES
    record(sheet, 10)
    assert assert_derived(sheet).paper_state == PaperState.DIFFERS


def test_accepted_difference_keeps_who_and_why(sheet: Scoresheet, told: list[tuple[str, bool]]) -> None:
    record(sheet, 40, stopped=True, paper=Paper(net=60))
    act = accept_difference(actor=OPERATOR, sheet=sheet, reason="they added wrongly", expected_version=1)
    kept = assert_derived(sheet)
    assert (kept.paper_state, kept.version) == (PaperState.ACCEPTED, 1)
    assert kept.paper is not None
    assert kept.paper["net"] == 60
    assert (act.reason, act.actor_name, act.body) == (
        "they added wrongly",
        "The tests",
        {"paper": Paper(net=60).to_document(), "nets": [65, -65]},
    )
    assert told == [("record", True), ("accept", False)]


def test_acceptance_is_refused(sheet: Scoresheet) -> None:
    record(sheet, 40, stopped=True, paper=Paper(net=65))
    with refused("nothing_changed"):
        accept_difference(actor=OPERATOR, sheet=sheet, reason="why not")
    correct_deals(actor=OPERATOR, sheet=sheet, changes={}, reason="60", paper=Paper(net=60))
    with refused("stale_version"):
        accept_difference(actor=OPERATOR, sheet=sheet, reason="why not", expected_version=1)
    with refused("reason_missing", field="reason"):
        accept_difference(actor=OPERATOR, sheet=sheet, reason="")


def test_acceptance_lapses_with_another_deal(sheet: Scoresheet) -> None:
    record(sheet, 40, paper=Paper(lines=9))
    accept_difference(actor=OPERATOR, sheet=sheet, reason="who counts")
    record(sheet, 40)
    assert assert_derived(sheet).paper_state == PaperState.DIFFERS


def test_floors_above_are_told_of_every_act(sheet: Scoresheet, told: list[tuple[str, bool]]) -> None:
    record(sheet, 40)
    correct_deals(actor=OPERATOR, sheet=sheet, changes={1: won("Ann", "Bob", 41)}, reason="41")
    stop_sheet(actor=OPERATOR, sheet=sheet)
    sign_sheet(actor=OPERATOR, sheet=sheet)
    void_sheet(actor=OPERATOR, sheet=sheet, reason="no")
    assert told == [
        ("record", True),
        ("correct", True),
        ("stop", True),
        ("sign", False),
        ("void", True),
    ]
