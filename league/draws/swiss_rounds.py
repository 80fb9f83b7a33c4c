"""Plans a Swiss round from the event's entries, points and meetings."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django_stubs_ext import StrOrPromise

from league.core.pairing import swiss
from league.core.pairing.swiss import Entrant, Met, Pairing, Reason
from league.core.pairing_reasons import Because, because
from league.draws.plans import NoRoundPlanError, PlannedBye, PlannedMatch, RoundPlan
from league.models import Entry, Event, ForbiddenPair, Match, MatchState
from league.tables.results import points_so_far

_SENTENCES: Final[Mapping[Reason, StrOrPromise]] = {
    Reason.SAME_SCORE: gettext_lazy("same score"),
    Reason.ODD_GROUP: gettext_lazy("%(entry)s floated down: odd group"),
    Reason.NO_PARTNER: gettext_lazy("%(entry)s floated down: nobody of the same score left to meet"),
    Reason.REMATCH: gettext_lazy("rematch: no other pairing"),
    Reason.FORBIDDEN: gettext_lazy("should not meet: no other pairing"),
    Reason.BYE: gettext_lazy("bye: lowest score without one"),
    Reason.BYE_HIGHER: gettext_lazy("bye: lowest score without one that leaves the others a pairing"),
    Reason.BYE_AGAIN: gettext_lazy("bye again: no other pairing"),
}
# Reasons about an entry.
_OF_ENTRY: Final = frozenset({Reason.ODD_GROUP, Reason.NO_PARTNER})


def plan(event: Event, number: int, present: Sequence[Entry]) -> RoundPlan:
    """Plan round `number` for those present by the rules of `league.core.pairing.swiss`.

    Entries drawn against each other have met, whatever became of the match. Refused as by `swiss.pair`; if no
    pairing meets the rules, `NoRoundPlanError` offers the nearest.
    """
    everybody = sorted(Entry.objects.filter(event=event), key=lambda entry: entry.name)
    # Numbered by name, so that the lot is the same wherever the event is kept.
    number_of = {entry.pk: place for place, entry in enumerate(everybody)}
    points = points_so_far(event, everybody)
    entrants = [Entrant(number_of[entry.pk], points[entry.pk], entry.seed) for entry in present]
    forbidden = [
        (number_of[a], number_of[b])
        for a, b in ForbiddenPair.objects.filter(event=event).values_list("entry_a_id", "entry_b_id")
    ]
    try:
        pairing = swiss.pair(
            entrants,
            _history(event, number, number_of),
            round_number=number,
            seed=event.lot_seed,
            forbidden=forbidden,
        )
    except swiss.NoPairingError as refused:
        said = _what_it_takes(refused.offer, number)
        raise NoRoundPlanError(said, _round_plan(refused.offer, number, everybody, (said,))) from refused
    return _round_plan(pairing, number, everybody, ())


def _history(event: Event, number: int, number_of: Mapping[int, int]) -> Iterator[Met]:
    rows = Match.objects.filter(event=event, round__number__lt=number).exclude(state=MatchState.ABSENT)
    for entry_a, entry_b in rows.order_by("round__number", "id").values_list("entry_a_id", "entry_b_id"):
        yield Met(number_of[entry_a], None if entry_b is None else number_of[entry_b])


def _round_plan(
    pairing: Pairing, number: int, entries: Sequence[Entry], warnings: tuple[str, ...]
) -> RoundPlan:
    return RoundPlan(
        number=number,
        matches=tuple(
            PlannedMatch(
                sides=((entries[pair.first],), (entries[pair.second],)),
                table=table,
                reasons=_said(pair.reasons, None if pair.floated is None else entries[pair.floated]),
            )
            for table, pair in enumerate(pairing.pairs, start=1)
        ),
        byes=()
        if pairing.bye is None
        else (PlannedBye(entry=entries[pairing.bye], reasons=_said(pairing.bye_reasons, None)),),
        warnings=warnings,
    )


def _said(reasons: Sequence[Reason], floated: Entry | None) -> tuple[Because, ...]:
    return tuple(
        because(str(_SENTENCES[reason]), floated.pk)
        if floated is not None and reason in _OF_ENTRY
        else str(_SENTENCES[reason])
        for reason in reasons
    )


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
