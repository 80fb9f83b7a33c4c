"""The rows on which a player's name is shown: locked before a rename, stamped after it.

Names are looked up when they are shown, so a rename writes none of these rows itself. Programs that follow
matches, sheets and entries (`updated_since`) go by the time of the last write; without a stamp they would
keep the old name.
"""

from dataclasses import dataclass
from itertools import chain

from django.db.models import F, Q
from django.utils import timezone

from league.models import (
    Appearance,
    Entry,
    EntryMember,
    EntryRequest,
    Match,
    PartnerInvitation,
    PartnerSearch,
    Player,
)
from league.record.locking import Clash, check_all_locked, lock_events, lock_matches
from scoring.models import Scoresheet, Seat


@dataclass(frozen=True, slots=True)
class NamedRows:
    """The ids of the sheets, matches and entries that name some players."""

    sheets: frozenset[int]
    matches: frozenset[int]
    entries: frozenset[int]


def lock_places(*players: Player) -> NamedRows:
    """Lock the sheets and matches that name these players, then the events they are entered, wait or play in.

    To be called before anything but the players is written: an entry is renamed under its event's lock, and
    sheets stand left of events in the order of locks. Refuses (`clash`) if a match was added meanwhile.
    """
    persons = Player.objects.filter(Q(pk__in=[one.pk for one in players]) | Q(merged_into__in=players))
    entered = EntryMember.objects.filter(player__in=players)
    played = Appearance.objects.filter(player__in=players).values("match")
    in_entries = Match.objects.of_entries(entered.values("entry"))
    matches = Match.objects.filter(Q(pk__in=played) | Q(pk__in=in_entries.values("pk")))
    seated = Seat.objects.filter(person__in=persons.values("code")).values("sheet")

    wanted = [
        model._default_manager.filter(player__in=players).order_by().values_list("event", flat=True)
        for model in (EntryRequest, PartnerInvitation, PartnerSearch)
    ]

    def events() -> set[int]:
        of_rows = {
            *entered.values_list("event", flat=True),
            *chain.from_iterable(rows.all() for rows in wanted),
        }
        return of_rows | {*matches.order_by().values_list("event", flat=True)}

    held, found = lock_matches(matches, and_sheets=Q(pk__in=seated)), events()
    lock_events(found)
    check_all_locked(matches, held)
    if events() - found:
        raise Clash
    sheets = Scoresheet.objects.filter(Q(match__in=held) | Q(pk__in=seated)).values_list("pk", flat=True)
    entries = entered.values_list("entry", flat=True)
    return NamedRows(frozenset(sheets), frozenset(held), frozenset(entries))


def stamp_places(places: NamedRows) -> None:
    """Stamp these rows as written now. Needs the locks of `lock_places`."""
    Scoresheet.objects.filter(pk__in=places.sheets).update(updated_at=timezone.now())
    for model, ids in ((Match, places.matches), (Entry, places.entries)):
        # Any write does: the database stamps it.
        model._default_manager.filter(pk__in=ids).update(updated_at=F("updated_at"))
