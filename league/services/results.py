"""From sheets to match results, and from match results to what `league.standings.rank` takes."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from django.db.models import Q

from league.models import (
    UNPLAYED,
    Adjustment,
    Entry,
    Event,
    Match,
    MatchState,
    PointsScheme,
    bye_counts,
)
from league.standings import Adjustment as Note
from league.standings import Award, MatchResult, Number, Row, ScoringScheme, Side, rank
from league.standings import MatchState as ResultState
from scoring.models import PaperState, Scoresheet, SheetStatus

COUNTED_FIELDS: Final = frozenset(
    {"state", "winner_side", "net", "columns_a", "columns_b", "boxes_a", "boxes_b", "held"}
)

_SIDES: Final = (Side.A, Side.B)


def match_fields(sheet: Scoresheet | None) -> dict[str, Any]:
    """What a match says that has this sheet: state, winner, figures, and whether it is held back.

    A match has figures once its sheet has ended; while it is played, the sheet has them.
    """
    fields: dict[str, Any] = dict.fromkeys(("net", "columns_a", "columns_b", "boxes_a", "boxes_b"), 0)
    fields |= {"state": MatchState.SCHEDULED, "winner_side": None, "held": False}
    if sheet is None or sheet.status == SheetStatus.VOID:
        return fields
    fields["held"] = sheet.paper_state == PaperState.DIFFERS
    if sheet.status == SheetStatus.OPEN:
        fields["state"] = MatchState.PLAYING if sheet.deal_count else MatchState.SCHEDULED
        return fields
    fields |= {"state": MatchState(sheet.status), "winner_side": sheet.winner_side, "net": sheet.net}
    fields["columns_a"], fields["columns_b"] = sheet.derived["columns_won"]
    fields["boxes_a"], fields["boxes_b"] = sheet.derived["boxes"]
    return fields


@dataclass(frozen=True, slots=True)
class Ranking:
    """A table as computed: rows of `league.standings`, best first, and the id of each row's entry."""

    rows: list[Row]
    entry_ids: list[int]


def ranking_of(event: Event, entries: Iterable[Entry]) -> Ranking:
    """The table of an event as its results are now, in two queries; the entries are given.

    An entry takes part under a number made of its name, so that the lot falls the same wherever the event
    is kept. Matches without a result, and those held back, are left out; so is what belongs to an entry that
    was made after the entries were read, for whoever made it has asked for the table again.
    """
    named = sorted(entries, key=lambda entry: entry.name)
    number_of = {entry.pk: _number(entry.name) for entry in named}
    id_of = {number: pk for pk, number in number_of.items()}
    rows = rank(
        [number_of[entry.pk] for entry in named],
        _results(event, number_of),
        criteria=event.criteria,
        restart=event.restart_criteria,
        seed=event.lot_seed,
        scheme=scheme_of(event),
        adjustments=[
            Note(number_of[entry_id], points, reason)
            for entry_id, points, reason in Adjustment.objects.filter(event=event)
            .order_by("id")
            .values_list("entry_id", "points", "reason")
            if entry_id in number_of
        ],
    )
    return Ranking(rows, [id_of[row.entry] for row in rows])


def scheme_of(event: Event) -> ScoringScheme:
    """What the event gives for a match, in points."""
    bye = Award(won=plain(event.bye_points), counts=False)
    if event.points_scheme == PointsScheme.COLUMNS:
        return ScoringScheme.by_columns(
            column=plain(event.column_points), sheet=plain(event.sheet_points), bye=bye
        )
    award = Award(won=plain(event.win_points), lost=plain(event.loss_points))
    return ScoringScheme(
        win=plain(event.win_points),
        draw=plain(event.draw_points),
        loss=plain(event.loss_points),
        bye=bye,
        forfeit=award,
        walkover=award,
    )


def plain(points: Decimal | int) -> Number:
    """Points without needless places: 2, not 2.00; 0.5 stays a half."""
    points = Decimal(points)
    return int(points) if points == points.to_integral_value() else points.normalize()


def _results(event: Event, number_of: dict[int, int]) -> list[MatchResult]:
    rows = (
        Match.objects.filter(~Q(state=MatchState.BYE) | bye_counts(), event=event, held=False)
        .exclude(state__in=UNPLAYED)
        .order_by()
        .values_list(
            "entry_a_id",
            "entry_b_id",
            "state",
            "winner_side",
            "net",
            "columns_a",
            "columns_b",
            "boxes_a",
            "boxes_b",
        )
    )
    states = {state.value: state for state in ResultState}
    results = []
    for entry_a, entry_b, state, winner, *figures in rows.iterator():
        if entry_a not in number_of or (entry_b is not None and entry_b not in number_of):
            continue
        if state == MatchState.BYE:
            results.append(MatchResult.bye(number_of[entry_a]))
            continue
        results.append(
            MatchResult(
                (number_of[entry_a],),
                (number_of[entry_b],),
                states[state],
                None if winner is None else _SIDES[winner],
                *figures,
            )
        )
    return results


def _number(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest())
