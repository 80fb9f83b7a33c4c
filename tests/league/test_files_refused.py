"""Files that are not taken: each says what is wrong and where, ends with 2, and changes nothing."""

import csv
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError

from league.errors import LeagueError
from league.files.knobs import rules_from_text
from league.files.problems import MOST_SHOWN
from league.files.reading import COLUMNS, LARGEST_FILE
from league.models import Club, Match, MatchState
from scoring.errors import RulesError
from scoring.models import Scoresheet
from scoring.rules import Rules
from scoring.services import void_sheet
from tests.factories import OPERATOR, ClubFactory, EntryFactory, EventFactory, MatchFactory, PlayerFactory
from tests.kept import contents
from tests.league.hand_files import (
    HOLLYWOOD,
    THREE_COLUMNS,
    command,
    dead,
    file_of,
    imported,
    knock,
    points,
    stopped,
)

pytestmark = pytest.mark.django_db

OTHER: dict[str, Any] = {"sheet": "W1-2", "table": 2, "side_a": "Cid", "side_b": "Dora"}
TEAM: dict[str, Any] = {"side_a": "Ann+Cid", "side_b": "Bob+Dora"}
HEADER = ",".join(COLUMNS).encode()


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(name="Harbour", slug="harbour")


def lines_of_refusal(tmp_path: Path, data: bytes, *words: str) -> list[str]:
    """What `import_hands` says; it ends with 2 and has changed nothing."""
    file = tmp_path / "night.csv"
    file.write_bytes(data)
    before = contents()
    with pytest.raises(CommandError) as refusal:
        command("import_hands", file, *words)
    assert refusal.value.returncode == 2
    assert contents() == before
    return str(refusal.value).splitlines()


WHOLE_FILES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "The file is empty."),
    "only a mark of UTF-8": (b"\xef\xbb\xbf", "The file is empty."),
    "blank lines": (b"\n\n,,,\n", "The file is empty."),
    "header only": (HEADER + b"\n", "The file has a header and no hands."),
    "UTF-16": (file_of(dead()).decode().encode("utf-16"), "The file is in UTF-16."),
    "UTF-16 without its mark": (file_of(dead()).decode().encode("utf-16-le"), "row 1: There are bytes here"),
    "Latin-1": (
        file_of(dead(), dead(2, side_a="Zoé")).decode().encode("latin-1"),
        "row 3: A letter here is not in UTF-8",
    ),
    "NUL": (file_of(dead()) + b"\0", "row 3: There are bytes here that are no text."),
    "semicolons": (
        file_of(dead()).replace(b",", b";"),
        "row 1: The columns are parted by semicolons; they must be parted by commas.",
    ),
    "tabs": (file_of(dead()).replace(b",", b"\t"), "row 1: The columns are parted by tabs"),
    "not a table": (b"Dear secretary,\nhere are the hands.\n", "row 1, dear secretary: There is no column"),
    "an image": (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "There are bytes here that are no text."),
    "an open quote": (file_of(dead()) + b'"2026-01-08,Winter', "row 3: This is no CSV: unexpected end"),
    "an endless cell": (HEADER + b"\n" + b"x" * 200_000, "row 2: This is no CSV: field larger than"),
    "an unknown column": (
        file_of(dead() | {"Umpire": "Zoë"}),
        "row 1, umpire: There is no column “umpire” in this format; take it out.",
    ),
    "a column twice": (
        file_of(dead()).replace(b"upcard", b"deal"),
        "row 1, deal: This column stands twice.",
    ),
    "a column without a name": (
        file_of(dead()).replace(b"table", b" "),
        "row 1: A column has no name.",
    ),
    "missing columns": (
        b"\n".join(line.rpartition(b",")[0].rpartition(b",")[0] for line in file_of(dead()).splitlines()),
        "row 1: The columns are missing: points, upcard.",
    ),
}


