"""Plans rounds of tables of three to six: by lot so that all meet evenly, by points, or by who goes on."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import combinations
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.pairing.knockout_tables import course, first_tables, next_tables
from league.core.pairing.swiss_tables import swiss_tables
from league.core.pairing.table_rounds import TableMeetings, TableRound, TableSchedule, not_apart
from league.core.pairing.table_seats import table_seats
from league.core.pairing.tables import schedule
from league.core.standings import Number
from league.core.standings.cuts import CutTable
from league.draws.movement_words import table_words
from league.draws.plans import NoRoundPlanError, PlannedBye, PlannedMatch, RoundPlan
from league.draws.qualifying import wanted_qualifiers
from league.draws.rotation_rounds import in_order
from league.errors import LeagueError
from league.models import ENTRIES, Entry, Event, ForbiddenPair, Match
from league.policy.refusals import refused
from league.tables.cut_decisions import Decisions
from league.tables.cut_words import check_all_decided, decision_words, in_full
from league.tables.results import points_so_far
from league.tables.table_cuts import cut_of_table, cuts_at_tables, knockout_tables
from scoring.core.kinds import kind_of

_MOST_NAMED: Final = 8


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
    search. Refused as by `tables.schedule`; where some who are kept apart have to meet, `NoRoundPlanError`
    offers the nearest round.
    """
    players = in_order(event, present)
    sizes = sizes_of(event)
    apart = _apart(event, players)
    history = _history(event, number, players)
    left = max((event.rounds_planned or number) - number + 1, 1)

    def drawn(rounds: int, before: Sequence[TableRound]) -> TableSchedule:
        return schedule(
            len(players), rounds, history=before, apart=apart, seed=event.lot_seed, **asdict(sizes)
        )

    made = drawn(len(history) + left, ())
    following = made.rounds[len(history)]
    if not all(_same(one, other) for one, other in zip(history, made.rounds, strict=False)):
        made = drawn(left, history)
        following = made.rounds[0]
    elif any(one.tables != other.tables for one, other in zip(history, made.rounds, strict=False)):
        # They met as scheduled, and sat otherwise: by a director's hand, or where the event came from.
        (following,) = table_seats(len(players), [following], history)
    notes = (_("Of all rounds together, as they are planned:"), *table_words(made.unevenness))
    plan = _round_plan(number, following.tables, following.sit_out, players, notes)
    return _checked(plan, players, not_apart(following.tables, apart))


