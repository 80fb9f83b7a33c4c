"""Plans a Swiss round from the event's entries, points and meetings."""

from collections.abc import Iterator, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.pairing import swiss
from league.core.pairing.swiss import Entrant, Met, Number, Pair, Pairing
from league.core.pairing.swiss_words import why_bye, why_these
from league.core.pairing_reasons import Because, because
from league.draws.plans import NoRoundPlanError, PlannedBye, PlannedMatch, RoundPlan
from league.models import Entry, Event, ForbiddenPair, Match, MatchState
from league.tables.results import points_before_rounds


def plan(event: Event, number: int, present: Sequence[Entry]) -> RoundPlan:
    """Plan round `number` for those present by the rules of `league.core.pairing.swiss`.

    Refused as by `swiss.pair`; if no pairing meets the rules, `NoRoundPlanError` offers the nearest.
    """
    everybody = sorted(Entry.objects.filter(event=event), key=lambda entry: entry.name)
    # Numbered by name, so that the lot is the same wherever the event is kept.
    number_of = {entry.pk: place for place, entry in enumerate(everybody)}
    before = points_before_rounds(event, everybody, number)
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
        raise NoRoundPlanError(said, _round_plan(refused.offer, number, everybody, (said,))) from refused
    return _round_plan(pairing, number, everybody, ())


def _history(
    event: Event, number_of: Mapping[int, int], before: Sequence[Mapping[int, Number]]
) -> Iterator[Met]:
    """Yield what was in the rounds before; `before` has the points before each of them.

    A match that was not played is no meeting: a walkover, or a forfeit without a hand on the sheet. Whoever
    won it had a free win.
    """
    rows = Match.objects.filter(event=event, round__number__lt=len(before)).exclude(state=MatchState.ABSENT)
    for a, b, state, winner, deals, number in rows.order_by("round__number", "id").values_list(
        "entry_a_id", "entry_b_id", "state", "winner_side", "sheet__deal_count", "round__number"
    ):
        if state == MatchState.BYE:
            gives = event.bye_points > event.loss_points
            yield Met(number_of[a], None, number, number_of[a] if gives else None)
        elif state == MatchState.WALKOVER or (state == MatchState.FORFEIT and not deals):
            if winner is not None:
                won = number_of[b if winner else a]
                yield Met(won, None, number, won)
        else:
            points = before[number - 1]
            floated = None if points[a] == points[b] else max(a, b, key=points.__getitem__)
            yield Met(number_of[a], number_of[b], number, None if floated is None else number_of[floated])


def _round_plan(
    pairing: Pairing, number: int, entries: Sequence[Entry], warnings: tuple[str, ...]
) -> RoundPlan:
    return RoundPlan(
        number=number,
        matches=tuple(
            PlannedMatch(
                sides=((entries[pair.first],), (entries[pair.second],)),
                table=table,
                reasons=_said(pair, entries),
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