@pytest.mark.parametrize(("data", "sentence"), WHOLE_FILES.values(), ids=WHOLE_FILES.keys())
def test_file_when_it_is_none_is_refused(club: Club, tmp_path: Path, data: bytes, sentence: str) -> None:
    lines = lines_of_refusal(tmp_path, data, "--create")
    assert any(line.startswith(sentence) or sentence in line for line in lines)


def test_file_of_100_mb_is_refused_without_reading_it(club: Club, tmp_path: Path) -> None:
    file = tmp_path / "huge.csv"
    with file.open("wb") as target:
        target.truncate(100_000_000)
    with pytest.raises(CommandError, match="larger than 5 MB") as refusal:
        command("import_hands", file, "--create")
    assert refusal.value.returncode == 2


def test_file_at_the_limit_is_read(club: Club, tmp_path: Path) -> None:
    data = file_of(dead())
    padded = data + b"\n" * (LARGEST_FILE - len(data))
    assert "larger" in lines_of_refusal(tmp_path, padded + b"\n", "--create")[0]


def test_field_limit_of_csv_is_the_usual_one() -> None:
    assert csv.field_size_limit() == 131_072


ROWS: dict[str, tuple[bytes, list[str]]] = {
    "text for a number": (
        file_of(knock(1, own="eight", other="2O")),
        [
            "row 2, knocker_deadwood: “eight” is no whole number.",
            "row 2, defender_deadwood: “2O” is no whole number.",
        ],
    ),
    "a negative number": (file_of(points(1, points="-5")), ["row 2, points: “-5” is no whole number."]),
    "a number with a point": (file_of(points(1, points="5.0")), ["row 2, points: “5.0” is no whole number."]),
    "a date of another kind": (
        file_of(dead(date="08/01/2026")),
        ["row 2, date: “08/01/2026” is no date; write it as 2026-02-05 (year-month-day)."],
    ),
    "a day that is none": (
        file_of(dead(date="2026-02-30")),
        ["row 2, date: “2026-02-30” is no date; write it as 2026-02-05 (year-month-day)."],
    ),
    "an unknown kind": (
        file_of(dead(kind="undercut")),
        [
            "row 2, kind: “undercut” is no kind; there are: knock, gin, big_gin, points, dead, line, void, "
            "stopped."
        ],
    ),
    "no kind": (
        file_of(dead(kind="")),
        [
            "row 2, kind: The kind is missing; there are: knock, gin, big_gin, points, dead, line, void, "
            "stopped."
        ],
    ),
    "a cell that is needed": (
        file_of(knock(1, own="")),
        ["row 2, knocker_deadwood: This cell is empty; a row of kind knock needs it."],
    ),
    "a cell that has no meaning": (
        file_of(knock(1, points=20)),
        ["row 2, points: A row of kind knock leaves this cell empty; here is “20”."],
    ),
    "no deal number": (file_of(dead("")), ["row 2, deal: This cell is empty; it needs a number."]),
    "deal 0": (file_of(dead(0)), ["row 2, deal: This is a number from 1 to 500, not 0."]),
    "deal 501": (file_of(dead(501)), ["row 2, deal: This is a number from 1 to 500, not 501."]),
    "no round": (file_of(dead(round="")), ["row 2, round: This cell is empty; it needs a number."]),
    "no sheet": (file_of(dead(sheet=" ")), ["row 2, sheet: This cell is empty."]),
    "a long label": (file_of(dead(sheet="x" * 41)), ["row 2, sheet: This is longer than 40 characters."]),
    "an unprintable event": (
        file_of(dead(event="Winter\x07Cup")),
        ["row 2, event: There is a character here that cannot be printed."],
    ),
    "no side": (
        file_of(dead(side_b="")),
        ["row 2, side_b: This cell is empty; write a player, or a team as Ann+Cid."],
    ),
    "half a team": (
        file_of(dead(side_b="Bob+")),
        ["row 2, side_b: A player's name is missing in “Bob+”; write a team as Ann+Cid."],
    ),
    "a long name": (
        file_of(dead(side_b="B" * 81)),
        ["row 2, side_b: A name has at most 80 characters."],
    ),
    "too few cells": (
        file_of(dead()) + b"2026-01-08,Winter Cup\n",
        ["row 3: The row has 2 cells and the header 16."],
    ),
    "too many cells": (
        file_of(dead()).replace(b"dead,,,,,,,", b"dead,,,,,,,,x"),
        ["row 2: The row has 17 cells and the header 16."],
    ),
    "two events": (
        file_of(dead(), dead(event="Summer Cup", **OTHER)),
        ["row 3, event: This row is of “Summer Cup” and row 2 of “Winter Cup”; a file holds one event."],
    ),
    "a gap in the deals": (
        file_of(dead(1), dead(2), dead(5)),
        [
            "row 4, deal: Sheet W1-1 goes from deal 2 to deal 5; 3 to 4 is missing. "
            "A drawn hand takes a row of kind dead."
        ],
    ),
    "a new sheet that begins late": (
        file_of(dead(3), dead(4)),
        ["row 2, deal: Sheet W1-1 is new, so its first deal is 1, not 3."],
    ),
    "a deal twice": (
        file_of(dead(1), knock(1)),
        ["row 3, deal: Deal 1 of sheet W1-1 stands already in row 2; it has one hand."],
    ),
    "a deal with a hand missing": (
        file_of(dead(1, knocker="Ann", defender="Bob", **TEAM)),
        ["row 2, deal: Deal 1 of sheet W1-1 has one hand; a deal of these teams has 2 hands, one a row."],
    ),
    "a team's drawn hand without names": (
        file_of(dead(1, **TEAM), dead(1, **TEAM)),
        ["row 2, defender: The hand does not say who its defender is."],
    ),
    "a player twice in a deal": (
        file_of(
            dead(1, knocker="Ann", defender="Bob", **TEAM), dead(1, knocker="Ann", defender="Dora", **TEAM)
        ),
        ["row 3, knocker: Ann plays twice in this deal."],
    ),
    "both of one side": (
        file_of(
            dead(1, knocker="Ann", defender="Cid", **TEAM), dead(1, knocker="Bob", defender="Dora", **TEAM)
        ),
        ["row 2, defender: Ann and Cid are on one side."],
    ),
    "a loser of the winner's side": (
        file_of(points(1, "Ann", 5, defender="Cid", **TEAM), dead(1, knocker="Bob", defender="Dora", **TEAM)),
        ["row 2, defender: Ann and Cid are on one side."],
    ),
    "a line beside hands": (
        file_of(dead(1, knocker="Ann", defender="Bob", **TEAM), points(1, "Ann+Cid", 5, kind="line", **TEAM)),
        ["row 3, kind: A line is the only row of its deal."],
    ),
    "a line of single players": (
        file_of(points(1, "Ann", 5, kind="line")),
        ["row 2, line: Only a team's sheet keeps lines without hands."],
    ),
    "boxes that are none": (
        file_of(points(1, "Ann+Cid", 5, kind="line", mark="many", **TEAM)),
        ["row 2, mark: In a row of kind line this is the number of boxes, not “many”."],
    ),
    "a stranger": (
        file_of(knock(1, "Eve")),
        ["row 2, knocker: “Eve” does not play on this sheet."],
    ),
    "one name on both sides": (
        file_of(dead(side_b="Ann")),
        ["row 2, side_b: Both sides are called “Ann”."],
    ),
    "unequal sides": (
        file_of(dead(side_a="Ann+Cid")),
        ["row 2, side_b: Both sides have the same number of players."],
    ),
    "a team too large": (
        file_of(dead(side_a="+".join("ABCDEFGHIJKLM"), side_b="+".join("NOPQRSTUVWXYZ"))),
        ["row 2, side_a: A side has 1 to 12 players."],
    ),
    "a name for a single player": (
        file_of(dead(team_a="Aces")),
        ["row 2, team_a: Only a team has a name of its own; leave this empty."],
    ),
    "a team too long to be named after its players": (
        file_of(points(1, "Ann+Cid", 5, kind="line", side_a="A" * 50 + "+" + "C" * 50, side_b="Bob+Dora")),
        [
            "row 2, side_a: Together these names have more than 80 characters; name the teams in team_a and "
            "team_b."
        ],
    ),
    "an illegal knock": (
        file_of(knock(1, own=11)),
        ["row 2, knocker_deadwood: Ann cannot knock with 11: the limit is 10."],
    ),
    "an impossible count": (
        file_of(knock(1, other=99)),
        ["row 2, defender_deadwood: defender_deadwood is from 0 to 98, not 99."],
    ),
    "no card": (
        file_of(knock(1, upcard="1X")),
        ["row 2, upcard: “1X” is no card: write rank then suit, as in AS, TD or 10♦."],
    ),
    "an unknown mark": (
        file_of(points(1, mark="lucky")),
        ["row 2, mark: mark is one of: gin, big_gin, undercut, gin_off, knock."],
    ),
    "gin with deadwood": (
        file_of(knock(1, kind="gin", own=3)),
        ["row 2, knocker_deadwood: Gin leaves the knocker no deadwood."],
    ),
    "a deal after the end": (
        file_of(*[points(number, "Ann", 300) for number in (1, 2, 3, 4)]),
        ["row 5, deal: Sheet W1-1 had ended before deal 4."],
    ),
    "stopped twice": (
        file_of(dead(1), stopped(), stopped()),
        ["row 4, kind: Sheet W1-1 was stopped in row 3 already."],
    ),
    "stopped in the middle": (
        file_of(dead(1), dead(2), dead(3), stopped(deal=2)),
        ["row 5, deal: A sheet is stopped after its last deal, which is 3; leave this empty."],
    ),
    "a sheet in two rounds": (
        file_of(dead(1), dead(2, round=2)),
        ["row 3, round: Sheet W1-1 has “2” here and “1” in row 2; one sheet has one round."],
    ),
    "a sheet on two days": (
        file_of(dead(1), dead(2, date="2026-01-09")),
        ["row 3, date: Sheet W1-1 has “2026-01-09” here and “2026-01-08” in row 2; one sheet has one date."],
    ),
    "sides that change": (
        file_of(dead(1), dead(2, side_b="Cid")),
        ["row 3, side_b: Sheet W1-1 has “Cid” here and “Bob” in row 2; one sheet has one side_b."],
    ),
    "a player twice in a round": (
        file_of(dead(1), dead(1, **OTHER | {"side_b": "Ann"})),
        ["row 3, side_b: Ann plays in round 1 already, on sheet W1-1."],
    ),
    "teams that mix": (
        file_of(
            points(1, "Ann+Cid", 5, kind="line", **TEAM),
            points(1, "Ann+Eve", 5, kind="line", side_a="Ann+Eve", side_b="Bob+Dora", sheet="W2", round=2),
        ),
        [
            "row 3, side_a: Ann and Eve are not one team (“Ann & Cid”). If one of them stands in for "
            "somebody, name the teams in the columns team_a and team_b."
        ],
    ),
    "a team against itself": (
        file_of(points(1, "Ann+Cid", 5, kind="line", team_a="Aces", team_b="Aces", **TEAM)),
        ["row 2, side_b: Both sides are called “Aces”."],
    ),
    "teams among single players": (
        file_of(dead(1), points(1, "E+F", 5, kind="line", side_a="E+F", side_b="G+H", sheet="W2")),
        ["row 3, side_a: “Winter Cup” is an event of single players, not of teams."],
    ),
}


