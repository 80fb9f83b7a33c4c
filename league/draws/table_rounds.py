"""Plans rounds of tables of three to six: by lot so that all meet evenly, by points, or by who goes on."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.pairing.knockout_tables import course, first_tables, next_tables
from league.core.pairing.swiss_tables import swiss_tables
from league.core.pairing.table_rounds import TableMeetings, TableRound, TableSchedule
from league.core.pairing.tables import schedule
from league.core.standings import Number
from league.draws.movement_words import table_words
from league.draws.plans import PlannedBye, PlannedMatch, RoundPlan
from league.draws.qualifying import wanted_qualifiers
from league.draws.rotation_rounds import in_order
from league.errors import LeagueError
from league.models import ENTRIES, Entry, Event, Match
from league.tables.results import points_so_far
from scoring.core.kinds import kind_of


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many sit at a table: by the game at least and at most, and as a rule."""

    fewest: int
    most: int
    usual: int


def sizes_of(event: Event) -> Sizes:
    """Return the sizes of tables that an event may have."""
    kind = kind_of(event.rules.rules)
    fewest = max(kind.fewest_sides, 3)
    return Sizes(fewest, kind.most_sides, min(max(event.table_size, fewest), kind.most_sides))


def plan_evenly(event: Event, number: int, present: Sequence[Entry]) -> RoundPlan:
    """Plan round `number` for those present, as the first of all rounds left: all meet as evenly as can be.

    While the rounds so far follow a schedule of the same players it is continued, which is more even than any
    search. Refused as by `tables.schedule`.
    """
    players = in_order(event, present)
    sizes = sizes_of(event)
    history = _history(event, number, players)
    left = max((event.rounds_planned or number) - number + 1, 1)

    def drawn(rounds: int, before: Sequence[TableRound]) -> TableSchedule:
        return schedule(len(players), rounds, history=before, seed=event.lot_seed, **asdict(sizes))

    made = drawn(len(history) + left, ())
    following = made.rounds[len(history)]
    if not all(_same(one, other) for one, other in zip(history, made.rounds, strict=False)):
        made = drawn(left, history)
        following = made.rounds[0]
    notes = (_("Of all rounds together, as they are planned:"), *table_words(made.unevenness))
    return _round_plan(number, following.tables, following.sit_out, players, notes)


def plan_by_points(event: Event, number: int, present: Sequence[Entry]) -> RoundPlan:
    """Plan round `number` for those present: equal points together from the top, repeated meetings least.

    Refused as by `swiss_tables`.
    """
    players = in_order(event, present)
    points = points_so_far(event, event.entries.all())
    scores = {place: points[entry.pk] for place, entry in enumerate(players)}
    history = _history(event, number, players)
    met = Counter[tuple[int, int]]()
    for drawn in history:
        for table in drawn.tables:
            met.update(combinations(sorted(table), 2))
    made = swiss_tables(
        scores,
        met,
        rested=_rests(len(players), history),
        seed=event.lot_seed,
        keys={place: entry.drawn_as for place, entry in enumerate(players)},
        **asdict(sizes_of(event)),
    )
    again = (
        ngettext("%d pair at these tables meets again.", "%d pairs at these tables meet again.", made.repeats)
        % made.repeats
    )
    notes = (again,) if made.repeats else ()
    scored = {entry.pk: points[entry.pk] for entry in players}
    return _round_plan(number, made.tables, made.sit_out, players, notes, scored)


def plan_knockout(event: Event, number: int, present: Sequence[Entry]) -> RoundPlan:
    """Plan round `number`: the best of each table of the round before, dealt in a snake; first by seeds.

    Who has withdrawn goes nowhere, and the next place does. Refused: who shares the last place that goes on
    (`level_at_cut`), a table without a result (`results_missing`), no number of those who go on
    (`no_qualifiers`), and as by `knockout_tables.course`.
    """
    go_on = wanted_qualifiers(event)
    if number == 1:
        players = in_order_of_seeds(event, present)
        sizes = course(len(players), go_on=go_on, **asdict(sizes_of(event)))[0]
        seated = [[seed - 1 for seed in table] for table in first_tables(sizes)]
        return _round_plan(number, seated, (), players, ())
    tables = [who_goes_on(match, go_on) for match in tables_of(event, number - 1)]
    everybody = in_order_of_seeds(event, event.entries.all())
    seeds = {entry.pk: seed for seed, entry in enumerate(everybody)}
    left = sum(map(len, tables))
    sizes = course(left, go_on=go_on, **asdict(sizes_of(event)))[0]
    drawn = next_tables([[seeds[entry.pk] for entry in table] for table in tables], sizes, go_on)
    return _round_plan(number, drawn, (), everybody, ())


