"""Files of sheets outside events: every kind of game comes in, and out again as it came."""

from random import Random
from typing import Any

import hypothesis
import pytest
from django.core.management import CommandError
from django.test import Client
from django.urls import reverse
from hypothesis import strategies as st

from league.core.hand_files.problems import FileRefused
from league.events.house_rules import make_club_rules
from league.files.exporting import export_tables
from league.files.planning import plan_import
from league.files.plans import ImportOptions
from league.files.undoing import undo_import
from league.matches.club_sheets import open_club_sheet
from league.models import Club, ClubRules, Exhibition, ImportBatch, Player, Role
from scoring.core.rules import Rules
from scoring.core.sheet_state import players_by_seat
from scoring.documents.sides import read_sides
from scoring.models import Scoresheet, SheetStatus
from scoring.services import add_substitute, correct_deals, record_deals, stop_sheet
from scoring.services.records import kept_sheet
from scoring.words.messages import translated
from tests.factories import OPERATOR, ClubFactory, PlayerFactory, UserFactory
from tests.kept import assert_derived, contents
from tests.league.hand_files import PLAIN, batch_of, command, dead, file_of, imported, lines_of_refusal
from tests.scoring.kinds.strategies import KINDS, sheet_of

pytestmark = pytest.mark.django_db

# A row of a sheet outside events: no event, no round, no table.
AT_TABLE: dict[str, Any] = PLAIN | {"event": "", "round": "", "table": "", "sheet": "Table 3"}


def row(game: str, deal: Any = 1, sides: str = "Ann Bob Cid", **cells: Any) -> dict[str, Any]:
    columns = {f"side_{letter}": name for letter, name in zip("abcdef", sides.split(), strict=False)}
    return AT_TABLE | {"game": game, "deal": deal} | columns | cells


JERSEY = (
    row("jersey", 1, kind="knock", knocker="Ann", knocker_deadwood=6, defender_deadwood="18 26"),
    row("jersey", 2, kind="gin", knocker="Cid", defender_deadwood="18 26"),
    row("jersey", 3, kind="points", winner="Ann", points="12 20", mark="knock"),
    # Two win, each from Ann.
    row("jersey", 4, kind="points", winner="Bob", defender="Ann", points="28", mark="undercut"),
    row("jersey", 4, kind="points", winner="Cid", defender="Ann", points="28"),
    row("jersey", 5, kind="dead"),
    row("jersey", "", kind="stopped"),
)


def opened(
    club: Club, document: dict[str, Any], *, label: str, stopped: bool = False, name: str = "Ours"
) -> Scoresheet:
    """A sheet of the club with what counts of a document's deals, void ones voided."""
    rules = Rules.from_document(document["rules"])
    own = make_club_rules(actor=OPERATOR, club=club, name=name, rules=rules)
    sides = read_sides([{**side, "substitutes": []} for side in document["sides"]], rules)
    sheet = open_club_sheet(actor=OPERATOR, club=club, rules=own.rules, sides=sides, label=label)
    for number, deal in enumerate(document["deals"], start=1):
        sheet.refresh_from_db()
        if sheet.status != SheetStatus.OPEN:
            break
        for seat, side in enumerate(document["sides"]):
            for one in side.get("substitutes", []):
                if one["from_deal"] == number:
                    add_substitute(
                        actor=OPERATOR,
                        sheet=sheet,
                        side=seat,
                        replaces=one["replaces"],
                        name=one["player"],
                        from_deal=number,
                    )
        if deal is None:
            table = kept_sheet(sheet).state.table
            players = players_by_seat(kept_sheet(sheet).sides, number)
            hand: dict[str, Any] = {"kind": "dead"}
            if table is not None and rules.kind in ("cutthroat", "captains"):
                first, second = (players[seat] for seat in table.playing)
                hand |= {"knocker": first, "defender": second}
            if rules.deals is not None and number == rules.deals:
                break
            record_deals(actor=OPERATOR, sheet=sheet, deals=[{"hands": [hand]}])
            correct_deals(actor=OPERATOR, sheet=sheet, changes={number: None}, reason="not played")
        else:
            record_deals(actor=OPERATOR, sheet=sheet, deals=[deal])
    sheet.refresh_from_db()
    if stopped and sheet.status == SheetStatus.OPEN:
        stop_sheet(actor=OPERATOR, sheet=sheet)
    return sheet


