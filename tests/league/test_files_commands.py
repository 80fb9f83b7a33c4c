"""The commands that import a file, take it back, and print the table."""

from pathlib import Path

import pytest
from django.core.management import CommandError

from league.models import (
    Event,
    ImportBatch,
    Rating,
    RatingsRequest,
    Standing,
)
from tests.factories import (
    ClubFactory,
)
from tests.kept import contents
from tests.league.hand_files import (
    command,
    file_of,
    knock,
    stopped,
)

pytestmark = pytest.mark.django_db


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
    assert [rating.matches for rating in Rating.objects.all()] == [1, 1]
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
    assert "Voided: 1 sheet" in command("import_hands", "--undo", batch.pk)
    assert not Event.objects.exists()
    assert not Rating.objects.exists()
    assert not RatingsRequest.objects.exists()
    with pytest.raises(CommandError) as refusal:
        command("import_hands", "--undo", batch.pk)
    assert refusal.value.returncode == 2


def test_standings_command_prints_the_table(night: Path) -> None:
    ClubFactory.create(name="Harbour", time_zone="Europe/Copenhagen")
    command("import_hands", night, "--create")
    printed = command("standings", "Winter Cup").splitlines()
    assert printed[0].startswith("Winter Cup, Harbour, as of ")
    heads = ["played", "won", "drawn", "lost", "points", "net", "columns", "boxes", "possible"]
    assert printed[1].split() == heads
    # Both have 20 points and a box when time is called; the lot puts one above the other.
    assert sorted(line.split()[1] for line in printed[2:]) == ["Ann", "Bob"]
    assert [line.split()[2:9] for line in printed[2:]] == [["1", "0", "1", "0", "1", "+0", "0"]] * 2
    assert printed[2].endswith("by lot")
