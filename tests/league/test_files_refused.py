"""Files that are no table of hands: each is refused, says what is wrong, and changes nothing."""

import csv
from pathlib import Path

import pytest
from django.core.management import CommandError

from league.core.hand_files.reading import COLUMNS, LARGEST_FILE
from league.models import Club
from tests.league.hand_files import (
    command,
    dead,
    file_of,
    lines_of_refusal,
)

pytestmark = pytest.mark.django_db

HEADER = ",".join(COLUMNS).encode()


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
    "NUL": (file_of(dead()) + b"\0", "row 3: There are bytes here that are not text."),
    "semicolons": (
        file_of(dead()).replace(b",", b";"),
        "row 1: The columns are separated by semicolons; they must be separated by commas.",
    ),
    "tabs": (file_of(dead()).replace(b",", b"\t"), "row 1: The columns are separated by tabs"),
    "not a table": (b"Dear secretary,\nhere are the hands.\n", "row 1, dear secretary: There is no column"),
    "an image": (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "There are bytes here that are not text."),
    "an open quote": (
        file_of(dead()) + b'"2026-01-08,Winter',
        "row 3: This is not a CSV file: a quotation mark is opened and never closed.",
    ),
    "an endless cell": (
        HEADER + b"\n" + b"x" * 200_000,
        "row 2: This is not a CSV file: a cell here",
    ),
    "an unknown column": (
        file_of(dead() | {"Umpire": "Zoë"}),
        "row 1, umpire: There is no column “umpire” in this format; take it out.",
    ),
    "a column twice": (
        file_of(dead()).replace(b"upcard", b"deal"),
        "row 1, deal: This column is there twice.",
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
