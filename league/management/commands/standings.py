"""`manage.py standings EVENT`: the table of an event as text."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from league.errors import LeagueError
from league.files.choosing import chosen_club, chosen_event
from league.models import Adjustment, Event, Standing, StandingsRequest
from league.services.results import plain

_HEADINGS = ("", "", "played", "won", "drawn", "lost", "points", "net", "columns", "boxes", "")


class Command(BaseCommand):
    help = "Prints the table of an event."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("event", metavar="EVENT", help="the event's address or name")
        parser.add_argument("--club", metavar="ADDRESS", help="the club, where the event alone is not clear")

    def handle(self, *args: Any, event: str, club: str | None, **options: Any) -> None:
        try:
            found = chosen_event(event, None if club is None else chosen_club(club))
        except LeagueError as refusal:
            raise CommandError(refusal.message, returncode=2) from None
        self.stdout.write(f"{found.name}, {found.club.name}{_as_of(found)}")
        notes = list(Adjustment.objects.filter(event=found).select_related("entry").order_by("id"))
        standings = Standing.objects.filter(event=found).select_related("entry").order_by("position")
        rows = [_HEADINGS, *(_row(standing) for standing in standings)]
        widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADINGS))]
        for row in rows:
            cells = [
                cell.ljust(width) if column in (1, 10) else cell.rjust(width)
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            ]
            self.stdout.write("  ".join(cells).rstrip())
        for note in notes:
            self.stdout.write(f"{note.entry.name}: {plain(note.points):+} points, {note.reason}")


def _as_of(event: Event) -> str:
    if event.standings_at is None:
        return ": there is no table yet"
    time = event.standings_at.astimezone(event.club.zone)
    waiting = StandingsRequest.objects.filter(event=event).exists()
    return f", as of {time:%Y-%m-%d %H:%M}" + (", being recalculated" if waiting else "")


def _row(standing: Standing) -> tuple[str, ...]:
    return (
        f"{standing.rank}.",
        standing.entry.name,
        str(standing.played),
        str(standing.wins),
        str(standing.draws),
        str(standing.losses),
        str(plain(standing.points)),
        f"{standing.net:+}",
        str(standing.columns_won),
        str(standing.boxes),
        f"by {standing.above_next_by.replace('_', ' ')}" if standing.above_next_by else "",
    )
