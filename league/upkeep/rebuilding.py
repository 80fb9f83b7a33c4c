"""Derives match results and tables again and lists differences from what is stored.

Sheets come first (`scoring.services.rebuilding`): results follow from them, and tables from results.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _

from league.draws.formats import format_of
from league.draws.recalculating import recalculate
from league.matches.counting import said_of, with_what_counts
from league.matches.fields import match_fields
from league.models import OFF_SHEET, Appearance, Event, IndividualStanding, Match, Standing, StandingsRequest
from league.record.locking import lock_match
from league.record.requests import request_standings
from league.tables.individuals import current_players, differences
from league.tables.standings import current_standings

_MATCHES_AT_ONCE: Final = 500
_COLUMNS: Final = tuple(
    field.name for field in Standing._meta.concrete_fields if field.name not in ("id", "event", "entry")
)


@dataclass(frozen=True, slots=True)
class MatchFinding:
    """A match that differs from its sheet, by field (stored, derived)."""

    match: Match
    differs: dict[str, tuple[Any, Any]]

    def lines(self) -> list[str]:
        """One line per difference."""
        return [
            _("match %(match)s of %(event)s: %(field)s is %(stored)s, the sheet gives %(derived)s")
            % {
                "match": self.match.label,
                "event": self.match.event,
                "field": name,
                "stored": stored,
                "derived": derived,
            }
            for name, (stored, derived) in self.differs.items()
        ]


@dataclass(frozen=True, slots=True)
class TableFinding:
    """Differences between a table and its results. `waits` if a recalculation is pending."""

    event: Event
    lines: list[str]
    waits: bool = False


def check_matches(event: Event, sheets: Mapping[int, Mapping[str, Any]]) -> Iterator[MatchFinding]:
    """The event's matches that differ from their sheets; `sheets` has pending repairs of those, by field."""
    # Match and sheet are read in one query, so that nothing is recorded in between.
    rows = with_what_counts(Match.objects.filter(event=event).exclude(state__in=OFF_SHEET)).order_by("pk")
    for match in rows.iterator(chunk_size=_MATCHES_AT_ONCE):
        match.event = event
        if match.sheet is not None:
            for name, value in sheets.get(match.sheet.pk, {}).items():
                setattr(match.sheet, name, value)
        wanted = match_fields(match.sheet, match, said_of(match))
        differs = {
            name: (getattr(match, name), value)
            for name, value in wanted.items()
            if getattr(match, name) != value
        }
        if differs:
            yield MatchFinding(match, differs)


def wrongly_annulled(event: Event) -> list[Match]:
    """The event's matches that are marked as annulled, or not, against what their entries say."""
    annulled = event.entries.exclude(annulled_at=None).order_by().values("pk")
    theirs = Match.objects.filter(event=event).of_entries(annulled).order_by().values("pk")
    wrong = Q(annulled=True) & ~Q(pk__in=theirs) | Q(annulled=False, pk__in=theirs)
    return list(Match.objects.filter(wrong, event=event).order_by("pk"))


def annulment_words(match: Match) -> str:
    """The difference of a wrongly annulled match, in one line."""
    said = {"match": match.label, "event": match.event}
    if match.annulled:
        return _("match %(match)s of %(event)s: is annulled, and its entries are not") % said
    return _("match %(match)s of %(event)s: is not annulled, and one of its entries is") % said


def repair_annulment(match: Match) -> None:
    """Bring the mark of the match in line with its entries, and request the table."""
    with transaction.atomic():
        found, _sheet = lock_match(match)
        found.annulled = found.names_annulled
        found.save(update_fields=["annulled"])
        request_standings(found.event_id)


def broken_line_ups(event: Event) -> list[str]:
    """Appearances in another round than their match's, which cannot be derived."""
    rows = Appearance.objects.filter(match__event=event).exclude(round=F("match__round"))
    return [
        _("match %(match)s of %(event)s: %(player)s appears in another round")
        % {"match": row.match.label, "event": event, "player": row.player}
        for row in rows.select_related("match", "player").order_by("pk")
    ]


def repair_match(match: Match) -> None:
    """Bring the match in line with its sheet, and request the table."""
    with transaction.atomic():
        # Lock and reread the sheet, in case something was just recorded.
        found, sheet = lock_match(match)
        if found.state in OFF_SHEET:
            return
        fields = match_fields(sheet, found)
        for name, value in fields.items():
            setattr(found, name, value)
        found.save(update_fields=[*fields])
        request_standings(found.event_id)


def check_table(event: Event) -> TableFinding:
    """Compare the stored table with its results, unless a recalculation is pending."""
    said = _("standings of %(event)s: waiting to be recalculated") % {"event": event}
    waiting = TableFinding(event, [said], waits=True)
    if StandingsRequest.objects.filter(event=event).exists():
        return waiting
    wanted = {standing.entry_id: standing for standing in current_standings(event)}
    stored = {
        standing.entry_id: standing
        for standing in Standing.objects.filter(event=event).select_related("entry")
    }
    lines = []
    for entry_id, row in wanted.items():
        old = stored.pop(entry_id, None)
        if old is None:
            lines.append(_("%(entry)s: is missing") % {"entry": row.entry})
            continue
        for name in _COLUMNS:
            is_, gives = getattr(old, name), getattr(row, name)
            if is_ != gives:
                said = _("%(entry)s: %(field)s is %(stored)s, the results give %(derived)s")
                lines.append(said % {"entry": row.entry, "field": name, "stored": is_, "derived": gives})
    lines += [_("%(entry)s: has a row but no rank") % {"entry": row.entry} for row in stored.values()]
    lines = [_("standings of %(event)s, %(line)s") % {"event": event, "line": line} for line in lines]
    lines += _check_players(event)
    lines += format_of(event).unsettled(event)
    if lines and not Event.objects.filter(pk=event.pk, calculation=event.calculation).exists():
        return waiting
    return TableFinding(event, lines)


def _check_players(event: Event) -> list[str]:
    """Compare the stored table of players with the sheets."""
    stored = {
        row.player_id: row
        for row in IndividualStanding.objects.filter(event=event)
        .select_related("player")
        .order_by("position")
    }
    lines = []
    for row in current_players(event):
        old = stored.pop(row.player_id, None)
        if old is None:
            lines.append(_("%(player)s: is missing") % {"player": row.player})
            continue
        lines += [
            _("%(player)s: %(field)s is %(stored)s, the sheets give %(derived)s")
            % {"player": row.player, "field": name, "stored": is_, "derived": gives}
            for name, (is_, gives) in differences(old, row).items()
        ]
    lines += [_("%(player)s: did not play") % {"player": row.player} for row in stored.values()]
    return [
        _("standings of players of %(event)s, %(line)s") % {"event": event, "line": line} for line in lines
    ]


def repair_table(event: Event) -> None:
    """Recalculate the table."""
    request_standings(event.pk)
    recalculate(event.pk)