@pytest.mark.parametrize(("data", "sentences"), ROWS.values(), ids=ROWS.keys())
def test_rows_when_wrong_are_refused_by_row_and_column(
    club: Club, tmp_path: Path, data: bytes, sentences: list[str]
) -> None:
    assert lines_of_refusal(tmp_path, data, "--create", "--rules", "columns=3") == sentences


def test_all_problems_are_listed_at_once_and_no_more_than_fifty(club: Club, tmp_path: Path) -> None:
    wrong = [points(number, points="x", sheet=f"W{number}") for number in range(1, 81)]
    lines = lines_of_refusal(tmp_path, file_of(*wrong), "--create")
    assert len(lines) == MOST_SHOWN + 1
    assert lines[-1] == "… and 30 more."


def test_problems_of_reading_and_of_fitting_together_come_in_one_list(club: Club, tmp_path: Path) -> None:
    data = file_of(knock(1, own="x"), dead(3, **OTHER))
    assert lines_of_refusal(tmp_path, data, "--create") == [
        "row 2, knocker_deadwood: “x” is no whole number.",
        "row 3, deal: Sheet W1-2 is new, so its first deal is 1, not 3.",
    ]


def test_row_numbers_count_blank_rows_and_cells_with_line_breaks(club: Club, tmp_path: Path) -> None:
    data = file_of(dead(1), dead(2, event="Winter\nCup")) + b"\n" + file_of(dead(0)).splitlines()[1] + b"\n"
    assert lines_of_refusal(tmp_path, data, "--create") == [
        "row 3, event: There is a line break in this cell.",
        "row 5, deal: This is a number from 1 to 500, not 0.",
    ]


