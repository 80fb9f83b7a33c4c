"""The one order in which rows are locked.

    bot schedules → players, by id → offers of games → sheets, by id → matches, by id → events, by id
    → rounds, ties and entries → evenings

Recording locks its sheet and writes that sheet's match; it never waits for an event. All others lock from
left to right, and never wait for a row to the left of one they hold, so there is no cycle. These rules keep
it so:

- A sheet is assigned to a match, or removed from it, only under the match's lock, and deleted only under its
  own. While one waits for matches their sheets may change; `lock_matches` and `lock_match` then refuse with
  `clash`, because locking the new sheet would reverse the order. Sheets and matches created in the same
  transaction are invisible to others and need no lock.
- Matches are added to an event, and rows that refer to its entries written, only under the event's lock. With
  it, `check_all_locked` tells whether matches were added meanwhile. An entry is renamed under its event too:
  changing a unique column makes the database wait for everybody who refers to the row.
- A bot match is planned and ended only under its sheet's lock. Workers that wake for one lock its row alone,
  for one statement.
- A table of members is changed under its sheet's lock. Who gives an outage back to clocks locks the sheets of
  tables at which several hands are in play, in order of their ids, then the rows of tables, then those of
  evenings; who holds an evening waits for no table.
- What programs are told is written last, waits for nobody but who deletes a webhook, and who holds a webhook
  waits for none of these rows.
- An event's state (`check_doing`) is checked on its locked row.

Workers compute first and then lock the event alone, or nothing but their requests (ratings). Should the
database find a deadlock nevertheless, it aborts one of the two: `refused_when_crossed` reports that to a
person, `left_when_crossed` leaves a calculation to the sweep.
"""

import logging
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Final

from django.db import OperationalError
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from league.errors import LeagueError
from league.models import Event, Match
from league.record.audit import locked
from scoring.models import Scoresheet

logger = logging.getLogger(__name__)

# PostgreSQL: serialization_failure, deadlock_detected.
_CROSSED: Final = frozenset({"40001", "40P01"})


class Clash(LeagueError):
    """The rows to lock changed while waiting for them; nothing was done."""

    def __init__(self) -> None:
        super().__init__("clash", _("Somebody has just added or changed a match. Look again."))


def lock_matches(matches: QuerySet[Match], *, and_sheets: Q | None = None) -> set[int]:
    """Lock the sheets of these matches, then the matches, each in order of id; returns the matches' ids.

    The sheets `and_sheets` are locked with them. Refuses (`clash`) if one of the matches got another sheet
    meanwhile. The caller may then lock the event.
    """
    wanted = Q(pk__in=matches.order_by().values("sheet"))
    if and_sheets is not None:
        wanted |= and_sheets
    sheets = Scoresheet.objects.select_for_update(no_key=True, of=("self",)).filter(wanted)
    held = set(sheets.order_by("pk").values_list("pk", flat=True))
    rows = Match.objects.select_for_update(no_key=True, of=("self",)).filter(
        pk__in=matches.order_by().values("pk")
    )
    found = dict(rows.order_by("pk").values_list("pk", "sheet"))
    if set(found.values()) - held - {None}:
        raise Clash
    return set(found)


def check_all_locked(matches: QuerySet[Match], ids: set[int]) -> None:
    """Refuse (`clash`) if there are matches that `lock_matches` did not lock. Needs the event's lock."""
    if set(matches.order_by().values_list("pk", flat=True)) - ids:
        raise Clash


def lock_match(match: Match) -> tuple[Match, Scoresheet | None]:
    """The current match and its sheet, both locked, the sheet first; refuses as `lock_matches`."""
    sheets = Scoresheet.objects.select_for_update(no_key=True, of=("self",))
    sheet = sheets.filter(match=match).first()
    match = locked(match)
    if match.sheet_id != (sheet and sheet.pk):
        raise Clash
    return match, sheet


def lock_events(ids: Collection[int]) -> None:
    """Lock several events in order of id."""
    rows = Event.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=ids)
    list(rows.order_by("pk").values_list("pk"))


@contextmanager
def refused_when_crossed() -> Iterator[None]:
    """Refuse (`crossed`) a transaction that the database aborted for a conflict. Wraps the transaction."""
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
    """Ignore a transaction that the database aborted for a conflict; its request remains."""
    try:
        yield
    except OperationalError as error:
        if not _is_crossed(error):
            raise
        logger.warning("left to the sweep, as it crossed another change: %s", error)


def _is_crossed(error: OperationalError) -> bool:
    return getattr(error.__cause__, "sqlstate", None) in _CROSSED