def tables_of(event: Event, number: int) -> list[Match]:
    """Return the tables of a round, in order, with their entries."""
    rows = event.matches.filter(round__number=number, entry_c__isnull=False)
    return list(rows.with_sides("event").order_by("table", "id"))


def who_goes_on(match: Match, go_on: int) -> list[Entry]:
    """Return the best `go_on` of a table who have not withdrawn, from the best place.

    Refused: a table without a result (`results_missing`), and who shares the last place (`level_at_cut`).
    """
    if not match.at_table or not match.is_counted:
        raise LeagueError("results_missing", _("%(label)s has no result yet.") % {"label": match.label})
    left = [
        (place, match.side(side)[0])
        for place, side, _points in match.by_place
        if match.side(side)[0].withdrawn_at is None
    ]
    if len(left) > go_on and left[go_on - 1][0] == left[go_on][0]:
        level = [str(entry) for place, entry in left if place == left[go_on][0]]
        raise LeagueError(
            "level_at_cut",
            _(
                "%(names)s share place %(place)d on %(label)s, and not all of them go on. Let them play a "
                "hand for it or draw a lot, and withdraw who does not go on, with the reason."
            )
            % {"names": ", ".join(level), "place": left[go_on][0], "label": match.label},
        )
    return [entry for _place, entry in left[:go_on]]


def places_in_knockout(event: Event, *, until: int | None = None) -> dict[int, int]:
    """Return the place of every entry by id: by the last round it played, then by its place at the table.

    Those who have come as far share one.
    """
    rows = event.matches.filter(entry_c__isnull=False, held=False).order_by("round__number", "id")
    if until is not None:
        rows = rows.filter(round__number__lte=until)
    came: dict[int, tuple[int, int]] = {}
    for match in rows.select_related("round"):
        for place, side, _points in match.by_place:
            came[match.ids_of(side)[0]] = (-match.round.number, place)
    order = sorted(came.values())
    return {entry: order.index(reached) + 1 for entry, reached in came.items()}


def in_order_of_seeds(event: Event, entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries by seed, and by lot those who have none."""
    return sorted(in_order(event, entries), key=lambda entry: (entry.seed is None, entry.seed or 0))


def _history(event: Event, number: int, players: Sequence[Entry]) -> list[TableRound]:
    """Return the tables of all rounds before; who has left gets a place after those who are there."""
    places = {entry.pk: place for place, entry in enumerate(players)}
    rounds: dict[int, list[tuple[int, ...]]] = {before: [] for before in range(1, number)}
    rows = Match.objects.filter(event=event, round__number__lt=number, entry_c__isnull=False)
    columns = (f"{name}_id" for name in ENTRIES)
    for before, *seats in rows.order_by("round__number", "table", "id").values_list(
        "round__number", *columns
    ):
        seated = (places.setdefault(pk, len(places)) for pk in seats if pk is not None)
        rounds[before].append(tuple(seated))
    return [TableRound(before, tuple(seated)) for before, seated in rounds.items()]


def _same(one: TableRound, other: TableRound) -> bool:
    """Return whether the same players meet, whatever the tables and seats."""
    return {frozenset(table) for table in one.tables} == {frozenset(table) for table in other.tables}


def _rests(players: int, history: Iterable[TableRound]) -> dict[int, int]:
    """Return in how many rounds before each had no table, whether they sat out, were away or came later."""
    return dict(enumerate(TableMeetings(players, history).rests))


def _sizes_words(seated: Sequence[Sequence[int]]) -> str:
    """Say how many sit at the tables: "Tables of 4 + 3."."""
    sizes = sorted(map(len, seated), reverse=True)
    if sizes[0] == sizes[-1]:
        return ngettext("%(count)d table of %(size)d.", "%(count)d tables of %(size)d.", len(sizes)) % {
            "count": len(sizes),
            "size": sizes[0],
        }
    return _("Tables of %(sizes)s.") % {"sizes": " + ".join(map(str, sizes))}


def _round_plan(
    number: int,
    seated: Iterable[Sequence[int]],
    resting: Iterable[int],
    players: Sequence[Entry],
    notes: tuple[str, ...],
    scores: Mapping[int, Number] | None = None,
) -> RoundPlan:
    tables, rested = list(seated), list(resting)
    why = _("%(count)d players do not fill the tables; they sit out in turn")
    return RoundPlan(
        number=number,
        matches=tuple(
            PlannedMatch(sides=tuple((players[place],) for place in each), table=table)
            for table, each in enumerate(tables, start=1)
        ),
        byes=tuple(
            PlannedBye(entry=players[place], reasons=(why % {"count": len(players)},)) for place in rested
        ),
        notes=(_sizes_words(tables), *notes),
        scores=scores,
    )