# What does not fit the club


def test_unknown_event_is_refused_without_create(club: Club, tmp_path: Path) -> None:
    assert lines_of_refusal(tmp_path, HOLLYWOOD) == [
        "row 2, event: Harbour has no event “Hollywood League 2025”. Make it, or import with --create."
    ]


def test_event_of_another_club_is_not_found(club: Club, tmp_path: Path) -> None:
    EventFactory.create(name="Winter Cup", club=ClubFactory.create(slug="old-town"))
    lines = lines_of_refusal(tmp_path, file_of(dead()), "--club", "harbour")
    assert lines == ["row 2, event: Harbour has no event “Winter Cup”. Make it, or import with --create."]


def test_sheet_of_another_event_is_not_touched(club: Club) -> None:
    imported(club, file_of(dead(1)))
    (sheet,) = Scoresheet.objects.all()
    imported(club, file_of(dead(1, event="Summer Cup"), dead(2, event="Summer Cup")))
    sheet.refresh_from_db()
    assert (sheet.deal_count, Scoresheet.objects.count()) == (1, 2)


def test_two_events_of_one_name_must_be_told_apart(club: Club, tmp_path: Path) -> None:
    for slug in ("cup-a", "cup-b"):
        EventFactory.create(club=club, name="Winter Cup", slug=slug)
    (line,) = lines_of_refusal(tmp_path, file_of(dead()), "--create")
    assert line.endswith("write the address of one of them: cup-a, cup-b.")


