"""`manage.py backup FILE`: everything in the database in one file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError
from django.utils.translation import gettext as _

from deploy.backups import BackupError, write_backup
from deploy.progress import rows_progress


class Command(BaseCommand):
    help = "Writes everything in the database to FILE, while others keep working."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--replace", action="store_true", help="overwrite FILE if it exists")

    def handle(self, *, file: Path, replace: bool, **options: Any) -> None:
        if file.exists() and not replace:
            said = _("%(file)s exists; name another file, or use --replace.") % {"file": file}
            raise CommandError(said, returncode=2)
        try:
            with rows_progress(_("Backup")) as progress:
                rows = write_backup(file, progress=progress)
        except BackupError as error:
            raise CommandError(str(error), returncode=2) from error
        except OSError as error:
            said = _("%(file)s cannot be written: %(reason)s.") % {"file": file, "reason": error.strerror}
            raise CommandError(said, returncode=2) from error
        self.stdout.write(
            _("%(rows)d rows saved in %(file)s. It holds personal data; keep it safe.")
            % {"rows": rows, "file": file}
        )