def moved(club: Club) -> Club:
    """Another club with the sheets of this one, under rules of the same names and knobs."""
    other = ClubFactory.create()
    for own in ClubRules.objects.filter(club=club).select_related("rules"):
        make_club_rules(actor=OPERATOR, club=other, name=own.rules.name, rules=own.rules.rules)
    text = export_tables(club).text
    assert imported(other, text.encode(), create=False, rules=None) is not None
    assert export_tables(other).text == text
    return other


def assert_equal_sheets(club: Club, other: Club) -> None:
    pairs = zip(
        Scoresheet.objects.filter(exhibition__club=club).order_by("pk"),
        Scoresheet.objects.filter(exhibition__club=other).order_by("pk"),
        strict=True,
    )
    for one, two in pairs:
        assert assert_derived(one).derived == assert_derived(two).derived
        assert (one.status, one.nets, one.places, one.stopped) == (
            two.status,
            two.nets,
            two.places,
            two.stopped,
        )
        assert kept_sheet(one).sides == kept_sheet(two).sides


@pytest.mark.dear("moves sheets of every kind between clubs")
@pytest.mark.parametrize("kind", KINDS)
@hypothesis.settings(max_examples=6)
@hypothesis.given(seed=st.integers(0, 2**32), stopped=st.booleans())
def test_any_sheet_comes_out_as_it_went_in(kind: str, seed: int, stopped: bool) -> None:
    club = ClubFactory.create()
    document = sheet_of(Random(seed), kind, 10, {})
    hypothesis.assume(bool(document["deals"]))
    opened(club, document, label="A", stopped=stopped)
    assert_equal_sheets(club, moved(club))
    # What is stored already is skipped.
    assert imported(club, export_tables(club).text.encode(), create=False, rules=None) is None


@pytest.mark.parametrize(
    ("preset", "sides"),
    [
        ("captains", [{"name": "Ann"}, {"name": "The line", "players": ["Bob", "Cid", "Dee"]}]),
        ("captains", [{"name": "Ann"}, {"name": "Bob + Cid", "players": ["Bob", "Cid"]}]),
        ("standard", [{"name": "Ann"}, {"name": "Bob"}]),
    ],
)
def test_sheets_with_partners_and_of_gin_come_out_as_they_went_in(
    club: Club, preset: str, sides: list[Any]
) -> None:
    hands: list[dict[str, Any]] = [
        {"kind": "knock", "knocker": "Ann", "knocker_deadwood": 4, "defender": "Bob", "defender_deadwood": 9},
        {"kind": "points", "winner": "Ann", "loser": "Bob", "points": 30},
        {"kind": "dead", "knocker": "Ann", "defender": "Bob"},
    ]
    if preset == "captains":
        # Bob has lost twice: it is Cid's turn, then who comes after him.
        hands[1]["loser"] = "Cid"
        hands[2]["defender"] = sides[1]["players"][2 % len(sides[1]["players"])]
    document = {"rules": {"preset": preset}, "sides": sides, "deals": [{"hands": [hand]} for hand in hands]}
    opened(club, document, label="Evening", stopped=True)
    assert_equal_sheets(club, moved(club))


def test_partners_with_one_pack_come_out_as_they_went_in(club: Club) -> None:
    sides = [{"name": "We", "players": ["Ann", "Cid"]}, {"name": "They", "players": ["Bob", "Dee"]}]
    hands = [
        {"kind": "points", "winner": "Ann", "loser": "Bob", "points": 12},
        {"kind": "points", "winner": "Dee", "loser": "Cid", "points": 10},
    ]
    deals: list[Any] = [{"hands": hands}, {"line": {"winner": "They", "points": 7, "boxes": 2}}]
    opened(club, {"rules": {"preset": "partners_one_pack"}, "sides": sides, "deals": deals}, label="Four")
    other = moved(club)
    assert_equal_sheets(club, other)
    assert "partners_one_pack" in export_tables(other).text


