"""Where players are named: held before one of them is called otherwise, and told anew to who follows.

How somebody is called is said where it is shown, so that a new name writes none of the rows that show it. Who
follows matches, sheets and entries goes by the time they were written, so whoever renames stamps them.
"""

from dataclasses import dataclass

from django.db.models import F, Q
from django.utils import timezone

from league.models import Appearance, Entry, EntryMember, Match, Player
from league.record.locking import Clash, check_all_locked, lock_events, lock_matches
from scoring.models import Scoresheet, Seat


@dataclass(frozen=True, slots=True)
class Places:
    """The ids of the sheets, matches and entries that name some players."""

    sheets: frozenset[int]
    matches: frozenset[int]
    entries: frozenset[int]


def lock_places(*players: Player) -> Places:
    """Locks the sheets and matches that name these players, and the events of those and of their entries.

    Called before anything is written but the players themselves; refuses (`clash`) what came meanwhile.
    """
    persons = Player.objects.filter(Q(pk__in=[one.pk for one in players]) | Q(merged_into__in=players))
    entered = EntryMember.objects.filter(player__in=players)
    played = Appearance.objects.filter(player__in=players).values("match")
    in_entries = Match.objects.of_entries(entered.values("entry"))
    matches = Match.objects.filter(Q(pk__in=played) | Q(pk__in=in_entries.values("pk")))
    seated = Seat.objects.filter(person__in=persons.values("code")).values("sheet")

    def events() -> set[int]:
        return {*entered.values_list("event", flat=True), *matches.order_by().values_list("event", flat=True)}

    held, found = lock_matches(matches, and_sheets=Q(pk__in=seated)), events()
    lock_events(found)
    check_all_locked(matches, held)
    if events() - found:
        raise Clash
    sheets = Scoresheet.objects.filter(Q(match__in=held) | Q(pk__in=seated)).values_list("pk", flat=True)
    entries = entered.values_list("entry", flat=True)
    return Places(frozenset(sheets), frozenset(held), frozenset(entries))


def stamp_places(places: Places) -> None:
    """Stamps these rows as written now; `lock_places` has locked them."""
    Scoresheet.objects.filter(pk__in=places.sheets).update(updated_at=timezone.now())
    for model, ids in ((Match, places.matches), (Entry, places.entries)):
        # The database stamps what is written.
        model._default_manager.filter(pk__in=ids).update(updated_at=F("updated_at"))
