"""Players' table of an event of teams, and shared seats."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.db.models import Exists, OuterRef

from league.core.collation import name_key
from league.models import ENTRIES, PLAYED, Appearance, Event, IndividualStanding, Match, Player
from league.policy.naming import Names
from league.policy.withholding import released
from scoring.services.records import seat_figures


@dataclass(frozen=True, slots=True)
class SeatShare:
    """A player's share of a seat: the first deal, and the net."""

    player: Player
    from_deal: int
    net: int


@dataclass(frozen=True, slots=True)
class SharedSeat:
    """A seat of a match that changed hands, with its players in order."""

    match: Match
    shares: Sequence[SeatShare]


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A line of the table; `in_part` counts matches in which a seat was shared."""

    row: IndividualStanding
    is_level: bool
    in_part: int


def individual_table(event: Event, names: Names, shared: Sequence[SharedSeat] = ()) -> Sequence[PlayerLine]:
    """Return the players in order, ties by name, in one query."""
    rows = IndividualStanding.objects.filter(event=event).select_related("player")
    ordered = sorted(rows, key=lambda row: (row.rank, name_key(names.player(row.player)), row.player_id))
    places = Counter(row.rank for row in ordered)
    parts = Counter(share.player.pk for seat in shared for share in seat.shares)
    return [PlayerLine(row, places[row.rank] > 1, parts[row.player_id]) for row in ordered]


def shared_seats(event: Event) -> Sequence[SharedSeat]:
    """Return all shared seats in matches with a result, by round, in one query."""
    substitutes = Appearance.objects.filter(match=OuterRef("match"), replaces__isnull=False)
    seats = (
        Appearance.objects.filter(
            Exists(substitutes),
            released("match__"),
            match__event=event,
            match__held=False,
            match__annulled=False,
            match__state__in=PLAYED,
            entry__is_guest=False,
        )
        .select_related("player", "match__round", "match__sheet", *(f"match__{name}" for name in ENTRIES))
        .order_by("match__round__number", "match__table", "match_id", "side", "position")
    )
    found = []
    for _side, sitting in groupby(seats, key=lambda seat: (seat.match_id, seat.side)):
        found += list(_shared(list(sitting), event.team_size))
    return found


def _shared(sitting: Sequence[Appearance], size: int) -> Iterator[SharedSeat]:
    """Yield the shared seats of one side of a match."""
    heirs = {seat.replaces: seat for seat in sitting if seat.replaces is not None}
    for first in sitting:
        if first.replaces is not None or first.position not in heirs:
            continue
        chain = [first]
        while (heir := heirs.get(chain[-1].position)) is not None:
            chain.append(heir)
        yield SharedSeat(
            first.match, [SeatShare(each.player, each.from_deal, _net(each, size)) for each in chain]
        )


def _net(seat: Appearance, size: int) -> int:
    match = seat.match
    whole = match.net_of(seat.side)
    if match.sheet is None:
        return whole
    return seat_figures(match.sheet, seat.side, seat.position, size=size).get("net", whole)
