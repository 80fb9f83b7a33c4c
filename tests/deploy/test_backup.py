"""Backup and restore, on whichever database the run has."""

import json
import shutil
import threading
import zipfile
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, User
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.core.management.color import no_style
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from deploy.backups import MANIFEST, write_backup
from league.demo import load_demo
from league.models import Club, Deletion, Notice, Player, SweepMark, WebhookDelivery, WriteCount
from tests.deploy.machine import manage
from tests.faults.threads import DEADLINE_SECONDS

pytestmark = pytest.mark.django_db(transaction=True)
LATE = datetime(2026, 11, 6, 22, 15, 7, 123456, tzinfo=UTC)


def contents() -> dict[str, list[Any]]:
    """Every row of every table but the logins, the outboxes, the mark of the sweep and counts of writes."""
    left_out = (Notice, SweepMark, WebhookDelivery, WriteCount)
    kept = [
        model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.app_label != "sessions" and model not in left_out
    ]
    return {model._meta.label: list(model._base_manager.order_by("pk").values_list()) for model in kept}


def empty_the_database() -> None:
    tables = [model._meta.db_table for model in apps.get_models(include_auto_created=True)]
    connection.ops.execute_sql_flush(connection.ops.sql_flush(no_style(), tables, reset_sequences=True))


@pytest.fixture
def club() -> Club:
    """A club with a player who is a user, in a group: rows that point at rows, times with microseconds."""
    club = Club.objects.create(name="Kluß ♠", slug="klub")
    user = User.objects.create_user("ann", password="a good long one", last_login=LATE)
    user.groups.add(Group.objects.create(name="Officers"))
    Player.objects.create(club=club, name="Ann", user=user)
    Session.objects.create(session_key="s", session_data="", expire_date=LATE)
    return club


@pytest.fixture
def backup(club: Club, tmp_path: Path) -> Path:
    path = tmp_path / "club.backup"
    call_command("backup", path, verbosity=0)
    return path


def rewritten(backup: Path, target: Path, member: str, text: str) -> Path:
    """A copy of a backup in which one member is another."""
    with zipfile.ZipFile(backup) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            new.writestr(name, text if name == member else old.read(name))
    return target


def test_restore_gives_back_every_row(backup: Path) -> None:
    before = contents()
    empty_the_database()
    call_command("restore", backup)
    assert contents() == before
    assert User.objects.get(username="ann").last_login == LATE


@pytest.mark.dear("loads the whole demo, and restores it")
def test_restored_club_rebuilds_without_differences(tmp_path: Path) -> None:
    load_demo()
    before = contents()
    call_command("backup", tmp_path / "demo.backup")
    empty_the_database()
    call_command("restore", tmp_path / "demo.backup")
    assert contents() == before
    said = StringIO()
    call_command("rebuild", stdout=said)
    assert said.getvalue().strip() == "No differences."


def test_restore_leaves_nobody_logged_in(backup: Path) -> None:
    call_command("restore", backup, replace=True)
    assert not Session.objects.exists()


def test_new_rows_get_new_keys_after_a_restore(backup: Path) -> None:
    empty_the_database()
    call_command("restore", backup)
    last = Club.objects.latest("pk").pk
    assert Club.objects.create(name="Second", slug="second").pk > last


def test_what_is_written_after_a_restore_is_noted_again(backup: Path, club: Club) -> None:
    call_command("restore", backup, replace=True)
    assert not Deletion.objects.exists()
    club.name = "Klub"
    club.save()
    assert Club.objects.get().updated_at > club.updated_at
    club.players.get().delete()
    assert Deletion.objects.get().resource == "players"


def test_who_followed_before_a_restore_begins_anew(backup: Path, club: Club) -> None:
    players = "/api/v1/players/?updated_since="
    since = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
    assert Client().get(players + since).status_code == 200
    call_command("restore", backup, replace=True)
    told = Client().get(players + since)
    assert (told.status_code, told.json()["code"]) == (410, "too_long_ago")
    assert Client().get(f"{players}2000-01-01T00:00:00Z").status_code == 200


def test_page_seen_before_a_restore_is_not_shown_after_it(backup: Path, club: Club) -> None:
    """Though it may have been written as often as the one before."""
    page = f"/clubs/{club.slug}/"
    club.name = "Another"
    club.save()
    assert "Another" in Client().get(page).text
    call_command("restore", backup, replace=True)
    assert "Kluß ♠" in Client().get(page).text


