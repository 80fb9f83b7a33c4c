"""Days on which players have said that they cannot play."""

import datetime
from collections.abc import Collection, Mapping

from league.models import EntryMember, PlayerAbsence


def away_between(
    entries: Collection[int], first: datetime.date, last: datetime.date | None
) -> Mapping[int, list[PlayerAbsence]]:
    """The absences of the players of these entries (ids) of an event within these days, by entry.

    Both days are included; None: no last one. Each has its player loaded. In two queries.
    """
    members = EntryMember.objects.filter(entry__in=entries).order_by()
    entry_of = dict(members.values_list("player", "entry"))
    rows = PlayerAbsence.objects.filter(player__in=entry_of, last_day__gte=first).select_related("player")
    if last is not None:
        rows = rows.filter(first_day__lte=last)
    found: dict[int, list[PlayerAbsence]] = {}
    for row in rows.order_by("first_day", "pk"):
        found.setdefault(entry_of[row.player_id], []).append(row)
    return found
