"""What the tables of a duplicate event made of its packs."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from operator import attrgetter

from django.db.models import QuerySet

from games.tables.duplicate import held_in, pack_count
from league.core.standings.duplicate import ComparedPlay, PackPlay, compare, hundredths
from league.models import PLAYED, Entry, Event, Match, Round, RoundState, between_bots
from league.policy.withholding import released
from scoring.documents.sheets import players_of
from scoring.services.records import KeptSheet, kept_sheets


@dataclass(frozen=True, slots=True)
class PackLine:
    """One play of a pack with the dealer's net and score, which is None if nobody else held it."""

    dealer: Entry
    other: Entry
    net: int
    score: Decimal | None


@dataclass(frozen=True, slots=True)
class PackResults:
    """A pack and all its plays, those best for the dealer first, with the mean of what the dealers made."""

    number: int
    lines: Sequence[PackLine]
    mean: Decimal


def plays_of(event: Event, *, until: int | None = None) -> list[PackPlay]:
    """Return all plays of packs in matches that count, up to round `until`, in four queries.

    A deal that was entered as a team's line alone tells of no hand, and is left out.
    """
    counted = _counted(event)
    if until is not None:
        counted = counted.filter(round__number__lte=until)
    return list(_plays(event, counted))


def pack_results(
    event: Event, seen: QuerySet[Round], number: int, *, withheld_too: bool
) -> list[PackResults]:
    """Return the results of each pack of a round that is over; none of one in which a pack may be in play.

    `seen` are the rounds that the reader may see.
    """
    counted = _counted(event).filter(round__in=seen.filter(number=number, state=RoundState.COMPLETE))
    if not withheld_too:
        counted = counted.filter(released())
    by_pack: dict[int, list[ComparedPlay]] = defaultdict(list)
    for one in compare(_plays(event, counted)):
        by_pack[one.play.pack].append(one)
    entries = Entry.objects.filter(event=event).prefetch_related("members__player").in_bulk()
    return [_results(pack, by_pack[pack], entries) for pack in sorted(by_pack)]


def rounds_over(event: Event, seen: QuerySet[Round], *, withheld_too: bool) -> list[int]:
    """Return the numbers of the rounds whose packs are told: those that are over."""
    over = seen.filter(event=event, state=RoundState.COMPLETE)
    if event.holds_results and not withheld_too:
        over = over.exclude(released_at=None)
    return list(over.order_by("number").values_list("number", flat=True))


def _counted(event: Event) -> QuerySet[Match]:
    """The matches whose plays are compared, in the order in which they were drawn."""
    counted = Match.objects.filter(
        event=event, held=False, annulled=False, state__in=PLAYED, sheet__isnull=False, play_off=None
    )
    return counted if event.bot_matches_count else counted.filter(~between_bots())


def _plays(event: Event, counted: QuerySet[Match]) -> Iterator[PackPlay]:
    matches = list(counted.select_related("sheet__rules", "round").order_by("round__number", "id"))
    sheets = [match.sheet for match in matches if match.sheet is not None]
    for match, kept in zip(matches, kept_sheets(sheets), strict=True):
        yield from _plays_of_sheet(match, kept, event.pack_times)


def _plays_of_sheet(match: Match, kept: KeptSheet, times: int) -> Iterator[PackPlay]:
    packs = pack_count(kept.sheet.rules.rules, times)
    entry_a, entry_b = match.entry_a_id, match.entry_b_id
    if entry_a is None or entry_b is None:
        return
    entries = (entry_a, entry_b)
    for deal in kept.state.deals:
        if not deal.counted:
            continue
        first = kept.sides[0].seated(deal.number)
        for result, hand in deal.two_handed:
            # Tables are numbered by the seats of the first side (RULES §7).
            (table,) = [first.index(player) for player in players_of(result) if player in first]
            pack, dealer = held_in(deal.number, table, packs)
            points = hand.points + hand.penalty
            won = 0 if hand.winner is None else points if (hand.winner in first) == (dealer == 0) else -points
            yield PackPlay(match.round.number, pack, entries[dealer], entries[1 - dealer], won)


def _results(number: int, compared: Sequence[ComparedPlay], entries: Mapping[int, Entry]) -> PackResults:
    lines = [
        PackLine(
            entries[play.dealer],
            entries[play.other],
            play.net,
            None if score is None else hundredths(score),
        )
        for play, score in compared
    ]
    lines.sort(key=attrgetter("net"), reverse=True)
    mean = Fraction(sum(line.net for line in lines), len(lines))
    return PackResults(number, lines, hundredths(mean))
