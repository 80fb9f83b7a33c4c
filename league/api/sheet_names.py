"""The club of a sheet, and the names on it as the reader may see them."""

import hashlib
from typing import Final

from league.api.spelling import Spelling
from league.models import SEATED, Club
from league.policy import Who
from league.policy.naming import AS_WRITTEN, Names, names_for
from scoring.models import Scoresheet
from scoring.services.records import KeptSheet

# The relations from a sheet to its club.
CLUBS: Final = ("match__event__club", "former__club", "exhibition__club")
# The entries after which the sides of a match are named.
ENTRIES: Final = tuple(f"match__{name}" for name in SEATED)


def club_of(sheet: Scoresheet) -> Club | None:
    """Return the club of the sheet's match, present or former, or exhibition; None if there is none."""
    for way in ("match", "former", "exhibition"):
        owner = getattr(sheet, way, None)
        if owner is not None:
            club: Club = owner.event.club if way == "match" else owner.club
            return club
    return None


def names_on(sheet: Scoresheet, who: Who) -> Names:
    """Return the names of the sheet's club as `who` may see them; as written if it has no club."""
    club = club_of(sheet)
    return AS_WRITTEN if club is None else names_for(who, club)


def names_in(sheet: Scoresheet, spelling: Spelling) -> Names:
    """Return the names of the sheet's club, one of those of `spelling`; as written if it has no club."""
    club = club_of(sheet)
    return AS_WRITTEN if club is None else spelling.of(club.pk)


def shown_sheet(kept: KeptSheet, names: Names) -> KeptSheet:
    """Return the sheet with all names as `names` shows them; its match should be loaded."""
    return names.sheet(kept, getattr(kept.sheet, "match", None))


def names_digest(kept: KeptSheet, label: str, *, as_written: bool) -> str:
    """Return a digest (8 hex digits) of the sheet's shown `label`, and of who sits where under which name.

    Blank if that is as it was when the sheet was opened: no substitutes, and all of it `as_written`.
    """
    if as_written and not kept.has_substitutes:
        return ""
    told = repr((label, [(side.name, side.everyone, side.substitutes) for side in kept.sides]))
    return hashlib.sha256(told.encode()).hexdigest()[:8]