def test_a_file_of_jersey_is_imported_by_the_clubs_rules(club: Club) -> None:
    own = make_club_rules(actor=OPERATOR, club=club, name="Jersey", rules=Rules.preset("jersey"))
    ann = PlayerFactory.create(club=club, name="Ann")
    batch = batch_of(club, file_of(*JERSEY), create=False, rules=None)
    sheet = assert_derived(Scoresheet.objects.get())
    assert (sheet.label, sheet.rules_id, sheet.status) == ("Table 3", own.rules_id, "stopped")
    assert sheet.opened_at.date().isoformat() == "2026-01-08"
    # Ann 32 + 32, Bob 28, Cid 43 + 51 + 28 points.
    assert sheet.derived["columns"][0]["points"] == [64, 28, 122]
    assert list(sheet.seats.order_by("number").values_list("person", flat=True)) == [ann.code, "", ""]
    assert Player.objects.count() == 1
    assert (batch.event, batch.sheets, batch.deals) == (None, 1, 5)

    undo_import(actor=OPERATOR, batch=batch)
    sheet.refresh_from_db()
    assert sheet.status == SheetStatus.VOID
    # The same file again makes another sheet.
    assert imported(club, file_of(*JERSEY), create=False, rules=None) is not None
    assert Exhibition.objects.count() == 2


def test_house_rules_are_made_where_that_was_asked_for(club: Club) -> None:
    data = file_of(row("basic_rummy", kind="out", winner="Cid", defender_deadwood="31 8", mark="rummy"))
    rules = Rules.preset("basic_rummy", target=300)
    batch = imported(club, data, rules=rules)
    (own,) = ClubRules.objects.filter(club=club)
    assert (own.rules.name, own.rules.rules) == ("Basic rummy", rules)
    sheet = assert_derived(Scoresheet.objects.get())
    assert (sheet.rules, sheet.derived["totals"]) == (own.rules, [0, 0, 78])
    assert batch is not None
    undo_import(actor=OPERATOR, batch=batch)
    assert not ClubRules.objects.exists()


def test_deals_are_added_and_corrected_on_a_stored_sheet(club: Club) -> None:
    make_club_rules(actor=OPERATOR, club=club, name="Jersey", rules=Rules.preset("jersey"))
    imported(club, file_of(*JERSEY[:2]), create=False, rules=None)
    imported(club, file_of(*JERSEY), create=False, rules=None)
    other = {**JERSEY[0], "defender_deadwood": "18 27"}
    with pytest.raises(FileRefused, match=r"is stored differently \(knock Ann 6, Bob 18, Cid 26\)"):
        imported(club, file_of(other), create=False, rules=None)
    imported(club, file_of(other), create=False, rules=None, correct="As on the paper.")
    sheet = assert_derived(Scoresheet.objects.get())
    assert sheet.derived["columns"][0]["points"] == [65, 28, 122]


def test_deals_of_an_undone_import_are_filled_again(club: Club) -> None:
    make_club_rules(actor=OPERATOR, club=club, name="Jersey", rules=Rules.preset("jersey"))
    imported(club, file_of(*JERSEY[:2]), create=False, rules=None)
    more = batch_of(club, file_of(*JERSEY), create=False, rules=None)
    undo_import(actor=OPERATOR, batch=more)
    sheet = assert_derived(Scoresheet.objects.get())
    assert (sheet.status, sheet.derived["columns"][0]["points"]) == ("open", [32, 0, 94])
    assert imported(club, file_of(*JERSEY), create=False, rules=None) is not None
    sheet = assert_derived(Scoresheet.objects.get())
    assert (sheet.status, sheet.derived["columns"][0]["points"]) == ("stopped", [64, 28, 122])


def test_who_is_called_otherwise_now_is_found_and_written_so(club: Club) -> None:
    make_club_rules(actor=OPERATOR, club=club, name="Jersey", rules=Rules.preset("jersey"))
    ann = PlayerFactory.create(club=club, name="Ann")
    imported(club, file_of(*JERSEY), create=False, rules=None)
    ann.name = "Anna"
    ann.save()
    text = export_tables(club).text
    assert "Anna" in text
    assert ",Ann," not in text
    assert imported(club, text.encode(), create=False, rules=None) is None


