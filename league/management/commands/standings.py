"""`manage.py standings EVENT`: the table of an event as text."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from league.errors import LeagueError
from league.files.choosing import chosen_club, chosen_event
from league.models import Adjustment, Event, Standing, StandingsRequest
from league.tables.results import late_points, late_reason, plain
from league.tables.standings import standings_as_of
from league.templatetags.league_words import possible_places
from scoring.words.messages import translated


class Command(BaseCommand):
    help = "Prints the table of an event, group by group where it has groups."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("event", metavar="EVENT", help="the event's address or name")
        parser.add_argument("--club", metavar="ADDRESS", help="the club, where the event alone is not clear")
        parser.add_argument(
            "--round", type=int, metavar="N", help="the table as of this round, calculated anew"
        )

    def handle(self, *args: Any, event: str, club: str | None, round: int | None, **options: Any) -> None:
        try:
            found = chosen_event(event, None if club is None else chosen_club(club))
        except LeagueError as refusal:
            raise CommandError(translated(refusal.message), returncode=2) from None
        if round is not None and not found.rounds.filter(number=round).exists():
            said = _("“%(event)s” has no round %(round)d.") % {"event": found, "round": round}
            raise CommandError(said, returncode=2)
        when = _as_of(found) if round is None else _("as of round %(round)d") % {"round": round}
        self.stdout.write(f"{found.name}, {found.club.name}, {when}")
        standings = _stored(found) if round is None else standings_as_of(found, round)
        for group, rows in groupby(standings, key=lambda standing: standing.group):
            if group is not None:
                self.stdout.write(_("Group %(group)s") % {"group": group})
            self._table([_headings(), *(_row(standing, found) for standing in rows)])
        for standing in standings:
            if points := late_points(found, standing.entry):
                self.stdout.write(_points(standing.entry, points, late_reason(standing.entry)))
        for note in Adjustment.objects.filter(event=found).select_related("entry").order_by("id"):
            self.stdout.write(_points(note.entry, plain(note.points), note.reason))

    def _table(self, rows: Sequence[tuple[str, ...]]) -> None:
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        for row in rows:
            cells = [
                cell.ljust(width) if column in (1, 11) else cell.rjust(width)
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            ]
            self.stdout.write("  ".join(cells).rstrip())


def _headings() -> tuple[str, ...]:
    return (
        "",
        "",
        _("played"),
        _("won"),
        _("drawn"),
        _("lost"),
        _("points"),
        _("net"),
        _("columns"),
        _("boxes"),
        _("possible"),
        "",
    )


def _points(entry: object, points: object, reason: str) -> str:
    said = {"entry": entry, "points": f"{points:+}", "reason": reason}
    return _("%(entry)s: %(points)s points, %(reason)s") % said


def _stored(event: Event) -> list[Standing]:
    return list(Standing.objects.filter(event=event).select_related("entry"))


def _as_of(event: Event) -> str:
    if event.standings_at is None:
        return _("no table yet")
    time = event.standings_at.astimezone(event.club.zone)
    waiting = StandingsRequest.objects.filter(event=event).exists()
    when = _("as of %(time)s") % {"time": f"{time:%Y-%m-%d %H:%M}"}
    return f"{when}, {_('being recalculated')}" if waiting else when


def _row(standing: Standing, event: Event) -> tuple[str, ...]:
    return (
        f"{standing.rank}.",
        str(standing.entry),
        str(standing.played),
        str(standing.wins),
        str(standing.draws),
        str(standing.losses),
        str(plain(standing.points)),
        *(
            ("–", "–", "–")
            if event.taken_over
            else (f"{standing.net:+}", "–", "–")
            if event.has_tables
            else (f"{standing.net:+}", str(standing.columns_won), str(standing.boxes))
        ),
        possible_places(standing),
        _("by %(tie_break)s") % {"tie_break": standing.above_next_by.replace("_", " ")}
        if standing.above_next_by
        else "",
    )
