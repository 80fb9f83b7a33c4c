"""Of which club a sheet is, and how the names on it are spelt for who reads it."""

import hashlib
from dataclasses import replace
from typing import Final

from league.models import Club
from league.people.naming import AS_WRITTEN, Names, names_for
from league.policy import Who
from scoring.core.sheets import SheetSide
from scoring.models import Scoresheet
from scoring.services.records import KeptSheet

# What leads from a sheet to its club.
CLUBS: Final = ("match__event__club", "former__club", "exhibition__club")


def club_of(sheet: Scoresheet) -> Club | None:
    """The club whose match or exhibition the sheet is or was; None for one of nobody's."""
    for way in ("match", "former", "exhibition"):
        owner = getattr(sheet, way, None)
        if owner is not None:
            club: Club = owner.event.club if way == "match" else owner.club
            return club
    return None


def names_on(sheet: Scoresheet, who: Who) -> Names:
    """How names on the sheet are printed for `who`."""
    club = club_of(sheet)
    return AS_WRITTEN if club is None else names_for(who, club)


def spelt(kept: KeptSheet, names: Names) -> KeptSheet:
    """The sheet with its names as they are printed for whoever reads it."""
    if not names.instead:
        return kept
    first, second = (_spelt_side(side, names) for side in kept.sides)
    seats = {number: names.shown(name) for number, name in kept.seat_names.items()}
    return replace(kept, sides=(first, second), seat_names=seats)


def names_digest(kept: KeptSheet, *, as_written: bool) -> str:
    """What tells apart who sits where under which name; "" where that is as it was when the sheet was opened:
    nobody took over a seat, and the names are `as_written`.
    """
    if as_written and not kept.has_substitutes:
        return ""
    told = repr([(side.name, side.everyone, side.substitutes) for side in kept.sides])
    return hashlib.sha256(told.encode()).hexdigest()[:8]


def _spelt_side(side: SheetSide, names: Names) -> SheetSide:
    return SheetSide(
        names.shown(side.name),
        tuple(names.shown(player) for player in side.players),
        tuple(
            replace(one, player=names.shown(one.player), replaces=names.shown(one.replaces))
            for one in side.substitutes
        ),
    )
