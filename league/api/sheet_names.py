"""Of which club a sheet is, and how those on it are called for who reads it."""

import hashlib
from typing import Final

from league.models import Club
from league.policy import Who
from league.policy.naming import AS_WRITTEN, Names, names_for
from scoring.models import Scoresheet
from scoring.services.records import KeptSheet

# What leads from a sheet to its club.
CLUBS: Final = ("match__event__club", "former__club", "exhibition__club")
# What the sides of a match are called after.
ENTRIES: Final = ("match__entry_a", "match__entry_b", "match__partner_a", "match__partner_b")


def club_of(sheet: Scoresheet) -> Club | None:
    """The club whose match or exhibition the sheet is or was; None for one of nobody's."""
    for way in ("match", "former", "exhibition"):
        owner = getattr(sheet, way, None)
        if owner is not None:
            club: Club = owner.event.club if way == "match" else owner.club
            return club
    return None


def names_on(sheet: Scoresheet, who: Who) -> Names:
    """How those on the sheet are called for `who`."""
    club = club_of(sheet)
    return AS_WRITTEN if club is None else names_for(who, club)


def shown_sheet(kept: KeptSheet, names: Names) -> KeptSheet:
    """The sheet with everybody on it as shown for whoever reads it; its match was read along."""
    return names.sheet(kept, getattr(kept.sheet, "match", None))


def names_digest(kept: KeptSheet, *, as_written: bool) -> str:
    """What tells apart who sits where under which name; "" where that is as it was when the sheet was opened:
    nobody took over a seat, and the names are `as_written`.
    """
    if as_written and not kept.has_substitutes:
        return ""
    told = repr([(side.name, side.everyone, side.substitutes) for side in kept.sides])
    return hashlib.sha256(told.encode()).hexdigest()[:8]