def test_unknown_player_is_refused_without_create(club: Club, tmp_path: Path) -> None:
    imported(club, file_of(dead(1)))
    PlayerFactory.create(club=club, name="Cid")
    lines = lines_of_refusal(tmp_path, file_of(dead(1, **OTHER | {"side_a": "cid"})))
    assert lines == [
        "row 2, side_a: Harbour has no player “cid”. Did you mean “Cid”? Enter the player, give one that "
        "other name, or import with --create.",
        "row 2, side_b: Harbour has no player “Dora”. Enter the player, give one that other name, or import "
        "with --create.",
    ]


def test_deal_that_differs_is_refused_by_row(club: Club, tmp_path: Path) -> None:
    imported(club, file_of(knock(1), knock(2)))
    assert lines_of_refusal(tmp_path, file_of(knock(1), knock(2, upcard="7S"))) == [
        "row 3, deal: Deal 2 of sheet W1-1 is stored otherwise (knock Ann 5, Bob 25). To put the file's in "
        "its place, import with --correct and the reason."
    ]


def test_deal_of_a_finished_sheet_is_refused_even_as_a_correction(club: Club, tmp_path: Path) -> None:
    wins = [points(number, "Ann", 300) for number in (1, 2, 3)]
    imported(club, file_of(*wins))
    data = file_of(*wins, dead(4))
    for words in ([], ["--correct", "one more"]):
        assert lines_of_refusal(tmp_path, data, *words) == [
            "row 5, deal: Sheet W1-1 had ended before deal 4."
        ]


