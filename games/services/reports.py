"""Reports on hands at tables: made by a worker once a hand is over, and told to nobody but their player.

Directors read sums over all hands of a match that is over (`conduct`), in which no choice is told.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Sum

from games.bots.appraising import Appraisal, ChoiceKind
from games.bots.judges import judge_of
from games.errors import GameError
from games.models import HandReport, TableHand, TableMatch, TableSeat, on_now
from games.services.packs import is_withheld, withheld_sheets
from games.services.planning import team_size_on
from games.tables.dealing import derived_seed, game_of, hand_class
from games.tables.members import read_table_log
from games.tables.reports import (
    DearChoice,
    appraisal_document,
    dearest,
    read_appraisal,
    tally_of,
    weighed_hand,
)

logger = logging.getLogger(__name__)

# So many hands a sweep hands out to workers.
MOST_AT_ONCE: Final = 20
# So many matches of a member are told over time, the latest.
MOST_MATCHES: Final = 60
# By kind of choice the fields of a report with how many there were, and what they cost.
_FIELDS: Final = {
    ChoiceKind.DISCARD: ("discards", "discard_cost"),
    ChoiceKind.TAKE: ("takes", "take_cost"),
    ChoiceKind.KNOCK: ("knocks", "knock_cost"),
}


@dataclass(frozen=True, slots=True)
class MatchCosts:
    """What one's choices in a match cost: by kind how many there were, and the points they cost together."""

    match: TableMatch
    counts: dict[ChoiceKind, int]
    costs: dict[ChoiceKind, float]


def report_hand(hand_id: int) -> None:
    """Weighs the choices of the members in a hand that is over, and stores them.

    Does nothing where that is done, or the hand is not over or is no more. A hand that cannot be played again
    gets an empty report.
    """
    rows = TableHand.objects.filter(pk=hand_id, is_over=True)
    hand = rows.select_related("match__sheet__rules").first()
    if hand is None:
        return
    done = HandReport.objects.filter(hand=hand, seat=OuterRef("number"))
    for chair in _of_members().filter(~Exists(done), match=hand.match_id, number__in=hand.seats):
        try:
            appraisals = _weighed(hand, chair.number)
        except GameError as error:
            logger.warning("Deal %s at table %s cannot be weighed: %s", hand.deal, hand.match.code, error)
            appraisals = ()
        tally = tally_of(appraisals)
        report = HandReport(
            hand=hand, seat=chair.number, choices=[appraisal_document(one) for one in appraisals]
        )
        for kind, (count, cost) in _FIELDS.items():
            setattr(report, count, tally.counts[kind])
            setattr(report, cost, tally.costs[kind])
        # Whoever was first has stored the same figures, or that this member is erased.
        HandReport.objects.bulk_create([report], ignore_conflicts=True)


def hands_to_report() -> list[int]:
    """The hands for which a report is still to be made, the first ones played, up to `MOST_AT_ONCE`."""
    done = HandReport.objects.filter(hand=OuterRef(OuterRef("pk")), seat=OuterRef("number"))
    plays = Q(number=OuterRef("first_seat")) | Q(number=OuterRef("second_seat"))
    owed = _of_members().filter(~Exists(done), match=OuterRef("match"))
    all_play = Q(more_seats__isnull=False)
    rows = TableHand.objects.filter(Exists(owed.filter(plays)) | all_play & Exists(owed), is_over=True)
    return list(rows.order_by("pk").values_list("pk", flat=True)[:MOST_AT_ONCE])


def report_on(hand: TableHand, seat: int) -> tuple[Appraisal | None, ...] | None:
    """What the seat's choices in a hand cost, parallel to its actions; None as long as that is not known."""
    report = HandReport.objects.filter(hand=hand, seat=seat).first()
    return None if report is None else _read(report)


