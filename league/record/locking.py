"""Who waits for whom: the one order in which rows are locked.

    bot schedules → players, by id → sheets, by id → matches, by id → events, by id → rounds, ties and entries

Recording locks its sheet and writes that sheet's match; it never waits for an event. Everybody else takes
what he needs from left to right, and nobody waits for what stands left of what he holds: there is no circle.
These rules keep it true:

- A sheet is put into a match, or taken out, only by who holds the match, and deleted only by who holds the
  sheet. While one waits for matches their sheets may change; `lock_matches` and `lock_match` then refuse with
  `clash`, for to lock the new sheet would be to turn the order round. A sheet or match that one has just made
  is seen by nobody, so it is not waited for.
- Matches are added to an event, and rows that point to its entries are written, only by who holds the event.
  Once it is held, `check_all_locked` says whether matches have come since. An entry gets another name under
  its event too: the database lets a change of what is unique wait for all who point to the row.
- A bot match is planted, and ended, only by who holds its sheet. Workers that call and claim one hold its
  row alone, for one statement.
- What an event is doing (`check_doing`) is asked of its locked row.

The workers compute first and then lock the event alone, or nothing but their requests (ratings). Should the
database find a circle nevertheless, one of the two is sent back: `refused_when_crossed` says so to a person,
`left_when_crossed` leaves a calculation to the sweep.
"""

import logging
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Final

from django.db import OperationalError
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from league.errors import LeagueError
from league.models import Event, Match
from league.record.audit import locked
from scoring.models import Scoresheet

logger = logging.getLogger(__name__)

# PostgreSQL: serialization_failure, deadlock_detected.
_CROSSED: Final = frozenset({"40001", "40P01"})


class Clash(LeagueError):
    """What is to be locked has changed while one waited for it; nothing was done."""

    def __init__(self) -> None:
        super().__init__("clash", _("Somebody has just added or changed a match. Look again."))


def lock_matches(matches: QuerySet[Match]) -> set[int]:
    """Locks the sheets of these matches, then the matches, each in order of id; answers the matches' ids.

    Refuses (`clash`) where one of them has got a sheet meanwhile. The caller may lock the event now.
    """
    sheets = Scoresheet.objects.select_for_update(no_key=True, of=("self",))
    held = set(sheets.filter(match__in=matches.order_by()).order_by("pk").values_list("pk", flat=True))
    rows = Match.objects.select_for_update(no_key=True, of=("self",)).filter(
        pk__in=matches.order_by().values("pk")
    )
    found = dict(rows.order_by("pk").values_list("pk", "sheet"))
    if set(found.values()) - held - {None}:
        raise Clash
    return set(found)


def check_all_locked(matches: QuerySet[Match], ids: set[int]) -> None:
    """Refuses (`clash`) where there are matches that `lock_matches` has not seen. The event is held."""
    if set(matches.order_by().values_list("pk", flat=True)) - ids:
        raise Clash


def lock_match(match: Match) -> tuple[Match, Scoresheet | None]:
    """The match and its sheet as they are now, both locked, the sheet first."""
    sheets = Scoresheet.objects.select_for_update(no_key=True, of=("self",))
    sheet = sheets.filter(match=match).first()
    match = locked(match)
    if match.sheet_id != (sheet and sheet.pk):
        raise Clash
    return match, sheet


def lock_events(ids: Collection[int]) -> None:
    """Locks several events in order of id."""
    rows = Event.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=ids)
    list(rows.order_by("pk").values_list("pk"))


@contextmanager
def refused_when_crossed() -> Iterator[None]:
    """Refuses (`crossed`) what the database undid as it crossed another change. Around the transaction."""
    try:
        yield
    except OperationalError as error:
        if not _is_crossed(error):
            raise
        logger.warning("refused, as it crossed another change: %s", error)
        raise LeagueError(
            "crossed", _("Somebody else was changing this at the same moment; nothing was done. Try again.")
        ) from error


@contextmanager
def left_when_crossed() -> Iterator[None]:
    """Leaves what the database undid because it crossed another change; what asks for it stays."""
    try:
        yield
    except OperationalError as error:
        if not _is_crossed(error):
            raise
        logger.warning("left to the sweep, as it crossed another change: %s", error)


def _is_crossed(error: OperationalError) -> bool:
    return getattr(error.__cause__, "sqlstate", None) in _CROSSED