def test_correction_the_rules_do_not_allow_is_refused(club: Club, tmp_path: Path) -> None:
    imported(club, file_of(knock(1)))
    lines = lines_of_refusal(tmp_path, file_of(knock(1, own=12)), "--correct", "typed wrong")
    assert lines == ["row 2, knocker_deadwood: Ann cannot knock with 12: the limit is 10."]


def test_deals_that_leave_a_gap_after_the_stored_ones_are_refused(club: Club, tmp_path: Path) -> None:
    imported(club, file_of(dead(1)))
    assert lines_of_refusal(tmp_path, file_of(dead(3))) == [
        "row 2, deal: After deal 1 of sheet W1-1 comes 2, not 3."
    ]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"round": 2}, "row 2, round: Sheet W1-1 is of round 1 in this event, not 2."),
        ({"side_b": "Cid"}, "row 2, side_a: Sheet W1-1 is Ann against Bob in this event."),
        (
            {"sheet": "W9", "side_b": "Cid"},
            "row 2, side_a: Ann plays in round 1 already, on sheet W1-1.",
        ),
    ],
    ids=["another round", "other players", "a player who plays already"],
)
def test_sheet_that_does_not_fit_the_draw_is_refused(
    club: Club, tmp_path: Path, change: dict[str, Any], sentence: str
) -> None:
    event = EventFactory.create(club=club, name="Winter Cup")
    entries = [EntryFactory.create(event=event, name=name) for name in ("Ann", "Bob", "Cid")]
    MatchFactory.create(event=event, label="W1-1", entry_a=entries[0], entry_b=entries[1])
    assert lines_of_refusal(tmp_path, file_of(dead(1, **change))) == [sentence]


def test_forfeited_match_takes_no_deals(club: Club, tmp_path: Path) -> None:
    imported(club, file_of(dead(1)))
    Match.objects.update(state=MatchState.FORFEIT)
    assert lines_of_refusal(tmp_path, file_of(dead(1))) == [
        "row 2, sheet: Sheet W1-1 is not played: a forfeit is stated for it."
    ]


def test_voided_sheet_takes_no_deals(club: Club, tmp_path: Path) -> None:
    imported(club, file_of(dead(1)))
    void_sheet(actor=OPERATOR, sheet=Scoresheet.objects.get(), reason="wrong table")
    (line,) = lines_of_refusal(tmp_path, file_of(dead(1)))
    assert line.startswith("row 2, sheet: Sheet W1-1 was voided.")


def test_two_names_of_one_player_on_a_sheet_are_refused(club: Club, tmp_path: Path) -> None:
    ann = PlayerFactory.create(club=club, name="Ann")
    ann.aliases.create(club=club, name="Annie")
    assert lines_of_refusal(tmp_path, file_of(dead(side_b="Annie")), "--create") == [
        "row 2, side_b: Two names on this sheet are one player's."
    ]


def test_other_rules_than_the_events_are_refused(club: Club, tmp_path: Path) -> None:
    imported(club, file_of(dead(1)))
    lines = lines_of_refusal(tmp_path, file_of(dead(1)), "--create", "--rules", "columns=1")
    assert lines == ["“Winter Cup” exists and has other rules, which apply; leave --rules out."]


# The command line


