"""`manage.py restore FILE`: restores the database from a backup."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError

from deploy.backups import BackupError, restore_backup
from deploy.progress import rows_progress


class Command(BaseCommand):
    help = "Restores a backup into an empty database; all of it or, if anything is wrong, nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--replace", action="store_true", help="throw away what the database holds now")

    def handle(self, *, file: Path, replace: bool, **options: Any) -> None:
        try:
            with rows_progress("Restore") as progress:
                rows = restore_backup(file, replace=replace, progress=progress)
        except BackupError as error:
            raise CommandError(str(error), returncode=2) from error
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.", returncode=2) from error
        self.stdout.write(f"{rows} rows restored from {file}. Everybody has to log in again.")
