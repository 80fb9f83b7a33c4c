"""Rows that are wrong in themselves, or do not fit together: refused by row and column."""

from pathlib import Path
from typing import Any

import pytest

from league.core.hand_files.problems import MOST_SHOWN
from league.models import Club
from tests.league.hand_files import (
    OTHER,
    dead,
    file_of,
    knock,
    lines_of_refusal,
    points,
    stopped,
)

pytestmark = pytest.mark.django_db

TEAM: dict[str, Any] = {"side_a": "Ann+Cid", "side_b": "Bob+Dora"}


ROWS: dict[str, tuple[bytes, list[str]]] = {
    "text for a number": (
        file_of(knock(1, own="eight", other="2O")),
        [
            "row 2, knocker_deadwood: “eight” is not a whole number.",
            "row 2, defender_deadwood: “2O” is not a whole number.",
        ],
    ),
    "a negative number": (file_of(points(1, points="-5")), ["row 2, points: “-5” is not a whole number."]),
    "a number with a point": (
        file_of(points(1, points="5.0")),
        ["row 2, points: “5.0” is not a whole number."],
    ),
    "a date of another kind": (
        file_of(dead(date="08/01/2026")),
        ["row 2, date: “08/01/2026” is not a date; write it as 2026-02-05 (year-month-day)."],
    ),
    "a day that is none": (
        file_of(dead(date="2026-02-30")),
        ["row 2, date: “2026-02-30” is not a date; write it as 2026-02-05 (year-month-day)."],
    ),
    "an unknown kind": (
        file_of(dead(kind="undercut")),
        [
            "row 2, kind: “undercut” is not a kind; there are: knock, gin, big_gin, points, dead, line, "
            "void, substitute, stopped, bye."
        ],
    ),
    "no kind": (
        file_of(dead(kind="")),
        [
            "row 2, kind: The kind is missing; there are: knock, gin, big_gin, points, dead, line, void, "
            "substitute, stopped, bye."
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
        ["row 2, event: There is a character here that cannot be seen."],
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
            "row 4, deal: Sheet W1-1 goes from deal 2 to deal 5; 3 to 4 are missing. "
            "A dead hand takes a row of kind dead."
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
        ["row 2, side_b: Two sides are called “Ann”."],
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
        ["row 2, upcard: “1X” is not a card: write rank then suit, as in AS, TD or 10♦."],
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
        ["row 2, side_b: Two sides are called “Aces”."],
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
        "row 2, knocker_deadwood: “x” is not a whole number.",
        "row 3, deal: Sheet W1-2 is new, so its first deal is 1, not 3.",
    ]


def test_row_numbers_count_blank_rows_and_cells_with_line_breaks(club: Club, tmp_path: Path) -> None:
    data = file_of(dead(1), dead(2, event="Winter\nCup")) + b"\n" + file_of(dead(0)).splitlines()[1] + b"\n"
    assert lines_of_refusal(tmp_path, data, "--create") == [
        "row 3, event: There is a line break in this cell.",
        "row 5, deal: This is a number from 1 to 500, not 0.",
    ]
