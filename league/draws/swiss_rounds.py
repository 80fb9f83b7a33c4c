"""Plans a Swiss round from the event's entries, points and meetings."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext as _

from league.core.pairing import acceleration, swiss
from league.core.pairing.swiss import Entrant, Met, Number, Pair, Pairing, order_lot
from league.core.pairing.swiss_words import VIRTUAL_POINTS, why_bye, why_these
from league.core.pairing_reasons import Because, because
from league.draws.plans import NoRoundPlanError, PlannedBye, PlannedMatch, RoundPlan
from league.errors import LeagueError
from league.models import SAT_OUT, Entry, Event, ForbiddenPair, Match, MatchState, PointsScheme
from league.tables.results import plain, points_before_rounds, points_so_far, scheme_of
from scoring.words.messages import translated


def plan(event: Event, number: int, present: Sequence[Entry]) -> RoundPlan:
    """Plan round `number` for those present by the rules of `league.core.pairing.swiss`.

    Refused as by `swiss.pair`, and where the first half is to be accelerated and somebody who begins has no
    seed (`no_seeds`); if no pairing meets the rules, `NoRoundPlanError` offers the nearest.
    """
    if event.accelerated and number == 1 and any(entry.seed is None for entry in present):
        raise LeagueError("no_seeds", _("An accelerated Swiss goes by seeds: seed all entries first."))
    everybody = list(Entry.objects.filter(event=event))
    began = {entry.pk for entry in present} if number == 1 else None
    points = _with_virtual_points(event, everybody, number, points_so_far(event, everybody), began)
    scores = {entry.pk: points[entry.pk] for entry in present}
    entries = {entry.pk: entry for entry in everybody}
    try:
        pairing = swiss.pair(
            [Entrant(entry.pk, scores[entry.pk], entry.seed, entry.drawn_as) for entry in present],
            _history(event, everybody, number),
            round_number=number,
            seed=event.lot_seed,
            apart=ForbiddenPair.objects.filter(event=event).values_list("entry_a_id", "entry_b_id"),
        )
    except swiss.NoPairingError as refused:
        said = translated(refused.message)
        offer = _round_plan(refused.offer, event, number, entries, scores, (said,))
        raise NoRoundPlanError(said, offer) from refused
    return _round_plan(pairing, event, number, entries, scores, ())


def in_pairing_order(event: Event, entries: Iterable[Entry]) -> list[Entry]:
    """Return entries as rounds are paired from them: by seed, and by lot those who have none."""

    def place(entry: Entry) -> tuple[bool, int, int]:
        return entry.seed is None, entry.seed or 0, -order_lot(event.lot_seed, entry.drawn_as)

    return sorted(entries, key=place)


def first_half(event: Event) -> frozenset[int]:
    """Return the ids of those who have virtual points in an accelerated Swiss that has begun."""
    return _first_half(event, event.entries.all(), _paired_first(event))


def virtual_points_in(event: Event, number: int) -> Number:
    """Return what the first half has more when this round is paired."""
    return next((points for points, first, last in virtual_runs(event) if first <= number <= last), 0)


def virtual_runs(event: Event) -> list[tuple[Number, int, int]]:
    """Return what the first half has more when rounds are paired, each with its first and last round."""
    if not event.accelerated:
        return []
    fast = event.accelerated_rounds or acceleration.accelerated_rounds(event.rounds_planned)
    scheme = scheme_of(event)
    win, draw = scheme.win, scheme.draw
    if event.points_scheme == PointsScheme.COLUMNS:
        win = plain(Decimal(win) + Decimal(scheme.column) * event.rules.rules.columns)
        draw = plain(Decimal(win) / 2)
    return acceleration.virtual_runs(fast, win=win, draw=draw)


def acceleration_words(event: Event, number: int) -> str:
    """Return what a round is accelerated by, as a text that changes with it; "" if it is not accelerated.

    With round 1 it is fixed how many rounds are.
    """
    if not event.accelerated:
        return ""
    fast = event.accelerated_rounds
    if number == 1:
        fast = acceleration.accelerated_rounds(event.rounds_planned)
    return f"{virtual_points_in(event, number)} in {fast} rounds"


def fix_acceleration(event: Event) -> None:
    """Note how many rounds are accelerated, by the number that is planned now."""
    event.accelerated_rounds = acceleration.accelerated_rounds(event.rounds_planned)
    event.save(update_fields=["accelerated_rounds"])


def _with_virtual_points(
    event: Event,
    everybody: Sequence[Entry],
    number: int,
    points: Mapping[int, Number],
    began: Collection[int] | None = None,
) -> Mapping[int, Number]:
    """Return points of all with those that the first half of those who `began` has more in this round."""
    more = virtual_points_in(event, number)
    if not more:
        return points
    upper = _first_half(event, everybody, _paired_first(event) if began is None else began)
    return {entry: had + more if entry in upper else had for entry, had in points.items()}


def _paired_first(event: Event) -> set[int]:
    """Return the ids of those who were paired in round 1, or had its bye; who asked it off was not."""
    drawn = Match.objects.filter(event=event, round__number=1).exclude(state=MatchState.ABSENT)
    sides = drawn.order_by().values_list("entry_a", "entry_b")
    return {entry for pair in sides for entry in pair if entry is not None}


def _first_half(event: Event, everybody: Iterable[Entry], began: Collection[int]) -> frozenset[int]:
    in_order = in_pairing_order(event, everybody)
    return acceleration.first_half([entry.pk for entry in in_order], began)


def _history(event: Event, everybody: Sequence[Entry], number: int) -> Iterator[Met]:
    """Yield what was in the rounds before.

    A match that was not played is no meeting: a walkover, or a forfeit without a hand on the sheet. Whoever
    won it had a free win, and so had whoever asked a round off, or missed it by coming late, and was given as
    much as a win (C.04.1, 4), where columns count as the bye. An annulled match is nothing, and a play-off no
    part of the Swiss. Who floated is told by the points with which the round was paired.
    """
    scheme = scheme_of(event)
    rows = Match.objects.filter(event=event, round__number__lt=number, annulled=False, play_off=None)
    matches = list(
        rows.order_by("round__number", "id").values_list(
            "entry_a_id", "entry_b_id", "state", "winner_side", "sheet__deal_count", "round__number"
        )
    )
    met = {(number, a, b) for a, b, *_rest, number in matches if b is not None}
    scores = _Scores.of(event, everybody, met)

    def alone(entry: int, round_number: int, gives: Number, *, is_bye: bool = False) -> Iterator[Met]:
        floated = entry if gives > scheme.loss else None
        is_free = is_bye or gives >= scheme.full_bye > scheme.loss
        if is_free or floated is not None:
            yield Met(entry, None, round_number, floated, is_free_win=is_free)

    placed = {(round_number, entry) for a, b, *_rest, round_number in matches for entry in (a, b)}
    for entry in everybody:
        for missed in range(1, min(entry.first_round, number)):
            if (missed, entry.pk) not in placed:
                yield from alone(entry.pk, missed, plain(event.late_points))
    for a, b, state, winner, deals, round_number in matches:
        if state in SAT_OUT:
            is_bye = state == MatchState.BYE
            gives = (scheme.bye if is_bye else scheme.absent).won
            yield from alone(a, round_number, gives, is_bye=is_bye)
        elif state == MatchState.WALKOVER or (state == MatchState.FORFEIT and not deals):
            if winner is not None:
                won = b if winner else a
                yield Met(won, None, round_number, won)
        else:
            points = scores.with_which(round_number, a, b)
            floated = None if points[a] == points[b] else max(a, b, key=points.__getitem__)
            yield Met(a, b, round_number, floated)


@dataclass(frozen=True, slots=True)
class _Scores:
    """The points with which rounds were paired, by round and entry, as they were noted with the round.

    `reckoned` are the points before a round by the results as they are now: for rounds of which none were
    noted, and for who was put into one by hand.
    """

    noted: Mapping[int, Mapping[int, Number]]
    reckoned: Mapping[int, Mapping[int, Number]]

    @classmethod
    def of(cls, event: Event, everybody: Sequence[Entry], met: Collection[tuple[int, int, int]]) -> "_Scores":
        """Return the scores of those who met; `met` are round and entries."""
        rounds = event.rounds.filter(number__in={number for number, _a, _b in met})
        noted = {
            number: {int(entry): plain(Decimal(points)) for entry, points in (scores or {}).items()}
            for number, scores in rounds.values_list("number", "scores")
        }
        lacking = {number for number, a, b in met if not {a, b} <= noted[number].keys()}
        before = points_before_rounds(event, everybody, lacking) if lacking else {}
        return cls(
            noted,
            {
                number: _with_virtual_points(event, everybody, number, points)
                for number, points in before.items()
            },
        )

    def with_which(self, number: int, a: int, b: int) -> Mapping[int, Number]:
        """Return the points with which two were paired."""
        return self.noted[number] if {a, b} <= self.noted[number].keys() else self.reckoned[number]


def _round_plan(
    pairing: Pairing,
    event: Event,
    number: int,
    entries: Mapping[int, Entry],
    scores: Mapping[int, Number],
    warnings: tuple[str, ...],
) -> RoundPlan:
    also = (because(VIRTUAL_POINTS),) if virtual_points_in(event, number) else ()
    return RoundPlan(
        number=number,
        matches=tuple(
            PlannedMatch(
                sides=((entries[pair.first],), (entries[pair.second],)),
                table=table,
                reasons=_said(pair) + also,
            )
            for table, pair in enumerate(pairing.pairs, start=1)
        ),
        byes=()
        if pairing.bye is None
        else (PlannedBye(entry=entries[pairing.bye], reasons=tuple(map(because, why_bye(pairing)))),),
        warnings=warnings,
        scores=scores,
    )


def _said(pair: Pair) -> tuple[Because, ...]:
    if pair.floated is None:
        return tuple(map(because, why_these(pair)))
    lower = pair.second if pair.floated == pair.first else pair.first
    return tuple(because(sentence, entry=pair.floated, other=lower) for sentence in why_these(pair))
