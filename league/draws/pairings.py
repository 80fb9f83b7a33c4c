"""The pairings of a round: by table, and by name with where to sit."""

from collections.abc import Sequence
from dataclasses import dataclass

from league.core.collation import name_key
from league.models import SAT_OUT, Entry, Match, Player, Round
from league.policy.naming import Names


@dataclass(frozen=True, slots=True)
class Seated:
    """A player, or a side without a line-up yet: its match, its side's name, and its opponents.

    `plays_for` is empty if the name says it; where partners rotate it names the partner.
    """

    who: tuple[Player | Entry, ...]
    match: Match
    plays_for: tuple[Entry, ...] = ()
    against: tuple[Entry, ...] = ()

    def name(self, names: Names) -> str:
        """The bare name shown, used for sorting."""
        return " + ".join(
            names.player(one) if isinstance(one, Player) else names.entry(one) for one in self.who
        )


@dataclass(frozen=True, slots=True)
class RoundPairings:
    """Matches by table, entries that sit out, and everyone by name."""

    matches: Sequence[Match]
    sitting_out: Sequence[Match]
    seats: Sequence[Seated]


def round_pairings(round_: Round, names: Names) -> RoundPairings:
    """Return the pairings of a round, in two queries; everyone sorted by the names shown."""
    found = list(
        Match.objects.filter(round=round_)
        .with_sides()
        .prefetch_related("appearances__player")
        .order_by("table", "id")
    )
    seats = {(seat.who, seat.match.table, seat.against): seat for match in found for seat in _seats(match)}
    return RoundPairings(
        [match for match in found if match.state not in SAT_OUT],
        [match for match in found if match.state in SAT_OUT],
        sorted(seats.values(), key=lambda seat: name_key(seat.name(names))),
    )


def _seats(match: Match) -> list[Seated]:
    if match.state in SAT_OUT:
        return [Seated((match.entry_a,), match)]
    seats = []
    for side in match.sides:
        own, against = match.side(side), match.against(side)
        players = [each.player for each in match.appearances.all() if each.side == side]
        seated: list[tuple[Player | Entry, ...]] = [(player,) for player in players] or [own]
        for who in seated:
            said = match.partner_a_id is None and all(one.name in match.side_name(side) for one in who)
            seats.append(Seated(who, match, () if said else own, against))
    return seats
