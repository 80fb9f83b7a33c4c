"""Importing hands: what a file makes, what is passed over, what is corrected; the door is the usual one."""

from decimal import Decimal

import pytest

from league.core.hand_files.problems import FileRefused
from league.draws.recalculating import recalculate
from league.errors import LeagueError
from league.files.applying import apply_import
from league.files.planning import plan_import
from league.files.plans import ImportOptions
from league.models import (
    Appearance,
    AuditEntry,
    Club,
    Entry,
    Event,
    Match,
    Player,
    Round,
    Standing,
    StandingsRequest,
)
from scoring.core.rules import Rules
from scoring.core.sheets import VOID
from scoring.models import ActKind, Scoresheet, SheetAct
from scoring.services import record_deals
from scoring.services.records import kept_sheet
from tests.factories import (
    OPERATOR,
    PlayerFactory,
    won,
)
from tests.kept import assert_derived, contents
from tests.league.hand_files import (
    HOLLYWOOD,
    OTHER,
    TEAMS,
    THREE_COLUMNS,
    dead,
    file_of,
    imported,
    knock,
    points,
    stopped,
    the_sheet,
)
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def test_hollywood_season_when_imported_is_whole(club: Club) -> None:
    batch = imported(club, HOLLYWOOD)

    assert batch is not None
    assert (batch.hands, batch.deals, batch.sheets) == (1242, 1242, 120)
    event = Event.objects.get()
    assert (event.kind, event.team_size, event.rules.rules) == ("individual", 1, THREE_COLUMNS)
    assert event.slug == "hollywood-league-2025"
    assert (Player.objects.count(), Entry.objects.count(), Round.objects.count()) == (16, 16, 15)
    assert Match.objects.filter(state="finished").count() == 120
    assert batch.acts.count() == 120
    for sheet in Scoresheet.objects.all()[:10]:
        assert_derived(sheet)


def test_team_season_when_imported_has_teams(club: Club) -> None:
    imported(club, TEAMS, rules=None)

    event = Event.objects.get()
    assert (event.kind, event.team_size) == ("team", 2)
    assert sorted(event.entries.values_list("name", flat=True))[:2] == ["Abbott & Quispe", "Bianchi & Petrov"]
    assert Appearance.objects.count() == 28 * 4
    for sheet in Scoresheet.objects.all()[:5]:
        assert_derived(sheet)


@pytest.mark.parametrize("data", [HOLLYWOOD, TEAMS], ids=["hollywood", "teams"])
def test_second_import_of_a_file_changes_nothing(club: Club, data: bytes) -> None:
    imported(club, data)
    before = contents()

    assert imported(club, data) is None
    assert imported(club, data, create=False, rules=None) is None
    assert contents() == before


def test_import_twice_with_rows_in_another_order_changes_nothing(club: Club) -> None:
    header, *rows = TEAMS.splitlines(keepends=True)
    imported(club, TEAMS)
    before = contents()

    assert imported(club, b"".join([header, *reversed(rows)])) is None
    assert contents() == before


def test_sides_when_swapped_are_the_same_sheet(club: Club) -> None:
    imported(club, file_of(knock(1), dead(2), knock(3, "Bob")))
    before = contents()
    turned = {"side_a": "Bob", "side_b": "Ann"}

    assert imported(club, file_of(knock(1, **turned), dead(2, **turned), knock(3, "Bob", **turned))) is None
    assert contents() == before


def test_more_deals_when_the_sheet_is_stored_are_appended(club: Club) -> None:
    imported(club, file_of(knock(1), dead(2)))

    batch = imported(club, file_of(knock(1), dead(2), knock(3, "Bob"), stopped()))

    assert batch is not None
    assert batch.deals == 1
    sheet = assert_derived(the_sheet())
    assert (sheet.deal_count, sheet.status, sheet.version) == (3, "stopped", 2)
    assert Match.objects.get().state == "stopped"


def test_a_file_of_later_deals_only_is_appended(club: Club) -> None:
    imported(club, file_of(knock(1), dead(2)))
    imported(club, file_of(knock(3)))
    assert the_sheet().deal_count == 3


def test_a_stopped_row_alone_calls_time(club: Club) -> None:
    imported(club, file_of(knock(1)))
    imported(club, file_of(stopped()))
    assert (the_sheet().status, the_sheet().stopped) == ("stopped", True)
    assert imported(club, file_of(knock(1), stopped(deal=2))) is None


def test_differing_deals_with_a_reason_are_one_correction_of_each_sheet(club: Club) -> None:
    imported(club, file_of(knock(1), knock(2), dead(3), dead(1, **OTHER)))

    batch = imported(
        club,
        file_of(knock(1, other=35), knock(2), knock(3, "Bob"), knock(4), dead(1, **OTHER)),
        correct="typed from the wrong sheet",
    )

    assert batch is not None
    assert (batch.deals, batch.sheets) == (3, 1)
    sheet = assert_derived(Scoresheet.objects.get(label="W1-1"))
    (act,) = sheet.acts.filter(kind=ActKind.CORRECT)
    assert (act.reason, act.deal_versions.count(), act.actor_kind) == (
        "typed from the wrong sheet",
        3,
        "import",
    )
    assert [scored.two_handed[0][1].points for scored in kept_sheet(sheet).state.deals] == [30, 20, 20, 20]
    assert Scoresheet.objects.get(label="W1-2").version == 1


