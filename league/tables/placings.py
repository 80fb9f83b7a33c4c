"""Places in a bracket, as far as known, and in an event as a whole."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from league.core.pairing.elimination import Readiness
from league.core.pairing.plate import advance
from league.core.standings.cuts import Level, levels_by, ranks_without_lot
from league.models import BracketPart, Entry, Event, Standing, Tie, traits_of
from league.tables.drawn_brackets import drawn_bracket, played_ties, played_ties_of
from league.tables.qualification import figures_between
from league.tables.results import Ranked, criteria_of


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
    played = played_ties(event) if any(tie.part == BracketPart.PLATE for tie in ties) else frozenset()
    return _knockout(ties, played, until)


def _knockout(ties: Sequence[Tie], played: Collection[int], until: int | None = None) -> Knockout:
    won = {
        tie.number: 0 if tie.winner_id == tie.entry_a_id else 1
        for tie in ties
        if tie.winner_id is not None and (until is None or tie.round is None or tie.round.number <= until)
    }
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


def ranks_at_lines(
    event: Event, standings: Sequence[Standing | Ranked], *, asks: bool = False
) -> dict[int, int]:
    """Return the ranks in a table by entry (id), shared where but the lot puts one above the other.

    `standings` are the whole table. Where its lot has decided such places, as it did before, they are told by
    that (`Event.lot_settled_places`), unless it `asks` who is level.
    """
    if event.lot_settled_places and not asks:
        return {standing.entry_id: standing.rank for standing in standings}
    first = criteria_of(event)[0]
    tables: dict[int | None, list[Standing | Ranked]] = {}
    for standing in sorted(standings, key=lambda standing: standing.position):
        tables.setdefault(standing.group, []).append(standing)
    return {
        standing.entry_id: rank
        for table in tables.values()
        for standing, rank in zip(table, ranks_without_lot(table, first), strict=True)
    }


def final_places(event: Event, standings: Sequence[Standing], *, until: int | None = None) -> dict[int, int]:
    """Return the place of each entry in the whole event, by id; shared if nothing but the lot separates them.

    After groups and a knockout: places in the knockout, then in the groups. `until` must match the round of
    `standings`, which are the whole table.
    """
    ranks = ranks_at_lines(event, standings)
    return _places(ranks, placings(event, until=until)) if traits_of(event).has_groups else ranks


def final_places_of(
    events: Collection[Event], standings: Mapping[int, Sequence[Standing]]
) -> dict[int, dict[int, int]]:
    """Return the `final_places` of several events, by their ids, from all results, in two queries at most.

    `standings` are their whole tables, by event (id).
    """
    grouped = [event for event in events if traits_of(event).has_groups]
    ties: dict[int, list[Tie]] = {event.pk: [] for event in grouped}
    if grouped:
        for tie in Tie.objects.filter(event__in=ties).order_by("number"):
            ties[tie.event_id].append(tie)
    plates = {pk for pk, drawn in ties.items() if any(tie.part == BracketPart.PLATE for tie in drawn)}
    played = played_ties_of(plates)
    found = {}
    for event in events:
        places = ranks_at_lines(event, standings.get(event.pk, ()))
        if event.pk in ties:
            places = _places(places, _knockout(ties[event.pk], played.get(event.pk, ())).places)
        found[event.pk] = places
    return found


def _places(ranks: Mapping[int, int], knockout: Mapping[int, int]) -> dict[int, int]:
    last = len(ranks)
    merits = {
        entry: (0, knockout[entry]) if entry in knockout else (last, rank) for entry, rank in ranks.items()
    }
    ordered = sorted(merits.values())
    # A knockout place is final even while others sharing it are still in.
    return {entry: knockout.get(entry) or 1 + ordered.index(merit) for entry, merit in merits.items()}


def final_levels(event: Event, standings: Sequence[Standing], *, asks: bool = False) -> list[Level]:
    """Return the entries of a whole table (ids) in final order, those together that but the lot separates.

    After groups and a knockout, shared places are split by points per match in the groups, then net per match
    (RULES §13), in a few queries more; otherwise as in the table. `asks` as in `ranks_at_lines`.
    """
    ordered, merits = _by_merit(event, standings, ranks_at_lines(event, standings, asks=asks))
    return levels_by(ordered, lambda row: merits[row.entry_id], lambda row: row.entry_id)


def final_order(event: Event, standings: Sequence[Standing]) -> list[Standing]:
    """Return the lines of a table in final order; who is level stands as in the table, then by group."""
    return _by_merit(event, standings, {standing.entry_id: standing.rank for standing in standings})[0]


def _by_merit(
    event: Event, standings: Sequence[Standing], ranks: Mapping[int, int]
) -> tuple[list[Standing], dict[int, tuple[int, Fraction, Fraction, int]]]:
    nothing = Fraction(0)
    listed = sorted(standings, key=lambda standing: (standing.position, standing.group or 0))
    if not traits_of(event).has_groups:
        return listed, {entry: (rank, nothing, nothing, 0) for entry, rank in ranks.items()}
    places = _places(ranks, placings(event))
    figures = figures_between(event, {entry.pk: entry for entry in Entry.objects.filter(event=event)})
    merits = {
        standing.entry_id: (
            places[standing.entry_id],
            -figures[standing.entry_id].points,
            -figures[standing.entry_id].net,
            ranks[standing.entry_id],
        )
        # Not yet recalculated, a table has rows of those whose results are annulled.
        for standing in standings
        if standing.entry_id in figures
    }
    listed = [standing for standing in listed if standing.entry_id in merits]
    return sorted(listed, key=lambda standing: merits[standing.entry_id]), merits
