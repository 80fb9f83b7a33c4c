"""The race of an event: everybody's place after each round, as a table and as a picture."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from league.core.pictures.race import Race, Runner, race
from league.models import Entry, Event, traits_of
from league.policy.naming import Names
from league.tables.results import Ranked, rankings_by_round
from league.tables.tables import Named, named_entries
from scoring.paper.short_names import cut_short

# With more, lines cannot be followed any more, and ranking them all after each round takes too long.
MOST_RUNNERS: Final = 64
# Width, room for names at the end, and letters that go there beside the place.
_WIDE: Final = (960, 220, 26)
_NARROW: Final = (290, 112, 11)


@dataclass(frozen=True, slots=True)
class RaceRow:
    """An entry with its rank after each round, None before it came."""

    named: Named
    ranks: Sequence[int | None]
    is_own: bool


@dataclass(frozen=True, slots=True)
class RaceTable:
    """The race of an event, or of one of its groups: the numbers of its rounds, and rows as they stand now.

    The picture is drawn in two widths, for wide and narrow pages.
    """

    group: int | None
    rounds: Sequence[int]
    rows: Sequence[RaceRow]
    wide: Race
    narrow: Race


def has_race(event: Event, runners: int) -> bool:
    """Return whether the event has a race: a table round by round, of not too many.

    A bracket tells by itself who goes on; where there are groups before it, these have a race.
    """
    traits = traits_of(event)
    return traits.counts_rounds and (traits.has_groups or not traits.has_bracket) and runners <= MOST_RUNNERS


def races_of(event: Event, names: Names, own: Collection[int]) -> Sequence[RaceTable]:
    """Return the race, one a group if there are any, from what everybody may know.

    `own` are the entries (ids) of the reader. Empty before two rounds have results. Results are as known now,
    in six queries at most.
    """
    entries = list(Entry.objects.filter(event=event))
    rankings = rankings_by_round(event, entries)
    rounds = list(rankings)
    if len(rounds) < 2:
        return []
    named = named_entries(event, names, entries)
    at = {number: {line.entry_id: line for line in lines} for number, lines in rankings.items()}
    groups: dict[int | None, list[Ranked]] = {}
    for line in rankings[rounds[-1]]:
        groups.setdefault(line.group, []).append(line)
    found = []
    for group, lines in groups.items():
        through = [[at[number].get(line.entry_id) for number in rounds] for line in lines]
        rows = [
            RaceRow(
                named[line.entry_id],
                [None if each is None else each.rank for each in places],
                line.entry_id in own,
            )
            for line, places in zip(lines, through, strict=True)
        ]
        wide, narrow = (
            race(
                [
                    Runner(
                        cut_short(str(row.named), letters),
                        [None if each is None else each.position for each in places],
                        line.rank,
                        row.is_own,
                    )
                    for line, row, places in zip(lines, rows, through, strict=True)
                ],
                rounds,
                width=width,
                label=label,
            )
            for width, label, letters in (_WIDE, _NARROW)
        )
        found.append(RaceTable(group, rounds, rows, wide, narrow))
    return found
