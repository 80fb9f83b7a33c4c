"""Places in a bracket, as far as known, and in an event as a whole."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from league.core.pairing.elimination import Readiness
from league.core.pairing.plate import advance
from league.models import BracketPart, Entry, Event, Standing, Tie, traits_of
from league.tables.drawn_brackets import drawn_bracket, played_ties
from league.tables.results import between_groups, ranking_of


@dataclass(frozen=True, slots=True)
class Knockout:
    """The place of each entry of a bracket, by id; those who went out together share one.

    Entries `still_in` have the best place they can reach: first, or third in a third-place match. `begun` is
    True once a tie other than a bye has a winner.
    """

    places: Mapping[int, int]
    still_in: frozenset[int]
    begun: bool


def knockout_of(event: Event, *, until: int | None = None) -> Knockout:
    """Return the state of an event's bracket, after round `until` if given; empty if none is drawn.

    What follows from later rounds is then unknown, even if it was decided without play. One query, two with a
    plate.
    """
    ties = list(Tie.objects.filter(event=event).select_related("round").order_by("number"))
    won = {
        tie.number: 0 if tie.winner_id == tie.entry_a_id else 1
        for tie in ties
        if tie.winner_id is not None and (until is None or tie.round is None or tie.round.number <= until)
    }
    played = played_ties(event) if any(tie.part == BracketPart.PLATE for tie in ties) else frozenset()
    now = advance(
        drawn_bracket(ties), lambda match, _seeds: won.get(match.number), lambda match: match.number in played
    )
    thirds = {seed for tie in ties if tie.part == BracketPart.THIRD for seed in now.slots[tie.number]}
    entry_of = {
        seed: entry_id
        for tie in ties
        for seed, entry_id in ((tie.seed_a, tie.entry_a_id), (tie.seed_b, tie.entry_b_id))
        if seed is not None and entry_id is not None
    }
    return Knockout(
        {
            entry_id: now.places[seed].first if seed in now.places else 3 if seed in thirds else 1
            for seed, entry_id in entry_of.items()
        },
        frozenset(entry_id for seed, entry_id in entry_of.items() if seed not in now.places),
        Readiness.DECIDED in now.readiness.values(),
    )


def placings(event: Event, *, until: int | None = None) -> Mapping[int, int]:
    """Return the places of `knockout_of` alone."""
    return knockout_of(event, until=until).places


def final_places(event: Event, standings: Sequence[Standing], *, until: int | None = None) -> dict[int, int]:
    """Return the place of each entry in the whole event, by id; shared if nothing separates them.

    After groups and a knockout: places in the knockout, then in the groups. `until` must match the round of
    `standings`.
    """
    if not traits_of(event).has_groups:
        return {standing.entry_id: standing.rank for standing in standings}
    knockout = placings(event, until=until)
    last = len(standings)
    merits = {
        standing.entry_id: (0, knockout[standing.entry_id])
        if standing.entry_id in knockout
        else (last, standing.rank)
        for standing in standings
    }
    ordered = sorted(merits.values())
    # A knockout place is final even while others sharing it are still in.
    return {entry: knockout.get(entry) or 1 + ordered.index(merit) for entry, merit in merits.items()}


def final_order(event: Event, standings: Sequence[Standing]) -> list[Standing]:
    """Return the lines of a table in final order.

    After groups and a knockout, shared places are ordered by points per match in the groups, then net per
    match (`results.between_groups`), then group, in two queries more; otherwise as in the table.
    """
    if not traits_of(event).has_groups:
        return sorted(standings, key=lambda standing: standing.position)
    places = final_places(event, standings)
    entries = Entry.objects.filter(event=event)
    figures = {
        line.entry_id: between_groups(line.row, with_rests=event.rests_between_groups)
        for line in ranking_of(event, entries)
    }

    def merit(standing: Standing) -> tuple[int, Fraction, Fraction, int, int]:
        points, net = figures[standing.entry_id]
        return (
            places[standing.entry_id],
            -points,
            -net,
            standing.position,
            standing.group or 0,
        )

    # Not yet recalculated, a table has rows of those whose results are annulled.
    return sorted((row for row in standings if row.entry_id in figures), key=merit)
