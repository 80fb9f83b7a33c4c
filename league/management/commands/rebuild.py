"""`manage.py rebuild`: derives everything again from the deals and lists every difference."""

import math
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from tqdm import tqdm

from games.processes import cores
from league.errors import LeagueError
from league.files.choosing import chosen_club, chosen_event
from league.models import Club, Event
from league.upkeep.rebuild_journal import NotResumable, Past, opened
from league.upkeep.rebuild_parts import DerivedKind, Found, Part, ratings_wait
from league.upkeep.rebuild_processes import Failed, rebuild_parts
from scoring.models import Scoresheet
from scoring.words.messages import translated

# A process takes a second to start; in that time about so many sheets are checked.
SHEETS_A_PROCESS: Final = 500
MOST_JOBS: Final = 256


class Command(BaseCommand):
    help = (
        "Derives sheets, results and tables again from the deals and lists every difference on a line; "
        "without named events also ratings, which depend on all events of a club. Writes only with --apply. "
        "Events are done in several processes. A rebuild that was ended in between, in whatever way, is "
        "continued by --resume. "
        "The exit status is 0 if no differences remain, 1 if some do, 3 if something could not be checked."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("events", nargs="*", metavar="EVENT", help="addresses or names; none means all")
        parser.add_argument("--club", metavar="ADDRESS", help="the club, where an event alone is not clear")
        parser.add_argument("--apply", action="store_true", help="write the derived values")
        parser.add_argument(
            "--jobs", type=int, metavar="N", help="processes; by default as many as there are cores"
        )
        parser.add_argument(
            "--resume",
            action="store_true",
            help="go on where the same rebuild was ended; events it had done are not checked again",
        )

    def handle(
        self,
        *args: Any,
        events: list[str],
        club: str | None,
        apply: bool,
        jobs: int | None,
        resume: bool,
        **options: Any,
    ) -> None:
        self.found = 0
        self.remain = 0
        self.failed = 0
        # Events on which ratings wait: results differ, or nobody knows.
        self.astray: set[int] = set()
        self.unknown: set[int] = set()
        self.apply = apply
        try:
            chosen = None if club is None else chosen_club(club)
            named = [chosen_event(text, chosen) for text in events]
        except LeagueError as refusal:
            raise CommandError(translated(refusal.message), returncode=2) from None
        if jobs is not None and not 1 <= jobs <= MOST_JOBS:
            raise CommandError(_("There are 1 to %(most)d jobs.") % {"most": MOST_JOBS}, returncode=2)
        if named and resume:
            raise CommandError(_("Named events are not resumed; name them again."), returncode=2)
        self.jobs = jobs
        try:
            with ExitStack() as stack:
                self._open_journal(stack, chosen, resume=resume, is_kept=not named)
                self._rebuild(chosen, named)
        except KeyboardInterrupt:
            said = _("Interrupted.")
            if self.journal:
                said += " " + _("--resume goes on from here.")
            raise CommandError(said, returncode=130) from None
        self._conclude()

    def _open_journal(self, stack: ExitStack, club: Club | None, *, resume: bool, is_kept: bool) -> None:
        """Begin the journal, or go on with it; none inside a transaction, which is written whole or not."""
        self.journal: Path | None = None
        self.past = Past("")
        if not is_kept or connection.in_atomic_block:
            return
        path = Path(settings.DATA_DIR) / ("rebuild.jsonl" if club is None else f"rebuild-{club.slug}.jsonl")
        database = connection.settings_dict
        head = {
            "database": [str(database[name]) for name in ("ENGINE", "HOST", "PORT", "NAME")],
            "apply": self.apply,
        }
        try:
            past = stack.enter_context(opened(path, head, resume=resume))
        except NotResumable as refusal:
            said = _("No such rebuild was interrupted.")
            if refusal.differs:
                said = _("Another rebuild was interrupted: of another database, or with or without --apply.")
            raise CommandError(said, returncode=2) from None
        except OSError as fault:
            said = _("%(file)s cannot be written: %(reason)s.") % {"file": path, "reason": fault.strerror}
            raise CommandError(said, returncode=2) from None
        if past is None:
            self.stderr.write(_("Another rebuild is running; this one cannot be resumed."))
            return
        self.journal, self.past = path, past
        if resume:
            said = _("Continuing the rebuild of %(begun)s: %(count)d parts are done.")
            self.stderr.write(said % {"begun": past.begun, "count": len(past.done)})

    def _rebuild(self, club: Club | None, named: list[Event]) -> None:
        sheets = Scoresheet.objects.all()
        events = Event.objects.order_by("pk")
        if club is not None:
            sheets = sheets.filter(match__event__club=club)
            events = events.filter(club=club)
        if named:
            sheets = sheets.filter(match__event__in=named)
        ids = [event.pk for event in named] or list(events.values_list("pk", flat=True))
        parts = [Part(DerivedKind.EVENT, pk) for pk in dict.fromkeys(ids)]
        if club is None and not named:
            parts.insert(0, Part(DerivedKind.SHEETS, 0))
        processes = self._processes(sheets)
        self._do(parts, processes, title=_("Events"))
        if named:
            return
        clubs = list(Club.objects.order_by("pk")) if club is None else [club]
        astray, unknown = (
            set(Event.objects.filter(pk__in=ids).values_list("club_id", flat=True))
            for ids in (self.astray, self.unknown)
        )
        for each in clubs:
            if each.pk in astray:
                self._say(ratings_wait(each))
            elif each.pk in unknown:
                self.failed += 1
                said = _("ratings of %(club)s: not checked, because an event of it was not")
                self.stderr.write(said % {"club": each})
        self._do(
            [Part(DerivedKind.RATINGS, each.pk) for each in clubs if each.pk not in astray | unknown],
            processes,
            title=_("Ratings"),
        )

    def _processes(self, sheets: QuerySet[Scoresheet]) -> int:
        if connection.in_atomic_block:
            return 1  # a transaction is seen by this process alone
        if self.jobs is not None:
            return self.jobs
        return min(cores(), math.ceil(sheets.count() / SHEETS_A_PROCESS))

    def _do(self, parts: Sequence[Part], processes: int, *, title: str) -> None:
        """Rebuild the parts that are not done, and say what was found in all of them, in their order."""
        done = self.past.done
        left = [part for part in parts if part not in done]
        differences = sum(len(done[part].lines) for part in parts if part in done)
        with tqdm(
            total=len(parts), initial=len(parts) - len(left), desc=title, disable=None, leave=False
        ) as bar:

            def progress(found: Found | Failed) -> None:
                nonlocal differences
                if isinstance(found, Found):
                    differences += len(found.lines)
                bar.set_postfix_str(_("%(count)d differences") % {"count": differences}, refresh=False)
                bar.update()

            results = rebuild_parts(
                left,
                apply=self.apply,
                processes=max(1, min(processes, len(left))),
                journal=self.journal,
                progress=progress,
            )
            for part in parts:
                if part in done:
                    found: Found | Failed = done[part]
                else:
                    _part, found = next(results)
                bar.clear()
                if isinstance(found, Failed):
                    self.failed += 1
                    if part.kind == DerivedKind.EVENT:
                        self.unknown.add(part.pk)
                    if found.reason:
                        self.stderr.write(found.reason)
                    continue
                if found.is_astray:
                    self.astray.add(part.pk)
                self._say(self.past.whole(part, found))

    def _say(self, found: Found) -> None:
        for line in [*found.lines, *found.notices]:
            self.stdout.write(line)
        self.found += len(found.lines)
        self.remain += found.remain

    def _conclude(self) -> None:
        if self.failed:
            said = _("Not checked: %(failed)d. Differences found in the rest: %(count)d.")
            if self.journal:
                said += " " + _("--resume tries again what failed.")
            raise CommandError(said % {"failed": self.failed, "count": self.found}, returncode=3)
        if self.journal:
            self.journal.unlink(missing_ok=True)
        if self.remain:
            said = _("Differences: %(count)d.") % {"count": self.remain}
            if not self.apply:
                said += " " + _("Review them; --apply writes the derived values.")
            raise CommandError(said, returncode=1)
        if self.found:
            self.stdout.write(_("Differences written: %(count)d.") % {"count": self.found})
        else:
            self.stdout.write(_("No differences."))
