"""The table of an event, made anew when something it depends on has changed.

What must happen is a `StandingsRequest` row, written in the transaction of its cause; a message to a worker
only makes it happen soon. A calculation reads the requests first, so all they stand for is in what it reads
next; it writes only if nobody has written since it began.
"""

import logging
from functools import partial
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from league.errors import LeagueError
from league.models import Entry, Event, Standing, StandingsRequest
from league.services.individuals import players_table
from league.services.ratings import request_ratings
from league.services.results import Ranking, plain, ranking_of
from league.standings import Number
from league.wake import wake
from scoring.errors import ScoringError

_log = logging.getLogger(__name__)

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
)
_MOST_REQUESTS: Final = 10_000
_TRIES: Final = 5


def request_standings(event_id: int) -> None:
    """Has the table of the event made anew after the current transaction."""
    StandingsRequest.objects.create(event_id=event_id)
    # Robust: the change is kept by then, and nobody should read that it failed.
    transaction.on_commit(partial(wake, event_id), robust=True)


def recalculate(event_id: int) -> bool:
    """Serves all open requests of an event; True if the table was made anew.

    Idempotent. Several may run at once: whoever finds that another has written since it began reads again.
    After five such rounds it leaves the rest to the others, or to the sweep. Where the bracket cannot be
    brought in line with its sheets the table is made all the same, and the requests stay for the sweep.
    """
    written = False
    for _ in range(_TRIES):
        requests = list(
            StandingsRequest.objects.filter(event=event_id)
            .select_related("event")
            .order_by("id")[:_MOST_REQUESTS]
        )
        if not requests:
            return written
        event = requests[0].event
        if not _settle_ties(event):
            return _write(event, []) or written
        written |= _write(event, [request.pk for request in requests])
    return written


def _settle_ties(event: Event) -> bool:
    """Has the winners of a bracket's matches go on, as recording locks its sheet only; False if refused."""
    # Here, since whatever writes matches asks this module for the table.
    from league.services.advancing import settle_ties

    try:
        settle_ties(event)
    except (LeagueError, ScoringError):
        _log.exception("The bracket of event %s is not settled; it is tried again.", event.pk)
        return False
    return True


def current_standings(event: Event) -> list[Standing]:
    """The table as it should be now, with entries, in order; computed, nothing stored."""
    return _computed(event, None)


def standings_as_of(event: Event, round_number: int) -> list[Standing]:
    """The table as it was with this round: with entries, in order; computed in three queries, nothing stored.

    From the results as they are known now: one that was corrected later is corrected here too. Arrows
    (`previous_rank`) are against the round before. Guests, and who entered later, are not in it.
    """
    return _computed(event, round_number)


def _computed(event: Event, until: int | None) -> list[Standing]:
    entries = list(Entry.objects.filter(event=event))
    by_id = {entry.pk: entry for entry in entries}
    ranking = ranking_of(event, entries, until=until)
    return [Standing(entry=by_id[entry_id], **fields) for entry_id, fields in _rows(event, ranking)]


def _write(event: Event, request_ids: list[int]) -> bool:
    """Computes outside any transaction, then writes what changed; False if another has written meanwhile."""
    entries = list(Entry.objects.filter(event=event).select_related("standing"))
    rows = _rows(event, ranking_of(event, entries))
    stored = {entry.pk: entry.standing for entry in entries if hasattr(entry, "standing")}
    changed = []
    for entry_id, fields in rows:
        old = stored.pop(entry_id, None)
        if old is None or any(getattr(old, name) != fields[name] for name in _COLUMNS):
            changed.append(Standing(entry_id=entry_id, **fields))
    players = players_table(event)
    with transaction.atomic():
        # One statement both locks the event and sees whether its table is still the one we began with.
        unchanged = Event.objects.filter(pk=event.pk, calculation=event.calculation)
        if not unchanged.update(calculation=event.calculation + 1, standings_at=timezone.now()):
            return False
        if changed:
            Standing.objects.bulk_create(
                changed,
                update_conflicts=True,
                unique_fields=["entry"],
                update_fields=[name.removesuffix("_id") for name in _COLUMNS],
            )
        if stored:
            # Guests by now.
            Standing.objects.filter(entry__in=stored).delete()
        players.write()
        StandingsRequest.objects.filter(pk__in=request_ids).delete()
        request_ratings(event.club_id)
    return True


def _rows(event: Event, ranking: Ranking) -> list[tuple[int, dict[str, Any]]]:
    """What is stored of each entry, in the order of the table."""
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
            },
        )
        for line in ranking.lines
    ]


def _exact(value: Number | None) -> int | str | None:
    """Points may be halves, which JSON has no exact number for: 2, "1.5"."""
    if value is None or isinstance(value, int):
        return value
    value = plain(value)
    return value if isinstance(value, int) else str(value)