def dearest_of(match: TableMatch, seat: int) -> list[DearChoice]:
    """The choices of this seat that cost most in the hands that are over, the dearest first."""
    reports = list(HandReport.objects.filter(hand__match=match, seat=seat).select_related("hand"))
    actions = {report.hand.deal: on_one_pile(report.hand) for report in reports}
    return dearest({report.hand.deal: _read(report) for report in reports}, actions)


def on_one_pile(hand: TableHand) -> Sequence[str]:
    """The actions of a hand of two; none of others, in which each game from one pack has its own pile."""
    return hand.actions if len(hand.seats) == 2 else ()


def is_told(match: TableMatch) -> bool:
    """Whether reports on this table are shown to their players.

    Against a member only when play is over, and of duplicate when the round is: they tell the other's cards.
    """
    is_over = not match.is_on or match.seats.filter(bot__isnull=True).count() == 1
    return is_over and not is_withheld(match)


def costs_of(account: int, among: QuerySet[TableMatch] | None = None) -> list[MatchCosts]:
    """What the choices of an account cost by match, the latest `MOST_MATCHES`, in the order played.

    `among` are the matches that are asked for, all unless given. A match that is being played against a
    member is left out, and one whose hands are withheld.
    """
    seated = TableSeat.objects.filter(match=OuterRef("hand__match"), bot__isnull=True)
    own = HandReport.objects.filter(
        ~on_now("hand__match__") | ~Exists(seated.exclude(account=account)),
        hand__match__seats__account=account,
        hand__match__seats__number=F("seat"),
    ).exclude(discards=0, takes=0, knocks=0)
    own = own.exclude(hand__match__sheet__in=withheld_sheets())
    if among is not None:
        own = own.filter(hand__match__in=among)
    sums = {field: Sum(field) for fields in _FIELDS.values() for field in fields}
    by_match = own.values("hand__match").annotate(**sums).order_by("-hand__match")
    rows: list[Any] = list(by_match[:MOST_MATCHES])
    matches = TableMatch.objects.in_bulk([row["hand__match"] for row in rows])
    return [
        MatchCosts(
            matches[row["hand__match"]],
            {kind: row[count] for kind, (count, _cost) in _FIELDS.items()},
            {kind: row[cost] for kind, (_count, cost) in _FIELDS.items()},
        )
        for row in reversed(rows)
    ]


def forget_reports(seats: QuerySet[TableSeat]) -> None:
    """Empties the reports of these seats for good; none is made again of the hands they have played."""
    seated = list(seats.values_list("match", "number"))
    for match, seat in seated:
        hands = TableHand.objects.filter(match=match, is_over=True)
        blank = [HandReport(hand=hand, seat=seat) for hand in hands if seat in hand.seats]
        HandReport.objects.bulk_create(blank, ignore_conflicts=True)
        nothing = {field: 0 for fields in _FIELDS.values() for field in fields}
        HandReport.objects.filter(hand__match=match, seat=seat).update(choices=[], **nothing)


def _weighed(hand: TableHand, seat: int) -> Sequence[Appraisal | None]:
    rules, size = hand.match.sheet.rules.rules, team_size_on(hand.match.sheet)
    log = read_table_log(rules, size, pack=hand.pack, dealer=hand.dealer, actions=hand.actions)
    players = tuple([str(number) for number in range(len(hand.seats))])
    dealt = hand_class(rules, size).replay(rules, replace(log, actions=()), players=players)
    own = hand.seats.index(seat)
    seed = derived_seed(int(hand.nonce, 16), "report", hand.deal, hand.table, own)
    return weighed_hand(dealt, log.actions, own, judge_of(game_of(rules, size), seed))


def _read(report: HandReport) -> tuple[Appraisal | None, ...]:
    return tuple([read_appraisal(choice) for choice in report.choices])


def _of_members() -> QuerySet[TableSeat]:
    """The seats of accounts that are in use."""
    return TableSeat.objects.filter(account__is_active=True)
