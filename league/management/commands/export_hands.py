"""`manage.py export_hands EVENT`: hands as CSV, in the format `import_hands` reads.

With `--tables` those of a club's sheets outside events.
"""

import io
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from league.errors import LeagueError
from league.files.choosing import chosen_club, chosen_event
from league.files.exporting import export_hands, export_tables
from scoring.words.messages import translated


class Command(BaseCommand):
    help = (
        "Writes the hands of an event as CSV to FILE or standard output, and notes to standard error. "
        "With --tables, those of a club's sheets outside events."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("event", nargs="?", metavar="EVENT", help="the event's address or name")
        parser.add_argument("file", nargs="?", metavar="FILE", help="a file that does not exist yet")
        parser.add_argument(
            "--tables", action="store_true", help="in place of an event, the club's sheets outside events"
        )
        parser.add_argument("--club", metavar="ADDRESS", help="the club, where the event alone is not clear")

    def handle(
        self, *args: Any, event: str | None, file: str | None, tables: bool, club: str | None, **options: Any
    ) -> None:
        if tables:
            # The only word is the file's.
            event, file = file, event
        if tables == (event is not None):
            raise CommandError(_("Name an event, or say --tables in its place."), returncode=2)
        try:
            if event is None:
                export = export_tables(chosen_club(club))
            else:
                export = export_hands(chosen_event(event, None if club is None else chosen_club(club)))
        except LeagueError as refusal:
            raise CommandError(translated(refusal.message), returncode=2) from None
        if file is None:
            if isinstance(sys.stdout, io.TextIOWrapper):
                sys.stdout.reconfigure(encoding="utf-8")  # as the format is UTF-8
            self.stdout.write(export.text, ending="")
        else:
            try:
                with Path(file).open("x", encoding="utf-8", newline="") as target:
                    target.write(export.text)
            except OSError as error:
                said = _("%(file)s cannot be written: %(reason)s.") % {"file": file, "reason": error.strerror}
                raise CommandError(said, returncode=2) from None
        for note in export.notes:
            self.stderr.write(note)
        if file is not None:
            said = _("Hands written to %(file)s: %(hands)d.")
            self.stdout.write(said % {"file": file, "hands": export.hands})