def test_restore_refuses_a_database_that_holds_something(backup: Path) -> None:
    Club.objects.create(name="Second", slug="second")
    before = contents()
    with pytest.raises(CommandError, match=r"not empty.*--replace") as refusal:
        call_command("restore", backup)
    assert refusal.value.returncode == 2
    assert contents() == before


def test_restore_with_replace_throws_away_what_was_there(backup: Path, club: Club) -> None:
    Club.objects.create(name="Second", slug="second")
    call_command("restore", backup, replace=True)
    assert list(Club.objects.all()) == [club]


def test_backup_is_readable_by_its_owner_only_and_does_not_overwrite(backup: Path) -> None:
    assert backup.stat().st_mode & 0o777 == 0o600
    with pytest.raises(CommandError, match="exists"):
        call_command("backup", backup)
    call_command("backup", backup, replace=True)
    assert list(backup.parent.glob(".*")) == []


@pytest.mark.parametrize(
    ("command", "where", "sentence"),
    [
        ("backup", "nowhere/club.backup", "cannot be written: No such file or directory."),
        ("backup", "", "cannot be written: Is a directory."),
        ("restore", "nowhere/club.backup", "cannot be read: No such file or directory."),
        ("restore", "", "cannot be read: Is a directory."),
    ],
)
def test_path_that_leads_nowhere_is_said(command: str, where: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(CommandError) as refusal:
        call_command(command, tmp_path / where, replace=True)
    assert str(refusal.value) == f"{tmp_path / where} {sentence}"
    assert refusal.value.returncode == 2


def broken_halfway(backup: Path, target: Path) -> Path:
    return rewritten(backup, target, "tables/league.Player.jsonl", "[]")


def cut_off(backup: Path, target: Path) -> Path:
    shutil.copy(backup, target)
    with target.open("r+b") as file:
        file.truncate(backup.stat().st_size - 200)
    return target


def with_a_bit_flipped(backup: Path, target: Path) -> Path:
    with zipfile.ZipFile(backup) as archive:
        member = archive.getinfo("tables/auth.Permission.jsonl")
        inside = member.header_offset + member.compress_size // 2
    content = bytearray(backup.read_bytes())
    content[inside] ^= 0x40
    target.write_bytes(content)
    return target


def with_a_row_missing(backup: Path, target: Path) -> Path:
    with zipfile.ZipFile(backup) as archive:
        header = archive.read("tables/auth.User.jsonl").decode().split("\n")[0]
    return rewritten(backup, target, "tables/auth.User.jsonl", header + "\n")


def with_a_row_that_points_nowhere(backup: Path, target: Path) -> Path:
    with zipfile.ZipFile(backup) as archive:
        text = archive.read("tables/auth.User_groups.jsonl").decode()
    header, row = text.strip().split("\n")
    return rewritten(
        backup,
        target,
        "tables/auth.User_groups.jsonl",
        f"{header}\n{json.dumps([*json.loads(row)[:2], 9999])}\n",
    )


def no_zip(backup: Path, target: Path) -> Path:
    target.write_text("date,event\n")
    return target


def another_zip(backup: Path, target: Path) -> Path:
    return rewritten(backup, target, MANIFEST, '{"format": "holiday pictures"}')


def of_a_newer_version(backup: Path, target: Path) -> Path:
    with zipfile.ZipFile(backup) as archive:
        manifest = json.loads(archive.read(MANIFEST))
    return rewritten(backup, target, MANIFEST, json.dumps(manifest | {"version": 2}))


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (broken_halfway, "other columns in league.Player"),
        (cut_off, "not a backup, or only part of one"),
        (with_a_bit_flipped, "damaged|only part of one"),
        (with_a_row_missing, "0 rows of auth.User instead of 1"),
        (with_a_row_that_points_nowhere, "cannot be restored, nothing was changed"),
        (no_zip, "not a backup"),
        (another_zip, "not a backup of this program"),
        (of_a_newer_version, "newer version"),
    ],
)
def test_restore_changes_nothing_when_the_file_is(
    spoil: Any, said: str, backup: Path, tmp_path: Path
) -> None:
    Club.objects.create(name="Second", slug="second")
    before = contents()
    with pytest.raises(CommandError, match=said) as refusal:
        call_command("restore", spoil(backup, tmp_path / "spoilt"), replace=True)
    assert refusal.value.returncode == 2
    assert contents() == before