def test_sheets_that_no_file_can_tell_are_left_out_and_noted(club: Club) -> None:
    deals = [{"hands": [{"kind": "dead"}]}]
    names = [{"name": name} for name in ("Ann", "Bob", "Cid")]
    document = {"rules": {"preset": "jersey"}, "sides": names, "deals": deals}
    opened(club, document | {"sides": [{"name": "Tom+1"}, *names[1:]]}, label="2")
    first, second = (opened(club, document, label="twice") for _ in range(2))
    export = export_tables(club)
    assert export.notes == ["Left out: 1 sheet with a name that has a “+”."]
    told = [line.split(",")[4] for line in export.text.splitlines()[1:]]
    assert told == [first.code, second.code]


CUTTHROAT = row("cutthroat", kind="points", winner="Ann", defender="Bob", points=12)
OUT = row("basic_rummy", kind="out", winner="Cid")
REFUSED = {
    "two sides of cutthroat": (
        [row("cutthroat", sides="Ann Bob", kind="points", winner="Ann", defender="Bob", points=12)],
        ["row 2, side_a: A sheet of this game has 3 to 4 sides."],
    ),
    "four of Jersey": (
        [row("jersey", sides="Ann Bob Cid Dee", kind="dead")],
        ["row 2, side_a: A sheet of this game has 3 sides."],
    ),
    "a side is missing": (
        [row("basic_rummy", kind="dead", side_c="", side_d="Dee")],
        ["row 2, side_d: The side before this one is missing."],
    ),
    "a winner who sits out": (
        [CUTTHROAT, row("cutthroat", 2, kind="points", winner="Bob", defender="Ann", points=17)],
        ["row 3, winner: Bob sits out in this deal."],
    ),
    "nobody of this name": (
        [row("jersey", kind="gin", knocker="Eve", defender_deadwood="18 26")],
        ["row 2, knocker: “Eve” does not play on this sheet."],
    ),
    "a figure is missing": (
        [row("jersey", kind="gin", knocker="Cid", defender_deadwood="18")],
        ["row 2, defender_deadwood: Here are the figures of Ann, Bob, 2 and not 1."],
    ),
    "a count that no hand has": (
        [row("jersey", kind="gin", knocker="Cid", defender_deadwood="18 99")],
        ["row 2, defender_deadwood: Bob: "],
    ),
    "more left than dealt": (
        [{**OUT, "defender_deadwood": "71 8"}],
        ["row 2, defender_deadwood: Ann: "],
    ),
    "no figures": (
        [{**OUT, "defender_deadwood": "31, 8"}],
        ["row 2, defender_deadwood: “31, 8” are not whole numbers, parted by spaces."],
    ),
    "a mark of gin": (
        [{**OUT, "defender_deadwood": "31 8", "mark": "gin"}],
        ["row 2, mark: This is “rummy” or empty, not “gin”."],
    ),
    "a knock in rummy": (
        [row("basic_rummy", kind="knock", knocker="Cid")],
        [
            "row 2, kind: “knock” is not a kind; there are: out, blocked, dead, void, substitute, "
            "stopped, bye."
        ],
    ),
    "no such game": (
        [row("whist", kind="dead")],
        [
            "row 2, game: “whist” is not a game; there are: gin, cutthroat, captains, jersey, "
            "partners_one_pack, basic_rummy."
        ],
    ),
    "one sheet of two games": (
        [CUTTHROAT, row("jersey", 2, kind="dead")],
        ["row 3, game: Sheet Table 3 has “jersey” here and “cutthroat” in row 2; one sheet has one game."],
    ),
    "three winners": (
        [row("jersey", kind="points", winner=name, points="1 2") for name in ("Ann", "Bob", "Cid")],
        ["row 4, deal: Deal 1 of sheet Table 3 stands already in row 2; it has 2 hands."],
    ),
    "a round without an event": (
        [row("jersey", kind="dead", round=1)],
        ["row 2, event: This cell is empty; only a sheet outside events has no event"],
    ),
}


