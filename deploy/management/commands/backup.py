"""`manage.py backup FILE`: everything in the database in one file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError

from deploy.backups import BackupError, write_backup
from deploy.progress import rows_progress


class Command(BaseCommand):
    help = "Writes everything in the database into FILE; others may go on working meanwhile."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--replace", action="store_true", help="overwrite FILE if it exists")

    def handle(self, *, file: Path, replace: bool, **options: Any) -> None:
        if file.exists() and not replace:
            raise CommandError(f"{file} exists; name another file, or say --replace.", returncode=2)
        try:
            with rows_progress("Backup") as progress:
                rows = write_backup(file, progress=progress)
        except BackupError as error:
            raise CommandError(str(error), returncode=2) from error
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}.", returncode=2) from error
        self.stdout.write(f"{rows} rows saved in {file}. It holds personal data; keep it safe.")
