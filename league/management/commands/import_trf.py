"""`manage.py import_trf FILE`: a tournament of another program, as a finished event."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from league.core.hand_files.problems import FileRefused
from league.core.trf_reading import LARGEST_TRF
from league.errors import LeagueError
from league.files.choosing import chosen_club
from league.files.taking_over import TakingOptions, apply_taking, plan_taking
from league.management.commands.import_hands import OPERATOR, make_anew
from scoring.management.document_command import read_file
from scoring.words.messages import translated


class Command(BaseCommand):
    help = (
        "Takes a tournament over from FIDE's TRF, all of it or nothing: a finished event with results and no "
        "deals. Players of the club are found by FIDE id alone; import_hands --undo takes it back."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the TRF file, or - for standard input")
        parser.add_argument("--club", metavar="ADDRESS", help="the club, where there is more than one")
        parser.add_argument("--dry-run", action="store_true", help="check and preview, change nothing")
        parser.add_argument("--name", default="", metavar="NAME", help="name of the event, if not the file's")
        parser.add_argument("--season", default="", metavar="NAME", help="season of the event")

    def handle(
        self,
        *args: Any,
        file: str,
        club: str | None,
        dry_run: bool,
        name: str,
        season: str,
        **options: Any,
    ) -> None:
        try:
            plan = plan_taking(
                club=chosen_club(club),
                options=TakingOptions(season=season.strip(), name=name.strip()),
                **_content(file),
            )
            self.stdout.write("\n".join(plan.lines()))
            if dry_run:
                self.stdout.write(_("Nothing was changed (--dry-run)."))
                return
            batch = apply_taking(actor=OPERATOR, plan=plan)
        except FileRefused as refusal:
            raise CommandError("\n".join(map(translated, refusal.lines())), returncode=2) from None
        except LeagueError as refusal:
            raise CommandError(translated(refusal.placed), returncode=2) from None
        make_anew(batch)
        said = _("Imported. To take it back: import_hands --undo %(number)d")
        self.stdout.write(said % {"number": batch.pk})


def _content(file: str) -> dict[str, Any]:
    data, file_name = read_file(file, LARGEST_TRF)
    return {"data": data, "file_name": file_name}
