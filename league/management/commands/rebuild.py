"""`manage.py rebuild`: derives everything again from the deals and lists every difference."""

from collections.abc import Iterable
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _
from tqdm import tqdm

from league.errors import LeagueError
from league.files.choosing import chosen_club, chosen_event
from league.models import Club, Event
from league.upkeep.rebuilding import (
    annulment_words,
    broken_line_ups,
    check_matches,
    check_table,
    repair_annulment,
    repair_match,
    repair_table,
    wrongly_annulled,
)
from league.upkeep.rebuilding_ratings import check_ratings, repair_ratings
from scoring.models import Scoresheet
from scoring.services.rebuilding import check_sheets, repair_sheets
from scoring.words.messages import translated


class Command(BaseCommand):
    help = (
        "Derives sheets, results and tables again from the deals and lists every difference on a line; "
        "without named events also ratings, which depend on all events of a club. Writes only with --apply. "
        "The exit status is 1 if differences remain, else 0."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("events", nargs="*", metavar="EVENT", help="addresses or names; none means all")
        parser.add_argument("--club", metavar="ADDRESS", help="the club, where an event alone is not clear")
        parser.add_argument("--apply", action="store_true", help="write the derived values")

    def handle(self, *args: Any, events: list[str], club: str | None, apply: bool, **options: Any) -> None:
        self.found = 0
        self.remain = 0
        self.astray: set[int] = set()
        try:
            chosen = None if club is None else chosen_club(club)
            named = [chosen_event(text, chosen) for text in events]
        except LeagueError as refusal:
            raise CommandError(translated(refusal.message), returncode=2) from None
        sheets = Scoresheet.objects.all()
        all_events = Event.objects.select_related("club").order_by("pk")
        if chosen is not None:
            sheets = sheets.filter(match__event__club=chosen)
            all_events = all_events.filter(club=chosen)
        if named:
            sheets = sheets.filter(match__event__in=named)
        pending = self._sheets(sheets, apply=apply)
        for event in named or all_events:
            self._event(event, pending, apply=apply)
        if not named:
            for each in Club.objects.order_by("pk") if chosen is None else [chosen]:
                self._ratings(each, apply=apply)
        if self.remain:
            said = _("Differences: %(count)d.") % {"count": self.remain}
            if not apply:
                said += " " + _("Review them; --apply writes the derived values.")
            raise CommandError(said, returncode=1)
        if self.found:
            self.stdout.write(_("Differences written: %(count)d.") % {"count": self.found})
        else:
            self.stdout.write(_("No differences."))

    def _sheets(self, sheets: Any, *, apply: bool) -> dict[int, dict[str, Any]]:
        """Check sheets; returns the derived fields of those not repaired, by id."""
        pending: dict[int, dict[str, Any]] = {}
        with tqdm(
            total=sheets.count(), desc=_("Sheets"), unit=" " + _("sheets"), delay=1, disable=None, leave=False
        ) as bar:
            for count, findings in check_sheets(sheets):
                bar.update(count)
                if apply and findings:
                    findings = repair_sheets([finding.sheet.pk for finding in findings])
                for finding in findings:
                    self._say(finding.lines(), remain=len(finding.broken) if apply else None)
                    if not apply:
                        pending[finding.sheet.pk] = {
                            name: derived for name, (_stored, derived) in finding.differs.items()
                        }
        return pending

    def _event(self, event: Event, pending: dict[int, dict[str, Any]], *, apply: bool) -> None:
        findings = list(check_matches(event, pending))
        for finding in findings:
            self._say(finding.lines(), remain=0 if apply else None)
            if apply:
                repair_match(finding.match)
        for match in wrongly_annulled(event):
            self._say([annulment_words(match)], remain=0 if apply else None)
            if apply:
                repair_annulment(match)
        self._say(broken_line_ups(event))
        if findings and not apply:
            self.astray.add(event.club_id)
            said = _("standings of %(event)s: to be recalculated, because results differ")
            self._say([said % {"event": event}])
            return
        table = check_table(event)
        if table.waits and not findings:
            self.stdout.write(table.lines[0])
        elif not table.waits:
            self._say(table.lines, remain=0 if apply else None)
        if apply and table.lines:
            repair_table(event)

    def _ratings(self, club: Club, *, apply: bool) -> None:
        if club.pk in self.astray:
            said = _("ratings of %(club)s: to be recalculated, because results differ")
            self._say([said % {"club": club}])
            return
        ratings = check_ratings(club)
        if ratings.waits:
            self.stdout.write(ratings.lines[0])
        else:
            self._say(ratings.lines, remain=0 if apply else None)
        if apply and ratings.lines:
            repair_ratings(club)

    def _say(self, lines: Iterable[str], *, remain: int | None = None) -> None:
        """Print differences; `remain` of them are left, all if None."""
        lines = list(lines)
        for line in lines:
            self.stdout.write(line)
        self.found += len(lines)
        self.remain += len(lines) if remain is None else remain
