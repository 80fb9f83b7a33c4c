"""Recalculates the table of an event when anything it depends on has changed.

A `StandingsRequest` row is written in the transaction of the cause; a message to a worker only speeds things
up. A calculation reads the requests first, so all their causes are in what it reads next; it writes only if
nobody else has written since it began.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from league.core.possible_places import Possible
from league.core.standings import Number
from league.models import Entry, Event, Prospect, Standing, StandingsRequest
from league.record.requests import request_ratings
from league.tables.individuals import players_table
from league.tables.results import Ranked, plain, ranking_of

_COLUMNS: Final = (
    "event_id",
    "position",
    "rank",
    "played",
    "wins",
    "draws",
    "losses",
    "points",
    "net",
    "columns_won",
    "boxes",
    "previous_rank",
    "group",
    "metrics",
    "decided_by",
    "above_next_by",
    "best_place",
    "worst_place",
    "place_decided",
    "qualification",
)


def current_standings(event: Event) -> list[Standing]:
    """Compute the table with its entries, in order; nothing is stored."""
    return _computed(event, None)


def standings_as_of(event: Event, round_number: int) -> list[Standing]:
    """Compute the table after this round with its entries, in order, in three queries; nothing is stored.

    Results are as known now, including later corrections. Arrows (`previous_rank`) compare with the round
    before. Guests and later entries are left out.
    """
    return _computed(event, round_number)


def _computed(event: Event, until: int | None) -> list[Standing]:
    entries = list(Entry.objects.filter(event=event))
    by_id = {entry.pk: entry for entry in entries}
    ranking = ranking_of(event, entries, until=until, looks_ahead=until is None)
    return [Standing(entry=by_id[entry_id], **fields) for entry_id, fields in _rows(event, by_id, ranking)]


def write_table(event: Event, request_ids: list[int], *, changed: Callable[[Event], None]) -> bool:
    """Compute outside any transaction, then write changes and delete these requests.

    `changed` is called in that transaction, if there are any. False if another process has written
    meanwhile.
    """
    entries = list(Entry.objects.filter(event=event).select_related("standing"))
    ranking = ranking_of(event, entries, looks_ahead=True)
    rows = _rows(event, {entry.pk: entry for entry in entries}, ranking)
    stored = {entry.pk: entry.standing for entry in entries if hasattr(entry, "standing")}
    differing = []
    for entry_id, fields in rows:
        old = stored.pop(entry_id, None)
        if old is None or any(getattr(old, name) != fields[name] for name in _COLUMNS):
            differing.append(Standing(entry_id=entry_id, **fields))
    players = players_table(event)
    with transaction.atomic():
        # One statement locks the event and checks that nobody has written its table since.
        unchanged = Event.objects.filter(pk=event.pk, calculation=event.calculation)
        if not unchanged.update(calculation=event.calculation + 1, standings_at=timezone.now()):
            return False
        if differing:
            Standing.objects.bulk_create(
                differing,
                update_conflicts=True,
                unique_fields=["entry"],
                update_fields=[name.removesuffix("_id") for name in _COLUMNS],
            )
        if stored:
            # Entries that have become guests.
            Standing.objects.filter(entry__in=stored).delete()
        players.write()
        if differing or stored or players.changed or players.gone:
            changed(event)
        StandingsRequest.objects.filter(pk__in=request_ids).delete()
        request_ratings(event.club_id)
    return True


def _rows(
    event: Event, entries: Mapping[int, Entry], ranking: list[Ranked]
) -> list[tuple[int, dict[str, Any]]]:
    """Return what is stored of each entry, in table order."""
    return [
        (
            line.entry_id,
            {
                "event_id": event.pk,
                "position": line.position,
                "rank": line.row.rank,
                "played": line.row.played,
                "wins": line.row.wins,
                "draws": line.row.draws,
                "losses": line.row.losses,
                "points": line.row.points,
                "net": line.row.net,
                "columns_won": line.row.columns_won,
                "boxes": line.row.boxes,
                "previous_rank": line.previous_rank,
                "group": line.group,
                "metrics": {name: _exact(value) for name, value in line.row.metrics.items()},
                "decided_by": line.row.decided_by or "",
                "above_next_by": line.row.above_next_by or "",
                "best_place": line.possible and line.possible.best,
                "worst_place": line.possible and line.possible.worst,
                "place_decided": line.possible is not None and line.possible.is_decided,
                "qualification": _qualification(event, entries[line.entry_id], line.possible),
            },
        )
        for line in ranking
    ]


def _qualification(event: Event, entry: Entry, possible: Possible | None) -> str:
    """Return whether an entry goes on from its group; blank where that is not, or no longer, asked."""
    count = event.qualifiers if entry.group is not None and event.qualified is None else None
    if possible is None or not count or entry.withdrawn_at is not None:
        return ""
    if possible.sure_of is not None and possible.sure_of <= count:
        return Prospect.SURE
    # The best of the next places go on too: who is among them is compared between groups.
    return Prospect.OUT if possible.out_of >= count + (event.best_next > 0) else Prospect.OPEN


def _exact(value: Number | None) -> int | str | None:
    """Return points as stored: 2, or "1.5" since JSON has no exact decimals."""
    if value is None or isinstance(value, int):
        return value
    value = plain(value)
    return value if isinstance(value, int) else str(value)