@pytest.mark.parametrize(("rows", "said"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_is_refused_by_row_and_column(
    club: Club, rows: list[dict[str, Any]], said: list[str]
) -> None:
    for game in ("cutthroat", "jersey", "basic_rummy"):
        make_club_rules(actor=OPERATOR, club=club, name=game, rules=Rules.preset(game))
    before = contents()
    with pytest.raises(FileRefused) as refusal:
        plan_import(club=club, data=file_of(*rows), file_name="n.csv", options=ImportOptions())
    lines = [translated(line) for line in refusal.value.lines()]
    assert [line.startswith(start) for line, start in zip(lines, said, strict=True)] == [True], lines
    assert contents() == before


def test_house_rules_must_be_known_or_told(club: Club) -> None:
    data = file_of(row("jersey", kind="dead", rules="Ours"))
    options = ImportOptions()

    def refusal_of(data: bytes, options: ImportOptions) -> list[str]:
        with pytest.raises(FileRefused) as refusal:
            plan_import(club=club, data=data, file_name="n.csv", options=options)
        return [translated(line) for line in refusal.value.lines()]

    assert refusal_of(data, options) == [f"row 2, rules: {club} has no house rules “Ours” of jersey."]
    wrong = ImportOptions(create=True, rules=Rules.preset("cutthroat"))
    assert refusal_of(data, wrong) == [
        "row 2, game: The rules that were given are of cutthroat; this sheet is of jersey."
    ]
    for name in ("One", "Two"):
        make_club_rules(actor=OPERATOR, club=club, name=name, rules=Rules.preset("jersey"))
    nameless = file_of(row("jersey", kind="dead"))
    assert refusal_of(nameless, options) == [
        f"row 2, rules: {club} has several house rules that these may be: “One”, “Two”. Write a name of one."
    ]


def test_an_event_takes_no_sheet_of_another_game(club: Club) -> None:
    imported(club, file_of(dead(1)))
    with pytest.raises(FileRefused) as refusal:
        imported(club, file_of(dead(2, game="cutthroat", side_c="Cid", knocker="Ann", defender="Bob")))
    assert [translated(line) for line in refusal.value.lines()] == [
        "row 2, game: “Winter Cup” is an event of gin; this sheet is of cutthroat."
    ]


def test_the_command_writes_and_reads_them(club: Club, tmp_path: Any) -> None:
    make_club_rules(actor=OPERATOR, club=club, name="Jersey", rules=Rules.preset("jersey"))
    source = tmp_path / "evening.csv"
    source.write_bytes(file_of(*JERSEY))
    said = command("import_hands", source)
    assert said.startswith(f"Evenings at one table, {club}: 6 hands on 1 sheets.")
    assert "Imported. To take it back" in said
    text = export_tables(club).text
    assert command("export_hands", "--tables") == text
    target = tmp_path / "out.csv"
    assert command("export_hands", "--tables", target) == f"Hands written to {target}: 6.\n"
    assert target.read_text(encoding="utf-8") == text
    assert command("import_hands", source).endswith("All of it is stored already.\n")
    for words in ([], ["--tables", "Winter Cup", tmp_path / "more.csv"]):
        with pytest.raises(CommandError, match="Name an event"):
            command("export_hands", *words)
    said_lines = lines_of_refusal(tmp_path, file_of(row("basic_rummy", kind="dead", sheet="Table 4")))
    assert said_lines[0] == f"row 2, rules: {club} has no house rules of basic_rummy."
    assert said_lines[1].startswith("--create")


def test_a_director_uploads_them_and_a_scorekeeper_takes_them_away(club: Club, client: Client) -> None:
    make_club_rules(actor=OPERATOR, club=club, name="Jersey", rules=Rules.preset("jersey"))
    imported(club, file_of(*JERSEY), create=False, rules=None)
    keeper = UserFactory.create(club=club, role=Role.SCOREKEEPER)
    client.force_login(keeper)
    address = reverse("admin:league_importbatch_tables", args=[club.pk])
    assert address in client.get(reverse("entry:tables")).content.decode()
    response = client.get(address)
    assert response.headers["Content-Disposition"] == f'attachment; filename="{club.slug}-tables.csv"'
    assert response.content.decode("utf-8-sig") == export_tables(club).text
    elsewhere = ClubFactory.create()
    assert client.get(reverse("admin:league_importbatch_tables", args=[elsewhere.pk])).status_code == 404
    assert ImportBatch.objects.get().event is None
