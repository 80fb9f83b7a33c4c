"""A table of members with its reader, and with whose seat he has."""

from typing import NamedTuple

from django.db.models import OuterRef, Subquery
from django.utils import timezone

from games.models import TableMatch, TableSeat
from games.services.members import settle_time
from scoring.core.actors import Actor, ActorKind
from scoring.models import Scoresheet
from scoring.policy import policy
from scoring.services.records import KeptSheet, kept_sheet


class SeenTable(NamedTuple):
    """A table, its sheet and rules loaded, its reader, and the reader's seat, None for a spectator."""

    match: TableMatch
    reader: Actor
    seat: int | None

    @property
    def kept(self) -> KeptSheet:
        """The sheet, with the names that the reader may see."""
        sheet = self.match.sheet
        return kept_sheet(sheet).called(*policy().shown(self.reader, sheet))


def table_seen(reader: Actor, code: str) -> SeenTable | None:
    """The table with this code, if the reader sits there or may see its sheet.

    A time-out that is due is carried out first.
    """
    account = int(reader.id) if reader.kind is ActorKind.USER else 0
    own = TableSeat.objects.filter(match=OuterRef("pk"), account=account).order_by("number")
    rows = TableMatch.objects.filter(code=code).select_related("sheet__rules")
    found = rows.annotate(own_seat=Subquery(own.values("number")[:1])).first()
    if found is None:
        return None
    now = timezone.now()
    if found.deadline is not None and found.deadline <= now:
        settle_time(found, now)
        found = rows.annotate(own_seat=Subquery(own.values("number")[:1])).get()
    if reader.kind is ActorKind.TABLE_LINK:
        sides = policy().own_sides(reader, found.sheet)
        own_guest = found.seats.filter(is_guest=True, side__in=sides)
        found.own_seat = own_guest.values_list("number", flat=True).first()
    if found.own_seat is None:
        shown = policy().visible(reader, Scoresheet.objects.filter(pk=found.sheet_id))
        if not shown.exists():
            return None
    return SeenTable(found, reader, found.own_seat)