@pytest.mark.parametrize(
    ("clubs", "words", "sentence"),
    [
        ([], [], "There is no club yet."),
        (["harbour"], ["--club", "harbor"], "There is no club “harbor”; there are: harbour."),
        ([], ["--club", "harbor"], "There is no club “harbor”; there is none at all."),
        (["harbour", "old-town"], [], "Say which club with --club: harbour, old-town."),
        (["harbour"], ["--rules", "columns=3"], "--rules, --season and --club-name go with --create."),
        (["harbour"], ["--create", "--rules", "columns"], "rules: “columns” is no knob with a value"),
        (["harbour"], ["--create", "--rules", "colums=3"], "rules.colums: “colums” is no knob of"),
        (["harbour"], ["--create", "--rules", "preset=house"], "rules.preset: There is no preset “house”"),
        (["harbour"], ["--create", "--correct", "x" * 301], "A reason has at most 300 characters."),
        (["harbour"], ["--create", "--club-name", "Harbour"], "There is a club “harbour” already"),
    ],
)
def test_command_line_when_wrong_is_refused(
    tmp_path: Path, clubs: list[str], words: list[str], sentence: str
) -> None:
    for slug in clubs:
        ClubFactory.create(slug=slug)
    assert lines_of_refusal(tmp_path, file_of(dead(1)), *words)[0].startswith(sentence)


def test_file_that_is_not_there_is_refused(club: Club, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"none\.csv cannot be read: No such file") as refusal:
        command("import_hands", tmp_path / "none.csv")
    assert refusal.value.returncode == 2


@pytest.mark.parametrize("name", ["standings", "export_hands", "rebuild"])
def test_other_commands_refuse_an_unknown_event_and_club(club: Club, name: str) -> None:
    for words in (["Nowhere"], ["Nowhere", "--club", "nowhere"]):
        with pytest.raises(CommandError, match="There is no") as refusal:
            command(name, *words)
        assert refusal.value.returncode == 2


def test_event_of_one_name_in_two_clubs_must_be_told_apart(club: Club) -> None:
    for one in (club, ClubFactory.create(slug="old-town")):
        EventFactory.create(club=one, name="Winter Cup", slug="winter-cup")
    with pytest.raises(CommandError, match="harbour/winter-cup, old-town/winter-cup"):
        command("standings", "winter-cup")
    assert "there is no table yet" in command("standings", "winter-cup", "--club", "harbour")


def test_importer_without_the_right_is_refused(club: Club) -> None:
    from league.files.applying import apply_import
    from league.files.planning import plan_import
    from league.files.plans import ImportOptions
    from scoring.actors import Actor, ActorKind

    plan = plan_import(
        club=club, data=file_of(dead(1)), file_name="n.csv", options=ImportOptions(create=True)
    )
    with pytest.raises(LeagueError) as refusal:
        apply_import(actor=Actor(ActorKind.USER, "0", "Nobody"), plan=plan)
    assert refusal.value.code == "not_allowed"


# Rules as a command line names them


def test_rules_from_text_reads_every_kind_of_knob() -> None:
    text = (
        "preset=classic, columns=3, undercut_on_tie=no, big_gin_bonus=none, shutout=none, oklahoma=off,"
        "extra_boxes.gin=1,target=150"
    )
    rules = rules_from_text(text)
    assert rules == Rules.preset(
        "classic",
        columns=3,
        undercut_on_tie=False,
        big_gin_bonus=None,
        shutout="none",
        oklahoma="off",
        extra_boxes={"gin": 1},
        target=150,
    )
    assert rules_from_text("") == Rules()
    assert rules_from_text("columns=3") == THREE_COLUMNS


@pytest.mark.parametrize("text", ["columns=3,columns=1", "columns=", "=3", "columns=three", "extra_boxes=1"])
def test_rules_from_text_refuses_what_is_none(text: str) -> None:
    with pytest.raises(RulesError):
        rules_from_text(text)
