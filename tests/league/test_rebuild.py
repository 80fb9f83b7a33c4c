"""`manage.py rebuild`: nothing differs after the usual doors; what was tampered with is found and mended."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from league.draws.forfeits import award_forfeit
from league.draws.recalculating import recalculate
from league.models import Event, Match, Standing, StandingsRequest
from league.tables import ratings
from scoring.core.sheets import VOID
from scoring.models import DealVersion, PaperState, Scoresheet, SheetAct
from scoring.services import (
    accept_difference,
    correct_deals,
    record_deals,
    sign_sheet,
    stop_sheet,
    void_sheet,
)
from scoring.typing.paper_figures import Paper
from tests.factories import OPERATOR, ClubFactory, EntryFactory, EventFactory, MatchFactory, RoundFactory, won
from tests.kept import contents
from tests.league.hand_files import command

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


@pytest.fixture
def event() -> Event:
    """Sheets in every state a sheet can be in, and a table that is up to date."""
    club = ClubFactory.create(slug="harbour")
    event = EventFactory.create(club=club, name="Winter Cup", slug="winter-cup")
    names = [f"Player {number}" for number in range(14)]
    entries = [EntryFactory.create(event=event, name=name) for name in names]
    round_ = RoundFactory.create(event=event)
    sheets = []
    for index in range(7):
        a, b = entries[2 * index : 2 * index + 2]
        match = MatchFactory.create(event=event, round=round_, label=f"S{index}", entry_a=a, entry_b=b)
        assert match.sheet is not None
        sheets.append(match.sheet)
        if index:
            deals = [won(a.name, b.name, 300), won(b.name, a.name, 40), won(a.name, b.name, 200)]
            record_deals(actor=OPERATOR, sheet=match.sheet, deals=deals)
    stop_sheet(actor=OPERATOR, sheet=sheets[2])
    correct_deals(actor=OPERATOR, sheet=sheets[1], changes={2: VOID}, reason="not played")
    void_sheet(actor=OPERATOR, sheet=sheets[3], reason="wrong table")
    stop_sheet(actor=OPERATOR, sheet=sheets[4])
    correct_deals(
        actor=OPERATOR, sheet=sheets[4], changes={}, reason="the paper", paper=Paper(net=1, lines=3)
    )
    accept_difference(actor=OPERATOR, sheet=sheets[4], reason="added wrongly")
    sign_sheet(actor=OPERATOR, sheet=sheets[2])
    correct_deals(actor=OPERATOR, sheet=sheets[5], changes={}, reason="the paper", paper=Paper(net=1))
    award_forfeit(actor=OPERATOR, match=Match.objects.get(label="S6"), winner_side=0, reason="left early")
    recalculate(event.pk)
    ratings.recalculate(club.pk)
    return event


def rebuild(*words: str) -> tuple[list[str], int]:
    """The lines it prints and its status."""
    out = io.StringIO()
    try:
        call_command("rebuild", *words, stdout=out, stderr=io.StringIO())
    except CommandError as ended:
        return out.getvalue().splitlines(), ended.returncode
    return out.getvalue().splitlines(), 0


def test_rebuild_when_nothing_was_touched_lists_nothing(event: Event) -> None:
    assert {sheet.paper_state for sheet in Scoresheet.objects.all()} == {
        PaperState.NONE,
        PaperState.ACCEPTED,
        PaperState.DIFFERS,
    }
    before = contents()
    assert rebuild() == (["No differences."], 0)
    assert rebuild("winter-cup", "Winter Cup") == (["No differences."], 0)
    assert rebuild("--apply") == (["No differences."], 0)
    assert contents() == before


def _sheet(**values: Any) -> Callable[[], object]:
    return lambda: Scoresheet.objects.filter(label="S1").update(**values)


def _match(**values: Any) -> Callable[[], object]:
    return lambda: Match.objects.filter(label="S2").update(**values)


TAMPERED: dict[str, tuple[Callable[[], object], str]] = {
    "net": (_sheet(nets=[999, -999]), "nets is [999, -999], the deals give "),
    "status": (_sheet(status="finished"), "status is finished, the deals give open"),
    "winner": (_sheet(places=[2, 1]), "places is [2, 1], the deals give []"),
    "count": (_sheet(deal_count=2), "deal_count is 2, the deals give 3"),
    "version": (_sheet(version=9), "version is 9, the deals give 2"),
    "derived": (_sheet(derived={}), "derived is {}, the deals give {'totals'"),
    "stopped": (_sheet(stopped=True), "stopped is True, the deals give False"),
    "paper state": (_sheet(paper_state="agrees"), "paper_state is agrees, the deals give none"),
    "paper": (_sheet(paper={"net": 3}), "paper is {'net': 3}, the deals give None"),
    "void": (
        lambda: Scoresheet.objects.filter(label="S3").update(status="open"),
        "status is open, the deals give void",
    ),
    "accepted": (
        lambda: Scoresheet.objects.filter(label="S4").update(paper_state="differs"),
        "paper_state is differs, the deals give accepted",
    ),
    "result": (_match(net=5), "match S2 of Winter Cup: net is 5, the sheet gives "),
    "state": (_match(state="playing"), "state is playing, the sheet gives stopped"),
    "held": (_match(held=True), "held is True, the sheet gives False"),
    "table": (
        lambda: Standing.objects.filter(position=1).update(net=7),
        "standings of Winter Cup, Player ",
    ),
    "missing row": (
        lambda: Standing.objects.filter(position=2).delete(),
        " is missing",
    ),
}


@pytest.mark.parametrize(("tamper", "line"), TAMPERED.values(), ids=TAMPERED.keys())
def test_rebuild_finds_and_mends_what_was_changed_behind_its_back(
    event: Event, tamper: Callable[[], object], line: str
) -> None:
    before = contents()
    tamper()
    tampered = contents()

    lines, status = rebuild()
    assert status == 1
    assert any(line in found for found in lines), lines
    assert contents() == tampered

    lines, status = rebuild("--apply")
    assert status == 0
    assert any(line in found for found in lines), lines
    assert lines[-1].startswith("Differences written: ")
    assert rebuild() == (["No differences."], 0)
    after = contents()
    # Who follows the rows is told of the tampering and of the mend: `updated_at` moves with both.
    for name in ("Scoresheet", "Match", "DealVersion", "SheetAct"):
        assert without(after[name], "updated_at") == without(before[name], "updated_at")
    derived = ("id", "entry_id", "event_id")
    assert without(tables(after), *derived) == without(tables(before), *derived)


def tables(rows: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    return sorted(rows["Standing"], key=lambda row: row["position"])


def without(rows: list[dict[str, Any]], *left_out: str) -> list[dict[str, Any]]:
    return [{name: value for name, value in row.items() if name not in left_out} for row in rows]


@pytest.mark.parametrize(
    ("tamper", "line"),
    [
        (lambda: DealVersion.objects.filter(sheet__label="S1", number=1).delete(), "deal 1 is missing"),
        (
            lambda: DealVersion.objects.filter(sheet__label="S1", number=3).update(version=4),
            "deal 3 has 1 versions up to 4",
        ),
        (
            lambda: SheetAct.objects.filter(sheet__label="S1", kind="correct").update(version=5),
            "made version 5 instead of 2",
        ),
        (
            lambda: DealVersion.objects.filter(sheet__label="S1", number=3).update(
                act=SheetAct.objects.filter(sheet__label="S2").first()
            ),
            "was made by an act on another sheet",
        ),
        (
            lambda: DealVersion.objects.filter(sheet__label="S1", number=3).update(body={"hands": [{}]}),
            "its deals cannot be scored",
        ),
    ],
    ids=["a deal gone", "a version out of order", "an act out of order", "another sheet's act", "no deal"],
)
def test_rebuild_says_what_it_cannot_mend(event: Event, tamper: Callable[[], object], line: str) -> None:
    tamper()
    for words in ([], ["--apply"], []):
        lines, status = rebuild(*words)
        assert status == 1
        assert any(line in found for found in lines), lines


def test_rebuild_of_some_events_leaves_the_others(event: Event) -> None:
    other = EventFactory.create(club=ClubFactory.create(slug="old-town"), name="Summer Cup")
    EntryFactory.create(event=other)
    assert rebuild()[1] == 1
    assert rebuild("Winter Cup") == (["No differences."], 0)
    assert rebuild("--club", "harbour") == (["No differences."], 0)
    assert rebuild("Summer Cup")[1] == 1


def test_table_that_waits_for_a_worker_is_no_difference(event: Event) -> None:
    StandingsRequest.objects.create(event=event)
    Standing.objects.filter(position=1).update(net=7)
    lines, status = rebuild()
    assert (lines[0], status) == ("standings of Winter Cup: waiting to be recalculated", 0)
    assert rebuild("--apply")[1] == 0
    assert not StandingsRequest.objects.exists()
    assert rebuild() == (["No differences."], 0)


def test_appearance_in_another_round_is_said(event: Event) -> None:
    appearance = Match.objects.get(label="S1").appearances.all()[0]
    appearance.round = RoundFactory.create(event=event)
    appearance.save()
    lines, status = rebuild("--apply")
    assert status == 1
    assert lines[0].endswith("appears in another round")


def test_rebuild_asks_few_queries_however_many_sheets(
    event: Event, django_assert_max_num_queries: Callable[[int], Any]
) -> None:
    with django_assert_max_num_queries(32):
        command("rebuild")


def test_rebuild_of_an_event_that_fails_says_so_and_goes_on(event: Event) -> None:
    other = EventFactory.create(name="Summer Cup")
    EntryFactory.create(event=other)
    Event.objects.filter(pk=event.pk).update(format="none")
    lines, status = rebuild()
    assert any(line.startswith("standings of Summer Cup") for line in lines)
    assert status == 3


@pytest.mark.parametrize("words", [["--jobs", "0"], ["--jobs", "257"], ["winter-cup", "--resume"]])
def test_rebuild_refuses_what_makes_no_sense(event: Event, words: list[str]) -> None:
    assert rebuild(*words) == ([], 2)
