"""What is noted of those who play at a table, for a director, who judges.

The figures accuse nobody: a quick player may know the game well, and a slow one may have a bad line. Nothing
here is about addresses or devices.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import F, QuerySet

from games.gin.actions import ActionKind
from games.models import (
    HandReport,
    TableAct,
    TableHand,
    TableMatch,
    TablePhrase,
    TableSeat,
    TableWarning,
    on_now,
)
from games.services.hands import seats_of
from games.services.packs import is_withheld, withheld_sheets
from games.tables.agreement import Agreement
from games.tables.pace import Pace, pace_of
from games.tables.reports import read_appraisal

# How a player comes to his card; all else is putting down.
_DRAWING: Final[frozenset[str]] = frozenset(
    {ActionKind.PASS, ActionKind.TAKE, ActionKind.TAKE_BELOW, ActionKind.DRAW}
)

# From so many former matches on they are told, and so many are, the latest: each has a JSON a hand.
LEAST_FORMER: Final = 5
MOST_FORMER: Final = 20


@dataclass(frozen=True, slots=True)
class FormerMatches:
    """How far a member's choices agreed in so many `matches` before."""

    matches: int
    agreement: Agreement


@dataclass(frozen=True, slots=True)
class SeatConduct:
    """What is noted of the member in a seat, as far as play has come.

    `drawing` is the pace of taking, drawing and passing, `putting_down` that of discards, knocks and laying
    off, each from when the move could be made; None without any. A move that the clock made is a time-out and
    has no pace. A lost connection is not noted, as nothing tells it from thinking.

    `agreement` is how far the choices agree with those of `expert`, as sums alone, and `former` the same of
    matches before; None while the match is played or its hands are withheld, and where nothing is weighed
    (guests, accounts that are not in use, other games than those of two). `unweighed` hands are still to be
    weighed.
    """

    seat: int
    drawing: Pace | None
    putting_down: Pace | None
    time_outs: int
    phrases: int
    warnings: Sequence[TableWarning]
    agreement: Agreement | None = None
    former: FormerMatches | None = None
    unweighed: int = 0


def conduct(match: TableMatch, former: QuerySet[TableMatch] | None = None) -> tuple[SeatConduct, ...]:
    """What is noted of each member at a table, by seat; bots are left out.

    Of the `former` matches those count that are over and told, and began before this one, the latest
    `MOST_FORMER` of each member; there is nothing of them where he has fewer than `LEAST_FORMER`.
    """
    taken: dict[tuple[int, bool], list[float]] = {}
    acts = TableAct.objects.filter(match=match).order_by("version", "pk")
    for seat, action, took in acts.values_list("seat", "action", "took"):
        if took is None:
            continue
        taken.setdefault((seat, action.split()[0] in _DRAWING), []).append(took.total_seconds())
    warnings = list(TableWarning.objects.filter(match=match).order_by("pk"))
    said = list(TablePhrase.objects.filter(match=match).values_list("seat", flat=True))
    return tuple(
        [
            SeatConduct(
                number,
                pace_of(taken.get((number, True), ())),
                pace_of(taken.get((number, False), ())),
                chair.time_outs,
                said.count(number),
                [each for each in warnings if each.seat == number],
                *_agreements(match, chair, former),
            )
            for number, chair in sorted(seats_of(match).items())
            if chair.bot is None
        ]
    )


def agreement_of(match: TableMatch, seat: int) -> Agreement | None:
    """How far the choices of a seat agree; None where nothing was at stake.

    So it is while the match is played, and of duplicate until the round is over.
    """
    if match.is_on or is_withheld(match):
        return None
    reports = HandReport.objects.filter(hand__match=match, seat=seat)
    found = _added_up(reports.values_list("choices", flat=True))
    return found if found.choices else None


def _agreements(
    match: TableMatch, chair: TableSeat, former: QuerySet[TableMatch] | None
) -> tuple[Agreement | None, FormerMatches | None, int]:
    """The last three fields of what is noted of a seat."""
    if match.is_on or chair.account_id is None or is_withheld(match):
        return None, None, 0
    played = [
        hand for hand in TableHand.objects.filter(match=match, is_over=True) if chair.number in hand.seats
    ]
    done = HandReport.objects.filter(hand__in=played, seat=chair.number).count()
    agreement = agreement_of(match, chair.number)
    return agreement, None if former is None else _before(match, chair, former), len(played) - done


def _before(match: TableMatch, chair: TableSeat, former: QuerySet[TableMatch]) -> FormerMatches | None:
    earlier = former.filter(~on_now(), pk__lt=match.pk, seats__account=chair.account_id)
    earlier = earlier.exclude(sheet__in=withheld_sheets())
    latest = list(earlier.order_by("-pk").values_list("pk", flat=True)[:MOST_FORMER])
    reports = HandReport.objects.filter(
        hand__match__in=latest,
        hand__match__seats__account=chair.account_id,
        hand__match__seats__number=F("seat"),
    )
    by_match: dict[int, list[Any]] = {}
    for of_match, choices in reports.values_list("hand__match", "choices"):
        by_match.setdefault(of_match, []).append(choices)
    sums = [found for each in by_match.values() if (found := _added_up(each)).choices]
    if len(sums) < LEAST_FORMER:
        return None
    return FormerMatches(len(sums), sum(sums, Agreement()))


def _added_up(reports: Iterable[Any]) -> Agreement:
    """The choices of several reports together."""
    return Agreement.of([read_appraisal(choice) for choices in reports for choice in choices])
