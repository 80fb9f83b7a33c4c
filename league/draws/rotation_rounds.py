"""Plans rounds with rotating partners from the event's earlier meetings."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from django.db.models import Q
from django.utils.translation import gettext as _

from league.core.lots import by_lot
from league.core.pairing import movements
from league.core.pairing.movements import Movement, Table
from league.core.pairing.rotation import schedule
from league.core.pairing.whist_starters import cycle_length
from league.draws.movement_words import unevenness_words
from league.draws.plans import PlannedBye, PlannedMatch, RoundPlan
from league.errors import LeagueError
from league.models import AWARDED, PLAYED, SAT_OUT, Entry, Event, Match, RoundState
from scoring.models import SheetStatus


def plan(event: Event, number: int, present: Sequence[Entry]) -> RoundPlan:
    """Plan round `number` for those present, as the first of all rounds left.

    Refused: fewer than four (`too_few_entries`), more than a movement takes.
    """
    players = in_order(event, present)
    rounds = planned_rounds(event, len(players))
    movement = continued(event, players, number, left=max(rounds - number + 1, 1))
    uneven = tuple(unevenness_words(movement.unevenness))
    warnings = uneven[:1] if movement.unevenness.partner_repeats else ()
    notes = (_("Of all rounds together, as they are planned:"), *uneven[len(warnings) :])
    return round_plan(movement[0], players, warnings=warnings, notes=notes)


def planned_rounds(event: Event, players: int) -> int:
    """Return the event's number of rounds: as planned, or a full cycle for these players."""
    return event.rounds_planned or cycle_length(max(players, 4))


def in_order(event: Event, entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries at their places in a movement or schedule, which lots give them."""
    return by_lot({entry: entry.drawn_as for entry in entries}, f"{event.lot_seed} places")


def continued(
    event: Event,
    players: Sequence[Entry],
    number: int,
    *,
    left: int,
    away: Mapping[int, Collection[int]] | None = None,
) -> Movement:
    """Return the movement of `left` rounds from round `number` on; earlier rounds count.

    While the rounds so far follow a schedule of the same players, it is continued, which is more even than
    any search. `away` maps round numbers to places in `players`.
    """
    if len(players) < 4:
        raise LeagueError(
            "too_few_entries",
            _("A table has four players, and there are %(count)d.") % {"count": len(players)},
        )
    history = rounds_before(event, number, players)
    if history and not away:
        whole = schedule(len(players), len(history) + left, seed=event.lot_seed)
        if all(_same(one, other) for one, other in zip(history, whole, strict=False)):
            return Movement(whole.players, whole.rounds[len(history) :], whole.unevenness)
    return schedule(len(players), left, history=history, away=away, seed=event.lot_seed)


def rounds_before(event: Event, number: int, players: Sequence[Entry]) -> list[movements.MovementRound]:
    """Return all rounds before `number`; players who have left get places after the present ones."""
    places = {entry.pk: place for place, entry in enumerate(players)}
    tables: dict[int, list[Table]] = {before: [] for before in range(1, number)}
    rows = Match.objects.filter(event=event, round__number__lt=number, partner_b__isnull=False)
    for before, *seats in rows.order_by("round__number", "table", "id").values_list(
        "round__number", "entry_a_id", "partner_a_id", "entry_b_id", "partner_b_id"
    ):
        a, c, b, d = (places.setdefault(pk, len(places)) for pk in seats)
        tables[before].append(((a, c), (b, d)))
    return [movements.MovementRound(before, tuple(seated)) for before, seated in tables.items()]


def round_plan(
    drawn: movements.MovementRound,
    players: Sequence[Entry],
    *,
    warnings: tuple[str, ...] = (),
    notes: tuple[str, ...] = (),
) -> RoundPlan:
    """Return a round of a movement as it would be written."""
    return RoundPlan(
        number=drawn.number,
        matches=tuple(
            PlannedMatch(sides=((players[a], players[c]), (players[b], players[d])), table=place)
            for place, ((a, c), (b, d)) in enumerate(drawn.tables, start=1)
        ),
        byes=tuple(
            PlannedBye(
                entry=players[player],
                reasons=(_("%(count)d players, four at a table: in turn") % {"count": len(players)},),
            )
            for player in drawn.sit_out
        ),
        warnings=warnings,
        notes=notes,
    )


def first_open_round(event: Event) -> int:
    """Return the first round that can be drawn again: after the last in which anything happened.

    That is a deal or a table in play on this site, a result, a forfeit or walkover, or its completion.
    """
    begun = Match.objects.filter(event=event).filter(
        (Q(sheet__acts__isnull=False) & ~Q(sheet__status=SheetStatus.VOID))
        | Q(sheet__table_match__is_live=True)
        | Q(state__in=PLAYED)
        | Q(state__in=[state for state in AWARDED if state not in SAT_OUT])
    )
    touched = event.rounds.filter(Q(pk__in=begun.values("round")) | Q(state=RoundState.COMPLETE))
    last = touched.order_by("-number").values_list("number", flat=True).first()
    return (last or 0) + 1


def _same(one: movements.MovementRound, other: movements.MovementRound) -> bool:
    """True if the same players meet, whatever the tables and first deals."""
    return _foursomes(one) == _foursomes(other)


def _foursomes(drawn: movements.MovementRound) -> frozenset[frozenset[frozenset[int]]]:
    return frozenset(frozenset(frozenset(pair) for pair in table) for table in drawn.tables)
