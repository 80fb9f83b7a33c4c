"""Importing hands: what a file makes, what is passed over, what is corrected; the door is the usual one."""

from decimal import Decimal
from pathlib import Path

import pytest
from django.core.management import CommandError

from league.errors import LeagueError
from league.files.applying import apply_import
from league.files.planning import plan_import
from league.files.plans import ImportOptions
from league.files.problems import FileRefused
from league.models import (
    Appearance,
    AuditEntry,
    Club,
    Entry,
    Event,
    ImportBatch,
    Match,
    Player,
    PlayerAlias,
    Round,
    Standing,
    StandingsRequest,
)
from league.services.standings import recalculate
from scoring.models import ActKind, Scoresheet, SheetAct
from scoring.records import kept_sheet
from scoring.services import record_deals
from scoring.sheets import VOID
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    won,
)
from tests.kept import assert_derived, contents
from tests.league.hand_files import (
    HOLLYWOOD,
    TEAMS,
    THREE_COLUMNS,
    Row,
    command,
    dead,
    file_of,
    imported,
    knock,
    points,
    stopped,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(name="Harbour", slug="harbour")


def the_sheet() -> Scoresheet:
    return Scoresheet.objects.select_related("rules").get()


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
    other = {"sheet": "W1-2", "table": 2, "side_a": "Cid", "side_b": "Dora"}
    imported(club, file_of(knock(1), knock(2), dead(3), dead(1, **other)))

    batch = imported(
        club,
        file_of(knock(1, other=35), knock(2), knock(3, "Bob"), knock(4), dead(1, **other)),
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
    assert [scored.hands[0].points for scored in kept_sheet(sheet).state.deals] == [30, 20, 20, 20]
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


def test_people_are_found_by_name_and_by_other_name(club: Club) -> None:
    ann = PlayerFactory.create(club=club, name="Ann Marie")
    PlayerAlias.objects.create(club=club, player=ann, name="Ann")
    gone = PlayerFactory.create(club=club, name="Bob")
    robert = PlayerFactory.create(club=club, name="Robert")
    gone.merged_into = robert
    gone.save()

    imported(club, file_of(knock(1), knock(2, "Bob")))

    assert set(Player.objects.filter(appearances__isnull=False)) == {ann, robert}
    assert Player.objects.count() == 3
    assert [side.name for side in kept_sheet(the_sheet()).sides] == ["Ann Marie", "Robert"]
    assert imported(club, file_of(knock(1), knock(2, "Bob"))) is None
    assert imported(club, file_of(knock(1, "Ann Marie", side_a="Ann Marie"))) is None


def test_names_in_another_unicode_form_are_the_same(club: Club) -> None:
    PlayerFactory.create(club=club, name="Zoé")
    decomposed = "Zoe\N{COMBINING ACUTE ACCENT}"
    imported(club, file_of(knock(1, decomposed, side_a=decomposed)))
    assert Player.objects.count() == 2


def test_a_drawn_match_gets_the_deals_of_the_file(club: Club) -> None:
    event = EventFactory.create(club=club, name="Winter Cup")
    match = MatchFactory.create(
        event=event,
        label="W1-1",
        entry_a=EntryFactory.create(event=event, name="Bob"),
        entry_b=EntryFactory.create(event=event, name="Ann"),
    )

    batch = imported(club, file_of(knock(1), knock(2)), create=False, rules=None)

    assert batch is not None
    assert {kind: len(ids) for kind, ids in batch.created.items() if ids} == {}
    match.refresh_from_db()
    assert match.sheet is not None
    assert (match.state, match.net, match.sheet.deal_count) == ("playing", -0, 2)
    assert_derived(match.sheet)


def test_a_drawn_match_without_line_ups_is_seated_by_the_file(club: Club) -> None:
    event = EventFactory.create(club=club, name="Winter Cup", team_size=2)
    squad = [PlayerFactory.create(club=club, name=name) for name in ("Ann", "Cid", "Eve")]
    entry_a = EntryFactory.create(event=event, name="Aces", players=squad)
    rivals = [PlayerFactory.create(club=club, name=name) for name in ("Bob", "Dora")]
    entry_b = EntryFactory.create(event=event, name="Blues", players=rivals)
    match = Match.objects.create(
        event=event,
        round=RoundFactory.create(event=event),
        label="W1-1",
        entry_a=entry_a,
        entry_b=entry_b,
    )
    sides = {"side_a": "Eve+Ann", "side_b": "Bob+Dora"}
    data = file_of(
        knock(1, "Eve", defender="Bob", **sides),
        knock(1, "Dora", defender="Ann", **sides),
    )

    batch = imported(club, data, create=False, rules=None)

    assert batch is not None
    match.refresh_from_db()
    assert list(match.appearances.order_by("side", "position").values_list("player__name", flat=True)) == [
        "Eve",
        "Ann",
        "Bob",
        "Dora",
    ]
    assert imported(club, data, create=False, rules=None) is None


def test_teams_with_names_may_have_substitutes(club: Club) -> None:
    def row(number: int, side_a: str, side_b: str) -> tuple[Row, Row]:
        (a1, a2), (b1, b2) = side_a.split("+"), side_b.split("+")
        common = {
            "round": number,
            "sheet": f"W{number}",
            "side_a": side_a,
            "side_b": side_b,
            "team_a": "Aces",
            "team_b": "Blues",
        }
        return dead(1, **common, knocker=a1, defender=b1), dead(1, **common, knocker=a2, defender=b2)

    data = file_of(*row(1, "Ann+Cid", "Bob+Dora"), *row(2, "Ann+Eve", "Bob+Dora"))
    imported(club, data)

    assert {entry.name: entry.players.count() for entry in Entry.objects.all()} == {"Aces": 3, "Blues": 2}
    assert imported(club, data) is None


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

    with pytest.raises(LeagueError) as refusal:
        apply_import(actor=OPERATOR, plan=plan)

    assert refusal.value.code == "changed_meanwhile"
    assert contents() == before


def test_event_that_appeared_meanwhile_imports_nothing(club: Club) -> None:
    for name in ("Ann", "Bob"):
        PlayerFactory.create(club=club, name=name)
    data = file_of(knock(1))
    options = ImportOptions(create=True)
    plans = [plan_import(club=club, data=data, file_name="n.csv", options=options) for _ in range(2)]
    apply_import(actor=OPERATOR, plan=plans[0])
    before = contents()
    with pytest.raises(LeagueError) as refusal:
        apply_import(actor=OPERATOR, plan=plans[1])
    assert refusal.value.code == "changed_meanwhile"
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


def test_names_alike_are_pointed_out(club: Club) -> None:
    PlayerFactory.create(club=club, name="ann")
    plan = plan_import(
        club=club, data=file_of(knock(1)), file_name="night.csv", options=ImportOptions(create=True)
    )
    assert plan.notes == ["“Ann” is new, beside “ann”."]


# The command


@pytest.fixture
def night(tmp_path: Path) -> Path:
    file = tmp_path / "night.csv"
    file.write_bytes(file_of(knock(1), knock(2, "Bob"), stopped()))
    return file


def test_command_with_create_makes_club_event_and_table(night: Path) -> None:
    printed = command(
        "import_hands",
        night,
        "--create",
        "--club-name",
        "Old Town",
        "--rules",
        "preset=standard,columns=3,target=150",
        "--season",
        "2026",
    )
    event = Event.objects.get()
    assert (event.club.slug, event.season and event.season.name) == ("old-town", "2026")
    assert (event.rules.rules.target, event.rules.rules.columns) == (150, 3)
    assert "New: 2 players." in printed
    assert Standing.objects.count() == 2
    assert "All of it is stored already." in command("import_hands", night)


@pytest.mark.parametrize("more", [[], ["--club-name", "Old Town"]])
def test_command_with_dry_run_changes_nothing(night: Path, more: list[str]) -> None:
    if not more:
        ClubFactory.create()
    before = contents()
    assert "Nothing was changed" in command("import_hands", night, "--create", "--dry-run", *more)
    assert contents() == before


def test_command_undo_takes_the_import_back(night: Path) -> None:
    ClubFactory.create()
    command("import_hands", night, "--create")
    batch = ImportBatch.objects.get()

    assert "Nothing was changed" in command("import_hands", "--undo", batch.pk, "--dry-run")
    assert Event.objects.exists()
    assert "1 sheet is voided" in command("import_hands", "--undo", batch.pk)
    assert not Event.objects.exists()
    with pytest.raises(CommandError) as refusal:
        command("import_hands", "--undo", batch.pk)
    assert refusal.value.returncode == 2


def test_standings_command_prints_the_table(night: Path) -> None:
    ClubFactory.create(name="Harbour", time_zone="Europe/Copenhagen")
    command("import_hands", night, "--create")
    printed = command("standings", "Winter Cup").splitlines()
    assert printed[0].startswith("Winter Cup, Harbour, as of ")
    assert printed[1].split() == ["played", "won", "drawn", "lost", "points", "net", "columns", "boxes"]
    # Both have 20 points and a box when time is called; the lot puts one above the other.
    assert sorted(line.split()[1] for line in printed[2:]) == ["Ann", "Bob"]
    assert [line.split()[2:9] for line in printed[2:]] == [["1", "0", "1", "0", "1", "+0", "0"]] * 2
    assert printed[2].endswith("by lot")