@pytest.mark.parametrize(
    ("ours", "said"), [(True, "older than this database"), (False, "does not have: league.0099")]
)
def test_restore_refuses_other_migrations(ours: bool, said: str, backup: Path, tmp_path: Path) -> None:
    recorder = MigrationRecorder(connection)
    if ours:
        recorder.record_applied("league", "0099_later")
    else:
        with zipfile.ZipFile(backup) as archive:
            manifest = json.loads(archive.read(MANIFEST))
        manifest["migrations"].append("league.0099_later")
        backup = rewritten(backup, tmp_path / "newer", MANIFEST, json.dumps(manifest))
    try:
        with pytest.raises(CommandError, match=said):
            call_command("restore", backup, replace=True)
    finally:
        recorder.record_unapplied("league", "0099_later")
    assert Club.objects.exists()


def test_what_replaced_migrations_in_a_former_version_is_not_among_those_of_a_backup(
    club: Club, tmp_path: Path
) -> None:
    """A database whose tables it made still notes it; one that is migrated today never does."""
    path, replaced = tmp_path / "club.backup", ("league", "0001_squashed_0045_rounds_by_date")
    recorder = MigrationRecorder(connection)
    recorder.record_applied(*replaced)
    try:
        call_command("backup", path, verbosity=0)
    finally:
        recorder.record_unapplied(*replaced)
    with zipfile.ZipFile(path) as archive:
        migrations = json.loads(archive.read(MANIFEST))["migrations"]
    assert "league.0045_rounds_by_date" in migrations
    assert not [name for name in migrations if "_squashed_" in name]
    call_command("restore", path, replace=True, verbosity=0)
    assert Club.objects.get() == club


def test_backup_of_a_database_without_tables_says_so(tmp_path: Path) -> None:
    refused = manage("backup", str(tmp_path / "file"), DATA_DIR=str(tmp_path / "new"))
    assert refused.returncode == 2
    assert refused.stderr.startswith("CommandError: The database cannot be read")
    assert list(tmp_path.glob("*file*")) == []


def test_restore_names_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="No such file") as refusal:
        call_command("restore", tmp_path / "nothing")
    assert refusal.value.returncode == 2


def test_backup_is_one_moment_while_others_go_on_writing(club: Club, tmp_path: Path) -> None:
    """Who comes while the backup is being written is not in it, and need not wait."""
    path = tmp_path / "moment.backup"
    written: list[str] = []

    def write() -> None:
        User.objects.create_user("late")
        Club.objects.create(name="Late", slug="late")
        connection.close()

    def progress(table: str, rows: int) -> None:
        if not written:
            written.append(table)
            writer = threading.Thread(target=write)
            writer.start()
            writer.join(DEADLINE_SECONDS)
            assert not writer.is_alive()

    write_backup(path, progress=progress)
    assert Club.objects.count() == 2
    call_command("restore", path, replace=True)
    assert list(Club.objects.all()) == [club]
    assert not User.objects.filter(username="late").exists()


@pytest.mark.dear("restores and backs up by commands of their own")
def test_backup_restores_into_a_machine_that_is_new(backup: Path, tmp_path: Path) -> None:
    """From either database to a fresh SQLite with real commands, and the same backup out of it again."""
    restored = manage("restore", str(backup), DATA_DIR=str(tmp_path / "new"))
    assert (restored.returncode, restored.stderr) == (0, "")
    again = tmp_path / "again.backup"
    assert manage("backup", str(again), DATA_DIR=str(tmp_path / "new")).returncode == 0
    with zipfile.ZipFile(backup) as first, zipfile.ZipFile(again) as second:
        assert first.namelist() == second.namelist()
        for name in first.namelist():
            if name != MANIFEST and "SweepMark" not in name:  # which tells when it was restored
                assert first.read(name) == second.read(name)
        manifests = [json.loads(archive.read(MANIFEST)) for archive in (first, second)]
        assert [each["tables"].pop("league.SweepMark") for each in manifests] == [0, 1]
        assert manifests[0] == manifests[1]
    refused = manage("restore", str(backup), DATA_DIR=str(tmp_path / "new"))
    assert refused.returncode == 2
    assert refused.stderr.startswith("CommandError: The database is not empty")
