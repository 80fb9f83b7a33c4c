"""`manage.py restore FILE`: restores the database from a backup."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError
from django.utils.translation import gettext as _

from deploy.backups import BackupError, restore_backup
from deploy.progress import rows_progress


class Command(BaseCommand):
    help = "Restores a backup into an empty database: all of it or, if anything is wrong, nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--replace", action="store_true", help="discard the current content of the database"
        )

    def handle(self, *, file: Path, replace: bool, **options: Any) -> None:
        try:
            with rows_progress(_("Restore")) as progress:
                rows = restore_backup(file, replace=replace, progress=progress)
        except BackupError as error:
            raise CommandError(str(error), returncode=2) from error
        except OSError as error:
            said = _("%(file)s cannot be read: %(reason)s.") % {"file": file, "reason": error.strerror}
            raise CommandError(said, returncode=2) from error
        self.stdout.write(
            _("%(rows)d rows restored from %(file)s. Everybody has to sign in again.")
            % {"rows": rows, "file": file}
        )