def plan_by_points(event: Event, number: int, present: Sequence[Entry]) -> RoundPlan:
    """Plan round `number` for those present: equal points together from the top, repeated meetings least.

    Refused as by `swiss_tables`; where some who are kept apart have to meet, `NoRoundPlanError` offers the
    nearest round.
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
        apart=_apart(event, players),
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
    plan = _round_plan(number, made.tables, made.sit_out, players, notes, scored)
    return _checked(plan, players, made.not_apart)


def plan_knockout(event: Event, number: int, present: Sequence[Entry]) -> RoundPlan:
    """Plan round `number`: the best of each table of the round before, dealt in a snake; first by seeds.

    Who has withdrawn goes nowhere, and the next place does. Of those who share a place the better seeds come
    first. Refused: who shares the last place that goes on until it is decided (`level_at_cut`), a table
    without a result (`results_missing`), no number of those who go on (`no_qualifiers`), and as by
    `knockout_tables.course`; where some who are kept apart have to meet, `NoRoundPlanError` offers the
    nearest round.
    """
    go_on = wanted_qualifiers(event)
    decisions = Decisions(event, withheld_too=True)
    rounds = knockout_tables(event)
    before = max((drawn for drawn in rounds if drawn < number), default=None)
    if before is None:
        players = in_order_of_seeds(event, present)
        sizes = course(len(players), go_on=go_on, **asdict(sizes_of(event)))[0]
        apart = _apart(event, players)
        by_seed = first_tables(sizes, [(one + 1, other + 1) for one, other in apart])
        seated = [[seed - 1 for seed in table] for table in by_seed]
        return _checked(_round_plan(number, seated, (), players, ()), players, not_apart(seated, apart))
    everybody = in_order_of_seeds(event, event.entries.all())
    seeds = {entry.pk: seed for seed, entry in enumerate(everybody)}
    tables, notes = [], []
    for match in rounds[before]:
        found = _cut_of(match, go_on, decisions)
        check_all_decided(event, found.open, decisions, {entry.pk: entry for entry in everybody})
        levels = [sorted(seeds[entry] for entry in level) for level in found.levels]
        tables.append([seed for level in levels for seed in level][:go_on])
        notes += _decided(event, found, decisions, everybody)
    sizes = course(sum(map(len, tables)), go_on=go_on, **asdict(sizes_of(event)))[0]
    apart = _apart(event, everybody)
    drawn = next_tables(tables, sizes, go_on, apart)
    plan = _round_plan(number, drawn, (), everybody, tuple(notes))
    return _checked(plan, everybody, not_apart(drawn, apart))


def level_at_tables(event: Event) -> str:
    """Return a sentence if a director is to decide who goes on from a table of the last round, or ""."""
    decisions = Decisions(event, withheld_too=True)
    still_open = cuts_at_tables(event, decisions)[1]
    entries = {entry.pk: entry for entry in event.entries.all()}
    return refused(partial(check_all_decided, event, still_open, decisions, entries))


def decided_at_tables(event: Event, number: int) -> list[str]:
    """Return what was decided at tables before round `number`, as texts that change with it."""
    decisions = Decisions(event, withheld_too=True)
    met, _open = cuts_at_tables(event, decisions)
    return [
        repr((cut.key, decisions.parts(cut)))
        for cut in met
        if cut.round < number and decisions.of(cut) is not None
    ]


def _cut_of(match: Match, go_on: int, decisions: Decisions) -> CutTable:
    """Return who was at a table, cut below those who go on; refused without a result (`results_missing`)."""
    if not match.at_table or not match.is_counted:
        raise LeagueError("results_missing", _("%(label)s has no result yet.") % {"label": match.label})
    return cut_of_table(match, go_on, decisions)


def _decided(event: Event, found: CutTable, decisions: Decisions, entries: Iterable[Entry]) -> list[str]:
    """Return what was decided at a table, in sentences for the director."""
    by_id = {entry.pk: entry for entry in entries}
    return [
        decision_words(event, decision, parts, by_id, in_full(event), tells_author=True)
        for cut in found.cuts
        if (decision := decisions.of(cut)) is not None and (parts := decisions.parts(cut)) is not None
    ]


def places_in_knockout(event: Event, *, until: int | None = None) -> dict[int, int]:
    """Return the place of every entry by id: by the last round it played, then by its place at the table.

    Those who have come as far share one.
    """
    rows = event.matches.filter(entry_c__isnull=False, held=False, play_off=None)
    rows = rows.order_by("round__number", "id")
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


def _apart(event: Event, players: Sequence[Entry]) -> list[tuple[int, int]]:
    """Return the pairs to be kept apart, by places in the list of players."""
    places = {entry.pk: place for place, entry in enumerate(players)}
    pairs = ForbiddenPair.objects.filter(event=event).values_list("entry_a_id", "entry_b_id")
    return [(places[one], places[other]) for one, other in pairs if one in places and other in places]


def _checked(plan: RoundPlan, players: Sequence[Entry], together: Sequence[tuple[int, int]]) -> RoundPlan:
    """Return a plan, or raise `NoRoundPlanError` with it as an offer if some `together` are kept apart."""
    if not together:
        return plan
    named = [
        _("%(a)s and %(b)s") % {"a": players[one], "b": players[other]}
        for one, other in together[:_MOST_NAMED]
    ]
    said = ngettext(
        "Round %(number)d cannot keep all apart who should not meet. In the nearest one %(count)d pair is "
        "at one table: %(pairs)s.",
        "Round %(number)d cannot keep all apart who should not meet. In the nearest one %(count)d pairs are "
        "at one table: %(pairs)s.",
        len(together),
    ) % {
        "number": plan.number,
        "count": len(together),
        "pairs": "; ".join(named) + ("…" if len(together) > _MOST_NAMED else ""),
    }
    raise NoRoundPlanError(said, replace(plan, warnings=(said, *plan.warnings)))


def _history(event: Event, number: int, players: Sequence[Entry]) -> list[TableRound]:
    """Return the tables of all rounds before; who has left gets a place after those who are there."""
    places = {entry.pk: place for place, entry in enumerate(players)}
    rounds: dict[int, list[tuple[int, ...]]] = {before: [] for before in range(1, number)}
    rows = Match.objects.filter(event=event, round__number__lt=number, entry_c__isnull=False, play_off=None)
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
