"""Friendly games that count for a club's ratings: which of them do, and how they ended.

All of it is read from the game's sheet and table as they are stored, so that ratings made again are the same.
"""

from collections.abc import Sequence

from django.db.models import Exists, OuterRef, Q, QuerySet

from league.core.ratings import RatedMatch
from league.matches.counting import undisputed_online
from league.models import Exhibition
from scoring.models import Seat, SheetStatus


def counted_friendlies(club_id: int) -> QuerySet[Exhibition]:
    """The club's rated friendly games that are over and count, by when they were begun.

    They were played to their end, or lost by forfeit, card by card: not a sheet that was voided, on which
    somebody called time, entered or corrected anything or took over a seat, or that is disputed.
    """
    over = Q(sheet__status=SheetStatus.FINISHED) | Q(
        sheet__status=SheetStatus.STOPPED, sheet__table_match__forfeited_by__isnull=False
    )
    rows = undisputed_online(Exhibition.objects.filter(over, club=club_id, is_rated=True))
    taken_over = Seat.objects.filter(sheet=OuterRef("sheet"), replaces__isnull=False)
    return rows.exclude(Exists(taken_over)).order_by("sheet__opened_at", "pk")


def as_rated(
    pk: int, players: tuple[int, int], places: Sequence[int], forfeited_by: int | None
) -> RatedMatch:
    """A friendly game as ratings count it; its id is negative, as that of no match is."""
    one, other = players
    return RatedMatch(-pk, ((one,), (other,)), winner_of(places, forfeited_by))


def winner_of(places: Sequence[int], forfeited_by: int | None) -> int | None:
    """The side that has won, None for a draw; who forfeits has lost, whatever stands on the sheet."""
    if forfeited_by is not None:
        return 1 - forfeited_by
    return places.index(1) if places.count(1) == 1 else None


def verdict_of(side: int, places: Sequence[int], forfeited_by: int | None) -> str:
    """Whether the side has won, lost or drawn, as `Match.verdict_of` says it."""
    winner = winner_of(places, forfeited_by)
    return "drawn" if winner is None else "won" if winner == side else "lost"
