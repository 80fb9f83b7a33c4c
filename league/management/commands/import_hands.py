"""`manage.py import_hands FILE`: a night's or a season's hands from a CSV file."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _
from tqdm import tqdm

from league.core.hand_files.problems import FileRefused
from league.core.hand_files.reading import LARGEST_FILE
from league.draws.recalculating import recalculate
from league.errors import LeagueError
from league.files.applying import apply_import
from league.files.choosing import chosen_club
from league.files.planning import plan_import
from league.files.plans import ImportOptions, ImportPlan
from league.files.undoing import plan_undo, undo_import
from league.models import Club, ImportBatch
from league.people.clubs import create_club
from league.tables import ratings
from scoring.core.actors import Actor, ActorKind
from scoring.core.errors import ScoringError
from scoring.documents.knobs import rules_from_text
from scoring.management.document_command import read_file
from scoring.words.messages import translated

OPERATOR = Actor(ActorKind.OPERATOR, "command", "manage.py")


class Command(BaseCommand):
    help = (
        "Imports hands from a CSV file, all of it or nothing; hands that are stored already are skipped. "
        "With --undo, takes an import back."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("file", nargs="?", metavar="FILE", help="the CSV file, or - for standard input")
        what.add_argument("--undo", type=int, metavar="NUMBER", help="take back the import with this number")
        parser.add_argument("--club", metavar="ADDRESS", help="the club, where there is more than one")
        parser.add_argument("--dry-run", action="store_true", help="check and preview, change nothing")
        parser.add_argument("--correct", default="", metavar="REASON", help="correct deals that differ")
        parser.add_argument("--create", action="store_true", help="create the event and its people")
        parser.add_argument(
            "--rules", metavar="KNOBS", help="rules of the new event, as in preset=standard,columns=3"
        )
        parser.add_argument("--season", default="", metavar="NAME", help="season of the new event")
        parser.add_argument("--club-name", metavar="NAME", help="with --create, create a club with this name")

    def handle(self, *args: Any, undo: int | None, **options: Any) -> None:
        try:
            if undo is None:
                self._import(**options)
            else:
                self._undo(undo, dry_run=options["dry_run"])
        except FileRefused as refusal:
            hints = [hint for option, hint in _hints().items() if option in refusal.options]
            raise CommandError("\n".join([*map(translated, refusal.lines()), *hints]), returncode=2) from None
        except (LeagueError, ScoringError) as refusal:
            raise CommandError(translated(refusal.placed), returncode=2) from None

    def _import(
        self,
        *,
        file: str,
        club: str | None,
        dry_run: bool,
        create: bool,
        rules: str | None,
        season: str,
        club_name: str | None,
        correct: str,
        **_options: Any,
    ) -> None:
        if not create and (rules is not None or season or club_name):
            raise CommandError(_("--rules, --season and --club-name go with --create."), returncode=2)
        options = ImportOptions(
            create=create,
            rules=None if rules is None else rules_from_text(rules),
            season=season.strip(),
            correct=correct.strip(),
        )
        data, name = read_file(file, LARGEST_FILE)

        def take(into: Club) -> ImportBatch | None:
            plan = plan_import(club=into, data=data, file_name=name, options=options)
            self.stdout.write("\n".join(plan.lines()))
            return None if dry_run else self._apply(plan)

        if club_name:
            # A club is created for a file only if the file is imported.
            with transaction.atomic():
                batch = take(_new_club(club, club_name))
                transaction.set_rollback(dry_run)
        else:
            batch = take(chosen_club(club))
        if dry_run:
            self.stdout.write(_("Nothing was changed (--dry-run)."))
        if batch is not None:
            make_anew(batch)
            said = _("Imported. To take it back: import_hands --undo %(number)d")
            self.stdout.write(said % {"number": batch.pk})

    def _apply(self, plan: ImportPlan) -> ImportBatch | None:
        with tqdm(total=len(plan.work), desc=_("Import"), unit=" " + _("sheets"), **_BAR) as bar:
            return apply_import(actor=OPERATOR, plan=plan, progress=bar.update)

    def _undo(self, number: int, *, dry_run: bool) -> None:
        batch = ImportBatch.objects.filter(pk=number).first()
        if batch is None:
            raise CommandError(_("There is no import %(number)d.") % {"number": number}, returncode=2)
        plan = plan_undo(batch)
        if dry_run:
            self.stdout.write("\n".join(plan.lines()))
            self.stdout.write(_("Nothing was changed (--dry-run)."))
            return
        sheets = len(plan.voided) + len(plan.corrected)
        with tqdm(total=sheets, desc=_("Undo"), unit=" " + _("sheets"), **_BAR) as bar:
            done = undo_import(actor=OPERATOR, batch=batch, progress=bar.update)
        make_anew(done.batch)
        self.stdout.write("\n".join(done.lines()))
        self.stdout.write(_("Undone."))


def make_anew(batch: ImportBatch) -> None:
    """Recalculate the table and the ratings at once: there may be no worker."""
    if batch.event is not None:
        recalculate(batch.event.pk)
    ratings.recalculate(batch.club_id)


def _hints() -> dict[str, str]:
    return {
        "create": _("--create creates the event and its people."),
        "correct": _("--correct REASON corrects deals that differ."),
    }


# After a second, and only in a terminal.
_BAR: dict[str, Any] = {"delay": 1, "disable": None, "leave": False}


def _new_club(slug: str | None, name: str) -> Club:
    name = " ".join(name.split())
    slug = slug or slugify(name)[:60]
    if Club.objects.filter(slug=slug).exists():
        said = _("There is a club “%(slug)s” already; leave --club-name out.") % {"slug": slug}
        raise LeagueError("club_exists", said)
    return create_club(actor=OPERATOR, name=name, slug=slug)
