"""What an event has left to play, as everybody may know it (`league.core.still_to_play`)."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import chain

from django.db.models import Q

from league.core.standings import MatchResult, TableResult
from league.core.still_to_play import (
    LateEntries,
    Left,
    LeftMatch,
    LeftRest,
    LeftTable,
    OpenRound,
    entries_of,
)
from league.matches.matches import bot_at_odd_tables
from league.models import (
    Entry,
    Event,
    EventState,
    MatchState,
    OddTable,
    Round,
    RoundState,
    extra_to_play,
    traits_of,
)


def foretold(event: Event) -> bool:
    """Return whether an event is running, and it is known how many rounds it has.

    Where a bot plays whoever is left over, and it counts as it is played, nobody knows what that brings.
    """
    if event.sits_in_id is not None and event.odd_table == OddTable.PLAYED:
        to_play = extra_to_play()
        if event.has_reserves and bot_at_odd_tables(event) is not None:
            # Before its round begins it is not said who of such a team plays.
            to_play |= Q(state=MatchState.BYE, sheet=None) & ~Q(round__state=RoundState.COMPLETE)
        if traits_of(event).pairs_by_results or event.matches.filter(to_play).exists():
            return False
    is_known = traits_of(event).rounds_to_pair(event, ()) is not None
    return event.state == EventState.RUNNING and is_known


def left_to_play(
    event: Event,
    entries: Iterable[Entry],
    matches: Sequence[LeftMatch | LeftTable | LeftRest],
    results: Iterable[MatchResult | TableResult],
) -> list[Left]:
    """Return what is left to play of a `foretold` event, by entries; its `matches` do not count yet.

    Drafted rounds are still to be paired, unless everybody meets everybody anyway. So are those after the
    last of the `results` where partners rotate: they are drawn again for who comes late or withdraws. If they
    are not, who has withdrawn keeps his seat, in which a substitute plays. One query unless everybody meets
    everybody.
    """
    own = traits_of(event)
    if own.meets_all:
        return sorted(matches, key=_order)
    rounds = Round.objects.filter(event=event).exclude(state=RoundState.DRAFTED)
    paired = set(rounds.values_list("number", flat=True))
    seats = {(item.round, entry) for item in matches if item.round in paired for entry in entries_of(item)}
    if own.partners_rotate:
        last = max((result.round for result in results), default=0)
        paired = {number for number in paired if number <= last}
    left: list[Left] = sorted((item for item in matches if item.round in paired), key=_order)
    to_pair = {item.round for item in matches} - paired
    going = [entry for entry in entries if entry.withdrawn_at is None]
    for number in sorted(to_pair.union(own.rounds_to_pair(event, paired) or ())):
        there = {entry.pk for entry in going if entry.first_round <= number}
        there |= {entry for round_, entry in seats if round_ == number}
        left.append(OpenRound(number, tuple(sorted(there)), at_tables=own.has_tables))
    return left


def late_entries(
    event: Event, results: Iterable[MatchResult | TableResult], left: Iterable[Left]
) -> LateEntries | None:
    """Return what whoever still comes is given; None where everybody meets everybody, and nobody can."""
    if traits_of(event).meets_all:
        return None
    rounds = max((each.round for each in chain(results, left)), default=0)
    return LateEntries(event.late_points, max(rounds, event.rounds_planned or 0))


def of_group(left: Iterable[Left], members: Collection[int]) -> list[Left]:
    """Return what is left among the members of a group."""
    return [item for item in left if set(members).issuperset(entries_of(item))]


def meet_equally(entries: Collection[int], results: Iterable[MatchResult], left: Iterable[Left]) -> bool:
    """Return whether every two of these entries meet equally often in all; else more may still be drawn."""
    met: Counter[frozenset[int]] = Counter()
    sides = chain(
        ((result.side_a, result.side_b) for result in results),
        ((item.side_a, item.side_b) for item in left if isinstance(item, LeftMatch)),
    )
    among = set(entries)
    for side_a, side_b in sides:
        met.update(frozenset((a, b)) for a in side_a for b in side_b if a in among and b in among)
    return len(met) == len(among) * (len(among) - 1) // 2 and len(set(met.values())) <= 1


def _order(item: Left) -> tuple[int, list[int]]:
    return item.round, sorted(entries_of(item))
