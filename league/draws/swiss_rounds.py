"""Plans a Swiss round from the event's entries, points and meetings."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.pairing import swiss
from league.core.pairing.acceleration import accelerated, virtual_points
from league.core.pairing.swiss import Entrant, Met, Number, Pair, Pairing
from league.core.pairing.swiss_words import VIRTUAL_POINTS, why_bye, why_these
from league.core.pairing_reasons import Because, because
from league.draws.plans import NoRoundPlanError, PlannedBye, PlannedMatch, RoundPlan
from league.errors import LeagueError
from league.models import SAT_OUT, Entry, Event, ForbiddenPair, Match, MatchState
from league.tables.results import plain, points_before_rounds, scheme_of


def plan(event: Event, number: int, present: Sequence[Entry]) -> RoundPlan:
    """Plan round `number` for those present by the rules of `league.core.pairing.swiss`.

    Refused as by `swiss.pair`; if no pairing meets the rules, `NoRoundPlanError` offers the nearest.
    """
    everybody = sorted(Entry.objects.filter(event=event), key=lambda entry: entry.name)
    # Numbered by name, so that the lot is the same wherever the event is kept.
    number_of = {entry.pk: place for place, entry in enumerate(everybody)}
    before = _pairing_scores(event, everybody, number, present)
    entrants = [Entrant(number_of[entry.pk], before[-1][entry.pk], entry.seed) for entry in present]
    forbidden = [
        (number_of[a], number_of[b])
        for a, b in ForbiddenPair.objects.filter(event=event).values_list("entry_a_id", "entry_b_id")
    ]
    try:
        pairing = swiss.pair(
            entrants,
            _history(event, number_of, before),
            round_number=number,
            seed=event.lot_seed,
            forbidden=forbidden,
        )
    except swiss.NoPairingError as refused:
        said = _what_it_takes(refused.offer, number)
        offer = _round_plan(refused.offer, event, number, everybody, (said,))
        raise NoRoundPlanError(said, offer) from refused
    return _round_plan(pairing, event, number, everybody, ())


def _pairing_scores(
    event: Event, everybody: Sequence[Entry], number: int, present: Sequence[Entry]
) -> list[dict[int, Number]]:
    """Return the points with which each of the rounds 1 … `number` is paired, virtual ones included.

    Refused where the first half is to be accelerated and somebody who begins has no seed (`no_seeds`).
    """
    before = points_before_rounds(event, everybody, number)
    if not event.accelerated:
        return before
    if number == 1 and any(entry.seed is None for entry in present):
        raise LeagueError("no_seeds", _("An accelerated Swiss goes by seeds: seed all entries first."))
    began = {entry.pk for entry in present} if number == 1 else _paired_first(event)
    upper = _first_half(everybody, began)
    for round_number, points in enumerate(before, start=1):
        more = virtual_points_in(event, round_number)
        points.update({entry: points[entry] + more for entry in upper})
    return before


def first_half(event: Event) -> frozenset[int]:
    """Return the ids of those who have virtual points in an accelerated Swiss that has begun."""
    return _first_half(event.entries.all(), _paired_first(event))


def _paired_first(event: Event) -> set[int]:
    """Return the ids of those who were paired in round 1, or had its bye; who asked it off was not."""
    drawn = Match.objects.filter(event=event, round__number=1).exclude(state=MatchState.ABSENT)
    sides = drawn.order_by().values_list("entry_a", "entry_b")
    return {entry for pair in sides for entry in pair if entry is not None}


def _first_half(everybody: Iterable[Entry], began: Collection[int]) -> frozenset[int]:
    in_order = sorted(everybody, key=lambda entry: (entry.seed is None, entry.seed, entry.name))
    return accelerated([entry.pk for entry in in_order], began)


def _history(
    event: Event, number_of: Mapping[int, int], before: Sequence[Mapping[int, Number]]
) -> Iterator[Met]:
    """Yield what was in the rounds before; `before` has the points before each of them.

    A match that was not played is no meeting: a walkover, or a forfeit without a hand on the sheet. Whoever
    won it had a free win, and so had whoever asked a round off that gives as much as a win (C.04.1, 4). An
    annulled match is nothing, and a play-off no part of the Swiss.
    """
    scheme = scheme_of(event)
    rows = Match.objects.filter(event=event, round__number__lt=len(before), annulled=False, play_off=None)
    for a, b, state, winner, deals, number in rows.order_by("round__number", "id").values_list(
        "entry_a_id", "entry_b_id", "state", "winner_side", "sheet__deal_count", "round__number"
    ):
        if state in SAT_OUT:
            gives = (scheme.bye if state == MatchState.BYE else scheme.absent).won
            floated = number_of[a] if gives > scheme.loss else None
            is_free = state == MatchState.BYE or gives >= scheme.win > scheme.loss
            if is_free or floated is not None:
                yield Met(number_of[a], None, number, floated, is_free_win=is_free)
        elif state == MatchState.WALKOVER or (state == MatchState.FORFEIT and not deals):
            if winner is not None:
                won = number_of[b if winner else a]
                yield Met(won, None, number, won)
        else:
            points = before[number - 1]
            floated = None if points[a] == points[b] else max(a, b, key=points.__getitem__)
            yield Met(number_of[a], number_of[b], number, None if floated is None else number_of[floated])


def virtual_points_in(event: Event, number: int) -> Number:
    """Return what the first half has more when this round is paired."""
    if not event.accelerated:
        return 0
    win, draw = plain(event.win_points), plain(event.draw_points)
    return virtual_points(number, event.rounds_planned, win=win, draw=draw)


def _round_plan(
    pairing: Pairing, event: Event, number: int, entries: Sequence[Entry], warnings: tuple[str, ...]
) -> RoundPlan:
    also = (because(VIRTUAL_POINTS),) if virtual_points_in(event, number) else ()
    return RoundPlan(
        number=number,
        matches=tuple(
            PlannedMatch(
                sides=((entries[pair.first],), (entries[pair.second],)),
                table=table,
                reasons=_said(pair, entries) + also,
            )
            for table, pair in enumerate(pairing.pairs, start=1)
        ),
        byes=()
        if pairing.bye is None
        else (PlannedBye(entry=entries[pairing.bye], reasons=tuple(map(because, why_bye(pairing)))),),
        warnings=warnings,
    )


def _said(pair: Pair, entries: Sequence[Entry]) -> tuple[Because, ...]:
    if pair.floated is None:
        return tuple(map(because, why_these(pair)))
    lower = pair.second if pair.floated == pair.first else pair.first
    entry, other = entries[pair.floated].pk, entries[lower].pk
    return tuple(because(sentence, entry=entry, other=other) for sentence in why_these(pair))


def _what_it_takes(offer: Pairing, number: int) -> str:
    takes = []
    if offer.forbidden:
        takes.append(
            ngettext("%d pair that should not meet", "%d pairs that should not meet", offer.forbidden)
            % offer.forbidden
        )
    if offer.repeats_bye:
        takes.append(_("a second bye"))
    if offer.rematches:
        takes.append(ngettext("%d rematch", "%d rematches", offer.rematches) % offer.rematches)
    return _("Round %(number)d cannot be paired by the rules. The nearest pairing takes %(takes)s.") % {
        "number": number,
        "takes": ", ".join(takes),
    }