def test_deals_after_time_was_called_need_a_reason(club: Club) -> None:
    imported(club, file_of(knock(1), stopped()))
    longer = file_of(knock(1), knock(2))
    with pytest.raises(FileRefused, match="Time was called"):
        imported(club, longer)

    imported(club, longer, correct="they played on")

    sheet = assert_derived(the_sheet())
    assert (sheet.deal_count, sheet.stopped, sheet.status) == (2, False, "open")


def test_voided_rows_keep_their_number(club: Club) -> None:
    data = file_of(knock(1), dead(2, kind="void"), knock(3))
    imported(club, data)

    sheet = assert_derived(the_sheet())
    assert kept_sheet(sheet).deals[1] == VOID
    assert sheet.deal_count == 3
    assert imported(club, data) is None


def test_voided_rows_leave_room_in_a_match_of_deals(club: Club) -> None:
    """Four rows, of which two count; what stands in for a void one would end the sheet."""
    data = file_of(
        dead(1, kind="void"), knock(2), dead(3, kind="void"), knock(4, knocker="Bob", own=5, other=26)
    )
    imported(club, data, rules=Rules(deals=2))

    sheet = assert_derived(the_sheet())
    assert [deal.is_void for deal in kept_sheet(sheet).deals] == [True, False, True, False]
    # 21 to 20.
    assert (sheet.status, sheet.winner) == ("finished", 1)
    assert imported(club, data, rules=None) is None


def test_time_called_after_a_voided_row_of_a_match_of_deals(club: Club) -> None:
    imported(club, file_of(knock(1), dead(2, kind="void"), stopped()), rules=Rules(deals=2))

    sheet = assert_derived(the_sheet())
    assert (sheet.status, sheet.stopped, sheet.deal_count) == ("stopped", True, 2)


def test_rules_of_a_game_without_matches_are_refused(club: Club) -> None:
    with refuses(LeagueError, "no_matches", field="rules"):
        imported(club, file_of(knock(1)), rules=Rules.preset("jersey"))
    assert not Event.objects.exists()


def test_team_lines_may_name_the_team_or_its_players(club: Club) -> None:
    sides = {"side_a": "Ann+Cid", "side_b": "Bob+Dora", "team_a": "Aces", "team_b": "Blues"}
    data = file_of(
        points(1, "Aces", 28, kind="line", **sides),
        points(2, "Dora+Bob", 12, kind="line", mark=2, **sides),
    )
    imported(club, data)

    lines = [deal.line for deal in kept_sheet(the_sheet()).deals]
    assert [(line.winner, line.points, line.boxes) for line in lines if line] == [
        ("Aces", 28, 1),
        ("Blues", 12, 2),
    ]
    assert imported(club, data) is None


def test_a_points_row_takes_its_mark(club: Club) -> None:
    imported(club, file_of(points(1, "Ann", 45, mark="gin"), points(2, "Bob", 30, defender="Ann")))
    kept = kept_sheet(the_sheet())
    assert kept.state.deals[0].hands[0].outcome == "gin"
    assert kept.deals[1] == won("Bob", "Ann", 30)


def test_import_leaves_an_audit_entry_and_its_own_actor(club: Club) -> None:
    batch = imported(club, file_of(knock(1)))
    assert batch is not None
    note = AuditEntry.objects.get(action="import.apply")
    assert (note.object_id, note.club, note.actor_name) == (str(batch.pk), club, OPERATOR.name)
    act = SheetAct.objects.get()
    assert (act.actor_kind, act.actor_id, act.actor_name) == ("import", str(batch.pk), "The tests (import)")


def test_import_asks_for_the_table(club: Club) -> None:
    imported(club, HOLLYWOOD)
    event = Event.objects.get()
    assert StandingsRequest.objects.filter(event=event).exists()
    recalculate(event.pk)
    first = Standing.objects.get(event=event, position=1)
    assert (first.entry.name, first.points, first.net) == ("Eklund", Decimal(24), 6881)


def test_plan_that_was_overtaken_imports_nothing(club: Club) -> None:
    imported(club, file_of(knock(1)))
    data = file_of(knock(1), knock(2))
    options = ImportOptions()
    plan = plan_import(club=club, data=data, file_name="night.csv", options=options)
    record_deals(actor=OPERATOR, sheet=the_sheet(), deals=[won("Bob", "Ann", 5)])
    before = contents()

    with refuses(LeagueError, "changed_meanwhile"):
        apply_import(actor=OPERATOR, plan=plan)

    assert contents() == before


def test_event_that_appeared_meanwhile_imports_nothing(club: Club) -> None:
    for name in ("Ann", "Bob"):
        PlayerFactory.create(club=club, name=name)
    data = file_of(knock(1))
    options = ImportOptions(create=True)
    plans = [plan_import(club=club, data=data, file_name="n.csv", options=options) for _ in range(2)]
    apply_import(actor=OPERATOR, plan=plans[0])
    before = contents()
    with refuses(LeagueError, "changed_meanwhile"):
        apply_import(actor=OPERATOR, plan=plans[1])
    assert contents() == before


def test_a_sheet_of_another_day_keeps_the_rounds_date(club: Club) -> None:
    other = {"sheet": "W1-2", "side_a": "Cid", "side_b": "Dora", "date": "2026-01-15"}
    plan = plan_import(
        club=club,
        data=file_of(knock(1), dead(1, **other)),
        file_name="night.csv",
        options=ImportOptions(create=True),
    )
    assert plan.notes == ["Sheet W1-2 is of 2026-01-15; round 1 keeps its date, 2026-01-08."]
